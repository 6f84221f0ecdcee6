// Package w3gs is the protocol of Warcraft III games on a local network: the UDP packets by which games are found,
// and the TCP packets of lobby, loading and play, in both directions. It knows no socket.
//
// A message declares its fields once, in a method that reads and writes them (see [Message]), so decoding and
// encoding are exact inverses. All that is known of a message before any exists stands in the registry (see [Kind]).
//
//	mark 0xF7 ── opcode ── length (uint16, of the whole packet) ── fields, little-endian
//
// [Cut] takes packets off a TCP stream; a datagram is one packet. [Decode] reads a packet, [Append] writes one.
package w3gs

import "fmt"

// Mark is the first byte of every packet. Source: protocol w3gs 1.1.
const Mark = 0xF7

// Lengths of packets in bytes, the header included. Source: protocol w3gs 1.1, 4.11, 8.
const (
	HeaderSize    = 4
	MaxPacket     = 0xFFFF
	MaxFromClient = 2048 // the most that a host reads of a client
	MaxJoin       = 128
)

// DefaultPort is where games are searched for, and where most are hosted.
const DefaultPort = 6112

// A Product is the game that a program plays: four characters, first character highest. Source: protocol w3gs 1.3.
type Product uint32

// The products.
const (
	FrozenThrone  Product = 'W'<<24 | '3'<<16 | 'X'<<8 | 'P'
	ReignOfChaos  Product = 'W'<<24 | 'A'<<16 | 'R'<<8 | '3'
	Demonstration Product = 'W'<<24 | '3'<<16 | 'D'<<8 | 'M'
)

// String returns the four characters.
func (p Product) String() string {
	return fmt.Sprintf("%c%c%c%c", byte(p>>24), byte(p>>16), byte(p>>8), byte(p))
}

// Title returns the name that players know the product by.
func (p Product) Title() string {
	title, ok := map[Product]string{FrozenThrone: "The Frozen Throne", ReignOfChaos: "Reign of Chaos",
		Demonstration: "demo"}[p]
	if !ok {
		return fmt.Sprintf("product %q", p.String())
	}
	return title
}

// A Version is the minor version of a game: 26 for 1.26, from 1.32 on 10000 and more. Source: protocol w3gs 1.3.
type Version uint32

// String returns the version as players know it.
func (v Version) String() string {
	if v > 10000 {
		v -= 10000
	}
	return fmt.Sprintf("1.%02d", uint32(v))
}

// MaxSlots is the most slots, teams, colours and players that a game of this version can have.
// Source: protocol w3gs 1.4, 11.
func (v Version) MaxSlots() int {
	if v >= 29 {
		return maxSlots
	}
	return 12
}

// ObserverTeam is the team of observers, and their colour. Source: protocol w3gs 4.2.
func (v Version) ObserverTeam() uint8 { return uint8(v.MaxSlots()) }

// maxSlots is the most of all versions.
const maxSlots = 24

// A PlayerID is a player of one game: 1 to 12, from 1.29 on to 24. 0 is none, or a computer. Source: protocol w3gs
// 1.4.
type PlayerID uint8

// A LeaveReason is why a player has left. Others than these occur and are passed on as they are.
// Source: protocol w3gs 4.6.
type LeaveReason uint32

// The known reasons.
const (
	LeftDisconnected LeaveReason = 1
	LeftLost         LeaveReason = 7 // also: out of step with the others
	LeftLostAll      LeaveReason = 8
	LeftWon          LeaveReason = 9
	LeftDraw         LeaveReason = 10
	LeftObserver     LeaveReason = 11
	LeftLobby        LeaveReason = 13
)

// A Refusal is why a join was refused. Source: protocol w3gs 4.4.
type Refusal uint32

// The refusals.
const (
	RefusedInvalid  Refusal = 7 // wrong key or game, or a name that cannot be
	RefusedFull     Refusal = 9
	RefusedStarted  Refusal = 10
	RefusedWrongKey Refusal = 27
)

// Names are 1 to MaxName bytes long.
const (
	MaxName     = 15 // of players
	MaxGameName = 31
)
