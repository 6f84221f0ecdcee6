package world

import (
	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A SlotNow is a slot of a container as it is now. Bag and Object of In are as the player names the container.
type SlotNow struct {
	In         Container
	Slot       int
	Item       rules.ItemID // 0: empty
	Weight     int          // of the stack or bag with all that is in it
	WeightOnly bool         // it is the same item as before
}

// Taken is an item that has come to a player, or has been put somewhere by it.
type Taken struct {
	Item       rules.Item   // as it was, with its place before
	From       Container    // where it was; Object alone, with Bag 0, also for an item that lay by itself
	FromGround bool         // it lay by itself, and From.Object was that
	Into       rules.Item   // as it is now, or the stack that it has been added to
	Merged     bool         // it was added to Into, and is gone
	Inside     []rules.Item // its contents, bags before theirs
}

// Events of items. All are values. Slots lists every slot of the player's own, of its vault and of bags that is not as
// before, first those that were left, then those that were filled, then those of bags that only weigh more or less.
type (
	// CommitRequest asks for a change to be made durable. [Committed] has to answer it. The change may be kept, and is
	// not to be changed.
	CommitRequest struct {
		Seq    uint64
		Change rules.Change
	}

	// Refused tells that a request is not done. Slots are those that the request named, as they are.
	Refused struct {
		ID      PlayerID
		Command Command // the request
		Why     rules.RejectReason
		Slots   []SlotNow
		Limit   int   // that the refusal names: a level, a price, or how many points there are; 0 for none
		Money   int64 // of the player
	}

	// ItemMoved tells that an item has another slot in the same container, alone or in exchange for another.
	ItemMoved struct {
		ID     PlayerID
		In     Container
		Item   rules.Item  // as it is now; if Merged as it was
		From   int         // its slot before
		Other  *rules.Item // which took its place, as it is now; nil: none
		Merged *rules.Item // the stack to which it was added, as it is now; nil: none
		Slots  []SlotNow
	}

	// TookUp tells that items have come into a player's own slots or bags from elsewhere. Gone says that the object from
	// which they come is no more; it vanishes for all its viewers, the player among them, after this.
	TookUp struct {
		ID     PlayerID
		Items  []Taken
		Object EntityID // the object that they come from, 0: from a bag of one's own or the vault
		Gone   bool
		Slots  []SlotNow
	}

	// PutAway tells that a player has put an item into a bag that lies in the world or into the vault. Object and Gone
	// are as in [TookUp], if it has come from the world into the vault.
	PutAway struct {
		ID     PlayerID
		Item   Taken
		Into   Container
		Object EntityID
		Gone   bool
		Slots  []SlotNow
	}

	// ItemDropped tells that a player has put an item on the ground. The object appears to its viewers, the player among
	// them, after this.
	ItemDropped struct {
		ID     PlayerID
		Item   rules.Item // as it was carried
		Object EntityID
		At     coords.Position
		Inside []rules.Item
		Slots  []SlotNow
	}

	// Dragged tells that a player has moved an object on the ground.
	Dragged struct {
		Object  EntityID
		To      coords.Position
		Viewers []PlayerID // the player itself, and all others that saw it before and see it now
	}

	// BagChanged tells players that another has changed the contents of a bag that they look into.
	BagChanged struct {
		Object EntityID
		To     []PlayerID   // that have it open, without the one that changed it
		Came   []rules.Item // new in it, as they are now
		Left   []rules.Item // not in it any more, as they were
		Slots  []SlotNow
	}

	// ItemsWorn tells a player that some of its items have less durability.
	ItemsWorn struct {
		ID    PlayerID
		Items []rules.Item // as they are now
	}

	// RepairPriced tells a player the prices of a smith for the repair of its items.
	RepairPriced struct {
		ID     PlayerID
		Items  []rules.Item
		Prices []int64 // of each item
		Money  int64   // of the player
	}

	// ItemsRepaired tells a player that a smith has repaired some of its items.
	ItemsRepaired struct {
		ID    PlayerID
		Items []rules.Item // as they are now
		Price int64        // of all
		Money int64        // of the player now
	}

	// HandChanged tells which item a player holds.
	HandChanged struct {
		ID   PlayerID
		Item rules.ItemID // 0: nothing
	}

	// Used tells that a player has used an item. Its effects on the player are told after it, except To.
	Used struct {
		ID    PlayerID
		Item  rules.Item // as it was before
		Left  int        // of the count; 0: it is no more
		Slots []SlotNow
		To    *coords.Position // where the player is now; nil: where it was
	}

	// Opened tells a player the contents of a container.
	Opened struct {
		ID    PlayerID
		What  Container
		Items []rules.Item // bags before their contents
		Slots []SlotNow
		Trap  bool       // it springs
		Hit   *PlayerHit // by that; nil: nothing can hurt the player
		// Called is the monster that has come beside a chest, nil for none. Others are told that it has appeared.
		Called *Object
	}

	// TrapSeen tells viewers that the trap of a chest has sprung, without the player that has opened it.
	TrapSeen struct {
		Chest EntityID
		To    []PlayerID // at least one
	}

	// Closed tells a player that a container which it had open is closed.
	Closed struct {
		ID   PlayerID
		What Container
	}

	// TradeOpened tells the goods of a trader. They are not to be changed.
	TradeOpened struct {
		ID     PlayerID
		Trader EntityID
		Goods  []Article
	}

	// An Article is one of a trader's goods; its index in them is its slot.
	Article struct {
		Item  rules.Item // as it would be; ID, In and Slot are 0, Count is how many are sold at once at most
		Price int        // of one
	}

	// Bought tells that a player has bought something.
	Bought struct {
		ID     PlayerID
		Item   rules.Item // as it is now: a new item, or the stack that has grown
		Merged bool       // a stack has grown
		Count  int        // bought
		Total  int64
		Money  int64 // of the player now
		Slots  []SlotNow
	}

	// Offered tells the price that a trader pays.
	Offered struct {
		ID        PlayerID
		Trader    EntityID
		TradeSlot int
		Price     int64 // for all of it
		Slots     []SlotNow
	}

	// Sold tells that a player has sold something.
	Sold struct {
		ID     PlayerID
		At     coords.Position // of the player
		Trader EntityID        // or the player that has bought it
		Item   rules.Item      // as it was
		Left   int             // of its count; 0: it is sold as a whole
		Price  int64           // for all that is sold
		Money  int64
		Slots  []SlotNow
	}

	// TradeClosed tells a player that its trade has ended.
	TradeClosed struct {
		ID     PlayerID
		Trader EntityID
		Asked  bool // its client has closed the window itself, or there was none
	}

	// Granted tells that an operator's request or [ShowAgain] is done.
	Granted struct {
		ID      PlayerID
		Command Command
		Came    []rules.Item // new
		Gone    []rules.Item // no more
		Money   int64        // of the player now
		Slots   []SlotNow
	}

	// StatsChanged tells a player that its sheet has changed.
	StatsChanged struct {
		ID      PlayerID
		Was, Is Sheet
	}
)

func (CommitRequest) event() {}
func (Refused) event()       {}
func (ItemMoved) event()     {}
func (TookUp) event()        {}
func (PutAway) event()       {}
func (ItemDropped) event()   {}
func (Dragged) event()       {}
func (BagChanged) event()    {}
func (ItemsWorn) event()     {}
func (RepairPriced) event()  {}
func (ItemsRepaired) event() {}
func (HandChanged) event()   {}
func (Used) event()          {}
func (Opened) event()        {}
func (TrapSeen) event()      {}
func (Closed) event()        {}
func (TradeOpened) event()   {}
func (Bought) event()        {}
func (Offered) event()       {}
func (Sold) event()          {}
func (TradeClosed) event()   {}
func (Granted) event()       {}
func (StatsChanged) event()  {}

// A Container is a place for items: one of these. The zero value is a player's own slots.
type Container struct {
	Object EntityID     // a bag that lies in the world
	Bag    rules.ItemID // a bag that is carried, is in the vault, or is in a bag that lies in the world
	Vault  bool         // the vault of the player's account
}

// A Target is an entity or an item that a player names: one of these.
type Target struct {
	Object EntityID     // in the world
	Item   rules.ItemID // carried, in the opened vault, or in the opened bag that lies in the world
}

// slotOf is the slot of an item of an inventory.
func slotOf(h *rules.Inventory, t *rules.Item) SlotNow {
	c, _ := containerOf(h, t.In)
	return SlotNow{In: c, Slot: t.Slot, Item: t.ID, Weight: h.Weight(t)}
}

// containerOf names where an item of an inventory lies; false for an item that lies in the world by itself.
func containerOf(h *rules.Inventory, in rules.ItemID) (Container, bool) {
	switch {
	case h.Ground == nil && in == 0:
		return Container{Vault: h.Vault != 0}, true
	case h.Ground != nil && in == 0:
		return Container{}, false
	case h.Object != 0 && h.Root == in:
		return Container{Object: EntityID(h.Object)}, true
	}
	return Container{Bag: in}, true
}
