package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/data"
	"sphereserver/data/catalogue"
	"sphereserver/server/admin/api"
	"sphereserver/server/config"
	"sphereserver/server/game"
	"sphereserver/server/measure"
	"sphereserver/server/oplog"
	"sphereserver/server/ops"
	"sphereserver/server/query"
)

// stopPatience is how long an orderly stop may take where nothing else ends the program before.
const stopPatience = 10 * time.Second

func serveCommand(env *environment) *cobra.Command {
	var set *configured
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the server",
		Long: "Run the server. With no settings at all it listens on port 25860, makes its database and is playable.\n" +
			"Settings are read from sphere.toml of the data folder, which \"sphere config init\" writes. Every flag goes before the file,\n" +
			"and can be set in the environment too: --take-over by SPHERE_TAKE_OVER.",
		Args: expect(0),
		RunE: func(c *cobra.Command, _ []string) error {
			return serve(c, env, set, func(netip.AddrPort) {})
		},
	}
	set = addConfigured(cmd, config.Defaults(), false)
	return cmd
}

// serve runs the server until it is told to stop. ready is called when it listens.
func serve(c *cobra.Command, env *environment, set *configured, ready func(netip.AddrPort)) (err error) {
	reload, gone, stopHangups := hangups()
	defer stopHangups()
	found, sources, err := set.load(c, env)
	if err != nil {
		return err
	}
	s := found.Settings
	log, closeLog, err := openLog(s.Log, env.err)
	if err != nil {
		return err
	}
	defer closeLog()
	tail := oplog.Keep(log)
	o := s.Game
	o.Log = log.Logger
	running := config.Running(found, sources, log.Logger)

	lock, err := data.Lock(env.dataDir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	ctx := context.Background()
	var writes measure.Histogram
	store, err := data.Open(ctx, env.dataDir, data.Options{Logger: log.Logger, Wrote: writes.Record})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()

	if s.ChatLog {
		said, failure := appendTo(filepath.Join(env.dataDir, chatLogFile), 0o600)
		if failure != nil {
			return fmt.Errorf("chat log: %w", failure)
		}
		defer said.Close()
		o.ChatLog = said
	}
	makeRoomForHashing(o.Limits.HashWorkers)
	if o.Catalogue, err = catalogue.Open(env.dataDir); err != nil {
		log.Error("the imported catalogue of things cannot be read; the one that is built in is used", "error", err)
	}
	log.Info("catalogue of things", "source", o.Catalogue.Source(), "kinds", len(o.Catalogue.Kinds()))
	server, err := game.New(o, store)
	if err != nil {
		return err
	}
	told := &browserSource{Game: query.Game{Version: version, Slots: o.Limits.Connections, Port: server.Addr().Port(),
		Started: server.Started(), Start: o.Start, World: server.World}}
	told.change(s)
	queries := startQueries(server, s, told, log.Logger)
	defer func() { err = errors.Join(err, queries.Close()) }()
	backups := data.NewBackupSchedule(store, data.BackupPlan(s.Backups), log.Logger)
	operators := server.Operators()
	operators.Recorder, operators.Status = server, live{server, queries, backups}.Status
	page, err := startPage(s.Admin, pageSource{store, server, queries, backups, running, log, tail, &writes})
	if err != nil {
		return errors.Join(err, server.Stop(ctx))
	}
	if err := lock.Announce(server.Addr().String()); err != nil {
		log.Warn("cannot write down who has the data folder", "error", err)
	}

	served := make(chan error, 1)
	go func() { served <- server.Serve() }()
	page.Ready()
	fmt.Fprintln(env.out, readyLine(server, queries, page))
	ready(reachable(server.Addr()))
	backupsCtx, stopBackups := context.WithCancel(ctx)
	var backing sync.WaitGroup
	backing.Go(func() { backups.Run(backupsCtx) })
	defer backing.Wait()
	defer stopBackups()
	running.OnChange(func(s config.Settings) {
		log.Level.Set(s.Log.Level)
		told.change(s)
		backups.Change(data.BackupPlan(s.Backups))
		server.ChangeLimits(s.Game.Limits)
		server.ChangeAccounts(s.Game.CreateAccounts, s.Game.TakeOver)
	})
	log.Info("ready", "game", server.Addr().String(), "data", env.dataDir, "dialect", o.Dialect.String(), "connections", o.Limits.Connections)

	for stopping := false; !stopping; {
		select {
		case <-reload:
			_, _ = running.Reload() // what is wrong is in the log
			continue
		case <-c.Context().Done(): // by a signal, which may have come before the server was ready
			log.Info("stopping", "why", context.Cause(c.Context()).Error())
		case <-gone:
			log.Info("stopping", "why", "the terminal was closed")
		case err = <-served:
			log.Error("the server has failed; saving everybody", "error", err)
		}
		stopping = true
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
	err = errors.Join(err, queries.Close()) // browsers are told of no server that ends
	err = errors.Join(err, server.Stop(stopCtx), page.Close(stopCtx))
	log.Info("stopped")
	return err
}

// startQueries answers server browsers. The game goes on without them where their ports are taken.
func startQueries(server *game.Server, set config.Settings, told query.Source, log *slog.Logger) *query.Server {
	q := set.Queries
	q.Log, q.ExemptLoopback, q.HideNames = log, set.Game.Limits.ExemptLoopback, false
	s, err := query.Listen(server.Addr(), q, told)
	if err != nil {
		log.Warn("server browsers are not answered", "error", err)
		q.ASE.Off, q.Minecraft.Off = true, true
		s, _ = query.Listen(server.Addr(), q, told) // listens nowhere
	}
	return s
}

// browserSource is what browsers are told, of which some can change while the server runs.
type browserSource struct {
	query.Game
	settings atomic.Pointer[config.Settings]
}

func (b *browserSource) change(s config.Settings) { b.settings.Store(&s) }

// Info implements [query.Source].
func (b *browserSource) Info() query.Info {
	i, s := b.Game.Info(), b.settings.Load()
	i.Name, i.HideNames = s.Name, s.Queries.HideNames
	return i
}

// chatLogFile in the data folder is where what players say is written.
const chatLogFile = "chat.log"

// appendTo opens a file whose lines are appended, so that another program may cut it meanwhile.
func appendTo(path string, mode os.FileMode) (*os.File, error) {
	return os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, mode)
}

// openLog opens the log.
func openLog(set config.Log, standard io.Writer) (*oplog.Log, func(), error) {
	if set.File == "" {
		log := oplog.New(standard, set.Level, set.JSON)
		return log, log.Close, nil
	}
	f, err := appendTo(set.File, 0o640)
	if err != nil {
		return nil, nil, fmt.Errorf("log file: %w", err)
	}
	log := oplog.New(f, set.Level, set.JSON)
	return log, func() {
		log.Close()
		f.Close()
	}, nil
}

// readyLine tells scripts where everything listens; what is off is left out.
func readyLine(server *game.Server, queries *query.Server, page *api.Server) string {
	line := "ready game=" + reachable(server.Addr()).String()
	if a := queries.ASE(); a.IsValid() {
		line += " ase=" + reachable(a).String()
	}
	if a := queries.Minecraft(); a.IsValid() {
		line += " minecraft=" + reachable(a).String()
	}
	if a := page.Addr(); a.IsValid() {
		line += " admin=" + reachable(a).String()
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
type live struct {
	*game.Server
	queries *query.Server
	backups *data.BackupSchedule
}

// Status gathers the figures of the running server.
func (l live) Status() ops.Status {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	s := ops.Status{Started: l.Started(), Sessions: l.Sessions(), AccountsOnline: l.AccountsOnline(), Goroutines: runtime.NumGoroutine(),
		HeapBytes: memory.HeapInuse, Counters: l.Counters()}
	for name, n := range l.queries.Counters() {
		s.Counters["query_"+name] = n
	}
	b := l.backups.State()
	s.Counters["backups"], s.Counters["backups_failed"] = b.Made, b.Failed
	for _, p := range l.InWorld() {
		s.Characters = append(s.Characters, ops.OnlineCharacter{Name: p.Name, Account: p.Account, Position: p.Position})
	}
	s.Players = len(s.Characters)
	return s
}
