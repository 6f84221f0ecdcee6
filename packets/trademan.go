package packets

// Commands of regions 9, 15 and 20, protocol ingame 2.3, 4.3 and 4.4.
func init() {
	s := &tradeManCommands
	server(s, 0, command[Goods]())
	server(s, 1, command[TradeOffer]())
	client(s, 2, command[AcceptOffer]())
	server(s, 3, command[DisplayName]())
	server(s, 5, command[TradeText]())
	server(s, 8, command[FlyingWeapon]())
	server(s, 9, command[ClanTag]())
	server(s, 14, command[ItemSuffix]())
	server(s, 14, command[ItemSuffixGrade]())
	server(s, 15, command[NameplateStat]())
	server(s, 15, command[NameplateStat32]())

	server(&expiryCommands, 0, command[ExpiresAt]())
	server(&regionManagerCommands, 3, command[Attack]())
}

type (
	// Goods is one line of a trader's goods.
	Goods struct {
		Slot     uint8
		Item     ObjectID
		Reserved uint32
		Price    uint32
	}

	// TradeOffer is an offer or a refusal between players; layout unknown.
	TradeOffer struct{ Data [8]byte }

	// AcceptOffer accepts an offer.
	AcceptOffer struct {
		Slot  uint8
		Value uint32 // 0xFFFFFFFF
	}

	// DisplayName is the code of the name over a person or monster. Negative: made of syllables; from 1000000:
	// surname and first name; below 1000: a fixed name.
	//
	// Source: protocol ingame 9.7.
	DisplayName struct{ Code int32 }

	// TradeText is a numbered line of text.
	TradeText struct {
		Text   uint8
		Colour uint32
	}

	// FlyingWeapon follows a hit of a monster on a player. Recorded; the name is that of the client's scripts.
	FlyingWeapon struct {
		Player  ObjectID
		Unknown uint16
	}

	// ClanTag is the clan over another player.
	ClanTag struct {
		Rank uint8
		Clan string
	}

	// ItemSuffix and ItemSuffixGrade change an item's suffix.
	ItemSuffix      struct{ Suffix uint8 }
	ItemSuffixGrade struct{ Suffix, Grade uint8 }

	// NameplateStat and NameplateStat32 set one value of another player.
	NameplateStat struct {
		Stat  Stat
		Value uint16
	}
	NameplateStat32 struct {
		Stat  Stat
		Value uint32
	}

	// ExpiresAt is when a thing ends.
	ExpiresAt struct{ Time uint32 }

	// Attack is the animation of a monster's attack, 0x1D or 0x1E.
	Attack struct{ Animation uint32 }
)

func (m *TradeOffer) fields(f *fields)  { f.bytes(m.Data[:]) }
func (m *DisplayName) fields(f *fields) { signed(f, &m.Code, 32) }
func (m *ItemSuffix) fields(f *fields)  { num(f, &m.Suffix, 8) }
func (m *ExpiresAt) fields(f *fields)   { num(f, &m.Time, 32) }
func (m *Attack) fields(f *fields)      { num(f, &m.Animation, 32) }

func (m *Goods) fields(f *fields) {
	num(f, &m.Slot, 8)
	f.id24(&m.Item)
	num(f, &m.Reserved, 32)
	num(f, &m.Price, 32)
}

func (m *AcceptOffer) fields(f *fields) {
	num(f, &m.Slot, 8)
	num(f, &m.Value, 32)
}

func (m *TradeText) fields(f *fields) {
	num(f, &m.Text, 8)
	num(f, &m.Colour, 32)
}

func (m *FlyingWeapon) fields(f *fields) {
	f.id24(&m.Player)
	num(f, &m.Unknown, 16)
}

func (m *ClanTag) fields(f *fields) {
	num(f, &m.Rank, 8)
	f.restNUL(&m.Clan)
}

func (m *ItemSuffixGrade) fields(f *fields) {
	num(f, &m.Suffix, 8)
	num(f, &m.Grade, 8)
}

func (m *NameplateStat) fields(f *fields) {
	num(f, &m.Stat, 8)
	num(f, &m.Value, 16)
}

func (m *NameplateStat32) fields(f *fields) {
	num(f, &m.Stat, 8)
	num(f, &m.Value, 32)
}
