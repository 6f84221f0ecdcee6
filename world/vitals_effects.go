package world

import (
	"slices"
	"time"

	"sphereserver/world/rules"
)

// afflictions are the effects on a player or a monster. The time left of each is as of since.
type afflictions struct {
	effects []rules.Effect // in any order; Left is as of since
	since   instant
	wakes   instant // of the next timer
}

// bonus returns the sum of the effects' bonuses.
func (a *afflictions) bonus() (sum rules.Bonus) {
	for i := range a.effects {
		b := a.effects[i].Bonuses()
		sum.Add(&b, 1)
	}
	return sum
}

func (a *afflictions) any(is func(*rules.Effect) bool) bool {
	for i := range a.effects {
		if is(&a.effects[i]) {
			return true
		}
	}
	return false
}

// next returns the time until an effect ends or ticks.
func (a *afflictions) next(each time.Duration) time.Duration {
	next := time.Duration(0)
	for i := range a.effects {
		e := &a.effects[i]
		left := e.Left
		if e.Ticks() && each > 0 {
			left = min(left, each-(e.Whole()-e.Left)%each)
		}
		if i == 0 || left < next {
			next = left
		}
	}
	return max(next, TickPeriod)
}

// lay puts an effect where [rules.Lay] finds room, and returns the effects that gave way; false if it does not
// take hold.
func (a *afflictions) lay(e *rules.Effect) (gone [2]rules.Effect, ok bool) {
	gives, ok := rules.Lay(a.effects, e)
	if !ok {
		return gone, false
	}
	slices.Sort(gives[:])
	for i := len(gives) - 1; i >= 0; i-- {
		if at := gives[i]; at >= 0 {
			gone[i] = a.effects[at]
			a.effects = slices.Delete(a.effects, at, at+1)
		}
	}
	a.effects = append(a.effects, *e)
	return gone, true
}

// begin restores the effects that an entering player had when it left.
func (p *player) begin(now time.Time) {
	for i := range p.Effects {
		if e := &p.Effects[i]; e.Sound() && e.Beside(p.effects) {
			p.effects = append(p.effects, *e)
		}
	}
	p.Effects, p.since = nil, instantOf(now)
}

// lasting are a player's effects as they are to be kept: the oldest first, nil for none.
func (vt *vitals) lasting(p *player) []rules.Effect {
	if len(p.effects) == 0 {
		return nil
	}
	out := slices.Clone(p.effects)
	for i := range out {
		out[i].Left = vt.left(p, &out[i])
	}
	return slices.DeleteFunc(out, func(e rules.Effect) bool { return e.Left <= 0 })
}

// left is how long an effect of a player will last from now on. Those of the dead do not count down below a limit.
func (vt *vitals) left(p *player, e *rules.Effect) time.Duration {
	left := e.Left - vt.instant().Sub(p.since)
	if left <= resolution {
		left = 0
	}
	if isDead(p) {
		left = max(left, min(e.Left, vt.balance.Effect.Lasting))
	}
	return left
}

// isDead reports whether a player has no HP left. A player without pools is alive.
func isDead(p *player) bool { return p.Pools.HP <= 0 && p.Pools.MaxHP > 0 }

// showEffects tells a player its effects, when it enters or is to see them again.
func (vt *vitals) showEffects(p *player) {
	for i := range p.effects {
		vt.tellBegan(p, &p.effects[i])
	}
	vt.awaitEffects(p)
}

func (vt *vitals) tellBegan(p *player, e *rules.Effect) {
	vt.tell(EffectBegan{p.ID, *e, vt.characters[e.Caster]})
}

// addEffect puts a buff or debuff on a player, or renews it, by the rules of [rules.Lay]. by is the caster, nil for a
// monster.
func (vt *vitals) addEffect(p *player, e rules.Effect, by *player) {
	if p.gone() || isDead(p) {
		return
	}
	vt.age(p)
	switch n := e.Cleanses(); {
	case isDead(p): // by that
		return
	case n > 0:
		vt.cleanse(p, n)
		return
	case e.Grounds():
		vt.endEffects(p, (*rules.Effect).Lifts)
	}
	if e.Left = e.Whole(); e.Left <= 0 || p.any(func(have *rules.Effect) bool { return have.Bars(&e) }) {
		return
	}
	if by != nil {
		e.Caster = by.Character
	}
	if !e.Sound() { // no store could keep it
		return
	}
	gone, ok := p.lay(&e)
	if !ok {
		return
	}
	for i := range gone {
		if gone[i].ID != 0 {
			vt.tell(EffectEnded{p.ID, gone[i]})
		}
	}
	vt.tellBegan(p, &e)
	vt.effectsChanged(p)
	vt.endEffects(p, e.Bars)
}

// effectsChanged recomputes a player's values and sets its timer after a change of its effects.
func (vt *vitals) effectsChanged(p *player) {
	vt.markUnsaved(p)
	vt.recomputeStats(p)
	vt.awaitEffects(p)
}

// await sets a timer of e for the next time that an effect on it ticks or ends. A timer that comes too early does no
// harm.
func (vt *vitals) await(e *entity, a *afflictions, do action) {
	if len(a.effects) == 0 {
		return
	}
	next := a.next(vt.balance.Effect.PoisonEach)
	due := vt.instant().Add(next)
	if a.wakes.After(vt.instant()) && !a.wakes.After(due) {
		return
	}
	a.wakes = due
	vt.after(next, e, do)
}

// awaitEffects sets the timer of a player's effects.
func (vt *vitals) awaitEffects(p *player) { vt.await(&p.entity, &p.afflictions, vt.passEffects) }

func (vt *vitals) passEffects(e *entity) {
	vt.age(e.player)
	vt.awaitEffects(e.player)
}

// age advances the effects on a player: damage over time ticks, and expired effects end.
func (vt *vitals) age(p *player) {
	if len(p.effects) == 0 || !vt.instant().After(p.since) {
		p.since = vt.instant()
		return
	}
	var hits [rules.MaxEffects]Hit
	n, over := 0, false
	for i := range p.effects {
		e := &p.effects[i]
		left := vt.left(p, e)
		if hp, mp := e.Gain(e.Left, left, vt.balance.Effect.PoisonEach); (hp != 0 || mp != 0) && n < len(hits) {
			hits[n] = Hit{By: EntityID(vt.characters[e.Caster]), HP: hp, MP: mp}
			if hits[n].By == 0 {
				hits[n].Owed = e.Caster
			}
			n++
		}
		e.Left = left
		over = over || left <= 0
	}
	p.since = vt.instant()
	if over {
		vt.endEffects(p, func(e *rules.Effect) bool { return e.Left <= 0 })
	}
	agreed := p.duel
	for i := range hits[:n] {
		if h := &hits[i]; !isDead(p) && p.duel == agreed { // the loser of a duel bears no more of it
			h.HP, h.MP = fitting(p.Pools.HP, p.Pools.MaxHP, h.HP), fitting(p.Pools.MP, p.Pools.MaxMP, h.MP)
			if h.HP != 0 || h.MP != 0 {
				vt.hurt(p, *h)
			}
		}
	}
}

// fitting limits a change of a pool: a gain to the room that is left, a loss to the points that are there.
func fitting(have, limit, n int) int {
	if n < 0 {
		return max(n, -have)
	}
	return min(n, max(limit-have, 0))
}

// endEffects ends the effects of a player for which which is true.
func (vt *vitals) endEffects(p *player, which func(*rules.Effect) bool) {
	before := len(p.effects)
	p.effects = slices.DeleteFunc(p.effects, func(e rules.Effect) bool {
		if !which(&e) {
			return false
		}
		vt.tell(EffectEnded{p.ID, e})
		return true
	})
	if len(p.effects) != before {
		vt.effectsChanged(p)
	}
}

// cleanse ends some effects of a player by chance.
func (vt *vitals) cleanse(p *player, n int) {
	may := slices.DeleteFunc(slices.Clone(p.effects), func(e rules.Effect) bool { return e.Sates() })
	var chosen []int // ids
	for range min(n, len(may)) {
		k := vt.random.IntN(len(may))
		chosen, may = append(chosen, may[k].ID), slices.Delete(may, k, k+1)
	}
	vt.endEffects(p, func(e *rules.Effect) bool { return slices.Contains(chosen, e.ID) })
}

// dieEffects ends harmful effects, which do not outlast death. Call it when the HP are 0.
func (vt *vitals) dieEffects(p *player) { vt.endEffects(p, (*rules.Effect).Harmful) }

// stunned reports whether a player cannot strike.
func (p *player) stunned() bool { return p.any((*rules.Effect).Stuns) }

// invisible reports whether monsters do not notice a player.
func (p *player) invisible() bool { return p.any((*rules.Effect).Hides) }

// breakInvisibility ends the invisibility of a player that strikes.
func (vt *vitals) breakInvisibility(p *player) {
	if p.invisible() {
		vt.endEffects(p, (*rules.Effect).Hides)
	}
}

// ward applies a player's wards to a hit, and wears its armour. The caller deals the damage that is left, and then
// reflects the rest by [vitals.reflect].
func (vt *vitals) ward(p *player, damage int, school rules.School) rules.Warded {
	vt.wearArmour(p)
	left := vt.balance.Damage.Ward(rules.WardsOf(p.effects), p.Pools.MP, damage, school)
	if left.Prana > 0 {
		before := p.Pools
		p.Pools.MP -= left.Prana
		vt.poolsChanged(p, before)
	}
	return left
}

// reflect returns damage to the attacker.
func (vt *vitals) reflect(p *player, by EntityID, damage int, school rules.School) {
	if damage <= 0 {
		return
	}
	if other, ok := by.Player(); ok {
		if q := vt.player(other); q != nil && q != p && !isDead(q) {
			vt.hurt(q, Hit{By: EntityID(p.ID), HP: -min(damage, q.Pools.HP)})
		}
	} else if o := vt.object(by); o != nil && o.monster != nil {
		vt.fights.hurtMonster(o.monster, p, damage, school)
	}
}

// lifesteal heals an attacker with the effect vampire by a part of the damage that it has dealt.
func (vt *vitals) lifesteal(p *player, damage int) {
	if p == nil || isDead(p) || !rules.WardsOf(p.effects).Lifesteal {
		return
	}
	if hp := fitting(p.Pools.HP, p.Pools.MaxHP, int(float64(damage)*vt.balance.Damage.Lifesteal)); hp > 0 {
		vt.heal(p, p, hp, 0)
	}
}

// heal gives a player HP and MP at once, as far as there is room for them. [Healed] tells it.
func (vt *vitals) heal(p, by *player, hp, mp int) {
	hp, mp = fitting(p.Pools.HP, p.Pools.MaxHP, hp), fitting(p.Pools.MP, p.Pools.MaxMP, mp)
	if p.gone() || isDead(p) || hp == 0 && mp == 0 {
		return
	}
	p.Pools.HP += hp
	p.Pools.MP += mp
	vt.tellHealed(p, by, hp, mp)
}

// tellHealed tells of HP and MP that a player has already.
func (vt *vitals) tellHealed(p, by *player, hp, mp int) {
	vt.markUnsaved(p)
	vt.tell(Healed{ID: p.ID, By: by.ID, HP: hp, MP: mp})
	if hp != 0 {
		vt.places.showHealth(p)
	}
}
