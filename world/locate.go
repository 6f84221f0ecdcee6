package world

import (
	"slices"
	"time"
)

// locate finds what a player names, and says in which hoard it is, or why the player may not have to do with it.
func (w *World) locate(p *player, what Target, now time.Time) (*hoard, *Item, RejectReason) {
	switch {
	case what.Object != 0 && what.Item == 0:
		o, why := w.lies(p, what.Object, now)
		if why != 0 {
			return nil, nil, why
		}
		return o.hoard, o.hoard.root(), 0
	case what.Object != 0 || what.Item == 0:
		return nil, nil, NotYours
	}
	if t := p.carried.find(what.Item); t != nil {
		return &p.carried, t, 0
	}
	if t := p.kept.find(what.Item); t != nil {
		return &p.kept, t, w.vaultOpen(p)
	}
	if o := p.opened; o != nil {
		if t := o.hoard.find(what.Item); t != nil && t.In != 0 {
			_, why := w.lies(p, o.ID, now)
			return o.hoard, t, why
		}
	}
	return nil, nil, NotYours
}

// lies returns what lies in the world if a player can get at it now.
func (w *World) lies(p *player, id ObjectID, now time.Time) (*object, RejectReason) {
	o := w.object(id)
	switch {
	case o == nil || !o.seenBy(p):
		return nil, NotInSight
	case o.hoard == nil:
		return nil, NotYours
	case p.Position.Distance(o.Position) > w.options.Reach:
		return nil, TooFar
	case o.pending != nil:
		return nil, BusyObject
	}
	if l := o.hoard.lying; l.Promised != 0 && l.Promised != p.Character && now.Before(l.PromisedUntil) {
		return nil, Promised
	}
	return o, 0
}

// enclosed finds a container that a player names, and says which hoard it is in.
func (w *World) enclosed(p *player, c Container, now time.Time) (h *hoard, in ItemID, why RejectReason) {
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
		case room(o.hoard.root().Class) == 0:
			return nil, 0, NoContainer
		case p.opened != o:
			return nil, 0, NotOpen
		}
		return o.hoard, o.hoard.rootID, 0
	}
	return nil, 0, NotYours
}

// objectOf is the object of a hoard that lies in the world.
func objectOf(hoards ...*hoard) *object {
	for _, h := range hoards {
		if h.object != nil {
			return h.object
		}
	}
	return nil
}

// namedSlots lists the slots that a request names, as the player has them.
func (w *World) namedSlots(p *player, r Command) []SlotNow {
	var out []SlotNow
	slot := func(h *hoard, c Container, in ItemID, slot int) {
		if slot < 0 || slot > 255 {
			return
		}
		now := SlotNow{In: c, Slot: slot}
		if t := h.at(in, slot); t != nil {
			now.Item, now.Weight = t.ID, h.weight(t)
		}
		out = append(out, now)
	}
	item := func(id ItemID) {
		for _, h := range []*hoard{&p.carried, &p.kept} {
			if t := h.find(id); t != nil {
				c, _ := h.container(t.In)
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
			h, bag = p.opened.hoard, p.opened.hoard.rootID
		case bag != 0 && h.find(bag) == nil:
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
	p.carried = newHoard(hoard{owner: p.Character}, p.Items)
	p.kept = newHoard(hoard{vault: p.Vault}, p.VaultItems)
	p.Items, p.VaultItems = nil, nil
	p.known, p.Pools = w.values(&p.Player, p.carried.things, 0)
	if w.ruled {
		p.Appearance.Worn = w.wornBy(p.carried.things, 0)
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
	p.Items, p.VaultItems = p.carried.things, p.kept.things
}
