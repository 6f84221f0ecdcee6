package capture

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"sphereserver/packets"
)

// rows shows the result of a reading: one line for each frame or error.
func rows(name, text string, o Options) string {
	var out strings.Builder
	for r, err := range Read(name, strings.NewReader(text), o) {
		if err != nil {
			fmt.Fprintf(&out, "error %v\n", err)
			continue
		}
		whole := "whole"
		if !r.Whole {
			whole = "not whole"
		}
		fmt.Fprintf(&out, "%s #%d %s %s wire %X plain %X", r.Position(), r.Number, r.Direction, whole, r.Wire, r.Plain)
		if r.Key != nil {
			fmt.Fprintf(&out, " key %04X", *r.Key)
		}
		for _, s := range []string{r.Topic, r.Time, r.Label} {
			if s != "" {
				fmt.Fprintf(&out, " %s", s)
			}
		}
		out.WriteByte('\n')
	}
	return out.String()
}

func TestTables(t *testing.T) {
	const unset = "both"
	for name, c := range map[string]struct {
		text string
		o    Options
		want string
	}{
		"the columns of recordings": {
			text: "topic\tdir\ttime\tkey\twhole\twire\tplain\tlabel\n" +
				"ping\tC2S\t2022-06-17\t421F\tyes\t08003F422A01F401\t08003F422A01F401\tпинг\n" +
				"pong\tS2C\t\t\tno\t\t0400F4\t\n",
			want: "a:2 #1 C2S whole wire 08003F422A01F401 plain 08003F422A01F401 key 421F ping 2022-06-17 пинг\n" +
				"a:3 #2 S2C not whole wire  plain 0400F4 pong\n"},
		"in another order, with others between, BOM and CRLF": {
			text: "\uFEFFPlain\tX\tDIR\r\n0400F401\t\ts2c\r\n\r\n# a remark\r\n08 00 3F 42 2A 01 F4 01\t1\tclient\r\n",
			want: "a:2 #1 S2C whole wire  plain 0400F401\na:5 #2 C2S whole wire  plain 08003F422A01F401\n"},
		"column found by itself": {
			text: "n\twho\tpacket\n1\tserver\t0400F401\n2\tclient\t08003F422A01F401\n",
			want: "a:2 #1 S2C whole wire 0400F401 plain \na:3 #2 C2S whole wire 08003F422A01F401 plain \n"},
		"without a header": {
			text: "one\t0400F401\ntwo\t0B002C010000003412 0000\n",
			want: "a:1 #1 " + unset + " whole wire 0400F401 plain \na:2 #2 " + unset +
				" whole wire 0B002C0100000034120000 plain \n"},
		"column by name": {
			text: "raw\tpacket\n0400F401\t0B002C0100000034120000\n", o: Options{Column: "RAW"},
			want: "a:2 #1 " + unset + " whole wire 0400F401 plain \n"},
		"column by number": {
			text: "0400F401\t0B002C0100000034120000\n", o: Options{Column: "2"},
			want: "a:1 #1 " + unset + " whole wire 0B002C0100000034120000 plain \n"},
		"the plain column alone": {
			text: "wire\tplain\n0400F401\t0B002C0100000034120000\n", o: Options{Column: "plain"},
			want: "a:2 #1 " + unset + " whole wire  plain 0B002C0100000034120000\n"},
		"found column is plain, direction told": {
			text: "a\tb\nx\t0400F401\n", o: Options{Plain: true, Direction: packets.FromServer},
			want: "a:2 #1 S2C whole wire  plain 0400F401\n"},
		"several frames in a cell": {
			text: "wire\n0400F4010400F4010B002C\n",
			want: "a:2 #1 both whole wire 0400F401 plain \na:2 #2 both whole wire 0400F401 plain \na:2 #3 both not whole " +
				"wire 0B002C plain \n"},
		"whole is believed": {
			text: "wire\twhole\n0400F4010400F401\tyes\n",
			want: "a:2 #1 both whole wire 0400F4010400F401 plain \n"},
		"rows with mistakes": {
			text: "wire\tdir\tkey\twhole\n0400F401\tup\t\t\n0400F40\tS2C\t\t\n\tS2C\t\t\n0400F401\tS2C\tXYZ\t\n" +
				"0400F401\tS2C\t\tmaybe\n0400F401\n",
			want: "error a:2: direction \"up\": expected C2S or S2C\n" +
				"error a:3: wire column: character 8: expected a second hex digit of 0\n" +
				"error a:4: row has no frame\n" +
				"error a:5: key \"XYZ\": expected four hex digits\n" +
				"error a:6: whole is \"maybe\": expected yes or no\n" +
				"a:7 #1 both whole wire 0400F401 plain \n"},
		"no such column": {
			text: "wire\tplain\n0400F401\t\n", o: Options{Column: "frame"},
			want: "error a: no column \"frame\" among \"wire\", \"plain\"\n"},
		"no column of hex": {
			text: "name\tvalue\nHP\t12\n",
			want: "error a: no column of hex among \"name\", \"value\"\n"},
		"nothing but a header": {
			text: "wire\tplain\n", want: ""},
		"nothing but remarks": {
			text: "# one\n\n", o: Options{Column: "x"}, want: "error a: no rows, expected a table with a column of hex\n"},
		"nothing at all": {
			text: "", want: "error a is empty: expected frames as hex, a table, a pcap or a recording\n"},
		"hex, one frame a line": {
			text: "0400F401\n# remark\n04 00 F4 01\n",
			want: "a:1 #1 both whole wire 0400F401 plain \na:3 #2 both whole wire 0400F401 plain \n"},
		"hex, one frame over lines": {
			text: "0B 00 2C 01 00\n00 00 34 12\n00 00\n\n04 00\nF4 01",
			want: "a:1 #1 both whole wire 0B002C0100000034120000 plain \na:5 #2 both whole wire 0400F401 plain \n"},
		"hex with directions": {
			text: "S2C 0400F401\nC2S: 08003F422A01F401\n",
			want: "a:1 #1 S2C whole wire 0400F401 plain \na:2 #2 C2S whole wire 08003F422A01F401 plain \n"},
		"hex between tabs": {
			text: "04\t00\tF4\t01\n",
			want: "a:1 #1 both whole wire 0400F401 plain \n"},
		"lines of a log": {
			text: "[12:00:01.5] C->S: 0B 00 2C 01 00 00\n2022-06-17 14:51:56 сервер 0400F401\nCLI 03/07/2022 17:41:25 8223 " +
				"08003F422A01F401\n>> 0400F401\n{\"n\":12345678,\"data\":\"0400F401\"}\nx = b'\\x04\\x00\\xf4\\x01'\nrow 7: 04 00 F4\nsession 00000001 opened\n",
			want: "a:1 #1 C2S not whole wire 0B002C010000 plain \na:2 #2 S2C whole wire 0400F401 plain \n" +
				"a:3 #3 C2S whole wire 08003F422A01F401 plain \na:4 #4 both whole wire 0400F401 plain \n" +
				"a:5 #5 both whole wire 0400F401 plain \na:6 #6 both whole wire 0400F401 plain \n" +
				"error a:7: character 1: expected a hex digit, found 'r'\n" +
				"error a:8: character 1: expected a hex digit, found 's'\n"},
		"hex with mistakes": {
			text: "0400F401\nhello\n0400F401\n",
			want: "a:1 #1 both whole wire 0400F401 plain \nerror a:2: character 1: expected a hex digit, found 'h'\na:3 #2 " +
				"both whole wire 0400F401 plain \n"},
	} {
		if d := cmp.Diff(c.want, rows("a", c.text, c.o)); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
	}
}

func TestLongLines(t *testing.T) {
	text := "0400F401\n" + strings.Repeat("00", maxLine) + "\n0400F401\n"
	want := "a:1 #1 both whole wire 0400F401 plain \nerror a:2: line is longer than 1048576 bytes\na:3 #2 both whole " +
		"wire 0400F401 plain \n"
	if d := cmp.Diff(want, rows("a", text, Options{})); d != "" {
		t.Error(d)
	}
	if got := rows("a", "wire\tx\n"+strings.Repeat("0", maxLine+1)+"\n0400F401\n", Options{}); !strings.HasPrefix(got,
		"error a:2: line is longer") ||
		!strings.HasSuffix(got, "wire 0400F401 plain \n") {
		t.Error(got)
	}
}

func TestPackedText(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte("0400F401\n")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if got := rows("a.gz", packed.String(), Options{}); got != "a.gz:1 #1 both whole wire 0400F401 plain \n" {
		t.Error(got)
	}
	if got := rows("a.gz", packed.String()[:11], Options{}); !strings.HasPrefix(got, "error ") {
		t.Error(got)
	}
	if got := rows("a.gz", "\x1f\x8b\x00", Options{}); !strings.HasPrefix(got, "error a.gz looks like gzip: ") {
		t.Error(got)
	}
}

func TestFileThatFails(t *testing.T) {
	broken := errors.New("disk on fire")
	var errs []error
	n := 0
	for _, err := range Read("a", io.MultiReader(strings.NewReader("0400F401\n"), iotest.ErrReader(broken)), Options{}) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		n++
	}
	if n != 1 || len(errs) != 1 || !errors.Is(errs[0], broken) {
		t.Errorf("%d frames, %v", n, errs)
	}
}

// A caller that breaks off a loop over a capture is not called again.
func TestBreakingOff(t *testing.T) {
	for _, text := range []string{"0400F401\n0400F401\n", "wire\tx\n0400F401\nzz\n0400F401\n", "zz\n\nyy\n",
		"wire\tdir\n\tx\n\ty\n"} {
		n := 0
		for range Read("a", strings.NewReader(text), Options{}) {
			n++
			break
		}
		if n != 1 {
			t.Errorf("%q: %d", text, n)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("topic\tdir\ttime\tkey\twhole\twire\tplain\tlabel\n"+
		"ping\tC2S\t\t421F\tyes\t08003F422A01F401\t08003F422A01F401\tx\n", "")
	f.Add("0400F401\n\n0B 00 2C 01\n00 00 00\n34 12 00 00", "")
	f.Add("a\tb\n0400F401\tS2C\n", "a")
	f.Add("wire\n0400F4010400F401\n", "1")
	f.Add("C2S 08003F422A01F401\nS2C\n", "")
	f.Add("\xff\t\t\t\n\x00", "9")
	f.Add("wire\twhole\n\tno\n26\tno\n2600\tno\n55E9F41131DC5140C80F0160\tno\n", "")
	f.Fuzz(func(t *testing.T, text, column string) {
		v := Verifier{Detector: NewDetector()}
		for r, err := range Read("fuzz", strings.NewReader(text), Options{Column: column}) {
			if err != nil {
				continue
			}
			if len(r.Bytes()) == 0 {
				t.Fatal("a frame without bytes")
			}
			reading, _ := v.Check(r)
			Words(&reading)
			AppendJSON(nil, &reading)
		}
		if v.Totals.Exact < v.Totals.Decoded || v.Totals.Decoded > v.Totals.Frames {
			t.Fatalf("%q: %+v", text, v.Totals)
		}
	})
}
