package game

import (
	"math"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// This file turns requests of clients about items into commands of the world. A client names items by ids of its own;
// an id that it was not given stands for no item.
//
// Source: protocol ingame 10 to 12, 17.

// want hands a request to the world.
func (s *player) want(c world.Command) { s.server.world.Do(c) }

// targetOf is the target that the client means by an id; false if it was not given that id, or if it is nothing that
// could be had.
func (s *player) targetOf(id packets.ObjectID) (t world.Target, ok bool) {
	k, ok := s.client.IDs.Lookup(id)
	if !ok {
		return t, false
	}
	switch k.Kind {
	case view.ItemEntry:
		return world.Target{Item: k.Item}, k.Item != 0
	// the world refuses objects that are no items
	case view.GroundItemEntry, view.GroundBagEntry, view.PortalEntry, view.NPCEntry, view.BankerEntry:
		return world.Target{Object: k.Object}, true
	}
	return t, false
}

// containerOf is the container that the client means by an id.
func (s *player) containerOf(id packets.ObjectID) (c world.Container, ok bool) {
	if id == s.ID() {
		return c, true
	}
	k, ok := s.client.IDs.Lookup(id)
	if !ok {
		return c, false
	}
	switch k.Kind {
	case view.ItemEntry:
		return world.Container{Bag: k.Item}, true
	case view.GroundBagEntry:
		return world.Container{Object: k.Object}, true
	case view.VaultEntry:
		return world.Container{Vault: true}, true
	}
	return c, false
}

// unknown tells a player that the item named is not there.
func (s *player) unknown(why rules.RejectReason) {
	s.TellOwn(view.RefusalText(why, nil), thingRefusals[why])
}

// carried is the item that the client means by an id; without one the player is told so.
func (s *player) carried(id packets.ObjectID) (item rules.ItemID, ok bool) {
	what, _ := s.targetOf(id)
	if what.Item == 0 {
		s.unknown(rules.NotYours)
	}
	return what.Item, what.Item != 0
}

func (s *player) moveSlot(about *packets.Section, c *packets.MoveSlot) {
	if in, ok := s.containerOf(about.Object); ok {
		s.want(world.MoveItem{ID: s.id(), In: in, From: int(c.From), To: int(c.To)})
	}
}

// movePart leaves a stack whole, and tells its slot as it is.
func (s *player) movePart(about *packets.Section, c *packets.MovePart) {
	s.moveSlot(about, &packets.MoveSlot{Player: c.Player, To: c.From, From: c.From})
}

// bankQuestion tells the money in the bank, of which there is none, and how large it is, as recorded.
//
// Source: protocol life 7.2.
func (s *player) bankQuestion(about *packets.Section, _ *packets.BankQuestion) {
	if k, ok := s.client.IDs.Lookup(about.Object); !ok || k.Kind != view.VaultEntry {
		return
	}
	s.Send(packets.Message(s.Clock(), about.Object, packets.ClassBank, &packets.Bank{Command: &packets.BankMoney{}},
		&packets.Bank{Command: &packets.BankSize{Which: 1, Size: 4}},
		&packets.Bank{Command: &packets.BankSize{Which: 2, Size: 5}}))
}

func (s *player) swapItems(_ *packets.Section, c *packets.SwapItems) {
	a, okA := s.targetOf(packets.ObjectID(c.Item1))
	b, okB := s.targetOf(packets.ObjectID(c.Item2))
	if !okA || !okB || c.Slot1 > math.MaxUint8 || c.Slot2 > math.MaxUint8 {
		s.unknown(rules.NotYours)
		return
	}
	s.want(world.SwapItems{ID: s.id(), First: a.Item, Second: b.Item, FirstSlot: int(c.Slot1), SecondSlot: int(c.Slot2)})
}

// putIntoSlot is about the container into which something is to go: the player, or a bag.
func (s *player) putIntoSlot(about *packets.Section, c *packets.PutIntoSlot) {
	what, ok := s.targetOf(c.Item)
	into, known := s.containerOf(about.Object)
	if !ok || !known {
		s.unknown(rules.NotInSight)
		return
	}
	s.want(world.PutInto{ID: s.id(), What: what, Into: into, Slot: int(c.Slot)})
}

func (s *player) pickUp(_ *packets.Section, c *packets.PickUp) {
	what, ok := s.targetOf(packets.ObjectID(c.Item))
	if !ok {
		s.unknown(rules.NotInSight)
		return
	}
	s.want(world.PickUp{ID: s.id(), What: what})
}

// dropNear is how far from the player its client may name the place of a drop, in metres. In the one recorded exchange
// it was 1.95 m; there the item came to lie where the player stood.
const dropNear = 1.5

// drop puts an item down at the place that the client names, at the player's height, or where the player stands if that
// is no place beside it.
//
// Source: protocol ingame 10.6.
func (s *player) drop(_ *packets.Section, c *packets.Drop) {
	if item, ok := s.carried(c.Item); ok {
		at := s.Here()
		if named := (coords.Position{X: c.X, Y: at.Y, Z: c.Z, Yaw: c.Angle.Radians()}); at.Distance(named) <= dropNear &&
			named.Check() == nil {
			at = named
		}
		at.Y -= view.DropHeight
		s.want(world.Drop{ID: s.id(), Item: item, At: at})
	}
}

func (s *player) drag(_ *packets.Section, c *packets.Drag) {
	what, ok := s.targetOf(c.Item)
	if !ok || what.Object == 0 {
		s.unknown(rules.NotInSight)
		return
	}
	s.want(world.Drag{ID: s.id(), Object: what.Object, To: coords.Position{X: c.X, Y: c.Y, Z: c.Z}})
}

// fistsItem is the id that a client takes into its hand to fight with fists.
//
// Source: protocol ingame 10.7.
const fistsItem packets.ObjectID = 1

// takeInHand changes the item in the player's hand. A frame may have several; the last one counts.
func (s *player) takeInHand(_ *packets.Section, c *packets.TakeInHand) {
	if !s.LastOfItsType(c) {
		return
	}
	switch c.Item {
	case packets.EmptyHand:
		s.want(world.TakeInHand{ID: s.id()})
		return
	case fistsItem:
		s.want(world.TakeInHand{ID: s.id(), Fists: true})
		return
	}
	// A click on the dead sends the same words.
	if what, _ := s.targetOf(c.Item); what.Item != 0 {
		s.want(world.TakeInHand{ID: s.id(), Item: what.Item})
	}
}

// use uses something on a target: opens a bag, goes through a portal, or uses a carried item. Other lying items are
// not used, since picking one up is another request.
//
// Source: protocol ingame 4.1, command 7; 10.8.
func (s *player) use(id packets.ObjectID, on world.Target) {
	k, ok := s.client.IDs.Lookup(id)
	if !ok {
		return
	}
	switch k.Kind {
	case view.ItemEntry:
		s.want(world.UseItem{ID: s.id(), Item: k.Item, Target: on})
	case view.GroundBagEntry:
		s.want(world.Open{ID: s.id(), What: world.Container{Object: k.Object}})
	case view.PortalEntry:
		s.want(world.UsePortal{By: s.id(), Object: k.Object})
	}
}

// becomeUser follows a use; only with bankers it is the message that counts.
func (s *player) becomeUser(about *packets.Section, _ *packets.BecomeUser) {
	if k, ok := s.client.IDs.Lookup(about.Object); ok && k.Kind == view.BankerEntry {
		s.want(world.OpenTrade{ID: s.id(), Trader: k.Object})
	}
}

// closeContainer closes a bag or the vault, or leaves a townsman or another player.
func (s *player) closeContainer(about *packets.Section, _ *packets.CloseContainer) {
	k, ok := s.client.IDs.Lookup(about.Object)
	switch {
	case about.Class == packets.ClassPlayer && about.Object != s.ID():
		s.want(world.CloseTrade{ID: s.id()})
	case !ok:
	case k.Kind == view.NPCEntry || k.Kind == view.BankerEntry:
		s.want(world.CloseTrade{ID: s.id()})
	default:
		if c, ok := s.containerOf(about.Object); ok {
			s.want(world.Close{ID: s.id(), What: c})
		}
	}
}

// tradeWindow opens the trade with a townsman or another player, or closes it.
func (s *player) tradeWindow(_ *packets.Section, c *packets.TradeWindow) {
	if c.Trader == packets.NoObject {
		s.want(world.CloseTrade{ID: s.id()})
		return
	}
	k, ok := s.client.IDs.Lookup(c.Trader)
	switch index := packets.PlayerIndexOf(c.Trader); {
	case ok && k.Kind == view.NPCEntry:
		s.want(world.OpenTrade{ID: s.id(), Trader: k.Object})
	case !ok && index >= packets.FirstPlayerIndex:
		s.want(world.TradeWithPlayer{ID: s.id(), With: world.PlayerID(index)})
	}
}

func (s *player) buy(_ *packets.Section, c *packets.Buy) {
	trader, ok := s.client.IDs.Lookup(c.Trader)
	if index := packets.PlayerIndexOf(c.Trader); !ok && index >= packets.FirstPlayerIndex {
		trader.Object, ok = world.EntityID(index), true
	}
	if !ok || trader.Object == 0 || c.Price > math.MaxInt32 || c.Count > math.MaxInt32 {
		s.unknown(rules.NoArticle)
		return
	}
	s.want(world.Buy{ID: s.id(), Trader: trader.Object, Slot: int(c.Slot), Price: int(c.Price), Count: int(c.Count)})
}

func (s *player) offerItem(_ *packets.Section, c *packets.OfferItem) {
	if item, ok := s.carried(c.Item); ok {
		offer := world.OfferForSale{ID: s.id(), TradeSlot: int(c.Slot), Item: item, Count: int(c.Count), Price: -1}
		if c.Price != packets.NoPrice {
			offer.Price = int64(c.Price)
		}
		s.want(offer)
	}
}

func (s *player) clearOffer(_ *packets.Section, c *packets.ClearOffer) {
	s.want(world.Withdraw{ID: s.id(), TradeSlot: int(c.Slot)})
}

func (s *player) bid(_ *packets.Section, c *packets.Bid) {
	s.want(world.Bid{ID: s.id(), TradeSlot: int(c.Slot), Price: int64(c.Price)})
}

func (s *player) bidFor(_ *packets.Section, c *packets.BidFor) {
	s.want(world.Bid{ID: s.id(), TradeSlot: int(c.Slot), Price: int64(c.Price)})
}

func (s *player) bidHere(_ *packets.Section, c *packets.BidHere) {
	s.want(world.Bid{ID: s.id(), TradeSlot: int(c.Slot), Price: int64(c.Price)})
}

// acceptOffer bids, if it names a price; else it comes with [packets.AcceptPrice], and says nothing more.
func (s *player) acceptOffer(_ *packets.Section, c *packets.AcceptOffer) {
	if c.Value != packets.NoPrice {
		s.want(world.Bid{ID: s.id(), TradeSlot: int(c.Slot), Price: int64(c.Value)})
	}
}

// acceptPrice sells.
func (s *player) acceptPrice(_ *packets.Section, c *packets.AcceptPrice) {
	s.want(world.AcceptPrice{ID: s.id(), TradeSlot: int(c.Slot), Count: int(c.Count), Price: int64(c.Price)})
}

func (s *player) spendPoints(_ *packets.Section, c *packets.SpendPoints) {
	spend := world.SpendPoints{ID: s.id()}
	for i, n := range c.Deltas {
		spend.Spend[i] = int(n)
	}
	s.want(spend)
}
