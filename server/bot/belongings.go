package bot

import (
	"slices"
	"time"

	"sphereserver/packets"
)

// Carries says whether an item lies in a slot of the own character, and in which.
func (c *Client) Carries(item packets.ObjectID) (slot int, ok bool) {
	slot = slices.IndexFunc(c.Slots[:], func(s Slot) bool { return s.Item == item })
	return max(slot, 0), slot >= 0 && item != packets.NoObject
}

// FreeSlot is the first empty slot of the inventory.
func (c *Client) FreeSlot() (slot int, ok bool) {
	slot = slices.IndexFunc(c.Slots[FirstInventorySlot:EndOfInventory],
		func(s Slot) bool { return s.Item == packets.NoObject })
	return FirstInventorySlot + slot, slot >= 0
}

func (c *Client) setSlot(in packets.ObjectID, n uint8, slot Slot, frame []byte) {
	if slot.Item == packets.NoObject {
		slot = Slot{}
	}
	switch o := c.Objects[in]; {
	case o != nil && slot.Item == packets.NoObject:
		delete(o.Slots, n)
	case o != nil:
		if o.Slots == nil {
			o.Slots = map[uint8]Slot{}
		}
		o.Slots[n] = slot
	case int(n) >= len(c.Slots):
		c.find(OutOfPlace, "slot %d: %s", n, shown(frame))
		return
	default:
		if was := c.Slots[n].Item; was != slot.Item {
			c.update.changes = append(c.update.changes, slotChange{n, was})
		}
		c.Slots[n] = slot
	}
	c.update.slots = true
	if slot.Item != packets.NoObject {
		c.update.filled = append(c.update.filled, slot.Item)
		c.expectSpawn(in, n, slot.Item)
	}
	c.answered(func(w *pendingRequest) bool { return w.ends&slotTold != 0 && (in == c.ID() || in == w.in) })
}

// takenOut forgets in which slots of containers a removed item lay: when a bag is closed, nothing else says so.
func (c *Client) takenOut(o *Object) {
	if bag := c.Objects[o.Parent]; bag != nil {
		for n, slot := range bag.Slots {
			if slot.Item == o.ID {
				delete(bag.Slots, n)
			}
		}
	}
	if c.Trader == o.ID {
		c.Trader = packets.NoObject
	}
	c.update.gone = append(c.update.gone, o.ID)
}

func (c *Client) expectSpawn(in packets.ObjectID, slot uint8, item packets.ObjectID) {
	if c.options.Dialect == packets.Classic || c.Objects[item] != nil { // the article binds slots to items that never come
		return
	}
	if !slices.ContainsFunc(c.missingSpawn, func(known missingSpawn) bool {
		return known.in == in && known.slot == slot && known.item == item
	}) {
		c.missingSpawn = append(c.missingSpawn, missingSpawn{in, slot, item, time.Now()})
	}
}

func (c *Client) checkMissingSpawns(now time.Time) {
	c.missingSpawn = slices.DeleteFunc(c.missingSpawn, func(u missingSpawn) bool {
		slot, _ := c.slot(u.in, u.slot)
		o := c.Objects[u.in]
		named := slot.Item == u.item || o != nil && o.Goods[u.slot].Item == u.item
		late := now.Sub(u.at) >= spawnPatience
		if named && late {
			c.find(MissingSpawn, "slot %d of %s is bound to %s, which was not spawned", u.slot, u.in, u.item)
		}
		return late || !named // taken out again
	})
}

// Items returns what the character carries, by slot. A slot whose item has not been spawned is left out.
func (c *Client) Items() []Item {
	var out []Item
	for i, slot := range c.Slots {
		o := c.Objects[slot.Item]
		if slot.Item == packets.NoObject || o == nil {
			continue
		}
		it := Item{Slot: i, ID: o.ID, Class: o.Class, Count: max(o.Count, 1), Weight: slot.Weight}
		if o.Spawn != nil {
			it.GameID, it.Suffix = int(o.Spawn.C), int(o.Spawn.D)
		}
		out = append(out, it)
	}
	return out
}

// ownCommand acts on a command about the slots of the own character, its money or its trade, and says whether it was
// one.
func (c *Client) ownCommand(command packets.Command, frame []byte) bool {
	switch m := command.(type) {
	case *packets.Money:
		c.Money = m.Amount
	case *packets.CoinsReceived:
		c.update.coins = true
	case *packets.TradeWindow:
		c.Trader = m.Trader
		c.heard(windowTold)
	case *packets.PriceOffer:
		c.Offer = *m
		c.heard(offerTold)
	case *packets.Bought:
		c.update.bought = m
		c.checkBought(m, c.heard(boughtTold))
	case *packets.Sold:
		c.update.sold = m
		c.checkSold(m, c.heard(soldTold))
	case *packets.ReleaseUse:
		c.released()
	default:
		return c.slotCommand(c.ID(), command, frame)
	}
	return true
}

// slotCommand acts on a command about the slots of the own character, or of something else that the client holds, and
// says whether it was one.
func (c *Client) slotCommand(in packets.ObjectID, command packets.Command, frame []byte) bool {
	switch m := command.(type) {
	case *packets.ResetSlots:
		c.missingSpawn = slices.DeleteFunc(c.missingSpawn, func(u missingSpawn) bool { return u.in == in })
		if o := c.Objects[in]; o != nil {
			o.Slots, o.Goods = map[uint8]Slot{}, nil
			c.heard(openedTold)
			break
		}
		for i := range c.Slots {
			c.setSlot(in, uint8(i), Slot{}, frame)
		}
	case *packets.FillSlot:
		c.setSlot(in, m.Slot, Slot{m.Item, m.Weight}, frame)
	case *packets.SlotWeight:
		if slot, filled := c.slot(in, m.Slot); filled {
			c.setSlot(in, m.Slot, Slot{slot.Item, m.Weight}, frame)
		}
	case *packets.ClearSlot:
		c.setSlot(in, m.Slot, Slot{}, frame)
	default:
		return false
	}
	return true
}

func (c *Client) slot(in packets.ObjectID, n uint8) (slot Slot, filled bool) {
	if o := c.Objects[in]; o != nil {
		slot = o.Slots[n]
	} else if in == c.ID() && int(n) < len(c.Slots) {
		slot = c.Slots[n]
	}
	return slot, slot.Item != packets.NoObject
}
