package world

import (
	"slices"
	"time"

	"sphereserver/world/rules"
)

// mayFight says why a player may not strike another. Source: protocol fight 12.2.
func (w *World) mayFight(p, q *player) rules.RejectReason {
	b, agreed := &w.balance.Duel, p.duels(q)
	weak := func(p *player) bool { return max(p.Title, p.Degree)+1 < b.FromLevel }
	switch {
	case isDead(q):
		return rules.TargetDead
	case p.party != nil && p.party == q.party && !agreed:
		return rules.PartyMember
	case w.peaceful(p):
		return rules.PeacefulPlace
	case w.peaceful(q):
		return rules.TheirPeacefulPlace
	case weak(p) && !agreed:
		return rules.TooLow
	case weak(q) && !agreed:
		return rules.TheyTooLow
	case !w.mayBeHurt(q):
		return rules.Protected
	}
	return 0
}

// peaceful says whether a player is where players do not fight each other.
func (w *World) peaceful(p *player) bool {
	return w.options.Peaceful != nil && w.options.Peaceful(p.Position)
}

// strikePlayer lets a blow that has not missed fall at another player, or at oneself.
func (w *World) strikePlayer(p, q *player, b blow) (damage int) {
	damage = w.balance.Damage.Damage(w.random, b.attack, q.defence())
	if q != p {
		damage = max(int(float64(damage)*w.balance.Damage.Players), 1)
		w.resent(q, p)
		damage = w.struck(q, p.id, damage, b.school)
	}
	w.hurt(q, Hit{By: p.id, HP: -damage})
	return damage
}

// resent remembers that somebody has hurt a player.
func (w *World) resent(p, by *player) {
	p.grudges = slices.DeleteFunc(p.grudges, func(g grudge) bool {
		return g.by == by.Character || w.now.Sub(g.last) > w.balance.Karma.SelfDefence
	})
	p.grudges = append(p.grudges, grudge{by.Character, w.now})
}

// defends says whether a player has been hurt by another of late, so that it defends itself.
func (w *World) defends(p, against *player) bool {
	return slices.ContainsFunc(p.grudges, func(g grudge) bool {
		return g.by == against.Character && w.now.Sub(g.last) <= w.balance.Karma.SelfDefence
	})
}

// killerOf is the player who has killed another, nil for nobody else.
func (w *World) killerOf(p *player, h Hit) *player {
	if id, ok := h.By.Player(); ok && id != p.ID {
		return w.player(id)
	}
	return nil
}

// blame takes karma from who has killed a player, unless it has defended itself or their clans are at war. Source:
// protocol fight 8.4, 12.2.
func (w *World) blame(killer, victim *player) {
	change := w.balance.Karma.ForPlayer(victim.Progress.Karma)
	if change == 0 || w.defends(killer, victim) || w.options.AtWar != nil && w.options.AtWar(killer.ID, victim.ID) {
		return
	}
	w.whenFree(killer, func(w *World, p *player) {
		d := w.tx(p, nil)
		d.become = func(p *Player) { p.Progress.Karma = rules.AddKarma(p.Progress.Karma, change) }
		w.commit(d, nil, func() {
			was, is := w.grow(p)
			w.tell(Gained{Gain{ID: p.ID, Was: was, Is: is}})
		})
	})
}

// feelWrath strikes who strikes another in a peaceful place.
func (w *World) feelWrath(p *player) {
	part := int(float64(p.Pools.MaxHP) * w.balance.Duel.WrathPart)
	died := w.hurt(p, Hit{Cause: Environment, HP: -part})
	w.tell(WrathFelt{p.ID, died})
}

// A duel is a fight that two players have agreed on.
type duel struct {
	of   [2]*player
	ends time.Time
}

// duels says whether a player has a duel with another.
func (p *player) duels(q *player) bool { return p.duel != nil && p.duel == q.duel && p != q }

// spares says whether a hit does not kill: one of a duel.
func (w *World) spares(p *player, h Hit) bool {
	id, ok := h.By.Player()
	if !ok || p.duel == nil {
		return false
	}
	other := w.player(id)
	return other != nil && p.duels(other)
}

// endDuel ends a duel, nil for none, that somebody has lost.
func (w *World) endDuel(d *duel, loser *player) {
	if d == nil {
		return
	}
	for _, p := range d.of {
		p.duel = nil
	}
}
