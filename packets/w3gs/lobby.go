package w3gs

import "net/netip"

const always = Lobby | Loading | Playing

// The kinds of joining, leaving and getting ready.
var (
	_ = register[Ping]("ping", ToClient, always, 8, 8)
	_ = register[Pong]("pong", ToHost, always, 8, 8)
	_ = register[Join]("join", ToHost, Lobby, 37, MaxJoin)
	_ = register[Welcome]("welcome", ToClient, Lobby, 30+minSlotSize, 30+slotSize*maxSlots)
	_ = register[JoinRefused]("join refused", ToClient, Lobby, 8, 8)
	_ = register[Player]("player", ToClient, Lobby, 44, 44+MaxName+255)
	_ = register[SlotUpdate]("slots", ToClient, Lobby, 13+minSlotSize, 13+slotSize*maxSlots)
	_ = register[PlayerLeft]("player left", ToClient, always, 9, 9)
	_ = register[Leave]("leave", ToHost, always, 8, 8)
	_ = register[LeaveAccepted]("leave accepted", ToClient, always, 4, 4)
	_ = register[Kicked]("kicked", ToClient, always, 8, 8)
	_ = register[CountdownStarted]("countdown started", ToClient, Lobby, 4, 4)
	_ = register[CountdownEnded]("countdown ended", ToClient, Lobby, 4, 4)
	_ = register[Loaded]("I have loaded", ToHost, Loading, 4, 4)
	_ = register[PlayerLoaded]("player has loaded", ToClient, Loading, 5, 5)
)

// Ping is sent every 5 s in every phase, the first one right after a player has joined. A client leaves a lobby after
// about 90 s without one.
//
// Source: protocol w3gs 4.1.
type Ping struct {
	Clock uint32 // milliseconds of the host
}

// Opcode is 0x01.
func (*Ping) Opcode() Opcode { return 0x01 }

func (m *Ping) fields(f *fields) { u32(f, &m.Clock) }

// Pong answers a ping.
//
// Source: protocol w3gs 4.1.
type Pong struct {
	// Clock is that of the ping. The first pong of a client may carry 1 instead.
	Clock uint32
}

// Opcode is 0x46.
func (*Pong) Opcode() Opcode { return 0x46 }

func (m *Pong) fields(f *fields) { u32(f, &m.Clock) }

// Join asks to be let into a game. It is the first packet of a connection.
//
// Source: protocol w3gs 4.11.
type Join struct {
	Game     uint32 // host counter
	EntryKey uint32 // of the GameInfo
	Port     uint16 // on which the client itself listens
	Counter  uint32 // number of the client's joins, this one included
	Name     string // hosts refuse one that is empty or has more than 15 bytes
	// Extra are zeros: one, from 1.29 on two. Nil is written as one.
	Extra   []byte
	Address netip.AddrPort // of the client inside its network
}

// Opcode is 0x1E.
func (*Join) Opcode() Opcode { return 0x1E }

func (m *Join) fields(f *fields) {
	u32(f, &m.Game)
	u32(f, &m.EntryKey)
	f.zero8()
	u16(f, &m.Port)
	u32(f, &m.Counter)
	f.text(&m.Name, 0, MaxJoin)
	f.extra(&m.Extra)
	f.address(&m.Address)
}

// Welcome is the answer to a join that succeeds, and the first packet that a client is sent.
//
// Source: protocol w3gs 4.3.
type Welcome struct {
	SlotTable
	Player  PlayerID       // the receiver's own
	Address netip.AddrPort // of the receiver, as the host sees it
}

// Opcode is 0x04.
func (*Welcome) Opcode() Opcode { return 0x04 }

func (m *Welcome) fields(f *fields) {
	m.SlotTable.fields(f)
	u8(f, &m.Player)
	f.address(&m.Address)
}

// JoinRefused is the answer to a join that fails; the host closes the connection behind it.
//
// Source: protocol w3gs 4.4.
type JoinRefused struct {
	Reason Refusal
}

// Opcode is 0x05.
func (*JoinRefused) Opcode() Opcode { return 0x05 }

func (m *JoinRefused) fields(f *fields) { u32(f, &m.Reason) }

// Player introduces another player: a newcomer gets one for everybody who is there, and everybody gets one for the
// newcomer.
//
// Source: protocol w3gs 4.5.
type Player struct {
	Counter uint32 // of the player's joins; 2 is commonly written for all
	Player  PlayerID
	Name    string // 1 to 15 bytes
	Extra   []byte // one zero; nil is written so
	// Outside and Inside are where other clients can reach the player. None keeps them from trying.
	Outside, Inside netip.AddrPort
}

// UsualCounter is the join counter that hosts write for all players.
const UsualCounter = 2

// Opcode is 0x06.
func (*Player) Opcode() Opcode { return 0x06 }

func (m *Player) fields(f *fields) {
	u32(f, &m.Counter)
	u8(f, &m.Player)
	f.text(&m.Name, 1, MaxName)
	f.extra(&m.Extra)
	f.address(&m.Outside)
	f.address(&m.Inside)
}

// SlotUpdate tells everybody in the lobby when a slot has changed.
//
// Source: protocol w3gs 4.7.
type SlotUpdate struct {
	SlotTable
}

// Opcode is 0x09.
func (*SlotUpdate) Opcode() Opcode { return 0x09 }

func (m *SlotUpdate) fields(f *fields) { m.SlotTable.fields(f) }

// PlayerLeft tells everybody that somebody else is gone.
//
// Source: protocol w3gs 4.6.
type PlayerLeft struct {
	Player PlayerID
	Reason LeaveReason
}

// Opcode is 0x07.
func (*PlayerLeft) Opcode() Opcode { return 0x07 }

func (m *PlayerLeft) fields(f *fields) {
	u8(f, &m.Player)
	u32(f, &m.Reason)
}

// Leave is the last packet of a client that leaves in order. The host answers with LeaveAccepted and closes.
//
// Source: protocol w3gs 4.12.
type Leave struct {
	Reason LeaveReason
}

// Opcode is 0x21.
func (*Leave) Opcode() Opcode { return 0x21 }

func (m *Leave) fields(f *fields) { u32(f, &m.Reason) }

// LeaveAccepted answers Leave.
//
// Source: protocol w3gs 4.8.
type LeaveAccepted struct{}

// Opcode is 0x1B.
func (*LeaveAccepted) Opcode() Opcode { return 0x1B }

func (*LeaveAccepted) fields(*fields) {}

// Kicked tells a client that the host closes the connection, and why.
//
// Source: protocol w3gs 4.12.
type Kicked struct {
	Reason LeaveReason
}

// Opcode is 0x1C.
func (*Kicked) Opcode() Opcode { return 0x1C }

func (m *Kicked) fields(f *fields) { u32(f, &m.Reason) }

// CountdownStarted closes the lobby: nobody joins any more, nothing can be changed. Clients count 5 seconds.
//
// Source: protocol w3gs 4.8, 7.2.
type CountdownStarted struct{}

// Opcode is 0x0A.
func (*CountdownStarted) Opcode() Opcode { return 0x0A }

func (*CountdownStarted) fields(*fields) {}

// CountdownEnded makes all clients load the map.
//
// Source: protocol w3gs 4.8, 7.2.
type CountdownEnded struct{}

// Opcode is 0x0B.
func (*CountdownEnded) Opcode() Opcode { return 0x0B }

func (*CountdownEnded) fields(*fields) {}

// Loaded says that the sender has loaded the map.
//
// Source: protocol w3gs 4.8, 7.3.
type Loaded struct{}

// Opcode is 0x23.
func (*Loaded) Opcode() Opcode { return 0x23 }

func (*Loaded) fields(*fields) {}

// PlayerLoaded tells everybody, the player included, that a player has loaded the map.
//
// Source: protocol w3gs 4.6.
type PlayerLoaded struct {
	Player PlayerID
}

// Opcode is 0x08.
func (*PlayerLoaded) Opcode() Opcode { return 0x08 }

func (m *PlayerLoaded) fields(f *fields) { u8(f, &m.Player) }
