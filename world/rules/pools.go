package rules

import (
	"math"
	"time"

	"sphereserver/coords"
)

// Pools are a character's HP, MP and satiety, with the greatest that it can have now: by levels, equipment and effects.
// No HP is death.
type Pools struct {
	HP, MaxHP           int
	MP, MaxMP           int
	Satiety, MaxSatiety int
}

// A LiveState is the state of a character that changes all the time and that a kill of the process may set back by
// seconds: see [Progress.Volatile]. A store ignores one that is not of the character's newest revision: it is older
// than a change.
type LiveState struct {
	Character         int64
	Revision          int64 // how many changes of progress or place the character has had
	Position          coords.Position
	Pools             Pools
	TitleXP, DegreeXP uint32
	Karma             int
	Tally             Tally
	Effects           []Effect  // not to be changed
	Cooldowns         Cooldowns // not to be changed
}

// Cooldowns are until when a character cannot cast spells again, by the ids of kinds of items. They pass on while it is
// out.
type Cooldowns map[int]time.Time

// A Tally counts the fights of a character.
type Tally struct {
	Kills  uint32 // of monsters, in which it has had a share
	Deaths uint32
}

// RegenerationPeriod is how often a character regains HP and MP.
const RegenerationPeriod = 6 * time.Second

// Regenerate adds the gain of one period, in whole points. The dead gain nothing, and the hungry no HP.
//
// Source: protocol fight 9.5.
func (v *Pools) Regenerate() {
	if v.HP <= 0 {
		return
	}
	const seconds = float64(RegenerationPeriod / time.Second)
	if v.Satiety > 0 {
		v.HP = gain(v.HP, v.MaxHP, (float64(v.MaxHP)*0.0004+0.33)*seconds*(0.3+float64(v.Satiety)/114))
	}
	v.MP = gain(v.MP, v.MaxMP, (float64(v.MaxMP)*0.000056+0.55)*seconds)
}

// gain adds so much, rounded, up to a limit. Points above the limit stay.
func gain(have, limit int, more float64) int {
	return max(have, min(have+int(math.Round(more)), limit))
}

// Hunger is after how long one point of satiety goes. Source: protocol fight 9.5.
func (b *EffectBalance) Hunger(moving bool) time.Duration {
	if moving {
		return b.HungerMoving
	}
	return b.HungerResting
}

// MaxPool is the most HP or MP that a character has: the limit of the store.
const MaxPool = 1<<16 - 1

// SatedBonus is how much more HP, in percent, a satiety potion gives besides. Source: protocol fight 9.5.
const SatedBonus = 10

// FedBonus is how much more HP a fed character has, in percent.
//
// Source: protocol gamerules 2.3.
func (b *EffectBalance) FedBonus(satiety int) int {
	switch {
	case satiety < b.FedFrom[0]:
		return b.Fed[0]
	case satiety < b.FedFrom[1]:
		return b.Fed[1]
	}
	return b.Fed[2]
}
