// Package game is the game server: it listens, leads each client from its greeting through login and character screen into
// the world, answers what has to be answered at once, and brings what happens in the world to those it concerns.
//
// A [Session] belongs to one event loop of package transport and is touched there only. The world (package world) has a
// goroutine of its own; the store (package data) is called from goroutines that may wait. ARCHITECTURE.md has the picture.
package game

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/catalogue"
	"sphereserver/packets"
	"sphereserver/server/measure"
	"sphereserver/server/ops"
	"sphereserver/server/ratelimit"
	"sphereserver/server/transport"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A Store is what the game needs of package data.
type Store interface {
	AccountByLogin(ctx context.Context, login string) (data.Account, error)
	CreateAccount(ctx context.Context, login, passwordHash string, role data.Role) (data.Account, error)
	TouchLogin(ctx context.Context, id data.AccountID, at time.Time, from string) error
	AddressBanned(a netip.Addr) (data.Ban, bool)
	Characters(ctx context.Context, id data.AccountID) ([]data.Character, error)
	CharacterByID(ctx context.Context, id data.CharacterID) (data.Character, error)
	Items(ctx context.Context, owner data.CharacterID) ([]rules.Item, error)
	Vault(ctx context.Context, account data.AccountID) ([]rules.Item, error)
	Lying(ctx context.Context) ([]rules.StoredItem, error)
	CreateCharacter(ctx context.Context, n data.NewCharacter) (data.Character, []rules.Item, error)
	DeleteCharacter(ctx context.Context, account data.AccountID, slot int) (data.Character, error)
	SavePositions(ctx context.Context, ps []data.PositionSave) error
	SaveCharacters(ctx context.Context, cs []data.Character) error
	CommandStore
	ClanStore
}

// A Server is one game server.
type Server struct {
	options   Options
	store     Store
	transport transport.Server
	world     *world.World
	greeting  []byte
	start     time.Time

	doors       *doors
	guard       *guard
	indexes     *indexes
	online      *online
	hashes      *hashing
	logins      chan struct{} // a place for each login under way
	saver       *saver
	ledger      ledger  // of belongings
	errands     errands // of operators
	ops         *ops.Service
	clans       clans
	chronicle   *chronicle // of what is said
	view        *view.View
	chatEncoder view.ChatEncoder
	sessions    [1 << 16]atomic.Pointer[Session] // by player index
	ended       *measure.ClosedConns[Reason, End]
	metrics     measure.Registry
	count       *counters
	recordings  recordings
	refuseMu    sync.Mutex
	refusals    ratelimit.Bucket // of log lines

	loopsMu sync.Mutex
	loops   map[transport.Loop]*loop

	ctx      context.Context // ends when work for sessions is in vain
	cancel   context.CancelFunc
	work     sync.WaitGroup // goroutines that work for sessions
	running  sync.WaitGroup // the server's own goroutines
	draining atomic.Bool

	createAccounts, takeOver atomic.Bool // of the options, and may change

	starting sync.Mutex    // Stop may come while Serve starts
	worldEnd chan struct{} // closed to stop the world
	failed   chan struct{} // closed when the world, or what the server cannot do without, has failed, with failure
	failing  sync.Once
	failure  error
}

// New listens, but serves only when [Server.Serve] is called.
func New(o Options, store Store) (*Server, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if wanted := o.Limits.Connections; o.Limits.fitDescriptors(descriptors()) {
		o.Log.Warn("fewer connections than set: the system's limit of open files is too low", "set", wanted, "allowed", o.Limits.Connections,
			"open files", descriptors())
	}
	hashes, err := newHashing(o.Limits.HashWorkers)
	if err != nil {
		return nil, fmt.Errorf("game: %w", err)
	}
	greeting, err := packets.AppendControl(nil, &packets.Greeting{Number: packets.GreetingNumber, Key: packets.GreetingKey}, packets.FromServer, 0, 0)
	if err != nil {
		return nil, fmt.Errorf("game: %w", err)
	}
	s := &Server{options: o, store: store, greeting: greeting, start: time.Now(), doors: newDoors(o.Limits), guard: newGuard(o.Limits),
		indexes: newIndexes(), online: &online{sessions: map[data.AccountID]*presence{}}, hashes: hashes,
		logins: make(chan struct{}, o.Limits.LoginQueue), ended: measure.NewClosedConns[Reason, End](keptEnds), loops: map[transport.Loop]*loop{},
		worldEnd: make(chan struct{}), failed: make(chan struct{})}
	s.createAccounts.Store(o.CreateAccounts)
	s.takeOver.Store(o.TakeOver)
	if err := s.populate(); err != nil {
		return nil, err
	}
	s.count = newCounters(&s.metrics)
	s.ops = &ops.Service{Store: store, Runtime: s, Log: o.Log}
	s.saver = newSaver(store, o.Log, s.count)
	s.chronicle = newChronicle(o.ChatLog, o.Log)
	s.measureOthers()
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.transport, err = transport.Listen(o.Listen, s, transport.Options{Network: o.Network, MaxUnread: 2 * packets.MaxClientFrame}, o.Log)
	if err != nil {
		return nil, fmt.Errorf("game: %w", err)
	}
	return s, nil
}

// populate makes the world, with all who stand and all that lies in it.
func (s *Server) populate() error {
	o := &s.options
	if o.Catalogue == nil {
		o.Catalogue = catalogue.Default()
	}
	s.ledger.server = s
	if o.World.Tables == nil {
		o.World.Tables = o.Catalogue.Tables
	}
	lying, err := s.store.Lying(context.Background())
	if err != nil {
		return fmt.Errorf("game: %w", err)
	}
	s.view = view.New(view.Options{Dialect: o.Dialect, Log: o.Log, Tables: o.World.Tables, Clock: s.clock, Place: s.placeOf})
	s.chatEncoder.Dialect, s.chatEncoder.Log, s.chatEncoder.Clock = o.Dialect, o.Log, s.clock
	s.world = world.New(o.World, s)
	o.Log.Info("the world begins", "seed", s.world.Seed())
	spawnStatics(s.world)
	putLying(s.world, lying)
	return nil
}

// Addr is the address that the server listens on.
func (s *Server) Addr() netip.AddrPort { return s.transport.Addr() }

// clock is the server's clock on the wire: 3 per second.
//
// Source: protocol ingame 3.1.
func (s *Server) clock() uint16 {
	return uint16(time.Since(s.start)*3/time.Second) & packets.MaxClock
}

// placeOf is where the latest snapshot of the world has a player.
func (s *Server) placeOf(id world.PlayerID) (at coords.Position) {
	players := s.world.Snapshot().Players
	i, ok := slices.BinarySearchFunc(players, id, func(v world.PlayerView, id world.PlayerID) int { return int(v.ID) - int(id) })
	if ok {
		at = players[i].Position
	}
	return at
}

// gameTime is the time of the world now.
func (s *Server) gameTime() packets.Time {
	return packets.Moment(rules.Calendar(time.Now())).Pack()
}

// loopOf returns this package's side of a transport loop; it is called on that loop.
func (s *Server) loopOf(at transport.Loop) *loop {
	s.loopsMu.Lock()
	defer s.loopsMu.Unlock()
	l := s.loops[at]
	if l == nil {
		l = newLoop(s, at, time.Now())
		s.loops[at] = l
	}
	return l
}

func (s *Server) allLoops() []*loop {
	s.loopsMu.Lock()
	defer s.loopsMu.Unlock()
	out := make([]*loop, 0, len(s.loops))
	for _, l := range s.loops {
		out = append(out, l)
	}
	return out
}

// Serve runs until [Server.Stop] is called, and returns nil then. Any other return is a failure after which the process is
// to call Stop, to save everybody, and end.
func (s *Server) Serve() error {
	if !s.begin() {
		return nil
	}
	worldCtx, stopWorld := context.WithCancel(context.Background())
	saverCtx, stopSaver := context.WithCancel(context.Background())
	go func() {
		defer s.running.Done()
		if err := s.world.Run(worldCtx, func(d time.Duration) { s.count.tick(d, world.TickPeriod) }); err != nil {
			s.fail(err)
		}
	}()
	for what, run := range map[string]func(){
		"saving":   func() { s.saver.run(saverCtx) },
		"timers":   func() { s.turnLoops(worldCtx) },
		"chat log": func() { s.chronicle.run(saverCtx) },
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

// essential runs what the server cannot do without. A panic there is a failure of the server: everybody is saved, and the process ends.
func (s *Server) essential(what string, run func()) {
	defer func() {
		if v := recover(); v != nil {
			s.fail(fmt.Errorf("game: %s panicked: %v\n%s", what, v, debug.Stack()))
		}
	}()
	run()
}

// fail ends Serve with an error; the first one counts.
func (s *Server) fail(err error) {
	s.failing.Do(func() {
		s.failure = err
		close(s.failed)
	})
}

// begin says whether Serve may start its goroutines, four of them: Stop may have come before.
func (s *Server) begin() bool {
	s.starting.Lock()
	defer s.starting.Unlock()
	if s.draining.Load() {
		return false
	}
	s.running.Add(4)
	return true
}

// turnLoops drives the timers of all loops.
func (s *Server) turnLoops(ctx context.Context) {
	t := time.NewTicker(wheelPeriod)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		for _, l := range s.allLoops() {
			if l.posted.CompareAndSwap(false, true) {
				if err := l.at.Execute(func() {
					l.posted.Store(false)
					l.turn(time.Now())
				}); err != nil {
					l.posted.Store(false)
				}
			}
		}
	}
}

// depart lets a session go whose connection is gone: out of the world, saved, and only then forgotten, so that nobody can
// enter with an older state of the character.
func (s *Server) depart(session *Session) {
	end := End{At: time.Now(), Address: session.addr.String(), Index: session.index, Account: session.user, State: session.state,
		Reason: session.reason, Detail: session.detail, Lasted: time.Since(session.started), In: session.bytesIn, Out: session.bytesOut}
	if session.playing != nil {
		end.Character = session.playing.Name
	}
	session.state = Closing
	session.leaveClans()
	s.ended.Add(end.Reason, end)
	s.options.Log.Info("disconnected", "address", end.Address, "player", end.Index.String(), "reason", end.Reason.String(), "detail", end.Detail,
		"state", end.State.String(), "login", end.Account, "character", end.Character, "lasted", end.Lasted.Round(time.Millisecond).String(),
		"in", end.In, "out", end.Out)
	if session.placed {
		s.world.Do(world.Leave{ID: session.player()}) // left goes on
		return
	}
	s.forget(session)
}

// left saves a player who is out of the world.
func (s *Server) left(session *Session, e world.Left) {
	if !e.Inside {
		s.forget(session)
		return
	}
	c, p := *session.playing, &e.Player
	c.Position, c.Money = p.Position, p.Money
	c.SetProgress(&rules.ProgressChange{Title: p.Title, Degree: p.Degree, Progress: p.Progress, Pools: p.Pools})
	c.LastSeen = time.Now()
	c.Played += e.Played
	s.saver.saveCharacter(c, func(error) { s.forget(session) })
}

// forget frees what a session has held.
func (s *Server) forget(session *Session) {
	if session.account != 0 {
		s.online.release(session.account, session)
	}
	s.sessions[session.index].CompareAndSwap(session, nil)
	if session.client != nil {
		s.view.Detach(session.client)
	}
	s.indexes.put(session.index)
}

// tellPopulation tells everybody the number of players; it is encoded once.
func (s *Server) tellPopulation(players int) {
	if s.options.Dialect == packets.Classic {
		return
	}
	frame, err := packets.AppendServer(nil, packets.Players(s.clock(), players, false), s.options.Dialect)
	if err != nil {
		s.options.Log.Error("cannot encode", "error", err)
		return
	}
	for _, l := range s.allLoops() {
		_ = l.at.Execute(func() {
			for session := range l.sessions {
				if session.state == InWorld && !session.ending {
					session.sendBytes(frame)
				}
			}
			l.flush()
		})
	}
}

// hurry is how long a stop that is not to wait for anybody may take to save everybody.
const hurry = 2 * time.Second

// Stop closes the server in order: nobody new, a word to the players, everybody out of the world and saved, then the
// listener. When ctx ends, no client is waited for any more: all connections are cut, and everybody is saved in a [hurry].
// The error says what is left undone.
func (s *Server) Stop(ctx context.Context) error {
	s.starting.Lock()
	stopped := s.draining.Swap(true)
	s.starting.Unlock()
	if stopped {
		return nil
	}
	s.cancel()
	for _, l := range s.allLoops() {
		_ = l.at.Execute(func() {
			for session := range l.sessions {
				if session.state == InWorld {
					session.say(stoppingText)
				}
				session.end(ServerStopping, "")
			}
			l.flush()
		})
	}
	err := s.drain(ctx)
	closed := s.transport.Stop(ctx)
	switch {
	case ctx.Err() == nil:
		err = errors.Join(err, closed)
	case err != nil:
		hurried, cancel := context.WithTimeout(context.WithoutCancel(ctx), hurry)
		defer cancel()
		err = s.drain(hurried)
	}
	close(s.worldEnd)
	s.running.Wait()
	s.work.Wait()
	s.stopRecording("the server stops")
	if n := s.saver.waiting(); n > 0 && err == nil {
		err = fmt.Errorf("game: %d characters could not be saved", n)
	}
	return err
}

const stoppingText = "Сервер останавливается, ваш персонаж будет сохранён. / The server is stopping; your character will be saved."

// drain waits until everybody is out and safe.
func (s *Server) drain(ctx context.Context) error {
	for {
		if s.count.sessions.Load() == 0 && s.online.len() == 0 && s.saver.waiting() == 0 && s.ledger.waiting() == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("game: %d accounts and %d changes of belongings are not saved yet: %w", s.online.len(), s.ledger.waiting(), ctx.Err())
		case <-s.failed:
			// Nobody will be let out of the world any more: save them as they were last seen.
			s.savePlacesOfAll()
			return s.failure
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// savePlacesOfAll saves everybody as the last snapshot knows them, for when the world itself can't be asked.
func (s *Server) savePlacesOfAll() {
	var places []data.PositionSave
	for _, p := range s.world.Snapshot().Players {
		places = append(places, data.PositionSave{ID: data.CharacterID(p.Character), Position: p.Position})
	}
	s.saver.savePlaces(places)
}

// Disconnect ends the session of an account, if it has one, and returns when its character is saved.
func (s *Server) Disconnect(ctx context.Context, account data.AccountID, why string) error {
	p := s.online.of(account)
	if p == nil {
		return nil
	}
	p.session.later(func(session *Session) { session.end(KickedByOperator, why) })
	select {
	case <-p.gone:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("game: the session of account %d has not ended yet: %w", account, ctx.Err())
	}
}

// Online says whether an account has a session, and which character is in the world with it, 0 for none.
func (s *Server) Online(account data.AccountID) (bool, data.CharacterID) {
	p := s.online.of(account)
	if p == nil {
		return false, 0
	}
	for _, v := range s.world.Snapshot().Players {
		if world.PlayerID(p.session.index) == v.ID {
			return true, data.CharacterID(v.Character)
		}
	}
	return true, 0
}

// World returns the latest snapshot of the world.
func (s *Server) World() *world.Snapshot { return s.world.Snapshot() }

// Sessions is the number of connections, those on the login screen included.
func (s *Server) Sessions() int { return int(s.count.sessions.Load()) }

// Ends returns the last sessions that have ended, oldest first, at most 10,000.
func (s *Server) Ends() []End { return s.ended.Last() }

// EndsByReason returns how many sessions have ended for which reason.
func (s *Server) EndsByReason() map[string]uint64 { return s.ended.Reasons.Counts() }

// Started is when the server was made.
func (s *Server) Started() time.Time { return s.start }

// AccountsOnline is the number of accounts that are logged in.
func (s *Server) AccountsOnline() int { return s.online.len() }

// A Resident is a character that is in the world.
type Resident struct {
	Name     string
	Account  string // login
	Position coords.Position
}

// InWorld lists the characters that are in the world, as of the latest snapshot.
func (s *Server) InWorld() []Resident {
	players := s.world.Snapshot().Players
	out := make([]Resident, 0, len(players))
	for _, p := range players {
		out = append(out, Resident{p.Name, p.Account, p.Position})
	}
	return out
}
