package world

import (
	"math"
	"slices"

	"sphereserver/world/rules"
)

// Open shows a player the contents of a container. [Opened] follows.
type Open struct {
	ID   PlayerID
	What Container
}

func (c Open) who() PlayerID { return c.ID }

func (c Open) ask(w *World, p *player) rules.RejectReason {
	switch c.What {
	case Container{Vault: true}:
		if why := w.belongings.vaultOpen(p); why != 0 {
			return why
		}
		return w.belongings.openVault(p, p.trade.with)
	case Container{Object: c.What.Object}:
		if o := w.object(c.What.Object); o != nil {
			if t, ok := o.Kind.(NPC); ok && t.Type == bankerType {
				return OpenTrade{p.ID, c.What.Object}.ask(w, p)
			}
		}
		if o := w.belongings.freshItem(Target{Object: c.What.Object}); o != nil {
			return w.belongings.fillChest(p, c, o)
		}
		o, why := w.belongings.lies(p, c.What.Object)
		if why == rules.BusyObject {
			why, o = 0, w.object(c.What.Object) // a player may look while another takes
		}
		switch {
		case why != 0:
			return why
		case rules.ClassOf(o.inventory.RootItem().Class).Room == 0:
			return rules.NoContainer
		}
		if p.opened != o {
			w.ledger.closeBag(p)
			p.opened = o
			o.users = append(o.users, p)
		}
		w.belongings.spring(p, o, opened(p, c.What, o.inventory, o.inventory.Root))
		return 0
	}
	h, in, why := w.belongings.enclosed(p, c.What)
	if why != 0 {
		return why
	}
	if bag := h.Find(in); bag != nil && rules.ClassOf(bag.Class).Room == 0 {
		return rules.NoContainer
	}
	w.tell(opened(p, c.What, h, in))
	return 0
}

// spring tells a player the contents of a bag that lies in the world; the trap of a chest hurts it, once, and the
// monster that the chest calls comes.
//
// Source: protocol life 1.1, 4.4, fight 2, X21.
func (be *belongings) spring(p *player, bag *object, e Opened) {
	hp := int(bag.trap)
	bag.trap, e.Trap = 0, hp > 0
	m := be.call(p, bag)
	if m != nil {
		shown := m.Monster
		e.Called = &Object{m.object.ID, m.object.Position, &shown}
	}
	var hit wound
	if e.Trap && be.vitals.mayBeHurt(p) {
		hit, _ = be.vitals.wound(p, Hit{By: bag.ID, HP: -hp})
		e.Hit = &hit.PlayerHit
	}
	be.tell(e)
	if m != nil {
		be.places.putFor(m.object, bag.inside, []*body{&p.Body})
	}
	if !e.Trap {
		return
	}
	if e.Hit != nil {
		be.vitals.afterHit(p, &hit)
	}
	seen := TrapSeen{Chest: bag.ID}
	for _, id := range be.places.viewersBefore(&bag.entity) {
		if id != p.ID {
			seen.To = append(seen.To, id)
		}
	}
	if len(seen.To) > 0 {
		be.tell(seen)
	}
}

// call makes the monster that a chest calls, turned to the player that has opened it; nil for none. The caller puts
// it into the world.
func (be *belongings) call(p *player, chest *object) *monster {
	c, in := chest.calls, chest.inside.open()
	if chest.calls = nil; c == nil || in == nil {
		return nil
	}
	row := be.tables.Monster(c.Type)
	if row == nil {
		return nil
	}
	be.spawners.summons++
	m := be.spawners.newMonster(row, c.Level, be.spawners.chanceOf(-1, be.spawners.summons))
	at, angle, far := chest.Position, 2*math.Pi*m.random().Float64(), be.balance.Chest.Near
	at.X += float32(far * math.Sin(angle))
	at.Z += float32(far * math.Cos(angle))
	if !in.holds(at) || !be.groundOf(&chest.entity).Passes(chest.Position, at) {
		at = chest.Position
	}
	at = be.minds.onGround(m, at, &chest.Position, in)
	at.Yaw = rules.Yaw(at, p.Position)
	be.spawners.embody(m, 0, at)
	return m
}

func opened(p *player, what Container, h *rules.Inventory, in rules.ItemID) Opened {
	return Opened{ID: p.ID, What: what, Items: h.Within(in, nil), Slots: contents(h, in, what)}
}

// Close closes a container that [Open] has opened. [Closed] follows if it was open. It is always allowed.
type Close struct {
	ID   PlayerID
	What Container
}

func (c Close) who() PlayerID { return c.ID }
func (Close) alsoDead()       {}

func (c Close) ask(w *World, p *player) rules.RejectReason {
	switch {
	case c.What.Vault && p.trade.bank:
		w.ledger.closeTrade(p, true)
	case c.What.Object != 0 && p.opened != nil && p.opened.ID == c.What.Object:
		w.ledger.closeBag(p)
	case c.What.Bag != 0 && p.carried.Find(c.What.Bag) != nil:
		w.tell(Closed(c))
	}
	return 0
}

// closeAll ends a player's trade and its look into a bag: it is somewhere else, or dead.
func (lg *ledger) closeAll(p *player) {
	lg.closeTrade(p, false)
	lg.closeBag(p)
}

// closeBag closes the bag that lies in the world and that a player looks into.
func (lg *ledger) closeBag(p *player) {
	if o := p.stopLooking(); o != nil {
		lg.tell(Closed{p.ID, Container{Object: o.ID}})
	}
}

// stopLooking does so without an event, and returns the bag, nil for none.
func (p *player) stopLooking() *object {
	o := p.opened
	if o != nil {
		p.opened = nil
		o.users = slices.DeleteFunc(o.users, func(u *player) bool { return u == p })
	}
	return o
}
