package w3host

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"runtime"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"sphereserver/packets/w3gs"
)

// networks are the transports that exist here; every test on sockets runs for each of them.
var networks = func() []string {
	if runtime.GOOS == "windows" {
		return []string{"net"}
	}
	return []string{"gnet", "net"}
}()

// patience is how long a test waits for an event that ought to come at once.
const patience = time.Minute

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreCurrent()) // gnet starts a pool of goroutines when it is imported
}

func forEachNetwork(t *testing.T, f func(t *testing.T, network string)) {
	t.Parallel() // these mostly wait
	for _, network := range networks {
		t.Run(network, func(t *testing.T) {
			t.Parallel()
			f(t, network)
		})
	}
}

// A testHost is a host on loopback sockets.
type testHost struct {
	*Host
	t    *testing.T
	ends *endLog
}

// An endLog is a log that keeps why connections have ended, by address.
type endLog struct {
	slog.Handler
	mu   sync.Mutex
	whys map[string]string
}

func newEndLog() *endLog { return &endLog{Handler: slog.DiscardHandler, whys: map[string]string{}} }

func (l *endLog) Enabled(context.Context, slog.Level) bool { return true }

func (l *endLog) Handle(_ context.Context, r slog.Record) error {
	if r.Message != "disconnected" && r.Message != "connection refused" {
		return nil
	}
	said := map[string]string{}
	r.Attrs(func(a slog.Attr) bool { said[a.Key] = a.Value.String(); return true })
	l.mu.Lock()
	defer l.mu.Unlock()
	l.whys[said["address"]] = said["reason"]
	return nil
}

// why is why the connection of an address has ended, "" while it has not.
func (l *endLog) why(address string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.whys[address]
}

func startHost(t *testing.T, o Options) *testHost {
	t.Helper()
	ends := newEndLog()
	o.Log = slog.New(ends)
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- h.Serve() }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := h.Stop(ctx); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	th := &testHost{h, t, ends}
	th.until("the games are there", func() bool { return len(h.Status().Games) == len(o.Games) })
	return th
}

// until waits until something is so.
func (h *testHost) until(what string, so func() bool) {
	h.t.Helper()
	for deadline := time.Now().Add(patience); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			h.t.Fatalf("waited in vain until %s: %+v", what, h.Status())
		}
	}
}

// search sends a search, and returns the answers, of which so many are wanted.
func (h *testHost) search(want int, m *w3gs.Search) (out []*w3gs.GameInfo) {
	h.t.Helper()
	conn, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(h.SearchAddr()))
	if err != nil {
		h.t.Fatal(err)
	}
	defer conn.Close()
	packet, err := w3gs.Append(nil, m)
	if err != nil {
		h.t.Fatal(err)
	}
	answers, ends := h.count.answers.Load(), h.count.searchesStrange.Load()
	for _, datagram := range [][]byte{packet, []byte("end")} { // the host looks at one after the other
		if _, err := conn.Write(datagram); err != nil {
			h.t.Fatal(err)
		}
	}
	h.until("the search is over", func() bool { return h.count.searchesStrange.Load() > ends })
	if n := h.count.answers.Load() - answers; n != uint64(want) {
		h.t.Fatalf("%d answers, expected %d", n, want)
	}
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	for range want {
		b := make([]byte, 1500)
		n, err := conn.Read(b)
		if err != nil {
			h.t.Fatal(err)
		}
		m, err := w3gs.Decode(b[:n])
		if err != nil {
			h.t.Fatal(err)
		}
		out = append(out, m.(*w3gs.GameInfo))
	}
	return out
}

// A client is a Warcraft of ours on a socket.
type client struct {
	t    *testing.T
	conn net.Conn
	info *w3gs.GameInfo

	mu     sync.Mutex
	mind   *aiClient
	log    []w3gs.Message
	end    error // why reading ended, io.EOF when the host closed
	closed chan struct{}
	paused bool // answers nothing, and sends no pongs
}

// connect opens a connection that has sent nothing, and reads all that comes.
func (h *testHost) connect(name string) *client {
	h.t.Helper()
	conn, err := net.Dial("tcp", h.Addr().String())
	if err != nil {
		h.t.Fatal(err)
	}
	c := &client{t: h.t, conn: conn, mind: newMind(name), closed: make(chan struct{})}
	h.t.Cleanup(func() {
		conn.Close()
		<-c.closed
	})
	go c.read()
	return c
}

// join finds a game as players do, and joins it.
func (h *testHost) join(name string) *client {
	h.t.Helper()
	return h.joinGame(name, h.search(1, &w3gs.Search{Product: w3gs.FrozenThrone, Version: 26})[0])
}

// joinGame joins the game of an announcement, at the port in it.
func (h *testHost) joinGame(name string, info *w3gs.GameInfo) *client {
	h.t.Helper()
	if info.Port != h.Addr().Port() {
		h.t.Fatalf("port %d, expected %d", info.Port, h.Addr().Port())
	}
	c := h.connect(name)
	c.info = info
	c.send(c.mind.joining(info.Game, info.EntryKey))
	c.until("it is let in", func(m *aiClient) bool { return m.id != 0 && len(m.slots.Slots) > 0 && m.want.Path != "" })
	return c
}

func (c *client) send(messages ...w3gs.Message) {
	c.t.Helper()
	var out []byte
	for _, m := range messages {
		var err error
		if out, err = w3gs.Append(out, m); err != nil {
			c.t.Fatal(err)
		}
	}
	if _, err := c.conn.Write(out); err != nil {
		c.t.Errorf("%s: %v", c.mind.name, err)
	}
}

// read takes in packets, and answers.
func (c *client) read() {
	defer close(c.closed)
	var stream []byte
	buffer := make([]byte, 64<<10)
	for {
		n, err := c.conn.Read(buffer)
		stream = append(stream, buffer[:n]...)
		var answers []byte
		c.mu.Lock()
		for {
			packet, cutErr := w3gs.Cut(stream, w3gs.MaxPacket)
			if cutErr != nil {
				c.t.Errorf("%s: %v", c.mind.name, cutErr)
			}
			if packet == nil {
				break
			}
			m, decodeErr := w3gs.Decode(append([]byte(nil), packet...))
			stream = stream[len(packet):]
			if decodeErr != nil {
				c.t.Errorf("%s: %v", c.mind.name, decodeErr)
				continue
			}
			if seeErr := c.mind.see(m); seeErr != nil {
				c.t.Errorf("%s: %v", c.mind.name, seeErr)
			}
			c.log = append(c.log, m)
			if !c.paused {
				for _, a := range c.mind.answers(m) {
					answers, _ = w3gs.Append(answers, a)
				}
			}
		}
		if err != nil {
			c.end = err
		}
		c.mu.Unlock()
		if len(answers) > 0 {
			_, _ = c.conn.Write(answers) // the end is seen by reading
		}
		if err != nil {
			c.conn.Close()
			return
		}
	}
}

// until waits until something is so in the client's mind.
func (c *client) until(what string, so func(*aiClient) bool) {
	c.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		c.mu.Lock()
		ok, end := so(c.mind), c.end
		c.mu.Unlock()
		if ok {
			return
		}
		if end != nil || time.Now().After(deadline) {
			c.t.Fatalf("%s waited in vain until %s: %v, %v", c.mind.name, what, end, c.mind)
		}
	}
}

// look reads something of the client's mind.
func look[T any](c *client, f func(*aiClient) T) T {
	c.mu.Lock()
	defer c.mu.Unlock()
	return f(c.mind)
}

// expectEnd waits until the host has closed the connection.
func (c *client) expectEnd() {
	c.t.Helper()
	select {
	case <-c.closed:
	case <-time.After(patience):
		c.t.Fatalf("%s is not closed", c.mind.name)
	}
	var reset *net.OpError
	if c.end != io.EOF && !errors.As(c.end, &reset) {
		c.t.Errorf("%s ended with %v", c.mind.name, c.end)
	}
}

// expectReason waits until the host has noted the end of the client's connection, and checks why.
func (h *testHost) expectReason(c *client, want Reason) {
	h.t.Helper()
	addr := c.conn.LocalAddr().(*net.TCPAddr).AddrPort()
	addr = netip.AddrPortFrom(addr.Addr().Unmap(), addr.Port())
	h.until("the end is noted", func() bool {
		why := h.ends.why(addr.String())
		if why != "" && why != want.String() {
			h.t.Errorf("%s ended for %s, expected %s", c.mind.name, why, want)
		}
		return why != ""
	})
}

// start begins the game when everybody is ready.
func (h *testHost) start(game uint32) {
	h.t.Helper()
	h.until("the game starts", func() bool { return h.Start(h.t.Context(), game) == nil })
}
