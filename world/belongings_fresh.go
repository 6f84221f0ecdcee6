package world

import "sphereserver/world/rules"

// freshItem returns an item that lies in an instance from its beginning and has no owner yet; nil if the target is
// something else.
func (be *belongings) freshItem(what Target) *object {
	if o := be.object(what.Object); o != nil && o.isFresh() && what.Item == 0 {
		return o
	}
	return nil
}

// takeFresh gives such an item to a player: into a slot of its inventory, or into a free one if slot is negative.
func (be *belongings) takeFresh(p *player, c Command, o *object, slot int) rules.RejectReason {
	_, lies, why := reach[GroundItem](be.core, p, o.ID, rules.NotYours)
	switch {
	case why != 0:
		return why
	case o.busy():
		return rules.BusyObject
	case lies.IsBag():
		return rules.NotYours
	case lies.Class == rules.ClassParcel:
		if why := be.missions.mayTakeParcel(p, &lies.Item); why != 0 {
			return why
		}
	}
	d := be.ledger.tx(p, c)
	to := d.Side(&p.carried)
	if slot < 0 {
		free, ok := to.Free(0, rules.SlotInventory, rules.EndOfInventory)
		if !ok {
			return rules.NoRoom
		}
		slot = free
	}
	t := lies.Item
	from := rules.Inventory{Ground: &rules.OnGround{At: o.Position}}
	if to.At(0, slot) != nil {
		return rules.Occupied
	}
	if why := be.tables.MayLie(&t, &from, to.Was, 0, slot); why != 0 {
		return why
	}
	t.In, t.Slot = 0, slot
	id := d.Add(to, t)
	if why := be.vitals.mayWear(p, to, id); why != 0 {
		return why
	}
	be.ledger.commit(d, o, func() {
		taken := Taken{Item: lies.Item, From: Container{Object: o.ID}, FromGround: true, Into: d.Moved(id).Is}
		be.tell(TookUp{p.ID, []Taken{taken}, o.ID, true, d.slots(all)})
		be.places.remove(o)
		if m := be.missions.mission(p); m != nil && lies.Class == rules.ClassParcel {
			be.tell(PlaceMarked{p.ID, m.Back})
		}
	})
	return 0
}

// fillChest makes a chest's contents durable when a player opens it for the first time, and then opens it.
func (be *belongings) fillChest(p *player, c Open, o *object) rules.RejectReason {
	_, chest, why := reach[GroundItem](be.core, p, o.ID, rules.NotYours)
	switch {
	case why != 0:
		return why
	case o.busy():
		return rules.BusyObject
	case !chest.IsBag():
		return rules.NoContainer
	}
	d := be.ledger.tx(nil, nil)
	s := d.Ground(chest.OnGround)
	s.Root = d.Add(s, chest.Item)
	for _, t := range o.things {
		t.ID, t.In = 0, s.Root
		d.Add(s, t)
	}
	be.ledger.commit(d, o, func() {
		h := s.Inventory
		h.Object = uint32(o.ID)
		o.inventory, o.fresh, o.things = &h, false, nil
		o.Kind = GroundItem{*h.RootItem(), *h.Ground}
		if q := be.player(p.ID); q == p {
			be.ledger.request(p, c)
		}
	}).failed = func() {
		if q := be.player(p.ID); q == p {
			be.ledger.refuse(p, c, rules.StoreFailed)
		}
	}
	return 0
}
