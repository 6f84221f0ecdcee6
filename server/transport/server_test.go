package transport

import (
	"errors"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func hasIPv6() bool {
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		return false
	}
	l.Close()
	return true
}

func TestPortZeroIsAFreePort(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		hosts := []string{"127.0.0.1:0", ":0"}
		if hasIPv6() {
			hosts = append(hosts, "[::1]:0")
		}
		for _, host := range hosts {
			s := startAt(t, host, network, funcs{traffic: echo})
			if s.Addr().Port() == 0 {
				t.Fatalf("Addr is %v", s.Addr())
			}
			for range 8 { // on each loop
				c := s.dial()
				c.send("hello")
				c.expect("hello")
			}
		}
	})
}

func TestSecondServerOnAPortFails(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		s := start(t, network, funcs{})
		addr := s.Addr().String()
		for _, other := range networks {
			_, err := Listen(addr, funcs{}, Options{Network: other}, nil)
			if !addrInUse(err) || !strings.Contains(err.Error(), "another program listens on "+addr) {
				t.Errorf("Listen returned %v, expected one that says that %s is in use", err, addr)
			}
		}
	})
}

func TestListenRefuses(t *testing.T) {
	for _, tt := range []struct{ addr, network, want string }{
		{"127.0.0.1:0", "udp", `network is "udp", expected "gnet" or "net"`},
		{"127.0.0.1:99999", "", "99999"},
		{"127.0.0.1", "", "missing port"},
		{"192.0.2.1:0", "net", "192.0.2.1"}, // not an address of this machine
	} {
		if _, err := Listen(tt.addr, funcs{}, Options{Network: tt.network}, nil); err == nil ||
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("Listen(%q, %q) returned %v, expected %q in it", tt.addr, tt.network, err, tt.want)
		}
	}
}

func TestServeTwice(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		s := start(t, network, funcs{traffic: echo})
		c := s.dial()
		c.send("a")
		c.expect("a")
		if err := s.Serve(); err == nil || errors.Is(err, ErrStopped) {
			t.Errorf("the second Serve returned %v", err)
		}
	})
}

// A loop that hangs would look like a server that is up. Serve has to say so.
func TestServeFailsWhenALoopHangs(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		opened, stuck, free := make(chan Conn, 1), make(chan struct{}), make(chan struct{})
		listening, err := Listen("127.0.0.1:0", funcs{
			opened: func(c Conn) bool { opened <- c; return true },
			traffic: func(_ Conn, in []byte) int {
				close(stuck)
				<-free
				return len(in)
			},
		}, Options{Network: network, Loops: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		s := listening
		ticks := make(chan time.Time)
		s.ticks = ticks
		served := make(chan error, 1)
		go func() { served <- s.Serve() }()
		c := dial(t, s.Addr().String())
		await(t, "Opened", opened)
		// tick reports whether the watch looks at its loops once more, or Serve has ended with err.
		var failure error
		tick := func() bool {
			select {
			case ticks <- time.Time{}:
				return true
			case failure = <-served:
				return false
			case <-time.After(patience):
				t.Fatal("the watch does nothing")
				return false
			}
		}
		for range 3 * watchRounds {
			if !tick() {
				t.Fatalf("Serve returned %v while nothing was wrong", failure)
			}
			eventually(t, "the loop answers", func() bool { return s.engine.loops()[0].late.Load() == 0 })
		}
		c.send("block")
		await(t, "Traffic", stuck)
		rounds := 0
		for tick() {
			rounds++
		}
		// The last round before may have asked this loop already.
		if rounds != watchRounds && rounds != watchRounds+1 ||
			failure == nil || !strings.Contains(failure.Error(), "loop 0 has run nothing for 30s") {
			t.Errorf("Serve returned %v after %d rounds", failure, rounds)
		}
		close(free)
		c.Close()
		if err := s.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestServeFailsWithItsListener(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		listening, err := Listen("127.0.0.1:0", funcs{}, Options{Network: network}, nil)
		if err != nil {
			t.Fatal(err)
		}
		s := listening
		s.listener.Close()
		if err := s.Serve(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("Serve returned %v", err)
		}
		if err := s.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestStormOfConnections(t *testing.T) {
	const workers, each = 20, 100
	forEachNetwork(t, func(t *testing.T, network string) {
		before := descriptors()
		var opened atomic.Int32
		s := start(t, network, funcs{
			opened:  func(c Conn) bool { return opened.Add(1)%7 != 0 },
			traffic: echo,
			closed:  func(Conn, error) { opened.Add(-1) },
		})
		during := descriptors()
		var storm sync.WaitGroup
		for i := range workers {
			storm.Go(func() {
				for j := range each {
					c, err := net.Dial("tcp", s.Addr().String())
					if err != nil {
						t.Error(err)
						return
					}
					k := client{stream: c.(stream), t: t}
					switch (i + j) % 4 {
					case 0:
						k.reset()
					case 1:
						_, _ = k.Write([]byte("half a fra"))
						k.reset()
					case 2:
						_, _ = k.Write([]byte("hello"))
						k.Close()
					case 3:
						_, _ = k.Write([]byte("hello"))
						_ = k.SetDeadline(time.Now().Add(patience))
						_, _ = k.Read(make([]byte, 5))
						k.reset()
					}
				}
			})
		}
		storm.Wait()
		c := s.dial()
		for { // one in seven is refused
			c.send("still there?")
			if _, err := c.Read(make([]byte, 12)); err == nil {
				break
			}
			c.Close()
			c = s.dial()
		}
		c.Close()
		eventually(t, "all connections have been Closed", func() bool { return s.count("open") == 0 })
		eventually(t, "all descriptors are free", func() bool { return descriptors() <= during })
		s.stop()
		eventually(t, "also those of the server", func() bool { return descriptors() <= before })
	})
}
