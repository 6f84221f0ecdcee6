package world

import (
	"slices"

	"sphereserver/world/rules"
)

// mayLie says why a thing may not lie in a slot of a hoard, whatever lies there now; 0 if it may. from is the hoard it comes from. Requirements
// are not looked at.
func (w *World) mayLie(t *rules.Item, from, h *rules.Inventory, in rules.ItemID, slot int) rules.RejectReason {
	switch {
	case from != h && t.Bound && h.Owner == 0:
		return rules.IsBound
	case from != h && rules.ClassOf(t.Class).Stays:
		return rules.NoSlot
	}
	if in == 0 {
		switch {
		case h.Ground != nil:
			return rules.NotYours
		case h.Vault != 0:
			return slotIf(slot >= 0 && slot < rules.VaultSlots)
		case !rules.IsSlot(slot):
			return rules.NoSlot
		case rules.InInventory(slot):
			return 0
		}
		return slotIf(w.fits(t, slot))
	}
	bag := h.Find(in)
	if bag == nil {
		return rules.NotYours
	}
	inside := rules.ClassOf(bag.Class)
	switch {
	case inside.Room == 0:
		return rules.NoContainer
	case slot < 0 || slot >= inside.Room || inside.Accepts != nil && !slices.Contains(inside.Accepts, t.Class):
		return rules.NoSlot
	}
	for b := bag; b != nil; b = h.Find(b.In) {
		if b.ID == t.ID {
			return rules.TooDeep
		}
	}
	if h.Ground != nil && bag.Class == rules.ClassLootBag && (from != h || t.In != in) {
		return rules.NoSlot
	}
	if h.Above(in)+from.Below(t) > rules.MaxNesting {
		return rules.TooDeep
	}
	if from != h && h.Owner == 0 && from.HoldsBound(t.ID) {
		return rules.IsBound
	}
	return 0
}

func slotIf(ok bool) rules.RejectReason {
	if ok {
		return 0
	}
	return rules.NoSlot
}

// fits says whether a thing is worn in a slot.
func (w *World) fits(t *rules.Item, slot int) bool {
	if rules.IsMutator(slot) {
		return false // mutators come and go by themselves
	}
	k := w.rules.Of(t)
	return k != nil && slices.Contains(k.Slots, slot)
}

// stacks says whether all of a stack may be added to another.
func (w *World) stacks(t, onto *rules.Item) bool {
	if t.ID == onto.ID || !t.Alike(onto) {
		return false
	}
	k := w.rules.Of(t)
	return k != nil && k.Stack > 1 && t.Count+onto.Count <= k.Stack
}
