package transport

import (
	"net"
	"net/netip"
	"runtime"
	"syscall"
	"testing"

	"github.com/panjf2000/gnet/v2/pkg/pool/byteslice"
	"golang.org/x/sys/unix"
)

// Half-open peers are the kernel's business: it has to find them within 90 s, but not before 60 s.
func TestAcceptedSocketsHaveTheirOptions(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		_, c, _ := openOne(t, network, funcs{})
		var fd int
		switch s := c.(*conn).socket.(type) {
		case *gnetSocket:
			fd = s.gnet.Fd()
		case *netSocket:
			raw, err := s.stream.(*net.TCPConn).SyscallConn()
			if err != nil {
				t.Fatal(err)
			}
			_ = raw.Control(func(p uintptr) { fd = int(p) })
		}
		for _, option := range []struct {
			name               string
			level, option, min int
			max                int
		}{
			{"TCP_NODELAY", unix.IPPROTO_TCP, unix.TCP_NODELAY, 1, 1},
			{"SO_KEEPALIVE", unix.SOL_SOCKET, unix.SO_KEEPALIVE, 1, 1},
			{"TCP_KEEPIDLE, s", unix.IPPROTO_TCP, unix.TCP_KEEPIDLE, 20, 60},
			{"TCP_KEEPINTVL, s", unix.IPPROTO_TCP, unix.TCP_KEEPINTVL, 1, 15},
			{"TCP_USER_TIMEOUT, ms", unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, 60_001, 89_999},
		} {
			got, err := unix.GetsockoptInt(fd, option.level, option.option)
			if err != nil || got < option.min || got > option.max {
				t.Errorf("%s is %d, %v, expected %d to %d", option.name, got, err, option.min, option.max)
			}
		}
	})
	if dead := keepIdle + keepCount*keepInterval; dead.Seconds() > 90 || dead.Seconds() < 60 {
		t.Errorf("the silent are dead after %v", dead)
	}
}

// memory is the memory in use for the heap and the stacks of goroutines, in bytes.
func memory() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}

func TestIdleConnectionsAreCheap(t *testing.T) {
	const n, limit = 2000, 8 << 10
	var limits syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limits); err != nil || limits.Cur < 3*n {
		t.Skipf("%d descriptors are too few", limits.Cur)
	}
	forEachNetwork(t, func(t *testing.T, network string) {
		s := start(t, network, funcs{traffic: func(c Conn, in []byte) int {
			c.Write(in[:18])
			return len(in) - 3 // a started frame, like most of the time
		}})
		to := &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}, Port: int(s.Addr().Port())}
		before := memory()
		var fds []int // plain descriptors, so that our side costs no memory
		defer func() {
			for _, fd := range fds {
				unix.Close(fd)
			}
		}()
		for range n {
			fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
			if err != nil {
				t.Fatal(err)
			}
			fds = append(fds, fd)
			if err := unix.Connect(fd, to); err != nil {
				t.Fatal(err)
			}
			answer := make([]byte, 18)
			if _, err := unix.Write(fd, make([]byte, 38)); err != nil {
				t.Fatal(err)
			}
			if _, err := unix.Read(fd, answer); err != nil {
				t.Fatal(err)
			}
		}
		each := int(memory()-before) / n
		t.Logf("%d bytes for an idle connection", each)
		if each > limit {
			t.Errorf("an idle connection costs %d bytes, at most %d", each, limit)
		}
	})
}

// gnet keeps the names of IPv6 zones in a pool of its own when a connection ends, and writes there; the names
// are not its own.
func TestLinkLocalConnectionsLeaveZoneNamesAlone(t *testing.T) {
	var addr netip.Addr
	interfaces, _ := net.Interfaces()
	for _, i := range interfaces {
		addrs, _ := i.Addrs()
		for _, a := range addrs {
			if p, err := netip.ParsePrefix(a.String()); err == nil && p.Addr().IsLinkLocalUnicast() && p.Addr().Is6() {
				addr = p.Addr().WithZone(i.Name)
			}
		}
	}
	if !addr.IsValid() {
		t.Skip("no link-local address here")
	}
	forEachNetwork(t, func(t *testing.T, network string) {
		opened := make(chan string, 1)
		s := startAt(t, netip.AddrPortFrom(addr, 0).String(), network, funcs{
			opened: func(c Conn) bool {
				copy(byteslice.Get(len(addr.Zone())), "zzzzzzzz") // as gnet does with memory of its pool
				opened <- c.RemoteAddr().Addr().Zone()
				return true
			},
			traffic: echo,
		}, oneLoop)
		for range 100 {
			c := dial(t, netip.AddrPortFrom(addr, s.Addr().Port()).String())
			c.send("hello")
			c.expect("hello")
			if theirs, ours := await(t, "Opened", opened),
				c.LocalAddr().(*net.TCPAddr).Zone; theirs != addr.Zone() || ours != addr.Zone() {
				t.Fatalf("zone %q of the accepted and %q of the dialled connection, expected %q", theirs, ours, addr.Zone())
			}
			c.Close()
		}
	})
}
