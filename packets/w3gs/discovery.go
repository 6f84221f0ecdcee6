package w3gs

// The kinds that travel in datagrams, each with its section of protocol w3gs.
var (
	_ = register[Search](0x2F, "search", Searching, 0, 16, 16)                                                // 2.1
	_ = register[GameInfo](0x30, "game information", Announcing, 0, 44+1+17, 44+MaxGameName+maxEncodedStat+1) // 2.2
	_ = register[GameCreated](0x31, "game created", Announcing, 0, 16, 16)                                    // 2.3
	_ = register[GameRefreshed](0x32, "game refreshed", Announcing, 0, 16, 16)                                // 2.3
	_ = register[GameCancelled](0x33, "game cancelled", Announcing, 0, 8, 8)                                  // 2.3
)

// Search asks for games: by broadcast when a player looks at the list of games, and one host when it has announced a
// game that the player's program does not know.
type Search struct {
	Product Product
	Version Version
	Game    uint32 // host counter of a game, or 0 for any
}

func (m *Search) fields(f *fields) { f.game(&m.Product, &m.Version, &m.Game) }

// game is the product and the version of a game, and which game of its host it is.
func (f *fields) game(p *Product, v *Version, number *uint32) {
	num(f, p)
	num(f, v)
	num(f, number)
}

// GameFlags are the kind of a game; the publisher's service has more of them. Source: protocol w3gs 2.2.
type GameFlags uint32

// The flags of a local network.
const (
	CustomGame GameFlags = 0x000001
	SavedGame  GameFlags = 0x000200
)

// GameInfo answers a search: all that the list of games shows. A client connects to the address that it came from,
// and to the port in it.
type GameInfo struct {
	Product Product
	Version Version
	Game    uint32 // host counter
	// EntryKey is random for each game. Repeating it, a client shows that it has seen this packet.
	EntryKey uint32
	Name     string // of the game, 1 to 31 bytes
	Stat     Stat
	Slots    uint32 // in all: open, closed and taken, by people and computers
	Flags    GameFlags
	Players  uint32 // now, the host counted, computers not
	Seats    uint32 // slots that a person can take or has taken
	Seconds  uint32 // since the game was created
	Port     uint16 // TCP
}

func (m *GameInfo) fields(f *fields) {
	f.game(&m.Product, &m.Version, &m.Game)
	num(f, &m.EntryKey)
	f.text(&m.Name, 1, MaxGameName)
	known[uint8](f, 0) // an empty password
	f.stat(&m.Stat)
	num(f, &m.Slots)
	num(f, &m.Flags)
	num(f, &m.Players, &m.Seats, &m.Seconds)
	num(f, &m.Port)
}

// SecondsFromEnd is where Seconds begins, counted from the end of a [GameInfo] packet: a host may keep the packet and
// change this field.
const SecondsFromEnd = 6

// GameCreated tells all clients of a new game.
type GameCreated struct {
	Product Product
	Version Version
	Game    uint32 // host counter
}

func (m *GameCreated) fields(f *fields) { f.game(&m.Product, &m.Version, &m.Game) }

// GameRefreshed tells all clients that a game is still open, and how full.
type GameRefreshed struct {
	Game    uint32 // host counter
	Players uint32 // as in GameInfo
	Seats   uint32 // as in GameInfo
}

func (m *GameRefreshed) fields(f *fields) { num(f, &m.Game, &m.Players, &m.Seats) }

// GameCancelled tells all clients that a game can be joined no more: cancelled, or begun.
type GameCancelled struct{ Game uint32 } // host counter

func (m *GameCancelled) fields(f *fields) { num(f, &m.Game) }
