package game

import (
	"slices"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// This file tells players what is in what they open, what trades with townsfolk come to, and what using things does.
//
// Source: protocol ingame 10.8, 11.1, 11.2.

// opened shows what is in a container: its slots in one body, then those things that the client does not know yet.
func (k *sink) opened(e world.Opened) {
	var fresh []packets.Section
	k.hearing(e.ID, func(f *former) {
		of, flag := e.What.Object, uint8(0)
		switch {
		case e.What.Vault:
			of = inVault
			f.showVault()
		case e.What.Bag != 0:
			flag = 1
		}
		id, class, ok := f.container(e.What)
		if !ok {
			return
		}
		f.forgetOthers(of, e.Items)
		var unknown []rules.Item
		for i := range e.Items {
			if _, ok := f.ids.item(e.Items[i].ID); !ok {
				f.ids.add(idEntry{class: packets.Class(e.Items[i].Class), item: e.Items[i].ID, holder: of})
				unknown = append(unknown, e.Items[i])
			}
		}
		f.about(id, class, contMan(&packets.ResetSlots{Flag: flag}))
		f.filled(e.Slots)
		fresh = f.spawns(unknown, id)
		inner := former{rules: f.rules, ids: f.ids, me: f.me}
		for i := range unknown {
			if t := &unknown[i]; t.In != 0 && f.isItem(t.In) {
				inner.fill(world.SlotNow{In: world.Container{Bag: t.In}, Slot: t.Slot, Item: t.ID, Weight: int(weigh(t, e.Items))})
			}
		}
		fresh = append(fresh, inner.sections...)
	})
	if s := k.session(e.ID); s != nil {
		k.formSpawns(s, fresh)
	}
}

func (f *former) isItem(id rules.ItemID) bool {
	_, ok := f.ids.item(id)
	return ok
}

// forgetOthers removes what the client believes to be in a container that is not in the list.
func (f *former) forgetOthers(of world.ObjectID, list []rules.Item) {
	if of == 0 {
		return
	}
	for _, k := range f.ids.heldBy(of) {
		still := k.item == 0
		for i := range list {
			still = still || list[i].ID == k.item
		}
		if !still {
			f.remove(k)
		}
	}
}

// showVault makes the client create what shows the vault, unless it has it.
//
// Source: protocol ingame 9.1.
func (f *former) showVault() {
	if _, ok := f.ids.vaultShown(); ok {
		return
	}
	if id, ok := f.ids.add(idEntry{kind: vaultEntry, class: packets.ClassBank}); ok {
		f.about(id, packets.ClassBank, &packets.SpawnSnapshot{X: packets.ContainedX, Placement: packets.Contained, A: 100, B: 100},
			contMan(&packets.PutInto{Parent: f.me}))
	}
}

// containerClosed takes from a client what it was shown of a container that it does not look into any more.
func (k *sink) containerClosed(e world.Closed) {
	k.hearing(e.ID, func(f *former) {
		switch {
		case e.What.Vault:
			f.lose(inVault)
			if bank, ok := f.ids.vaultShown(); ok {
				f.remove(bank)
			}
		case e.What.Object != 0:
			f.lose(e.What.Object)
		}
	})
}

// lose takes from a client what it holds together with an object.
func (f *former) lose(of world.ObjectID) {
	for _, k := range f.ids.heldBy(of) {
		f.remove(k)
	}
}

// articlesAtOnce is how many lines of goods one body has at most.
//
// Source: protocol ingame 11.2.
const articlesAtOnce = 28

// tradeOpened shows what a trader sells: the lines, the window, and then the goods.
func (k *sink) tradeOpened(e world.TradeOpened) {
	s := k.session(e.ID)
	if s == nil {
		return
	}
	npc, ok := s.ids.object(e.Trader)
	if !ok {
		return
	}
	trader := npc.objectID()
	lines := []packets.Region{contMan(&packets.ResetSlots{})}
	var goods []packets.Section
	for slot := range e.Goods {
		a := &e.Goods[slot]
		id, ok := s.ids.add(idEntry{kind: goodsEntry, class: packets.Class(a.Item.Class), holder: e.Trader})
		if !ok {
			break
		}
		if slot > 0 && slot%articlesAtOnce == 0 {
			k.form(s, []packets.Section{{Object: trader, Class: npc.class, Regions: lines}})
			lines = nil
		}
		lines = append(lines, &packets.TradeMan{Command: &packets.Goods{Slot: uint8(slot), Item: id, Price: uint32(a.Price)}})
		goods = append(goods, k.kinds.spawn(&a.Item, id, trader, s.id()))
	}
	k.form(s, []packets.Section{{Object: trader, Class: npc.class, Regions: lines},
		{Object: s.id(), Class: packets.ClassPlayer, Regions: []packets.Region{manager(&packets.TradeWindow{Trader: trader})}}})
	k.formSpawns(s, goods)
}

// tradeClosed takes the goods from the client.
func (k *sink) tradeClosed(e world.TradeClosed) {
	k.hearing(e.ID, func(f *former) { f.lose(e.Trader) })
}

// bought answers a purchase: the slot, the money, what it has cost; then the new thing. A stack that grows is told its weight and its
// count before.
func (k *sink) bought(e world.Bought) {
	var fresh []packets.Section
	k.hearing(e.ID, func(f *former) {
		if !e.Merged {
			f.ids.add(idEntry{class: packets.Class(e.Item.Class), item: e.Item.ID})
			fresh = f.spawns([]rules.Item{e.Item}, f.me)
		}
		f.filled(e.Slots)
		if e.Merged {
			f.count(&e.Item, e.Item.Count)
		}
		it, _ := f.ids.item(e.Item.ID)
		f.mine(moneyRegion(e.Money), manager(&packets.Bought{Item: it.objectID(), Total: uint32(e.Total), Count: uint32(e.Count)}))
	})
	if s := k.session(e.ID); s != nil {
		k.formSpawns(s, fresh)
	}
}

// offered answers an offer for sale: the slot as it is, and the price.
func (k *sink) offered(e world.Offered) {
	k.hearing(e.ID, func(f *former) {
		npc, ok := f.ids.object(e.Trader)
		if !ok {
			return
		}
		f.filled(e.Slots)
		f.mine(manager(&packets.PriceOffer{Slot: uint8(e.TradeSlot), Price: uint32(e.Price), Trader: npc.objectID()}))
	})
}

// sold answers a sale. The thing is put where the trader stands, and then it is no more.
func (k *sink) sold(e world.Sold) {
	k.hearing(e.ID, func(f *former) {
		it, ok := f.ids.item(e.Item.ID)
		if !ok {
			return
		}
		npc, _ := f.ids.object(e.Trader)
		const most = 1<<24 - 1
		f.mine(manager(&packets.Sold{Item: it.objectID(), Price: uint32(min(e.Price, most)), Trader: npc.objectID(), Class: it.class}))
		f.aboutThing(it, released(npc.at, npc.at.Yaw)...)
		f.cleared(e.Slots)
		f.filled(e.Slots)
		f.mine(moneyRegion(e.Money))
		f.remove(it)
	})
}

// teleportFlash is the effect of a token.
//
// Source: protocol ingame 4.2, command 18.
const teleportFlash = 0x54

// used answers the use of a thing: the client plays it, and what is left of it is told. Where a token leads follows in the same body.
func (k *sink) used(e world.Used) {
	k.hearing(e.ID, func(f *former) {
		it, ok := f.ids.item(e.Item.ID)
		if !ok {
			return
		}
		f.aboutThing(it, contMan(&packets.Used{Player: f.me}))
		token := isToken(it.class)
		if token {
			f.mine(manager(&packets.PlayEffect{Effect: teleportFlash}))
		}
		switch {
		case len(e.Slots) == 0: // it is not used up
		case e.Left > 0:
			f.filled(e.Slots) // the innermost bag first
			f.count(&e.Item, e.Left)
		default:
			at := k.whereabouts(e.ID)
			f.aboutThing(it, released(at, at.Yaw)...)
			f.cleared(e.Slots)
			f.filled(e.Slots)
			f.remove(it)
		}
		if token {
			k.journeys[e.ID] = f.sections
			f.sections = nil
		}
	})
}

func isToken(c packets.Class) bool {
	return c == packets.ClassToken || c == packets.ClassTokenStart || c == packets.ClassTokenCharges
}

// arrive ends the journey that a token has begun: one body tells of the token and of the place.
func (k *sink) arrive(e world.Teleported) bool {
	sections, ok := k.journeys[e.ID]
	if !ok {
		return false
	}
	delete(k.journeys, e.ID)
	k.hearing(e.ID, func(f *former) {
		f.sections = sections
		f.mine(manager(&packets.SetCoordinates{X: e.To.X, Y: e.To.Y, Z: e.To.Z, Yaw: e.To.Yaw}))
	})
	k.do(e.ID, func(s *Session) { s.pinged = false })
	return true
}

// whereabouts is where a player was before this tick: where its client has said last that it is, or else where the world has it.
func (k *sink) whereabouts(id world.PlayerID) (at coords.Position) {
	if s := k.session(id); s != nil {
		if at, ok := s.lastSaid.get(); ok {
			return at
		}
	}
	players := k.world.Snapshot().Players
	if i, ok := slices.BinarySearchFunc(players, id, func(v world.PlayerView, id world.PlayerID) int { return int(v.ID) - int(id) }); ok {
		at = players[i].Position
	}
	return at
}

// strand sends what was left of journeys that lead nowhere, because the player has gone.
func (k *sink) strand() {
	for id, sections := range k.journeys {
		delete(k.journeys, id)
		if s := k.session(id); s != nil {
			k.form(s, sections)
		}
	}
}

// refused tells a player that something is not done: its client is told again what the slots hold, and why in words.
//
// Source: protocol ingame 10.4, 10.5.
func (k *sink) refused(e world.Refused) {
	k.count.refuse(e.Why)
	if k.errands.done(e.Command, 0, e.Why) {
		return
	}
	k.hearing(e.ID, func(f *former) {
		for _, now := range e.Slots {
			f.fill(now)
		}
	})
	if t, ok := thingRefusals[e.Why]; ok {
		k.do(e.ID, func(s *Session) { s.tell(t) })
	}
}
