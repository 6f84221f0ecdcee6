package packets

// Windows of the client and lines in them, known from its scripts, and three values of recorded entry blocks. Source:
// protocol life 1.3.

// SystemWindow shows a numbered text of the client in a window; the colour is 0xAARRGGBB. Known from the client's
// scripts, never recorded.
type SystemWindow struct {
	Text     uint16
	Colour   uint32
	Argument uint16
}

var _ = fromServer(&managerCommands, 9,
	func(m *SystemWindow, f *fields) { f.walk(opcode(3), &m.Text, &m.Colour, &m.Argument) }, turn(3))

// SystemWindowTexts shows a window with five numbered texts.
type SystemWindowTexts struct {
	First  uint16
	Second uint16
	Third  uint16
	Fourth uint16
	Fifth  uint16
	Value  uint32
}

var _ = fromServer(&managerCommands, 9,
	func(m *SystemWindowTexts, f *fields) {
		f.walk(opcode(6), &m.First, &m.Second, &m.Third, &m.Fourth, &m.Fifth, &m.Value)
	}, turn(4))

// SystemArgument is a numbered text that is an argument of another one.
type SystemArgument struct{ Data []byte } // layout unknown

var _ = fromServer(&managerCommands, 9, func(m *SystemArgument, f *fields) { f.walk(opcode(8), &m.Data) }, turn(6))

// WindowSignal closes the window of evacuation with 1, and powers fists up or down with 2 or 3.
type WindowSignal struct{ Number uint8 }

var _ = fromServer(&managerCommands, 10, func(m *WindowSignal, f *fields) { f.walk(&m.Number) }, turn(1))

// PlayerPlace tells where another player is, in metres: known from the client's scripts, never recorded.
type PlayerPlace struct {
	X      float32
	Z      float32
	Player ObjectID
}

var _ = fromServer(&managerCommands, 10, func(m *PlayerPlace, f *fields) { f.walk(&m.X, &m.Z, &m.Player) }, turn(2))

// ClanMark marks a place on the maps of a clan, in metres with 30000 added: known from the client's scripts, never
// recorded.
type ClanMark struct {
	X uint16
	Z uint16
}

var _ = fromServer(&managerCommands, 11, func(m *ClanMark, f *fields) { f.walk(&m.X, &m.Z) })

// TableWindow opens the window of a table of a castle or town.
type TableWindow struct {
	Code uint16
	Text string
}

var _ = fromServer(&managerCommands, 12, func(m *TableWindow, f *fields) { f.walk(&m.Code, &m.Text) })

// KeyAlarm is the alarm of a key.
type KeyAlarm struct{ Number uint8 }

var _ = fromServer(&managerCommands, 14, func(m *KeyAlarm, f *fields) { f.walk(&m.Number) }, turn(1))

// OpenLink opens a link.
type OpenLink struct{ Link uint32 }

var _ = fromServer(&managerCommands, 14, func(m *OpenLink, f *fields) { f.walk(&m.Link) }, turn(2))

// EntryValue14 stands in an entry block; meaning unknown.
type EntryValue14 struct{ Data [5]byte }

var _ = fromServer(&managerCommands, 14, func(m *EntryValue14, f *fields) { f.bytes(m.Data[:]) }, turn(3))

// OtherServer8 leads to another server.
type OtherServer8 struct{ Number uint8 }

var _ = fromServer(&managerCommands, 16, func(m *OtherServer8, f *fields) { f.walk(&m.Number) }, turn(1))

// OtherServer leads to another server or continent.
type OtherServer struct{ Number uint16 }

var _ = fromServer(&managerCommands, 16, func(m *OtherServer, f *fields) { f.walk(&m.Number) }, turn(2))

// EntryValue16 stands in an entry block; meaning unknown.
type EntryValue16 struct{ Data [3]byte }

var _ = fromServer(&managerCommands, 16, func(m *EntryValue16, f *fields) { f.bytes(m.Data[:]) }, turn(3))

// ItemLost tells that a thing of the player is lost: known from the client's scripts, never recorded.
type ItemLost struct{ Item ObjectID }

var _ = fromServer(&managerCommands, 19, func(m *ItemLost, f *fields) { f.walk(&m.Item) })

// StateByte is a state of the player; meaning unknown.
type StateByte struct{ State uint8 }

var _ = fromServer(&managerCommands, 20, func(m *StateByte, f *fields) { f.walk(&m.State) })

// Stolen tells of a theft: the thief and the thing.
type Stolen struct {
	From  ObjectID
	Item  ObjectID
	Count uint32
}

var _ = fromServer(&managerCommands, 31, func(m *Stolen, f *fields) { f.walk(&m.From, &m.Item, &m.Count) })

// PrizeCount opens the window of prizes.
type PrizeCount struct{ Count uint8 }

var _ = fromServer(&managerCommands, 32, func(m *PrizeCount, f *fields) { f.walk(&m.Count) }, turn(1))

// Prizes is the prizes in their window: pairs of a thing and an amount.
type Prizes struct {
	Count uint8
	Pairs []byte
}

var _ = fromServer(&managerCommands, 32, func(m *Prizes, f *fields) { f.walk(&m.Count, &m.Pairs) }, turn(catchAll))

// WebShop allows the shop on the web; what the two numbers say is not known.
type WebShop struct {
	First  uint32
	Second uint32
}

var _ = fromServer(&managerCommands, 54, func(m *WebShop, f *fields) { f.walk(&m.First, &m.Second) })

// LossNotice tells which item was lost, and how many of it.
type LossNotice struct {
	Item  int32
	Count uint32
}

var _ = fromServer(&managerCommands, 64, func(m *LossNotice, f *fields) { f.walk(&m.Item, &m.Count) })
