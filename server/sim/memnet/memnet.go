// Package memnet is a network in memory for tests on simulated time: bytes take a latency, connections can be lost,
// stand half open, or be read slowly, and for one seed all of it happens at the same nanoseconds every time.
//
// It is made for bubbles of [testing/synctest]: all that waits here waits on channels, conditions and timers.
//
// # Equal runs
//
// Two things that become ready in one moment are taken in an order that nobody has chosen. So every arrival has a
// moment of its own: a whole millisecond, and an odd number of nanoseconds that no other direction of a connection
// uses, nor this one for a long time after; ticks, the store and tests keep to even ones. Bytes that are written in
// one moment arrive in one. A connection is known by the address that a test dials from, and by its number among
// those of that address: so it is the same one in every run.
package memnet

import (
	"cmp"
	"context"
	"crypto/md5"
	"encoding/binary"
	"fmt"
	"hash"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"sync"
	"syscall"
	"time"
)

// Options of a [Network]. The comment of a field says the meaning of its zero value.
type Options struct {
	Seed    uint64
	Latency time.Duration // of one way, at least a millisecond, which 0 means
	Jitter  time.Duration // up to so much more, by chance
	Window  int           // bytes that one direction holds before a writer has to wait; 64 KiB
	Split   int           // bytes that a read returns at most; no limit
	Hosts   int           // addresses whose arrivals have moments of their own; 128, at most 8192
}

const (
	// grid is the step that arrivals are rounded up to, before each gets its own nanoseconds.
	grid = time.Millisecond
	// perHost is how many directions an address has before it uses them again.
	perHost = 8
	// The nanoseconds of the grid are shared among the directions of so many addresses.
	usualHosts, mostHosts = 128, 8192
	// deadAfter is when a peer is given up that does not answer: as the transport tells the system, 80 s at most.
	deadAfter = 80 * time.Second
)

// directions is how many there are before their moments are shared.
func (o *Options) directions() int64 { return int64(o.Hosts) * perHost }

// share is how many of the grid's nanoseconds a direction has for itself, an even number.
func (o *Options) share() int64 { return int64(grid) / o.directions() &^ 1 }

// A Network connects its listeners with its dialers.
type Network struct {
	options Options

	mu        sync.Mutex
	listeners map[netip.AddrPort]*listener
	dialled   map[netip.Addr]int // connections so far from an address
	hosts     map[netip.Addr]int // number of each address that dials
	conns     []*Conn            // every end that has dialled, ever
}

// New makes a network on which nobody listens.
func New(o Options) *Network {
	o.Latency = max(o.Latency, grid)
	o.Window = cmp.Or(max(o.Window, 0), 64<<10)
	o.Hosts = min(cmp.Or(max(o.Hosts, 0), usualHosts), mostHosts)
	return &Network{options: o, listeners: map[netip.AddrPort]*listener{}, dialled: map[netip.Addr]int{},
		hosts: map[netip.Addr]int{}}
}

type listener struct {
	network *Network
	addr    netip.AddrPort
	arrived chan *Conn
	closed  chan struct{}
	once    sync.Once
}

// backlog is how many connections may wait to be accepted.
const backlog = 1024

// firstPort is the first port for listeners that ask for any.
const firstPort = 25860

// Listen listens on an IP address and a port; port 0 is a free one.
func (n *Network) Listen(addr string) (net.Listener, error) {
	at, err := netip.ParseAddrPort(addr)
	if err != nil {
		return nil, fmt.Errorf("memnet: %w", err)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for port := uint16(firstPort); at.Port() == 0; port++ {
		if free := netip.AddrPortFrom(at.Addr(), port); n.listeners[free] == nil {
			at = free
		}
	}
	if n.listeners[at] != nil {
		return nil, &net.OpError{Op: "listen", Net: "tcp", Addr: net.TCPAddrFromAddrPort(at), Err: syscall.EADDRINUSE}
	}
	l := &listener{network: n, addr: at, arrived: make(chan *Conn, backlog), closed: make(chan struct{})}
	n.listeners[at] = l
	return l, nil
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case <-l.closed:
		return nil, &net.OpError{Op: "accept", Net: "tcp", Addr: l.Addr(), Err: net.ErrClosed}
	case c := <-l.arrived:
		return c, nil
	}
}

func (l *listener) Addr() net.Addr { return net.TCPAddrFromAddrPort(l.addr) }

// Close ends listening; a connection that has not been accepted is refused.
func (l *listener) Close() error {
	l.once.Do(func() {
		l.network.mu.Lock()
		delete(l.network.listeners, l.addr)
		l.network.mu.Unlock()
		close(l.closed)
		for {
			select {
			case c := <-l.arrived:
				c.Reset()
			default:
				return
			}
		}
	})
	return nil
}

// From returns a dialer of connections from an address, with a new port each. Addresses are to be named in the same
// order in every run.
func (n *Network) From(from netip.Addr) func(ctx context.Context, addr string) (net.Conn, error) {
	n.mu.Lock()
	if _, known := n.hosts[from]; !known {
		n.hosts[from] = len(n.hosts)
	}
	n.mu.Unlock()
	return func(ctx context.Context, addr string) (net.Conn, error) { return n.dial(ctx, from, addr) }
}

func (n *Network) dial(ctx context.Context, from netip.Addr, addr string) (net.Conn, error) {
	to, err := netip.ParseAddrPort(addr)
	if err != nil {
		return nil, fmt.Errorf("memnet: %w", err)
	}
	near, far := n.pair(from, to)
	failed := func(err error) error {
		return &net.OpError{Op: "dial", Net: "tcp", Addr: net.TCPAddrFromAddrPort(to), Err: err}
	}
	select {
	case <-ctx.Done():
		return nil, failed(ctx.Err())
	case <-time.After(time.Until(near.out.arrival(time.Now()))):
	}
	n.mu.Lock()
	l := n.listeners[to]
	n.mu.Unlock()
	if l == nil {
		return nil, failed(syscall.ECONNREFUSED)
	}
	select {
	case l.arrived <- far:
		return near, nil
	case <-l.closed:
	default: // as a full backlog does, but at once
	}
	return nil, failed(syscall.ECONNREFUSED)
}

func (n *Network) pair(from netip.Addr, to netip.AddrPort) (near, far *Conn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	nth := n.dialled[from]
	n.dialled[from]++
	here := netip.AddrPortFrom(from, uint16(32768+nth%28000))
	first := int64(n.hosts[from]*perHost + 2*nth%perHost)
	there, back := n.direction(first), n.direction(first+1)
	near = &Conn{in: back, out: there, local: net.TCPAddrFromAddrPort(here), remote: net.TCPAddrFromAddrPort(to)}
	far = &Conn{in: there, out: back, local: near.remote, remote: near.local}
	n.conns = append(n.conns, near)
	return near, far
}

// Trace is a hash of all that has been sent, and when: equal for two runs that were equal.
func (n *Network) Trace() (out [md5.Size]byte) {
	n.mu.Lock()
	all := slices.Clone(n.conns)
	n.mu.Unlock()
	slices.SortFunc(all, func(a, b *Conn) int { return a.local.AddrPort().Compare(b.local.AddrPort()) })
	sum := md5.New()
	for _, c := range all {
		sum.Write(c.out.sum())
		sum.Write(c.in.sum())
	}
	sum.Sum(out[:0])
	return out
}

// Fence orders all that its caller has done before the next act of a reader or writer that waits now, for the race
// detector.
func (n *Network) Fence() { n.Trace() }

// Reset loses all connections.
func (n *Network) Reset() {
	n.mu.Lock()
	all := slices.Clone(n.conns)
	n.mu.Unlock()
	for _, c := range all {
		c.Reset()
	}
}

// Conns are the near ends of all connections that were ever made from an address, in their order.
func (n *Network) Conns(from netip.Addr) (out []*Conn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range n.conns {
		if c.local.AddrPort().Addr() == from {
			out = append(out, c)
		}
	}
	return out
}

// A direction is one of the two of a connection: bytes on their way, and arrived bytes that wait for their reader.
type direction struct {
	options Options
	number  int64 // of all directions, for the moments
	random  *rand.Rand

	mu       sync.Mutex
	changed  sync.Cond
	way      []segment
	held     int       // bytes in way
	last     time.Time // of the last arrival
	arrivals int64     // so far
	ended    bool      // nothing is written any more: the end is the last segment
	err      error     // why it has failed, for both ends
	unwanted bool      // its reader has closed
	pulled   time.Time // since when nothing arrives, zero while it does
	reads    deadline
	writes   deadline
	arrived  *time.Timer // of the next arrival
	trace    hash.Hash
	noted    time.Time // the last moment in it
}

// A segment has the bytes that were written in one moment, or the end.
type segment struct {
	written, arrives time.Time
	bytes            []byte
	end              bool
}

func (n *Network) direction(number int64) *direction {
	random := rand.New(rand.NewPCG(n.options.Seed, uint64(number)))
	d := &direction{options: n.options, number: number, random: random, trace: md5.New()}
	d.changed.L = &d.mu
	return d
}

// arrival is when something arrives that is sent now; mu is held, or nobody else knows the direction yet.
func (d *direction) arrival(now time.Time) time.Time {
	delay := d.options.Latency
	if d.options.Jitter > 0 {
		delay += time.Duration(d.random.Int64N(int64(d.options.Jitter)))
	}
	at := d.moment(now.Add(delay))
	for !at.After(d.last) {
		at = at.Add(grid)
	}
	d.last = at
	return at
}

// moment is the next one that is the direction's own; mu is held.
func (d *direction) moment(from time.Time) time.Time {
	share := d.options.share()
	own := time.Duration(d.number%d.options.directions()*share + 1 + 2*(d.arrivals%(share/2))) // odd
	d.arrivals++
	return from.Add(grid - 1).Truncate(grid).Add(own)
}

// send puts bytes on their way, as many as there is room for.
func (d *direction) send(p []byte) (n int) {
	n = min(len(p), d.options.Window-d.held)
	if n <= 0 {
		return 0
	}
	now := time.Now()
	if last := len(d.way) - 1; last >= 0 && d.way[last].written.Equal(now) && !d.way[last].end {
		d.way[last].bytes = append(d.way[last].bytes, p[:n]...)
	} else {
		d.way = append(d.way, segment{written: now, arrives: d.arrival(now), bytes: slices.Clone(p[:n])})
	}
	d.held += n
	d.note(now, p[:n])
	d.wake()
	return n
}

// note adds to the trace. In how many writes the bytes of one moment were sent makes no difference.
func (d *direction) note(now time.Time, p []byte) {
	if !now.Equal(d.noted) {
		d.noted = now
		d.trace.Write(binary.BigEndian.AppendUint64(nil, uint64(now.UnixNano())))
	}
	d.trace.Write(p)
}

func (d *direction) sum() []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.trace.Sum(nil)
}

// finish makes the end arrive after the bytes on their way; mu is held.
func (d *direction) finish() {
	if d.ended || d.err != nil {
		return
	}
	d.ended = true
	now := time.Now()
	d.way = append(d.way, segment{written: now, arrives: d.arrival(now), end: true})
	d.note(now, nil)
	d.wake()
	d.changed.Broadcast()
}

// wake has readers look when the first segment arrives; mu is held.
func (d *direction) wake() {
	if len(d.way) == 0 || !d.pulled.IsZero() {
		return
	}
	d.arrived = d.again(d.arrived, d.way[0].arrives)
}

// again makes all waiting goroutines look once more at a time; the zero time is never. mu is held.
func (d *direction) again(t *time.Timer, at time.Time) *time.Timer {
	if t != nil {
		t.Stop()
	}
	if at.IsZero() {
		return nil
	}
	return time.AfterFunc(time.Until(at), func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.changed.Broadcast()
	})
}

// fail ends the direction for both ends at once; mu is held.
func (d *direction) fail(err error) {
	d.err = cmp.Or(d.err, err)
	d.way, d.held = nil, 0
	d.changed.Broadcast()
}

// take gives the reader arrived bytes, 0 for none; mu is held.
func (d *direction) take(p []byte) (n int) {
	if d.options.Split > 0 {
		p = p[:min(len(p), d.options.Split)]
	}
	now := d.now()
	for len(d.way) > 0 && n < len(p) {
		head := &d.way[0]
		if head.end || head.arrives.After(now) {
			break
		}
		part := copy(p[n:], head.bytes)
		n += part
		if head.bytes = head.bytes[part:]; len(head.bytes) == 0 {
			d.way = d.way[1:]
		}
	}
	if n > 0 {
		d.held -= n
		d.wake()
		d.changed.Broadcast()
	}
	return n
}

// over reports whether the end has arrived; mu is held.
func (d *direction) over() bool {
	return len(d.way) > 0 && d.way[0].end && !d.way[0].arrives.After(d.now())
}

// now is until when things have arrived; mu is held.
func (d *direction) now() time.Time {
	if !d.pulled.IsZero() {
		return d.pulled
	}
	return time.Now()
}

// A deadline is the end of a goroutine's waiting.
type deadline struct {
	by    time.Time // zero for none
	timer *time.Timer
}

func (d *deadline) due() bool { return !d.by.IsZero() && !time.Now().Before(d.by) }
