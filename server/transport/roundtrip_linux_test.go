package transport

import (
	"testing"
	"time"
)

func TestTheRoundTripIsKnownWhileAConnectionIsOpen(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		type figures struct {
			trip  time.Duration
			known bool
		}
		seen := make(chan figures, 10)
		ask := func(c Conn) {
			var f figures
			f.trip, f.known = c.(interface{ RoundTrip() (time.Duration, bool) }).RoundTrip()
			seen <- f
		}
		s := start(t, network, funcs{
			traffic: func(c Conn, in []byte) int { ask(c); return echo(c, in) },
			closed:  func(c Conn, _ error) { ask(c) },
		})
		c := s.dial()
		c.send("hello")
		c.expect("hello")
		if f := <-seen; !f.known || f.trip <= 0 || f.trip > 10*time.Second {
			t.Errorf("%+v, expected a round trip on this machine", f)
		}
		c.Close()
		if f := <-seen; f.known {
			t.Errorf("%+v, expected that nothing is known of a connection that has ended", f)
		}
	})
}
