package w3host

import (
	"fmt"
	"log/slog"
	"net/netip"
	"testing"
	"time"

	"sphereserver/packets/w3gs"
	"sphereserver/server/ratelimit"
)

// A stage is a game without sockets and without a clock of its own: tests move both.
type stage struct {
	t         *testing.T
	g         *game
	host      Options
	guests    []*guest
	announced []w3gs.Message
	rate      ratelimit.Bucket // of downloads
}

func (s *stage) announce(m w3gs.Message) { s.announced = append(s.announced, m) }

func (s *stage) mayDownload(n int) bool {
	rate := float64(s.host.DownloadRate)
	return s.rate.Take(s.g.now, float64(n), rate, max(rate/8, 2*w3gs.MaxMapData))
}

const (
	testKey  = 0x1234ABCD
	testSeed = 0x01020304
)

// testMap is a map that nobody has to have.
func testMap() Map {
	return Map{Path: `Maps\Test\(2)Tiny.w3x`, Size: 4096, CRC: 0xCAFEBABE, Check: 0xDEADBEEF, Width: 64, Height: 64}
}

// testOptions are the options of a host with one game of n open slots that starts when it is told to.
func testOptions(n int) Options {
	o := DefaultOptions()
	o.Listen = "127.0.0.1:0"
	o.Games = []GameOptions{{Name: "test game", Host: "Sphere", Map: testMap(), Slots: OpenSlots(n, n, o.Version),
		Starts:   n,
		Settings: w3gs.UsualSettings, Flags: w3gs.CustomGame, StartWhen: StartNever}}
	return o
}

// newStage makes a game of n open slots, with some changes to its options.
func newStage(t *testing.T, n int, change func(*Options, *GameOptions)) *stage {
	t.Helper()
	s := &stage{t: t, host: testOptions(n)}
	s.host.Log = slog.New(slog.DiscardHandler)
	if change != nil {
		change(&s.host, &s.host.Games[0])
	}
	if err := s.host.Check(); err != nil {
		t.Fatal(err)
	}
	s.g = newGame(&s.host, &s.host.Games[0], 1, testKey, testSeed, s)
	s.g.create()
	return s
}

// A guest is a connection of the stage with a client at its other end.
type guest struct {
	*aiClient
	s      *stage
	p      *player
	log    []event // packets to it
	closed bool
	late   time.Duration // answers wait so long
	due    []event
}

// An event is a message at a time.
type event struct {
	at time.Duration
	m  w3gs.Message
}

// connect makes a connection that has sent nothing yet.
func (s *stage) connect(name string) *guest {
	n := len(s.guests) + 1
	u := &guest{aiClient: newMind(name), s: s, p: &player{address: netip.MustParseAddrPort(fmt.Sprintf("192.0.2.%d:5000",
		n))}}
	s.guests = append(s.guests, u)
	return u
}

// join makes a connection that has joined, and is ready unless that takes more than an answer.
func (s *stage) join(name string) *guest {
	s.t.Helper()
	u := s.connect(name)
	u.say(u.joining(1, testKey))
	if u.id == 0 {
		s.t.Fatalf("%s was not let in: %v", name, u.log)
	}
	return u
}

// say sends messages of the client, at once.
func (u *guest) say(messages ...w3gs.Message) {
	u.s.t.Helper()
	for _, m := range messages {
		packet, err := w3gs.Append(nil, m)
		if err != nil {
			u.s.t.Fatal(err)
		}
		u.raw(packet)
	}
}

// raw sends bytes that are a packet, or ought to be.
func (u *guest) raw(packet []byte) {
	u.s.t.Helper()
	if u.closed {
		return
	}
	u.s.g.receive(u.p, packet)
	u.s.settle()
}

// hangUp closes the connection from the client's side.
func (u *guest) hangUp() {
	u.closed = true
	u.s.g.gone(u.p, PeerClosed, "")
	u.s.settle()
}

// settle does the due work and brings the packets to all clients, and their answers back.
func (s *stage) settle() {
	s.t.Helper()
	s.g.run()
	for len(s.g.touched) > 0 {
		touched := s.g.touched
		s.g.touched = nil
		for _, p := range touched {
			p.marked = false
			for _, u := range s.guests {
				if u.p == p {
					u.take()
				}
			}
		}
	}
}

// take reads the packets to the client.
func (u *guest) take() {
	u.s.t.Helper()
	out := append([]byte(nil), u.p.out...)
	u.p.out = u.p.out[:0]
	if u.p.ended {
		defer func() { u.closed = true }()
	}
	for len(out) > 0 && !u.closed {
		packet, err := w3gs.Cut(out, w3gs.MaxPacket)
		if err != nil || packet == nil {
			u.s.t.Fatalf("%s: the stream is cut wrongly: %v, %x", u.name, err, out)
		}
		out = out[len(packet):]
		m, err := w3gs.Decode(packet)
		if err != nil {
			u.s.t.Fatalf("%s cannot read %x: %v", u.name, packet, err)
		}
		if k := w3gs.KindOf(w3gs.OpcodeOf(m)); k == nil || k.Way&w3gs.ToClient == 0 || len(packet) > 1460 {
			u.s.t.Errorf("%s was sent %s of %d bytes", u.name, w3gs.OpcodeOf(m), len(packet))
		}
		u.log = append(u.log, event{u.s.g.now, m})
		if err := u.see(m); err != nil {
			u.s.t.Errorf("%s: %v", u.name, err)
		}
		for _, answer := range u.answers(m) {
			u.due = append(u.due, event{u.s.g.now + u.late, answer})
		}
	}
	u.answer()
}

// answer sends the answers that have waited long enough.
func (u *guest) answer() {
	for len(u.due) > 0 && u.due[0].at <= u.s.g.now && !u.closed {
		m := u.due[0].m
		u.due = u.due[1:]
		packet, err := w3gs.Append(nil, m)
		if err != nil {
			u.s.t.Fatal(err)
		}
		u.s.g.receive(u.p, packet)
	}
}

// pass lets time go by.
func (s *stage) pass(d time.Duration) {
	s.t.Helper()
	const step = 10 * time.Millisecond
	for end := s.g.now + d; s.g.now < end; {
		s.g.pass(min(step, end-s.g.now))
		s.settle()
		for _, u := range s.guests {
			u.answer()
		}
		s.settle()
	}
}

// until lets time go by until something is so.
func (s *stage) until(what string, so func() bool) {
	s.t.Helper()
	for end := s.g.now + 3*time.Minute; !so(); s.pass(10 * time.Millisecond) {
		if s.g.now > end {
			s.t.Fatalf("waited in vain until %s", what)
		}
	}
}

// in brings the game to a state; all its players do their part.
func (s *stage) in(want State) {
	s.t.Helper()
	if s.g.state == Lobby && want > Lobby {
		s.until("all are ready", func() bool { return s.g.start() == nil })
		s.settle()
	}
	s.until(want.String(), func() bool { return s.g.state >= want })
}

// newsOf are the messages of one type that a guest was sent, since the last call of forget.
func newsOf[M w3gs.Message](u *guest) (out []M) {
	for _, e := range u.log {
		if m, ok := e.m.(M); ok {
			out = append(out, m)
		}
	}
	return out
}

// timesOf are when those came.
func timesOf[M w3gs.Message](u *guest) (out []time.Duration) {
	for _, e := range u.log {
		if _, ok := e.m.(M); ok {
			out = append(out, e.at)
		}
	}
	return out
}

// forget empties everybody's log.
func (s *stage) forget() {
	for _, u := range s.guests {
		u.log = nil
	}
	s.announced = nil
}

// names are the kinds of the packets to a guest, in order.
func (u *guest) names() (out []string) {
	for _, e := range u.log {
		out = append(out, w3gs.KindOf(w3gs.OpcodeOf(e.m)).Name)
	}
	return out
}
