package rules

import (
	"bytes"
	"slices"
	"time"

	"sphereserver/coords"
)

// An ItemID numbers an item as the store does. Numbers are never used again.
type ItemID int64

// An Item is one item, or one stack of items.
//
// Source: protocol ingame 10.1, 10.2.
type Item struct {
	ID            ItemID `json:"id"`
	In            ItemID `json:"container"` // the bag it is in; 0: in none
	Slot          int    `json:"slot"`      // wire number of the slot; within a bag or a vault counted from 0
	Class         int    `json:"class"`     // class tag, 0 to 4095
	GameID        int    `json:"gameID"`    // row of the client's item table, 0 for classes without one
	Suffix        int    `json:"suffix"`    // -1: none
	Count         int    `json:"count"`     // of a stack, at least 1; of a token with charges, the charges
	Durability    int    `json:"durability"`
	MaxDurability int    `json:"maxDurability"`
	Premium       int    `json:"premium"` // level, 0: none
	Bound         bool   `json:"bound"`   // to its owner
	Weight        int    `json:"weight"`  // of one, in the wire's units, of which a sword has 5000; negative for some bags
	Extra         []byte `json:"-"`       // class-dependent payload of ContMan 15, protocol ingame 4.1; not to be changed
}

// Same reports whether two items are equal in all.
func (t *Item) Same(o *Item) bool {
	return t.ID == o.ID && t.In == o.In && t.Slot == o.Slot && t.Count == o.Count && t.Alike(o)
}

// Alike reports whether two items differ in nothing but their number, place and count.
func (t *Item) Alike(o *Item) bool {
	return t.Class == o.Class && t.GameID == o.GameID && t.Suffix == o.Suffix &&
		t.Durability == o.Durability && t.MaxDurability == o.MaxDurability &&
		t.Premium == o.Premium && t.Bound == o.Bound && t.Weight == o.Weight && bytes.Equal(t.Extra, o.Extra)
}

// StoredItem is an item and its owner, as a store keeps it: exactly one of Owner, Vault and OnGround is there.
type StoredItem struct {
	Item
	Owner    int64     // number of the character that carries it
	Vault    int64     // number of the account that owns the vault it is in
	OnGround *OnGround // how it lies in the world; not to be changed
}

// Bare returns the items without their owners.
func Bare(stored []StoredItem) []Item {
	out := make([]Item, len(stored))
	for i := range stored {
		out[i] = stored[i].Item
	}
	return out
}

// BagsFirst sorts items by how many bags they are in, otherwise as they are.
func BagsFirst(items []Item) []Item {
	in := map[ItemID]ItemID{}
	for i := range items {
		in[items[i].ID] = items[i].In
	}
	depth := func(t Item) (n int) {
		for id := t.In; id != 0 && n <= len(items); id = in[id] {
			n++
		}
		return n
	}
	slices.SortStableFunc(items, func(a, b Item) int { return depth(a) - depth(b) })
	return items
}

// OnGround is how an item lies in the world.
type OnGround struct {
	At            coords.Position
	Expires       time.Time // zero: never
	Promised      int64     // only this character may take it; 0: all may
	PromisedUntil time.Time
}
