package session

import (
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
)

// mournPeriod is how often the client of a dead player is answered that says no more where it is.
//
// Source: protocol fight 8.1.
const mournPeriod = 2 * time.Second

// mourning is that a player is dead.
type mourning struct {
	at       coords.Position
	answered time.Duration // of the loop's time
}

// Die says that the player is dead, at a place. Its client says no more where it is, and is answered all the same: at
// once, and then in each period. Otherwise it would report that there is no link.
func (s *Session) Die(at coords.Position) {
	m := &mourning{at: at, answered: s.loop.now - mournPeriod}
	s.mourning = m
	m.mourn(s)
}

// Live says that the player lives again.
func (s *Session) Live() { s.mourning = nil }

func (m *mourning) mourn(s *Session) {
	if s.mourning != m {
		return
	}
	if s.loop.now-m.answered >= mournPeriod {
		m.answered = s.loop.now
		s.loop.begin(s)
		s.loop.out = packets.AppendPong(s.loop.out, packets.Ping{Origin: m.at.Origin(), Player: s.ID()}, s.server.Clock())
	}
	s.loop.after(mournPeriod, s, m.mourn)
}
