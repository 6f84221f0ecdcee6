package bot

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sphereserver/packets"
)

// Slots of the own character.
//
// Source: protocol ingame 10.1.
const (
	FirstInventorySlot = 26
	EndOfInventory     = 36
)

// An Article is a line of what a trader sells.
//
// Source: protocol ingame 11.2.
type Article struct {
	Item  packets.ObjectID
	Price uint32 // of one
}

// Carries says whether a item lies in a slot of the own character, and in which.
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

// OnGround says whether an object is a item that lies in the world by itself.
func (o *Object) OnGround() bool {
	return o.Spawn != nil && o.Placement == packets.Lying && o.Parent == packets.NoObject
}

// A Belonging is one item that a character carries.
type Belonging struct {
	Place  string // "26" for a slot of the character, "26/3" for a slot of the bag there
	Class  packets.Class
	GameID int
	Suffix int
	Count  int
	Weight int32
}

func (b Belonging) String() string {
	return fmt.Sprintf("slot %s: %d %s, number %d, suffix %d, weight %d", b.Place, b.Count, b.Class, b.GameID, b.Suffix, b.Weight)
}

// Belongings are what a character has, in words that stay true when it comes back: ids do not.
type Belongings struct {
	Money uint32
	Items []Belonging // by place
}

// Belongings returns what the character has, as far as the server has told.
func (c *Client) Belongings() Belongings {
	b := Belongings{Money: c.Money}
	for i, slot := range c.Slots {
		b.add(c, strconv.Itoa(i), slot, 0)
	}
	slices.SortFunc(b.Items, func(x, y Belonging) int { return cmp.Compare(x.Place, y.Place) })
	return b
}

// deepest is how many bags in each other are looked into.
const deepest = 4

func (b *Belongings) add(c *Client, place string, slot Slot, depth int) {
	o := c.Objects[slot.Item]
	if slot.Item == packets.NoObject || o == nil || o.Spawn == nil || depth > deepest {
		return
	}
	b.Items = append(b.Items, Belonging{place, o.Class, int(o.Spawn.C), int(o.Spawn.D), max(o.Count, 1), slot.Weight})
	for n, inside := range o.Slots {
		b.add(c, place+"/"+strconv.Itoa(int(n)), inside, depth+1)
	}
}

// differs says what is different from other belongings, "" for nothing.
func (b *Belongings) differs(from *Belongings) string {
	var all []string
	if b.Money != from.Money {
		all = append(all, fmt.Sprintf("money %d, expected %d", b.Money, from.Money))
	}
	for i := range b.Items {
		if !slices.Contains(from.Items, b.Items[i]) {
			all = append(all, fmt.Sprintf("not expected: %v", b.Items[i]))
		}
	}
	for i := range from.Items {
		if !slices.Contains(b.Items, from.Items[i]) {
			all = append(all, fmt.Sprintf("expected: %v", from.Items[i]))
		}
	}
	return strings.Join(all, "; ")
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
		c.turn.coins = true
	case *packets.TradeWindow:
		c.Trader = m.Trader
		c.heard(windowTold)
	case *packets.PriceOffer:
		c.Offer = *m
		c.heard(offerTold)
	case *packets.Bought:
		c.turn.bought = m
		c.checkBought(m, c.heard(boughtTold))
	case *packets.Sold:
		c.turn.sold = m
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
		c.turn.changes = append(c.turn.changes, slotChange{n, was})
	}
	c.Slots[n] = slot
	c.turn.slots = true
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
		c.turn.slots = true
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
		c.turn.filled = append(c.turn.filled, item)
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
	c.turn.gone = append(c.turn.gone, o.ID)
}
