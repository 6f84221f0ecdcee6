package rules

import "slices"

// MayLie says why an item may not lie in a slot of an inventory, even if it were empty; 0 if it may. from is the
// inventory it comes from. Requirements are not looked at.
func (t *Tables) MayLie(i *Item, from, to *Inventory, in ItemID, slot int) RejectReason {
	switch {
	case from != to && to.Owner == 0 && (i.Bound || from.HoldsBound(i.ID)):
		return IsBound
	case from.MayLeave(i) != 0:
		return NoSlot
	case from != to && ClassOf(i.Class).Stays:
		return NoSlot
	case in != 0:
		return mayLieInBag(i, from, to, in, slot)
	case to.Ground != nil:
		return NotYours
	case !to.HasSlot(0, slot):
		return NoSlot
	case to.Vault != 0 || InInventory(slot):
		return 0
	}
	k := t.KindOf(i)
	return slotIf(k != nil && slices.Contains(k.Slots, slot))
}

// HasSlot reports whether a bag in an inventory has a slot; without one, whether its owner has a slot for things:
// those of the mutators are for effects.
func (h *Inventory) HasSlot(in ItemID, slot int) bool {
	switch {
	case in != 0:
		bag := h.Find(in)
		return bag != nil && slot >= 0 && slot < ClassOf(bag.Class).Room
	case h.Vault != 0:
		return slot >= 0 && slot < VaultSlots
	}
	return IsSlot(slot) && !IsMutator(slot)
}

func mayLieInBag(i *Item, from, to *Inventory, in ItemID, slot int) RejectReason {
	bag := to.Find(in)
	if bag == nil {
		return NotYours
	}
	inside := ClassOf(bag.Class)
	switch {
	case inside.Room == 0:
		return NoContainer
	case !to.HasSlot(in, slot) || inside.Accepts != nil && !slices.Contains(inside.Accepts, i.Class):
		return NoSlot
	}
	for b := bag; b != nil; b = to.Find(b.In) {
		if b.ID == i.ID {
			return TooDeep
		}
	}
	switch {
	case to.Ground != nil && inside.Keeps && (from != to || i.In != in):
		return NoSlot
	case to.Above(in)+from.Below(i) > MaxNesting:
		return TooDeep
	}
	return 0
}

func slotIf(ok bool) RejectReason {
	if ok {
		return 0
	}
	return NoSlot
}

// MayLeave says why an item must stay in its slot.
func (h *Inventory) MayLeave(i *Item) RejectReason {
	if h.Owner != 0 && i.In == 0 && (IsMutator(i.Slot) || IsGuildSlot(i.Slot) ||
		i.Slot == SlotMission && i.Class == ClassMission) {
		return NoSlot
	}
	return 0
}

// Pocket puts a new item into the inventory of a side: onto a stack of the same if it fits, otherwise into the first
// free slot.
func (t *Tables) Pocket(x *InventoryTx, s *Side, i Item) (id ItemID, merged bool, why RejectReason) {
	if there := t.StackFor(&s.Inventory, &i); there != nil {
		id = there.ID
		x.Edit(s, id).Count += i.Count
		return id, true, 0
	}
	slot, ok := s.Free(0, SlotInventory, EndOfInventory)
	if !ok {
		return 0, false, NoRoom
	}
	i.Slot = slot
	return x.Add(s, i), false, 0
}

// StackFor returns the stack in the inventory's slots to which an item may be added, nil for none.
func (t *Tables) StackFor(h *Inventory, i *Item) *Item {
	for slot := SlotInventory; slot < EndOfInventory; slot++ {
		if there := h.At(0, slot); there != nil && t.Stacks(i, there) {
			return there
		}
	}
	return nil
}
