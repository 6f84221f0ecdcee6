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
)

const (
	defaultMaxUnread = 64 << 10

	// Half-open peers: an idle connection is probed after 30 s and given up 80 s after the last sign of life
	// (75 s and the next probe, where the system has deadTimeout; else 30 s + 5 probes). It must be more than
	// 60 s, since a player may be away for that long, and less than 90 s.
	keepIdle     = 30 * time.Second
	keepInterval = 10 * time.Second
	keepCount    = 5
	// deadTimeout is the same for connections with bytes under way, which TCP does not probe but resends for
	// a quarter of an hour.
	deadTimeout = 75 * time.Second

	// sendBuffer is how many bytes the system may keep for a peer that has not taken them. Left to itself it keeps up to
	// 4 MiB for a peer that does not read, before [Conn.Pending] shows anything of it.
	sendBuffer = 128 << 10

	// An accept that fails, mostly for lack of descriptors, is tried again after minBackoff, then twice as
	// long each time; each success halves that. It is said once when that begins, and then each complainAfter.
	minBackoff    = 10 * time.Millisecond
	maxBackoff    = time.Second
	calmAfter     = 5 * time.Second // without failure: the trouble is over
	complainAfter = time.Minute

	// A loop that has not run anything for watchRounds × watchInterval is given up: its players see a server
	// that has hung, and nobody else would notice.
	watchInterval = 5 * time.Second
	watchRounds   = 6
)

// addrInUse reports whether another program listens on an address. Windows says WSAEADDRINUSE, 10048, which is no
// error of other systems.
func addrInUse(err error) bool {
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, syscall.Errno(10048))
}

// An engine is one of the two implementations.
type engine interface {
	// add takes a connection over, or calls server.refuse.
	add(c stream, remote netip.AddrPort)
	// settle returns when no add is under way any more, which comes after the last one has been called.
	settle()
	// loops returns the loops that have, or had, connections.
	loops() []*loop
	// stop ends the loops' threads, when each has run its last task.
	stop()
}

// A stream is the part of a [net.TCPConn] that the transport needs; tests replace it.
type stream interface {
	net.Conn
	CloseWrite() error
	SetLinger(seconds int) error
}

// A Server listens on one TCP address. It has the common part of both implementations: the listener, and the order of
// starting and stopping.
//
// The listener is a plain one also for gnet, which can listen by itself but then ends its engine when accept
// fails for lack of descriptors, shares the port with any second process when several loops listen, and
// cannot stop listening before it has closed all connections.
type Server struct {
	handler  Handler
	log      *slog.Logger
	options  Options
	listener net.Listener
	addr     netip.AddrPort
	engine   engine
	conns    sync.WaitGroup // each accepted connection, until its Closed has returned
	trouble  chan error     // why the engine could not take a connection
	failed   chan error     // why nothing can be accepted any more

	ticks <-chan time.Time // of watch; nil, except in tests: one each watchInterval

	mu       sync.Mutex
	serving  bool
	stopping chan struct{} // closed by the first Stop
	accepted chan struct{} // closed when nothing is accepted any more
	stopped  chan struct{} // closed when the first Stop returns
}

func (s *Server) listen(addr string) error {
	config := net.ListenConfig{
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: keepIdle, Interval: keepInterval, Count: keepCount},
	}
	config.SetMultipathTCP(false) // no client knows it, and not all socket options work with it
	l, err := config.Listen(context.Background(), "tcp", addr)
	if addrInUse(err) {
		return fmt.Errorf("transport: another program listens on %s: %w", addr, err)
	}
	if err != nil {
		return fmt.Errorf("transport: %w", err)
	}
	return s.listenOn(l)
}

// listenOn takes connections from a listener.
func (s *Server) listenOn(l net.Listener) error {
	addr, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		return fmt.Errorf("transport: listens on %v, expected an address of TCP", l.Addr())
	}
	s.listener, s.addr = l, plainAddr(addr)
	return nil
}

// plainAddr is a in the form in which addresses are compared and shown.
func plainAddr(a *net.TCPAddr) netip.AddrPort {
	p := a.AddrPort()
	return netip.AddrPortFrom(p.Addr().Unmap(), p.Port())
}

// Addr is the address that it listens on, with the real port.
func (s *Server) Addr() netip.AddrPort { return s.addr }

// Serve runs until Stop is called, then returns ErrStopped; any other return is a failure of the listener or of a loop,
// and the process should save and end.
func (s *Server) Serve() error {
	s.mu.Lock()
	if s.isStopping() {
		s.mu.Unlock()
		return ErrStopped
	}
	if s.serving {
		s.mu.Unlock()
		return errors.New("transport: Serve was called twice")
	}
	s.serving = true
	s.mu.Unlock()

	go s.accept()
	if err := s.watch(); err != nil {
		return err
	}
	<-s.stopped
	return ErrStopped
}

func (s *Server) isStopping() bool {
	select {
	case <-s.stopping:
		return true
	default:
		return false
	}
}

// accept takes connections until the server stops. A failure of accept mostly passes, so it is no reason to end.
func (s *Server) accept() {
	defer close(s.accepted)
	var backoff time.Duration
	var lastFailure, lastComplaint time.Time
	for {
		c, err := s.listener.Accept()
		if s.isStopping() {
			if err == nil {
				c.Close()
			}
			return
		}
		if listensNoMore(err) {
			s.failed <- fmt.Errorf("transport: nothing listens any more: %w", err)
			return
		}
		if err == nil {
			s.take(c)
			select {
			case err = <-s.trouble:
			default:
			}
		}
		now := time.Now()
		switch {
		case err != nil:
			if now.Sub(lastComplaint) > complainAfter {
				s.log.Warn("cannot accept connections, trying again", "err", err)
				lastComplaint = now
			}
			backoff = min(max(2*backoff, minBackoff), maxBackoff)
			lastFailure = now
			select {
			case <-time.After(backoff):
			case <-s.stopping:
			}
		case !lastComplaint.IsZero() && now.Sub(lastFailure) > calmAfter:
			s.log.Info("accepting connections again")
			backoff, lastComplaint = 0, time.Time{}
		default:
			backoff /= 2
		}
	}
}

// listensNoMore reports whether accept has failed for good. It says EINVAL of a socket that does not listen.
func listensNoMore(err error) bool {
	return slices.ContainsFunc([]error{net.ErrClosed, syscall.EINVAL, syscall.EBADF, syscall.ENOTSOCK},
		func(e error) bool { return errors.Is(err, e) })
}

// take hands an accepted connection to the engine.
func (s *Server) take(c net.Conn) {
	remote, ok := c.RemoteAddr().(*net.TCPAddr)
	of, fits := c.(stream)
	if !ok || !fits { // gone already
		c.Close()
		return
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		if err := setDeadTimeout(tcp, deadTimeout); err != nil {
			s.log.Debug("cannot limit how long the peer may be dead", "remote", remote, "err", err)
		}
		if err := tcp.SetWriteBuffer(sendBuffer); err != nil {
			s.log.Debug("cannot limit what the system keeps for the peer", "remote", remote, "err", err)
		}
	}
	s.conns.Add(1)
	s.engine.add(of, plainAddr(remote))
}

// refuse is called by the engine when it could not take a connection, which it has closed.
func (s *Server) refuse(err error) {
	s.conns.Done()
	select {
	case s.trouble <- err:
	default:
	}
}

// watch returns an error when the server has failed, and nil when it is to stop. For loops that hang, rounds are
// counted instead of time, so that a process that was suspended does not give up its loops.
func (s *Server) watch() error {
	ticks := s.ticks
	if ticks == nil {
		ticker := time.NewTicker(watchInterval)
		defer ticker.Stop()
		ticks = ticker.C
	}
	for {
		select {
		case <-s.stopping:
			return nil
		case err := <-s.failed:
			return err
		case <-ticks:
		}
		for i, l := range s.engine.loops() {
			switch late := l.late.Add(1); {
			case late == 1:
				_ = l.Execute(func() { l.late.Store(0) }) // when it refuses, the server is stopping
			case late > watchRounds:
				return fmt.Errorf("transport: loop %d has run nothing for %v", i, watchRounds*watchInterval)
			}
		}
	}
}

// Stop closes the listener and then every connection, flushing pending bytes as [Conn].Close does, and returns when
// all Closed callbacks have run or ctx has ended. It also frees a server that was never served.
func (s *Server) Stop(ctx context.Context) error {
	s.mu.Lock()
	first := !s.isStopping()
	if first {
		close(s.stopping)
		s.listener.Close()
		if !s.serving {
			close(s.accepted)
		}
	}
	s.mu.Unlock()

	if !first {
		select {
		case <-s.stopped:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	defer close(s.stopped)
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.end()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		s.each(func(c *conn) { c.fail(ErrStopped) })
		return ctx.Err()
	}
}

// end closes everything in order. It takes little more than closeWait, unless a handler blocks its loop.
func (s *Server) end() {
	<-s.accepted
	s.engine.settle()
	s.each((*conn).Close)
	s.conns.Wait()
	for _, l := range s.engine.loops() {
		<-l.stop()
	}
	s.engine.stop()
}

// each calls f with each connection on its loop, and does not wait.
func (s *Server) each(f func(*conn)) {
	for _, l := range s.engine.loops() {
		_ = l.Execute(func() { // when it refuses, all its connections have ended
			for c := range l.conns {
				f(c)
			}
		})
	}
}
