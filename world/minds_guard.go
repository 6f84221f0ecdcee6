package world

import "sphereserver/coords"

// A townGuard stands in a town and has aggro on players that have broken its peace, or have hurt it. It is ours.
type townGuard struct{}

var _ = registerMind("town guard", townGuard{})

func (townGuard) fights() bool { return true }

func (townGuard) prey(mi *minds, m *monster) *player {
	return mi.nearestPrey(m, mi.options.Sight, func(p *player) bool { return mi.mayGoAfter(m, p) })
}

func (townGuard) follows(mi *minds, m *monster, p *player) bool {
	return mi.instant().Before(p.had().wanted) || mi.hasHurt(p, m)
}

func (townGuard) mayBe(*minds, coords.Position) bool { return true }

func (townGuard) worthless() bool { return true }

// hasHurt reports whether a player has recently hurt a monster.
func (mi *minds) hasHurt(p *player, m *monster) bool {
	for i := range m.threat {
		if t := &m.threat[i]; t.by == p.ID && !t.last.Before(instantOf(p.Entered)) {
			window := mi.balance.Mind.ThreatTime
			return t.recently(mi.instant(), window, window).damage > 0
		}
	}
	return false
}
