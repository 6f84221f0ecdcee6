package transport

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// netReadSize is the buffer that each connection reads into, also while it is idle: room for the longest
	// frames that are usual.
	netReadSize = 512
	// A peer has to take netWriteSize bytes in netWriteWait, or it is given up.
	netWriteSize = 16 << 10
	netWriteWait = 30 * time.Second
)

// netEngine runs connections on plain net: a loop is a goroutine, and each connection has one more that reads
// and, while something is to be written, one that writes.
type netEngine struct {
	server *Server
	all    []*loop
	next   atomic.Uint32
	ended  sync.WaitGroup
}

func newNetEngine(s *Server) engine {
	e := &netEngine{server: s}
	for range s.options.Loops {
		l := newLoop(s.log)
		wake := make(chan struct{}, 1)
		l.kick = func() { wake <- struct{}{} } // never blocks: one kick, then none until drain has run
		e.all = append(e.all, &l)
		e.ended.Go(func() {
			for {
				select {
				case <-l.done:
					return
				case <-wake:
				}
				for l.drain() {
				}
			}
		})
	}
	return e
}

func (e *netEngine) add(c stream, remote netip.AddrPort) {
	s := &netSocket{stream: c}
	s.tries, _ = c.(eager)
	s.conn = conn{server: e.server, loop: e.all[int(e.next.Add(1))%len(e.all)], socket: s, remote: remote}
	s.room.L = &s.mu
	s.deliverTask = s.deliver
	if err := s.conn.loop.Execute(s.open); err != nil {
		c.Close()
		e.server.refuse(err)
	}
}

func (e *netEngine) settle() {} // add has queued its connection when it returns

func (e *netEngine) loops() []*loop { return e.all }

func (e *netEngine) stop() { e.ended.Wait() }

// eager is a stream that can write without waiting, so that the loop can do it without a goroutine.
type eager interface{ TryWrite(p []byte) int }

// netSocket is the socket of a connection on plain net. Its reader puts bytes into arrived and queues deliver
// on the loop; its writer takes them from out.
type netSocket struct {
	conn        conn
	stream      stream
	tries       eager  // the same, nil if it has no such way
	deliverTask func() // deliver, made once

	mu      sync.Mutex
	room    sync.Cond // the reader waits here for kept to shrink
	arrived []byte    // read and not yet offered
	left    int       // being offered, or offered and not consumed
	due     bool      // deliver is queued
	readErr error     // the reader has ended
	out     []byte    // written and not yet taken by the writer
	taken   int       // bytes that the writer has not handed to the system yet
	writing bool      // the writer runs
	sendErr error     // the writer has failed
	closing bool

	small [netReadSize]byte
}

func (s *netSocket) open() {
	if s.conn.open() {
		go s.read()
	}
}

// read is the reader: it ends when the connection does.
func (s *netSocket) read() {
	for {
		n, err := s.stream.Read(s.small[:])
		if !s.put(s.small[:n], err) {
			return
		}
	}
}

// put hands the read bytes to the loop, and waits while too much is unread. It reports whether to read on.
func (s *netSocket) put(p []byte, err error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closing { // else nobody wants it; reading goes on to see the peer close
		s.arrived = append(s.arrived, p...)
	}
	s.readErr = err
	if len(s.arrived) > 0 || err != nil {
		s.wake()
	}
	for err == nil && !s.closing && len(s.arrived)+s.left >= s.conn.server.options.MaxUnread {
		s.room.Wait()
	}
	return err == nil
}

// deliver runs on the loop: it offers the arrived bytes, and then the end.
func (s *netSocket) deliver() {
	s.mu.Lock()
	in, err := s.arrived, s.readErr
	s.arrived, s.due = nil, false
	s.left += len(in) // until kept says how many remain
	s.mu.Unlock()

	if len(in) > 0 {
		s.conn.offer(in)
	}
	if err != nil {
		s.ended(err)
		return
	}
	if cap(in) <= spareBytes {
		s.mu.Lock()
		if s.arrived == nil {
			s.arrived = in[:0]
		}
		s.mu.Unlock()
	}
}

// ended goes on, step by step, from the end of the reader to the end of the connection. It is called again when the
// writer has ended.
func (s *netSocket) ended(err error) {
	s.conn.offerRest()

	s.mu.Lock()
	writing, sendErr := s.writing, s.sendErr
	unsent := len(s.out)+s.taken > 0
	s.mu.Unlock()

	switch {
	case s.conn.state != connOpen:
		if unsent && (errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(sendErr, os.ErrDeadlineExceeded)) {
			s.conn.fail(ErrUnsent)
		}
	case sendErr != nil:
		s.conn.fail(sendErr)
	case err != io.EOF:
		s.conn.fail(err)
	default: // the peer has closed its side and may still be waiting for answers
		s.conn.Close()
	}
	if !writing {
		s.stream.Close()
		s.conn.end(err)
	}
}

func (s *netSocket) write(p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sendErr != nil {
		return
	}
	if s.tries != nil && !s.writing && len(s.out) == 0 {
		p = p[s.tries.TryWrite(p):]
	}
	if len(p) == 0 {
		return
	}
	s.out = append(s.out, p...)
	if !s.writing {
		s.writing = true
		go s.send()
	}
}

// send is the writer: it ends when nothing is left to be written.
func (s *netSocket) send() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.out) > 0 && s.sendErr == nil {
		batch := s.out
		s.out, s.taken = nil, len(batch)
		for s.taken > 0 && s.sendErr == nil {
			part := batch[len(batch)-s.taken:]
			part = part[:min(len(part), netWriteSize)]
			if !s.closing { // else finish has set a deadline
				_ = s.stream.SetWriteDeadline(time.Now().Add(netWriteWait))
			}
			s.mu.Unlock()
			n, err := s.stream.Write(part)
			s.mu.Lock()
			s.taken -= n
			s.sendErr = err
		}
		if s.out == nil && cap(batch) <= spareBytes {
			s.out = batch[:0]
		}
	}
	s.writing = false
	switch {
	case s.sendErr != nil:
		_ = s.stream.SetLinger(0) // the kernel need not keep bytes that the peer does not take
		s.stream.Close()          // ends the reader
	case s.closing:
		_ = s.stream.CloseWrite() // an error comes to the reader too
	}
	if s.readErr != nil {
		s.wake()
	}
}

// wake queues deliver; mu is held.
func (s *netSocket) wake() {
	if !s.due {
		s.due = true
		_ = s.conn.loop.Execute(s.deliverTask) // loops stop after all connections have ended
	}
}

func (s *netSocket) pending() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.out) + s.taken
}

func (s *netSocket) roundTrip() (d time.Duration, ok bool) {
	tcp, isTCP := s.stream.(*net.TCPConn)
	if !isTCP {
		return 0, false
	}
	if raw, err := tcp.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { d, ok = roundTrip(int(fd)) }) // an ended connection has none
	}
	return d, ok
}

func (s *netSocket) kept(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = n
	s.room.Signal()
}

// finish leaves the rest to the reader, which waits for the peer to close, and to the writer.
func (s *netSocket) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing = true
	_ = s.stream.SetDeadline(time.Now().Add(s.conn.server.options.closeWait))
	if !s.writing {
		_ = s.stream.CloseWrite()
	}
	s.room.Signal()
}

func (s *netSocket) abort() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing = true
	if len(s.out)+s.taken > 0 {
		_ = s.stream.SetLinger(0)
	}
	s.stream.Close() // ends the reader and the writer
	s.room.Signal()
}
