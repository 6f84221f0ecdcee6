package rules

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// XP that the next level of a career needs: neededBase by the higher of both levels, less one within their cycles, and
// for each level of the lower one beyond the first neededDelta. Source: protocol gamerules 3.1.
var (
	neededBase = [CycleLevels]float64{
		50, 320, 1080, 2880, 7000, 10800, 15680, 22080, 29570, 39500,
		50820, 64800, 81120, 100940, 123750, 151040, 182070, 218700, 259920, 310000,
		363800, 428300, 499900, 584600, 678100, 784200, 904000, 1038800, 1194200, 1368000,
		1561600, 1781800, 2025500, 2300400, 2609300, 2954900, 3340400, 3768800, 4251200, 4808000,
		5430000, 6121000, 6897000, 7763000, 8809000, 9988000, 11321000, 12810000, 14478000, 16513000,
		18805000, 21416000, 24354000, 27687000, 33895000, 41458000, 50684000, 61931000, 75607000, 92268000,
	}
	neededDelta = [CycleLevels]float64{
		0, 40, 90, 180, 350, 450, 560, 690, 821.2, 987.4,
		1155, 1350, 1560, 1802.5, 2062.5, 2360, 2677.5, 3037.5, 3420, 3875,
		5067.2, 6521.9, 8204.9, 10230.5, 12544.8, 15231.6, 18331.1, 21889, 26045.9, 30780,
		36143.5, 42317.7, 49256.5, 57171.7, 66164.4, 76334.9, 87798.4, 100666.6, 115272.9, 132220,
		151311.6, 172699.7, 196885.3, 224068.4, 256929.2, 294211.7, 336619.1, 384300, 438033.4, 503646.5,
		577977.2, 663072.4, 759339.3, 869064.2, 1070773.9, 1317772.2, 1620554.1, 1991402, 2444412.8, 2998709.8,
	}
)

// NeededXP is how much experience the next level of either career needs at these levels. Nothing is to be gained when
// both are the last of their cycles.
func NeededXP(title, degree int) uint32 {
	high, low := max(inCycle(title), inCycle(degree)), min(inCycle(title), inCycle(degree))
	if low == CycleLevels-1 {
		return 1
	}
	return uint32(neededBase[high] + neededDelta[high]*float64(low))
}

// Strength is the level by which characters are compared, from 1 to 60: the higher of both careers within their cycles.
func Strength(title, degree int) int { return max(inCycle(title), inCycle(degree)) + 1 }

// ForKill rolls the experience of a kill of a monster of a level, which starts at 1. Source: protocol fight 9.1.
func (b *ExperienceBalance) ForKill(r *rand.Rand, m *Monster, level int, named bool) int {
	xp := b.Mean(m, level, named) * (1 - b.Spread + 2*b.Spread*r.Float64())
	return int(math.Round(min(max(xp, 0), math.MaxUint32)))
}

// Mean is the experience of a kill before it is rolled.
func (b *ExperienceBalance) Mean(m *Monster, level int, named bool) float64 {
	xp := b.Factor * b.factorOf(m.ID) * b.base(level)
	if named {
		xp *= b.Named
	}
	return xp
}

// base is the experience of a monster of a level. Levels above those that are known follow a power of the level.
func (b *ExperienceBalance) base(level int) float64 {
	if i := max(level, 1) - 1; i < len(b.Kill) {
		return float64(b.Kill[i])
	}
	return 3.317 * math.Pow(float64(level), 2.037)
}

func (b *ExperienceBalance) factorOf(id int) float64 {
	for i := range b.Types {
		if t := &b.Types[i]; t.From <= id && id <= t.To {
			return t.Factor
		}
	}
	return b.OtherFactor
}

// Taught is the school that has made the greater number of hits; of equal ones that of the last hit.
func Taught(blows [2]int, last School) School {
	switch {
	case blows[Physical] > blows[Magical]:
		return Physical
	case blows[Physical] < blows[Magical]:
		return Magical
	}
	return last
}

// A Candidate is a player that may have a part in a kill: it has hurt the monster, or is in the party of one that has.
type Candidate struct {
	Party  uint64        // 0: none
	Level  int           // see [Strength]
	Damage int           // recent, since it has entered
	Ago    time.Duration // since its last hit
	Career School        // that its hits teach
	Last   bool          // it dealt the last blow
	Away   bool          // dead or gone
	Near   bool          // within [ExperienceBalance.Near] of the monster
}

// A Contributor is a player entitled to a share of a kill.
type Contributor struct {
	Candidate int    // its place among the candidates
	Party     uint64 // 0: none
	Level     int    // see [Strength]
	Damage    int    // recent
	Career    School // that learns

	XP int // set by [ExperienceBalance.Share]
}

// Contributors returns the candidates that are entitled to a share of a kill: recent attackers, the one that dealt the
// last blow, and members of their parties in range, all alive. A member that has not hit learns what the first of its
// party that has hit does.
//
// Source: protocol fight 9.2.
func (b *ExperienceBalance) Contributors(all []Candidate) (entitled []Contributor) {
	has := make([]bool, len(all))
	add := func(i, damage int, career School) {
		has[i] = true
		entitled = append(entitled, Contributor{Candidate: i, Party: all[i].Party, Level: all[i].Level, Damage: damage,
			Career: career})
	}
	for i := range all {
		if c := &all[i]; !c.Away && c.Damage > 0 && c.Ago <= b.MostHitsTime {
			add(i, c.Damage, c.Career)
		}
	}
	for i := range all {
		if c := &all[i]; c.Last && !c.Away && !has[i] {
			add(i, 1, Physical)
		}
	}
	for _, h := range entitled {
		for i := range all {
			if c := &all[i]; h.Party != 0 && c.Party == h.Party && c.Near && !c.Away && !has[i] {
				add(i, 0, h.Career)
			}
		}
	}
	return entitled
}

// Share divides the experience of a kill: between parties and players without one by their damage, in a party by
// level. A remainder is lost. The players without a party come in the order of the slice. Of a party only those count
// that have hurt the monster, or are at most so many levels from the one that has hurt it most, and no player learns
// more in a party than alone: both are ours, since else bystanders of level 1 would be worth half of a kill.
//
// Source: protocol fight 9.2.
func (b *ExperienceBalance) Share(xp, monster int, contributors []Contributor) {
	total := 0
	for i := range contributors {
		total += max(contributors[i].Damage, 0)
	}
	if total == 0 {
		return
	}
	for i := range contributors {
		h := &contributors[i]
		damage, members, levels := max(h.Damage, 0), 1, h.Level
		if h.Party != 0 {
			damage, members, levels = 0, 0, 0
			best := leading(contributors, h.Party)
			if !b.takesPart(h, best) {
				continue
			}
			for k := range contributors {
				if o := &contributors[k]; o.Party == h.Party && b.takesPart(o, best) {
					damage, members, levels = damage+max(o.Damage, 0), members+1, levels+o.Level
				}
			}
		}
		whole := float64(damage) / float64(total)
		part := whole * (1 + b.Group*float64(members-1))
		if levels > 0 {
			part = min(part*float64(h.Level)/float64(levels), whole)
		}
		// The last bit of a fraction must not cost a whole point.
		h.XP = int(float64(xp)*part*b.levelFactor(h.Level, monster) + 1e-6)
	}
}

// leading is the member of a party that has done the most damage.
func leading(contributors []Contributor, party uint64) (best *Contributor) {
	for i := range contributors {
		if h := &contributors[i]; h.Party == party && (best == nil || h.Damage > best.Damage) {
			best = h
		}
	}
	return best
}

// takesPart reports whether a member of a party has a part in its kill.
func (b *ExperienceBalance) takesPart(h, best *Contributor) bool {
	return h.Damage > 0 || max(h.Level-best.Level, best.Level-h.Level) <= b.GroupLevels
}

// Ease gives beginners among the players more experience. It is ours.
func (b *ExperienceBalance) Ease(contributors []Contributor) {
	for i := range contributors {
		h := &contributors[i]
		h.XP = int(float64(h.XP)*easy(h.Level, b.EasyLevel, b.EasyFactor) + 1e-6)
	}
}

// levelFactor is the part of the experience that a player of a level gets for a monster of another.
func (b *ExperienceBalance) levelFactor(level, monster int) float64 {
	over := level - monster - b.FreeLevels
	if over <= 0 {
		return 1
	}
	return max(1-b.LevelPart*float64(over), min(b.LeastPart, 1))
}

// Classes of licences. Source: protocol gamerules 3.2.
const (
	classDoubleTitle  = 46
	classDoubleDegree = 47
	classDoubleBoth   = 48
)

// Licensed is how many times the experience of a career a character gets with the licences that it carries.
func Licensed(carried *Inventory, career School) int {
	own := classDoubleTitle
	if career == Magical {
		own = classDoubleDegree
	}
	if slices.ContainsFunc(carried.Items, func(i Item) bool { return i.Class == own || i.Class == classDoubleBoth }) {
		return 2
	}
	return 1
}

// Learn adds experience to a career, and returns the new levels and progress: points to spend, and the experience
// left over for the next level. A career at the last level of its cycle gains nothing.
func (t *Tables) Learn(title, degree int, p Progress, career School, xp int) (newTitle, newDegree int, _ Progress) {
	level, has := &title, &p.TitleXP
	if career == Magical {
		level, has = &degree, &p.DegreeXP
	}
	if inCycle(*level) == CycleLevels-1 || xp <= 0 {
		return title, degree, p
	}
	wasTitle, wasDegree := title, degree
	*has += uint32(min(int64(xp), math.MaxUint32-int64(*has)))
	for inCycle(*level) < CycleLevels-1 && *level < MaxLevel {
		need := NeededXP(title, degree)
		if *has < need {
			break
		}
		*has -= need
		*level++
	}
	points, other := t.Points(title, degree)
	pointsWere, otherWere := t.Points(wasTitle, wasDegree)
	p.TitlePoints = min(p.TitlePoints+points-pointsWere, MaxPoints)
	p.DegreePoints = min(p.DegreePoints+other-otherWere, MaxPoints)
	return title, degree, p
}
