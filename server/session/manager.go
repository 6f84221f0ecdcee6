package session

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/measure"
	"sphereserver/server/passwords"
	"sphereserver/server/ratelimit"
	"sphereserver/server/transport"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A Manager has the sessions of one server: it admits connections, leads them to the world, and ends them. It
// implements [transport.Handler].
type Manager struct {
	options  Options
	greeting []byte
	start    time.Time
	clock    *view.Clock

	conns      *connLimiter
	guesses    *LoginLimiter
	makers     *characterLimiter
	indexes    *indexes
	online     *online
	hashes     *hashing
	decoy      string       // hash of no account
	logins     atomic.Int64 // under way
	ended      measure.CounterBy[Reason]
	count      *sessionCounters
	recordings recordings
	refuseMu   sync.Mutex
	refusals   ratelimit.Bucket // of log lines
	unknownMu  sync.Mutex
	unknown    ratelimit.Bucket // of requests that are kept
	farewells  ratelimit.Bucket // of frames that say why, after which a connection costs a moment more

	loopsMu sync.Mutex
	loops   map[transport.Loop]*loop
	visited chan struct{} // a session has come to an empty loop

	ctx      context.Context // ends when work for sessions is in vain
	cancel   context.CancelFunc
	work     sync.WaitGroup // goroutines that work for sessions
	draining atomic.Bool
	ending   atomic.Bool // a planned stop is near: only operators get in

	createAccounts, takeOver atomic.Bool              // of the options, and may change
	closed                   atomic.Pointer[[]string] // under maintenance: logins that get in all the same; nil: all do

	users [packets.Classic + 1]atomic.Int64 // accounts by the dialect of their client, where that is found out
}

// Options are the options of sessions.
type Options struct {
	Settings
	Seed     uint64 // of random numbers; 0 for any
	Store    Store
	Commands Commands
	// Screen returns the values and clothes of a character with these items, as at its entry. Any goroutine may call it.
	Screen func(c *data.Character, items []rules.Item) Shown
	// NewCharacter is the character of a creation.
	NewCharacter func(account data.AccountID, c Creation) data.NewCharacter
	// NewPlayer makes the player of a session that has chosen a character, and sends the frame with which its client
	// loads the world. vault has the items of the account's vault.
	NewPlayer func(s *Session, c *data.Character, items, vault []rules.Item) Player
	// Linger is how long a character that fights stays in the world after its session, nil for not at all. Any goroutine
	// may call it.
	Linger func() time.Duration
}

// Shown is the result of a character's levels, equipment, satiety and effects, for the character screen.
type Shown struct {
	Sheet world.Sheet
	Worn  rules.Worn
}

// A Creation is a character that a player wants to make.
type Creation struct {
	Slot   int
	Name   string
	Look   uint32 // a byte each of face, hair, hair colour and tattoo
	Female bool
}

// A Store is the part of package data that sessions need.
type Store interface {
	AccountByLogin(ctx context.Context, login string) (data.Account, error)
	AccountByID(ctx context.Context, id data.AccountID) (data.Account, error)
	CreateAccount(ctx context.Context, login, passwordHash string, role data.Role) (data.Account, error)
	TouchLogin(ctx context.Context, id data.AccountID, at time.Time, from string) error
	SetDialect(ctx context.Context, id data.AccountID, dialect string) error
	SetPassword(ctx context.Context, id data.AccountID, hash string) error
	Dialects(ctx context.Context) (map[string]int, error)
	LastAddresses(ctx context.Context, most int) ([]string, error)
	AddressBanned(a netip.Addr) (data.Ban, bool)
	Characters(ctx context.Context, id data.AccountID) ([]data.Character, error)
	CharacterByID(ctx context.Context, id data.CharacterID) (data.Character, error)
	Items(ctx context.Context, owner data.CharacterID) ([]rules.Item, error)
	Vault(ctx context.Context, account data.AccountID) ([]rules.Item, error)
	CreateCharacter(ctx context.Context, n data.NewCharacter) (data.Character, []rules.Item, error)
	DeleteCharacter(ctx context.Context, id data.CharacterID) (data.Character, error)
}

// NewManager makes a manager without sessions.
func NewManager(o Options, r *measure.Registry) (*Manager, error) {
	o.Limits.fitSystem(o.Log)
	o.Seed = cmp.Or(o.Seed, rand.Uint64())
	o.Passwords = cmp.Or[Passwords](o.Passwords, passwords.Here{})
	greeting, err := packets.AppendControl(nil, &packets.Greeting{Number: packets.GreetingNumber,
		Key: packets.GreetingKey}, packets.FromServer, 0, 0)
	if err != nil {
		return nil, fmt.Errorf("game: %w", err)
	}
	s := &Manager{options: o, greeting: greeting, start: time.Now(), conns: newConnLimiter(o.Limits),
		guesses: NewLoginLimiter(o.Limits), makers: newCharacterLimiter(o.Limits),
		indexes: newIndexes(), online: newOnline(o.Linger),
		hashes: &hashing{free: o.Limits.HashWorkers}, decoy: data.DecoyHash(),
		count: newSessionCounters(r), loops: map[transport.Loop]*loop{},
		visited:    make(chan struct{}, 1),
		recordings: recordings{most: recordingBytes}}
	if err := s.remember(); err != nil {
		return nil, fmt.Errorf("game: %w", err)
	}
	measure.DeclareBy(r, &s.ended, "ended", "sphere_connections_total",
		"Connections of clients that have ended, by reason.", "reason")
	// 3 steps a second. Source: protocol ingame 3.1.
	s.clock = view.NewClock(func() uint64 { return uint64(time.Since(s.start) * 3 / time.Second) })
	s.createAccounts.Store(o.CreateAccounts)
	s.ChangeMaintenance(o.Maintenance, o.Admit)
	s.takeOver.Store(o.TakeOver)
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s, nil
}

// remember reads addresses and dialects of earlier logins from the store.
func (s *Manager) remember() error {
	friends, err := s.options.Store.LastAddresses(context.Background(), maxFriends)
	if err != nil {
		return err
	}
	for _, text := range friends {
		if a, ok := addressOf(text); ok {
			s.conns.befriend(a)
		}
	}
	if !s.options.guesses() {
		return nil
	}
	dialects, err := s.options.Store.Dialects(context.Background())
	for name, n := range dialects {
		s.countUsers(name, n)
	}
	return err
}

// Clock is the server's clock on the wire.
func (s *Manager) Clock() *view.Clock { return s.clock }

// gameTime is the time of the world now.
func (s *Manager) gameTime() packets.Time {
	return packets.Moment(rules.Calendar(time.Now())).Pack()
}

// loopOf returns this package's side of a transport loop; it is called on that loop.
func (s *Manager) loopOf(at transport.Loop) *loop {
	s.loopsMu.Lock()
	defer s.loopsMu.Unlock()
	l := s.loops[at]
	if l == nil {
		l = newLoop(s, at, time.Now())
		s.loops[at] = l
	}
	return l
}

func (s *Manager) allLoops() []*loop {
	s.loopsMu.Lock()
	defer s.loopsMu.Unlock()
	return slices.Collect(maps.Values(s.loops))
}

// onDisconnect ends a session that has lost its connection: its player leaves the world and is saved, and only then
// the session is forgotten, so that nobody can enter with an older state of the character.
func (s *Manager) onDisconnect(session *Session) {
	character := ""
	if session.playing != nil {
		character = session.playing.Name
	}
	s.ended.Add(session.reason)
	level := slog.LevelInfo
	if session.state < LoggingIn { // strangers can come and go as often as they like
		level = slog.LevelDebug
	}
	args := []any{"address", session.addr.String(), "player", session.index.String(),
		"reason", session.reason.String(), "detail", session.detail, "state", session.state.String(),
		"login", session.user, "character", character, "lasted", time.Since(session.started).Round(time.Millisecond).String(),
		"in", session.bytesIn, "out", session.bytesOut}
	if setting := session.reason.Setting(); setting != "" {
		args = append(args, "setting", setting)
	}
	s.options.Log.Log(context.Background(), level, "disconnected", args...)
	session.state = Closing
	if session.player != nil && session.player.Leave() {
		return // release comes when its character is saved
	}
	s.release(session)
}

// release frees a session's claims.
func (s *Manager) release(session *Session) {
	if session.account != 0 {
		s.online.release(session.account, session)
	}
	s.indexes.put(session.index)
}

// Disconnect ends the session of an account, if it has one, and returns when its character is saved.
func (s *Manager) Disconnect(ctx context.Context, account data.AccountID, why string) error {
	p := s.online.of(account)
	if p == nil {
		return nil
	}
	p.Session.Post(func(session *Session) { session.End(KickedByOperator, why) })
	select {
	case <-p.Gone():
		return nil
	case <-ctx.Done():
		return fmt.Errorf("game: the session of account %d has not ended yet: %w", account, ctx.Err())
	}
}

// Sessions is the number of connections, those on the login screen included.
func (s *Manager) Sessions() int { return int(s.count.sessions.Load()) }

// EndsByReason returns how many sessions have ended for which reason.
func (s *Manager) EndsByReason() map[string]uint64 { return s.ended.Counts() }

// Started is when the server was made.
func (s *Manager) Started() time.Time { return s.start }

// AccountsOnline is the number of accounts that are logged in.
func (s *Manager) AccountsOnline() int { return s.online.len() }

// Go has work done away from the loops, for which [Manager.Wait] waits. ctx ends when the work is in vain.
func (s *Manager) Go(work func(ctx context.Context)) {
	s.work.Add(1)
	go func() {
		defer s.work.Done()
		work(s.ctx)
	}()
}

// Drain refuses new connections from now on. It returns false if it was called before.
func (s *Manager) Drain() bool { return !s.draining.Swap(true) }

// Stopping says that [Manager.Drain] was called.
func (s *Manager) Stopping() bool { return s.draining.Load() }

// CancelWork cancels the context of all work for sessions.
func (s *Manager) CancelWork() { s.cancel() }

// EndAll ends all sessions, with a word to those in the world.
func (s *Manager) EndAll(r Reason, word string) {
	s.CancelWork()
	s.Each(func(session *Session) {
		if session.state == InWorld {
			session.Say(word)
		}
		session.End(r, "")
	})
}

// SendAll sends a message to all players in the world. Only its time differs.
func (s *Manager) SendAll(message func(clock uint16) *packets.Body) {
	s.Each(func(session *Session) {
		if session.state == InWorld && !session.ending {
			session.Send(message(session.Clock()))
		}
	})
}

func byIndex(a, b *Session) int { return cmp.Compare(a.index, b.index) }

// Each calls a function for every session, on its loop.
func (s *Manager) Each(do func(*Session)) {
	for _, l := range s.allLoops() {
		_ = l.at.Execute(func() {
			for _, session := range slices.SortedFunc(maps.Keys(l.sessions), byIndex) {
				do(session)
			}
			l.flush()
		})
	}
}

// Close waits for all work for sessions, and ends the recording.
func (s *Manager) Close() {
	s.Wait()
	s.stopRecording("the server stops")
}

// Wait waits for all work for sessions.
func (s *Manager) Wait() { s.work.Wait() }

// Presence is the session of an account, nil for none. Any goroutine may ask.
func (s *Manager) Presence(account data.AccountID) *Presence { return s.online.of(account) }

// Hold keeps everybody from logging in with an account that has no session, until free is called.
func (s *Manager) Hold(ctx context.Context, account data.AccountID) (free func(), err error) {
	hold := new(Session) // a login waits for it as for a session that is ending
	hold.gone.Store(true)
	if err := s.online.claim(ctx, account, hold, false); err != nil {
		return nil, err
	}
	return func() { s.online.release(account, hold) }, nil
}

// ChangeLimits changes the limits for connections to come: of connections in all and of an address, of new ones, and
// of failed logins. Present connections stay. The other limits are as they were at the start.
//
// It says how many connections the system's limit of open files allows, which may be fewer.
func (s *Manager) ChangeLimits(l Limits) (connections int) {
	l.fitSystem(s.options.Log)
	s.conns.change(l)
	s.guesses.change(l)
	return l.Connections
}

// ChangeMaintenance sets whether only operators and the logins in admit get in. Present players stay.
func (s *Manager) ChangeMaintenance(on bool, admit []string) {
	if !on {
		s.closed.Store(nil)
		return
	}
	s.closed.Store(&admit)
}

// UnderMaintenance reports whether only operators and named logins get in.
func (s *Manager) UnderMaintenance() bool { return s.closed.Load() != nil }

// ChangeEnding sets whether a planned stop is so near that only operators get in.
func (s *Manager) ChangeEnding(near bool) { s.ending.Store(near) }

// ChangeAccounts sets whether unknown logins get an account, and whether a newer login ends the older one.
func (s *Manager) ChangeAccounts(create, takeOver bool) {
	s.createAccounts.Store(create)
	s.takeOver.Store(takeOver)
}
