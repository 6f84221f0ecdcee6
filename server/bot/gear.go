package bot

import (
	"math"
	"time"

	"sphereserver/packets"
	"sphereserver/world/rules"
)

// This file is about the gear of hunters: which things serve one better than its own, and where they are sold.

// A purpose is the use of a thing to a hunter.
type purpose uint8

const (
	none purpose = iota
	striking
	helping // with a blade, where there are no arrows or MP
	healing
	refilling // MP
	warding   // with a mantra of armour
	protecting
)

// serves returns the use of a thing to the character, and its worth: of a weapon or an attack of its school the damage
// in a second, of a mantra what it gives, of a piece its protection.
func (c *Client) serves(k *rules.Kind, n *rules.Columns) (purpose, float64) {
	if s, ok := c.refills(k, n); ok && c.school().Magical() {
		return refilling, float64(s.MP)
	}
	switch {
	case !c.able(n):
	case c.ofSchool(k) && !lasts(k), c.school().Magical() && c.attacks(k, n):
		return striking, c.force(n)
	case c.school().helped() && isBlade(k):
		return helping, c.force(n)
	case lasts(k) && c.heals(k, n):
		return healing, float64(n.Magic)
	case lasts(k) && c.wards(k, n):
		return warding, float64(n.Bonus.PhysicalDefence)
	case len(k.Slots) > 0 && rules.IsWorn(k.Slots[0]) && protection(&n.Bonus) > 0:
		return protecting, protection(&n.Bonus)
	}
	return none, 0
}

// better is by how much a thing is worth more to the character than its own, below 0 for less. A thing without a use is
// never better.
func (c *Client) better(k *rules.Kind, n *rules.Columns) float64 {
	what, worth := c.serves(k, n)
	switch has := 0.0; what {
	case none:
		return math.Inf(-1)
	case protecting:
		_, least := c.leastWorn(k)
		return worth - least
	default:
		for _, o := range c.inventory() {
			if k, n := c.numbersOf(o); k != nil {
				if same, worth := c.serves(k, &n); same == what {
					has = max(has, worth)
				}
			}
		}
		return worth - has
	}
}

// force is how much a weapon or an attack hurts in a second.
func (c *Client) force(n *rules.Columns) float64 {
	return float64(max(-n.Attack, 0)+max(-n.Magic, 0)) / max(c.options.Balance.Blow.UseTime(n).Seconds(), 0.5)
}

// protection is the worth of a piece. Attack and magic below 0 add to blows.
func protection(b *rules.Bonus) float64 {
	return float64(b.PhysicalDefence) + float64(b.MagicalDefence)/2 + float64(b.HP)/10 - float64(b.Attack) -
		float64(b.Magic)/2
}

// leastWorn is the slot in which a piece would serve the character most, and the worth of the piece that is there now.
// The kind has slots.
func (c *Client) leastWorn(k *rules.Kind) (slot int, least float64) {
	least = math.Inf(1)
	for _, s := range k.Slots {
		worth := 0.0
		if worn, numbers := c.numbersOf(c.Objects[c.Slots[s].Item]); worn != nil {
			worth = protection(&numbers.Bonus)
		}
		if worth < least {
			slot, least = s, worth
		}
	}
	return slot, least
}

// dress puts on a piece that is better than the one worn.
func (c *Client) dress(now time.Time) (bool, error) {
	for slot, o := range c.inventory() {
		k, n := c.numbersOf(o)
		if k == nil || c.hunter.avoid[o.ID].After(now) {
			continue
		}
		if what, _ := c.serves(k, &n); what != protecting || c.better(k, &n) <= 0 {
			continue
		}
		c.hunter.shun(o.ID, now) // whether it comes about or not
		to, _ := c.leastWorn(k)
		if c.Slots[to].Item == packets.NoObject {
			return true, c.Move(c.ID(), slot, to)
		}
		return true, c.Swap(slot, to)
	}
	return false, nil
}

// Money that a hunter does not spend on gear.
const (
	foodReserve  = 15
	arrowReserve = 150
)

// worthATrip is by which part of its worth a thing has to be better than the character's own.
const worthATrip = 0.1

// gear is one wish for each sort of shop: a thing that is clearly better than the character's own. While it saves up
// for a better weapon or attack there is none.
func (c *Client) gear() (all []wish) {
	reserve := uint32(foodReserve)
	if c.school() == Archery {
		reserve = arrowReserve
	}
	better := func(k *rules.Kind, n *rules.Columns) bool {
		_, worth := c.serves(k, n)
		return c.better(k, n) > worthATrip*worth
	}
	first, last := rules.Weapons, rules.Magic
	if c.school().Magical() {
		first, last = last, first
	}
	strikes := wish{first, func(k *rules.Kind, n *rules.Columns) bool {
		what, _ := c.serves(k, n)
		return what == striking && better(k, n)
	}, 1, 0, reserve}
	funds := c.funds()
	if _, ok := c.trader(strikes, funds); !ok {
		if _, ok := c.trader(strikes, saveUp*max(funds, reserve)); ok {
			return nil
		}
	}
	for _, kind := range [...]rules.ShopKind{first, rules.Armour, rules.Jewels, last} {
		all = append(all, wish{kind, better, 1, 0, reserve})
	}
	return all
}

// saveUp is how many times as much as it has a weapon costs at most for which a hunter saves up.
const saveUp = 5
