package bot

import (
	"slices"
	"time"

	"sphereserver/packets"
)

// Carries says whether an item lies in a slot of the own character, and in which.
func (c *Client) Carries(item packets.ObjectID) (slot int, ok bool) {
	for i := range c.Slots {
		if c.Slots[i].Item == item && item != packets.NoObject {
			return i, true
		}
	}
	return 0, false
}

// FreeSlot is the first empty slot of the inventory.
func (c *Client) FreeSlot() (slot int, ok bool) {
	for i := FirstInventorySlot; i < EndOfInventory; i++ {
		if c.Slots[i].Item == packets.NoObject {
			return i, true
		}
	}
	return 0, false
}

// ExpectBelongings tells the client what its character should have when it enters: anything else is a violation.
func (c *Client) ExpectBelongings(b Belongings) { c.expectedBelongings = &b }

// ownSlots acts on a command about the slots of the own character, its money or its trade, and says whether it was one.
func (c *Client) ownSlots(command packets.Command, frame []byte) bool {
	switch m := command.(type) {
	case *packets.ResetSlots:
		for i := range c.Slots {
			c.setSlot(uint8(i), Slot{}, frame)
		}
		c.missingSpawn = slices.DeleteFunc(c.missingSpawn, func(u missingSpawn) bool { return u.in == c.ID() })
	case *packets.FillSlot:
		slot := Slot{m.Item, m.Weight}
		if m.Item == packets.NoObject {
			slot = Slot{}
		}
		c.setSlot(m.Slot, slot, frame)
	case *packets.SlotWeight:
		if int(m.Slot) < len(c.Slots) {
			c.setSlot(m.Slot, Slot{c.Slots[m.Slot].Item, m.Weight}, frame)
		}
	case *packets.ClearSlot:
		c.setSlot(m.Slot, Slot{}, frame)
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
		return false
	}
	return true
}

// setSlot puts something into a slot of the own character.
func (c *Client) setSlot(n uint8, slot Slot, frame []byte) {
	if int(n) >= len(c.Slots) {
		c.find(OutOfPlace, "slot %d: %s", n, shown(frame))
		return
	}
	if was := c.Slots[n].Item; was != slot.Item {
		c.update.changes = append(c.update.changes, slotChange{n, was})
	}
	c.Slots[n] = slot
	c.update.slots = true
	c.slotTold(c.ID(), slot.Item, n)
}

// containerSlots acts on a command about the slots of something that the client holds, and says whether it was one.
func (c *Client) containerSlots(o *Object, command packets.Command) bool {
	set := func(n uint8, slot Slot) {
		if o.Slots == nil {
			o.Slots = map[uint8]Slot{}
		}
		o.Slots[n] = slot
		if slot.Item == packets.NoObject {
			delete(o.Slots, n)
		}
		c.update.slots = true
		c.slotTold(o.ID, slot.Item, n)
	}
	switch m := command.(type) {
	case *packets.ResetSlots:
		o.Slots, o.Goods = map[uint8]Slot{}, nil
		c.missingSpawn = slices.DeleteFunc(c.missingSpawn, func(u missingSpawn) bool { return u.in == o.ID })
		c.heard(openedTold)
	case *packets.FillSlot:
		set(m.Slot, Slot{m.Item, m.Weight})
	case *packets.SlotWeight:
		if slot, ok := o.Slots[m.Slot]; ok {
			set(m.Slot, Slot{slot.Item, m.Weight})
		}
	case *packets.ClearSlot:
		set(m.Slot, Slot{})
	case *packets.Goods:
		if o.Goods == nil {
			o.Goods = map[uint8]Article{}
		}
		o.Goods[m.Slot] = Article{m.Item, m.Price}
		c.expectSpawn(o.ID, m.Slot, m.Item)
	default:
		return false
	}
	return true
}

// slotTold notes what a slot holds.
func (c *Client) slotTold(in, item packets.ObjectID, slot uint8) {
	if item != packets.NoObject {
		c.update.filled = append(c.update.filled, item)
		c.expectSpawn(in, slot, item)
	}
	c.heardOfSlot(in)
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
	u := missingSpawn{in, slot, item, time.Now()}
	if c.options.Dialect == packets.Classic || c.Objects[item] != nil { // the article binds slots to items that never come
		return
	}
	if !slices.ContainsFunc(c.missingSpawn, func(known missingSpawn) bool {
		return known.in == in &&
			known.slot == slot && known.item == item
	}) {
		c.missingSpawn = append(c.missingSpawn, u)
	}
}

// names says whether a slot or a line of goods still names the item.
func (c *Client) names(u *missingSpawn) bool {
	if u.in == c.ID() {
		return int(u.slot) < len(c.Slots) && c.Slots[u.slot].Item == u.item
	}
	o := c.Objects[u.in]
	return o != nil && (o.Slots[u.slot].Item == u.item || o.Goods[u.slot].Item == u.item)
}

// checkMissingSpawns finds what should have followed by now.
func (c *Client) checkMissingSpawns(now time.Time) {
	kept := c.missingSpawn[:0]
	for _, u := range c.missingSpawn {
		switch {
		case !c.names(&u): // taken out again
		case now.Sub(u.at) < spawnPatience:
			kept = append(kept, u)
		default:
			c.find(MissingSpawn, "slot %d of %s is bound to %s, which was not spawned", u.slot, u.in, u.item)
		}
	}
	c.missingSpawn = kept
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
