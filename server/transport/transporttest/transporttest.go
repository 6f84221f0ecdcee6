// Package transporttest has for tests the transport as its handlers see it, without sockets and without a clock: a loop
// that the test runs, and connections on it. Only tests import it.
package transporttest

import (
	"net/netip"
	"sync"
	"testing"
	"time"

	"sphereserver/packets"
	"sphereserver/server/transport"
)

// A Loop keeps its work until the test runs it.
type Loop struct {
	mu    sync.Mutex
	queue []func()
	spare []func() // an empty slice, to become the queue
}

// Execute implements [transport.Loop].
func (l *Loop) Execute(f func()) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = append(l.queue, f)
	return nil
}

// Take returns the work that waits, and leaves none.
func (l *Loop) Take() (queue []func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	queue, l.queue, l.spare = l.queue, l.spare[:0], nil
	return queue
}

// Run runs the work that waits, and the work that follows from it.
func (l *Loop) Run() {
	for {
		queue := l.Take()
		if len(queue) == 0 {
			return
		}
		for _, f := range queue {
			f()
		}
		clear(queue)
		l.spare = queue
	}
}

// Until runs the loop and calls pass, which lets little time go by, again and again, until something is so. Work
// elsewhere takes real time: where it takes long, little of the test's time goes by meanwhile, or a busy machine would
// make sessions time out.
func (l *Loop) Until(t testing.TB, what string, so func() bool, pass func()) {
	t.Helper()
	const hurry, patience = 10, 50 // rounds of a millisecond: how many pass time at once, and then each which one
	const looks = 20               // in each round
	deadline := time.Now().Add(time.Minute)
	for round := 0; !so(); round++ {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain until %s", what)
		}
		if round < hurry || round%patience == 0 {
			pass()
		}
		for range looks {
			if l.Run(); so() {
				return
			}
			time.Sleep(time.Millisecond / looks)
		}
	}
}

// A Conn is a connection on a loop, and the bytes that its client sends; the test adds Write and Close to make it a
// [transport.Conn].
type Conn struct {
	On       transport.Loop
	Remote   netip.AddrPort
	Unsent   int    // bytes that the client has not taken
	Sequence uint16 // of the client's last frame

	session any
	again   bool
}

func (c *Conn) Loop() transport.Loop       { return c.On }
func (c *Conn) RemoteAddr() netip.AddrPort { return c.Remote }
func (c *Conn) Pending() int               { return c.Unsent }
func (c *Conn) Again()                     { c.again = true }
func (c *Conn) Session() any               { return c.session }
func (c *Conn) SetSession(s any)           { c.session = s }

// Offer gives a handler bytes of the client until it takes no more of them, or the connection is closed. whole is the
// connection with all its methods.
func (c *Conn) Offer(h transport.Handler, whole transport.Conn, b []byte, closed *bool) {
	for len(b) > 0 && !*closed {
		used := h.Traffic(whole, b)
		if used == 0 && !c.again {
			return
		}
		c.again = false
		b = b[used:]
	}
}

// Frame is the next frame of the client.
func (c *Conn) Frame(t testing.TB, b *packets.Body, d packets.Dialect) []byte {
	t.Helper()
	c.Sequence++
	frame, err := packets.AppendClient(nil, b, d, packets.GreetingKey, c.Sequence)
	if err != nil {
		t.Fatal(err)
	}
	return frame
}

// Control is the next frame of the client, with a control message.
func (c *Conn) Control(t testing.TB, m packets.Control) []byte {
	t.Helper()
	c.Sequence++
	frame, err := packets.AppendControl(nil, m, packets.FromClient, packets.GreetingKey, c.Sequence)
	if err != nil {
		t.Fatal(err)
	}
	return frame
}
