package rules

import (
	"math"
	"math/rand/v2"
	"time"

	"sphereserver/coords"
)

// Object classes of monsters on the wire. Source: protocol fight 4.1.
const (
	ClassWalker = 210
	ClassFlyer  = 211
)

// Flies reports whether a monster is above the ground.
func (m *Monster) Flies() bool { return m.Class == ClassFlyer }

// Harmless reports whether a monster never hits, like the practice target.
func (m *Monster) Harmless() bool { return m.Attack == 0 && m.Magic == 0 }

// LevelNear is a level of a monster around a middle, within those that its row names. Source: protocol fight 5.
func (m *Monster) LevelNear(r *rand.Rand, middle, spread int) int {
	level := middle
	if spread > 0 {
		level += r.IntN(2*spread+1) - spread
	}
	if m.High > 0 {
		level = min(max(level, m.Low+1), m.High+1)
	}
	return max(level, 1)
}

// The syllables of names that are known to exist: one more than the greatest indices seen. The lists themselves are the
// client's.
const (
	firstSyllables, middleSyllables, lastSyllables = 78, 53, 25
)

// MonsterName draws the code of a name for a monster, which is negative. Source: protocol ingame 9.7.
func MonsterName(r *rand.Rand) int32 {
	a, b, c := r.IntN(firstSyllables), r.IntN(middleSyllables), r.IntN(lastSyllables)
	return -int32(a + 300*b + 90_000*(c+1))
}

// Yaw is the direction from one place to another in radians, from 0 to below 2π: 0 is along +z, π/2 along −x. Source:
// protocol fight 4.4.
func Yaw(from, to coords.Position) float32 {
	yaw := math.Atan2(-(float64(to.X) - float64(from.X)), float64(to.Z)-float64(from.Z))
	if yaw < 0 {
		yaw += 2 * math.Pi
	}
	return float32(yaw)
}

// NoticeRadius is how near a player has to come to a monster to be noticed, in metres; 0 for those that only fight
// back. Source: protocol fight 6.2.
func (b *MindBalance) NoticeRadius(m *Monster) float64 {
	switch {
	case m.Karma >= 3 || m.Harmless():
		return 0
	case m.Range >= b.FarRange:
		return b.NoticeFar
	}
	return b.Notice
}

// LeavesAlone reports whether a monster of a level does not notice a player of a level, the greater of both careers.
func (b *MindBalance) LeavesAlone(monster, other int) bool { return other-monster >= b.NoticeLevels }

// Keep is how near a monster comes to its foe, in metres. A monster that hits from afar stays there.
func (b *MindBalance) Keep(m *Monster) float64 {
	if m.Range >= b.FarRange {
		return float64(m.Range)
	}
	return max(min(float64(m.Range), b.Melee), b.Nearest)
}

// WalkSpeed is how fast a monster wanders, in metres per second. Source: protocol fight 4.4.
func (b *MindBalance) WalkSpeed(m *Monster) float64 { return b.speed(m, b.Walk) }

// ChaseSpeed is how fast it runs to a target so far away.
func (b *MindBalance) ChaseSpeed(m *Monster, distance float64) float64 {
	if distance < b.ChaseDistance {
		return b.speed(m, b.Chase)
	}
	return b.speed(m, b.ChaseFar)
}

func (b *MindBalance) speed(m *Monster, part float64) float64 {
	return min(part*float64(m.Speed)/100, b.TopSpeed)
}

// Between draws a time, from least up to but not including most; least if most is not greater.
func Between(r *rand.Rand, least, most time.Duration) time.Duration {
	if most <= least {
		return least
	}
	return least + time.Duration(r.Int64N(int64(most-least)))
}
