package rules

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A find is a part of the loot in bags: items of some classes.
type find struct {
	weight  func(*LootWeights) int
	classes []int
	gear    bool // kinds that traders sell, with a suffix at times
	suffix  bool // always with one
	stack   bool // several of it
	lesser  bool // of all tiers up to that of the monster
}

var finds = []find{
	{weight: func(w *LootWeights) int { return w.Ring }, classes: []int{ClassRing}, gear: true, suffix: true},
	{weight: func(w *LootWeights) int { return w.Bracelet }, classes: []int{759}, gear: true},
	{weight: func(w *LootWeights) int { return w.Mantra }, classes: mantras},
	{weight: func(w *LootWeights) int { return w.Powder }, classes: []int{classPowder}, stack: true},
	{weight: func(w *LootWeights) int { return w.Alchemy }, classes: materials, lesser: true},
	{weight: func(w *LootWeights) int { return w.Axe }, classes: []int{501}, gear: true},
	{weight: func(w *LootWeights) int { return w.Sword }, classes: []int{500}, gear: true},
	{weight: func(w *LootWeights) int { return w.Crossbow }, classes: []int{502}, gear: true},
	{weight: func(w *LootWeights) int { return w.Robe }, classes: []int{761}, gear: true},
	{weight: func(w *LootWeights) int { return w.Amulet }, classes: []int{751}, gear: true},
	{weight: func(w *LootWeights) int { return w.Shield }, classes: []int{756}, gear: true},
	{weight: func(w *LootWeights) int { return w.Boots }, classes: []int{752}, gear: true},
}

// materials are classes of materials that grow or are found.
var materials = []int{600, 601, 602}

const classPowder = 453

// Loot rolls the loot of a monster of a level, which starts at 1: new items in slots counted from 0, none for no bag.
// They are of kinds that the tables have. Source: protocol fight 10.
func (t *Tables) Loot(r *rand.Rand, b *LootBalance, m *Monster, level int) []Item {
	if slices.Contains(b.Nothing, m.ID) {
		return nil
	}
	var out []Item
	for _, trophy := range m.Trophies {
		k := t.Kind(trophy.Kind)
		if k == nil || k.Class <= 0 {
			continue
		}
		for range often(r, b.Factor*float64(trophy.Chance)/1000) {
			out = append(out, t.NewItem(k, NoSuffix, b.count(r, k, k.Class == classPowder), nil))
		}
	}
	tier := b.tier(level)
	for range often(r, b.Factor*b.Bag) {
		for range 1 + weighted(r, b.Things[:]) {
			out = t.find(out, r, b, tier)
		}
	}
	return slots(out[:min(len(out), ClassOf(ClassLootBag).Room)])
}

// often rolls how many times something happens that does so mean times in the mean: a chance, if that is below 1.
func often(r *rand.Rand, mean float64) int {
	n := math.Floor(min(max(mean, 0), mostLoot))
	if r.Float64() < mean-n {
		n++
	}
	return int(n)
}

// mostLoot is how often more than a bag holds is rolled at most.
const mostLoot = 20

// tier is the tier of the loot of monsters of a level.
func (b *LootBalance) tier(level int) int { return max(level-1, 0)/max(b.TierLevels, 1) + 1 }

// slots puts items into the slots of a bag.
func slots(items []Item) []Item {
	for i := range items {
		items[i].Slot = i
	}
	return items
}

// find adds one item of a tier, or none if the tables have none.
func (t *Tables) find(out []Item, r *rand.Rand, b *LootBalance, tier int) []Item {
	weights := make([]int, len(finds))
	choices := make([][]*Kind, len(finds))
	for i := range finds {
		if choices[i] = t.choices(&finds[i], tier); len(choices[i]) > 0 {
			weights[i] = max(finds[i].weight(&b.Weights), 0)
		}
	}
	i := weighted(r, weights)
	if len(choices[i]) == 0 {
		return out
	}
	k := choices[i][r.IntN(len(choices[i]))]
	suffix := NoSuffix
	if n := len(t.Suffixes(k.SuffixLetter())); n > 0 && finds[i].gear && (finds[i].suffix || r.Float64() < b.Suffix) {
		suffix = r.IntN(n)
	}
	return append(out, t.NewItem(k, suffix, b.count(r, k, finds[i].stack), nil))
}

// choices are the kinds of a tier, or of the nearest one below.
func (t *Tables) choices(f *find, tier int) (all []*Kind) {
	for _, class := range f.classes {
		for _, k := range t.byClass[class] { // by tier
			if k.Tier <= tier && k.GameID != 0 && (!f.gear || k.New()) {
				all = append(all, k)
			}
		}
	}
	if f.lesser || len(all) == 0 {
		return all
	}
	best := slices.MaxFunc(all, func(a, b *Kind) int { return a.Tier - b.Tier }).Tier
	return slices.DeleteFunc(all, func(k *Kind) bool { return k.Tier != best })
}

// gear lists the gear of a tier that bags hold, fine: only gear that can have a suffix.
func (t *Tables) gear(tier int, fine bool) (all []*Kind) {
	for i := range finds {
		if !finds[i].gear {
			continue
		}
		for _, k := range t.choices(&finds[i], tier) {
			if !fine || len(t.Suffixes(k.SuffixLetter())) > 0 {
				all = append(all, k)
			}
		}
	}
	return all
}

// count is how many items of a kind there are.
func (b *LootBalance) count(r *rand.Rand, k *Kind, several bool) int {
	if !several {
		return 1
	}
	least, most := max(b.StackMin, 1), max(b.StackMax, b.StackMin, 1)
	return min(least+r.IntN(most-least+1), max(k.Stack, 1))
}

// weighted draws an index; 0 if all weights are.
func weighted(r *rand.Rand, weights []int) int {
	total := 0
	for _, w := range weights {
		total += w
	}
	if total <= 0 {
		return 0
	}
	n := r.IntN(total)
	for i, w := range weights {
		if n -= w; n < 0 {
			return i
		}
	}
	return 0
}
