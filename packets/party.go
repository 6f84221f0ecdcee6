package packets

// GroupMember adds a member to the list of the party.
type GroupMember struct {
	State  uint32 // 2 leader, 1 member
	Online uint32 // 1
	Name   string
}

var _ = fromServer(&managerCommands, 25,
	func(m *GroupMember, f *fields) { f.walk(opcode(6), &m.State, &m.Online, &m.Name) }, turn(1))

// GroupCandidate tells of a player that applied or was accepted.
type GroupCandidate struct {
	State uint32 // 0 applied, 1 accepted
	Name  string
}

var _ = fromServer(&managerCommands, 25,
	func(m *GroupCandidate, f *fields) { f.walk(opcode(12), &m.State, &m.Name) }, turn(2))

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

// Invitation invites to something that the client's command 50 accepts and 51 declines.
type Invitation struct {
	Token uint32 // meaning unknown
	Name  string
}

var _ = fromServer(&managerCommands, 46, func(m *Invitation, f *fields) { f.walk(&m.Token, &m.Name) })
