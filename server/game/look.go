package game

import (
	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// lookOf is what others see of a character. What it wears is added by the world.
func lookOf(c *data.Character) world.Appearance {
	l := world.Appearance{Face: c.Face, Hair: c.Hair, HairColour: c.HairColour, Tattoo: c.Tattoo, Female: c.Female,
		Clan: c.ClanName, ClanRank: -1, Title: c.TitleLevel, Degree: c.DegreeLevel, Karma: data.KarmaType(c.KarmaCount),
		Guild: c.Guild, GuildRank: c.GuildLevel}
	if c.ClanName != "" {
		l.ClanRank = int(c.ClanRank)
	}
	return l
}

// Slots of what is worn and seen.
//
// Source: protocol ingame 10.1.
const (
	slotHelmet = 0
	slotShield = 2
	slotArmour = 3
	slotGloves = 4
	slotPants  = 12
	slotBoots  = 13
)

// wornPlace is where it stands how a worn thing looks; nil if others do not see it.
func wornPlace(w *world.Worn, t *rules.Item) *byte {
	switch t.Slot {
	case slotHelmet:
		return &w.Helmet
	case slotShield:
		return &w.Shield
	case slotArmour:
		if isRobe(packets.Class(t.Class)) {
			return &w.Robe
		}
		return &w.Armour
	case slotGloves:
		return &w.Gloves
	case slotPants:
		return &w.Pants
	case slotBoots:
		return &w.Boots
	}
	return nil
}

// heldPlace is where it stands what somebody has in the hand; nil if others do not see it.
func heldPlace(w *world.Worn, c packets.Class) *string {
	switch c {
	case 500, 505, packets.ClassStartSword, 961:
		return &w.Sword
	case 501, 507, 962:
		return &w.Axe
	case 502, 963:
		return &w.Crossbow
	}
	return nil
}

// isRobe says whether something worn on the chest is a robe.
func isRobe(c packets.Class) bool { return c == 761 || c == 781 || c == 960 }
