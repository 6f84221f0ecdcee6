package capture

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"sphereserver/packets"
)

func mustHex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := ParseHex(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const (
	hit2022   = "13 00 2C 01 00 BE 2B 0C 75 48 43 A1 0B C8 E9 00 42 EA 00" // ingame 5
	hit2026   = "13 00 2C 01 00 00 00 C9 3C 48 43 A1 A1 E0 E9 0D 20 A4 0E" // ingame 20, V27
	stat      = "0E 00 2C 01 00 00 00 4F 6F 08 C0 02 10 1A"                // V3
	loginWire = "200033BC26012C01009B0AA7A364B0249F20F6F1308E8C955DC4FA0BD2514E95"
	loginOpen = "2000D0BC26012C0100D0074F6F08404039FC238B83B703BC83C3BBAFF3DF0000"
	// leave is ContMan 1 of an item, with an array of no bytes: 4 and 8 bits of command both read it.
	leave = "0C 00 2C 01 00 00 00 34 12 D0 47 21"
)

func TestDialectIsFound(t *testing.T) {
	g := NewDetector()
	for _, c := range []struct {
		hex      string
		want     packets.Dialect
		decisive bool
	}{
		{stat, packets.Dialect2026, false}, // the first preference
		{hit2022, packets.Dialect2022, true},
		{stat, packets.Dialect2022, false}, // as the capture has shown
		{hit2026, packets.Dialect2026, true},
		{stat, packets.Dialect2026, false},
	} {
		r := g.Read(Recorded{Direction: packets.FromServer, Wire: mustHex(t, c.hex), Whole: true})
		if r.Dialect != c.want || r.Decisive != c.decisive || r.Err != nil {
			t.Errorf("%s: %s, decisive %v, %v; want %s", c.hex, r.Dialect, r.Decisive, r.Err, c.want)
		}
	}
	hit := Recorded{Direction: packets.FromServer, Plain: mustHex(t, hit2022), Whole: true}
	if r := g.Read(hit); r.Frame == nil || r.Dialect != packets.Dialect2022 || r.Err != nil {
		t.Errorf("%v, %s, %v", r.Frame, r.Dialect, r.Err)
	}
	if r := NewDetector(packets.Dialect2026).Read(hit); r.Dialect != packets.Dialect2026 || r.Err == nil {
		t.Errorf("read in %s with error %v though it was told to be of 2026", r.Dialect, r.Err)
	}
	if r := NewDetector(packets.Classic).Read(hit); r.Dialect != packets.Classic || r.Err != nil {
		t.Errorf("%s, %v", r.Dialect, r.Err)
	}
}

// A frame that ends in the middle of a command shows its dialect by how much the command needs.
func TestDialectOfACutFrameIsFound(t *testing.T) {
	for _, c := range []struct {
		hex  string
		want packets.Dialect
	}{{hit2022, packets.Dialect2022}, {hit2026, packets.Dialect2026}} {
		whole := mustHex(t, c.hex)
		for n := 14; n < len(whole); n++ { // with the command and its length
			r := NewDetector().Read(Recorded{Direction: packets.FromServer, Wire: whole[:n:n]})
			if r.Dialect != c.want || len(r.Decoded) != n {
				t.Errorf("%d bytes of %s are read in %s", n, c.hex, r.Dialect)
			}
		}
	}
}

// A frame that both generations read equally well goes with the rest of the file.
func TestTiesGoWithTheFile(t *testing.T) {
	body := packets.Message(0, 0x1234, 500, &packets.ContMan{Command: &packets.LeaveContainer{}})
	frame, err := packets.AppendServer(nil, body, packets.Dialect2022)
	if err != nil {
		t.Fatal(err)
	}
	for _, first := range []string{hit2022, hit2026} {
		g := NewDetector()
		want := g.Read(Recorded{Direction: packets.FromServer, Wire: mustHex(t, first), Whole: true}).Dialect
		r := g.Read(Recorded{Direction: packets.FromServer, Wire: frame, Whole: true})
		if r.Dialect != want || r.Decisive {
			t.Errorf("after one of %s: %s, decisive %v\n%s", want, r.Dialect, r.Decisive, Words(&r))
		}
	}
}

func TestObfuscationIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		rec        Recorded
		obfuscated bool
		form       form
	}{
		"wire":              {Recorded{Wire: mustHex(t, loginWire)}, true, wireDeobfuscated},
		"wire in clear":     {Recorded{Wire: mustHex(t, loginOpen)}, false, wireInClear},
		"plain":             {Recorded{Plain: mustHex(t, loginOpen)}, false, asPlain},
		"plain that is not": {Recorded{Plain: mustHex(t, loginWire)}, true, misclassified},
		// De-obfuscated it would be an object without a message.
		"unknown command in clear": {Recorded{Wire: mustHex(t, "1500c24201012c0100d0074f6f0840c00d0004fd03")}, false, wireInClear},
		"both":                     {Recorded{Wire: mustHex(t, loginWire), Plain: mustHex(t, loginOpen)}, true, asPlain},
		"both in clear":            {Recorded{Wire: mustHex(t, loginOpen), Plain: mustHex(t, loginOpen)}, false, asPlain},
		"plain column is broken": {Recorded{Wire: mustHex(t, loginWire), Plain: broken(mustHex(t, loginOpen))}, true,
			wireDeobfuscated},
	} {
		for _, dir := range []packets.Direction{packets.FromClient, 0} {
			c.rec.Direction, c.rec.Whole = dir, true
			r := NewDetector().Read(c.rec)
			if r.Err != nil || r.UnknownBits != 0 || r.Obfuscated != c.obfuscated || r.form != c.form ||
				r.Direction != packets.FromClient {
				t.Errorf("%s: obfuscated %v, form %d, %s, %v", name, r.Obfuscated, r.form, r.Direction, r.Err)
			}
		}
	}
}

// broken spoils a frame from its class on.
func broken(frame []byte) []byte {
	for i := range frame[13:] {
		frame[13+i] = 0xA7
	}
	return frame
}

// Frames too short to be obfuscated, and those of other channels, are as they are.
func TestWhatIsNeverObfuscated(t *testing.T) {
	for _, hex := range []string{"08 00 3F 42 2A 01 F4 01", "0C 00 A7 BD 23 01 90 01 03 00 00 00"} {
		if r := readHexFrame(t, hex); r.Obfuscated || r.form != wireInClear {
			t.Errorf("%s: obfuscated %v, form %d", hex, r.Obfuscated, r.form)
		}
	}
}

func TestDirectionIsFound(t *testing.T) {
	for hex, want := range map[string]packets.Direction{
		stat: packets.FromServer, loginWire: packets.FromClient, "04 00 F4 01": packets.FromServer,
		"08 00 3F 42 2A 01 F4 01":       packets.FromClient,
		"0A 00 C8 00 6C 07 00 00 40 0E": packets.FromServer, "0C 00 A7 BD 23 01 90 01 03 00 00 00": packets.FromClient,
		// Both places hold a channel: the checksum of this position is 300, so the better reading wins.
		"26 00 2C 01 00 07 2C 01 00 3B 05 55 ED E8 20 50 F3 E9 0D 01 60 10 00 D0 09 11 00 F4 63 11 00 30 1A 11 00 " +
			"00 80 0E": packets.FromClient,
	} {
		if r := readHexFrame(t, hex); r.Direction != want || r.Err != nil {
			t.Errorf("%s: %s, want %s (%v)", hex, r.Direction, want, r.Err)
		}
	}
}

// A position without its header is a client's, and a place without one an answer to it; a request with fields is not taken
// for an answer whose bytes say nothing.
func TestDirectionOfABareBodyIsFound(t *testing.T) {
	for hex, want := range map[string]packets.Direction{
		"3B 05 55 ED E8 20 50 F3 E9 0D 01 60 10 00 D0 09 11 00 F4 63 11 00 30 1A 11 00 00 80 0E": packets.FromClient,
		"3B 05 55 ED E8 20 00 E0 E9 0D 01 60 00":                                                 packets.FromServer,
		"D0 07 4F 6F 08 40 C3 A2 01 00 00 00 40 AA 8C 0C 64 8A 2E 4C 0E 00":                      packets.FromClient,
	} {
		if r := NewDetector().Read(Recorded{Wire: mustHex(t, hex)}); !r.Bare || r.Direction != want || r.Err != nil {
			t.Errorf("%s: %s, want %s (bare %v, %v)", hex, r.Direction, want, r.Bare, r.Err)
		}
	}
}

func TestFramesThatAreNotWhole(t *testing.T) {
	position := mustHex(t,
		"26 00 C2 43 3A 07 2C 01 00 3B 05 55 ED E8 20 50 F3 E9 0D 01 60 10 00 D0 09 11 00 F4 63 11 00 30 1A 11 00 00 80 0E")
	longer := append(bytes.Clone(position), 0)
	g := NewDetector()
	for name, c := range map[string]struct {
		bytes []byte
		bare  bool
		ok    bool
	}{
		"wrong length":   {binary.LittleEndian.AppendUint16(nil, 99), false, false},
		"cut":            {position[:30], false, false},
		"a body alone":   {position[9:], true, true},
		"padded further": {longer, false, true},
		"empty":          {nil, false, false},
	} {
		r := g.Read(Recorded{Direction: packets.FromClient, Plain: c.bytes})
		if (r.Err == nil) != c.ok || r.Bare != c.bare {
			t.Errorf("%s: bare %v, %v", name, r.Bare, r.Err)
		}
		Words(&r)
		AppendJSON(nil, &r)
	}
}

// The rest behind whole frames, and fewer bytes than a body has, are a frame that is cut.
func TestFramesCutWithinTheirHeader(t *testing.T) {
	for hex, want := range map[string]string{
		"26 00 C2":                         " 3 bytes  NOT WHOLE: the length field says 38\n",
		"01":                               " 1 bytes  NOT WHOLE: no length field\n",
		"04 00 F4 01 26 00 C2":             " 3 bytes  NOT WHOLE: the length field says 38\n",
		"04 00 F4 01 26 00 C2 43 3A 07 2C": " 7 bytes  NOT WHOLE: the length field says 38\n",
	} {
		frames, err := ParseFrames(hex, Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := NewDetector().Read(frames[len(frames)-1])
		if got := Words(&r); r.Bare || !strings.Contains(got, want) || !strings.Contains(got, errCut.Error()) {
			t.Errorf("%s: bare %v\n%s", hex, r.Bare, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, g := range goldenFrames(f) {
		f.Add(mustHex(f, g.hex), uint8(0), true)
		f.Add(mustHex(f, g.hex), uint8(3), false)
	}
	f.Add(mustHex(f, leave), uint8(1), true)
	f.Fuzz(func(t *testing.T, frame []byte, way uint8, isWhole bool) {
		g := NewDetector(packets.Dialect2026, packets.Dialect2022, packets.Classic)
		v := Verifier{Detector: g}
		r, found := v.Check(Recorded{Direction: packets.Direction(way & 3), Wire: frame, Whole: isWhole})
		if r.Err == nil {
			for _, x := range found {
				if x.Kind == Inexact {
					t.Fatalf("% X: %s\n%s", frame, x.Reason, Words(&r))
				}
			}
		}
		Words(&r)
		AppendJSON(nil, &r)
	})
}
