package world

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// dropLoot makes new items that lie in the world, as a monster will leave them. Nothing is told but [CommitRequest]
// and their appearance.
type dropLoot struct {
	Things []rules.Item // without numbers; In does not count. A count of 0 counts as 1.
	Bag    *rules.Item  // in which they lie, in slots from 0; nil: each by itself
	Lying  rules.OnGround
}

func (dropLoot) who() PlayerID { return 0 }

func (c dropLoot) do(w *World) {
	if c.Lying.At.Check() != nil {
		return
	}
	d := w.ledger.tx(nil, c)
	var sides []*rules.Side
	lay := func(t rules.Item) *rules.Side {
		s := d.Ground(c.Lying)
		t.ID, t.In, t.Slot, t.Count = 0, 0, 0, max(t.Count, 1)
		s.Root = d.Add(s, t)
		sides = append(sides, s)
		return s
	}
	var bag *rules.Side
	if c.Bag != nil {
		bag = lay(*c.Bag)
	}
	for i, t := range c.Things {
		if bag == nil {
			lay(t)
			continue
		}
		if i >= rules.ClassOf(c.Bag.Class).Room {
			break
		}
		t.ID, t.In, t.Slot, t.Count = 0, bag.Root, i, max(t.Count, 1)
		d.Add(bag, t)
	}
	if len(sides) == 0 {
		return
	}
	w.ledger.commit(d, nil, func() {
		for _, s := range sides {
			w.groundItems.lay(w.groundItems.bundle(s.Inventory), nil)
		}
	})
}

// scattered puts new items into the world and returns their objects.
func (m *tradeStage) scattered(t testing.TB, s dropLoot) []EntityID {
	t.Helper()
	var out []EntityID
	had := len(m.objects())
	m.asks(t, s)
	for _, o := range m.objects()[had:] {
		out = append(out, o.ID)
	}
	if len(out) == 0 {
		t.Fatal("nothing lies there")
	}
	return out
}

func TestDroppedThingLiesForAll(t *testing.T) {
	m := newTradeStage()
	m.joins(1, spread()...)
	m.joins(2)
	events := m.asks(t, Drop{1, 6, east(1)})
	d := only[ItemDropped](t, events)
	if d.Item.ID != 6 || d.At != east(1) || len(d.Inside) != 2 || !slices.Equal(d.Slots, []SlotNow{{Slot: 22}}) {
		t.Errorf("told %+v", d)
	}
	seen := told[ObjectAppeared](events)
	if len(seen) != 2 || seen[0].Object.ID != d.Object {
		t.Fatalf("appeared: %+v", seen)
	}
	if bag, ok := seen[0].Object.Kind.(GroundItem); !ok || !bag.IsBag() || bag.Item.ID != 6 ||
		bag.OnGround.Expires.IsZero() {
		t.Errorf("lies as %+v", seen[0].Object.Kind)
	}
	dropped := slices.IndexFunc(events, func(e Event) bool { _, ok := e.(ItemDropped); return ok })
	if dropped > slices.IndexFunc(events, func(e Event) bool { _, ok := e.(*ObjectAppeared); return ok }) {
		t.Error("the object appears before it is dropped")
	}
	// The other takes it with all that is in it.
	events = m.asks(t, PickUp{2, Target{Object: d.Object}})
	e := only[TookUp](t, events)
	if !e.Gone || e.Object != d.Object || len(e.Items) != 1 || !e.Items[0].FromGround || len(e.Items[0].Inside) != 2 ||
		e.Items[0].Into.Slot != 26 {
		t.Errorf("told %+v", e)
	}
	if n := len(told[Vanished](events)); n != 2 {
		t.Errorf("vanished for %d", n)
	}
	if !slices.Equal(e.Slots, []SlotNow{{Slot: 26, Item: 6, Weight: 624}}) {
		t.Errorf("slots %+v", e.Slots)
	}
	if got := m.carries(2, 6, 1); got == nil || got.ID != 8 {
		t.Errorf("in the bag lies %+v", got)
	}
}

func TestDropIsRefused(t *testing.T) {
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		drop Drop
		why  rules.RejectReason
	}{
		"bound":           {Drop{1, 12, shipstone}, rules.IsBound},
		"too far":         {Drop{1, 1, east(11)}, rules.TooFar},
		"NaN":             {Drop{1, 1, coords.Position{X: nan, Y: 157.8, Z: 1293}}, rules.BadPlace},
		"infinite":        {Drop{1, 1, coords.Position{X: float32(math.Inf(1)), Y: 157.8, Z: 1293}}, rules.BadPlace},
		"below the world": {Drop{1, 1, coords.Position{X: 2614, Y: -5000, Z: 1293}}, rules.BadPlace},
		"not one's own":   {Drop{1, 30, shipstone}, rules.NotYours},
		"nothing":         {Drop{1, 0, shipstone}, rules.NotYours},
		"of the vault":    {Drop{1, 40, shipstone}, rules.NotYours},
	} {
		t.Run(name, func(t *testing.T) {
			m := newTradeStage()
			m.admits(Player{ID: 1, Items: spread(), VaultItems: []rules.Item{thing(kRing, 40, 0, 0, 1)}})
			m.joins(2, thing(kHelmet, 30, 0, 28, 1))
			before := m.state()
			refused(t, m.asks(t, c.drop), c.why)
			if !same(before, m.state()) {
				t.Error("something has changed")
			}
		})
	}
}

func TestPlaceHoldsOnlySoMuch(t *testing.T) {
	m := newTradeStage()
	m.options.MaxPerSpot = 2
	m.joins(1, spread()...)
	m.asks(t, Drop{1, 1, shipstone})
	m.asks(t, Drop{1, 2, east(1)})
	refused(t, m.asks(t, Drop{1, 3, east(2)}), rules.TooMuchThere)
	only[ItemDropped](t, m.asks(t, Drop{1, 3, east(7)}))
}

func TestPickUp(t *testing.T) {
	far := rules.OnGround{At: east(30)}
	for name, c := range map[string]struct {
		scatter dropLoot
		full    bool
		who     PlayerID
		why     rules.RejectReason
		slot    int
		count   int
	}{
		"into the first free slot": {scatter: dropLoot{Things: []rules.Item{thing(kRing, 0, 0, 0, 1)},
			Lying: rules.OnGround{At: east(1)}}, slot: 27, count: 1},
		"onto a stack": {scatter: dropLoot{Things: []rules.Item{thing(kApple, 0, 0, 0, 4)},
			Lying: rules.OnGround{At: east(1)}}, slot: 26, count: 14},
		"beside a stack too high": {scatter: dropLoot{Things: []rules.Item{thing(kApple, 0, 0, 0, 91)},
			Lying: rules.OnGround{At: east(1)}}, slot: 27, count: 91},
		"too far": {scatter: dropLoot{Things: []rules.Item{thing(kRing, 0, 0, 0, 1)}, Lying: far},
			why: rules.TooFar},
		"out of sight": {scatter: dropLoot{Things: []rules.Item{thing(kRing, 0, 0, 0, 1)},
			Lying: rules.OnGround{At: east(300)}}, why: rules.NotInSight},
		"without room": {scatter: dropLoot{Things: []rules.Item{thing(kRing, 0, 0, 0, 1)},
			Lying: rules.OnGround{At: east(1)}}, full: true, why: rules.NoRoom},
		"promised": {scatter: dropLoot{Things: []rules.Item{thing(kRing, 0, 0, 0, 1)},
			Lying: rules.OnGround{At: east(1), Promised: 1002, PromisedUntil: time.Unix(1_800_000_000, 0)}},
			why: rules.Promised},
		"promised to oneself": {scatter: dropLoot{Things: []rules.Item{thing(kRing, 0, 0, 0, 1)},
			Lying: rules.OnGround{At: east(1), Promised: 1001, PromisedUntil: time.Unix(1_800_000_000, 0)}}, slot: 27, count: 1},
		"promised until some while": {scatter: dropLoot{Things: []rules.Item{thing(kRing, 0, 0, 0, 1)},
			Lying: rules.OnGround{At: east(1), Promised: 1002, PromisedUntil: time.Unix(1_600_000_000, 0)}}, slot: 27, count: 1},
	} {
		t.Run(name, func(t *testing.T) {
			m := newTradeStage()
			things := []rules.Item{thing(kApple, 1, 0, 26, 10)}
			for i := range 9 {
				if c.full {
					things = append(things, thing(kSword, rules.ItemID(2+i), 0, 27+i, 1))
				}
			}
			m.joins(1, things...)
			id := m.scattered(t, c.scatter)[0]
			before := m.state()
			events := m.asks(t, PickUp{1, Target{Object: id}})
			if c.why != 0 {
				refused(t, events, c.why)
				if !same(before, m.state()) {
					t.Error("something has changed")
				}
				return
			}
			e := only[TookUp](t, events)
			if got := e.Items[0].Into; got.Slot != c.slot || got.Count != c.count || e.Items[0].Merged != (c.slot == 26) {
				t.Errorf("told %+v", e)
			}
		})
	}
	m := newTradeStage()
	m.joins(1)
	for name, what := range map[string]Target{"a trader": {Object: m.trader}, "nothing": {}, "unknown": {Object: 4000},
		"two": {Object: 1, Item: 1}, "negative": {Item: -1}} {
		if of[Refused](m.asks(t, PickUp{1, what})) == nil {
			t.Errorf("%s is picked up", name)
		}
	}
}

func TestOneOfTwoGetsIt(t *testing.T) {
	m := newTradeStage()
	m.joins(1)
	m.joins(2)
	id := m.scattered(t, dropLoot{Things: []rules.Item{thing(kRing, 0, 0, 0, 1)}, Lying: rules.OnGround{At: east(1)}})[0]
	events := m.asks(t, PickUp{1, Target{Object: id}}, PickUp{2, Target{Object: id}})
	if e := only[TookUp](t, events); e.ID != 1 {
		t.Errorf("%d got it", e.ID)
	}
	if e := only[Refused](t, events); e.ID != 2 || e.Why != rules.BusyObject {
		t.Errorf("told %+v", e)
	}
	refused(t, m.asks(t, PickUp{2, Target{Object: id}}), rules.NotInSight)
}

func TestLootBag(t *testing.T) {
	m := newTradeStage()
	for id := range PlayerID(3) {
		m.joins(id+1, thing(kTooth, rules.ItemID(id)*10+1, 0, 26, 48))
	}
	bag := rules.Item{Class: rules.ClassLootBag, Suffix: -1, Weight: 1}
	id := m.scattered(t, dropLoot{Things: []rules.Item{thing(kRing, 0, 0, 0, 1), thing(kTooth, 0, 0, 0, 2),
		thing(kHelmet, 0, 0, 0, 1)}, Bag: &bag, Lying: rules.OnGround{At: east(1)}})[0]
	o := m.object(id)
	inside := func(slot int) rules.ItemID {
		if thing := o.inventory.At(o.inventory.Root, slot); thing != nil {
			return thing.ID
		}
		return 0
	}
	ring := inside(0)
	refused(t, m.asks(t, PickUp{1, Target{Item: ring}}), rules.NotYours)
	refused(t, m.asks(t, PickUp{1, Target{Object: id}}), rules.NoSlot)
	refused(t, m.asks(t, Drag{1, id, east(2)}), rules.NotYours)
	for _, who := range []PlayerID{1, 2} {
		if e := only[Opened](t, m.asks(t, Open{who, Container{Object: id}})); len(e.Items) != 3 || len(e.Slots) != 3 {
			t.Errorf("shown %+v", e)
		}
	}
	events := m.asks(t, PickUp{1, Target{Item: ring}})
	e := only[TookUp](t, events)
	if want := []SlotNow{{In: Container{Object: id}, Slot: 0}, {Slot: 27, Item: ring, Weight: 10}}; e.Gone ||
		e.Items[0].FromGround || e.Items[0].From != (Container{Object: id}) || !slices.Equal(e.Slots, want) {
		t.Errorf("told %+v", e)
	}
	if b := only[BagChanged](t, events); !slices.Equal(b.To, []PlayerID{2}) || len(b.Left) != 1 ||
		b.Left[0].ID != ring || !slices.Equal(b.Slots, []SlotNow{{In: Container{Object: id}, Slot: 0}}) {
		t.Errorf("told %+v", b)
	}
	refused(t, m.asks(t, PutInto{1, Target{Item: ring}, Container{Object: id}, 5}), rules.NoSlot)
	refused(t, m.asks(t, PutInto{1, Target{Item: 1}, Container{Object: id}, 1}), rules.Occupied)
	only[Closed](t, m.asks(t, Close{1, Container{Object: id}}))
	refused(t, m.asks(t, PickUp{1, Target{Item: inside(1)}}), rules.NotYours)
	tooth, helmet := inside(1), inside(2)
	e = only[TookUp](t, m.asks(t, PickUp{2, Target{Item: tooth}}))
	if e.Gone || !e.Items[0].Merged || e.Items[0].Into.Count != 50 {
		t.Errorf("told %+v", e)
	}
	events = m.asks(t, PickUp{2, Target{Item: helmet}})
	if e = only[TookUp](t, events); !e.Gone || e.Items[0].Into.Slot != 27 {
		t.Errorf("told %+v", e)
	}
	if m.object(id) != nil || len(told[Vanished](events)) != 3 {
		t.Error("the empty bag is still there")
	}
}

func TestBagOnTheGround(t *testing.T) {
	m := newTradeStage()
	m.joins(1, spread()...)
	m.joins(2, thing(kRing, 50, 0, 26, 1))
	id := only[ItemDropped](t, m.asks(t, Drop{1, 6, east(1)})).Object
	there := Container{Object: id}
	m.asks(t, Open{2, there})
	e := only[PutAway](t, m.asks(t, PutInto{2, Target{Item: 50}, there, 4}))
	if want := []SlotNow{{Slot: 26}, {In: there, Slot: 4, Item: 50, Weight: 10}}; e.Into != there ||
		!slices.Equal(e.Slots, want) {
		t.Errorf("told %+v", e)
	}
	refused(t, m.asks(t, Open{1, there}, PutInto{1, Target{Item: 12}, there, 5})[1:], rules.IsBound)
	only[ItemMoved](t, m.asks(t, MoveItem{2, there, 4, 9}))
	took := of[TookUp](m.asks(t, PickUp{2, Target{Item: 50}}, PickUp{2, Target{Item: 7}}, PickUp{2, Target{Item: 8}}))
	if len(took) != 3 || took[2].Gone {
		t.Errorf("told %+v", took)
	}
	events := m.asks(t, Drag{2, id, east(3)})
	if d := only[Dragged](t, events); d.Object != id || !slices.Equal(d.Viewers, []PlayerID{2, 1}) ||
		m.things[6].OnGround.At != east(3) {
		t.Errorf("told %+v", d)
	}
	refused(t, m.asks(t, Drag{2, id, east(30)}), rules.TooFar)
	refused(t, m.asks(t, Drag{2, m.trader, east(3)}), rules.NotYours)
	// Far away a player no longer has the bag open.
	m.asks(t, Teleport{2, east(50)})
	refused(t, m.asks(t, Open{2, there}), rules.TooFar)
}

func TestWhatLiesExpires(t *testing.T) {
	m := newTradeStage()
	m.joins(1, spread()...)
	m.asks(t, Drop{1, 6, east(1)})
	if m.asks(t); len(m.things) != len(spread()) {
		t.Fatal("something is lost")
	}
	m.pass(10*time.Minute - 5*time.Second)
	if len(m.objects()) != 3 {
		t.Fatal("it is gone too early")
	}
	var persist CommitRequest
	for range 10 {
		if found := of[CommitRequest](m.pass(time.Second)); len(found) > 0 {
			persist = found[0]
			break
		}
	}
	if len(persist.Change.Items) != 3 || len(m.objects()) != 3 {
		t.Fatalf("asked for %+v with %d objects", persist, len(m.objects()))
	}
	refused(t, m.does(PickUp{1, Target{Object: m.objects()[2].ID}}), rules.BusyObject)
	m.does(Committed{Seq: persist.Seq, Err: errors.New("no")})
	if len(m.objects()) != 3 {
		t.Fatal("it has vanished though the store has it")
	}
	for range 90 {
		if found := of[CommitRequest](m.pass(time.Second)); len(found) > 0 {
			ids, err := m.apply(found[0].Change)
			if err != nil {
				t.Fatal(err)
			}
			if events := m.does(Committed{found[0].Seq, ids, nil}); len(told[Vanished](events)) != 1 {
				t.Errorf("told %s", describe(events))
			}
			break
		}
	}
	if len(m.objects()) != 2 || len(m.things) != len(spread())-3 {
		t.Errorf("%d objects, %d things are left", len(m.objects()), len(m.things))
	}
	m.agrees(t)
}

func TestWhatLayThereIsThereAgain(t *testing.T) {
	m := newTradeStage()
	l := rules.OnGround{At: east(1), Expires: m.now.Add(time.Hour)}
	for _, thing := range []rules.Item{thing(kSmallBag, 70, 0, 0, 1), thing(kApple, 71, 70, 4, 3)} {
		m.things[thing.ID] = rules.StoredItem{Item: thing, OnGround: &l}
	}
	m.asks(t, RestoreGroundItem{Things: []rules.Item{m.things[70].Item, m.things[71].Item}, Lying: l}, RestoreGroundItem{},
		RestoreGroundItem{Things: []rules.Item{{}}, Lying: l})
	m.joins(1)
	if len(m.objects()) != 3 {
		t.Fatalf("%d objects", len(m.objects()))
	}
	only[TookUp](t, m.asks(t, PickUp{1, Target{Object: m.objects()[2].ID}}))
	if got := m.carries(1, 70, 4); got == nil || got.ID != 71 {
		t.Errorf("in the bag lies %+v", got)
	}
}

func TestObjectsThatLieAreNotPutOrRemovedByHand(t *testing.T) {
	m := newTradeStage()
	m.joins(1)
	id := m.scattered(t, dropLoot{Things: []rules.Item{thing(kRing, 0, 0, 0, 1)}, Lying: rules.OnGround{At: east(1)}})[0]
	m.asks(t, Remove{id}, Put{Object{MaxPlayerID + 900, east(1), GroundItem{}}},
		Put{Object{MaxPlayerID + 901, east(1), GroundItem{Item: rules.Item{Class: 401}}}})
	if m.object(id) == nil || m.object(MaxPlayerID+900) != nil || m.object(MaxPlayerID+901) != nil {
		t.Error("things come or go without the store")
	}
}

// A player that drops more than may lie there loses the items that have lain longest, and so does an account with
// many characters.
func TestOnlySoMuchLitterLies(t *testing.T) {
	m := newTradeStage()
	m.options.LitterPerPlayer, m.options.LitterPerAccount = 3, 5
	lying := func() (out []rules.ItemID) {
		for _, o := range m.objects() {
			if o.lies() {
				out = append(out, o.inventory.Root)
			}
		}
		slices.Sort(out)
		return out
	}
	for id := PlayerID(1); id <= 3; id++ {
		var things []rules.Item
		for i := range 5 {
			things = append(things, thing(kSword, rules.ItemID(100*int(id)+i), 0, 26+i, 1))
		}
		p := Player{ID: id, Character: int64(id) + 1000, Account: "anna", Position: shipstone, Items: things}
		if id == 3 {
			p.Account = "boris"
		}
		m.admits(p)
	}
	for i := range 5 {
		m.asks(t, Drop{1, rules.ItemID(100 + i), east(float32(i))})
	}
	if got := lying(); !slices.Equal(got, []rules.ItemID{102, 103, 104}) {
		t.Errorf("of five lie %v, want the last three", got)
	}
	for i := range 3 {
		m.asks(t, Drop{2, rules.ItemID(200 + i), east(float32(i))}, Drop{3, rules.ItemID(300 + i), east(float32(i))})
	}
	if got := lying(); !slices.Equal(got, []rules.ItemID{103, 104, 200, 201, 202, 300, 301, 302}) {
		t.Errorf("of three more of the account and three of another lie %v", got)
	}
	// Items that are picked up count no more.
	for _, o := range m.objects() {
		if o.lies() {
			m.asks(t, PickUp{3, Target{Object: o.ID}})
		}
	}
	if len(lying()) != 0 || len(m.groundItems.litter) != 0 {
		t.Errorf("%v lie, and %d accounts are still thought of", lying(), len(m.groundItems.litter))
	}
	m.agrees(t)
}

// Many drops at once, more than can be stored at once, leave no more there in the end.
func TestLitterThatHasToWaitGoesToo(t *testing.T) {
	m := newTradeStage()
	m.options.LitterPerPlayer = 2
	var things []rules.Item
	for i := range 5 {
		things = append(things, thing(kSword, rules.ItemID(100+i), 0, 26+i, 1))
	}
	m.admits(Player{ID: 1, Character: 1001, Account: "anna", Position: shipstone, Items: things})
	for i := range things {
		m.groundItems.expiries.since, m.groundItems.expiries.n = m.now.Add(time.Second), expiriesAtOnce // others'
		m.asks(t, Drop{1, rules.ItemID(100 + i), east(float32(i))})
	}
	m.groundItems.expiries.since, m.groundItems.expiries.n = m.now, 0
	for range 3 * expiryPeriod / TickPeriod {
		m.asks(t)
	}
	lying := 0
	for _, o := range m.objects() {
		if o.lies() {
			lying++
		}
	}
	if lying != 2 {
		t.Errorf("%d lie there, want 2", lying)
	}
}
