package capture

import (
	"bytes"
	"container/list"
	"encoding/binary"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"sphereserver/packets"
)

// A talk writes one TCP connection packet by packet, as a capture on the way has it.
type talk struct {
	t          testing.TB
	clientPort layers.TCPPort
	serverPort layers.TCPPort
	seq        [2]uint32 // of the client, of the server
	v6         bool
	packets    []recordedPacket
	clock      *time.Time
}

type recordedPacket struct {
	at   time.Time
	data []byte
}

const (
	fromClient = 0
	fromServer = 1
)

func newTalk(t testing.TB, clock *time.Time, clientPort layers.TCPPort) *talk {
	return &talk{t: t, clientPort: clientPort, serverPort: DefaultPort, seq: [2]uint32{0xFFFFFFF0, 77}, clock: clock}
}

// packet makes one packet at an offset from the next byte of its side.
func (k *talk) packet(way int, offset int, flags string, payload []byte) {
	k.t.Helper()
	tcp := &layers.TCP{SrcPort: k.clientPort, DstPort: k.serverPort, Seq: k.seq[way] + uint32(offset), Window: 1000,
		Ack: k.seq[1-way],
		SYN: strings.Contains(flags, "S"), FIN: strings.Contains(flags, "F"), RST: strings.Contains(flags,
			"R"), ACK: strings.Contains(flags, "A")}
	client, server := net.IP{10, 0, 0, 1}, net.IP{10, 0, 0, 2}
	if k.v6 {
		client, server = net.ParseIP("fd00::1"), net.ParseIP("fd00::2")
	}
	src, dst := client, server
	if way == fromServer {
		tcp.SrcPort, tcp.DstPort = tcp.DstPort, tcp.SrcPort
		src, dst = dst, src
	}
	eth := &layers.Ethernet{SrcMAC: make(net.HardwareAddr, 6), DstMAC: make(net.HardwareAddr, 6),
		EthernetType: layers.EthernetTypeIPv4}
	var network gopacket.SerializableLayer
	if k.v6 {
		eth.EthernetType = layers.EthernetTypeIPv6
		ip := &layers.IPv6{Version: 6, NextHeader: layers.IPProtocolTCP, HopLimit: 9, SrcIP: src, DstIP: dst}
		network = ip
		k.check(tcp.SetNetworkLayerForChecksum(ip))
	} else {
		ip := &layers.IPv4{Version: 4, IHL: 5, TTL: 9, Protocol: layers.IPProtocolTCP, SrcIP: src, DstIP: dst}
		network = ip
		k.check(tcp.SetNetworkLayerForChecksum(ip))
	}
	buf := gopacket.NewSerializeBuffer()
	k.check(gopacket.SerializeLayers(buf, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}, eth,
		network, tcp, gopacket.Payload(payload)))
	*k.clock = k.clock.Add(time.Millisecond)
	k.packets = append(k.packets, recordedPacket{*k.clock, slices.Clone(buf.Bytes())})
}

func (k *talk) check(err error) {
	k.t.Helper()
	if err != nil {
		k.t.Fatal(err)
	}
}

func (k *talk) open() {
	k.packet(fromClient, 0, "S", nil)
	k.packet(fromServer, 0, "SA", nil)
	k.seq[fromClient]++
	k.seq[fromServer]++
	k.packet(fromClient, 0, "A", nil)
}

// say sends bytes in segments of these sizes, the last takes the rest.
func (k *talk) say(way int, data []byte, sizes ...int) {
	for len(data) > 0 {
		n := len(data)
		if len(sizes) > 0 {
			n, sizes = min(sizes[0], n), sizes[1:]
		}
		k.packet(way, 0, "A", data[:n])
		k.seq[way] += uint32(n)
		data = data[n:]
	}
}

func (k *talk) hex(s string) []byte { return mustHex(k.t, s) }

const (
	greeting    = "0A 00 C8 00 6C 07 00 00 1F 42"
	reply       = "0C 00 A7 BD 23 01 90 01 03 00 00 00"
	credentials = "38002C010000044F6F08402010F3B6584E357C120200000000000000001A3B120100FFFFFFFFFFFFFFFF00000000000000" +
		"008D9D01000000"
	loginKeyed = "200033BC26012C01009B0AA7A364B0249F20F6F1308E8C955DC4FA0BD2514E95"
	pingWire   = "26 00 C2 43 3A 07 2C 01 00 70 08 BF 39 0E 44 BC E5 3F B4 55 33 E8 39 AA 59 D8 9D 83 CE 67 E6 F5 " +
		"B8 A7 2A 4B 5B A3"
	pingOpen = "26 00 C2 43 3A 07 2C 01 00 3B 05 55 ED E8 20 50 F3 E9 0D 01 60 10 00 D0 09 11 00 F4 63 11 00 30 " +
		"1A 11 00 00 80 0E"
	pong = "12 00 2C 01 00 3B 05 55 ED E8 20 9C E1 E9 0D 01 60 00"
)

// login is a connection up to its first ping.
func (k *talk) login() {
	k.open()
	k.say(fromServer, k.hex(greeting))
	k.say(fromClient, k.hex(reply), 5)
	k.say(fromServer, k.hex(credentials), 1, 30)
	k.say(fromClient, k.hex(loginKeyed), 31)
	k.say(fromClient, k.hex(pingWire))
	k.say(fromServer, k.hex(pong))
}

// pcap puts packets into a file, sorted by time.
func pcap(t testing.TB, talks ...*talk) []byte {
	t.Helper()
	var out bytes.Buffer
	w := pcapgo.NewWriter(&out)
	if err := w.WriteFileHeader(65536, layers.LinkTypeEthernet); err != nil {
		t.Fatal(err)
	}
	for _, p := range inOrder(talks) {
		if err := w.WritePacket(gopacket.CaptureInfo{Timestamp: p.at, CaptureLength: len(p.data), Length: len(p.data)},
			p.data); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func inOrder(talks []*talk) []recordedPacket {
	var all []recordedPacket
	for _, k := range talks {
		all = append(all, k.packets...)
	}
	slices.SortStableFunc(all, func(a, b recordedPacket) int { return a.at.Compare(b.at) })
	return all
}

func pcapng(t testing.TB, talks ...*talk) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := pcapgo.NewNgWriter(&out, layers.LinkTypeEthernet)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range inOrder(talks) {
		if err := w.WritePacket(gopacket.CaptureInfo{Timestamp: p.at, CaptureLength: len(p.data), Length: len(p.data)},
			p.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// said reads a pcap and shows, a line each, connection, direction, messages and errors.
func said(t testing.TB, file []byte, o Options) string {
	t.Helper()
	var out strings.Builder
	g := NewDetector()
	for rec, err := range Read("a.pcap", bytes.NewReader(file), o) {
		if err != nil {
			fmt.Fprintf(&out, "error %v\n", err)
			continue
		}
		r := g.Read(rec)
		fmt.Fprintf(&out, "%d %s %s", r.Connection, r.Direction, map[bool]string{true: "obfuscated ",
			false: ""}[r.Obfuscated])
		switch {
		case r.Err != nil:
			out.WriteString(r.Err.Error())
		case r.Frame.Control != nil:
			out.WriteString(packets.Name(r.Frame.Control))
		default:
			for _, s := range r.Frame.Body.Sections {
				for _, region := range s.Regions {
					name := packets.Name(region)
					if c, ok := packets.CommandOf(region); ok {
						name = packets.Name(c)
					}
					out.WriteString(name + " ")
				}
			}
		}
		if r.Key != nil {
			fmt.Fprintf(&out, " sum ok %v", checksumOf(&r).ok())
		}
		out.WriteByte('\n')
	}
	return out.String()
}

func joined(s ...string) string { return strings.Join(s, "\n") + "\n" }

var loginSaid = []string{
	"1 S2C Greeting",
	"1 C2S GreetingReply sum ok true",
	"1 S2C LoginTime LoginValues62 TournamentGroupPlaces TournamentGroupState ",
	"1 C2S obfuscated Login  sum ok true",
	"1 C2S obfuscated PositionStream  sum ok false", // the sum of the document's frame is that of its clear form
	"1 S2C PositionStream ",
}

func TestPcap(t *testing.T) {
	for name, write := range map[string]func(testing.TB, ...*talk) []byte{"pcap": pcap, "pcapng": pcapng} {
		for _, v6 := range []bool{false, true} {
			clock := time.Unix(1700000000, 0)
			k := newTalk(t, &clock, 40000)
			k.v6 = v6
			k.login()
			if d := cmp.Diff(joined(loginSaid...), said(t, write(t, k), Options{})); d != "" {
				t.Errorf("%s, IPv6 %v:\n%s", name, v6, d)
			}
		}
	}
}

func TestPcapPositions(t *testing.T) {
	clock := time.Unix(1700000000, 0)
	k := newTalk(t, &clock, 40000)
	k.login()
	var got []string
	for r, err := range Read("x/a.pcap", bytes.NewReader(pcap(t, k)), Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %s %s > %s", r.Position(), r.Time, r.Client, r.Server))
	}
	want := "a.pcap frame 3 2023-11-14 22:13:20.007000 10.0.0.1:40000 > 10.0.0.2:25860" // when its first byte came
	if len(got) != 6 || got[2] != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTwoConnectionsAtOnce(t *testing.T) {
	clock := time.Unix(1700000000, 0)
	a, b, other := newTalk(t, &clock, 40000), newTalk(t, &clock, 40001), newTalk(t, &clock, 40000)
	other.serverPort = 80
	a.open()
	b.open()
	other.open()
	a.say(fromServer, a.hex(greeting))
	b.say(fromServer, b.hex("0A 00 C8 00 6C 07 00 00 40 0E"))
	a.say(fromServer, a.hex(credentials), 20)
	b.say(fromServer, b.hex(strings.Replace(credentials, "4F6F", "4F70", 1)), 20)
	other.say(fromClient, []byte("GET / HTTP/1.1\r\n\r\n"))
	open := strings.Replace(pingOpen, "50 F3 E9 0D", "50 13 EA 0D", 1) // of player 0x704F
	// Each client's frames are deobfuscated with its own index, though the other's would fit neither.
	a.say(fromClient, a.hex(pingWire), 10)
	b.say(fromClient, b.hex(open), 10)
	want := joined("1 S2C Greeting", "2 S2C Greeting", "1 S2C LoginTime LoginValues62 TournamentGroupPlaces TournamentGroupState ",
		"2 S2C LoginTime LoginValues62 TournamentGroupPlaces TournamentGroupState ", "1 C2S obfuscated PositionStream  sum "+
			"ok false", "2 C2S PositionStream  sum ok false")
	if d := cmp.Diff(want, said(t, pcap(t, a, b, other), Options{})); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff("error a.pcap: no TCP packet of port 7777 (choose another with --port)\n",
		said(t, pcap(t, a), Options{Port: 7777})); d != "" {
		t.Error(d)
	}
	if got := said(t, pcap(t, other), Options{Port: 80}); !strings.Contains(got, "error a.pcap: connection 1, C2S: ") {
		t.Error(got)
	}
}

func TestSegmentsOutOfOrderAndAgain(t *testing.T) {
	clock := time.Unix(1700000000, 0)
	k := newTalk(t, &clock, 40000)
	k.open()
	k.packet(fromClient, -1, "S", nil) // the SYN again
	stream := slices.Concat(k.hex(greeting), k.hex(credentials), k.hex(pong))
	piece := func(from, to int) { k.packet(fromServer, from, "A", stream[from:to]) }
	piece(12, 40)
	piece(0, 7)
	piece(0, 7)
	piece(5, 14)
	piece(60, len(stream))
	piece(30, 50)
	piece(50, 60)
	piece(0, len(stream))
	k.seq[fromServer] += uint32(len(stream))
	k.packet(fromServer, 0, "FA", nil)
	want := joined(loginSaid[0], loginSaid[2], loginSaid[5])
	if d := cmp.Diff(want, said(t, pcap(t, k), Options{})); d != "" {
		t.Error(d)
	}
}

func TestMissingSegments(t *testing.T) {
	clock := time.Unix(1700000000, 0)
	k := newTalk(t, &clock, 40000)
	k.open()
	k.say(fromServer, k.hex(greeting))
	credentials := k.hex(credentials)
	k.say(fromServer, credentials[:20])
	k.seq[fromServer] += 16 // not captured
	k.say(fromServer, credentials[36:])
	k.say(fromServer, k.hex(pong))
	k.say(fromServer, k.hex(pong)[:9])
	want := joined("1 S2C Greeting", "error a.pcap: connection 1, S2C: 16 bytes are missing at 2023-11-14 22:13:20.006000",
		"error a.pcap: connection 1, S2C: 20 bytes belong to no frame at 2023-11-14 22:13:20.006000",
		"error a.pcap: connection 1, S2C: 20 bytes belong to no frame at 2023-11-14 22:13:20.007000", "1 S2C PositionStream ",
		"error a.pcap: connection 1, S2C: 9 bytes at the end are no whole frame")
	if d := cmp.Diff(want, said(t, pcap(t, k), Options{})); d != "" {
		t.Error(d)
	}
}

// A capture may begin while a player plays, and the ports of a connection may be used again.
func TestConnectionsWithoutTheirBeginning(t *testing.T) {
	clock := time.Unix(1700000000, 0)
	k := newTalk(t, &clock, 40000)
	k.say(fromServer, k.hex(pong)[7:])
	k.say(fromServer, k.hex(pong))
	k.say(fromClient, k.hex(pingWire))
	k.say(fromClient, k.hex(pingWire))
	k.packet(fromServer, 0, "R", nil)
	k.seq = [2]uint32{5, 6}
	k.login()
	want := joined("error a.pcap: connection 1, S2C: 11 bytes belong to no frame at 2023-11-14 22:13:20.002000",
		"1 S2C PositionStream ",
		"1 C2S obfuscated PositionStream ", "1 C2S obfuscated PositionStream ") +
		strings.ReplaceAll(joined(loginSaid...), "1 S2C", "2 S2C")
	want = strings.ReplaceAll(want, "1 C2S GreetingReply", "2 C2S GreetingReply")
	want = strings.ReplaceAll(want, "1 C2S obfuscated Login", "2 C2S obfuscated Login")
	want = strings.ReplaceAll(want, "1 C2S obfuscated PositionStream  sum", "2 C2S obfuscated PositionStream  sum")
	if d := cmp.Diff(want, said(t, pcap(t, k), Options{})); d != "" {
		t.Error(d)
	}
}

// A damaged file gives the frames before the damage, and an error that says where it ends.
func TestDamagedPcap(t *testing.T) {
	clock := time.Unix(1700000000, 0)
	k := newTalk(t, &clock, 40000)
	k.login()
	for name, file := range map[string][]byte{"pcap": pcap(t, k), "pcapng": pcapng(t, k)} {
		whole := said(t, file, Options{})
		for n := 4; n < len(file); n++ {
			got := said(t, file[:n], Options{})
			var good []string
			for line := range strings.SplitSeq(strings.TrimSuffix(got, "\n"), "\n") {
				if !strings.HasPrefix(line, "error ") {
					good = append(good, line)
				}
			}
			if !strings.HasPrefix(whole, strings.Join(good, "\n")) {
				t.Fatalf("%s cut at %d:\n%s", name, n, got)
			}
		}
		cut := said(t, file[:len(file)-9], Options{})
		if !strings.Contains(cut, "error a.pcap: packet 13: the file is damaged or cut: ") ||
			!strings.HasPrefix(cut, loginSaid[0]) {
			t.Errorf("%s: %s", name, cut)
		}
	}
	file := pcap(t, k)
	binary.LittleEndian.PutUint32(file[24+8:], 0xFFFFFFF0) // the first packet claims 4 GiB
	if got := said(t, file, Options{}); !strings.Contains(got,
		"packet 1: the file is damaged or cut: 4294967280 bytes, expected 262144 at most") {
		t.Error(got)
	}
	file = pcapng(t, k)
	at := bytes.Index(file, []byte{6, 0, 0, 0}) // the first packet's block
	binary.LittleEndian.PutUint32(file[at+4:], 0x7FFFFFF0)
	if got := said(t, file, Options{}); !strings.Contains(got,
		"damaged or cut: a block of 2147483632 bytes, expected 12 to ") {
		t.Error(got)
	}
	if got := said(t, []byte("\xD4\xC3\xB2\xA1\x09\x00"), Options{}); !strings.HasPrefix(got,
		"error a.pcap: header of the pcap: ") {
		t.Error(got)
	}
}

func TestInterfacesOfAPcapngAreBounded(t *testing.T) {
	clock := time.Unix(1700000000, 0)
	file := pcapng(t, newTalk(t, &clock, 1))
	description := []byte{1, 0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 20, 0, 0, 0} // of an interface
	file = append(file, bytes.Repeat(description, maxInterfaces)...)
	if got := said(t, file, Options{}); !strings.Contains(got,
		"more than 4096 interfaces") {
		t.Error(got)
	}
}

// However many connections a file opens, no more than a bounded number is kept.
func TestManyConnections(t *testing.T) {
	tr := &traffic{port: DefaultPort, flows: map[flow]*list.Element{}, order: list.New(),
		yield: func(Recorded, error) bool { return true }}
	clock := time.Unix(1700000000, 0)
	for port := range maxConnections + 500 {
		k := newTalk(t, &clock, layers.TCPPort(port+1))
		k.packet(fromClient, 0, "S", nil)
		tr.packet(&packet{linkEthernet, clock, k.packets[0].data})
	}
	if tr.order.Len() != maxConnections || len(tr.flows) != maxConnections || tr.opened != maxConnections+500 {
		t.Errorf("%d connections are kept, %d by flow, of %d", tr.order.Len(), len(tr.flows), tr.opened)
	}
}

// Bytes that wait for others are bounded over all connections.
func TestManyWaitingBytes(t *testing.T) {
	tr := &traffic{port: DefaultPort, flows: map[flow]*list.Element{}, order: list.New(),
		yield: func(Recorded, error) bool { return true }}
	clock := time.Unix(1700000000, 0)
	part := make([]byte, 60000) // of a frame of 65535 bytes, so it waits
	copy(part, "\xFF\xFF\x2C\x01\x00")
	for port := range maxWaiting/len(part) + 100 {
		k := newTalk(t, &clock, layers.TCPPort(port+1))
		k.open()
		k.say(fromServer, part)
		for _, p := range k.packets {
			tr.packet(&packet{linkEthernet, clock, p.data})
		}
		if tr.waiting > maxWaiting {
			t.Fatalf("%d bytes wait", tr.waiting)
		}
	}
	if n := tr.order.Len(); n > maxWaiting/len(part) || n < maxWaiting/len(part)-100 {
		t.Errorf("%d connections are left", n)
	}
	if tr.finish(); tr.waiting != 0 {
		t.Errorf("%d bytes are counted when nothing is left", tr.waiting)
	}
}

func TestPlainPcap(t *testing.T) {
	clock := time.Unix(1700000000, 0)
	k := newTalk(t, &clock, 40000)
	k.login()
	got := said(t, pcap(t, k), Options{Plain: true})
	if !strings.Contains(got, "1 S2C LoginTime") || strings.Contains(got, "C2S Login") {
		t.Errorf("obfuscated frames are read though they are said to be plain:\n%s", got)
	}
}

// A caller that breaks off a loop over a pcap is not called again.
func TestBreakingOffPcap(t *testing.T) {
	clock := time.Unix(1700000000, 0)
	k := newTalk(t, &clock, 40000)
	k.login()
	k.say(fromServer, []byte{1, 0})
	file := pcap(t, k)
	for stop := 1; stop <= 7; stop++ {
		n := 0
		for range Read("a", bytes.NewReader(file), Options{}) {
			if n++; n == stop {
				break
			}
		}
		if n != stop {
			t.Errorf("%d instead of %d", n, stop)
		}
	}
}

func TestRemarksAreBounded(t *testing.T) {
	clock := time.Unix(1700000000, 0)
	k := newTalk(t, &clock, 40000)
	k.open()
	for range maxRemarks + 50 {
		k.say(fromServer, []byte{1, 0})
		k.say(fromServer, k.hex(stat))
	}
	got := said(t, pcap(t, k), Options{})
	if n := strings.Count(got, "error "); n != maxRemarks+1 || strings.Count(got, "SetStat") != maxRemarks+50 {
		t.Errorf("%d errors and %d frames", n, strings.Count(got, "SetStat"))
	}
}

func FuzzPcap(f *testing.F) {
	clock := time.Unix(1700000000, 0)
	k := newTalk(f, &clock, 40000)
	k.login()
	f.Add(pcap(f, k))
	f.Add(pcapng(f, k))
	f.Add(pcapng(f, k)[:400])
	k.v6 = true
	k.packet(fromServer, 500, "A", []byte("\x04\x00\xF4\x01"))
	f.Add(pcap(f, k))
	f.Add([]byte("\x0A\x0D\x0D\x0A\x1C\x00\x00\x00\x1A\x2B\x3C\x4D"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) < 4 || !isPcap(file) {
			return
		}
		g := NewDetector()
		total := 0
		for rec, err := range Read("fuzz", bytes.NewReader(file), Options{}) {
			if err != nil {
				continue
			}
			total += len(rec.Wire)
			r := g.Read(rec)
			Words(&r)
		}
		if total > len(file) {
			t.Fatalf("%d bytes of frames from %d bytes of file", total, len(file))
		}
	})
}
