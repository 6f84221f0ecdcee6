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

// The tables agree with the closed forms that the rules give beside them.
func TestLevelTablesFollowTheirFormulas(t *testing.T) {
	for l := 1; l < CycleLevels; l++ {
		i := l - 1
		if want := 100 + 50*(l-1); titleHP[i] != want {
			t.Errorf("title HP at %d: expected %d, found %d", l, want, titleHP[i])
		}
		if want := 100 + 10*(l-1) + 10*(l/5); degreeHP[i] != want {
			t.Errorf("degree HP at %d: expected %d, found %d", l, want, degreeHP[i])
		}
		if want := 100 + 25*(l/5); titleMP[i] != want {
			t.Errorf("title MP at %d: expected %d, found %d", l, want, titleMP[i])
		}
		if want := 100 + 75*(l-1); degreeMP[i] != want {
			t.Errorf("degree MP at %d: expected %d, found %d", l, want, degreeMP[i])
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
