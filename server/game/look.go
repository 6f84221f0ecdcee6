package game

import (
	"sphereserver/data"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// lookOf is the appearance of a character. The world adds its equipment.
func lookOf(c *data.Character) world.Appearance {
	l := world.Appearance{Face: c.Face, Hair: c.Hair, HairColour: c.HairColour, Tattoo: c.Tattoo, Female: c.Female,
		Clan: c.ClanName, ClanRank: -1, Title: c.TitleLevel, Degree: c.DegreeLevel, Karma: rules.KarmaType(c.Karma),
		Guild: c.Guild, GuildRank: c.GuildRank}
	if c.ClanName != "" {
		l.ClanRank = int(c.ClanRank)
	}
	return l
}
