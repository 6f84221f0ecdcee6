package script

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"go.starlark.net/starlark"

	"sphereserver/packets"
	"sphereserver/server/bot"
)

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

func (t *item) carried(c *bot.Client) (n int) {
	for slot := range c.Slots {
		n += t.in(c, slot)
	}
	return n
}

// slotOf gives where in the inventory such an item lies.
func slotOf(c *bot.Client, a *args) starlark.Value {
	for slot := bot.FirstInventorySlot; slot < bot.EndOfInventory; slot++ {
		if a.item.in(c, slot) > 0 {
			return starlark.MakeInt(slot)
		}
	}
	return starlark.None
}

func belongings(c *bot.Client) Text {
	var all []Text
	for _, b := range c.Belongings().Items {
		all = append(all, say("%d %s in slot %s", "%d %s в ячейке %s", b.Count, b.Class, b.Place))
	}
	return say("carries %s", "носит: %s", list(all, nothing))
}

// wanted names the item of a call, with the count that it names.
func (a *args) wanted() Text {
	if a.count == nil {
		return named(a.item.name)
	}
	return say("%d of %s", "%[2]s, штук: %[1]d", *a.count, a.item.name)
}

func carries(p *player, a *args) error {
	expected := a.wanted()
	if len(a.slots) > 0 {
		expected = expected.and(say(" in slot %d", " в ячейке %d", a.slots[0]))
	}
	return p.until(expected, func(c *bot.Client) bool {
		if len(a.slots) > 0 && a.item.in(c, a.slots[0]) == 0 {
			return false
		}
		n := a.item.carried(c)
		return a.count == nil && n > 0 || a.count != nil && n == *a.count
	}, belongings)
}

func carriesNothingIn(p *player, a *args) error {
	return p.until(say("nothing in slot %d", "пустая ячейка %d", a.slots[0]), func(c *bot.Client) bool {
		return c.Slots[a.slots[0]].Item == packets.NoObject
	}, belongings)
}

func wears(p *player, a *args) error {
	return p.until(say("%s to be worn", "%s вне инвентаря", a.item.name), func(c *bot.Client) bool {
		for slot := range c.Slots {
			if (slot < bot.FirstInventorySlot || slot >= bot.EndOfInventory) && a.item.in(c, slot) > 0 {
				return true
			}
		}
		return false
	}, belongings)
}

// lying finds the nearest such item on the ground, nil if there is none.
func (t *item) lying(c *bot.Client) *bot.Object {
	return c.Nearest(func(o *bot.Object) bool { return o.OnGround() && t.is(o) })
}

// vault is the object that shows the vault of the account, nil while it is closed.
func vault(c *bot.Client) *bot.Object {
	return c.First(func(o *bot.Object) bool { return o.Class == packets.ClassBank && o.Parent == c.ID() })
}

// inside finds such items in a container as the client was shown it; nil is none.
func (t *item) inside(c *bot.Client, container *bot.Object) (found *bot.Object, count int) {
	if container == nil {
		return nil, 0
	}
	for _, n := range slices.Sorted(maps.Keys(container.Slots)) {
		if o := c.Objects[container.Slots[n].Item]; t.is(o) {
			found, count = cmp.Or(found, o), count+max(o.Count, 1)
		}
	}
	return found, count
}

// stored finds such an item in the open vault, in a bag that the character carries, or else on the ground.
func (t *item) stored(c *bot.Client) *bot.Object {
	if o, _ := t.inside(c, vault(c)); o != nil {
		return o
	}
	for _, slot := range c.Slots {
		if o, _ := t.inside(c, c.Objects[slot.Item]); o != nil {
			return o
		}
	}
	return t.lying(c)
}

func vaultContents(c *bot.Client) Text {
	v := vault(c)
	if v == nil {
		return say("has no vault open; a banker opens it", "не открывает хранилище: его открывает банкир")
	}
	var all []Text
	for n, slot := range v.Slots {
		if o := c.Objects[slot.Item]; o != nil {
			all = append(all, say("%d %s in slot %d", "%d %s в ячейке %d", max(o.Count, 1), o.Class, n))
		}
	}
	sorted(all)
	return say("keeps %s in the vault", "хранит: %s", list(all, nothing))
}

func vaultHolds(p *player, a *args) error {
	expected := a.wanted().and(say(" in the vault", " в хранилище"))
	return p.until(expected, func(c *bot.Client) bool {
		_, n := a.item.inside(c, vault(c))
		return vault(c) != nil && (a.count == nil && n > 0 || a.count != nil && n == *a.count)
	}, vaultContents)
}

func pickUp(p *player, a *args) error {
	return p.answered(p.reach(named(a.item.name), a.item.stored, ground, func(c *bot.Client, o *bot.Object) error {
		if len(a.slots) > 0 {
			return c.PutInto(o.ID, c.ID(), a.slots[0])
		}
		return c.PickUp(o.ID)
	}))
}

func drag(p *player, a *args) error {
	return p.answered(p.reach(named(a.item.name), a.item.lying, ground,
		func(c *bot.Client, o *bot.Object) error { return c.Drag(o.ID, *a.at) }))
}

func ground(c *bot.Client) Text {
	return say("sees on the ground %s", "видит на земле: %s", objects(c, nothing, func(o *bot.Object) Text {
		if !o.OnGround() {
			return Text{}
		}
		return say("%s %.1f m away", "%s в %.1f м", o.Class, c.Position.Distance(o.Position))
	}))
}

func seesOnGround(p *player, a *args) error {
	expected := say("%s on the ground", "%s на земле", a.item.name)
	if a.number != nil {
		expected = expected.and(notFar(*a.number))
	}
	return p.until(expected, func(c *bot.Client) bool {
		o := a.item.lying(c)
		return o != nil && (a.number == nil || c.Position.Distance(o.Position) <= *a.number)
	}, ground)
}

func seesNoneOnGround(p *player, a *args) error {
	return p.until(say("no %s on the ground", "ни одного %s на земле", a.item.name),
		func(c *bot.Client) bool { return a.item.lying(c) == nil }, ground)
}

// putInto puts an item into the first free slot of a carried bag.
func putInto(c *bot.Client, a *args) error {
	o, err := inSlot(c, a)
	if err != nil {
		return err
	}
	for _, slot := range c.Slots {
		bag := c.Objects[slot.Item]
		if a.item.is(bag) && bag.Slots != nil {
			return putInFirst(c, o, bag)
		}
	}
	return fmt.Errorf("%s is no bag that the character carries", a.item.name)
}

// putInFirst puts an item into the first free slot of a container.
func putInFirst(c *bot.Client, o, container *bot.Object) error {
	n := uint8(0)
	for container.Slots[n].Item != packets.NoObject {
		n++
	}
	return c.PutInto(o.ID, container.ID, int(n))
}

func putIntoVault(p *player, a *args) error {
	open := say("the vault to be open", "открытое хранилище")
	return p.answered(p.reach(open, vault, vaultContents, func(c *bot.Client, v *bot.Object) error {
		o, err := inSlot(c, a)
		if err != nil {
			return err
		}
		return putInFirst(c, o, v)
	}))
}

func openTrade(p *player, a *args) error {
	err := p.answered(p.reachLandmark(a, func(c *bot.Client, o *bot.Object) error { return c.OpenTrade(o.ID) }))
	if err != nil {
		return err
	}
	return p.until(say("all goods to be shown", "весь товар на виду"), func(c *bot.Client) bool { // they follow
		for _, article := range goodsOf(c) {
			if c.Objects[article.Item] == nil {
				return false
			}
		}
		return true
	}, goods)
}

// goodsOf are the goods of the trader in the open window.
func goodsOf(c *bot.Client) map[uint8]bot.Article {
	if trader := c.Objects[c.Trader]; trader != nil {
		return trader.Goods
	}
	return nil
}

func goods(c *bot.Client) Text {
	return say("is offered %s", "видит в продаже: %s", objects(c, nothing, func(o *bot.Object) Text {
		for slot, article := range goodsOf(c) {
			if article.Item == o.ID {
				return say("%s in slot %d for %d", "%s в ячейке %d за %d", o.Class, slot, article.Price)
			}
		}
		return Text{}
	}))
}

// cheapest finds the slot of the cheapest goods with the name.
func (t *item) cheapest(c *bot.Client) (at uint8, err error) {
	offers, found := goodsOf(c), false
	for _, slot := range slices.Sorted(maps.Keys(offers)) {
		if o := offers[slot]; t.is(c.Objects[o.Item]) && (!found || o.Price < offers[at].Price) {
			at, found = slot, true
		}
	}
	if !found {
		return 0, &Failure{say("%s for sale", "%s в продаже", t.name), goods(c)}
	}
	return at, nil
}

func price(c *bot.Client, a *args) error {
	slot, err := a.item.cheapest(c)
	if err == nil {
		a.result = starlark.MakeInt64(int64(goodsOf(c)[slot].Price))
	}
	return err
}

func buy(c *bot.Client, a *args) error {
	slot, err := a.item.cheapest(c)
	if err != nil {
		return err
	}
	return c.Buy(slot, *cmp.Or(a.count, new(1)))
}

// sell offers the item in a slot, and sells it for the trader's price.
func sell(p *player, a *args) error {
	offer := withSlot(func(c *bot.Client, id packets.ObjectID) error { return c.OfferForSale(0, id) })
	if err := offer(p, a); err != nil {
		return err
	}
	return p.answered(p.do(func(c *bot.Client) error {
		if c.Offer.Trader == packets.NoObject { // words about something else may have been taken for the answer
			ctx, cancel := context.WithTimeout(p.runner.context, p.runner.patience)
			defer cancel()
			if err := c.SettleRequests(ctx); err != nil {
				return err
			}
		}
		if c.Offer.Trader == packets.NoObject {
			return nil // the trader has said why
		}
		return c.AcceptOffer()
	}))
}

func spend(c *bot.Client, a *args) error {
	var by [8]int32
	if a.stat.ability == 0 {
		return &Failure{say("an ability", "способность"), say("%s is none", "%s — не способность", a.stat.name)}
	}
	by[a.stat.ability-packets.StatBaseStrength] = int32(*a.count)
	return c.SpendPoints(by)
}
