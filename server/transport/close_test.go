package transport

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Closed has a connection's end reported on a channel.
type ending struct {
	conn Conn
	err  error
}

func endings(f funcs) (funcs, chan ending) {
	ch := make(chan ending, 10_000)
	f.closed = func(c Conn, err error) { ch <- ending{c, err} }
	return f, ch
}

func TestCloseFlushes(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		big := bytes.Repeat([]byte("0123456789abcdef"), 1<<20) // 16 MiB, far more than a socket takes
		h, closed := endings(funcs{traffic: func(c Conn, in []byte) int {
			c.Write(big)
			if c.Pending() == 0 {
				t.Error("nothing is pending")
			}
			c.Close()
			c.Close()
			c.Write([]byte("too late"))
			return len(in)
		}})
		s := start(t, network, h)
		c := s.dial()
		c.send("go")
		got, err := io.ReadAll(c)
		if err != nil || !bytes.Equal(got, big) {
			t.Errorf("read %d bytes, %v, expected all %d", len(got), err, len(big))
		}
		c.Close()
		if e := await(t, "Closed", closed); e.err != nil {
			t.Error(e.err)
		}
	})
}

// The last message must arrive also when the peer goes on sending: a reset would make it throw it away.
func TestLastMessageReachesBusyPeer(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		closing := make(chan Conn, 1)
		s := start(t, network, funcs{traffic: func(c Conn, in []byte) int {
			c.Write([]byte("wrong password"))
			c.Close()
			closing <- c
			return 0
		}})
		for range 20 {
			c := s.dial()
			c.send(strings.Repeat("login", 1000))
			onLoop(t, await(t, "Close", closing), func() {})
			c.send("ping")
			c.expect("wrong password")
			c.expectEnd()
			c.Close()
		}
	})
}

// briefly makes a closed connection linger as long as a real one, and not as long as a busy machine may want.
func briefly(o *Options) { o.closeWait = closeWait }

func TestCloseWaitsNoLongerThanASecond(t *testing.T) {
	for _, tt := range []struct {
		name  string
		write int
		want  error
	}{
		{"for a peer that does not close", 10, nil},
		{"for a peer that does not read", 16 << 20, ErrUnsent},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			lingers := func(t *testing.T, start starter) time.Duration {
				begin := make(chan time.Time, 1)
				h, closed := endings(funcs{traffic: func(c Conn, in []byte) int {
					c.Write(make([]byte, tt.write))
					begin <- time.Now()
					c.Close()
					return len(in)
				}})
				s := start(h, briefly)
				c := s.dial()
				c.send("go")
				if e := await(t, "Closed", closed); !errors.Is(e.err, tt.want) {
					t.Errorf("closed with %v, expected %v", e.err, tt.want)
				}
				return time.Since(<-begin)
			}
			t.Run("net", func(t *testing.T) {
				simulated(t, func(t *testing.T, start starter) {
					if d := lingers(t, start); d != closeWait {
						t.Errorf("Closed came after %v, expected %v", d, closeWait)
					}
				})
			})
			t.Run("gnet", func(t *testing.T) {
				if defaultNetwork != "gnet" {
					t.Skip("no gnet here")
				}
				t.Parallel()
				start := func(h Handler, change ...func(*Options)) *testServer { return start(t, "gnet", h, change...) }
				if d := lingers(t, start); d < closeWait {
					t.Errorf("Closed came after %v, expected %v", d, closeWait)
				}
			})
		})
	}
}

func TestCloseFromElsewhere(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		opened := make(chan Conn, 1)
		h, closed := endings(funcs{opened: func(c Conn) bool { opened <- c; return true }})
		s := start(t, network, h)
		c := s.dial()
		conn := await(t, "Opened", opened)
		if err := conn.Loop().Execute(func() {
			conn.Write([]byte("kicked by an operator"))
			conn.Close()
		}); err != nil {
			t.Fatal(err)
		}
		c.expect("kicked by an operator")
		c.expectEnd()
		c.Close()
		if e := await(t, "Closed", closed); e.conn != conn || e.err != nil {
			t.Errorf("closed with %v", e.err)
		}
		// All later calls find a connection that has ended.
		onLoop(t, conn, func() {
			conn.Write([]byte("anyone there?"))
			conn.Again()
			conn.Close()
			if n := conn.Pending(); n != 0 {
				t.Errorf("%d bytes pending", n)
			}
		})
	})
}

func TestRefusedConnection(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		for _, goodbye := range []string{"", "the server is full"} {
			h, closed := endings(funcs{
				opened: func(c Conn) bool {
					if goodbye != "" {
						c.Write([]byte(goodbye))
					}
					return false
				},
				traffic: func(Conn, []byte) int { t.Error("Traffic of a refused connection"); return 0 },
			})
			s := start(t, network, h)
			c := s.dial()
			c.expect(goodbye)
			c.expectEnd()
			c.Close()
			if e := await(t, "Closed", closed); e.err != nil {
				t.Error(e.err)
			}
		}
	})
}

func TestClosedSaysHowThePeerLeft(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		h, closed := endings(funcs{traffic: echo})
		s := start(t, network, h)
		c := s.dial()
		c.send("hello")
		c.expect("hello")
		local := c.LocalAddr().String()
		c.Close()
		e := await(t, "Closed", closed)
		if e.err != nil {
			t.Errorf("closed in order, with %v", e.err)
		}
		if got := e.conn.RemoteAddr().String(); got != local {
			t.Errorf("RemoteAddr is %s, expected %s", got, local)
		}

		c = s.dial()
		c.send("hello")
		c.expect("hello")
		c.reset()
		if e := await(t, "Closed", closed); e.err == nil {
			t.Error("closed by a reset, without error")
		}
	})
}

// A Write to a connection that turns out to be dead must not call its Closed within the writer's callback
// (checked would see that).
func TestBroadcastToDeadConnections(t *testing.T) {
	const dead, alive = 10, 10
	forEachNetwork(t, func(t *testing.T, network string) {
		opened := make(chan Conn, dead+alive)
		calling, called := make(chan struct{}), make(chan struct{})
		h, closed := endings(funcs{
			opened: func(c Conn) bool { opened <- c; return true },
			traffic: func(c Conn, in []byte) int {
				close(calling)
				<-called // meanwhile this loop learns nothing about its other connections
				for _, other := range c.Session().([]Conn) {
					other.Write(in)
					other.Write(in)
				}
				return len(in)
			},
		})
		s := start(t, network, h, oneLoop)
		caller := s.dial()
		conn := await(t, "Opened", opened)
		var clients []*client
		var conns []Conn
		for range dead + alive {
			clients = append(clients, s.dial())
			conns = append(conns, await(t, "Opened", opened))
		}
		onLoop(t, conn, func() { conn.SetSession(conns) })
		caller.send("all")
		await(t, "Traffic", calling)
		for _, c := range clients[:dead] {
			c.reset() // over loopback it has arrived when this returns
		}
		close(called)
		for _, c := range clients[dead:] {
			c.expect("allall")
		}
		for range dead {
			if e := await(t, "Closed", closed); e.err == nil {
				t.Error("reset, but closed without error")
			}
		}
	})
}

func TestPeerThatDoesNotRead(t *testing.T) {
	t.Parallel()
	forEachNetwork(t, func(t *testing.T, network string) {
		t.Parallel()
		const limit, portion = 256 << 10, 14_600
		opened := make(chan Conn, 1)
		h, closed := endings(funcs{
			traffic: func(c Conn, in []byte) int {
				if string(in) == "me" {
					opened <- c
					return len(in)
				}
				return echo(c, in)
			},
		})
		s := start(t, network, h, oneLoop, briefly)
		slow, other := s.dial(), s.dial()
		slow.send("me")
		conn := await(t, "Traffic", opened)

		// The work of a handler: write, look at Pending, close a connection that owes too much. It writes slowly enough for
		// the kernel to take all that it can.
		owed := make(chan int, 1)
		written := int64(0)
		var tick func()
		tick = func() {
			conn.Write(make([]byte, portion))
			written += portion
			if n := conn.Pending(); n > limit {
				conn.Close()
				owed <- n
				return
			}
			time.AfterFunc(100*time.Microsecond, func() { _ = conn.Loop().Execute(tick) })
		}
		_ = conn.Loop().Execute(tick)
		for range 200 { // the others notice nothing
			other.send("ping")
			other.expect("ping")
		}
		if n := await(t, "close", owed); n > limit+portion {
			t.Errorf("%d bytes pending at close", n)
		}
		e := await(t, "Closed", closed)
		if e.conn == conn && e.err == nil { // the kernel has taken the rest after all, on a busy machine
			if got, err := io.Copy(io.Discard, slow); got != written || err != nil {
				t.Errorf("closed in order, but of %d bytes %d have come, and %v", written, got, err)
			}
		} else if e.conn != conn || !errors.Is(e.err, ErrUnsent) {
			t.Errorf("closed with %v, expected ErrUnsent", e.err)
		}
	})
}

func TestStopClosesEveryConnection(t *testing.T) {
	const n = 200
	forEachNetwork(t, func(t *testing.T, network string) {
		var opened atomic.Int32
		h, closed := endings(funcs{opened: func(Conn) bool { opened.Add(1); return true }})
		s := start(t, network, h)
		var clients []*client
		for range n {
			clients = append(clients, s.dial())
		}
		eventually(t, "all are open", func() bool { return opened.Load() == n })
		var conn Conn
		for c := range s.phases {
			conn = c
			break
		}
		onLoop(t, conn, func() { conn.Write([]byte("restart in a minute")) })
		said := make(chan string, n)
		for _, c := range clients {
			go func() {
				last, err := io.ReadAll(c)
				if err != nil {
					t.Error(err)
				}
				c.Close()
				said <- string(last)
			}()
		}

		begin := time.Now()
		s.stop()
		if d := time.Since(begin); d >= patience {
			t.Errorf("Stop took %v, as long as for peers that stay, although all close at once", d)
		}
		if len(closed) != n {
			t.Errorf("%d of %d Closed have been called when Stop returns", len(closed), n)
		}
		told := 0
		for range n {
			if await(t, "end of a client", said) != "" {
				told++
			}
		}
		if told != 1 {
			t.Errorf("%d clients were told, expected 1", told)
		}
		if err := conn.Loop().Execute(func() { t.Error("ran after Stop") }); !errors.Is(err, ErrStopped) {
			t.Errorf("Execute returned %v after Stop, expected ErrStopped", err)
		}
		s.stop()
		if err := s.Serve(); !errors.Is(err, ErrStopped) {
			t.Errorf("Serve returned %v after Stop, expected ErrStopped", err)
		}
		// The port is free at once, though connections of it are still known to the kernel.
		startAt(t, s.Addr().String(), network, funcs{})
	})
}

func TestStopWaitsForClientsThatStay(t *testing.T) {
	t.Parallel()
	forEachNetwork(t, func(t *testing.T, network string) {
		t.Parallel()
		opened := make(chan Conn, 1)
		h, closed := endings(funcs{opened: func(c Conn) bool { opened <- c; return true }})
		s := start(t, network, h, briefly)
		s.dial()
		await(t, "Opened", opened)
		s.stop() // fails if it takes longer than any patience
		if len(closed) != 1 {
			t.Errorf("Closed was called %d times", len(closed))
		}
	})
}

func TestStopGivesUpWithItsContext(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		stuck, free := make(chan Conn, 1), make(chan struct{})
		h, closed := endings(funcs{traffic: func(c Conn, in []byte) int {
			stuck <- c
			<-free
			return len(in)
		}})
		s := start(t, network, h)
		c := s.dial()
		c.send("block")
		conn := await(t, "Traffic", stuck)
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			<-s.stopping
			cancel()
		}()
		if err := s.Stop(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("Stop returned %v, expected its context's error", err)
		}
		close(free)
		if e := await(t, "Closed", closed); e.conn != conn {
			t.Error("another connection was closed")
		}
	})
}

func TestStopOfServerThatWasNeverServed(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		s, err := Listen("127.0.0.1:0", funcs{}, Options{Network: network}, nil)
		if err != nil {
			t.Fatal(err)
		}
		waiting := dial(t, s.Addr().String())
		if err := s.Stop(context.Background()); err != nil {
			t.Error(err)
		}
		if _, err := io.ReadAll(waiting); err == nil {
			t.Log("closed in order")
		}
		if err := s.Serve(); !errors.Is(err, ErrStopped) {
			t.Errorf("Serve returned %v", err)
		}
		startAt(t, s.Addr().String(), network, funcs{})
	})
}

func TestRemoteAddrIsPlain(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		opened := make(chan netip.AddrPort, 1)
		s := startAt(t, ":0", network, funcs{opened: func(c Conn) bool { opened <- c.RemoteAddr(); return true }})
		for _, host := range []string{"127.0.0.1", "::1"} {
			ip := netip.MustParseAddr(host)
			if ip.Is6() && !hasIPv6() {
				t.Log("no IPv6 here")
				continue
			}
			c := dial(t, netip.AddrPortFrom(ip, s.Addr().Port()).String())
			if got := await(t, "Opened", opened); got.String() != c.LocalAddr().String() || got.Addr() != ip {
				t.Errorf("RemoteAddr is %v, expected %v", got, c.LocalAddr())
			}
		}
	})
}
