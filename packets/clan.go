package packets

// CreateClan asks to create a clan: 32 zero bits, then the name in Windows-1251 and a NUL. Source: protocol ingame
// 16.2.
type CreateClan struct{ Clan string }

var _ = fromClient(&managerCommands, 22, func(m *CreateClan, f *fields) {
	constant(f, uint32(0), 32)
	f.restNUL(&m.Clan)
}, turn(1))

// RecruitToClan asks to take a player into the clan.
type RecruitToClan struct{ Player ObjectID }

var _ = fromClient(&managerCommands, 22, func(m *RecruitToClan, f *fields) { f.walk(opcode(4), &m.Player) }, turn(2))

// LeaveClan asks to expel a member, or to leave.
type LeaveClan struct{ Name string } // of the member, or the own one

var _ = fromClient(&managerCommands, 22, func(m *LeaveClan, f *fields) { f.walk(opcode(5), &m.Name) }, turn(3))

// AcceptApplicant accepts a player that wants to join the clan. Recorded, not in the documents.
type AcceptApplicant struct{ Player ObjectID }

var _ = fromClient(&managerCommands, 22, func(m *AcceptApplicant, f *fields) { f.walk(opcode(6), &m.Player) }, turn(4))

// ChangeClanRank asks to change the rank of a member.
type ChangeClanRank struct {
	Rank uint8 // the new one, as in ClanMembership; recorded with 5, 7 and 8
	Name string
}

var _ = fromClient(&managerCommands, 22,
	func(m *ChangeClanRank, f *fields) { f.walk(opcode(0x64), &m.Rank, &m.Name) }, turn(5))

// ClanCreated tells that the clan exists.
type ClanCreated struct{}

var _ = fromServer(&managerCommands, 22, func(_ *ClanCreated, f *fields) { f.walk(opcode(1)) }, turn(1))

// ClanApplicant tells of a player that wants to join the clan. Recorded, not in the documents.
type ClanApplicant struct{ Player ObjectID }

var _ = fromServer(&managerCommands, 22, func(m *ClanApplicant, f *fields) { f.walk(opcode(4), &m.Player) }, turn(2))

// ClanMembership tells a player its own clan and rank. Source: protocol ingame 16.2.
type ClanMembership struct {
	Rank uint8 // 0 senior, 1 seneschal, 2 vassal, 3 neophyte, 4 candidate, 5 expelled, 6 joined, 7 none
	Clan string
}

var _ = fromServer(&managerCommands, 22, func(m *ClanMembership, f *fields) { f.walk(&m.Rank, &m.Clan) }, turn(3))

// ClanRequest is every other operation about a clan; none is known.
type ClanRequest struct {
	Operation uint8
	Data      []byte // layout unknown
}

var _ = eitherWay(&managerCommands, 22,
	func(m *ClanRequest, f *fields) { f.walk(&m.Operation, &m.Data) }, turn(catchAll))

// ClanMember adds a member to the list of the client's own clan. Source: protocol ingame 16.2.
type ClanMember struct {
	Rank   uint8 // as in ClanMembership
	Player ObjectID
	Name   string // recorded without a NUL behind it; the documents have one
}

var _ = fromServer(&managerCommands, 23, func(m *ClanMember, f *fields) {
	f.walk(opcode(1), &m.Rank, &m.Player)
	f.restEnded(&m.Name, false)
}, turn(1))

// ClanMemberRemoved takes a member from the list.
type ClanMemberRemoved struct{ Player ObjectID }

var _ = fromServer(&managerCommands, 23,
	func(m *ClanMemberRemoved, f *fields) { f.walk(opcode(4), &m.Player) }, turn(2))

// ClanMemberRank changes the rank of a member.
type ClanMemberRank struct {
	Rank   uint8 // the new one, as in ClanMembership
	Player ObjectID
}

var _ = fromServer(&managerCommands, 23,
	func(m *ClanMemberRank, f *fields) { f.walk(opcode(5), &m.Rank, &m.Player) }, turn(3))

// ClanMemberRequest is every other operation about members. Source: protocol ingame 16.2.
type ClanMemberRequest struct {
	Operation uint8  // of the server 2 removes a member, 3 tells a state of one
	Data      []byte // layout unknown
}

var _ = eitherWay(&managerCommands, 23,
	func(m *ClanMemberRequest, f *fields) { f.walk(&m.Operation, &m.Data) }, turn(catchAll))

// ClanTag is the clan that another player's nameplate shows. Source: protocol ingame 4.3.
type ClanTag struct {
	Rank uint8  // as in ClanMembership: 5 takes the clan away, 6 is a new neophyte
	Clan string // 14 letters at the most, and then there is no room for its NUL
}

// Ranks of [ClanTag] and [ClanMembership]. The last two are only told, no member keeps them. Source: protocol ingame
// 16.2.
const (
	ClanSenior   = 0
	ClanNeophyte = 3
	ClanLeft     = 5
	ClanJoined   = 6
)

var _ = fromServer(&tradeManCommands, 9, func(m *ClanTag, f *fields) {
	f.walk(&m.Rank)
	f.restEnded(&m.Clan, true)
})
