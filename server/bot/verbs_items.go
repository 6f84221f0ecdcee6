package bot

import (
	"context"
	"fmt"

	"sphereserver/coords"
	"sphereserver/packets"
)

// Move asks to move what lies in a slot of a container to another slot of it; the container is the own character ([Client.ID]) or
// a bag. Onto a stack of the same it is added to that.
//
// Source: protocol ingame 10.4.
func (c *Client) Move(in packets.ObjectID, from, to int) error {
	class := packets.ClassPlayer
	if in != c.ID() {
		o, err := c.heldObject("move", in)
		if err != nil {
			return err
		}
		class = o.Class
	}
	if err := c.slots("move", from, to); err != nil {
		return err
	}
	return c.ask("move", in, class, &packets.ContMan{Command: &packets.MoveSlot{Player: c.ID(), To: uint8(to), From: uint8(from)}})
}

// Swap asks to let the items in two slots of the own character trade places.
//
// Source: protocol ingame 10.5.
func (c *Client) Swap(first, second int) error {
	if err := c.slots("swap", first, second); err != nil {
		return err
	}
	if first >= len(c.Slots) || second >= len(c.Slots) || c.Slots[first].Item == packets.NoObject || c.Slots[second].Item == packets.NoObject {
		return fmt.Errorf("bot: swap: expected things in slots %d and %d", first, second)
	}
	const always = 0xFFFFFFFF
	return c.askMine("swap", &packets.SwapItems{Item1: uint32(c.Slots[first].Item), Item2: uint32(c.Slots[second].Item), Slot1: uint32(first), Slot2: uint32(second), Value: always})
}

// PickUp asks to take a item from the ground or from a bag into the first free slot.
//
// Source: protocol ingame 10.6.
func (c *Client) PickUp(item packets.ObjectID) error {
	return c.askMine("pick up", &packets.PickUp{Item: uint32(item)})
}

// PickUpTo asks to take a item from the ground or from a bag into a slot.
func (c *Client) PickUpTo(item packets.ObjectID, slot int) error {
	return c.PutInto(item, c.ID(), slot)
}

// PutInto asks to put a item into a slot of a container: of the own character or of a bag.
//
// Source: protocol ingame 10.6.
func (c *Client) PutInto(item, in packets.ObjectID, slot int) error {
	class := packets.ClassPlayer
	if in != c.ID() {
		o, err := c.heldObject("put into", in)
		if err != nil {
			return err
		}
		class = o.Class
	}
	if err := c.slots("put into", slot); err != nil {
		return err
	}
	return c.ask("put into", in, class, &packets.ContMan{Command: &packets.PutIntoSlot{Player: c.ID(), Item: item, Slot: uint8(slot)}})
}

// Drop asks to put a carried item on the ground.
//
// Source: protocol ingame 10.6.
func (c *Client) Drop(item packets.ObjectID) error {
	at := c.Position
	return c.askMine("drop", &packets.Drop{Item: item, X: at.X, Y: at.Y, Z: at.Z, Player: c.ID(), Angle: coords.EncodeAngle8(at.Yaw)})
}

// Drag asks to move a item that lies on the ground to another place.
//
// Source: protocol ingame 10.6.
func (c *Client) Drag(item packets.ObjectID, to coords.Position) error {
	return c.askMine("drag", &packets.Drag{Item: item, X: to.X, Y: to.Y, Z: to.Z})
}

// Take asks to take a item into the main hand, [packets.EmptyHand] for nothing.
//
// Source: protocol ingame 10.7.
func (c *Client) Take(item packets.ObjectID) error {
	const draw = 8
	if err := c.at(stateInWorld, "take"); err != nil {
		return err
	}
	return c.SendCommands(&packets.Manager{Command: &packets.Animation{Number: draw}}, &packets.Manager{Command: &packets.TakeInHand{Item: item}})
}

// OpenBag asks to be shown what is in a bag.
//
// Source: protocol ingame 11.1.
func (c *Client) OpenBag(bag packets.ObjectID) error {
	o, err := c.heldObject("open", bag)
	if err != nil {
		return err
	}
	return c.Send(packets.Message(0, bag, o.Class, &packets.ContMan{Command: &packets.Use{Player: c.ID()}},
		&packets.ContMan{Command: &packets.BecomeUser{Player: c.ID()}}))
}

// OpenTrade asks to trade with somebody; a banker opens the vault.
//
// Source: protocol ingame 11.2.
func (c *Client) OpenTrade(trader packets.ObjectID) error {
	o, err := c.heldObject("trade", trader)
	if err != nil {
		return err
	}
	const trading = 7
	me := func(command packets.Command) packets.Section {
		return packets.Section{Object: c.ID(), Class: packets.ClassPlayer, Regions: []packets.Region{&packets.Manager{Command: command}}}
	}
	speak := packets.Section{Object: trader, Class: o.Class, Regions: []packets.Region{&packets.ContMan{Command: &packets.Use{Player: c.ID()}},
		&packets.ContMan{Command: &packets.BecomeUser{Player: c.ID()}}}}
	return c.Send(&packets.Body{Sections: []packets.Section{me(&packets.Help{Value: trading}), speak, me(&packets.TradeWindow{Trader: trader})}})
}

// Buy asks to buy some of what lies in a slot of the goods of the trader with whom the window is open.
func (c *Client) Buy(slot uint8, count int) error {
	o, err := c.heldObject("buy", c.Trader)
	if err != nil {
		return err
	}
	a, ok := o.Goods[slot]
	if !ok || count < 1 {
		return fmt.Errorf("bot: buy %d of slot %d: the trader has no such goods", count, slot)
	}
	return c.askMine("buy", &packets.Buy{Trader: c.Trader, Slot: slot, Price: a.Price, Count: uint32(count)})
}

// OfferForSale asks the trader what he pays for a item; [Client.Offer] is his answer.
func (c *Client) OfferForSale(tradeSlot uint8, item packets.ObjectID) error {
	const always = 0xFFFFFFFF
	c.Offer = packets.PriceOffer{}
	return c.askMine("offer", &packets.OfferItem{Slot: tradeSlot, Item: item, Value: always})
}

// AcceptOffer sells for the price that the trader has named last.
func (c *Client) AcceptOffer() error {
	if c.Offer.Trader == packets.NoObject {
		return fmt.Errorf("bot: sell: the trader has named no price")
	}
	if err := c.at(stateInWorld, "sell"); err != nil {
		return err
	}
	o := c.Offer
	c.Offer = packets.PriceOffer{}
	return c.SendCommands(&packets.Manager{Command: &packets.AcceptPrice{Slot: o.Slot, Price: o.Price}},
		&packets.TradeMan{Command: &packets.AcceptOffer{Slot: o.Slot, Value: 0xFFFFFFFF}})
}

// CloseTrade leaves the trader. There is no answer.
func (c *Client) CloseTrade() error {
	o, err := c.heldObject("close the trade", c.Trader)
	if err != nil {
		return err
	}
	trader := c.Trader
	c.Trader = packets.NoObject
	return c.Send(&packets.Body{Sections: []packets.Section{
		{Object: trader, Class: o.Class, Regions: []packets.Region{&packets.ContMan{Command: &packets.CloseContainer{Player: c.ID()}}}},
		{Object: c.ID(), Class: packets.ClassPlayer, Regions: []packets.Region{&packets.Manager{Command: &packets.TradeWindow{}}}}}})
}

// SpendPoints asks to raise the eight base values: strength, agility, accuracy, endurance, earth, air, water, fire.
//
// Source: protocol ingame 12.5.
func (c *Client) SpendPoints(by [8]int32) error {
	return c.askMine("spend points", &packets.SpendPoints{Deltas: by})
}

// ask sends a command about something, in the world.
func (c *Client) ask(verb string, about packets.ObjectID, class packets.Class, r packets.Region) error {
	if err := c.at(stateInWorld, verb); err != nil {
		return err
	}
	return c.Send(packets.Message(0, about, class, r))
}

// askMine sends a command about the own character, in the world.
func (c *Client) askMine(verb string, command packets.Command) error {
	return c.ask(verb, c.ID(), packets.ClassPlayer, &packets.Manager{Command: command})
}

func (c *Client) heldObject(verb string, id packets.ObjectID) (*Object, error) {
	if err := c.at(stateInWorld, verb); err != nil {
		return nil, err
	}
	o := c.Objects[id]
	if o == nil {
		return nil, errNotHeld(id)
	}
	return o, nil
}

// slots checks numbers of slots, which have a byte on the wire.
func (c *Client) slots(verb string, numbers ...int) error {
	for _, n := range numbers {
		if n < 0 || n > 0xFF {
			return fmt.Errorf("bot: %s: slot %d: expected 0 to 255", verb, n)
		}
	}
	return nil
}

// SettleRequests waits until all requests about items are answered. The last is one that changes nothing: servers answer it
// after those before it.
func (c *Client) SettleRequests(ctx context.Context) error {
	if c.busy.asked.IsZero() || c.options.Dialect == packets.Classic {
		return nil
	}
	answered := func() bool { return len(c.busy.requests) == 0 }
	if err := c.pump(ctx, answered); err != nil {
		return err
	}
	if err := c.Move(c.ID(), FirstInventorySlot, FirstInventorySlot); err != nil {
		return err
	}
	return c.pump(ctx, answered)
}

func errNotHeld(id packets.ObjectID) error {
	return fmt.Errorf("bot: %s: the client does not hold it", id)
}
