package session

import (
	"context"

	"sphereserver/packets"
)

// Clients of two generations differ in their messages about objects. A client shows its generation only when it does
// something with an object; before, it is taken for the one that its account used last, or else for the one of most
// accounts of this server.

// A generation is the generation of a session's client.
type generation struct {
	dialect packets.Dialect
	known   bool // the client has shown it
}

// Dialect is the dialect in which the client is addressed.
func (s *Session) Dialect() packets.Dialect { return s.generation.dialect }

// guesses reports whether the server finds out by itself of which generation clients are. The article's bytes are never
// found out: they are asked for.
func (g Generation) guesses() bool { return g.Auto && g.Dialect != packets.Classic }

// takeFor takes the client for one of the generation that its account used last, if it is known.
func (s *Session) takeFor(last string) {
	if !s.server.options.guesses() {
		return
	}
	if d, err := packets.ParseDialect(last); err == nil {
		s.generation.dialect = d
		return
	}
	s.generation.dialect = s.server.usualDialect()
}

// usualDialect is the dialect that unknown clients are taken for.
func (s *Manager) usualDialect() packets.Dialect {
	usual := s.options.Dialect
	for d := range packets.Classic {
		if s.users[d].Load() > s.users[usual].Load() {
			usual = d
		}
	}
	return usual
}

// countUsers adds to the accounts with a dialect; it may be none.
func (s *Manager) countUsers(dialect string, n int) {
	if d, err := packets.ParseDialect(dialect); err == nil {
		s.users[d].Add(int64(n))
	}
}

// recognise looks whether a frame shows of which generation the client is; true says that it is of another one than it
// was taken for, so that the frame is to be read again.
func (s *Session) recognise(plain []byte, body *packets.Body) bool {
	g := &s.generation
	if g.known || !s.server.options.guesses() || s.account == 0 || body == nil || !body.AboutObjects() {
		return false
	}
	readings := packets.Readings(plain)
	if len(readings) != 1 {
		if len(readings) == 0 {
			s.warnOnce(noteGeneration, "cannot tell the client's generation by this frame: set dialect if things look wrong",
				"taken for", g.dialect.String())
		}
		return false
	}
	was := g.dialect
	g.dialect, g.known = readings[0], true
	if name, account := g.dialect.String(), s.account; name != s.record.Dialect {
		s.server.countUsers(s.record.Dialect, -1)
		s.server.countUsers(name, 1)
		s.record.Dialect = name
		s.Go(func(ctx context.Context) {
			if err := s.server.options.Store.SetDialect(ctx, account, name); err != nil {
				s.Log().Warn("cannot note the client's generation", "error", err)
			}
		})
	}
	if g.dialect == was {
		return false
	}
	s.Log().Info("the client is of another generation than it was taken for", "login", s.user, "is", g.dialect.String(),
		"taken for", was.String())
	if s.player != nil {
		s.player.Recognised(g.dialect)
	}
	return true
}
