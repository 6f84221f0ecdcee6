package career

import (
	"time"

	"sphereserver/world/rules"
)

// Classes of items that a character wears, drinks, eats, shoots.
var worn = []int{750, 752, 754, 755, 756, 757, 758, 761, 751, 759, 760}

const (
	classGift   = 506
	classPotion = 470
	classArrows = 503
	classBread  = 653
	breadFeeds  = 10
)

// gear is the weapons and the equipment of a character.
type gear struct {
	carried rules.Inventory
	hand    *rules.Kind // nil: fists
	own     *rules.Kind // of its school, nil: none yet
	blade   *rules.Kind // for a shooter without arrows
	saving  int64       // the price of the weapon that it saves for, 0: none
	derived rules.Derived
	pieces  map[int]*rules.Kind // by slot
	order   []int               // the slots of pieces as they were filled
}

// welcome gives the gifts of newcomers.
func (h *hunter) welcome() {
	h.pieces = map[int]*rules.Kind{}
	if gifts := h.tables.OfClass(classGift); len(gifts) > 0 {
		h.hand, h.blade = gifts[0], gifts[0]
	}
}

// derive computes the values that follow from levels and gear.
func (h *hunter) derive() {
	var items []rules.Item
	hand := rules.ItemID(0)
	if h.hand != nil {
		hand = startHand
		items = append(items, h.item(h.hand, hand, rules.SlotInventory))
	}
	for i, slot := range h.order {
		items = append(items, h.item(h.pieces[slot], rules.ItemID(startHand+1+i), slot))
	}
	h.carried = rules.NewInventory(rules.Inventory{Owner: 1}, items)
	who := rules.Character{Wearer: h.wearer(), MaxHP: 100, MaxMP: 100}
	h.derived = h.tables.Derive(&who, &h.carried, hand)
	h.pools = h.derived.Limit(h.pools)
}

func (h *hunter) wearer() rules.Wearer {
	return rules.Wearer{Title: h.title, Degree: h.degree, Karma: rules.KarmaNeutral, Stats: h.progress.Base}
}

func (h *hunter) item(k *rules.Kind, id rules.ItemID, slot int) rules.Item {
	i := h.tables.NewItem(k, rules.NoSuffix, 1, nil)
	i.ID, i.Slot = id, slot
	return i
}

// shop buys better gear, as far as money, levels and points go.
func (h *hunter) shop() {
	than := h.power(h.own)
	if h.own == nil {
		than = h.power(h.blade)
	}
	if best := h.best(h.school.classes, h.power, than); best != nil {
		h.own = best
		h.take(best)
	}
	bought := h.hold()
	h.save()
	for _, class := range worn {
		all := h.tables.OfClass(class)
		if len(all) == 0 || len(all[0].Slots) == 0 {
			continue
		}
		slot := all[0].Slots[0]
		has, filled := h.pieces[slot]
		if best := h.best([]int{class}, protection, protection(has)); best != nil {
			if h.pieces[slot] = best; !filled {
				h.order = append(h.order, slot)
			}
			h.take(best)
			bought = true
		}
	}
	if bought {
		h.derive()
	}
}

// hold takes the best weapon in the hand for which there is ammunition, and says whether that is another one.
func (h *hunter) hold() bool {
	was := h.hand
	if h.hand = h.own; h.own == nil || h.arrow(h.own) > 0 && h.money < quiver*h.arrow(h.own) {
		h.hand = h.blade
	}
	return h.hand != was
}

// quiver is how many arrows a shooter wants to be able to pay for.
const quiver = 200

// save finds the cheapest weapon that is better and could be held, but not paid yet.
func (h *hunter) save() {
	h.saving = 0
	for _, class := range h.school.classes {
		for _, k := range h.tables.OfClass(class) {
			price := int64(k.Price)
			if price > h.money && (h.saving == 0 || price < h.saving) && h.power(k) > h.power(h.own) && h.canMeet(&k.Need) {
				h.saving = price
			}
		}
	}
}

// best is the most useful kind that can be bought and is worth more than than, nil for none.
func (h *hunter) best(classes []int, worth func(*rules.Kind) float64, than float64) (best *rules.Kind) {
	for _, class := range classes {
		for _, k := range h.tables.OfClass(class) {
			if w := worth(k); w > than && k.Price > 0 && int64(k.Price) <= h.money && h.canMeet(&k.Need) {
				best, than = k, w
			}
		}
	}
	return best
}

// take pays for an item, and spends the points that it needs.
func (h *hunter) take(k *rules.Kind) {
	h.pay(int64(k.Price))
	for i, need := range k.Need.Stats {
		if more := need - h.progress.Base[i]; more > 0 {
			h.progress.Base[i] += more
			if i < 4 {
				h.progress.TitlePoints -= more
			} else {
				h.progress.DegreePoints -= more
			}
		}
	}
}

// canMeet says whether a character meets the requirements of an item once it has spent its points.
func (h *hunter) canMeet(n *rules.Need) bool {
	title, degree := 0, 0
	by := h.wearer()
	for i, need := range n.Stats {
		more := max(need-by.Stats[i], 0)
		by.Stats[i] += more
		if i < 4 {
			title += more
		} else {
			degree += more
		}
	}
	return title <= h.progress.TitlePoints && degree <= h.progress.DegreePoints && by.Meets(n)
}

// power is how much a weapon or a spell hurts in a second; a spell by which one does not run dry at once.
func (h *hunter) power(k *rules.Kind) float64 {
	if k == nil {
		return float64(h.b.Damage.Fists) / h.b.Blow.FistTime.Seconds()
	}
	if !k.Hurts() || -k.UseMP*5 > h.pools.MaxMP {
		return 0
	}
	return float64(max(-k.Attack, 0)+max(-k.Magic, 0)) / h.useTime(k).Seconds()
}

// protection is the value of a piece for its wearer.
func protection(k *rules.Kind) float64 {
	if k == nil {
		return 0
	}
	b := &k.Bonus
	return float64(b.PhysicalDefence) + float64(b.MagicalDefence)/2 + float64(b.HP)/10 - float64(b.Attack) - float64(b.Magic)/2
}

// useTime is how long a blow takes; nothing is faster than half a second.
func (h *hunter) useTime(k *rules.Kind) time.Duration {
	if k == nil {
		return max(h.b.Blow.UseTime(nil), time.Second/2)
	}
	return max(h.b.Blow.UseTime(&k.Columns), time.Second/2)
}

// earn sells the loot of a monster.
func (h *hunter) earn(items []rules.Item) {
	for i := range items {
		if k := h.tables.KindOf(&items[i]); k != nil {
			price := int64(float64(h.tables.Worth(k, items[i].Suffix)) * float64(items[i].Count) * h.sell)
			h.money = min(h.money+price, rules.MaxMoney)
			h.now.MoneyIn += price
		}
	}
}

// arrow is the price of the arrow of a blow with a weapon, 0 for none.
func (h *hunter) arrow(k *rules.Kind) int64 {
	arrows := h.tables.OfClass(classArrows)
	if k == nil || rules.ClassOf(k.Class).Held != rules.Crossbow || len(arrows) == 0 {
		return 0
	}
	return int64(h.tables.Worth(arrows[0], rules.NoSuffix))
}

// shoot pays for an arrow, if a weapon needs one; false if there is no money for it.
func (h *hunter) shoot(k *rules.Kind) bool {
	price := h.arrow(k)
	if price > h.money {
		return false
	}
	if price > 0 {
		h.pay(price)
	}
	return true
}

func (h *hunter) foodPrice(points int64) int64 {
	bread := h.tables.OfClass(classBread)
	if len(bread) == 0 {
		return 0
	}
	return points * int64(bread[0].Price) / breadFeeds
}

// potion is the potion that heals the most for its price, nil if there is none.
func (h *hunter) potion() (best *rules.Kind) {
	for _, k := range h.tables.OfClass(classPotion) {
		if k.Magic > 0 && k.Price > 0 && (best == nil || k.Magic*best.Price > best.Magic*k.Price) {
			best = k
		}
	}
	return best
}
