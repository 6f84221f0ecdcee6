// Package query makes a server known to server browsers: it answers the All-Seeing Eye and Minecraft Query protocols
// over UDP.
//
// Each protocol has one socket and one goroutine, which reads a datagram, decides, and answers; nothing of it is
// shared, so nothing is locked. Answers come from a [Source], never from the world itself. Sources of datagrams can
// be forged, so everything is bounded: the answers in all and for each source, their sizes, the memory about sources,
// and the datagrams that are looked at in a second. A refused datagram is counted by its reason and otherwise silent.
package query

import "time"

// Info has the facts that a server tells of itself. Nobody changes one, nor its parts, once it was given away. The
// zero value stands for a server that is not ready: nothing is answered then.
type Info struct {
	Name    string
	Version string
	Map     string
	Slots   int
	Port    uint16 // of the game
	Uptime  time.Duration
	Players []Player // all that are in the game, in a stable order
	Rules   []Rule   // told by the All-Seeing Eye only

	// HideNames hides each player, as [Options.HideNames] does, and may change from one answer to the next.
	HideNames bool
}

// A Player is a player of the game, as it is told.
type Player struct {
	Name   string
	Level  int
	Online time.Duration
}

// A Rule is a fact for which the protocol has no place of its own.
type Rule struct{ Key, Value string }

// A Source knows the server. It is asked for each datagram that may be answered, by one goroutine for each protocol
// at once, so it should only hand out prepared values.
type Source interface {
	Info() Info
}

func (i *Info) ready() bool { return i.Name != "" }
