package bot

import (
	"cmp"
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

// dares reports whether the character expects to win against a monster and those that will help it: with its HP and
// MP of now, or when it is rested.
func (c *Client) dares(o *Object, rested bool) bool {
	hp, mp := packets.StatHP, packets.StatMP
	if rested {
		hp, mp = packets.StatMaxHP, packets.StatMaxMP
	}
	m := c.options.Catalogue.Monster(o.Monster.Type)
	return m == nil ||
		c.forecast(m, o.Monster.Level, o.Name != 0, c.Stats[mp])*together(1+c.company(o)) <= bold*float64(c.Stats[hp])
}

// together is how many times as much a fight with so many monsters costs as with one: while the first one is fought
// the others strike, too.
func together(n int) float64 { return float64(n*(n+1)) / 2 }

// hopeless reports whether the monsters around the character will kill it, as it expects, before it has killed them:
// those that are nearly dead first.
func (c *Client) hopeless() bool {
	type foe struct{ cost, left float64 }
	var all []foe
	for _, o := range c.beasts {
		m := o.Monster
		k := c.options.Catalogue.Monster(m.Type)
		if k == nil || m.Dying || c.Position.Distance(o.Position) > c.options.Balance.Mind.Notice {
			continue
		}
		left := float64(m.HP) / float64(max(m.MaxHP, 1))
		all = append(all, foe{c.forecast(k, m.Level, o.Name != 0, c.Stats[packets.StatMP]), left})
	}
	slices.SortFunc(all, func(a, b foe) int { return cmp.Compare(a.cost*a.left, b.cost*b.left) })
	cost, fights := 0.0, 0.0
	for _, f := range all { // each strikes until it is dead, and so long as those before it are alive
		fights += f.left
		cost += f.cost * fights
	}
	return cost > float64(c.Stats[packets.StatHP])
}

// company is how many other monsters will help one, or notice a player that comes to strike it.
func (c *Client) company(o *Object) (n int) {
	far := c.options.Balance.Mind.Help
	if c.means().reach < shooting {
		far = max(far, c.options.Balance.Mind.Notice)
	}
	for _, other := range c.beasts {
		if m := other.Monster; other != o && !m.Dying && m.Type != rules.PracticeTarget &&
			other.Position.Distance(o.Position) <= far {
			n++
		}
	}
	return n
}

// shooting is the least range with which a hunter need not go to its prey, in metres.
const shooting = 8

// daresSome reports whether the character expects to win at a ground: against one that stands apart from the others,
// where it need not go near, or else against two.
func (c *Client) daresSome(s *wild.Spawner) bool {
	b, level, n := c.options.Balance, s.Level+s.Spread, 1
	if s.Level > b.Spawn.EasyLevel && c.means().reach < shooting {
		n = min(max(b.Spawn.Common, 1), 2)
	}
	return slices.ContainsFunc(s.Types, func(kind int) bool {
		m := c.options.Catalogue.Monster(kind)
		return m != nil && c.forecast(m, level, false, c.Stats[packets.StatMaxMP])*together(n) <=
			bold*float64(c.Stats[packets.StatMaxHP])
	})
}

// forecast is how many HP a fight with a monster of a level, which may have a name, costs on the average when it begins
// with so many MP.
func (c *Client) forecast(m *rules.Monster, level int, named bool, mp int32) (hp float64) {
	b := c.options.Balance
	worn, defence := c.worn()
	worn.Title = uint8(c.Stats[packets.StatTitle] % rules.CycleLevels)
	if c.knows(packets.StatPhysicalDefence) && c.knows(packets.StatMagicalDefence) { // with effects
		defence = rules.Defence{Physical: int(c.Stats[packets.StatPhysicalDefence]),
			Magical: int(c.Stats[packets.StatMagicalDefence])}
	}
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
