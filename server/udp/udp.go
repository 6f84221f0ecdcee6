// Package udp answers datagrams from the address at which they were asked. A socket on all addresses of a machine
// would answer from the one that routing likes, and a client that has asked another drops that.
//
// The system has to tell the destination of each datagram for that: Linux, macOS and the BSDs do. Elsewhere answers
// leave as routing has it; a server there can listen on one address.
package udp

import (
	"net"
	"net/netip"

	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"
)

// A Conn is a socket. One goroutine at a time may read from it; any may write to it and close it.
type Conn struct {
	*net.UDPConn
	oob []byte // of datagrams; empty if answers leave as they do
}

// oobBytes have room for the control messages of both versions of IP.
const oobBytes = 128

// New makes a socket one that knows where it was asked, unless it listens on one address only.
func New(c *net.UDPConn) *Conn {
	out := &Conn{UDPConn: c}
	if at, ok := c.LocalAddr().(*net.UDPAddr); !ok || !at.IP.IsUnspecified() {
		return out
	}
	four := ipv4.NewPacketConn(c).SetControlMessage(ipv4.FlagDst, true)
	six := ipv6.NewPacketConn(c).SetControlMessage(ipv6.FlagDst, true)
	if four == nil || six == nil {
		out.oob = make([]byte, oobBytes)
	}
	return out
}

// Receive reads a datagram: whence it has come, and to which of the machine's addresses, which is not valid if that is
// not known.
func (c *Conn) Receive(buf []byte) (n int, from netip.AddrPort, to netip.Addr, err error) {
	if len(c.oob) == 0 {
		n, from, err = c.ReadFromUDPAddrPort(buf)
		return n, from, to, err
	}
	n, told, _, from, err := c.ReadMsgUDPAddrPort(buf, c.oob)
	if err != nil {
		return n, from, to, err
	}
	return n, from, destination(c.oob[:told]), nil
}

// destination is where a datagram went, as the system tells.
func destination(oob []byte) netip.Addr {
	var six ipv6.ControlMessage
	if six.Parse(oob) == nil && six.Dst != nil {
		a, _ := netip.AddrFromSlice(six.Dst)
		return a.Unmap()
	}
	var four ipv4.ControlMessage
	if four.Parse(oob) == nil && four.Dst != nil {
		a, _ := netip.AddrFromSlice(four.Dst)
		return a.Unmap()
	}
	return netip.Addr{}
}

// Answer writes a datagram to whence one has come, from where that went to: which no answer can be from if it was for
// all or for a group.
func (c *Conn) Answer(datagram []byte, to netip.AddrPort, from netip.Addr) error {
	if from.IsValid() && !from.IsMulticast() && !from.IsUnspecified() {
		if _, _, err := c.WriteMsgUDPAddrPort(datagram, source(from), to); err == nil {
			return nil
		}
	}
	_, err := c.WriteToUDPAddrPort(datagram, to)
	return err
}

// source has the system send a datagram from an address.
func source(a netip.Addr) []byte {
	if a.Is4() {
		return (&ipv4.ControlMessage{Src: a.AsSlice()}).Marshal()
	}
	return (&ipv6.ControlMessage{Src: a.WithZone("").AsSlice()}).Marshal()
}
