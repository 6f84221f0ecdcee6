package memnet

import (
	"io"
	"net"
	"os"
	"sync/atomic"
	"syscall"
	"time"
)

// A Conn is one end of a connection. It has the methods of a [net.TCPConn] that the transport and the bots use.
type Conn struct {
	in, out       *direction
	local, remote *net.TCPAddr
	closed        atomic.Bool
	abrupt        atomic.Bool  // closing is a reset
	pulls         atomic.Int64 // how often the cable was pulled or put back
}

func (c *Conn) LocalAddr() net.Addr  { return c.local }
func (c *Conn) RemoteAddr() net.Addr { return c.remote }

func (c *Conn) failed(op string, err error) error {
	return &net.OpError{Op: op, Net: "tcp", Source: c.local, Addr: c.remote, Err: err}
}

// Read waits for bytes, their end, or the deadline. Arrived bytes come before a deadline of the same moment.
func (c *Conn) Read(p []byte) (int, error) {
	d := c.in
	d.mu.Lock()
	defer d.mu.Unlock()
	for {
		switch {
		case c.closed.Load():
			return 0, c.failed("read", net.ErrClosed)
		case d.err != nil:
			return 0, c.failed("read", d.err)
		case len(p) == 0:
			return 0, nil
		}
		if n := d.take(p); n > 0 {
			return n, nil
		}
		switch {
		case d.over():
			return 0, io.EOF
		case d.reads.due():
			return 0, c.failed("read", os.ErrDeadlineExceeded)
		}
		d.changed.Wait()
	}
}

// Write waits until all is on its way, as far as the window is wide.
func (c *Conn) Write(p []byte) (n int, err error) {
	d := c.out
	d.mu.Lock()
	defer d.mu.Unlock()
	for {
		part, err := c.put(p[n:])
		if n += part; err != nil || n == len(p) {
			return n, err
		}
		if part > 0 {
			continue
		}
		if d.writes.due() {
			return n, c.failed("write", os.ErrDeadlineExceeded)
		}
		d.changed.Wait()
	}
}

// TryWrite writes the bytes that need no waiting, and returns their number.
func (c *Conn) TryWrite(p []byte) int {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	n, _ := c.put(p) // the error comes again when the rest is written
	return n
}

func (c *Conn) put(p []byte) (int, error) {
	d := c.out
	switch {
	case c.closed.Load():
		return 0, c.failed("write", net.ErrClosed)
	case d.err != nil:
		return 0, c.failed("write", d.err)
	case d.ended:
		return 0, c.failed("write", syscall.EPIPE)
	case d.unwanted: // nobody is there to take it: that is said when it has arrived
		c.resetAfter(time.Until(d.arrival(time.Now())) + d.options.Latency)
		return len(p), nil
	}
	return d.send(p), nil
}

// CloseWrite says that nothing more will come.
func (c *Conn) CloseWrite() error {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	if c.closed.Load() || c.out.err != nil {
		return c.failed("close", net.ErrClosed)
	}
	c.out.finish()
	return nil
}

// SetLinger with 0 has closing reset the connection.
func (c *Conn) SetLinger(seconds int) error {
	c.abrupt.Store(seconds == 0)
	return nil
}

// Close ends both directions: the peer reads the bytes on their way, and the end. As a system does, it resets the
// connection instead where arrived bytes were not read.
func (c *Conn) Close() error {
	if c.closed.Swap(true) {
		return c.failed("close", net.ErrClosed)
	}
	in := c.in
	in.mu.Lock()
	now := time.Now()
	unread := len(in.way) > 0 && !in.way[0].end && !in.way[0].arrives.After(now)
	in.unwanted, in.way, in.held = true, nil, 0
	in.changed.Broadcast()
	in.mu.Unlock()

	out := c.out
	out.mu.Lock()
	defer out.mu.Unlock()
	out.changed.Broadcast()
	if unread || c.abrupt.Load() {
		c.resetAfter(time.Until(out.arrival(now)))
		return nil
	}
	out.finish()
	return nil
}

// resetAfter fails both directions after a time.
func (c *Conn) resetAfter(d time.Duration) { time.AfterFunc(d, func() { c.lose(syscall.ECONNRESET) }) }

// Reset loses the connection, within two milliseconds: both ends are told so, and bytes on their way never arrive.
func (c *Conn) Reset() {
	c.out.mu.Lock()
	at := c.out.moment(time.Now())
	c.out.mu.Unlock()
	c.resetAfter(time.Until(at))
}

func (c *Conn) lose(err error) {
	for _, d := range []*direction{c.in, c.out} {
		d.mu.Lock()
		d.fail(err)
		d.mu.Unlock()
	}
}

// Pull pulls the cable: bytes from either end are on their way until [Conn.Plug]. After 80 s both ends give the other
// up.
func (c *Conn) Pull() {
	c.pull(time.Now())
	nth := c.pulls.Add(1)
	time.AfterFunc(deadAfter, func() {
		if c.pulls.Load() == nth {
			c.lose(syscall.ETIMEDOUT)
		}
	})
}

// Plug puts the cable back: bytes on their way arrive.
func (c *Conn) Plug() {
	c.pulls.Add(1)
	c.pull(time.Time{})
}

func (c *Conn) pull(since time.Time) {
	for _, d := range []*direction{c.in, c.out} {
		d.mu.Lock()
		d.pulled = since
		d.wake()
		d.changed.Broadcast()
		d.mu.Unlock()
	}
}

func (c *Conn) SetReadDeadline(t time.Time) error  { return c.limit(c.in, &c.in.reads, t) }
func (c *Conn) SetWriteDeadline(t time.Time) error { return c.limit(c.out, &c.out.writes, t) }

// limit makes what waits give up in the millisecond after t, each direction in a moment of its own: ticks set many
// equal deadlines.
func (c *Conn) limit(d *direction, of *deadline, t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := t
	if !at.IsZero() {
		at = at.Add(time.Duration(d.number % d.options.directions() * d.options.share()))
	}
	of.by, of.timer = t, d.again(of.timer, at)
	d.changed.Broadcast()
	return c.open("set")
}

func (c *Conn) SetDeadline(t time.Time) error {
	_ = c.SetReadDeadline(t)
	return c.SetWriteDeadline(t)
}

func (c *Conn) open(op string) error {
	if c.closed.Load() {
		return c.failed(op, net.ErrClosed)
	}
	return nil
}
