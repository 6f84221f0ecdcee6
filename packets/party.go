package packets

// GroupMember adds a member to the list of the party.
type GroupMember struct {
	State  uint32 // 2 leader, 1 member
	Online uint32 // 1
	Name   string
}

var _ = fromServer(&managerCommands, 25, func(m *GroupMember, f *fields) {
	f.walk(opcode(6), &m.State, &m.Online)
	f.restEnded(&m.Name, true)
}, turn(1))

// GroupCandidate tells of a player that applied or was accepted.
type GroupCandidate struct {
	State uint32 // 0 applied, 1 accepted
	Name  string
}

var _ = fromServer(&managerCommands, 25, func(m *GroupCandidate, f *fields) {
	f.walk(opcode(12), &m.State)
	f.restEnded(&m.Name, true)
}, turn(2))

// GroupName is an operation about a player of the party.
type GroupName struct {
	Operation uint8 // of the client 1 apply, 2 accept, 3 kick; of the server 10 removed
	Name      string
}

var _ = eitherWay(&managerCommands, 25, func(m *GroupName, f *fields) {
	num(f, &m.Operation, 8)
	switch m.Operation {
	case 1, 2, 3, 10:
	default:
		f.fail("group operation %d has no name", m.Operation)
	}
	f.restNUL(&m.Name)
}, turn(3))

// GroupOperation is an operation about a party without a name. Source: protocol ingame 16.1.
type GroupOperation struct {
	// Operation of the client: 0 create, 4 leave, 7 remove me; of the server: 5 clear the list, 9 created, 11 you were
	// removed, 13 destroyed.
	Operation uint8
	Data      []byte // empty for these
}

var _ = eitherWay(&managerCommands, 25,
	func(m *GroupOperation, f *fields) { f.walk(&m.Operation, &m.Data) }, turn(catchAll))

// Invitation invites to a party. The client's command 50 accepts it and 51 declines it.
type Invitation struct {
	Token uint32 // comes back with the answer
	Name  string // of the player that invites
}

var _ = fromServer(&managerCommands, 46, func(m *Invitation, f *fields) {
	f.walk(&m.Token)
	f.restEnded(&m.Name, true)
})

// AllianceNotice is a notice about alliances without a name.
type AllianceNotice struct{ Operation uint8 }

var _ = fromServer(&managerCommands, 36, func(m *AllianceNotice, f *fields) { f.walk(&m.Operation) }, turn(1))

// AllianceRequest is about an alliance, a war or peace with a clan.
type AllianceRequest struct {
	Operation uint8
	Clan      string
}

var _ = eitherWay(&managerCommands, 36,
	func(m *AllianceRequest, f *fields) { f.walk(&m.Operation, &m.Clan) }, turn(catchAll))

// AllianceList is the allies of a clan. One without any follows joining a clan, as three zeros. Source: protocol life
// 1.3.
type AllianceList struct{ Allies []byte } // layout unknown

var _ = fromServer(&managerCommands, 36,
	func(m *AllianceList, f *fields) { f.walk(opcode(20), &m.Allies) }, turn(2))

// Console is a command of the client's console, and its arguments.
type Console struct {
	Command   string
	Arguments []byte
}

var _ = eitherWay(&managerCommands, 44, func(m *Console, f *fields) {
	f.untilNUL(&m.Command)
	f.walk(&m.Arguments)
})

// Unauthorised refuses a command of the console.
type Unauthorised struct{}

var _ = fromServer(&managerCommands, 45, func(*Unauthorised, *fields) {})

// InviteToGroup invites the player that is pointed at; its id comes last.
type InviteToGroup struct{ Data []byte }

var _ = fromClient(&managerCommands, 46, func(m *InviteToGroup, f *fields) { f.walk(&m.Data) })

// AcceptInvitation accepts an [Invitation].
type AcceptInvitation struct{ Token uint32 }

var _ = fromClient(&managerCommands, 50, func(m *AcceptInvitation, f *fields) { f.walk(&m.Token) })

// DeclineInvitation declines an [Invitation].
type DeclineInvitation struct{ Token uint32 }

var _ = fromClient(&managerCommands, 51, func(m *DeclineInvitation, f *fields) { f.walk(&m.Token) })

// ShownEffect is an effect on a player or person.
type ShownEffect struct{ Effect uint16 }

var _ = fromServer(&tradeManCommands, 5, func(m *ShownEffect, f *fields) { f.walk(&m.Effect) }, turn(1))

// ShownState is a state of a player or person; meaning unknown.
type ShownState struct{ Data [4]byte }

var _ = fromServer(&tradeManCommands, 5, func(m *ShownState, f *fields) { f.bytes(m.Data[:]) }, turn(2))

// ShownKarma is another player's type of karma; 5 clears the name of the clan.
type ShownKarma struct{ Karma uint8 }

var _ = fromServer(&tradeManCommands, 7, func(m *ShownKarma, f *fields) { f.walk(&m.Karma) }, turn(1))

// ShownLevels is another player's levels: known from the client's scripts, never recorded. Source: protocol ingame
// 4.3.
type ShownLevels struct {
	Title  uint8
	Degree uint8
}

var _ = fromServer(&tradeManCommands, 7, func(m *ShownLevels, f *fields) { f.walk(&m.Title, &m.Degree) }, turn(2))

// ShownClan is the name of another player's clan.
type ShownClan struct{ Clan string }

var _ = fromServer(&tradeManCommands, 7, func(m *ShownClan, f *fields) { f.walk(opcode(3), &m.Clan) }, turn(3))

// SpecialStates is four states of a player or person, as statistic 20.
type SpecialStates struct{ States uint32 }

var _ = fromServer(&tradeManCommands, 11, func(m *SpecialStates, f *fields) { f.walk(&m.States) })

// MovementLock keeps a player from moving, if it is not 0.
type MovementLock struct{ Value uint32 }

var _ = fromServer(&tradeManCommands, 13, func(m *MovementLock, f *fields) { f.walk(&m.Value) })

// EntryValue13 stands in an entry block; meaning unknown.
type EntryValue13 struct{ Data []byte }

var _ = fromServer(&extended13Commands, 2, func(m *EntryValue13, f *fields) { f.walk(&m.Data) })

// StillThere asks in a window if somebody is still there.
type StillThere struct{}

var _ = fromServer(&extended13Commands, 3, func(*StillThere, *fields) {})

// MutatorBook is a request at a book of mutators.
type MutatorBook struct {
	First  ObjectID
	Second ObjectID
	Value  uint8
}

var _ = fromClient(&extended13Commands, 5, func(m *MutatorBook, f *fields) { f.walk(&m.First, &m.Second, &m.Value) })

// SwordGlow is the glow of a sword.
type SwordGlow struct{ Data []byte }

var _ = fromServer(&extended14Commands, 1, func(m *SwordGlow, f *fields) { f.walk(&m.Data) })

// OverheadMark is the mark over a player's head.
type OverheadMark struct{ Mark uint8 }

var _ = fromServer(&extended14Commands, 2, func(m *OverheadMark, f *fields) { f.walk(&m.Mark) })
