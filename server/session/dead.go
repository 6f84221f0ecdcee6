package session

import (
	"time"

	"sphereserver/packets"
)

// mournPeriod is how often the client of a dead player is answered that says no more where it is.
//
// Source: protocol fight 8.1.
const mournPeriod = 2 * time.Second

// SetDead says whether the player is dead. The client of a dead one says no more where it is; it is answered all the
// same, at once and then in each period, or it would report that there is no link.
func (s *Session) SetDead(dead bool) {
	s.dead = dead
	if dead && !s.mourning {
		s.mourning = true
		s.pingAnswered = s.loop.now - mournPeriod
		s.mourn()
	}
}

func (s *Session) mourn() {
	if !s.dead {
		s.mourning = false
		return
	}
	if s.loop.now-s.pingAnswered >= mournPeriod && s.lastPing.Player == s.ID() {
		s.pingAnswered = s.loop.now
		s.loop.begin(s)
		s.loop.out = packets.AppendPong(s.loop.out, s.lastPing, s.server.Clock())
	}
	s.loop.after(mournPeriod, s, (*Session).mourn)
}
