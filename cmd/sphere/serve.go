package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"os"
	"runtime"
	"sync/atomic"

	"github.com/spf13/cobra"

	"sphereserver/data"
	"sphereserver/server/admin/api"
	"sphereserver/server/config"
	"sphereserver/server/game"
	"sphereserver/server/oplog"
	"sphereserver/server/ops"
	"sphereserver/server/query"
)

func serveCommand(env *environment) *cobra.Command {
	var set *configured
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the server",
		Long: "Run the server. With no settings at all it listens on port 25860, makes its database and is playable.\n" +
			"Settings are read from sphere.toml of the data folder, which \"sphere config init\" writes. Every flag goes " +
			"before the file,\n" +
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
func serve(c *cobra.Command, env *environment, set *configured, ready func(netip.AddrPort)) error {
	reload, gone, stopHangups := hangups()
	defer stopHangups()
	found, sources, err := set.load(c, env)
	if err != nil {
		return err
	}
	p, err := openProgram(env.dataDir, found, sources, env.err)
	if err != nil {
		return err
	}
	err = p.run(c.Context(), reload, gone, func() {
		fmt.Fprintln(env.out, readyLine(p.game, p.queries, p.page))
		ready(reachable(p.game.Addr()))
	})
	return errors.Join(err, p.stop())
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

// makeRoomForHashing lets the Go scheduler run as many goroutines more at once as may be hashing passwords. A hash
// computes for many milliseconds; with a place of its own the operating system shares the processors out, and players'
// answers need not wait for the scheduler's turn. Measured on 2 processors while 100 players a second logged in: the
// 99th percentile of the answers' time fell from 45 to 27 ms, the median from 0.3 to 0.1.
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
	s := ops.Status{Started: l.Started(), Sessions: l.Sessions(), AccountsOnline: l.AccountsOnline(),
		Goroutines: runtime.NumGoroutine(),
		HeapBytes:  memory.HeapInuse, Counters: l.Counters()}
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
