package world

import (
	"slices"

	"sphereserver/world/rules"
)

// Open shows a player what is in a container. [Opened] follows.
type Open struct {
	ID   PlayerID
	What Container
}

func (c Open) who() PlayerID { return c.ID }

func (c Open) ask(w *World, p *player) rules.RejectReason {
	switch c.What {
	case Container{Vault: true}:
		if why := w.vaultOpen(p); why != 0 {
			return why
		}
		return w.openVault(p, p.trade.with)
	case Container{Object: c.What.Object}:
		if o := w.object(c.What.Object); o != nil {
			if t, ok := o.Kind.(NPC); ok && t.Type == bankerType {
				return OpenTrade{p.ID, c.What.Object}.ask(w, p)
			}
		}
		o, why := w.lies(p, c.What.Object)
		if why == rules.BusyObject {
			why, o = 0, w.object(c.What.Object) // one may look while somebody takes
		}
		switch {
		case why != 0:
			return why
		case rules.ClassOf(o.inventory.RootItem().Class).Room == 0:
			return rules.NoContainer
		}
		if p.opened != o {
			w.closeBag(p)
			p.opened = o
			o.users = append(o.users, p)
		}
		w.opened(p, c.What, o.inventory, o.inventory.Root)
		return 0
	}
	h, in, why := w.enclosed(p, c.What)
	if why != 0 {
		return why
	}
	if bag := h.Find(in); bag != nil && rules.ClassOf(bag.Class).Room == 0 {
		return rules.NoContainer
	}
	w.opened(p, c.What, h, in)
	return 0
}

func (w *World) opened(p *player, what Container, h *rules.Inventory, in rules.ItemID) {
	w.tell(Opened{ID: p.ID, What: what, Items: h.Within(in, nil), Slots: contents(h, in, what)})
}

// Close ends what [Open] has begun. [Closed] follows if it was open. It is always allowed.
type Close struct {
	ID   PlayerID
	What Container
}

func (c Close) who() PlayerID { return c.ID }
func (Close) alsoDead()       {}

func (c Close) ask(w *World, p *player) rules.RejectReason {
	switch {
	case c.What.Vault && p.trade.bank:
		w.closeTrade(p)
	case c.What.Object != 0 && p.opened != nil && p.opened.ID == c.What.Object:
		w.closeBag(p)
	case c.What.Bag != 0 && p.carried.Find(c.What.Bag) != nil:
		w.tell(Closed(c))
	}
	return 0
}

// closeBag ends that a player looks into a bag that lies in the world.
func (w *World) closeBag(p *player) {
	if o := p.stopLooking(); o != nil {
		w.tell(Closed{p.ID, Container{Object: o.ID}})
	}
}

// stopLooking ends the same, and returns the bag, nil for none.
func (p *player) stopLooking() *object {
	o := p.opened
	if o != nil {
		p.opened = nil
		o.users = slices.DeleteFunc(o.users, func(u *player) bool { return u == p })
	}
	return o
}
