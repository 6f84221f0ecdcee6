package world

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A theft takes a twentieth of the coins at most, or from a high rank on one thing that is neither bound, worn, in the
// hand, on offer, nor filled: durably, once, and it rests then. Source: life check 7.9.
func TestLifeCheck7_9Theft(t *testing.T) {
	bound := thing(kApple, 33, 0, 29, 1)
	bound.Bound = true
	things := 0
	for seed := range 12 {
		m := newFight(Options{Seed: seed})
		p, use := m.abler(t, 1, 6215)
		m.admits(Player{ID: 2, Title: 20, Money: 1000, Items: []rules.Item{weapon(kStartSword, 31, 26), thing(kSword, 32, 0, 27, 1),
			thing(kApple, 34, 0, 28, 4), bound, thing(kSmallBag, 35, 0, 30, 1), thing(kApple, 36, 35, 0, 1)}})
		q := m.player(2)
		m.asks(t, TakeInHand{ID: 2, Item: 31}, setPools{2, rules.Pools{HP: 100, MaxHP: 100, Satiety: 50, MaxSatiety: 100}})
		m.fighter(t, 3, 20, 0)
		m.asks(t, TradeWithPlayer{ID: 2, With: 3}, OfferForSale{2, 0, 32, 1, 7})
		before := p.Money + q.Money
		events := m.asks(t, use(q.Number))
		told := of[Stolen](events)
		if len(told) != 2 || told[0].ID != 1 || told[1].ID != 2 || p.Money+q.Money != before || !m.combat.defends(q, p) ||
			only[Used](t, events).Left != 1 {
			t.Fatalf("told %+v; they have %d and %d", told, p.Money, q.Money)
		}
		switch e := told[0]; {
		case e.Thing.ID == 34 && e.Count == 1:
			things++
			if p.carried.Items[len(p.carried.Items)-1].Count != 1 || q.carried.Find(34).Count != 3 {
				t.Errorf("seed %d: %+v", seed, e)
			}
		case e.Thing.ID != 0 || e.Count < 1 || e.Count > 50 || q.Money != 1000-e.Count || e.Money != p.Money ||
			told[1].Money != q.Money:
			t.Errorf("seed %d: it has taken %+v", seed, e)
		}
		if m.money[p.Character] != p.Money || m.money[q.Character] != q.Money {
			t.Errorf("seed %d: the store has %d and %d coins", seed, m.money[p.Character], m.money[q.Character])
		}
		m.agrees(t)
		refused(t, m.asks(t, use(q.Number)), rules.TooSoon)
	}
	if things == 0 || things == 12 {
		t.Errorf("%d of 12 thefts take a thing", things)
	}
}

func TestTheftsThatAreRefused(t *testing.T) {
	for _, v := range []struct {
		what string
		do   func(m *tradeStage, p, q *player)
		why  rules.RejectReason
	}{
		{"too far", func(m *tradeStage, _, q *player) { m.does(Teleport{q.ID, east(60)}) }, rules.TooFar},
		{"dead", func(m *tradeStage, _, q *player) { q.Pools.HP = 0 }, rules.TargetDead},
		{"low", func(m *tradeStage, _, q *player) { q.Title = 1 }, rules.TheyTooLow},
		{"in a duel", func(m *tradeStage, p, q *player) { m.agree(t, p, q) }, rules.NoUse},
		{"no room", func(m *tradeStage, _, _ *player) {
			for range rules.EndOfInventory - rules.SlotInventory {
				m.asks(t, Give{To: 1, Kind: kSword, Suffix: rules.NoSuffix, Count: 1})
			}
		}, rules.NoRoom},
		{"stunned", func(m *tradeStage, p, _ *player) {
			m.does(lays{1, 1, rules.Effect{ID: 1040, Kind: rules.BadEffect, Length: 101}})
		}, rules.Stunned},
		{"poor", func(m *tradeStage, _, _ *player) { m.asks(t, GiveMoney{To: 2, Amount: -981}) }, rules.EmptySlot},
	} {
		m := newFight(Options{})
		p, use := m.abler(t, 1, 6210)
		q := m.fighter(t, 2, 20, 0)
		v.do(m, p, q)
		money := q.Money
		if refused(t, m.asks(t, use(q.Number)), v.why); q.Money != money || len(p.Cooldowns) > 0 {
			t.Errorf("%s: %d coins are left of %d", v.what, q.Money, money)
		}
	}
}

// Rebirth of another is a blow in all but damage: it ends the protection of its caster and a duel of the other with a
// third, as a draw, and it wins no duel.
func TestRebirthOfAnotherCountsAsABlow(t *testing.T) {
	m := newFight(Options{Revival: func(coords.Position, int) coords.Position { return east(500) }})
	p, use := m.abler(t, 1, 5719)
	q, third := m.fighter(t, 2, 20, 0), m.fighter(t, 3, 20, 0)
	m.agree(t, p, q)
	refused(t, m.asks(t, use(q.Number)), rules.NoUse)
	m.asks(t, Duel{ID: 1, Word: EndDuel})
	m.pass(m.balance.Duel.Truce + time.Second)
	m.agree(t, q, third)
	m.pass(m.balance.Duel.Countdown)
	p.protected = m.World.instant().Add(time.Minute)
	told := of[DuelTold](m.asks(t, use(q.Number)))
	if !p.protected.IsZero() || len(told) != 2 || slices.ContainsFunc(told, func(e DuelTold) bool { return e.News != DuelMeddled }) {
		t.Errorf("protected until %v, told %+v", p.protected, told)
	}
}

// A stunned player goes nowhere by tokens, portals or words.
func TestTheStunnedGoNowhere(t *testing.T) {
	m, teleport := newTravels()
	m.joins(1, token(kToken, 1, 0, 26, 1, toCityAbove))
	m.does(lays{1, 1, rules.Effect{ID: 1040, Kind: rules.BadEffect, Length: 101}})
	m.whole(t, rules.Stunned, UseItem{1, 1, Target{Object: teleport}})
	m.whole(t, rules.Stunned, UsePortal{1, teleport})
}

// Thieves that rob each other ten thousand times, while things are dropped, moved and picked up, while some die, leave
// and come back, and while a store is late and fails: nothing is made or lost. Source: life check 7.9.
func TestLifeCheck7_9TenThousandThefts(t *testing.T) {
	const thieves, thefts = 4, 10_000
	r := rand.New(rand.NewPCG(79, 0))
	balance := sharp()
	balance.Effect.Reuse, balance.Death.Protection = 0, 0
	m := newFight(Options{Balance: balance, DespawnAfter: 24 * time.Hour})
	use := func(id PlayerID, on EntityID) UseItem {
		return UseItem{ID: id, Item: 6215 + 10000*rules.ItemID(id), Target: Target{Object: on}}
	}
	inside := map[PlayerID]bool{}
	for id := PlayerID(1); id <= thieves; id++ {
		first := rules.ItemID(id) * 100
		item := ability(6215, 46)
		item.ID += 10000 * rules.ItemID(id)
		m.admits(Player{ID: id, Title: 20, Money: 1000, Progress: rules.Progress{Base: rules.Stats{5}},
			Items: []rules.Item{item, thing(kSword, first, 0, 26, 1),
				thing(kApple, first+1, 0, 27, 9), thing(kRing, first+2, 0, 28, 1), thing(kSmallBag, first+3, 0, 29, 1),
				thing(kApple, first+4, first+3, 0, 3)}})
		inside[id] = true
	}
	all := func() (money int64, things map[[2]int]int) {
		for _, n := range m.money {
			money += n
		}
		things = map[[2]int]int{}
		for _, t := range m.things {
			things[[2]int{t.Item.Class, t.Item.GameID}] += t.Item.Count
		}
		return money, things
	}
	money, things := all()
	done, coins := 0, 0
	var late []CommitRequest
	for step := 0; done < thefts; step++ {
		for range 1 + r.IntN(4) {
			id := PlayerID(1 + r.IntN(thieves))
			p := m.player(id)
			switch n := r.IntN(64); {
			case n == 0 && p != nil:
				m.Do(deedOf(func(w *World) { w.vitals.hurt(p, Hit{Cause: Trap, HP: -30000}) }))
			case n == 1 && p != nil:
				m.Do(Leave{ID: id})
			case n < 8 && p == nil && !inside[id]:
				inside[id] = true
				back := m.returning(id)
				back.Title = 20
				m.Do(Enter{back})
			case n < 12 && p != nil && len(p.carried.Items) > 0:
				m.Do(Drop{id, p.carried.Items[r.IntN(len(p.carried.Items))].ID, p.Position})
			case n < 16 && p != nil:
				m.Do(MoveItem{ID: id, From: 26 + r.IntN(10), To: 26 + r.IntN(10)})
			case n < 32:
				for _, o := range m.objects() {
					if o.lies() && r.IntN(3) == 0 {
						m.Do(PickUp{id, Target{Object: o.ID}})
					}
				}
			default:
				m.Do(use(id, EntityID(1+r.IntN(thieves))))
			}
		}
		late = slices.DeleteFunc(late, func(c CommitRequest) bool {
			switch r.IntN(8) {
			case 0, 1, 2:
				return false
			case 3:
				m.Do(Committed{Seq: c.Seq, Err: errConflict})
				return true
			}
			ids, err := m.apply(c.Change)
			if err != nil {
				t.Fatalf("the store refuses: %v", err)
			}
			m.Do(Committed{c.Seq, ids, nil})
			return true
		})
		for _, e := range m.does() {
			switch e := e.(type) {
			case CommitRequest:
				late = append(late, e)
			case Left:
				m.leftWith(t, e)
				inside[e.Player.ID] = false
			case Stolen:
				if e.ID == e.By {
					done++
				}
				if e.ID == e.By && e.Thing.ID == 0 {
					coins++
				}
			}
		}
		if step%10 > 0 {
			continue
		}
		m.agrees(t)
		if is, have := all(); is != money || !maps.Equal(have, things) {
			t.Fatalf("after %d thefts: %d coins of %d, %v of %v", done, is, money, have, things)
		}
		if step > 20*thefts {
			t.Fatalf("%d thefts only", done)
		}
	}
	if coins == 0 || coins == done {
		t.Errorf("%d of %d thefts are of coins", coins, done)
	}
}

// A theft waits, as all that moves belongings, for what its thief has asked for before: a thing that is dropped in the
// same moment is not in the inventory as well.
func TestAThiefDropsNothingTwice(t *testing.T) {
	m := newFight(Options{})
	p, use := m.abler(t, 1, 6210)
	q := m.fighter(t, 2, 20, 0)
	sword := p.hand
	drop := only[CommitRequest](t, m.does(Drop{1, sword, shipstone}, use(q.Number)))
	ids, err := m.apply(drop.Change)
	if err != nil {
		t.Fatal(err)
	}
	events := m.asks(t, Committed{drop.Seq, ids, nil})
	only[ItemDropped](t, events)
	if told := of[Stolen](events); len(told) != 2 || p.carried.Find(sword) != nil {
		t.Errorf("told %+v, the sword is still there: %t", told, p.carried.Find(sword) != nil)
	}
	m.agrees(t)
}
