package rules

import (
	"math"
	"slices"
)

// armour are the slots with items that wear out by hits received: those of a rule of ours, since none is known.
var armour = [...]int{SlotHelmet, SlotShield, SlotChest, SlotGloves, SlotPants, SlotBoots}

// IsArmour reports whether an item worn in a slot wears out by hits received.
func IsArmour(slot int) bool { return slices.Contains(armour[:], slot) }

// Broken reports whether an item has worn out: it stays where it is and gives nothing, a rule of ours.
func (t *Item) Broken() bool { return t.MaxDurability > 0 && t.Durability <= 0 }

// WearsOut reports whether blows take durability from an item: its kind has one, and there is some left.
//
// Source: protocol fight 7.5.
func (t *Tables) WearsOut(i *Item) bool { return i.Durability > 0 && t.MayWear(i) }

// MayWear reports whether the kind of an item has a durability, so that the item may lose it.
func (t *Tables) MayWear(i *Item) bool {
	k := t.KindOf(i)
	return k != nil && t.Numbers(k, i.Suffix).Durability > 0
}

// IsWornDown reports whether an item has lost durability, so that a smith can repair it.
func (t *Tables) IsWornDown(i *Item) bool { return i.Durability < i.MaxDurability && t.MayWear(i) }

// RepairPrice is the price in coins of the repair of an item: the lost share of its durability of part of its price,
// rounded up. It is 0 for an item that has lost none.
//
// Source: protocol life 6.2.
func (t *Tables) RepairPrice(i *Item, part float64) int64 {
	if !t.IsWornDown(i) {
		return 0
	}
	lost := float64(i.MaxDurability-max(i.Durability, 0)) / float64(i.MaxDurability)
	price := math.Ceil(lost * float64(t.Worth(t.KindOf(i), i.Suffix)) * part)
	return int64(min(max(price, 0), MaxMoney))
}
