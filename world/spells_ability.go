package world

import "sphereserver/world/rules"

// useAbility uses an ability of a guild that its columns alone do not describe: the whirl of steel, the divine wind,
// raising.
//
// Source: protocol life 5.2; how much damage they do is ours.
func (sl *spells) useAbility(p *player, c UseItem, t *rules.Item, k *rules.Kind) rules.RejectReason {
	s := cast{by: p, kind: k, numbers: k.Columns, kept: true}
	s.CostHP, s.CostMP = max(-k.UseHP, 0), max(-k.UseMP, 0)
	var do func()
	var why rules.RejectReason
	if t.Class == rules.ClassRaising {
		do, why = sl.raising(&s, c.Target)
	} else {
		do, why = sl.whirl(&s, t.Class == rules.ClassSacrifice)
	}
	if why == 0 {
		why = sl.mayCast(&s, t.Suffix)
	}
	if why != 0 {
		return why
	}
	sl.tell(Used{ID: p.ID, Item: *t, Left: t.Count})
	sl.startCooldown(&s)
	before := p.Pools
	p.Pools = s.Pay(before)
	sl.vitals.poolsChanged(p, before)
	do()
	return 0
}

// whirl hurts all around a player, as area spells do: with the weapon in its hand, or in a sacrifice with all its HP
// but one.
func (sl *spells) whirl(s *cast, sacrifice bool) (do func(), why rules.RejectReason) {
	p, hit := s.by, cast{Spell: rules.Spell{Attack: true}, by: s.by, kind: s.kind}
	s.Attack = true
	if sacrifice {
		s.CostHP = max(p.Pools.HP-1, 1)
		hit.numbers.Attack = -s.CostHP
	} else {
		b, _, why := sl.combat.armed(p, p.hand)
		switch t := p.carried.Find(p.hand); {
		case why != 0:
			return nil, why
		case t == nil || b.shot:
			return nil, rules.NotInHand
		default:
			hit.kind = sl.tables.KindOf(t)
			hit.numbers = sl.tables.Numbers(hit.kind, t.Suffix)
		}
		s.numbers.UseTime = hit.numbers.UseTime
	}
	hit.numbers.Range = 100 * s.kind.Range
	return func() { sl.applyHostile(&hit, p.Number) }, 0
}

// raising revives a dead player where it lies. The dead is not asked: no window of the client can ask it, it rises in
// town before it could type an answer, and raised it has lost no more and is protected as after any revival. A player
// that it ignores cannot raise it.
func (sl *spells) raising(s *cast, on Target) (do func(), why rules.RejectReason) {
	id, _ := on.Object.Player()
	switch q := sl.player(id); {
	case q == nil || q.gone() || !s.by.Sees(&q.Body) || !isDead(q):
		return nil, rules.NoTarget
	case sl.ignoring(q, s.by):
		return nil, rules.IgnoresYou
	case !sl.reaches(s, &q.entity):
		return nil, rules.TooFar
	default:
		return func() {
			sl.ledger.whenFree(q, func(q *player) { // its death is told by then
				if isDead(q) && !q.gone() {
					sl.vitals.rise(q, q.Position, sl.balance.Death.HP)
				}
			})
		}, 0
	}
}

// raiseFlag gives the effect of a flag to the caster's group, as far as it is in range.
func (sl *spells) raiseFlag(s *cast) {
	for _, q := range s.by.party.members {
		if q != s.by && !q.gone() && !isDead(q) && s.by.Sees(&q.Body) && sl.reaches(s, &q.entity) {
			sl.applyFriendly(s, q)
		}
	}
}
