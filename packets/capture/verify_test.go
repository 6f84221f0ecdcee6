package capture

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sphereserver/packets"
)

// checked verifies a table and shows the findings.
func checked(t testing.TB, text string) (found string, totals Totals) {
	t.Helper()
	v := Verifier{Detector: NewDetector()}
	var out strings.Builder
	for r, err := range Read("a.tsv", strings.NewReader(text), Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		_, findings := v.Check(r)
		for _, f := range findings {
			fmt.Fprintf(&out, "%s: %s: %s\n", r.Position(), f.Kind, f.Reason)
			if line := AppendFindingJSON(nil, &r, f); !json.Valid(line) {
				t.Errorf("invalid JSON: %s", line)
			}
		}
	}
	if !json.Valid(v.Totals.AppendJSON(nil)) {
		t.Errorf("invalid JSON: %s", v.Totals.AppendJSON(nil))
	}
	return out.String(), v.Totals
}

func TestVerify(t *testing.T) {
	unknown, err := packets.AppendServer(nil, packets.Message(0, 0x6F4F, packets.ClassPlayer,
		&packets.Manager{Command: &packets.UnknownCommand{Number: 200, Data: []byte{1, 2}}}), packets.Dialect2026)
	if err != nil {
		t.Fatal(err)
	}
	flat := func(s string) string { return strings.ReplaceAll(s, " ", "") }
	text := "dir\tkey\twhole\twire\tplain\n" + strings.Join([]string{
		"S2C\t\tyes\t" + stat + "\t" + stat,
		"C2S\t421F\tyes\t" + loginWire + "\t" + loginOpen[:4] + "33" +
			loginOpen[6:], // line 3: both forms, right key
		"C2S\t421E\tyes\t" + loginWire + "\t", // wrong key
		"C2S\t\tyes\t\t" + loginWire,          // a plain form that is not
		"C2S\t\tyes\t" + loginWire + "\t" +
			loginOpen, // checksums differ: not the same frame
		"C2S\t\tyes\t" + loginWire + "\t" + flat(loginOpen)[:26] + strings.Repeat("A7", 32-13), // broken plain form
		"S2C\t\tyes\t\t10 00 2C 01 00 00 04 4F 6F 08 40 81 93 " +
			"EE E4 88", // line 8: cannot be read to its end
		"S2C\t\tyes\t\t0F 00 2C 01 00 00 00 4F 6F 08 40 09 00 00 80", // an unknown region
		"S2C\t\tyes\t\t06 00 58 02 01 02",                            // an unknown channel
		"S2C\t\tyes\t\t0F 00 2C 01",                                  // called whole, but it is not
		"C2S\t\tno\t\t" + flat(pingOpen)[18:],                        // a body alone
		"C2S\t\tno\t\t" + flat(pingOpen)[:60],                        // line 13: cut
		fmt.Sprintf("S2C\t\tyes\t\t%X", unknown),                     // an unknown command
		"S2C\t\tyes\t04 00 F4 01\t" + stat,                           // two frames in one row
		"S2C\t\tyes\t\t0D 00 2C 01 00 00 00 34 12 00 00 00 01",       // bits after the end
	}, "\n") + "\n"
	got, totals := checked(t, text)
	want := `a.tsv:4: note: checksum 0xBC33, expected 0xBC32 with key 0x421E
a.tsv:5: note: the plain form is obfuscated
a.tsv:6: note: the wire form is not that of the plain one
a.tsv:7: note: the plain form reads worse than the wire form, which was taken
a.tsv:8: undecoded: _player 0x6F4F: region 4 (ContMan): bit 105: command 12 has an array of 73 bytes, 23 bits left (35 bits of it unknown)
a.tsv:9: unknown: 27 unknown bits: region 36 of player 0x6F4F has no known layout
a.tsv:10: unknown: 16 unknown bits on channel 600
a.tsv:11: undecoded: the length field says 15 bytes, the frame has 4 (0 bits of it unknown)
a.tsv:11: inexact: nothing to encode: the length field says 15 bytes, the frame has 4
a.tsv:13: undecoded: _player 0x6F4F: region 11 (PositionStream): read at bit 238: not enough bits: field needs 32, 2 left (70 bits of it unknown)
a.tsv:15: note: the wire form is not that of the plain one
a.tsv:16: unknown: 18 unknown bits after the last object
`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(Totals{Frames: 13, Decoded: 11, Exact: 12, UnknownBits: 35 + 27 + 16 + 18, UnknownCommands: 1,
		NotWhole: 2, NotWholeDecoded: 1, NotWholeExact: 2},
		totals); d != "" {
		t.Error(d)
	}
	wantSummary := "not whole 2, decoded 1, exact 2\nunknown commands 1\nframes 13, decoded 11, exact 12, unknown " +
		"bits 96\n"
	if d := cmp.Diff(wantSummary, totals.Summary()); d != "" {
		t.Error(d)
	}
}

func TestFirstDifference(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", -1}, {"abc", "abc", -1}, {"abc", "abb", 16}, {"\x00", "\x80", 7}, {"ab", "abc", 16}, {"", "x", 0}} {
		if got := firstDifference([]byte(c.a), []byte(c.b)); got != c.want {
			t.Errorf("%q and %q differ at %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// Every bit of a frame is told to belong to the part that wrote it. The frame: header 40 bits, body header 61, then
// as the table says.
func TestRegionOfABit(t *testing.T) {
	body := &packets.Body{HasOrigin: true, Clock: 5, Sections: []packets.Section{
		{Object: 0x6F4F, Class: packets.ClassPlayer, Regions: []packets.Region{
			&packets.SetStat{Stat: packets.StatHP, Value: 104},
			&packets.Manager{Command: &packets.Money{Amount: 7}}}},
		{Object: 0x1234, Class: 500, Regions: []packets.Region{&packets.ContMan{Command: &packets.LeaveContainer{}}}}}}
	f := &packets.Frame{Direction: packets.FromServer, Channel: packets.ChannelGameplay, Body: body}
	const (
		stat  = 40 + 61 + 30 + 7 + 6 + 10
		money = stat + 7 + 8 + 8 + 32
		leave = money + 7 + 30 + 7 + 4 + 8
	)
	for bit, want := range map[int]string{
		0: "the frame's header", 39: "the frame's header", 40: "the body's header", 100: "the body's header",
		101: "SetStat of player 0x6F4F", stat - 1: "SetStat of player 0x6F4F", stat: "Manager Money of player 0x6F4F",
		money - 1: "Manager Money of player 0x6F4F", money: "ContMan LeaveContainer of sword 0x1234",
		leave - 1: "ContMan LeaveContainer of sword 0x1234", leave: "what follows the last object",
		5000: "what follows the last object",
	} {
		if got := regionAt(f, packets.Dialect2022, bit); got != want {
			t.Errorf("bit %d belongs to %s, want %s", bit, got, want)
		}
	}
	// A frame that did not come from these bytes is told apart by where it differs.
	frame, err := f.Append(nil, packets.Dialect2022)
	if err != nil {
		t.Fatal(err)
	}
	other := bytes.Clone(frame)
	other[(stat+20)/8] ^= 1 << ((stat + 20) % 8)
	r := Reading{Recorded: Recorded{Direction: packets.FromServer, Whole: true}, Frame: f, Dialect: packets.Dialect2022,
		Decoded: other}
	if err := r.roundTrip(); err == nil || err.Error() != fmt.Sprintf("bit %d differs, in Manager Money of player 0x6F4F",
		stat+20) {
		t.Error(err)
	}
	body.Sections[0].Regions[0].(*packets.SetStat).Stat = 200
	if err := r.roundTrip(); err == nil || !strings.Contains(err.Error(), "value does not fit") {
		t.Error(err)
	}
	r = NewDetector().Read(Recorded{Direction: packets.FromClient, Wire: mustHex(t, loginWire), Whole: true})
	r.Wire = bytes.Clone(r.Wire)
	r.Wire[20] ^= 1
	if err := r.roundTrip(); err == nil || err.Error() != "obfuscated again, bit 160 differs from the wire" {
		t.Error(err)
	}
}
