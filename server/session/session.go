// Package session has the connections of the game: it leads each client from its greeting through login and character
// screen into the world, and ends its session.
//
// A [Session] belongs to one event loop of package transport. Its methods are called there, except those that say
// that any goroutine may call them: [Session.Post], [Session.Gone], [Session.Release], [Session.Unchosen], and those
// of values that never change ([Session.Index], [Session.ID], [Session.Queue]). It plays a [Player] in the world,
// with methods that are called on the same loop. Work that waits for the store is done by [Session.Go] and comes back
// by [Session.Post].
package session

import (
	"context"
	"log/slog"
	"net/netip"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/ratelimit"
	"sphereserver/server/transport"
	"sphereserver/server/view"
)

// A Session is one connection and its state. It is touched on its loop only; work that takes time is done elsewhere
// and comes back by [Session.Post].
type Session struct {
	// What a position message reads and writes stands first, in three lines of the processor's caches: with thousands of
	// sessions each of them comes from memory.
	server       *Manager
	loop         *loop
	conn         transport.Conn
	player       Player               // of playing
	held         *held                // nil: nothing waits
	classic      *packets.ClassicPong // of the classic dialect
	heard        time.Duration        // of the loop's time: the last frame
	keptAlive    time.Duration        // the last keepalive that was sent by itself
	deobfuscator packets.Deobfuscator
	rate         ratelimit.Bucket
	bytesIn      uint64
	bytesOut     uint64
	dropped      int // frames above the rate, lately
	index        packets.PlayerIndex
	generation   generation
	state        State
	busy         bool // the store works for this session
	acked        bool
	waiting      bool // for a better acknowledgement
	ending       bool // End was called
	closed       bool // the connection is gone
	reason       Reason
	noted        uint32
	// gone is set when the session is ending, for others than its loop: work for it would be in vain, and its account
	// will soon be free.
	gone atomic.Bool

	addr    netip.AddrPort
	guest   guest
	since   time.Duration // of the loop's time: when the state began
	started time.Time

	unexpected int // messages out of place
	unknown    int // requests of unknown forms that were kept

	account    data.AccountID
	user       string // login
	record     Record
	early      []func(*Record)             // changes of it that have come before
	characters [data.Slots]*data.Character // on the character screen
	playing    *data.Playing
	loading    loadLock
	mourning   *mourning // nil while the player lives
	tap        tap       // of a recording

	detail string // of reason
}

// ID is the id by which all clients know the player.
func (s *Session) ID() packets.ObjectID { return s.index.ID() }

// Log returns a logger that names the session.
func (s *Session) Log() *slog.Logger {
	return s.server.options.Log.With("address", s.addr.String(), "player", s.index.String())
}

// Index is the player's index.
func (s *Session) Index() packets.PlayerIndex { return s.index }

// Account is the session's account, 0 before the login.
func (s *Session) Account() data.AccountID { return s.account }

// Login is the login of the account.
func (s *Session) Login() string { return s.user }

// Role is the role of the account.
func (s *Session) Role() data.Role { return s.record.Role }

// Reason is why the session has ended.
func (s *Session) Reason() Reason { return s.reason }

// Character is the one that was chosen, nil before.
func (s *Session) Character() *data.Playing { return s.playing }

// A Record is the part of an account that its session keeps, as read at the login, with later changes.
type Record struct {
	Role     data.Role
	Language string // as in [data.Account]
	Dialect  string // of the client that was used last
	Mute     *data.Mute
}

// Record is the session's record of its account.
func (s *Session) Record() *Record { return &s.record }

// SetMute notes a mute that has been stored; the zero mute ends one.
func (s *Session) SetMute(m data.Mute) {
	s.change(func(a *Record) {
		a.Mute = nil
		if !m.At.IsZero() {
			a.Mute = &m
		}
	})
}

// SetRole notes a role that has been stored.
func (s *Session) SetRole(r data.Role) { s.change(func(a *Record) { a.Role = r }) }

// change changes the session's record of its account, if need be once the login brings it: that may have been read
// before the change was stored.
func (s *Session) change(do func(*Record)) {
	if s.account == 0 {
		s.early = append(s.early, do)
		return
	}
	do(&s.record)
}

// Player is the player behind the session, nil before a character is chosen.
func (s *Session) Player() Player { return s.player }

// State is how far the session has come.
func (s *Session) State() State { return s.state }

// Now is the time of the session's loop, in which its timeouts are measured.
func (s *Session) Now() time.Duration { return s.loop.now }

// Real is the time of day at the last turn of the loop.
func (s *Session) Real() time.Time { return s.loop.lastReal }

// Queue is the session's loop as the world's goroutine knows it.
func (s *Session) Queue() *view.LoopQueue { return s.loop.queue }

// Clock is the wire's clock for a message that leaves now.
func (s *Session) Clock() uint16 { return s.loop.queue.Now() }

// After calls a function on the loop when d has gone by, unless the session has ended by then.
func (s *Session) After(d time.Duration, do func()) { s.loop.after(d, s, func(*Session) { do() }) }

// Gone reports whether the session is ending, so that work for it is in vain, and its account will soon be free. Any
// goroutine may ask.
func (s *Session) Gone() bool { return s.gone.Load() }

// Release frees the session's claims, when its character is saved. Any goroutine may call it.
func (s *Session) Release() { s.server.release(s) }

// Unchosen does something while the session cannot choose a character, nor another session after its end; false says
// that it has chosen that one already, or that its account is free again. It may be called from any goroutine but a
// loop, once the session has come to the character screen.
func (s *Session) Unchosen(id data.CharacterID, do func()) bool {
	s.loading.mu.Lock()
	defer s.loading.mu.Unlock()
	if s.loading.chosen == id || !s.server.online.keep(s.account, s) {
		return false
	}
	defer s.server.online.release(s.account, s)
	do()
	return true
}

// setState changes the state.
func (s *Session) setState(next State) {
	s.server.options.Log.Debug("state", "address", s.addr.String(), "player", s.index.String(), "from", s.state.String(),
		"to", next.String())
	s.state, s.since = next, s.loop.now
}

// Post runs do on the session's loop, unless the session has ended by then. It may be called from any goroutine.
func (s *Session) Post(do func(*Session)) {
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

// Send encodes a message into the buffer of this session.
func (s *Session) Send(b *packets.Body) {
	l := s.loop
	l.begin(s)
	out, err := packets.AppendServer(l.out, b, s.generation.dialect)
	if err != nil {
		// A defect of ours, not of this client: it goes on without the message.
		s.Log().Error("cannot encode", "error", err)
		return
	}
	l.out = out
}

// SendSoon sends a message before the next one, and within two seconds: for repeated messages that are not worth a
// write of their own.
func (s *Session) SendSoon(b *packets.Body) {
	l := s.loop
	if l.outTo == s && len(l.out) > 0 {
		s.Send(b)
		return
	}
	if s.held == nil {
		l.inSlots(int(heldAtMost/WheelPeriod), s, (*Session).sendHeld)
	}
	h := s.hold()
	out, err := packets.AppendServer(h.frames, b, s.generation.dialect)
	if err != nil {
		s.Log().Error("cannot encode", "error", err) // as in Send
		return
	}
	h.frames = out
}

// SendBytesSoon adds whole frames that are encoded already before the next thing that is sent, and within 0.4 s.
func (s *Session) SendBytesSoon(frames []byte) {
	if s.loop.outTo == s && len(s.loop.out) > 0 {
		s.SendBytes(frames)
		return
	}
	h := s.hold()
	h.frames = append(h.frames, frames...)
	if !h.walks {
		h.walks = true
		s.loop.inSlots(s.untilWalks(), s, (*Session).sendHeld)
	}
}

func (s *Session) sendHeld() { s.loop.begin(s) }

// SendBytes adds whole frames that are encoded already.
func (s *Session) SendBytes(frames []byte) {
	s.loop.begin(s)
	s.loop.out = append(s.loop.out, frames...)
}

// End closes the session for a reason. Its gathered frames are still sent.
func (s *Session) End(r Reason, detail string) {
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

// warnOnce logs something once for each session and kind.
func (s *Session) warnOnce(kind uint, text string, args ...any) {
	if s.first(kind) {
		s.Log().Warn(text, append(args, "state", s.state.String())...)
	}
}

// first reports whether a note of a kind is the first of this session.
func (s *Session) first(kind uint) bool {
	before := s.noted
	s.noted |= 1 << kind
	return s.noted != before
}

// Kinds of notes; notes of messages out of place begin at noteMessage.
const (
	noteChecksum = iota
	noteMask
	noteForeign
	notePosition
	noteUndecodable
	noteRate
	noteRefused
	noteGeneration
	noteSwap
	noteMessage
)

// Receive implements [view.Owner].
func (s *Session) Receive(b *view.Outbox) {
	if s.ending {
		return
	}
	s.loop.safely(s, func(s *Session) { b.Empty(s) })
	s.tellDebt()
}

// Ending implements [view.Owner].
func (s *Session) Ending() bool { return s.ending }

// A loadLock keeps an operator from changing a character in the store while a session reads it to enter.
type loadLock struct {
	mu     sync.Mutex
	chosen data.CharacterID // its belongings have been read
}

// guarded runs work outside of the loop with the same promise: a panic ends one session, not the server.
func (s *Session) guarded(work func()) {
	defer func() {
		if v := recover(); v != nil {
			s.server.count.panics.Add(1)
			s.Log().Error("work for a session panicked", "panic", v, "stack", string(debug.Stack()))
			s.Post(func(s *Session) { s.End(SessionPanicked, "") })
		}
	}()
	work()
}

// storeTimeout is how long a request of the character screen may take before it is given up.
const storeTimeout = 20 * time.Second

// Say shows a text to the player, in as many lines as it needs.
func (s *Session) Say(text string) {
	for _, line := range view.SystemLines(text) {
		s.Send(packets.Message(s.Clock(), s.ID(), packets.ClassPlayer, view.SystemMessage(line)))
	}
}

// SayOwn shows a text that the client has to the player, with a number if there is a place for one in it.
func (s *Session) SayOwn(text view.TextNumber, number int16) {
	s.Send(packets.Message(s.Clock(), s.ID(), packets.ClassPlayer, view.OwnText(text, number)))
}

// FirstHelp opens a page of the client's first help.
func (s *Session) FirstHelp(page int) {
	s.Send(packets.Message(s.Clock(), s.ID(), packets.ClassPlayer,
		&packets.Manager{Command: &packets.FirstHelp{Page: uint32(page)}}))
}

// Go runs work on a goroutine of its own. A panic in it ends the session, not the server.
func (s *Session) Go(work func(ctx context.Context)) {
	s.server.Go(func(ctx context.Context) {
		s.guarded(func() {
			ctx, cancel := context.WithTimeout(ctx, storeTimeout)
			defer cancel()
			work(ctx)
		})
	})
}
