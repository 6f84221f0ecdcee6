package rules

// Levels and their gains. A level here is the absolute level minus one, 0 to 239: sixty for each cycle, a new cycle
// for each reset. protocol: session 11.4.

// The bounds of levels.
const (
	CycleLevels = 60                // levels of one cycle
	MaxLevel    = CycleLevels*4 - 1 // highest absolute level minus one
)

// A ladder is the gains of the levels of one cycle: so much at first, more with each level and with every fifth, and
// another amount at the last. The rules give these closed forms beside their tables.
type ladder struct{ first, each, fifth, last int }

func (l ladder) at(level int) int {
	i := inCycle(level)
	if i == CycleLevels-1 {
		return l.last
	}
	return l.first + i*l.each + (i+1)/5*l.fifth
}

var (
	titleHP  = ladder{100, 50, 0, 3200}
	degreeHP = ladder{100, 10, 10, 800}
	titleMP  = ladder{100, 0, 25, 400}
	degreeMP = ladder{100, 75, 0, 4650}
	// raisedPoints are gained on the ladder that reaches a level, otherPoints on the other one; both are indexed by the
	// level less one within its cycle.
	raisedPoints = [CycleLevels]int{
		4, 4, 4, 4, 6, 6, 6, 6, 6, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 10,
		10, 10, 10, 10, 10, 10, 10, 10, 10, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 14,
		14, 14, 14, 14, 14, 14, 14, 14, 14, 16, 16, 16, 16, 16, 16, 16, 16, 18, 18, 20,
	}
	otherPoints = [CycleLevels]int{
		0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2,
		0, 0, 0, 0, 4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 6, 0, 0, 0, 0, 6,
		0, 0, 0, 0, 8, 0, 0, 0, 0, 8, 0, 0, 0, 0, 10, 0, 0, 0, 0, 10,
	}
)

// MaxHP is the greatest HP without items and satiety, by both levels less one: 100 for a new character. Source:
// protocol session 11.4.
func MaxHP(title, degree int) int {
	return titleHP.at(title) + degreeHP.at(degree) - 100
}

// MaxMP is the greatest MP without items, by both levels less one: 100 for a new character. Source: protocol session
// 11.4.
func MaxMP(title, degree int) int {
	return titleMP.at(title) + degreeMP.at(degree) - 100
}

// levelPoints are the points to spend for reaching a level: on its own ladder, with those that the resets add, and on
// the other ladder.
func levelPoints(level int) (raised, other int) {
	i := inCycle(level)
	raised = raisedPoints[i]
	if i > 0 {
		extra := 1
		if i%5 == 0 {
			extra = 2
		}
		raised += extra * resets(level)
	}
	return raised, otherPoints[i]
}

// TotalPoints are all points to spend that a character of these levels has gained, spent or not.
func TotalPoints(title, degree int) (titlePoints, degreePoints int) {
	titleRaised, degreeOther := ladderPoints(title)
	degreeRaised, titleOther := ladderPoints(degree)
	return titleRaised + titleOther, degreeRaised + degreeOther
}

// ladderPoints adds up one ladder from the first level of its cycle.
func ladderPoints(level int) (raised, other int) {
	start := level - inCycle(level)
	for l := start; l <= level; l++ {
		r, o := levelPoints(l)
		raised += r
		other += o
	}
	return raised, other
}

// inCycle is the index of a level in the tables; a level out of range is taken for the nearest one.
func inCycle(level int) int { return clampLevel(level) % CycleLevels }

// resets is how often a character of a level has started again, 0 to 3.
func resets(level int) int { return clampLevel(level) / CycleLevels }

func clampLevel(level int) int { return min(max(level, 0), MaxLevel) }

// Points are the points to spend that a character of these levels has gained, spent or not; none without levels.
func (t *Tables) Points(title, degree int) (titlePoints, degreePoints int) {
	if !t.Levels {
		return 0, 0
	}
	return TotalPoints(title, degree)
}
