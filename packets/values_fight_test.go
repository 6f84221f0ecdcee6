package packets

import (
	"bytes"
	"slices"
	"testing"
)

// The vectors of protocol fight 3, from the values that it states.
var fightExamples = func() []example {
	const effect ObjectID = 0x5CBE
	monster := func(clock uint16, regions ...Region) *Body { return Message(clock, beast, ClassMonster, regions...) }
	hit := func(c ...Command) *Body {
		b := monster(0)
		for _, c := range c {
			b.Sections[0].Regions = append(b.Sections[0].Regions, contMan(c))
		}
		return b
	}
	swing := func(n uint32) Region { return &RegionManager{&Attack{n}} }
	received := func(hp int32) Section {
		return section(hero, ClassPlayer, &ReceiveHit{Source: uint16(beast), HP: hp})
	}
	loses13 := hit(&ChangeObjectHP{hero, HPChange(-13)}, &ObjectHP{36, 64, ObjectHPConstant})
	missed := hit(&ChangeObjectHP{hero, HPChange(0)})
	kill := sections(0, section(beast, ClassMonster, contMan(&Dies{hero, 0})),
		section(hero, ClassPlayer, stat(StatKarmaPoints, 4900), stat(StatTitleXP, 2670450)),
		Removal(beast),
		section(bag, ClassLootBag, standing(0, Lying, 100, 100, 0, 0)))
	return []example{
		{"fight-F1", monster(0, standing(63, Lying, 967, 967, 1230, LevelCode(13)))},
		{"fight-F2", Message(0, beast, ClassMonsterFlying, standing(63, Lying, 827, 827, 1031, LevelCode(15)))},
		{"fight-F3", Message(0, beast+1, ClassMonster, standing(0, Lying, 2830, 2830, 1080, LevelCode(30)),
			tradeMan(&DisplayName{-1090213}))},
		{"fight-F4", monster(0, swing(SecondSwing))},
		{"fight-F5", sections(0, section(beast, ClassMonster, swing(FirstSwing)), received(-5))},
		{"fight-F6", sections(0, section(beast, ClassMonster, swing(FirstSwing)), received(-2),
			section(beast, ClassMonster, tradeMan(&FlyingWeapon{hero, 153})))},
		{"fight-F7", loses13},
		{"fight-F7b", loses13},
		{"fight-F8", missed},
		{"fight-F8b", missed},
		{"fight-F9", kill},
		{"fight-F9b", kill},
		{"fight-F10", player(0, stat(StatTitle, 1), stat(StatTitleXP, 0), stat(StatFreeStatPoints, 4),
			stat(StatBaseMaxHP, 150), stat(StatMaxHP, 150), stat(StatHP, 150))},
		{"fight-F11", player(0, &ReceiveHit{uint16(beast), -100000, 0, HitKills})},
		{"fight-F12", player(0, stat(StatTitleXP, 1246962), stat(StatDegreeXP, 223647))},
		{"fight-F13", player(0, manager(&SetCoordinates{2292, 155.3, -2386, 0}), stat(StatHP, 100),
			&ReceiveHit{Flags: HitRevives})},
		{"fight-F14", player(0, manager(&SystemText{10302, 0xFF32C896}))},
		{"fight-F15", player(0, manager(&SystemTextNumber{127, 0xFFFFFFFF, 17}))},
		{"fight-F16", sections(0, section(hero, ClassPlayer, contMan(&FillSlot{36, effect, 1})),
			section(effect, ClassVirus, contained(100, 100, 0, 0), contMan(&PutInto{hero}),
				&Mutator{Modifiers: [14]int32{3: 15}, Icon: "mgss", Group: MutatorGroup},
				contMan(&MutatorTimer{901, 3, 900, uint16(hero)})))},
		{"fight-F17", sections(0, section(effect, ClassVirus, &TransformState{townX, townY, townZ, 0, Lying},
			contMan(&LeaveContainer{})), section(hero, ClassPlayer, contMan(&ClearSlot{36})), Removal(effect))},
		{"fight-F18", player(0, &ReceiveHit{Source: uint16(hero), HP: 540}, contMan(&FillSlot{36, effect, 1}),
			contMan(&ClearSlot{36}))},
		{"fight-F19", player(0, stat(StatHP, 85))},
		{"fight-blow", sections(1226, section(0x74E4, ClassPlayer, manager(&Animation{0x0A})),
			section(0x7502, ClassStartSword, contMan(&UseOn{0x74E4, 0x750C})))},
		{"fight-draw", Message(547, 0x66B2, ClassPlayer, manager(&Animation{8}), manager(&TakeInHand{0x66BE}))},
	}
}()

func TestVectorsF1ToF19(t *testing.T) { testExamples(t, fightExamples) }

// fightRows are the rows of the exchanges X1 to X28 of protocol fight 2.
var fightRows = func() (rows []int) {
	for _, span := range [][2]int{{36, 67}, {149, 149}, {157, 161}, {245, 269}, {271, 279}, {305, 325}, {328, 342}, {645, 650},
		{737, 757}, {773, 804}, {807, 809}, {817, 829}, {853, 853}} {
		for row := span[0]; row <= span[1]; row++ {
			rows = append(rows, row)
		}
	}
	return rows
}()

// Every frame of the recorded exchanges encodes anew, from its values alone, to its bytes.
func TestCheck1RecordedFightsEncodeAnew(t *testing.T) {
	n := 0
	for _, c := range recorded(t) {
		if !c.whole || !slices.Contains(fightRows, c.line) {
			continue
		}
		n++
		f, err := DecodeFrame(c.plain, c.dir, Dialect2022)
		if err == nil && f.Body == nil {
			continue // a keepalive
		}
		if err != nil || f.Body.UnknownBits() > 0 {
			t.Errorf("row %d: %v", c.line, err)
			continue
		}
		b := f.Body
		again := Frame{Direction: c.dir, Channel: f.Channel, Header: f.Header, Body: &Body{HasOrigin: b.HasOrigin,
			Origin: b.Origin, Clock: b.Clock, Sections: b.Sections, End: b.End}}
		if back, err := again.Append(nil, Dialect2022); err != nil || !bytes.Equal(back, c.plain) {
			t.Errorf("row %d: %v\n got % X\nwant % X", c.line, err, back, c.plain)
		}
	}
	if n < 169 {
		t.Errorf("%d rows, 169 expected at least", n)
	}
}

func TestCheck3LevelCodes(t *testing.T) {
	for level, code := range map[int]int32{1: 0, 2: 4001, 9: 32008, 13: 48012, 15: 56014, 33: 128032, 50: 196049, 65: 256064,
		120: 476119} {
		if got := LevelCode(level); got != code {
			t.Errorf("level %d is %d, expected %d", level, got, code)
		}
		if got, ok := LevelOf(code); got != level || !ok {
			t.Errorf("%d is level %d, %v", code, got, ok)
		}
		if got, ok := LevelOf(code + 1); ok {
			t.Errorf("%d is level %d", code+1, got)
		}
	}
	for level := 1; level <= 1000; level++ {
		if got := LevelCode(level)%1000 + 1; got != int32(level) {
			t.Fatalf("level %d is read as %d", level, got)
		}
	}
}

func TestCheck4GreatAndSmallNumbers(t *testing.T) {
	for _, hp := range []int32{8, 30000} {
		for _, d := range []Dialect{Dialect2026, Dialect2022} {
			sent := Message(0, beast, ClassMonster, standing(0, Lying, hp, hp, 1230, 0),
				contMan(&ChangeObjectHP{hero, HPChange(-20000)}), contMan(&ObjectHP{uint16(hp), uint16(hp), ObjectHPConstant}))
			frame, err := AppendServer(nil, sent, d)
			if err != nil {
				t.Fatal(err)
			}
			f, err := DecodeFrame(frame, FromServer, d)
			if err != nil {
				t.Fatal(err)
			}
			spawn := f.Body.Sections[0].Regions[0].(*SpawnSnapshot)
			change, _ := CommandOf(f.Body.Sections[0].Regions[1])
			now, _ := CommandOf(f.Body.Sections[0].Regions[2])
			if spawn.A != hp || spawn.B != hp || change.(*ChangeObjectHP).Change != 10000 || now.(*ObjectHP).HP != uint16(hp) {
				t.Errorf("%d HP: %+v %+v %+v", hp, spawn, change, now)
			}
		}
	}
	for added, sent := range map[int]uint16{-30001: 0, -30000: 0, -29999: 1, 0: 30000, 15: 30015, 40000: 65535} {
		if got := HPChange(added); got != sent {
			t.Errorf("%d is sent as %d, expected %d", added, got, sent)
		}
	}
}
