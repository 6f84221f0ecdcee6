package script

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sphereserver/data"
	"sphereserver/data/catalogue"
	"sphereserver/packets"
	"sphereserver/server/bot"
)

// A thing is what a script calls things by: the name of a class, or of a kind in one of the languages of the catalogue.
type thing struct {
	name   string
	class  packets.Class
	gameID int // 0: any of the class
}

const (
	lastClass = 4095
	lastSlot  = packets.Slots - 1
)

func readThing(_ *sentence, a *args, at []token) (int, error) {
	word := at[0].text
	for c := packets.Class(1); c <= lastClass && !at[0].quoted; c++ {
		if c.String() == word {
			a.thing = &thing{word, c, 0}
			return 1, nil
		}
	}
	var known []string
	for _, k := range catalogue.Default().Kinds() {
		for _, name := range k.Names {
			if strings.EqualFold(name, word) {
				a.thing = &thing{word, packets.Class(k.Class), k.GameID}
				return 1, nil
			}
			known = append(known, name)
		}
	}
	if near, ok := data.Nearest(cut(word), known); ok {
		return 0, fmt.Errorf("expected the name of a thing or of a class, found %s; did you mean %q?", cut(word), near)
	}
	return 0, fmt.Errorf("expected the name of a thing or of a class, found %s", cut(word))
}

func readSlot(_ *sentence, a *args, at []token) (int, error) {
	v, ok := number(at[0].text)
	if at[0].quoted || !ok || v != float64(int(v)) || v < 0 || v > lastSlot {
		return 0, fmt.Errorf("expected the number of a slot, 0 to %d, found %s", lastSlot, cut(at[0].String()))
	}
	a.slots = append(a.slots, int(v))
	return 1, nil
}

// abilities are the values that points are spent on, in the order of the wire.
//
// Source: protocol ingame 12.5.
var abilities = []string{"strength", "agility", "accuracy", "endurance", "earth", "air", "water", "fire"}

func readAbility(_ *sentence, a *args, at []token) (int, error) {
	if i := slices.Index(abilities, at[0].text); i >= 0 {
		a.ability = i
		return 1, nil
	}
	return 0, fmt.Errorf("expected one of %s, found %s", strings.Join(abilities, ", "), cut(at[0].text))
}

// is says whether an object is such a thing.
func (t *thing) is(o *bot.Object) bool {
	return o != nil && o.Thing != nil && o.Class == t.class && (t.gameID == 0 || int(o.Thing.C) == t.gameID)
}

// in counts such things in a slot of the own character.
func (t *thing) in(c *bot.Client, slot int) int {
	if o := c.Objects[c.Slots[slot].Item]; t.is(o) {
		return max(o.Count, 1)
	}
	return 0
}

// carried counts such things in all slots of the own character.
func (t *thing) carried(c *bot.Client) (n int) {
	for slot := range c.Slots {
		n += t.in(c, slot)
	}
	return n
}

// belongings says what the character carries.
func belongings(c *bot.Client) string {
	var all []string
	for _, b := range c.Belongings().Things {
		all = append(all, fmt.Sprintf("%d %s in slot %s", b.Count, b.Class, b.Place))
	}
	return "carries " + list(all, "nothing")
}

// carries makes a step of what the character is to carry.
func carries(so func(c *bot.Client, a *args) bool) func(*args) step {
	return ofPlayer(func(ctx context.Context, p *player, a *args) error {
		return p.until(ctx, func(c *bot.Client) bool { return so(c, a) }, belongings)
	})
}

func carriesThing(c *bot.Client, a *args) bool {
	if len(a.slots) > 0 {
		return a.thing.in(c, a.slots[0]) > 0
	}
	return a.thing.carried(c) > 0
}

// wears says whether such a thing is in a slot besides those of the inventory.
func wears(c *bot.Client, a *args) bool {
	for slot := range c.Slots {
		if (slot < bot.FirstInventorySlot || slot >= bot.EndOfInventory) && a.thing.in(c, slot) > 0 {
			return true
		}
	}
	return false
}

// asks makes a step of a request about things, and waits for its answer, whatever it is.
func asks(do func(c *bot.Client, a *args) error) func(*args) step {
	return ofPlayer(func(ctx context.Context, p *player, a *args) error {
		return p.ask(ctx, func(c *bot.Client) error { return do(c, a) })
	})
}

func (p *player) ask(ctx context.Context, do func(c *bot.Client) error) error {
	if err := p.do(ctx, do); err != nil {
		return err
	}
	return p.until(ctx, func(c *bot.Client) bool { return !c.Waits() }, func(*bot.Client) string { return "has no answer" })
}

// ofSlot makes a step of a request about the thing in the first slot of the sentence.
func ofSlot(do func(c *bot.Client, o *bot.Object, a *args) error) func(*args) step {
	return asks(func(c *bot.Client, a *args) error {
		o, err := inSlot(c, a.slots[0])
		if err != nil {
			return err
		}
		return do(c, o, a)
	})
}

func inSlot(c *bot.Client, slot int) (*bot.Object, error) {
	o := c.Objects[c.Slots[slot].Item]
	if o == nil {
		return nil, fmt.Errorf("nothing lies in slot %d", slot)
	}
	return o, nil
}

// lying finds the nearest such thing on the ground, nil if there is none.
func lying(c *bot.Client, t *thing) (nearest *bot.Object) {
	for _, o := range c.Objects {
		if o.OnGround() && t.is(o) && (nearest == nil || c.Position.Distance(o.Position) < c.Position.Distance(nearest.Position)) {
			nearest = o
		}
	}
	return nearest
}

// inBag finds such a thing in a bag that the character carries, nil if there is none.
func inBag(c *bot.Client, t *thing) *bot.Object {
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

func picksUp(ctx context.Context, p *player, a *args) error {
	find := func(c *bot.Client) *bot.Object {
		if o := inBag(c, a.thing); o != nil {
			return o
		}
		return lying(c, a.thing)
	}
	if err := p.until(ctx, func(c *bot.Client) bool { return find(c) != nil }, ground); err != nil {
		return err
	}
	return p.ask(ctx, func(c *bot.Client) error {
		o := find(c)
		switch {
		case o == nil:
			return fmt.Errorf("%s %s", p.name, ground(c))
		case len(a.slots) > 0:
			return c.PickUpTo(o.ID, a.slots[0])
		}
		return c.PickUp(o.ID)
	})
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
	return p.until(ctx, func(c *bot.Client) bool {
		o := lying(c, a.thing)
		return o != nil && (a.number == nil || c.Position.Distance(o.Position) <= *a.number)
	}, ground)
}

func seesNoneOnGround(ctx context.Context, p *player, a *args) error {
	return p.until(ctx, func(c *bot.Client) bool { return lying(c, a.thing) == nil }, ground)
}

// putsIntoBag puts what lies in a slot into the first free slot of a carried bag.
func putsIntoBag(c *bot.Client, o *bot.Object, a *args) error {
	for _, slot := range c.Slots {
		bag := c.Objects[slot.Item]
		if !a.thing.is(bag) || bag.Slots == nil {
			continue
		}
		n := uint8(0)
		for bag.Slots[n].Item != packets.NoObject {
			n++
		}
		return c.PutInto(o.ID, bag.ID, int(n))
	}
	return fmt.Errorf("%s is no bag that the character carries", a.thing.name)
}

// Trade.

func opensTrade(ctx context.Context, p *player, a *args) error {
	if err := seesThing(ctx, p, a); err != nil {
		return err
	}
	l := a.landmark()
	if err := p.ask(ctx, func(c *bot.Client) error {
		o := l.of(c)
		if o == nil {
			return fmt.Errorf("%s %s", p.name, things(c))
		}
		return c.OpenTrade(o.ID)
	}); err != nil {
		return err
	}
	// The goods follow.
	return p.until(ctx, func(c *bot.Client) bool {
		trader := c.Objects[c.Trader]
		for _, article := range goodsOf(trader) {
			if c.Objects[article.Item] == nil {
				return false
			}
		}
		return true
	}, goods)
}

func goodsOf(trader *bot.Object) map[uint8]bot.Article {
	if trader == nil {
		return nil
	}
	return trader.Goods
}

// goods says what can be bought.
func goods(c *bot.Client) string {
	var all []string
	for slot, article := range goodsOf(c.Objects[c.Trader]) {
		if o := c.Objects[article.Item]; o != nil {
			all = append(all, fmt.Sprintf("%s in slot %d for %d", o.Class, slot, article.Price))
		}
	}
	slices.Sort(all)
	return "is offered " + list(all, "nothing")
}

func buys(c *bot.Client, a *args) error {
	count := 1
	if a.number != nil {
		count = int(*a.number)
	}
	for slot, article := range goodsOf(c.Objects[c.Trader]) {
		if a.thing.is(c.Objects[article.Item]) {
			return c.Buy(slot, count)
		}
	}
	return fmt.Errorf("no %s: %s", a.thing.name, goods(c))
}

// sells offers what lies in a slot, and sells it for whatever the trader names.
func sells(ctx context.Context, p *player, a *args) error {
	err := p.ask(ctx, func(c *bot.Client) error {
		o, err := inSlot(c, a.slots[0])
		if err != nil {
			return err
		}
		return c.OfferForSale(0, o.ID)
	})
	if err != nil {
		return err
	}
	return p.ask(ctx, func(c *bot.Client) error {
		if c.Offer.Trader == packets.NoObject {
			return nil // the trader has said why
		}
		return c.AcceptOffer()
	})
}

func spends(c *bot.Client, a *args) error {
	var by [8]int32
	by[a.ability] = int32(*a.number)
	return c.SpendPoints(by)
}
