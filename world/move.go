package world

import "time"

func (c MoveItem) ask(w *World, p *player, now time.Time) RejectReason {
	h, in, why := w.enclosed(p, c.In, now)
	if why != 0 {
		return why
	}
	t := h.at(in, c.From)
	if t == nil || h.lying != nil && t.In == 0 {
		return EmptySlot
	}
	return w.shift(p, c, h, t, in, c.To, now)
}

// shift brings a thing into another slot of its hoard.
func (w *World) shift(p *player, c Command, h *hoard, t *Item, in ItemID, slot int, now time.Time) RejectReason {
	if why := w.mayLeave(t, h); why != 0 {
		return why
	}
	there := h.at(in, slot)
	d := w.draft(p, c)
	s := d.side(h)
	id, from, onto := t.ID, t.Slot, ItemID(0)
	switch {
	case there != nil && there.ID == id:
		return w.stay(p, t, h)
	case there == nil:
		if why := w.mayLie(t, h, h, in, slot); why != 0 {
			return why
		}
		d.carry(s, s, id, in, slot)
	case w.stacks(t, there):
		onto = there.ID
		d.merge(s, s, id, onto)
	default:
		return Occupied
	}
	if !w.mayWear(p, s, id) {
		return Lacking
	}
	w.commit(d, objectOf(h), now, func(w *World, now time.Time) {
		e := ItemMoved{ID: p.ID, From: from, Slots: d.slots(all)}
		m := d.moved(id)
		if onto != 0 {
			e.Item, e.Merged = m.was, copyOf(h.find(onto))
		} else {
			e.Item = m.is
		}
		w.tell(e)
		w.rewear(p, d)
	})
	return 0
}

// stay tells that a thing is where it was to go.
func (w *World) stay(p *player, t *Item, h *hoard) RejectReason {
	c, _ := h.container(t.In)
	w.tell(ItemMoved{ID: p.ID, Item: *t, From: t.Slot, Slots: []SlotNow{{In: c, Slot: t.Slot, Item: t.ID, Weight: h.weight(t)}}})
	return 0
}

// mayLeave says why a thing must stay where it is.
func (w *World) mayLeave(t *Item, h *hoard) RejectReason {
	if h.owner != 0 && t.In == 0 && t.Slot >= slotMutators && t.Slot < endOfMutators {
		return NoSlot
	}
	return 0
}

func copyOf(t *Item) *Item {
	if t == nil {
		return nil
	}
	c := *t
	return &c
}

func (c SwapItems) ask(w *World, p *player, now time.Time) RejectReason {
	h, a, why := w.locate(p, Target{Item: c.First}, now)
	if why != 0 {
		return why
	}
	h2, b, why := w.locate(p, Target{Item: c.Second}, now)
	switch {
	case why != 0:
		return why
	case h != h2 || a.In != b.In || a.ID == b.ID:
		return NotYours
	case a.Slot != c.FirstSlot || b.Slot != c.SecondSlot:
		return EmptySlot
	case w.stacks(a, b):
		return w.shift(p, c, h, a, a.In, b.Slot, now)
	}
	return w.exchange(p, c, h, a.ID, h, b.ID, now)
}

// exchange lets two things of a hoard trade places.
func (w *World) exchange(p *player, c Command, ha *hoard, first ItemID, hb *hoard, second ItemID, now time.Time) RejectReason {
	a, b := ha.find(first), hb.find(second)
	for _, t := range [...]*Item{a, b} {
		if why := w.mayLeave(t, ha); why != 0 {
			return why
		}
	}
	if why := w.mayLie(a, ha, hb, b.In, b.Slot); why != 0 {
		return why
	}
	if why := w.mayLie(b, hb, ha, a.In, a.Slot); why != 0 {
		return why
	}
	d := w.draft(p, c)
	s := d.side(ha)
	aIn, aSlot, bIn, bSlot := a.In, a.Slot, b.In, b.Slot
	d.carry(s, s, first, bIn, bSlot)
	d.carry(s, s, second, aIn, aSlot)
	if !w.mayWear(p, s, first) || !w.mayWear(p, s, second) {
		return Lacking
	}
	w.commit(d, objectOf(ha), now, func(w *World, now time.Time) {
		w.tell(ItemMoved{ID: p.ID, Item: d.moved(first).is, From: aSlot, Other: copyOf(&d.moved(second).is), Slots: d.slots(all)})
		w.rewear(p, d)
	})
	return 0
}

func (c PutInto) ask(w *World, p *player, now time.Time) RejectReason {
	from, t, why := w.locate(p, c.What, now)
	if why != 0 {
		return why
	}
	to, in, why := w.enclosed(p, c.Into, now)
	if why != 0 {
		return why
	}
	switch {
	case from == to && t.In == in:
		return w.shift(p, c, from, t, in, c.Slot, now)
	case from.lying != nil && to.lying != nil && from != to:
		return NotYours
	case from.lying != nil && from == to && t.In == 0:
		return TooDeep
	}
	if why := w.mayLeave(t, from); why != 0 {
		return why
	}
	d := w.draft(p, c)
	b := bearer{draft: d, from: d.side(from), to: d.side(to)}
	there := to.at(in, c.Slot)
	switch {
	case there == nil:
		if why := w.mayLie(t, from, to, in, c.Slot); why != 0 {
			return why
		}
		b.bring(t, in, c.Slot)
	case w.stacks(t, there) && !(to.lying != nil && to.root().Class == classLootBag):
		b.add(t, there.ID)
	default:
		return Occupied
	}
	if !w.mayWear(p, b.to, t.ID) {
		return Lacking
	}
	b.settle(w, p, from, to, now)
	return 0
}

func (c PickUp) ask(w *World, p *player, now time.Time) RejectReason {
	from, t, why := w.locate(p, c.What, now)
	if why != 0 {
		return why
	}
	if from == &p.carried && t.In == 0 {
		return NotYours // it is carried already
	}
	d := w.draft(p, c)
	b := bearer{draft: d, from: d.side(from), to: d.side(&p.carried)}
	if why := w.pocket(p, &b, t); why != 0 {
		return why
	}
	b.settle(w, p, from, &p.carried, now)
	return 0
}

func (c TakeAll) ask(w *World, p *player, now time.Time) RejectReason {
	h, bag, why := w.enclosed(p, Container{Object: c.Bag}, now)
	if why != 0 {
		return why
	}
	d := w.draft(p, c)
	b := bearer{draft: d, from: d.side(h), to: d.side(&p.carried)}
	why = EmptySlot
	for _, t := range h.within(bag, nil) {
		if t.In != bag {
			continue
		}
		if no := w.pocket(p, &b, &t); no != 0 {
			why = no
		}
	}
	if len(b.taken) == 0 {
		return why
	}
	b.settle(w, p, h, &p.carried, now)
	return 0
}

// A bearer brings things from one side of a draft to another.
type bearer struct {
	*draft
	from, to *side
	taken    []Taken
	onto     []ItemID // of taken: the stack to which it is added, or 0
}

// pocket brings a thing into the inventory.
func (w *World) pocket(p *player, b *bearer, t *Item) RejectReason {
	for slot := slotInventory; slot < endOfInventory; slot++ {
		if there := b.to.at(0, slot); there != nil && w.stacks(t, there) {
			b.add(t, there.ID)
			return 0
		}
	}
	slot, ok := b.to.free(0, slotInventory, endOfInventory)
	if !ok {
		return NoRoom
	}
	if why := w.mayLie(t, b.from.was, b.to.was, 0, slot); why != 0 {
		return why
	}
	b.bring(t, 0, slot)
	return 0
}

func (b *bearer) take(t *Item, onto ItemID) {
	c, ok := b.from.container(t.In)
	taken := Taken{Item: *t, From: c, FromGround: !ok, Inside: b.from.within(t.ID, nil)}
	if !ok {
		taken.From = Container{Object: b.from.object.ID}
	}
	b.taken, b.onto = append(b.taken, taken), append(b.onto, onto)
}

func (b *bearer) bring(t *Item, in ItemID, slot int) {
	b.take(t, 0)
	b.carry(b.from, b.to, t.ID, in, slot)
}

func (b *bearer) add(t *Item, onto ItemID) {
	b.take(t, onto)
	b.merge(b.from, b.to, t.ID, onto)
}

// settle has it all made durable, and tells what has come where.
func (b *bearer) settle(w *World, p *player, from, to *hoard, now time.Time) {
	o := objectOf(from, to)
	if o != nil && from.lying != nil {
		b.emptied()
	}
	w.commit(b.draft, o, now, func(w *World, now time.Time) {
		for i := range b.taken {
			t := &b.taken[i]
			if t.Merged = b.onto[i] != 0; t.Merged {
				t.Into = *to.find(b.onto[i])
			} else {
				t.Into = *to.find(t.Item.ID)
			}
		}
		gone := o != nil && from.lying != nil && len(from.things) == 0
		slots, whence := b.slots(all), ObjectID(0)
		if from.lying != nil {
			whence = o.ID
		}
		if to.owner != 0 {
			w.tell(TookUp{p.ID, b.taken, whence, gone, slots})
		} else {
			c, _ := to.container(b.taken[0].Into.In)
			w.tell(PutAway{p.ID, b.taken[0], c, whence, gone, slots})
		}
		if gone {
			w.remove(o)
		}
		w.rewear(p, b.draft)
	})
}

// emptied ends a bag of a monster when nothing is left in it.
func (b *bearer) emptied() {
	root := b.from.root()
	if root != nil && root.Class == classLootBag && len(b.from.things) == 1 {
		b.draft.take(b.from, root.ID)
	}
}
