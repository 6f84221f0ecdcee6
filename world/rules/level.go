package rules

// Levels and what they give. A level here is the absolute level minus one, 0 to 239: sixty for each cycle, a new
// cycle for each reset. protocol: session 11.4.

// The bounds of what a character can reach.
const (
	CycleLevels = 60                // levels of one cycle
	MaxLevel    = CycleLevels*4 - 1 // highest absolute level minus one
)

// The tables are indexed by the level minus one within its cycle.
var (
	titleHP = [CycleLevels]int{
		100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650, 700, 750, 800, 850, 900, 950, 1000, 1050,
		1100, 1150, 1200, 1250, 1300, 1350, 1400, 1450, 1500, 1550, 1600, 1650, 1700, 1750, 1800, 1850, 1900, 1950, 2000,
		2050,
		2100, 2150, 2200, 2250, 2300, 2350, 2400, 2450, 2500, 2550, 2600, 2650, 2700, 2750, 2800, 2850, 2900, 2950, 3000,
		3200,
	}
	degreeHP = [CycleLevels]int{
		100, 110, 120, 130, 150, 160, 170, 180, 190, 210, 220, 230, 240, 250, 270, 280, 290, 300, 310, 330,
		340, 350, 360, 370, 390, 400, 410, 420, 430, 450, 460, 470, 480, 490, 510, 520, 530, 540, 550, 570,
		580, 590, 600, 610, 630, 640, 650, 660, 670, 690, 700, 710, 720, 730, 750, 760, 770, 780, 790, 800,
	}
	titleMP = [CycleLevels]int{
		100, 100, 100, 100, 125, 125, 125, 125, 125, 150, 150, 150, 150, 150, 175, 175, 175, 175, 175, 200,
		200, 200, 200, 200, 225, 225, 225, 225, 225, 250, 250, 250, 250, 250, 275, 275, 275, 275, 275, 300,
		300, 300, 300, 300, 325, 325, 325, 325, 325, 350, 350, 350, 350, 350, 375, 375, 375, 375, 375, 400,
	}
	degreeMP = [CycleLevels]int{
		100, 175, 250, 325, 400, 475, 550, 625, 700, 775, 850, 925, 1000, 1075, 1150, 1225, 1300, 1375, 1450, 1525,
		1600, 1675, 1750, 1825, 1900, 1975, 2050, 2125, 2200, 2275, 2350, 2425, 2500, 2575, 2650, 2725, 2800, 2875, 2950,
		3025,
		3100, 3175, 3250, 3325, 3400, 3475, 3550, 3625, 3700, 3775, 3850, 3925, 4000, 4075, 4150, 4225, 4300, 4375, 4450,
		4650,
	}
	// raisedPoints are gained on the ladder that reaches a level, otherPoints on the other one.
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

// MaxHP is the greatest HP without items and satiety.
func MaxHP(title, degree int) int {
	return titleHP[inCycle(title)] + degreeHP[inCycle(degree)] - 100
}

// MaxMP is the greatest MP without items.
func MaxMP(title, degree int) int {
	return titleMP[inCycle(title)] + degreeMP[inCycle(degree)] - 100
}

// levelPoints are the points to spend that reaching a level gives: on its own ladder, with what the resets add, and
// on the other ladder.
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

// TotalPoints are all points to spend that somebody of these levels has gained, spent or not.
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

// inCycle is the index of a level in the tables; what is out of range is taken for the nearest level.
func inCycle(level int) int { return clampLevel(level) % CycleLevels }

// resets is how often somebody of a level has started again, 0 to 3.
func resets(level int) int { return clampLevel(level) / CycleLevels }

func clampLevel(level int) int { return min(max(level, 0), MaxLevel) }

// Points are the points to spend that somebody of these levels has gained, spent or not; none without levels.
func (t *Tables) Points(title, degree int) (titlePoints, degreePoints int) {
	if !t.Levels {
		return 0, 0
	}
	return TotalPoints(title, degree)
}
