package world

// Slots of a player.
//
// Source: protocol ingame 10.1.
const (
	slotInventory  = 26
	endOfInventory = 36
	slotMutators   = 36
	endOfMutators  = 46
	slotAbilities  = 46
	endOfAbilities = 55
	endOfSlots     = 60
)

// vaultSlots is how many slots a vault has: a choice of ours, since the documents know nothing of it.
const vaultSlots = 60

// maxNesting is how many bags may be in each other. A recording has things in a sack in a bag.
const maxNesting = 2

// classLootBag is the class of what a killed monster leaves: one can only take out of it, and empty it is no more.
const classLootBag = 407

// A containerFact is how many slots things of some classes have inside, and what may lie there. The numbers are ours, the documents
// name none; that books take what they are for is ours, too.
type containerFact struct {
	slots   int
	accepts []int // classes; nil: all
	stays   bool  // nobody carries it
}

var containers = func() map[int]containerFact {
	out := map[int]containerFact{}
	for _, f := range []struct {
		containerFact
		classes []int
	}{
		{containerFact{slots: 20}, []int{400, 430}}, // large bag, backpack
		{containerFact{slots: 20, stays: true}, []int{classLootBag}},
		{containerFact{slots: 10}, []int{401, 404, 405, 419}},                                  // small bag, sacks
		{containerFact{slots: 40, stays: true}, []int{402, 406, 408, 414, 417, 420, 421}},      // chests
		{containerFact{slots: 20, accepts: []int{1000, 1001}}, []int{409, 411, 412, 423, 427}}, // mantra books
		{containerFact{slots: 20, accepts: []int{91}}, []int{410}},                             // recipe book
		{containerFact{slots: 20, accepts: []int{703}}, []int{413}},                            // map book
		{containerFact{slots: 20, accepts: []int{600, 601, 602}}, []int{3084}},                 // bag of herbs
	} {
		for _, class := range f.classes {
			out[class] = f.containerFact
		}
	}
	return out
}()

// room is how many slots a thing of a class has inside, 0 for what is no container.
func room(class int) int { return containers[class].slots }

// ownSlot says whether a slot of a player exists.
func ownSlot(slot int) bool { return slot >= 0 && slot < endOfSlots && slot != 18 && slot != 19 }

// worn says whether what lies in a slot of a player has an effect on it: all but the inventory.
func worn(slot int) bool { return ownSlot(slot) && (slot < slotInventory || slot >= endOfInventory) }

// mayLie says why a thing may not lie in a slot of a hoard, whatever lies there now; 0 if it may. from is the hoard it comes from. Requirements
// are not looked at.
func (w *World) mayLie(t *Item, from, h *hoard, in ItemID, slot int) RejectReason {
	switch {
	case from != h && t.Bound && h.owner == 0:
		return IsBound
	case from != h && containers[t.Class].stays:
		return NoSlot
	}
	if in == 0 {
		switch {
		case h.lying != nil:
			return NotYours
		case h.vault != 0:
			return slotIf(slot >= 0 && slot < vaultSlots)
		case !ownSlot(slot):
			return NoSlot
		case slot >= slotInventory && slot < endOfInventory:
			return 0
		}
		return slotIf(w.fits(t, slot))
	}
	bag := h.find(in)
	if bag == nil {
		return NotYours
	}
	inside, ok := containers[bag.Class]
	switch {
	case !ok:
		return NoContainer
	case slot < 0 || slot >= inside.slots || inside.accepts != nil && !has(inside.accepts, t.Class):
		return NoSlot
	}
	for b := bag; b != nil; b = h.find(b.In) {
		if b.ID == t.ID {
			return TooDeep
		}
	}
	if h.lying != nil && bag.Class == classLootBag && (from != h || t.In != in) {
		return NoSlot
	}
	if h.above(in)+from.below(t) > maxNesting {
		return TooDeep
	}
	if from != h && h.owner == 0 && boundWithin(from, t.ID) {
		return IsBound
	}
	return 0
}

func slotIf(ok bool) RejectReason {
	if ok {
		return 0
	}
	return NoSlot
}

func has(list []int, n int) bool {
	for _, v := range list {
		if v == n {
			return true
		}
	}
	return false
}

// fits says whether a thing is worn in a slot.
func (w *World) fits(t *Item, slot int) bool {
	if slot >= slotMutators && slot < endOfMutators {
		return false // mutators come and go by themselves
	}
	k := w.rules.Of(t)
	return k != nil && has(k.Slots, slot)
}

// boundWithin says whether something in a thing is bound.
func boundWithin(h *hoard, id ItemID) bool {
	for i := range h.things {
		if t := &h.things[i]; t.In == id && (t.Bound || boundWithin(h, t.ID)) {
			return true
		}
	}
	return false
}

// stacks says whether all of a stack may be added to another.
func (w *World) stacks(t, onto *Item) bool {
	if t.ID == onto.ID || !t.alike(onto) {
		return false
	}
	k := w.rules.Of(t)
	return k != nil && k.Stack > 1 && t.Count+onto.Count <= k.Stack
}
