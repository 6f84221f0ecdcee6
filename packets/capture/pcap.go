package capture

import (
	"cmp"
	"container/list"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"time"

	"sphereserver/packets"
)

// Bounds of the memory that a hostile pcap can make us keep.
const (
	maxRemarks = 100 // errors about bytes that are missing or make no sense

	// Of more connections at a time, or more bytes that wait in all of them, the one that was silent for longest gives
	// way.
	maxConnections = 1 << 14
	maxWaiting     = 128 << 20
)

func readPcap(name string, r peeker, o Options, yield emit) {
	file, err := openPcap(r)
	if err != nil {
		yield(Recorded{}, fmt.Errorf("%s: header of the pcap: %w", Clean(name), err))
		return
	}
	t := &traffic{port: o.Port, plain: o.Plain, flows: map[flow]*list.Element{}, order: list.New(), yield: yield,
		name: Clean(name)}
	strange := false // a link of which this was said
	for n := 1; !t.stopped; n++ {
		p, err := file.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.finish()
			t.error(fmt.Errorf("%s: packet %d: the file is damaged or cut: %w", t.name, n, err))
			return
		}
		if !strange && !p.link.isRead() {
			strange = true
			t.error(fmt.Errorf("%s: packet %d: link type %d, expected Ethernet (1), raw IP (101), loopback (0, 108) or all "+
				"interfaces of Linux (113, 276)", t.name, n, p.link))
		}
		t.packet(&p)
	}
	t.finish()
	if t.seen == 0 && !t.stopped {
		t.error(fmt.Errorf("%s: no TCP packet of port %d (choose another with --port)", t.name, o.Port))
	}
}

// A peeker is a file that lets one look at its first bytes.
type peeker interface {
	io.Reader
	Peek(int) ([]byte, error)
}

// A flow is the two ends of a connection.
type flow struct{ client, server netip.AddrPort }

// traffic is the state of a pcap while it is read.
type traffic struct {
	name    string
	port    uint16
	plain   bool
	flows   map[flow]*list.Element // of *connection
	order   *list.List             // the one that was silent for longest first
	opened  int                    // connections
	seen    int                    // packets of the port
	waiting int                    // bytes of all connections that are no frame yet
	remarks int
	yield   emit
	stopped bool
}

// A connection is one client's.
type connection struct {
	flow    flow
	number  int
	streams [2]stream // from the client, from the server
	framers [2]framer
	waiting int    // bytes of both, as counted in traffic
	opened  uint32 // sequence number of the client's SYN
	syn     bool
	client
}

func (t *traffic) error(err error) {
	if !t.stopped && !t.yield(Recorded{}, err) {
		t.stopped = true
	}
}

// remark reports bytes that are missing or make no sense, while it does not become too much.
func (t *traffic) remark(format string, args ...any) {
	if t.remarks++; t.remarks <= maxRemarks {
		t.error(fmt.Errorf("%s: "+format, append([]any{t.name}, args...)...))
	} else if t.remarks == maxRemarks+1 {
		t.error(fmt.Errorf("%s: more than %d places with missing or stray bytes; the rest is not listed", t.name, maxRemarks))
	}
}

func (t *traffic) packet(p *packet) {
	tcp, ok := tcpOf(p.link, p.data)
	if !ok || tcp.to.Port() != t.port && tcp.from.Port() != t.port {
		return
	}
	t.seen++
	f, way := flow{tcp.from, tcp.to}, 0
	back := flow{f.server, f.client}
	if _, known := t.flows[back]; known || tcp.to.Port() != t.port {
		f, way = back, 1
	}
	c := t.connection(f, &tcp, way)
	if tcp.syn {
		if s := &c.streams[way]; !s.started {
			s.start(tcp.sequence + 1)
		}
		return // data on a SYN would be of TCP Fast Open, which no client uses here
	}
	c.streams[way].add(segment{tcp.sequence, tcp.data, p.at}, t.into(c, way))
	if other := &c.streams[1-way]; other.full(p.at) {
		other.skip(t.into(c, 1-way))
	}
	t.count(c)
	for t.waiting > maxWaiting {
		t.close(t.order.Front())
	}
}

// count brings up to date how much waits in a connection.
func (t *traffic) count(c *connection) {
	n := 0
	for way := range c.streams {
		n += c.streams[way].bytes + len(c.framers[way].buf)
	}
	t.waiting += n - c.waiting
	c.waiting = n
}

// connection returns that of a packet. A new SYN of the client on the same ports begins another.
func (t *traffic) connection(f flow, tcp *tcpSegment, way int) *connection {
	opens := tcp.syn && !tcp.ack && way == 0
	if e, ok := t.flows[f]; ok {
		c := e.Value.(*connection)
		if !opens || c.syn && c.opened == tcp.sequence {
			t.order.MoveToBack(e)
			return c
		}
		t.close(e)
	}
	if t.order.Len() >= maxConnections {
		t.close(t.order.Front())
	}
	t.opened++
	c := &connection{flow: f, number: t.opened}
	c.syn, c.opened = opens, tcp.sequence
	c.framers[0].dir, c.framers[1].dir = packets.FromClient, packets.FromServer
	// A capture that begins in the middle of a connection may begin in the middle of a frame.
	c.framers[0].adrift = !opens
	c.framers[1].adrift = !opens
	t.flows[f] = t.order.PushBack(c)
	return c
}

// close hands over the bytes that a connection still holds, and forgets it.
func (t *traffic) close(e *list.Element) {
	c := e.Value.(*connection)
	for way := range c.streams {
		c.streams[way].flush(t.into(c, way))
		if k := &c.framers[way]; len(k.buf)+k.stray > 0 {
			t.remark("connection %d, %s: %d bytes at the end are no whole frame", c.number, k.dir, len(k.buf)+k.stray)
		}
	}
	t.order.Remove(e)
	delete(t.flows, c.flow)
	t.waiting -= c.waiting
}

func (t *traffic) finish() {
	for t.order.Len() > 0 {
		t.close(t.order.Front())
	}
}

// into returns the receiver of the bytes of one direction of a connection.
func (t *traffic) into(c *connection, way int) deliver {
	dir := c.framers[way].dir
	return func(data []byte, at time.Time, lost int) {
		c.framers[way].push(data, at, lost, func(frame []byte, at time.Time) {
			if t.stopped {
				return
			}
			if !t.yield(c.seen(frame, at, dir, t.plain), nil) {
				t.stopped = true
			}
		}, func(lost, stray int) {
			if lost > 0 {
				t.remark("connection %d, %s: %d bytes are missing at %s", c.number, dir, lost, stamp(at))
			}
			if stray > 0 {
				t.remark("connection %d, %s: %d bytes belong to no frame at %s", c.number, dir, stray, stamp(at))
			}
		})
	}
}

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05.000000") }

// seen makes a record of a frame, and learns from the greeting and the credentials.
func (c *connection) seen(frame []byte, at time.Time, dir packets.Direction, plain bool) Recorded {
	r := c.record(frame, dir)
	r.Time, r.Connection, r.Client, r.Server = stamp(at), c.number, c.flow.client.String(), c.flow.server.String()
	if dir == packets.FromServer {
		c.learn(frame)
	} else if plain {
		r.Plain = frame
	}
	return r
}

func (c *connection) learn(frame []byte) {
	if channel := packets.FrameChannel(frame, packets.FromServer); channel != packets.ChannelGreeting && c.index {
		return
	}
	f, err := packets.DecodeFrame(frame, packets.FromServer, packets.Dialect2026)
	if err != nil {
		return
	}
	if g, ok := f.Control.(*packets.Greeting); ok {
		key := g.Key
		c.key = cmp.Or(c.key, &key)
	}
	if f.Body == nil {
		return
	}
	for _, s := range f.Body.Sections {
		for _, r := range s.Regions {
			command, _ := packets.CommandOf(r)
			if _, ok := command.(*packets.LoginTime); ok && s.Class == packets.ClassPlayer {
				c.index, c.deobfuscator = true, packets.NewDeobfuscator(packets.PlayerIndexOf(s.Object))
				return
			}
		}
	}
}
