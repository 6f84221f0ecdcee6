package session

import (
	"fmt"
)

// A Reason is why a connection ended.
type Reason uint8

// The reasons. Each end of a session has one; they are counted, logged and kept for the last 10,000 sessions.
const (
	ReasonUnknown Reason = iota
	PeerClosed           // the client closed
	PeerLost             // the connection broke
	ServerStopping
	ServerFull       // no room for a connection
	AddressFull      // too many connections of one address
	AddressTooFast   // too many new connections of one address
	ServerTooFast    // too many new connections in all
	AddressBanned    // by an operator
	NotTheProtocol   // the stream cannot be cut into frames, or is no client of the game
	HandshakeTimeout // silent after the greeting
	LoginTimeout     // no login
	ScreenTimeout    // forgotten on the character screen
	EnteringTimeout  // never acknowledged the world
	Silent           // in the world, nothing heard
	LoginRefused     // wrong password, banned, already online
	LoginThrottled   // too many wrong passwords, or too many new accounts
	LoginsBusy       // the queue of logins is full
	Maintenance      // only operators, and logins that are named, get in
	CharacterDeleted // the protocol's answer to a deletion
	EmptySlot        // entering with a slot that holds nobody
	TooManyFrames    // above the rate for too long
	SlowReader       // owes too many bytes
	TakenOver        // by a newer login of the same account
	KickedByOperator // or banned, or changed
	StoreFailed      // the store could not do what the session needs
	WorldRefused     // the world did not admit the player
	SessionPanicked  // a defect of ours, recovered
	IndexesExhausted // all player indexes are in use
	MadeRoom         // had not logged in while others wanted the place
	reasons          // count
)

// ByClient reports whether a player can end its session by that whenever it likes, with its client or another one.
func (r Reason) ByClient() bool {
	switch r {
	case PeerClosed, PeerLost, Silent, NotTheProtocol, TooManyFrames, SlowReader, TakenOver:
		return true
	}
	return false
}

var reasonNames = [reasons]string{"unknown", "closed by client", "connection lost", "server stopping", "server full",
	"too many connections from address", "connecting too fast", "too many new connections", "address banned",
	"not the protocol", "handshake timeout",
	"login timeout", "character screen timeout", "entering timeout", "silent", "login refused", "too many attempts",
	"login queue full", "maintenance", "character deleted",
	"empty slot", "too many frames", "slow reader", "taken over", "kicked by operator", "store failed", "world refused",
	"session panicked", "no free player index", "made room"}

// settings are the keys of the configuration that a reason is about.
var settings = [reasons]string{ServerFull: "limits.max-connections", AddressFull: "limits.max-per-address",
	AddressTooFast: "limits.new-per-address", ServerTooFast: "limits.new-connections",
	HandshakeTimeout: "timeouts.handshake", LoginTimeout: "timeouts.login", ScreenTimeout: "timeouts.screen",
	EnteringTimeout: "timeouts.entering", Silent: "timeouts.silence", LoginsBusy: "limits.login-queue",
	TooManyFrames: "limits.frames-per-second", SlowReader: "limits.max-pending", MadeRoom: "limits.max-connections"}

// Setting is the key of the configuration that caused it, "" for none.
func (r Reason) Setting() string {
	if r < reasons {
		return settings[r]
	}
	return ""
}

// asTold is the reason as our own clients show it, with the setting.
func (r Reason) asTold() string {
	if setting := r.Setting(); setting != "" {
		return r.String() + " (" + setting + ")"
	}
	return r.String()
}

// String returns the reason as logs show it.
func (r Reason) String() string {
	if r < reasons {
		return reasonNames[r]
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}
