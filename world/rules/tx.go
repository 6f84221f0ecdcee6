package rules

import "slices"

// An InventoryTx is a change of inventories in the making: copies of those that it concerns, which become the
// inventories when the change is durable. The store gets the difference. The zero value changes nothing.
type InventoryTx struct {
	Moves []Move // the differences, since Changes was called

	sides   []*Side
	touched []ItemID // in the order in which they were first changed
	news    ItemID   // new items are numbered from -1 down until the store has given them numbers
}

// A Side is one inventory of a change, in a copy.
type Side struct {
	Inventory
	Was    *Inventory // nil: it is new
	Before Inventory  // as it was when the change began
}

// A Move is the change of one item.
type Move struct {
	From, To *Side // where it was and is; nil: it is new, or no more
	Was, Is  Item
	TxID     ItemID // as it was called before the store gave numbers
}

// Side returns the copy of an inventory.
func (x *InventoryTx) Side(h *Inventory) *Side {
	for _, s := range x.sides {
		if s.Was == h {
			return s
		}
	}
	s := &Side{Inventory: *h, Was: h, Before: *h}
	s.Items = slices.Clone(h.Items)
	x.sides = append(x.sides, s)
	return s
}

// Ground begins an inventory that will lie in the world.
func (x *InventoryTx) Ground(l OnGround) *Side {
	s := &Side{Inventory: Inventory{Ground: &l}}
	x.sides = append(x.sides, s)
	return s
}

// Touch marks an item to be compared, in the order of the calls.
func (x *InventoryTx) Touch(id ItemID) {
	if !slices.Contains(x.touched, id) {
		x.touched = append(x.touched, id)
	}
}

// Touched reports whether any item is marked.
func (x *InventoryTx) Touched() bool { return len(x.touched) > 0 }

// Edit returns an item of a side for changing. Its ID must stay.
func (x *InventoryTx) Edit(s *Side, id ItemID) *Item {
	x.Touch(id)
	return s.Find(id)
}

// Add puts an item that is in no other side into one, and returns its ID. An ID of 0 makes it a new one.
func (x *InventoryTx) Add(s *Side, t Item) ItemID {
	if t.ID == 0 {
		x.news--
		t.ID = x.news
	}
	x.Touch(t.ID)
	i, _ := s.index(t.ID)
	s.Items = slices.Insert(s.Items, i, t)
	return t.ID
}

// Take takes one item out of a side, but not its contents.
func (x *InventoryTx) Take(s *Side, id ItemID) Item {
	i, _ := s.index(id)
	t := s.Items[i]
	x.Touch(id)
	s.Items = slices.Delete(s.Items, i, i+1)
	return t
}

// Carry brings an item with all that is in it into a slot of a side.
func (x *InventoryTx) Carry(from, to *Side, id, in ItemID, slot int) {
	if from == to {
		t := x.Edit(to, id)
		t.In, t.Slot = in, slot
		return
	}
	inside := from.Within(id, nil)
	t := x.Take(from, id)
	t.In, t.Slot = in, slot
	x.Add(to, t)
	for i := range inside {
		x.Add(to, x.Take(from, inside[i].ID))
	}
}

// Merge adds all of a stack to another, and removes the stack.
func (x *InventoryTx) Merge(from, to *Side, id, onto ItemID) {
	n := from.Find(id).Count
	x.Edit(to, onto).Count += n
	x.Take(from, id)
}

// Destroy ends an item, and before it its contents. It returns all of them, the item first.
func (x *InventoryTx) Destroy(s *Side, id ItemID) (gone []Item) {
	gone = s.Within(id, nil)
	for i := len(gone) - 1; i >= 0; i-- {
		x.Take(s, gone[i].ID)
	}
	return slices.Insert(gone, 0, x.Take(s, id))
}

// UseUp takes one from a stack, and returns how many are left.
func (x *InventoryTx) UseUp(s *Side, id ItemID) (left int) {
	if t := s.Find(id); t.Count > 1 {
		t = x.Edit(s, id)
		t.Count--
		return t.Count
	}
	x.Take(s, id)
	return 0
}

// Changes ends the making: it finds Moves, and returns them as a store takes them.
func (x *InventoryTx) Changes() []ItemChange {
	for _, id := range x.touched {
		m := Move{TxID: id}
		for _, s := range x.sides {
			if s.Was != nil {
				if t := s.Was.Find(id); t != nil {
					m.From, m.Was = s, *t
				}
			}
			if t := s.Find(id); t != nil {
				m.To, m.Is = s, *t
			}
		}
		if m.From == nil && m.To == nil || m.From == m.To && m.Was.Same(&m.Is) && m.To.Was.Ground == m.To.Ground {
			continue
		}
		x.Moves = append(x.Moves, m)
	}
	changes := make([]ItemChange, len(x.Moves))
	for i, m := range x.Moves {
		if m.From != nil {
			changes[i].Was = m.From.Was.Stored(&m.Was)
		}
		if m.To != nil {
			is := m.To.Stored(&m.Is)
			if is.ID < 0 {
				is.ID = 0
			}
			if is.In < 0 {
				is.In = -ItemID(1 + slices.IndexFunc(x.Moves, func(o Move) bool { return o.Is.ID == is.In }))
			}
			changes[i].Is = is
		}
	}
	return changes
}

// Apply makes the copies the inventories. ids are the numbers that the store has given, one for each of Moves.
func (x *InventoryTx) Apply(ids []ItemID) {
	x.number(ids)
	for _, s := range x.sides {
		if s.Was != nil {
			s.Was.Items, s.Was.Ground = s.Items, s.Ground
		}
	}
}

func (x *InventoryTx) number(ids []ItemID) {
	if x.news == 0 {
		return
	}
	given := map[ItemID]ItemID{}
	for i := range x.Moves {
		if m := &x.Moves[i]; m.Is.ID < 0 {
			given[m.Is.ID] = ids[i]
		}
	}
	name := func(t *Item) {
		if n := given[t.ID]; n != 0 {
			t.ID = n
		}
		if n := given[t.In]; n != 0 {
			t.In = n
		}
	}
	for _, s := range x.sides {
		for i := range s.Items {
			name(&s.Items[i])
		}
		if n := given[s.Root]; n != 0 {
			s.Root = n
		}
		s.sort()
	}
	for i := range x.Moves {
		name(&x.Moves[i].Is)
	}
}

// Moved returns the change of an item, by its number before the store gave numbers.
func (x *InventoryTx) Moved(id ItemID) *Move {
	for i := range x.Moves {
		if x.Moves[i].TxID == id {
			return &x.Moves[i]
		}
	}
	return nil
}
