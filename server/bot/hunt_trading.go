package bot

import (
	"time"

	"sphereserver/packets"
	"sphereserver/world/rules"
)

// goTrading goes to traders when there is too little room for loot, or when they have something for it.
func (c *Client) goTrading(now time.Time) (bool, error) {
	if c.quests() && (c.hunter.bid || c.quest.inside) {
		return false, nil
	}
	free := 0
	for _, s := range c.Slots[FirstInventorySlot:EndOfInventory] {
		if s.Item == packets.NoObject {
			free++
		}
	}
	full := free <= slotsToKeep && !now.Before(c.hunter.sells)
	shopping := !now.Before(c.hunter.shops) && !c.hurried(now)
	if !full && !shopping {
		return false, nil
	}
	loot := c.spare()
	full = full && loot >= lootToSell
	var shops []errand
	if full || shopping {
		c.hunter.shops = now.Add(shopEvery)
		shops = c.errands()
	}
	if t, ok := c.trader(wish{shop: anyShop}, 0); ok && full && len(shops) == 0 {
		shops = append(shops, t)
	}
	if len(shops) == 0 {
		return false, nil
	}
	c.hunter.sells = now.Add(sellEvery)
	c.beginTask(c.market(shops), now)
	way, from := 0.0, c.Position
	for _, s := range shops {
		way, from = way+from.Distance(s.at), s.at
	}
	c.busy.giveUp = now.Add(time.Duration(way/c.options.Speed*float64(time.Second)) + townTime)
	c.tell("goes to %d traders, the first at %s", len(shops), placeText(shops[0].at))
	return true, nil
}

// spare is how many things in the inventory the character can do without.
func (c *Client) spare() (n int) {
	for _, o := range c.inventory() {
		if c.sellable(o) {
			n++
		}
	}
	return n
}

// anyShop stands for the nearest shop, with any goods.
const anyShop rules.ShopKind = 0

// sellable reports whether the character can do without an item.
func (c *Client) sellable(o *Object) bool {
	return o.ID != c.busy.inHand && !isFood(o) && o.Slots == nil && o.Class != packets.ClassInkpot && isItem(o) &&
		!c.keeps(o) &&
		!c.hunter.avoid[o.ID].After(time.Now())
}

// market goes to traders, sells things that the character can do without, and buys those that it needs.
func (c *Client) market(shops []errand) func(time.Time) error {
	opened, bought, sent := packets.NoObject, 0, false
	return func(now time.Time) error {
		trader := c.nearestTrader(shops[0].shop)
		if trader != nil && trader.Position.Distance(shops[0].at) > 2*armsLength {
			trader = nil // another one on the way
		}
		switch {
		case trader == nil && sent && !c.walker.following(): // the trader is not there
		case trader == nil:
			if !sent || c.walker.roaming {
				sent = true
				c.travel(shops[0].at, now)
			}
			return nil
		case opened == packets.NoObject || c.Trader == packets.NoObject && opened != trader.ID:
			if c.approach(trader.Position, now) {
				opened = trader.ID
				return c.OpenTrade(trader.ID)
			}
			return nil
		case c.Trader == opened && c.Offer.Trader == opened:
			return c.AcceptOffer()
		case c.Trader == opened:
			if done, err := c.dress(now); done || err != nil {
				return err
			}
			if o := c.first(c.sellable); o != nil {
				c.hunter.shun(o.ID, now) // whatever the answer
				return c.OfferForSale(0, o.ID)
			}
			if slot, count := c.wished(c.Objects[opened]); count > 0 && bought < dealsAtOnce {
				bought++
				c.hunter.arms = now.Add(2 * time.Second)
				return c.Buy(slot, count)
			}
		}
		if len(shops) == 1 {
			c.endTask(now)
			return nil
		}
		shops, opened, bought, sent = shops[1:], packets.NoObject, 0, false
		if c.Trader != packets.NoObject {
			return c.CloseTrade()
		}
		return nil
	}
}

// nearestTrader is the nearest one in view that has such a shop, nil if there is none.
func (c *Client) nearestTrader(kind rules.ShopKind) *Object {
	return c.within(c.Nearest(func(o *Object) bool {
		return o.Occupation >= firstShop && o.Occupation <= lastShop &&
			(kind == anyShop || int(o.Occupation)-(firstShop-int(rules.Tavern)) == int(kind))
	}), traderInView)
}
