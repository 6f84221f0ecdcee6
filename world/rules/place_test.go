package rules

import (
	"slices"
	"testing"
)

// TestWhereItemsMayLie has a bag 1 on a character's back, a sack 2 in it, another bag 3 and a book 4 in the
// inventory.
func TestWhereItemsMayLie(t *testing.T) {
	tables := someTables(t)
	carried := carries(a(aBag, 1, 0, SlotBackpack, 1), a(aSack, 2, 1, 0, 1), tables.of(kindBag, 3, 0, 27, 1),
		tables.of(kindBook, 4, 0, 28, 1), tables.of(kindHelmet, 5, 0, 29, 1), tables.of(kindMantra, 6, 0, 30, 1),
		tables.of(kindBread, 7, 3, 0, 5))
	carried.Find(7).Bound = true
	vault := NewInventory(Inventory{Vault: 3}, []Item{a(aSack, 20, 0, 0, 1), tables.of(kindRing, 21, 0, 1, 1)})
	loot := NewInventory(Inventory{Ground: new(OnGround), Root: 30}, []Item{a(ClassLootBag, 30, 0, 0, 1),
		tables.of(kindRing, 31, 30, 0, 1)})
	chest := NewInventory(Inventory{Ground: new(OnGround), Root: 40}, []Item{a(402, 40, 0, 0, 1)})
	bound := tables.of(kindRing, 50, 0, 31, 1)
	bound.Bound = true
	carried.Items = append(carried.Items, bound)
	for _, c := range []struct {
		name     string
		from, to *Inventory
		item, in ItemID
		slot     int
		want     RejectReason
	}{
		{"another slot of the inventory", carried, carried, 5, 0, 35, 0},
		{"its own slot", carried, carried, 5, 0, SlotHelmet, 0},
		{"another's slot", carried, carried, 5, 0, SlotShield, NoSlot},
		{"no slot", carried, carried, 5, 0, 18, NoSlot},
		{"beyond all slots", carried, carried, 5, 0, EndOfSlots, NoSlot},
		{"below all slots", carried, carried, 5, 0, -1, NoSlot},
		{"among the mutators", carried, carried, 5, 0, SlotMutators, NoSlot},
		{"the vault", carried, &vault, 5, 0, 59, 0},
		{"beyond the vault", carried, &vault, 5, 0, VaultSlots, NoSlot},
		{"from the vault", &vault, carried, 21, 0, 33, 0},
		{"what is bound in the vault", carried, &vault, 50, 0, 3, IsBound},
		{"a bag with what is bound in it in the vault", carried, &vault, 3, 0, 3, IsBound},
		{"a bag with what is bound in it in the vault's bag", carried, &vault, 3, 20, 3, IsBound},
		{"in a bag", carried, carried, 5, 1, 19, 0},
		{"beyond a bag", carried, carried, 5, 1, 20, NoSlot},
		{"in no bag", carried, carried, 5, 6, 0, NoContainer},
		{"in what is not there", carried, carried, 5, 99, 0, NotYours},
		{"a mantra in a book", carried, carried, 6, 4, 0, 0},
		{"a helmet in a book", carried, carried, 5, 4, 0, NoSlot},
		{"a bag in itself", carried, carried, 1, 1, 3, TooDeep},
		{"a bag in what is in it", carried, carried, 1, 2, 3, TooDeep},
		{"a bag in a bag", carried, carried, 3, 1, 3, 0},
		{"a bag in a bag in a bag", carried, carried, 3, 2, 3, TooDeep},
		{"in what a monster leaves", carried, &loot, 5, 30, 3, NoSlot},
		{"elsewhere in what a monster leaves", &loot, &loot, 31, 30, 3, 0},
		{"what a monster leaves, on one's back", &loot, carried, 30, 0, 31, NoSlot},
		{"in a chest", carried, &chest, 5, 40, 39, 0},
		{"what is bound in a chest", carried, &chest, 50, 40, 1, IsBound},
		{"on the ground", carried, &chest, 5, 0, 0, NotYours},
	} {
		if got := tables.MayLie(c.from.Find(c.item), c.from, c.to, c.in, c.slot); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestWhatMayLeave(t *testing.T) {
	carried := carries(a(aSword, 1, 0, SlotMutators, 1), a(aSword, 2, 0, 26, 1), a(aSword, 3, 9, SlotMutators, 1))
	vault := Inventory{Vault: 1}
	for _, c := range []struct {
		h    *Inventory
		item *Item
		want RejectReason
	}{{carried, carried.Find(1), NoSlot}, {carried, carried.Find(2), 0}, {carried, carried.Find(3), 0},
		{&vault, carried.Find(1), 0}} {
		if got := c.h.MayLeave(c.item); got != c.want {
			t.Errorf("%+v: %v, want %v", c.item, got, c.want)
		}
	}
}

func TestNewItemsGoIntoTheInventory(t *testing.T) {
	tables := someTables(t)
	for _, c := range []struct {
		name   string
		has    []Item
		put    Item
		onto   ItemID
		slot   int
		reject RejectReason
	}{
		{"into the first slot", nil, tables.of(kindBread, 0, 0, 0, 5), 0, 26, 0},
		{"onto a stack", []Item{tables.of(kindBread, 3, 0, 30, 95)}, tables.of(kindBread, 0, 0, 0, 5), 3, 30, 0},
		{"beside a stack that would be too high", []Item{tables.of(kindBread, 3, 0, 26, 96)}, tables.of(kindBread, 0, 0, 0,
			5), 0, 27, 0},
		{"beside a stack in a bag", []Item{tables.of(kindBag, 2, 0, 26, 1), tables.of(kindBread, 3, 2, 26, 5)},
			tables.of(kindBread, 0, 0, 0, 5), 0, 27, 0},
		{"beside the same that does not stack", []Item{tables.of(kindSword, 3, 0, 26, 1)}, tables.of(kindSword, 0, 0, 0, 1),
			0, 27, 0},
		{"between others", []Item{tables.of(kindSword, 3, 0, 26, 1), tables.of(kindSword, 4, 0, 28, 1)},
			tables.of(kindSword, 0, 0, 0, 1), 0, 27, 0},
	} {
		var x InventoryTx
		h := carries(c.has...)
		id, merged, why := tables.Pocket(&x, x.Side(h), c.put)
		if why != c.reject || merged != (c.onto != 0) || c.onto != 0 && id != c.onto {
			t.Errorf("%s: item %d, %v, %v", c.name, id, merged, why)
		}
		x.Changes()
		if m := x.Moved(id); m == nil || m.Is.Slot != c.slot || c.onto != 0 && m.Is.Count != 100 {
			t.Errorf("%s: %+v", c.name, m)
		}
	}
	var full []Item
	for slot := SlotInventory; slot < EndOfInventory; slot++ {
		full = append(full, tables.of(kindSword, ItemID(slot), 0, slot, 1))
	}
	var x InventoryTx
	if _, _, why := tables.Pocket(&x, x.Side(carries(full...)), tables.of(kindSword, 0, 0, 0, 1)); why != NoRoom {
		t.Errorf("into a full inventory: %v", why)
	}
}

func TestStacks(t *testing.T) {
	tables := someTables(t)
	bread := tables.of(kindBread, 1, 0, 26, 60)
	other := func(change func(*Item)) *Item {
		i := tables.of(kindBread, 2, 0, 27, 40)
		change(&i)
		return &i
	}
	for name, c := range map[string]struct {
		onto *Item
		want bool
	}{
		"the same":           {other(func(*Item) {}), true},
		"one too many":       {other(func(i *Item) { i.Count++ }), false},
		"itself":             {other(func(i *Item) { i.ID = 1 }), false},
		"what is bound":      {other(func(i *Item) { i.Bound = true }), false},
		"worn":               {other(func(i *Item) { i.Durability-- }), false},
		"of another weight":  {other(func(i *Item) { i.Weight++ }), false},
		"of another payload": {other(func(i *Item) { i.Extra = []byte{1} }), false},
		"of another suffix":  {other(func(i *Item) { i.Suffix = 2 }), false},
	} {
		if got := tables.Stacks(&bread, c.onto); got != c.want {
			t.Errorf("onto %s: %v", name, got)
		}
	}
	sword, unknown := tables.of(kindSword, 1, 0, 26, 1), a(3999, 1, 0, 26, 1)
	for _, i := range []Item{sword, unknown} {
		onto := i
		onto.ID = 2
		if tables.Stacks(&i, &onto) {
			t.Errorf("%+v stacks", i)
		}
	}
	for _, c := range []struct {
		item Item
		want bool
	}{{bread, true}, {tables.of(kindBread, 1, 0, 26, 1), true}, {sword, false}, {unknown, false},
		{a(3999, 1, 0, 26, 2), true}, {tables.of(kindMantra, 1, 0, 26, 1), true}} {
		if got := tables.IsStack(&c.item); got != c.want {
			t.Errorf("%+v is told as a stack: %v", c.item, got)
		}
	}
}

func TestBagsComeFirst(t *testing.T) {
	in := []Item{a(650, 5, 2, 0, 1), a(aSack, 2, 1, 0, 1), a(650, 4, 1, 0, 1), a(aSword, 3, 0, 26, 1),
		a(aBag, 1, 0, 22, 1)}
	if got := ids(BagsFirst(slices.Clone(in))); !slices.Equal(got, []ItemID{3, 1, 2, 4, 5}) {
		t.Errorf("in the order %v", got)
	}
	circle := []Item{a(aBag, 1, 2, 0, 1), a(aBag, 2, 1, 0, 1)}
	if got := BagsFirst(circle); len(got) != 2 {
		t.Errorf("a circle became %v", got)
	}
	stored := []StoredItem{{Item: in[0], Owner: 4}, {Item: in[1]}}
	if got := ids(Bare(stored)); !slices.Equal(got, []ItemID{5, 2}) || len(Bare(nil)) != 0 {
		t.Errorf("bare items %v", got)
	}
}
