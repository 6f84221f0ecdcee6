package w3gs

// The kinds of checking and fetching the map, each with its section of protocol w3gs.
var (
	_ = register[MapCheck](0x3D, "map check", ToClient, Lobby, 42, 41+maxMapPath)                 // 4.17
	_ = register[MapQuestion](0x3E, "map question", ToHost|Between, Lobby, HeaderSize, MaxPacket) // 4.17
	_ = register[MapStart](0x3F, "start map download", ToClient|ToHost|Between, Lobby, 9, 9)      // 4.17
	_ = register[MapState](0x42, "map state", ToHost, Lobby, 13, 13)                              // 4.17
	_ = register[MapData](0x43, "map data", ToClient|Between, Lobby, 19, 18+MaxMapData)           // 4.17
	_ = register[MapTaken](0x44, "map data taken", ToHost|Between, Lobby, 14, 14)                 // 4.17
	_ = register[MapRefused](0x45, "map data refused", ToHost|Between, Lobby, HeaderSize, 10)     // 4.17
)

const maxMapPath = 255

// MaxMapData is the most of a map that one packet carries, so that the packet has at most 1460 bytes.
// Source: protocol w3gs 4.17.
const MaxMapData = 1442

// MapCheck names the map to a newcomer, which answers with MapState.
type MapCheck struct {
	Path  string // with backslashes
	Size  uint32 // of the file in bytes
	CRC   uint32 // CRC-32 of the file
	Check uint32 // of its contents, as in Stat
	SHA1  [20]byte
}

func (m *MapCheck) fields(f *fields) {
	known[uint32](f, 1)
	f.text(&m.Path, 1, maxMapPath)
	num(f, &m.Size, &m.CRC, &m.Check)
	f.bytes(m.SHA1[:])
}

// MapQuestion is reported as a question for the map to another player; its content is not known. It is ignored.
type MapQuestion struct{ Body []byte }

func (m *MapQuestion) fields(f *fields) { f.body(&m.Body) }

// MapStart starts a download: from the host it names the sender of the map, from a client the player that asks.
type MapStart struct{ Player PlayerID }

func (m *MapStart) fields(f *fields) {
	known[uint32](f, 1)
	num(f, &m.Player)
}

// A MapStateKind is the kind of a MapState.
type MapStateKind uint8

// The kinds of map states.
const (
	MapHave        MapStateKind = 1 // how much of the file the client has
	MapDownloading MapStateKind = 3 // how much it has got by now
)

// MapState says how much of the map a client has.
type MapState struct {
	Kind MapStateKind
	Size uint32 // in bytes
}

func (m *MapState) fields(f *fields) {
	known[uint32](f, 1)
	num(f, &m.Kind)
	num(f, &m.Size)
}

// MapData is a piece of the map.
//
//	byte  4      receiver
//	byte  5      sender
//	bytes 6-9    1
//	bytes 10-13  offset in the file
//	bytes 14-17  CRC-32 of the data
//	rest         1 to 1442 bytes of the file
type MapData struct {
	Receiver PlayerID
	Sender   PlayerID
	Offset   uint32
	Data     []byte
}

func (m *MapData) fields(f *fields) {
	num(f, &m.Receiver, &m.Sender)
	known[uint32](f, 1)
	num(f, &m.Offset)
	summed[uint32](f, &m.Data, 1, MaxMapData)
}

// MapTaken acknowledges MapData.
type MapTaken struct {
	Sender   PlayerID // of this packet: the player that downloads
	Receiver PlayerID // of this packet: the sender of the map
	Size     uint32   // got so far, in bytes
}

func (m *MapTaken) fields(f *fields) {
	num(f, &m.Sender, &m.Receiver)
	known[uint32](f, 1)
	num(f, &m.Size)
}

// MapRefused says that a MapData did not fit: it is to be sent again.
type MapRefused struct {
	Sender   PlayerID // as in MapTaken
	Receiver PlayerID
	Bare     bool // the form of 4 bytes, without any field
}

func (m *MapRefused) fields(f *fields) {
	if f.Reading() {
		*m = MapRefused{Bare: f.Left() == 0}
	}
	if m.Bare {
		return
	}
	num(f, &m.Sender, &m.Receiver)
	known[uint32](f, 1)
}
