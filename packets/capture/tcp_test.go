package capture

import (
	"bytes"
	"net"
	"net/netip"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"pgregory.net/rapid"
)

// byGopacket reads a packet as tcpOf does.
func byGopacket(link linkType, data []byte) (s tcpSegment, ok bool) {
	p := gopacket.NewPacket(data, layers.LinkType(link), gopacket.NoCopy)
	tcp, ok := p.Layer(layers.LayerTypeTCP).(*layers.TCP)
	if !ok {
		return s, false
	}
	from, to := p.NetworkLayer().NetworkFlow().Endpoints()
	src, _ := netip.AddrFromSlice(from.Raw())
	dst, _ := netip.AddrFromSlice(to.Raw())
	return tcpSegment{netip.AddrPortFrom(src, uint16(tcp.SrcPort)), netip.AddrPortFrom(dst, uint16(tcp.DstPort)), tcp.Seq,
		tcp.SYN, tcp.ACK, tcp.Payload}, true
}

func serialized(t rapid.TB, all ...gopacket.SerializableLayer) []byte {
	t.Helper()
	buf := gopacket.NewSerializeBuffer()
	if err := gopacket.SerializeLayers(buf, gopacket.SerializeOptions{FixLengths: true}, all...); err != nil {
		t.Fatal(err)
	}
	return bytes.Clone(buf.Bytes())
}

// linkHeaders are what a packet of IP begins with on a link, with the link's number.
var linkHeaders = map[string]struct {
	link   linkType
	header func(ether layers.EthernetType) []gopacket.SerializableLayer
}{
	"Ethernet": {linkEthernet, func(e layers.EthernetType) []gopacket.SerializableLayer { return ethernet(e) }},
	"a tag": {linkEthernet, func(e layers.EthernetType) []gopacket.SerializableLayer {
		return append(ethernet(layers.EthernetTypeDot1Q), &layers.Dot1Q{VLANIdentifier: 7, Type: e})
	}},
	"two tags": {linkEthernet, func(e layers.EthernetType) []gopacket.SerializableLayer {
		return append(ethernet(layers.EthernetTypeQinQ), &layers.Dot1Q{VLANIdentifier: 7, Type: layers.EthernetTypeDot1Q},
			&layers.Dot1Q{VLANIdentifier: 8, Type: e})
	}},
	"PPPoE": {linkEthernet, func(e layers.EthernetType) []gopacket.SerializableLayer {
		ppp := &layers.PPP{PPPType: layers.PPPTypeIPv4, HasPPTPHeader: false}
		if e == layers.EthernetTypeIPv6 {
			ppp.PPPType = layers.PPPTypeIPv6
		}
		return append(ethernet(layers.EthernetTypePPPoESession), &layers.PPPoE{Version: 1, Type: 1, SessionId: 9}, ppp)
	}},
	"loopback": {linkNull, func(e layers.EthernetType) []gopacket.SerializableLayer {
		family := layers.ProtocolFamilyIPv4
		if e == layers.EthernetTypeIPv6 {
			family = layers.ProtocolFamilyIPv6BSD
		}
		return []gopacket.SerializableLayer{&layers.Loopback{Family: family}}
	}},
	"raw": {linkRaw, func(layers.EthernetType) []gopacket.SerializableLayer { return nil }},
	"Linux": {linkLinux, func(e layers.EthernetType) []gopacket.SerializableLayer {
		return []gopacket.SerializableLayer{gopacket.Payload{0, 0, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0, byte(e >> 8), byte(e)}}
	}},
	"Linux, new": {linkLinux2, func(e layers.EthernetType) []gopacket.SerializableLayer {
		return []gopacket.SerializableLayer{gopacket.Payload{byte(e >> 8), byte(e), 0, 0, 0, 0, 0, 1, 0, 1, 0, 6, 1, 2, 3, 4, 5,
			6, 0, 0}}
	}},
}

func ethernet(e layers.EthernetType) []gopacket.SerializableLayer {
	return []gopacket.SerializableLayer{&layers.Ethernet{SrcMAC: make(net.HardwareAddr, 6),
		DstMAC: make(net.HardwareAddr, 6), EthernetType: e}}
}

// Packets of all links are read as gopacket reads them, whole and cut.
func TestPacketsAreReadAsByGopacket(t *testing.T) {
	for name, l := range linkHeaders {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				tcp := &layers.TCP{SrcPort: layers.TCPPort(rapid.Uint16().Draw(t, "from")),
					DstPort: layers.TCPPort(rapid.Uint16().Draw(t, "to")), Seq: rapid.Uint32().Draw(t, "sequence"),
					SYN: rapid.Bool().Draw(t, "syn"), ACK: rapid.Bool().Draw(t, "ack")}
				if rapid.Bool().Draw(t, "options") {
					tcp.Options = []layers.TCPOption{{OptionType: layers.TCPOptionKindMSS, OptionLength: 4, OptionData: []byte{5, 180}}}
				}
				ether, v6 := layers.EthernetTypeIPv4, rapid.Bool().Draw(t, "v6")
				var ip gopacket.SerializableLayer = &layers.IPv4{Version: 4, IHL: 5, TTL: 9, Protocol: layers.IPProtocolTCP,
					SrcIP: net.IP{10, 0, 0, 1}, DstIP: net.IP{10, 0, 0, 2}}
				if v6 {
					ether = layers.EthernetTypeIPv6
					ip = &layers.IPv6{Version: 6, NextHeader: layers.IPProtocolTCP, HopLimit: 9, SrcIP: net.ParseIP("fd00::1"),
						DstIP: net.ParseIP("fd00::2")}
				}
				payload := rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "payload")
				data := serialized(t, append(l.header(ether), ip, tcp, gopacket.Payload(payload))...)
				data = append(data, make([]byte, rapid.IntRange(0, 8).Draw(t, "padding"))...)
				got, ok := tcpOf(l.link, data)
				want, is := byGopacket(l.link, data)
				if !ok || !is || got.from != want.from || got.to != want.to || got.sequence != want.sequence ||
					got.syn != want.syn || got.ack != want.ack || !bytes.Equal(got.data, want.data) ||
					!bytes.Equal(got.data, payload) {
					t.Fatalf("%v %+v, expected %v %+v", ok, got, is, want)
				}
				cut := data[:rapid.IntRange(0, len(data)).Draw(t, "cut")]
				if got, ok := tcpOf(l.link, cut); ok && !bytes.HasPrefix(payload, got.data) {
					t.Fatalf("cut to %d bytes: %+v", len(cut), got)
				}
			})
		})
	}
}

func TestPacketsThatAreNoWholeTCP(t *testing.T) {
	ip := func(change func(*layers.IPv4)) []byte {
		p := &layers.IPv4{Version: 4, IHL: 5, Protocol: layers.IPProtocolTCP, SrcIP: net.IP{1, 2, 3, 4}, DstIP: net.IP{5, 6, 7, 8}}
		change(p)
		return serialized(t, p, &layers.TCP{SrcPort: 1, DstPort: 2}, gopacket.Payload("data"))
	}
	whole := ip(func(*layers.IPv4) {})
	with := func(at int, b byte) []byte {
		p := bytes.Clone(whole)
		p[at] = b
		return p
	}
	for name, p := range map[string][]byte{
		"nothing":                  nil,
		"the first of fragments":   ip(func(p *layers.IPv4) { p.Flags = layers.IPv4MoreFragments }),
		"the last of fragments":    ip(func(p *layers.IPv4) { p.FragOffset = 3 }),
		"UDP":                      ip(func(p *layers.IPv4) { p.Protocol = layers.IPProtocolUDP }),
		"version 5":                with(0, 0x55),
		"a head of 4 bytes":        with(0, 0x41),
		"a length of 5":            with(3, 5),
		"a head of TCP of 4 bytes": with(32, 0x10),
		"a head of TCP of 60":      with(32, 0xF0),
	} {
		if s, ok := tcpOf(linkRaw, p); ok {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if s, ok := tcpOf(linkRaw, whole); !ok || string(s.data) != "data" {
		t.Errorf("%v %+v", ok, s)
	}
	if s, ok := tcpOf(147, whole); ok {
		t.Errorf("an unknown link: %+v", s)
	}
}

// Options of IPv6 may stand between its head and TCP.
func TestOptionsOfIPv6(t *testing.T) {
	head := serialized(t, &layers.IPv6{Version: 6, NextHeader: layers.IPProtocolIPv6HopByHop, SrcIP: net.ParseIP("fd00::1"),
		DstIP: net.ParseIP("fd00::2")})
	tcp := serialized(t, &layers.TCP{SrcPort: 1, DstPort: 2}, gopacket.Payload("data"))
	options := []byte{protocolDestination, 0, 1, 4, 0, 0, 0, 0, protocolTCP, 1, 1, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	p := append(append(head, options...), tcp...)
	p[5] = byte(len(options) + len(tcp))
	if s, ok := tcpOf(linkRaw, p); !ok || string(s.data) != "data" || s.from.String() != "[fd00::1]:1" {
		t.Errorf("%v %+v", ok, s)
	}
	for n := range len(p) - len("data") {
		if s, ok := tcpOf(linkRaw, p[:n]); ok {
			t.Errorf("of %d bytes: %+v", n, s)
		}
	}
}
