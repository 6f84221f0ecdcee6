package packets

import "fmt"

// A Stat is the index of a value of a character, 0 to 63. Source: protocol ingame 12.1, session 8.3.
type Stat uint8

// The known values. Those named Unknown are sent on entering all the same.
const (
	StatHP Stat = iota
	StatMaxHP
	StatMP
	StatMaxMP
	StatSatiety
	StatMaxSatiety
	StatStrength
	StatAgility
	StatAccuracy
	StatEndurance
	StatEarth
	StatAir
	StatWater
	StatFire
	StatUnknown14 // 1
	StatUnknown15 // 1
	StatPhysicalDefence
	StatMagicalDefence
	StatPhysicalAttack // sent negative
	StatMagicalAttack  // sent negative
	StatInvisible
	StatGuild // guild + 64, 0 none
	StatGuildRank
	StatUnknown23
	StatBaseMaxHP
	StatBaseMaxMP
	StatBaseSatiety
	StatBaseStrength
	StatBaseAgility
	StatBaseAccuracy
	StatBaseEndurance
	StatBaseEarth
	StatBaseAir
	StatBaseWater
	StatBaseFire
	StatUnknown35 // 1
	StatUnknown36 // 1
	StatTitle     // level less one; makes the client announce the level and clear 41
	StatDegree    // level less one
	StatKarma     // 1 to 5
	StatKarmaPoints
	StatTitleXP
	StatDegreeXP // makes the client announce the gain
	StatFreeStatPoints
	StatFreeTitlePoints
	StatFreeDegreePoints
	StatGender

	StatClanRank       Stat = 50
	StatUnknown51      Stat = 51
	StatTitleRebirths  Stat = 52
	StatDegreeRebirths Stat = 53
	StatUnknown54      Stat = 54 // 1
	StatMoney          Stat = 57
)

var statNames = [...]string{"HP", "max HP", "MP", "max MP", "satiety", "max satiety", "strength", "agility", "accuracy",
	"endurance", "earth", "air", "water", "fire", 16: "physical defence", "magical defence", "physical attack",
	"magical attack", "invisible", "guild", "guild rank", 24: "base max HP", "base max MP", "base satiety",
	"base strength", "base agility", "base accuracy", "base endurance", "base earth", "base air", "base water",
	"base fire", 37: "title", "degree", "karma", "karma points", "title XP", "degree XP", "free stat points",
	"free title points", "free degree points", "gender", 50: "clan rank", 52: "title rebirths", "degree rebirths",
	57: "money"}

// String returns the value's name, or its number.
func (s Stat) String() string {
	if int(s) < len(statNames) && statNames[s] != "" {
		return statNames[s]
	}
	return fmt.Sprintf("stat %d", uint8(s))
}
