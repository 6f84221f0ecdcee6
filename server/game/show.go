package game

import (
	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// levelCycle is how many levels there are between two rebirths.
const levelCycle = 60

// guildNumber is a guild as the wire has it.
func guildNumber(guild int) int32 {
	if guild == 0 {
		return 0
	}
	return int32(guild) + 64
}

// vitalsOf is what a character lives on.
func vitalsOf(c *data.Character) rules.Pools {
	return rules.Pools{HP: c.HP, MP: c.MP, MaxHP: data.MaxHP(c.TitleLevel, c.DegreeLevel), MaxMP: data.MaxMP(c.TitleLevel, c.DegreeLevel),
		Satiety: c.Satiety, MaxSatiety: c.MaxSatiety}
}

// sheetOf is what a character has become.
func sheetOf(c *data.Character) rules.Progress {
	return rules.Progress{TitleXP: c.TitleXP, DegreeXP: c.DegreeXP, TitlePoints: c.TitlePoints, DegreePoints: c.DegreePoints, Karma: c.KarmaCount,
		Base: rules.Stats{c.Strength, c.Agility, c.Accuracy, c.Endurance, c.Earth, c.Air, c.Water, c.Fire}}
}

// setSheet makes a character what it has become.
func setSheet(c *data.Character, title, degree int, sheet *rules.Progress, v *rules.Pools) {
	c.TitleLevel, c.DegreeLevel, c.TitleXP, c.DegreeXP = title, degree, sheet.TitleXP, sheet.DegreeXP
	c.TitlePoints, c.DegreePoints, c.StatPoints = sheet.TitlePoints, sheet.DegreePoints, sheet.TitlePoints+sheet.DegreePoints
	c.KarmaCount = sheet.Karma
	for i, to := range [...]*int{&c.Strength, &c.Agility, &c.Accuracy, &c.Endurance, &c.Earth, &c.Air, &c.Water, &c.Fire} {
		*to = sheet.Base[i]
	}
	c.HP, c.MP, c.Satiety, c.MaxSatiety = v.HP, v.MP, v.Satiety, v.MaxSatiety
}

// constantStats are the values that the world does not know of. The meaning of most is unknown.
//
// Source: protocol ingame 8.3 and 12.1.
var constantStats = map[packets.Stat]int32{packets.StatUnknown14: 1, packets.StatUnknown15: 1, packets.StatUnknown35: 1,
	packets.StatUnknown36: 1, packets.StatUnknown54: 1}

// stats tells all values, in ascending order as recorded servers send them on entering.
//
// Source: protocol ingame 8.3 and 12.1.
func (s *Session) stats() (regions []packets.Region) {
	for stat, value := range constantStats {
		s.values[stat] = value
	}
	if s.playing.Female {
		s.values[packets.StatGender] = 1
	}
	for stat := packets.StatHP; stat <= packets.StatUnknown54; stat++ {
		if stat <= packets.StatGender || stat >= packets.StatUnknown51 {
			regions = append(regions, &packets.SetStat{Stat: stat, Value: s.values[stat]})
		}
	}
	return regions
}

// moneyRegion tells a player what it owns.
func moneyRegion(amount int64) packets.Region {
	return &packets.Manager{Command: &packets.Money{Amount: uint32(amount)}}
}

// showLook tells the others how the player looks now, but for what the world itself changes.
func (s *Session) showLook() {
	c := s.playing
	s.server.world.Do(world.ChangeClan{ID: s.player(), Clan: c.ClanName, Rank: int(c.ClanRank)})
}
