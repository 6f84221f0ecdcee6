package packets

// CreateClan asks to create a clan.
type CreateClan struct{ Clan string }

var _ = fromClient(&managerCommands, 22, command[CreateClan](), turn(1))

func (m *CreateClan) fields(f *fields) {
	constant(f, uint32(0), 32)
	f.restNUL(&m.Clan)
}

// RecruitToClan asks to take a player into the clan.
type RecruitToClan struct{ Player ObjectID }

var _ = fromClient(&managerCommands, 22, command[RecruitToClan](), turn(2))

func (m *RecruitToClan) fields(f *fields) {
	constant(f, uint8(4), 8)
	f.id24(&m.Player)
}

// LeaveClan asks to expel a member, or to leave.
type LeaveClan struct{ Name string } // of the member, or the own one

var _ = fromClient(&managerCommands, 22, command[LeaveClan](), turn(3))

func (m *LeaveClan) fields(f *fields) {
	constant(f, uint8(5), 8)
	f.restNUL(&m.Name)
}

// AcceptApplicant accepts who wants to join the clan. Recorded, not in the documents.
type AcceptApplicant struct{ Player ObjectID }

var _ = fromClient(&managerCommands, 22, command[AcceptApplicant](), turn(4))

func (m *AcceptApplicant) fields(f *fields) {
	constant(f, uint8(6), 8)
	f.id24(&m.Player)
}

// ChangeClanRank asks to change the rank of a member.
type ChangeClanRank struct {
	Rank uint8 // the new one, as in ClanMembership; recorded with 5, 7 and 8
	Name string
}

var _ = fromClient(&managerCommands, 22, command[ChangeClanRank](), turn(5))

func (m *ChangeClanRank) fields(f *fields) {
	constant(f, uint8(0x64), 8)
	num(f, &m.Rank, 8)
	f.restNUL(&m.Name)
}

// ClanCreated tells that the clan exists.
type ClanCreated struct{}

var _ = fromServer(&managerCommands, 22, command[ClanCreated](), turn(1))

func (*ClanCreated) fields(f *fields) { constant(f, uint8(1), 8) }

// ClanApplicant tells of a player who wants to join the clan. Recorded, not in the documents.
type ClanApplicant struct{ Player ObjectID }

var _ = fromServer(&managerCommands, 22, command[ClanApplicant](), turn(2))

func (m *ClanApplicant) fields(f *fields) {
	constant(f, uint8(4), 8)
	f.id24(&m.Player)
}

// ClanMembership tells a player its own clan and rank.
//
// Source: protocol ingame 16.2.
type ClanMembership struct {
	Rank uint8 // 0 senior, 1 seneschal, 2 vassal, 3 neophyte, 4 candidate, 5 expelled, 6 joined, 7 none
	Clan string
}

var _ = fromServer(&managerCommands, 22, command[ClanMembership](), turn(3))

func (m *ClanMembership) fields(f *fields) {
	num(f, &m.Rank, 8)
	f.restNUL(&m.Clan)
}

// ClanRequest is every other operation about a clan.
type ClanRequest struct {
	Operation uint8
	Data      []byte // layout unknown
}

var _ = eitherWay(&managerCommands, 22, command[ClanRequest](), turn(catchAll))

func (m *ClanRequest) fields(f *fields) {
	num(f, &m.Operation, 8)
	f.restBytes(&m.Data)
}

// ClanMember adds a member to the list.
type ClanMember struct {
	Rank   uint8 // as in ClanMembership
	Player ObjectID
	Name   string // without a NUL in the recordings
}

var _ = fromServer(&managerCommands, 23, command[ClanMember](), turn(1))

func (m *ClanMember) fields(f *fields) {
	constant(f, uint8(1), 8)
	num(f, &m.Rank, 8)
	f.id24(&m.Player)
	f.rest(&m.Name)
}

// ClanMemberRemoved takes a member from the list.
type ClanMemberRemoved struct{ Player ObjectID }

var _ = fromServer(&managerCommands, 23, command[ClanMemberRemoved](), turn(2))

func (m *ClanMemberRemoved) fields(f *fields) {
	constant(f, uint8(4), 8)
	f.id24(&m.Player)
}

// ClanMemberRank changes the rank of a member.
type ClanMemberRank struct {
	Rank   uint8 // the new one, as in ClanMembership
	Player ObjectID
}

var _ = fromServer(&managerCommands, 23, command[ClanMemberRank](), turn(3))

func (m *ClanMemberRank) fields(f *fields) {
	constant(f, uint8(5), 8)
	num(f, &m.Rank, 8)
	f.id24(&m.Player)
}

// ClanMemberRequest is every other operation about members.
type ClanMemberRequest struct {
	Operation uint8
	Data      []byte // layout unknown
}

var _ = eitherWay(&managerCommands, 23, command[ClanMemberRequest](), turn(catchAll))

func (m *ClanMemberRequest) fields(f *fields) {
	num(f, &m.Operation, 8)
	f.restBytes(&m.Data)
}

// ClanTag is the clan over another player.
type ClanTag struct {
	Rank uint8 // as in ClanMembership
	Clan string
}

var _ = fromServer(&tradeManCommands, 9, command[ClanTag]())

func (m *ClanTag) fields(f *fields) {
	num(f, &m.Rank, 8)
	f.restNUL(&m.Clan)
}

// AllianceValue follows joining a clan.
type AllianceValue struct{ Value uint32 } // 20, meaning unknown

var _ = fromServer(&managerCommands, 36, command[AllianceValue]())

func (m *AllianceValue) fields(f *fields) { num(f, &m.Value, 32) }
