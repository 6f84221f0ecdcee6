package game

import "sphereserver/world"

// portalRefusals are what a player is told who is not let through. Those who use what is no portal are told nothing.
var portalRefusals = map[world.RejectReason]text{
	world.TooFar:       {"Слишком далеко.", "Too far away."},
	world.NotInSight:   {"Здесь этого нет.", "That is not here."},
	world.LeadsNowhere: {"Этот путь никуда не ведёт.", "This way leads nowhere."},
}

func (s *Session) portalRefused(e world.PortalRefused) {
	if t, ok := portalRefusals[e.Why]; ok {
		s.tell(t)
	}
}
