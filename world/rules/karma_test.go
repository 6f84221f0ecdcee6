package rules

import "testing"

func TestCheck30KarmaOfKills(t *testing.T) {
	b := DefaultBalance().Karma
	if k := AddKarma(5000, b.ForMonster(&Monster{Karma: 1})); k != 5001 {
		t.Errorf("5000 and a kill are %d", k)
	}
	for band, want := range map[int]int{0: 0, 1: 1, 2: 0, 3: -10, 4: -20, 5: -40, 6: 0, -1: 0} {
		if got := b.ForMonster(&Monster{Karma: band}); got != want {
			t.Errorf("a monster of band %d: expected %d, found %d", band, want, got)
		}
	}
	if k := b.ForMonster(&Monster{ID: PracticeTarget, Karma: 5}); k != 0 { // review D11
		t.Errorf("practice: %d", k)
	}
	for victim, want := range map[int]int{-1001: 0, -101: 0, -100: -500, 0: -500, 101: -500, 2000: -500} {
		if got := b.ForPlayer(victim); got != want {
			t.Errorf("a player with karma %d: expected %d, found %d", victim, want, got)
		}
	}
	for _, v := range []struct{ count, change, want int }{{MaxKarma, 1, MaxKarma}, {-MaxKarma, -500, -MaxKarma},
		{3, -13, -10}} {
		if got := AddKarma(v.count, v.change); got != v.want {
			t.Errorf("%d and %d: expected %d, found %d", v.count, v.change, v.want, got)
		}
	}
}

func TestCheck30BandsOfKarma(t *testing.T) {
	for _, v := range []struct{ count, band int }{{-MaxKarma, 1}, {-1001, 1}, {-1000, 2}, {-101, 2}, {-100, 3}, {100, 3},
		{101, 4}, {1000, 4}, {1001, 5}, {MaxKarma, 5}} {
		if got := KarmaType(v.count); got != v.band {
			t.Errorf("karma %d: expected band %d, found %d", v.count, v.band, got)
		}
	}
}
