package world

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sphereserver/world/rules"
)

// A journal is all that players have been told of themselves, compared with their state and with the store.
type journal struct {
	hp       map[PlayerID]int
	progress map[PlayerID]rules.Progress
	levels   map[PlayerID][2]int
	beasts   map[EntityID]int  // HP told
	unpaid   map[PlayerID]bool // it has died, and the store has, or is about to get, the experience that this costs
	saving   bool              // states are on their way to the store, perhaps of before a death
}

// became notes that a player was told of a change of its sheet.
func (l *journal) became(t testing.TB, id PlayerID, was, is Sheet) {
	t.Helper()
	if was.Progress != l.progress[id] || l.levels[id] != [2]int{was.Title, was.Degree} {
		t.Errorf("player %d was told to have been %+v of levels %d and %d, but it was told %+v before, %v", id, was.Progress,
			was.Title, was.Degree, l.progress[id], l.levels[id])
	}
	l.progress[id], l.levels[id], l.hp[id] = is.Progress, [2]int{is.Title, is.Degree}, is.Pools.HP
}

// book enters an event.
func (l *journal) book(t testing.TB, m *tradeStage, e Event) {
	t.Helper()
	switch e := e.(type) {
	case *MonsterHurt:
		if had, known := l.beasts[e.ID]; known && had-e.Damage > e.HP || e.HP < 0 || e.Damage < 0 {
			t.Errorf("a monster of %d HP is hurt: %+v", had, *e)
		}
		l.beasts[e.ID] = e.HP
	case *ObjectAppeared: // to a player that is told its HP anew: a blow that nobody saw was not told
		delete(l.beasts, e.Object.ID)
	case *HealthSeen: // its greatest HP fall, or it has healed
		if _, hurt := l.beasts[e.ID]; hurt {
			l.beasts[e.ID] = e.HP
		}
	case *MonsterDied:
		if hp, hurt := l.beasts[e.ID]; hurt && hp != 0 {
			t.Errorf("a monster dies with %d HP", hp)
		}
		for _, g := range e.Gains {
			l.became(t, g.ID, g.Was, g.Is)
		}
	case Gained:
		l.became(t, e.Gain.ID, e.Gain.Was, e.Gain.Is)
	case PlayerDied:
		l.became(t, e.ID, e.Was, e.Is)
		l.unpaid[e.ID] = true
	case StatsChanged:
		l.became(t, e.ID, e.Was, e.Is)
	case *MonsterSwung:
		if !e.Missed {
			l.book(t, m, e.Hit)
		}
	case PlayerHit:
		if hp := max(l.hp[e.ID]+e.Hit.HP, 0); e.Hit.HP <= 0 && l.hp[e.ID] >= 0 && hp != e.Pools.HP ||
			e.Died != (e.Pools.HP == 0) {
			t.Errorf("hit %+v with %d HP before", e, l.hp[e.ID])
		}
		l.hp[e.ID] = e.Pools.HP
	case *PoolsChanged:
		l.hp[e.ID] = e.Now.HP
	case PoolsTick:
		l.hp[e.ID] = e.Pools.HP
	case Healed:
		l.hp[e.ID] += e.HP
	case PlayerRevived:
		l.hp[e.ID] = e.Pools.HP
	}
}

// holds fails unless players are as they were told, and as the store has them.
func (l *journal) holds(t testing.TB, m *tradeStage) {
	t.Helper()
	for _, p := range m.inside() {
		if l.hp[p.ID] < 0 { // it has entered in this tick
			l.hp[p.ID] = p.Pools.HP
		}
		if p.Pools.HP != l.hp[p.ID] || p.Pools.HP < 0 || p.Pools.MP < 0 || p.Pools.HP > p.Pools.MaxHP {
			t.Errorf("player %d has %+v and was told %d HP", p.ID, p.Pools, l.hp[p.ID])
		}
		if k := p.sheet(); k.Progress != l.progress[p.ID] || l.levels[p.ID] != [2]int{k.Title, k.Degree} {
			t.Errorf("player %d is %+v and was told %+v", p.ID, p.Progress, l.progress[p.ID])
		}
		s, ok := m.sheets[p.Character]
		if !ok || p.pending != nil {
			continue
		}
		more := s.Progress.TitleXP > p.Progress.TitleXP || s.Progress.DegreeXP > p.Progress.DegreeXP
		l.unpaid[p.ID] = l.unpaid[p.ID] && (more || l.saving) // until the cost of its death is saved
		if !s.Progress.Volatile(p.Progress) || s.Title != p.Title || s.Degree != p.Degree ||
			more && !l.unpaid[p.ID] { // a crash leaves an earlier state, and never more
			t.Errorf("player %d is %+v and is stored as %+v", p.ID, p.Progress, s.Progress)
		}
	}
	for _, b := range m.monsters() {
		if hp, hurt := l.beasts[b.object.ID]; b.HP < 0 || b.HP > b.MaxHP || hurt && b.HP < hp {
			t.Errorf("monster %d has %d HP of %d, told were %d", b.object.ID, b.HP, b.MaxHP, hp)
		}
	}
}

// TestFightsNeitherLoseNorDouble lets players fight monsters and each other, in duels, too, with blows and spells, die,
// trade, leave and come back, with chance deciding when and how the store answers.
func TestFightsNeitherLoseNorDouble(t *testing.T) {
	t.Parallel()
	steps := 4000
	if testing.Short() {
		steps = 1000
	}
	done := map[string]int{}
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { fightThrough(t, rand.New(rand.NewPCG(seed, 12)), steps, done) })
	}
	for _, e := range []Event{&MonsterHurt{}, &MonsterSwung{}, &MonsterDied{}, PlayerHit{}, PlayerDied{}, PlayerRevived{},
		Gained{}, Shot{}, Bought{}, TookUp{}, Left{}, ItemDropped{}, EffectBegan{}, EffectEnded{}, DuelTold{}} {
		if done[fmt.Sprintf("%T", e)] == 0 && !testing.Short() {
			t.Errorf("no %T in all the time: the test does not test it", e)
		}
	}
	t.Log(done)
	if done[aLevelWhileBuying] == 0 && !testing.Short() {
		t.Error("nobody has gained a level in the middle of a purchase")
	}
}

// A brawl is a model of fights.
type brawl struct {
	*tradeStage
	t    *testing.T
	r    *rand.Rand
	sum  account
	bags int // of loot
	journal
	late   []CommitRequest
	saves  []SaveDue           // on their way to the store
	buying map[PlayerID]bool   // those that bought something when a monster fell to them or their party
	gone   map[PlayerID]Player // as they left
	inside map[PlayerID]bool
}

const fighters = 4

func newBrawl(t *testing.T, r *rand.Rand) *brawl {
	balance := sharp()
	balance.Blow.UseSlack, balance.Death.Revive, balance.Death.Protection = 0, 300*time.Millisecond, 200*time.Millisecond
	balance.Damage.MissPlayer, balance.Damage.Fists, balance.Death.Thing = 0.1, 30, 1
	balance.Experience.Factor, balance.Duel.FromLevel, balance.Death.FromLevel = 100, 1, 3
	balance.Karma.Monster[5], balance.Damage.Players, balance.Blow.WearHits = 1, 2, 5
	b := &brawl{tradeStage: newFight(Options{Balance: balance, Seed: 1 + r.IntN(1000)}), t: t, r: r,
		sum: account{things: map[[2]int]int{}}, buying: map[PlayerID]bool{}, gone: map[PlayerID]Player{}, inside: map[PlayerID]bool{},
		journal: journal{map[PlayerID]int{}, map[PlayerID]rules.Progress{}, map[PlayerID][2]int{}, map[EntityID]int{},
			map[PlayerID]bool{}, false}}
	b.trader = b.NextEntityID()
	b.does(Put{Object{b.trader, east(2), NPC{Type: 10, Key: "trader"}}}, AddSpawners{[]Spawner{{At: east(2), Level: 1,
		Tutorial: true}}})
	for id := PlayerID(1); id <= fighters; id++ {
		first := rules.ItemID(id) * 100
		events := b.admits(Player{ID: id, Money: 1000, Progress: rules.Progress{TitlePoints: 4, DegreePoints: 4,
			Base: rules.Stats{5}}, Items: []rules.Item{weapon(kStartSword, first, 26), weapon(kCrossbow, first+1, 27),
			thing(kArrows, first+2, 0, 55, 500), weapon(kBolt, first+3, 28), weapon(kVenom, first+4, 29),
			weapon(kLess, first+5, 30)}})
		p := b.player(id)
		b.inside[id], b.sum.money = true, b.sum.money+p.Money
		for i := range p.carried.Items {
			b.sum.come(&p.carried.Items[i], p.carried.Items[i].Count)
		}
		b.happened(events)
	}
	return b
}

// happened books events, and checks all against them.
func (b *brawl) happened(events []Event) {
	for _, e := range events {
		switch e := e.(type) {
		case EntityFailed:
			b.t.Fatal(e.Err)
		case CommitRequest:
			b.late = append(b.late, e)
		case SaveDue:
			b.saves = append(b.saves, e)
		case Left:
			if e.Inside {
				b.leftWith(b.t, e)
				b.gone[e.Player.ID] = e.Player
			}
			b.inside[e.Player.ID] = false
		case Entered:
			p, back := &b.player(e.ID).Player, b.gone[e.ID]
			if back.ID != 0 {
				p = &back // as it entered: it may have gained something since
			}
			b.hp[e.ID], b.progress[e.ID], b.levels[e.ID] = -1, p.Progress, [2]int{p.Title, p.Degree}
		case Shot:
			b.sum.come(&e.Item, e.Left-e.Item.Count)
		}
		b.sum.book(e, &b.bags)
		b.journal.book(b.t, b.tradeStage, e)
	}
	b.journal.saving = len(b.saves) > 0
	b.journal.holds(b.t, b.tradeStage)
	b.agrees(b.t)
	b.sound(b.t)
	b.sum.holds(b.t, b.modelStore, b.bags)
	if err := b.checkThings(); err != nil {
		b.t.Fatal(err)
	}
	if b.t.Failed() {
		b.t.Fatal(describe(events))
	}
}

// aLevelWhileBuying is counted among the events.
const aLevelWhileBuying = "a level in the middle of a purchase"

// rises notes purchases during a monster's death, and counts players that gain a level by it.
func (b *brawl) rises(e Event, done map[string]int) {
	rose := func(id PlayerID, was, is Sheet) {
		if b.buying[id] && (is.Title > was.Title || is.Degree > was.Degree) {
			done[aLevelWhileBuying]++
		}
		delete(b.buying, id)
	}
	switch e := e.(type) {
	case *MonsterHurt:
		for _, p := range b.tradeStage.inside() {
			if e.HP == 0 && p.pending != nil {
				if _, buys := p.pending.command.(Buy); buys {
					b.buying[p.ID] = true
				}
			}
		}
	case *MonsterDied:
		for _, g := range e.Gains {
			rose(g.ID, g.Was, g.Is)
		}
	case Gained:
		rose(e.Gain.ID, e.Gain.Was, e.Gain.Is)
	}
}

// settle answers a change, mostly by making it.
func (b *brawl) settle(c CommitRequest) {
	if b.r.IntN(8) == 0 {
		b.Do(Committed{Seq: c.Seq, Err: errors.New("no")})
		return
	}
	ids, err := b.apply(c.Change)
	if err != nil {
		b.t.Fatalf("the store refuses: %v\n%+v", err, c.Change)
	}
	whose := b.ledger.pendingTxs[c.Seq].p
	for _, money := range c.Change.Money {
		if n := money.Is - money.Was; n >= 14 && n <= 16 && whose == nil { // of the newcomers' monster
			b.sum.money += n
		}
	}
	for i, ch := range c.Change.Items {
		n, one := 0, rules.Item{}
		if ch.Was != nil {
			n, one = -ch.Was.Count, ch.Was.Item
		}
		if ch.Is != nil {
			n, one = n+ch.Is.Count, b.things[ids[i]].Item
		}
		switch {
		case one.Class == rules.ClassLootBag && (whose == nil || ch.Was == nil):
			b.bags += n
		case whose == nil:
			b.sum.come(&one, n)
		}
	}
	b.Do(Committed{c.Seq, ids, nil})
}

// target is mostly something that can be struck.
func (b *brawl) target() EntityID {
	beasts := b.monsters()
	switch n := b.r.IntN(10); {
	case n < 6 && len(beasts) > 0:
		return beasts[b.r.IntN(len(beasts))].object.ID
	case n < 9:
		return EntityID(1 + b.r.IntN(fighters))
	}
	return EntityID(b.r.Uint32())
}

// act lets something be done.
func (b *brawl) act() {
	r := b.r
	id := PlayerID(1 + r.IntN(fighters))
	p := b.player(id)
	switch n := r.IntN(48); {
	case n >= 44:
		b.Do(Duel{ID: id, Word: DuelWord(r.IntN(int(EndDuel) + 1)), Name: fmt.Sprintf("Герой%d", 1+r.IntN(fighters))})
	case n >= 40:
		spell := rules.ItemID(id)*100 + 3 + rules.ItemID(r.IntN(3))
		b.Do(UseItem{ID: id, Item: spell, Target: Target{Object: b.target()}})
	case n < 14:
		s := Strike{ID: id, Target: b.target()}
		if p != nil && r.IntN(8) > 0 {
			s.With = p.hand
		}
		b.Do(s)
	case n < 17:
		if beasts := b.monsters(); p != nil && len(beasts) > 0 {
			m := beasts[r.IntN(len(beasts))]
			b.Do(deedOf(func(w *World) { w.combat.swing(m, p) }))
		}
	case n < 20:
		if len(b.monsters()) < 5 {
			kind := []int{mTarget, mBiter, mRich, mGood, mHoard}[r.IntN(5)]
			b.Do(deedOf(func(w *World) {
				m := w.spawners.newMonster(w.tables.Monster(kind), 1+r.IntN(3), w.spawners.chanceOf(-1, r.IntN(1000)))
				m.HP = 1 + r.IntN(m.HP/4) // so that many die
				w.spawners.putMonsterInto(m, 0, east(float32(r.IntN(5))), nil)
			}))
		}
	case n < 23:
		b.Do(TakeInHand{ID: id, Item: rules.ItemID(id)*100 + rules.ItemID(r.IntN(2))})
	case n < 27:
		var foe EntityID // that another strikes down while the purchase is on its way to the store
		if beasts := b.monsters(); len(beasts) > 0 {
			foe = beasts[r.IntN(len(beasts))].object.ID
		}
		if p != nil {
			b.Do(Strike{ID: id, With: p.hand, Target: foe})
		}
		b.Do(OpenTrade{id, b.trader})
		b.Do(Buy{id, b.trader, 1, 2, 1 + r.IntN(3)})
		other := 1 + id%fighters
		for range r.IntN(4) {
			b.Do(Strike{ID: other, With: rules.ItemID(other) * 100, Target: foe})
		}
	case n < 31:
		for _, o := range b.objects() {
			if o.lies() {
				b.Do(Open{id, Container{Object: o.ID}})
				for _, t := range o.inventory.Items {
					b.Do(PickUp{id, Target{Item: t.ID}})
				}
			}
		}
	case n < 32 && p != nil:
		b.Do(Leave{ID: id})
	case n < 35 && p == nil && !b.inside[id]:
		back := b.gone[id]
		back.Appearance.Karma = rules.KarmaType(back.Progress.Karma)
		b.inside[id] = true
		b.Do(Enter{back})
	case n < 36:
		if r.IntN(4) == 0 {
			b.Do(Teleport{id, east(float32(r.IntN(90)))})
		}
	case n < 38:
		b.Do(Teleport{id, shipstone})
	case n < 39 && p != nil:
		b.Do(PartyCreate{id})
		b.Do(PartyApply{1 + id%fighters, p.Name})
		b.Do(PartyAccept{id, fmt.Sprintf("Герой%d", 1+id%fighters)})
	case n < 40:
		b.Do(PartyLeave{id})
	}
}

func fightThrough(t *testing.T, r *rand.Rand, steps int, done map[string]int) {
	b := newBrawl(t, r)
	for range steps {
		for range r.IntN(4) {
			b.act()
		}
		b.late = slices.DeleteFunc(b.late, func(c CommitRequest) bool {
			if r.IntN(3) > 0 {
				return false
			}
			b.settle(c)
			return true
		})
		b.saves = slices.DeleteFunc(b.saves, func(s SaveDue) bool {
			late := r.IntN(4) > 0
			if !late {
				b.save(s.States)
			}
			return !late
		})
		if r.IntN(50) == 0 {
			b.now = b.now.Add(20 * time.Second)
		}
		events := b.does()
		for _, e := range events {
			done[fmt.Sprintf("%T", e)]++
			b.rises(e, done)
		}
		b.happened(events)
	}
	for range 100 { // failed changes are asked for again
		last := b.late
		b.late = nil
		for _, c := range last {
			b.settle(c)
		}
		b.now = b.now.Add(storeRetry)
		b.happened(b.does())
	}
	for _, m := range b.monsters() {
		if m.dying {
			t.Errorf("monster %d dies for ever", m.object.ID)
		}
	}
}

// FuzzStrike makes two players strike as bytes say, with anything; a refusal changes nothing.
func FuzzStrike(f *testing.F) {
	f.Add([]byte{1, 0, 3, 5, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
	f.Add([]byte{2, 9, 200, 16, 0, 255, 255, 255, 255, 255, 255, 255, 127, 16, 0, 0, 0, 0, 0, 0, 0, 128})
	f.Fuzz(func(t *testing.T, bytes []byte) {
		if len(bytes) > 256 {
			return
		}
		m := newFight(Options{})
		m.fighter(t, 1, 20, 20)
		m.fighter(t, 2, 20, 20)
		m.beast(mRich, 1, 1)
		d := &dice{bytes: bytes, players: 3}
		for range 6 {
			m.choices(d)
			d.objects = append(d.objects, 1, 2, 0, 0xFFFF)
			before, monster := m.state(), m.monsters()
			hp := -1
			if len(monster) > 0 {
				hp = monster[0].HP
			}
			s := Strike{ID: d.player(), With: d.item(), Target: d.object()}
			if d.below(2) == 0 {
				s.With = rules.ItemID(s.ID)*100 + 1
			}
			events := m.asks(t, s)
			if r := of[Refused](events); len(r) > 0 && (!same(before, m.state()) || hp >= 0 && monster[0].HP != hp) {
				t.Fatalf("%+v is refused (%v), but something has changed", s, r[0].Why)
			}
			for _, p := range m.inside() {
				if p.Pools.HP < 0 {
					t.Fatalf("%+v leaves %+v", s, p.Pools)
				}
			}
			m.pass(time.Duration(d.below(40)) * TickPeriod)
		}
	})
}
