package rules

import (
	"math/rand/v2"
	"slices"
)

// Chest rolls the contents of a chest in a dungeon with monsters of a level, which starts at 1: new items, none for
// an empty one. They are of kinds that the tables have, each in a slot of its own that is drawn, in the order of the
// slots.
//
// Source: protocol life 4.4, where kinds of things were seen; fight 2, X20 and X21 the slots.
func (t *Tables) Chest(r *rand.Rand, b *Balance, level int) (out []Item) {
	tier := b.Loot.tier(level)
	for range weighted(r, b.Chest.Things[:]) {
		out = t.find(out, r, &b.Loot, tier)
	}
	taken := r.Perm(max(min(b.Chest.Slots, ClassOf(ClassChest).Room), len(out)))[:len(out)]
	slices.Sort(taken)
	for i := range out {
		out[i].Slot = taken[i]
	}
	return out
}

// Called rolls the type of the monster that a chest calls when it is opened, in a dungeon with monsters of a level,
// which starts at 1; 0 for none.
//
// Source: protocol fight 2, X21; that the chest calls it is inferred.
func (t *Tables) Called(r *rand.Rand, b *Balance, level int) int {
	types := t.preyAt(level)
	if r.Float64() >= b.Chest.Calls || len(types) == 0 {
		return 0
	}
	return types[r.IntN(len(types))]
}

// Trap rolls how many HP the trap of a chest takes from the player that opens it, in a dungeon with monsters of a
// level, which starts at 1; 0 for a chest without one.
//
// Source: protocol life 1.1, 4.4; that it grows with the level is ours.
func (b *ChestBalance) Trap(r *rand.Rand, level int) int {
	if r.Float64() >= b.Trapped {
		return 0
	}
	least := max(b.TrapMin, 1)
	return least + r.IntN(max(b.TrapMax-least, 0)+1) + max(level-1, 0)*max(b.TrapLevel, 0)
}
