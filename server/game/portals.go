package game

import (
	"sphereserver/server/ops"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// portalRefusals are what a player is told who is not let through. Those who use what is no portal are told nothing.
var portalRefusals = map[rules.RejectReason]ops.Text{
	rules.TooFar:       text("Слишком далеко.", "Too far away."),
	rules.NotInSight:   text("Здесь этого нет.", "That is not here."),
	rules.LeadsNowhere: text("Этот путь никуда не ведёт.", "This way leads nowhere."),
}

func (s *player) portalRefused(e world.PortalRefused) {
	if t, ok := portalRefusals[e.Why]; ok {
		s.Tell(t)
	}
}
