package session

import (
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
)

// mourning answers the client of a dead player from the place of the death.
type mourning struct {
	at    coords.Position
	every time.Duration
}

// Die says that the player is dead, at a place. Its client says no more where it is, and is answered all the same: at
// once, and then once every so long, on any message. Otherwise it would report that there is no link.
//
// Source: protocol fight 8.1.
func (s *Session) Die(at coords.Position, every time.Duration) {
	m := &mourning{at, every}
	s.mourning = m
	m.mourn(s)
}

// Dead reports whether the player is dead.
func (s *Session) Dead() bool { return s.mourning != nil }

// Live ends the state that [Session.Die] began.
func (s *Session) Live() { s.mourning = nil }

func (m *mourning) mourn(s *Session) {
	if s.mourning != m {
		return
	}
	s.loop.begin(s)
	s.loop.out = packets.AppendPong(s.loop.out, packets.Ping{Origin: m.at.Origin(), Player: s.ID()}, s.Clock())
	s.loop.after(m.every, s, m.mourn)
}
