package bot

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"sphereserver/packets"
)

func (c *Client) beginUpdate() {
	t := &c.update
	*t = update{money: c.Money, asked: len(c.busy.requests) > 0, changes: t.changes[:0], filled: t.filled[:0],
		gone: t.gone[:0]}
}

// grace is how long after a request what changes counts as asked for.
const grace = 3 * time.Second

func (c *Client) asked(now time.Time) bool {
	return c.update.asked || c.options.AllowExternalChanges || !c.busy.asked.IsZero() && now.Sub(c.busy.asked) < grace
}

// endUpdate judges what a body has told of the own belongings.
func (c *Client) endUpdate(frame []byte) {
	t := &c.update
	if c.state != stateInWorld || c.options.Dialect == packets.Classic || !t.slots && len(t.gone) == 0 &&
		c.Money == t.money && t.bought == nil && t.sold == nil {
		return
	}
	now := time.Now()
	if t.slots || len(t.gone) > 0 {
		c.itemsAt, c.audited = now, false
	}
	c.checkMoney(now, frame)
	c.checkPlaces(frame)
	if t.slots {
		c.checkUnits(frame)
	}
	for _, ch := range t.changes {
		if is := c.Slots[ch.slot].Item; is != ch.was && !c.asked(now) {
			c.find(UnsolicitedChange, "slot %d had %s, and has %s: %s", ch.slot, ch.was, is, shown(frame))
		}
	}
}

// checkMoney finds money that comes or goes without a reason, or in another amount than was named.
func (c *Client) checkMoney(now time.Time, frame []byte) {
	t := &c.update
	spent := int64(t.money) - int64(c.Money)
	switch {
	case t.bought != nil:
		if spent != int64(t.bought.Total) {
			c.find(WrongSum, "bought for %d, money %d then %d: %s", t.bought.Total, t.money, c.Money, shown(frame))
		}
	case t.sold != nil:
		if -spent != int64(t.sold.Price) {
			c.find(WrongSum, "sold for %d, money %d then %d: %s", t.sold.Price, t.money, c.Money, shown(frame))
		}
	case spent != 0 && !t.coins && !c.options.AllowExternalChanges:
		c.find(UnsolicitedChange, "money %d then %d: %s", t.money, c.Money, shown(frame))
	}
}

func (c *Client) checkBought(m *packets.Bought, w *pendingRequest) {
	switch {
	case w == nil:
		c.find(UnsolicitedChange, "bought %s for %d", m.Item, m.Total)
	case m.Count != w.count || uint64(m.Total) != uint64(w.price)*uint64(w.count):
		c.find(WrongSum, "bought %d for %d in all, asked for %d at %d each", m.Count, m.Total, w.count, w.price)
	}
}

func (c *Client) checkSold(m *packets.Sold, w *pendingRequest) {
	switch {
	case w == nil:
		c.find(UnsolicitedChange, "sold %s for %d", m.Item, m.Price)
	case m.Price != w.price:
		c.find(WrongSum, "sold %s for %d, agreed on %d", m.Item, m.Price, w.price)
	}
}

// checkPlaces finds items in two slots, items in a slot that are somewhere else, and slots of what is no more.
func (c *Client) checkPlaces(frame []byte) {
	t := &c.update
	if len(t.filled) > 0 {
		places := map[packets.ObjectID]int{}
		c.eachSlot(func(_ packets.ObjectID, _ uint8, slot Slot) { places[slot.Item]++ })
		slices.Sort(t.filled)
		for _, item := range slices.Compact(t.filled) {
			if places[item] > 1 {
				c.find(TwicePlaced, "%s in %d slots: %s", item, places[item], shown(frame))
			}
		}
	}
	for i, slot := range c.Slots {
		o := c.Objects[slot.Item]
		switch {
		case slot.Item == packets.NoObject:
		case o == nil && slices.Contains(t.gone, slot.Item):
			c.find(StateDiffers, "slot %d has %s, which is removed: %s", i, slot.Item, shown(frame))
		case o != nil && t.slots && o.Parent != c.ID():
			c.find(StateDiffers, "slot %d has %s, which is in %s: %s", i, slot.Item, o.Parent, shown(frame))
		}
	}
}

// checkUnits finds stacks whose weight is not that of one times their number, or that weigh otherwise than before.
// What has items in it is looked at later.
func (c *Client) checkUnits(frame []byte) {
	c.eachSlot(func(in packets.ObjectID, n uint8, slot Slot) {
		o := c.Objects[slot.Item]
		if o == nil || o.Slots != nil {
			return
		}
		count := int32(max(o.Count, 1))
		if unit := slot.Weight / count; slot.Weight%count != 0 || o.weighed && unit != o.unit {
			c.find(WrongSum, "slot %d of %s: %d of %s weigh %d, one has weighed %d: %s", n, in, count, o.Class, slot.Weight,
				o.unit, shown(frame))
			o.weighed = false
			return
		}
		o.unit, o.weighed = slot.Weight/count, true
	})
}

// Classes that are in a player and in no slot: what shows the vault, and a workshop. Source: protocol ingame 9.1.
const classWorkshop = 805

// audit looks at all belongings when nothing has been told of them for a while: items that are in no slot, and bags
// that weigh otherwise than what is in them says.
func (c *Client) audit(now time.Time) {
	if c.audited || c.itemsAt.IsZero() || now.Sub(c.itemsAt) < spawnPatience || c.options.Dialect == packets.Classic {
		return
	}
	c.audited = true
	placed := map[packets.ObjectID]packets.ObjectID{}
	c.eachSlot(func(in packets.ObjectID, n uint8, slot Slot) {
		placed[slot.Item] = in
		if bag := c.Objects[slot.Item]; bag != nil && bag.Slots != nil {
			c.checkBag(bag, slot)
		}
	})
	for id, o := range c.Objects {
		if o.Spawn == nil || o.Class == packets.ClassBank || o.Class == classWorkshop || !c.carried(o) {
			continue
		}
		if placed[id] != o.Parent {
			c.find(StateDiffers, "%s %s is in %s, but in no slot of it", o.Class, id, o.Parent)
		}
	}
}

// carried says whether an item is in the own character or in a bag there.
func (c *Client) carried(o *Object) bool {
	if o.Parent == c.ID() {
		return true
	}
	bag := c.Objects[o.Parent]
	return bag != nil && bag.Slots != nil && bag.Parent == c.ID()
}

func (c *Client) checkBag(bag *Object, slot Slot) {
	own := slot.Weight
	for _, inside := range bag.Slots {
		own -= inside.Weight
	}
	if bag.weighed && own != bag.unit {
		c.find(WrongSum, "%s %s weighs %d, and %d without what is in it; that was %d", bag.Class, bag.ID, slot.Weight, own,
			bag.unit)
	}
	bag.unit, bag.weighed = own, true
}

// checkBelongings compares what the character carries with the snapshot, and with what it had when it left.
func (c *Client) checkBelongings() {
	var carried int64
	for _, slot := range c.Slots {
		carried += int64(slot.Weight)
	}
	if carried != int64(c.Snapshot.Carried) {
		c.find(WrongSum, "the character that enters carries %d, its slots weigh %d", c.Snapshot.Carried, carried)
	}
	if want := c.expected.Belongings; want != nil {
		is := c.Belongings()
		if text := is.differs(want); text != "" {
			c.find(OtherBelongings, "%s", text)
		}
	}
	c.itemsAt, c.audited = time.Now(), false
	c.checkUnits(nil)
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

// eachSlot visits all filled slots: of the own character, and of containers that the client has been shown.
func (c *Client) eachSlot(visit func(in packets.ObjectID, n uint8, slot Slot)) {
	for i, slot := range c.Slots {
		if slot.Item != packets.NoObject {
			visit(c.ID(), uint8(i), slot)
		}
	}
	for _, o := range c.Objects {
		for n, slot := range o.Slots {
			visit(o.ID, n, slot)
		}
	}
}
