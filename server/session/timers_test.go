package session

import (
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
		if g.manager.Turn(g.now) || len(g.queue) > 0 {
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

// A client that says where it is often enough gets its keepalives beside the answers, without writes of their own.
func TestKeepalivesGoOutBesideAnswers(t *testing.T) {
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
	if c.writes > pings+clocks {
		t.Errorf("%d writes for %d answers and %d clocks", c.writes, pings, clocks)
	}
}
