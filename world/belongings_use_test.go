package world

import (
	"slices"
	"testing"

	"sphereserver/world/rules"
)

func TestThingsAreUsed(t *testing.T) {
	use := func(id rules.ItemID) UseItem { return UseItem{ID: 1, Item: id} }
	for name, c := range map[string]struct {
		use    UseItem
		vitals rules.Pools // before, maxima do not count
		after  rules.Pools
		left   int
		why    rules.RejectReason
	}{
		"apple": {use: use(1), vitals: rules.Pools{HP: 50, MP: 40, Satiety: 50, MaxSatiety: 100},
			after: rules.Pools{HP: 50, MP: 40, Satiety: 55}, left: 2},
		"last apple": {use: use(2), vitals: rules.Pools{HP: 50, MP: 40, Satiety: 98, MaxSatiety: 100},
			after: rules.Pools{HP: 50, MP: 40, Satiety: 100}, left: 0},
		"potion": {use: use(3), vitals: rules.Pools{HP: 30, MP: 40, Satiety: 50, MaxSatiety: 100},
			after: rules.Pools{HP: 90, MP: 40, Satiety: 50}, left: 1},
		"potion in a bag": {use: use(4), vitals: rules.Pools{HP: 90, MP: 40, Satiety: 50, MaxSatiety: 100},
			after: rules.Pools{HP: 110, MP: 40, Satiety: 50}, left: 4},
		"potion on oneself by name": {use: UseItem{1, 3, Target{Item: 3}},
			vitals: rules.Pools{HP: 30, MP: 40, Satiety: 50, MaxSatiety: 100}, after: rules.Pools{HP: 90, MP: 40, Satiety: 50},
			left: 1},
		"mantra": {use: use(5), vitals: rules.Pools{HP: 50, MP: 40, Satiety: 50, MaxSatiety: 100},
			after: rules.Pools{HP: 80, MP: 28, Satiety: 50}, left: 1},
		"mantra without MP": {use: use(5), vitals: rules.Pools{HP: 50, MP: 11, Satiety: 50, MaxSatiety: 100},
			why: rules.Exhausted},
		"powder that harms": {use: use(6), why: rules.NoUse},
		"scroll": {use: use(7), vitals: rules.Pools{HP: 50, MP: 40, Satiety: 50, MaxSatiety: 100},
			after: rules.Pools{HP: 50, MP: 40, Satiety: 50}, left: 1},
		"tooth":                    {use: use(8), why: rules.NoUse},
		"potion on another":        {use: UseItem{1, 3, Target{Object: 2}}, why: rules.NoUse},
		"token that leads nowhere": {use: use(9), why: rules.LeadsNowhere},
		"sword":                    {use: use(10), why: rules.NoUse},
		"somebody else's":          {use: use(30), why: rules.NotYours},
		"nothing":                  {use: use(0), why: rules.NotYours},
		"when dead": {use: use(3), vitals: rules.Pools{HP: 0, MP: 40, Satiety: 50, MaxSatiety: 100},
			why: rules.Dead},
	} {
		t.Run(name, func(t *testing.T) {
			m := newTradeStage()
			m.joins(1, thing(kApple, 1, 0, 26, 3), thing(kApple, 2, 0, 27, 1), thing(kPotion, 3, 0, 28, 2),
				thing(kPotion, 4, 11, 0, 5), thing(kMantra, 5, 0, 29, 1),
				thing(kPowder, 6, 0, 30, 5), thing(kScroll, 7, 0, 31, 1), thing(kTooth, 8, 0, 32, 3), thing(kLost, 9, 0, 33, 1),
				thing(kSword, 10, 0, 34, 1), thing(kSmallBag, 11, 0, 22, 1))
			m.joins(2, thing(kApple, 30, 0, 26, 3))
			if c.vitals != (rules.Pools{}) {
				m.asks(t, setPools{1, c.vitals})
			}
			before, was := m.state(), m.player(1).carried.Find(c.use.Item)
			if was != nil {
				was = copyOf(was)
			}
			events := m.asks(t, c.use)
			if c.why != 0 {
				refused(t, events, c.why)
				if !same(before, m.state()) {
					t.Error("something has changed")
				}
				return
			}
			e := only[Used](t, events)
			if e.Left != c.left || !e.Item.Same(was) {
				t.Errorf("told %+v", e)
			}
			now := m.player(1).carried.Find(c.use.Item)
			if (now == nil) != (c.left == 0) || now != nil && now.Count != c.left {
				t.Errorf("left %+v", now)
			}
			v := m.player(1).Pools
			if v.HP != c.after.HP || v.MP != c.after.MP || v.Satiety != c.after.Satiety {
				t.Errorf("vitals %+v, expected %+v", v, c.after)
			}
			if c.after.HP != c.vitals.HP {
				healed := only[Healed](t, events)
				if healed.HP != c.after.HP-c.vitals.HP || healed.ID != 1 || healed.By != 1 ||
					len(of[StatsChanged](events)) != 0 {
					t.Errorf("the HP are told as %+v", healed)
				}
			}
		})
	}
}

func TestWhatIsWornIsPutOnAndTakenOffByUse(t *testing.T) {
	m := newTradeStage()
	things := []rules.Item{thing(kSmallBag, 1, 0, 22, 1), thing(kRing, 7, 1, 3, 1)}
	for i, slot := range []int{8, 9, 10, 11} {
		if i != 2 {
			things = append(things, thing(kRing, rules.ItemID(2+i), 0, slot, 1))
		}
	}
	m.joins(1, append(things, thing(kRing, 8, 0, 26, 1), thing(kLargeBag, 9, 0, 27, 1))...)
	if e := only[ItemMoved](t, m.asks(t, UseItem{ID: 1, Item: 8})); e.Item.Slot != 10 {
		t.Errorf("the ring went to slot %d, expected the free one", e.Item.Slot)
	}
	e := only[ItemMoved](t, m.asks(t, UseItem{ID: 1, Item: 7}))
	if e.Item.Slot != 8 || e.Other == nil || e.Other.ID != 2 || e.Other.In != 1 || e.Other.Slot != 3 {
		t.Errorf("the ring from the bag did not trade places with that in the first slot: %+v", e)
	}
	if e := only[ItemMoved](t, m.asks(t, UseItem{ID: 1, Item: 7})); e.Item.Slot != 26 {
		t.Errorf("taken off into slot %d", e.Item.Slot)
	}
	if e := only[Opened](t, m.asks(t, UseItem{ID: 1, Item: 1})); e.What != (Container{Bag: 1}) || len(e.Items) != 1 {
		t.Errorf("the bag shows %+v", e)
	}
	if e := only[ItemMoved](t, m.asks(t, UseItem{ID: 1, Item: 9})); e.Item.Slot != 22 || e.Other == nil ||
		e.Other.ID != 1 {
		t.Errorf("the empty bag did not trade places with the other: %+v", e)
	}
	full := []rules.Item{thing(kRing, 100, 0, 8, 1)}
	for i := range 10 {
		full = append(full, thing(kSword, rules.ItemID(101+i), 0, 26+i, 1))
	}
	m.joins(2, full...)
	refused(t, m.asks(t, UseItem{ID: 2, Item: 100}), rules.NoRoom)
}

func TestTokensTakeTheirBearer(t *testing.T) {
	m := newTradeStage()
	m.putTeleport(east(4))
	m.joins(1, thing(kSmallBag, 1, 0, 22, 1), thing(kCharged, 2, 1, 0, 2), thing(kToken, 3, 0, 26, 1))
	events := m.asks(t, UseItem{ID: 1, Item: 2})
	e := only[Used](t, events)
	if want := []SlotNow{{In: Container{Bag: 1}, Slot: 0, Item: 2, Weight: 10, WeightOnly: true},
		{Slot: 22, Item: 1, Weight: 510, WeightOnly: true}}; e.Left != 1 || !slices.Equal(e.Slots, want) {
		t.Errorf("told %+v", e)
	}
	if *e.To != islet || m.player(1).Position != islet {
		t.Error("the token leads elsewhere")
	}
	m.putTeleport(islet)
	m.pass(journeyPause)
	if e := only[Used](t, m.asks(t, UseItem{ID: 1, Item: 3})); e.Left != 0 || m.player(1).carried.Find(3) != nil {
		t.Errorf("told %+v", e)
	}
}
