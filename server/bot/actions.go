package bot

import (
	"fmt"

	"sphereserver/coords"
	"sphereserver/packets"
)

// Move asks to move what lies in a slot of a container to another slot of it; the container is the own character
// ([Client.ID]) or a bag. Onto a stack of the same it is added to that.
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
	return c.ask("move", in, class, &packets.ContMan{Command: &packets.MoveSlot{Player: c.ID(), To: uint8(to),
		From: uint8(from)}})
}

// Swap asks to let the items in two slots of the own character trade places.
//
// Source: protocol ingame 10.5.
func (c *Client) Swap(first, second int) error {
	if err := c.slots("swap", first, second); err != nil {
		return err
	}
	if first >= len(c.Slots) || second >= len(c.Slots) || c.Slots[first].Item == packets.NoObject ||
		c.Slots[second].Item == packets.NoObject {
		return fmt.Errorf("bot: swap: expected things in slots %d and %d", first, second)
	}
	const always = 0xFFFFFFFF
	return c.askMine("swap", &packets.SwapItems{Item1: uint32(c.Slots[first].Item), Item2: uint32(c.Slots[second].Item),
		Slot1: uint32(first), Slot2: uint32(second), Value: always})
}

// PickUp asks to take an item from the ground or from a bag into the first free slot.
//
// Source: protocol ingame 10.6.
func (c *Client) PickUp(item packets.ObjectID) error {
	return c.askMine("pick up", &packets.PickUp{Item: uint32(item)})
}

// PickUpTo asks to take an item from the ground or from a bag into a slot.
func (c *Client) PickUpTo(item packets.ObjectID, slot int) error {
	return c.PutInto(item, c.ID(), slot)
}

// PutInto asks to put an item into a slot of a container: of the own character or of a bag.
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
	return c.ask("put into", in, class, &packets.ContMan{Command: &packets.PutIntoSlot{Player: c.ID(), Item: item,
		Slot: uint8(slot)}})
}

// Drop asks to put a carried item on the ground.
//
// Source: protocol ingame 10.6.
func (c *Client) Drop(item packets.ObjectID) error {
	at := c.Position
	return c.askMine("drop", &packets.Drop{Item: item, X: at.X, Y: at.Y, Z: at.Z, Player: c.ID(),
		Angle: coords.EncodeAngle8(at.Yaw)})
}

// Drag asks to move an item that lies on the ground to another place.
//
// Source: protocol ingame 10.6.
func (c *Client) Drag(item packets.ObjectID, to coords.Position) error {
	return c.askMine("drag", &packets.Drag{Item: item, X: to.X, Y: to.Y, Z: to.Z})
}

// Take asks to take an item into the main hand, [packets.EmptyHand] for nothing.
//
// Source: protocol ingame 10.7.
func (c *Client) Take(item packets.ObjectID) error {
	const draw = 8
	if err := c.at(stateInWorld, "take"); err != nil {
		return err
	}
	return c.SendCommands(&packets.Manager{Command: &packets.Animation{Number: draw}},
		&packets.Manager{Command: &packets.TakeInHand{Item: item}})
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
		return packets.Section{Object: c.ID(), Class: packets.ClassPlayer,
			Regions: []packets.Region{&packets.Manager{Command: command}}}
	}
	speak := packets.Section{Object: trader, Class: o.Class,
		Regions: []packets.Region{&packets.ContMan{Command: &packets.Use{Player: c.ID()}},
			&packets.ContMan{Command: &packets.BecomeUser{Player: c.ID()}}}}
	return c.Send(&packets.Body{Sections: []packets.Section{me(&packets.Help{Value: trading}), speak,
		me(&packets.TradeWindow{Trader: trader})}})
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

// OfferForSale asks the trader what he pays for an item; [Client.Offer] is his answer.
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
		{Object: trader, Class: o.Class,
			Regions: []packets.Region{&packets.ContMan{Command: &packets.CloseContainer{Player: c.ID()}}}},
		{Object: c.ID(), Class: packets.ClassPlayer,
			Regions: []packets.Region{&packets.Manager{Command: &packets.TradeWindow{}}}}}})
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

// Use uses something that the client holds: a door, a teleport, a token.
//
// Source: protocol ingame 4.1, command 7.
func (c *Client) Use(id packets.ObjectID) error {
	if err := c.at(stateInWorld, "use"); err != nil {
		return err
	}
	o := c.Objects[id]
	if o == nil {
		return errNotHeld(id)
	}
	return c.Send(packets.Message(0, id, o.Class, &packets.ContMan{Command: &packets.Use{Player: c.ID()}}))
}

// Say says a line of chat: a header, then the text in parts, as the client sends them. The original client sends the
// whole line with a link to its player in it; the text goes out as it is.
//
// Source: protocol ingame 15.3.
func (c *Client) Say(channel uint8, text string) error {
	if err := c.at(stateInWorld, "say"); err != nil {
		return err
	}
	const (
		partBytes  = 250
		partHeader = 4   // channel, operation and index
		arrayBytes = 255 // at most
		lastNULs   = "\x00\x00\x00\x00\x00"
	)
	bytes := packets.Append1251(nil, text)
	parts := max((len(bytes)+partBytes-1)/partBytes, 1)
	if err := c.SendCommands(&packets.Manager{Command: &packets.ChatHeader{Channel: channel, Length: uint32(len(bytes)),
		Parts: uint16(parts)}}); err != nil {
		return err
	}
	for i := range parts {
		from := i * partBytes
		part, end := bytes[from:min(from+partBytes, len(bytes))], "\x00"
		if i == parts-1 {
			end = lastNULs[:min(len(lastNULs), arrayBytes-partHeader-len(part))]
		}
		m := &packets.ChatPart{Channel: channel, Index: uint16(i), Text: packets.Decode1251(part) + end}
		if err := c.SendCommands(&packets.Manager{Command: m}); err != nil {
			return err
		}
	}
	c.tally.Said.Add(1)
	return nil
}

// Speak says something as the original client does: before it stands a link to the writer.
//
// Source: protocol ingame 15.1, 15.3.
func (c *Client) Speak(channel uint8, message string) error {
	name := c.Snapshot.Name
	return c.Say(channel, linkBegin+name+linkTooltip+name+`\[br\]">`+name+linkClose+message)
}

// request sends a command about the own character, in the world.
func (c *Client) request(verb string, command packets.Command) error {
	if err := c.at(stateInWorld, verb); err != nil {
		return err
	}
	return c.SendCommands(&packets.Manager{Command: command})
}

// CreateGroup asks for a new group that the own character leads.
func (c *Client) CreateGroup() error {
	return c.request("create a group", &packets.GroupOperation{Operation: groupCreate})
}

// ApplyToGroup asks to join the group of a player.
func (c *Client) ApplyToGroup(leader string) error {
	return c.request("apply", &packets.GroupName{Operation: groupApply, Name: leader})
}

// AcceptIntoGroup lets somebody in who has applied to the own group.
func (c *Client) AcceptIntoGroup(name string) error {
	return c.request("accept", &packets.GroupName{Operation: groupAccept, Name: name})
}

// ExpelFromGroup throws a member out of the own group.
func (c *Client) ExpelFromGroup(name string) error {
	return c.request("expel", &packets.GroupName{Operation: groupExpel, Name: name})
}

// LeaveGroup leaves the group; if the own character leads it, it ends.
func (c *Client) LeaveGroup() error {
	return c.request("leave the group", &packets.GroupOperation{Operation: groupLeave})
}

// FoundClan asks for a new clan.
func (c *Client) FoundClan(name string) error {
	c.founding = name
	return c.request("found a clan", &packets.CreateClan{Clan: name})
}

// ApplyToClan asks a player to be taken into its clan: the message is about that player and names the own character.
//
// Source: recorded traffic of May 2023.
func (c *Client) ApplyToClan(member packets.ObjectID) error {
	return c.toOther("apply to a clan", member, &packets.RecruitToClan{Player: c.ID()})
}

// AcceptIntoClan takes a player into the own clan who has applied.
func (c *Client) AcceptIntoClan(applicant packets.ObjectID) error {
	return c.toOther("accept into the clan", applicant, &packets.AcceptApplicant{Player: c.ID()})
}

func (c *Client) toOther(verb string, other packets.ObjectID, command packets.Command) error {
	if err := c.at(stateInWorld, verb); err != nil {
		return err
	}
	return c.Send(packets.Message(0, other, packets.ClassPlayer, &packets.Manager{Command: command}))
}

// LeaveClan leaves the clan, or expels a member if another name than that of the own character is given.
func (c *Client) LeaveClan(name string) error {
	return c.request("leave the clan", &packets.LeaveClan{Name: name})
}
