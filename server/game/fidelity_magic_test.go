package game

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/ground"
	"sphereserver/world/rules"
)

// Groups of recordings in which nobody was recorded to ask for what was told: monsters in sight, their shots and steps,
// kills, effects. In ours the same is made to happen.

// shooter is a type of monsters from which something flies that was recorded.
const shooter = 1022

// monsterShoots waits for a blow behind which something flies.
func monsterShoots(t *testing.T, _ []packets.Section) ([]packets.Section, *possessor) {
	g := newStage(t, func(o *Options) { sharp(o); o.Dialect = packets.Dialect2022 })
	p := g.fighter()
	at := emptyArea
	at.X += 2
	g.server.world.Do(world.Summon{Type: shooter, Level: 1, At: at})
	g.pass(time.Second)
	return p.bodyWith(t, 20*time.Second, has("FlyingWeapon")), p
}

// killTeaches is the body of a kill that brings experience and leaves a bag.
func killTeaches(t *testing.T, _ []packets.Section) ([]packets.Section, *possessor) {
	g := newStage(t, func(o *Options) {
		sharp(o)
		o.Dialect, o.World.Balance.Experience.Factor = packets.Dialect2022, 100
	})
	p := g.living(func(n *data.NewCharacter) {
		n.TitleLevel, n.DegreeLevel, n.HP, n.Items = 29, 29, 1000, []rules.Item{sword(26)}
	})
	p.asks(manager(&packets.TakeInHand{Item: p.item(26)}))
	at := emptyArea
	at.X += 2
	g.server.world.Do(world.Summon{Type: 1000, Level: 1, At: at})
	g.pass(300 * time.Millisecond)
	for range 20 {
		p.say(p.blow(packets.ObjectID(p.foe().ID)))
		for _, b := range p.told() {
			if has("Dies")(kinds(b)) {
				return b.Sections, p
			}
		}
		g.pass(1500 * time.Millisecond)
	}
	t.Error("it does not die")
	return nil, p
}

func bagOfKill(t *testing.T, recorded []packets.Section) ([]packets.Section, *possessor) {
	all, p := killTeaches(t, recorded)
	return all[max(len(all)-1, 0):], p
}

// monstersIn are the monsters of a body that come into sight. Recorded ones were mostly in the state in which things
// lie, as ours always are.
func monstersIn(sections []packets.Section) (out []packets.Section) {
	for _, s := range sections {
		spawn, ok := firstRegion[*packets.SpawnSnapshot](s)
		if !ok || s.Class != packets.ClassMonster && s.Class != packets.Class(rules.ClassFlyer) {
			continue
		}
		lying := *spawn
		lying.Placement = packets.Lying
		s.Regions = slices.Clone(s.Regions)
		s.Regions[0] = &lying
		out = append(out, s)
	}
	return out
}

// firstRegion is the region with which a section begins, if it is of a type.
func firstRegion[R packets.Region](s packets.Section) (r R, ok bool) {
	if len(s.Regions) > 0 {
		r, ok = s.Regions[0].(R)
	}
	return r, ok
}

// comeIntoView makes monsters of the recorded types, levels, names and places come into sight.
func comeIntoView(t *testing.T, recorded []packets.Section) (seen []packets.Section, p *possessor) {
	var kinds recordedTrade // with the HP that were recorded: the law of HP has tests of its own
	for _, s := range recorded {
		m, _ := firstRegion[*packets.SpawnSnapshot](s)
		row := rules.Monster{ID: int(m.C), Class: int(s.Class), High: 59}
		for row.MaxHP(int(m.D)%1000+1, len(s.Regions) > 1) < int(m.A) {
			row.HPBase++
		}
		if !slices.ContainsFunc(kinds.monsters, func(k rules.Monster) bool { return k.ID == row.ID }) {
			kinds.monsters = append(kinds.monsters, row)
		}
	}
	tables, err := kinds.tables(nil)
	if err != nil {
		t.Fatal(err)
	}
	g := newStage(t, func(o *Options) {
		sharp(o)
		o.Dialect, o.World.Tables, o.World.Ground = packets.Dialect2022, tables, ground.New(nil)
	})
	p = g.possessing(0)
	for i, s := range recorded {
		m, _ := firstRegion[*packets.SpawnSnapshot](s)
		at := coords.Position{X: m.X, Y: m.Y, Z: m.Z, Yaw: m.Angle.Radians()}
		if i == 0 {
			away := at
			away.X += 30
			g.server.world.Do(world.Teleport{ID: p.pid(), To: away})
			g.pass(time.Second)
			p.frames()
		}
		if s.Class != packets.ClassMonster {
			at.Y -= float32(g.server.world.Balance().Mind.FlyHeight)
		}
		g.server.world.Do(world.Summon{Type: int(m.C), Level: int(m.D)%1000 + 1, Named: len(s.Regions) > 1, At: at})
		g.pass(50 * time.Millisecond)
	}
	for _, f := range p.frames() {
		if f.Body != nil {
			seen = append(seen, monstersIn(f.Body.Sections)...)
		}
	}
	return seen, p
}

// magical is the world of recorded effects: things that do what was recorded, in slots from the first, and a player of
// many HP and MP of which few are left.
func magical(t *testing.T, class packets.Class, change ...func(*rules.Kind)) *possessor {
	const gameID = 16000
	var goods []rules.Offer
	var things []rules.Item
	for i, c := range change {
		k := article(int(class), gameID+i, 1)
		k.Chance = 1000
		c(k)
		goods = append(goods, rules.Offer{Kind: k})
		thing := magicThing(class, gameID+i, 601)
		thing.Slot += i
		things = append(things, thing)
	}
	tables, err := (&recordedTrade{goods: goods}).tables(nil)
	if err != nil {
		t.Fatal(err)
	}
	g := newStage(t, func(o *Options) { crowded(o); o.Dialect, o.World.Tables = packets.Dialect2022, tables })
	return g.living(func(n *data.NewCharacter) {
		n.TitleLevel, n.DegreeLevel, n.HP, n.MP, n.Items = 59, 59, 100, 100, things
	})
}

// use uses the thing in a slot on oneself, and returns all that is told then.
func (p *possessor) use(slot int, class packets.Class) (out []packets.Section) {
	bodies, _ := p.answers(packets.Message(0, p.item(slot), class, contMan(&packets.Use{Player: p.s().ID()})))
	for _, b := range bodies {
		out = append(out, b.Sections...)
	}
	return out
}

func heals(t *testing.T, recorded []packets.Section) (out []packets.Section, p *possessor) {
	hit, _ := firstRegion[*packets.ReceiveHit](recorded[0])
	p = magical(t, mantraClass, func(k *rules.Kind) { k.Magic, k.MPEffect = int(hit.HP), int(hit.MP) })
	for _, s := range p.use(27, mantraClass) {
		if _, ok := firstRegion[*packets.ReceiveHit](s); ok {
			return []packets.Section{s}, p
		}
	}
	t.Error("nobody is healed")
	return nil, p
}

// virus is the object of an effect among sections.
func virus(sections []packets.Section) []packets.Section {
	return slices.DeleteFunc(slices.Clone(sections), func(s packets.Section) bool { return s.Class != packets.ClassVirus })
}

func effectBegins(t *testing.T, recorded []packets.Section) ([]packets.Section, *possessor) {
	p := magical(t, packets.ClassPowder, func(k *rules.Kind) {
		for _, r := range recorded[0].Regions {
			if m, ok := r.(*packets.Mutator); ok {
				k.EffectKey, k.Tier = m.Icon, int(m.Tier)
				b := &k.Bonus
				for i, v := range [...]*int{&b.HP, &b.MP, &b.Attack, &b.PhysicalDefence, &b.MagicalDefence} {
					*v = int(m.Modifiers[i])
				}
			} else if c, ok := packets.CommandOf(r); ok {
				if timer, ok := c.(*packets.MutatorTimer); ok {
					k.Effect, k.EffectLength = int(timer.Mutator), int(timer.Length)
				}
			}
		}
	})
	return virus(p.use(27, packets.ClassPowder)), p
}

func cleanses(t *testing.T, _ []packets.Section) ([]packets.Section, *possessor) {
	p := magical(t, packets.ClassPowder,
		func(k *rules.Kind) { k.EffectKey, k.Effect, k.EffectLength = "msrm", 1024, 101 },
		func(k *rules.Kind) { k.EffectKey, k.Effect, k.EffectLength = "mgss", 856, 2 })
	p.use(28, packets.ClassPowder)
	p.g.pass(time.Second)
	return p.use(27, packets.ClassPowder), p
}

// stepRows are bodies about what moves.
var stepRows = []int{737, 738, 739, 740, 741, 742, 743, 744, 745, 746, 747, 748, 749, 751, 752, 753, 754, 755, 756, 757,
	785, 788, 798, 799}

// stepsIn are the sorts of sections of a body about what moves, each once: of its monsters, and of all else that
// it says of others.
func stepsIn(b *packets.Body) (sorts []string) {
	for _, s := range b.Sections {
		if s.Class == packets.ClassLootBag || s.Class == packets.ClassVirus || s.Class == packets.ClassPlayer {
			continue // things that have not moved, and the answer to where the player itself is
		}
		sort := fmt.Sprint(s.Class, kinds(&packets.Body{Sections: []packets.Section{s}}), " from the viewer: ", b.HasOrigin)
		if !slices.Contains(sorts, sort) {
			sorts = append(sorts, sort)
		}
	}
	return sorts
}

// stepsAreThoseOfRecordings compares how monsters walk, and returns the row of the page about it.
func stepsAreThoseOfRecordings(t *testing.T) string {
	g := newStage(t, func(o *Options) { sharp(o); o.Dialect = packets.Dialect2022 })
	p := g.possessing(0)
	for _, far := range []float32{6, 7} {
		at := emptyArea
		at.X += far
		g.server.world.Do(world.Summon{Type: 1000, Level: 1, At: at})
	}
	var ours []string
	several := false
	for range 50 {
		g.pass(100 * time.Millisecond)
		p.ping(emptyArea)
		for _, f := range p.frames() {
			if f.Body != nil && f.Body.HasOrigin && len(stepsIn(f.Body)) > 0 {
				several = several || len(f.Body.Sections) > 1
				ours = append(ours, stepsIn(f.Body)...)
			}
		}
	}
	slices.Sort(ours)
	if ours = slices.Compact(ours); len(ours) != 1 || !several {
		t.Errorf("steps are told as %q, several in one body: %v", ours, several)
	}
	n := 0
	for _, f := range originals(t) {
		if slices.Contains(stepRows, f.row) {
			n++
			if was := stepsIn(f.body); !slices.Equal(was, ours) {
				t.Errorf("row %d: steps were told as %q, ours as %q", f.row, was, ours)
			}
		}
	}
	if n != len(stepRows) {
		t.Errorf("%d bodies with steps are recorded, expected %d", n, len(stepRows))
	}
	return fmt.Sprintf("| monsters walk | X23 | %d | Where they are. Recorded bodies also told of bags that lay still, and "+
		"held the answer to the client's position; ours tell of what moves, and the answer comes at once. |\n", n)
}
