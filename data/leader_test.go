package data

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLeadersAreInOrderAndLeaveOutOperatorsAndTheBanned(t *testing.T) {
	now := time.Now()
	s := open(t, t.TempDir(), Options{})
	s.now = func() time.Time { return now }
	ctx := t.Context()
	all := people(t, s, "Anna", "Berta", "Clara", "Dora", "Emma", "Fenja")
	for i, v := range [][4]int{{5, 10, 2, 30}, {5, 20, 0, 0}, {9, 0, 3, -70}, {60, 0, 60, 5000}, {60, 0, 60, 5000}, {}} {
		c := &all[i]
		c.TitleLevel, c.TitleXP, c.DegreeLevel, c.Karma = v[0], uint32(v[1]), v[2], v[3]
	}
	if err := s.SaveCharacters(ctx, all); err != nil {
		t.Fatal(err)
	}
	if err := s.SetRole(ctx, all[3].Account, Helper); err != nil {
		t.Fatal(err)
	}
	if err := s.Ban(ctx, all[4].Account, Ban{Until: now.Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	must(s.CreateClan(ctx, all[2].ID, "Red Star 1"))(t)
	anna, berta := Leader{"Anna", "", 5, 2, 30}, Leader{"Berta", "", 5, 0, 0}
	clara, emma := Leader{"Clara", "Red Star 1", 9, 3, -70}, Leader{"Emma", "", 60, 60, 5000}
	want := func(by Ranking, most int, want ...Leader) {
		t.Helper()
		if diff := cmp.Diff(want, must(s.Leaders(ctx, by, most))(t)); diff != "" {
			t.Errorf("by %s: %s", by, diff)
		}
	}
	want(ByTitle, 10, clara, berta, anna)
	want(ByTitle, 2, clara, berta)
	want(ByDegree, 10, clara, anna)
	want(ByKarma, 10, anna)
	now = now.Add(2 * time.Hour) // the ban is over
	want(ByTitle, 10, emma, clara, berta, anna)
	if _, err := s.Leaders(ctx, "money", 10); err == nil {
		t.Error("there is a ranking by money")
	}
}
