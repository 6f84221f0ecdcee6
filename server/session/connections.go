package session

import (
	"context"
	"time"

	"sphereserver/world"
)

// A Connection has the figures of the connection of a player in the world.
type Connection struct {
	Player    world.PlayerID
	Address   string // with the port
	In, Out   uint64 // bytes
	RoundTrip time.Duration
	Known     bool // RoundTrip is
}

// roundTripper is a connection that knows how long the way to its peer takes.
type roundTripper interface {
	RoundTrip() (time.Duration, bool)
}

// connectionsAtOnce is how many sessions of a loop are asked in one go, so that players do not wait.
const connectionsAtOnce = 128

// Connections asks the sessions of all players in the world. most bounds how many of each loop are asked, in no order;
// 0 is no bound. It waits for the loops, or for ctx.
func (s *Manager) Connections(ctx context.Context, most int) ([]Connection, error) {
	loops := s.allLoops()
	answers := make(chan []Connection, len(loops))
	asked := 0
	for _, l := range loops {
		if l.at.Execute(func() {
			var sessions []*Session
			for session := range l.sessions {
				if most > 0 && len(sessions) >= most {
					break
				}
				if session.state == InWorld {
					sessions = append(sessions, session)
				}
			}
			l.connections(sessions, make([]Connection, 0, len(sessions)), answers)
		}) == nil {
			asked++
		}
	}
	var all []Connection
	for range asked {
		select {
		case some := <-answers:
			all = append(all, some...)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return all, nil
}

// connections asks some sessions, then yields to others and goes on.
func (l *loop) connections(sessions []*Session, found []Connection, answer chan<- []Connection) {
	for _, s := range sessions[:min(len(sessions), connectionsAtOnce)] {
		if s.closed {
			continue
		}
		c := Connection{Player: world.PlayerID(s.index), Address: s.addr.String(), In: s.bytesIn, Out: s.bytesOut}
		if r, ok := s.conn.(roundTripper); ok {
			c.RoundTrip, c.Known = r.RoundTrip()
		}
		found = append(found, c)
	}
	if rest := sessions[min(len(sessions), connectionsAtOnce):]; len(rest) == 0 ||
		l.at.Execute(func() { l.connections(rest, found, answer) }) != nil {
		answer <- found
	}
}
