package w3gs

// The kinds that clients send each other when a host tells them each other's addresses, which ours does not, and
// those of newer versions. They are for readers of captures: a host ignores them.
var (
	_ = register[PeerChat]("chat between clients", Between, Lobby|Playing, 8, HeaderSize+1+maxSlots+2+MaxLobbyText+1)
	_ = register[PeerPing]("ping between clients", Between, always, 16, 16)
	_ = register[PeerPong]("pong between clients", Between, always, 8, 8)
	_ = register[PeerHello]("hello between clients", Between, Lobby, 18, 18)
	_ = register[PeerSet]("connected clients", ToHost, always, 6, 6)
	_ = register[Extension]("extension", ToHost|ToClient, always, 9, MaxPacket)
)

// PeerChat is a Request that goes to its receivers without the host.
//
// Source: protocol w3gs 5.
type PeerChat struct {
	Request
}

// Opcode is 0x34.
func (*PeerChat) Opcode() Opcode { return 0x34 }

// PeerPing keeps a connection between two clients alive.
//
// Source: protocol w3gs 5.
type PeerPing struct {
	Value     uint32
	Connected uint32 // set of players: bit n is player n+1
	GameTime  uint32
}

// Opcode is 0x35.
func (*PeerPing) Opcode() Opcode { return 0x35 }

func (m *PeerPing) fields(f *fields) {
	u32(f, &m.Value)
	u32(f, &m.Connected)
	u32(f, &m.GameTime)
}

// PeerPong answers PeerPing.
//
// Source: protocol w3gs 5.
type PeerPong struct {
	Value uint32
}

// Opcode is 0x36.
func (*PeerPong) Opcode() Opcode { return 0x36 }

func (m *PeerPong) fields(f *fields) { u32(f, &m.Value) }

// PeerHello is the first packet between two clients.
//
// Source: protocol w3gs 5.
type PeerHello struct {
	Counter   uint32 // of joins
	EntryKey  uint32
	Player    PlayerID
	Filler    uint8 // 255
	Connected uint32
}

// Opcode is 0x37.
func (*PeerHello) Opcode() Opcode { return 0x37 }

func (m *PeerHello) fields(f *fields) {
	u32(f, &m.Counter)
	u32(f, &m.EntryKey)
	u8(f, &m.Player)
	u8(f, &m.Filler)
	u32(f, &m.Connected)
}

// PeerSet tells the host which other clients the sender is connected to.
//
// Source: protocol w3gs 5.
type PeerSet struct {
	Connected uint16
}

// Opcode is 0x3B.
func (*PeerSet) Opcode() Opcode { return 0x3B }

func (m *PeerSet) fields(f *fields) { u16(f, &m.Connected) }

// Extension is what versions from 1.32 on exchange after joining: a message of protocol buffers.
//
// Source: protocol w3gs 9.
type Extension struct {
	Kind uint8
	Data []byte
}

// Opcode is 0x59.
func (*Extension) Opcode() Opcode { return 0x59 }

func (m *Extension) fields(f *fields) {
	u8(f, &m.Kind)
	n := uint32(len(m.Data))
	u32(f, &n)
	f.rest(&m.Data, 0, MaxPacket)
	if f.Err() == nil && int(n) != len(m.Data) {
		f.fail("expected %d bytes, found %d", n, len(m.Data))
	}
}
