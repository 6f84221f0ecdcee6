package rules

import (
	"testing"

	"pgregory.net/rapid"
)

// The figures of the rules' own list and of the recordings. protocol: session 11.4.
func TestLevelTables(t *testing.T) {
	for _, v := range []struct {
		what        string
		found, want int
	}{
		{"HP at 1/1", MaxHP(0, 0), 100}, {"MP at 1/1", MaxMP(0, 0), 100},
		{"HP at 60/60", MaxHP(59, 59), 3900}, {"MP at 60/60", MaxMP(59, 59), 4950},
		{"HP at 15/7", MaxHP(14, 6), 870}, {"MP at 15/7", MaxMP(14, 6), 625},
		{"HP of the recording", MaxHP(14, 112), 1420},
		{"HP below the tables", MaxHP(-5, -1), 100}, {"HP above the tables", MaxHP(1000, 240), 3900},
	} {
		if v.found != v.want {
			t.Errorf("%s: expected %d, found %d", v.what, v.want, v.found)
		}
	}
	for _, v := range []struct{ title, degree, titlePoints, degreePoints int }{
		{0, 0, 4, 4}, {59, 59, 732, 732}, {2*CycleLevels + 59, 0, 810, 66},
	} {
		if title, degree := TotalPoints(v.title, v.degree); title != v.titlePoints || degree != v.degreePoints {
			t.Errorf("points at %d/%d: expected %d and %d, found %d and %d", v.title, v.degree, v.titlePoints, v.degreePoints,
				title, degree)
		}
	}
}

func TestPointsAndKarma(t *testing.T) {
	for count, want := range map[int]int{-5000: 1, -1001: 1, -1000: 2, -101: 2, -100: 3, 0: 3, 100: 3, 101: 4, 1000: 4,
		1001: 5, 5000: 5} {
		if found := KarmaType(count); found != want {
			t.Errorf("karma %d: expected type %d, found %d", count, want, found)
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		title, degree := rapid.IntRange(0, MaxLevel-1).Draw(r, "title"), rapid.IntRange(0, MaxLevel).Draw(r, "degree")
		before, _ := TotalPoints(title, degree)
		after, _ := TotalPoints(title+1, degree)
		raised, _ := levelPoints(title + 1)
		if inCycle(title+1) > 0 && after-before != raised {
			r.Fatalf("level %d: expected %d more points, found %d", title+1, raised, after-before)
		}
	})
}

// The tables of protocol session 11.4.
func TestLaddersAreTheDocumentsTables(t *testing.T) {
	for _, c := range []struct {
		name  string
		have  ladder
		table [CycleLevels]int
	}{
		{"titleHP", titleHP, [CycleLevels]int{
			100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650, 700, 750, 800, 850, 900, 950, 1000, 1050,
			1100, 1150, 1200, 1250, 1300, 1350, 1400, 1450, 1500, 1550, 1600, 1650, 1700, 1750, 1800, 1850, 1900, 1950, 2000,
			2050,
			2100, 2150, 2200, 2250, 2300, 2350, 2400, 2450, 2500, 2550, 2600, 2650, 2700, 2750, 2800, 2850, 2900, 2950, 3000,
			3200,
		}},
		{"degreeHP", degreeHP, [CycleLevels]int{
			100, 110, 120, 130, 150, 160, 170, 180, 190, 210, 220, 230, 240, 250, 270, 280, 290, 300, 310, 330,
			340, 350, 360, 370, 390, 400, 410, 420, 430, 450, 460, 470, 480, 490, 510, 520, 530, 540, 550, 570,
			580, 590, 600, 610, 630, 640, 650, 660, 670, 690, 700, 710, 720, 730, 750, 760, 770, 780, 790, 800,
		}},
		{"titleMP", titleMP, [CycleLevels]int{
			100, 100, 100, 100, 125, 125, 125, 125, 125, 150, 150, 150, 150, 150, 175, 175, 175, 175, 175, 200,
			200, 200, 200, 200, 225, 225, 225, 225, 225, 250, 250, 250, 250, 250, 275, 275, 275, 275, 275, 300,
			300, 300, 300, 300, 325, 325, 325, 325, 325, 350, 350, 350, 350, 350, 375, 375, 375, 375, 375, 400,
		}},
		{"degreeMP", degreeMP, [CycleLevels]int{
			100, 175, 250, 325, 400, 475, 550, 625, 700, 775, 850, 925, 1000, 1075, 1150, 1225, 1300, 1375, 1450, 1525,
			1600, 1675, 1750, 1825, 1900, 1975, 2050, 2125, 2200, 2275, 2350, 2425, 2500, 2575, 2650, 2725, 2800, 2875, 2950,
			3025,
			3100, 3175, 3250, 3325, 3400, 3475, 3550, 3625, 3700, 3775, 3850, 3925, 4000, 4075, 4150, 4225, 4300, 4375, 4450,
			4650,
		}},
	} {
		for i, want := range c.table {
			if got := c.have.at(i + CycleLevels); got != want {
				t.Errorf("%s of level %d is %d, documented %d", c.name, i+1, got, want)
			}
		}
	}
}
