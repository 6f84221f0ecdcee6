package world

import (
	"sphereserver/coords"
	"sphereserver/world/rules"
)

// UsePortal lets a player go through a portal that it sees within [Options].Reach. [Teleported] or [PortalRefused]
// follows.
type UsePortal struct {
	By     PlayerID
	Object EntityID
}

func (c UsePortal) who() PlayerID { return c.By }

func (c UsePortal) act(w *World, p *player) {
	to, why := w.throughPortal(p, c.Object)
	if why != 0 {
		w.tell(PortalRefused{c.By, c.Object, why})
		return
	}
	w.teleport(p, to)
}

// throughPortal returns where a portal takes a player.
func (w *World) throughPortal(p *player, id EntityID) (coords.Position, rules.RejectReason) {
	o := w.object(id)
	if o == nil || !o.seenBy(&p.entity) {
		return coords.Position{}, rules.NotInSight
	}
	portal, ok := o.Kind.(Portal)
	switch {
	case !ok:
		return coords.Position{}, rules.NoPortal
	case p.Position.Distance(o.Position) > w.options.Reach:
		return coords.Position{}, rules.TooFar
	case portal.Place == "" || portal.To.Check() != nil:
		return coords.Position{}, rules.LeadsNowhere
	}
	return portal.To, 0
}
