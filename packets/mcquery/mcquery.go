// Package mcquery is the Minecraft Query protocol: a server browser asks a game server over UDP for its name, map,
// version and players. A handshake comes first and brings a token, which proves that whoever asks can receive at its
// address.
//
// Every message is a type whose fields are declared once, for reading and for writing. Texts are kept as the bytes that
// travel, and numbers in texts as those texts, so what was read is written as the same bytes again.
package mcquery

import "sphereserver/packets/internal/cursor"

// A Kind says what a message is about. Source: protocol minecraft-query 2.
type Kind byte

// The known kinds.
const (
	Handshake Kind = 9
	Status    Kind = 0
)

// SessionMask keeps the bits of a session number that every server copies into its answers. Others damage some of the
// rest. Source: protocol minecraft-query 6.
const SessionMask = 0x0F0F0F0F

// Lengths of requests in bytes. Source: protocol minecraft-query 2.
const (
	handshakeBytes = 7 // or more
	statusBytes    = 11
	fullBytes      = 15 // a status request of any other length is for the basic answer
	// HeaderBytes is the length of what precedes every answer's payload: its kind and session.
	HeaderBytes = 5
)

// A Damage is the place where a message stops to make sense.
type Damage = cursor.Damage
