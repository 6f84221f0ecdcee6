package packets

import (
	"bytes"
	"testing"

	"sphereserver/coords"

	"github.com/google/go-cmp/cmp"
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
	encodesTo(t, SixSeconds(hero, 512, 4094, 0, false), "ingame-7.5-six-seconds")
	encodesTo(t, OwnerMessage(0x4F6F, &NameAccepted{}), "session-10.13-name-accepted")
	s := enteringStrannik()
	encodesTo(t, EnterWorldFrame(0x4F6F, 512, &s), "session-10.7-G2")
}

// Protocol ingame 7.5: MP always takes 14 bits in this frame; HP follows when it has changed.
func TestSixSeconds(t *testing.T) {
	for _, mp := range []int32{0, 5, 100, 127, 128, 4094, 16383} {
		frame, err := AppendServer(nil, SixSeconds(hero, 512, mp, 0, false), Dialect2026)
		if err != nil || len(frame) != 0x13 {
			t.Errorf("MP %d: % X, %v", mp, frame, err)
			continue
		}
		f, err := DecodeFrame(frame, FromServer, Dialect2026)
		if err != nil || f.Body.Sections[0].Regions[0].(*SetStat).Value != mp {
			t.Errorf("MP %d: %v, %v", mp, words(f), err)
		}
	}
	b := SixSeconds(hero, 512, 5, 104, true)
	frame, err := AppendServer(nil, b, Dialect2026)
	if err != nil {
		t.Fatal(err)
	}
	f, err := DecodeFrame(frame, FromServer, Dialect2026)
	want := player(512, stat(StatMP, 5), manager(&PlayEffect8{0xF6}), stat(StatHP, 104))
	if diff := cmp.Diff(want, f.Body, sameBody); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
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
	s := ItemRecord{ID: sword, Class: 500, GameID: 3310, Suffix: 17, Durability: 100, MaxDurability: 100, Owner: Unbound, Parent: hero}
	encodesTo(t, sections(0, s.Spawn()), "ingame-V17")
	powder := ItemRecord{ID: 0x1235, Class: ClassPowder, GameID: 717, Suffix: -1, Count: 391, Durability: 100, MaxDurability: 100,
		Owner: Unbound, Parent: hero}
	encodesTo(t, sections(0, powder.Spawn()), "ingame-V18")

	// A ring that was bought for money, of one owner: all that a record can have. Classes without a number have 100, 100, 0, 0.
	ring := ItemRecord{ID: 7, Class: 760, Count: 1 << 20, Premium: 300, Owner: uint32(hero), Extra: &Model{"jw_diamring31"}, Parent: bag,
		Suffix: 3, Durability: 5}
	want := section(7, 760, contained(100, 100, 0, 0), contMan(&PutInto{bag}), contMan(&Property{0, uint32(hero)}),
		contMan(&StackCount{0xFFFF}), contMan(&PremiumLevel{255}), contMan(&Model{"jw_diamring31"}))
	if diff := cmp.Diff(want, ring.Spawn()); diff != "" {
		t.Error(diff)
	}
}

// Protocol ingame 6.4 has the form of the article's movement frame: clock and class are constants, and the offsets are
// "fractions".
func TestClassicMove(t *testing.T) {
	b := ClassicMove(0x0B08, -1100.5, 4501.25, 1900, 1.5707963267948966)
	want := moving(17588, coords.Origin{X: -1101, Y: 4501, Z: 1900},
		section(0x0B08, ClassGuide, &TransformUpdate{4095 - 32, 2047 - 16, 4095, 64}))
	if diff := cmp.Diff(want, b, sameBody); diff != "" {
		t.Error(diff)
	}
	frame, err := AppendServer(nil, b, Classic)
	// 2D in byte 11, 10001 in the low bits of byte 12, 6A 10 in bytes 15 and 16.
	if err != nil || len(frame) != 0x17 || frame[11] != 0x2D || frame[12]&0x1F != 0x11 || !bytes.Equal(frame[15:17], []byte{0x6A, 0x10}) {
		t.Errorf("% X, %v", frame, err)
	}
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
