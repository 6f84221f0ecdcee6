package game

import (
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// putLying puts into the world what lies there when the server starts: each thing that lies, with all that is in it.
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
		w.Do(world.RestoreGroundItem{Things: rules.BagsFirst(heaps[it.ID]), Lying: *it.OnGround})
	}
}

// weigh is what a thing weighs on the wire, with all that is in it, of a list that has all of that.
func weigh(t *rules.Item, all []rules.Item) int32 {
	w := int32(t.Weight * max(t.Count, 1))
	for i := range all {
		if all[i].In == t.ID && t.ID != 0 {
			w += weigh(&all[i], all)
		}
	}
	return w
}

// isSack and isBook say which containers are told of in which way.
//
// Source: protocol ingame 9.1.
func isSack(c packets.Class) bool { return c == packets.ClassSack }

// holds says whether things can lie in a thing of a class, and its spawn says so.
func holds(c packets.Class) bool {
	switch c {
	case 400, 401, 404, packets.ClassSack, 409, 410, 411, 412, 413, 419, 423, 427, packets.ClassBackpack, 3084:
		return true
	}
	return false
}

// isMantra says whether a class is one of those that have no owner on the wire.
func isMantra(c packets.Class) bool { return c == 1000 || c == 1001 }
