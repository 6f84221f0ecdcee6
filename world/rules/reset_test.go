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
	title, degree, q, why := tables.Reset(Rebirth, false, 59, 29, p)
	if why != 0 || title != 60+14 || degree != 14 {
		t.Fatalf("levels %d and %d, %v", title, degree, why)
	}
	want := Progress{Karma: 7}
	want.TitlePoints, want.DegreePoints = TotalPoints(60+14, 14)
	if q != want {
		t.Errorf("expected %+v, found %+v", want, q)
	}
	if title, degree, _, why := tables.Reset(Rebirth, false, 29, 59, Progress{}); why != 0 || title != 14 || degree != 60+14 {
		t.Errorf("with a degree of 60: levels %d and %d, %v", title, degree, why)
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
		p.Guild = v.guild
		if title, degree, q, why := tables.Reset(Rebirth, false, v.title, v.degree, p); why != v.why || title != v.title ||
			degree != v.degree || q != p {
			t.Errorf("%s: expected %v, found %v, %d/%d", v.name, v.why, why, title, degree)
		}
	}
	title, degree = 59, 59
	for range 3 {
		if title, degree, _, why = tables.Reset(Rebirth, false, title, degree, Progress{}); why != 0 {
			t.Fatal(why)
		}
		title, degree = title+45, degree+45
	}
	if _, _, _, why = tables.Reset(Rebirth, false, title, degree, Progress{}); why != Greatest || title != MaxLevel {
		t.Errorf("a fourth rebirth from %d: %v", title, why)
	}
}

func TestLevelsGivenUp(t *testing.T) {
	tables := someTables(t)
	p := Progress{TitleXP: 9, DegreeXP: 100}
	title, degree, q, why := tables.Reset(TitleDown, false, 59, 0, p)
	if why != 0 || title != 14 || degree != 9 || q.TitleXP != 0 || q.DegreeXP != 100 {
		t.Errorf("levels %d and %d, %+v, %v", title, degree, q, why)
	}
	if _, _, _, why := tables.Reset(TitleDown, false, 40, 9, q); why != AlreadyReset {
		t.Errorf("a second time: %v", why)
	}
	if _, _, _, why := tables.Reset(DegreeDown, false, 14, 40, q); why != AlreadyReset {
		t.Errorf("the other way: %v", why)
	}
	title, degree, _, why = tables.Reset(DegreeDown, false, 60+57, 60+59, p)
	if why != 0 || title != 60+59 || degree != 60+14 {
		t.Errorf("levels %d and %d, %v", title, degree, why)
	}
	_, _, down, _ := tables.Reset(DegreeDown, false, 40, 40, p)
	for _, again := range []Reset{TitleDown, DegreeDown} {
		if _, _, _, why := tables.Reset(again, false, 40, 40, down); why != AlreadyReset {
			t.Errorf("after the degree, %d: %v", again, why)
		}
	}
	if _, _, _, why := tables.Reset(TitleDown, false, 14, 40, p); why != TitleLow {
		t.Errorf("from 15: %v", why)
	}
	if _, _, _, why := tables.Reset(DegreeDown, false, 40, 14, p); why != DegreeLow {
		t.Errorf("the degree from 15: %v", why)
	}
	member := p
	member.Guild = 1
	if _, _, _, why := tables.Reset(TitleDown, false, 40, 40, member); why != HasGuild {
		t.Errorf("in a guild: %v", why)
	}
}

func TestStatisticsAreUnlearnedOnce(t *testing.T) {
	tables := someTables(t)
	for _, licensed := range []bool{false, true} {
		if _, _, q, why := tables.Reset(Unlearn, licensed, 3, 0, Progress{TitlePoints: 4}); why != NothingSpent || q.Resets != 0 {
			t.Errorf("with nothing spent: %v, %+v", why, q)
		}
	}
	p := Progress{TitleXP: 9, TitlePoints: 1, DegreePoints: 2, Base: Stats{1, 2, 3, 4, 10, 20, 30, 40}, Guild: 5}
	title, degree, q, why := tables.Reset(Unlearn, false, 3, 0, p)
	if why != 0 || title != 3 || degree != 0 || q.TitlePoints != 11 || q.DegreePoints != 102 || q.Base != (Stats{}) ||
		q.TitleXP != 9 {
		t.Errorf("levels %d and %d, %+v, %v", title, degree, q, why)
	}
	if _, _, _, why := tables.Reset(Unlearn, false, 3, 0, q); why != AlreadyReset {
		t.Errorf("a second time: %v", why)
	}
}

// A licence brings a reset again, and is not held against a later one.
func TestLicencesReset(t *testing.T) {
	tables := someTables(t)
	used := Progress{Base: Stats{5}, Resets: 1<<Unlearn | 1<<TitleDown}
	for _, c := range []struct {
		class        int
		what         Reset
		title, guild int
	}{{112, Unlearn, 3, 0}, {113, LeaveGuild, 59, 7}, {114, TitleDown, 59, 0}, {115, DegreeDown, 59, 0}, {133, Rebirth, 59, 0}} {
		what, ok := ResetOf(c.class)
		if !ok || what != c.what || ClassOf(c.class).Use != Renewal {
			t.Errorf("class %d is of reset %d, %v, use %d", c.class, what, ok, ClassOf(c.class).Use)
		}
		p := used
		p.Guild, p.GuildRank = c.guild, 2
		if _, _, q, why := tables.Reset(what, true, c.title, c.title, p); why != 0 || q.Resets != used.Resets || q.Guild != 0 {
			t.Errorf("class %d: %+v, %v", c.class, q, why)
		}
	}
	if _, ok := ResetOf(111); ok || ClassOf(111).Use == Renewal {
		t.Error("a licence for another look resets something")
	}
}

// Who gives up a guild keeps levels, points and what was spent.
func TestAGuildIsGivenUp(t *testing.T) {
	tables := someTables(t)
	p := Progress{TitleXP: 9, TitlePoints: 1, Base: Stats{3}, Guild: 14, GuildRank: 5}
	title, degree, q, why := tables.Reset(LeaveGuild, false, 61, 7, p)
	want := p
	want.Guild, want.GuildRank = 0, 0
	if why != 0 || title != 61 || degree != 7 || q != want {
		t.Errorf("levels %d and %d, %+v, %v", title, degree, q, why)
	}
	if _, _, _, why := tables.Reset(LeaveGuild, false, 61, 7, q); why != NoGuild {
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
		licensed := rapid.Bool().Draw(r, "licensed")
		title, degree, q, why := tables.Reset(what, licensed, title, degree, p)
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
