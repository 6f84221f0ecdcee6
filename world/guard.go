package world

import (
	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A townGuard stands in a town and has aggro on players that have broken its peace, or have hurt it. It is ours.
type townGuard struct{}

func (townGuard) fights() bool { return true }

func (townGuard) prey(w *World, m *monster) *player {
	return w.nearestPrey(m, w.options.Sight, func(p *player) bool { return w.mayGoAfter(m, p) })
}

func (townGuard) follows(w *World, m *monster, p *player) bool {
	return w.now.Before(p.wanted) || w.hasHurt(p, m)
}

func (townGuard) mayBe(*World, coords.Position) bool { return true }

// hasHurt says whether a player has hurt a monster of late.
func (w *World) hasHurt(p *player, m *monster) bool {
	for i := range m.threat {
		if t := &m.threat[i]; t.by == p.ID && !t.last.Before(p.Entered) {
			window := w.balance.Mind.ThreatTime
			return t.recently(w.now, window, window).damage > 0
		}
	}
	return false
}

// breakPeace notes that a player has tried to hurt another, if what forbids it is peace: then guards want the player.
func (w *World) breakPeace(p *player, why rules.RejectReason) {
	if why == rules.PeacefulPlace || why == rules.TheirPeacefulPlace {
		p.wanted = w.now.Add(w.balance.Duel.Wanted)
	}
}
