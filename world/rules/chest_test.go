package rules

import (
	"math/rand/v2"
	"testing"
)

func TestLifeChestsHoldWhatTheirWeightsSay(t *testing.T) {
	b := DefaultBalance()
	kinds := []Kind{{ID: 900, GameID: 900, Class: 600, Tier: 1, Stack: 1}, {ID: 901, GameID: 901, Class: 601, Tier: 9, Stack: 1}}
	tables, err := NewTables(kinds, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, counts := rand.New(rand.NewPCG(1, 2)), [4]int{}
	for range 1400 {
		things := tables.Chest(r, b, 1)
		counts[len(things)]++
		for i := range things {
			if things[i].GameID != 900 || things[i].Slot >= b.Chest.Slots || i > 0 && things[i].Slot <= things[i-1].Slot || things[i].Count != 1 {
				t.Fatalf("at level 1 it holds %+v", things[i])
			}
		}
	}
	for n, weight := range b.Chest.Things {
		if want := weight * 100; counts[n] < want*7/10 || counts[n] > want*13/10 {
			t.Errorf("%d chests of 1400 hold %d things, expected about %d", counts[n], n, want)
		}
	}
	b.Chest.Things, b.Chest.Slots = [4]int{3: 1}, 0
	for i, it := range tables.Chest(r, b, 1) {
		if it.Slot != i {
			t.Errorf("with too few slots thing %d is in slot %d", i, it.Slot)
		}
	}
	b.Chest.Things = [4]int{}
	if things := tables.Chest(r, b, 1); len(things) != 0 {
		t.Errorf("without weights it holds %+v", things)
	}
}

// Each of the slots holds something at times.
func TestLifeThingsLieInDrawnSlots(t *testing.T) {
	b := DefaultBalance()
	tables, err := NewTables([]Kind{{ID: 900, GameID: 900, Class: 600, Tier: 1, Stack: 1}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, seen := rand.New(rand.NewPCG(1, 2)), map[int]bool{}
	for range 500 {
		for _, it := range tables.Chest(r, b, 1) {
			seen[it.Slot] = true
		}
	}
	if len(seen) != 7 {
		t.Errorf("things lie in %v", seen)
	}
}

func TestLifeWhomAChestCalls(t *testing.T) {
	b := DefaultBalance()
	tables, err := NewTables(nil, nil, []Monster{{ID: 1010, High: 4, HPBase: 80, Attack: -6}, {ID: 1060, Low: 8, High: 12,
		HPBase: 80, Attack: -6}})
	if err != nil {
		t.Fatal(err)
	}
	r, called := rand.New(rand.NewPCG(1, 2)), map[int]int{}
	for range 1000 {
		called[tables.Called(r, b, 2)]++
	}
	if called[1010] < 850 || called[1010] > 950 || called[0]+called[1010] != 1000 {
		t.Errorf("at level 2: %v", called)
	}
	if of := tables.Called(r, b, 50); of != 0 {
		t.Errorf("at level 50 comes %d", of)
	}
	b.Chest.Calls = 0
	if of := tables.Called(r, b, 2); of != 0 {
		t.Errorf("a chest that calls nobody calls %d", of)
	}
}

// Recorded traps took 21 to 85.
func TestLifeTrapsOfChests(t *testing.T) {
	b := DefaultBalance().Chest
	r := rand.New(rand.NewPCG(3, 4))
	least, most := 1000, 0
	for range 5000 {
		hp := b.Trap(r, 1)
		least, most = min(least, hp), max(most, hp)
	}
	if least != 21 || most != 85 {
		t.Errorf("they take %d to %d", least, most)
	}
	for _, c := range []struct {
		b     ChestBalance
		level int
		want  int
	}{
		{ChestBalance{}, 1, 0}, {ChestBalance{Trapped: 1}, 1, 1}, {ChestBalance{Trapped: 1, TrapMin: 30, TrapMax: 5}, 1, 30},
		{ChestBalance{Trapped: 1, TrapMin: 30, TrapMax: 30, TrapLevel: 4}, 11, 70},
		{ChestBalance{Trapped: 1, TrapMin: 30, TrapMax: 30, TrapLevel: -4}, 11, 30},
		{ChestBalance{Trapped: 1, TrapMin: 30, TrapMax: 30, TrapLevel: 4}, -3, 30},
	} {
		if got := c.b.Trap(r, c.level); got != c.want {
			t.Errorf("%+v at level %d takes %d, expected %d", c.b, c.level, got, c.want)
		}
	}
}
