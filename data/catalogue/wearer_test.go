package catalogue

import (
	"fmt"
	"testing"
)

func TestRequirements(t *testing.T) {
	able := Wearer{Title: 10, Degree: 5, Karma: 3, Stats: Stats{20, 10, 0, 0, 0, 0, 0, 8}}
	for _, v := range []struct {
		name string
		need Need
		want string
	}{
		{"none", Need{}, "[]"},
		{"title, which the table has less one", Need{Title: 9}, "[]"},
		{"title one short", Need{Title: 10}, "[title level 11, has 10]"},
		{"degree", Need{Degree: 5}, "[degree level 6, has 5]"},
		{"stats that are there", Need{Stats: Stats{20, 10, 0, 0, 0, 0, 0, 8}}, "[]"},
		{"stats that are not", Need{Stats: Stats{21, 0, 1, 0, 0, 0, 0, 9}}, "[strength 21, has 20 accuracy 1, has 0 fire 9, has 8]"},
		{"karma within", Need{KarmaMin: 2, KarmaMax: 4}, "[]"},
		{"karma too bad", Need{KarmaMin: 4, KarmaMax: 5}, "[karma 4, has 3]"},
		{"karma too good", Need{KarmaMin: 1, KarmaMax: 2}, "[karma at most 2, has 3]"},
	} {
		if got := fmt.Sprint(v.need.Lacks(able)); got != v.want {
			t.Errorf("%s: %s, want %s", v.name, got, v.want)
		}
	}
}

func TestEmblemsAreForMembers(t *testing.T) {
	emblem := Kind{GameID: GuildItem(3, 2), Class: 2000}
	for _, v := range []struct {
		guild, rank int
		may         bool
	}{{3, 2, true}, {3, 5, true}, {3, 1, false}, {2, 5, false}, {0, 0, false}} {
		if l := emblem.GuildLack(Wearer{Guild: v.guild, GuildRank: v.rank}); (l == nil) != v.may {
			t.Errorf("guild %d rank %d: %v", v.guild, v.rank, l)
		}
	}
	other := Kind{GameID: GuildItem(3, 2), Class: 750}
	if l := other.GuildLack(Wearer{}); l != nil {
		t.Errorf("armour wants a guild: %v", l)
	}
}

func TestWeakerCharactersGetLess(t *testing.T) {
	full := Bonus{HP: 100, Attack: -50, PhysicalDefence: 33, Stats: Stats{7}}
	for _, v := range []struct {
		name              string
		mutator           bool
		thing, character  int
		hp, attack, d, st int
	}{
		// (C + 1) / (R − 1), rounded down. protocol gamerules 7.4.
		{"no mutator", false, 12, 1, 100, -50, 33, 7},
		{"two ranks above", true, 5, 3, 100, -50, 33, 7},
		{"three ranks above", true, 6, 3, 80, -40, 26, 5},
		{"rank 10 or more", true, 13, 10, 100, -50, 33, 7},
		{"rank 9", true, 12, 9, 90, -45, 30, 6},
		{"the weakest", true, 12, 1, 18, -9, 6, 1},
		{"rank 4 and 1", true, 4, 1, 66, -33, 22, 4},
	} {
		got := Weaken(full, v.mutator, v.thing, v.character)
		want := Bonus{HP: v.hp, Attack: v.attack, PhysicalDefence: v.d, Stats: Stats{v.st}}
		if got != want {
			t.Errorf("%s: %+v, want %+v", v.name, got, want)
		}
	}
	for _, v := range []struct{ title, degree, rank int }{{1, 1, 1}, {5, 1, 1}, {6, 1, 2}, {1, 11, 3}, {46, 20, 10}, {60, 60, 12}} {
		if got := CharacterRank(v.title, v.degree); got != v.rank {
			t.Errorf("title %d degree %d: rank %d, want %d", v.title, v.degree, got, v.rank)
		}
	}
	if emblem := (&Kind{GameID: 6403, Class: 2000, Tier: 9}); emblem.Rank() != 3 {
		t.Errorf("an emblem of rank 3 has rank %d", emblem.Rank())
	}
	if armour := (&Kind{GameID: 6403, Class: 750, Tier: 9}); armour.Rank() != 9 {
		t.Errorf("armour of tier 9 has rank %d", armour.Rank())
	}
}
