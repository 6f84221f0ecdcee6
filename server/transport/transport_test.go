package transport

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"sphereserver/server/sim/memnet"
)

// networks are the implementations that exist here; every test runs for each of them.
var networks = func() []string {
	if defaultNetwork == "gnet" {
		return []string{"gnet", "net"}
	}
	return []string{"net"}
}()

// patience is how long a test waits for an event that ought to come at once.
const patience = time.Minute

func TestMain(m *testing.M) {
	if address := os.Getenv(childEnv); address != "" {
		os.Exit(runChild(address))
	}
	// gnet starts a pool of goroutines when it is imported.
	flag.Parse()
	_ = flag.Set("test.parallel", "16") // parallel tests wait, for the most part
	goleak.VerifyTestMain(m, goleak.IgnoreCurrent())
}

func forEachNetwork(t *testing.T, f func(t *testing.T, network string)) {
	for _, network := range networks {
		t.Run(network, func(t *testing.T) { f(t, network) })
	}
}

// simulated runs f on simulated time, with a server of the network "net" in memory.
func simulated(t *testing.T, f func(t *testing.T, start starter)) {
	synctest.Test(t, func(t *testing.T) {
		n := memnet.New(memnet.Options{})
		l, err := n.Listen("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		f(t, func(h Handler, change ...func(*Options)) *testServer {
			s := start(t, "net", h, append(change, func(o *Options) { o.Listener = l })...)
			s.dialer = n.From(netip.MustParseAddr("127.0.0.2"))
			return s
		})
	})
}

type starter func(h Handler, change ...func(*Options)) *testServer

// funcs is a handler made of functions, each of which may be missing.
type funcs struct {
	opened   func(c Conn) bool
	traffic  func(c Conn, in []byte) int
	closed   func(c Conn, err error)
	panicked func(c Conn, value any, stack []byte)
}

func (f funcs) Opened(c Conn) bool { return f.opened == nil || f.opened(c) }

func (f funcs) Traffic(c Conn, in []byte) int {
	if f.traffic == nil {
		return len(in)
	}
	return f.traffic(c, in)
}

func (f funcs) Closed(c Conn, err error) {
	if f.closed != nil {
		f.closed(c, err)
	}
}

func (f funcs) Panicked(c Conn, value any, stack []byte) {
	if f.panicked != nil {
		f.panicked(c, value, stack)
	}
}

func echo(c Conn, in []byte) int {
	c.Write(in)
	return len(in)
}

// checked stands before a handler and holds the transport to the promises of Handler, in every test.
type checked struct {
	Handler
	t *testing.T

	mu     sync.Mutex
	phases map[Conn]string // "open", "closed"
	loops  map[Loop]*atomic.Bool
}

// enter fails the test when another callback of the loop is running.
func (h *checked) enter(c Conn, name string) (leave func()) {
	h.mu.Lock()
	busy := h.loops[c.Loop()]
	if busy == nil {
		busy = new(atomic.Bool)
		h.loops[c.Loop()] = busy
	}
	h.mu.Unlock()
	if !busy.CompareAndSwap(false, true) {
		h.t.Errorf("%s of %v runs inside another callback of its loop", name, c.RemoteAddr())
	}
	if !c.RemoteAddr().IsValid() {
		h.t.Errorf("%s: RemoteAddr is %v", name, c.RemoteAddr())
	}
	return func() { busy.Store(false) }
}

// step fails the test when the connection is not in the phase in which a callback may come.
func (h *checked) step(c Conn, name, from, to string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.phases[c] != from {
		h.t.Errorf("%s of %v when it is %q, expected %q", name, c.RemoteAddr(), h.phases[c], from)
	}
	h.phases[c] = to
}

func (h *checked) Opened(c Conn) bool {
	defer h.enter(c, "Opened")()
	h.step(c, "Opened", "", "open")
	return h.Handler.Opened(c)
}

func (h *checked) Traffic(c Conn, in []byte) int {
	defer h.enter(c, "Traffic")()
	h.step(c, "Traffic", "open", "open")
	if len(in) == 0 {
		h.t.Errorf("Traffic of %v without bytes", c.RemoteAddr())
	}
	return h.Handler.Traffic(c, in)
}

func (h *checked) Closed(c Conn, err error) {
	defer h.enter(c, "Closed")()
	h.step(c, "Closed", "open", "closed")
	h.Handler.Closed(c, err)
}

// count returns how many connections are in a phase.
func (h *checked) count(phase string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for _, p := range h.phases {
		if p == phase {
			n++
		}
	}
	return n
}

// testServer is a served server with its handler.
type testServer struct {
	*Server
	*checked
	t      *testing.T
	logs   *syncBuffer
	dialer func(ctx context.Context, addr string) (net.Conn, error)
}

func start(t *testing.T, network string, h Handler, change ...func(*Options)) *testServer {
	t.Helper()
	return startAt(t, "127.0.0.1:0", network, h, change...)
}

func startAt(t *testing.T, addr, network string, h Handler, change ...func(*Options)) *testServer {
	t.Helper()
	s := &testServer{t: t, logs: new(syncBuffer), dialer: dialTCP}
	s.checked = &checked{Handler: h, t: t, phases: make(map[Conn]string), loops: make(map[Loop]*atomic.Bool)}
	o := Options{Network: network, Loops: 2, closeWait: patience}
	for _, f := range change {
		f(&o)
	}
	listening, err := Listen(addr, s.checked, o, slog.New(slog.NewTextHandler(s.logs, nil)))
	if err != nil {
		t.Fatal(err)
	}
	s.Server = listening
	served := make(chan error, 1)
	go func() { served <- s.Serve() }()
	t.Cleanup(func() {
		s.stop()
		if err := <-served; !errors.Is(err, ErrStopped) {
			t.Errorf("Serve returned %v, expected ErrStopped", err)
		}
		if n := s.count("open"); n != 0 {
			t.Errorf("%d connections were never Closed", n)
		}
	})
	return s
}

func (s *testServer) stop() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := s.Stop(ctx); err != nil {
		s.t.Errorf("Stop returned %v", err)
	}
}

// dial connects to the server; the test ends the connection.
func (s *testServer) dial() *client {
	s.t.Helper()
	return dialBy(s.t, s.dialer, s.Addr().String())
}

type client struct {
	stream
	t *testing.T
}

func dial(t *testing.T, addr string) *client {
	t.Helper()
	return dialBy(t, dialTCP, addr)
}

func dialTCP(ctx context.Context, addr string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, "tcp", addr)
}

func dialBy(t *testing.T, dialer func(context.Context, string) (net.Conn, error), addr string) *client {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c, err := dialer(ctx, addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	return &client{stream: c.(stream), t: t}
}

func (c *client) send(s string) {
	c.t.Helper()
	if _, err := io.WriteString(c, s); err != nil {
		c.t.Fatal(err)
	}
}

// expect reads exactly the wanted bytes.
func (c *client) expect(want string) {
	c.t.Helper()
	got := make([]byte, len(want))
	if n, err := io.ReadFull(c, got); err != nil || string(got) != want {
		c.t.Fatalf("read %q, %v, expected %q", got[:n], err, want)
	}
}

// expectEnd reads to the end, which has to come in order and with nothing before it.
func (c *client) expectEnd() {
	c.t.Helper()
	if rest, err := io.ReadAll(c); err != nil || len(rest) > 0 {
		c.t.Fatalf("read %q, %v, expected the end", rest, err)
	}
}

// reset ends the connection as a crashed peer does.
func (c *client) reset() {
	_ = c.SetLinger(0)
	c.Close()
}

// await returns the next value of ch, or fails the test.
func await[T any](t *testing.T, what string, ch <-chan T) T {
	t.Helper()
	select {
	case v := <-ch:
		return v
	case <-time.After(patience):
		t.Fatalf("no %s after %v:\n%s", what, patience, stacks())
		panic("unreachable")
	}
}

// eventually waits until ok returns true, or fails the test.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not yet after %v: %s", patience, what)
		}
	}
}

func stacks() string {
	b := make([]byte, 1<<16)
	return string(b[:runtime.Stack(b, true)])
}

// onLoop runs f on the connection's loop and waits for it.
func onLoop(t *testing.T, c Conn, f func()) {
	t.Helper()
	done := make(chan struct{})
	if err := c.Loop().Execute(func() { defer close(done); f() }); err != nil {
		t.Fatal(err)
	}
	await(t, "turn on the loop", done)
}

// syncBuffer keeps the log.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) contains(s string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Contains(b.b.String(), s)
}
