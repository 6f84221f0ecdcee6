// Package sim runs the whole server and its players on simulated time: the real world, sessions, chat, views and
// SQLite, with clients of package bot, over a network in memory, in one bubble of [testing/synctest]. Minutes go by in
// moments, and for a seed the same bytes go over the same connections at the same nanoseconds, every time and on every
// machine. Only tests import it.
//
// A test is a function that [Run] calls with a [House]: it has the server, the network and the store, to cut, delay and
// break them. Inside, time stands still while anything runs, and t.Run cannot be called. Code that waits for another
// goroutine must wait on a channel, a condition or a timer: a mutex that is held over simulated time stops everything.
//
// A failed test prints its seed, and the command that plays it again.
package sim

import (
	"context"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sphereserver/data"
	"sphereserver/data/datatest"
	"sphereserver/server/bot"
	"sphereserver/server/config"
	"sphereserver/server/game"
	"sphereserver/server/passwords"
	"sphereserver/server/sim/memnet"
	"sphereserver/server/sim/simstore"
	"sphereserver/world/rules"
)

// seed is the seed of simulations that do not name one themselves.
var seed = flag.Uint64("sim.seed", 1, "seed of simulations that do not say which")

// traces is the file to which each house appends a line when its test ends.
var traces = flag.String("sim.traces", "",
	"file to append a line to for each simulation: package, test, trace, simulated time")

// Seed is the value of -sim.seed.
func Seed() uint64 { return *seed }

// Day is when every simulation begins.
var Day = time.Date(2040, time.January, 1, 12, 0, 0, 0, time.UTC)

// Options of a simulation. The zero value is the server with the settings that ship, a millisecond away.
type Options struct {
	Seed uint64         // of everything; 0: the value of -sim.seed
	Net  memnet.Options // its seed is the simulation's
	// Game changes the settings, which are otherwise the shipped ones.
	Game func(*game.Options)
	// Prepare fills the store before the server begins.
	Prepare func(*data.Store)
	// Applied, if not nil, is called with each change of belongings that is durable, before the server knows it.
	Applied func(*rules.Change)
}

// A House is a server in its bubble.
type House struct {
	T      *testing.T
	Seed   uint64
	Net    *memnet.Network
	Store  *simstore.Store
	Server *game.Server
	Game   game.Options // with which the server has begun
	Addr   string       // to dial

	options Options
	dir     string
	served  chan error
	over    bool
	lives   int // so far, in steps of the world's seed
}

// serverAddr is where the server listens.
const serverAddr = "10.0.0.1:25860"

// Run plays a simulation: it begins the server, calls play, stops the server in order, and has the store checked.
func Run(t *testing.T, o Options, play func(h *House)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { play(Start(t, o)) })
}

// Start begins a server for a test that is in a bubble already. It is stopped, and its store checked, when the test
// ends.
func Start(t *testing.T, o Options) *House {
	t.Helper()
	if o.Seed == 0 {
		o.Seed = *seed
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seed %d; to play it again: %s", o.Seed, again(t.Name(), o.Seed))
		}
	})
	time.Sleep(time.Until(Day))
	o.Net.Seed = o.Seed
	h := &House{T: t, Seed: o.Seed, Net: memnet.New(o.Net), options: o, dir: t.TempDir()}
	datatest.Fill(h.T, h.dir)
	if o.Prepare != nil {
		h.Opened(h.dir, o.Prepare)
	}
	h.begin()
	t.Cleanup(h.record)
	t.Cleanup(h.Stop)
	return h
}

// record appends the package, the test, the trace and the simulated time to the file of -sim.traces.
func (h *House) record() {
	if *traces == "" {
		return
	}
	f, err := os.OpenFile(*traces, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = fmt.Fprintln(f, program(), h.T.Name(), h.Trace(), time.Since(Day))
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		h.T.Error(err)
	}
}

// again is the command that runs a test with a seed, and with the flags that it runs with now.
func again(test string, seed uint64) string {
	command := fmt.Sprintf("go test %s -timeout 0 -run '^%s$'", program(), strings.ReplaceAll(test, "/", "$/^"))
	if testing.Short() {
		command += " -short"
	}
	command += " -args"
	flag.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "sim.seed", "sim.seeds", "sim.traces":
		default:
			if strings.HasPrefix(f.Name, "sim.") {
				command += fmt.Sprintf(" -%s=%v", f.Name, f.Value)
			}
		}
	})
	return fmt.Sprintf("%s -sim.seed=%d", command, seed)
}

// program is the package whose tests run.
func program() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return strings.TrimSuffix(info.Path, ".test")
	}
	return "./..."
}

// begin starts a server on the folder.
func (h *House) begin() {
	h.T.Helper()
	store, err := data.Open(context.Background(), h.dir, data.Options{})
	if err != nil {
		h.T.Fatal(err)
	}
	h.Store = &simstore.Store{Store: store, Applied: h.options.Applied}
	listener, err := h.Net.Listen(serverAddr)
	if err != nil {
		h.T.Fatal(err)
	}
	settings := config.Defaults()
	g := settings.Game
	g.World.Balance = &settings.Balance
	g.Log = slog.New(slog.NewTextHandler(h.T.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	if h.options.Game != nil {
		h.options.Game(&g)
	}
	g.Listener, g.Network, g.Loops, g.Passwords = listener, "net", 1, passwords.Here{}
	g.World.Seed = int(h.Seed) + h.lives // each life draws other names and places than the last one
	h.lives += 1_000_003
	h.Game = g
	h.Server, err = game.New(g, h.Store)
	if err != nil {
		h.T.Fatal(err)
	}
	h.Addr, h.served = h.Server.Addr().String(), make(chan error, 1)
	time.Sleep(time.Until(time.Now().Truncate(4).Add(4))) // ticks are never in one moment with the network or the store
	go func() { h.served <- h.Server.Serve() }()
}

// Stop ends the server in order, if it still runs, and checks the store.
func (h *House) Stop() {
	h.T.Helper()
	if !h.over {
		h.over = true
		h.end()
	}
}

// Restart ends the server in order, and begins another on its store, at the same address.
func (h *House) Restart() {
	h.T.Helper()
	h.end()
	h.begin()
}

func (h *House) end() {
	h.T.Helper()
	time.Sleep(time.Nanosecond) // not in one moment with a tick
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := errors.Join(h.Server.Stop(ctx), <-h.served); err != nil {
		h.T.Errorf("stopping: %v", err)
	}
	if problems, err := h.Store.Check(ctx); err != nil || len(problems) > 0 {
		h.T.Errorf("the store has %v, %v", problems, err)
	}
	if err := h.Store.Close(); err != nil {
		h.T.Errorf("closing the store: %v", err)
	}
}

// Host is the n-th of the addresses from which players come.
func Host(n int) netip.Addr { return netip.AddrFrom4([4]byte{10, 1, byte(n >> 8), byte(n)}) }

// Client returns the options of clients that come from an address.
func (h *House) Client(from netip.Addr) bot.Options {
	return bot.Options{Seed: h.Seed, Dial: h.Net.From(from)}
}

// patience is how long a simulation waits for an event, in simulated time.
const patience = time.Minute

// Player brings a character into the world, with its name for login and password, from the n-th address.
func (h *House) Player(n int, name string, o bot.Options) *bot.Client {
	h.T.Helper()
	o.Seed, o.Dial = h.Seed+uint64(n), h.Net.From(Host(n))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, err := bot.Dial(ctx, h.Addr, o)
	if err == nil {
		err = c.Appear(ctx, bot.Identity{Login: name, Password: name, Name: name})
	}
	if err != nil {
		h.T.Fatalf("%s: %v", name, err)
	}
	return c
}

// Swarm plays many clients until their time is over, each from an address of its own, and returns their figures.
func (h *House) Swarm(o bot.SwarmOptions) *bot.Figures {
	h.T.Helper()
	return h.SwarmUntil(context.Background(), o)
}

// SwarmUntil is Swarm that ends when ctx does, if that is sooner.
func (h *House) SwarmUntil(ctx context.Context, o bot.SwarmOptions) *bot.Figures {
	h.T.Helper()
	o.Addr = h.Addr
	o.Client.Seed = h.Seed
	hosts := make([]bot.Dialer, o.Count)
	for i := range hosts {
		hosts[i] = h.Net.From(Host(i + 1))
	}
	o.DialAs = func(i int) bot.Dialer { return hosts[i] }
	s, err := bot.NewSwarm(o)
	if err != nil {
		h.T.Fatal(err)
	}
	s.Run(ctx)
	return s.Figures()
}

// errKilled is the store's error to a server that was killed.
var errKilled = errors.New("sim: the server has been killed")

// Kill ends the server as kill -9 does: all connections are lost, and nothing is written any more. look sees the rest
// of the store, on which another server begins at the same address.
func (h *House) Kill(look func(*data.Store)) {
	h.T.Helper()
	left := h.Crash()
	h.Opened(left, look)
	h.Store.Fail(errKilled)
	h.Net.Reset()
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_ = h.Server.Stop(ctx) // it cannot save
	<-h.served
	if err := h.Store.Close(); err != nil {
		h.T.Error(err)
	}
	h.dir = left
	h.begin()
}

// Crash returns a folder with the store that kill -9 would leave in this moment.
func (h *House) Crash() string {
	h.T.Helper()
	synctest.Wait()
	dir := h.T.TempDir()
	for _, name := range []string{data.DatabaseFile, data.DatabaseFile + "-wal"} {
		file, err := os.ReadFile(filepath.Join(h.dir, name))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), file, 0o600)
		}
		if err != nil {
			h.T.Fatal(err)
		}
	}
	return dir
}

// Opened opens the store that [House.Crash] has left, checks it, hands it over and closes it. Right after the crash
// everything stands still, and look may read values of other goroutines, such as clients that wait for the server.
func (h *House) Opened(dir string, look func(*data.Store)) {
	h.T.Helper()
	ctx := context.Background()
	store, err := data.Open(ctx, dir, data.Options{})
	if err != nil {
		h.T.Fatalf("after a crash: %v", err)
	}
	defer store.Close()
	if problems, err := store.Check(ctx); err != nil || len(problems) > 0 {
		h.T.Errorf("after a crash the store has %v, %v", problems, err)
	}
	look(store)
	h.Net.Fence()
}

// Trace is a hash of all that has gone over the network, and when.
func (h *House) Trace() string {
	sum := h.Net.Trace()
	return hex.EncodeToString(sum[:])
}
