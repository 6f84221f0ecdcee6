package capture

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sphereserver/packets"
)

// printed are the forms in which programs print bytes, as their offset, hex and letters.
var printed = map[string]func([]byte) string{
	"xxd": func(b []byte) (out string) {
		for at := range slices.Collect(slices.Chunk(b, 16)) {
			part := b[16*at : min(16*at+16, len(b))]
			var words []string
			for pair := range slices.Chunk(part, 2) {
				words = append(words, hex.EncodeToString(pair))
			}
			out += fmt.Sprintf("%08x: %-39s  %s\n", 16*at, strings.Join(words, " "), letters(part))
		}
		return out
	},
	"hexdump -C": func(b []byte) (out string) {
		for at := range slices.Collect(slices.Chunk(b, 16)) {
			part := b[16*at : min(16*at+16, len(b))]
			first, second := part[:min(8, len(part))], part[min(8, len(part)):]
			out += fmt.Sprintf("%08x  %-23s  %-23s  |%s|\n", 16*at, fmt.Sprintf("% x", first), fmt.Sprintf("% x", second),
				letters(part))
		}
		return out + fmt.Sprintf("%08x\n", len(b))
	},
	"Wireshark": func(b []byte) (out string) {
		for at := range slices.Collect(slices.Chunk(b, 16)) {
			part := b[16*at : min(16*at+16, len(b))]
			out += fmt.Sprintf("%04x   %-47s   %s\n", 16*at, fmt.Sprintf("% x", part), letters(part))
		}
		return out
	},
	"Wireshark, a stream": func(b []byte) string { return followed(b, 0, "") },
	"tshark, a stream, its second side": func(b []byte) string {
		return followed(b, 0, "\t")
	},
	"without letters": func(b []byte) string { return lettersOfStream.ReplaceAllString(followed(b, 0, ""), "") },
	"od": func(b []byte) (out string) {
		for at := range slices.Collect(slices.Chunk(b, 16)) {
			part := b[16*at : min(16*at+16, len(b))]
			out += fmt.Sprintf("%06x %-47s  >%s<\n", 16*at, fmt.Sprintf("% x", part), letters(part))
		}
		return out + fmt.Sprintf("%06x\n", len(b))
	},
	"Go": func(b []byte) string {
		return fmt.Sprintf("var packet = []byte{\n\t%s}\n", strings.ReplaceAll(fmt.Sprintf("% #x", b), " ", ", "))
	},
	"xxd -i": func(b []byte) (out string) {
		var lines []string
		for part := range slices.Chunk(b, 12) {
			var words []string
			for _, c := range part {
				words = append(words, fmt.Sprintf("0x%02x", c))
			}
			lines = append(lines, "  "+strings.Join(words, ", "))
		}
		return fmt.Sprintf("unsigned char f_bin[] = {\n%s\n};\nunsigned int f_bin_len = %d;\n", strings.Join(lines, ",\n"), len(b))
	},
	"C": func(b []byte) (out string) {
		out = "static const unsigned char packet_bytes[] = { /* a frame */\n"
		for part := range slices.Chunk(b, 8) {
			for _, c := range part {
				out += fmt.Sprintf("0x%02x, ", c)
			}
			out += "// " + strings.Repeat("x", 3) + "\n"
		}
		return out + "};\n"
	},
}

var lettersOfStream = regexp.MustCompile(`(?m)(  ) +\S.*$`)

// followed is a part of a TCP stream that Wireshark follows, from an offset on.
func followed(b []byte, from int, indent string) (out string) {
	for at := range slices.Collect(slices.Chunk(b, 16)) {
		part := b[16*at : min(16*at+16, len(b))]
		first, second := part[:min(8, len(part))], part[min(8, len(part)):]
		out += fmt.Sprintf("%s%08x  %-23s  %-23s   %s %s\n", indent, from+16*at, fmt.Sprintf("% x", first),
			fmt.Sprintf("% x", second), letters(first), letters(second))
	}
	return out
}

// In a stream that is followed the two sides count their bytes each for itself.
func TestAStreamThatIsFollowed(t *testing.T) {
	hello, reply := mustHex(t, "0A00C8006C070000400E"), mustHex(t, "0C00F8F12301900103000000")
	keepalive, moved := mustHex(t, "0400F401"), mustHex(t, "0E002C010000004F6F08C002101A")
	for _, indent := range []string{"    ", "\t"} {
		text := followed(hello, 0, indent) + followed(reply, 0, "") + followed(keepalive, len(hello), indent) +
			followed(reply, len(reply), "") + followed(moved, len(hello)+len(keepalive), indent)
		got, err := ParseFrames(text, Options{})
		if err != nil || len(got) != 5 {
			t.Fatalf("%d frames, %v, of\n%s", len(got), err, text)
		}
		for i, want := range [][]byte{hello, reply, keepalive, reply, moved} {
			if !bytes.Equal(got[i].Bytes(), want) || !got[i].Whole || got[i].Line != i {
				t.Errorf("frame %d is % X of line %d", i, got[i].Bytes(), got[i].Line)
			}
		}
	}
}

// foreign are prints of one frame, 1b002c0100da2b and the numbers from 1 to 20, in forms that are refused.
var foreign = map[string]string{
	"hexdump":         "0000000 001b 012c da00 012b 0302 0504 0706 0908\n0000010 0b0a 0d0c 0f0e 1110 1312 0014          \n000001b\n",
	"hexdump, a line": "0000000 001b 012c\n0000004\n",
	"hexdump -x":      "0000000    001b    012c    da00    012b\n0000008\n",
	"hexdump -b":      "0000000 033 000 054 001 000 332 053 001\n0000008\n",
	"hexdump -c":      "0000000 033  \\0   , 001  \\0 332   + 001\n0000008\n",
	"od":              "0000000 000033 000454 155000 000453\n0000010\n",
	"od -t x1z":       "0000000 1b 00 2c 01 00 da 2b 01 02 03 04 05 06 07 08 09  >..,...+.........<\n0000020 0a 0b  >..<\n0000022\n",
	"od -A x -t x2":   "000000 001b 012c da00 012b\n000008\n",
	"xxd -b":          "00000000: 00011011 00000000 00101100 00000001 00000000 11011010  ..,...\n00000006: 00101011 00000001  +.\n",
	"xxd -e":          "00000000: 012c001b 012bda00 05040302 09080706  ..,...+.........\n00000010: 0d0c0b0a     0f0e  ......\n",
	"xxd -e -g 2":     "00000000: 001b 012c da00 012b 0302 0504 0706 0908  ..,...+.........\n00000010: 0b0a   14  ...\n",
}

func TestForeignDumpsAreRefused(t *testing.T) {
	for form, text := range foreign {
		if frames, err := ParseFrames(text, Options{}); err == nil || !strings.HasPrefix(err.Error(), "expected the output of xxd") {
			t.Errorf("%s: %v, %v", form, frames, err)
		}
		n := 0
		for r, err := range Read("file", strings.NewReader(text), Options{}) {
			if n++; err == nil || !strings.Contains(err.Error(), "found that of") {
				t.Errorf("%s in a file: %v, %v", form, r, err)
			}
		}
		if n != 1 {
			t.Errorf("%s in a file: %d answers", form, n)
		}
	}
}

// hexdump and od leave out lines that are like the one before.
func TestLinesThatDumpsLeaveOut(t *testing.T) {
	frame := append([]byte{96, 0, 0xF4, 1}, make([]byte, 92)...)
	for _, text := range []string{
		"00000000  60 00 f4 01 00 00 00 00  00 00 00 00 00 00 00 00  |`...............|\n" +
			"00000010  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n*\n00000060\n",
		"000000 60 00 f4 01 00 00 00 00 00 00 00 00 00 00 00 00  >`...............<\n" +
			"000010 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  >................<\n*\n" +
			"000050 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  >................<\n000060\n",
	} {
		got, err := ParseFrames(text, Options{})
		if err != nil || len(got) != 1 || !bytes.Equal(got[0].Bytes(), frame) {
			t.Errorf("%v, %v, of\n%s", got, err, text)
		}
	}
	for _, text := range []string{"*\n0000: 0400", "0000: 0400\n*\n0003: f401", "0000: 0400\n*\nffffffff: 0400"} {
		if got, n := undump(strings.Split(text, "\n")); n > 0 {
			t.Errorf("%q is taken for %d dumps", text, len(got))
		}
	}
}

// letters are bytes as dumps show them beside the hex.
func letters(b []byte) string {
	out := bytes.Clone(b)
	for i, c := range out {
		if c < ' ' || c > '~' {
			out[i] = '.'
		}
	}
	return string(out)
}

func TestDumpsAreRead(t *testing.T) {
	var frames [][]byte
	for n := range 40 { // among them letters that look like hex, like separators, and like spaces
		body := append([]byte{byte(4 + n + 3), 0, 0xF4, 1}, bytes.Repeat([]byte("af |0x  "), 6)[:n+3]...)
		frames = append(frames, body)
	}
	for name, show := range printed {
		for _, frame := range frames {
			text := show(frame)
			got, err := ParseFrames(text, Options{})
			if err != nil || len(got) != 1 || !bytes.Equal(got[0].Bytes(), frame) {
				t.Fatalf("%s: %v, %v, of\n%s", name, err, got, text)
			}
			n := 0
			for r, err := range Read("file", strings.NewReader("# a comment\n"+text+"\n"+text), Options{}) {
				if n++; err != nil || !bytes.Equal(r.Bytes(), frame) || r.Line < 2 {
					t.Fatalf("%s in a file: line %d, %v, %v, of\n%s", name, r.Line, err, r, text)
				}
			}
			if n != 2 {
				t.Fatalf("%s in a file: %d frames", name, n)
			}
		}
	}
}

// tcpdump shows packets with their headers; which way they went is in these.
func TestPacketsOfTcpdumpAreRead(t *testing.T) {
	const text = `12:00:00.000000 IP 192.0.2.7.50000 > 192.0.2.1.25860: Flags [P.], seq 1:5, ack 1, win 502, length 4
	0x0000:  4500 002c 0001 4000 4006 0000 c000 0207  E..,..@.@.......
	0x0010:  c000 0201 c350 6504 0000 0001 0000 0001  .....Pe.........
	0x0020:  5018 01f6 0000 0000 0400 f401            P...........
12:00:00.100000 IP 192.0.2.1.25860 > 192.0.2.7.50000: Flags [.], ack 5, win 502, length 0
	0x0000:  4500 0028 0001 4000 4006 0000 c000 0201  E..(..@.@.......
	0x0010:  c000 0207 6504 c350 0000 0001 0000 0005  ....e..P........
	0x0020:  5010 01f6 0000 0000 0000                 P.........
12:00:00.200000 IP6 fd99::1.25860 > fd99::7.50000: Flags [P.], seq 1:5, ack 5, win 502, length 4
	0x0000:  6000 0000 0018 0640 fd99 0000 0000 0000  ` + "`" + `......@........
	0x0010:  0000 0000 0000 0001 fd99 0000 0000 0000  ................
	0x0020:  0000 0000 0000 0007 6504 c350 0000 0001  ........e..P....
	0x0030:  0000 0005 5018 01f6 0000 0000 0400 2c01  ....P.........,.
`
	got, err := ParseFrames(text, Options{})
	if err != nil || len(got) != 2 {
		t.Fatalf("%v, %v", got, err)
	}
	if !bytes.Equal(got[0].Bytes(), []byte{4, 0, 0xF4, 1}) || got[0].Direction != packets.FromClient {
		t.Errorf("the first is %+v", got[0])
	}
	if !bytes.Equal(got[1].Bytes(), []byte{4, 0, 0x2C, 1}) || got[1].Direction != packets.FromServer {
		t.Errorf("the last is %+v", got[1])
	}
}

// A file may hold a dump between lines of plain hex, and one in a form that is not read.
func TestDumpsStandAmongPlainHex(t *testing.T) {
	const plain = "0400 F401\n"
	for _, v := range []struct {
		text   string
		frames int
		faults []string
	}{
		{plain + "00000000: 0400 f401  ....\n" + plain, 3, nil},
		{plain + "00000000  04 00 f4 01  |....|\n00000004\n" + plain, 3, nil},
		{"00000000: 0400 f401  ....\n00000000: 0400 f401  ....\n" + plain, 3, nil},
		{plain + "12:00:00.1 IP 192.0.2.7.5 > 192.0.2.1.25860: Flags [P.]\n\t0x0000:  0400 f401  ....\n" + plain, 3, nil},
		{plain + "00000000: 00000100 00000000 11110100 00000001  ....\n" + plain, 2, []string{":2: expected the output of xxd,"}},
		{plain + "00000000: 0400 f401  ....\n00000008: 0400 f401  ....\n", 2, []string{":3: character"}},
	} {
		var faults []string
		frames := 0
		for r, err := range Read("file", strings.NewReader(v.text), Options{}) {
			if err != nil {
				faults = append(faults, err.Error())
			} else if frames++; !bytes.Equal(r.Bytes(), []byte{4, 0, 0xF4, 1}) {
				t.Errorf("%X in\n%s", r.Bytes(), v.text)
			}
		}
		same := slices.EqualFunc(faults, v.faults, func(found, want string) bool { return strings.Contains(found, want) })
		if frames != v.frames || !same {
			t.Errorf("%d frames, %q in\n%s", frames, faults, v.text)
		}
	}
}

// A text that looks like a dump and is none is hex as before, or an error.
func TestWhatIsNoDump(t *testing.T) {
	for _, text := range []string{"0400F401", "0400 F401\n0400 2C01", "04 00 f4 01", "0000: zz", "0000: 0400\n0004: f401",
		"char x[] = { 0x04, 0x00", "0010: 0400 f401"} {
		if d, n := undump(strings.Split(text, "\n")); n > 0 {
			t.Errorf("%q is taken for %+v", text, d)
		}
	}
}

func FuzzDumps(f *testing.F) {
	for _, show := range printed {
		f.Add(show([]byte{4, 0, 0xF4, 1}))
	}
	for _, text := range foreign {
		f.Add(text)
	}
	f.Add("\t0x0000:  4500 002c 0001 4000 4006 0000 c000 0207\n")
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = ParseFrames(text, Options{})
		for range Read("file", strings.NewReader(text), Options{}) {
		}
	})
}
