package rules

import "slices"

// armour are the slots with items that wear out by hits received: those of a rule of ours, since none is known.
var armour = [...]int{SlotHelmet, SlotShield, SlotChest, SlotGloves, SlotPants, SlotBoots}

// IsArmour reports whether an item worn in a slot wears out by hits received.
func IsArmour(slot int) bool { return slices.Contains(armour[:], slot) }

// Broken reports whether an item has worn out: it stays where it is and gives nothing, a rule of ours.
func (t *Item) Broken() bool { return t.MaxDurability > 0 && t.Durability <= 0 }

// WearsOut reports whether blows take durability from an item: its kind has one, and there is some left.
//
// Source: protocol fight 7.5.
func (t *Tables) WearsOut(i *Item) bool {
	k := t.KindOf(i)
	return k != nil && i.Durability > 0 && t.Numbers(k, i.Suffix).Durability > 0
}
