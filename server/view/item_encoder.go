package view

import (
	"fmt"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// An itemEncoder encodes messages to one client about items, by the ids by which it knows them. It skips items that
// the client does not know.
type itemEncoder struct {
	tables   *rules.Tables
	ids      *IDTable
	me       packets.ObjectID
	sections []packets.Section // of one body
	records  []packets.Section // of items that the client is given, which follow in bodies of a few each
}

func containerRegion(c packets.Command) packets.Region { return &packets.ContMan{Command: c} }
func managerRegion(c packets.Command) packets.Region   { return &packets.Manager{Command: c} }

// about adds regions about an object: to the last section, if that is about the same.
func (f *itemEncoder) about(id packets.ObjectID, class packets.Class, regions ...packets.Region) {
	if n := len(f.sections) - 1; n >= 0 && f.sections[n].Object == id && f.sections[n].Class == class &&
		class != packets.ClassNone {
		f.sections[n].Regions = append(f.sections[n].Regions, regions...)
		return
	}
	f.sections = append(f.sections, packets.Section{Object: id, Class: class, Regions: regions})
}

// mine adds regions about the client's own player.
func (f *itemEncoder) mine(regions ...packets.Region) { f.about(f.me, packets.ClassPlayer, regions...) }

func (f *itemEncoder) aboutItem(k IDEntry, regions ...packets.Region) {
	f.about(k.objectID(), k.Class, regions...)
}

// remove takes something from the client, and frees its id.
func (f *itemEncoder) remove(k IDEntry) {
	f.ids.remove(k.objectID())
	f.sections = append(f.sections, packets.Removal(k.objectID()))
}

// removeItems removes those of some items that the client knows.
func (f *itemEncoder) removeItems(list ...rules.Item) {
	for i := range list {
		if k, ok := f.ids.Item(list[i].ID); ok {
			f.remove(k)
		}
	}
}

// lose takes from the client all that it holds together with an object.
func (f *itemEncoder) lose(of world.EntityID) {
	for _, k := range f.ids.HeldBy(of) {
		f.remove(k)
	}
}

// learn gives ids to those of some items that the client does not know, and returns them. The client will lose them
// together with holder.
func (f *itemEncoder) learn(list []rules.Item, holder world.EntityID) (fresh []rules.Item) {
	for i := range list {
		if _, ok := f.ids.Item(list[i].ID); !ok {
			f.ids.add(IDEntry{Class: packets.Class(list[i].Class), Item: list[i].ID, Holder: holder})
			fresh = append(fresh, list[i])
		}
	}
	return fresh
}

// container is the client's id and class of a container; false if it does not know it.
func (f *itemEncoder) container(c world.Container) (id packets.ObjectID, class packets.Class, ok bool) {
	var k IDEntry
	switch {
	case c == world.Container{}:
		return f.me, packets.ClassPlayer, true
	case c.Vault:
		k, ok = f.ids.vaultShown()
	case c.Object != 0:
		k, ok = f.ids.Object(c.Object)
	default:
		k, ok = f.ids.Item(c.Bag)
	}
	return k.objectID(), k.Class, ok
}

// slot adds a region about a slot of a container.
func (f *itemEncoder) slot(c world.Container, r packets.Command) {
	if id, class, ok := f.container(c); ok {
		f.about(id, class, containerRegion(r))
	}
}

// fill tells the item of a slot: none as the long form of a cleared slot.
//
// Source: protocol ingame 10.3, 10.4.
func (f *itemEncoder) fill(now world.SlotNow) {
	if now.Item == 0 {
		f.slot(now.In, &packets.FillSlot{Slot: uint8(now.Slot)})
		return
	}
	if k, ok := f.ids.Item(now.Item); ok {
		f.slot(now.In, &packets.FillSlot{Slot: uint8(now.Slot), Item: k.objectID(), Weight: int32(now.Weight)})
	}
}

// fillBags tells which slots of known bags items lie in. all has the contents of the bags in the list.
func (f *itemEncoder) fillBags(list, all []rules.Item) {
	for i := range list {
		t := &list[i]
		if _, ok := f.ids.Item(t.In); ok && t.In != 0 {
			f.fill(world.SlotNow{In: world.Container{Bag: t.In}, Slot: t.Slot, Item: t.ID, Weight: rules.Weigh(t, all)})
		}
	}
}

func (f *itemEncoder) cleared(slots []world.SlotNow) {
	for _, now := range slots {
		if now.Item == 0 {
			f.slot(now.In, &packets.ClearSlot{Slot: uint8(now.Slot)})
		}
	}
}

// filled tells which slots hold something else now, and which only weigh more or less.
func (f *itemEncoder) filled(slots []world.SlotNow) {
	for _, now := range slots {
		switch {
		case now.Item == 0:
		case now.WeightOnly:
			f.slot(now.In, &packets.SlotWeight{Slot: uint8(now.Slot), Weight: int32(now.Weight)})
		default:
			f.fill(now)
		}
	}
}

func (f *itemEncoder) count(t *rules.Item, n int) {
	if k, ok := f.ids.Item(t.ID); ok {
		f.aboutItem(k, containerRegion(stackCount(n)))
	}
}

func stackCount(n int) *packets.StackCount {
	return &packets.StackCount{Count: uint16(min(max(n, 0), 0xFFFF))}
}

// containedSpawn is the record of an item inside of something.
//
// Source: protocol ingame 9.1, 10.2.
func containedSpawn(tables *rules.Tables, t *rules.Item, id, parent, me packets.ObjectID) packets.Section {
	if t.Class == rules.ClassMission {
		return missionKey(t, id, parent)
	}
	class, known := packets.Class(t.Class), rules.ClassOf(t.Class)
	regions := []packets.Region{snapshotOf(t), containerRegion(&packets.PutInto{Parent: parent})}
	if t.Class >= rules.ClassGuildEmblem && t.Class <= rules.ClassLastAbility { // protocol ingame 10.9
		regions[1] = containerRegion(&packets.SetParent{Parent: parent})
	}
	if known.Room > 0 && !known.Stays {
		regions = append(regions, containerRegion(&packets.ResetSlots{Flag: 1}))
	}
	if class != packets.ClassSack && known.Use != rules.Mantra {
		owner := uint32(packets.Unbound)
		if t.Bound {
			owner = uint32(me)
		}
		regions = append(regions, containerRegion(&packets.Property{Value: owner}))
	}
	if tables.IsStack(t) {
		regions = append(regions, containerRegion(stackCount(t.Count)))
	}
	return packets.Section{Object: id, Class: class, Regions: append(append(regions, extraOf(t)...), premiumOf(t)...)}
}

// lyingSpawn is the record of an item that lies in the world. The bag that a monster leaves has nothing but its place.
func lyingSpawn(tables *rules.Tables, t *rules.Item, at coords.Position) packets.Section {
	class := packets.Class(t.Class)
	spawn := snapshotOf(t)
	spawn.X, spawn.Y, spawn.Z, spawn.Placement = at.X, at.Y, at.Z, packets.Lying
	regions := []packets.Region{spawn}
	if class != packets.ClassLootBag {
		regions = append(regions, containerRegion(&packets.Property{Value: packets.Unbound}))
	}
	if tables.IsStack(t) {
		regions = append(regions, containerRegion(stackCount(t.Count)))
	}
	return packets.Section{Class: class, Regions: append(append(regions, premiumOf(t)...), extraOf(t)...)}
}

func premiumOf(t *rules.Item) []packets.Region {
	if t.Premium <= 0 {
		return nil
	}
	return []packets.Region{containerRegion(&packets.PremiumLevel{Level: uint8(min(t.Premium, 0xFF))})}
}

func snapshotOf(t *rules.Item) *packets.SpawnSnapshot {
	m := &packets.SpawnSnapshot{X: packets.ContainedX, Placement: packets.Contained,
		A: int32(t.Durability), B: int32(t.MaxDurability), C: int32(t.GameID), D: int32(t.Suffix)}
	if t.Suffix < 0 {
		m.D = packets.NoSuffix
	}
	if t.GameID == 0 {
		m.A, m.B, m.D = 100, 100, 0
	}
	return m
}

// extraOf returns the values that follow as command 15. Rings and sacks are told which model they have, rings by
// their suffix.
//
// Source: protocol ingame 4.1; recordings of rings.
func extraOf(t *rules.Item) []packets.Region {
	const itemExtra = 15
	var extra packets.Command
	switch {
	case len(t.Extra) > 0:
		extra = &packets.UnknownCommand{Number: itemExtra, Data: t.Extra}
	case t.Class == rules.ClassRing && t.Suffix >= 0:
		extra = &packets.Model{Name: fmt.Sprintf("jw_diamring%02d", t.Suffix)}
	case t.Class == rules.ClassSack:
		extra = &packets.Model{Name: "ct_sac_s0"}
	default:
		return nil
	}
	return []packets.Region{containerRegion(extra)}
}

// record adds the records of items that the client knows an id of, each inside of its bag or else of parent.
func (f *itemEncoder) record(list []rules.Item, parent packets.ObjectID) {
	for i := range list {
		t := &list[i]
		k, ok := f.ids.Item(t.ID)
		if !ok {
			continue
		}
		in := parent
		if bag, ok := f.ids.Item(t.In); ok {
			in = bag.objectID()
		}
		f.records = append(f.records, containedSpawn(f.tables, t, k.objectID(), in, f.me))
	}
}
