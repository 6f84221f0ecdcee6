package world

import (
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
