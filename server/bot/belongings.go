package bot

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strconv"
	"time"

	"sphereserver/packets"
	"sphereserver/world/rules"
)

// Carries reports whether an item lies in a slot of the own character, and in which.
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

// inventory are the slots of the inventory, in their order, with their items. A slot is left out until its item has
// been spawned.
func (c *Client) inventory() iter.Seq2[int, *Object] {
	return func(yield func(slot int, o *Object) bool) {
		for slot := FirstInventorySlot; slot < EndOfInventory; slot++ {
			if o := c.Objects[c.Slots[slot].Item]; o != nil && o.Spawn != nil && !yield(slot, o) {
				return
			}
		}
	}
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
	c.answered(func(w *pendingRequest) bool {
		return w.ends&slotTold != 0 && (in == c.ID() || in == w.in) && (w.stays == 0 || w.stays == int(n)+1)
	})
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
	// There is nothing to say of an item that has vanished meanwhile: another player has emptied that bag.
	c.answered(func(w *pendingRequest) bool { return w.used == o.ID })
	c.update.gone = append(c.update.gone, o.ID)
	if k := c.kindOf(o); o.Class == rules.ClassParcel || k != nil && slices.Contains(c.quest.wants.kinds, k.ID) {
		c.update.handed = append(c.update.handed, o.ID)
	}
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

// Items returns the carried items, by slot. A slot is left out until its item has been spawned.
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

// ownCommand acts on a command about the slots of the own character, its money or its trade, and reports whether it was
// one.
func (c *Client) ownCommand(command packets.Command, frame []byte) bool {
	switch m := command.(type) {
	case *packets.Money:
		c.Money = m.Amount
	case *packets.CoinsReceived:
		c.update.coins = true
	case *packets.TradeWindow:
		if c.Trader = m.Trader; m.Trader != packets.NoObject { // one that closes, since another opens, answers nothing
			c.heard(windowTold)
		}
	case *packets.PriceOffer:
		c.Offer = *m
		c.heard(offerTold)
	case *packets.Bought:
		c.update.bought = m
		c.checkTrade(c.heard(boughtTold), m, nil)
	case *packets.Sold:
		c.update.sold = m
		c.checkTrade(c.heard(soldTold), nil, m)
	case *packets.ReleaseUse:
		c.released()
	default:
		return c.slotCommand(c.ID(), command, frame)
	}
	return true
}

// slotCommand acts on a command about the slots of the own character, or of something else that the client holds, and
// reports whether it was one.
func (c *Client) slotCommand(in packets.ObjectID, command packets.Command, frame []byte) bool {
	switch m := command.(type) {
	case *packets.ResetSlots:
		c.missingSpawn = slices.DeleteFunc(c.missingSpawn, func(u missingSpawn) bool { return u.in == in })
		if o := c.Objects[in]; o != nil {
			o.Slots, o.Goods = map[uint8]Slot{}, nil
			o.Resets++
			if o.Class == packets.ClassBank {
				c.heard(openedTold | vaultTold)
			} else {
				c.heard(openedTold)
			}
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

func (c *Client) beginUpdate() {
	t := &c.update
	*t = update{money: c.Money, asked: len(c.busy.requests) > 0, changes: t.changes[:0], filled: t.filled[:0],
		gone: t.gone[:0], handed: t.handed[:0]}
}

// effectSlot reports whether effects lie in a slot: they come and go unasked. Source: protocol ingame 14.
func effectSlot(n int) bool { return rules.IsMutator(n) }

// grace is how long after a request a change counts as asked for.
const grace = 3 * time.Second

func (c *Client) asked(now time.Time) bool {
	patience := grace
	if c.busy.doubtful != nil {
		patience = answerPatience // its answer may still come
	}
	return c.update.asked || c.options.AllowExternalChanges || !c.busy.asked.IsZero() && now.Sub(c.busy.asked) < patience
}

// endUpdate judges the messages of a body about the own belongings.
func (c *Client) endUpdate(frame []byte) {
	t := &c.update
	c.endVitals(frame)
	c.judgeMission(frame)
	if c.state != stateInWorld || c.options.Dialect == packets.Classic || !t.slots && len(t.gone) == 0 &&
		c.Money == t.money && t.bought == nil && t.sold == nil {
		return
	}
	now := time.Now()
	if t.slots || len(t.gone) > 0 {
		c.itemsAt, c.audited = now, false
	}
	c.checkMoney(frame)
	c.checkPlaces(frame)
	if t.slots {
		c.checkUnits(frame)
	}
	for _, ch := range t.changes {
		if is := c.Slots[ch.slot].Item; is != ch.was && !effectSlot(int(ch.slot)) && !c.asked(now) &&
			!(t.mission && (int(ch.slot) == rules.SlotMission || slices.Contains(t.handed, ch.was))) {
			c.find(UnsolicitedChange, "slot %d had %s, and has %s: %s", ch.slot, ch.was, is, shown(frame))
		}
	}
}

// checkMoney finds money that comes or goes without a reason, or in another amount than was named.
func (c *Client) checkMoney(frame []byte) {
	t := &c.update
	spent := int64(t.money) - int64(c.Money)
	c.tally.Spent.Add(uint64(max(spent, 0)))
	c.tally.Earned.Add(uint64(max(-spent, 0)))
	switch {
	case t.bought != nil && spent != int64(t.bought.Total):
		c.find(WrongSum, "bought for %d, money %d then %d: %s", t.bought.Total, t.money, c.Money, shown(frame))
	case t.sold != nil && -spent != int64(t.sold.Price):
		c.find(WrongSum, "sold for %d, money %d then %d: %s", t.sold.Price, t.money, c.Money, shown(frame))
	case t.bought == nil && t.sold == nil && spent != 0 && !t.coins && !c.options.AllowExternalChanges:
		c.find(UnsolicitedChange, "money %d then %d: %s", t.money, c.Money, shown(frame))
	}
}

// checkTrade compares a purchase or a sale with the request or the agreed price.
func (c *Client) checkTrade(w *pendingRequest, bought *packets.Bought, sold *packets.Sold) {
	switch {
	case w == nil && c.options.AllowExternalChanges:
	case w == nil && bought != nil:
		c.find(UnsolicitedChange, "bought %s for %d", bought.Item, bought.Total)
	case w == nil:
		c.find(UnsolicitedChange, "sold %s for %d", sold.Item, sold.Price)
	case bought != nil && (bought.Count != w.count || uint64(bought.Total) != uint64(w.price)*uint64(w.count)):
		c.find(WrongSum, "bought %d for %d in all, asked for %d at %d each", bought.Count, bought.Total, w.count, w.price)
	case sold != nil && sold.Price != w.price:
		c.find(WrongSum, "sold %s for %d, agreed on %d", sold.Item, sold.Price, w.price)
	}
}

// checkPlaces finds items in two slots, items in a slot that are somewhere else, and slots of lost items.
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

// checkUnits finds stacks with a weight that is not the weight of one times their number, or other than before.
// Containers are looked at later.
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

// Classes that are in a player and in no slot: the object that shows the vault, and a workshop. Source: protocol
// ingame 9.1.
const classWorkshop = 805

// audit looks at all belongings when no message was about them for a while: items that are in no slot, and bags with
// another weight than their contents say.
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
	for _, id := range c.inOrder() {
		o := c.Objects[id]
		if o.Spawn == nil || o.Class == packets.ClassBank || o.Class == classWorkshop || !c.carried(o) {
			continue
		}
		if placed[id] != o.Parent {
			c.find(StateDiffers, "%s %s is in %s, but in no slot of it", o.Class, id, o.Parent)
		}
	}
}

// carried reports whether an item is in the own character or in a bag there.
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

// checkBelongings compares the carried items with the snapshot, and with the belongings at the last leaving.
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
	if text := c.ledger().differs(c.expected.Ledger); text != "" {
		c.find(OtherBelongings, "%s", text)
	}
	c.itemsAt, c.audited = time.Now(), false
	c.checkUnits(nil)
}

// Belongings returns the character's money and items, as far as the server has told.
func (c *Client) Belongings() Belongings {
	b := Belongings{Money: c.Money}
	for i, slot := range c.Slots {
		if !effectSlot(i) {
			b.add(c, strconv.Itoa(i), slot, 0)
		}
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
	for _, id := range c.inOrder() {
		slots := c.Objects[id].Slots
		for _, n := range slices.Sorted(maps.Keys(slots)) {
			visit(id, n, slots[n])
		}
	}
}
