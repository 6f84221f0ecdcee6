package packets

import (
	"bytes"
	"testing"
)

// encodesTo compares a body with a golden frame.
func encodesTo(t *testing.T, b *Body, name string) {
	t.Helper()
	g := goldenByName(t, name)
	if got, err := AppendServer(nil, b, g.only[0]); err != nil || !bytes.Equal(got, g.frame) {
		t.Errorf("%s: %v\n got % X\nwant % X", name, err, got, g.frame)
	}
}

func TestFramesOfTheServer(t *testing.T) {
	encodesTo(t, Clock(328, 0x47AF6805), "ingame-V7")
	encodesTo(t, Players(0, 7, true), "ingame-V8")
	encodesTo(t, Players(0, 8, false), "ingame-V8b")
	encodesTo(t, Regenerated(hero, 0, 104), "ingame-V5")
	encodesTo(t, SixSeconds(hero, 512, 4094), "ingame-7.5-six-seconds")
	encodesTo(t, OwnerMessage(0x4F6F, &NameAccepted{}), "session-10.13-name-accepted")
	s := enteringStrannik()
	encodesTo(t, EnterWorldFrame(0x4F6F, 512, &s), "session-10.7-G2")
}

// Protocol ingame 7.5: MP always takes 14 bits in this frame.
func TestSixSeconds(t *testing.T) {
	for _, mp := range []int32{0, 5, 100, 127, 128, 4094, 16383} {
		frame, err := AppendServer(nil, SixSeconds(hero, 512, mp), Dialect2026)
		if err != nil || len(frame) != 0x13 {
			t.Errorf("MP %d: % X, %v", mp, frame, err)
			continue
		}
		f, err := DecodeFrame(frame, FromServer, Dialect2026)
		if err != nil || f.Body.Sections[0].Regions[0].(*SetStat).Value != mp {
			t.Errorf("MP %d: %v, %v", mp, words(f), err)
		}
	}
}

// The number of players has 10 bits.
func TestPlayersStayInTheirBits(t *testing.T) {
	for n, want := range map[int]uint16{-1: 0, 0: 0, 1023: 1023, 1024: 1023, 1 << 20: 1023} {
		b := Players(0, n, false)
		if got := b.Sections[0].Regions[0].(*PlayerCount).Players; got != want {
			t.Errorf("%d players are told as %d, want %d", n, got, want)
		}
	}
}

// Protocol ingame 10.2: the record of an item, as in vectors V17 and V18.
func TestItemRecord(t *testing.T) {
	s := section(sword, 500, contained(100, 100, 3310, 17), contMan(&PutInto{hero}), contMan(&Property{0, Unbound}))
	encodesTo(t, sections(0, s), "ingame-V17")
	powder := section(0x1235, ClassPowder, contained(100, 100, 717, NoSuffix), contMan(&PutInto{hero}),
		contMan(&Property{0, Unbound}), contMan(&StackCount{391}))
	encodesTo(t, sections(0, powder), "ingame-V18")
}

// The first entry block belongs to the player with the given index, and is the article's.
func TestClassicEntryIsOfThePlayer(t *testing.T) {
	first, second := ClassicEntry(0x1234)
	for stream := append(bytes.Clone(first), second...); len(stream) > 0; {
		frame, err := CutFrame(stream, FromServer)
		if err != nil {
			t.Fatal(err)
		}
		f, err := DecodeFrame(frame, FromServer, Classic)
		if err != nil || f.Body.Sections[0].Object != PlayerIndex(0x1234).ID() || f.Body.UnknownBits() > 0 {
			t.Fatalf("%v: %v", err, words(f))
		}
		stream = stream[len(frame):]
	}
}

// Protocol session 6.6: the gender is the sign of the look.
func TestLookOfNewCharacters(t *testing.T) {
	male := &CreateCharacter{Look: 0x30303230}
	if look, female := male.Character(); look != 0x30303230 || female {
		t.Errorf("%#x, female %v", look, female)
	}
	woman := &CreateCharacter{Look: FemaleLook(0x33323130)}
	if look, female := woman.Character(); look != 0x33323130 || !female {
		t.Errorf("%#x, female %v", look, female)
	}
	if word := uint32(FemaleLook(0x30303030)); word != 0xCFCFCFD0 {
		t.Errorf("the typical woman is %#x, documented CFCFCFD0", word)
	}
}
