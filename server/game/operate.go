package game

import (
	"context"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/server/chat"
	"sphereserver/server/measure"
	"sphereserver/server/ops"
	"sphereserver/server/session"
	"sphereserver/world"
)

// What operators do to a running server, whichever way they come. Who may do it to whom, and what is written down of
// it, is the matter of those who call.

// Kick tells a player why and ends the session of his account; it returns when his character is saved. Without a
// session there is nothing to do.
func (s *Server) Kick(ctx context.Context, account data.AccountID, why string) error {
	s.onSession(account, func(of *session.Session) {
		if p, ok := of.Player().(*player); ok && p.InWorld() {
			p.Tell(text("Ваш сеанс прерван. %s", "Your session was ended. %s"), why)
		}
	})
	return s.Disconnect(ctx, account, why)
}

// Announce says something to all who are in the world, in the server's name.
func (s *Server) Announce(message string) { s.chat.Announce(message) }

// Message says something to one player in the server's name; false says that the account is not in the world.
func (s *Server) Message(account data.AccountID, message string) bool {
	p := s.Presence(account)
	if p == nil {
		return false
	}
	if _, in := s.viewOf(world.PlayerID(p.Session.Index())); !in {
		return false
	}
	message = chat.Clean(message)
	p.Session.Post(func(of *session.Session) {
		if of.State() == session.InWorld {
			of.Say(message)
		}
	})
	return true
}

// Kinds is the catalogue of items that the server uses.
func (s *Server) Kinds() *content.Catalogue { return s.options.Catalogue }

// Start is where new characters begin.
func (s *Server) Start() coords.Position { return s.options.Start }

// Command asks the world for something.
func (s *Server) Command(c world.Command) { s.world.Do(c) }

// NextEntityID is one for an object that is to be put into the world.
func (s *Server) NextEntityID() world.EntityID { return s.world.NextEntityID() }

// Operators does the verbs of operators in this server.
func (s *Server) Operators() *ops.Service { return s.ops }

// TickTimes is how long the world's ticks have taken.
func (s *Server) TickTimes() measure.Distribution { return s.count.tickTimes.Distribution() }

// SavesWaiting is how many characters and places are not on the disk yet.
func (s *Server) SavesWaiting() int { return s.saver.waiting() }
