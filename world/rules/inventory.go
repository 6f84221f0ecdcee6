package rules

import (
	"cmp"
	"slices"
)

// An Inventory is all items in one place: those that a character carries, those of a vault, or those that lie in the
// world as one object. The item that lies is the root of the latter: the only one that is in no other.
type Inventory struct {
	Items  []Item // by ID
	Owner  int64  // number of the character; exactly one of Owner, Vault and Ground is there
	Vault  int64  // number of the account
	Ground *OnGround
	Root   ItemID // of the items that lie in the world, also when it is no more
	Object uint32 // of the world's object with these items; 0: there is none yet
}

// NewInventory returns an inventory of items in any order.
func NewInventory(h Inventory, items []Item) Inventory {
	h.Items = slices.Clone(items)
	h.sort()
	return h
}

func (h *Inventory) sort() {
	slices.SortFunc(h.Items, func(a, b Item) int { return cmp.Compare(a.ID, b.ID) })
}

func (h *Inventory) index(id ItemID) (int, bool) {
	return slices.BinarySearchFunc(h.Items, id, func(t Item, id ItemID) int { return cmp.Compare(t.ID, id) })
}

// Find returns an item, nil if it is not in the inventory. The pointer is good until the inventory changes.
func (h *Inventory) Find(id ItemID) *Item {
	if i, ok := h.index(id); ok && id != 0 {
		return &h.Items[i]
	}
	return nil
}

// At returns the item in a slot, nil for none.
func (h *Inventory) At(in ItemID, slot int) *Item {
	for i := range h.Items {
		if t := &h.Items[i]; t.Slot == slot && t.In == in {
			return t
		}
	}
	return nil
}

// RootItem returns the item that lies in the world; nil for other inventories.
func (h *Inventory) RootItem() *Item { return h.Find(h.Root) }

// Free returns the first free slot from first on, before end.
func (h *Inventory) Free(in ItemID, first, end int) (int, bool) {
	var used [256]bool
	for i := range h.Items {
		if t := &h.Items[i]; t.In == in && t.Slot >= 0 && t.Slot < len(used) {
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

// Within appends all that is in an item, bags before their contents, by slot.
func (h *Inventory) Within(id ItemID, out []Item) []Item {
	from := len(out)
	for i := range h.Items {
		if h.Items[i].In == id {
			out = append(out, h.Items[i])
		}
	}
	slices.SortFunc(out[from:], func(a, b Item) int { return cmp.Compare(a.Slot, b.Slot) })
	for i, end := from, len(out); i < end; i++ {
		out = h.Within(out[i].ID, out)
	}
	return out
}

// Holds reports whether something is in an item.
func (h *Inventory) Holds(id ItemID) bool {
	return slices.ContainsFunc(h.Items, func(t Item) bool { return t.In == id })
}

// HoldsBound reports whether something bound is in an item.
func (h *Inventory) HoldsBound(id ItemID) bool {
	return slices.ContainsFunc(h.Items, func(t Item) bool { return t.In == id && (t.Bound || h.HoldsBound(t.ID)) })
}

// Weight is the weight of an item with all that is in it.
func (h *Inventory) Weight(i *Item) int { return Weigh(i, h.Items) }

// Weigh is the weight of an item with all that is in it, of a list that has all of that.
func Weigh(i *Item, all []Item) int {
	w := i.Weight * max(i.Count, 1)
	if ClassOf(i.Class).Room == 0 || i.ID == 0 {
		return w
	}
	for j := range all {
		if all[j].In == i.ID {
			w += Weigh(&all[j], all)
		}
	}
	return w
}

// Above is in how many bags an item in a bag would be.
func (h *Inventory) Above(in ItemID) int {
	n := 0
	for t := h.Find(in); t != nil; t = h.Find(t.In) {
		n++
	}
	return n
}

// Below is how many bags are in each other from an item on, itself among them.
func (h *Inventory) Below(t *Item) int {
	if ClassOf(t.Class).Room == 0 {
		return 0
	}
	deepest := 0
	for i := range h.Items {
		if h.Items[i].In == t.ID {
			deepest = max(deepest, h.Below(&h.Items[i]))
		}
	}
	return deepest + 1
}

// Stored is an item of the inventory as a store keeps it.
func (h *Inventory) Stored(t *Item) *StoredItem {
	return &StoredItem{Item: *t, Owner: h.Owner, Vault: h.Vault, OnGround: h.Ground}
}
