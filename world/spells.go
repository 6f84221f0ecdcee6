package world

import (
	"cmp"
	"slices"

	"sphereserver/world/rules"
	"sphereserver/world/space"
)

// spells are cast by mantras, powders, potions and food.
type spells struct {
	*core
	ledger   *ledger
	vitals   *vitals
	minds    *minds
	missions *missions
	combat   *combat
}

// A cast is a spell on its way: its caster, and the thing that holds it.
type cast struct {
	rules.Spell
	by      *player
	kind    *rules.Kind
	numbers rules.Columns
	mantra  bool
	kept    bool // the thing is not used up
}

// cast uses a player's mantra, powder, potion or food: on itself, on another player, or on an enemy. An item that is
// used up is gone durably before its spell takes effect.
//
// Source: protocol fight 7.6, 11.3.
func (sl *spells) cast(p *player, c UseItem, t *rules.Item, k *rules.Kind) rules.RejectReason {
	s, known := sl.spellOf(p, t, k)
	if !known {
		return rules.NoUse
	}
	on, why := sl.aim(&s, c.Target, t.ID)
	wrath := why == rules.PeacefulPlace && s.Harms() && sl.balance.Duel.Wrath
	if s.Harms() {
		sl.combat.breakPeace(p, why)
	}
	if why != 0 && !wrath {
		return why
	}
	if why := sl.mayCast(&s, t.Suffix); why != 0 {
		return why
	}
	if wrath {
		sl.combat.punishPeacebreaker(p)
		return 0
	}
	was := *t
	if s.kept {
		sl.tell(Used{ID: p.ID, Item: was, Left: t.Count})
		sl.startCooldown(&s)
		sl.performCast(&s, p.Pools, on)
		return 0
	}
	d := sl.ledger.tx(p, c)
	left := d.UseUp(d.Side(&p.carried), t.ID)
	d.costly = s.CostHP > 0 || s.CostMP > 0
	d.become = func(q *Player) {
		q.Pools = s.Pay(q.Pools)
		if on == p.Number {
			q.Pools = s.Heal(q.Pools)
		}
	}
	sl.ledger.commit(d, nil, func() {
		sl.tell(Used{ID: p.ID, Item: was, Left: left, Slots: d.slots(all)})
		sl.startCooldown(&s)
		sl.performCast(&s, d.before, on)
	})
	return 0
}

// spellOf is the spell that an item of a player holds; false for none.
func (sl *spells) spellOf(p *player, t *rules.Item, k *rules.Kind) (s cast, known bool) {
	use := rules.ClassOf(t.Class).Use
	s = cast{by: p, kind: k, mantra: use == rules.Mantra, kept: use.Kept()}
	if k != nil {
		s.numbers = sl.tables.Numbers(k, t.Suffix)
	}
	s.Spell, known = sl.balance.Effect.SpellOf(t.Class, k, &s.numbers)
	if known && s.mantra && s.Attack {
		_, s.CostMP = sl.balance.Effect.EasyMantra(rules.Attack{}, s.CostMP, p.Degree+1)
	}
	return s, known
}

// mayCast returns why a caster cannot cast a spell now. It comes last, since it takes note of the moment of a blow.
func (sl *spells) mayCast(s *cast, suffix int) rules.RejectReason {
	p := s.by
	switch {
	case p.stunned():
		return rules.Stunned
	case !s.MayPay(p.Pools):
		return rules.Exhausted
	}
	if why := sl.mayUse(p, s.kind, suffix); why != 0 {
		return why
	}
	soon := sl.combat.usedJustNow
	if s.Harms() {
		soon = sl.combat.tooSoon
	}
	if !s.kept && p.lastUsedUp != 0 && sl.instant().Sub(p.lastUsedUp) < sl.balance.Effect.LeastUse-resolution {
		return rules.TooSoon
	}
	if use := sl.balance.Blow.UseTime(&s.numbers); s.kind != nil && sl.rests(p, s.kind) || use > 0 && soon(p, use) {
		return rules.TooSoon
	}
	if !s.kept {
		p.lastUsedUp = sl.instant()
	}
	return 0
}

// rests reports whether a kind of item is still cooling down for a player.
func (sl *spells) rests(p *player, k *rules.Kind) bool { return sl.now.Before(p.Cooldowns[k.ID]) }

// startCooldown starts the caster's cooldown for this kind of item.
func (sl *spells) startCooldown(s *cast) {
	if s.kind == nil {
		return
	}
	if d := sl.balance.Effect.Cooldown(&s.numbers); d > 0 {
		next := rules.Cooldowns{s.kind.ID: sl.now.Add(d)}
		for kind, until := range s.by.Cooldowns {
			if kind != s.kind.ID && sl.now.Before(until) {
				next[kind] = until
			}
		}
		s.by.Cooldowns = next
		sl.vitals.markUnsaved(s.by)
	}
}

// mayUse says which requirement of a thing that is not worn is not met, 0 if all are; kinds that are not known have
// none.
func (sl *spells) mayUse(p *player, k *rules.Kind, suffix int) rules.RejectReason {
	if k == nil {
		return 0
	}
	by := p.character().Wearer
	by.Stats = p.derived.Stats
	return sl.tables.Lacks(k, suffix, &by)
}

// aim returns the target of a spell, or the reason why it has none. with is the thing in use; as a target it means the
// caster.
func (sl *spells) aim(s *cast, target Target, with rules.ItemID) (EntityID, rules.RejectReason) {
	p := s.by
	on := target.Object
	if target == (Target{}) || target == (Target{Item: with}) {
		on = p.Number
	} else if target.Item != 0 {
		return 0, rules.NoUse
	}
	switch {
	case s.Harms() && on == p.Number && s.Area:
		return on, 0 // all around
	case s.Harms() && on == p.Number:
		return 0, rules.NoUse
	case s.Harms():
		e, why := sl.combat.mayStrike(p, on)
		if why == 0 && !s.Attack && !sl.reaches(s, e) { // an attack shows that it does not reach
			why = rules.TooFar
		}
		return on, why
	case on == p.Number:
		return on, 0
	}
	q, _ := on.Player()
	switch other := sl.player(q); {
	case other == nil:
		return 0, rules.NoUse
	case s.numbers.Range == 0, s.Effect.Costs() && (p.party == nil || p.party != other.party):
		return 0, rules.NoUse
	case isDead(other):
		return 0, rules.TargetDead
	case !sl.reaches(s, &other.entity):
		return 0, rules.TooFar
	}
	return on, 0
}

// reaches reports whether a target is in range of a spell.
func (sl *spells) reaches(s *cast, e *entity) bool {
	reach := sl.balance.Blow.Within(&s.numbers)
	return near(&s.by.entity, e, reach*reach)
}

// performCast charges the caster and applies the spell. before is the caster's pools without the charge.
func (sl *spells) performCast(s *cast, before rules.Pools, on EntityID) {
	p := s.by
	p.Pools = s.Pay(before)
	sl.vitals.poolsChanged(p, before)
	if isDead(p) { // it has died while its thing was being paid for
		return
	}
	switch q, isPlayer := on.Player(); {
	case s.Harms():
		sl.applyHostile(s, on)
	case isPlayer && sl.player(q) != nil:
		sl.applyFriendly(s, sl.player(q))
		if on == p.Number && p.party != nil && s.kind != nil && s.kind.Class == rules.ClassFlag {
			sl.raiseFlag(s)
		}
	}
}

// applyFriendly heals or buffs a player.
func (sl *spells) applyFriendly(s *cast, q *player) {
	sl.combat.meddle(q, s.by)
	sl.vitals.heal(q, s.by, s.HP, s.MP)
	if s.EffectHolds(sl.random.IntN(1000)) {
		sl.vitals.addEffect(q, s.Effect, s.by)
	}
	if q != s.by && s.mantra {
		sl.rewardMantra(s)
	}
}

// rewardMantra gives a caster the karma of a mantra on another player.
func (sl *spells) rewardMantra(s *cast) {
	p, now := s.by, sl.instant()
	karma := sl.balance.Karma.ForMantra(&s.Effect, now.Sub(p.had().helped))
	if karma == 0 {
		return
	}
	p.has().helped = now
	sl.missions.earn(earning{player: p, Reward: rules.Reward{Karma: karma}, at: &p.entity})
}

// applyHostile applies a hostile spell to its target, or to the area of effect around it.
func (sl *spells) applyHostile(s *cast, on EntityID) {
	sl.vitals.breakInvisibility(s.by)
	s.by.protected = 0
	if on == s.by.Number {
		sl.areaOfEffect(s, &s.by.entity)
		return
	}
	e, why := sl.combat.mayStrike(s.by, on)
	if why != 0 { // since it was paid for
		return
	}
	if _, radius := sl.balance.Blow.Reach(&s.numbers); radius > 0 && sl.reaches(s, e) {
		sl.areaOfEffect(s, e)
		return
	}
	sl.applyHarm(s, e, sl.balance.Blow.Within(&s.numbers))
}

// areaOfEffect applies a hostile spell to everything around a centre, the nearest first. It spares the caster, unless
// the balance says otherwise.
//
// Source: protocol fight 7.7.
func (sl *spells) areaOfEffect(s *cast, centre *entity) {
	_, radius := sl.balance.Blow.Reach(&s.numbers)
	type near struct {
		e       *entity
		metres2 float64
	}
	var hit []near
	add := func(e *entity) {
		if far := space.DistSq(&centre.At, &e.At); far <= radius*radius {
			hit = append(hit, near{e, far})
		}
	}
	for sort := range space.Sorts {
		for e := range s.by.InSight(sort) {
			add(e)
		}
	}
	if sl.balance.Blow.SplashSelf {
		add(&s.by.entity)
	}
	slices.SortFunc(hit, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.metres2, b.metres2), cmp.Compare(a.e.Number, b.e.Number))
	})
	n := 0
	for _, h := range hit {
		if n >= sl.balance.Blow.AreaTargets || isDead(s.by) {
			return
		}
		if h.e.gone() || h.e.player != nil && ofOneClan(h.e.player, s.by) {
			continue // it spares its caster's clan
		}
		if e, why := sl.combat.mayStrike(s.by, h.e.Number); why == 0 {
			sl.applyHarm(s, e, 0)
			n++
		}
	}
}

// ofOneClan reports whether two players are of the same clan.
func ofOneClan(p, q *player) bool {
	return p != q && p.Appearance.Clan != "" && p.Appearance.Clan == q.Appearance.Clan
}

// applyHarm deals a spell's damage and debuffs to one target. Beyond reach it misses; 0 is no limit.
func (sl *spells) applyHarm(s *cast, e *entity, reach float64) {
	id, school := e.Number, rules.Physical
	var agreed *duel
	if q := e.player; q != nil {
		if sl.combat.meddle(q, s.by); s.by.duels(q) {
			agreed = q.duel
		} else if q != s.by {
			sl.combat.recordAggression(q, s.by)
		}
	}
	if s.numbers.Magic < 0 || !s.Attack {
		school = rules.Magical
	}
	if s.Attack {
		a := sl.balance.Damage.AttackWith(&s.by.derived, s.kind, &s.numbers)
		if s.mantra {
			a, _ = sl.balance.Effect.EasyMantra(a, 0, s.by.Degree+1)
		}
		if sl.combat.strikeWith(s.by, e, blow{attack: a, school: school, reach: reach}) == 0 {
			return
		}
	}
	if sl.entities[id] != e || agreed != nil && s.by.duel != agreed {
		return // dead by that, or their duel is over
	}
	sl.drain(s, e, school)
}

// drain takes the MP that a spell drains from a target, and adds the debuff if it holds.
func (sl *spells) drain(s *cast, e *entity, school rules.School) {
	holds := s.EffectHolds(sl.random.IntN(1000))
	if q := e.player; q != nil {
		if drained := min(s.Drain, q.Pools.MP); drained > 0 {
			before := q.Pools
			q.Pools.MP -= drained
			sl.vitals.poolsChanged(q, before)
		}
		if holds {
			sl.vitals.addEffect(q, s.Effect, s.by)
		}
		return
	}
	m := e.object.monster
	if m == nil || m.dying {
		return
	}
	if burnt := int(float64(s.Drain) * sl.balance.Effect.MonsterDrain); burnt > 0 { // it has no prana
		sl.combat.hurtMonster(m, s.by, burnt, school)
	} else if !s.Attack {
		sl.minds.addThreat(m, s.by, 0, school)
	}
	if holds && !m.dying {
		sl.addMonsterEffect(m, s.Effect, s.by)
	}
}
