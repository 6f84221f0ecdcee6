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
