package world

import "sphereserver/world/rules"

// A Container is what items lie in: one of these. The zero value is a player's own slots.
type Container struct {
	Object EntityID     // a bag that lies in the world
	Bag    rules.ItemID // a bag that is carried, is in the vault, or is in a bag that lies in the world
	Vault  bool         // the vault of the player's account
}

// A Target is something that a player wants to have: one of these.
type Target struct {
	Object EntityID     // what lies in the world
	Item   rules.ItemID // what is carried, in the opened vault, or in the opened bag that lies in the world
}

// slotOf is the slot of an item of an inventory.
func slotOf(h *rules.Inventory, t *rules.Item) SlotNow {
	c, _ := containerOf(h, t.In)
	return SlotNow{In: c, Slot: t.Slot, Item: t.ID, Weight: h.Weight(t)}
}

// containerOf names where an item of an inventory lies; false for what lies in the world by itself.
func containerOf(h *rules.Inventory, in rules.ItemID) (Container, bool) {
	switch {
	case h.Ground == nil && in == 0:
		return Container{Vault: h.Vault != 0}, true
	case h.Ground != nil && in == 0:
		return Container{}, false
	case h.Object != 0 && h.Root == in:
		return Container{Object: EntityID(h.Object)}, true
	}
	return Container{Bag: in}, true
}
