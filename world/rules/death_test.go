package rules

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestCheck29ExperienceLostByDying(t *testing.T) {
	b := DefaultBalance().Death
	p := Progress{TitleXP: 1424017, DegreeXP: 255402}
	if q := b.Bury(41, 20, p); q.TitleXP != 1246962 || q.DegreeXP != 223647 {
		t.Errorf("left are %d and %d", q.TitleXP, q.DegreeXP)
	}
	if q := b.Bury(8, 8, p); q != p {
		t.Errorf("the weak have lost: %+v", q)
	}
	if q := b.Bury(0, 9, p); q == p {
		t.Error("from level 10 something is lost")
	}
	b.Experience = 5
	if q := b.Bury(20, 20, p); q.TitleXP != 0 || q.DegreeXP != 0 {
		t.Errorf("more than all is lost: %+v", q)
	}
}

func TestBadKarmaCostsAnItem(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		karma int
		thing float64
		want  bool
	}{{-1001, 1, true}, {-101, 1, true}, {-100, 1, false}, {0, 1, false}, {MaxKarma, 1, false}, {-1001, 0, false}} {
		b := DeathBalance{Thing: c.thing}
		if got := b.CostsItem(r, c.karma); got != c.want {
			t.Errorf("karma %d, chance %v: %t", c.karma, c.thing, got)
		}
	}
	lost := 0
	for b := DefaultBalance().Death; r.IntN(1000) > 0; {
		if b.Thing > 0 && b.Thing < 1 && b.CostsItem(r, -2000) {
			lost++
		}
	}
	if lost == 0 {
		t.Error("by chance nothing is ever lost")
	}
}

func TestItemsLostAtDeath(t *testing.T) {
	const sword, worn, bag, inBag, bound = 1, 2, 3, 4, 5
	item := func(id ItemID, in ItemID, slot int) Item { return Item{ID: id, In: in, Slot: slot, Count: 1} }
	kept := item(bound, 0, SlotInventory+2)
	kept.Bound = true
	for _, c := range []struct {
		name string
		has  []Item
		want []ItemID
	}{
		{"nothing", nil, []ItemID{0}},
		{"one", []Item{item(sword, 0, SlotInventory)}, []ItemID{sword}},
		{"worn", []Item{item(worn, 0, SlotAmmunition)}, []ItemID{0}},
		{"bound", []Item{kept}, []ItemID{0}},
		{"what keeps experience", []Item{{ID: 6, Class: 434, Slot: SlotInventory, Count: 1}}, []ItemID{0}},
		{"an empty bag", []Item{item(bag, 0, SlotInventory)}, []ItemID{bag}},
		{"a bag, but not with what is in it", []Item{item(bag, 0, SlotInventory), item(inBag, bag, 0)}, []ItemID{inBag}},
		{"each of several", []Item{item(sword, 0, SlotInventory), item(worn, 0, SlotAmmunition), kept,
			item(bag, 0, SlotInventory+1), item(inBag, bag, 0)}, []ItemID{sword, inBag}},
	} {
		r, lost := rand.New(rand.NewPCG(1, 2)), map[ItemID]bool{}
		for range 100 {
			lost[DropAtDeath(r, &Inventory{Owner: 1, Items: c.has})] = true
		}
		for id := range lost {
			if !slices.Contains(c.want, id) || len(lost) != len(c.want) {
				t.Errorf("%s: lost are %v, want %v", c.name, lost, c.want)
			}
		}
	}
}
