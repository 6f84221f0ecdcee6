package transport

import (
	"time"

	"golang.org/x/sys/unix"
)

// RoundTrip is how long the system thinks that a segment takes to the peer and its acknowledgement back; false when it
// does not know. It is to be called on the connection's loop. No application answers here: where a proxy is between,
// the way is that to the proxy.
func (c *conn) RoundTrip() (time.Duration, bool) {
	if c.state != connOpen {
		return 0, false
	}
	var info *unix.TCPInfo
	var err error
	switch s := c.socket.(type) {
	case *gnetSocket:
		info, err = unix.GetsockoptTCPInfo(s.gnet.Fd(), unix.IPPROTO_TCP, unix.TCP_INFO)
	case *netSocket:
		raw, e := s.tcp.SyscallConn()
		if e != nil {
			return 0, false
		}
		if e := raw.Control(func(fd uintptr) {
			info, err = unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO)
		}); e != nil {
			return 0, false
		}
	}
	if err != nil || info == nil || info.Rtt == 0 {
		return 0, false
	}
	return time.Duration(info.Rtt) * time.Microsecond, true
}
