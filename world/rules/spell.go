package rules

import "math"

// A Spell is the work of a mantra, a powder, a potion or food. HP, MP and satiety are gains, above 0.
//
// Source: protocol fight 9.5, 11.3.
type Spell struct {
	HP, MP, Satiety int
	Drain           int    // MP that it takes from its target
	CostHP, CostMP  int    // of the caster
	Effect          Effect // ID 0: none
	Chance          int    // of the effect, per mille
	Attack          bool   // it hurts
	Area            bool   // it hurts all around
}

// SpellOf returns the spell of an item of a kind, with the numbers of its suffix; class is that of the item, k is nil
// if its kind is not known. It is false if no spell of it is known.
func (b *EffectBalance) SpellOf(class int, k *Kind, n *Columns) (s Spell, ok bool) {
	c := ClassOf(class)
	s.Satiety = b.Food[c.Food]
	if k == nil || c.Use != Potion && !c.Use.Kept() {
		return s, s.Satiety > 0
	}
	s.HP, s.MP, s.Drain = max(n.Magic, 0), max(n.MPEffect, 0), max(-n.MPEffect, 0)
	s.CostHP, s.CostMP = max(-n.UseHP, 0), max(-n.UseMP, 0)
	s.Attack, s.Area = n.Attack < 0 || n.Magic < 0, n.Range > 100
	if e, has := EffectOf(k, n); has {
		s.Effect, s.Chance = e, n.Chance
	}
	if class == ClassSatiety && s.Effect.ID == 0 {
		s.Effect, s.Chance = SatedEffect(), 1000
	}
	if s.Harms() {
		s.HP, s.MP, s.Satiety = 0, 0, 0
	}
	return s, s.Attack || s.Drain > 0 || s.HP > 0 || s.MP > 0 || s.Satiety > 0 || s.Effect.ID != 0
}

// EasyMantra is the attack and the cost of an attack mantra for a caster of a degree, from level 1: beginners have
// few MP, and no other weapon. It is ours.
func (b *EffectBalance) EasyMantra(a Attack, costMP, degree int) (Attack, int) {
	harm := easy(degree, b.EasyLevel, b.EasyHarm)
	a.Physical, a.Magical = int(float64(a.Physical)*harm), int(float64(a.Magical)*harm)
	return a, int(math.Ceil(float64(costMP) * easy(degree, b.EasyLevel, b.EasyCost)))
}

// Harms reports whether the spell is cast at enemies and not at friends.
func (s *Spell) Harms() bool {
	return s.Attack || s.Drain > 0 || s.Effect.ID != 0 && s.Effect.Harmful()
}

// Pay returns pools after the costs of the spell, and after eating its item. The costs must be there.
func (s *Spell) Pay(v Pools) Pools {
	if v.HP > 0 { // casting never kills, even if the caster was hurt since it began
		v.HP = max(v.HP-s.CostHP, 1)
	}
	v.MP = max(v.MP-s.CostMP, 0)
	v.Satiety = max(min(v.Satiety+s.Satiety, v.MaxSatiety), v.Satiety)
	return v
}

// MayPay reports whether a caster has the costs of the spell. Casting never kills.
func (s *Spell) MayPay(v Pools) bool {
	return v.MP >= s.CostMP && (v.HP > s.CostHP || s.CostHP == 0)
}

// Heal returns pools after the gains of the spell. Points above a limit stay, and the dead gain no HP.
func (s *Spell) Heal(v Pools) Pools {
	if v.HP > 0 || v.MaxHP == 0 {
		v.HP = max(min(v.HP+s.HP, v.MaxHP), v.HP)
	}
	v.MP = max(min(v.MP+s.MP, v.MaxMP), v.MP)
	return v
}

// EffectHolds reports whether the effect of a spell takes hold, by a number drawn from 0 to 999.
func (s *Spell) EffectHolds(draw int) bool { return s.Effect.ID != 0 && draw < s.Chance }
