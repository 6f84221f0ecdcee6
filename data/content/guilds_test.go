package content

import (
	"testing"
	"time"

	"sphereserver/world/rules"
)

// Each ability, of the first and of the last rank: its effect and what that changes, how long it lasts, how far it
// reaches, and how long it rests. Source: protocol life 5.2, and docs/protocol/guilds.md for what is ours.
func TestAbilitiesOfAllGuilds(t *testing.T) {
	type at struct {
		effect, bonus, seconds, reach, rest int
	}
	attack := func(b rules.Bonus) int { return -b.Attack }
	defence := func(b rules.Bonus) int { return b.PhysicalDefence }
	health := func(b rules.Bonus) int { return b.HP }
	none := func(rules.Bonus) int { return 0 }
	for _, v := range []struct {
		id          int
		name        string
		of          func(rules.Bonus) int
		first, last at
	}{
		{5510, "invisible", none, at{1023, 0, 100, 0, 12}, at{1023, 0, 300, 0, 8}},
		{5520, "critical blow", attack, at{700, 500, 10, 0, 5}, at{700, 2600, 10, 0, 3}},
		{5530, "poison", none, at{1005, 0, 100, 4, 5}, at{1005, 0, 200, 7, 3}},
		{5610, "transport", none, at{0, 0, 0, 50, 3}, at{0, 0, 0, 50, 1}},
		{5620, "prana shield", none, at{1046, 0, 50, 0, 6}, at{1046, 0, 250, 0, 3}},
		{5630, "run of time", none, at{1035, 0, 25, 0, 4}, at{1035, 0, 100, 0, 2}},
		{5710, "rebirth", none, at{0, 0, 0, 2, 6}, at{0, 0, 0, 4, 2}},
		{5720, "fetters", none, at{1036, 0, 20, 4, 5}, at{1036, 0, 100, 7, 3}},
		{5730, "cleansing", none, at{1024, 0, 5, 0, 5}, at{1026, 0, 5, 0, 3}},
		{5810, "squirrel's eye", attack, at{705, 80, 300, 0, 5}, at{705, 1200, 200, 0, 3}},
		{5820, "double arrow", none, at{1027, 0, 50, 0, 10}, at{1027, 0, 150, 0, 5}},
		{5830, "wanderer", none, at{1028, 0, 100, 0, 6}, at{1028, 0, 150, 0, 2}},
		{5910, "abode", none, at{0, 0, 0, 0, 5}, at{0, 0, 0, 0, 3}},
		{5920, "short sight", none, at{1037, 0, 25, 5, 5}, at{1037, 0, 80, 10, 3}},
		{5930, "curse", none, at{1039, 0, 50, 4, 5}, at{1039, 0, 250, 7, 3}},
		{6010, "far sight", none, at{1034, 0, 25, 0, 5}, at{1034, 0, 100, 0, 3}},
		{6020, "berserk", attack, at{1045, 160, 50, 0, 5}, at{1045, 1500, 200, 0, 3}},
		{6030, "stun", none, at{1040, 0, 20, 3, 5}, at{1040, 0, 50, 5, 3}},
		{6110, "life of nature", health, at{711, 450, 300, 0, 5}, at{711, 2500, 300, 0, 3}},
		{6120, "beast of the night", none, at{0, 0, 0, 4, 5}, at{0, 0, 0, 8, 3}},
		{6130, "metamorphosis", none, at{1041, 0, 300, 0, 5}, at{1041, 0, 300, 0, 3}},
		{6210, "theft", none, at{0, 0, 0, 2, 5}, at{0, 0, 0, 7, 3}},
		{6220, "flight of thieves", none, at{1028, 0, 20, 0, 5}, at{1028, 0, 45, 0, 3}},
		{6230, "night shadow", none, at{1030, 0, 100, 0, 24}, at{1030, 0, 300, 0, 24}},
		{6310, "whirl of steel", none, at{0, 0, 0, 6, 5}, at{0, 0, 0, 12, 3}},
		{6320, "kamae", none, at{1031, 0, 100, 0, 5}, at{1031, 0, 200, 0, 3}},
		{6330, "divine wind", none, at{0, 0, 0, 8, 5}, at{0, 0, 0, 8, 3}},
		{6410, "mastery of armourers", attack, at{700, 60, 300, 0, 5}, at{700, 360, 300, 0, 3}},
		{6420, "flight of armourers", none, at{1042, 0, 20, 0, 5}, at{1042, 0, 50, 0, 3}},
		{6510, "mastery of blacksmiths", defence, at{901, 60, 300, 0, 5}, at{901, 360, 300, 0, 3}},
		{6520, "flight of blacksmiths", none, at{1042, 0, 20, 0, 5}, at{1042, 0, 50, 0, 3}},
		{6610, "charms", none, at{}, at{}},
		{6620, "whirlwind", none, at{1044, 0, 10, 3, 5}, at{1044, 0, 40, 6, 3}},
		{6630, "rusty armour", none, at{1043, 0, 20, 3, 5}, at{1043, 0, 50, 6, 3}},
		{6710, "call of death", none, at{0, 0, 0, 4, 5}, at{0, 0, 0, 8, 3}},
		{6720, "raising", none, at{0, 0, 0, 3, 5}, at{0, 0, 0, 6, 3}},
		{6730, "zombie", none, at{1048, 0, 50, 4, 5}, at{1048, 0, 150, 10, 3}},
		{6810, "raise the flag", defence, at{1111, 60, 300, 20, 5}, at{1111, 360, 300, 20, 3}},
		{6820, "unshakable", none, at{1051, 0, 50, 7, 5}, at{1051, 0, 150, 10, 3}},
		{6830, "fort", defence, at{1011, 1000, 10, 0, 5}, at{1011, 10000, 60, 0, 3}},
	} {
		for i, want := range []at{v.first, v.last} {
			rank := i * (rules.GuildRanks - 1)
			k := Default().Kind(v.id + rank)
			if k == nil {
				t.Errorf("%s: there is none of rank %d", v.name, rank)
				continue
			}
			e, _ := rules.EffectOf(k, &k.Columns)
			is := at{e.ID, v.of(e.Bonus), int(e.Left / time.Second), k.Range, k.Reuse}
			if is != want {
				t.Errorf("%s of rank %d: it is %+v, expected %+v", v.name, rank, is, want)
			}
		}
	}
}

// A mastery grows by the same from rank to rank, is for oneself, and asks for the level of its rank.
func TestMasteriesGrowWithTheRank(t *testing.T) {
	b := rules.DefaultBalance()
	for id, of := range map[int]func(*rules.Bonus) int{
		6410: func(b *rules.Bonus) int { return -b.Attack },
		6510: func(b *rules.Bonus) int { return b.PhysicalDefence },
	} {
		for rank := range rules.GuildRanks {
			k := Default().Kind(id + rank)
			s, known := b.Effect.SpellOf(k.Class, k, &k.Columns)
			bonus := s.Effect.Bonuses()
			if !known || s.Harms() || s.Chance != 1000 || of(&bonus) != 60*(rank+1) || k.Range != 0 {
				t.Errorf("%d of rank %d: %+v", id, rank, s)
			}
			title, degree := rules.GuildNeeds((id-rules.FirstEmblem)/100+1, rank)
			if need := k.Need; need.Title != max(title-1, 0) || need.Degree != max(degree-1, 0) {
				t.Errorf("%d of rank %d needs %+v, expected title %d and degree %d", id, rank, need, title, degree)
			}
		}
	}
}
