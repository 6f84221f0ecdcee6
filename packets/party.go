package packets

// GroupMember adds a member to the list of the party.
type GroupMember struct {
	State  uint32 // 2 leader, 1 member
	Online uint32 // 1
	Name   string
}

var _ = fromServer(&managerCommands, 25, command[GroupMember](), turn(1))

func (m *GroupMember) fields(f *fields) {
	constant(f, uint8(6), 8)
	num(f, &m.State, 32)
	num(f, &m.Online, 32)
	f.restNUL(&m.Name)
}

// GroupCandidate tells of a player who applied or was accepted.
type GroupCandidate struct {
	State uint32 // 0 applied, 1 accepted
	Name  string
}

var _ = fromServer(&managerCommands, 25, command[GroupCandidate](), turn(2))

func (m *GroupCandidate) fields(f *fields) {
	constant(f, uint8(12), 8)
	num(f, &m.State, 32)
	f.restNUL(&m.Name)
}

// GroupName is an operation about a player of the party.
type GroupName struct {
	Operation uint8 // of the client 1 apply, 2 accept, 3 kick; of the server 10 removed
	Name      string
}

var _ = eitherWay(&managerCommands, 25, command[GroupName](), turn(3))

func (m *GroupName) fields(f *fields) {
	num(f, &m.Operation, 8)
	switch m.Operation {
	case 1, 2, 3, 10:
	default:
		f.fail("group operation %d has no name", m.Operation)
	}
	f.restNUL(&m.Name)
}

// GroupOperation is an operation about a party without a name.
//
// Source: protocol ingame 16.1.
type GroupOperation struct {
	// Operation of the client: 0 create, 4 leave, 7 remove me; of the server: 5 clear the list, 9 created, 11 you were
	// removed, 13 destroyed.
	Operation uint8
	Data      []byte // empty for these
}

var _ = eitherWay(&managerCommands, 25, command[GroupOperation](), turn(catchAll))

func (m *GroupOperation) fields(f *fields) {
	num(f, &m.Operation, 8)
	f.restBytes(&m.Data)
}

// Invitation invites to something that the client's command 50 accepts and 51 declines.
type Invitation struct {
	Token uint32 // meaning unknown
	Name  string
}

var _ = fromServer(&managerCommands, 46, command[Invitation]())

func (m *Invitation) fields(f *fields) {
	num(f, &m.Token, 32)
	f.restNUL(&m.Name)
}
