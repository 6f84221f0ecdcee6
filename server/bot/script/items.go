package script

import (
	"context"
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"sphereserver/packets"
	"sphereserver/server/bot"
)

// is says whether an object is such an item.
func (t *item) is(o *bot.Object) bool {
	return o != nil && o.Spawn != nil && o.Class == t.class && (t.gameID == 0 || int(o.Spawn.C) == t.gameID)
}

// in counts such items in a slot of the own character.
func (t *item) in(c *bot.Client, slot int) int {
	if o := c.Objects[c.Slots[slot].Item]; t.is(o) {
		return max(o.Count, 1)
	}
	return 0
}

// carried counts such items in all slots of the own character.
func (t *item) carried(c *bot.Client) (n int) {
	for slot := range c.Slots {
		n += t.in(c, slot)
	}
	return n
}

// belongings says what the character carries.
func belongings(c *bot.Client) string {
	var all []string
	for _, b := range c.Belongings().Items {
		all = append(all, fmt.Sprintf("%d %s in slot %s", b.Count, b.Class, b.Place))
	}
	return "carries " + list(all, "nothing")
}

func carries(ctx context.Context, p *player, a *args) error {
	expected := a.item.name
	if a.count != nil {
		expected = fmt.Sprintf("%d of %s", *a.count, expected)
	}
	if len(a.slots) > 0 {
		expected += fmt.Sprintf(" in slot %d", a.slots[0])
	}
	return p.until(ctx, expected, func(c *bot.Client) bool {
		inSlot := len(a.slots) == 0 || a.item.in(c, a.slots[0]) > 0
		if a.count != nil {
			return inSlot && a.item.carried(c) == *a.count
		}
		return inSlot && a.item.carried(c) > 0
	}, belongings)
}

func carriesNothingIn(ctx context.Context, p *player, a *args) error {
	return p.until(ctx, fmt.Sprintf("nothing in slot %d", a.slots[0]), func(c *bot.Client) bool {
		return c.Slots[a.slots[0]].Item == packets.NoObject
	}, belongings)
}

func wears(ctx context.Context, p *player, a *args) error {
	return p.until(ctx, a.item.name+" to be worn", func(c *bot.Client) bool {
		for slot := range c.Slots {
			if (slot < bot.FirstInventorySlot || slot >= bot.EndOfInventory) && a.item.in(c, slot) > 0 {
				return true
			}
		}
		return false
	}, belongings)
}

func carried(_ context.Context, p *player, a *args) error {
	return p.do(func(c *bot.Client) error {
		a.result = starlark.MakeInt(a.item.carried(c))
		return nil
	})
}

// request makes a step of a request about items, and waits for its answer, whatever it is.
func request(do func(c *bot.Client, a *args) error) func(context.Context, *player, *args) error {
	return func(ctx context.Context, p *player, a *args) error {
		return p.ask(ctx, func(c *bot.Client) error { return do(c, a) })
	}
}

func (p *player) ask(ctx context.Context, do func(c *bot.Client) error) error {
	if err := p.do(do); err != nil {
		return err
	}
	return p.until(ctx, "an answer of the server", func(c *bot.Client) bool { return !c.Waits() },
		func(*bot.Client) string { return "has no answer" })
}

// inSlot is what lies in the slot that a call names.
func inSlot(c *bot.Client, a *args) (*bot.Object, error) {
	if o := c.Objects[c.Slots[a.slots[0]].Item]; o != nil {
		return o, nil
	}
	return nil, fmt.Errorf("nothing lies in slot %d", a.slots[0])
}

// withSlot makes a step of a request about what lies in the slot that the call names.
func withSlot(do func(c *bot.Client, id packets.ObjectID) error) func(context.Context, *player, *args) error {
	return request(func(c *bot.Client, a *args) error {
		o, err := inSlot(c, a)
		if err != nil {
			return err
		}
		return do(c, o.ID)
	})
}

func move(c *bot.Client, a *args) error { return c.Move(c.ID(), a.slots[0], a.slots[1]) }

func swap(c *bot.Client, a *args) error { return c.Swap(a.slots[0], a.slots[1]) }

func emptyHand(c *bot.Client, _ *args) error { return c.Take(packets.EmptyHand) }

// lying finds the nearest such item on the ground, nil if there is none.
func (t *item) lying(c *bot.Client) (nearest *bot.Object) {
	for _, o := range c.Objects {
		if o.OnGround() && t.is(o) &&
			(nearest == nil || c.Position.Distance(o.Position) < c.Position.Distance(nearest.Position)) {
			nearest = o
		}
	}
	return nearest
}

// inBag finds such an item in a bag that the character carries, nil if there is none.
func (t *item) inBag(c *bot.Client) *bot.Object {
	for _, slot := range c.Slots {
		if bag := c.Objects[slot.Item]; bag != nil {
			for _, inside := range bag.Slots {
				if o := c.Objects[inside.Item]; t.is(o) {
					return o
				}
			}
		}
	}
	return nil
}

// withFound waits until an item is found, and asks for something about it.
func (p *player) withFound(ctx context.Context, a *args, find func(*bot.Client) *bot.Object,
	do func(c *bot.Client, o *bot.Object) error) error {
	if err := p.until(ctx, a.item.name, func(c *bot.Client) bool { return find(c) != nil }, ground); err != nil {
		return err
	}
	return p.ask(ctx, func(c *bot.Client) error {
		if o := find(c); o != nil {
			return do(c, o)
		}
		return fmt.Errorf("%s %s", p.name, ground(c))
	})
}

func pickUp(ctx context.Context, p *player, a *args) error {
	return p.withFound(ctx, a, func(c *bot.Client) *bot.Object {
		if o := a.item.inBag(c); o != nil {
			return o
		}
		return a.item.lying(c)
	}, func(c *bot.Client, o *bot.Object) error {
		if len(a.slots) > 0 {
			return c.PickUpTo(o.ID, a.slots[0])
		}
		return c.PickUp(o.ID)
	})
}

func drag(ctx context.Context, p *player, a *args) error {
	return p.withFound(ctx, a, a.item.lying, func(c *bot.Client, o *bot.Object) error { return c.Drag(o.ID, *a.at) })
}

// ground says what lies around.
func ground(c *bot.Client) string {
	var all []string
	for _, o := range c.Objects {
		if o.OnGround() {
			all = append(all, fmt.Sprintf("%s %.1f m away", o.Class, c.Position.Distance(o.Position)))
		}
	}
	slices.Sort(all)
	return "sees on the ground " + list(all, "nothing")
}

func seesOnGround(ctx context.Context, p *player, a *args) error {
	expected := a.item.name + " on the ground"
	if a.number != nil {
		expected += fmt.Sprintf(", %v m away at most", *a.number)
	}
	return p.until(ctx, expected, func(c *bot.Client) bool {
		o := a.item.lying(c)
		return o != nil && (a.number == nil || c.Position.Distance(o.Position) <= *a.number)
	}, ground)
}

func seesNoneOnGround(ctx context.Context, p *player, a *args) error {
	return p.until(ctx, "no "+a.item.name+" on the ground", func(c *bot.Client) bool { return a.item.lying(c) == nil },
		ground)
}

// putInto puts an item into the first free slot of a carried bag.
func putInto(c *bot.Client, a *args) error {
	o, err := inSlot(c, a)
	if err != nil {
		return err
	}
	for _, slot := range c.Slots {
		bag := c.Objects[slot.Item]
		if !a.item.is(bag) || bag.Slots == nil {
			continue
		}
		n := uint8(0)
		for bag.Slots[n].Item != packets.NoObject {
			n++
		}
		return c.PutInto(o.ID, bag.ID, int(n))
	}
	return fmt.Errorf("%s is no bag that the character carries", a.item.name)
}

func openTrade(ctx context.Context, p *player, a *args) error {
	if err := seesLandmark(ctx, p, a); err != nil {
		return err
	}
	if err := p.ask(ctx, func(c *bot.Client) error {
		if o := a.landmark.of(c); o != nil {
			return c.OpenTrade(o.ID)
		}
		return fmt.Errorf("%s %s", p.name, surroundings(c))
	}); err != nil {
		return err
	}
	return p.until(ctx, "all goods to be shown", func(c *bot.Client) bool { // they follow
		for _, article := range goodsOf(c) {
			if c.Objects[article.Item] == nil {
				return false
			}
		}
		return true
	}, goods)
}

// goodsOf are what the trader sells with whom the trade is open.
func goodsOf(c *bot.Client) map[uint8]bot.Article {
	if trader := c.Objects[c.Trader]; trader != nil {
		return trader.Goods
	}
	return nil
}

// goods says what can be bought.
func goods(c *bot.Client) string {
	var all []string
	for slot, article := range goodsOf(c) {
		if o := c.Objects[article.Item]; o != nil {
			all = append(all, fmt.Sprintf("%s in slot %d for %d", o.Class, slot, article.Price))
		}
	}
	slices.Sort(all)
	return "is offered " + list(all, "nothing")
}

func buy(c *bot.Client, a *args) error {
	count := 1
	if a.count != nil {
		count = *a.count
	}
	for slot, article := range goodsOf(c) {
		if a.item.is(c.Objects[article.Item]) {
			return c.Buy(slot, count)
		}
	}
	return &Failure{a.item.name + " for sale", goods(c)}
}

// sell offers what lies in a slot, and sells it for whatever the trader names.
func sell(ctx context.Context, p *player, a *args) error {
	offer := withSlot(func(c *bot.Client, id packets.ObjectID) error { return c.OfferForSale(0, id) })
	if err := offer(ctx, p, a); err != nil {
		return err
	}
	return p.ask(ctx, func(c *bot.Client) error {
		if c.Offer.Trader == packets.NoObject {
			return nil // the trader has said why
		}
		return c.AcceptOffer()
	})
}

func spend(c *bot.Client, a *args) error {
	var by [8]int32
	n := 0
	for i := range stats {
		if !stats[i].ability {
			continue
		}
		if stats[i].name == a.stat.name {
			by[n] = int32(*a.count)
			return c.SpendPoints(by)
		}
		n++
	}
	return &Failure{"an ability", a.stat.name + " is none"}
}
