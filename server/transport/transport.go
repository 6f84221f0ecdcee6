// Package transport carries bytes between sockets and sessions: one seam with two implementations,
// gnet event loops (the default on Unix) and plain net (the default on Windows).
//
// A connection belongs to one [Loop] for its whole life. Every callback of its [Handler] runs on that
// loop, one at a time, so a session needs no lock. Code elsewhere (the world, the store, the password
// pool) reaches a connection only by [Loop.Execute].
//
// Both implementations share the listener (server.go), the queue behind a loop (loop.go) and the life of a
// connection (conn.go). They differ in how bytes get in and out: gnet.go has a few threads that wait for
// all sockets at once, net.go has a goroutine for each socket.
package transport

import (
	"errors"
	"net"
	"net/netip"
	"time"
)

// ErrStopped is returned by [Loop.Execute] when the loop has ended and by [Server.Serve] after a
// requested [Server.Stop].
var ErrStopped = errors.New("transport: stopped")

// Errors that a connection can end with, besides those of the operating system. They are wrapped: use [errors.Is].
var (
	// ErrUnread says that the handler left more than Options.MaxUnread bytes unread (gnet only).
	ErrUnread = errors.New("transport: too many bytes left unread")
	// ErrUnsent says that the peer did not take in time the bytes that were pending when the connection was closed.
	ErrUnsent = errors.New("transport: closed with bytes unsent")
	// ErrPanicked says that a callback of the connection panicked.
	ErrPanicked = errors.New("transport: a callback panicked")
)

// A Loop runs the callbacks of its connections, one at a time.
type Loop interface {
	// Execute runs f on the loop, after the tasks that are queued there already, and never blocks its caller on f
	// itself. It may be called from any goroutine, the loop's own included. A call that returns ErrStopped will not run
	// f; one that returns nil will. A panic of f is recovered and logged.
	//
	// The queue has no limit: give a loop few large pieces of work, such as one for all its connections per
	// tick. When a loop runs nothing for half a minute, Serve fails.
	Execute(f func()) error
}

// A Conn is one accepted connection. All methods but Loop and RemoteAddr are to be called on its loop only.
type Conn interface {
	// Loop is where the connection lives; it never changes, and two connections of one loop return the
	// same value, so it can be the key of a map.
	Loop() Loop
	// RemoteAddr is the peer's address, read once when the connection was accepted; it stays valid
	// after the connection has ended. An IPv4 address is never in its IPv6 form.
	RemoteAddr() netip.AddrPort
	// Write hands p to the socket without blocking; bytes that the socket does not take at once are buffered and counted
	// in Pending. It keeps nothing of p after it has returned. Writing to a connection that has ended, or after Close,
	// does nothing. There is no limit: the handler looks at Pending and closes a connection with a peer that reads too
	// slowly.
	Write(p []byte)
	// Pending is the number of bytes written that the operating system has not taken yet.
	Pending() int
	// Again asks for one more Traffic callback soon, with the bytes that are still unread: a handler that
	// stops early to be fair to others calls it. Other connections of the loop get their turn in between.
	// When nothing is unread by then, there is no callback.
	Again()
	// Close ends the connection after the bytes pending now have been written, but waits no longer than a second for that
	// and for the peer to close its side. Closed follows, once, later on the same loop; there is no Traffic any more.
	Close()
	// Session and SetSession hold a value that the handler finds again in its callbacks.
	Session() any
	SetSession(s any)
}

// A Handler does a server's work with connections. Its callbacks run on the connection's loop. A panic in one of them
// is recovered by the transport, reported to Panicked, and ends that connection only.
type Handler interface {
	// Opened is called once, first. Returning false closes the connection at once (or as Conn.Close does,
	// when something has been written to it); Closed follows.
	Opened(c Conn) bool
	// Traffic is called when bytes have arrived: in holds all unread bytes, valid during the call only, and never none. It
	// returns how many of them it has consumed, 0 to len(in); the rest is offered again, with the bytes that follow.
	Traffic(c Conn, in []byte) int
	// Closed is called once, last, for every connection that was Opened. err is nil when this side or the
	// peer closed in order.
	Closed(c Conn, err error)
	// Panicked reports a recovered panic of Traffic, Opened or Closed, with the stack; c is closed after it.
	Panicked(c Conn, value any, stack []byte)
}

// Options are the settings of a server. The zero value of a field means its default.
type Options struct {
	// Network is "gnet" or "net"; empty means gnet on Unix and net on Windows.
	Network string
	// Loops is the number of event loops; 0 means one per CPU.
	Loops int
	// MaxUnread is how many bytes may wait unread on one connection before it is read no further; 0 means
	// 64 KiB. gnet cannot stop reading, so there a connection with more is closed with ErrUnread.
	MaxUnread int

	// Listener is used instead of one on the address that is given, with Network "net": its connections have a TCP
	// address, CloseWrite and SetLinger.
	Listener net.Listener

	closeWait time.Duration // 0 means closeWait, which tests change
}
