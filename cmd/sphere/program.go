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
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/data/landscape"
	"sphereserver/server/admin"
	"sphereserver/server/admin/api"
	"sphereserver/server/config"
	"sphereserver/server/game"
	"sphereserver/server/measure"
	"sphereserver/server/oplog"
	"sphereserver/server/ops"
	"sphereserver/server/passwords"
	"sphereserver/server/public"
	"sphereserver/server/query"
	"sphereserver/server/tiles"
	"sphereserver/server/webhook"
)

// A program is a server with everything around it: open it, run it, stop it.
type program struct {
	dir     string // data folder
	running *config.Live
	log     *oplog.Log
	tail    *oplog.Tail

	logFiles []*oplog.File

	lock    *data.FolderLock
	store   *data.Store
	writes  measure.Histogram
	land    *landscape.File // nil: the ground was not imported
	game    *game.Server
	maps    *tiles.Service
	told    *browserSource // to server browsers
	queries *query.Server
	backups *data.BackupSchedule
	page    *api.Server
	hooks   *webhook.Sender
	public  *public.Server // nil: it is off

	closers []func() error // in the order of opening
}

// openProgram opens all that a server needs, so that it listens. When something fails, the open parts are closed.
func openProgram(dir string, found *config.Config, sources config.Sources, standard io.Writer) (p *program, err error) {
	p = &program{dir: dir}
	s := found.Settings
	if err := p.openLog(s.Log, standard); err != nil {
		return nil, err
	}
	p.running = config.Running(found, sources, p.log.Logger)
	s.Game.Log = p.log.Logger
	go content.Default() // is read while the store is opened
	for _, open := range []func(*config.Settings) error{p.openStore, p.openGame, p.openQueries, p.openMaps, p.openPublic,
		p.openHooks, p.openPage} {
		if err := open(&s); err != nil {
			if s.Log.File != "" { // else the last line on the standard error says it
				p.log.Error("the server cannot start", "error", plain(err))
			}
			return nil, errors.Join(err, p.close())
		}
	}
	if err := p.lock.Announce(p.game.Addr().String()); err != nil {
		p.log.Warn("cannot write down who has the data folder", "error", err)
	}
	return p, nil
}

// closing notes a function to call at the end, before all that was opened earlier.
func (p *program) closing(c func() error) { p.closers = append(p.closers, c) }

// close closes everything, the last first.
func (p *program) close() (err error) {
	for _, c := range slices.Backward(p.closers) {
		err = errors.Join(err, c())
	}
	p.closers = nil
	return err
}

// kept are the beginnings of the names of files that the server itself keeps in its data folder.
var kept = []string{data.DatabaseFile, data.LockFile, admin.ControlFile, admin.ControlSocket, config.FileName,
	config.BalanceFile, config.WebhooksFile, content.MissionsFile, content.ContentFile, landscape.FileName,
	chatLogFile, unknownFile, "health.ring"}

// notKept refuses a file that the server itself keeps in a data folder: nothing else may be written there.
func notKept(dir, path string) error {
	folder, err := os.Stat(filepath.Dir(path))
	own, err2 := os.Stat(dir)
	if err == nil && err2 == nil && os.SameFile(folder, own) && slices.ContainsFunc(kept, func(name string) bool {
		return strings.HasPrefix(strings.ToLower(filepath.Base(path)), name)
	}) {
		return failf("%s is a file of the server's own: choose another name", path)
	}
	return nil
}

func (p *program) openLog(set config.Log, to io.Writer) error {
	if set.File != "" {
		if filepath.Dir(set.File) == filepath.Clean(p.dir) { // which the first start has yet to make
			if err := os.MkdirAll(p.dir, 0o700); err != nil {
				return err
			}
		}
		if err := notKept(p.dir, set.File); err != nil {
			return fmt.Errorf("log file: %w", err)
		}
		f, err := p.logFile(set.File, 0o640)
		if err != nil {
			return fmt.Errorf("log file: %w", err)
		}
		to = f
	}
	p.log = oplog.New(to, set.Level, set.JSON)
	p.closing(func() error { p.log.Close(); return nil })
	p.tail = oplog.Keep(p.log)
	return nil
}

// leastFreeShare of a disk is left to the database: with less, logs keep no old pieces.
const leastFreeShare = 0.05

// logFile opens a log that is closed at the end, and opened again when a hangup says so.
func (p *program) logFile(path string, mode os.FileMode) (*oplog.File, error) {
	f, err := oplog.OpenFile(path, mode, func() bool {
		free, total, err := data.FreeBytes(filepath.Dir(path))
		return err == nil && float64(free) < leastFreeShare*float64(total)
	})
	if err != nil {
		return nil, err
	}
	p.logFiles = append(p.logFiles, f)
	p.closing(f.Close)
	return f, nil
}

func (p *program) openStore(s *config.Settings) (err error) {
	if p.lock, err = data.Lock(p.dir); err != nil {
		return err
	}
	p.closing(p.lock.Unlock)
	if pid, is := admin.Serving(context.Background(), p.dir); is {
		return fmt.Errorf("process %d is a server in %s already, though the lock was free: somebody has deleted %s", pid,
			p.dir, data.LockFile)
	}
	if err := p.restoreOrdered(); err != nil {
		return err
	}
	p.store, err = data.Open(context.Background(), p.dir, data.Options{Logger: p.log.Logger, Wrote: p.writes.Record})
	if err != nil {
		return err
	}
	p.closing(p.store.Close)
	p.store.KeepDeleted(s.KeepDeleted)
	p.backups = data.NewBackupSchedule(p.store, data.BackupPlan(s.Backups), p.log.Logger)
	switch d := diskOf(p.dir); {
	case d.network != "":
		p.log.Warn("the data folder is on another machine, where locks and what is on the disk may be neither",
			"kind", d.network)
	case d.memory:
		p.log.Warn("the data folder is in memory: all is gone when this machine starts anew")
	}
	for _, f := range config.Misnamed(p.dir, content.MissionsFile) {
		p.log.Warn("a file of the data folder is not read", "file", f.File, "error", f.Text)
	}
	if zone := unknownZone(); zone != "" {
		p.log.Warn("the time zone is not known: all times are UTC", "TZ", zone)
	}
	return nil
}

// restoreOrdered puts a backup in the place of the database, if an operator has ordered that. A failed restore keeps
// nobody out: the server goes on with the database that it has.
func (p *program) restoreOrdered() error {
	restored, kept, err := data.RestoreOrdered(context.Background(), p.dir)
	switch {
	case restored != "":
		p.log.Warn("restored a backup, as ordered", "file", restored, "kept", kept)
		return err // an order that stays would bring the backup back at each start
	case err != nil:
		p.log.Error("the backup whose restore was ordered cannot be restored; going on with the database as it is",
			"error", err)
	}
	return nil
}

// chatLogFile in the data folder is the log of lines of players.
const chatLogFile = "chat.log"

// unknownFile in the data folder is where requests of unknown forms are kept, of unknownMost bytes.
const (
	unknownFile = "unknown-requests.log"
	unknownMost = 1 << 20
)

func (p *program) openGame(s *config.Settings) error {
	o := &s.Game
	if s.ChatLog {
		said, err := p.logFile(filepath.Join(p.dir, chatLogFile), 0o600)
		if err != nil {
			return fmt.Errorf("chat log: %w", err)
		}
		o.ChatLog = said
	}
	if s.Unknown {
		file := oplog.NewBounded(filepath.Join(p.dir, unknownFile), unknownMost, p.log.Logger)
		kept := oplog.New(file, slog.LevelInfo, false)
		p.closing(func() error { kept.Close(); return nil })
		o.Unknown = kept.Logger
	}
	hashed := passwords.NewWorker(p.log.Logger)
	p.closing(hashed.Close)
	o.Passwords = hashed
	var err error
	if o.Catalogue, err = content.Open(p.dir); err != nil {
		p.log.Error("the imported catalogue of things cannot be read; the one that is built in is used", "error", err)
	}
	p.log.Info("catalogue of things", "source", o.Catalogue.Content.Source, "kinds", len(o.Catalogue.Kinds()))
	if o.World.Missions, err = content.OpenMissions(p.dir); err != nil {
		p.log.Error("the missions of the data folder cannot be read; those that are built in are used", "error", err)
	}
	p.openLand(o)
	balance := s.Balance
	o.World.Balance, o.Words = &balance, s.Words()
	if p.game, err = game.New(*o, p.store); err != nil {
		return err
	}
	p.closing(func() error { return p.game.Stop(context.Background()) }) // has nothing to do when it is stopped already
	return nil
}

// openQueries answers server browsers. The game goes on without the protocols whose ports are taken.
func (p *program) openQueries(s *config.Settings) (err error) {
	p.told = &browserSource{Game: query.Game{Version: version, Slots: s.Game.Limits.Connections,
		Port: p.game.Addr().Port(), Started: p.game.Started(), Start: s.Game.Start, World: p.game.World}}
	p.told.change(*s)
	o := s.Queries
	for _, text := range s.BrowserNetworks {
		if n, err := config.ParseNetwork(text); err == nil { // else the settings would have been refused
			o.Reach = append(o.Reach, n)
		}
	}
	o.Log, o.HideNames = p.log.Logger, false
	var taken *query.PortError
	listen := func() { p.queries, err = query.Listen(p.game.Addr(), o, p.told) }
	for listen(); errors.As(err, &taken); listen() {
		p.log.Warn("server browsers are not answered", "error", err)
		o.ASE.Off = o.ASE.Off || taken.Protocol == query.EyeProtocol
		o.Minecraft.Off = o.Minecraft.Off || taken.Protocol == query.MinecraftProtocol
	}
	if err != nil {
		return err
	}
	p.closing(p.queries.Close)
	return nil
}

// browserSource has the facts for browsers, some of which can change while the server runs.
type browserSource struct {
	query.Game
	settings atomic.Pointer[config.Settings]
}

func (b *browserSource) change(s config.Settings) { b.settings.Store(&s) }

// Info implements [query.Source].
func (b *browserSource) Info() query.Info {
	i, s := b.Game.Info(), b.settings.Load()
	i.Name, i.HideNames = s.Name, s.Queries.HideNames
	for _, rule := range s.BrowserRules {
		key, value, _ := strings.Cut(rule, "=")
		i.Rules = append(slices.Clip(i.Rules), query.Rule{Key: strings.TrimSpace(key), Value: strings.TrimSpace(value)})
	}
	return i
}

// openMaps makes the drawer of maps, for both pages.
func (p *program) openMaps(*config.Settings) error {
	p.maps = tiles.New(tiles.Options{Land: p.land, Learned: p.store, Log: p.log.Logger})
	p.closing(p.maps.Close)
	return nil
}

// openPublic opens the page for players, if the settings have one.
func (p *program) openPublic(s *config.Settings) (err error) {
	if s.Public.Listen == "" {
		return nil
	}
	p.public, err = public.Listen(public.Options{Settings: s, Version: version, Game: p.game, Port: p.game.Addr().Port(),
		Store: p.store, Maps: p.maps, Log: p.log.Logger})
	if err == nil {
		p.closing(func() error { return p.public.Close(context.Background()) })
	}
	return err
}

// openPage opens the administrators' page, unless the settings have none, and the listener for commands.
func (p *program) openPage(s *config.Settings) (err error) {
	operators := p.game.Operators()
	operators.Recorder, operators.Status, operators.Reload, operators.Russian = p.game, p.status, p.reload, russianOf
	operators.ReadBalance, operators.WriteBalance = p.readBalance, p.writeBalance
	listeners := map[string]string{}
	for _, l := range p.listeners() {
		listeners[l.name] = l.at.String()
	}
	p.page, err = api.Listen(api.Options{Settings: s.Admin, Version: version, Store: p.store, Ops: operators, Game: p.game,
		Config: p.running, Backups: p.backups, Tail: p.tail, Russian: russianLine, Log: p.log.Logger, Listeners: listeners,
		Queries: p.queries.Counters, Writes: &p.writes, Maps: p.maps, Land: p.land, Passwords: s.Game.Passwords})
	return err
}

// A listener is where something of the program listens.
type listener struct {
	name string
	at   netip.AddrPort
}

// listeners returns the addresses of open listeners; closed ones are left out.
func (p *program) listeners() []listener {
	all := []listener{{"game", p.game.Addr()}, {"ase", p.queries.ASE()}, {"minecraft", p.queries.Minecraft()}}
	if p.page != nil {
		all = append(all, listener{"admin", p.page.Addr()})
	}
	if p.public != nil {
		all = append(all, listener{"public", p.public.Addr()})
	}
	return slices.DeleteFunc(all, func(l listener) bool { return !l.at.IsValid() })
}

// reachable is an address that a program on this machine can connect to.
func reachable(a netip.AddrPort) netip.AddrPort {
	if a.Addr().IsUnspecified() {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), a.Port())
	}
	return a
}

// pageAddress is where a browser on this machine finds the administrators' page; "" when it is off.
func (p *program) pageAddress() string {
	if p.page == nil || !p.page.Addr().IsValid() {
		return ""
	}
	scheme := "http"
	if p.running.Settings().Admin.Cert != "" {
		scheme = "https"
	}
	return fmt.Sprintf("%s://%s", scheme, reachable(p.page.Addr()))
}

// status gathers the figures of the running server.
func (p *program) status() ops.Status {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	s := ops.Status{Started: p.game.Started(), Sessions: p.game.Sessions(), AccountsOnline: p.game.AccountsOnline(),
		Goroutines: runtime.NumGoroutine(), HeapBytes: memory.HeapInuse, Counters: p.game.Counters()}
	for name, n := range p.queries.Counters() {
		s.Counters["query_"+name] = n
	}
	if p.public != nil {
		for name, n := range p.public.Counters() {
			s.Counters["public_"+name] = n
		}
	}
	b := p.backups.State()
	s.Counters["backups"], s.Counters["backups_failed"] = b.Made, b.Failed
	for _, in := range p.game.InWorld() {
		s.Characters = append(s.Characters, ops.OnlineCharacter{Name: in.Name, Account: in.Account, Position: in.Position})
	}
	s.Players, s.Instances = len(s.Characters), len(p.game.World().Instances)
	s.Page, s.Stops = p.pageAddress(), p.game.PlannedStop()
	s.Maintenance = p.game.UnderMaintenance()
	if rates, ok := p.game.RatesText(); ok {
		s.Rates = &rates
	}
	if p.page != nil {
		s.NotReady = p.page.NotReady()
	}
	if p.land != nil {
		s.Ground = &ops.GroundStatus{Version: landscape.Version}
		for _, c := range p.land.Continents() {
			s.Ground.Continents = append(s.Ground.Continents, c.Key)
		}
	}
	return s
}

// change applies other settings to the program.
func (p *program) change(s config.Settings) {
	p.log.Level.Set(s.Log.Level)
	p.told.change(s)
	p.backups.Change(data.BackupPlan(s.Backups))
	p.store.KeepDeleted(s.KeepDeleted)
	p.game.ChangeLimits(s.Game.Limits)
	p.game.ChangeAccounts(s.Game.CreateAccounts, s.Game.TakeOver)
	p.game.ChangeMaintenance(s.Game.Maintenance, s.Game.Admit)
	p.game.ChangeBalance(&s.Balance)
	p.game.ChangeWords(s.Words())
	p.game.ChangeRestart(s.RestartAt())
	if p.public != nil {
		p.public.Change(s)
	}
}

// reload does the work of a hangup or an operator's command: logs that were renamed begin anew, and the configuration
// is read again. With check it only reports the changes.
func (p *program) reload(check bool) ([]ops.SettingChange, error) {
	if check {
		changes, err := p.running.Preview()
		return settingChanges(changes), err
	}
	for _, f := range p.logFiles {
		if err := f.Reopen(); err != nil {
			p.log.Error("cannot open the log again", "error", err)
		}
	}
	changes, err := p.running.Reload()
	return settingChanges(changes), err
}

// readBalance reads the balance file for an operator.
func (p *program) readBalance() (ops.BalanceFile, error) {
	text, sum, err := p.running.Balance()
	f := ops.BalanceFile{Text: string(text), Sum: sum}
	if err == nil && sum == "" {
		f.Sample = &ops.Text{Russian: config.BalanceSample(true), English: config.BalanceSample(false)}
	}
	return f, err
}

// writeBalance replaces the balance file, or only reports the changes.
func (p *program) writeBalance(o ops.BalanceOrder) ([]ops.SettingChange, error) {
	changes, err := p.running.RewriteBalance([]byte(o.Text), o.Sum, o.Check)
	if errors.Is(err, config.ErrChanged) {
		err = ops.ErrChanged
	}
	return settingChanges(changes), err
}

func settingChanges(changes []config.Change) []ops.SettingChange {
	return each(changes, func(c config.Change) ops.SettingChange {
		return ops.SettingChange{Key: c.Key, Old: c.Old, New: c.New, Restart: c.Restart}
	})
}

// run serves until ctx ends, the terminal is gone, or the server fails, which is the error. ready is called when
// players can come in.
func (p *program) run(ctx context.Context, reload, gone <-chan struct{}, ready func()) error {
	served := make(chan error, 1)
	go func() { served <- p.game.Serve() }()
	p.page.Ready()
	if p.public != nil {
		p.public.Ready()
	}
	ready()
	boss := theSupervisor(os.Getenv)
	p.tell(boss, stateReady)
	defer p.tell(boss, stateStopping)
	watched, unwatch := context.WithCancel(context.Background())
	defer unwatch()
	go boss.feed(watched, ticks(p.game))
	backing, stop := context.WithCancel(context.Background())
	var keeping sync.WaitGroup
	keeping.Go(func() { p.backups.Run(backing) })
	keeping.Go(func() { p.store.SweepOnTime(backing) })
	keeping.Go(func() { p.hooks.Watch(backing, p.watched()) })
	p.closing(func() error { stop(); keeping.Wait(); return nil })
	p.running.OnChange(p.change)
	s := p.running.Settings()
	p.game.ChangeRestart(s.RestartAt())
	p.log.Info("ready", "game", p.game.Addr().String(), "data", p.dir, "dialect", s.Game.Generation.String(),
		"connections", s.Game.Limits.Connections)
	for {
		select {
		case <-reload:
			_, _ = p.reload(false) // the fault is in the log
		case <-ctx.Done(): // by a signal, which may have come before the server was ready
			p.stopping(context.Cause(ctx).Error(), "")
			return nil
		case <-p.game.StopDue():
			plan := p.game.PlannedStop() // which nobody can call off any more
			if plan.Restart {
				p.stopping("the daily restart", plan.Reason)
				return errRestart
			}
			p.stopping("an operator has ordered it", plan.Reason)
			return nil
		case <-gone:
			p.stopping("the terminal was closed", "")
			return nil
		case err := <-served:
			p.log.Error("the server has failed; saving everybody", "error", err)
			p.hooks.Ends(text("Произошла ошибка: посмотрите его журнал.", "It has failed: look at its log."))
			return err
		}
	}
}

// stopping tells webhooks that the server ends, with the word of an operator, and the log why.
func (p *program) stopping(why, word string) {
	p.hooks.Ends(text(word, word))
	p.log.Info("stopping", "why", why)
}

// openHooks makes the sender of events to webhooks.
func (p *program) openHooks(*config.Settings) error {
	p.hooks = webhook.New(p.log.Logger, func() string { return p.running.Settings().Name }, nil)
	p.closing(func() error { p.hooks.Close(); return nil })
	m, c := p.game.Metrics(), &p.hooks.Counts
	m.CounterFunc("webhooks_sent", "sphere_webhooks_sent_total", "Messages that webhooks have taken.", c.Sent.Load)
	m.CounterFunc("webhooks_failed", "sphere_webhooks_failed_total", "Messages that webhooks have not taken.",
		c.Failed.Load)
	m.CounterFunc("webhooks_dropped", "sphere_webhooks_dropped_total",
		"Messages to webhooks for which there was no room or no time.", c.Dropped.Load)
	return nil
}

// watched has the parts that webhooks are told about.
func (p *program) watched() webhook.Watched {
	return webhook.Watched{File: filepath.Join(p.dir, config.WebhooksFile), Log: p.log.Logger, Counters: p.game.Counters,
		NotReady: p.page.NotReady, Backup: func() string { return p.backups.State().Failure }, Planned: p.game.PlannedStop,
		Follow: p.game.Chat().Follow, Trail: p.store.AuditTrail, Told: p.game.Operators().Told}
}

// errRestart is the exit code that asks whatever runs the program to start it again: EX_TEMPFAIL of sysexits.
const errRestart exitCode = 75

// tell tells the service manager, if there is one, how the program does.
func (p *program) tell(boss supervisor, state string) {
	if err := boss.tell(state); err != nil {
		p.log.Warn("the service manager cannot be told", "state", state, "error", err)
	}
}

// stop saves everybody and closes everything. A second signal ends the waiting.
func (p *program) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM) // then nobody is waited for any more
	defer stop()
	err := p.queries.Close() // browsers are told of no server that ends
	if p.public != nil {
		err = errors.Join(err, p.public.Close(ctx))
	}
	err = errors.Join(err, p.game.Stop(ctx), p.page.Close(ctx))
	p.log.Info("stopped")
	return errors.Join(err, p.close())
}
