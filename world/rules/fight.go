package rules

import (
	"math"
	"math/rand/v2"
	"time"
)

// A School is a kind of damage.
type School uint8

// The schools: hits of the first teach the title, of the second the degree.
const (
	Physical School = iota
	Magical
)

// An Attack is how hard a blow hits, both schools above 0.
type Attack struct {
	Physical, Magical int
	Spread            int  // column 21 of the weapon; 0 for all else
	Fixed             bool // it is not rolled: fists
}

// A Defence is taken away from an attack, by school: a part of it from a roll that is above it. Source: protocol fight
// 7.1.
type Defence struct{ Physical, Magical int }

// MaxDamage is the most that one blow does: the limit of the wire.
const MaxDamage = 30000

// Damage rolls the damage of an attack. Source: protocol fight 7.1.
func (b *DamageBalance) Damage(r *rand.Rand, a Attack, d Defence) int {
	physical := b.school(r, a.Physical, d.Physical, a)
	magical := b.school(r, a.Magical, d.Magical, a)
	return min(max(int(physical+magical), 1), MaxDamage)
}

// OfMonster is the damage of a monster's blow at a player of a level: beginners are spared.
func (b *DamageBalance) OfMonster(damage, level int) int {
	return max(int(float64(damage)*b.EasyFactor(level)), min(damage, 1))
}

// EasyFactor is the part of a monster's blow that a player of a level feels.
func (b *DamageBalance) EasyFactor(level int) float64 { return easy(level, b.EasyLevel, b.EasyPart) }

// easy goes from a factor at level 1 to 1 at the level below which beginners have it easier.
func easy(level, below int, factor float64) float64 {
	if level >= below {
		return 1
	}
	return 1 + (factor-1)*float64(below-level)/float64(below-1)
}

// school rolls the damage of one school of an attack. It rolls nothing for a school without an attack.
func (b *DamageBalance) school(r *rand.Rand, attack, defence int, a Attack) float64 {
	if attack <= 0 {
		return 0
	}
	roll := float64(attack)
	if !a.Fixed {
		low, high := b.RollLow+b.RollLowSpread*float64(a.Spread), b.RollHigh+b.RollHighSpread*float64(a.Spread)
		roll *= low + (high-low)*r.Float64()
	}
	return b.Pierce(roll, float64(defence))
}

// Pierce is the part of a roll that a defence leaves.
func (b *DamageBalance) Pierce(roll, defence float64) float64 {
	switch {
	case defence <= 0:
		return roll
	case roll >= defence:
		return roll - b.DefencePart*defence
	}
	return roll * roll * (1 - b.DefencePart) / defence
}

// growth is how many times the column a monster of a level has. Source: protocol fight 4.2.
func growth(level int, named bool) float32 {
	k := level - 1
	g := float32(0.6)
	switch {
	case k >= 40:
		g = 0.75
	case k >= 20:
		g = 0.7
	}
	if named {
		g *= 1.5
	}
	return 1 + g*float32(k)
}

// MaxHP is the greatest HP of a monster of a level, which starts at 1. Source: protocol fight 4.2, exact for 85
// recorded monsters.
func (m *Monster) MaxHP(level int, named bool) int {
	return int(math.Trunc(float64(float32(m.HPBase) * growth(level, named))))
}

// scaled is the value of a column that counts per level.
func (b *DamageBalance) scaled(column, level int, named bool) int {
	v := float64(column) * ((1-b.Curve)*float64(level) + b.Curve*float64(growth(level, false)))
	if named {
		v *= b.Named
	}
	return int(v)
}

// AttackOf is how hard a monster of a level, from 1 on, hits, before the roll; one with a name hits harder by
// [DamageBalance.Named].
func (b *DamageBalance) AttackOf(m *Monster, level int, named bool) Attack {
	return Attack{Physical: b.scaled(max(m.Attack, -m.Attack), level, named),
		Magical: b.scaled(max(m.Magic, -m.Magic), level, named)}
}

// DefenceOf is the defence of a monster of a level.
func (b *DamageBalance) DefenceOf(m *Monster, level int, named bool) Defence {
	return Defence{b.scaled(m.Physical, level, named), b.scaled(m.Magical, level, named)}
}

// AttackWith is how hard a character hits with a weapon, a powder or a mantra of a kind, with n the numbers of it and
// its suffix; with nil for both with fists. It is nothing if that cannot hurt. Source: protocol fight 7.2.
func (b *DamageBalance) AttackWith(d *Derived, k *Kind, n *Columns) Attack {
	if n == nil {
		return Attack{Physical: max(b.Fists+int(d.Title)*b.FistsLevel-d.WornAttack, 0), Fixed: true}
	}
	var a Attack
	if n.Attack < 0 {
		a.Physical = max(-d.WornAttack-n.Attack, 1)
	}
	if n.Magic < 0 {
		a.Magical = max(-d.WornMagic-n.Magic, 1)
	}
	if ClassOf(k.Class).Held != 0 { // of others the column means something else
		a.Spread = n.Spread
	}
	return a
}

// Hurts reports whether an item can be used against a player or a monster.
func (n *Columns) Hurts() bool { return n.Attack < 0 || n.Magic < 0 }

// Missed draws whether a blow misses; the chance is from 0 to 1.
func Missed(r *rand.Rand, chance float64) bool { return r.Float64() < chance }

// Reach is from how far, in metres, an item can be used, or nil for fists, and how far around the target it works; 0
// for the target alone. Source: protocol fight 7.4.
func (b *BlowBalance) Reach(n *Columns) (distance, radius float64) {
	switch {
	case n == nil:
		return b.FistRange, 0
	case n.Range > 100:
		return float64(n.Range % 100), float64(n.Range / 100)
	}
	return float64(n.Range), 0
}

// Within is from how far, in metres, a blow hits: players are not quite where their clients say.
func (b *BlowBalance) Within(n *Columns) float64 {
	reach, _ := b.Reach(n)
	return max(reach+b.ReachSlack, b.Least)
}

// UseTime is how long an item takes to be used, or fists if n is nil. Source: protocol fight 7.4.
func (b *BlowBalance) UseTime(n *Columns) time.Duration {
	if n == nil {
		return b.FistTime
	}
	return time.Duration(max(n.UseTime, 0)) * 10 * time.Millisecond
}

// Counts reports whether a blow with a use time counts so long after the last one.
func (b *BlowBalance) Counts(use, since time.Duration) bool {
	return since >= time.Duration(b.UseSlack*float64(use))
}

// School is the school as which an attack counts: the one that hurts more.
func (a *Attack) School() School {
	if a.Magical > a.Physical {
		return Magical
	}
	return Physical
}
