package session

import (
	"slices"
	"testing"
	"time"

	"sphereserver/data/content"
	"sphereserver/packets"
)

// Without sessions the wheel stands still, so that the server wakes nobody; the first one sets it going at once.
func TestWheelStandsStillWithoutSessions(t *testing.T) {
	g := newStage(t, nil)
	idle := func(when string) {
		t.Helper()
		if g.manager.Turn(g.now) || len(g.Take()) > 0 {
			t.Errorf("the wheel turns %s", when)
		}
	}
	idle("before anybody has come")
	for range 2 {
		g.now = g.now.Add(time.Hour)
		c := g.connect()
		select {
		case <-g.manager.visited:
		default:
			t.Error("nobody was told that somebody has come")
		}
		if !g.manager.Turn(g.now) {
			t.Error("the wheel stands still for a session")
		}
		g.run()
		if c.closed || c.s().Now()-c.s().since > time.Second {
			t.Error("the time without sessions has gone by for a new one")
		}
		c.in(Handshaken)
		c.hangUp()
		g.pass(30 * time.Second) // timers of it are still on the wheel
		idle("when all have gone")
	}
}

// A client that says where it is often enough gets its keepalives and the time beside the answers, without writes of their
// own.
func TestPeriodicFramesGoOutBesideAnswers(t *testing.T) {
	g := newStage(t, nil)
	c := g.connect().in(InWorld)
	at := content.Cities()[0].Position
	g.pass(keepalivePeriod)
	c.got, c.writes = nil, 0
	const pings = 120
	for range pings {
		g.pass(time.Second / 2)
		c.ping(at)
	}
	keepalives, clocks := 0, 0
	for _, f := range c.frames() {
		switch {
		case f.Channel == packets.ChannelKeepalive:
			keepalives++
		case f.Body != nil && len(f.Body.Sections) > 0 && len(f.Body.Sections[0].Regions) > 0:
			if _, ok := f.Body.Sections[0].Regions[0].(*packets.GameTime); ok {
				clocks++
			}
		}
	}
	if keepalives < 20 || keepalives > 30 {
		t.Errorf("%d keepalives in a minute", keepalives)
	}
	if clocks < 3 || clocks > 5 {
		t.Errorf("told the time %d times in a minute", clocks)
	}
	if c.writes > pings {
		t.Errorf("%d writes for %d answers and %d clocks", c.writes, pings, clocks)
	}
}

// A frame that may wait is sent before the next other one, and within two seconds when there is none.
func TestWhatIsSentSoon(t *testing.T) {
	g := newStage(t, nil)
	c := g.connect().in(InWorld)
	s := c.s()
	tell := func(value int32) *packets.Body {
		return packets.Message(0, s.ID(), packets.ClassPlayer, &packets.SetStat{Stat: packets.StatMP, Value: value})
	}
	told := func() (values []int32) {
		for _, f := range c.frames() {
			if f.Body == nil || len(f.Body.Sections) == 0 || len(f.Body.Sections[0].Regions) == 0 {
				continue
			}
			if m, ok := f.Body.Sections[0].Regions[0].(*packets.SetStat); ok {
				values = append(values, m.Value)
			}
		}
		c.got, c.writes = nil, 0
		return values
	}
	expect := func(when string, want ...int32) {
		t.Helper()
		if got := told(); !slices.Equal(got, want) {
			t.Errorf("%s: told %v, want %v", when, got, want)
		}
	}
	told()
	s.Post(func(s *Session) { s.SendSoon(tell(1)); s.SendSoon(tell(2)) })
	g.run()
	expect("at once")
	s.Post(func(s *Session) { s.Send(tell(3)) })
	g.run()
	if c.writes != 1 {
		t.Errorf("%d writes for what waited and what came next", c.writes)
	}
	expect("before what comes next", 1, 2, 3)
	s.Post(func(s *Session) { s.Send(tell(4)); s.SendSoon(tell(5)) })
	g.run()
	expect("beside what is sent anyway", 4, 5)
	walk := func(value int32) func(*Session) {
		frame, err := packets.AppendServer(nil, tell(value), s.generation.dialect)
		if err != nil {
			t.Fatal(err)
		}
		return func(s *Session) { s.SendBytesSoon(frame) }
	}
	s.Post(func(s *Session) { s.SendSoon(tell(6)) })
	s.Post(walk(7))
	g.run()
	expect("walks wait, too")
	s.Post(walk(8))
	g.pass((walkSlots + 1) * WheelPeriod)
	if c.writes != 1 {
		t.Errorf("%d writes for walks", c.writes)
	}
	expect("not for as long", 6, 7, 8)
	s.Post(walk(9))
	s.Post(func(s *Session) { s.Send(tell(10)) })
	g.run()
	expect("and never longer than what comes next", 9, 10)

	const others = 4 // sessions are not mixed up, and the buffers of their frames are used again
	for i := range int32(others) {
		o := g.connect().in(InWorld)
		o.s().Post(func(s *Session) {
			s.SendSoon(packets.Message(0, s.ID(), packets.ClassPlayer,
				&packets.SetStat{Stat: packets.StatMP, Value: 100 + i}))
		})
	}
	s.Post(func(s *Session) { s.SendSoon(tell(6)) })
	g.run()
	expect("before two seconds")
	g.pass(heldAtMost + 2*WheelPeriod)
	expect("within two seconds", 6)
}

// A pause is never shorter than it is said to be: a request may come at the end of a slot of the wheel, of which nothing
// counts. A pause that follows another begins with its slot, and is exact.
func TestPausesAreWhole(t *testing.T) {
	g := newStage(t, nil)
	s := g.connect().s()
	const pause = 2 * WheelPeriod
	var first, second bool
	s.Post(func(s *Session) {
		s.After(pause, func() {
			first = true
			s.After(pause, func() { second = true })
		})
	})
	g.run()
	for turn, want := range []struct{ first, second bool }{{}, {}, {true, false}, {true, false}, {true, true}} {
		g.pass(WheelPeriod)
		if first != want.first || second != want.second {
			t.Errorf("after turn %d: %v, %v; want %v", turn+1, first, second, want)
		}
	}
}
