package world

import (
	"time"

	"sphereserver/world/rules"
)

// combat is blows: between players, between players and monsters, their kills and duels.
type combat struct {
	*core
	places      *places
	ledger      *ledger
	groundItems *groundItems
	vitals      *vitals
	minds       *minds
	missions    *missions

	absent map[int64]absence // the state kept of characters that have left, by their numbers
}

// fightState is the state of a player in fights.
type fightState struct {
	lastBlow   instant
	lastUse    instant // of its last blow or spell
	protected  instant // until then it cannot be hurt
	revival    instant // of one that is dead
	lastUsedUp instant // when it last cast a thing that is used up
	duel       *duel
	quarrels   *quarrels // nil: it has had none
	blowsWorn  int32     // of its own that have hit since its weapon wore
	hitsWorn   int32     // on it since its armour wore
}

// quarrels are a player's memories of fights with other players.
type quarrels struct {
	aggressors []aggression // that have recently hurt it
	truce      truce        // after its last duel
	challenged proposal
	offered    missionOffer // to be passed on to it
	helped     instant      // when it has last earned karma by a mantra on another
	wanted     instant      // until then guards go after it, since it has broken the peace
	owes       int          // karma that the store has not taken yet
	graves     []grave      // of deaths that still cost an item
}

// noQuarrels are those of a player that has had none. They are not to be changed.
var noQuarrels quarrels

// had returns a player's quarrels, to be read.
func (f *fightState) had() *quarrels {
	if f.quarrels == nil {
		return &noQuarrels
	}
	return f.quarrels
}

// has returns a player's quarrels, to be changed.
func (f *fightState) has() *quarrels {
	if f.quarrels == nil {
		f.quarrels = new(quarrels)
	}
	return f.quarrels
}

// Strike is a blow at a monster, a player or oneself, with the item in the hand or with fists. *[MonsterHurt],
// [PlayerHit] and the events that follow from them tell of it; a blow that does not count is told by [Refused].
type Strike struct {
	ID     PlayerID
	With   rules.ItemID // 0: fists
	Target EntityID
}

func (c Strike) who() PlayerID { return c.ID }

// free is each blow that counts: its arrow is paid afterwards.
func (c Strike) free(w *World, p *player) bool {
	_, _, why := w.combat.armed(p, c.With)
	return why == 0
}

func (c Strike) ask(w *World, p *player) rules.RejectReason {
	if p.stunned() {
		return rules.Stunned
	}
	at, why := w.combat.mayStrike(p, c.Target)
	w.combat.breakPeace(p, why)
	if why != 0 && why != rules.PeacefulPlace {
		return why
	}
	b, use, missing := w.combat.armed(p, c.With)
	switch {
	case missing != 0:
		return missing
	case why != 0 && !w.balance.Duel.Wrath:
		return why
	case w.combat.tooSoon(p, use):
		return rules.TooSoon
	case why != 0:
		w.combat.punishPeacebreaker(p)
		return 0
	}
	w.combat.strikeWith(p, at, b)
	if b.shot {
		w.combat.useArrow(p)
	}
	return 0
}

// armed returns a player's blow with an item, 0 for fists, and its use time.
func (cb *combat) armed(p *player, with rules.ItemID) (b blow, use time.Duration, why rules.RejectReason) {
	d, blows := &cb.balance.Damage, &cb.balance.Blow
	if with == 0 {
		b.attack, b.reach = d.AttackWith(&p.derived, nil, nil), blows.Within(nil)
		return b, blows.UseTime(nil), 0
	}
	t := p.carried.Find(with)
	if t == nil {
		return b, 0, rules.NotYours
	}
	k := cb.tables.KindOf(t)
	switch {
	case p.hand != with || k == nil:
		return b, 0, rules.NotInHand
	case rules.ClassOf(k.Class).Held == 0:
		return b, 0, rules.NoUse
	case !p.derived.Holds:
		return b, 0, cb.vitals.lacks(p, t)
	}
	n := cb.tables.Numbers(k, t.Suffix)
	b.attack, b.reach, b.weapon = d.AttackWith(&p.derived, k, &n), blows.Within(&n), with
	if b.shot = rules.ClassOf(k.Class).Held == rules.Crossbow; b.shot && !p.hasArrow() {
		return b, 0, rules.NoArrows
	}
	return b, blows.UseTime(&n), 0
}

// A blow is one attack at one target.
type blow struct {
	attack rules.Attack
	school rules.School // as which it counts
	reach  float64      // metres beyond which it does not hit; 0: it always does
	weapon rules.ItemID // which wears out, 0: none
	shot   bool         // it costs an arrow
}

// mayStrike returns the target of a blow, or the reason why there is none. It checks neither the distance nor the
// time since the last blow.
func (cb *combat) mayStrike(p *player, id EntityID) (*entity, rules.RejectReason) {
	if id == p.Number {
		return &p.entity, 0
	}
	at := cb.entities[id]
	switch {
	case at == nil || at.gone() || !p.Sees(&at.Body):
		return nil, rules.NotInSight
	case at.player != nil:
		return at, cb.mayFight(p, at.player)
	case at.object.monster == nil:
		return nil, rules.NoTarget
	case at.object.monster.dying:
		return nil, rules.TargetDead
	}
	return at, 0
}

// tooSoon reports whether a player's last blow is too recent for another of a use time. If not, the player strikes now.
func (cb *combat) tooSoon(p *player, use time.Duration) bool {
	if !p.lastBlow.IsZero() && !cb.balance.Blow.Counts(use, cb.instant().Sub(p.lastBlow)) {
		return true
	}
	p.lastBlow, p.lastUse = cb.instant(), cb.instant()
	return false
}

// usedJustNow is tooSoon for harmless use, which has to wait for blows, while blows do not wait for it.
func (cb *combat) usedJustNow(p *player, use time.Duration) bool {
	if p.lastUse != 0 && !cb.balance.Blow.Counts(use, cb.instant().Sub(p.lastUse)) {
		return true
	}
	p.lastUse = cb.instant()
	return false
}

// strikesAt reports whether a target is in a blow's reach, in metres.
func (cb *combat) strikesAt(p *player, at *entity, reach float64) bool {
	feet := at.At.Y
	if at.object != nil && at.object.monster != nil {
		feet = cb.minds.feet(at.object.monster)
	}
	return cb.minds.reachable(p.At, at.At, feet, reach)
}

// strikeWith deals a blow to the target that [combat.mayStrike] has found: it rolls the chance, hurts the target, and
// tells all that. It returns the damage, 0 for a miss; the target may be dead or gone after it.
func (cb *combat) strikeWith(p *player, at *entity, b blow) (damage int) {
	cb.vitals.breakInvisibility(p)
	p.protected = 0
	missed := b.reach > 0 && !cb.strikesAt(p, at, b.reach) || rules.Missed(cb.random, cb.balance.Damage.MissPlayer)
	if !missed {
		cb.vitals.wearWeapon(p, b.weapon)
	}
	if q := at.player; q != nil {
		if missed {
			return 0
		}
		return cb.strikePlayer(p, q, b)
	}
	m := at.object.monster
	if !missed {
		damage = cb.balance.Damage.Damage(cb.random, b.attack, m.defence(&cb.balance.Damage))
	}
	took := cb.hurtMonster(m, p, damage, b.school)
	cb.vitals.lifesteal(p, took)
	return took
}

// hurtMonster deals damage of a player to a monster, which may die of it, and returns how many HP it has lost. A
// damage of 0 is a miss; damage beyond the HP left counts for nothing.
func (cb *combat) hurtMonster(m *monster, by *player, damage int, school rules.School) (took int) {
	if m.dying || m.ended {
		return 0
	}
	if m.mind.evading() {
		damage = 0
	}
	took = min(damage, m.HP)
	hit := MonsterHurt{ID: m.object.ID, By: by.Number, Damage: damage, HP: max(m.HP-damage, 0), MaxHP: m.MaxHP}
	if damage > 0 {
		m.hits++
	}
	hit.Hits = int(m.hits)
	cb.setHP(m, hit.HP)
	if hit.Viewers = cb.places.viewersBefore(&m.object.entity); len(hit.Viewers) > 0 {
		cb.tell(cb.monsterHurt.put(hit))
	}
	if damage > 0 {
		cb.minds.addThreat(m, by, took, school)
	}
	if m.HP == 0 {
		cb.kill(m, by)
	}
	return took
}

// swing is a monster's blow at a player. It is the one way from minds into blows.
func (cb *combat) swing(m *monster, at *player) {
	if m.dying || m.ended || cb.instant().Before(m.mind.stunned) || !cb.vitals.mayBeHurt(at) {
		return
	}
	b, r := &cb.balance.Damage, m.random()
	e := MonsterSwung{ID: m.object.ID, Type: m.Type, Target: at.ID, Missed: rules.Missed(r, b.MissMonster)}
	if m.any((*rules.Effect).Confuses) {
		e.Missed = rules.Missed(r, cb.balance.Effect.MonsterMiss) || e.Missed
	}
	if e.Missed {
		if e.Viewers = cb.places.viewersBefore(&m.object.entity); len(e.Viewers) > 0 {
			cb.tell(cb.monsterSwung.put(e))
		}
		return
	}
	attack := m.attack(b)
	damage := b.OfMonster(b.Damage(r, attack, at.defence()), rules.Strength(at.Title, at.Degree))
	ward := cb.vitals.ward(at, cb.balance.Strength.Hurts(damage), attack.School())
	hit, _ := cb.vitals.wound(at, Hit{By: m.object.ID, HP: -ward.Damage})
	e.Hit, e.Viewers = hit.PlayerHit, cb.places.viewersBefore(&m.object.entity)
	cb.tell(cb.monsterSwung.put(e))
	cb.vitals.afterHit(at, &hit)
	cb.vitals.reflect(at, m.object.ID, ward.Back, attack.School())
	if m.row.Effect != 0 && r.IntN(1000) < m.row.Chance && cb.vitals.mayBeHurt(at) {
		if e, ok := rules.EffectOfMonster(m.row, m.Level, &cb.balance.Effect); ok {
			cb.vitals.addEffect(at, e, nil)
		}
	}
}

// defence returns a player's defence.
func (p *player) defence() rules.Defence {
	return rules.Defence{Physical: p.derived.PhysicalDefence, Magical: p.derived.MagicalDefence}
}

// SetBalance replaces the balance. The new one must not change afterwards.
type SetBalance struct{ Balance *rules.Balance }

func (SetBalance) who() PlayerID { return 0 }

// Balance returns the balance in effect. Only the [Sink] may call it, while it is told, and must not change it.
func (w *World) Balance() *rules.Balance { return w.balance }

func (c SetBalance) do(w *World) {
	was := w.balance
	w.balance = c.Balance
	w.options.Ground.SetBalance(&c.Balance.Mind)
	w.spawners.refill()
	if was.Effect.Fed != c.Balance.Effect.Fed || was.Effect.FedFrom != c.Balance.Effect.FedFrom {
		for _, e := range w.all[players] {
			w.vitals.recomputeStats(e.player)
		}
	}
}
