package game

import (
	"sphereserver/world"
	"sphereserver/world/rules"
)

// portalRefused tells a player who is not let through. Those who use what is no portal are told nothing.
func (s *player) portalRefused(e world.PortalRefused) {
	switch e.Why {
	case rules.TooFar, rules.NotInSight:
		s.Tell(thingRefusals[e.Why])
	case rules.LeadsNowhere:
		s.Tell(text("Этот путь никуда не ведёт.", "This way leads nowhere."))
	}
}
