package capture

import (
	"encoding/binary"
	"net/netip"
)

// A linkType says with which header the packets of a pcap begin.
type linkType uint16

// The link types that are read. Source: the list of LINKTYPE values of tcpdump.org.
const (
	linkNull     linkType = 0 // a number of four bytes for the protocol, which the packet itself tells, too
	linkEthernet linkType = 1
	linkRaw12    linkType = 12 // nothing but the packet, as some systems number it
	linkRaw14    linkType = 14
	linkRaw      linkType = 101
	linkLoop     linkType = 108 // as linkNull
	linkLinux    linkType = 113 // all interfaces of a Linux
	linkIPv4     linkType = 228
	linkIPv6     linkType = 229
	linkLinux2   linkType = 276
)

// Numbers of protocols in the headers of links and packets.
const (
	etherIPv4   = 0x0800
	etherIPv6   = 0x86DD
	etherTag    = 0x8100 // of a virtual network
	etherTagged = 0x88A8 // a tag before another one
	etherPPPoE  = 0x8864
	pppIPv4     = 0x0021
	pppIPv6     = 0x0057

	protocolHops        = 0 // of the options of IPv6, each of which names the protocol behind it
	protocolTCP         = 6
	protocolRouting     = 43
	protocolDestination = 60
)

// A tcpSegment is a packet of TCP.
type tcpSegment struct {
	from, to netip.AddrPort
	sequence uint32 // of the first byte
	syn, ack bool
	data     []byte
}

// tcpOf reads a packet down to TCP; false if it is none, or only a part of one.
func tcpOf(link linkType, data []byte) (tcpSegment, bool) {
	b := network(link, data)
	switch {
	case len(b) >= 20 && b[0]>>4 == 4:
		head, n := int(b[0]&15)*4, int(binary.BigEndian.Uint16(b[2:]))
		b = upTo(b, n)
		if head < 20 || head > len(b) || b[9] != protocolTCP || binary.BigEndian.Uint16(b[6:])&0x3FFF != 0 { // a fragment
			return tcpSegment{}, false
		}
		return tcpIn(netip.AddrFrom4([4]byte(b[12:])), netip.AddrFrom4([4]byte(b[16:])), b[head:])
	case len(b) >= 40 && b[0]>>4 == 6:
		src, dst := netip.AddrFrom16([16]byte(b[8:])), netip.AddrFrom16([16]byte(b[24:]))
		protocol, n := b[6], int(binary.BigEndian.Uint16(b[4:]))
		b = upTo(b[40:], n)
		for protocol == protocolHops || protocol == protocolRouting || protocol == protocolDestination {
			if len(b) < 8 || len(b) < 8*(1+int(b[1])) {
				return tcpSegment{}, false
			}
			protocol, b = b[0], b[8*(1+int(b[1])):]
		}
		if protocol == protocolTCP {
			return tcpIn(src, dst, b)
		}
	}
	return tcpSegment{}, false
}

// upTo cuts off what a link has added behind a packet. A length of 0 was left to the network card.
func upTo(b []byte, n int) []byte {
	if n == 0 || n > len(b) {
		return b
	}
	return b[:n]
}

// tcpIn reads a packet of TCP between two addresses.
func tcpIn(src, dst netip.Addr, b []byte) (s tcpSegment, ok bool) {
	if len(b) < 20 {
		return s, false
	}
	head := int(b[12]>>4) * 4
	if head < 20 || head > len(b) {
		return s, false
	}
	const syn, ack = 0x02, 0x10
	port := binary.BigEndian.Uint16
	return tcpSegment{netip.AddrPortFrom(src, port(b)), netip.AddrPortFrom(dst, port(b[2:])),
		binary.BigEndian.Uint32(b[4:]), b[13]&syn != 0, b[13]&ack != 0, b[head:]}, true
}

// network cuts the headers of the link off a packet; nil if it is not of IP.
func network(link linkType, b []byte) []byte {
	head, protocol := 0, 0 // length of the header, and where it names the protocol
	switch link {
	case linkRaw, linkRaw12, linkRaw14, linkIPv4, linkIPv6:
		return b
	case linkNull, linkLoop:
		return b[min(4, len(b)):]
	case linkEthernet:
		head, protocol = 14, 12
	case linkLinux:
		head, protocol = 16, 14
	case linkLinux2:
		head = 20
	}
	if head == 0 || len(b) < head {
		return nil
	}
	ether, b := binary.BigEndian.Uint16(b[protocol:]), b[head:]
	for ether == etherTag || ether == etherTagged {
		if len(b) < 4 {
			return nil
		}
		ether, b = binary.BigEndian.Uint16(b[2:]), b[4:]
	}
	if ether == etherPPPoE && len(b) >= 8 {
		if ppp := binary.BigEndian.Uint16(b[6:]); ppp == pppIPv4 || ppp == pppIPv6 {
			return b[8:]
		}
	}
	if ether != etherIPv4 && ether != etherIPv6 {
		return nil
	}
	return b
}

// isRead reports whether packets of a link can be read.
func (l linkType) isRead() bool {
	switch l {
	case linkNull, linkEthernet, linkRaw12, linkRaw14, linkRaw, linkLoop, linkLinux, linkIPv4, linkIPv6, linkLinux2:
		return true
	}
	return false
}
