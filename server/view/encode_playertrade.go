package view

import (
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// This file tells players of their trades with each other. The messages are those of trades with NPCs, with the other
// player in place of the trader; no recording shows them.
//
// Source: protocol life 7.1.

// PlayerTradeOpened opens the window of a trade with another player.
func (v *View) PlayerTradeOpened(e world.PlayerTradeOpened) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		f.about(playerID(e.With), packets.ClassPlayer, containerRegion(&packets.ResetSlots{}))
		f.mine(managerRegion(&packets.TradeWindow{Trader: playerID(e.With)}))
	})
}

// PlayerTradeClosed closes the window, unless its client has done so, and takes the other's goods from the client.
func (v *View) PlayerTradeClosed(e world.PlayerTradeClosed) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		f.lose(world.EntityID(e.With))
		if !e.Asked {
			f.about(playerID(e.With), packets.ClassPlayer, containerRegion(&packets.CloseContainer{Player: f.me}))
			f.mine(managerRegion(&packets.TradeWindow{}))
		}
	})
}

// LotShown shows a line of another player's goods: with the item behind it when it is new, else with its count.
func (v *View) LotShown(e world.LotShown) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		seller := playerID(e.By)
		goods := func(c packets.Command) {
			f.about(seller, packets.ClassPlayer, &packets.TradeMan{Command: c})
		}
		was, known := f.ids.Item(e.Was)
		if known = known && was.Kind == goodsEntry; known && e.Was != e.Item.ID {
			f.remove(was)
		}
		if e.Item.ID == 0 {
			goods(&packets.ClearGoods{Slot: uint8(e.TradeSlot)})
			return
		}
		shown := e.Item
		shown.Count = e.Count
		line := &packets.Goods{Slot: uint8(e.TradeSlot), Count: uint32(e.Count), Price: uint32(e.Price)}
		if known && e.Was == e.Item.ID {
			line.Item = was.objectID()
			goods(line)
			if f.tables.IsStack(&shown) {
				f.count(&shown, e.Count)
			}
			return
		}
		id, ok := f.ids.add(IDEntry{Kind: goodsEntry, Class: packets.Class(shown.Class), Item: shown.ID,
			Holder: world.EntityID(e.By)})
		if line.Item = id; ok {
			goods(line)
			f.records = append(f.records, containedSpawn(f.tables, &shown, id, seller, f.me))
		}
	})
}

// BidMade tells a player the price that its partner would pay.
func (v *View) BidMade(e world.BidMade) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		f.mine(managerRegion(&packets.PriceOffer{Slot: uint8(e.TradeSlot), Price: uint32(e.Price), Trader: playerID(e.By)}))
	})
}

// forgetLot removes an item that a player has just bought from the goods of the other: it comes anew, as the buyer's.
func (f *itemEncoder) forgetLot(t *rules.Item) {
	if k, ok := f.ids.Item(t.ID); ok && k.Kind == goodsEntry {
		f.remove(k)
	}
}
