package game

import (
	"encoding/binary"
	"math"
	"testing"
	"time"

	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/server/session"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// requestBytes is how much of the fuzzer's input one request takes.
const requestBytes = 16

// FuzzRequests sends requests about items, journeys and missions with any values: ids that the client was given and
// others, slots, prices, counts, places, any bytes to a giver. After any of them the client was never told of an entity
// that it does not hold, the slots that it believes in are the stored ones, and it has one mission at most. One player
// takes it all.
func FuzzRequests(f *testing.F) {
	for kind := range requestKinds {
		var seed []byte
		for n := range byte(4) {
			one := make([]byte, requestBytes)
			one[0], one[1], one[2], one[3], one[4] = byte(kind), n, n+1, 26+n, 27
			seed = append(seed, one...)
		}
		f.Add(seed)
	}
	g := newStage(f, func(o *Options) {
		crowded(o)
		o.Auto, o.Limits.FramesPerSecond, o.Limits.FramesBurst = false, 1e9,
			1e9
	})
	g.server.world.Do(world.Put{Object: world.Object{ID: g.server.world.NextEntityID(), Position: g.server.options.Start,
		Kind: world.NPC{Class: int(packets.ClassTrader), Type: content.OccupationTavern,
			Rooms: world.Rooms{First: 5015, Last: 5016}}}})
	all := [rules.MissionGoals]bool{true, true, true, true}
	g.server.world.Do(world.Put{Object: world.Object{ID: g.server.world.NextEntityID(), Position: g.server.options.Start,
		Kind: world.NPC{Class: 205, Name: 500, Giver: &rules.MissionGiver{Goals: all, Places: [rules.MissionPlaces]bool{true},
			TitleMax: rules.CycleLevels, DegreeMax: rules.CycleLevels, KarmaMin: rules.KarmaVeryBad, KarmaMax: rules.KarmaBenign,
			Near: rules.Entrance{Number: 2000, At: g.server.options.Start}}}}})
	for _, portal := range []world.Portal{{Class: rules.ClassDoor, Number: 5015}, {Class: rules.ClassTeleport},
		{Class: rules.ClassTeleportBroken}, {Class: rules.ClassTeleportGreat, Number: rules.GreatToHaron},
		{Class: rules.ClassMissionEntrance, Number: 2000}} {
		g.server.world.Do(world.Put{Object: world.Object{ID: g.server.world.NextEntityID(), Position: g.server.options.Start,
			Kind: portal}})
	}
	c := g.connect()
	e := c.observe()
	p := &possessor{conn: c.in(session.InWorld)}
	f.Fuzz(func(t *testing.T, in []byte) {
		g.t, e.t = t, t
		g.server.world.Do(world.Give{To: c.pid(), Kind: content.ThingBase + 10*401, Suffix: -1, Count: 1})
		g.server.world.Do(world.GiveMoney{To: c.pid(), Amount: 10})
		g.server.world.Do(world.Give{To: c.pid(), Kind: content.ThingBase + 10*rules.ClassTokenCharges, Suffix: -1, Count: 1,
			Extra: rules.TokenExtra(1800)})
		g.server.world.Do(world.Give{To: c.pid(), Kind: content.ThingBase + 10*rules.ClassKey, Suffix: -1, Count: 1,
			Extra: rules.KeyExtra(5015)})
		g.drop(loot{Bag: &rules.Item{Class: int(packets.ClassLootBag), Suffix: -1},
			Lying:  rules.OnGround{At: g.server.options.Start, Expires: g.now.Add(time.Second)},
			Things: []rules.Item{{Class: int(packets.ClassBread), Suffix: -1, Count: 3, Weight: 8}}})
		g.pass(3 * session.WheelPeriod)
		e.look()
		for n := 0; len(in) >= requestBytes && n < 8; n++ {
			requestKinds[int(in[0])%len(requestKinds)](p, in)
			in = in[requestBytes:]
			g.pass(2 * session.WheelPeriod)
		}
		g.pass(3 * session.WheelPeriod)
		e.look()
		if n := p.missions(t); n > 1 {
			t.Errorf("it has %d missions", n)
		}
		g.server.world.Do(world.OrderMission{ID: c.pid(), What: world.CancelMission})
		g.server.world.Do(world.Teleport{ID: c.pid(), To: g.server.options.Start})
		g.pass(3 * session.WheelPeriod)
		e.look()
		if empty := e.empty(); len(empty) > 0 {
			t.Errorf("slots %v hold what the client does not have", empty)
		}
		if n := g.server.Counters(); c.closed || n["belongings_conflicts"]+n["belongings_failed"]+n["panics"] > 0 {
			t.Fatalf("closed %v, counted %v", c.closed, n)
		}
	})
}

// meant is an id: one that the client was given, or any.
func (p *possessor) meant(in []byte, at int) packets.ObjectID {
	known := p.p().client.IDs.Entries(anyEntry)
	if n := int(in[at]); n < len(known) {
		return packets.ObjectID(known[n].ID)
	}
	if in[at] == 0xFE {
		return p.s().ID()
	}
	return packets.ObjectID(binary.LittleEndian.Uint32(in[at:])) & 0xFFFFFF
}

// requestKinds send one request each, made of requestBytes bytes.
var requestKinds = []func(p *possessor, in []byte){
	func(p *possessor, in []byte) {
		p.say(p.own(contMan(&packets.MoveSlot{Player: p.s().ID(), From: in[3], To: in[4]})))
	},
	func(p *possessor, in []byte) {
		k, _ := p.p().client.IDs.Lookup(p.meant(in, 1))
		p.say(packets.Message(0, packets.ObjectID(k.ID), max(k.Class, 3),
			contMan(&packets.MoveSlot{Player: p.s().ID(), From: in[3], To: in[4]})))
	},
	func(p *possessor, in []byte) {
		p.say(p.own(manager(&packets.SwapItems{Item1: uint32(p.meant(in, 1)), Item2: uint32(p.meant(in, 2)),
			Slot1: uint32(in[3]), Slot2: uint32(in[4])})))
	},
	func(p *possessor, in []byte) {
		p.say(p.own(contMan(&packets.PutIntoSlot{Player: p.s().ID(), Item: p.meant(in, 1), Slot: in[3]})))
	},
	func(p *possessor, in []byte) {
		k, _ := p.p().client.IDs.Lookup(p.meant(in, 2))
		p.say(packets.Message(0, packets.ObjectID(k.ID), max(k.Class, 3),
			contMan(&packets.PutIntoSlot{Player: p.s().ID(), Item: p.meant(in, 1), Slot: in[3]})))
	},
	func(p *possessor, in []byte) { p.say(p.own(manager(&packets.PickUp{Item: uint32(p.meant(in, 1))}))) },
	func(p *possessor, in []byte) {
		p.say(p.own(manager(&packets.Drop{Item: p.meant(in, 1), X: anyFloat(in, 4), Y: anyFloat(in, 8),
			Z: anyFloat(in, 12)})))
	},
	func(p *possessor, in []byte) {
		p.say(p.own(manager(&packets.Drag{Item: p.meant(in, 1), X: anyFloat(in, 4), Y: anyFloat(in, 8),
			Z: anyFloat(in, 12)})))
	},
	func(p *possessor, in []byte) { p.say(p.own(manager(&packets.TakeInHand{Item: p.meant(in, 1)}))) },
	func(p *possessor, in []byte) {
		k, _ := p.p().client.IDs.Lookup(p.meant(in, 1))
		p.say(packets.Message(0, packets.ObjectID(k.ID), max(k.Class, 3), contMan(&packets.Use{Player: p.s().ID()}),
			contMan(&packets.BecomeUser{Player: p.s().ID()})))
	},
	func(p *possessor, in []byte) {
		k, _ := p.p().client.IDs.Lookup(p.meant(in, 1))
		p.say(packets.Message(0, packets.ObjectID(k.ID), max(k.Class, 3),
			contMan(&packets.UseOn{Player: p.s().ID(), Target: p.meant(in, 2)})))
	},
	func(p *possessor, in []byte) { p.say(p.own(manager(&packets.TradeWindow{Trader: p.meant(in, 1)}))) },
	func(p *possessor, in []byte) {
		p.say(p.own(manager(&packets.Buy{Trader: p.meant(in, 1), Slot: in[3], Price: binary.LittleEndian.Uint32(in[4:]),
			Count: binary.LittleEndian.Uint32(in[8:])})))
	},
	func(p *possessor, in []byte) {
		p.say(p.own(manager(&packets.OfferItem{Slot: in[3], Item: p.meant(in, 1), Price: packets.NoPrice})))
	},
	func(p *possessor, in []byte) {
		p.say(p.own(manager(&packets.AcceptPrice{Slot: in[3], Price: uint32(in[4])})))
	},
	func(p *possessor, in []byte) {
		p.say(p.own(manager(&packets.OfferItem{Slot: in[3], Item: p.meant(in, 1), Count: uint32(in[4]),
			Price: binary.LittleEndian.Uint32(in[4:])}), manager(&packets.ClearOffer{Slot: in[8]}),
			manager(&packets.Bid{Slot: in[9], Price: binary.LittleEndian.Uint32(in[9:]), Partner: p.meant(in, 2)})))
	},
	func(p *possessor, in []byte) {
		k, _ := p.p().client.IDs.Lookup(p.meant(in, 1))
		p.say(packets.Message(0, packets.ObjectID(k.ID), max(k.Class, 3),
			contMan(&packets.CloseContainer{Player: p.s().ID()})))
	},
	func(p *possessor, in []byte) {
		k, _ := p.p().client.IDs.Lookup(p.meant(in, 1))
		p.say(packets.Message(0, packets.ObjectID(k.ID), max(k.Class, 3),
			contMan(&packets.MissionRequest{Data: in[5:min(6+int(in[4])%8, len(in))]})))
	},
	func(p *possessor, in []byte) {
		p.p().Command([...]string{"/mission take", "/mission enter", "/mission leave", "/mission hand", "/mission drop",
			"/travel 1800", "/travel", "/mission", "/mission give " + p.p().character.Name, "/mission accept"}[in[3]%10])
	},
	func(p *possessor, in []byte) {
		var c packets.SpendPoints
		for i := range c.Deltas {
			c.Deltas[i] = int32(int8(in[4+i])) << (in[3] & 31)
		}
		p.say(p.own(manager(&c)))
	},
}

func anyFloat(in []byte, at int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(in[at:]))
}
