package rules

import (
	"reflect"
	"testing"
)

// lootTables have a sword of each of two tiers, an old one, rings with suffixes, powders, and nothing else.
func lootTables(t *testing.T) *Tables {
	t.Helper()
	kinds := []Kind{
		{ID: 1, GameID: 1, Class: 500, Table: "swords_n", Tier: 1, Group: "A", Columns: Columns{Durability: 70}},
		{ID: 2, GameID: 2, Class: 500, Table: "swords_n", Tier: 3, Group: "A"},
		{ID: 3, GameID: 3, Class: 500, Table: "swords", Tier: 1, Group: "A"},
		{ID: 4, GameID: 4, Class: ClassRing, Table: "rings_n", Tier: 1, Group: "A"},
		{ID: 501, GameID: 501, Class: classPowder, Stack: 10},
		{ID: 140, GameID: 140, Class: 709, Stack: 100},
		{ID: 150, GameID: 150, Stack: 100}, // of no class: nothing that clients know
	}
	tables, err := NewTables(kinds, []Suffix{{Letter: "A", Index: 0}, {Letter: "A", Index: 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

func TestLootFitsTheMonster(t *testing.T) {
	tables, b := lootTables(t), DefaultBalance().Loot
	b.Bag = 1
	for _, v := range []struct{ level, sword int }{{1, 1}, {5, 1}, {10, 1}, {11, 2}, {60, 2}} {
		r, things, suffixed, plain := dice(1), 0, 0, 0
		for range 400 {
			for slot, i := range tables.Loot(r, &b, &Monster{}, v.level) {
				things++
				k := tables.KindOf(&i)
				switch {
				case i.ID != 0 || i.In != 0 || i.Slot != slot || i.Weight != k.Weight:
					t.Fatalf("not a new thing of a bag: %+v", i)
				case k.Class == 500 && k.ID != v.sword:
					t.Fatalf("level %d: a sword of tier %d from %s", v.level, k.Tier, k.Table)
				case k.Class == ClassRing && i.Suffix == NoSuffix, k.Class == classPowder && i.Suffix != NoSuffix:
					t.Fatalf("suffix %d of class %d", i.Suffix, k.Class)
				case k.Class == classPowder && (i.Count < 3 || i.Count > 10), k.Class != classPowder && i.Count != 1:
					t.Fatalf("%d of class %d", i.Count, k.Class)
				case k.Class == 500 && i.Suffix == NoSuffix:
					plain++
				case k.Class == 500:
					suffixed++
				}
			}
		}
		if things < 600 || things > 1000 {
			t.Errorf("%d things in 400 bags", things)
		}
		if share := float64(suffixed) / float64(suffixed+plain); share < 0.12 || share > 0.4 {
			t.Errorf("%d of %d swords have suffixes", suffixed, suffixed+plain)
		}
	}
}

func TestLootIsTheSameForTheSameDice(t *testing.T) {
	tables, b := lootTables(t), DefaultBalance().Loot
	m := &Monster{Trophies: [2]Trophy{{501, 300}, {140, 500}}}
	one, other := dice(9), dice(9)
	for range 100 {
		if x, y := tables.Loot(one, &b, m, 12), tables.Loot(other, &b, m, 12); !reflect.DeepEqual(x, y) {
			t.Fatalf("%+v and %+v", x, y)
		}
	}
}

func TestTrophies(t *testing.T) {
	tables, b := lootTables(t), DefaultBalance().Loot
	b.Bag = 0
	found := map[int]int{}
	r := dice(2)
	for range 2000 {
		for _, i := range tables.Loot(r, &b, &Monster{Trophies: [2]Trophy{{501, 150}, {140, 70}}}, 1) {
			found[i.GameID]++
			if most := map[int]int{501: 10, 140: 1}[i.GameID]; i.Count < min(3, most) || i.Count > most {
				t.Fatalf("%d of kind %d", i.Count, i.GameID)
			}
		}
	}
	if found[501] < 230 || found[501] > 370 || found[140] < 90 || found[140] > 190 || len(found) != 2 {
		t.Errorf("trophies of 2000 kills: %v", found)
	}
	if got := tables.Loot(r, &b, &Monster{Trophies: [2]Trophy{{9999, 1000}, {0, 1000}}}, 1); got != nil {
		t.Errorf("a trophy of no kind: %+v", got)
	}
	if got := tables.Loot(r, &b, &Monster{Trophies: [2]Trophy{{150, 1000}}}, 1); got != nil {
		t.Errorf("a trophy of no class: %+v", got)
	}
	if got := tables.Loot(r, &b, &Monster{ID: 1170, Trophies: [2]Trophy{{501, 1000}}}, 1); got != nil {
		t.Errorf("the practice target leaves %+v", got)
	}
}

func TestBagsAreAsOftenAsTheBalanceSays(t *testing.T) {
	tables, b := lootTables(t), DefaultBalance().Loot
	r, bags, sizes := dice(4), 0, [5]int{}
	for range 4000 {
		n := len(tables.Loot(r, &b, &Monster{}, 1))
		if sizes[n]++; n > 0 {
			bags++
		}
	}
	if bags < 2250 || bags > 2550 {
		t.Errorf("%d bags of 4000 kills", bags)
	}
	for n, want := range map[int]float64{1: 0.3, 2: 0.5, 3: 0.12, 4: 0.08} {
		if share := float64(sizes[n]) / float64(bags); share < want-0.04 || share > want+0.04 {
			t.Errorf("%d things in %v of the bags, expected %v", n, share, want)
		}
	}
	var none Tables
	if got := none.Loot(r, &b, &Monster{}, 1); got != nil {
		t.Errorf("without tables: %+v", got)
	}
	broken := LootBalance{Factor: 1, Bag: 1, StackMin: -5, StackMax: -9, Weights: LootWeights{Powder: 1}}
	if got := tables.Loot(r, &broken, &Monster{}, 1); len(got) != 1 || got[0].Count != 1 {
		t.Errorf("with impossible numbers: %+v", got)
	}
}

// A ring that bags give with a suffix only has none if the tables have none.
func TestRingsWithoutSuffixes(t *testing.T) {
	tables, err := NewTables([]Kind{{ID: 4, GameID: 4, Class: ClassRing, Table: "rings_n", Tier: 1, Group: "A"}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := DefaultBalance().Loot
	b.Bag = 1
	if got := tables.Loot(dice(1), &b, &Monster{}, 1); len(got) == 0 || got[0].Class != ClassRing || got[0].Suffix != NoSuffix {
		t.Errorf("%+v", got)
	}
}
