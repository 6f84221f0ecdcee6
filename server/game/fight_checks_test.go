package game

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/server/session"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// both runs a test for clients of either generation.
func both(t *testing.T, test func(t *testing.T, g *stage)) {
	for name, d := range map[string]packets.Dialect{"2022": packets.Dialect2022, "2026": packets.Dialect2026} {
		t.Run(name, func(t *testing.T) {
			test(t, newStage(t, func(o *Options) {
				sharp(o)
				o.Dialect, o.Timeouts.Silence = d, time.Hour
			}))
		})
	}
}

// answers returns the answers to a request, but for the acts of the monster meanwhile.
func (p *possessor) answers(b *packets.Body) (bodies []*packets.Body, told [][]string) {
	p.g.t.Helper()
	p.told()
	p.say(b)
	for _, b := range p.told() {
		if k := kinds(b); !slices.Contains(k, "Attack") && !slices.Equal(k, []string{"SetStat HP"}) {
			bodies, told = append(bodies, b), append(told, k)
		}
	}
	return bodies, told
}

// freed takes the release of the lock off the messages, and reports whether it was there as it should: clients of 2026
// wait for it, others know none.
func (p *possessor) freed(told [][]string) (rest [][]string, ok bool) {
	release := len(told) > 0 && slices.Equal(told[0], []string{"ReleaseUse"})
	if release {
		told = told[1:]
	}
	return told, release == (p.dialect == packets.Dialect2026)
}

// releases is how often a locking request frees a client: clients before 2026 know no such message.
func releases(d packets.Dialect) int {
	if d == packets.Dialect2026 {
		return 1
	}
	return 0
}

func (p *possessor) releases() int { return releases(p.dialect) }

// released reports whether the lock is released and nothing else is told.
func (p *possessor) released(told [][]string) bool {
	rest, ok := p.freed(told)
	return ok && len(rest) == 0
}

// A blow too soon after another does nothing, and one from too far away does no damage: the HP that are told
// afterwards are left by the other blows.
func TestChecks9And10BlowsTooSoonAndTooFar(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, g *stage) {
		p := g.fighter()
		g.beast(6)
		foe, sum, hits := packets.ObjectID(p.foe().ID), 0, 0
		hit := func() {
			t.Helper()
			g.pass(1200 * time.Millisecond)
			bodies, told := p.answers(p.blow(foe))
			hurt, absolute := commandsOfType[*packets.ChangeObjectHP](bodies), commandsOfType[*packets.ObjectHP](bodies)
			if _, ok := p.freed(told); len(hurt) != 1 || !ok {
				t.Fatalf("a blow is answered by %v", told)
			}
			sum += packets.HPBias - int(hurt[0].Change)
			if hits++; len(absolute) != 1-hits%2 || len(absolute) == 1 && int(absolute[0].HP) != int(absolute[0].MaxHP)-sum {
				t.Fatalf("blow %d, %d lost: the HP are told as %+v", hits, sum, absolute)
			}
		}
		hit()
		for range 3 { // the third one 600 ms after the blow that counted
			if _, told := p.answers(p.blow(foe)); !p.released(told) {
				t.Errorf("check 9: a blow too soon is answered by %v", told)
			}
		}
		hit()
		g.pass(1200 * time.Millisecond)
		far := emptyArea
		far.X -= 30
		p.goTo(far)
		bodies, told := p.answers(p.blow(foe))
		hurt := commandsOfType[*packets.ChangeObjectHP](bodies)
		rest, ok := p.freed(told)
		if !ok || len(rest) != 1 || len(hurt) != 1 || hurt[0].Change != packets.HPBias || len(rest[0]) != 1 {
			t.Errorf("check 10: a blow from 30 m is answered by %v, %+v", told, hurt)
		}
		p.goTo(emptyArea)
		hit()
		hit()
	})
}

// A click on a target that is dead or out of reach has 25 bytes and begins as the protocol's page says.
func TestCheck8AClickIsNoBlow(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, g *stage) {
		p := g.fighter()
		g.beast(1)
		click := p.own(manager(&packets.TakeInHand{Item: packets.ObjectID(p.foe().ID)}),
			manager(&packets.Animation{Number: 9}))
		f := packets.Frame{Direction: packets.FromClient, Channel: packets.ChannelGameplay, Body: click}
		plain, err := f.Append(nil, p.dialect)
		if err != nil || len(plain) != 0x19 || !slices.Equal(plain[13:16], []byte{0x08, 0x40, 0x83}) {
			t.Fatalf("% X, %v", plain, err)
		}
		if _, told := p.answers(click); !p.released(told) {
			t.Errorf("a click is answered by %v", told)
		}
	})
}

// A client of ours strikes at targets that exist and at targets that do not. The answer to the first blow
// that counts comes after all answers to messages before it, so those have no other answer.
func TestChecks5To10OverTheWire(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]packets.Dialect{"2022": packets.Dialect2022, "2026": packets.Dialect2026} {
		t.Run(name, bubble(func(t *testing.T) {
			h := newHouseWith(t, inMemory, func(o *Options) {
				sharp(o)
				o.Start, o.Dialect, o.World.Balance.Blow.UseSlack = emptyArea, d, 0.2
			})
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			var heard []*packets.Body
			c := h.enterAs(ctx, "anna", bot.Options{Dialect: d, OnFrame: func(f *packets.Frame) {
				if f.Body != nil {
					heard = append(heard, f.Body)
				}
			}})
			until := func(what string, so func() bool) {
				t.Helper()
				if err := c.Until(ctx, so); err != nil {
					t.Fatalf("%s: %v", what, err)
				}
			}
			do := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			sword, foe := c.Slots[bot.FirstInventorySlot].Item, packets.NoObject
			do(c.Take(sword))
			at := emptyArea
			at.X += 2
			h.server.world.Do(world.Summon{Type: weakling, Level: 6, At: at})
			until("the monster is shown", func() bool {
				for id, o := range c.Objects {
					if o.Monster != nil {
						foe = id
					}
				}
				return foe != packets.NoObject && !c.Waits()
			})
			most := c.Objects[foe].Monster.MaxHP
			heard = nil
			own := func(commands ...packets.Command) *packets.Body {
				b := packets.Message(0, c.ID(), packets.ClassPlayer)
				for _, k := range commands {
					b.Sections[0].Regions = append(b.Sections[0].Regions, manager(k))
				}
				return b
			}
			hits := func() []*packets.ChangeObjectHP { return commandsOfType[*packets.ChangeObjectHP](heard) }
			nothing := []*packets.Body{own(&packets.TakeInHand{Item: foe}, &packets.Animation{Number: 9}),
				own(&packets.Animation{Number: 0x17}, &packets.FistBlow{Target: 0x1E3C})}
			for _, id := range []packets.ObjectID{0, 0xFFFF, 0xFFFFFF, 0x1E3C} {
				nothing = append(nothing, &packets.Body{Sections: []packets.Section{
					{Object: c.ID(), Class: packets.ClassPlayer, Regions: []packets.Region{manager(&packets.Animation{Number: 10})}},
					{Object: sword, Class: packets.ClassStartSword, Regions: []packets.Region{contMan(&packets.UseOn{Player: c.ID(),
						Target: id})}}}})
			}
			for _, b := range nothing {
				do(c.Send(b))
			}
			do(c.Strike(foe))
			do(c.Strike(foe)) // too soon
			until("a blow is answered", func() bool { return len(hits()) > 0 })
			do(c.Idle(ctx, 400*time.Millisecond))
			do(c.Strike(foe))
			until("another is", func() bool { return len(commandsOfType[*packets.ObjectHP](heard)) > 0 })
			freed := len(commandsOfType[*packets.ReleaseUse](heard))
			if n := len(hits()); n != 2 || freed != (len(nothing)+3)*releases(d) {
				t.Fatalf("%d blows are told, %d releases", n, freed)
			}
			sum := 0
			for _, h := range hits() {
				damage := packets.HPBias - int(h.Change)
				if sum += damage; damage < 10 || damage > 18 || h.Attacker != c.ID() {
					t.Errorf("a blow does %d: %+v", damage, h)
				}
			}
			if is := commandsOfType[*packets.ObjectHP](heard)[0]; int(is.HP) != most-sum || int(is.MaxHP) != most {
				t.Errorf("after %d of %d the HP are told as %+v", sum, most, is)
			}
			for _, b := range heard {
				for _, k := range kinds(b) {
					if k == "SystemText" || k == "SystemMessage" {
						t.Errorf("it is said in words: %v", kinds(b))
					}
				}
			}
			far := emptyArea
			far.X -= 30
			h.server.world.Do(world.Teleport{ID: world.PlayerID(c.Index), To: far})
			until("it is elsewhere", func() bool { return c.Position.X == far.X })
			do(c.Idle(ctx, 400*time.Millisecond))
			heard = nil
			do(c.Strike(foe))
			until("a blow from afar is answered", func() bool { return len(hits()) > 0 })
			if h := hits()[0]; h.Change != packets.HPBias {
				t.Errorf("a blow from afar does %d", packets.HPBias-int(h.Change))
			}
			if v := c.Violations(); len(v) > 0 {
				t.Errorf("the client stumbles: %v", v)
			}
		}))
	}
}

const mantraClass packets.Class = 1000

// magician is a player that may use all of its items, and has lost HP.
func (g *stage) magician(hp int, things ...rules.Item) *possessor {
	g.t.Helper()
	return g.living(func(n *data.NewCharacter) {
		n.TitleLevel, n.DegreeLevel, n.HP, n.MP, n.Items = 29, 29, hp, 100, things
		for i := range n.Progress.Base {
			n.Progress.Base[i] = 100
		}
	})
}

func magicThing(class packets.Class, id, count int) rules.Item {
	return rules.Item{Slot: 27, Class: int(class), GameID: id, Suffix: -1, Count: count, Durability: 100,
		MaxDurability: 100, Weight: 1}
}

// statsIn are the last values of the own character that bodies tell.
func statsIn(bodies []*packets.Body) map[packets.Stat]int32 {
	out := map[packets.Stat]int32{}
	for _, b := range bodies {
		for _, s := range regionsOf[*packets.SetStat]([]*packets.Frame{{Body: b}}) {
			out[s.Stat] = s.Value
		}
	}
	return out
}

func TestCheck35APowderFromRequestToEnd(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, g *stage) {
		p := g.magician(500, magicThing(packets.ClassPowder, 501, 3))
		powder, me := p.item(27), p.s().ID()
		bodies, told := p.answers(packets.Message(0, powder, packets.ClassPowder, contMan(&packets.Use{Player: me})))
		if rest, ok := p.freed(told); !ok || len(rest) < 1 {
			t.Fatalf("told %v", told)
		}
		if v := statsIn(bodies); v[packets.StatPhysicalDefence] != 15 {
			t.Errorf("values %v", v)
		}
		if n := commandsOfType[*packets.StackCount](bodies); len(n) != 1 || n[0].Count != 2 {
			t.Errorf("left are %+v", n)
		}
		filled, timer := commandsOfType[*packets.FillSlot](bodies), commandsOfType[*packets.MutatorTimer](bodies)
		if len(timer) != 1 || *timer[0] != (packets.MutatorTimer{Mutator: 901, Length: 3, Seconds: 900, Caster: uint16(me)}) {
			t.Errorf("its time is %+v", timer)
		}
		if len(filled) != 1 || filled[0].Slot != rules.SlotMutators {
			t.Fatalf("it is in %+v", filled)
		}
		whole := regionsOf[*packets.Mutator]([]*packets.Frame{{Body: bodies[slices.IndexFunc(bodies,
			func(b *packets.Body) bool {
				return about(b, filled[0].Item)
			})]}})
		if len(whole) != 1 || whole[0].Modifiers != [14]int32{3: 15} || whole[0].Icon != "mgss" || whole[0].Group != 260 ||
			whole[0].Kind != 0 {
			t.Errorf("F16 is %+v", *whole[0])
		}
		ends := func(d time.Duration) (bodies []*packets.Body) {
			g.pass(d)
			for _, b := range p.told() {
				if about(b, filled[0].Item) {
					bodies = append(bodies, b)
				}
			}
			return bodies
		}
		if b := ends(899 * time.Second); len(b) != 0 {
			t.Errorf("something is told of it before its time: %v", kinds(b[0]))
		}
		g.pass(2 * time.Second)
		var end []string
		defence := int32(-1)
		for _, b := range p.told() {
			if about(b, filled[0].Item) {
				end = append(end, kinds(b)...)
			}
			if v, changed := statsIn([]*packets.Body{b})[packets.StatPhysicalDefence]; changed {
				defence = v
			}
		}
		if want := []string{"TransformState", "LeaveContainer", "ClearSlot",
			"removal"}; !slices.Equal(end[:min(4, len(end))], want) || defence != 0 {
			t.Errorf("F17 is %v, the defence %d", end, defence)
		}
	})
}

func TestCheck36AMantraFromRequestToHealing(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct{ hp, gains int }{"all of it": {500, 540}, "what is missing": {0, 100}} {
		t.Run(what, func(t *testing.T) {
			both(t, func(t *testing.T, g *stage) {
				most := rules.MaxHP(29, 29) + rules.MaxHP(29, 29)/10 // by satiety 50
				hp := c.hp
				if hp == 0 {
					hp = most - c.gains
				}
				p := g.magician(hp, magicThing(mantraClass, 2323, 1))
				mantra, me := p.item(27), p.s().ID()
				bodies, told := p.answers(packets.Message(0, mantra, mantraClass, contMan(&packets.Use{Player: me})))
				if rest, ok := p.freed(told); !ok || len(rest) < 1 {
					t.Fatalf("told %v", told)
				}
				if v := statsIn(bodies); v[packets.StatMP] != 100-32 {
					t.Errorf("values %v", v)
				}
				var healing *packets.Body
				for _, b := range bodies {
					if slices.Contains(kinds(b), "ReceiveHit") {
						healing = b
					}
				}
				if healing == nil {
					t.Fatalf("nobody is healed: %v", told)
				}
				hit := regionsOf[*packets.ReceiveHit]([]*packets.Frame{{Body: healing}})[0]
				if *hit != (packets.ReceiveHit{Source: uint16(me), HP: int32(c.gains)}) {
					t.Errorf("healed by %+v", hit)
				}
				if k := kinds(healing); !slices.Equal(k, []string{"ReceiveHit", "FillSlot", "ClearSlot"}) {
					t.Errorf("F18 is %v", k)
				}
			})
		})
	}
}

// snapshotOf is a player as the world has published it.
func (g *stage) snapshotOf(p *possessor) world.PlayerView {
	g.t.Helper()
	all := g.server.World().Players
	i := slices.IndexFunc(all, func(v world.PlayerView) bool { return v.ID == p.pid() })
	if i < 0 {
		g.t.Fatal("not in the world")
	}
	return all[i]
}

// A duel of a thousand blows: the sums of the victims' clients, and of all others, are the server's.
func TestCheck38AThousandBlowsAmongPlayers(t *testing.T) {
	t.Parallel()
	const blows = 1000
	g := newStage(t, func(o *Options) {
		sharp(o)
		o.Timeouts.Silence = time.Hour
		o.World.Balance.Blow.UseSlack, o.World.Balance.Damage.Players = 0, 0.3
	})
	level := func(n *data.NewCharacter) {
		n.TitleLevel, n.DegreeLevel, n.HP, n.Items = 59, 59, 4000, []rules.Item{sword(26)}
		n.Satiety = 0 // so that HP do not come back by themselves
	}
	p, q, other := g.living(level), g.living(level), g.living(level)
	all := []*possessor{p, q, other}
	type knows struct {
		own    int32
		others map[packets.ObjectID]int32
	}
	client := map[*possessor]*knows{}
	for _, c := range all {
		c.asks(manager(&packets.TakeInHand{Item: c.item(26)}))
		client[c] = &knows{others: map[packets.ObjectID]int32{}}
	}
	g.pass(time.Second)
	for _, c := range all {
		c.frames()
		client[c].own = int32(g.snapshotOf(c).Pools.HP)
	}
	hits, deaths := 0, 0
	look := func() {
		g.pass(session.WheelPeriod)
		for _, c := range all {
			k := client[c]
			for _, f := range c.frames() {
				if f.Body == nil {
					continue
				}
				for _, s := range f.Body.Sections {
					for _, r := range s.Regions {
						switch m := r.(type) {
						case *packets.ReceiveHit:
							if m.Flags == packets.HitKills {
								deaths++
							} else if hits++; m.HP >= 0 || m.Source != uint16(p.s().ID()) && m.Source != uint16(q.s().ID()) {
								t.Fatalf("hit by %+v", m)
							}
							k.own = max(k.own+m.HP, 0)
						case *packets.SetStat:
							if s.Object == c.s().ID() && m.Stat == packets.StatHP {
								k.own = m.Value
							}
						case *packets.TradeMan:
							if n, ok := m.Command.(*packets.NameplateStat); ok && n.Stat == packets.StatHP {
								k.others[s.Object] = int32(n.Value)
							}
						}
					}
				}
			}
		}
	}
	for i := range blows {
		from, to := p, q
		if i%2 > 0 {
			from, to = q, p
		}
		from.say(from.blow(to.s().ID()))
		look()
	}
	g.pass(1100 * time.Millisecond) // until it is in the snapshot
	look()
	for _, c := range []*possessor{p, q} {
		is := int32(g.snapshotOf(c).Pools.HP)
		if k := client[c]; k.own != is {
			t.Errorf("the server has %d HP, the client %d", is, k.own)
		}
		for _, o := range all {
			if o != c && client[o].others[c.s().ID()] != is {
				t.Errorf("the server has %d HP, another client %d", is, client[o].others[c.s().ID()])
			}
		}
	}
	if hits < blows*9/10 || deaths > 0 {
		t.Errorf("%d of %d blows have hit, %d deaths", hits, blows, deaths)
	}
}

// Killer and bystander reach into a bag at once. One of them gets a thing, and is told so when it is stored.
func TestCheck39KillerAndBystanderTakeAtOnce(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, g *stage) {
		p, q := g.fighter(), g.possessing(0)
		g.beast(1)
		foe := packets.ObjectID(p.foe().ID)
		for range 10 {
			p.say(p.blow(foe))
			g.pass(1500 * time.Millisecond)
		}
		g.pass(time.Minute)
		p.told()
		q.told()
		type taker struct {
			*possessor
			bag, thing packets.ObjectID
		}
		takers := []*taker{{possessor: p}, {possessor: q}}
		for _, k := range takers {
			k.bag = k.ground(view.GroundBagEntry)
			k.say(packets.Message(0, k.bag, packets.ClassLootBag, contMan(&packets.Use{Player: k.s().ID()})))
			for _, f := range commandsOfType[*packets.FillSlot](k.told()) {
				k.thing = f.Item
			}
			if k.thing == 0 {
				t.Fatal("nothing is in the bag")
			}
		}
		before, err := g.store.Lying(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		slow := &slowStore{Store: g.store, release: make(chan struct{})}
		g.server.store, g.hasty = slow, true
		for _, k := range takers {
			k.say(k.own(manager(&packets.PickUp{Item: uint32(k.thing)})))
		}
		g.until("the store is asked", func() bool { return slow.asked.Load() > 0 })
		for i, k := range takers {
			if n := len(commandsOfType[*packets.PutInto](k.told())); n > 0 {
				t.Errorf("%d is told of a thing that is not stored", i)
			}
		}
		close(slow.release)
		g.hasty = false
		g.pass(time.Second)
		told, owned := 0, 0
		for _, k := range takers {
			n := 0
			for _, m := range commandsOfType[*packets.PutInto](k.told()) {
				if m.Parent == k.s().ID() {
					n++
				}
			}
			items, err := g.store.Items(t.Context(), k.s().Character().ID)
			if err != nil {
				t.Fatal(err)
			}
			has := len(slices.DeleteFunc(items, func(i rules.Item) bool { return i.Class == int(packets.ClassStartSword) }))
			if n != has {
				t.Errorf("told of %d things, stored are %d", n, has)
			}
			told, owned = told+n, owned+has
		}
		after, err := g.store.Lying(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if told != 1 || owned != 1 || len(after) != len(before)-1 && len(after) != 0 {
			t.Errorf("%d told, %d stored; of %d on the ground %d are left", told, owned, len(before), len(after))
		}
	})
}

// A server knows the ground that players have taught the one before it on its store: also the steps right before the
// stop.
func TestLearnedGroundSurvivesARestart(t *testing.T) { bubble(learnedGroundSurvives)(t) }

func learnedGroundSurvives(t *testing.T) {
	h := newHouseWith(t, inMemory, func(o *Options) { o.Start = emptyArea })
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := h.enterAs(ctx, "anna", bot.Options{PingEvery: 100 * time.Millisecond, Speed: 8})
	to := emptyArea
	to.X, to.Y = to.X+30, to.Y+3
	known := func(s *Server, at coords.Position) float32 {
		y, _ := s.options.World.Ground.Height(at, nil)
		return y
	}
	if y := known(h.server, to); y != 0 {
		t.Fatalf("the ground is at %v before anybody has been there", y)
	}
	if err := c.Walk(ctx, to); err != nil {
		t.Fatal(err)
	}
	for c.Position.Distance(to) > 0.1 {
		if err := c.Idle(ctx, 100*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if err := h.server.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	o := h.server.options
	o.World.Ground, o.Listener = nil, nil // of the store; nobody comes
	next, err := New(o, h.store)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- next.Serve() }()
	learned := h.server.options.World.Ground
	for _, part := range []float32{0, 0.3, 0.6, 1} {
		at := emptyArea
		at.X, at.Y = at.X+30*part, at.Y+3*part
		y, ok := learned.Height(at, nil)
		if is := known(next, at); !ok || math.Abs(float64(is-y)) > 0.006 || is < at.Y-0.5 || is > at.Y+0.5 {
			t.Errorf("%v m from the beginning the ground is at %v, was at %v (%v)", 30*part, is, y, ok)
		}
	}
	if err := next.Stop(ctx); err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}
