package rules

import (
	"testing"
)

func TestGuildItems(t *testing.T) {
	if g, r, ok := GuildOf(6403); g != 10 || r != 3 || !ok { // protocol gamerules 18
		t.Errorf("6403 is of guild %d, rank %d, %v", g, r, ok)
	}
	for guild := 1; guild <= 14; guild++ {
		for rank := range 6 {
			g, r, ok := GuildOf(emblem(guild, rank))
			if !ok || g != guild || r != rank {
				t.Errorf("guild %d rank %d came back as %d, %d, %v", guild, rank, g, r, ok)
			}
		}
	}
	for _, id := range []int{0, 5499, 5506, 6900, 15001} {
		if _, _, ok := GuildOf(id); ok {
			t.Errorf("%d is read as an emblem", id)
		}
	}
}

func TestScaleOfTiers(t *testing.T) {
	want := []int{0, 1, 2, 3, 5, 7, 9, 12, 15, 18, 23, 28, 34, 37, 42, 48} // protocol gamerules 7.3
	for tier, f := range want {
		if Scale(tier) != f {
			t.Errorf("tier %d: %d, want %d", tier, Scale(tier), f)
		}
	}
	if Scale(-1) != 0 || Scale(99) != 48 {
		t.Errorf("beyond the table: %d and %d", Scale(-1), Scale(99))
	}
}

func TestSuffixArithmetic(t *testing.T) {
	base := Columns{
		Need:   Need{Title: 9, Stats: Stats{18, 0, 0, 5}},
		Attack: -60, Magic: -10, Spread: 2, Weight: 6000, Durability: 140, Range: 2, UseTime: 100, Price: 900, Reuse: 4,
		Effect: 1000, EffectLength: 4, Chance: 10, MPEffect: 3, UseMP: -7,
		Bonus: Bonus{HP: 1, MP: 2, Attack: -3, PhysicalDefence: 4, MagicalDefence: 5, Stats: Stats{6, 0, 0, 0, 0, 0, 0, 7},
			Magic: -8},
	}
	row := Columns{
		Need:   Need{Title: 1, Degree: 2, KarmaMin: 5, Stats: Stats{2, 3, 0, -9}},
		Attack: -2, Magic: -1, Spread: 4, Weight: 50, Durability: 133, Range: 1, UseTime: 85, Price: 130, Reuse: -1,
		Effect: 1005, EffectLength: 102, Chance: 50, MPEffect: 9, UseMP: -9,
		Bonus: Bonus{HP: 10, MP: -1, Attack: -1, PhysicalDefence: 2, MagicalDefence: 1, Stats: Stats{1, 0, 0, 0, 0, 0, 0, -1},
			Magic: -2},
	}
	k := Kind{Columns: base, Tier: 4} // the scale of tier 4 is 5
	want := Columns{
		Need:   Need{Title: 14, Degree: 10, Stats: Stats{28, 15, 0, 0}},
		Attack: -70, Magic: -15, Spread: 6, Weight: 3000, Durability: 186, Range: 3, UseTime: 85, Price: 1170, Reuse: 3,
		Effect: 1005, EffectLength: 102, Chance: 50, MPEffect: 3, UseMP: -7,
		Bonus: Bonus{HP: 51, MP: -3, Attack: -8, PhysicalDefence: 14, MagicalDefence: 10, Stats: Stats{11, 0, 0, 0, 0, 0, 0,
			2}, Magic: -18},
	}
	if got := k.With(&Suffix{Letter: "A", Columns: row}); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := k.With(nil); got != base {
		t.Errorf("without a suffix: %+v", got)
	}
	if got := k.With(&Suffix{Letter: "A"}); got != base {
		t.Errorf("with an empty suffix: %+v", got)
	}
	if k.Columns != base {
		t.Errorf("the kind has changed: %+v", k.Columns)
	}
}

func TestSuffixesOfChestsAndShieldsOnlyRaiseStats(t *testing.T) {
	row := Columns{UseHP: 1, Need: Need{Stats: Stats{2, 2}}}
	k := Kind{Tier: 3, Columns: Columns{Need: Need{Stats: Stats{10, 0}}}}
	for letter, want := range map[string]Stats{"C": {16, 0}, "I": {16, 0}, "A": {16, 6}} {
		if got := k.With(&Suffix{Letter: letter, Columns: row}).Need.Stats; got != want {
			t.Errorf("group %s: %v, want %v", letter, got, want)
		}
	}
	row.UseHP = 0
	if got := k.With(&Suffix{Letter: "C", Columns: row}).Need.Stats; got != (Stats{16, 6}) {
		t.Errorf("without the mark: %v", got)
	}
}

func TestPercentages(t *testing.T) {
	for _, v := range []struct{ base, p, want int }{{100, 0, 100}, {100, 130, 130}, {99, 150, 148}, {7, 50, 3},
		{100, -20, 80}, {100, -200, 0}, {0, 130, 0}} {
		if got := percent(v.base, v.p); got != v.want {
			t.Errorf("%d %% of %d: %d, want %d", v.p, v.base, got, v.want)
		}
	}
}
