package packets

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Protocol session 10.2, by hand: 35 + 1 - 112 + 1 + 3 = -72 = 0xFFB8, XOR 0x421F.
func TestChecksumByHand(t *testing.T) {
	frame := []byte{0x0C, 0, 0, 0, 0x23, 0x01, 0x90, 0x01, 3, 0, 0, 0}
	if got := Checksum(frame, 0x421F); got != 0xFFB8^0x421F {
		t.Errorf("%04X, documented BDA7", got)
	}
	if got := Checksum([]byte{4, 0, 1, 2}, 0x421F); got != 0x421F {
		t.Errorf("nothing to sum up gives %04X, expected the key", got)
	}
}

// The checksum is over the bytes as they travelled: that gives the key of the connection, for sessions in clear and for
// obfuscated ones. Two frames of one fight have one key.
func TestChecksumsOfRecordedFrames(t *testing.T) {
	keyOf := func(frame []byte) uint16 { return Checksum(frame, binary.LittleEndian.Uint16(frame[2:])) }
	for _, g := range goldens(t) {
		switch {
		case strings.HasPrefix(g.name, "session-10.8-recorded-"), g.name == "ingame-7.1-position",
			g.name == "session-10.2-keepalive", g.name == "session-10.2-reply-421F":
			if got := keyOf(g.frame); got != 0x421F {
				t.Errorf("%s in clear: key %04X, documented 421F", g.name, got)
			}
		case g.wire != nil:
			if got := keyOf(g.wire); got != 0x421F {
				t.Errorf("%s: key %04X, documented 421F", g.name, got)
			}
		}
	}
	fists, weapon := bytes.Clone(goldenByName(t, "ingame-13.2-fists").frame), bytes.Clone(goldenByName(t,
		"ingame-13.2-weapon").frame)
	Obfuscate(fists)
	Obfuscate(weapon)
	if keyOf(fists) != keyOf(weapon) {
		t.Errorf("one fight with the keys %04X and %04X", keyOf(fists), keyOf(weapon))
	}
}

// The formula of protocol ingame 1.5, written down as it stands there.
func documentedMask(frame []byte, decode bool) []byte {
	key := []int{0x4B, 0x0D, 0xEF, 0x60, 0xC9, 0x9A, 0x70, 0x0E, 0x03}
	out := bytes.Clone(frame)
	m := 0
	for i := 0; i+9 < len(frame); i++ {
		b := int(frame[9+i]) ^ key[i%9] ^ m
		out[9+i] = byte(b)
		plain := b
		if !decode {
			plain = int(frame[9+i])
		}
		m = (plain*i + 2*m) & 0xFF
	}
	return out
}

func TestObfuscationIsItsInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plain := rapid.SliceOfN(rapid.Byte(), 13, 300).Draw(t, "frame")
		wire := bytes.Clone(plain)
		Obfuscate(wire)
		if !bytes.Equal(wire, documentedMask(plain, false)) || !bytes.Equal(plain, documentedMask(wire, true)) {
			t.Fatalf("% X becomes % X, after the documents % X", plain, wire, documentedMask(plain, false))
		}
		back := bytes.Clone(wire)
		Deobfuscate(back)
		if !bytes.Equal(back, plain) {
			t.Fatalf("% X comes back as % X", plain, back)
		}
	})
}

// Frames of 12 bytes and less are never obfuscated, and no header is: protocol session 1.9.
func TestShortFramesAreNotObfuscated(t *testing.T) {
	for n := range 20 {
		frame := bytes.Repeat([]byte{0x55}, n)
		Obfuscate(frame)
		head := min(n, 9)
		if changed := !bytes.Equal(frame, bytes.Repeat([]byte{0x55}, n)); changed != (n > 12) ||
			!bytes.Equal(frame[:head], bytes.Repeat([]byte{0x55}, head)) {
			t.Errorf("%d bytes became % X", n, frame)
		}
	}
}

// obfuscated is the frame as an obfuscating client sends it.
func obfuscated(frame []byte) []byte {
	wire := bytes.Clone(frame)
	Obfuscate(wire)
	return wire
}

// from is a frame of the client with this index: about himself, about an item, his position.
func from(t testing.TB, what string, i PlayerIndex) []byte {
	t.Helper()
	b := map[string]*Body{
		"himself":  Message(1000, i.ID(), ClassPlayer, manager(&PickUp{0x1234})),
		"an item":  Message(1000, 0x1234, 453, contMan(&Use{i.ID()})),
		"position": PingBody(i.ID(), 24, positionOf(t)),
	}[what]
	frame, err := (&Frame{Direction: FromClient, Channel: ChannelGameplay, Body: b}).Append(nil, Dialect2026)
	if err != nil {
		t.Fatal(err)
	}
	return frame
}

// Protocol session 1.9 and 10.9: each client is understood from its first frame about itself, in all it does.
func TestDeobfuscator(t *testing.T) {
	const index PlayerIndex = 0x1EAC
	for _, c := range []struct {
		name       string
		obfuscates bool
		frames     []string
		certain    string // y or n for each
	}{
		{"obfuscating client", true, []string{"himself", "an item", "position", "an item"}, "yyyy"},
		{"client in clear", false, []string{"himself", "an item", "position", "an item"}, "yyyy"},
		{"position first", true, []string{"position", "an item"}, "yy"},
		{"position first, in clear", false, []string{"position", "an item"}, "yy"},
		{"item first", true, []string{"an item", "an item", "himself", "an item"}, "nnyy"},
		{"item first, in clear", false, []string{"an item", "an item", "himself", "an item"}, "nnyy"},
	} {
		u := NewDeobfuscator(index)
		for n, what := range c.frames {
			plain := from(t, what, index)
			wire := plain
			if c.obfuscates {
				wire = obfuscated(plain)
			}
			before := bytes.Clone(wire)
			got, certain := u.Plain(wire)
			if !bytes.Equal(got, plain) || certain != (c.certain[n] == 'y') {
				t.Errorf("%s, frame %d (%s): certain %v\n got % X\nwant % X", c.name, n, what, certain, got, plain)
			}
			if !bytes.Equal(wire, before) {
				t.Errorf("%s, frame %d: the frame itself was changed", c.name, n)
			}
		}
	}
}

// The frames of the documents, each to a server that has seen nothing before.
func TestDeobfuscatorWithDocumentedFrames(t *testing.T) {
	for _, g := range goldens(t) {
		if g.dir != FromClient || g.frame[6] != 0x2C {
			continue
		}
		index := PlayerIndexOf(hero)
		if f, err := DecodeFrame(g.frame, g.dir, g.only[0]); err == nil && f.Body.Sections[0].Class == ClassPlayer {
			index = PlayerIndexOf(f.Body.Sections[0].Object)
		} else if err == nil && f.Body.Sections[0].Object != hero {
			continue // about an item; see TestDeobfuscator
		}
		for _, wire := range [][]byte{g.frame, obfuscated(g.frame), g.wire} {
			u := NewDeobfuscator(index)
			if got, certain := u.Plain(wire); wire != nil && (!certain || !bytes.Equal(got[4:], g.frame[4:])) {
				t.Errorf("%s: certain %v\n got % X\nwant % X", g.name, certain, got, g.frame)
			}
		}
	}
}

// Frames of other channels and short ones are always plain, and tell nothing about the client.
func TestDeobfuscatorLeavesControlFramesAlone(t *testing.T) {
	u := NewDeobfuscator(0x4F6F)
	for _, frame := range [][]byte{goldenByName(t, "session-10.2-keepalive").frame,
		goldenByName(t, "session-10.2-reply-421F").frame,
		goldenByName(t, "constructed-SentCount").frame, {14, 0, 0, 0, 0, 0, 0xBC, 2, 1, 2, 3, 0x4F, 0x6F, 5},
		{12, 0, 0, 0, 0, 0, 0x2C, 1, 0, 1, 2, 3}} {
		if got, certain := u.Plain(frame); !certain || &got[0] != &frame[0] {
			t.Errorf("% X became % X", frame, got)
		}
	}
	if u.habit != unseen {
		t.Errorf("habit %d was learnt from frames that show none", u.habit)
	}
}

// By chance one obfuscated frame in 65,536 names its player without being decoded. It misleads for that frame alone;
// a client that is known to obfuscate is not mistaken even then.
func TestDeobfuscatorRecoversFromChance(t *testing.T) {
	const index PlayerIndex = 0x4F6F
	trap := looksClear(t, index)
	himself := from(t, "himself", index)

	known := NewDeobfuscator(index)
	known.Plain(obfuscated(himself))
	if got, certain := known.Plain(obfuscated(trap)); !certain || !bytes.Equal(got, trap) {
		t.Errorf("with a known habit: certain %v, % X, want % X", certain, got, trap)
	}

	fresh := NewDeobfuscator(index)
	fresh.Plain(obfuscated(trap))
	for range 2 {
		if got, certain := fresh.Plain(obfuscated(himself)); !certain || !bytes.Equal(got, himself) {
			t.Errorf("after a false start: certain %v, % X, want % X", certain, got, himself)
		}
	}
	if got, _ := fresh.Plain(obfuscated(from(t, "an item", index))); !bytes.Equal(got, from(t, "an item", index)) {
		t.Errorf("an item after a false start: % X", got)
	}
}

// looksClear searches for a frame of the player itself that names it in the obfuscated form as well.
func looksClear(t testing.TB, index PlayerIndex) []byte {
	for clock := range uint16(MaxClock) {
		b := Message(clock, index.ID(), ClassPlayer, manager(&PickUp{0x1234}))
		frame, err := (&Frame{Direction: FromClient, Channel: ChannelGameplay, Body: b}).Append(nil, Dialect2026)
		if err != nil {
			t.Fatal(err)
		}
		if wire := obfuscated(frame); binary.BigEndian.Uint16(wire[11:]) == uint16(index) && wire[9]&1 == 0 ||
			namesPlayer(wire, index) {
			return frame
		}
	}
	t.Skip("no such frame")
	return nil
}

// 13 bytes is the shortest frame that is obfuscated.
func TestDeobfuscatorWithTheShortestFrame(t *testing.T) {
	plain := []byte{13, 0, 0, 0, 1, 1, 0x2C, 1, 0, 0, 0, 0x4F, 0x6F}
	for _, wire := range [][]byte{plain, obfuscated(plain)} {
		u := NewDeobfuscator(0x4F6F)
		if got, certain := u.Plain(wire); !certain || !bytes.Equal(got, plain) {
			t.Errorf("% X became % X, certain %v", wire, got, certain)
		}
	}
}

// Random streams of one client come out plain, from the first frame that names him on.
func TestDeobfuscatorProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		index := PlayerIndex(rapid.Uint16().Draw(rt, "index"))
		obfuscates := rapid.Bool().Draw(rt, "obfuscates")
		u := NewDeobfuscator(index)
		seen := false
		for range rapid.IntRange(1, 6).Draw(rt, "frames") {
			what := rapid.SampledFrom([]string{"himself", "an item", "position"}).Draw(rt, "what")
			seen = seen || what != "an item"
			plain := from(t, what, index)
			wire := plain
			if obfuscates {
				wire = obfuscated(plain)
			}
			got, certain := u.Plain(wire)
			if seen && (!certain || !bytes.Equal(got, plain)) && !(obfuscates && namesPlayer(wire, index)) {
				rt.Fatalf("%s of 0x%04X: certain %v\n got % X\nwant % X", what, uint16(index), certain, got, plain)
			}
		}
	})
}

// The result is the frame itself or a buffer of the Deobfuscator's own: two clients never share one.
func TestDeobfuscatorsShareNothing(t *testing.T) {
	a, b := NewDeobfuscator(0x4F6F), NewDeobfuscator(0x4F70)
	first, _ := a.Plain(obfuscated(from(t, "himself", 0x4F6F)))
	kept := bytes.Clone(first)
	second, _ := b.Plain(obfuscated(from(t, "himself", 0x4F70)))
	if !bytes.Equal(first, kept) || &first[0] == &second[0] {
		t.Error("one Deobfuscator wrote into the frame of another")
	}
	clear := from(t, "himself", 0x4F71)
	c := NewDeobfuscator(0x4F71)
	if got, _ := c.Plain(clear); &got[0] != &clear[0] {
		t.Error("a frame in clear was copied")
	}
}
