package packets

// ChatHeader announces a line of chat, its parts follow. From a client, and back to it for clan and group. Source:
// protocol ingame 15.3.
type ChatHeader struct {
	Channel uint8  // 0 near, 1 whisper, 2 normal, 3 trade, 4 clan, 5 group; others: protocol ingame 15.2
	Length  uint32 // of the text in bytes, without any NUL
	Parts   uint16
}

var _ = eitherWay(&managerCommands, 2,
	func(m *ChatHeader, f *fields) { f.walk(&m.Channel, opcode(1), &m.Length, &m.Parts) }, turn(2))

// ChatPart is a part of a line: 250 bytes and a NUL; in a client's last one the rest and 5 NULs.
type ChatPart struct {
	Channel uint8  // as in ChatHeader
	Index   uint16 // of the part, from 0
	Text    string // with its NULs
}

var _ = eitherWay(&managerCommands, 2, func(m *ChatPart, f *fields) {
	f.walk(&m.Channel, opcode(2), &m.Index)
	f.rest(&m.Text)
}, turn(3))

// A ChatLine announces a line of chat under an object of its own; its text follows in [ChatChunk]s. Source: protocol
// ingame 2.4, 15.4.
type ChatLine struct {
	Kind    uint8  // 3 bits, 2
	Length  uint32 // of the whole text in bytes
	Chunks  uint8
	Sender  string
	Channel uint8 // 3 bits, as in ChatHeader
}

var _ = region[ChatLine](ClassChat)

func (*ChatLine) number() uint8 { return 61 }
func (m *ChatLine) fields(f *fields) {
	num(f, &m.Kind, 3)
	num(f, &m.Length, 32)
	num(f, &m.Chunks, 8)
	f.textNUL(&m.Sender, 8)
	num(f, &m.Channel, 3)
}

// A ChatChunk is a part of a line's text: 250 bytes and a NUL, the last one the rest and a NUL.
type ChatChunk struct{ Text string }

var _ = region[ChatChunk](ClassChat)

func (*ChatChunk) number() uint8      { return 2 }
func (m *ChatChunk) fields(f *fields) { f.textNUL(&m.Text, 8) }

// SystemText shows a numbered text of the client.
type SystemText struct {
	Text   uint16 // number in the client's table
	Colour uint32 // 0xAARRGGBB
}

var _ = fromServer(&managerCommands, 9,
	func(m *SystemText, f *fields) { f.walk(opcode(0), &m.Text, &m.Colour) }, turn(1))

// SystemTextNumber shows a numbered text with a number in it: 127 is experience gained.
type SystemTextNumber struct {
	Text     uint16 // number in the client's table
	Colour   uint32 // 0xAARRGGBB
	Argument int16  // the number in the text
}

var _ = fromServer(&managerCommands, 9,
	func(m *SystemTextNumber, f *fields) { f.walk(opcode(2), &m.Text, &m.Colour, &m.Argument) }, turn(2))

// SystemMessage shows a line of free text. Source: protocol ingame 15.5.
type SystemMessage struct {
	Mode     uint8  // 4, 5 or 7
	Reserved uint16 // 0
	Colour   uint32 // 0xAARRGGBB
	Text     string
}

var _ = fromServer(&managerCommands, 9, func(m *SystemMessage, f *fields) {
	f.walk(&m.Mode)
	switch m.Mode {
	case 4, 5, 7:
	default: // mode 8 has no text
		f.fail("mode %d has no free text", m.Mode)
	}
	f.walk(&m.Reserved, &m.Colour)
	f.restEnded(&m.Text, true)
}, turn(5))

// TradeText shows a numbered text of the client, as [SystemText] does; the colour is 0xAARRGGBB. Known from the
// client's scripts, never recorded. Source: protocol ingame 4.3.
type TradeText struct {
	Text   uint8 // number in the client's table
	Colour uint32
}

var _ = fromServer(&tradeManCommands, 5, func(m *TradeText, f *fields) { f.walk(&m.Text, &m.Colour) })
