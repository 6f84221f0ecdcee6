package w3gs

// The kinds of checking and fetching the map.
var (
	_ = register[MapCheck]("map check", ToClient, Lobby, 42, 41+maxMapPath)
	_ = register[MapQuestion]("map question", ToHost|Between, Lobby, HeaderSize, MaxPacket)
	_ = register[MapStart]("start map download", ToClient|ToHost|Between, Lobby, 9, 9)
	_ = register[MapState]("map state", ToHost, Lobby, 13, 13)
	_ = register[MapData]("map data", ToClient|Between, Lobby, 19, 18+MaxMapData)
	_ = register[MapTaken]("map data taken", ToHost|Between, Lobby, 14, 14)
	_ = register[MapRefused]("map data refused", ToHost|Between, Lobby, HeaderSize, 10)
)

const maxMapPath = 255

// MaxMapData is the most of a map that one packet carries, so that the packet has at most 1460 bytes.
//
// Source: protocol w3gs 4.17.
const MaxMapData = 1442

// MapCheck names the map to a newcomer, who answers with MapState.
//
// Source: protocol w3gs 4.17.
type MapCheck struct {
	Path  string // with backslashes
	Size  uint32 // of the file in bytes
	CRC   uint32 // CRC-32 of the file
	Check uint32 // of its contents, as in Stat
	SHA1  [20]byte
}

// Opcode is 0x3D.
func (*MapCheck) Opcode() Opcode { return 0x3D }

func (m *MapCheck) fields(f *fields) {
	f.one32()
	f.text(&m.Path, 1, maxMapPath)
	u32(f, &m.Size)
	u32(f, &m.CRC)
	u32(f, &m.Check)
	f.bytes(m.SHA1[:])
}

// MapQuestion is reported as a question for the map to another player; what it holds is not known. It is ignored.
//
// Source: protocol w3gs 4.17.
type MapQuestion struct {
	Body []byte
}

// Opcode is 0x3E.
func (*MapQuestion) Opcode() Opcode { return 0x3E }

func (m *MapQuestion) fields(f *fields) { f.rest(&m.Body, 0, MaxPacket-HeaderSize) }

// MapStart starts a download: from the host it names who will send, from a client who asks.
//
// Source: protocol w3gs 4.17.
type MapStart struct {
	Player PlayerID
}

// Opcode is 0x3F.
func (*MapStart) Opcode() Opcode { return 0x3F }

func (m *MapStart) fields(f *fields) {
	f.one32()
	u8(f, &m.Player)
}

// A MapStateKind says what a MapState is about.
type MapStateKind uint8

// The kinds of map states.
const (
	MapHave        MapStateKind = 1 // how much of the file the client has
	MapDownloading MapStateKind = 3 // how much it has got by now
)

// MapState says how much of the map a client has.
//
// Source: protocol w3gs 4.17.
type MapState struct {
	Kind MapStateKind
	Size uint32 // in bytes
}

// Opcode is 0x42.
func (*MapState) Opcode() Opcode { return 0x42 }

func (m *MapState) fields(f *fields) {
	f.one32()
	u8(f, &m.Kind)
	u32(f, &m.Size)
}

// MapData is a piece of the map.
//
//	byte  4      receiver
//	byte  5      sender
//	bytes 6-9    1
//	bytes 10-13  offset in the file
//	bytes 14-17  CRC-32 of the data
//	rest         1 to 1442 bytes of the file
//
// Source: protocol w3gs 4.17.
type MapData struct {
	Receiver PlayerID
	Sender   PlayerID
	Offset   uint32
	Data     []byte
}

// Opcode is 0x43.
func (*MapData) Opcode() Opcode { return 0x43 }

func (m *MapData) fields(f *fields) {
	u8(f, &m.Receiver)
	u8(f, &m.Sender)
	f.one32()
	u32(f, &m.Offset)
	f.summed(&m.Data, 1, MaxMapData)
}

// MapTaken acknowledges MapData.
//
// Source: protocol w3gs 4.17.
type MapTaken struct {
	Sender   PlayerID // of this packet: who downloads
	Receiver PlayerID // of this packet: who sends the map
	Size     uint32   // got so far, in bytes
}

// Opcode is 0x44.
func (*MapTaken) Opcode() Opcode { return 0x44 }

func (m *MapTaken) fields(f *fields) {
	u8(f, &m.Sender)
	u8(f, &m.Receiver)
	f.one32()
	u32(f, &m.Size)
}

// MapRefused says that a MapData did not fit: it is to be sent again.
//
// Source: protocol w3gs 4.17.
type MapRefused struct {
	Sender   PlayerID // as in MapTaken
	Receiver PlayerID
	Bare     bool // the form of 4 bytes, without any field
}

// Opcode is 0x45.
func (*MapRefused) Opcode() Opcode { return 0x45 }

func (m *MapRefused) fields(f *fields) {
	if f.Reading() {
		*m = MapRefused{Bare: f.Left() == 0}
	}
	if m.Bare {
		return
	}
	u8(f, &m.Sender)
	u8(f, &m.Receiver)
	f.one32()
}
