package view

import (
	"slices"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// This file tells players about changes of items: moved, picked up, dropped, dragged. Recorded answers are one body
// each; so are ours.
//
// Source: protocol ingame 10.4 to 10.6.

// recordsAtOnce is how many records of items go into one body: about as many as in recordings.
const recordsAtOnce = 4

// encodeFor has something encoded for the client of a player, and sends it as one body, with the records after it.
func (v *View) encodeFor(id world.PlayerID, encode func(*itemEncoder)) {
	c := v.tells(id)
	if c == nil {
		return
	}
	f := itemEncoder{tables: v.Tables, ids: &c.IDs, me: c.ID()}
	encode(&f)
	v.sendBody(c, f.sections)
	for few := range slices.Chunk(f.records, recordsAtOnce) {
		v.sendBody(c, few)
	}
}

// contained puts an item into its container. at is where it lay, the zero value if it was in something.
func contained(at coords.Position, lay bool, parent packets.ObjectID) []packets.Region {
	state := &packets.TransformState{X: packets.ContainedX, Placement: packets.Contained}
	if lay {
		state.X, state.Y, state.Z = at.X, at.Y, at.Z
	}
	return []packets.Region{state, containerRegion(&packets.PutInto{Parent: parent})}
}

// released takes an item out of its container, and puts it on the ground.
func released(at coords.Position, facing float32) []packets.Region {
	return []packets.Region{lying(at, facing), containerRegion(&packets.LeaveContainer{})}
}

func lying(at coords.Position, facing float32) packets.Region {
	return &packets.TransformState{X: at.X, Y: at.Y, Z: at.Z, Angle: coords.EncodeAngle8(facing), Placement: packets.Lying}
}

// ItemMoved answers a move inside of a container: the slot that was left, then the one that was filled; if two items
// have traded places, the first slot once more, with the other item.
func (v *View) ItemMoved(e world.ItemMoved) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		left := world.SlotNow{In: e.In, Slot: e.From}
		slot := func(n int) world.SlotNow {
			for _, now := range e.Slots {
				if now.In == e.In && now.Slot == n {
					return now
				}
			}
			return world.SlotNow{In: e.In, Slot: n}
		}
		switch {
		case e.Merged != nil:
			f.fill(left)
			f.filled(e.Slots)
			f.count(e.Merged, e.Merged.Count)
			f.removeItems(e.Item)
		case e.From == e.Item.Slot: // it is where it was
			f.fill(slot(e.From))
		default:
			f.fill(left)
			f.fill(slot(e.Item.Slot))
			if e.Other != nil {
				f.fill(slot(e.From))
			}
		}
	})
}

// ItemsWorn sends each item again, with its present durability. No recording shows it.
//
// Source: protocol fight 7.5.
func (v *View) ItemsWorn(e world.ItemsWorn) {
	v.encodeFor(e.ID, func(f *itemEncoder) { f.record(e.Items, f.me) })
}

// ItemsRepaired sends each item again, with its present durability, after the money. No recording shows it.
func (v *View) ItemsRepaired(e world.ItemsRepaired) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		f.mine(moneyRegion(e.Money))
		f.record(e.Items, f.me)
	})
}

// TookUp answers a pick-up: the slot of the bag, the items, the player's slots.
func (v *View) TookUp(e world.TookUp) {
	var unknown []rules.Item // came in a bag, and the client does not know them yet
	v.encodeFor(e.ID, func(f *itemEncoder) {
		f.cleared(e.Slots)
		for i := range e.Items {
			unknown = append(unknown, f.take(&e.Items[i], 0)...)
		}
		f.filled(e.Slots)
		for i := range e.Items {
			f.merged(&e.Items[i])
		}
		if bag, ok := f.ids.Object(e.Object); ok && e.Gone {
			f.lose(e.Object)
			f.remove(bag)
		}
	})
	v.encodeFor(e.ID, func(f *itemEncoder) { f.record(f.learn(unknown, 0), f.me) })
	v.encodeFor(e.ID, func(f *itemEncoder) { f.fillBags(unknown, unknown) })
}

// take brings an item to its new container, and returns those of its contents that the client does not know. of is
// the holder: the client loses the item together with it.
func (f *itemEncoder) take(t *world.Taken, of world.EntityID) (unknown []rules.Item) {
	if t.Merged {
		return nil
	}
	it, ok := f.ids.Item(t.Item.ID)
	if t.FromGround {
		it, ok = f.ids.Object(t.From.Object)
	}
	if !ok {
		return nil
	}
	parent := f.me
	if bag, ok := f.ids.Item(t.Into.In); ok {
		parent = bag.objectID()
	} else if bag, ok := f.ids.Object(of); ok {
		parent = bag.objectID()
	} else if bag, ok := f.ids.vaultShown(); ok && of == InVault {
		parent = bag.objectID()
	}
	f.aboutItem(it, contained(it.At, t.FromGround, parent)...)
	f.ids.change(it.objectID(), func(k *IDEntry) { k.Kind, k.Object, k.Item, k.Holder = ItemEntry, 0, t.Into.ID, of })
	for _, in := range t.Inside {
		if k, ok := f.ids.Item(in.ID); ok {
			f.ids.change(k.objectID(), func(k *IDEntry) { k.Holder = of })
		} else {
			unknown = append(unknown, in)
		}
	}
	return unknown
}

// merged tells of a stack that has grown, and removes the items that were added to it. An item that lay by itself is
// removed when it vanishes.
func (f *itemEncoder) merged(t *world.Taken) {
	if !t.Merged {
		return
	}
	f.count(&t.Into, t.Into.Count)
	f.removeItems(t.Item)
}

// PutAway answers when an item was put into a bag that lies in the world, or into the vault.
func (v *View) PutAway(e world.PutAway) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		f.cleared(e.Slots)
		of := e.Into.Object
		for _, now := range e.Slots { // a bag in the bag that lies
			of = max(of, now.In.Object)
		}
		if of == 0 {
			of = InVault
		}
		f.take(&e.Item, of)
		f.filled(e.Slots)
		f.merged(&e.Item)
	})
}

// DropHeight is how far a dropped item falls, in metres: recordings show it where the player is, and then lying lower
// by as much.
const DropHeight = 1

// ItemDropped answers a drop: the item leaves the player, its slot is empty, it comes to lie. The client loses its
// contents.
func (v *View) ItemDropped(e world.ItemDropped) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		it, ok := f.ids.Item(e.Item.ID)
		if !ok {
			return
		}
		from := e.At
		from.Y += DropHeight
		f.removeItems(e.Inside...)
		f.aboutItem(it, released(from, e.At.Yaw)...)
		f.cleared(e.Slots)
		f.filled(e.Slots)
		f.aboutItem(it, lying(e.At, 0))
		f.ids.change(it.objectID(), func(k *IDEntry) {
			k.Kind, k.Object, k.Item, k.Holder, k.At = GroundItemEntry, e.Object, 0, 0, e.At
		})
	})
}

// Dragged shows where an object lies now, to the player that has dragged it and to its viewers.
func (v *View) Dragged(e world.Dragged) {
	for d := range packets.Classic + 1 {
		delete(v.objects, sketch{e.Object, d}) // its former spawn
	}
	v.showMoved(e.Viewers, e.Object, e.To,
		func(id packets.ObjectID, class packets.Class) *packets.Body {
			return packets.Message(v.clock, id, class, lying(e.To, 0))
		})
}

// BagChanged tells players that have a bag open how others have changed it.
func (v *View) BagChanged(e world.BagChanged) {
	for _, id := range e.To {
		v.encodeFor(id, func(f *itemEncoder) {
			bag, ok := f.ids.Object(e.Object)
			if !ok {
				return
			}
			f.cleared(e.Slots)
			f.removeItems(e.Left...)
			f.learn(e.Came, e.Object)
			f.filled(e.Slots)
			f.record(e.Came, bag.objectID())
		})
	}
}

// Granted shows a player an operator's changes of its items and money.
func (v *View) Granted(e world.Granted) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		f.exchange(e.Came, e.Gone, e.Slots)
		switch e.Command.(type) {
		case world.GiveMoney:
			f.mine(moneyRegion(e.Money))
		case world.ShowAgain:
			if bank, ok := f.ids.vaultShown(); ok {
				f.lose(InVault)
				f.remove(bank)
				f.showVault()
			}
		}
	})
}

// Stolen tells of a theft, the victim by the client's own line.
//
// Source: protocol life 1.3, 5.4. How that line is told of money is not known.
func (v *View) Stolen(e world.Stolen) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		if k, ok := f.ids.Item(e.Thing.ID); ok && e.ID == e.From {
			f.mine(managerRegion(&packets.Stolen{From: playerID(e.By), Item: packets.ObjectID(k.ID), Count: uint32(e.Count)}))
		}
		f.exchange(e.Came, e.Gone, e.Slots)
		if e.Thing.ID == 0 {
			f.mine(moneyRegion(e.Money))
		}
	})
}

// exchange takes items from the client's own player and gives it others.
func (f *itemEncoder) exchange(came, gone []rules.Item, slots []world.SlotNow) {
	f.cleared(slots)
	f.removeItems(gone...)
	for i := range came { // onto stacks that the client knows
		f.count(&came[i], came[i].Count)
	}
	f.record(f.learn(came, 0), f.me)
	f.filled(slots)
}
