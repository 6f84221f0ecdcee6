package game

import (
	"sphereserver/data"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// vitalsOf is what a character lives on.
func vitalsOf(c *data.Character) rules.Pools {
	return rules.Pools{HP: c.HP, MP: c.MP, MaxHP: rules.MaxHP(c.TitleLevel, c.DegreeLevel), MaxMP: rules.MaxMP(c.TitleLevel, c.DegreeLevel),
		Satiety: c.Satiety, MaxSatiety: c.MaxSatiety}
}

// showLook tells the others how the player looks now, but for what the world itself changes.
func (s *Session) showLook() {
	c := s.playing
	s.server.world.Do(world.ChangeClan{ID: s.player(), Clan: c.ClanName, Rank: int(c.ClanRank)})
}
