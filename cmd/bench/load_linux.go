package main

import (
	"errors"
	"fmt"
	"net"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"sphereserver/packets"
)

// A load is the clients of a server once they are inside: thousands of sockets that few threads wait on, with as little
// work for each ping as there can be, since the machine is the server's as well.
type load struct {
	threads []*loadThread
	next    atomic.Uint32 // thread that takes the next socket
	wait    sync.WaitGroup
}

// A loadThread is one thread of a load. Its sockets are touched by itself only.
type loadThread struct {
	epoll   int
	pace    atomic.Pointer[pace]
	noticed atomic.Pointer[pace] // the one that it goes by
	ended   atomic.Bool
	answers atomic.Uint64
	sent    atomic.Uint64
	updates atomic.Uint64
	failure atomic.Pointer[error]

	mu      sync.Mutex
	joining []*loadSocket

	sockets []*loadSocket
	byFD    map[int32]*loadSocket
	buffer  [16 << 10]byte
}

// A loadSocket is one client.
type loadSocket struct {
	fd      int
	pings   [2][]byte
	turn    int    // of pings
	owed    int    // answers
	partial []byte // a frame that has not arrived whole
}

// idlePoll is how long a thread may not notice an order, in milliseconds.
const idlePoll = 5

func newLoad() (*load, error) {
	l := &load{}
	for range max(1, runtime.NumCPU()) {
		fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
		if err != nil {
			l.close()
			return nil, err
		}
		t := &loadThread{epoll: fd, byFD: map[int32]*loadSocket{}}
		t.pace.Store(new(pace))
		l.threads = append(l.threads, t)
		l.wait.Go(t.run)
	}
	return l, nil
}

// take makes a connection a client that sends these pings in turn; rest was read from it already. The connection is no
// longer the caller's.
func (l *load) take(conn net.Conn, pings [2][]byte, rest []byte) error {
	defer conn.Close() // the duplicate lives on, and Go's own poller knows nothing of it
	raw, err := conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		return err
	}
	fd := -1
	var failure error
	if err := raw.Control(func(own uintptr) { fd, failure = unix.FcntlInt(own, unix.F_DUPFD_CLOEXEC, 0) }); err != nil {
		return err
	}
	if failure != nil {
		return failure
	}
	t := l.threads[int(l.next.Add(1))%len(l.threads)]
	t.mu.Lock()
	t.joining = append(t.joining, &loadSocket{fd: fd, pings: pings, partial: slices.Clone(rest)})
	t.mu.Unlock()
	return nil
}

// set gives the clients another pace, all threads together at the rate.
func (l *load) set(p pace) {
	p.rate /= float64(len(l.threads))
	for _, t := range l.threads {
		t.pace.Store(&p)
	}
}

// counts are the numbers of received and sent messages so far.
func (l *load) counts() (n loadCounts) {
	for _, t := range l.threads {
		n.answers += t.answers.Load()
		n.sent += t.sent.Load()
		n.updates += t.updates.Load()
	}
	return n
}

// err is the first failure: a client that fails leaves its load in vain.
func (l *load) err() error {
	for _, t := range l.threads {
		if err := t.failure.Load(); err != nil {
			return *err
		}
	}
	return nil
}

// close closes all clients.
func (l *load) close() {
	for _, t := range l.threads {
		t.ended.Store(true)
	}
	l.wait.Wait()
	for _, t := range l.threads {
		t.adopt()
		for _, s := range t.sockets {
			_ = unix.Close(s.fd)
		}
		_ = unix.Close(t.epoll)
	}
}

func (t *loadThread) run() {
	if err := t.loop(); err != nil {
		t.failure.Store(&err)
	}
}

func (t *loadThread) loop() error {
	events := make([]unix.EpollEvent, 256)
	var current *pace
	var began time.Time
	var due, done, next int
	for !t.ended.Load() {
		p := t.pace.Load() // before the sockets that it is for are counted
		if err := t.adopt(); err != nil {
			return err
		}
		if p != current {
			current, began, done = p, time.Now(), 0
			t.noticed.Store(p)
			for _, s := range t.sockets {
				if p.closed && s.owed <= 0 {
					if err := t.ping(s, p.still); err != nil {
						return err
					}
				}
			}
		}
		timeout := idlePoll
		if current.rate > 0 && len(t.sockets) > 0 {
			timeout = 1
			for due = int(time.Since(began).Seconds() * current.rate); done < due; done++ {
				if err := t.ping(t.sockets[next%len(t.sockets)], current.still); err != nil {
					return err
				}
				next++
			}
		}
		n, err := unix.EpollWait(t.epoll, events, timeout)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return err
		}
		for _, e := range events[:max(n, 0)] {
			if err := t.drain(t.byFD[e.Fd], current.closed); err != nil {
				return err
			}
		}
	}
	return nil
}

// adopt takes in the sockets that have been given to the thread.
func (t *loadThread) adopt() error {
	t.mu.Lock()
	joining := t.joining
	t.joining = nil
	t.mu.Unlock()
	for _, s := range joining {
		t.sockets = append(t.sockets, s)
		t.byFD[int32(s.fd)] = s
		event := unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(s.fd)}
		if err := unix.EpollCtl(t.epoll, unix.EPOLL_CTL_ADD, s.fd, &event); err != nil {
			return err
		}
	}
	return nil
}

func (t *loadThread) ping(s *loadSocket, still bool) error {
	n, err := unix.Write(s.fd, s.pings[s.turn])
	if err != nil || n != pingBytes {
		return fmt.Errorf("client: sent %d bytes of a ping: %w", n, err)
	}
	if !still {
		s.turn ^= 1
	}
	s.owed++
	t.sent.Add(1)
	return nil
}

// drain reads the received bytes and, in a closed loop, sends the next ping when it has the answer.
func (t *loadThread) drain(s *loadSocket, closed bool) error {
	n, err := unix.Read(s.fd, t.buffer[:])
	switch {
	case errors.Is(err, unix.EAGAIN):
		return nil
	case err != nil:
		return fmt.Errorf("client: %w", err)
	case n == 0:
		return errors.New("client: the server has closed the connection")
	}
	in := t.buffer[:n]
	if len(s.partial) > 0 {
		s.partial = append(s.partial, in...)
		in = s.partial
	}
	answers, updates, rest, err := countFrames(in)
	if err != nil {
		return fmt.Errorf("client: %w", err)
	}
	t.updates.Add(uint64(updates))
	s.partial = append(s.partial[:0], rest...)
	if answers == 0 {
		return nil
	}
	t.answers.Add(uint64(answers))
	s.owed -= answers
	if closed && s.owed <= 0 {
		return t.ping(s, false)
	}
	return nil
}

// descriptors is how many files this process, and so each of its children, may have open.
func descriptors() int {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return int(min(limit.Cur, 1<<30))
}

// processorTime is how long this process has kept processors busy, for itself and in the kernel. The kernel counts that
// in microseconds, where /proc shows steps of 10 ms.
func processorTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// isPong reports whether a whole frame of a server answers a ping: nothing else has that length and an origin.
func isPong(frame []byte) bool { return len(frame) == pongBytes && hasOrigin(frame) }

// countFrames cuts a server's bytes into frames and counts the answers to pings and the messages of others' places;
// rest is the beginning of a frame.
func countFrames(in []byte) (answers, updates int, rest []byte, err error) {
	for {
		frame, err := packets.CutFrame(in, packets.FromServer)
		if frame == nil || err != nil {
			return answers, updates, in, err
		}
		switch {
		case isPong(frame):
			answers++
		case isUpdate(frame):
			updates++
		}
		in = in[len(frame):]
	}
}
