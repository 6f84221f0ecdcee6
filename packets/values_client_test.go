package packets

import (
	"testing"

	"sphereserver/coords"
)

// The example frames of protocol ingame 17, and those of clients in its running text.
var clientExamples = []example{
	{"ingame-C1", player(1000, manager(&PickUp{0x1234}))},
	{"ingame-C2", player(1000, contMan(&PutIntoSlot{Player: hero, Item: sword, Slot: 26}))},
	{"ingame-C3", player(1000, contMan(&MoveSlot{Player: hero, To: 27, From: 26}))},
	{"ingame-C4", Message(1000, sword, 453, contMan(&Use{hero}))},
	{"ingame-C4b", Message(1000, sword, 453, contMan(&Use{hero}))},
	{"ingame-C5", Message(1000, bag, 407, contMan(&Use{hero}), contMan(&BecomeUser{hero}))},
	{"ingame-C5b", Message(1000, bag, 407, contMan(&Use{hero}), contMan(&BecomeUser{hero}))},
	{"ingame-C6", player(1000, manager(&Animation{0x17}), manager(&FistBlow{beast}))},
	{"ingame-C7b", sections(1000,
		section(hero, 2, manager(&Animation{9})),
		section(sword, 500, contMan(&UseOn{hero, beast})))},
	{"ingame-C8", player(1000, manager(&Buy{inn, 3, 0, 150, 1}))},
	{"ingame-C9", player(1000, manager(&ChatHeader{2, 60, 1}))},
	{"ingame-C10", player(1000, manager(&GroupOperation{Operation: 0}))},
	{"ingame-C11", player(1000, manager(&TakeInHand{sword}))},
	{"ingame-C12", player(1000, manager(&Animation{8}), manager(&TakeInHand{sword}))},
	{"ingame-C13", player(1000, manager(&SpendPoints{[8]int32{0: 1, 3: 2}}))},
	{"ingame-C14", player(1000, manager(&Drag{sword, townX, townY, townZ, 0}))},
	{"ingame-C15", sections(1000,
		section(inn, 213, contMan(&CloseContainer{hero})),
		section(hero, 2, manager(&TradeWindow{NoObject})))},

	{"ingame-7.1-position", moving(19776, coords.Origin{X: 669, Y: 4602, Z: 931},
		section(hero, 2, &PositionStream{4, [15]float32{669, 4602, 931, 0.00048828125}}))},
	{"ingame-8.1-loaded", Message(126, 0xB078, 2, owner(&WorldLoaded{}))},
	{"ingame-8.1-ready", Message(137, 0x8B31, 2, manager(&Ready{0x34}))},
	{"ingame-10.4-move-slot", Message(19181, 0x7052, 2, contMan(&MoveSlot{Player: 0x7052, To: 0x22, From: 0x21}))},
	{"ingame-11.1-open", Message(10062, 0xE294, 407, contMan(&Use{0xE011}), contMan(&BecomeUser{0xE011}))},
	{"ingame-11.2-open-trade", sections(617,
		section(0xCB2C, 2, manager(&Help{7})),
		section(0x1466, 213, contMan(&Use{0xCB2C}), contMan(&BecomeUser{0xCB2C})),
		section(0xCB2C, 2, manager(&TradeWindow{0x1466})))},
	{"ingame-13.2-fists", Message(504, 0xD681, 2, manager(&Animation{0x17}), manager(&FistBlow{0xD690}))},
	{"ingame-13.2-weapon", sections(2334,
		section(0xD681, 2, manager(&Animation{0x0A})),
		section(0xD691, 506, contMan(&UseOn{0xD681, 0xD690})))},
	{"ingame-15.3-chat-header", Message(30187, 0x6F59, 2, manager(&ChatHeader{4, 464, 2}))},
	{"ingame-16.1-leave-group", player(1000, manager(&GroupOperation{Operation: 4}))},
}

func TestClientExamples(t *testing.T) { testExamples(t, clientExamples) }

// answer is the server's answer to ingame-7.1-position.
func answer(clock uint16) *Body {
	return moving(clock, coords.Origin{X: 669, Y: 4602, Z: 931}, section(hero, 2, &PositionStream{}))
}

// Frames of servers in the running text of the in-game document. Values that it does not tell (clocks, some ids) are
// read off their bytes with the header positions of its section 2.1.
var liveExamples = []example{
	{"ingame-5-damage", Message(5599, 0x750C, 210, contMan(&ChangeObjectHP{0x74E4, 0x7521}))},
	{"ingame-7.2-answer", moving(2227, coords.Origin{X: -947, Y: 4701, Z: -3681}, section(0x6DA2, 2, &PositionStream{}))},
	{"ingame-7.2-clock-0", answer(0)},
	{"ingame-7.2-clock-512", answer(512)},
	{"ingame-7.2-clock-2472", answer(2472)},
	{"ingame-7.2-clock-2478", answer(2478)},
	{"ingame-7.2-article-1", answer(1648)},
	{"ingame-7.2-article-2", answer(1654)},
	{"ingame-7.2-article-3", answer(1656)},
	{"ingame-7.2-article-4", answer(1662)},
	{"ingame-7.2-constant", moving(14, coords.Origin{X: 80, Y: 150, Z: 200}, section(hero, 2, &PositionStream{}))},
	{"ingame-7.5-echo", player(512, stat(StatMP, 4089), manager(&PlayEffect{0x2F6}))},
	{"ingame-7.5-six-seconds", player(512, stat(StatMP, 4094), manager(&PlayEffect8{0xF6}))},
	{"ingame-7.5-fifteen-seconds", player(512, &GameTime{0x4727749C})},
	{"ingame-7.5-clock", Message(164, 0, 1, &GameTime{Moment{286, 11, 27, 8, 1, 1}.Pack()})},
	{"ingame-7.5-regeneration", player(124, stat(StatHP, 104), manager(&PlayEffect{758}))},
	{"ingame-9.5-movement", moving(17588, coords.Origin{X: -1101, Y: 4501, Z: 1900},
		section(0x0B08, 212, &TransformUpdate{0xEE1, 0x7D4, 0xFB2, 205}))},
	{"ingame-10.6-pick-up", sections(9322,
		section(0xA8FE, 506, &TransformState{-2930.8164, 4500.773, 1900.506, 255, 2}, contMan(&PutInto{0xA6AA})),
		section(0xA6AA, 2, contMan(&FillSlot{26, 0xA8FE, 5000})))},
	{"ingame-11.1-contents", Message(30699, 0xE294, 407, contMan(&ResetSlots{0}), contMan(&FillSlot{0, 0xE28E, 3}))},
	{"ingame-11.1-empty", Message(3845, 0xE20A, 407, contMan(&ResetSlots{1}))},
	{"ingame-11.2-goods", sections(3391,
		section(0xDC72, 2, manager(&TradeWindow{0xE030})),
		section(0xE030, 201, contMan(&ResetSlots{0}), tradeMan(&Goods{0, 0x91FF, 0, 4})))},
	{"ingame-11.2-article", Message(3398, 0x91FF, 453, contained(100, 100, 601, -2), contMan(&PutInto{0xE030}), unbound(),
		contMan(&StackCount{1000}))},
	{"ingame-12.2-earth", Message(14962, 0xFF4D, 2, stat(StatEarth, 64))},
	{"ingame-13.4-kill", sections(1861,
		section(0x7721, 210, contMan(&Dies{0x9586, 0})),
		section(0x9586, 2, manager(&Money{72}), manager(&CoinsReceived{14, 0xFF32C896}), stat(StatKarmaPoints, 5)),
		Removal(0x7721))},
	{"ingame-13.5-hit", sections(1270,
		section(0x66C9, 210, &RegionManager{&Attack{0x1D}}),
		section(0x66B2, 2, &ReceiveHit{Source: 0x66C9, HP: -5}))},
	{"ingame-16.1-group-created", player(0, manager(&GroupOperation{Operation: 5}),
		manager(&GroupOperation{Operation: 9}))},
	{"ingame-18.2-token", sections(13256,
		section(0x2FC0, 127, contMan(&Used{0x2E03})),
		section(0x2E03, 2, manager(&PlayEffect{0x54})),
		section(0x2FC0, 127, &TransformState{-1698.456, 4500.624, 2148.2615, 245, 1}, contMan(&LeaveContainer{})),
		section(0x2E03, 2, contMan(&ClearSlot{29})),
		Removal(0x2FC0),
		section(0x2E03, 2, manager(&SetCoordinates{2290.304, 155.29417, -2388.8948, -0.8892647})))},
}

func TestLiveExamples(t *testing.T) { testExamples(t, liveExamples) }

// A movement that a server makes of a place has the codes of vector V16c, with the origin truncated toward zero.
func TestMoveTo(t *testing.T) {
	for name, at := range map[string]coords.Position{
		"ingame-V16":  {X: 2614.25, Y: 157.8, Z: 1293.5, Yaw: 1.5707963},
		"ingame-V16c": {X: -1993.75, Y: -104.5, Z: 457.25},
	} {
		g := goldenByName(t, name)
		f, err := DecodeFrame(g.frame, g.dir, Dialect2026)
		if err != nil {
			t.Fatal(err)
		}
		o, m := MoveTo(at)
		if want := f.Body.Sections[0].Regions[0].(*TransformUpdate); o != f.Body.Origin || *m != *want {
			t.Errorf("%s: %+v from %+v, documented %+v from %+v", name, *m, o, *want, f.Body.Origin)
		}
	}
}
