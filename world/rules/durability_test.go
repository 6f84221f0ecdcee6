package rules

import "testing"

// An item with a durability breaks when none is left; only one whose kind has one wears out.
func TestDurability(t *testing.T) {
	tables := someTables(t)
	for _, v := range []struct {
		kind, left, most int
		broken, wears    bool
	}{
		{kindSword, 90, 90, false, true}, {kindSword, 1, 90, false, true}, {kindSword, 0, 90, true, false},
		{kindSword, -1, 90, true, false}, {kindSword, 0, 0, false, false}, {kindHelmet, 50, 100, false, false},
	} {
		i := tables.of(v.kind, 1, 0, SlotInventory, 1)
		i.Durability, i.MaxDurability = v.left, v.most
		if i.Broken() != v.broken || tables.WearsOut(&i) != v.wears {
			t.Errorf("%+v: broken %t, wears %t", v, i.Broken(), tables.WearsOut(&i))
		}
	}
	if tables.WearsOut(&Item{Class: 9999, Durability: 5, MaxDurability: 5}) {
		t.Error("something unknown wears out")
	}
}
