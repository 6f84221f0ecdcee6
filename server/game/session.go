package game

import (
	"log/slog"
	"net/netip"
	"sync/atomic"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/ratelimit"
	"sphereserver/server/transport"
	"sphereserver/server/view"
	"sphereserver/world"
)

// A Session is one connection and what it has become. It is touched on its loop only; work that takes time is done
// elsewhere and comes back by [Session.later].
type Session struct {
	server *Server
	loop   *loop
	conn   transport.Conn
	addr   netip.AddrPort
	index  packets.PlayerIndex

	state   State
	since   time.Duration // of the loop's time: when the state began
	heard   time.Duration // the last frame
	started time.Time

	deobfuscator packets.Deobfuscator
	classic      *packets.ClassicPong // of the classic dialect
	rate         ratelimit.Bucket
	dropped      int // frames above the rate, lately
	odd          int // messages out of place
	noted        uint32

	account    data.AccountID
	user       string // login
	role       data.Role
	language   Language
	characters [data.Slots]*data.Character // on the character screen
	busy       bool                        // the store works for this session
	playing    *data.Character
	entrant    *world.Player // that is going to enter the world, until it does
	values     [64]int32     // of it, by index
	books      books
	client     *view.Client
	acked      bool
	waiting    bool // for a better acknowledgement
	placed     bool // entered the world, which has to be left
	pinged     bool
	lastPing   coords.Position
	speech     speech
	groupRate  ratelimit.Bucket // of requests about groups
	mutedUntil time.Time        // may not say anything before
	standing
	bytesIn  uint64
	bytesOut uint64
	tap      tap // of a recording

	ending bool // end was called
	closed bool // the connection is gone
	reason Reason
	detail string

	// gone is set when the session is ending, for others than its loop: work for it would be in vain, and its account
	// will soon be free.
	gone atomic.Bool
	// entered is set when the player is in the world, for others than its loop.
	entered atomic.Bool
}

// An incoming is a frame that a handler is given.
type incoming struct {
	kind     message
	plain    []byte // valid during the call
	ping     packets.Ping
	body     *packets.Body     // of a gameplay frame that the grammar reads; valid during the call
	commands []receivedCommand // of the body, those that count; valid during the call
	request  request           // of the login phase
	asked    bool              // request is one for login or character screen
}

func (s *Session) id() packets.ObjectID { return s.index.ID() }

func (s *Session) player() world.PlayerID { return world.PlayerID(s.index) }

// log returns a logger that names the session.
func (s *Session) log() *slog.Logger {
	return s.server.options.Log.With("address", s.addr.String(), "player", s.index.String())
}

// become changes the state.
func (s *Session) become(next State) {
	s.server.options.Log.Debug("state", "address", s.addr.String(), "player", s.index.String(), "from", s.state.String(), "to", next.String())
	s.state, s.since = next, s.loop.now
}

// later runs do on the session's loop, unless the session has ended by then. It may be called from any goroutine.
func (s *Session) later(do func(*Session)) {
	if s.loop == nil {
		return // it only holds an account
	}
	_ = s.loop.at.Execute(func() { // a loop that has stopped has no sessions
		if !s.ending {
			s.loop.safely(s, do)
		}
		s.loop.flush()
	})
}

// send encodes a message into what gathers for this session.
func (s *Session) send(b *packets.Body) {
	l := s.loop
	l.begin(s)
	out, err := packets.AppendServer(l.out, b, s.server.options.Dialect)
	if err != nil {
		// A defect of ours, not of this client: it goes on without the message.
		s.log().Error("cannot encode", "error", err)
		return
	}
	l.out = out
}

// sendBytes adds frames that are encoded already.
func (s *Session) sendBytes(frames []byte) {
	s.loop.begin(s)
	s.loop.out = append(s.loop.out, frames...)
}

// end closes the session for a reason. What has gathered for it is still sent.
func (s *Session) end(r Reason, detail string) {
	if s.ending {
		return
	}
	s.ending = true
	s.gone.Store(true)
	s.reason, s.detail = r, detail
	if s.loop.outTo == s && r != SlowReader {
		s.loop.flush()
	}
	s.conn.Close()
}

// checkTimeout ends a session that has been in its state for too long.
func (s *Session) checkTimeout() {
	if s.ending {
		return
	}
	row := &machine[s.state]
	if row.timeout == nil {
		return
	}
	from := s.since
	if row.silence {
		from = max(from, s.heard)
	}
	if limit := row.timeout(&s.server.options.Timeouts); limit > 0 && s.loop.now-from >= limit {
		s.end(row.late, "")
	}
}

// note logs something once for each session and kind.
func (s *Session) note(kind uint, text string, args ...any) {
	if s.noted&(1<<kind) != 0 {
		return
	}
	s.noted |= 1 << kind
	s.log().Warn(text, append(args, "state", s.state.String())...)
}

// Kinds of notes; those of messages out of place begin at noteMessage.
const (
	noteChecksum = iota
	noteMask
	noteForeign
	notePosition
	noteUndecodable
	noteRate
	noteMessage
)

// Receive implements [Owner].
func (s *Session) Receive(b *view.Outbox) {
	if !s.ending {
		s.loop.safely(s, func(s *Session) { b.Empty(s) })
	}
}

// SendBytes implements [Owner].
func (s *Session) SendBytes(frames []byte) { s.sendBytes(frames) }

// Ending implements [Owner].
func (s *Session) Ending() bool { return s.ending }
