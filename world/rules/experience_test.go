package rules

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The figures of protocol gamerules 18 and fight 9.3.
func TestNeededExperience(t *testing.T) {
	for _, v := range []struct {
		title, degree int // from 1
		need          uint32
	}{
		{1, 1, 50}, {2, 1, 320}, {2, 2, 360}, {5, 1, 7000}, {10, 1, 39500}, {15, 1, 123750}, {20, 1, 310000},
		{30, 1, 1368000}, {40, 1, 4808000}, {50, 1, 16513000}, {59, 1, 75607000}, {60, 59, 266193168}, {60, 60, 1},
		{1, 30, 1368000}, {61, 1, 50}, {120, 119, 266193168},
	} {
		if need := NeededXP(v.title-1, v.degree-1); need != v.need {
			t.Errorf("%d/%d: expected %d, found %d", v.title, v.degree, v.need, need)
		}
		if need := NeededXP(v.degree-1, v.title-1); need != v.need {
			t.Errorf("%d/%d: expected %d, found %d", v.degree, v.title, v.need, need)
		}
	}
}

func TestExperienceOfKills(t *testing.T) {
	b := DefaultBalance().Experience
	for _, v := range []struct {
		id, level int
		named     bool
		mean      float64
	}{
		{1000, 1, false, 3 * 1.1039}, {1085, 30, false, 3306 * 1.414}, {1085, 30, true, 3306 * 1.414 * 1.5678},
		{4711, 120, false, 57764 * 1.5678}, {1170, 20, false, 0}, {1280, 20, false, 0}, {1069, 1, true, 0},
		{1024, 1, false, 3 * 1.5678},
	} {
		if mean := b.Mean(&Monster{ID: v.id}, v.level, v.named); math.Abs(mean-v.mean) > 1e-9*v.mean {
			t.Errorf("type %d level %d: expected %v, found %v", v.id, v.level, v.mean, mean)
		}
	}
	for level, want := range map[int]float64{121: 57999, 360: 534480, 0: 3, -7: 3} {
		if mean := b.base(level); math.Abs(mean-want) > want/500 {
			t.Errorf("level %d: expected about %v, found %v", level, want, mean)
		}
	}
	r, least, most := dice(1), math.MaxInt, 0
	for range 1000 {
		xp := b.ForKill(r, &Monster{ID: 1310}, 20, false)
		least, most = min(least, xp), max(most, xp)
	}
	if mean := 1465 * 1.414; float64(least) < 0.9*mean-1 || float64(most) > 1.1*mean+1 || most-least < int(0.15*mean) {
		t.Errorf("rolls from %d to %d around %v", least, most, mean)
	}
	b.Factor = 1e12
	if xp := b.ForKill(r, &Monster{ID: 1000}, 120, true); xp != math.MaxUint32 {
		t.Errorf("more experience than there is: %d", xp)
	}
}

// The factors of types are those of the page's table.
func TestFactorsOfTypes(t *testing.T) {
	n := readNumbers(t, "monsters.tsv")
	b := DefaultBalance().Experience
	for _, r := range n.rows {
		id := n.number(r, "id")
		if f := b.factorOf(id); id != 1069 && n.text(r, "xp_factor") != number(f) {
			t.Errorf("type %d: expected %s, found %v", id, n.text(r, "xp_factor"), f)
		}
	}
}

// Attack A3: bystanders of low level add nothing to the experience of their party, and get none.
func TestCheck34ExperienceIsShared(t *testing.T) {
	b := DefaultBalance().Experience
	for _, v := range []struct {
		name    string
		monster int
		hunters []Contributor
		want    []int
	}{
		{"alone", 10, []Contributor{{Level: 10, Damage: 5}}, []int{1000}},
		{"two strangers by damage", 10, []Contributor{{Level: 10, Damage: 30}, {Level: 10, Damage: 10}}, []int{750, 250}},
		{"a group of two", 10, []Contributor{{Party: 1, Level: 10, Damage: 9}, {Party: 1, Level: 10}}, []int{550, 550}},
		{"by level", 10, []Contributor{{Party: 1, Level: 10, Damage: 9}, {Party: 1, Level: 5}, {Party: 1, Level: 5}},
			[]int{600, 300, 300}},
		{"group and stranger", 10, []Contributor{{Party: 1, Level: 10, Damage: 20}, {Level: 10, Damage: 20},
			{Party: 1, Level: 10}}, []int{275, 500, 275}},
		{"two groups", 10, []Contributor{{Party: 1, Level: 10, Damage: 10}, {Party: 2, Level: 10, Damage: 30}}, []int{250, 750}},
		{"ten levels above", 10, []Contributor{{Level: 20, Damage: 5}}, []int{1000}},
		{"thirteen levels above", 10, []Contributor{{Level: 23, Damage: 5}}, []int{700}},
		{"far above", 10, []Contributor{{Level: 60, Damage: 5}}, []int{100}},
		{"below", 60, []Contributor{{Level: 1, Damage: 5}}, []int{1000}},
		{"bystanders far below", 50, []Contributor{{Party: 1, Level: 50, Damage: 5}, {Party: 1, Level: 1}, {Party: 1, Level: 1}},
			[]int{1000, 0, 0}},
		{"a bystander a little below", 50, []Contributor{{Party: 1, Level: 50, Damage: 5}, {Party: 1, Level: 40}}, []int{611, 488}},
		{"one far below who has struck", 50, []Contributor{{Party: 1, Level: 50, Damage: 9}, {Party: 1, Level: 1, Damage: 1}},
			[]int{1000, 21}},
		{"two groups, of which the second has a bystander", 50, []Contributor{{Party: 1, Level: 20, Damage: 5},
			{Party: 2, Level: 50, Damage: 15}, {Party: 2, Level: 20}, {Party: 1, Level: 20}}, []int{137, 750, 0, 137}},
		{"a bystander near the one that has struck most", 50, []Contributor{{Party: 1, Level: 20, Damage: 1},
			{Party: 1, Level: 50, Damage: 9}, {Party: 1, Level: 22}}, []int{314, 785, 0}},
		{"nobody", 60, []Contributor{{Level: 1}}, []int{0}},
	} {
		b.Share(1000, v.monster, v.hunters)
		for i, want := range v.want {
			if got := v.hunters[i].XP; got != want {
				t.Errorf("%s: expected %d for the %d. hunter, found %d", v.name, want, i+1, got)
			}
		}
	}
}

func TestContributorsOfAKill(t *testing.T) {
	b := DefaultBalance().Experience
	long := b.MostHitsTime + 1
	type one = Contributor
	for _, c := range []struct {
		name string
		all  []Candidate
		want []Contributor
	}{
		{"nobody", nil, nil},
		{"one that has hit", []Candidate{{Level: 3, Damage: 5, Career: Magical}}, []one{{Level: 3, Damage: 5, Career: Magical}}},
		{"at the last moment", []Candidate{{Damage: 5, Ago: b.MostHitsTime}}, []one{{Damage: 5}}},
		{"long ago", []Candidate{{Damage: 5, Ago: long}}, nil},
		{"without damage", []Candidate{{Near: true}}, nil},
		{"away", []Candidate{{Damage: 5, Away: true}, {Damage: 6}}, []one{{Candidate: 1, Damage: 6}}},
		{"the last blow of one that is not remembered", []Candidate{{Damage: 5}, {Last: true, Career: Magical}},
			[]one{{Damage: 5}, {Candidate: 1, Damage: 1}}},
		{"the last blow counts once", []Candidate{{Damage: 5, Last: true}}, []one{{Damage: 5}}},
		{"the last blow of one that is away", []Candidate{{Last: true, Away: true}}, nil},
		{"a party", []Candidate{{Party: 1, Damage: 5, Career: Magical}, {Party: 1, Near: true}, {Party: 2, Near: true}, {Near: true}},
			[]one{{Party: 1, Damage: 5, Career: Magical}, {Candidate: 1, Party: 1, Career: Magical}}},
		{"members that are far, or away", []Candidate{{Party: 1, Damage: 5}, {Party: 1}, {Party: 1, Near: true, Away: true}},
			[]one{{Party: 1, Damage: 5}}},
		{"a member that has hit long ago", []Candidate{{Party: 1, Damage: 5, Ago: long, Near: true}, {Party: 1, Damage: 6}},
			[]one{{Candidate: 1, Party: 1, Damage: 6}, {Party: 1}}},
		{"the party of one that is away", []Candidate{{Party: 1, Damage: 5, Away: true}, {Party: 1, Near: true}}, nil},
		{"the first of a party teaches it", []Candidate{{Party: 1, Damage: 1, Career: Magical}, {Party: 1, Damage: 9},
			{Party: 1, Near: true}}, []one{{Party: 1, Damage: 1, Career: Magical}, {Candidate: 1, Party: 1, Damage: 9},
			{Candidate: 2, Party: 1, Career: Magical}}},
	} {
		if got := b.Contributors(c.all); !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestWhoTaught(t *testing.T) {
	for _, v := range []struct {
		blows      [2]int
		last, want School
	}{{[2]int{3, 2}, Magical, Physical}, {[2]int{1, 2}, Physical, Magical}, {[2]int{2, 2}, Magical, Magical},
		{[2]int{2, 2}, Physical, Physical}} {
		if got := Taught(v.blows, v.last); got != v.want {
			t.Errorf("%v, last %d: expected %d, found %d", v.blows, v.last, v.want, got)
		}
	}
}

func TestLicencesDouble(t *testing.T) {
	for _, v := range []struct{ class, title, degree int }{{46, 2, 1}, {47, 1, 2}, {48, 2, 2}, {49, 1, 1}} {
		bag := carries(Item{ID: 1, Class: v.class, Slot: SlotInventory})
		if title, degree := Licensed(bag, Physical), Licensed(bag, Magical); title != v.title || degree != v.degree {
			t.Errorf("class %d: %d and %d", v.class, title, degree)
		}
	}
}

func TestCheck31SecondLevel(t *testing.T) {
	tables := someTables(t)
	title, degree, p := tables.Learn(0, 0, Progress{TitlePoints: 1, DegreePoints: 4}, Physical, 50)
	if title != 1 || degree != 0 || p != (Progress{TitlePoints: 5, DegreePoints: 4}) {
		t.Errorf("levels %d and %d, %+v", title, degree, p)
	}
	if hp := MaxHP(title, degree); hp != 150 {
		t.Errorf("%d HP", hp)
	}
	title, degree, p = tables.Learn(0, 0, Progress{}, Magical, 49)
	if title != 0 || degree != 0 || p != (Progress{DegreeXP: 49}) {
		t.Errorf("levels %d and %d, %+v", title, degree, p)
	}
}

func TestCheck32SeveralLevelsAtOnce(t *testing.T) {
	tables := someTables(t)
	title, _, p := tables.Learn(0, 0, Progress{TitleXP: 40}, Physical, 10+320+1080+7)
	if title != 3 || p.TitleXP != 7 || p.TitlePoints != 12 {
		t.Errorf("title %d, %+v", title, p)
	}
	title, degree, p := tables.Learn(3, 0, Progress{}, Magical, math.MaxInt)
	if title != 3 || degree != 59 || p.DegreeXP == 0 {
		t.Errorf("levels %d and %d, %+v", title, degree, p)
	}
	points, other := tables.Points(3, 59)
	pointsWere, otherWere := tables.Points(3, 0)
	if other == otherWere || p.DegreePoints != other-otherWere || p.TitlePoints != points-pointsWere {
		t.Errorf("%d and %d points, expected %d and %d", p.TitlePoints, p.DegreePoints, points-pointsWere, other-otherWere)
	}
	was := p
	if _, degree, p = tables.Learn(3, 59, p, Magical, 1000); degree != 59 || p != was {
		t.Errorf("the last level gained: %d, %+v", degree, p)
	}
	if title, _, p = tables.Learn(59, 0, Progress{}, Physical, 1000); title != 59 || p != (Progress{}) {
		t.Errorf("the last level gained: %d, %+v", title, p)
	}
	if title, _, p = tables.Learn(60+58, 0, Progress{}, Physical, math.MaxInt); title != 60+59 {
		t.Errorf("a rebirth came by itself: %d, %+v", title, p)
	}
}

// The experience before and the gain are the cost of the levels and the rest; but for the last level.
func TestExperienceIsKept(t *testing.T) {
	tables := someTables(t)
	rapid.Check(t, func(r *rapid.T) {
		title, degree := rapid.IntRange(0, MaxLevel).Draw(r, "title"), rapid.IntRange(0, MaxLevel).Draw(r, "degree")
		career := School(rapid.IntRange(0, 1).Draw(r, "career"))
		need := NeededXP(title, degree)
		p := Progress{TitleXP: rapid.Uint32Max(need-1).Draw(r, "title XP"),
			DegreeXP: rapid.Uint32Max(need-1).Draw(r, "degree XP")}
		gain := rapid.IntRange(-5, 1<<30).Draw(r, "gain")
		newTitle, newDegree, q := tables.Learn(title, degree, p, career, gain)
		cost := uint64(0)
		for i, k := title, degree; i < newTitle || k < newDegree; {
			cost += uint64(NeededXP(i, k))
			if i < newTitle {
				i++
			} else {
				k++
			}
		}
		before := uint64(p.TitleXP) + uint64(p.DegreeXP)
		after := uint64(q.TitleXP) + uint64(q.DegreeXP) + cost
		level := title
		if career == Magical {
			level = degree
		}
		switch {
		case inCycle(level) == CycleLevels-1 || gain <= 0:
			if newTitle != title || newDegree != degree || p != q {
				r.Fatalf("something has changed: %d/%d %+v", newTitle, newDegree, q)
			}
		case after != before+uint64(gain):
			r.Fatalf("%d and %d became %d", before, gain, after)
		}
		if resets(newTitle) != resets(title) || resets(newDegree) != resets(degree) {
			r.Fatalf("another cycle: %d/%d", newTitle, newDegree)
		}
	})
}
