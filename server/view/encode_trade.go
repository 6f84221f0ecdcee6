package view

import (
	"slices"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// This file tells players the contents of containers, the results of trades with NPCs, and the effects of using items.
//
// Source: protocol ingame 10.8, 11.1, 11.2.

// Opened shows the contents of a container: its slots in one body, then those items that the client does not know
// yet, behind the monster that comes with them.
func (v *View) Opened(e world.Opened) {
	c := v.tells(e.ID)
	if c == nil {
		return
	}
	v.encodeFor(e.ID, func(f *itemEncoder) {
		shown := f.open(&e, v.dialectOf(c))
		if e.Hit != nil {
			f.mine(c.hit(e.Hit))
		}
		if k, ok := f.ids.Object(e.What.Object); shown && ok && e.Trap {
			f.aboutItem(k, trapEffect())
		}
	})
	if e.Hit != nil {
		v.restateHP(c, e.Hit)
	}
}

// open writes the contents of a container that the client knows.
func (f *itemEncoder) open(e *world.Opened, d packets.Dialect) (ok bool) {
	id, class, ok := f.container(e.What)
	if !ok {
		return false
	}
	of, flag := e.What.Object, uint8(0)
	switch {
	case e.What.Vault:
		of = InVault
	case e.What.Bag != 0:
		flag = 1
	}
	f.forgetOthers(of, e.Items)
	unknown := f.learn(e.Items, of)
	f.about(id, class, containerRegion(&packets.ResetSlots{Flag: flag}))
	if class == packets.ClassChest { // recorded twice
		f.about(id, class, containerRegion(&packets.ResetSlots{}))
	}
	f.filled(e.Slots)
	if e.Trap {
		f.about(id, class, containerRegion(&packets.ChestSprung{}))
	}
	f.record(unknown, id)
	if k, ok := f.ids.Object(e.What.Object); ok {
		f.countFrom(k.At)
	}
	inner := itemEncoder{tables: f.tables, ids: f.ids, me: f.me}
	inner.fillBags(unknown, e.Items)
	f.records = append(f.records, inner.sections...)
	if section, ok := f.appear(e.Called, d); ok {
		f.records = slices.Insert(f.records, 0, section)
	}
	return true
}

// countFrom counts the places of records from the origin of the instance in which their container stands, if it is in
// one.
//
// Source: protocol life 2.1.
func (f *itemEncoder) countFrom(container coords.Position) {
	cell := rules.InstanceCell(container)
	if cell < 0 {
		return
	}
	origin := rules.InstanceOrigin(cell)
	for i := range f.records {
		if m, ok := f.records[i].Regions[0].(*packets.SpawnSnapshot); ok {
			m.X, m.Y, m.Z = m.X-origin.X, m.Y-origin.Y, m.Z-origin.Z
		}
	}
}

// forgetOthers removes items that the client believes to be in a container, and that are not in the list.
func (f *itemEncoder) forgetOthers(of world.EntityID, list []rules.Item) {
	if of == 0 {
		return
	}
	for _, k := range f.ids.HeldBy(of) {
		if k.Item != 0 && !slices.ContainsFunc(list, func(t rules.Item) bool { return t.ID == k.Item }) {
			f.remove(k)
		}
	}
}

// showVault makes the client create the object that shows the vault, the bank: it has it from the entry on.
//
// Source: protocol ingame 9.1, life 7.2.
func (f *itemEncoder) showVault() {
	if id, ok := f.ids.add(IDEntry{Kind: VaultEntry, Class: packets.ClassBank}); ok {
		f.about(id, packets.ClassBank,
			&packets.SpawnSnapshot{X: packets.ContainedX, Placement: packets.Contained, A: 100, B: 100},
			containerRegion(&packets.PutInto{Parent: f.me}), containerRegion(&packets.ResetSlots{}))
	}
}

// Closed takes the contents of a container from a client that does not look into it any more.
func (v *View) Closed(e world.Closed) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		switch {
		case e.What.Vault:
			f.lose(InVault)
			if bank, ok := f.ids.vaultShown(); ok {
				f.aboutItem(bank, containerRegion(&packets.ResetSlots{}))
			}
		case e.What.Object != 0:
			f.lose(e.What.Object)
		}
	})
}

// articlesAtOnce is how many lines of goods one body has at most, so that its frame has about 200 bytes, as recorded.
//
// Source: protocol ingame 1.1, 11.2.
const articlesAtOnce = 13

// TradeOpened shows a trader's goods: the lines, the window, and then the goods.
func (v *View) TradeOpened(e world.TradeOpened) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		npc, ok := f.ids.Object(e.Trader)
		if !ok {
			return
		}
		trader := npc.objectID()
		f.aboutItem(npc, containerRegion(&packets.ResetSlots{}))
		for slot := range e.Goods {
			a := &e.Goods[slot]
			id, ok := f.ids.add(IDEntry{Kind: goodsEntry, Class: packets.Class(a.Item.Class), Holder: e.Trader})
			if !ok {
				break
			}
			if slot > 0 && slot%articlesAtOnce == 0 {
				v.sendBody(v.tells(e.ID), f.sections)
				f.sections = nil
			}
			f.aboutItem(npc, &packets.TradeMan{Command: &packets.Goods{Slot: uint8(slot), Item: id, Price: uint32(a.Price)}})
			f.records = append(f.records, containedSpawn(v.Tables, &a.Item, id, trader, f.me))
		}
		f.mine(managerRegion(&packets.TradeWindow{Trader: trader}))
	})
}

// TradeClosed takes the goods from the client, and closes its window unless it has done so.
func (v *View) TradeClosed(e world.TradeClosed) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		if f.lose(e.Trader); e.Asked {
			return
		}
		if k, ok := f.ids.Object(e.Trader); ok {
			f.aboutItem(k, containerRegion(&packets.CloseContainer{Player: f.me}))
		}
		f.mine(managerRegion(&packets.TradeWindow{}))
	})
}

// Bought answers a purchase: the slot, the money, the price; then the new item. A stack that grows is told its weight
// and its count before.
func (v *View) Bought(e world.Bought) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		if f.forgetLot(&e.Item); !e.Merged {
			f.record(f.learn([]rules.Item{e.Item}, 0), f.me)
		}
		f.filled(e.Slots)
		if e.Merged {
			f.count(&e.Item, e.Item.Count)
		}
		it, _ := f.ids.Item(e.Item.ID)
		f.mine(moneyRegion(e.Money),
			managerRegion(&packets.Bought{Item: it.objectID(), Total: uint32(e.Total), Count: uint32(e.Count)}))
	})
}

// Offered answers an offer for sale: the slot as it is, and the price.
func (v *View) Offered(e world.Offered) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		npc, ok := f.ids.Object(e.Trader)
		if !ok {
			return
		}
		f.filled(e.Slots)
		f.mine(managerRegion(&packets.PriceOffer{Slot: uint8(e.TradeSlot), Price: uint32(e.Price), Trader: npc.objectID()}))
	})
}

// Sold answers a sale. The item is put where the trader or the buyer stands, and then removed; of a stack that is sold
// in part the rest is told.
func (v *View) Sold(e world.Sold) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		it, ok := f.ids.Item(e.Item.ID)
		if !ok {
			return
		}
		npc, _ := f.ids.Object(e.Trader)
		trader, at := npc.objectID(), npc.At
		if buyer, is := e.Trader.Player(); is {
			trader, at = playerID(buyer), v.Place(buyer)
		}
		const most = 1<<24 - 1
		f.mine(managerRegion(&packets.Sold{Item: it.objectID(), Price: uint32(min(e.Price, most)), Trader: trader,
			Class: it.Class}))
		if e.Left == 0 {
			f.aboutItem(it, released(at, at.Yaw)...)
		}
		f.cleared(e.Slots)
		f.filled(e.Slots)
		f.mine(moneyRegion(e.Money))
		if e.Left > 0 {
			f.count(&e.Item, e.Left)
			return
		}
		f.remove(it)
	})
}

// teleportFlash is the effect of a token.
//
// Source: protocol ingame 4.2, command 18.
const teleportFlash = 0x54

// Used answers the use of an item: the client plays it, and is told the rest of the stack. A teleport by a token or
// stone is in the same body.
func (v *View) Used(e world.Used) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		if e.To != nil {
			defer func() { f.mine(placeRegion(*e.To)) }()
		}
		it, ok := f.ids.Item(e.Item.ID)
		if !ok {
			return
		}
		f.aboutItem(it, containerRegion(&packets.Used{Player: f.me}))
		use := rules.ClassOf(int(it.Class)).Use
		if use == rules.Token || use == rules.Return {
			f.mine(managerRegion(&packets.PlayEffect{Effect: teleportFlash}))
		}
		switch {
		case len(e.Slots) == 0: // it is not used up
		case e.Left > 0:
			f.filled(e.Slots) // the innermost bag first
			f.count(&e.Item, e.Left)
		default:
			at := v.whereabouts(e.ID)
			f.aboutItem(it, released(at, at.Yaw)...)
			f.cleared(e.Slots)
			f.filled(e.Slots)
			f.remove(it)
		}
		if use == rules.Return {
			f.mine(OwnText(TextReturned, 0))
		}
	})
}

func isToken(c packets.Class) bool {
	return rules.ClassOf(int(c)).Use == rules.Token
}

// Teleported tells a player where it is now.
func (v *View) Teleported(e world.Teleported) {
	v.encodeFor(e.ID, func(f *itemEncoder) { f.mine(placeRegion(e.To)) })
}

// placeRegion puts a client's own player somewhere.
func placeRegion(to coords.Position) packets.Region {
	return managerRegion(&packets.SetCoordinates{X: to.X, Y: to.Y, Z: to.Z, Yaw: to.Yaw})
}

// whereabouts is where a player was before this tick: where its client has said last that it is, and without a client
// where the world has it.
func (v *View) whereabouts(id world.PlayerID) (at coords.Position) {
	if c := v.tells(id); c != nil {
		if at, ok := c.Standpoint.Get(); ok {
			return at
		}
	}
	return v.Place(id)
}

// Refused tells a client again the items in the slots of a refused request.
//
// Source: protocol ingame 10.4, 10.5.
func (v *View) Refused(e world.Refused) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		for _, now := range e.Slots {
			f.fill(now)
		}
	})
}
