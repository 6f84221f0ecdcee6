package game

import (
	"slices"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// This file turns things of the store into those of the world and back.

func worldThing(i *data.Item) rules.Item {
	return rules.Item{ID: rules.ItemID(i.ID), In: rules.ItemID(i.Container), Slot: i.Slot, Class: i.Class, GameID: i.GameID, Suffix: i.Suffix,
		Count: i.Count, Durability: i.Durability, MaxDurability: i.MaxDurability, Premium: i.Premium, Bound: i.Bound, Weight: i.Weight, Extra: i.Extra}
}

// worldThings keeps the order, but puts bags before what is in them.
func worldThings(items []data.Item) []rules.Item {
	out := make([]rules.Item, len(items))
	for i := range items {
		out[i] = worldThing(&items[i])
	}
	return bagsFirst(out)
}

// bagsFirst sorts things by how many bags they are in.
func bagsFirst(all []rules.Item) []rules.Item {
	in := map[rules.ItemID]rules.ItemID{}
	for i := range all {
		in[all[i].ID] = all[i].In
	}
	depth := func(t rules.Item) (n int) {
		for id := t.In; id != 0 && n <= len(all); id = in[id] {
			n++
		}
		return n
	}
	slices.SortStableFunc(all, func(a, b rules.Item) int { return depth(a) - depth(b) })
	return all
}

func storedItem(t *rules.StoredItem) *data.Item {
	if t == nil {
		return nil
	}
	i := &data.Item{ID: data.ItemID(t.ID), Owner: data.CharacterID(t.Owner), Vault: data.AccountID(t.Vault), Container: data.ItemID(t.In),
		Slot: t.Slot, Class: t.Class, GameID: t.GameID, Suffix: t.Suffix, Count: t.Count, Durability: t.Durability,
		MaxDurability: t.MaxDurability, Premium: t.Premium, Bound: t.Bound, Weight: t.Weight, Extra: t.Extra}
	if l := t.OnGround; l != nil {
		i.World = data.Lying{There: true, At: data.Position(l.At), Expires: l.Expires, Promised: data.CharacterID(l.Promised),
			PromisedUntil: l.PromisedUntil}
	}
	return i
}

// storedChange is a change as the store takes it.
func storedChange(c *rules.Change) (out data.Change) {
	for _, t := range c.Items {
		out.Items = append(out.Items, data.ItemChange{Was: storedItem(t.Was), Is: storedItem(t.Is)})
	}
	for _, m := range c.Money {
		out.Money = append(out.Money, data.MoneyChange{Character: data.CharacterID(m.Character), Was: m.Was, Is: m.Is})
	}
	for i := range c.Progress {
		s := &c.Progress[i]
		sheet := data.Character{ID: data.CharacterID(s.Character)}
		setSheet(&sheet, s.Title, s.Degree, &s.Progress, &s.Pools)
		out.Sheets = append(out.Sheets, sheet)
	}
	return out
}

// putLying puts into the world what lies there when the server starts: each thing that lies, with all that is in it.
func putLying(w *world.World, items []data.Item) {
	heaps := map[data.ItemID][]rules.Item{}
	var order []*data.Item
	in := map[data.ItemID]data.ItemID{}
	for i := range items {
		in[items[i].ID] = items[i].Container
	}
	for i := range items {
		it := &items[i]
		root := it.ID
		for n := 0; in[root] != 0 && n <= len(items); n++ {
			root = in[root]
		}
		heaps[root] = append(heaps[root], worldThing(it))
		if it.Container == 0 {
			order = append(order, it)
		}
	}
	for _, it := range order {
		l := &it.World
		w.Do(world.RestoreGroundItem{Things: bagsFirst(heaps[it.ID]), Lying: rules.OnGround{At: coords.Position(l.At), Expires: l.Expires,
			Promised: int64(l.Promised), PromisedUntil: l.PromisedUntil}})
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
