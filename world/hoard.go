package world

import (
	"cmp"
	"slices"
)

// A hoard is all that is in one place: what a player carries, what is in its vault, or what lies in the world as one object. The thing
// that lies is the root of the latter: the only one in no other.
type hoard struct {
	things []Item // by ID
	owner  int64  // exactly one of these three is there
	vault  int64
	lying  *OnGround
	object *object // of lying
	rootID ItemID  // of lying: the thing that lies, also when it is no more
}

func newHoard(h hoard, things []Item) hoard {
	h.things = slices.Clone(things)
	h.sort()
	return h
}

func (h *hoard) sort() {
	slices.SortFunc(h.things, func(a, b Item) int { return cmp.Compare(a.ID, b.ID) })
}

func (h *hoard) index(id ItemID) (int, bool) {
	return slices.BinarySearchFunc(h.things, id, func(t Item, id ItemID) int { return cmp.Compare(t.ID, id) })
}

// find returns a thing, nil if it is not in the hoard. The pointer is good until the hoard changes.
func (h *hoard) find(id ItemID) *Item {
	if i, ok := h.index(id); ok && id != 0 {
		return &h.things[i]
	}
	return nil
}

// at returns what lies in a slot.
func (h *hoard) at(in ItemID, slot int) *Item {
	for i := range h.things {
		if t := &h.things[i]; t.Slot == slot && t.In == in {
			return t
		}
	}
	return nil
}

// root returns the thing that lies in the world; nil for other hoards.
func (h *hoard) root() *Item { return h.find(h.rootID) }

// free returns the first free slot from first on, before end.
func (h *hoard) free(in ItemID, first, end int) (int, bool) {
	var used [256]bool
	for i := range h.things {
		if t := &h.things[i]; t.In == in && t.Slot >= 0 && t.Slot < len(used) {
			used[t.Slot] = true
		}
	}
	for s := first; s < end && s < len(used); s++ {
		if !used[s] {
			return s, true
		}
	}
	return 0, false
}

// within appends all that is in a thing, bags before what is in them, by slot.
func (h *hoard) within(id ItemID, out []Item) []Item {
	from := len(out)
	for i := range h.things {
		if h.things[i].In == id {
			out = append(out, h.things[i])
		}
	}
	slices.SortFunc(out[from:], func(a, b Item) int { return cmp.Compare(a.Slot, b.Slot) })
	for i, end := from, len(out); i < end; i++ {
		out = h.within(out[i].ID, out)
	}
	return out
}

// holds says whether something is in a thing.
func (h *hoard) holds(id ItemID) bool {
	return slices.ContainsFunc(h.things, func(t Item) bool { return t.In == id })
}

// weight is what a thing weighs with all that is in it.
func (h *hoard) weight(t *Item) int {
	w := t.Weight * max(t.Count, 1)
	if room(t.Class) == 0 {
		return w
	}
	for i := range h.things {
		if h.things[i].In == t.ID {
			w += h.weight(&h.things[i])
		}
	}
	return w
}

// above is how many bags a thing in a bag would be in.
func (h *hoard) above(in ItemID) int {
	n := 0
	for t := h.find(in); t != nil; t = h.find(t.In) {
		n++
	}
	return n
}

// below is how many bags are in each other from a thing on, itself among them.
func (h *hoard) below(t *Item) int {
	if room(t.Class) == 0 {
		return 0
	}
	deepest := 0
	for i := range h.things {
		if h.things[i].In == t.ID {
			deepest = max(deepest, h.below(&h.things[i]))
		}
	}
	return deepest + 1
}

// container names where a thing of the hoard lies; false for what lies in the world by itself.
func (h *hoard) container(in ItemID) (Container, bool) {
	switch {
	case h.lying == nil && in == 0:
		return Container{Vault: h.vault != 0}, true
	case h.lying != nil && in == 0:
		return Container{}, false
	case h.lying != nil && h.object != nil && h.rootID == in:
		return Container{Object: h.object.ID}, true
	}
	return Container{Bag: in}, true
}

// stored is a thing of the hoard as a store keeps it.
func (h *hoard) stored(t *Item) *StoredItem {
	return &StoredItem{Item: *t, Owner: h.owner, Vault: h.vault, OnGround: h.lying}
}

// Weights computes what each slot of who carries these things weighs, with all that is in it, and all together.
func Weights(things []Item) (slots [endOfSlots]int, carried int) {
	h := newHoard(hoard{}, things)
	for i := range h.things {
		if t := &h.things[i]; t.In == 0 && ownSlot(t.Slot) {
			slots[t.Slot] = h.weight(t)
			carried += slots[t.Slot]
		}
	}
	return slots, carried
}
