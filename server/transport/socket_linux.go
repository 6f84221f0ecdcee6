package transport

import (
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// setDeadTimeout limits how long sent bytes may stay unacknowledged. Unlike the keepalive options, this one does
// not come from the listener.
func setDeadTimeout(tcp *net.TCPConn, d time.Duration) error {
	raw, err := tcp.SyscallConn()
	if err != nil {
		return err
	}
	if e := raw.Control(func(fd uintptr) {
		err = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(d.Milliseconds()))
	}); e != nil {
		return e
	}
	return err
}

func roundTrip(fd int) (time.Duration, bool) {
	info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO)
	if err != nil || info.Rtt == 0 {
		return 0, false
	}
	return time.Duration(info.Rtt) * time.Microsecond, true
}
