package session

import (
	"testing"
	"time"
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
