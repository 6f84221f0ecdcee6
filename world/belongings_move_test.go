package world

import (
	"slices"
	"testing"

	"sphereserver/world/rules"
)

// spread are belongings for most tests: the inventory begins with slot 26.
func spread() []rules.Item {
	bound := thing(kTooth, 12, 0, 33, 1)
	bound.Bound = true
	return []rules.Item{
		thing(kSword, 1, 0, 26, 1), thing(kRing, 2, 0, 27, 1), thing(kHelmet, 3, 0, 28, 1), thing(kApple, 4, 0, 29, 10),
		thing(kApple, 5, 0, 30, 95),
		thing(kSmallBag, 6, 0, 22, 1), thing(kApple, 7, 6, 0, 3), thing(kPotion, 8, 6, 1, 2), thing(kLargeBag, 9, 0, 31, 1),
		thing(kRing, 10, 0, 8, 1),
		thing(kMantra, 11, 0, 32, 1), bound, thing(kBook, 13, 0, 17, 1), thing(kCursed, 14, 0, 34, 1),
	}
}

func TestThingMovesBetweenSlots(t *testing.T) {
	bag := Container{Bag: 6}
	for name, c := range map[string]struct {
		move     MoveItem
		why      rules.RejectReason
		id       rules.ItemID // of the item then in To
		count    int
		slots    []SlotNow
		sheet    bool
		notThere rules.ItemID
	}{
		"to a free slot": {move: MoveItem{1, Container{}, 26, 35}, id: 1, count: 1,
			slots: []SlotNow{{Slot: 26}, {Slot: 35, Item: 1, Weight: 5000}}},
		"in a bag": {move: MoveItem{1, bag, 1, 9}, id: 8, count: 2,
			slots: []SlotNow{{In: bag, Slot: 1}, {In: bag, Slot: 9, Item: 8, Weight: 100}}},
		"put on": {move: MoveItem{1, Container{}, 28, 0}, id: 3, count: 1, sheet: true,
			slots: []SlotNow{{Slot: 28}, {Slot: 0, Item: 3, Weight: 1200}}},
		"taken off": {move: MoveItem{1, Container{}, 8, 35}, id: 10, count: 1, sheet: true,
			slots: []SlotNow{{Slot: 8}, {Slot: 35, Item: 10, Weight: 10}}},
		"onto itself": {move: MoveItem{1, Container{}, 26, 26}, id: 1, count: 1,
			slots: []SlotNow{{Slot: 26, Item: 1, Weight: 5000}}},
		"bag with contents": {move: MoveItem{1, Container{}, 22, 35}, id: 6, count: 1, sheet: false,
			slots: []SlotNow{{Slot: 22}, {Slot: 35, Item: 6, Weight: 624}}},
		"of an empty slot":             {move: MoveItem{1, Container{}, 35, 26}, why: rules.EmptySlot},
		"of a slot that is not there":  {move: MoveItem{1, Container{}, 18, 26}, why: rules.EmptySlot},
		"of a negative slot":           {move: MoveItem{1, Container{}, -1, 26}, why: rules.EmptySlot},
		"to 18":                        {move: MoveItem{1, Container{}, 26, 18}, why: rules.NoSlot},
		"to 60":                        {move: MoveItem{1, Container{}, 26, 60}, why: rules.NoSlot},
		"to a negative slot":           {move: MoveItem{1, Container{}, 26, -7}, why: rules.NoSlot},
		"to a slot for something else": {move: MoveItem{1, Container{}, 26, 2}, why: rules.NoSlot},
		"among mutators":               {move: MoveItem{1, Container{}, 26, 36}, why: rules.NoSlot},
		"to an occupied slot":          {move: MoveItem{1, Container{}, 26, 27}, why: rules.Occupied},
		"beyond a bag":                 {move: MoveItem{1, bag, 0, 10}, why: rules.NoSlot},
		"in a bag that is not there":   {move: MoveItem{1, Container{Bag: 99}, 0, 1}, why: rules.NotYours},
		"in a closed vault":            {move: MoveItem{1, Container{Vault: true}, 0, 1}, why: rules.NotOpen},
		"in an unknown object":         {move: MoveItem{1, Container{Object: 77}, 0, 1}, why: rules.NotInSight},
		"in two containers":            {move: MoveItem{1, Container{Bag: 6, Vault: true}, 0, 1}, why: rules.NotYours},
		"stack that does not fit":      {move: MoveItem{1, Container{}, 30, 29}, why: rules.Occupied},
		"put on without the strength":  {move: MoveItem{2, Container{}, 28, 0}, why: rules.Lacking},
		"put on what weakens what is on": {move: MoveItem{1, Container{}, 34, 9}, id: 14, count: 1, sheet: true,
			slots: []SlotNow{{Slot: 34}, {Slot: 9, Item: 14, Weight: 10}}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newTradeStage()
			m.joins(1, spread()...)
			m.admits(Player{ID: 2, Items: []rules.Item{thing(kHelmet, 30, 0, 28, 1)}})
			before := m.state()
			events := m.asks(t, c.move)
			if c.why != 0 {
				refused(t, events, c.why)
				if !same(before, m.state()) {
					t.Error("something has changed")
				}
				return
			}
			e := only[ItemMoved](t, events)
			if got := m.carries(1, c.move.In.Bag, c.move.To); got == nil || got.ID != c.id || got.Count != c.count {
				t.Errorf("slot %d holds %+v", c.move.To, got)
			}
			if e.ID != 1 || e.Item.ID != c.id || e.From != c.move.From || !slices.Equal(e.Slots, c.slots) {
				t.Errorf("told %+v, expected slots %+v", e, c.slots)
			}
			if changed := len(of[StatsChanged](events)) > 0; changed != c.sheet {
				t.Errorf("values told: %v, expected %v", changed, c.sheet)
			}
		})
	}
}

// A refusal restates the slots that there are: of one that a client does not have it is told nothing, nor that one of the
// mutators is empty.
func TestRefusalRestatesSlotsThatThereAre(t *testing.T) {
	bag := Container{Bag: 6}
	for name, c := range map[string]struct {
		move MoveItem
		want []int
	}{
		"another slot":     {MoveItem{1, Container{}, 26, 2}, []int{26, 2}},
		"200":              {MoveItem{1, Container{}, 26, 200}, []int{26}},
		"of 200":           {MoveItem{1, Container{}, 200, 26}, []int{26}},
		"18":               {MoveItem{1, Container{}, 26, 18}, []int{26}},
		"among mutators":   {MoveItem{1, Container{}, 26, 36}, []int{26}},
		"beyond a bag":     {MoveItem{1, bag, 0, 10}, []int{0}},
		"beyond the vault": {MoveItem{1, Container{Vault: true}, 59, 60}, []int{59}},
	} {
		m := newTradeStage()
		m.joins(1, spread()...)
		var got []int
		for _, now := range only[Refused](t, m.asks(t, c.move)).Slots {
			got = append(got, now.Slot)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: slots %v, want %v", name, got, c.want)
		}
	}
}

func TestStackIsAddedToAnother(t *testing.T) {
	for name, c := range map[string]Command{
		"by a move": MoveItem{1, Container{}, 30, 29},
		"by a swap": SwapItems{1, 5, 4, 30, 29},
		"by a put":  PutInto{1, Target{Item: 5}, Container{}, 29},
	} {
		t.Run(name, func(t *testing.T) {
			m := newTradeStage()
			m.joins(1, thing(kApple, 4, 0, 29, 10), thing(kApple, 5, 0, 30, 90))
			e := only[ItemMoved](t, m.asks(t, c))
			if e.Merged == nil || e.Merged.ID != 4 || e.Merged.Count != 100 || e.Item.ID != 5 || e.Item.Count != 90 {
				t.Errorf("told %+v", e)
			}
			if want := []SlotNow{{Slot: 30}, {Slot: 29, Item: 4, Weight: 800, WeightOnly: true}}; !slices.Equal(e.Slots, want) {
				t.Errorf("slots %+v, expected %+v", e.Slots, want)
			}
		})
	}
}

func TestThingsTradePlaces(t *testing.T) {
	for name, c := range map[string]struct {
		swap SwapItems
		why  rules.RejectReason
	}{
		"in the inventory":        {swap: SwapItems{1, 1, 4, 26, 29}},
		"what is worn":            {swap: SwapItems{1, 2, 10, 27, 8}},
		"wrong slot of the first": {SwapItems{1, 1, 4, 27, 29}, rules.EmptySlot},
		"wrong slot of the other": {SwapItems{1, 1, 4, 26, 30}, rules.EmptySlot},
		"with itself":             {SwapItems{1, 1, 1, 26, 26}, rules.NotYours},
		"of another container":    {SwapItems{1, 1, 7, 26, 0}, rules.NotYours},
		"with nothing":            {SwapItems{1, 1, 99, 26, 29}, rules.NotYours},
		"of somebody else":        {SwapItems{1, 1, 30, 26, 28}, rules.NotYours},
		"sword as a ring":         {SwapItems{1, 1, 10, 26, 8}, rules.NoSlot},
		"ring as a bag":           {SwapItems{1, 6, 2, 22, 27}, rules.NoSlot},
		"with a negative number":  {SwapItems{1, -1, 4, 26, 29}, rules.NotYours},
	} {
		t.Run(name, func(t *testing.T) {
			m := newTradeStage()
			m.joins(1, spread()...)
			m.admits(Player{ID: 2, Items: []rules.Item{thing(kHelmet, 30, 0, 28, 1)}})
			before := m.state()
			events := m.asks(t, c.swap)
			if c.why != 0 {
				refused(t, events, c.why)
				if !same(before, m.state()) {
					t.Error("something has changed")
				}
				return
			}
			e := only[ItemMoved](t, events)
			if e.Item.ID != c.swap.First || e.Other == nil || e.Other.ID != c.swap.Second ||
				e.Item.Slot != c.swap.SecondSlot || e.Other.Slot != c.swap.FirstSlot {
				t.Errorf("told %+v", e)
			}
			if len(e.Slots) != 2 || e.Slots[0].Slot != c.swap.SecondSlot || e.Slots[1].Slot != c.swap.FirstSlot {
				t.Errorf("slots %+v", e.Slots)
			}
		})
	}
}

func TestThingIsPutIntoBags(t *testing.T) {
	bag := Container{Bag: 6}
	for name, c := range map[string]struct {
		put   PutInto
		why   rules.RejectReason
		in    rules.ItemID
		count int
	}{
		"into a bag":                    {put: PutInto{1, Target{Item: 1}, bag, 5}, in: 6, count: 1},
		"out of a bag":                  {put: PutInto{1, Target{Item: 8}, Container{}, 35}, count: 2},
		"onto a stack in a bag":         {put: PutInto{1, Target{Item: 4}, bag, 0}, in: 6, count: 13},
		"bag into a bag":                {put: PutInto{1, Target{Item: 9}, bag, 2}, in: 6, count: 1},
		"mantra into its book":          {put: PutInto{1, Target{Item: 11}, Container{Bag: 13}, 19}, in: 13, count: 1},
		"out of a bag onto the body":    {put: PutInto{1, Target{Item: 2}, Container{}, 9}, count: 1},
		"sword into a book":             {put: PutInto{1, Target{Item: 1}, Container{Bag: 13}, 0}, why: rules.NoSlot},
		"bag into itself":               {put: PutInto{1, Target{Item: 6}, bag, 5}, why: rules.TooDeep},
		"into what is no bag":           {put: PutInto{1, Target{Item: 2}, Container{Bag: 1}, 0}, why: rules.NoContainer},
		"beyond the bag":                {put: PutInto{1, Target{Item: 1}, bag, 10}, why: rules.NoSlot},
		"into a negative slot":          {put: PutInto{1, Target{Item: 1}, bag, -1}, why: rules.NoSlot},
		"onto something else":           {put: PutInto{1, Target{Item: 1}, bag, 0}, why: rules.Occupied},
		"something of another":          {put: PutInto{1, Target{Item: 30}, bag, 5}, why: rules.NotYours},
		"into a bag of another":         {put: PutInto{1, Target{Item: 1}, Container{Bag: 31}, 5}, why: rules.NotYours},
		"nothing":                       {put: PutInto{1, Target{}, bag, 5}, why: rules.NotYours},
		"two things":                    {put: PutInto{1, Target{1, 1}, bag, 5}, why: rules.NotYours},
		"into the vault without banker": {put: PutInto{1, Target{Item: 1}, Container{Vault: true}, 5}, why: rules.NotOpen},
		"into a slot that does not fit": {put: PutInto{1, Target{Item: 8}, Container{}, 0}, why: rules.NoSlot},
	} {
		t.Run(name, func(t *testing.T) {
			m := newTradeStage()
			m.joins(1, spread()...)
			m.admits(Player{ID: 2, Items: []rules.Item{thing(kHelmet, 30, 0, 28, 1), thing(kLargeBag, 31, 0, 22, 1)}})
			before := m.state()
			events := m.asks(t, c.put)
			if c.why != 0 {
				refused(t, events, c.why)
				if !same(before, m.state()) {
					t.Error("something has changed")
				}
				return
			}
			got := m.carries(1, c.in, c.put.Slot)
			if got == nil || got.Count != c.count {
				t.Errorf("the slot holds %+v", got)
			}
		})
	}
}

func TestBagsGoNoDeeperThanTwo(t *testing.T) {
	m := newTradeStage()
	m.joins(1, thing(kLargeBag, 1, 0, 22, 1), thing(kLargeBag, 2, 0, 26, 1), thing(kLargeBag, 3, 0, 27, 1),
		thing(kApple, 4, 0, 28, 2))
	m.asks(t, PutInto{1, Target{Item: 2}, Container{Bag: 1}, 0})
	refused(t, m.asks(t, PutInto{1, Target{Item: 3}, Container{Bag: 2}, 0}), rules.TooDeep)
	e := only[TookUp](t, m.asks(t, PutInto{1, Target{Item: 4}, Container{Bag: 2}, 7}))
	want := []SlotNow{{Slot: 28}, {In: Container{Bag: 2}, Slot: 7, Item: 4, Weight: 16},
		{In: Container{Bag: 1}, Slot: 0, Item: 2, Weight: 1016, WeightOnly: true},
		{Slot: 22, Item: 1, Weight: 2016, WeightOnly: true}}
	if !slices.Equal(e.Slots, want) {
		t.Errorf("slots\n%+v, expected\n%+v", e.Slots, want)
	}
	refused(t, m.asks(t, PutInto{1, Target{Item: 1}, Container{Bag: 2}, 9}), rules.TooDeep)
	refused(t, m.asks(t, PutInto{1, Target{Item: 1}, Container{Bag: 3}, 9}), rules.TooDeep)
}

func TestMutatorsStayWhereTheyAre(t *testing.T) {
	m := newTradeStage()
	m.joins(1, thing(kRing, 1, 0, 36, 1), thing(kRing, 2, 0, 26, 1))
	for _, c := range []Command{MoveItem{1, Container{}, 36, 30}, SwapItems{1, 1, 2, 36, 26}, SwapItems{1, 2, 1, 26, 36},
		Drop{1, 1, shipstone}, UseItem{ID: 1, Item: 1},
		PutInto{1, Target{Item: 1}, Container{Bag: 9}, 0}} {
		before := m.state()
		if of[Refused](m.asks(t, c)) == nil || !same(before, m.state()) {
			t.Errorf("%+v is done", c)
		}
	}
	if v := valuesIn(m.player(1).sheet())[statStats]; v != 10 {
		t.Errorf("strength %d: what lies among the mutators counts, expected 10", v)
	}
}

func TestWeightsCountWhatIsInside(t *testing.T) {
	h := rules.NewInventory(rules.Inventory{}, spread())
	if bag, stack := h.Weight(h.At(0, 22)), h.Weight(h.At(0, 30)); bag != 500+3*8+2*50 || stack != 95*8 {
		t.Errorf("a bag of %d, a stack of %d", bag, stack)
	}
}
