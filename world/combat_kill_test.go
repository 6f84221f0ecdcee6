package world

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sphereserver/world/rules"
)

func TestBlowsOfLongAgoTeachNothing(t *testing.T) {
	m := newFight(Options{})
	p, b := m.fighter(t, 1, 0, 0), m.beast(mTarget, 1, 1)
	b.MaxHP, b.HP = 6400, 6400
	hit := func(school rules.School) { m.does(deedOf(func(w *World) { w.minds.addThreat(b, p, 5, school) })) }
	taught := func() rules.School {
		_, all := m.combat.contributors(b, nil)
		if len(all) != 1 {
			t.Fatalf("%d have a part", len(all))
		}
		return all[0].Career
	}
	for range 5 {
		hit(rules.Magical)
	}
	m.pass(40 * time.Second)
	hit(rules.Physical)
	hit(rules.Physical)
	if taught() != rules.Magical {
		t.Error("five blows of 40 s ago count less than two")
	}
	m.pass(31 * time.Second)
	hit(rules.Magical)
	if taught() != rules.Physical {
		t.Error("blows of 71 s ago count")
	}
	m.balance.Experience.MostHitsTime = 20 * time.Second
	if taught() != rules.Magical {
		t.Error("blows of 31 s ago count within 20 s")
	}
}

func TestCheck11And12Kill(t *testing.T) {
	m := newFight(Options{})
	p, q := m.fighter(t, 1, 0, 0), m.fighter(t, 2, 0, 0)
	b := m.beast(mRich, 1, 1)
	var events []Event
	for range 10 {
		if events = m.asks(t, p.blowAt(b.object.ID)); b.dying {
			break
		}
		m.pass(1500 * time.Millisecond)
	}
	e := only[*MonsterDied](t, events)
	if e.ID != b.object.ID || e.At != b.object.Position || e.Killer != 1 || len(e.Viewers) != 2 || e.Bag == nil ||
		len(e.Gains) != 1 {
		t.Fatalf("told %+v", *e)
	}
	if p.Tally != (rules.Tally{Kills: 1}) || q.Tally != (rules.Tally{}) || m.liveState(p.player).Tally != p.Tally {
		t.Errorf("the tallies are %+v and %+v", p.Tally, q.Tally)
	}
	g := e.Gains[0]
	if g.ID != 1 || g.Is.Progress.TitleXP < 3 || g.Is.Progress.Karma != 1 || g.Coins != 0 || g.Is != p.sheet() {
		t.Errorf("gained %+v", g)
	}
	seen := len(of[*ObjectAppeared](events)) + len(of[*Vanished](events))
	if seen+len(of[Gained](events))+len(of[StatsChanged](events)) > 0 {
		t.Errorf("told twice: %s", describe(events))
	}
	if hit := only[*MonsterHurt](t, events); hit.HP != 0 {
		t.Errorf("the last hit is %+v", *hit)
	}
	// Newcomers see the bag and not the monster, and no player can strike it any more.
	m.enter(3)
	if v := m.views[3]; v.objects[b.object.ID] || !v.objects[e.Bag.ID] {
		t.Errorf("a newcomer sees %v", v.objects)
	}
	saved := of[SaveDue](m.pass(3 * time.Second))
	refused(t, m.asks(t, q.blowAt(b.object.ID)), rules.NotInSight)
	if s := saved[0].States[0]; s.Character != p.Character || s.TitleXP != p.Progress.TitleXP || s.Karma != 1 {
		t.Errorf("saved %+v", s)
	}
}

// failing makes a store refuse everything for a while, and returns the other events.
func (m *tradeStage) failing(d time.Duration, events []Event) (out []Event) {
	for end := m.now.Add(d); ; events = m.pass(TickPeriod) {
		for _, e := range events {
			if c, ok := e.(CommitRequest); ok {
				m.Do(Committed{Seq: c.Seq, Err: errors.New("no")})
			} else {
				out = append(out, e)
			}
		}
		if m.now.After(end) {
			return out
		}
	}
}

// A bag lies on the ground below its monster, on that of the map if there is one, and is turned nowhere.
func TestBagsLieOnTheGround(t *testing.T) {
	for _, flies := range []bool{false, true} {
		for name, ground := range map[string]Ground{"unknown": nil, "a slope": slope{}} {
			m := newFight(Options{Ground: ground})
			p, b := m.fighter(t, 1, 0, 0), m.beast(mRich, 1, 1)
			row := *b.row
			if b.row = &row; flies {
				row.Class = rules.ClassFlyer
			}
			want := b.object.At.Y
			if flies {
				want -= float32(m.balance.Mind.FlyHeight)
			}
			if ground != nil {
				want = b.object.At.X / 2
			}
			b.object.Position.Yaw = 1
			bag := only[*MonsterDied](t, m.die(t, b, p, hurtBy(p, 60, rules.Physical))).Bag
			if lies := m.object(bag.ID).inventory.Ground.At; bag.Position.Y != want || bag.Position.Yaw != 0 || lies != bag.Position {
				t.Errorf("flies %v, %s: the bag lies at %v, stored %v, want height %v", flies, name, bag.Position, lies, want)
			}
		}
	}
}

func TestDyingMonsterIsNotShownNorStruck(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 0, 0)
	b := m.beast(mRich, 1, 1)
	m.does(deedOf(func(w *World) { w.setHP(b, 1) }))
	events := m.does(p.blowAt(b.object.ID))
	if !b.dying || len(of[CommitRequest](events)) != 1 {
		t.Fatalf("it comes to %s", describe(events))
	}
	m.enter(2)
	if m.views[2].objects[b.object.ID] {
		t.Error("a newcomer sees it")
	}
	before := m.player(2).Pools
	events = append(events, m.does(deedOf(func(w *World) { w.combat.swing(b, m.player(2)) }), ShowAgain{1})...)
	if m.player(2).Pools.HP < before.HP {
		t.Error("the dying hit")
	}
	events = m.failing(50*time.Second, events)
	if len(of[*MonsterDied](events)) > 0 {
		t.Error("the store is not asked again")
	}
	events = m.failing(20*time.Second, m.pass(TickPeriod))
	e := only[*MonsterDied](t, events)
	if e.Bag != nil || len(e.Gains) != 1 || !slices.Equal(e.Viewers, []PlayerID{1}) {
		t.Errorf("told %+v", *e)
	}
	if p.Progress.TitleXP < 3 || m.object(b.object.ID) != nil {
		t.Error("nothing is gained, or it is still there")
	}
	m.sound(t)
}

// A12: a store that does not answer for a while takes nothing of a kill, which is there when it answers again.
func TestKillSurvivesAStoreThatFails(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 0, 0)
	p.Progress.TitleXP = rules.NeededXP(0, 0) - 1
	p.known = p.told()
	b := m.beast(mRich, 1, 1)
	m.does(deedOf(func(w *World) { w.setHP(b, 1) }))
	events := m.failing(30*time.Second, m.does(p.blowAt(b.object.ID)))
	if len(of[*MonsterDied](events)) > 0 || p.Title != 0 {
		t.Fatal("the death is told, or a level is there, before that is stored")
	}
	e := only[*MonsterDied](t, m.asksAfter(t, 2*time.Second))
	if e.Bag == nil || len(e.Gains) != 1 || e.Gains[0].Is.Title != 1 || m.sheets[p.Character].Title != 1 {
		t.Errorf("told %+v", *e)
	}
}

// When the durable part of a kill is lost, since the store has failed for too long, the player is told.
func TestAKillThatIsLostIsTold(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 0, 0)
	p.Progress.TitleXP = rules.NeededXP(0, 0) - 1
	p.known = p.told()
	b := m.beast(mRich, 1, 1)
	m.does(deedOf(func(w *World) { w.setHP(b, 1) }))
	events := m.failing(storePatience+2*time.Second, m.does(p.blowAt(b.object.ID)))
	if e := only[*MonsterDied](t, events); e.Bag != nil || p.Title != 0 {
		t.Errorf("told %+v, title %d", *e, p.Title)
	}
	if r := only[Refused](t, events); r.ID != 1 || r.Why != rules.StoreFailed || r.Command != nil {
		t.Errorf("told %+v", r)
	}
}

// A death is told whether anybody sees it or not, as that by poison of a player that has gone on: it counts, and leaves
// its bag.
func TestAKillThatNobodySeesIsTold(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 0, 0)
	b := m.beast(mRich, 1, 1)
	m.does(deedOf(func(w *World) {
		w.places.place(p, east(300))
		w.places.space.Look(&p.Body)
	}))
	events := m.asks(t, deedOf(func(w *World) {
		w.setHP(b, 1)
		w.combat.hurtMonster(b, p, 5, rules.Magical)
	}))
	e := only[*MonsterDied](t, events)
	if len(e.Viewers) > 0 || e.ID != b.object.ID || e.Killer != 1 || e.Bag == nil || !b.object.gone() {
		t.Errorf("told %+v", *e)
	}
	if gained := of[Gained](events); len(gained) != len(e.Gains) {
		t.Errorf("%d gains, told %+v", len(e.Gains), gained)
	}
	m.does(deedOf(func(w *World) {
		w.places.place(p, east(0))
		w.places.space.Look(&p.Body)
	}))
	if !p.Sees(&m.object(e.Bag.ID).Body) {
		t.Error("its bag is not seen")
	}
}

func TestCheck13And14Bag(t *testing.T) {
	for _, party := range []bool{false, true} {
		m := newFight(Options{})
		p, q := m.fighter(t, 1, 0, 0), m.fighter(t, 2, 0, 0)
		if party {
			m.asks(t, PartyCreate{1}, PartyApply{2, p.Name}, PartyAccept{1, q.Name})
		}
		b := m.beast(mRich, 1, 1)
		bag := only[*MonsterDied](t, m.die(t, b, p, hurtBy(p, 60, rules.Physical))).Bag.ID
		in := Container{Object: bag}
		if party {
			only[Opened](t, m.asks(t, Open{2, in}))
			continue
		}
		refused(t, m.asks(t, Open{2, in}), rules.Promised)
		refused(t, m.asks(t, PickUp{2, Target{Object: bag}}), rules.Promised)
		m.pass(time.Minute)
		opened := only[Opened](t, m.asks(t, Open{2, in}))
		events := m.asks(t, PickUp{2, Target{Item: opened.Items[0].ID}}, PickUp{1, Target{Item: opened.Items[0].ID}})
		if took := only[TookUp](t, events); !took.Gone || took.ID != 2 || len(of[*Vanished](events)) != 2 {
			t.Errorf("taken: %s", describe(events))
		}
	}
}

func TestBagExpires(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 0, 0)
	bag := only[*MonsterDied](t, m.die(t, m.beast(mRich, 1, 1), p, hurtBy(p, 60, rules.Physical))).Bag.ID
	m.pass(3*time.Minute - time.Second)
	if m.object(bag) == nil {
		t.Fatal("the bag is gone too early")
	}
	r := only[CommitRequest](t, m.pass(2*time.Second))
	ids, err := m.apply(r.Change)
	if err != nil {
		t.Fatal(err)
	}
	events := m.does(Committed{r.Seq, ids, nil})
	if len(of[*Vanished](events)) != 1 || m.object(bag) != nil || len(m.things) != 1 {
		t.Errorf("it ends with %s, the store has %d things", describe(events), len(m.things))
	}
}

func TestCheck34PartyShares(t *testing.T) {
	balance := sharp()
	balance.Experience.Spread = 0
	m := newFight(Options{Balance: balance})
	p, q, far := m.fighter(t, 1, 9, 9), m.fighter(t, 2, 9, 9), m.fighter(t, 3, 9, 9)
	m.asks(t, PartyCreate{1}, PartyApply{2, p.Name}, PartyAccept{1, q.Name}, PartyApply{3, far.Name})
	m.asks(t, PartyApply{3, p.Name}, PartyAccept{1, far.Name}, Teleport{3, east(80)})
	b := m.beast(mRich, 10, 1)
	whole := balance.Experience.Mean(b.row, 10, false)
	e := only[*MonsterDied](t, m.die(t, b, p, hurtBy(p, 60, rules.Magical)))
	if len(e.Gains) != 2 || e.Gains[0].ID != 1 || e.Gains[1].ID != 2 {
		t.Fatalf("gained %+v", e.Gains)
	}
	for _, g := range e.Gains {
		if xp := float64(g.Is.Progress.DegreeXP); xp < 0.55*whole-1 || xp > 0.55*whole+1 || g.Is.Progress.TitleXP != 0 {
			t.Errorf("of %v one gets %v", whole, g.Is.Progress)
		}
	}
}

func TestKillIsShared(t *testing.T) {
	m := newFight(Options{})
	p, q, gone := m.fighter(t, 1, 0, 0), m.fighter(t, 2, 0, 0), m.fighter(t, 3, 0, 0)
	m.asks(t, Teleport{2, east(300)})
	b := m.beast(mRich, 10, 1)
	m.asks(t, Leave{ID: 3})
	events := m.die(t, b, p, hurtBy(p, 20, rules.Physical), hurtBy(q, 40, rules.Physical),
		hurtBy(gone, 100, rules.Physical))
	e, g := only[*MonsterDied](t, events), only[Gained](t, events)
	if len(e.Gains) != 2 || g.Gain.ID != 2 || g.At != b.object.Position || slices.Contains(e.Viewers, 2) {
		t.Errorf("told %+v, %+v", *e, g)
	}
	if a, b := p.Progress.TitleXP, q.Progress.TitleXP; p.Title == 0 && b < 2*a-2 {
		t.Errorf("they get %d and %d", a, b)
	}
	if o := m.object(e.Bag.ID); o.inventory.Ground.Promised != q.Character {
		t.Errorf("the bag is %d's", o.inventory.Ground.Promised)
	}
}

func TestCheck31And32Levels(t *testing.T) {
	balance := sharp()
	balance.Experience.Factor, balance.Experience.Spread = 200, 0
	m := newFight(Options{Balance: balance})
	p := m.fighter(t, 1, 0, 0)
	m.fighter(t, 2, 0, 0)
	p.Pools.HP = 5
	events := m.die(t, m.beast(mRich, 1, 1), p, hurtBy(p, 60, rules.Physical))
	e := only[*MonsterDied](t, events)
	g := e.Gains[0]
	if g.Was.Title != 0 || g.Is.Title < 2 || g.Is.Pools.HP != g.Is.Pools.MaxHP || g.Is.Pools.MaxHP <= g.Was.Pools.MaxHP ||
		p.Title != g.Is.Title || g.Is.Progress.TitlePoints != 4*g.Is.Title {
		t.Errorf("gained %+v", g)
	}
	look, health := of[*AppearanceChanged](events), of[*HealthSeen](events)
	if len(look) != 1 || look[0].Player.Appearance.Title != g.Is.Title || len(health) == 0 ||
		health[len(health)-1].HP != g.Is.Pools.HP {
		t.Errorf("seen %s", describe(events))
	}
}

// A kill waits for no transaction of a player: the durable part of the player's gain comes afterwards.
func TestKillWaitsForNoPurchase(t *testing.T) {
	for _, level := range []bool{false, true} {
		m := newFight(Options{})
		trader := m.NextEntityID()
		m.does(Put{Object{trader, east(2), NPC{Type: 10, Key: "trader"}}})
		p := m.fighter(t, 1, 0, 0)
		if level {
			p.Progress.TitleXP = rules.NeededXP(0, 0) - 1
			p.known = p.told()
		}
		m.asks(t, OpenTrade{1, trader})
		b := m.beast(mRich, 1, 1)
		bought := only[CommitRequest](t, m.does(Buy{1, trader, 1, 2, 3}))
		bag := only[CommitRequest](t, m.does(deedOf(func(w *World) {
			b.threat = []threat{hurtBy(p, 60, rules.Physical)}
			b.threat[0].last, b.threat[0].turned = w.instant(), w.instant()
			w.setHP(b, 0)
			w.combat.kill(b, p)
		})))
		if len(bag.Change.Items) == 0 || len(bag.Change.Progress) > 0 {
			t.Fatalf("asked %+v", bag)
		}
		settle := func(r CommitRequest) []Event {
			ids, err := m.apply(r.Change)
			if err != nil {
				t.Fatal(err)
			}
			return m.does(Committed{r.Seq, ids, nil})
		}
		if e := only[*MonsterDied](t, settle(bag)); len(e.Gains) == 1 == level || e.Bag == nil {
			t.Errorf("told %+v", *e)
		}
		asked := of[CommitRequest](settle(bought))
		if len(asked) == 1 != level {
			t.Fatalf("asked for %+v", asked)
		}
		if level {
			if g := only[Gained](t, settle(asked[0])).Gain; g.Is.Title != 1 || g.Was.Title != 0 {
				t.Errorf("gained %+v", g)
			}
		}
		m.agrees(t)
		m.sound(t)
	}
}

// Levels of four players by one kill, its coins and its bag are one change.
func TestOneKillIsOneChange(t *testing.T) {
	m := newFight(Options{})
	var threats []threat
	var all []*player
	for id := PlayerID(1); id <= 4; id++ {
		p := m.fighter(t, id, 0, 0)
		p.Progress.TitleXP = rules.NeededXP(0, 0) - 1
		p.known = p.told()
		all, threats = append(all, p), append(threats, hurtBy(p, 10, rules.Physical))
	}
	m.asks(t, AddSpawners{[]Spawner{{At: east(1), Level: 1, Tutorial: true}}})
	for _, b := range []*monster{m.beast(mRich, 3, 1), m.beast(mRich, 3, 1)} {
		levels := all[0].Title
		r := only[CommitRequest](t, m.does(deedOf(func(w *World) {
			b.threat = slices.Clone(threats)
			for i := range b.threat {
				b.threat[i].last, b.threat[i].turned = w.instant(), w.instant()
			}
			w.setHP(b, 0)
			w.combat.kill(b, all[0])
		})))
		want := 0
		if levels == 0 {
			want = 4
		}
		if len(r.Change.Progress) != want || len(r.Change.Items) < 2 {
			t.Errorf("asked for %+v", r.Change)
		}
		ids, err := m.apply(r.Change)
		if err != nil {
			t.Fatal(err)
		}
		if e := only[*MonsterDied](t, m.does(Committed{r.Seq, ids, nil})); len(e.Gains) != 4 || e.Bag == nil {
			t.Errorf("told %+v", *e)
		}
	}
}

// Attack A14: thirty monsters that one spell kills do not fall one after the other: what they bring their killer is a
// change beside those of their bags, and the killer waits for one level and not for thirty gains.
func TestManyKillsOfOneSpellAreNoQueue(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 0, 0)
	var all []*monster
	for i := range 30 {
		all = append(all, m.beast(mRich, 1, float32(i%6)/2))
	}
	p.Progress.TitleXP = rules.NeededXP(0, 0) - 1
	p.known = p.told()
	events := m.does(deedOf(func(w *World) {
		for _, b := range all {
			b.threat = []threat{hurtBy(p, 60, rules.Physical)}
			b.threat[0].last, b.threat[0].turned = w.instant(), w.instant()
			w.setHP(b, 0)
			w.combat.kill(b, p)
		}
	}))
	died, ticks := 0, 0
	for ; len(events) > 0 && ticks < 2*len(all); ticks++ {
		var answers []Command
		for _, e := range events {
			switch e := e.(type) {
			case CommitRequest:
				ids, err := m.apply(e.Change)
				answers = append(answers, Committed{e.Seq, ids, err})
			case *MonsterDied:
				died++
			}
		}
		events = m.does(answers...)
	}
	if died != len(all) || ticks > 5 || p.pending != nil || p.due.len() > 0 {
		t.Errorf("%d of %d are dead after %d ticks, pending %v, due %d", died, len(all), ticks, p.pending, p.due.len())
	}
	if int(p.Tally.Kills) != len(all) || p.Title == 0 || int(p.Progress.TitleXP) < len(all) {
		t.Errorf("%d kills count, title %d, %d experience", p.Tally.Kills, p.Title, p.Progress.TitleXP)
	}
	m.agrees(t)
	m.sound(t)
}

func TestTutorialKill(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 0, 0)
	m.asks(t, AddSpawners{[]Spawner{{At: east(1), Level: 1, Tutorial: true}}})
	b := m.monsters()[0]
	e := only[*MonsterDied](t, m.die(t, b, p, hurtBy(p, 60, rules.Physical)))
	g := e.Gains[0]
	if g.Coins < 14 || g.Coins > 16 || g.Money != 1000+g.Coins || p.Money != g.Money || g.Is.Progress.TitleXP != 0 ||
		g.Is.Progress.Karma != 1 || m.money[p.Character] != p.Money {
		t.Errorf("gained %+v", g)
	}
}

func TestCheck30KarmaOfKills(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 0, 0)
	for _, c := range []struct{ kind, was, is, band int }{
		{mRich, 5000, 5001, 5}, {mGood, 110, 90, 3}, {mRich, 100, 101, 4}, {mGood, -990, -1010, 1}, {mTarget, 0, -40, 3},
	} {
		p.Progress.Karma, p.Appearance.Karma = c.was, rules.KarmaType(c.was)
		p.known = p.told()
		g := only[*MonsterDied](t, m.die(t, m.beast(c.kind, 1, 1), p, hurtBy(p, 60, rules.Physical))).Gains[0]
		if g.Is.Progress.Karma != c.is || g.Is.Karma != c.band {
			t.Errorf("karma %d becomes %d, band %d", c.was, g.Is.Progress.Karma, g.Is.Karma)
		}
	}
}

func TestOnlyRecentDamageCounts(t *testing.T) {
	m := newFight(Options{})
	p, q := m.fighter(t, 1, 0, 0), m.fighter(t, 2, 0, 0)
	b := m.beast(mRich, 10, 1)
	m.asks(t, p.blowAt(b.object.ID))
	m.pass(70 * time.Second)
	m.asks(t, Leave{ID: 3}, deedOf(func(w *World) { b.threat = append(b.threat, threat{by: 3}) }))
	m.fighter(t, 3, 0, 0) // has the number of a player that has hurt it
	m.does(deedOf(func(w *World) { w.setHP(b, 5) }))
	e := only[*MonsterDied](t, m.asks(t, q.blowAt(b.object.ID)))
	if len(e.Gains) != 1 || e.Gains[0].ID != 2 || m.object(e.Bag.ID).inventory.Ground.Promised != q.Character {
		t.Errorf("gained %+v", e.Gains)
	}
}

// TestCheck39TwoTakeFromABagInOneTick has the killer and a bystander reach for the same item, for different ones and
// for all, in one tick, and the store answer when it likes: an item that a player is told to have is stored, and no
// other player has it.
func TestCheck39TwoTakeFromABagInOneTick(t *testing.T) {
	r := rand.New(rand.NewPCG(39, 0))
	balance := sharp()
	balance.Loot.Owner = 0 // every player may take from the bag
	for round := range 200 {
		m := newFight(Options{Balance: balance})
		p, q := m.fighter(t, 1, 0, 0), m.fighter(t, 2, 0, 0)
		bag := only[*MonsterDied](t, m.die(t, m.beast(mHoard, 1, 1), p, hurtBy(p, 60, rules.Physical))).Bag.ID
		all := only[Opened](t, m.asks(t, Open{1, Container{Object: bag}})).Items
		m.asks(t, Open{2, Container{Object: bag}})
		had := len(m.things)
		for _, id := range []PlayerID{1, 2} {
			for range 1 + r.IntN(2) {
				m.Do(PickUp{id, Target{Item: all[r.IntN(len(all))].ID}})
			}
			if r.IntN(3) == 0 {
				m.Do(PickUp{id, Target{Object: bag}})
			}
		}
		owner, late := map[rules.ItemID]PlayerID{}, []CommitRequest(nil)
		for step := 0; step < 40; step++ {
			for _, e := range m.does() {
				switch e := e.(type) {
				case CommitRequest:
					late = append(late, e)
				case TookUp:
					for _, took := range e.Items {
						id := took.Item.ID
						if other, taken := owner[id]; taken {
							t.Fatalf("round %d: thing %d goes to %d and to %d", round, id, other, e.ID)
						}
						if owner[id] = e.ID; m.things[id].Owner != m.player(e.ID).Character {
							t.Fatalf("round %d: %d is told to have what is stored as %+v", round, e.ID, m.things[id])
						}
					}
				}
			}
			if len(late) > 0 && r.IntN(3) == 0 {
				ids, err := m.apply(late[0].Change)
				if err != nil {
					t.Fatalf("round %d: the store refuses: %v", round, err)
				}
				m.Do(Committed{late[0].Seq, ids, nil})
				late = late[1:]
			}
		}
		if len(late) > 0 || len(owner) == 0 {
			t.Fatalf("round %d: %d changes wait, %d things are taken", round, len(late), len(owner))
		}
		m.agrees(t)
		m.sound(t)
		if len(owner) == len(all) && (m.object(bag) != nil || len(m.things) != had-1) {
			t.Fatalf("round %d: all is taken, and the bag is there, or %d things instead of %d", round, len(m.things), had-1)
		}
		if have := len(p.carried.Items) + len(q.carried.Items); have != 2+len(owner) {
			t.Fatalf("round %d: they have %d things, %d were taken", round, have, len(owner))
		}
	}
}

// The dead, and members of a party that are dead or far away, have no part in a kill; beginners have more of it.
func TestWhoHasAPartInAKill(t *testing.T) {
	balance := sharp()
	balance.Experience.Spread, balance.Experience.EasyLevel, balance.Experience.EasyFactor = 0, 40, 4
	m := newFight(Options{Balance: balance})
	p, q, r, far, dead := m.fighter(t, 1, 0, 0), m.fighter(t, 2, 0, 0), m.fighter(t, 3, 0, 0), m.fighter(t, 4, 0, 0),
		m.fighter(t, 5, 0, 0)
	m.asks(t, PartyCreate{1})
	for _, x := range []*player{q, r, far} {
		m.asks(t, PartyApply{x.ID, p.Name}, PartyAccept{1, x.Name})
	}
	m.asks(t, Teleport{4, east(62)})
	b := m.beast(mRich, 2, 1)
	r.Pools.HP, dead.Pools.HP = 0, 0
	events := m.die(t, b, p, hurtBy(p, 20, rules.Physical), hurtBy(dead, 40, rules.Physical))
	e := only[*MonsterDied](t, events)
	var got []PlayerID
	for _, g := range e.Gains {
		got = append(got, g.ID)
	}
	if slices.Sort(got); !slices.Equal(got, []PlayerID{1, 2}) || len(of[Gained](events)) > 0 {
		t.Errorf("%v have a part", got)
	}
	// 14 for level 2, times 1.5678; of two of a party each has 0.55 of it, and four times as much as a beginner
	if want := uint32(12 * 4); p.Progress.TitleXP != want || q.Progress.TitleXP != want {
		t.Errorf("they learn %d and %d, expected %d", p.Progress.TitleXP, q.Progress.TitleXP, want)
	}
	if o := m.object(e.Bag.ID); o.inventory.Ground.Promised != p.Character {
		t.Errorf("the bag is %d's", o.inventory.Ground.Promised)
	}
}
