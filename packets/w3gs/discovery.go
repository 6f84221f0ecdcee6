package w3gs

// The kinds that travel in datagrams.
var (
	_ = register[Search]("search", Searching, 0, 16, 16)
	_ = register[GameInfo]("game information", Announcing, 0, 44+1+17, 44+MaxGameName+maxEncodedStat+1)
	_ = register[GameCreated]("game created", Announcing, 0, 16, 16)
	_ = register[GameRefreshed]("game refreshed", Announcing, 0, 16, 16)
	_ = register[GameCancelled]("game cancelled", Announcing, 0, 8, 8)
)

// Search asks for games: by broadcast when a player looks at the list of games, and one host when it has announced a
// game that the player's program does not know.
//
// Source: protocol w3gs 2.1.
type Search struct {
	Product Product
	Version Version
	Game    uint32 // host counter of a game, or 0 for any
}

// Opcode is 0x2F.
func (*Search) Opcode() Opcode { return 0x2F }

func (m *Search) fields(f *fields) { f.game(&m.Product, &m.Version, &m.Game) }

// game is which game of a host it is, and who can play it.
func (f *fields) game(p *Product, v *Version, number *uint32) {
	u32(f, p)
	u32(f, v)
	u32(f, number)
}

// GameFlags say what kind of game it is. On a local network only CustomGame and SavedGame are used.
//
// Source: protocol w3gs 2.2.
type GameFlags uint32

// The known flags.
const (
	CustomGame         GameFlags = 0x000001
	SignedMap          GameFlags = 0x000008
	SavedGame          GameFlags = 0x000200
	PrivateGame        GameFlags = 0x000800
	UserMap            GameFlags = 0x002000
	PublisherMap       GameFlags = 0x004000
	MeleeMap           GameFlags = 0x008000
	ScenarioMap        GameFlags = 0x010000
	SmallMap           GameFlags = 0x020000
	MediumMap          GameFlags = 0x040000
	LargeMap           GameFlags = 0x080000
	WithFullObservers  GameFlags = 0x100000
	WithDefeatWatchers GameFlags = 0x200000
	WithoutObservers   GameFlags = 0x400000
)

// GameInfo answers a search: all that the list of games shows. A client connects to the address that it came from,
// and to the port in it.
//
// Source: protocol w3gs 2.2.
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

// Opcode is 0x30.
func (*GameInfo) Opcode() Opcode { return 0x30 }

func (m *GameInfo) fields(f *fields) {
	f.game(&m.Product, &m.Version, &m.Game)
	u32(f, &m.EntryKey)
	f.text(&m.Name, 1, MaxGameName)
	f.zero8() // an empty password
	f.stat(&m.Stat)
	u32(f, &m.Slots)
	u32(f, &m.Flags)
	u32(f, &m.Players)
	u32(f, &m.Seats)
	u32(f, &m.Seconds)
	u16(f, &m.Port)
}

// SecondsFromEnd is where Seconds begins, counted from the end of a [GameInfo] packet: a host may keep the packet and
// change this field.
const SecondsFromEnd = 6

// Shown is what the list of games shows: so many of so many.
//
// Source: protocol w3gs 2.2.
func (m *GameInfo) Shown() (players, slots uint32) {
	return m.Players + (m.Slots - m.Seats), m.Slots
}

// GameCreated tells everybody of a new game.
//
// Source: protocol w3gs 2.3.
type GameCreated struct {
	Product Product
	Version Version
	Game    uint32 // host counter
}

// Opcode is 0x31.
func (*GameCreated) Opcode() Opcode { return 0x31 }

func (m *GameCreated) fields(f *fields) { f.game(&m.Product, &m.Version, &m.Game) }

// GameRefreshed tells everybody that a game is still open, and how full.
//
// Source: protocol w3gs 2.3.
type GameRefreshed struct {
	Game    uint32 // host counter
	Players uint32 // as in GameInfo
	Seats   uint32 // as in GameInfo
}

// Opcode is 0x32.
func (*GameRefreshed) Opcode() Opcode { return 0x32 }

func (m *GameRefreshed) fields(f *fields) {
	u32(f, &m.Game)
	u32(f, &m.Players)
	u32(f, &m.Seats)
}

// GameCancelled tells everybody that a game can be joined no more: cancelled, or begun.
//
// Source: protocol w3gs 2.3.
type GameCancelled struct {
	Game uint32 // host counter
}

// Opcode is 0x33.
func (*GameCancelled) Opcode() Opcode { return 0x33 }

func (m *GameCancelled) fields(f *fields) { u32(f, &m.Game) }
