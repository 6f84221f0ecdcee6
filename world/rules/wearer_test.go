package rules

import "testing"

func TestRequirements(t *testing.T) {
	able := Wearer{Title: 9, Degree: 4, Karma: 3, Stats: Stats{20, 10, 0, 0, 0, 0, 0, 8}}
	for _, v := range []struct {
		name  string
		need  Need
		lacks RejectReason
	}{
		{"none", Need{}, 0},
		{"title, which the table has less one", Need{Title: 9}, 0},
		{"title one short", Need{Title: 10}, LacksTitle},
		{"degree", Need{Degree: 5}, LacksDegree},
		{"stats that are there", Need{Stats: Stats{20, 10, 0, 0, 0, 0, 0, 8}}, 0},
		{"strength that is not", Need{Stats: Stats{21}}, Lacking},
		{"accuracy that is not", Need{Stats: Stats{0, 0, 1}}, Lacking},
		{"fire that is not", Need{Stats: Stats{0, 0, 0, 0, 0, 0, 0, 9}}, Lacking},
		{"karma within", Need{KarmaMin: 2, KarmaMax: 4}, 0},
		{"karma too bad", Need{KarmaMin: 4, KarmaMax: 5}, KarmaTooBad},
		{"karma too good", Need{KarmaMin: 1, KarmaMax: 2}, KarmaTooGood},
		{"title and strength", Need{Title: 10, Stats: Stats{21}}, LacksTitle},
	} {
		if got := able.Lacks(&v.need); got != v.lacks {
			t.Errorf("%s: %v, want %v", v.name, got, v.lacks)
		}
	}
	reborn := Wearer{Title: CycleLevels + 3}
	if reborn.Lacks(&Need{Title: 4}) == 0 || reborn.Lacks(&Need{Title: 3}) != 0 {
		t.Error("levels do not count from the last rebirth")
	}
}

// emblem is the game id of the emblem of a guild and rank.
func emblem(guild, rank int) int { return 5500 + 100*(guild-1) + rank }

func TestEmblemsAreForMembers(t *testing.T) {
	worn := Kind{GameID: emblem(3, 2), Class: ClassGuildEmblem}
	for _, v := range []struct {
		guild, rank int
		may         bool
	}{{3, 2, true}, {3, 5, true}, {3, 1, false}, {2, 5, false}, {0, 0, false}} {
		by := Wearer{Guild: v.guild, GuildRank: v.rank}
		if by.MayWear(&worn) != v.may {
			t.Errorf("guild %d rank %d: expected %v", v.guild, v.rank, v.may)
		}
	}
	if !new(Wearer).MayWear(&Kind{GameID: emblem(3, 2), Class: 750}) {
		t.Error("armour wants a guild")
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
	for _, v := range []struct{ title, degree, rank int }{{1, 1, 1}, {5, 1, 1}, {6, 1, 2}, {1, 11, 3}, {46, 20, 10},
		{60, 60, 12}} {
		if got := (&Wearer{Title: v.title - 1, Degree: v.degree - 1}).Rank(); got != v.rank {
			t.Errorf("title %d degree %d: rank %d, want %d", v.title, v.degree, got, v.rank)
		}
	}
	if worn := (&Kind{GameID: 6403, Class: 2000, Tier: 9}); worn.Rank() != 3 {
		t.Errorf("an emblem of rank 3 has rank %d", worn.Rank())
	}
	if armour := (&Kind{GameID: 6403, Class: 750, Tier: 9}); armour.Rank() != 9 {
		t.Errorf("armour of tier 9 has rank %d", armour.Rank())
	}
}
