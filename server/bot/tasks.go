package bot

import (
	"maps"
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/world/rules"
)

const (
	taskTime     = 40 * time.Second // for a way and the act at its end
	taskRetry    = 300 * time.Millisecond
	taskPause    = 2 * time.Second // of walking about, while something is done
	armsLength   = 5               // metres: near enough to pick up and to trade
	traderInView = 60              // metres: as far as a client goes to trade
	boughtAtOnce = 5
	dealsAtOnce  = 4
	triesAtOnce  = 8
)

// Occupations of traders. Source: protocol ingame 11.2.
const (
	firstShop = 50005
	lastShop  = 50011
)

// runTask does the next step of the task, or begins another.
func (c *Client) runTask(now time.Time) error {
	c.due[jobTask] = now.Add(taskRetry)
	switch b := &c.busy; {
	case c.Waits() || c.dead():
		return nil
	case b.task != nil && now.After(b.giveUp):
		c.endTask(now)
		return nil
	case b.task != nil:
		return b.task(now)
	}
	c.due[jobTask] = c.jittered(c.options.ItemsEvery, now)
	acts := [...]func(time.Time) error{c.shuffle, c.shuffle, c.lay, c.lay, c.wear, c.wear, c.hold, c.eat, c.seekTrader,
		c.seekTrader, c.seekItem, c.stow, c.seekTeleport, c.seekRoom}
	return acts[c.rand.IntN(len(acts))](now)
}

func (c *Client) beginTask(task func(now time.Time) error, now time.Time) {
	c.busy.task, c.busy.giveUp = task, now.Add(taskTime)
}

// endTask goes back to walking about.
func (c *Client) endTask(now time.Time) {
	c.busy.task = nil
	c.due[jobTask] = c.jittered(c.options.ItemsEvery, now)
	if c.Trader != packets.NoObject {
		_ = c.CloseTrade() // an error shows with the next message
	}
}

// approach walks to something, and reports whether the character is there.
func (c *Client) approach(to coords.Position, now time.Time) (there bool) {
	to.Y = c.Position.Y // a lying item has fallen a little, and the ground is unknown
	if c.Position.Distance(to) <= armsLength {
		c.walker.follow(nil, now)
		c.walker.rest = later(c.walker.rest, now.Add(taskPause))
		return true
	}
	switch {
	case c.options.Idle && !c.hunts():
		c.endTask(now)
	case !c.walker.following() || c.walker.roaming:
		c.walker.follow([]coords.Position{to}, now)
	}
	return false
}

// pocketed chooses one of the items in the inventory that fit; nil if there is none.
func (c *Client) pocketed(fits func(*Object) bool) *Object {
	for range triesAtOnce {
		slot := FirstInventorySlot + c.rand.IntN(EndOfInventory-FirstInventorySlot)
		if o := c.Objects[c.Slots[slot].Item]; o != nil && o.Spawn != nil && fits(o) {
			return o
		}
	}
	return nil
}

func anything(*Object) bool { return true }

func (c *Client) shuffle(time.Time) error {
	o := c.pocketed(anything)
	if o == nil {
		return nil
	}
	from, _ := c.Carries(o.ID)
	to := FirstInventorySlot + c.rand.IntN(EndOfInventory-FirstInventorySlot)
	switch there := c.Objects[c.Slots[to].Item]; {
	case to == from:
		return nil
	case c.Slots[to].Item == packets.NoObject || there != nil && there.Class == o.Class && c.rand.IntN(2) == 0:
		return c.Move(c.ID(), from, to)
	}
	return c.Swap(from, to)
}

// lay drops an item, to pick it up again.
func (c *Client) lay(now time.Time) error {
	o := c.pocketed(anything)
	if o == nil {
		return nil
	}
	c.beginTask(c.fetch(o.ID), now)
	return c.Drop(o.ID)
}

func (c *Client) seekItem(now time.Time) error {
	if _, free := c.FreeSlot(); !free {
		return nil
	}
	ids := c.inOrder()
	for i := range min(len(ids), comparedAtOnce) {
		o := c.Objects[ids[(c.sought+i)%len(ids)]]
		if o.OnGround() && isItem(o) && c.within(o, 2*armsLength) != nil {
			c.beginTask(c.fetch(o.ID), now)
			break
		}
	}
	c.sought += comparedAtOnce // others, the next time
	return nil
}

// fetch picks up an item that the client has dropped or seen, unless another player has it already.
func (c *Client) fetch(item packets.ObjectID) func(now time.Time) error {
	return func(now time.Time) error {
		o := c.Objects[item]
		slot, free := c.FreeSlot()
		if o == nil || !o.OnGround() || !free {
			c.endTask(now)
			return nil
		}
		if !c.approach(o.Position, now) {
			return nil
		}
		c.endTask(now)
		if c.rand.IntN(2) == 0 {
			return c.PutInto(o.ID, c.ID(), slot)
		}
		return c.PickUp(o.ID)
	}
}

func (c *Client) wear(time.Time) error {
	if c.rand.IntN(2) == 0 {
		if o := c.pocketed(ofKind(func(k *rules.Kind) bool { return len(k.Slots) > 0 })); o != nil {
			return c.Use(o.ID)
		}
	}
	for range triesAtOnce {
		slot := c.rand.IntN(FirstInventorySlot)
		if o := c.Objects[c.Slots[slot].Item]; o != nil && o.Slots == nil {
			if free, ok := c.FreeSlot(); ok && c.rand.IntN(2) == 0 {
				return c.Move(c.ID(), slot, free)
			}
			return c.Use(o.ID)
		}
	}
	return nil
}

func (c *Client) hold(time.Time) error {
	if c.busy.inHand != packets.NoObject {
		return c.Take(packets.EmptyHand)
	}
	o := c.pocketed(ofKind(func(k *rules.Kind) bool { return k.Hand }))
	if o == nil {
		return nil
	}
	return c.Take(o.ID)
}

func (c *Client) eat(time.Time) error {
	if o := c.pocketed(func(o *Object) bool { return o.Class >= firstFood && o.Class <= lastFood }); o != nil {
		return c.Use(o.ID)
	}
	return nil
}

// Classes of food. Source: protocol ingame 19.1.
const (
	firstFood packets.Class = 650
	lastFood  packets.Class = 655
)

func (c *Client) stow(time.Time) error {
	bag := c.pocketed(func(o *Object) bool { return o.Slots != nil })
	if bag == nil {
		return nil
	}
	if filled := slices.Sorted(maps.Keys(bag.Slots)); len(filled) > 0 && c.rand.IntN(2) == 0 {
		return c.PickUp(bag.Slots[filled[c.rand.IntN(len(filled))]].Item)
	}
	const slots = 10
	n := c.rand.IntN(slots)
	if o := c.pocketed(noBag); o != nil && bag.Slots[uint8(n)].Item == packets.NoObject {
		return c.PutInto(o.ID, bag.ID, n)
	}
	return nil
}

// seekTrader goes to the nearest trader, if there is one in view.
func (c *Client) seekTrader(now time.Time) error {
	if trader := c.nearestTrader(anyShop); trader != nil {
		c.beginTask(c.trade(trader.ID), now)
	}
	return nil
}

// trade goes to the trader, opens the trade, buys and sells some items and goes.
func (c *Client) trade(with packets.ObjectID) func(now time.Time) error {
	deals, opened := 1+c.rand.IntN(dealsAtOnce), false
	return func(now time.Time) error {
		trader := c.Objects[with]
		if trader != nil && !c.approach(trader.Position, now) {
			return nil
		}
		switch {
		case trader == nil:
		case c.Trader == with && c.Offer.Trader == with:
			return c.AcceptOffer()
		case c.Trader == with && deals > 0:
			deals--
			return c.deal(trader)
		case !opened:
			opened = true
			return c.OpenTrade(with)
		}
		c.endTask(now)
		return nil
	}
}

// deal buys something that the character has the money for, or asks for the price of something.
func (c *Client) deal(trader *Object) error {
	_, free := c.FreeSlot()
	for _, slot := range slices.Sorted(maps.Keys(trader.Goods)) {
		a := trader.Goods[slot]
		if c.rand.IntN(4) == 0 || !free || a.Price == 0 || a.Price > c.Money {
			continue
		}
		most := 1
		if o := c.Objects[a.Item]; o != nil {
			most = min(max(o.Count, 1), boughtAtOnce)
		}
		return c.Buy(slot, 1+c.rand.IntN(min(most, int(c.Money/a.Price))))
	}
	if o := c.pocketed(noBag); o != nil {
		return c.OfferForSale(0, o.ID)
	}
	return nil
}

// isItem reports whether an object is an item that may be carried.
var isItem = ofKind(func(*rules.Kind) bool { return true })

func noBag(o *Object) bool { return o.Slots == nil }

// ofKind says of objects whether one of the known kinds of their class is of some sort. An object that may be a
// portal is none.
func ofKind(is func(*rules.Kind) bool) func(*Object) bool {
	return func(o *Object) bool {
		switch o.Class {
		case packets.ClassToken, packets.ClassTokenStart, packets.ClassTokenCharges:
			return false // [Client.seekTeleport] uses them
		}
		return slices.ContainsFunc(content.Default().OfClass(int(o.Class)), is)
	}
}

var smallTalk = [...]string{"Привет всем!", "Как дела?", "Кто в пещеру?",
	"Продам хлеб, недорого.", "Собираю группу.", "Где тут кузнец?",
	"Хорошая погода.", "Кто знает, где телепорт?", "Меняю меч на топор.",
	"Пойду посплю.", "Осторожно, там медведь.", "Спасибо!",
	"Подождите меня.", "Всем удачи!", "Есть лекарь?", "До города далеко?"}

// channelNormal is the channel for all around. Source: protocol ingame 15.2.
const channelNormal = 2

// groupStep does one thing about groups: those without one found or seek one, leaders accept applicants, and now and
// then a member leaves.
func (c *Client) groupStep(now time.Time) error {
	g, own := &c.Group, c.Snapshot.Name
	switch {
	case len(g.Applicants) > 0 && g.Leads(own):
		name := g.Applicants[0]
		g.Applicants = g.Applicants[1:] // may have changed its mind: it is not asked for twice
		return c.AcceptIntoGroup(name)
	case g.Leads(own) && len(g.Members) == 1:
		return nil // waits
	case g.Leads(own) && c.rand.IntN(4) == 0:
		return c.ExpelFromGroup(g.Members[len(g.Members)-1].Name)
	case len(g.Members) > 0 && c.rand.IntN(4) == 0:
		return c.LeaveGroup()
	case len(g.Members) > 0:
		return nil
	case c.rand.IntN(4) == 0:
		return c.CreateGroup()
	}
	if leader := c.someLeader(now); leader != "" {
		return c.ApplyToGroup(leader)
	}
	return nil
}

// someLeader is the name of a player that leads a group, or might, "" for none.
func (c *Client) someLeader(now time.Time) string {
	if s := c.options.groundTruth; s != nil {
		if a := s.someLeader(now, c.rand); a != nil && a != c.trackedBot {
			return a.name
		}
		return ""
	}
	if o := c.First(func(o *Object) bool { return o.Player != nil }); o != nil {
		return o.Player.Name
	}
	return ""
}
