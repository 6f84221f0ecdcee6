package world

import (
	"cmp"
	"maps"
	"slices"

	"sphereserver/world/rules"
)

// Repair pays a smith near a player for the repair of worn items of the player, or asks for the prices. [ItemsRepaired]
// or [RepairPriced] follows: nothing is paid before its price was told, nor once it has risen since, nor after another
// repair.
//
// Source: protocol life 6.2.
type Repair struct {
	ID   PlayerID
	Slot int  // of the inventory, from 1, with the one item; 0: the items offered to the smith, or else all
	Asks bool // for the prices
}

func (c Repair) who() PlayerID { return c.ID }

func (c Repair) ask(w *World, p *player) rules.RejectReason {
	items, why := w.belongings.toRepair(p, c.Slot)
	switch {
	case why != 0:
		return why
	case c.Asks || w.belongings.dearer(p, items):
		w.belongings.priceRepair(p, items)
		return 0
	}
	_, price := w.belongings.repairPrices(items)
	if price > p.Money {
		return rules.TooPoor
	}
	d := w.ledger.tx(p, c)
	d.money -= price
	s := d.Side(&p.carried)
	for _, t := range items {
		d.Edit(s, t.ID).Durability = t.MaxDurability
	}
	w.belongings.quoted.spend(p.ID)
	w.ledger.commit(d, nil, func() {
		e := ItemsRepaired{ID: p.ID, Price: price, Money: p.Money}
		for _, m := range d.Moves {
			e.Items = append(e.Items, m.Is)
		}
		w.tell(e)
	})
	return 0
}

// limit is the price that the refusal of a player without the money names.
func (c Repair) limit(w *World, p *player, why rules.RejectReason) int {
	items, _ := w.belongings.toRepair(p, c.Slot)
	_, price := w.belongings.repairPrices(items)
	return needed(why, price, 1)
}

// toRepair lists the items that a player wants to be repaired, by their slots: see [Repair].
func (be *belongings) toRepair(p *player, slot int) (items []*rules.Item, why rules.RejectReason) {
	trades := be.atSmith(p)
	if _, _, why := nearestNPC(be.core, p, rules.NoSmith, isSmith); why != 0 && !trades {
		return nil, why
	}
	if slot != 0 {
		t, why := be.wornIn(p, rules.SlotInventory+slot-1)
		if why == 0 {
			items = append(items, t)
		}
		return items, why
	}
	for _, id := range p.trade.repairs {
		if t := p.carried.Find(id); trades && t != nil && be.tables.IsWornDown(t) && !slices.Contains(items, t) {
			items = append(items, t)
		}
	}
	chosen := len(items) > 0
	for i := range p.carried.Items {
		t := &p.carried.Items[i]
		if !chosen && t.In == 0 && be.tables.IsWornDown(t) && !p.offers(t.ID) {
			items = append(items, t)
		}
	}
	if len(items) == 0 {
		return nil, rules.NothingWorn
	}
	slices.SortFunc(items, func(a, b *rules.Item) int {
		return cmp.Or(cmp.Compare(a.In, b.In), cmp.Compare(a.Slot, b.Slot))
	})
	return items, 0
}

// wornIn is the item in a slot, or why it cannot be repaired.
func (be *belongings) wornIn(p *player, slot int) (*rules.Item, rules.RejectReason) {
	t := p.carried.At(0, slot)
	switch {
	case t == nil || !rules.InInventory(slot):
		return nil, rules.EmptySlot
	case p.offers(t.ID):
		return nil, rules.OnOffer
	case !be.tables.MayWear(t):
		return nil, rules.NeverWears
	case !be.tables.IsWornDown(t):
		return nil, rules.NothingWorn
	}
	return t, 0
}

// isSmith reports whether an NPC repairs: traders of weapons and of armour do.
func isSmith(t *NPC) bool {
	return rules.ShopKind(t.Type) == rules.Weapons || rules.ShopKind(t.Type) == rules.Armour
}

// atSmith reports whether a player trades with a smith within reach.
func (be *belongings) atSmith(p *player) bool {
	if p.trade.with == 0 || p.trade.deal != nil {
		return false
	}
	t, why := be.npc(p, p.trade.with)
	return why == 0 && isSmith(t)
}

// offerToSmith prices the repair of a worn item that a player has put into a slot of a smith's window, if it trades
// with one: [Repair] is about it until it is taken out again.
func (be *belongings) offerToSmith(p *player, slot int, t *rules.Item) {
	delete(p.trade.repairs, slot)
	if !be.atSmith(p) || !be.tables.IsWornDown(t) {
		return
	}
	if p.trade.repairs == nil {
		p.trade.repairs = map[int]rules.ItemID{}
	}
	p.trade.repairs[slot] = t.ID
	be.priceRepair(p, []*rules.Item{t})
}

// priceRepair tells a player the prices of the repair of items.
func (be *belongings) priceRepair(p *player, items []*rules.Item) {
	prices, _ := be.repairPrices(items)
	e := RepairPriced{ID: p.ID, Prices: prices, Money: p.Money}
	maps.DeleteFunc(be.quoted[p.ID], func(id rules.ItemID, _ int64) bool { return p.carried.Find(id) == nil })
	for i, t := range items {
		e.Items = append(e.Items, *t)
		be.quoted.tell(p.ID, t.ID, prices[i])
	}
	be.tell(e)
}

// dearer reports whether the repair of one of the items costs more than its player was told.
func (be *belongings) dearer(p *player, items []*rules.Item) bool {
	prices, _ := be.repairPrices(items)
	for i, t := range items {
		if told, is := be.quoted[p.ID][t.ID]; !is || prices[i] > told {
			return true
		}
	}
	return false
}

// repairPrices are the prices of the repair of items, of each and of all.
func (be *belongings) repairPrices(items []*rules.Item) (prices []int64, all int64) {
	for _, t := range items {
		price := be.tables.RepairPrice(t, be.balance.Blow.Repair)
		prices, all = append(prices, price), all+price
	}
	return prices, all
}
