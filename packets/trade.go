package packets

// Help is sent by the client before it opens a trade.
type Help struct{ Value uint32 } // 7

var _ = fromClient(&managerCommands, 37, command[Help]())

func (m *Help) fields(f *fields) { num(f, &m.Value, 32) }

// TradeWindow opens the trade with somebody, or closes it with [NoObject].
type TradeWindow struct{ Trader ObjectID }

var _ = eitherWay(&managerCommands, 21, command[TradeWindow]())

func (m *TradeWindow) fields(f *fields) { f.id24(&m.Trader) }

// Goods is one line of a trader's goods.
type Goods struct {
	Slot     uint8 // of the goods
	Item     ObjectID
	Reserved uint32 // 0
	Price    uint32 // of one
}

var _ = fromServer(&tradeManCommands, 0, command[Goods]())

func (m *Goods) fields(f *fields) {
	num(f, &m.Slot, 8)
	f.id24(&m.Item)
	num(f, &m.Reserved, 32)
	num(f, &m.Price, 32)
}

// Buy asks to buy what lies in a slot of the goods.
type Buy struct {
	Trader   ObjectID
	Slot     uint8  // of the goods
	Reserved uint16 // 0
	Price    uint32 // of one
	Count    uint32
}

var _ = fromClient(&managerCommands, 8, command[Buy]())

func (m *Buy) fields(f *fields) {
	f.id24(&m.Trader)
	num(f, &m.Slot, 8)
	num(f, &m.Reserved, 16)
	num(f, &m.Price, 32)
	num(f, &m.Count, 32)
}

// Bought answers [Buy].
type Bought struct {
	Item    ObjectID
	Total   uint32 // price of all
	Count   uint32
	Unknown uint8 // recorded with 0, 0x32, 0x64 and 0x65
}

var _ = fromServer(&managerCommands, 8, command[Bought]())

func (m *Bought) fields(f *fields) {
	f.id24(&m.Item)
	num(f, &m.Total, 32)
	num(f, &m.Count, 32)
	num(f, &m.Unknown, 8)
}

// OfferItem offers an item to a trader.
type OfferItem struct {
	Slot     uint8 // of the trade
	Item     ObjectID
	Reserved uint32 // 0
	Value    uint32 // 0xFFFFFFFF
}

var _ = fromClient(&managerCommands, 6, command[OfferItem](), turn(1))

func (m *OfferItem) fields(f *fields) {
	num(f, &m.Slot, 8)
	f.id24(&m.Item)
	num(f, &m.Reserved, 32)
	num(f, &m.Value, 32)
}

// PriceOffer is the trader's price for an offered item.
type PriceOffer struct {
	Slot   uint8 // of the trade
	Price  uint32
	Trader ObjectID
}

var _ = fromServer(&managerCommands, 7, command[PriceOffer]())

func (m *PriceOffer) fields(f *fields) {
	num(f, &m.Slot, 8)
	num(f, &m.Price, 32)
	f.id24(&m.Trader)
}

// AcceptPrice accepts the trader's price; [AcceptOffer] comes with it.
type AcceptPrice struct {
	Slot     uint8  // of the trade
	Reserved uint32 // 0
	Price    uint32
}

var _ = fromClient(&managerCommands, 6, command[AcceptPrice](), turn(2))

func (m *AcceptPrice) fields(f *fields) {
	num(f, &m.Slot, 8)
	num(f, &m.Reserved, 32)
	num(f, &m.Price, 32)
}

// AcceptOffer accepts an offer.
type AcceptOffer struct {
	Slot  uint8  // of the trade
	Value uint32 // 0xFFFFFFFF
}

var _ = fromClient(&tradeManCommands, 2, command[AcceptOffer]())

func (m *AcceptOffer) fields(f *fields) {
	num(f, &m.Slot, 8)
	num(f, &m.Value, 32)
}

// Sold tells that an item was sold.
type Sold struct {
	Item      ObjectID
	Price     uint32 // 24 bits
	Trader    ObjectID
	Reserved  uint32 // 0
	Reserved2 uint32 // 24 bits, 0
	Class     Class  // of the item
}

var _ = fromServer(&managerCommands, 13, command[Sold]())

func (m *Sold) fields(f *fields) {
	f.id24(&m.Item)
	num(f, &m.Price, 24)
	f.id24(&m.Trader)
	num(f, &m.Reserved, 32)
	num(f, &m.Reserved2, 24)
	num(f, &m.Class, 16)
}

// TradeOffer is an offer or a refusal between players.
type TradeOffer struct{ Data [8]byte } // layout unknown

var _ = fromServer(&tradeManCommands, 1, command[TradeOffer]())

func (m *TradeOffer) fields(f *fields) { f.bytes(m.Data[:]) }

// Money sets the money.
type Money struct{ Amount uint32 }

var _ = fromServer(&managerCommands, 56, command[Money]())

func (m *Money) fields(f *fields) { num(f, &m.Amount, 32) }

// CoinsReceived shows "you received … coins".
type CoinsReceived struct {
	Amount uint32
	Colour uint32 // 0xAARRGGBB
}

var _ = fromServer(&managerCommands, 1, command[CoinsReceived](), turn(2))

func (m *CoinsReceived) fields(f *fields) {
	num(f, &m.Amount, 32)
	num(f, &m.Colour, 32)
}
