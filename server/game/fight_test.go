package game

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// The type of the newcomers' monster.
const weakling = 1069

// sharp takes chance out of fights: nobody misses, and each kill leaves a bag.
func sharp(o *Options) {
	crowded(o)
	b := rules.DefaultBalance()
	b.Damage.MissPlayer, b.Damage.MissMonster, b.Loot.Bag = 0, 0, 1
	o.World.Balance = b
}

// fighter is a player with a sword in its hand.
func (g *stage) fighter() *possessor {
	g.t.Helper()
	p := g.possessing(72, sword(26))
	p.asks(manager(&packets.TakeInHand{Item: p.item(26)}))
	return p
}

// beast puts a monster beside the players.
func (g *stage) beast(level int) {
	at := emptyArea
	at.X += 2
	g.server.world.Do(world.Summon{Type: weakling, Level: level, At: at})
	g.pass(300 * time.Millisecond)
}

// foe is the client's entry for the monster that it sees.
func (p *possessor) foe() view.IDEntry {
	p.g.t.Helper()
	k, ok := firstEntry(p.p(), func(e *view.IDEntry) bool { return e.Kind == view.MonsterEntry })
	if !ok {
		p.g.t.Fatal("no monster is seen")
	}
	return k
}

// blow is a blow with the weapon in the first slot.
func (p *possessor) blow(at packets.ObjectID) *packets.Body {
	return &packets.Body{Clock: 1000, Sections: []packets.Section{
		{Object: p.s().ID(), Class: packets.ClassPlayer, Regions: []packets.Region{manager(&packets.Animation{Number: 9})}},
		{Object: p.item(26), Class: packets.ClassStartSword,
			Regions: []packets.Region{contMan(&packets.UseOn{Player: p.s().ID(), Target: at})}}}}
}

// told lets little time go by and returns the bodies that the client was sent, but for steps and regular ones.
func (p *possessor) told() []*packets.Body {
	p.g.pass(150 * time.Millisecond)
	return p.toldNow()
}

// toldNow is told without time that goes by.
func (p *possessor) toldNow() []*packets.Body { return toldIn(p.frames()) }

// toldIn are the bodies in frames, but for steps and regular ones.
func toldIn(frames []*packets.Frame) (out []*packets.Body) {
	for _, f := range frames {
		if b := f.Body; b != nil && !b.HasOrigin && b.Sections[0].Class != packets.ClassMain &&
			b.Sections[0].Class != packets.ClassStat &&
			!regenerates(b) {
			out = append(out, b)
		}
	}
	return out
}

// about reports whether a body names an object in a section.
func about(b *packets.Body, id packets.ObjectID) bool {
	return slices.ContainsFunc(b.Sections, func(s packets.Section) bool { return s.Object == id })
}

// commandsOfType are the commands of one type in bodies.
func commandsOfType[C packets.Command](bodies []*packets.Body) (out []C) {
	for _, b := range bodies {
		commandsIn(b, func(_ *packets.Section, c packets.Command) {
			if m, ok := c.(C); ok {
				out = append(out, m)
			}
		})
	}
	return out
}

// kinds names the commands of a body, in its order.
func kinds(b *packets.Body) (out []string) {
	for _, s := range b.Sections {
		if s.Class == packets.ClassNone {
			out = append(out, "removal")
		}
		for _, r := range s.Regions {
			if c, ok := packets.CommandOf(r); ok {
				out = append(out, packets.Name(c))
			} else if m, ok := r.(*packets.SetStat); ok {
				out = append(out, "SetStat "+m.Stat.String())
			} else {
				out = append(out, packets.Name(r))
			}
		}
	}
	return out
}

// atOnce are the frames that a client has got, but for regular ones and steps, which wait for the next period.
func (c *conn) atOnce() []*packets.Frame {
	return slices.DeleteFunc(c.frames(), func(f *packets.Frame) bool {
		if f.Body == nil || len(f.Body.Sections) == 0 || len(f.Body.Sections[0].Regions) == 0 {
			return false
		}
		if f.Body.HasOrigin {
			return true
		}
		_, clock := f.Body.Sections[0].Regions[0].(*packets.GameTime)
		return clock || regenerates(f.Body)
	})
}

// A blow is answered by the release of the lock, then by the damage; the first by that alone, the second also by the
// HP; the last by one body of death, gain, removal and bag. The bystander is told of no gain.
func TestChecks5To11AFightFromBlowToBag(t *testing.T) { both(t, fightToBag) }

func fightToBag(t *testing.T, g *stage) {
	p, q := g.fighter(), g.possessing(0)
	g.beast(1)
	foe, seen := p.foe(), q.foe()
	p.told()
	q.told()
	hp, hits := 64, 0
	var death *packets.Body
	for death == nil && hits < 10 {
		p.got = nil
		p.say(p.blow(packets.ObjectID(foe.ID)))
		if got := p.atOnce(); len(got) != p.releases() || len(commandsOf[*packets.ReleaseUse](got)) != p.releases() {
			t.Fatalf("a blow is answered at once by %d frames", len(got))
		}
		told := p.told()
		hurt, absolute := commandsOfType[*packets.ChangeObjectHP](told), commandsOfType[*packets.ObjectHP](told)
		if len(hurt) != 1 || hurt[0].Attacker != p.s().ID() {
			t.Fatalf("blow %d is told as %v", hits, hurt)
		}
		damage := packets.HPBias - int(hurt[0].Change)
		if hp -= damage; damage > 18 || damage < 10 && hp > 0 {
			t.Errorf("blow %d does %d", hits, damage)
		}
		hits++
		if (len(absolute) == 1) != (hits%2 == 0) || len(absolute) == 1 && int(absolute[0].HP) != max(hp, 0) {
			t.Errorf("after blow %d, with %d left, the HP are told as %+v", hits, hp, absolute)
		}
		for _, b := range told {
			if len(commandsOfType[*packets.Dies]([]*packets.Body{b})) > 0 {
				death = b
			}
		}
		if death == nil {
			q.told()
			g.pass(1500 * time.Millisecond)
			p.told()
		}
	}
	if death == nil || hp > 0 {
		t.Fatalf("not dead after %d blows, with %d HP", hits, hp)
	}
	want := []string{"Dies", "SetStat karma points", "removal", "SpawnSnapshot"}
	if got := kinds(death); !slices.Equal(got, want) {
		t.Errorf("the killer is told %v, expected %v", got, want)
	}
	var others []string
	for _, b := range q.told() {
		if dies := commandsOfType[*packets.Dies]([]*packets.Body{b}); len(dies) > 0 {
			others = kinds(b)
			if dies[0].Killer != p.s().ID() || !about(b, packets.ObjectID(seen.ID)) {
				t.Errorf("the bystander is told of %+v", dies[0])
			}
		}
	}
	if want := []string{"Dies", "removal", "SpawnSnapshot"}; !slices.Equal(others, want) {
		t.Errorf("the bystander is told %v, expected %v", others, want)
	}
	// A stranger does not get the contents of the bag for a while; and nothing names the dead.
	bag, ok := firstEntry(q.p(), func(e *view.IDEntry) bool { return e.Kind == view.GroundBagEntry })
	if !ok {
		t.Fatal("no bag")
	}
	q.say(packets.Message(0, packets.ObjectID(bag.ID), packets.ClassLootBag, contMan(&packets.Use{Player: q.s().ID()})))
	told := q.told()
	if texts := commandsOfType[*packets.SystemText](told); len(texts) != 1 || texts[0].Text != 106 {
		t.Errorf("check 13: a stranger is told %+v", texts)
	}
	p.say(p.blow(packets.ObjectID(foe.ID)))
	for _, b := range p.told() {
		if about(b, packets.ObjectID(foe.ID)) {
			t.Errorf("the dead is named in %v", kinds(b))
		}
	}
	late := g.possessing(0)
	if _, ok := firstEntry(late.p(), func(e *view.IDEntry) bool { return e.Kind == view.MonsterEntry }); ok {
		t.Error("check 12: who comes later sees the dead")
	}
	if _, ok := firstEntry(late.p(), func(e *view.IDEntry) bool { return e.Kind == view.GroundBagEntry }); !ok {
		t.Error("check 12: who comes later does not see the bag")
	}
}

// A request that names no entity known to the client is answered by the release of the lock and nothing else; so is a
// click on the dead.
func TestChecks7And8LockReleaseOnly(t *testing.T) {
	t.Parallel()
	g := newStage(t, sharp)
	p := g.fighter()
	g.beast(1)
	foe := packets.ObjectID(p.foe().ID)
	p.told()
	silent := func(what string, b *packets.Body) {
		t.Helper()
		p.say(b)
		told := p.told()
		told = slices.DeleteFunc(told, func(b *packets.Body) bool { // the monster is about something else
			return slices.Contains(kinds(b), "Attack") || slices.Equal(kinds(b), []string{"SetStat HP"})
		})
		if n := p.releases(); len(told) != n || n > 0 && !slices.Equal(kinds(told[0]), []string{"ReleaseUse"}) {
			var all [][]string
			for _, b := range told {
				all = append(all, kinds(b))
			}
			t.Errorf("%s is answered by %v", what, all)
		}
	}
	counted := func() uint64 { return g.server.count.refusedWishes.Counts()[rules.NotInSight.String()] }
	before := counted()
	for _, id := range []packets.ObjectID{0, 0xFFFF, 0xFFFFFF, 0x1E3C, packets.PlayerIndex(0x5001).ID(), p.item(26)} {
		silent(fmt.Sprintf("a blow at %v", id), p.blow(id))
		silent(fmt.Sprintf("a fist at %v", id), p.own(manager(&packets.Animation{Number: 0x17}),
			manager(&packets.FistBlow{Target: id})))
	}
	silent("a click on what is no weapon", p.own(manager(&packets.TakeInHand{Item: foe}),
		manager(&packets.Animation{Number: 9})))
	silent("a blow with what one does not have", packets.Message(0, 0x1234, packets.ClassStartSword,
		contMan(&packets.UseOn{Player: p.s().ID(), Target: foe})))
	if n := counted() - before; n != 12 {
		t.Errorf("%d blows at nothing are counted", n)
	}
}

// A client of 2026 sends eleven bytes more with a blow, of unknown meaning: with any of them it is a blow, whether they
// stand in the array of the command or behind it.
func TestABlowOf2026HasATail(t *testing.T) {
	t.Parallel()
	g := newStage(t, sharp)
	p := g.fighter()
	g.beast(60)
	foe := packets.ObjectID(p.foe().ID)
	r := rand.New(rand.NewPCG(1, 2))
	var struck [2]int
	for i := range 40 {
		b := p.blow(foe)
		const bits = 95
		b.Tail = packets.Bits{Len: bits, Data: make([]byte, (bits+7)/8)}
		for j := range b.Tail.Data {
			b.Tail.Data[j] = byte(r.Uint32())
		}
		b.Tail.Data[bits/8] &= 1<<(bits%8) - 1
		where := r.IntN(2)
		if where == 1 {
			rest := b.Tail.Data[:bits/8]
			b.Tail = packets.Bits{}
			b.Sections[1].Regions = []packets.Region{contMan(&packets.UseOnMore{Player: p.s().ID(), Target: foe, Rest: rest})}
		}
		if frame, err := packets.AppendClient(nil, b, p.dialect, 0, 0); err != nil || len(frame) != 0x2C {
			t.Fatalf("%d bytes, %v", len(frame), err)
		}
		p.got = nil
		p.say(b)
		if got := p.atOnce(); len(got) != p.releases() || len(commandsOf[*packets.ReleaseUse](got)) != p.releases() {
			t.Fatalf("tail %d % X is answered by %d frames", i, b.Tail.Data, len(got))
		}
		struck[where] += len(commandsOfType[*packets.ChangeObjectHP](p.told()))
	}
	if struck[0] == 0 || struck[1] == 0 || p.closed {
		t.Errorf("%d blows counted, closed %v", struck, p.closed)
	}
}

// The dead are answered though they do not say where they are, and do nothing; then they live again elsewhere.
func TestCheck28DeathAndRevival(t *testing.T) {
	t.Parallel()
	g := newStage(t, sharp)
	p := g.fighter()
	own, hp := p.s().ID(), int32(110)
	var death *packets.Body
	var atOnce int // answers to the dead with the blow
	for range 20 { // with its own sword
		p.say(p.blow(own))
		g.pass(150 * time.Millisecond)
		frames := p.frames()
		atOnce = len(regionsOf[*packets.PositionStream](frames))
		for _, b := range toldIn(frames) {
			for _, m := range regionsOf[*packets.ReceiveHit]([]*packets.Frame{{Body: b}}) {
				if m.Source != uint16(own) {
					t.Errorf("X6: struck by %+v", m)
				}
				if m.Flags == packets.HitKills {
					death = b
				} else if hp += m.HP; m.HP < -18 || m.HP > -10 {
					t.Errorf("X6: a blow at oneself does %d", m.HP)
				}
			}
			for _, m := range regionsOf[*packets.SetStat]([]*packets.Frame{{Body: b}}) {
				if m.Stat == packets.StatHP && death == nil && m.Value != hp {
					t.Errorf("HP are told as %d, the hits leave %d", m.Value, hp)
				}
			}
		}
		if death != nil {
			break
		}
		g.pass(1500 * time.Millisecond)
		p.ping(emptyArea)
		for _, f := range p.frames() { // regeneration
			for _, m := range regionsOf[*packets.SetStat]([]*packets.Frame{f}) {
				if m.Stat == packets.StatHP {
					hp = m.Value
				}
			}
		}
	}
	if death == nil {
		t.Fatal("nobody dies of twenty blows")
	}
	if got := kinds(death); !slices.Equal(got, []string{"ReceiveHit"}) {
		t.Errorf("dies by %v", got)
	}
	for _, c := range []packets.Region{manager(&packets.FistBlow{Target: own}), manager(&packets.PickUp{Item: 1}),
		contMan(&packets.MoveSlot{Player: own, From: 26, To: 30})} {
		p.say(p.own(c))
	}
	if told := p.told(); len(told) != 3*p.releases() || len(commandsOfType[*packets.ReleaseUse](told)) != len(told) {
		t.Errorf("the dead are told %v", told)
	}
	var pongs []int // when the dead are answered, in tenths of a second
	place := coords.Position{}
	for tenth := range 60 {
		g.pass(100 * time.Millisecond)
		for _, f := range p.frames() {
			if f.Body == nil {
				continue
			}
			for range regionsOf[*packets.PositionStream]([]*packets.Frame{f}) {
				pongs = append(pongs, tenth+1)
			}
			if set := commandsOf[*packets.SetCoordinates]([]*packets.Frame{f}); len(set) > 0 {
				place = coords.Position{X: set[0].X, Y: set[0].Y, Z: set[0].Z}
				if got := kinds(f.Body); !slices.Equal(got, []string{"SetCoordinates", "SetStat HP", "ReceiveHit"}) {
					t.Errorf("lives again by %v", got)
				}
			}
		}
		if place != (coords.Position{}) {
			break
		}
	}
	want := content.Revival(emptyArea, rules.KarmaBad) // for it has killed itself
	if want.Yaw = 0; place != want {
		t.Errorf("lives again at %v, expected %v", place, want)
	}
	// At once, and after two and four seconds, of which three tenths had gone. Source: protocol fight 8.1.
	if atOnce != 1 || len(pongs) != 2 || pongs[0] < 16 || pongs[0] > 19 || pongs[1] < 36 || pongs[1] > 39 {
		t.Errorf("the dead are answered %d times at once, and then after %v tenths of a second", atOnce, pongs)
	}
	g.pass(5 * time.Second)
	if n := len(regionsOf[*packets.PositionStream](p.frames())); n != 0 {
		t.Errorf("%d answers to nothing in life", n)
	}
}
