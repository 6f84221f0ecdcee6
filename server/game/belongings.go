package game

import (
	"sphereserver/world"
	"sphereserver/world/rules"
)

// putLying puts the lying items into the world when the server starts, each with its contents.
func putLying(w *world.World, items []rules.StoredItem) {
	heaps := map[rules.ItemID][]rules.Item{}
	var order []*rules.StoredItem
	in := map[rules.ItemID]rules.ItemID{}
	for i := range items {
		in[items[i].ID] = items[i].In
	}
	for i := range items {
		it := &items[i]
		root := it.ID
		for n := 0; in[root] != 0 && n <= len(items); n++ {
			root = in[root]
		}
		heaps[root] = append(heaps[root], it.Item)
		if it.In == 0 {
			order = append(order, it)
		}
	}
	for _, it := range order {
		w.Do(world.RestoreGroundItem{Things: rules.BagsFirst(heaps[it.ID]), Lying: *it.OnGround,
			Over: rules.AmongInstances(it.OnGround.At)})
	}
}
