//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package transport

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/panjf2000/gnet/v2"
)

const (
	defaultNetwork = "gnet"

	// readChunk is the most that gnet reads of one connection before the others get their turn, and so what a handler
	// should be able to consume in two or three calls: gnet cannot pause a connection, and bytes that the handler leaves
	// unread pile up to MaxUnread.
	readChunk = 4 << 10
	// enrolling is how many connections may be on their way from accept to their loop, with two descriptors
	// each. Above that, which means that a loop is very late, new ones wait in the kernel.
	enrolling = 32
	// lingerStep is how often a loop looks at its closing connections: gnet does not say when pending bytes have been
	// sent.
	lingerStep = 10 * time.Millisecond
)

// gnetEngine runs connections on the event loops of a gnet client, which is gnet's name for an engine
// without listeners.
type gnetEngine struct {
	gnet.BuiltinEventEngine
	server *Server
	client *gnet.Client

	adding sync.WaitGroup
	slots  chan struct{}

	mu    sync.Mutex
	byEl  map[gnet.EventLoop]*gnetLoop
	inUse []*loop
}

func newGnetEngine(s *Server) (engine, error) {
	e := &gnetEngine{server: s, slots: make(chan struct{}, enrolling), byEl: make(map[gnet.EventLoop]*gnetLoop)}
	client, err := gnet.NewClient(e,
		gnet.WithNumEventLoop(s.options.Loops),
		gnet.WithReadBufferCap(readChunk),
		gnet.WithTCPNoDelay(gnet.TCPDelay), // means: leave the setting of net alone, TCP_NODELAY
		gnet.WithLogger(gnetLogger{s.log}),
	)
	if err != nil {
		return nil, fmt.Errorf("transport: gnet: %w", err)
	}
	if err := client.Start(); err != nil {
		return nil, fmt.Errorf("transport: gnet: %w", err)
	}
	e.client = client
	return e, nil
}

// add gives the connection to a loop, without waiting for that: the loop may be busy, others are not.
func (e *gnetEngine) add(c stream, remote netip.AddrPort) {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		c.Close()
		e.server.refuse(fmt.Errorf("transport: gnet needs a connection of the system, not %T", c))
		return
	}
	// gnet returns the memory of a zone's name to a pool when the connection ends, but the name is net's and
	// shared by all connections of the link.
	tcp.LocalAddr().(*net.TCPAddr).Zone = ""
	tcp.RemoteAddr().(*net.TCPAddr).Zone = ""

	s := &gnetSocket{conn: conn{server: e.server, remote: remote}}
	s.conn.socket = s
	e.slots <- struct{}{}
	e.adding.Go(func() {
		_, err := e.client.EnrollContext(tcp, s) // duplicates the descriptor and closes tcp
		<-e.slots
		if err == nil && !s.opened {
			err = errors.New("its event loop could not register it")
		}
		if err != nil {
			e.server.refuse(fmt.Errorf("transport: connection of %v: %w", remote, err))
		}
	})
}

func (e *gnetEngine) settle() { e.adding.Wait() }

func (e *gnetEngine) loops() []*loop {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.inUse[:len(e.inUse):len(e.inUse)]
}

// loopOf returns the loop that belongs to el, always the same.
func (e *gnetEngine) loopOf(el gnet.EventLoop) *gnetLoop {
	e.mu.Lock()
	defer e.mu.Unlock()
	l := e.byEl[el]
	if l == nil {
		l = newGnetLoop(el, e.server.log)
		e.byEl[el] = l
		e.inUse = append(e.inUse, &l.loop)
	}
	return l
}

func (e *gnetEngine) stop() {
	if err := e.client.Stop(); err != nil {
		e.server.log.Error("stopping gnet", "err", err)
	}
}

// OnOpen implements [gnet.EventHandler].
func (e *gnetEngine) OnOpen(g gnet.Conn) (out []byte, action gnet.Action) {
	s := g.Context().(*gnetSocket)
	s.opened = true
	s.gnet = g
	s.loop = e.loopOf(g.EventLoop())
	s.conn.loop = &s.loop.loop
	s.conn.loop.enter()
	s.conn.open()
	s.conn.loop.leave()
	return nil, gnet.None
}

// OnTraffic implements [gnet.EventHandler].
func (e *gnetEngine) OnTraffic(g gnet.Conn) gnet.Action {
	s := g.Context().(*gnetSocket)
	// All there is, valid until this returns, even when the connection ends meanwhile: since nothing is ever
	// left in gnet's own buffer of leftovers, these are bytes of the loop's read buffer.
	in, err := g.Next(-1)
	if err != nil || len(in) == 0 {
		return gnet.None
	}
	s.conn.loop.enter()
	s.conn.offer(in)
	s.conn.loop.leave()
	return gnet.None
}

// OnClose implements [gnet.EventHandler]. gnet calls it from its own code, from abort, or from a write that
// failed, in which case a callback is running: loop.leave will call Closed after that.
func (e *gnetEngine) OnClose(g gnet.Conn, err error) gnet.Action {
	s := g.Context().(*gnetSocket)
	l := s.conn.loop
	if l.busy {
		s.conn.end(err)
		return gnet.None
	}
	l.enter()
	s.conn.offerRest()
	s.conn.end(err)
	l.leave()
	return gnet.None
}

// gnetLoop is a loop that runs on an event loop of gnet.
type gnetLoop struct {
	loop
	closing []*gnetSocket // closed ones that linger, see conn.Close
}

func newGnetLoop(el gnet.EventLoop, log *slog.Logger) *gnetLoop {
	l := &gnetLoop{loop: newLoop(log)}
	wake := gnet.RunnableFunc(func(context.Context) error {
		if l.drain() {
			// Kicked from here, gnet would run the next round at once and not look at a socket before.
			go func() {
				l.mu.Lock()
				defer l.mu.Unlock()
				l.kick()
			}()
		}
		return nil
	})
	l.kick = func() {
		if err := el.Execute(context.Background(), wake); err != nil {
			log.Error("cannot wake an event loop", "err", err)
		}
	}
	return l
}

// sweep ends the closing connections that are ready or late.
func (l *gnetLoop) sweep() {
	now := time.Now()
	l.closing = slices.DeleteFunc(l.closing, func(s *gnetSocket) bool { return s.lingered(now) })
	if len(l.closing) > 0 {
		l.sweepLater()
	}
}

func (l *gnetLoop) sweepLater() {
	time.AfterFunc(lingerStep, func() { _ = l.Execute(l.sweep) }) // a stopped loop has no connections
}

// gnetSocket is the socket of a connection on a gnet loop.
type gnetSocket struct {
	gnet   gnet.Conn // beside what is needed as often: two lines of the processor's caches for each piece of traffic
	conn   conn
	loop   *gnetLoop
	opened bool
	// While closing:
	shut     bool      // all has been sent, and our half is closed
	deadline time.Time // when to wait no longer
}

func (s *gnetSocket) write(p []byte) { _, _ = s.gnet.Write(p) } // an error has come to OnClose

func (s *gnetSocket) pending() int { return s.gnet.OutboundBuffered() }

func (s *gnetSocket) roundTrip() (time.Duration, bool) { return roundTrip(s.gnet.Fd()) }

func (s *gnetSocket) kept(n int) {
	if limit := s.conn.server.options.MaxUnread; n > limit {
		s.conn.fail(fmt.Errorf("%w: %d, at most %d", ErrUnread, n, limit))
	}
}

func (s *gnetSocket) finish() {
	now := time.Now()
	s.deadline = now.Add(s.conn.server.options.closeWait)
	if s.lingered(now) {
		return
	}
	s.loop.closing = append(s.loop.closing, s)
	if len(s.loop.closing) == 1 {
		s.loop.sweepLater()
	}
}

// lingered reports whether a closing connection needs no more attention: it has ended, or does so now.
func (s *gnetSocket) lingered(now time.Time) bool {
	if s.conn.state == connEnded {
		return true
	}
	sent := s.gnet.OutboundBuffered() == 0
	if sent && !s.shut {
		s.shut = true
		if err := syscall.Shutdown(s.gnet.Fd(), syscall.SHUT_WR); err != nil { // the peer has reset it
			s.conn.fail(nil)
			return true
		}
	}
	if now.Before(s.deadline) {
		return false // the peer's half closes by OnClose
	}
	if sent {
		s.conn.fail(nil)
	} else {
		s.conn.fail(ErrUnsent)
	}
	return true
}

func (s *gnetSocket) abort() {
	if s.gnet.OutboundBuffered() > 0 {
		_ = s.gnet.SetLinger(0) // the kernel need not keep bytes that the peer does not take
	}
	if err := s.gnet.EventLoop().Close(s.gnet); err != nil {
		s.conn.server.log.Debug("closing a connection", "remote", s.conn.remote, "err", err)
	}
}

// gnetLogger passes on the log of gnet; by itself gnet would print it on standard output.
type gnetLogger struct{ log *slog.Logger }

func (g gnetLogger) put(level slog.Level, format string, args []any) {
	if ctx := context.Background(); g.log.Enabled(ctx, level) {
		g.log.Log(ctx, level, "gnet: "+fmt.Sprintf(format, args...))
	}
}

// The methods of gnet's logging.Logger. Messages that gnet calls info are of no interest to an operator, and those
// that it calls fatal do not end the process: nothing in gnet counts on that.

func (g gnetLogger) Debugf(format string, args ...any) { g.put(slog.LevelDebug, format, args) }
func (g gnetLogger) Infof(format string, args ...any)  { g.put(slog.LevelDebug, format, args) }
func (g gnetLogger) Warnf(format string, args ...any)  { g.put(slog.LevelWarn, format, args) }
func (g gnetLogger) Errorf(format string, args ...any) { g.put(slog.LevelError, format, args) }
func (g gnetLogger) Fatalf(format string, args ...any) { g.put(slog.LevelError, format, args) }
