package world

import (
	"math"
	"slices"

	"sphereserver/world/rules"
)

// locate finds an item that a player names, and its inventory, or says why the player may not use it.
func (be *belongings) locate(p *player, what Target) (*rules.Inventory, *rules.Item, rules.RejectReason) {
	switch {
	case what.Object != 0 && what.Item == 0:
		o, why := be.lies(p, what.Object)
		if why != 0 {
			return nil, nil, why
		}
		return o.inventory, o.inventory.RootItem(), 0
	case what.Object != 0 || what.Item == 0:
		return nil, nil, rules.NotYours
	}
	if t := p.carried.Find(what.Item); t != nil {
		return &p.carried, t, 0
	}
	if t := p.kept.Find(what.Item); t != nil {
		return &p.kept, t, be.vaultOpen(p)
	}
	if o := p.opened; o != nil {
		if t := o.inventory.Find(what.Item); t != nil && t.In != 0 {
			_, why := be.lies(p, o.ID)
			return o.inventory, t, why
		}
	}
	return nil, nil, rules.NotYours
}

// lies returns an item that lies in the world if a player can get at it now.
func (be *belongings) lies(p *player, id EntityID) (*object, rules.RejectReason) {
	o, _, why := reach[GroundItem](be.core, p, id, rules.NotYours)
	switch {
	case why != 0:
		return nil, why
	case o.busy():
		return nil, rules.BusyObject
	case !o.lies(): // it is fresh
		return nil, rules.NotYours
	}
	if l := o.inventory.Ground; l.Promised != 0 && l.Promised != p.Character && be.now.Before(l.PromisedUntil) &&
		!slices.Contains(o.shared, p.Character) {
		return nil, rules.Promised
	}
	return o, 0
}

// reach returns an object of a kind that a player sees within [Options].Reach; wrong says why one of another kind will
// not do.
func reach[K Kind](c *core, p *player, id EntityID, wrong rules.RejectReason) (*object, K, rules.RejectReason) {
	var none K
	o := c.object(id)
	if o == nil || !p.Sees(&o.Body) {
		return nil, none, rules.NotInSight
	}
	k, ok := o.Kind.(K)
	switch {
	case !ok:
		return nil, none, wrong
	case p.Position.Distance(o.Position) > c.options.Reach:
		return nil, none, rules.TooFar
	}
	return o, k, 0
}

// nearestNPC returns the nearest NPC of a sort that a player sees, if it is within reach. none is the reason if there
// is none.
func nearestNPC(c *core, p *player, none rules.RejectReason, fits func(*NPC) bool) (*object, NPC, rules.RejectReason) {
	id, least := EntityID(0), math.Inf(1)
	for e := range p.InSight(others) {
		npc, ok := e.object.Kind.(NPC)
		if d := p.Position.Distance(e.At); ok && fits(&npc) && d < least {
			id, least = e.Number, d
		}
	}
	if id == 0 {
		return nil, NPC{}, none
	}
	return reach[NPC](c, p, id, none)
}

// enclosed finds a container that a player names, and says which inventory it is in.
func (be *belongings) enclosed(p *player, c Container) (h *rules.Inventory, in rules.ItemID, why rules.RejectReason) {
	switch c {
	case Container{}:
		return &p.carried, 0, 0
	case Container{Vault: true}:
		return &p.kept, 0, be.vaultOpen(p)
	case Container{Bag: c.Bag}:
		h, _, why := be.locate(p, Target{Item: c.Bag})
		return h, c.Bag, why
	case Container{Object: c.Object}:
		o, why := be.lies(p, c.Object)
		switch {
		case why != 0:
			return nil, 0, why
		case rules.ClassOf(o.inventory.RootItem().Class).Room == 0:
			return nil, 0, rules.NoContainer
		case p.opened != o:
			return nil, 0, rules.NotOpen
		}
		return o.inventory, o.inventory.Root, 0
	}
	return nil, 0, rules.NotYours
}

// objectOf is the object of an inventory that lies in the world.
func (be *belongings) objectOf(inventories ...*rules.Inventory) *object {
	for _, h := range inventories {
		if h.Object != 0 {
			return be.object(EntityID(h.Object))
		}
	}
	return nil
}

// namedSlots are the slots that a request names, as the player has them: a refusal has to restate them.
type namedSlots struct {
	p     *player
	slots []SlotNow
}

// slot names a slot of an inventory, if there is such a one: a client is not told to clear a slot that it does not
// have, or one with an effect.
func (n *namedSlots) slot(h *rules.Inventory, c Container, in rules.ItemID, slot int) {
	if !h.HasSlot(in, slot) {
		return
	}
	now := SlotNow{In: c, Slot: slot}
	if t := h.At(in, slot); t != nil {
		now.Item, now.Weight = t.ID, h.Weight(t)
	}
	n.slots = append(n.slots, now)
}

// item names where an item of the player's is.
func (n *namedSlots) item(id rules.ItemID) {
	for _, h := range []*rules.Inventory{&n.p.carried, &n.p.kept} {
		if t := h.Find(id); t != nil {
			n.slots = append(n.slots, slotOf(h, t))
		}
	}
}

// in names slots of a container.
func (n *namedSlots) in(c Container, slots ...int) {
	h, bag := &n.p.carried, c.Bag
	switch {
	case c.Vault:
		h, bag = &n.p.kept, 0
	case c.Object != 0:
		if n.p.opened == nil || n.p.opened.ID != c.Object {
			return
		}
		h, bag = n.p.opened.inventory, n.p.opened.inventory.Root
	case bag != 0 && h.Find(bag) == nil:
		return
	}
	for _, slot := range slots {
		n.slot(h, c, bag, slot)
	}
}

// npc returns an NPC that a player can speak to.
func (be *belongings) npc(p *player, id EntityID) (*NPC, rules.RejectReason) {
	_, t, why := reach[NPC](be.core, p, id, rules.NoTrader)
	return &t, why
}

// vaultOpen says why a player cannot get at its vault; 0 if it can.
func (be *belongings) vaultOpen(p *player) rules.RejectReason {
	if !p.trade.bank || p.trade.with == 0 {
		return rules.NotOpen
	}
	return be.traderReached(p)
}

// contents lists the slots of a container in which something lies.
func contents(h *rules.Inventory, in rules.ItemID, what Container) (out []SlotNow) {
	for _, t := range h.Within(in, nil) {
		if t.In == in {
			out = append(out, SlotNow{In: what, Slot: t.Slot, Item: t.ID, Weight: h.Weight(&t)})
		}
	}
	return out
}
