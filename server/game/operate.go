package game

import (
	"context"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/server/measure"
	"sphereserver/server/ops"
	"sphereserver/server/session"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// Operators' verbs on a running server, whichever way they come. The callers check rights, and keep the log.

// Disconnect tells a player why and ends the session of its account; it returns when its character is saved. Without
// a session there is nothing to do.
func (s *Server) Disconnect(ctx context.Context, account data.AccountID, why ops.Notice) error {
	s.show(account, why)
	return s.Manager.Disconnect(ctx, account, why.In(false))
}

// Announce says something to all players in the world, in the server's name.
func (s *Server) Announce(message string) { s.chat.Announce(message) }

// Tell says something to one player in the server's name; false says that the account is not in the world.
func (s *Server) Tell(account data.AccountID, n ops.Notice) bool {
	_, character := s.Online(account)
	if character != 0 {
		s.show(account, n)
	}
	return character != 0
}

// show says something to the player of an account, if it is in the world. The screens before it have no place for
// words.
func (s *Server) show(account data.AccountID, n ops.Notice) {
	s.onSession(account, func(of *session.Session) {
		if p, ok := of.Player().(*player); ok && p.InWorld() {
			p.Say(n.In(p.Russian))
		}
	})
}

// SetRole tells the session of an account, if it has one, of a role that has been stored.
func (s *Server) SetRole(account data.AccountID, r data.Role) {
	s.onSession(account, func(of *session.Session) {
		of.SetRole(r)
		switch p, ok := of.Player().(*player); {
		case !ok:
		case p.entrant != nil:
			p.entrant.Role = world.Role(r)
		default:
			s.world.Do(world.ChangeRole{ID: p.id(), Role: world.Role(r)})
		}
	})
}

// Kinds returns the catalogue of items that the server uses.
func (s *Server) Kinds() *content.Catalogue { return s.options.Catalogue }

// Missions returns the templates of missions. The slice is shared and not to be changed.
func (s *Server) Missions() []rules.MissionTemplate { return s.options.World.Missions }

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
