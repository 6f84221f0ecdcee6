package world

import (
	"slices"

	"sphereserver/world/rules"
)

// addMonsterEffect puts a debuff on a monster. Clients are not told: they see it in the monster's actions.
//
// Source: protocol fight 11.1.
func (sl *spells) addMonsterEffect(m *monster, e rules.Effect, by *player) {
	sl.ageCurses(m)
	if e.Left = e.Whole(); e.Left <= 0 || m.dying || m.mind.evading() {
		return
	}
	e.Caster = by.Character
	if _, ok := m.lay(&e); !ok {
		return
	}
	if e.Stuns() || e.Fetters() {
		m.mind.rouse()
	}
	if e.Stuns() {
		m.mind.stunned = sl.instant().Add(e.Left)
	}
	if e.Fetters() {
		m.mind.bound = sl.instant().Add(e.Left)
	}
	sl.weaken(m)
	sl.awaitCurses(m)
}

// weaken sets a monster's maximum HP to that which its effects leave, and tells the viewers.
func (sl *spells) weaken(m *monster) {
	whole := m.MaxHP + int(m.weakened)
	taken := sl.balance.Effect.Weakened(whole, m.bonus().HP)
	if taken == int(m.weakened) || m.dying || m.ended {
		return
	}
	asleep := !m.mind.awake && m.HP == m.MaxHP // one that is awake gets well by resting
	m.weakened, m.MaxHP = int32(taken), whole-taken
	if asleep {
		m.HP = m.MaxHP
	}
	sl.setHP(m, min(m.HP, m.MaxHP))
	sl.minds.showMonster(m)
}

// awaitCurses sets the timer of a monster's effects.
func (sl *spells) awaitCurses(m *monster) {
	sl.vitals.await(&m.object.entity, &m.afflictions, sl.passCurses)
}

func (sl *spells) passCurses(e *entity) {
	if m := e.object.monster; m != nil && !m.dying {
		sl.ageCurses(m)
		sl.minds.forget(m)
		sl.awaitCurses(m)
	}
}

// ageCurses advances the debuffs on a monster: damage over time ticks, and expired effects end.
func (sl *spells) ageCurses(m *monster) {
	elapsed := sl.instant().Sub(m.since)
	m.since = sl.instant()
	if len(m.effects) == 0 || elapsed <= 0 {
		return
	}
	var hits [rules.MaxEffects]struct {
		by     *player
		damage int
	}
	n := 0
	for i := range m.effects {
		e := &m.effects[i]
		left := e.Left - elapsed
		if left <= resolution {
			left = 0
		}
		hp, _ := e.Gain(e.Left, left, sl.balance.Effect.PoisonEach)
		e.Left = left
		// The poison of a caster that has left does no more harm: no player could answer for it.
		if by := sl.player(sl.characters[e.Caster]); hp < 0 && by != nil {
			hits[n].by, hits[n].damage = by, -hp
			n++
		}
	}
	m.effects = slices.DeleteFunc(m.effects, func(e rules.Effect) bool { return e.Left <= 0 })
	sl.weaken(m)
	for _, h := range hits[:n] {
		sl.combat.hurtMonster(m, h.by, h.damage, rules.Magical)
	}
}

// attack returns how hard a monster hits, with its effects.
func (m *monster) attack(b *rules.DamageBalance) rules.Attack {
	a, more := b.AttackOf(m.row, m.Level, m.Named()), m.bonus()
	for _, v := range [...]struct {
		of     *int
		change int
	}{{&a.Physical, more.Attack}, {&a.Magical, more.Magic}} {
		if *v.of > 0 {
			*v.of = max(*v.of-v.change, 1)
		}
	}
	return a
}

// defence returns a monster's defence, with its effects.
func (m *monster) defence(b *rules.DamageBalance) rules.Defence {
	d, more := b.DefenceOf(m.row, m.Level, m.Named()), m.bonus()
	return rules.Defence{Physical: d.Physical + more.PhysicalDefence, Magical: d.Magical + more.MagicalDefence}
}
