package transport

import (
	"errors"
	"fmt"
	"io"
	"net/netip"
	"runtime/debug"
	"time"
)

const (
	// closeWait is how long a closed connection may take to send its pending bytes and to see the peer close. Without the
	// second half, bytes that the peer sent meanwhile would make the kernel answer with a reset, and a Windows client that
	// gets one throws away all that it has not read yet, the very message that says why it is being disconnected.
	closeWait = time.Second
	// spareBytes is the greatest buffer that an idle connection keeps for its next bytes.
	spareBytes = 512
)

// A socket is the part of a connection that each network implements. Its methods are called on the loop, by conn
// only, and never after the socket has reported the end of the connection with conn.end.
type socket interface {
	write(p []byte)
	pending() int
	// kept is told after each Traffic how many bytes are left unread.
	kept(n int)
	// finish sends the pending bytes, closes, and then reports the end; abort does so without waiting.
	finish()
	abort()
	roundTrip() (time.Duration, bool)
}

type connState uint8

const (
	connOpen    connState = iota
	connClosing           // Close or a failure: no Traffic and no Write any more
	connEnded             // the socket is gone; Closed has been called or is about to be
)

// conn is the life of one connection, the same for both implementations. Everything but loop and remote is
// touched on the loop only.
type conn struct {
	// What each piece of traffic needs stands first: see gnetSocket.
	loop    *loop
	server  *Server
	session any
	socket  socket
	unread  []byte // offered to Traffic and not consumed
	state   connState
	again   bool // more is queued
	wrote   bool

	remote netip.AddrPort
	reason error // that Closed will be told
}

// The methods of [Conn].

func (c *conn) Loop() Loop                 { return c.loop }
func (c *conn) RemoteAddr() netip.AddrPort { return c.remote }
func (c *conn) Session() any               { return c.session }
func (c *conn) SetSession(s any)           { c.session = s }

func (c *conn) Write(p []byte) {
	if c.state == connOpen && len(p) > 0 {
		c.wrote = true
		c.socket.write(p)
	}
}

func (c *conn) Pending() int {
	if c.state == connEnded {
		return 0
	}
	return c.socket.pending()
}

// RoundTrip is how long the system thinks that a segment takes to the peer and its acknowledgement back; false when it
// does not know. It is to be called on the connection's loop. No application answers here: where a proxy is between,
// the way is that to the proxy.
func (c *conn) RoundTrip() (time.Duration, bool) {
	if c.state != connOpen {
		return 0, false
	}
	return c.socket.roundTrip()
}

func (c *conn) Again() {
	if c.state == connOpen && !c.again {
		c.again = c.loop.Execute(c.more) == nil
	}
}

func (c *conn) more() {
	c.again = false
	if len(c.unread) > 0 {
		c.offer(nil)
	}
}

func (c *conn) Close() {
	if c.state == connOpen {
		c.state = connClosing
		c.socket.finish()
	}
}

// fail ends the connection at once; Closed is told err.
func (c *conn) fail(err error) {
	if c.state == connEnded {
		return
	}
	c.state = connClosing
	if c.reason == nil {
		c.reason = err
	}
	c.socket.abort()
}

// open is the first thing that happens to a connection on its loop. It reports whether the socket is to be read.
func (c *conn) open() bool {
	c.loop.conns[c] = struct{}{}
	switch ok := c.callOpened(); {
	case ok:
	case c.wrote:
		c.Close()
	default:
		c.fail(nil)
	}
	return c.state != connEnded
}

// offer gives the handler the bytes that were left unread and those that have just arrived. It keeps nothing of fresh.
func (c *conn) offer(fresh []byte) {
	if c.state != connOpen {
		return
	}
	in := fresh
	if len(c.unread) > 0 {
		c.unread = append(c.unread, fresh...)
		in = c.unread
	}
	n := c.callTraffic(in)
	switch {
	case c.state != connOpen:
		c.unread = nil
		return
	case n < 0 || n > len(in):
		c.fail(fmt.Errorf("transport: Traffic says that it consumed %d of %d bytes", n, len(in)))
		return
	case n == len(in) && cap(c.unread) > spareBytes:
		c.unread = nil
	default:
		c.unread = append(c.unread[:0], in[n:]...) // in may be c.unread itself: append moves the bytes down
	}
	c.socket.kept(len(c.unread))
}

// offerRest gives the handler the bytes that it asked for by Again when no more can come: the peer has closed.
func (c *conn) offerRest() {
	for c.again && len(c.unread) > 0 && c.state == connOpen {
		c.again = false
		c.offer(nil)
	}
}

// end says that the socket is gone. Closed follows when the callback that is running, if any, is over.
func (c *conn) end(err error) {
	if c.state == connEnded {
		return
	}
	if c.state == connOpen && !errors.Is(err, io.EOF) {
		c.reason = err
	}
	c.state = connEnded
	c.unread = nil
	c.loop.ended = append(c.loop.ended, c)
}

func (c *conn) closed() {
	delete(c.loop.conns, c)
	c.callClosed()
	c.server.conns.Done()
}

func (c *conn) callOpened() (ok bool) {
	defer c.rescue()
	return c.server.handler.Opened(c)
}

func (c *conn) callTraffic(in []byte) (n int) {
	defer c.rescue()
	return c.server.handler.Traffic(c, in)
}

func (c *conn) callClosed() {
	defer c.rescue()
	c.server.handler.Closed(c, c.reason)
}

// rescue is deferred around each callback.
func (c *conn) rescue() {
	v := recover()
	if v == nil {
		return
	}
	stack := debug.Stack()
	c.loop.run(func() { c.server.handler.Panicked(c, v, stack) })
	c.fail(fmt.Errorf("%w: %v", ErrPanicked, v))
}
