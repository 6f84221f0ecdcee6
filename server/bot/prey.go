package bot

import (
	"math"
	"slices"
	"time"

	"sphereserver/data/content/wild"
	"sphereserver/packets"
	"sphereserver/world/rules"
)

// This file is how a hunter weighs a fight before it begins one.

// bold is which part of its HP a hunter risks in a fight.
const bold = 0.6

// dares says whether the character expects to win against a monster: with its HP and MP of now, or when it is rested.
func (c *Client) dares(o *Object, rested bool) bool {
	hp, mp := packets.StatHP, packets.StatMP
	if rested {
		hp, mp = packets.StatMaxHP, packets.StatMaxMP
	}
	m := c.options.Catalogue.Monster(o.Monster.Type)
	return m == nil || c.forecast(m, o.Monster.Level, o.Name != 0, c.Stats[mp]) <= bold*float64(c.Stats[hp])
}

// daresAll says whether the character expects to win at a ground, where all monsters come to help: while the first one
// is fought the others strike, too.
func (c *Client) daresAll(s *wild.Spawner) bool {
	b, level := c.options.Balance, s.Level+s.Spread
	n := float64(max(b.Spawn.Common, 1))
	if s.Level <= b.Spawn.EasyLevel {
		n = float64(max(min(b.Spawn.Common, b.Spawn.EasyCommon), 1))
	}
	return slices.ContainsFunc(s.Types, func(kind int) bool {
		m := c.options.Catalogue.Monster(kind)
		return m != nil && c.forecast(m, level, false, c.Stats[packets.StatMaxMP])*n*(n+1)/2 <= bold*float64(c.Stats[packets.StatMaxHP])
	})
}

// forecast is how many HP a fight with a monster of a level, which may have a name, costs on the average when it begins
// with so many MP.
func (c *Client) forecast(m *rules.Monster, level int, named bool, mp int32) (hp float64) {
	b := c.options.Balance
	worn, defence := c.worn()
	left := float64(b.Strength.MaxHP(m, level, named))
	against := b.Damage.DefenceOf(m, level, named)
	blows := func(k *rules.Kind, n *rules.Columns) (damage, use float64) {
		a := b.Damage.AttackWith(&worn, k, n)
		if k != nil && lasts(k) {
			a, _ = b.Effect.EasyMantra(a, 0, int(c.Stats[packets.StatDegree])+1)
		}
		return mean(&b.Damage, a, against, b.Damage.MissPlayer), b.Blow.UseTime(n).Seconds()
	}
	seconds, reach := 0.0, b.Blow.FistRange
	if spell, n := c.bestSpell(mp); c.school().Magical() && spell != nil {
		damage, use := blows(c.kindOf(spell), &n)
		casts := min(math.Ceil(left/damage), float64(mp)/max(float64(c.easyCost(-n.UseMP)), 1))
		left, seconds = left-casts*damage, casts*use
		reach, _ = b.Blow.Reach(&n)
	}
	if left > 0 {
		damage, use := 0.0, 0.0
		if k, n := c.numbersOf(c.Objects[c.busy.inHand]); k == nil {
			damage, use = blows(nil, nil)
		} else {
			damage, use = blows(k, &n)
			far, _ := b.Blow.Reach(&n)
			reach = max(reach, far)
		}
		seconds += math.Ceil(left/damage) * use
	}
	speed := min(float64(m.Speed)/100*b.Mind.ChaseFar, b.Mind.TopSpeed)
	if way := reach - max(float64(m.Range), b.Mind.Melee); way > 0 && speed > 0 {
		seconds = max(seconds-way/speed, 0)
	}
	if m.Attack == 0 && m.Magic == 0 {
		return 0
	}
	taken := mean(&b.Damage, b.Damage.AttackOf(m, level, named), defence, b.Damage.MissMonster)
	taken *= b.Strength.Damage * b.Damage.EasyFactor(c.level())
	return taken * seconds / (time.Duration(max(m.Delay, 1)) * time.Second).Seconds()
}

// worn sums up the character's pieces: their share of its blows, and its defence.
func (c *Client) worn() (d rules.Derived, defence rules.Defence) {
	for slot := range FirstInventorySlot {
		if k, n := c.numbersOf(c.Objects[c.Slots[slot].Item]); k != nil && rules.IsWorn(slot) {
			d.WornAttack, d.WornMagic = d.WornAttack+n.Bonus.Attack, d.WornMagic+n.Bonus.Magic
			defence.Physical += n.Bonus.PhysicalDefence
			defence.Magical += n.Bonus.MagicalDefence
		}
	}
	return d, defence
}

// mean is about the damage of a blow on the average.
func mean(b *rules.DamageBalance, a rules.Attack, d rules.Defence, miss float64) float64 {
	one := func(attack, defence int) float64 {
		if attack <= 0 {
			return 0
		}
		return b.Pierce(float64(attack), float64(defence))
	}
	return (1 - miss) * max(math.Floor(one(a.Physical, d.Physical)+one(a.Magical, d.Magical)), 1)
}
