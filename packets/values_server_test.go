package packets

import (
	"bytes"
	"testing"

	"sphereserver/coords"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// An example is the meaning of a golden frame, written down from the documents and not from the decoder's result.
type example struct {
	name string
	want *Body
}

const (
	hero  ObjectID = 0x6F4F // the player of most examples
	sword ObjectID = 0x1234
	bag   ObjectID = 0x2000
	beast ObjectID = 0x3CC9
	inn   ObjectID = 0x1500
)

// player is a message about the player of most examples.
func player(clock uint16, regions ...Region) *Body {
	return Message(clock, hero, ClassPlayer, regions...)
}

// These make the regions that hold a command.
func contMan(c Command) Region  { return &ContMan{c} }
func manager(c Command) Region  { return &Manager{c} }
func tradeMan(c Command) Region { return &TradeMan{c} }
func owner(c Command) Region    { return &Owner{c} }

func stat(s Stat, v int32) Region { return &SetStat{s, v} }

func section(id ObjectID, c Class, regions ...Region) Section { return Section{id, c, regions} }

func sections(clock uint16, ss ...Section) *Body { return &Body{Clock: clock, Sections: ss} }

func moving(clock uint16, o coords.Origin, ss ...Section) *Body {
	return &Body{HasOrigin: true, Origin: o, Clock: clock, Sections: ss}
}

func ended(b *Body) *Body {
	b.End = true
	return b
}

// town is where the objects of the examples stand.
const townX, townY, townZ = 2614.25, 157.8, 1293.5

func standing(angle coords.Angle8, p Placement, a, b, c, d int32) *SpawnSnapshot {
	return &SpawnSnapshot{townX, townY, townZ, angle, p, a, b, c, d}
}

func contained(a, b, c, d int32) *SpawnSnapshot {
	return &SpawnSnapshot{X: 1000000, Placement: Contained, A: a, B: b, C: c, D: d}
}

func unbound() Region { return contMan(&Property{0, 0xFFFFFFFF}) }

// The vectors of protocol ingame 20.
var serverExamples = []example{
	{"ingame-V2", sections(0, Removal(sword))},
	{"ingame-V2b", ended(sections(0, Removal(sword)))},
	{"ingame-V3", player(0, stat(0, 104))},
	{"ingame-V3b", player(512, stat(2, 4094))},
	{"ingame-V3c", player(0, stat(0, 300), stat(1, 500), stat(37, 4))},
	{"ingame-V4", player(0, stat(19, -3120))},
	{"ingame-V5", player(0, stat(0, 104), manager(&PlayEffect{758}))},
	{"ingame-V6", ended(player(0, manager(&ReleaseUse{})))},
	{"ingame-V7", Message(328, 0, 1, &GameTime{0x47AF6805})},
	{"ingame-V8", Message(0, 0xC00, 4, &PlayerCountSpawn{7})},
	{"ingame-V8b", Message(0, 0xC00, 4, &PlayerCount{8})},
	{"ingame-V9", player(0, manager(&Money{12345}))},
	{"ingame-V10", player(512, manager(&SetCoordinates{2614, 157.8, 1293, 0}))},
	{"ingame-V11", player(0, &ReceiveHit{Source: 0x3CC9, HP: -15})},
	{"ingame-V12", player(0, &ReceiveHit{Source: 0x3CC9, HP: -100000, Flags: 7})},
	{"ingame-V13", player(0, stat(StatHP, 100))},
	{"ingame-V13b", player(0, &ReceiveHit{Flags: 6})},
	{"ingame-V14", player(0, &ReceiveHit{Source: uint16(hero), HP: 1810})},
	{"ingame-V15", player(0, &ReceiveHit{Source: 1, HP: -20})},
	{"ingame-V16", moving(0, coords.Origin{X: 2614, Y: 157, Z: 1293},
		section(hero, 2, &TransformUpdate{0x7EE, 0x7C9, 0x7DD, 63}))},
	{"ingame-V16b", moving(0, coords.Origin{X: 2614, Y: 157, Z: 1293},
		section(sword, 210, &TransformUpdate{0x7EE, 0x7C9, 0x7DD, 63}))},
	{"ingame-V16c", moving(0, coords.Origin{X: -1993, Y: -104, Z: 457},
		section(sword, 210, &TransformUpdate{0xFCC, 0xFDD, 0x7EE, 0}))},
	{"ingame-V17", Message(0, sword, 500, contained(100, 100, 3310, 17), contMan(&PutInto{hero}), unbound())},
	{"ingame-V17b", Message(0, sword, 500, contained(100, 100, 3310, 17), contMan(&PutInto{hero}), unbound())},
	{"ingame-V18", Message(0, 0x1235, 453, contained(100, 100, 717, -2), contMan(&PutInto{hero}), unbound(),
		contMan(&StackCount{391}))},
	{"ingame-V19", Message(0, 0x1236, 506, standing(0, 1, 100, 100, 1, -2), unbound())},
	{"ingame-V20", player(0, contMan(&FillSlot{26, sword, 5000}))},
	{"ingame-V20b", player(0, contMan(&ClearSlot{26}))},
	{"ingame-V20c", player(0, contMan(&SlotWeight{26, 4500}))},
	{"ingame-V21", player(0, contMan(&FillSlot{Slot: 26}), contMan(&FillSlot{27, sword, 5000}))},
	{"ingame-V22", Message(0, bag, 407, standing(0, 1, 100, 100, 0, 0))},
	{"ingame-V23", Message(0, bag, 407, contMan(&ResetSlots{0}), contMan(&FillSlot{0, sword, 5000}),
		contMan(&FillSlot{1, 0x1235, 100}))},
	{"ingame-V24", sections(0,
		section(bag, 407, contMan(&ClearSlot{0})),
		section(sword, 500, &TransformState{X: 1000000, Placement: Contained}, contMan(&PutInto{hero})),
		section(hero, 2, contMan(&FillSlot{26, sword, 5000})))},
	{"ingame-V25", sections(0,
		section(sword, 500, &TransformState{townX, townY, townZ, 63, Lying}, contMan(&LeaveContainer{})),
		section(hero, 2, contMan(&ClearSlot{26})))},
	{"ingame-V26", Message(0, beast, 210, standing(63, 1, 64, 64, 1010, 0))},
	{"ingame-V26b", Message(0, 0x3CCA, 210, standing(63, 1, 2640, 2640, 1160, 120030),
		tradeMan(&DisplayName{-(13 + 300*34 + 90000*(11+1))}))},
	{"ingame-V27", Message(0, beast, 210, contMan(&ChangeObjectHP{hero, 30000 - 15}))},
	{"ingame-V27b", Message(0, beast, 210, contMan(&ChangeObjectHP{hero, 30000 - 15}))},
	{"ingame-V28", Message(0, beast, 210, contMan(&Dies{hero, 0}))},
	{"ingame-V28b", sections(0,
		section(beast, 210, contMan(&Dies{hero, 0})),
		section(hero, 2, manager(&Money{1010}), manager(&CoinsReceived{10, 0xFF32C896})),
		Removal(beast))},
	{"ingame-V29", Message(0, inn, 213, standing(133, 0, 5, 5, 0, 0), tradeMan(&DisplayName{203}),
		contMan(&Model{"npc29c"}), manager(&Title{"npc_tavernkeepr"}), manager(&Occupation{50005}))},
	{"ingame-V30", sections(0,
		section(inn, 213, contMan(&ResetSlots{0}), tradeMan(&Goods{1, sword, 0, 150}), tradeMan(&Goods{2, 0x1235, 0, 70})),
		section(hero, 2, manager(&TradeWindow{inn})))},
	{"ingame-V30b", sections(0,
		section(inn, 213, contMan(&CloseContainer{hero})),
		section(hero, 2, manager(&TradeWindow{NoObject})))},
	{"ingame-V31", Message(0, 0x1001, 2, &PlayerSpawn{X: townX, Y: townY, Z: townZ, Angle: 63, Look: 0x30303030,
		Name: "Hero", ClanRank: -1, HP: 300, MaxHP: 500, Karma: 3, Title: 4, Degree: 2})},
	{"ingame-V31b", Message(0, 0x1001, 2, &SetWornGear{
		Codes: [9]uint8{WornBoots: '0', WornPants: '0', WornArmour: '0', WornRobe: '0', WornGloves: '0', WornShield: 0,
			6: '0', 7: '0', WornHelmet: 0}})},
	{"ingame-V32", Message(0, 0x1001, 2, tradeMan(&NameplateStat{StatHP, 285}))},
	{"ingame-V33", Message(0, 0xC100, 5, &ChatLine{2, 5, 1, "Hero", 3})},
	{"ingame-V33b", Message(0, 0xC100, 5, &ChatChunk{"hello"})},
	{"ingame-V34", player(0, manager(&SystemMessage{Mode: 7, Colour: 0xFF32C896, Text: "Hi"}))},
	{"ingame-V34b", player(0, manager(&SystemTextNumber{127, 0xFFFFFFFF, 250}))},
	{"ingame-V35", player(0, manager(&GroupOperation{Operation: 5}))},
	{"ingame-V36", player(0, manager(&GroupMember{2, 1, "Hero"}))},
	{"ingame-V37", player(0, manager(&GroupOperation{Operation: 13}))},
	{"ingame-V38", Message(0, 0x5CBE, 30, contained(100, 100, 0, 0), contMan(&PutInto{hero}),
		&Mutator{Modifiers: [14]int32{3: 270, 4: 270}, Icon: "mgml", Group: 260, Tier: 8},
		contMan(&MutatorTimer{858, 0x82, 150, uint16(hero)}))},
}

// sameBody compares the meaning of two bodies, in all forms of their fields.
var sameBody = cmp.Options{cmpopts.IgnoreUnexported(Body{}), cmpopts.EquateEmpty()}

func TestServerExamples(t *testing.T) { testExamples(t, serverExamples) }

// testExamples encodes each body from nothing to the bytes of its golden frame, and decodes those to it.
func testExamples(t *testing.T, examples []example) {
	t.Helper()
	all := map[string]*golden{}
	for _, g := range goldens(t) {
		all[g.name] = g
	}
	for _, e := range examples {
		g := all[e.name]
		if g == nil {
			t.Errorf("no golden frame %s", e.name)
			continue
		}
		for _, d := range g.only {
			f, err := DecodeFrame(g.frame, g.dir, d)
			if err != nil {
				t.Errorf("%s, %s: %v", e.name, d, err)
				continue
			}
			if diff := cmp.Diff(e.want, f.Body, sameBody); diff != "" {
				t.Errorf("%s, %s decoded: -documented +found\n%s", e.name, d, diff)
			}
			if len(f.Body.forms) > 0 && len(e.want.forms) == 0 {
				continue // in wider forms than it needs; that it keeps them is TestGoldenFrames' business
			}
			out := Frame{Direction: g.dir, Channel: ChannelGameplay, Header: f.Header, Body: e.want}
			if got, err := out.Append(nil, d); err != nil || !bytes.Equal(got, g.frame) {
				t.Errorf("%s, %s encoded: %v\n  got % X\n want % X", e.name, d, err, got, g.frame)
			}
			if g.dir == FromServer {
				if got, err := AppendServer(nil, e.want, d); err != nil || !bytes.Equal(got, g.frame) {
					t.Errorf("%s, %s by AppendServer: %v % X", e.name, d, err, got)
				}
			}
		}
	}
}

// Every numbered vector of the in-game document is among the examples.
func TestEveryVectorHasItsValues(t *testing.T) {
	have := map[string]bool{"ingame-V1": true} // a keepalive, see TestControlFrames
	for _, list := range [][]example{serverExamples, clientExamples, liveExamples, sessionExamples, fightExamples} {
		for _, e := range list {
			if have[e.name] {
				t.Errorf("%s stands twice", e.name)
			}
			have[e.name] = true
		}
	}
	for _, g := range goldens(t) {
		if !have[g.name] && !hasOwnTest(g) {
			t.Errorf("%s has no values", g.name)
		}
	}
}
