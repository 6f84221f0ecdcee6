package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/server/admin/api"
	"sphereserver/server/config"
	"sphereserver/server/game"
	"sphereserver/server/measure"
	"sphereserver/server/oplog"
	"sphereserver/server/query"
)

// A program is a server with everything around it: open it, run it, stop it.
type program struct {
	dir     string // data folder
	running *config.Live
	log     *oplog.Log
	tail    *oplog.Tail

	lock    *data.FolderLock
	store   *data.Store
	writes  measure.Histogram
	game    *game.Server
	told    *browserSource // to server browsers
	queries *query.Server
	backups *data.BackupSchedule
	page    *api.Server

	stopBackups context.CancelFunc
	backing     sync.WaitGroup
	closers     []func() error // in the order of opening
}

// openProgram opens all that a server needs, so that it listens. When something fails, what was open is closed.
func openProgram(dir string, found *config.Config, sources config.Sources, standard io.Writer) (p *program, err error) {
	log, closeLog, err := openLog(found.Settings.Log, standard)
	if err != nil {
		return nil, err
	}
	p = &program{dir: dir, log: log, tail: oplog.Keep(log), running: config.Running(found, sources, log.Logger)}
	p.closing(func() error { closeLog(); return nil })
	s := found.Settings
	s.Game.Log = log.Logger
	for _, open := range []func(*config.Settings) error{p.openStore, p.openGame, p.openQueries, p.openPage} {
		if err := open(&s); err != nil {
			return nil, errors.Join(err, p.close())
		}
	}
	if err := p.lock.Announce(p.game.Addr().String()); err != nil {
		log.Warn("cannot write down who has the data folder", "error", err)
	}
	return p, nil
}

// closing notes what is closed at the end, before all that was opened earlier.
func (p *program) closing(c func() error) { p.closers = append(p.closers, c) }

// close closes everything, the last first.
func (p *program) close() (err error) {
	for _, c := range slices.Backward(p.closers) {
		err = errors.Join(err, c())
	}
	p.closers = nil
	return err
}

func (p *program) openStore(s *config.Settings) (err error) {
	if p.lock, err = data.Lock(p.dir); err != nil {
		return err
	}
	p.closing(p.lock.Unlock)
	p.store, err = data.Open(context.Background(), p.dir, data.Options{Logger: p.log.Logger, Wrote: p.writes.Record})
	if err != nil {
		return err
	}
	p.closing(p.store.Close)
	p.backups = data.NewBackupSchedule(p.store, data.BackupPlan(s.Backups), p.log.Logger)
	return nil
}

func (p *program) openGame(s *config.Settings) error {
	o := &s.Game
	if s.ChatLog {
		said, err := appendTo(filepath.Join(p.dir, chatLogFile), 0o600)
		if err != nil {
			return fmt.Errorf("chat log: %w", err)
		}
		p.closing(said.Close)
		o.ChatLog = said
	}
	makeRoomForHashing(o.Limits.HashWorkers)
	var err error
	if o.Catalogue, err = content.Open(p.dir); err != nil {
		p.log.Error("the imported catalogue of things cannot be read; the one that is built in is used", "error", err)
	}
	p.log.Info("catalogue of things", "source", o.Catalogue.Source(), "kinds", len(o.Catalogue.Kinds()))
	if p.game, err = game.New(*o, p.store); err != nil {
		return err
	}
	p.closing(func() error { return p.game.Stop(context.Background()) }) // has nothing to do when it is stopped already
	return nil
}

// openQueries answers server browsers. The game goes on without them where their ports are taken.
func (p *program) openQueries(s *config.Settings) error {
	p.told = &browserSource{Game: query.Game{Version: version, Slots: s.Game.Limits.Connections,
		Port:    p.game.Addr().Port(),
		Started: p.game.Started(), Start: s.Game.Start, World: p.game.World}}
	p.told.change(*s)
	p.queries = startQueries(p.game, *s, p.told, p.log.Logger)
	p.closing(p.queries.Close)
	return nil
}

func (p *program) openPage(s *config.Settings) (err error) {
	operators := p.game.Operators()
	operators.Recorder, operators.Status = p.game, live{p.game, p.queries, p.backups}.Status
	p.page, err = startPage(s.Admin, pageSource{p.store, p.game, p.queries, p.backups, p.running, p.log, p.tail,
		&p.writes})
	return err
}

// change lets the program go on with other settings.
func (p *program) change(s config.Settings) {
	p.log.Level.Set(s.Log.Level)
	p.told.change(s)
	p.backups.Change(data.BackupPlan(s.Backups))
	p.game.ChangeLimits(s.Game.Limits)
	p.game.ChangeAccounts(s.Game.CreateAccounts, s.Game.TakeOver)
}

// run serves until ctx ends, the terminal is gone, or the server fails, which is the error. ready is called when
// players can come in.
func (p *program) run(ctx context.Context, reload, gone <-chan struct{}, ready func()) error {
	served := make(chan error, 1)
	go func() { served <- p.game.Serve() }()
	p.page.Ready()
	ready()
	backing, stop := context.WithCancel(context.Background())
	p.stopBackups = stop
	p.backing.Go(func() { p.backups.Run(backing) })
	p.running.OnChange(p.change)
	s := p.running.Settings()
	p.log.Info("ready", "game", p.game.Addr().String(), "data", p.dir, "dialect", s.Game.Dialect.String(),
		"connections", s.Game.Limits.Connections)
	for {
		select {
		case <-reload:
			_, _ = p.running.Reload() // what is wrong is in the log
		case <-ctx.Done(): // by a signal, which may have come before the server was ready
			p.log.Info("stopping", "why", context.Cause(ctx).Error())
			return nil
		case <-gone:
			p.log.Info("stopping", "why", "the terminal was closed")
			return nil
		case err := <-served:
			p.log.Error("the server has failed; saving everybody", "error", err)
			return err
		}
	}
}

// stop saves everybody and closes everything. A second signal ends the waiting.
func (p *program) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	again := make(chan os.Signal, 1)
	signal.Notify(again, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(again)
	go func() {
		select {
		case <-again: // do not wait for anybody any more
			cancel()
		case <-ctx.Done():
		}
	}()
	err := p.queries.Close() // browsers are told of no server that ends
	err = errors.Join(err, p.game.Stop(ctx), p.page.Close(ctx))
	p.log.Info("stopped")
	if p.stopBackups != nil {
		p.stopBackups()
		p.backing.Wait()
	}
	return errors.Join(err, p.close())
}
