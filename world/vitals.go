package world

import "time"

// Pools are what a character lives on.
type Pools struct {
	HP, MaxHP           int
	MP, MaxMP           int
	Satiety, MaxSatiety int

	// What regeneration has gained below one point.
	hpPart, mpPart float64
}

// RegenerationPeriod is how often a character regains HP and MP.
const RegenerationPeriod = 6 * time.Second

// regenerate adds what one period gives, and says whether the HP have changed. The dead gain nothing.
//
// Source: protocol ingame 12.4.
func (v *Pools) regenerate() (hpChanged bool) {
	if v.HP <= 0 {
		return false
	}
	const seconds = float64(RegenerationPeriod / time.Second)
	before := v.HP
	if v.Satiety > 0 {
		v.hpPart += (float64(v.MaxHP)*0.0004 + 0.33) * seconds * (0.3 + float64(v.Satiety)/114)
	}
	v.mpPart += (float64(v.MaxMP)*0.000056 + 0.55) * seconds
	v.HP, v.hpPart = gain(v.HP, v.MaxHP, v.hpPart)
	v.MP, v.mpPart = gain(v.MP, v.MaxMP, v.mpPart)
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
