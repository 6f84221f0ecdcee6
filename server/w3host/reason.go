package w3host

import (
	"fmt"
	"time"
)

// A Reason is why a connection ended.
type Reason uint8

// The reasons. Each end of a connection has one; they are counted, logged and kept for the last 1,000 connections.
const (
	ReasonUnknown  Reason = iota
	PeerClosed            // the client closed without a word
	PeerLost              // the connection broke
	HostStopping          // the host ends, or the operator has cancelled the game
	NoRoom                // too many connections that have not joined
	AddressFull           // the same from one address
	NeverJoined           // no join in time
	Refused               // the join
	NotTheProtocol        // bytes that no client of the game sends
	StrangePackets        // too many that are unknown or out of place
	TooManyPackets
	TooManyActions
	TooMuchChat
	TooManyAnswers // to pings or ticks that were not sent
	Left           // in order
	Kicked         // by the operator
	LacksMap       // and downloads are off
	NotReady       // no map, or no answer, in time
	NeverLoaded    // the map, in time
	OutOfStep      // the client's game differs from the others'
	TooFarBehind   // waited for in vain
	VotedOut       // by the waiting players
	Silent         // nothing heard
	SlowReader     // owes too many bytes, or takes none
	GameEnded
	GameBusy     // the game's queue is full
	GamePanicked // a defect of ours, recovered
	reasons      // count
)

var reasonNames = [reasons]string{"unknown", "closed by client", "connection lost", "host stopping",
	"too many connections",
	"too many connections from address", "never joined", "join refused", "not the protocol", "strange packets",
	"too many packets",
	"too many actions", "too much chat", "too many answers", "left", "kicked", "lacks the map", "not ready in time",
	"not loaded in time", "out of step", "too far behind", "voted out", "silent", "slow reader", "game ended", "game busy",
	"game panicked"}

// String returns the reason as logs show it.
func (r Reason) String() string {
	if r < reasons {
		return reasonNames[r]
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

// An end is the report of a connection that has ended.
type end struct {
	address string
	game    uint32 // host counter, if it came so far
	name    string // the same
	reason  Reason
	detail  string
	lasted  time.Duration
	in, out uint64 // bytes
}
