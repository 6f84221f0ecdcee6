package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"sphereserver/data"
	"sphereserver/server/game"
	"sphereserver/server/passwords"
	"sphereserver/server/session"
)

// gameSettings are the settings of a game server of ours.
type gameSettings struct {
	Dir         string // data folder
	Connections int
	// Hashes is how many passwords are checked at once, 0 for the shipped number.
	Hashes int
	// WarmStore reads and writes everything once before the server is ready, so that the database's caches, which are
	// bounded and nobody's in particular, do not grow with the sessions.
	WarmStore bool
}

// serveGame starts a game server as it ships, except for the limits that a load from one address would meet.
func serveGame(settings []byte) (*served, error) {
	var set gameSettings
	if err := json.Unmarshal(settings, &set); err != nil {
		return nil, err
	}
	debug.SetGCPercent(game.GarbagePercent) // as the program does
	store, err := data.Open(context.Background(), set.Dir, data.Options{})
	if err != nil {
		return nil, err
	}
	if set.WarmStore {
		if err := warm(context.Background(), store); err != nil {
			return nil, err
		}
	}
	o := gameOptions(set)
	hashed := passwords.NewWorker(o.Log)
	o.Passwords = hashed
	server, err := game.New(o, store)
	if err != nil {
		return nil, err
	}
	go func() {
		if err := server.Serve(); err != nil {
			fmt.Fprintf(os.Stderr, "bench: server: %v\n", err)
			os.Exit(1)
		}
	}()
	fill := func(s *status) { s.Counters, s.Ticks = server.Counters(), server.TickTimes() }
	saving := saver{store: store}
	return &served{server.Addr(), fill, saving.save, func(stopping context.Context) error {
		if err := errors.Join(saving.save(0), server.Stop(stopping), hashed.Close()); err != nil {
			return err
		}
		return store.Close()
	}}, nil
}

// A saver saves characters beside those of play.
type saver struct {
	store *data.Store
	end   context.CancelFunc // of the saving that goes on, nil for none
	ended chan error
}

// save saves so many characters a second from now on, instead of those before.
func (s *saver) save(perSecond int) (err error) {
	if s.end != nil {
		s.end()
		s.end, err = nil, <-s.ended
	}
	if perSecond > 0 {
		ctx, cancel := context.WithCancel(context.Background())
		s.end, s.ended = cancel, make(chan error, 1)
		go func() { s.ended <- keepSaving(ctx, s.store, perSecond) }()
	}
	return err
}

// keepSaving saves so many characters a second until ctx ends, in ten portions.
func keepSaving(ctx context.Context, store *data.Store, perSecond int) error {
	characters, err := store.FindCharacters(context.WithoutCancel(ctx), "")
	if err != nil {
		return err
	}
	portions := slices.Collect(slices.Chunk(characters, max(1, perSecond/10)))
	each := time.NewTicker(time.Second / 10)
	defer each.Stop()
	for i := 0; ; i = (i + 1) % len(portions) {
		select {
		case <-each.C:
		case <-ctx.Done():
			return nil
		}
		lived(portions[i])
		if err := store.SaveCharacters(context.WithoutCancel(ctx), portions[i]); err != nil {
			return err
		}
	}
}

// gameOptions lifts the limits. Rates are still counted, since that is part of the path of a frame.
func gameOptions(set gameSettings) game.Options {
	const lifted = 1 << 30
	o := game.DefaultOptions()
	o.Listen, o.CreateAccounts = "127.0.0.1:0", false
	o.World.MaxSpeed = -1 // clients hop as often as they can
	l := &o.Limits
	l.ExemptLoopback = true
	l.Connections = set.Connections
	l.FramesPerSecond, l.FramesBurst, l.FramesDropped = lifted, lifted, lifted
	l.LoginQueue = max(l.LoginQueue, set.Connections)
	if set.Hashes > 0 {
		l.HashWorkers = set.Hashes
	}
	const ages = time.Hour
	o.Timeouts = session.Timeouts{Handshake: ages, Login: ages, Screen: ages, Entering: ages, Silence: ages}
	return o
}

// warm fills the caches of each of the store's connections.
func warm(ctx context.Context, store *data.Store) error {
	const readers = 8 // more than the store has connections
	err := inParallel(ctx, readers, readers, func(ctx context.Context, _ int) error {
		if _, err := store.Accounts(ctx, ""); err != nil {
			return err
		}
		characters, err := store.FindCharacters(ctx, "")
		for i := range characters {
			if _, err := store.Items(ctx, characters[i].ID); err != nil {
				return err
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	characters, err := store.FindCharacters(ctx, "")
	if err != nil {
		return err
	}
	return store.SaveCharacters(ctx, characters)
}

// lived changes the characters to save, so that every row changes.
func lived(cs []data.Character) {
	for i := range cs {
		cs[i].TitleXP = (cs[i].TitleXP + 1) % 1000
		step := float32(0.5)
		if cs[i].TitleXP%2 == 0 {
			step = -step
		}
		cs[i].Position.X += step // to and fro: a player that enters meanwhile stands where it is expected to
	}
}
