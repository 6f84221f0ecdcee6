package session

import (
	"math/rand/v2"
	"runtime/debug"
	"sync/atomic"
	"time"

	"sphereserver/packets"
	"sphereserver/packets/capture/recording"
	"sphereserver/server/transport"
	"sphereserver/server/view"
)

// A loop is this package's side of one transport loop: the sessions that live there, their timers, and the buffer
// that gathers the frames of one callback to one session, to leave in as few writes as possible. Everything in it is
// touched on its transport loop only.
type loop struct {
	server   *Manager
	at       transport.Loop
	sessions map[*Session]struct{}
	random   *rand.Rand

	// now is the time that timeouts are measured in. It goes by with real time, but never by more than maxStep at
	// once: a suspended process or a starved machine is not the clients' silence.
	now      time.Duration
	lastReal time.Time
	swept    time.Duration

	wheel   [wheelSlots]timerList
	slot    int
	turning bool   // the slot has just begun
	spare   *timer // finished timers, to be used again

	timers     int         // on the wheel
	empty      atomic.Bool // no session and no timer: the wheel stands still
	stoodStill bool        // until now

	out   []byte
	outTo *Session
	rooms *held         // for frames that wait, to be used again
	in    incoming      // the frame that is being handled
	frame packets.Frame // and its decoded form
	plain []byte        // of it, when it was obfuscated

	release *packets.Body // what frees a client's lock, with a clock and a player of its own each time

	posted atomic.Bool     // a turn of the wheel waits to run
	queue  *view.LoopQueue // of the world's goroutine
}

const (
	WheelPeriod = 50 * time.Millisecond
	wheelSlots  = 512
	maxStep     = time.Second

	// writeLimit is the most that is handed to the socket at once.
	//
	// Source: protocol session 1.1.
	writeLimit = 1460
)

// A timer is something that a session is to do.
type timer struct {
	session *Session
	turns   int // of the whole wheel that are still to go by
	do      func(*Session)
	next    *timer
}

// A timerList is timers in the order in which they were set.
type timerList struct{ first, last *timer }

func (q *timerList) add(t *timer) {
	if t.next = nil; q.first == nil {
		q.first = t
	} else {
		q.last.next = t
	}
	q.last = t
}

func newLoop(s *Manager, at transport.Loop, real time.Time) *loop {
	random := rand.New(rand.NewPCG(s.options.Seed, uint64(len(s.loops))))
	l := &loop{server: s, at: at, random: random, sessions: map[*Session]struct{}{}, lastReal: real}
	l.empty.Store(true)
	l.queue = s.clock.Queue(at.Execute, l.flush)
	l.release = packets.Message(0, 0, packets.ClassPlayer, &packets.Manager{Command: &packets.ReleaseUse{}})
	l.release.End = true
	return l
}

// after runs do on the loop when d has gone by, unless the session has ended by then: never sooner, and a period of
// the wheel later at most. Outside of a turn a part of the slot has gone by, nobody knows how much, and so it doesn't
// count: clients want the pauses of the login whole.
func (l *loop) after(d time.Duration, s *Session, do func(*Session)) {
	n := int((d + WheelPeriod - 1) / WheelPeriod)
	if !l.turning {
		n++
	}
	l.inSlots(max(1, n), s, do)
}

// inSlots runs do on the loop in the nth slot of the wheel after this one, unless the session has ended by then.
func (l *loop) inSlots(n int, s *Session, do func(*Session)) {
	t := l.spare
	if t == nil {
		t = new(timer)
	} else {
		l.spare = t.next
	}
	t.session, t.turns, t.do = s, (n-1)/wheelSlots, do
	l.timers++
	l.wheel[(l.slot+n)%wheelSlots].add(t)
}

// run calls the due timers in a slot of the wheel.
func (l *loop) run(slot int) {
	next := l.wheel[slot].first
	l.wheel[slot] = timerList{}
	for next != nil {
		t := next
		next = t.next
		if t.turns > 0 && !t.session.ending {
			t.turns--
			l.wheel[slot].add(t)
			continue
		}
		s, do := t.session, t.do
		*t, l.spare = timer{next: l.spare}, t
		l.timers--
		if !s.ending {
			l.safely(s, do)
		}
	}
}

// safely does something for a session outside of its transport callbacks. A panic, which is a defect of ours, ends
// that session; the loop's work for the others goes on.
func (l *loop) safely(s *Session, do func(*Session)) {
	defer func() {
		if v := recover(); v != nil {
			l.server.Panicked(s.conn, v, debug.Stack())
			s.conn.Close()
		}
	}()
	do(s)
}

// begin makes the buffer the session's, and begins it with the waiting frames.
func (l *loop) begin(s *Session) {
	if l.outTo != s {
		l.flush()
		l.outTo = s
	}
	if h := s.held; h != nil {
		s.held = nil
		l.out = append(l.out, h.frames...)
		h.frames, h.walks, h.next, l.rooms = h.frames[:0], false, l.rooms, h
	}
}

// held are frames that wait for the next thing that a session is sent.
type held struct {
	frames []byte
	walks  bool // there are walks among them, so that they do not wait for long
	next   *held
}

// hold is where frames wait for the next thing that a session is sent.
func (s *Session) hold() *held {
	if s.held == nil {
		l := s.loop
		h := l.rooms
		if h == nil {
			h = new(held)
		}
		l.rooms, h.next = h.next, nil
		s.held = h
	}
	return s.held
}

// heldAtMost is how long they wait. A client says where it is every two seconds, and so there is an answer to go out
// with.
//
// Source: protocol ingame 8.1.
const heldAtMost = 2 * time.Second

// walkSlots is how many slots of the wheel it waits at most where others walk: 0.4 s. The original told it no sooner
// than after two steps of the wire's clock.
//
// Source: protocol ingame 9.5.
const walkSlots = 8

// untilWalks is how many slots it is until a session is told where others walk. Each has its own slot of a few, so
// that thousands are not written to at once, and do not all have to read at once.
func (s *Session) untilWalks() int {
	n := (int(s.index) - s.loop.slot) % walkSlots
	if n <= 0 {
		n += walkSlots
	}
	return n
}

// flush hands the gathered frames to the socket. A client that owes too much already is cut off instead.
func (l *loop) flush() {
	s, out := l.outTo, l.out
	l.outTo, l.out = nil, l.out[:0]
	if s == nil || len(out) == 0 {
		return
	}
	if s.closed {
		return
	}
	// Frames sent at once are no debt, however many they are: the client has had no time to read it.
	if s.conn.Pending()+min(len(out), writeLimit) > l.server.options.Limits.Pending {
		s.End(SlowReader, "")
		return
	}
	for len(out) > 0 {
		piece := out[:min(len(out), writeLimit)]
		s.recorded(recording.Server, piece)
		s.bytesOut += uint64(len(piece))
		l.server.count.bytesOut.Add(uint64(len(piece)))
		s.conn.Write(piece)
		out = out[len(piece):]
	}
}

// Panicked logs a panic of a session. Its connection is closed, the others go on.
func (s *Manager) Panicked(c transport.Conn, value any, stack []byte) {
	s.count.panics.Add(1)
	addr := "before it was opened"
	if session, ok := c.Session().(*Session); ok {
		addr = session.addr.String()
		if !session.ending {
			session.ending = true
			session.gone.Store(true)
			session.reason = SessionPanicked
		}
		if session.loop.outTo == session {
			session.loop.outTo, session.loop.out = nil, session.loop.out[:0]
		}
	}
	s.options.Log.Error("session panicked", "address", addr, "panic", value, "stack", string(stack))
}
