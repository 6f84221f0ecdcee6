package rules

import (
	"slices"
	"testing"
)

func TestClassesAreListedOnce(t *testing.T) {
	seen, modules, last := map[int]bool{}, map[string]int{}, 0
	for i := range classes {
		c := &classes[i]
		if seen[c.Tag] || c.Tag <= last || c.Tag >= len(classByTag) {
			t.Errorf("class %d after %d", c.Tag, last)
		}
		seen[c.Tag], last = true, c.Tag
		for _, m := range c.Modules {
			if other := modules[m]; other != 0 {
				t.Errorf("classes %d and %d are called %s", other, c.Tag, m)
			}
			modules[m] = c.Tag
		}
		for _, slot := range c.Slots {
			if !IsSlot(slot) || !IsWorn(slot) || SlotName(slot) == "slot" {
				t.Errorf("class %d is worn in slot %d", c.Tag, slot)
			}
		}
		if c.Hand && len(c.Slots) > 0 || c.Accepts != nil && c.Room == 0 || c.Stays && c.Room == 0 || c.Held != 0 && !c.Hand {
			t.Errorf("class %d contradicts itself: %+v", c.Tag, c)
		}
		for _, inside := range c.Accepts {
			if ClassOf(inside).Tag == 0 {
				t.Errorf("class %d holds the unknown class %d", c.Tag, inside)
			}
		}
	}
	if len(classes) > 254 {
		t.Error("more classes than the index can number")
	}
}

func TestClassOf(t *testing.T) {
	for tag := -3; tag < 5000; tag++ {
		if c := ClassOf(tag); c.Tag != 0 && c.Tag != tag {
			t.Errorf("class %d is %d", tag, c.Tag)
		}
	}
	for _, row := range []struct {
		tag  int
		want func(c *Class) bool
	}{
		{aBag, func(c *Class) bool { return c.Room == 20 && !c.Stays && slices.Equal(c.Slots, []int{SlotBackpack}) }},
		{ClassLootBag, func(c *Class) bool { return c.Room == 20 && c.Stays }},
		{409, func(c *Class) bool { return slices.Equal(c.Accepts, mantras) }},
		{653, func(c *Class) bool { return c.Food == Bread && c.Stacks }},
		{473, func(c *Class) bool { return c.Food == SatietyPotion && c.Use == Potion }},
		{ClassScroll, func(c *Class) bool { return c.Use == Read && c.Stacks }},
		{1000, func(c *Class) bool { return c.Use == Mantra && c.Hand }},
		{ClassTokenCharges, func(c *Class) bool { return c.Use == Token }},
		{ClassMonster, func(c *Class) bool { return c.Monster }},
		{961, func(c *Class) bool { return c.Held == Sword && c.Hand }},
		{960, func(c *Class) bool { return c.Robe && slices.Equal(c.Slots, []int{SlotChest}) }},
		{3999, func(c *Class) bool { return c.Tag == 0 && c.Room == 0 && c.Slots == nil }},
	} {
		if c := ClassOf(row.tag); !row.want(c) {
			t.Errorf("class %d: %+v", row.tag, c)
		}
	}
}

func TestClassOfModule(t *testing.T) {
	for module, want := range map[string]int{
		"wp_sword1st": 506, "wp_sword1u": 505, "ar_armor2": 761, "ar_helm": 757, "ar_ring": 760, "jw_ring": 555,
		"pw_fb02":    453,
		"al_mineral": 600, "monsterf": 211, "mg_mantra_white": 1000, "ct_ubag": 401, "ar_armoru": 770, "ar_helmf": 956,
		"sword1": 500, "wp_sword1": 500, "WP_Sword1": 500, "sword": 500, "wp_arbalest": 502, "monster": 210, "guild": 2000,
		"scroll":    90,
		"xx_sword1": 0, "": 0, "wp_": 0, "wp_ar_armor": 0, "ar_armor": 750, "nothing": 0,
	} {
		if got := ClassOfModule(module); got != want {
			t.Errorf("module %q is of class %d, expected %d", module, got, want)
		}
	}
	if !HasFamily("wp_sword1") || HasFamily("sword1") || HasFamily("") {
		t.Error("families are mistaken")
	}
}

func TestSlots(t *testing.T) {
	for _, row := range []struct {
		slot                           int
		name                           string
		is, inventory, mutator, isWorn bool
	}{
		{-1, "slot", false, false, false, false}, {SlotHelmet, "helmet", true, false, false, true}, {11, "ring", true, false,
			false, true},
		{18, "slot", false, false, false, false}, {19, "slot", false, false, false, false}, {24, "key", true, false, false,
			true},
		{26, "inventory", true, true, false, false}, {35, "inventory", true, true, false, false}, {36, "slot", true, false,
			true, true},
		{45, "slot", true, false, true, true}, {46, "ability", true, false, false, true}, {55, "ammunition", true, false,
			false, true},
		{59, "slot", true, false, false, true}, {60, "slot", false, false, false, false},
	} {
		if IsSlot(row.slot) != row.is || InInventory(row.slot) != row.inventory || IsMutator(row.slot) != row.mutator ||
			IsWorn(row.slot) != row.isWorn || SlotName(row.slot) != row.name {
			t.Errorf("slot %d: expected %+v, found it called %q", row.slot, row, SlotName(row.slot))
		}
	}
}
