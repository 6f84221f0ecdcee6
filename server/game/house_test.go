package game

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"sphereserver/data"
	"sphereserver/data/datatest"
	"sphereserver/server/bot"
	"sphereserver/server/passwords"
	"sphereserver/server/session"
	"sphereserver/server/sim/memnet"
	"sphereserver/world"
)

// A house is a server with a real transport, and players of package bot in it.
type house struct {
	t      *testing.T
	server *Server
	store  *data.Store
	served chan error
	dial   bot.Dialer // nil: over sockets
}

// inMemory is a network for which a test runs in a bubble of package synctest: no time is waited for.
const inMemory = "memory"

func newHouse(t *testing.T, network string) *house {
	t.Helper()
	return newHouseWith(t, network, func(*Options) {})
}

func newHouseWith(t *testing.T, network string, change func(*Options)) *house {
	t.Helper()
	dir := t.TempDir()
	datatest.Fill(t, dir)
	store, err := data.Open(t.Context(), dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultOptions()
	o.Listen, o.Network, o.Log = "127.0.0.1:0", network, slog.New(slog.DiscardHandler)
	o.Delays = session.Delays{} // of the greeting and the screens: nobody here needs them
	var dial bot.Dialer
	if network == inMemory {
		n := memnet.New(memnet.Options{Seed: 1})
		listener, err := n.Listen("10.0.0.1:27015")
		if err != nil {
			t.Fatal(err)
		}
		o.Listener, o.Network, o.Loops, o.Passwords = listener, "net", 1, passwords.Here{}
		dial = n.From(netip.MustParseAddr("10.1.0.1"))
	}
	change(&o)
	s, err := New(o, store)
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t, s, store, make(chan error, 1), dial}
	go func() { h.served <- s.Serve() }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		_ = s.Stop(ctx)
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// enter lets a player in, with a new character or the one that it has.
func (h *house) enter(ctx context.Context, login string) *bot.Client {
	h.t.Helper()
	return h.enterAs(ctx, login, bot.Options{})
}

func (h *house) enterAs(ctx context.Context, login string, o bot.Options) *bot.Client {
	h.t.Helper()
	if o.Dial == nil {
		o.Dial = h.dial
	}
	c, err := bot.Dial(ctx, h.server.Addr().String(), o)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(c.Abort)
	screen, err := c.Login(ctx, login, "secret")
	switch {
	case err != nil:
	case screen.Characters[0].Empty:
		_, err = c.Create(ctx, 0, bot.NewCharacter{Name: login})
	default:
		_, err = c.Select(ctx, 0)
	}
	if err == nil {
		err = c.Enter(ctx)
	}
	if err != nil {
		h.t.Fatalf("%s: %v", login, err)
	}
	return c
}

// session is the server's side of a player.
func (h *house) session(c *bot.Client) *session.Session {
	return h.server.playerOf(world.PlayerID(c.Index)).Session
}

// forEachTransport runs a test on both transports at the same time.
func forEachTransport(t *testing.T, test func(t *testing.T, network string)) {
	for _, network := range []string{"gnet", "net"} {
		t.Run(network, func(t *testing.T) {
			t.Parallel()
			test(t, network)
		})
	}
}

// eachAtOnce runs n tests beside each other, and returns when all of them have ended.
func eachAtOnce(t *testing.T, n int, test func(t *testing.T, i int)) {
	t.Run("each", func(t *testing.T) {
		for i := range n {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				test(t, i)
			})
		}
	})
}

// bubble is a test in a bubble of package synctest, beside others.
func bubble(test func(t *testing.T)) func(t *testing.T) {
	return func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, test)
	}
}
