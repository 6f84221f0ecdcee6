package world

import (
	"slices"
	"time"

	"sphereserver/world/rules"
)

// locate finds what a player names, and says in which hoard it is, or why the player may not have to do with it.
func (w *World) locate(p *player, what Target, now time.Time) (*rules.Inventory, *rules.Item, rules.RejectReason) {
	switch {
	case what.Object != 0 && what.Item == 0:
		o, why := w.lies(p, what.Object, now)
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
		return &p.kept, t, w.vaultOpen(p)
	}
	if o := p.opened; o != nil {
		if t := o.inventory.Find(what.Item); t != nil && t.In != 0 {
			_, why := w.lies(p, o.ID, now)
			return o.inventory, t, why
		}
	}
	return nil, nil, rules.NotYours
}

// lies returns what lies in the world if a player can get at it now.
func (w *World) lies(p *player, id ObjectID, now time.Time) (*object, rules.RejectReason) {
	o := w.object(id)
	switch {
	case o == nil || !o.seenBy(p):
		return nil, rules.NotInSight
	case o.inventory == nil:
		return nil, rules.NotYours
	case p.Position.Distance(o.Position) > w.options.Reach:
		return nil, rules.TooFar
	case o.pending != nil:
		return nil, rules.BusyObject
	}
	if l := o.inventory.Ground; l.Promised != 0 && l.Promised != p.Character && now.Before(l.PromisedUntil) {
		return nil, rules.Promised
	}
	return o, 0
}

// enclosed finds a container that a player names, and says which hoard it is in.
func (w *World) enclosed(p *player, c Container, now time.Time) (h *rules.Inventory, in rules.ItemID, why rules.RejectReason) {
	switch c {
	case Container{}:
		return &p.carried, 0, 0
	case Container{Vault: true}:
		return &p.kept, 0, w.vaultOpen(p)
	case Container{Bag: c.Bag}:
		h, _, why := w.locate(p, Target{Item: c.Bag}, now)
		return h, c.Bag, why
	case Container{Object: c.Object}:
		o, why := w.lies(p, c.Object, now)
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

// objectOf is the object of a hoard that lies in the world.
func (w *World) objectOf(inventories ...*rules.Inventory) *object {
	for _, h := range inventories {
		if h.Object != 0 {
			return w.object(ObjectID(h.Object))
		}
	}
	return nil
}

// namedSlots lists the slots that a request names, as the player has them.
func (w *World) namedSlots(p *player, r Command) []SlotNow {
	var out []SlotNow
	slot := func(h *rules.Inventory, c Container, in rules.ItemID, slot int) {
		if slot < 0 || slot > 255 {
			return
		}
		now := SlotNow{In: c, Slot: slot}
		if t := h.At(in, slot); t != nil {
			now.Item, now.Weight = t.ID, h.Weight(t)
		}
		out = append(out, now)
	}
	item := func(id rules.ItemID) {
		for _, h := range []*rules.Inventory{&p.carried, &p.kept} {
			if t := h.Find(id); t != nil {
				c, _ := containerOf(h, t.In)
				slot(h, c, t.In, t.Slot)
			}
		}
	}
	in := func(c Container, slots ...int) {
		h, bag := &p.carried, c.Bag
		switch {
		case c.Vault:
			h, bag = &p.kept, 0
		case c.Object != 0:
			if p.opened == nil || p.opened.ID != c.Object {
				return
			}
			h, bag = p.opened.inventory, p.opened.inventory.Root
		case bag != 0 && h.Find(bag) == nil:
			return
		}
		for _, n := range slots {
			slot(h, c, bag, n)
		}
	}
	switch r := r.(type) {
	case MoveItem:
		in(r.In, r.From, r.To)
	case SwapItems:
		item(r.First)
		item(r.Second)
	case PutInto:
		item(r.What.Item)
		in(r.Into, r.Slot)
	case PickUp:
		item(r.What.Item)
	case Drop:
		item(r.Item)
	case UseItem:
		item(r.Item)
	case OfferForSale:
		item(r.Item)
	}
	return out
}

// equip gives a player who enters what it has, and computes its values.
func (w *World) equip(p *player) {
	p.carried = rules.NewInventory(rules.Inventory{Owner: p.Character}, p.Items)
	p.kept = rules.NewInventory(rules.Inventory{Vault: p.Vault}, p.VaultItems)
	p.Items, p.VaultItems = nil, nil
	p.known, p.Pools = w.values(&p.Player, p.carried.Items, 0)
	if w.ruled {
		p.Appearance.Worn = w.wornBy(p.carried.Items, 0)
	}
}

// putDown makes a player who leaves what it was when it entered.
func (w *World) putDown(p *player) {
	if o := p.opened; o != nil {
		p.opened = nil
		if i := slices.Index(o.users, p); i >= 0 {
			o.users = slices.Delete(o.users, i, i+1)
		}
	}
	p.trade, p.waiting = trade{}, nil
	p.Items, p.VaultItems = p.carried.Items, p.kept.Items
}
