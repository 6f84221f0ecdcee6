package packets

// Tournaments, known from the client's scripts alone. Source: protocol life 1.3, 9.2.

// A Tournament is a command at a master of tournaments: command of 4 bits.
type Tournament struct{ Command Command }

var _ = region[Tournament](ClassTournament)

func (*Tournament) number() uint8      { return 37 }
func (m *Tournament) held() Command    { return m.Command }
func (m *Tournament) fields(f *fields) { tournamentCommands.walk(f, &m.Command, 4, 8) }

// HostageName is told of a hostage that is to be led out.
type HostageName struct{ Name string }

var _ = region[HostageName](ClassHostage)

func (*HostageName) number() uint8      { return 6 }
func (m *HostageName) fields(f *fields) { f.text(&m.Name, 4, 8) }

// FireworkValue is told of fireworks; meaning unknown.
type FireworkValue struct{ Value uint32 }

var _ = region[FireworkValue](ClassFirework, ClassFirework2)

func (*FireworkValue) number() uint8      { return 6 }
func (m *FireworkValue) fields(f *fields) { num(f, &m.Value, 32) }

// TournamentResult is the results of a player.
type TournamentResult struct {
	Stats   uint8
	Results uint8
	Name    string
	Rest    []byte
}

var _ = fromServer(&managerCommands, 57, func(m *TournamentResult, f *fields) {
	f.walk(&m.Stats, &m.Results)
	f.untilNUL(&m.Name)
	f.walk(&m.Rest)
})

// TournamentAction is something that a player has done.
type TournamentAction struct {
	Name   string
	Action uint8
	Value  []byte
}

var _ = fromServer(&managerCommands, 58, func(m *TournamentAction, f *fields) {
	f.untilNUL(&m.Name)
	f.walk(&m.Action, &m.Value)
})

// TournamentGroupState is the state of a group in a tournament; the credentials have one of zeros.
type TournamentGroupState struct{ Group, Kind, State uint8 }

var _ = fromServer(&managerCommands, 59,
	func(m *TournamentGroupState, f *fields) { f.walk(&m.Group, &m.Kind, &m.State) }, turn(1))

// TournamentGroupPlaces stands in the credentials, too.
type TournamentGroupPlaces struct {
	Group, Kind uint8
	Data        [16]byte // meaning unknown
}

var _ = fromServer(&managerCommands, 59, func(m *TournamentGroupPlaces, f *fields) {
	f.walk(&m.Group, &m.Kind)
	f.bytes(m.Data[:])
}, turn(2))

// TournamentCode is a code; meaning unknown.
type TournamentCode struct{ Code uint8 }

var _ = fromServer(&managerCommands, 60, func(m *TournamentCode, f *fields) { f.walk(&m.Code) })

// TournamentState is the state of a tournament and its kind.
type TournamentState struct {
	State uint8
	Kind  uint8
}

var _ = fromServer(&managerCommands, 61, func(m *TournamentState, f *fields) { f.walk(&m.State, &m.Kind) })

// TournamentShow shows the tournament.
type TournamentShow struct{ Data []byte }

var _ = fromServer(&managerCommands, 63, func(m *TournamentShow, f *fields) { f.walk(&m.Data) })

// TournamentListQuestion asks for the list.
type TournamentListQuestion struct{}

var _ = fromClient(&tournamentCommands, 1, func(*TournamentListQuestion, *fields) {})

// TournamentEnabled enables the master's window.
type TournamentEnabled struct{ Data []byte }

var _ = fromServer(&tournamentCommands, 2, func(m *TournamentEnabled, f *fields) { f.walk(&m.Data) })

// TournamentNames is the list: names of 20 bytes.
type TournamentNames struct{ Names []byte }

var _ = fromServer(&tournamentCommands, 3, func(m *TournamentNames, f *fields) { f.walk(&m.Names) })

// TournamentPrizeQuestion asks for the prizes.
type TournamentPrizeQuestion struct{}

var _ = fromClient(&tournamentCommands, 4, func(*TournamentPrizeQuestion, *fields) {})

// TournamentPrizes is the prizes.
type TournamentPrizes struct {
	First  uint8
	Second uint8
	Third  uint8
	Rest   []byte
}

var _ = fromServer(&tournamentCommands, 5,
	func(m *TournamentPrizes, f *fields) { f.walk(&m.First, &m.Second, &m.Third, &m.Rest) })

// TournamentStateQuestion asks for the state.
type TournamentStateQuestion struct{}

var _ = fromClient(&tournamentCommands, 6, func(*TournamentStateQuestion, *fields) {})

// TournamentApplication applies for a tournament.
type TournamentApplication struct{ Data [20]byte }

var _ = fromClient(&tournamentCommands, 7, func(m *TournamentApplication, f *fields) { f.bytes(m.Data[:]) })

// TournamentAnswer answers a [TournamentApplication].
type TournamentAnswer struct{ Value uint8 }

var _ = fromServer(&tournamentCommands, 8, func(m *TournamentAnswer, f *fields) { f.walk(&m.Value) })

// TournamentReady tells that the master is ready.
type TournamentReady struct{ Data []byte }

var _ = fromServer(&tournamentCommands, 9, func(m *TournamentReady, f *fields) { f.walk(&m.Data) })

// TournamentGroup registers a group.
type TournamentGroup struct {
	Number uint32
	One    uint8
	Kind   uint8
	Zero   uint8
}

var _ = fromClient(&tournamentCommands, 10,
	func(m *TournamentGroup, f *fields) { f.walk(&m.Number, &m.One, &m.Kind, &m.Zero) })

// TournamentGroupAnswer answers a [TournamentGroup].
type TournamentGroupAnswer struct{ Value uint8 }

var _ = fromServer(&tournamentCommands, 11, func(m *TournamentGroupAnswer, f *fields) { f.walk(&m.Value) })
