package packets

// Help is sent by the client before it opens a trade.
type Help struct{ Value uint32 } // 7

var _ = fromClient(&managerCommands, 37, func(m *Help, f *fields) { f.walk(&m.Value) })

// TradeWindow opens the trade with a trader, or closes it with [NoObject].
type TradeWindow struct{ Trader ObjectID }

var _ = eitherWay(&managerCommands, 21, func(m *TradeWindow, f *fields) { f.walk(&m.Trader) })

// Goods is one line of a trader's goods, or of what another player offers. [ResetSlots] comes before the first line,
// the spawns of the items behind the last. Source: protocol ingame 4.3, 11.2, life 7.1.
type Goods struct {
	Slot  uint8 // of the goods
	Item  ObjectID
	Count uint32 // to be had from a player; of an NPC 0
	Price uint32 // of one
}

var _ = fromServer(&tradeManCommands, 0, func(m *Goods, f *fields) { f.walk(&m.Slot, &m.Item, &m.Count, &m.Price) })

// Buy asks to buy the item in a slot of the goods.
type Buy struct {
	Trader   ObjectID
	Slot     uint8  // of the goods
	Reserved uint16 // 0
	Price    uint32 // of one
	Count    uint32
}

var _ = fromClient(&managerCommands, 8,
	func(m *Buy, f *fields) { f.walk(&m.Trader, &m.Slot, &m.Reserved, &m.Price, &m.Count) })

// Bought answers [Buy], behind the slot that has changed and the money that is left. Source: protocol ingame 4.2,
// 11.2.
type Bought struct {
	Item    ObjectID
	Total   uint32 // price of all
	Count   uint32
	Unknown uint8 // recorded with 0, 0x32, 0x64 and 0x65
}

var _ = fromServer(&managerCommands, 8, func(m *Bought, f *fields) { f.walk(&m.Item, &m.Total, &m.Count, &m.Unknown) })

// OfferItem offers an item to a trader, or to another player.
type OfferItem struct {
	Slot  uint8 // of the trade
	Item  ObjectID
	Count uint32 // to a player; to an NPC 0
	Price uint32 // of one, to a player; to an NPC [NoPrice]
}

// NoPrice stands where a client names none.
const NoPrice = 0xFFFFFFFF

var _ = fromClient(&managerCommands, 6,
	func(m *OfferItem, f *fields) { f.walk(&m.Slot, &m.Item, &m.Count, &m.Price) }, turn(1))

// PriceOffer is the trader's price for an offered item.
type PriceOffer struct {
	Slot   uint8 // of the trade
	Price  uint32
	Trader ObjectID
}

var _ = fromServer(&managerCommands, 7, func(m *PriceOffer, f *fields) { f.walk(&m.Slot, &m.Price, &m.Trader) })

// AcceptPrice accepts the price of a trader or another player; [AcceptOffer] comes with it. Between players it changes
// an offer, too.
type AcceptPrice struct {
	Slot  uint8  // of the trade
	Count uint32 // to a player; to an NPC 0
	Price uint32
}

var _ = fromClient(&managerCommands, 6,
	func(m *AcceptPrice, f *fields) { f.walk(&m.Slot, &m.Count, &m.Price) }, turn(2))

// AcceptOffer accepts an offer, or is a [BidFor] of the price without its player. Source: protocol ingame 4.3, life
// 7.1.
type AcceptOffer struct {
	Slot  uint8  // of the trade
	Value uint32 // [NoPrice], or the price
}

var _ = fromClient(&tradeManCommands, 2, func(m *AcceptOffer, f *fields) { f.walk(&m.Slot, &m.Value) })

// Sold tells that an item was sold to a trader, in answer to [AcceptOffer]. Source: protocol ingame 4.2, 11.2.
type Sold struct {
	Item      ObjectID
	Price     uint32 // 24 bits
	Trader    ObjectID
	Reserved  uint32 // 0
	Reserved2 uint32 // 24 bits, 0
	Class     Class  // of the item
}

var _ = fromServer(&managerCommands, 13, func(m *Sold, f *fields) {
	f.walk(&m.Item)
	num(f, &m.Price, 24)
	f.walk(&m.Trader, &m.Reserved)
	num(f, &m.Reserved2, 24)
	f.walk(&m.Class)
})

// TradeOffer is a price for something in a trade. The one recorded names a trader; its fields are taken from
// [PriceOffer] and [BidFor], which have the same widths. Source: protocol ingame 4.3, life 7.1.
type TradeOffer struct {
	Slot    uint8
	Price   uint32
	Partner ObjectID
}

var _ = fromServer(&tradeManCommands, 1, func(m *TradeOffer, f *fields) { f.walk(&m.Slot, &m.Price, &m.Partner) })

// Money sets the player's own money, in coins, to an absolute sum. Source: protocol ingame 4.2.
type Money struct{ Amount uint32 }

var _ = fromServer(&managerCommands, 56, func(m *Money, f *fields) { f.walk(&m.Amount) })

// CoinsReceived shows the line "you received … coins" and changes nothing: [Money] does. Recorded with colour
// 0xFF32C896. Source: protocol ingame 4.2.
type CoinsReceived struct {
	Amount uint32
	Colour uint32 // 0xAARRGGBB
}

var _ = fromServer(&managerCommands, 1, func(m *CoinsReceived, f *fields) { f.walk(&m.Amount, &m.Colour) }, turn(2))

// ClearOffer takes an offered item back: known from the client's scripts, never recorded. Source: protocol life 7.1.
type ClearOffer struct{ Slot uint8 }

var _ = fromClient(&managerCommands, 6, func(m *ClearOffer, f *fields) { f.walk(&m.Slot) }, turn(3))

// Bid offers another player a price for its thing.
type Bid struct {
	Slot    uint8
	Price   uint32
	Partner ObjectID
}

var _ = fromClient(&managerCommands, 7, func(m *Bid, f *fields) { f.walk(&m.Slot, &m.Price, &m.Partner) })

// BidHere is [Bid] without the partner, the player that the window of trade is open with.
type BidHere struct {
	Slot  uint8
	Price uint32
}

var _ = fromClient(&managerCommands, 7, func(m *BidHere, f *fields) { f.walk(&m.Slot, &m.Price) }, turn(1))

// ClearGoods takes a line of goods away: known from the client's scripts, never recorded. Source: protocol life 7.1.
type ClearGoods struct{ Slot uint8 }

var _ = fromServer(&tradeManCommands, 0, func(m *ClearGoods, f *fields) { f.walk(&m.Slot) }, turn(1))

// BidFor offers a price for a thing of the player that it names.
type BidFor struct {
	Slot   uint8
	Price  uint32
	Player ObjectID
}

var _ = fromClient(&tradeManCommands, 2, func(m *BidFor, f *fields) { f.walk(&m.Slot, &m.Price, &m.Player) }, turn(1))
