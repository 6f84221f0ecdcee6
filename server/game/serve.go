package game

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/server/chat"
	"sphereserver/server/ops"
	"sphereserver/server/session"
	"sphereserver/server/transport"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// New listens, but serves only when [Server.Serve] is called.
func New(o Options, store Store) (*Server, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	s := &Server{options: o, worldEnd: make(chan struct{}), failed: make(chan struct{}),
		wordsChanged: make(chan struct{}, 1), planChanged: make(chan struct{}, 1), stopDue: make(chan struct{}),
		clans: clans{present: map[data.CharacterID]clansman{}}}
	s.store = deletingStore{store, s}
	s.ChangeRestart(-1)
	s.count = newCounters(&s.metrics)
	if err := s.manageSessions(); err != nil {
		return nil, err
	}
	if err := s.beginOrders(); err != nil {
		return nil, err
	}
	if err := s.populate(); err != nil {
		return nil, err
	}
	s.ops = &ops.Service{Store: s.store, Runtime: s, Log: o.Log, Doubts: s.doubts.list}
	s.saver = newAutosaver(store, o.Log, s.count)
	s.chat = chat.New(chat.Options{Host: chatHost{s}, Store: store, Operators: s.ops, Dialect: o.Dialect,
		Clock: s.view.Now, Log: o.Log, Out: o.ChatLog, Unstuck: o.Delays.Unstuck, Page: o.Page}, &s.metrics)
	s.measureOthers()
	var err error
	s.transport, err = transport.Listen(o.Listen, s.Manager, transport.Options{Network: o.Network, Loops: o.Loops,
		Listener: o.Listener, MaxUnread: 2 * packets.MaxClientFrame}, o.Log)
	if err != nil {
		return nil, fmt.Errorf("game: %w", err)
	}
	return s, nil
}

// manageSessions makes the manager of the sessions.
func (s *Server) manageSessions() (err error) {
	o := &s.options
	if o.Catalogue == nil {
		o.Catalogue = content.Default()
	}
	s.completeWorld(&o.World)
	s.Manager, err = session.NewManager(session.Options{Settings: o.Settings, Seed: uint64(o.World.Seed),
		Store: s.store, Commands: onCommand,
		Screen: s.screen, NewCharacter: s.newCharacter, NewPlayer: s.newPlayer,
		Linger: func() time.Duration { return s.World().Balance.Blow.Linger }}, &s.metrics)
	return err
}

// completeWorld gives the world our content, and lets it ask the server.
func (s *Server) completeWorld(o *world.Options) {
	o.Tables = cmp.Or(o.Tables, s.options.Catalogue.Tables)
	o.Balance = cmp.Or(o.Balance, rules.DefaultBalance())
	if o.Missions == nil {
		o.Missions = content.Missions()
	}
	start, hall := newcomersHall()
	dungeon := layoutOf(content.Newcomers, o.Tables, hall)
	o.Layouts = append(o.Layouts, dungeon)
	if s.hall = hall; s.options.NewcomersDungeon {
		s.newcomers, s.entry = dungeon, start
	}
	o.MissionDungeon = layoutOf(content.MissionDungeon, o.Tables, hall)
	o.Disconnected, o.Zones, o.Revival = content.Disconnected, content.Zones(), content.Revival
	o.Continent = func(at coords.Position) string {
		here, _ := content.ContinentOf(at)
		return here.Key
	}
	o.Busy = func(id world.PlayerID) bool {
		c := s.view.Client(id)
		return c != nil && c.Behind.Load()
	}
	o.Behind = func() int { return s.Clock().Behind() }
}

// populate makes the world, with its NPCs, objects and lying items.
func (s *Server) populate() error {
	o := &s.options
	s.commits.server = s
	lying, err := s.store.Lying(context.Background())
	if err != nil {
		return fmt.Errorf("game: %w", err)
	}
	s.view = view.New(view.Options{Dialect: o.Dialect, Log: o.Log, Tables: o.World.Tables, Clock: s.Clock(),
		Balance: func() *rules.Balance { return s.world.Balance() }, Place: s.placeOf, Rescue: s.rescue})
	if o.World.Ground == nil {
		learned, err := s.store.Ground(context.Background())
		if err != nil {
			return fmt.Errorf("game: %w", err)
		}
		o.World.Ground = groundOf(learned, o.Land)
	}
	ordered, err := s.orderedRates()
	if err != nil {
		return fmt.Errorf("game: %w", err)
	}
	file := o.World.Balance
	o.World.Balance = s.rates.begin(file, ordered)
	s.world = world.New(o.World, s)
	o.Log.Info("the world begins", "seed", s.world.Seed())
	spawnStatics(s.world, o.World.Ground)
	if o.Monsters {
		s.settled = file.Spawn
		if err := s.settle(world.AddSpawners{Spawners: spawners(o.World.Tables, &s.settled)}); err != nil {
			return fmt.Errorf("game: %w", err)
		}
	}
	putLying(s.world, lying)
	return nil
}

// Serve runs until [Server.Stop] is called, and returns nil then. Any other return is a failure after which the process
// is to call Stop, to save everybody, and end.
func (s *Server) Serve() error {
	if !s.begin() {
		return nil
	}
	worldCtx, stopWorld := context.WithCancel(context.Background())
	saverCtx, stopSaver := context.WithCancel(context.Background())
	go func() {
		defer s.running.Done()
		first := true // it puts everything into the world, and nobody waits for it
		if err := s.world.Run(worldCtx, func(d time.Duration) {
			if !first {
				s.count.tick(d, world.TickPeriod)
			}
			first = false
		}); err != nil {
			s.fail(err)
		}
	}()
	for what, run := range map[string]func(){
		"saving":        func() { s.saver.run(saverCtx) },
		"timers":        func() { s.TurnLoops(worldCtx) },
		"chat log":      func() { s.chat.WriteLog(saverCtx) },
		"announcements": func() { s.announce(worldCtx) },
		"countdown":     func() { s.countDown(worldCtx) },
		"restarts":      func() { s.planRestarts(worldCtx) },
		"rates":         func() { s.keepRates(worldCtx) },
	} {
		go func() {
			defer s.running.Done()
			s.essential(what, run)
		}()
	}
	go func() {
		<-s.worldEnd
		stopWorld()
		stopSaver()
	}()
	served := make(chan error, 1)
	go func() { served <- s.transport.Serve() }()
	select {
	case err := <-served:
		if errors.Is(err, transport.ErrStopped) {
			return nil
		}
		return fmt.Errorf("game: listener: %w", err)
	case <-s.failed:
		return s.failure
	}
}

// begin reports whether Serve may start its goroutines, the world's and seven more: Stop may have come before.
func (s *Server) begin() bool {
	s.starting.Lock()
	defer s.starting.Unlock()
	if s.Stopping() {
		return false
	}
	s.running.Add(8)
	return true
}

// hardDeadline is how long a stop that is not to wait for anybody may take to save everybody.
const hardDeadline = 2 * time.Second

// Stop closes the server in order: nobody new, a word to the players, everybody out of the world and saved, then the
// listener. When ctx ends, no client is waited for any more: all connections are cut, and everybody is saved in a
// [hardDeadline]. The error lists the work that is left undone.
func (s *Server) Stop(ctx context.Context) error {
	s.starting.Lock()
	first := s.Drain()
	s.starting.Unlock()
	if !first {
		return nil
	}
	s.EndAll(session.ServerStopping, stoppingText)
	s.world.Do(world.EndLingering{})
	err := s.drain(ctx)
	closed := s.transport.Stop(ctx)
	switch {
	case ctx.Err() == nil:
		err = errors.Join(err, closed)
	case err != nil:
		hurried, cancel := context.WithTimeout(context.WithoutCancel(ctx), hardDeadline)
		defer cancel()
		err = s.drain(hurried)
	}
	close(s.worldEnd)
	s.running.Wait()
	if err == nil {
		s.saveLearned()
	}
	s.Close()
	if n := s.saver.waiting(); n > 0 && err == nil {
		err = fmt.Errorf("game: %d characters could not be saved", n)
	}
	return err
}

const stoppingText = "Сервер останавливается, ваш персонаж будет " +
	"сохранён. / The server is stopping; your character will be saved."

// drain waits until everybody is out and safe.
func (s *Server) drain(ctx context.Context) error {
	for {
		sessions, accounts := s.Sessions(), s.AccountsOnline()
		if sessions == 0 && accounts == 0 && s.saver.waiting() == 0 && s.commits.waiting() == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("game: %d accounts and %d changes of belongings are not saved yet: %w", accounts,
				s.commits.waiting(), ctx.Err())
		case <-s.failed:
			// Nobody will leave the world in order any more: save them as they were last seen.
			s.saveAll()
			return s.failure
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// saveLearned saves the ground that was learned since the world last handed it over. The world ticks no more.
func (s *Server) saveLearned() {
	for {
		cells := s.options.World.Ground.Learned()
		if len(cells) == 0 {
			break
		}
		s.saver.saveGround(cells)
	}
	s.saver.save()
}

// saveAll saves everybody as the last snapshot knows them, for when the world itself can't be asked.
func (s *Server) saveAll() {
	var states []rules.LiveState
	all := s.world.Snapshot().Players
	for i := range all {
		states = append(states, all[i].Live())
	}
	s.saver.saveLive(states)
}

// measureOthers declares the counts of other parts.
func (s *Server) measureOthers() {
	s.metrics.CounterFunc("moves_dropped", "sphere_moves_dropped_total", "Moves that the world had no room for.",
		func() uint64 { return s.world.Dropped() })
	for _, f := range []struct {
		rules.Footing
		name, metric, help string
	}{
		{rules.OnFoot, "places_on_ground", "sphere_places_on_ground_total",
			"Places of players that are on the imported ground, or where others have walked."},
		{rules.AboveGround, "places_above_ground", "sphere_places_above_ground_total",
			"Places of players more than 3 m above the imported ground: falls, flights, buildings, faults of the map."},
		{rules.BelowGround, "places_below_ground", "sphere_places_below_ground_total",
			"Places of players more than 3 m below the imported ground: caves, faults of the map."},
	} {
		s.metrics.CounterFunc(f.name, f.metric, f.help, func() uint64 { return s.world.Footings(f.Footing) })
	}
}
