package game

import (
	"context"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/catalogue"
	"sphereserver/packets"
	"sphereserver/server/measure"
	"sphereserver/server/ops"
	"sphereserver/world"
)

// What operators do to a running server, whichever way they come. Who may do it to whom, and what is written down of it, is the
// matter of those who call.

// Kick tells a player why and ends the session of his account; it returns when his character is saved. Without a session
// there is nothing to do.
func (s *Server) Kick(ctx context.Context, account data.AccountID, why string) error {
	if p := s.online.of(account); p != nil {
		p.session.later(func(session *Session) {
			if session.state == InWorld {
				session.tell(kickedText, why)
			}
		})
	}
	return s.Disconnect(ctx, account, why)
}

// Announce says something to all who are in the world, in the server's name.
func (s *Server) Announce(message string) {
	if message = cleanMessage(message); message != "" {
		s.world.Do(world.Broadcast{Text: message})
	}
}

// Message says something to one player in the server's name; false says that the account is not in the world.
func (s *Server) Message(account data.AccountID, message string) bool {
	p := s.online.of(account)
	if p == nil || s.viewOf(p) == nil {
		return false
	}
	message = cleanMessage(message)
	p.session.later(func(session *Session) {
		if session.state == InWorld {
			session.say(message)
		}
	})
	return true
}

// viewOf is the player of an account as the latest snapshot knows him, nil for nobody.
func (s *Server) viewOf(p *presence) *world.PlayerView {
	players := s.world.Snapshot().Players
	for i := range players {
		if players[i].ID == world.PlayerID(p.session.index) {
			return &players[i]
		}
	}
	return nil
}

// Kinds is the catalogue of things that the server uses.
func (s *Server) Kinds() *catalogue.Catalogue { return s.options.Catalogue }

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

// Stopping says that [Server.Stop] was called.
func (s *Server) Stopping() bool { return s.draining.Load() }

// A Connection is what there is to say of the connection of a player in the world.
type Connection struct {
	Player    world.PlayerID
	Account   data.AccountID
	Address   string // with the port
	Started   time.Time
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

// Connections asks the sessions of all players in the world. most bounds how many of each loop are asked, in no order; 0 is no
// bound. It waits for the loops, or for ctx.
func (s *Server) Connections(ctx context.Context, most int) ([]Connection, error) {
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

// connections asks some sessions, then lets others have their turn and goes on.
func (l *loop) connections(sessions []*Session, found []Connection, answer chan<- []Connection) {
	for _, s := range sessions[:min(len(sessions), connectionsAtOnce)] {
		if s.closed {
			continue
		}
		c := Connection{Player: s.player(), Account: s.account, Address: s.addr.String(), Started: s.started, In: s.bytesIn, Out: s.bytesOut}
		if r, ok := s.conn.(roundTripper); ok {
			c.RoundTrip, c.Known = r.RoundTrip()
		}
		found = append(found, c)
	}
	if rest := sessions[min(len(sessions), connectionsAtOnce):]; len(rest) == 0 || l.at.Execute(func() { l.connections(rest, found, answer) }) != nil {
		answer <- found
	}
}

// ChannelName is the name of the line's channel, as operators see it.
func (e ChatEntry) ChannelName() string { return channelName(e.Channel) }

// BeginRecording implements [ops.Recorder].
func (s *Server) BeginRecording(o ops.RecordingOrder) (ops.Recording, error) {
	r, err := s.StartRecording(RecordingOptions{Path: o.Path, All: o.All, Account: o.Login, Session: packets.PlayerIndex(o.Session),
		Anonymous: o.Anonymous, For: time.Duration(o.Seconds * float64(time.Second))})
	if err != nil {
		return ops.Recording{}, err
	}
	return r.State(), nil
}

// EndRecording implements [ops.Recorder].
func (s *Server) EndRecording() (ops.Recording, error) {
	r := s.Recording()
	if r == nil || !r.State().Running {
		return ops.Recording{}, ops.ErrNoRecording
	}
	_ = r.Stop() // the state says what went wrong
	return r.State(), nil
}

// LastRecording implements [ops.Recorder].
func (s *Server) LastRecording() (ops.Recording, bool) {
	r := s.Recording()
	if r == nil {
		return ops.Recording{}, false
	}
	return r.State(), true
}
