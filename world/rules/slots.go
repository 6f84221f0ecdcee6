package rules

// Slots of a character, by their numbers on the wire.
//
// Source: protocol ingame 10.1.
const (
	SlotHelmet        = 0
	SlotAmulet        = 1
	SlotShield        = 2
	SlotChest         = 3
	SlotGloves        = 4
	SlotBelt          = 5
	SlotLeftBracelet  = 6
	SlotRightBracelet = 7
	SlotRing1         = 8 // to 11
	SlotPants         = 12
	SlotBoots         = 13
	SlotGuild         = 14
	SlotMapBook       = 15
	SlotRecipeBook    = 16
	SlotMantraBook    = 17
	SlotInkpot        = 20
	SlotMoney         = 21
	SlotBackpack      = 22
	SlotKey1          = 23 // and 24
	SlotMission       = 25
	SlotInventory     = 26 // anything may lie from here on
	EndOfInventory    = 36
	SlotMutators      = 36 // they come and go by themselves
	EndOfMutators     = 46
	SlotAbilities     = 46
	EndOfAbilities    = 55
	SlotAmmunition    = 55
	SlotIslandToken   = 57
	EndOfSlots        = 60
)

// VaultSlots is how many slots a vault has: a choice of ours, since the documents know nothing of it.
const VaultSlots = 60

// MaxNesting is how many bags may be in each other. A recording has items in a sack in a bag.
const MaxNesting = 2

var slotNames = [EndOfSlots]string{
	SlotHelmet: "helmet", SlotAmulet: "amulet", SlotShield: "shield", SlotChest: "chest", SlotGloves: "gloves",
	SlotBelt: "belt", SlotLeftBracelet: "left bracelet", SlotRightBracelet: "right bracelet", SlotPants: "trousers",
	SlotBoots: "boots",
	SlotGuild: "guild emblem", SlotMapBook: "map book", SlotRecipeBook: "recipe book", SlotMantraBook: "mantra book",
	SlotInkpot: "inkpot", SlotMoney: "money", SlotBackpack: "backpack", SlotMission: "mission",
	SlotAmmunition: "ammunition", SlotIslandToken: "island token",
}

// SlotName is the name of a slot, in English.
func SlotName(slot int) string {
	switch {
	case slot >= 0 && slot < EndOfSlots && slotNames[slot] != "":
		return slotNames[slot]
	case slot >= SlotRing1 && slot < SlotRing1+4:
		return "ring"
	case slot == SlotKey1 || slot == SlotKey1+1:
		return "key"
	case InInventory(slot):
		return "inventory"
	case slot >= SlotAbilities && slot < EndOfAbilities:
		return "ability"
	}
	return "slot"
}

// IsSlot reports whether a character has a slot.
func IsSlot(slot int) bool { return slot >= 0 && slot < EndOfSlots && slot != 18 && slot != 19 }

// InInventory reports whether a slot of a character is one of the inventory.
func InInventory(slot int) bool { return slot >= SlotInventory && slot < EndOfInventory }

// IsMutator reports whether a slot of a character is one of the mutators'.
func IsMutator(slot int) bool { return slot >= SlotMutators && slot < EndOfMutators }

// IsWorn reports whether an item in a slot of a character has an effect on it: in all but the inventory.
func IsWorn(slot int) bool { return IsSlot(slot) && !InInventory(slot) }
