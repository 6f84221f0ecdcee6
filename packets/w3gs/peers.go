package w3gs

// The kinds that clients send each other when a host tells them each other's addresses, which ours does not, and those
// of newer versions, each with its section of protocol w3gs. They are for readers of captures: a host ignores them.
var (
	_ = register[PeerChat](0x34, "chat between clients", Between, Lobby|Playing, 8, maxChat) // 5
	_ = register[PeerPing](0x35, "ping between clients", Between, always, 16, 16)            // 5
	_ = register[PeerPong](0x36, "pong between clients", Between, always, 8, 8)              // 5
	_ = register[PeerHello](0x37, "hello between clients", Between, Lobby, 18, 18)           // 5
	_ = register[PeerSet](0x3B, "connected clients", ToHost, always, 6, 6)                   // 5
	_ = register[Extension](0x59, "extension", ToHost|ToClient, always, 9, MaxPacket)        // 9
)

// PeerChat is a Request that goes to its receivers without the host.
type PeerChat struct{ Request }

// PeerPing keeps a connection between two clients alive.
type PeerPing struct {
	Value     uint32
	Connected uint32 // set of players: bit n is player n+1
	GameTime  uint32
}

func (m *PeerPing) fields(f *fields) { num(f, &m.Value, &m.Connected, &m.GameTime) }

// PeerPong answers PeerPing.
type PeerPong struct{ Value uint32 }

func (m *PeerPong) fields(f *fields) { num(f, &m.Value) }

// PeerHello is the first packet between two clients.
type PeerHello struct {
	Counter   uint32 // of joins
	EntryKey  uint32
	Player    PlayerID
	Filler    uint8 // 255
	Connected uint32
}

func (m *PeerHello) fields(f *fields) {
	num(f, &m.Counter, &m.EntryKey)
	num(f, &m.Player)
	num(f, &m.Filler)
	num(f, &m.Connected)
}

// PeerSet tells the host which other clients the sender is connected to.
type PeerSet struct{ Connected uint16 }

func (m *PeerSet) fields(f *fields) { num(f, &m.Connected) }

// Extension is a message that versions from 1.32 on exchange after joining, of protocol buffers.
type Extension struct {
	Kind uint8
	Data []byte
}

func (m *Extension) fields(f *fields) {
	num(f, &m.Kind)
	n := uint32(len(m.Data))
	num(f, &n)
	f.rest(&m.Data, 0, MaxPacket)
	if f.Err() == nil && int(n) != len(m.Data) {
		f.fail("expected %d bytes, found %d", n, len(m.Data))
	}
}
