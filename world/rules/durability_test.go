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
	for _, v := range []struct {
		kind, left, most int
		part             float64
		price            int64
	}{
		{kindSword, 90, 90, 0.5, 0}, {kindSword, 0, 90, 0.5, 30}, {kindSword, 45, 90, 0.5, 15}, {kindSword, 89, 90, 0.5, 1},
		{kindSword, -5, 90, 0.5, 30}, {kindSword, 0, 90, 0, 0}, {kindSword, 0, 90, 1e12, MaxMoney}, {kindSword, 0, 0, 0.5, 0},
		{kindSword, 91, 90, 0.5, 0}, {kindHelmet, 0, 100, 0.5, 0},
	} {
		i := tables.of(v.kind, 1, 0, SlotInventory, 1)
		i.Durability, i.MaxDurability = v.left, v.most
		if price := tables.RepairPrice(&i, v.part); price != v.price {
			t.Errorf("%+v: the repair costs %d", v, price)
		}
	}
	if tables.WearsOut(&Item{Class: 9999, Durability: 5, MaxDurability: 5}) {
		t.Error("something unknown wears out")
	}
}
