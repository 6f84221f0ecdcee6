package world

import (
	"errors"
	"slices"
	"testing"

	"sphereserver/world/rules"
)

// smithScene is a player with 1000 coins and a worn sword and helmet, a weapon smith beside it, and an alchemist.
type smithScene struct {
	*tradeStage
	p                *player
	smith, alchemist EntityID
}

func newSmithScene(t *testing.T) *smithScene {
	m := newFight(Options{SellFraction: 0.5})
	sword, helmet, parcel := weapon(kStartSword, 101, 26), weapon(kCap, 102, rules.SlotHelmet), weapon(kStartSword, 103, 28)
	sword.Durability, helmet.Durability = 0, helmet.MaxDurability/2
	parcel.Class, parcel.GameID = rules.ClassParcel, 0
	m.admits(Player{ID: 1, Title: 29, Degree: 29, Money: 1000, Items: []rules.Item{sword, helmet, parcel}})
	s := &smithScene{m, m.player(1), m.NextEntityID(), m.NextEntityID()}
	m.does(Put{Object{s.smith, east(2), NPC{Type: int(rules.Weapons), Key: "smith"}}},
		Put{Object{s.alchemist, east(1), NPC{Type: int(rules.Alchemy), Key: "alchemist"}}})
	return s
}

// prices are those of the sword and of the helmet: half of the price for all of the durability.
func (s *smithScene) prices() (sword, helmet int64) {
	price := func(id rules.ItemID) int64 { return int64(s.tables.KindOf(s.p.carried.Find(id)).Price) }
	return (price(101) + 1) / 2, (price(102) + 3) / 4
}

func TestSmithRepairs(t *testing.T) {
	s := newSmithScene(t)
	sword, helmet := s.prices()
	if sword < 2 || helmet < 1 || s.p.derived.PhysicalDefence == 0 {
		t.Fatalf("prices %d and %d", sword, helmet)
	}
	asked := only[RepairPriced](t, s.asks(t, Repair{ID: 1, Asks: true}))
	if !slices.Equal(asked.Prices, []int64{helmet, sword}) || asked.Items[0].ID != 102 || asked.Money != 1000 ||
		s.p.Money != 1000 {
		t.Fatalf("asked: %+v", asked)
	}

	events := s.does(Repair{ID: 1})
	change := only[CommitRequest](t, events)
	if len(of[ItemsRepaired](events)) > 0 || len(change.Change.Money) != 1 || len(change.Change.Items) != 2 ||
		s.p.Money != 1000 || s.p.carried.Find(101).Durability != 0 {
		t.Fatalf("before it is stored: %s", describe(events))
	}
	ids, err := s.apply(change.Change)
	done := only[ItemsRepaired](t, s.asks(t, Committed{change.Seq, ids, err}))
	if done.Price != sword+helmet || done.Money != 1000-sword-helmet || s.p.Money != done.Money || len(done.Items) != 2 {
		t.Errorf("told %+v", done)
	}
	for _, id := range []rules.ItemID{101, 102} {
		if t1 := s.p.carried.Find(id); t1.Durability != t1.MaxDurability || s.things[id].Durability != t1.MaxDurability {
			t.Errorf("repaired %+v, stored %+v", t1, s.things[id])
		}
	}
	refused(t, s.asks(t, Repair{ID: 1}), rules.NothingWorn)
	s.asks(t, TakeInHand{ID: 1, Item: 101})
	if s.p.derived.Attack == 0 {
		t.Error("the repaired sword gives nothing")
	}
	s.agrees(t)
}

func TestRepairThatIsNotStoredCostsNothing(t *testing.T) {
	s := newSmithScene(t)
	before := s.state()
	s.asks(t, Repair{ID: 1, Asks: true})
	change := only[CommitRequest](t, s.does(Repair{ID: 1}))
	refused(t, s.asks(t, Committed{change.Seq, nil, errors.New("disk full")}), rules.StoreFailed)
	if !same(before, s.state()) {
		t.Error("something has changed")
	}
}

// Nothing is paid that was not told before: a price that has risen, or of one thing more, is told again.
func TestRepairCostsWhatWasTold(t *testing.T) {
	s := newSmithScene(t)
	sword, helmet := s.prices()
	tells := func(what string, r Repair, prices ...int64) {
		t.Helper()
		events := s.asks(t, r)
		if e := only[RepairPriced](t, events); !slices.Equal(e.Prices, prices) || s.p.Money != 1000 {
			t.Errorf("%s: %s", what, describe(events))
		}
	}
	tells("not asked before", Repair{ID: 1, Slot: 1}, sword)
	tells("one more", Repair{ID: 1}, helmet, sword)
	dear := *s.balance
	dear.Blow.Repair *= 2
	s.does(SetBalance{&dear})
	dearer := only[RepairPriced](t, s.asks(t, Repair{ID: 1}))
	if s.p.Money != 1000 || dearer.Prices[1] <= sword {
		t.Errorf("it has risen: %+v, money %d", dearer, s.p.Money)
	}
	cheap := dear
	cheap.Blow.Repair /= 2
	s.does(SetBalance{&cheap})
	if e := only[ItemsRepaired](t, s.asks(t, Repair{ID: 1})); e.Price != sword+helmet {
		t.Errorf("it has fallen: paid %d of %d", e.Price, sword+helmet)
	}
	if s.asks(t, Leave{ID: 1}); len(s.belongings.quoted) > 0 {
		t.Errorf("of a player that has left there is kept %v", s.belongings.quoted)
	}
}

func TestRepairsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(s *smithScene)
		repair  Repair
		why     rules.RejectReason
	}{
		"too poor": {prepare: func(s *smithScene) { s.p.Money, s.money[1001] = 1, 1 }, why: rules.TooPoor},
		"too far":  {prepare: func(s *smithScene) { s.p.Position = east(-9) }, why: rules.TooFar},
		"no smith": {prepare: func(s *smithScene) { s.Do(Remove{s.smith}) }, why: rules.NoSmith},
		"the dead": {prepare: func(s *smithScene) { s.p.Pools.HP = 0 }, why: rules.Dead},
		"whole": {prepare: func(s *smithScene) {
			for i := range s.p.carried.Items {
				it := &s.p.carried.Items[i]
				it.Durability = it.MaxDurability
				s.things[it.ID] = rules.StoredItem{Item: *it, Owner: 1001}
			}
		}, why: rules.NothingWorn},
		"an empty slot":      {repair: Repair{Slot: 2}, why: rules.EmptySlot},
		"a slot beyond":      {repair: Repair{Slot: 99}, why: rules.EmptySlot},
		"a slot below":       {repair: Repair{Slot: -7}, why: rules.EmptySlot},
		"what does not wear": {repair: Repair{Slot: 3}, why: rules.NeverWears},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSmithScene(t)
			s.asks(t, Repair{ID: 1, Asks: true})
			if c.prepare != nil {
				s.does(deedOf(func(*World) { c.prepare(s) }))
			}
			before := s.state()
			c.repair.ID = 1
			events := s.asks(t, c.repair)
			refused(t, events, c.why)
			sword, helmet := s.prices()
			if e := only[Refused](t, events); c.why == rules.TooPoor && (e.Limit != int(sword+helmet) || e.Money != 1) ||
				c.why != rules.TooPoor && e.Limit != 0 {
				t.Errorf("it names %d of %d", e.Limit, e.Money)
			}
			if !same(before, s.state()) {
				t.Error("something has changed")
			}
		})
	}
}

// A worn item that is offered to a smith is priced twice, for sale and for repair, and is then the only one repaired.
func TestOfferToSmithChoosesTheRepair(t *testing.T) {
	s := newSmithScene(t)
	s.does(deedOf(func(w *World) {
		w.belongings.stocks[s.smith] = stock{day: rules.GameDay(w.now), goods: []rules.Offer{{Kind: w.tables.Kind(kCap)}}}
		w.belongings.stocks[s.alchemist] = w.belongings.stocks[s.smith]
	}))
	offer := OfferForSale{ID: 1, Item: 102}
	s.asks(t, OpenTrade{1, s.alchemist})
	if events := s.asks(t, offer); len(of[Offered](events)) != 1 || len(of[RepairPriced](events)) > 0 {
		t.Errorf("an alchemist prices: %s", describe(events))
	}
	s.asks(t, OpenTrade{1, s.smith})
	sword, helmet := s.prices()
	events := s.asks(t, offer)
	priced := only[RepairPriced](t, events)
	if len(of[Offered](events)) != 1 || !slices.Equal(priced.Prices, []int64{helmet}) || priced.Items[0].ID != 102 {
		t.Errorf("offered: %s", describe(events))
	}
	events = s.asks(t, OfferForSale{ID: 1, Item: 101, TradeSlot: 1}) // a gift, which nobody buys
	if refused(t, events, rules.Worthless); only[RepairPriced](t, events).Prices[0] != sword {
		t.Errorf("of a gift: %s", describe(events))
	}
	both := only[RepairPriced](t, s.asks(t, Repair{ID: 1, Asks: true}))
	if !slices.Equal(both.Prices, []int64{sword, helmet}) && !slices.Equal(both.Prices, []int64{helmet, sword}) {
		t.Errorf("of both: %+v", both)
	}
	if events := s.asks(t, Withdraw{1, 1}); len(events) > 0 { // the gift lies in the window no longer
		t.Errorf("taken out: %s", describe(events))
	}
	refused(t, s.asks(t, OfferForSale{ID: 1, Item: 9999}), rules.NotYours) // such as one on the ground
	if e := only[ItemsRepaired](t, s.asks(t, Repair{ID: 1})); e.Price != helmet || len(e.Items) != 1 || e.Items[0].ID != 102 {
		t.Errorf("repaired %+v", e)
	}
	if events := s.asks(t, offer); len(of[RepairPriced](events)) > 0 {
		t.Errorf("a whole item is priced for repair: %s", describe(events))
	}
	again := only[RepairPriced](t, s.asks(t, Repair{ID: 1})) // a second yes, with nothing in the window any more
	if !slices.Equal(again.Prices, []int64{sword}) {
		t.Errorf("a second yes: %+v", again)
	}
	if e := only[ItemsRepaired](t, s.asks(t, Repair{ID: 1, Slot: 1})); e.Price != sword || e.Items[0].ID != 101 {
		t.Errorf("by its slot repaired %+v", e)
	}
}
