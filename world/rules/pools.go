package rules

import (
	"time"

	"sphereserver/coords"
)

// Pools are what a character lives on.
type Pools struct {
	HP, MaxHP           int
	MP, MaxMP           int
	Satiety, MaxSatiety int

	// What regeneration has gained below one point.
	HPPart, MPPart float64
}

// A LiveState is what play changes all the time and a kill of the process may set back by seconds.
type LiveState struct {
	Character int64
	Position  coords.Position
	Pools     Pools
	Effects   []Effect // not to be changed
}

// RegenerationPeriod is how often a character regains HP and MP.
const RegenerationPeriod = 6 * time.Second

// Regenerate adds what one period gives, and reports whether the HP have changed. The dead gain nothing.
//
// Source: protocol ingame 12.4.
func (v *Pools) Regenerate() (hpChanged bool) {
	if v.HP <= 0 {
		return false
	}
	const seconds = float64(RegenerationPeriod / time.Second)
	before := v.HP
	if v.Satiety > 0 {
		v.HPPart += (float64(v.MaxHP)*0.0004 + 0.33) * seconds * (0.3 + float64(v.Satiety)/114)
	}
	v.MPPart += (float64(v.MaxMP)*0.000056 + 0.55) * seconds
	v.HP, v.HPPart = gain(v.HP, v.MaxHP, v.HPPart)
	v.MP, v.MPPart = gain(v.MP, v.MaxMP, v.MPPart)
	return v.HP != before
}

// gain adds the whole points of part to have, up to limit, and returns what is left of part. What is above the
// limit already stays.
func gain(have, limit int, part float64) (int, float64) {
	whole := int(part)
	if have+whole >= limit {
		return max(have, limit), 0
	}
	return have + whole, part - float64(whole)
}

// MaxPool is the most HP or MP that anybody has: what the store can keep.
const MaxPool = 1<<16 - 1

// SatietyBonus is how much more HP somebody has who is fed, in percent.
//
// Source: protocol gamerules 2.3.
func SatietyBonus(satiety int) int {
	switch {
	case satiety <= 33:
		return 5
	case satiety <= 66:
		return 10
	}
	return 15
}
