package packets

// Castles and their wars: what stands in spawns of their things, and the bar of a capture. Source: protocol life 1.1,
// 1.4, 8.3, 8.4. Nothing of it was seen by our own server.

// A CaptureBar is a command about the bar of a capture, at a tablet or the table of a town: command of 5 bits.
type CaptureBar struct{ Command Command }

var _ = region[CaptureBar](ClassCastleTablet, ClassTownTable)

func (*CaptureBar) number() uint8      { return 20 }
func (m *CaptureBar) held() Command    { return m.Command }
func (m *CaptureBar) fields(f *fields) { captureCommands.walk(f, &m.Command, 5, 8) }

// A TableLine is a line of the table of a castle or town. The meaning of its numbers is unknown.
type TableLine struct {
	Number uint16 // 9 bits
	Value  uint16
	A, B   uint8 // 7 bits each
	First  string
	C      uint8 // 3 bits
	Second string
	D      uint8 // 2 bits
}

var _ = region[TableLine](ClassCastleTablet, ClassTownTable)

func (*TableLine) number() uint8 { return 6 }
func (m *TableLine) fields(f *fields) {
	num(f, &m.Number, 9)
	num(f, &m.Value, 16)
	num(f, &m.A, 7)
	num(f, &m.B, 7)
	f.text(&m.First, 4, 8)
	num(f, &m.C, 3)
	f.text(&m.Second, 4, 8)
	num(f, &m.D, 2)
}

// CastleText is the number of the text that names a castle's tablet or gate.
type CastleText struct{ Number uint16 }

var _ = fromServer(&contManCommands, 15,
	func(m *CastleText, f *fields) { f.walk(opcode(2), &m.Number) }, of(80, 81), turn(1))

// CastleFree tells that a castle has no owner.
type CastleFree struct{}

var _ = fromServer(&contManCommands, 15, func(_ *CastleFree, f *fields) { f.walk(opcode(1)) }, of(80, 81), turn(2))

// CastleOwner is the clan that a castle belongs to.
type CastleOwner struct{ Clan string }

var _ = fromServer(&contManCommands, 15,
	func(m *CastleOwner, f *fields) { f.walk(opcode(1), &m.Clan) }, of(80, 81), turn(3))

// CastleTaken stands in spawns of tablets and gates: when the castle was taken, perhaps.
type CastleTaken struct{ Value uint32 }

var _ = fromServer(&contManCommands, 15,
	func(m *CastleTaken, f *fields) { f.walk(opcode(5), &m.Value) }, of(80, 81), turn(4))

// CastleGateValue stands in spawns of gates; meaning unknown.
type CastleGateValue struct{ Value uint32 }

var _ = fromServer(&contManCommands, 15,
	func(m *CastleGateValue, f *fields) { f.walk(opcode(4), &m.Value) }, of(81), turn(5))

// CastleSums stands in spawns of tablets; meaning unknown.
type CastleSums struct {
	First  uint32
	Second uint32
}

var _ = fromServer(&contManCommands, 15, func(m *CastleSums, f *fields) {
	f.walk(opcode(4))
	num(f, &m.First, 24)
	num(f, &m.Second, 24)
}, of(80), turn(6))

// CastleValue9 stands in spawns of tablets; meaning unknown.
type CastleValue9 struct{ Value uint32 }

var _ = fromServer(&contManCommands, 15,
	func(m *CastleValue9, f *fields) { f.walk(opcode(9), &m.Value) }, of(80), turn(7))

// CastleValue7 stands in spawns of tablets; meaning unknown.
type CastleValue7 struct{ Data [13]byte }

var _ = fromServer(&contManCommands, 15, func(m *CastleValue7, f *fields) {
	f.walk(opcode(7))
	f.bytes(m.Data[:])
}, of(80), turn(8))

// CastleNode is the state of a castle's node: 1 filled, 3 locked.
type CastleNode struct {
	State uint8
	Level uint32
}

var _ = fromServer(&contManCommands, 15, func(m *CastleNode, f *fields) { f.walk(&m.State, &m.Level) }, of(83), turn(1))

// CastleRequest asks for something at a tablet: taxes, or the treasury.
type CastleRequest struct {
	Operation uint8
	First     uint32
	Second    uint32
}

var _ = fromClient(&contManCommands, 15,
	func(m *CastleRequest, f *fields) { f.walk(&m.Operation, &m.First, &m.Second) }, of(80), turn(1))

// ObjectValue stands in spawns of things of castles and of workshops.
type ObjectValue struct{ Value uint8 }

var _ = fromServer(&contManCommands, 16, func(m *ObjectValue, f *fields) { f.walk(&m.Value) }, turn(1))

// CaptureBegins starts the bar of a capture, 10 s.
type CaptureBegins struct{}

var _ = fromServer(&captureCommands, 0, func(*CaptureBegins, *fields) {})

// CaptureStops takes the bar of a capture away.
type CaptureStops struct{}

var _ = fromServer(&captureCommands, 1, func(*CaptureStops, *fields) {})

// CaptureCaption sets the words over the bar of a capture.
type CaptureCaption struct{ Text string }

var _ = fromServer(&captureCommands, 2, func(m *CaptureCaption, f *fields) { f.walk(&m.Text) })
