package rules

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

const (
	aSword = 500
	aBag   = 400
	aSack  = 405
)

// a returns an item: its number, the bag it is in, its slot.
func a(class int, id, in ItemID, slot, count int) Item {
	return Item{ID: id, In: in, Slot: slot, Class: class, Suffix: -1, Count: count, Weight: int(class) / 10}
}

// packed is a bag 1 with a sack 2 in it, in that a sword 3, beside it apples 4; and a sword 5 in the inventory.
func packed() Inventory {
	return NewInventory(Inventory{Owner: 7}, []Item{a(aSword, 5, 0, 27, 1), a(aSword, 3, 2, 1, 1), a(650, 4, 1, 0, 9),
		a(aSack, 2, 1, 3, 1),
		a(aBag, 1, 0, SlotBackpack, 1)})
}

func ids(items []Item) (out []ItemID) {
	for i := range items {
		out = append(out, items[i].ID)
	}
	return out
}

func TestInventoryFindsItems(t *testing.T) {
	h := packed()
	if got := ids(h.Items); !slices.Equal(got, []ItemID{1, 2, 3, 4, 5}) {
		t.Errorf("kept in the order %v", got)
	}
	for id := ItemID(-1); id < 8; id++ {
		if got := h.Find(id); (got != nil) != (id >= 1 && id <= 5) || got != nil && got.ID != id {
			t.Errorf("item %d: %v", id, got)
		}
	}
	for _, row := range []struct {
		in   ItemID
		slot int
		want ItemID
	}{{0, SlotBackpack, 1}, {1, 3, 2}, {2, 1, 3}, {1, 0, 4}, {0, 27, 5}, {0, 26, 0}, {2, 0, 0}, {9, 1, 0}} {
		if got := h.At(row.in, row.slot); got == nil && row.want != 0 || got != nil && got.ID != row.want {
			t.Errorf("slot %d in %d: %v, expected %d", row.slot, row.in, got, row.want)
		}
	}
	if h.RootItem() != nil {
		t.Error("what is carried has a root")
	}
}

func TestInventoryOfBags(t *testing.T) {
	h := packed()
	for _, row := range []struct {
		id             ItemID
		within         []ItemID
		weight         int
		above, below   int
		holds, isBound bool
	}{
		{1, []ItemID{4, 2, 3}, 40 + 9*65 + 40 + 50, 0, 2, true, false},
		{2, []ItemID{3}, 40 + 50, 1, 1, true, false},
		{4, nil, 9 * 65, 1, 0, false, false},
		{5, nil, 50, 0, 0, false, false},
	} {
		it := h.Find(row.id)
		if got := ids(h.Within(row.id, nil)); !slices.Equal(got, row.within) {
			t.Errorf("within %d: %v, expected %v", row.id, got, row.within)
		}
		if w, above, below := h.Weight(it), h.Above(it.In), h.Below(it); w != row.weight || above != row.above ||
			below != row.below {
			t.Errorf("item %d weighs %d, %d above, %d below: expected %+v", row.id, w, above, below, row)
		}
		if h.Holds(row.id) != row.holds || h.HoldsBound(row.id) != row.isBound {
			t.Errorf("item %d: expected %+v", row.id, row)
		}
	}
	h.Find(3).Bound = true
	if !h.HoldsBound(1) || !h.HoldsBound(2) || h.HoldsBound(4) {
		t.Error("what is bound deep inside is not found")
	}
}

func TestFreeSlots(t *testing.T) {
	h := packed()
	for _, row := range []struct {
		in               ItemID
		first, end, want int
	}{{0, SlotInventory, EndOfInventory, 26}, {0, 27, 36, 28}, {1, 0, 20, 1}, {2, 1, 2, -1}, {0, 300, 400, -1}} {
		if slot, ok := h.Free(row.in, row.first, row.end); ok != (row.want >= 0) || ok && slot != row.want {
			t.Errorf("in %d from %d to %d: slot %d, %v, expected %d", row.in, row.first, row.end, slot, ok, row.want)
		}
	}
}

// A fakeStore is the state of a store, by which changes are checked.
type fakeStore struct {
	items map[ItemID]StoredItem
	last  ItemID
}

// apply makes a change as a store does: all or nothing, and only if the state before is that of the store.
func (s *fakeStore) apply(changes []ItemChange) ([]ItemID, error) {
	ids := make([]ItemID, len(changes))
	for i, c := range changes {
		if c.Was != nil {
			has, ok := s.items[c.Was.ID]
			if !ok || !has.Item.Same(&c.Was.Item) || has.Owner != c.Was.Owner ||
				(has.OnGround == nil) != (c.Was.OnGround == nil) {
				return nil, fmt.Errorf("change %d: was %+v, the store has %+v", i, c.Was, has)
			}
			ids[i] = c.Was.ID
		}
		if c.Was == nil && c.Is.ID != 0 {
			return nil, errors.New("a new item has a number")
		}
	}
	for i, c := range changes {
		if c.Is == nil {
			delete(s.items, ids[i])
			continue
		}
		is := *c.Is
		if is.ID == 0 {
			s.last++
			is.ID = s.last
			ids[i] = is.ID
		}
		if is.In < 0 {
			is.In = ids[-is.In-1]
		}
		s.items[is.ID] = is
	}
	return ids, nil
}

func fakeStoreOf(hs ...*Inventory) *fakeStore {
	s := &fakeStore{items: map[ItemID]StoredItem{}}
	for _, h := range hs {
		for i := range h.Items {
			s.items[h.Items[i].ID] = *h.Stored(&h.Items[i])
			s.last = max(s.last, h.Items[i].ID)
		}
	}
	return s
}

// matches checks inventories against the store.
func (s *fakeStore) matches(t *testing.T, hs ...*Inventory) {
	t.Helper()
	n := 0
	for _, h := range hs {
		for i := range h.Items {
			n++
			if has, ok := s.items[h.Items[i].ID]; !ok || !has.Item.Same(&h.Items[i]) || has.Owner != h.Owner {
				t.Fatalf("the inventory has %+v, the store %+v", h.Items[i], has)
			}
		}
	}
	if n != len(s.items) {
		t.Fatalf("%d items in inventories, %d in the store", n, len(s.items))
	}
}

func TestTxChangesNothingUntilApplied(t *testing.T) {
	h, vault := packed(), NewInventory(Inventory{Vault: 3}, []Item{a(650, 9, 0, 0, 4)})
	before, store := slices.Clone(h.Items), fakeStoreOf(&h, &vault)
	var x InventoryTx
	own, kept := x.Side(&h), x.Side(&vault)
	if x.Side(&h) != own {
		t.Fatal("two copies of one inventory")
	}
	x.Merge(kept, own, 9, 4)
	x.Carry(own, kept, 2, 0, 5)
	x.UseUp(own, 4)
	made := x.Add(own, a(aSack, 0, 0, 30, 1))
	x.Add(own, a(650, 0, made, 2, 1))
	if !slices.EqualFunc(h.Items, before, func(a, b Item) bool { return a.Same(&b) }) {
		t.Fatalf("changed before it was applied: %v", h.Items)
	}
	changes := x.Changes()
	if len(changes) != 6 {
		t.Errorf("%d changes: %+v", len(changes), changes)
	}
	given, err := store.apply(changes)
	if err != nil {
		t.Fatal(err)
	}
	x.Apply(given)
	store.matches(t, &h, &vault)
	if got := h.Find(4); got.Count != 12 {
		t.Errorf("the stack has %d, expected 12", got.Count)
	}
	if m := x.Moved(made); m == nil || m.Is.ID != store.last-1 || h.At(m.Is.ID, 2) == nil ||
		h.At(m.Is.ID, 2).In != m.Is.ID {
		t.Errorf("the new sack is %+v", m)
	}
	if got := ids(vault.Within(0, nil)); !slices.Equal(got, []ItemID{2, 3}) {
		t.Errorf("the vault holds %v", got)
	}
}

func TestTxOfNothingIsEmpty(t *testing.T) {
	h := packed()
	var x InventoryTx
	s := x.Side(&h)
	x.Edit(s, 5).Count = 1
	x.Touch(3)
	gone := x.Add(s, a(650, 0, 0, 29, 1))
	x.Take(s, gone)
	if changes := x.Changes(); len(changes) != 0 {
		t.Errorf("changes %+v", changes)
	}
}

func TestDestroyedBagsGoBottomUp(t *testing.T) {
	h := packed()
	store := fakeStoreOf(&h)
	var x InventoryTx
	if got := ids(x.Destroy(x.Side(&h), 1)); !slices.Equal(got, []ItemID{1, 4, 2, 3}) {
		t.Errorf("destroyed %v", got)
	}
	changes, at := x.Changes(), map[ItemID]int{}
	for i, c := range changes {
		if c.Is != nil {
			t.Errorf("change %+v of what is to be destroyed", c)
		}
		at[c.Was.ID] = i
	}
	for _, c := range changes {
		if bag, ok := at[c.Was.In]; ok && bag < at[c.Was.ID] {
			t.Errorf("bag %d is gone before what is in it", c.Was.In)
		}
	}
	given, err := store.apply(changes)
	if err != nil {
		t.Fatal(err)
	}
	x.Apply(given)
	store.matches(t, &h)
}

func TestGroundSidesAreNew(t *testing.T) {
	h := packed()
	var x InventoryTx
	from, to := x.Side(&h), x.Ground(OnGround{Promised: 4})
	x.Carry(from, to, 1, 0, 0)
	to.Root = 1
	changes := x.Changes()
	for _, c := range changes {
		if c.Is.OnGround == nil || c.Is.OnGround.Promised != 4 || c.Is.Owner != 0 {
			t.Errorf("lies as %+v", c.Is)
		}
	}
	x.Apply(make([]ItemID, len(changes)))
	if to.RootItem() == nil || !slices.Equal(ids(h.Items), []ItemID{5}) || !slices.Equal(ids(to.Within(1, nil)),
		[]ItemID{4, 2, 3}) {
		t.Errorf("left %v, on the ground %v", ids(h.Items), ids(to.Items))
	}
}

// Changes of every sort, one after the other, leave inventories as a store has them that knows the changes alone.
func TestTxAgreesWithAStore(t *testing.T) {
	for seed := range uint64(200) {
		dice := rand.New(rand.NewPCG(seed, 1))
		h, vault := packed(), NewInventory(Inventory{Vault: 3}, []Item{a(650, 9, 0, 0, 4), a(aSack, 10, 0, 1, 1)})
		store := fakeStoreOf(&h, &vault)
		for range 20 {
			var x InventoryTx
			sides := []*Side{x.Side(&h), x.Side(&vault)}
			for range 1 + dice.IntN(3) {
				step(&x, sides, dice)
			}
			given, err := store.apply(x.Changes())
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			x.Apply(given)
			store.matches(t, &h, &vault)
		}
	}
}

// step changes something at random.
func step(x *InventoryTx, sides []*Side, dice *rand.Rand) {
	from, to := sides[dice.IntN(2)], sides[dice.IntN(2)]
	if len(from.Items) == 0 {
		x.Add(from, a(650, 0, 0, 100+dice.IntN(100), 3))
		return
	}
	it := from.Items[dice.IntN(len(from.Items))]
	switch dice.IntN(5) {
	case 0:
		x.Carry(from, to, it.ID, 0, 100+dice.IntN(100))
	case 1:
		x.Destroy(from, it.ID)
	case 2:
		if !from.Holds(it.ID) {
			x.UseUp(from, it.ID)
		}
	case 3:
		bag := x.Add(to, a(aBag, 0, 0, 100+dice.IntN(100), 1))
		x.Add(to, a(650, 0, bag, 0, 1+dice.IntN(5)))
	case 4:
		x.Edit(from, it.ID).Count++
	}
}
