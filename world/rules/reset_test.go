package rules

import (
	"testing"

	"pgregory.net/rapid"
)

func TestCheck33Rebirth(t *testing.T) {
	tables := someTables(t)
	p := Progress{TitleXP: 5, DegreeXP: 900000, TitlePoints: 10, Base: Stats{700, 0, 0, 0, 40}, Karma: 7}
	p.TitlePoints, p.DegreePoints = TotalPoints(59, 29)
	p.TitlePoints -= 700
	p.DegreePoints -= 40
	title, degree, q, why := tables.Reset(Rebirth, 59, 29, 0, p)
	if why != 0 || title != 60+14 || degree != 14 {
		t.Fatalf("levels %d and %d, %v", title, degree, why)
	}
	want := Progress{Karma: 7}
	want.TitlePoints, want.DegreePoints = TotalPoints(60+14, 14)
	if q != want {
		t.Errorf("expected %+v, found %+v", want, q)
	}
	for _, v := range []struct {
		name                 string
		title, degree, guild int
		why                  RejectReason
	}{
		{"59/59", 58, 58, 0, NotSixty},
		{"in a guild", 59, 29, 3, HasGuild},
		{"legendary", 180 + 59, 29, 0, Greatest},
		{"the other is legendary", 59, 180 + 3, 0, Greatest},
		{"59/59 in a guild", 58, 58, 3, NotSixty},
	} {
		if title, degree, q, why := tables.Reset(Rebirth, v.title, v.degree, v.guild, p); why != v.why || title != v.title ||
			degree != v.degree || q != p {
			t.Errorf("%s: expected %v, found %v, %d/%d", v.name, v.why, why, title, degree)
		}
	}
	title, degree = 59, 59
	for range 3 {
		if title, degree, _, why = tables.Reset(Rebirth, title, degree, 0, Progress{}); why != 0 {
			t.Fatal(why)
		}
		title, degree = title+45, degree+45
	}
	if _, _, _, why = tables.Reset(Rebirth, title, degree, 0, Progress{}); why != Greatest || title != MaxLevel {
		t.Errorf("a fourth rebirth from %d: %v", title, why)
	}
}

func TestLevelsGivenUp(t *testing.T) {
	tables := someTables(t)
	p := Progress{TitleXP: 9, DegreeXP: 100}
	title, degree, q, why := tables.Reset(TitleDown, 59, 0, 0, p)
	if why != 0 || title != 14 || degree != 9 || q.TitleXP != 0 || q.DegreeXP != 100 {
		t.Errorf("levels %d and %d, %+v, %v", title, degree, q, why)
	}
	if _, _, _, why := tables.Reset(TitleDown, 40, 9, 0, q); why != AlreadyReset {
		t.Errorf("a second time: %v", why)
	}
	if _, _, _, why := tables.Reset(DegreeDown, 14, 40, 0, q); why != AlreadyReset {
		t.Errorf("the other way: %v", why)
	}
	title, degree, _, why = tables.Reset(DegreeDown, 60+57, 60+59, 0, p)
	if why != 0 || title != 60+59 || degree != 60+14 {
		t.Errorf("levels %d and %d, %v", title, degree, why)
	}
	if _, _, _, why := tables.Reset(TitleDown, 14, 40, 0, p); why != LowAlready {
		t.Errorf("from 15: %v", why)
	}
	if _, _, _, why := tables.Reset(TitleDown, 40, 40, 1, p); why != HasGuild {
		t.Errorf("in a guild: %v", why)
	}
}

func TestStatisticsAreUnlearnedOnce(t *testing.T) {
	tables := someTables(t)
	p := Progress{TitleXP: 9, TitlePoints: 1, DegreePoints: 2, Base: Stats{1, 2, 3, 4, 10, 20, 30, 40}}
	title, degree, q, why := tables.Reset(Unlearn, 3, 0, 5, p)
	if why != 0 || title != 3 || degree != 0 || q.TitlePoints != 11 || q.DegreePoints != 102 || q.Base != (Stats{}) ||
		q.TitleXP != 9 {
		t.Errorf("levels %d and %d, %+v, %v", title, degree, q, why)
	}
	if _, _, _, why := tables.Reset(Unlearn, 3, 0, 0, q); why != AlreadyReset {
		t.Errorf("a second time: %v", why)
	}
}

// After any reset the points are those of the levels, however many were spent; and no experience is enough for a
// level.
func TestPointsFollowLevelsAfterResets(t *testing.T) {
	tables := someTables(t)
	rapid.Check(t, func(r *rapid.T) {
		title, degree := rapid.IntRange(0, MaxLevel).Draw(r, "title"), rapid.IntRange(0, MaxLevel).Draw(r, "degree")
		need := NeededXP(title, degree)
		p := Progress{TitleXP: rapid.Uint32Max(need-1).Draw(r, "title XP"),
			DegreeXP: rapid.Uint32Max(need-1).Draw(r, "degree XP")}
		p.TitlePoints, p.DegreePoints = TotalPoints(title, degree)
		for i := range p.Base {
			points := &p.TitlePoints
			if i >= 4 {
				points = &p.DegreePoints
			}
			p.Base[i] = rapid.IntRange(0, *points).Draw(r, "spent")
			*points -= p.Base[i]
		}
		what := Reset(rapid.IntRange(int(Rebirth), int(Unlearn)).Draw(r, "what"))
		title, degree, q, why := tables.Reset(what, title, degree, 0, p)
		if why != 0 {
			if q != p {
				r.Fatalf("refused with %v and changed", why)
			}
			return
		}
		points, other := TotalPoints(title, degree)
		if q.TitlePoints != points || q.DegreePoints != other || q.Base != (Stats{}) {
			r.Fatalf("expected %d and %d points, found %+v", points, other, q)
		}
		if need := NeededXP(title, degree); need > 1 && max(q.TitleXP, q.DegreeXP) >= need {
			r.Fatalf("%d and %d experience, %d needed", q.TitleXP, q.DegreeXP, need)
		}
	})
}
