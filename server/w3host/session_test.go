package w3host

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"sphereserver/packets/w3gs"
	"sphereserver/server/transport"
)

// A wire is a connection without a socket, on a loop that runs everything at once.
type wire struct {
	session any
	got     []byte
	pending int
	again   int
	closed  bool
}

func (c *wire) Execute(f func()) error     { f(); return nil }
func (c *wire) Loop() transport.Loop       { return c }
func (c *wire) RemoteAddr() netip.AddrPort { return netip.MustParseAddrPort("192.0.2.1:5000") }
func (c *wire) Write(p []byte)             { c.got = append(c.got, p...); c.pending += len(p) }
func (c *wire) Pending() int               { return c.pending }
func (c *wire) Again()                     { c.again++ }
func (c *wire) Session() any               { return c.session }
func (c *wire) SetSession(s any)           { c.session = s }
func (c *wire) Close()                     { c.closed = true }

// bareHost is a host that does not serve.
func bareHost(t *testing.T) *Host {
	t.Helper()
	h, err := New(hostOptions("net", 2))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Stop(t.Context()); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
	})
	return h
}

func (c *wire) s() *session { return c.session.(*session) }

// Protocol w3gs 8: a client that takes nothing for 10 s is closed, one that takes a little is not.
func TestStuckReader(t *testing.T) {
	for _, v := range []struct {
		what  string
		takes func(second int) int // bytes
		want  bool
	}{
		{"takes nothing", func(int) int { return 0 }, true},
		{"takes one byte every 5 s", func(i int) int { return (i + 1) % 5 / 4 }, false},
		{"takes nothing but is sent more", func(int) int { return 0 }, true},
	} {
		h, c := bareHost(t), &wire{}
		if !h.Opened(c) {
			t.Fatal("refused")
		}
		c.s().joined.Store(true)
		c.s().deliver(delivery{to: c.s(), out: make([]byte, 1000)})
		for i := range 15 {
			if v.what == "takes nothing but is sent more" {
				c.s().deliver(delivery{to: c.s(), out: make([]byte, 10)})
			}
			c.pending -= v.takes(i)
			c.s().turn(c.s().real.Add(time.Second))
		}
		if c.closed != v.want || v.want && c.s().reason != SlowReader {
			t.Errorf("who %s: closed %t for %s", v.what, c.closed, c.s().reason)
		}
		h.Closed(c, nil)
	}
}

// Many packets at once are handled in turns, so that other connections of the loop are served in between.
func TestFairness(t *testing.T) {
	h, c := bareHost(t), &wire{}
	h.Opened(c)
	h.options.Limits.Strange = 1000
	in := slices.Repeat([]byte{0xF7, 0x29, 4, 0}, 100)
	used := h.Traffic(c, in)
	if used != packetsPerCall*4 || c.again != 1 {
		t.Errorf("%d bytes were used, again %d times", used, c.again)
	}
	if used = h.Traffic(c, in[used:]); used != 36*4 || c.again != 1 {
		t.Errorf("then %d bytes, again %d times", used, c.again)
	}
	h.Closed(c, nil)
	if n := len(h.sessions); n != 0 {
		t.Errorf("%d strangers are left", n)
	}
}

func TestPanicsOfConnections(t *testing.T) {
	h, c := bareHost(t), &wire{}
	h.Opened(c)
	h.Panicked(c, "a defect of ours", nil)
	h.Closed(c, transport.ErrPanicked)
	if e := h.ended.Counts(); len(e) != 1 || e[GamePanicked.String()] != 1 || h.Counters()["panics"] != 1 {
		t.Errorf("noted %v", e)
	}
}

// A stranger may send 128 bytes as its first packet, and no more.
func TestLengthOfTheFirstPacket(t *testing.T) {
	for n, closed := range map[int]bool{128: false, 129: true} {
		h, c := bareHost(t), &wire{}
		h.Opened(c)
		h.Traffic(c, []byte{0xF7, 0x77, byte(n), 0})
		if c.closed != closed {
			t.Errorf("a length of %d: closed %t", n, c.closed)
		}
		h.Closed(c, nil)
	}
	if w3gs.MaxJoin != 128 {
		t.Errorf("a join has at most %d bytes", w3gs.MaxJoin)
	}
}
