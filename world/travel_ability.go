package world

import (
	"sphereserver/coords"
	"sphereserver/world/rules"
	"sphereserver/world/space"
)

// useAbility brings a player home or to a target by an ability of its guild, which rests then.
//
// Source: protocol life 5.2; that a player which was just hurt does not get home, as with stones, is ours.
func (tr *travel) useAbility(p *player, c UseItem, t *rules.Item, k *rules.Kind) rules.RejectReason {
	if q, other := c.Target.Object.Player(); other && q != p.ID && t.Class == rules.ClassRebirth {
		return tr.sendAway(p, tr.player(q), c, t, k)
	}
	to, why := tr.abilityLeads(p, c.Target, t, k)
	switch {
	case why != 0:
		return why
	case tr.spells.rests(p, k):
		return rules.TooSoon
	}
	if why = tr.spells.mayUse(p, k, t.Suffix); why == 0 {
		why = tr.mayDepart(p)
	}
	if why != 0 {
		return why
	}
	p.journey = tr.instant()
	tr.spells.startCooldown(&cast{by: p, kind: k, numbers: k.Columns})
	tr.places.transfer(p, to, Used{ID: p.ID, Item: *t, Left: t.Count, To: &to})
	return 0
}

// sendAway brings another player to where those of bad karma wake, by rebirth. It counts as a blow, which is ours: one
// that may not be struck stays where it is, and it wins no duel.
//
// Source: protocol life 5.2.
func (tr *travel) sendAway(p, q *player, c UseItem, t *rules.Item, k *rules.Kind) rules.RejectReason {
	switch {
	case q == nil || q.gone() || !p.Sees(&q.Body):
		return rules.NoTarget
	case isDead(q):
		return rules.TargetDead
	case space.DistSq(&p.At, &q.At) > float64(k.Range*k.Range):
		return rules.TooFar
	case tr.options.Revival == nil:
		return rules.LeadsNowhere
	case p.duels(q):
		return rules.NoUse
	case p.stunned():
		return rules.Stunned
	case tr.spells.rests(p, k):
		return rules.TooSoon
	}
	why := tr.spells.combat.mayFight(p, q)
	tr.spells.combat.breakPeace(p, why)
	if why == 0 {
		why = tr.spells.mayUse(p, k, t.Suffix)
	}
	if why != 0 {
		return why
	}
	tr.spells.startCooldown(&cast{by: p, kind: k, numbers: k.Columns})
	tr.spells.combat.wrong(q, p)
	tr.tell(Used{ID: p.ID, Item: *t, Left: t.Count})
	tr.places.teleport(q, tr.options.Revival(q.Position, rules.KarmaBad))
	return 0
}

// abilityLeads is where an ability brings a player: to a living target in sight, or to the nearest city.
func (tr *travel) abilityLeads(p *player, on Target, t *rules.Item, k *rules.Kind) (coords.Position,
	rules.RejectReason) {
	if t.Class == rules.ClassTransport {
		at := tr.entities[on.Object]
		switch {
		case at == nil, at.gone(), at == &p.entity, !p.Sees(&at.Body), at.player == nil && at.object.monster == nil:
			return coords.Position{}, rules.NoTarget
		case at.player != nil && isDead(at.player), at.player == nil && at.object.monster.dying:
			return coords.Position{}, rules.TargetDead
		case space.DistSq(&p.At, &at.At) > float64(k.Range*k.Range):
			return coords.Position{}, rules.TooFar
		}
		to := at.At
		to.Yaw = p.Position.Yaw
		return to, 0
	}
	switch {
	case on != Target{} && on != Target{Item: t.ID} && on.Object != p.Number:
		return coords.Position{}, rules.NoUse
	case tr.options.Revival == nil:
		return coords.Position{}, rules.LeadsNowhere
	case !tr.unhurt(p):
		return coords.Position{}, rules.NotCalm
	}
	return tr.options.Revival(p.Position, rules.KarmaNeutral), 0
}
