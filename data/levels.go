package data

// Levels and what they give. A level here is the absolute level minus one, 0 to 239: sixty for each cycle, a new
// cycle for each reset. protocol: session 11.4.

// The bounds of what a character can reach.
const (
	CycleLevels = 60                // levels of one cycle
	MaxResets   = 3                 // resets that count
	MaxLevel    = CycleLevels*4 - 1 // highest absolute level minus one
	MaxKarma    = 5000              // greatest karma count, and least one with the sign changed
)

// resetLevel is where a reset leads to within the new cycle: "great 15".
const resetLevel = 14

// The tables are indexed by the level minus one within its cycle.
var (
	titleHP = [CycleLevels]int{
		100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650, 700, 750, 800, 850, 900, 950, 1000, 1050,
		1100, 1150, 1200, 1250, 1300, 1350, 1400, 1450, 1500, 1550, 1600, 1650, 1700, 1750, 1800, 1850, 1900, 1950, 2000, 2050,
		2100, 2150, 2200, 2250, 2300, 2350, 2400, 2450, 2500, 2550, 2600, 2650, 2700, 2750, 2800, 2850, 2900, 2950, 3000, 3200,
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
		1600, 1675, 1750, 1825, 1900, 1975, 2050, 2125, 2200, 2275, 2350, 2425, 2500, 2575, 2650, 2725, 2800, 2875, 2950, 3025,
		3100, 3175, 3250, 3325, 3400, 3475, 3550, 3625, 3700, 3775, 3850, 3925, 4000, 4075, 4150, 4225, 4300, 4375, 4450, 4650,
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
	xpBase = [CycleLevels]int64{
		50, 320, 1080, 2880, 7000, 10800, 15680, 22080, 29570, 39500,
		50820, 64800, 81120, 100940, 123750, 151040, 182070, 218700, 259920, 310000,
		363800, 428300, 499900, 584600, 678100, 784200, 904000, 1038800, 1194200, 1368000,
		1561600, 1781800, 2025500, 2300400, 2609300, 2954900, 3340400, 3768800, 4251200, 4808000,
		5430000, 6121000, 6897000, 7763000, 8809000, 9988000, 11321000, 12810000, 14478000, 16513000,
		18805000, 21416000, 24354000, 27687000, 33895000, 41458000, 50684000, 61931000, 75607000, 92268000,
	}
	// xpDeltaTenths are in tenths of a point, so that whole numbers hold them exactly.
	xpDeltaTenths = [CycleLevels]int64{
		0, 400, 900, 1800, 3500, 4500, 5600, 6900, 8212, 9874,
		11550, 13500, 15600, 18025, 20625, 23600, 26775, 30375, 34200, 38750,
		50672, 65219, 82049, 102305, 125448, 152316, 183311, 218890, 260459, 307800,
		361435, 423177, 492565, 571717, 661644, 763349, 877984, 1006666, 1152729, 1322200,
		1513116, 1726997, 1968853, 2240684, 2569292, 2942117, 3366191, 3843000, 4380334, 5036465,
		5779774, 6630724, 7593393, 8690642, 10707739, 13177722, 16205541, 19914020, 24444128, 29987098,
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

// XPToNext is how much experience either ladder needs for its next level; 1 when both stand at the end of a cycle, where a
// reset takes the place of a level.
func XPToNext(title, degree int) uint32 {
	high, low := inCycle(title), inCycle(degree)
	if high < low {
		high, low = low, high
	}
	if low == CycleLevels-1 {
		return 1
	}
	return uint32((xpBase[high]*10 + xpDeltaTenths[high]*int64(low)) / 10)
}

// LevelPoints are the points to spend that reaching a level gives: on its own ladder, with what the resets add, and
// on the other ladder.
func LevelPoints(level int) (raised, other int) {
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
		r, o := LevelPoints(l)
		raised += r
		other += o
	}
	return raised, other
}

// AfterReset is the level that a reset leads to, "great 15" from the sixtieth; false when level is not the last of
// its cycle or there is no further cycle.
func AfterReset(level int) (int, bool) {
	if inCycle(level) != CycleLevels-1 || resets(level) >= MaxResets {
		return level, false
	}
	return level + 1 + resetLevel, true
}

// inCycle is the index of a level in the tables; what is out of range is taken for the nearest level.
func inCycle(level int) int { return clampLevel(level) % CycleLevels }

// resets is how often somebody of a level has started again, 0 to 3.
func resets(level int) int { return clampLevel(level) / CycleLevels }

func clampLevel(level int) int { return min(max(level, 0), MaxLevel) }

// The karma types that the client shows. protocol: session 11.3.
const (
	KarmaVeryBad = 1
	KarmaBad     = 2
	KarmaNeutral = 3
	KarmaGood    = 4
	KarmaBenign  = 5
)

// KarmaType is the type of a karma count. protocol: session 11.2.
func KarmaType(count int) int {
	switch {
	case count < -1000:
		return KarmaVeryBad
	case count < -100:
		return KarmaBad
	case count <= 100:
		return KarmaNeutral
	case count <= 1000:
		return KarmaGood
	}
	return KarmaBenign
}
