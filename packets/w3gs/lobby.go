package w3gs

import "net/netip"

const always = Lobby | Loading | Playing

// The kinds of joining, leaving and getting ready, each with its section of protocol w3gs.
var (
	_ = register[Ping](0x01, "ping", ToClient, always, 8, 8)                                       // 4.1
	_ = register[Pong](0x46, "pong", ToHost, always, 8, 8)                                         // 4.1
	_ = register[Join](0x1E, "join", ToHost, Lobby, 37, MaxJoin)                                   // 4.11
	_ = register[Welcome](0x04, "welcome", ToClient, Lobby, 30+minSlotSize, 30+slotSize*maxSlots)  // 4.3
	_ = register[JoinRefused](0x05, "join refused", ToClient, Lobby, 8, 8)                         // 4.4
	_ = register[Player](0x06, "player", ToClient, Lobby, 44, 44+MaxName+255)                      // 4.5
	_ = register[SlotUpdate](0x09, "slots", ToClient, Lobby, 13+minSlotSize, 13+slotSize*maxSlots) // 4.7
	_ = register[PlayerLeft](0x07, "player left", ToClient, always, 9, 9)                          // 4.6
	_ = register[Leave](0x21, "leave", ToHost, always, 8, 8)                                       // 4.12
	_ = register[LeaveAccepted](0x1B, "leave accepted", ToClient, always, 4, 4)                    // 4.8
	_ = register[Kicked](0x1C, "kicked", ToClient, always, 8, 8)                                   // 4.12
	_ = register[CountdownStarted](0x0A, "countdown started", ToClient, Lobby, 4, 4)               // 4.8, 7.2
	_ = register[CountdownEnded](0x0B, "countdown ended", ToClient, Lobby, 4, 4)                   // 4.8, 7.2
	_ = register[Loaded](0x23, "I have loaded", ToHost, Loading, 4, 4)                             // 4.8, 7.3
	_ = register[PlayerLoaded](0x08, "player has loaded", ToClient, Loading, 5, 5)                 // 4.6
)

// Bare is a packet without fields.
type Bare struct{}

func (Bare) fields(*fields) {}

// Ping is sent every 5 s in every phase, the first one right after a player has joined. A client leaves a lobby after
// about 90 s without one.
type Ping struct{ Clock uint32 } // milliseconds of the host

func (m *Ping) fields(f *fields) { num(f, &m.Clock) }

// Pong answers a ping.
type Pong struct {
	// Clock is that of the ping. The first pong of a client may carry 1 instead.
	Clock uint32
}

func (m *Pong) fields(f *fields) { num(f, &m.Clock) }

// Join asks to be let into a game. It is the first packet of a connection.
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

func (m *Join) fields(f *fields) {
	num(f, &m.Game, &m.EntryKey)
	known[uint8](f, 0)
	num(f, &m.Port)
	num(f, &m.Counter)
	f.text(&m.Name, 0, MaxJoin)
	f.extra(&m.Extra)
	f.address(&m.Address)
}

// Welcome is the answer to a join that succeeds, and the first packet that a client is sent.
type Welcome struct {
	SlotTable
	Player  PlayerID       // the receiver's own
	Address netip.AddrPort // of the receiver, as the host sees it
}

func (m *Welcome) fields(f *fields) {
	m.SlotTable.fields(f)
	num(f, &m.Player)
	f.address(&m.Address)
}

// JoinRefused is the answer to a join that fails; the host closes the connection behind it.
type JoinRefused struct{ Reason Refusal }

func (m *JoinRefused) fields(f *fields) { num(f, &m.Reason) }

// Player introduces another player: a newcomer gets one for each player that is there, and each of them gets one for
// the newcomer.
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

func (m *Player) fields(f *fields) {
	num(f, &m.Counter)
	num(f, &m.Player)
	f.text(&m.Name, 1, MaxName)
	f.extra(&m.Extra)
	f.address(&m.Outside)
	f.address(&m.Inside)
}

// SlotUpdate tells all players in the lobby when a slot has changed.
type SlotUpdate struct{ SlotTable }

// PlayerLeft tells all players that another is gone.
type PlayerLeft struct {
	Player PlayerID
	Reason LeaveReason
}

func (m *PlayerLeft) fields(f *fields) {
	num(f, &m.Player)
	num(f, &m.Reason)
}

// Leave is the last packet of a client that leaves in order. The host answers with LeaveAccepted and closes.
type Leave struct{ Reason LeaveReason }

func (m *Leave) fields(f *fields) { num(f, &m.Reason) }

// LeaveAccepted answers Leave.
type LeaveAccepted struct{ Bare }

// Kicked tells a client that the host closes the connection, and why.
type Kicked struct{ Reason LeaveReason }

func (m *Kicked) fields(f *fields) { num(f, &m.Reason) }

// CountdownStarted closes the lobby: no player can join any more, nothing can be changed. Clients count 5 seconds.
type CountdownStarted struct{ Bare }

// CountdownEnded makes all clients load the map.
type CountdownEnded struct{ Bare }

// Loaded says that the sender has loaded the map.
type Loaded struct{ Bare }

// PlayerLoaded tells all players, the player included, that a player has loaded the map.
type PlayerLoaded struct{ Player PlayerID }

func (m *PlayerLoaded) fields(f *fields) { num(f, &m.Player) }
