package world

import (
	"cmp"

	"sphereserver/world/rules"
)

// MoveItem moves an item between slots of one container; onto a stack of the same it is added to that. [ItemMoved]
// follows.
type MoveItem struct {
	ID       PlayerID
	In       Container
	From, To int
}

func (c MoveItem) who() PlayerID       { return c.ID }
func (c MoveItem) names(n *namedSlots) { n.in(c.In, c.From, c.To) }

func (c MoveItem) ask(w *World, p *player) rules.RejectReason {
	h, in, why := w.belongings.enclosed(p, c.In)
	if why != 0 {
		return why
	}
	t := h.At(in, c.From)
	if t == nil || h.Ground != nil && t.In == 0 {
		return rules.EmptySlot
	}
	return w.belongings.shift(p, c, h, t, in, c.To)
}

// shift brings an item into another slot of its inventory.
func (be *belongings) shift(p *player, c Command, h *rules.Inventory, t *rules.Item, in rules.ItemID,
	slot int) rules.RejectReason {
	if why := p.mayLeave(h, t); why != 0 {
		return why
	}
	there := h.At(in, slot)
	d := be.ledger.tx(p, c)
	s := d.Side(h)
	id, from, onto := t.ID, t.Slot, rules.ItemID(0)
	place, _ := containerOf(h, in)
	switch {
	case there != nil && there.ID == id:
		return be.stay(p, t, h)
	case there == nil:
		if why := be.tables.MayLie(t, h, h, in, slot); why != 0 {
			return why
		}
		d.Carry(s, s, id, in, slot)
	case be.tables.Stacks(t, there):
		onto = there.ID
		d.Merge(s, s, id, onto)
	default:
		return rules.Occupied
	}
	if why := be.vitals.mayWear(p, s, id); why != 0 {
		return why
	}
	be.ledger.commit(d, be.objectOf(h), func() {
		e := ItemMoved{ID: p.ID, In: place, From: from, Slots: d.slots(all)}
		if e.Item = d.Moved(id).Is; onto != 0 {
			e.Item, e.Merged = d.Moved(id).Was, copyOf(h.Find(onto))
		}
		be.tell(e)
	})
	return 0
}

// stay tells that an item is already in the slot that it was to go to.
func (be *belongings) stay(p *player, t *rules.Item, h *rules.Inventory) rules.RejectReason {
	now := slotOf(h, t)
	be.tell(ItemMoved{ID: p.ID, In: now.In, Item: *t, From: t.Slot, Slots: []SlotNow{now}})
	return 0
}

func copyOf(t *rules.Item) *rules.Item {
	c := *t
	return &c
}

// SwapItems exchanges two items in one container, or adds the first to the second if they are stacks of the same.
// [ItemMoved] follows.
type SwapItems struct {
	ID                    PlayerID
	First, Second         rules.ItemID
	FirstSlot, SecondSlot int
}

func (c SwapItems) who() PlayerID { return c.ID }

func (c SwapItems) names(n *namedSlots) {
	n.item(c.First)
	n.item(c.Second)
}

func (c SwapItems) ask(w *World, p *player) rules.RejectReason {
	h, a, why := w.belongings.locate(p, Target{Item: c.First})
	if why != 0 {
		return why
	}
	h2, b, why := w.belongings.locate(p, Target{Item: c.Second})
	switch {
	case why != 0:
		return why
	case h != h2 || a.In != b.In || a.ID == b.ID:
		return rules.NotYours
	case a.Slot != c.FirstSlot || b.Slot != c.SecondSlot:
		return rules.EmptySlot
	case w.tables.Stacks(a, b):
		return w.belongings.shift(p, c, h, a, a.In, b.Slot)
	}
	return w.belongings.exchange(p, c, h, a.ID, b.ID)
}

// exchange exchanges two items of an inventory.
func (be *belongings) exchange(p *player, c Command, h *rules.Inventory, first,
	second rules.ItemID) rules.RejectReason {
	a, b := h.Find(first), h.Find(second)
	if why := cmp.Or(p.mayLeave(h, a), p.mayLeave(h, b), be.tables.MayLie(a, h, h, b.In, b.Slot),
		be.tables.MayLie(b, h, h, a.In, a.Slot)); why != 0 {
		return why
	}
	d := be.ledger.tx(p, c)
	s := d.Side(h)
	aIn, aSlot, bIn, bSlot := a.In, a.Slot, b.In, b.Slot
	place, _ := containerOf(h, aIn)
	d.Carry(s, s, first, bIn, bSlot)
	d.Carry(s, s, second, aIn, aSlot)
	if why := cmp.Or(be.vitals.mayWear(p, s, first), be.vitals.mayWear(p, s, second)); why != 0 {
		return why
	}
	be.ledger.commit(d, be.objectOf(h), func() {
		be.tell(ItemMoved{ID: p.ID, In: place, Item: d.Moved(first).Is, From: aSlot, Other: copyOf(&d.Moved(second).Is),
			Slots: d.slots(all)})
	})
	return 0
}

// PutInto puts an item into a given slot of a container, from any place; onto a stack of the same it is added to
// that. [TookUp] follows if it comes to the player, otherwise [PutAway].
type PutInto struct {
	ID   PlayerID
	What Target
	Into Container
	Slot int
}

func (c PutInto) who() PlayerID { return c.ID }

func (c PutInto) names(n *namedSlots) {
	n.item(c.What.Item)
	n.in(c.Into, c.Slot)
}

func (c PutInto) ask(w *World, p *player) rules.RejectReason {
	if o := w.belongings.freshItem(c.What); o != nil && c.Into == (Container{}) {
		return w.belongings.takeFresh(p, c, o, max(c.Slot, 0))
	}
	from, t, why := w.belongings.locate(p, c.What)
	if why != 0 {
		return why
	}
	to, in, why := w.belongings.enclosed(p, c.Into)
	if why != 0 {
		return why
	}
	switch {
	case from == to && t.In == in:
		return w.belongings.shift(p, c, from, t, in, c.Slot)
	case from.Ground != nil && to.Ground != nil && from != to:
		return rules.NotYours
	case from.Ground != nil && from == to && t.In == 0:
		return rules.TooDeep
	}
	if why := p.mayLeave(from, t); why != 0 {
		return why
	}
	d := w.ledger.tx(p, c)
	b := transfer{tx: d, from: d.Side(from), to: d.Side(to)}
	there := to.At(in, c.Slot)
	switch {
	case there == nil:
		if why := w.tables.MayLie(t, from, to, in, c.Slot); why != 0 {
			return why
		}
		b.bring(t, in, c.Slot)
	case w.tables.Stacks(t, there) && !(to.Ground != nil && rules.ClassOf(to.RootItem().Class).Keeps):
		b.add(t, there.ID)
	default:
		return rules.Occupied
	}
	if why := w.vitals.mayWear(p, b.to, t.ID); why != 0 {
		return why
	}
	b.settle(w, p, from, to)
	return 0
}

// PickUp takes an item into the player's inventory: onto a stack of the same if it fits, otherwise into the first
// free slot. [TookUp] follows.
type PickUp struct {
	ID   PlayerID
	What Target
}

func (c PickUp) who() PlayerID       { return c.ID }
func (c PickUp) names(n *namedSlots) { n.item(c.What.Item) }

func (c PickUp) ask(w *World, p *player) rules.RejectReason {
	if o := w.belongings.freshItem(c.What); o != nil {
		return w.belongings.takeFresh(p, c, o, -1)
	}
	from, t, why := w.belongings.locate(p, c.What)
	if why != 0 {
		return why
	}
	if from == &p.carried && t.In == 0 {
		return rules.NotYours // it is carried already
	}
	d := w.ledger.tx(p, c)
	b := transfer{tx: d, from: d.Side(from), to: d.Side(&p.carried)}
	if why := w.belongings.pocket(&b, t); why != 0 {
		return why
	}
	b.settle(w, p, from, &p.carried)
	return 0
}

// A transfer brings items from one side of a transaction to another.
type transfer struct {
	*tx
	from, to *rules.Side
	taken    []Taken
	onto     []rules.ItemID // of taken: the stack to which it is added, or 0
}

func (be *belongings) pocket(b *transfer, t *rules.Item) rules.RejectReason {
	if there := be.tables.StackFor(&b.to.Inventory, t); there != nil {
		b.add(t, there.ID)
		return 0
	}
	slot, ok := b.to.Free(0, rules.SlotInventory, rules.EndOfInventory)
	if !ok {
		return rules.NoRoom
	}
	if why := be.tables.MayLie(t, b.from.Was, b.to.Was, 0, slot); why != 0 {
		return why
	}
	b.bring(t, 0, slot)
	return 0
}

func (b *transfer) take(t *rules.Item, onto rules.ItemID) {
	c, ok := containerOf(&b.from.Inventory, t.In)
	taken := Taken{Item: *t, From: c, FromGround: !ok, Inside: b.from.Within(t.ID, nil)}
	if !ok {
		taken.From = Container{Object: EntityID(b.from.Object)}
	}
	b.taken, b.onto = append(b.taken, taken), append(b.onto, onto)
}

func (b *transfer) bring(t *rules.Item, in rules.ItemID, slot int) {
	b.take(t, 0)
	b.Carry(b.from, b.to, t.ID, in, slot)
}

func (b *transfer) add(t *rules.Item, onto rules.ItemID) {
	b.take(t, onto)
	b.Merge(b.from, b.to, t.ID, onto)
}

// settle makes a transfer durable, and tells it.
func (b *transfer) settle(w *World, p *player, from, to *rules.Inventory) {
	o := w.belongings.objectOf(from, to)
	if o != nil && from.Ground != nil {
		b.emptied()
	}
	w.ledger.commit(b.tx, o, func() {
		for i := range b.taken {
			t := &b.taken[i]
			t.Merged = b.onto[i] != 0
			t.Into = *to.Find(cmp.Or(b.onto[i], t.Item.ID))
		}
		gone := o != nil && from.Ground != nil && len(from.Items) == 0
		slots, whence := b.slots(all), EntityID(0)
		if from.Ground != nil {
			whence = o.ID
		}
		if to.Owner != 0 {
			w.tell(TookUp{p.ID, b.taken, whence, gone, slots})
		} else {
			c, _ := containerOf(to, b.taken[0].Into.In)
			w.tell(PutAway{p.ID, b.taken[0], c, whence, gone, slots})
		}
		if gone {
			w.places.remove(o)
		}
	})
}

// emptied ends the bag of a dead monster when its last item is taken.
func (b *transfer) emptied() {
	root := b.from.RootItem()
	if root != nil && root.Class == rules.ClassLootBag && len(b.from.Items) == 1 {
		b.tx.Take(b.from, root.ID)
	}
}
