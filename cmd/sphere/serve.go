package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/admin"
	"sphereserver/server/game"
	"sphereserver/server/oplog"
	"sphereserver/server/query"
)

// stopWithin is how long an orderly stop may take.
const stopWithin = 10 * time.Second

// serveSettings are the flags of serve that are not fields of the game's options.
type serveSettings struct {
	dialect   string
	start     string
	logLevel  string
	logFormat string
	name      string // of the server, for browsers
	queries   query.Options
}

func defaultSettings() serveSettings {
	return serveSettings{dialect: packets.Dialect2026.String(), start: game.Cities[0].Name, logLevel: "info", logFormat: "text",
		name: "Sphere", queries: query.DefaultOptions()}
}

func serveCommand(env *environment) *cobra.Command {
	o := game.DefaultOptions()
	set := defaultSettings()
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the server",
		Long: "Run the server. With no settings at all it listens on port 25860, makes its database and is playable.\n" +
			"Every flag can be set in the environment too: --take-over by SPHERE_TAKE_OVER.",
		Args: expect(0),
		RunE: func(c *cobra.Command, _ []string) error {
			return serve(c, env, o, set, func(netip.AddrPort) {})
		},
	}
	serveFlags(cmd.Flags(), &o, &set)
	return cmd
}

func serveFlags(f *pflag.FlagSet, o *game.Options, set *serveSettings) {
	f.StringVar(&o.Listen, "listen", o.Listen, "`HOST:PORT` of the game; port 0 takes a free one")
	f.StringVar(&o.Network, "transport", "", "gnet or net; the default is gnet on Unix and net on Windows")
	f.StringVar(&set.dialect, "dialect", set.dialect, "generation of the clients: 2022, 2026 or classic")
	f.StringVar(&set.start, "start", set.start, "where new characters stand: "+cityNames()+", or \"X Y Z [YAW]\"")
	f.BoolVar(&o.CreateAccounts, "create-accounts", o.CreateAccounts, "make an account of an unknown login")
	f.BoolVar(&o.TakeOver, "take-over", o.TakeOver, "a newer login closes the older one of the account, instead of being refused")
	f.Float64Var(&o.World.MaxSpeed, "max-speed", 60, "fastest plausible movement in metres per second, negative for any")
	f.DurationVar(&o.World.SaveEvery, "save-every", 3*time.Second, "how often places of moving characters are saved")
	f.StringVar(&set.logLevel, "log-level", set.logLevel, "debug, info, warn or error")
	f.StringVar(&set.logFormat, "log-format", set.logFormat, "text or json")

	q := &set.queries
	f.StringVar(&set.name, "name", set.name, "`name` of the server, as server browsers show it")
	f.BoolVar(&q.ASE.Off, "no-ase", q.ASE.Off, "do not answer All-Seeing Eye, on the UDP port 123 above the game's")
	f.BoolVar(&q.Minecraft.Off, "no-minecraft", q.Minecraft.Off, "do not answer Minecraft Query, on the game's UDP port")
	f.BoolVar(&q.HideNames, "hide-names", q.HideNames, "tell server browsers how many players there are, but not who")

	t := &o.Timeouts
	f.DurationVar(&t.Handshake, "handshake-timeout", t.Handshake, "from connecting to the client's answer")
	f.DurationVar(&t.Login, "login-timeout", t.Login, "from there to the login")
	f.DurationVar(&t.Screen, "screen-timeout", t.Screen, "on the character screen")
	f.DurationVar(&t.Entering, "entering-timeout", t.Entering, "from choosing a character to being in the world")
	f.DurationVar(&t.Silence, "silence-timeout", t.Silence, "in the world without a word from the client")

	l := &o.Limits
	f.IntVar(&l.Connections, "max-connections", l.Connections, "connections in all")
	f.IntVar(&l.PerAddress, "max-per-address", l.PerAddress, "connections of one IPv4 address or IPv6 /64")
	f.Float64Var(&l.NewPerAddress, "new-per-address", l.NewPerAddress, "new connections of an address per second")
	f.IntVar(&l.NewPerAddressBurst, "new-per-address-burst", l.NewPerAddressBurst, "new connections of an address at once")
	f.Float64Var(&l.New, "new-connections", l.New, "new connections per second in all")
	f.Float64Var(&l.FramesPerSecond, "frames-per-second", l.FramesPerSecond, "frames of one client per second")
	f.IntVar(&l.FramesBurst, "frames-burst", l.FramesBurst, "frames of one client at once")
	f.IntVar(&l.Pending, "max-pending", l.Pending, "bytes that a client may owe to read")
	f.IntVar(&l.HashWorkers, "hash-workers", l.HashWorkers, "passwords that are checked at once")
	f.IntVar(&l.LoginQueue, "login-queue", l.LoginQueue, "logins that may wait")
	f.BoolVar(&l.ExemptLoopback, "exempt-loopback", l.ExemptLoopback, "no limits per address for this machine's own clients, as load tests need")
}

func cityNames() string {
	names := make([]string, len(game.Cities))
	for i, c := range game.Cities {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}

// parseStart reads a city's name or coordinates.
func parseStart(c *cobra.Command, text string) (coords.Position, error) {
	for _, city := range game.Cities {
		if strings.EqualFold(city.Name, text) {
			return city.Position, nil
		}
	}
	var p coords.Position
	if n, _ := fmt.Sscan(text, &p.X, &p.Y, &p.Z, &p.Yaw); n < 3 {
		return p, usagef(c, "--start: expected one of %s, or \"X Y Z [YAW]\", found %q", cityNames(), text)
	}
	if err := p.Check(); err != nil {
		return p, usagef(c, "--start: %v", err)
	}
	return p, nil
}

func (set *serveSettings) apply(c *cobra.Command, o *game.Options, env *environment) (*oplog.Log, error) {
	var err error
	if o.Dialect, err = packets.ParseDialect(set.dialect); err != nil {
		return nil, usagef(c, "--dialect: %v", err)
	}
	if o.Start, err = parseStart(c, set.start); err != nil {
		return nil, err
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(set.logLevel)); err != nil {
		return nil, usagef(c, "--log-level: expected debug, info, warn or error, found %q", set.logLevel)
	}
	if set.logFormat != "text" && set.logFormat != "json" {
		return nil, usagef(c, "--log-format: expected text or json, found %q", set.logFormat)
	}
	switch o.Network {
	case "", "gnet", "net":
	default:
		return nil, usagef(c, "--transport: expected gnet or net, found %q", o.Network)
	}
	return oplog.New(env.err, level, set.logFormat == "json"), nil
}

// serve runs the server until it is told to stop. ready is called when it listens.
func serve(c *cobra.Command, env *environment, o game.Options, set serveSettings, ready func(netip.AddrPort)) (err error) {
	log, err := set.apply(c, &o, env)
	if err != nil {
		return err
	}
	defer log.Close()
	o.Log = log.Logger

	lock, err := data.Lock(env.dataDir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	ctx := context.Background()
	store, err := data.Open(ctx, env.dataDir, data.Options{Logger: log.Logger})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()

	makeRoomForHashing(o.Limits.HashWorkers)
	server, err := game.New(o, store)
	if err != nil {
		return err
	}
	ops := &admin.Ops{Store: store, Live: live{server}}
	control, err := admin.ListenControl(env.dataDir, ops, log.Logger)
	if err != nil {
		return err
	}
	if err := lock.Announce(server.Addr().String()); err != nil {
		log.Warn("cannot write down who has the data folder", "error", err)
	}

	served := make(chan error, 1)
	go func() { served <- server.Serve() }()
	queries := startQueries(server, o, set)
	defer func() { err = errors.Join(err, queries.Close()) }()
	fmt.Fprintln(env.out, readyLine(server, queries))
	ready(reachable(server.Addr()))
	log.Info("ready", "game", server.Addr().String(), "data", env.dataDir, "dialect", o.Dialect.String(), "connections", o.Limits.Connections)

	select {
	case <-c.Context().Done(): // by a signal, which may have come before the server was ready
		log.Info("stopping", "why", context.Cause(c.Context()).Error())
	case err = <-served:
		log.Error("the server has failed; saving everybody", "error", err)
	}
	stopCtx, cancel := context.WithTimeout(ctx, stopWithin)
	defer cancel()
	again := make(chan os.Signal, 1)
	signal.Notify(again, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(again)
	go func() {
		select {
		case <-again: // do not wait for anybody any more
			cancel()
		case <-stopCtx.Done():
		}
	}()
	err = errors.Join(err, server.Stop(stopCtx), control.Close(stopCtx))
	log.Info("stopped")
	return err
}

// startQueries answers server browsers. The game goes on without them where their ports are taken.
func startQueries(server *game.Server, o game.Options, set serveSettings) *query.Server {
	q := set.queries
	q.Log, q.ExemptLoopback = o.Log, o.Limits.ExemptLoopback
	source := &query.Game{Name: set.name, Version: version, Slots: o.Limits.Connections, Port: server.Addr().Port(),
		Started: server.Started(), Start: o.Start, World: server.World}
	s, err := query.Listen(server.Addr(), q, source)
	if err != nil {
		o.Log.Warn("server browsers are not answered", "error", err)
		q.ASE.Off, q.Minecraft.Off = true, true
		s, _ = query.Listen(server.Addr(), q, source) // listens nowhere
	}
	return s
}

// readyLine tells scripts where everything listens; what is off is left out.
func readyLine(server *game.Server, queries *query.Server) string {
	line := "ready game=" + reachable(server.Addr()).String()
	if a := queries.ASE(); a.IsValid() {
		line += " ase=" + reachable(a).String()
	}
	if a := queries.Minecraft(); a.IsValid() {
		line += " minecraft=" + reachable(a).String()
	}
	return line
}

// makeRoomForHashing lets the Go scheduler run as many goroutines more at once as may be hashing passwords. A hash computes for
// many milliseconds; with a place of its own the operating system shares the processors out, and players' answers need not
// wait for the scheduler's turn. Measured on 2 processors while 100 players a second logged in: the 99th percentile of
// the answers' time fell from 45 to 27 ms, the median from 0.3 to 0.1.
func makeRoomForHashing(workers int) {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + workers)
	}
}

// reachable is an address that a program on this machine can connect to.
func reachable(a netip.AddrPort) netip.AddrPort {
	if a.Addr().IsUnspecified() {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), a.Port())
	}
	return a
}

// live is the running server as operators see it.
type live struct{ *game.Server }

// Status gathers the figures of the running server.
func (l live) Status() admin.Status {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	s := admin.Status{Started: l.Started(), Sessions: l.Sessions(), AccountsOnline: l.AccountsOnline(), Goroutines: runtime.NumGoroutine(),
		HeapBytes: memory.HeapInuse, Counters: l.Counters()}
	for reason, n := range l.EndsByReason() {
		s.Counters["ended_"+strings.ReplaceAll(reason, " ", "_")] = n
	}
	for _, p := range l.InWorld() {
		s.Characters = append(s.Characters, admin.OnlineCharacter{Name: p.Name, Account: p.Account, Position: data.Position(p.Position)})
	}
	s.Players = len(s.Characters)
	return s
}
