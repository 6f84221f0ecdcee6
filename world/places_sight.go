package world

import (
	"slices"
)

// The methods that make places an observer of the space.

// Appeared tells a player of an entity that it sees from now on.
func (pl *places) Appeared(viewer, e *entity) {
	pl.tellAppeared(viewer, e)
	pl.observer.watched(e, viewer)
}

func (pl *places) tellAppeared(viewer, e *entity) {
	if e.Sort == players {
		pl.tell(pl.appeared.put(Appeared{PlayerID(viewer.Number), &e.player.Player}))
		return
	}
	pl.tell(pl.objectAppeared.put(ObjectAppeared{PlayerID(viewer.Number), &e.object.Object}))
}

// Vanished tells a player of an entity that it sees no longer.
func (pl *places) Vanished(viewer, e *entity) {
	pl.tell(pl.vanished.put(Vanished{PlayerID(viewer.Number), e.Number}))
}

// Moved tells the viewers of an entity where it is.
func (pl *places) Moved(e *entity) {
	to := e.Viewers()
	if pl.space.HasNewViewers(&e.Body) {
		to = pl.viewersBefore(e)
	}
	if len(to) > 0 {
		pl.tell(pl.moved.put(Moved{e.Number, e.At, to}))
	}
}

// First are the pieces of the instance in which a player is.
func (pl *places) First(e *entity) []*body {
	in := e.inside
	if in == nil {
		return nil
	}
	in.pieces = slices.DeleteFunc(in.pieces, func(q *body) bool { return q.Of.gone() })
	return in.pieces
}

// viewersBefore lists the viewers of e since before this tick: newer ones are shown e as it is at the end of it. The
// list is a copy, since viewers may change before the tick ends.
func (pl *places) viewersBefore(e *entity) []PlayerID {
	from := len(pl.ids)
	pl.ids = pl.space.ViewersBefore(&e.Body, pl.ids)
	return pl.list(from)
}

// ShowAgain tells a player once more of the objects that it sees, of the items that it carries and of the effects on
// it. Its open bags and its trade are closed, since the client loses the contents. [Vanished], [ObjectAppeared],
// [Granted] and [EffectBegan] follow.
type ShowAgain struct{ ID PlayerID }

func (c ShowAgain) who() PlayerID { return c.ID }

func (c ShowAgain) act(w *World, p *player) {
	w.ledger.closeAll(p)
	for e := range p.InSight(others) {
		if !e.Hidden {
			w.places.Vanished(&p.entity, e)
			w.places.tellAppeared(&p.entity, e)
		}
	}
	e := Granted{ID: p.ID, Command: c, Gone: slices.Clone(p.carried.Items), Money: p.Money}
	e.Came = e.Gone
	for i := range e.Gone {
		e.Slots = append(e.Slots, slotOf(&p.carried, &e.Gone[i]))
	}
	w.tell(e)
	w.vitals.age(p)
	w.vitals.showEffects(p)
}

// changeAppearance shows that a player looks different, if it does.
func (pl *places) changeAppearance(p *player, look Appearance) {
	if p.Appearance == look {
		return
	}
	before := p.Appearance
	p.Appearance = look
	if to := pl.viewersBefore(&p.entity); len(to) > 0 {
		pl.tell(pl.lookChanged.put(AppearanceChanged{&p.Player, before, to}))
	}
}

// showHealth tells the viewers of a player its HP.
func (pl *places) showHealth(p *player) {
	if to := pl.viewersBefore(&p.entity); len(to) > 0 {
		pl.tell(pl.healthSeen.put(HealthSeen{p.Number, p.Pools.HP, p.Pools.MaxHP, to}))
	}
}
