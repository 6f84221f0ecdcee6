package world

import (
	"testing"

	"sphereserver/world/rules"
)

func TestThingsWearOut(t *testing.T) {
	balance := sharp()
	balance.Blow.WearHits = 3
	m := newFight(Options{Balance: balance})
	p := m.fighter(t, 1, 0, 0)
	b := m.beast(mTarget, 1, 1)
	b.MaxHP, b.HP = 6400, 6400
	blow := func() []Event {
		m.does(deedOf(func(w *World) { p.lastBlow = 0 }))
		return m.asks(t, p.blowAt(b.object.ID))
	}
	for i := 1; i <= 9; i++ {
		told := of[ItemsWorn](blow())
		left := 3650 - i/3
		if (len(told) == 1) != (i%3 == 0) || p.carried.Find(p.hand).Durability != left {
			t.Fatalf("blow %d: told %+v, %+v", i, told, p.carried.Find(p.hand))
		}
		if len(told) == 1 && (told[0].ID != 1 || len(told[0].Items) != 1 || told[0].Items[0].Durability != left ||
			m.things[p.hand].Durability != left) {
			t.Errorf("blow %d: told %+v, stored %+v", i, told, m.things[p.hand])
		}
	}
	m.agrees(t)

	// At 0 it stays in the hand and is good for nothing.
	m.does(deedOf(func(w *World) { p.carried.Find(p.hand).Durability = 1 }))
	stored := m.things[p.hand]
	stored.Durability = 1
	m.things[p.hand] = stored
	blow()
	blow()
	blow()
	if p.carried.Find(p.hand).Durability != 0 || p.hand == 0 || p.derived.Attack != 0 || p.derived.Holds {
		t.Errorf("in the hand %d, attack %d", p.hand, p.derived.Attack)
	}
	refused(t, blow(), rules.Lacking)
	m.asks(t, TakeInHand{ID: 1})
	refused(t, m.asks(t, TakeInHand{ID: 1, Item: 101}), rules.Lacking)
}

func TestArmourWearsOutByHits(t *testing.T) {
	balance := sharp()
	balance.Blow.WearHits = 2
	m := newFight(Options{Balance: balance})
	helmet := weapon(kCap, 300, rules.SlotHelmet)
	helmet.Durability = 2
	m.admits(Player{ID: 1, Title: 29, Degree: 29, Items: []rules.Item{helmet}})
	p, b := m.player(1), m.beast(mBiter, 1, 1)
	if p.derived.PhysicalDefence != 7 {
		t.Fatalf("defence %d", p.derived.PhysicalDefence)
	}
	for i, left := range []int{2, 1, 1, 0, 0, 0} {
		events := m.asks(t, deedOf(func(w *World) { w.combat.swing(b, p) }))
		if now := p.carried.Find(300).Durability; now != left || m.things[300].Durability != left ||
			(len(of[ItemsWorn](events)) == 1) != (i == 1 || i == 3) {
			t.Errorf("hit %d: durability %d, expected %d: %s", i+1, now, left, describe(events))
		}
	}
	if p.derived.PhysicalDefence != 0 || p.carried.Find(300).Slot != rules.SlotHelmet {
		t.Errorf("defence %d with %+v", p.derived.PhysicalDefence, p.carried.Find(300))
	}
	m.agrees(t)
}

func TestNothingWearsOutByDefault(t *testing.T) {
	m := newFight(Options{})
	p, b := m.fighter(t, 1, 0, 0), m.beast(mTarget, 1, 1)
	for range 5 {
		m.does(deedOf(func(w *World) { p.lastBlow = 0 }))
		if events := m.asks(t, p.blowAt(b.object.ID)); len(of[ItemsWorn](events))+len(of[CommitRequest](events)) > 0 {
			t.Fatal(describe(events))
		}
	}
	if p.carried.Find(p.hand).Durability != 3650 {
		t.Error("it wore")
	}
}
