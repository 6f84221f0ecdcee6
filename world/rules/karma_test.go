package rules

import (
	"testing"
	"time"
)

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

func TestBlameForADeath(t *testing.T) {
	const victim, striker, caster = 1, 2, 3
	for _, c := range []struct {
		name                    string
		striker, caster, guilty int64
	}{
		{"nobody", 0, 0, 0},
		{"a player", striker, 0, striker},
		{"the one that strikes, not the one that has cast", striker, caster, striker},
		{"one that has left", 0, caster, caster},
		{"oneself", victim, 0, 0},
		{"an effect of one's own", 0, victim, 0},
	} {
		if got := Killer(victim, c.striker, c.caster); got != c.guilty {
			t.Errorf("%s: %d, want %d", c.name, got, c.guilty)
		}
	}
	b := DefaultBalance().Karma
	for _, c := range []struct {
		victim      int
		selfDefence bool
		want        int
	}{{0, false, -500}, {0, true, 0}, {-101, false, 0}, {2000, false, -500}, {2000, true, 0}} {
		if got := b.Blame(c.victim, c.selfDefence); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	for ago, want := range map[time.Duration]bool{0: true, b.SelfDefence: true, b.SelfDefence + 1: false} {
		if got := b.DefendsItself(ago); got != want {
			t.Errorf("struck %v ago: %t", ago, got)
		}
	}
}

func TestKarmaOfMantras(t *testing.T) {
	b := DefaultBalance().Karma
	costly := Effect{ID: 901, Bonus: Bonus{PhysicalDefence: -1}}
	for _, c := range []struct {
		name string
		e    Effect
		ago  time.Duration
		want int
	}{
		{"the first", Effect{}, 1000 * time.Hour, b.Kindness},
		{"a buff in time", Effect{ID: 901, Bonus: Bonus{PhysicalDefence: 1}}, b.KindEach, b.Kindness},
		{"too soon", Effect{}, b.KindEach - 1, 0},
		{"one that takes something", costly, 1000 * time.Hour, 0},
	} {
		if got := b.ForMantra(&c.e, c.ago); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// The lesser stone raises a bad karma by one type, the greater one makes it neutral; a better one has no use of either.
func TestStonesOfKarma(t *testing.T) {
	for _, c := range []struct{ class, count, want int }{
		{440, -5000, -1000}, {440, -1001, -1000}, {440, -1000, -100}, {440, -101, -100}, {440, -100, -100}, {440, 0, 0},
		{440, 5001, 5001}, {445, -5000, 0}, {445, -101, 0}, {445, -100, -100}, {445, 700, 700}, {434, -5000, -5000},
	} {
		if got := Atone(c.class, c.count); got != c.want {
			t.Errorf("class %d at %d: %d, want %d", c.class, c.count, got, c.want)
		}
	}
	if ClassOf(440).Use != Atonement || ClassOf(445).Use != Atonement || ClassOf(434).Use != Insurance {
		t.Error("the stones are of other uses")
	}
}
