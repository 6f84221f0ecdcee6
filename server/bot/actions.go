package bot

import (
	"fmt"

	"sphereserver/coords"
	"sphereserver/packets"
)

// Move asks to move the item in a slot of a container to another slot of it; the container is the own character
// ([Client.ID]) or a bag. A stack of the same kind takes it in. Source: protocol ingame 10.4.
func (c *Client) Move(in packets.ObjectID, from, to int) error {
	return c.toSlot("move", in, &packets.MoveSlot{Player: c.ID(), To: uint8(to), From: uint8(from)}, from, to)
}

// Swap asks to swap the items in two slots of the own character. Source: protocol ingame 10.5.
func (c *Client) Swap(first, second int) error {
	if min(first, second) < 0 || max(first, second) >= len(c.Slots) || c.Slots[first].Item == packets.NoObject ||
		c.Slots[second].Item == packets.NoObject {
		return fmt.Errorf("bot: swap: expected things in slots %d and %d", first, second)
	}
	return c.ask("swap", &packets.SwapItems{Item1: uint32(c.Slots[first].Item), Item2: uint32(c.Slots[second].Item),
		Slot1: uint32(first), Slot2: uint32(second), Value: always})
}

// PickUp asks to take an item from the ground or from a bag into the first free slot. Source: protocol ingame 10.6.
func (c *Client) PickUp(item packets.ObjectID) error {
	return c.ask("pick up", &packets.PickUp{Item: uint32(item)})
}

// PutInto asks to put an item from the ground or from a container into a slot of a container: of the own character or
// of a bag. Source: protocol ingame 10.6.
func (c *Client) PutInto(item, in packets.ObjectID, slot int) error {
	return c.toSlot("put into", in, &packets.PutIntoSlot{Player: c.ID(), Item: item, Slot: uint8(slot)}, slot)
}

// Drop asks to put a carried item on the ground. Source: protocol ingame 10.6.
func (c *Client) Drop(item packets.ObjectID) error {
	at := c.Position
	return c.ask("drop", &packets.Drop{Item: item, X: at.X, Y: at.Y, Z: at.Z, Player: c.ID(),
		Angle: coords.EncodeAngle8(at.Yaw)})
}

// Drag asks to move an item that lies on the ground to another place. Source: protocol ingame 10.6.
func (c *Client) Drag(item packets.ObjectID, to coords.Position) error {
	return c.ask("drag", &packets.Drag{Item: item, X: to.X, Y: to.Y, Z: to.Z})
}

// Take asks to take an item into the main hand, [packets.EmptyHand] for nothing. Source: protocol ingame 10.7.
func (c *Client) Take(item packets.ObjectID) error {
	const draw = 8
	if c.busy.inHand = item; item == packets.EmptyHand {
		c.busy.inHand = packets.NoObject
	}
	return c.ask("take", &packets.Animation{Number: draw}, &packets.TakeInHand{Item: item})
}

// OpenBag asks to see the contents of a bag. Source: protocol ingame 11.1.
func (c *Client) OpenBag(bag packets.ObjectID) error {
	return c.about("open", bag, &packets.Use{Player: c.ID()}, &packets.BecomeUser{Player: c.ID()})
}

// OpenTrade asks to trade with an NPC; a banker opens the vault. Source: protocol ingame 11.2.
func (c *Client) OpenTrade(trader packets.ObjectID) error {
	o, err := c.heldObject("trade", trader)
	if err != nil {
		return err
	}
	const trading = 7
	own := &Object{ID: c.ID(), Class: packets.ClassPlayer}
	return c.Send(&packets.Body{Sections: []packets.Section{commandsTo(own, &packets.Help{Value: trading}),
		commandsTo(o, &packets.Use{Player: c.ID()}, &packets.BecomeUser{Player: c.ID()}),
		commandsTo(own, &packets.TradeWindow{Trader: trader})}})
}

// Buy asks to buy some of the goods in a slot of the trader in the open window.
func (c *Client) Buy(slot uint8, count int) error {
	o, err := c.heldObject("buy", c.Trader)
	if err != nil {
		return err
	}
	a, ok := o.Goods[slot]
	if !ok || count < 1 {
		return fmt.Errorf("bot: buy %d of slot %d: the trader has no such goods", count, slot)
	}
	return c.ask("buy", &packets.Buy{Trader: c.Trader, Slot: slot, Price: a.Price, Count: uint32(count)})
}

// OfferForSale asks the trader for the price of an item; [Client.Offer] is the answer.
func (c *Client) OfferForSale(tradeSlot uint8, item packets.ObjectID) error {
	c.Offer = packets.PriceOffer{}
	return c.ask("offer", &packets.OfferItem{Slot: tradeSlot, Item: item, Price: packets.NoPrice})
}

// AcceptOffer sells for the price that the trader has named last.
func (c *Client) AcceptOffer() error {
	o := c.Offer
	if o.Trader == packets.NoObject {
		return fmt.Errorf("bot: sell: the trader has named no price")
	}
	if err := c.at(stateInWorld, "sell"); err != nil {
		return err
	}
	c.Offer = packets.PriceOffer{}
	return c.SendCommands(&packets.Manager{Command: &packets.AcceptPrice{Slot: o.Slot, Price: o.Price}},
		&packets.TradeMan{Command: &packets.AcceptOffer{Slot: o.Slot, Value: always}})
}

// CloseTrade leaves the trader. There is no answer.
func (c *Client) CloseTrade() error {
	o, err := c.heldObject("close the trade", c.Trader)
	if err != nil {
		return err
	}
	c.Trader = packets.NoObject
	return c.Send(&packets.Body{Sections: []packets.Section{commandsTo(o, &packets.CloseContainer{Player: c.ID()}),
		commandsTo(&Object{ID: c.ID(), Class: packets.ClassPlayer}, &packets.TradeWindow{})}})
}

// SpendPoints asks to raise the eight base values: strength, agility, accuracy, endurance, earth, air, water, fire.
// Source: protocol ingame 12.5.
func (c *Client) SpendPoints(by [8]int32) error {
	return c.ask("spend points", &packets.SpendPoints{Deltas: by})
}

// Use uses something that the client holds: a door, a teleport, a token. Source: protocol ingame 4.1, command 7.
func (c *Client) Use(id packets.ObjectID) error {
	return c.about("use", id, &packets.Use{Player: c.ID()})
}

// Say says a line of chat: a header, then the text in parts, as the client sends them. The original client sends the
// whole line with a link to its player in it; the text goes out as it is, except characters that clients do not have:
// their likeness goes out, and without one it is an error. Source: protocol ingame 15.3.
func (c *Client) Say(channel uint8, text string) error {
	const (
		partBytes  = 250
		partHeader = 4   // channel, operation and index
		arrayBytes = 255 // at most
		lastNULs   = "\x00\x00\x00\x00\x00"
	)
	text, lacks, at := packets.Fit1251(text)
	if at > 0 {
		return fmt.Errorf("bot: say: clients have no character %q (number %d of the text)", lacks, at)
	}
	line := packets.Append1251(nil, text)
	parts := max((len(line)+partBytes-1)/partBytes, 1)
	err := c.ask("say", &packets.ChatHeader{Channel: channel, Length: uint32(len(line)), Parts: uint16(parts)})
	for i := 0; i < parts && err == nil; i++ {
		part, end := line[i*partBytes:min((i+1)*partBytes, len(line))], "\x00"
		if i == parts-1 {
			end = lastNULs[:min(len(lastNULs), arrayBytes-partHeader-len(part))]
		}
		err = c.ask("say", &packets.ChatPart{Channel: channel, Index: uint16(i), Text: packets.Decode1251(part) + end})
	}
	if err == nil {
		c.tally.Said.Add(1)
	}
	return err
}

// CreateGroup asks for a new group that the own character leads.
func (c *Client) CreateGroup() error {
	return c.ask("create a group", &packets.GroupOperation{Operation: groupCreate})
}

// ApplyToGroup asks to join the group of a player.
func (c *Client) ApplyToGroup(leader string) error {
	return c.ask("apply", &packets.GroupName{Operation: groupApply, Name: leader})
}

// AcceptIntoGroup accepts an applicant into the own group.
func (c *Client) AcceptIntoGroup(name string) error {
	return c.ask("accept", &packets.GroupName{Operation: groupAccept, Name: name})
}

// ExpelFromGroup throws a member out of the own group.
func (c *Client) ExpelFromGroup(name string) error {
	return c.ask("expel", &packets.GroupName{Operation: groupExpel, Name: name})
}

// LeaveGroup leaves the group; if the own character leads it, it ends.
func (c *Client) LeaveGroup() error {
	return c.ask("leave the group", &packets.GroupOperation{Operation: groupLeave})
}

// FoundClan asks for a new clan.
func (c *Client) FoundClan(name string) error {
	c.founding = name
	return c.ask("found a clan", &packets.CreateClan{Clan: name})
}

// ApplyToClan asks a player to be taken into its clan: the message is about that player and names the own character.
// Source: recorded traffic of May 2023.
func (c *Client) ApplyToClan(member packets.ObjectID) error {
	return c.about("apply to a clan", member, &packets.RecruitToClan{Player: c.ID()})
}

// AcceptIntoClan accepts an applicant into the own clan.
func (c *Client) AcceptIntoClan(applicant packets.ObjectID) error {
	return c.about("accept into the clan", applicant, &packets.AcceptApplicant{Player: c.ID()})
}

// LeaveClan leaves the clan, or expels a member if another name than the own character's is given.
func (c *Client) LeaveClan(name string) error {
	return c.ask("leave the clan", &packets.LeaveClan{Name: name})
}

// about sends commands about something that the client holds, or about the own character.
func (c *Client) about(verb string, id packets.ObjectID, commands ...packets.Command) error {
	o, err := c.heldObject(verb, id)
	if err != nil {
		return err
	}
	return c.Send(&packets.Body{Sections: []packets.Section{commandsTo(o, commands...)}})
}

// commandsTo are commands about an object: of players in one kind of region, of all else in another.
func commandsTo(o *Object, commands ...packets.Command) packets.Section {
	s := packets.Section{Object: o.ID, Class: o.Class}
	for _, command := range commands {
		if o.Class == packets.ClassPlayer {
			s.Regions = append(s.Regions, &packets.Manager{Command: command})
		} else {
			s.Regions = append(s.Regions, &packets.ContMan{Command: command})
		}
	}
	return s
}

// toSlot sends a command that names slots, which have a byte on the wire, of a bag or of the own character.
func (c *Client) toSlot(verb string, in packets.ObjectID, command packets.Command, slots ...int) error {
	o, err := c.heldObject(verb, in)
	if err != nil {
		return err
	}
	for _, n := range slots {
		if n < 0 || n > 0xFF {
			return fmt.Errorf("bot: %s: slot %d: expected 0 to 255", verb, n)
		}
	}
	return c.Send(packets.Message(0, in, o.Class, &packets.ContMan{Command: command}))
}

// always is a value that clients always send.
const always = 0xFFFFFFFF

// ask sends commands about the own character, in the world.
func (c *Client) ask(verb string, commands ...packets.Command) error {
	return c.about(verb, c.ID(), commands...)
}
