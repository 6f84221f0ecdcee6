package capture

import (
	"bytes"
	"cmp"
	"container/list"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"sphereserver/packets"
)

// pcapMagics are the first four bytes of pcap and pcapng files, as a little-endian number.
var pcapMagics = map[uint32]bool{
	0xA1B2C3D4: true, 0xD4C3B2A1: true, // microseconds
	0xA1B23C4D: true, 0x4D3CB2A1: true, // nanoseconds
	pcapngMagic: true,
}

// Bounds of the memory that a hostile pcap can make us keep.
const (
	maxRemarks = 100 // errors about bytes that are missing or make no sense

	// Of more connections at a time, or more bytes that wait in all of them, the one that was silent for longest gives
	// way.
	maxConnections = 1 << 14
	maxWaiting     = 128 << 20
)

// A packetSource is a pcap or pcapng file.
type packetSource interface {
	ReadPacketData() ([]byte, gopacket.CaptureInfo, error)
}

func openPcap(r io.Reader, magic []byte) (
	src packetSource, linkType func(gopacket.CaptureInfo) layers.LinkType, err error) {
	if bytes.Equal(magic, []byte{0x0A, 0x0D, 0x0D, 0x0A}) {
		ng, err := pcapgo.NewNgReader(&blockGuard{r: r}, pcapgo.NgReaderOptions{WantMixedLinkType: true,
			SkipUnknownVersion: true})
		return ng, func(ci gopacket.CaptureInfo) layers.LinkType {
			if len(ci.AncillaryData) > 0 {
				if t, ok := ci.AncillaryData[0].(layers.LinkType); ok {
					return t
				}
			}
			return layers.LinkTypeEthernet
		}, err
	}
	classic, err := pcapgo.NewReader(r)
	if err != nil {
		return nil, nil, err
	}
	classic.SetSnaplen(maxPacket) // the file's own number is often wrong, and may be 4 GiB
	return classic, func(gopacket.CaptureInfo) layers.LinkType { return classic.LinkType() }, nil
}

func readPcap(name string, r peeker, o Options, yield emit) {
	magic, _ := r.Peek(4)
	src, linkType, err := openPcap(r, magic)
	if err != nil {
		yield(Recorded{}, fmt.Errorf("%s: header of the pcap: %w", Clean(name), err))
		return
	}
	t := &traffic{port: o.Port, plain: o.Plain, flows: map[flow]*list.Element{}, order: list.New(), yield: yield,
		name: Clean(name)}
	for n := 1; !t.stopped; n++ {
		data, ci, err := src.ReadPacketData()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.finish()
			t.error(fmt.Errorf("%s: packet %d: the file is damaged or cut: %w", t.name, n, err))
			return
		}
		t.packet(data, ci, linkType(ci))
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

func (t *traffic) packet(data []byte, ci gopacket.CaptureInfo, link layers.LinkType) {
	p := gopacket.NewPacket(data, link, gopacket.DecodeOptions{Lazy: true, NoCopy: true})
	tcp, _ := p.Layer(layers.LayerTypeTCP).(*layers.TCP)
	if tcp == nil || uint16(tcp.DstPort) != t.port && uint16(tcp.SrcPort) != t.port {
		return
	}
	network := p.NetworkLayer()
	if network == nil {
		return
	}
	from, to := network.NetworkFlow().Endpoints()
	src, ok1 := netip.AddrFromSlice(from.Raw())
	dst, ok2 := netip.AddrFromSlice(to.Raw())
	if !ok1 || !ok2 {
		return
	}
	t.seen++
	f, way := flow{netip.AddrPortFrom(src, uint16(tcp.SrcPort)), netip.AddrPortFrom(dst, uint16(tcp.DstPort))}, 0
	back := flow{f.server, f.client}
	if _, known := t.flows[back]; known || uint16(tcp.DstPort) != t.port {
		f, way = back, 1
	}
	c := t.connection(f, tcp, way)
	if tcp.SYN {
		if s := &c.streams[way]; !s.started {
			s.start(tcp.Seq + 1)
		}
		return // data on a SYN would be of TCP Fast Open, which no client uses here
	}
	c.streams[way].add(segment{tcp.Seq, tcp.Payload, ci.Timestamp}, t.into(c, way))
	if other := &c.streams[1-way]; other.full(ci.Timestamp) {
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
func (t *traffic) connection(f flow, tcp *layers.TCP, way int) *connection {
	opens := tcp.SYN && !tcp.ACK && way == 0
	if e, ok := t.flows[f]; ok {
		c := e.Value.(*connection)
		if !opens || c.syn && c.opened == tcp.Seq {
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
	c.syn, c.opened = opens, tcp.Seq
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
