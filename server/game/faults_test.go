package game

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/data/datatest"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/server/passwords"
	"sphereserver/server/session"
	"sphereserver/server/sim/memnet"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A house is a server with a real transport, and players of package bot in it.
type house struct {
	t      *testing.T
	server *Server
	store  *data.Store
	served chan error
	dial   bot.Dialer // nil: over sockets
}

// inMemory is a network for which a test runs in a bubble of package synctest: no time is waited for.
const inMemory = "memory"

func newHouse(t *testing.T, network string) *house {
	t.Helper()
	return newHouseWith(t, network, func(*Options) {})
}

func newHouseWith(t *testing.T, network string, change func(*Options)) *house {
	t.Helper()
	dir := t.TempDir()
	datatest.Fill(t, dir)
	store, err := data.Open(t.Context(), dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultOptions()
	o.Listen, o.Network, o.Log = "127.0.0.1:0", network, slog.New(slog.DiscardHandler)
	o.Delays = session.Delays{} // of the greeting and the screens: nobody here needs them
	var dial bot.Dialer
	if network == inMemory {
		n := memnet.New(memnet.Options{Seed: 1})
		listener, err := n.Listen("10.0.0.1:27015")
		if err != nil {
			t.Fatal(err)
		}
		o.Listener, o.Network, o.Loops, o.Passwords = listener, "net", 1, passwords.Here{}
		dial = n.From(netip.MustParseAddr("10.1.0.1"))
	}
	change(&o)
	s, err := New(o, store)
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t, s, store, make(chan error, 1), dial}
	go func() { h.served <- s.Serve() }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		_ = s.Stop(ctx)
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// enter lets a player in, with a new character or the one that it has.
func (h *house) enter(ctx context.Context, login string) *bot.Client {
	h.t.Helper()
	return h.enterAs(ctx, login, bot.Options{})
}

func (h *house) enterAs(ctx context.Context, login string, o bot.Options) *bot.Client {
	h.t.Helper()
	if o.Dial == nil {
		o.Dial = h.dial
	}
	c, err := bot.Dial(ctx, h.server.Addr().String(), o)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(c.Abort)
	screen, err := c.Login(ctx, login, "secret")
	switch {
	case err != nil:
	case screen.Characters[0].Empty:
		_, err = c.Create(ctx, 0, bot.NewCharacter{Name: login})
	default:
		_, err = c.Select(ctx, 0)
	}
	if err == nil {
		err = c.Enter(ctx)
	}
	if err != nil {
		h.t.Fatalf("%s: %v", login, err)
	}
	return c
}

// session is the server's side of a player.
func (h *house) session(c *bot.Client) *session.Session {
	return h.server.playerOf(world.PlayerID(c.Index)).Session
}

// forEachTransport runs a test on both transports at the same time.
func forEachTransport(t *testing.T, test func(t *testing.T, network string)) {
	for _, network := range []string{"gnet", "net"} {
		t.Run(network, func(t *testing.T) {
			t.Parallel()
			test(t, network)
		})
	}
}

// eachAtOnce runs n tests beside each other, and returns when all of them have ended.
func eachAtOnce(t *testing.T, n int, test func(t *testing.T, i int)) {
	t.Run("each", func(t *testing.T) {
		for i := range n {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				test(t, i)
			})
		}
	})
}

// bubble is a test in a bubble of package synctest, beside others.
func bubble(test func(t *testing.T)) func(t *testing.T) {
	return func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, test)
	}
}

var errDefect = errors.New("a defect")

// Fault case 16: wherever the code for a session panics, that session ends, with its player saved, and nobody else
// notices.
func TestFaultPanicEndsItsSessionOnly(t *testing.T) {
	var defects sync.Map // by session
	replaceAct[*packets.PickUp](t, func(p *player) {
		if defect, ok := defects.Load(p.Session); ok {
			defect.(func(*session.Session))(p.Session)
		}
	})
	places := []struct {
		where  string
		defect func(*session.Session)
	}{
		{"handler", func(*session.Session) { panic(errDefect) }},
		{"timer", func(s *session.Session) { s.After(session.WheelPeriod, func() { panic(errDefect) }) }},
		{"answer", func(s *session.Session) { s.Post(func(*session.Session) { panic(errDefect) }) }},
		{"work", func(s *session.Session) { s.Go(func(context.Context) { panic(errDefect) }) }},
	}
	forEachTransport(t, func(t *testing.T, network string) {
		h := newHouse(t, network)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		var others []*bot.Client // some of them on the loop of the victim
		for _, login := range []string{"anna", "boris", "clara", "dmitri"} {
			others = append(others, h.enter(ctx, login))
		}
		eachAtOnce(t, len(places), func(t *testing.T, i int) {
			p, name := places[i], "victim"+string(rune('a'+i))
			h := &house{t, h.server, h.store, h.served, h.dial}
			victim := h.enter(ctx, name)
			defects.Store(h.session(victim), p.defect)
			at := victim.Position
			at.X += float32(i) + 1
			if _, err := victim.Ping(ctx, at); err != nil {
				t.Fatal(err)
			}
			if err := victim.SendCommands(&packets.Manager{Command: &packets.PickUp{Item: 1}}); err != nil {
				t.Fatal(err)
			}
			if err := victim.Until(ctx, func() bool { return false }); !errors.Is(err, bot.ErrClosed) {
				t.Fatalf("%s, %s: the session ended with %v", network, p.where, err)
			}
			victim.Abort()
			again := h.enter(ctx, name)
			if again.Position != at {
				t.Errorf("%s, %s: the player was at %v, and comes back at %v", network, p.where, at, again.Position)
			}
			if err := again.Close(); err != nil {
				t.Error(err)
			}
		})
		for _, c := range others {
			if _, err := c.Ping(ctx, c.Position); err != nil || len(c.Violations()) > 0 {
				t.Errorf("%s: another player is disturbed: %v, %v", network, err, c.Violations())
			}
		}
		if n := h.server.Counters()["panics"]; n != uint64(len(places)) || h.server.EndsByReason()["session panicked"] != n {
			t.Errorf("%s: %d panics counted, want %d; ends %v", network, n, len(places), h.server.EndsByReason())
		}
	})
}

// Fault case 16, in the world: a player that is taken out of it because of a defect is released and saved, and others
// stay.
func TestFaultEntityEndsItsSessionOnly(t *testing.T) {
	t.Parallel()
	g := newStage(t, nil)
	victim, other := g.connect().in(session.InWorld), g.connect().in(session.InWorld)
	g.pass(time.Second)
	g.server.Happened([]world.Event{world.EntityFailed{ID: world.EntityID(victim.pid()), Err: errDefect},
		world.EntityFailed{ID: world.MaxPlayerID + 1, Err: errDefect}})
	g.pass(time.Second)
	if !victim.closed || victim.s().Reason() != session.SessionPanicked || other.closed {
		t.Errorf("closed: %v, %v; %v", victim.closed, other.closed, victim.s().Reason())
	}
	if n := g.server.count.entitiesFailed.Load(); n != 2 {
		t.Errorf("%d failures counted", n)
	}
}

// Fault case 16, on the loop: its work for others in the same moment is done, and done once.
func TestFaultPanicTakesNothingFromOthers(t *testing.T) {
	t.Parallel()
	g := newStage(t, nil)
	before, victim, after := g.connect().in(session.InWorld), g.connect().in(session.InWorld),
		g.connect().in(session.InWorld)
	g.pass(time.Second)
	ran := map[*conn]int{}
	for range 3 {
		for _, c := range []*conn{before, victim, after} {
			c.s().After(2*session.WheelPeriod, func() {
				if ran[c]++; c == victim {
					panic(errDefect)
				}
			})
		}
	}
	g.pass(time.Second)
	if ran[before] != 3 || ran[victim] != 1 || ran[after] != 3 {
		t.Errorf("timers ran %d, %d and %d times", ran[before], ran[victim], ran[after])
	}
	if !victim.closed || victim.s().Reason() != session.SessionPanicked || before.closed || after.closed {
		t.Errorf("closed: %v, %v, %v; %v", before.closed, victim.closed, after.closed, victim.s().Reason())
	}
	// Those of later, too: the wheel is as it was.
	before.frames()
	g.pass(30 * time.Second)
	keepalives := 0
	for _, f := range before.frames() {
		if f.Channel == packets.ChannelKeepalive {
			keepalives++
		}
	}
	if keepalives < 9 || keepalives > 11 {
		t.Errorf("%d keepalives in 30 s", keepalives)
	}

	// The same for an event of the world.
	victim = g.connect().in(session.InWorld)
	g.pass(time.Second)
	before.frames()
	after.frames()
	to := content.Cities()[1].Position
	k := g.server
	k.teleported(world.Teleported{ID: before.pid(), To: to})
	k.post(victim.pid(), func(*player) { panic(errDefect) })
	k.teleported(world.Teleported{ID: after.pid(), To: to})
	k.view.EndTick()
	g.run()
	for _, c := range []*conn{before, after} {
		if got := commandsOf[*packets.SetCoordinates](c.frames()); len(got) != 1 || c.closed {
			t.Errorf("another player is told %+v, closed %v", got, c.closed)
		}
	}
	if victim.s().Reason() != session.SessionPanicked || g.server.Counters()["panics"] != 2 {
		t.Errorf("reason %v, %d panics", victim.s().Reason(), g.server.Counters()["panics"])
	}

	// And for an event that cannot be told to one of them.
	victim = g.connect().in(session.InWorld)
	g.pass(time.Second)
	before.frames()
	after.frames()
	k.Happened([]world.Event{world.Teleported{ID: before.pid(), To: to},
		&world.ObjectAppeared{Viewer: victim.pid()}, // of no object
		&world.AppearanceChanged{},                  // of nobody, for nobody
		world.Teleported{ID: after.pid(), To: to}})
	g.run()
	for _, c := range []*conn{before, after} {
		if got := commandsOf[*packets.SetCoordinates](c.frames()); len(got) != 1 || c.closed {
			t.Errorf("another player is told %+v, closed %v", got, c.closed)
		}
	}
	if victim.s().Reason() != session.SessionPanicked || g.server.Counters()["panics"] != 3 {
		t.Errorf("reason %v, %d panics", victim.s().Reason(), g.server.Counters()["panics"])
	}
}

// Fault case 17: the world's tick panics. Serve says so, and Stop saves everybody as they were seen last.
func TestFaultPanicOfTheTickSavesEverybody(t *testing.T) {
	t.Parallel()
	forEachTransport(t, func(t *testing.T, network string) {
		h := newHouse(t, network)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		at := map[string]coords.Position{}
		var readers sync.WaitGroup
		for i, login := range []string{"anna", "boris", "clara"} {
			c := h.enter(ctx, login)
			to := c.Position
			to.Z += float32(i) + 1
			if _, err := c.Ping(ctx, to); err != nil {
				t.Fatal(err)
			}
			at[login] = to
			readers.Go(func() { // as clients do
				_ = c.Until(ctx, func() bool { return false })
				c.Abort()
			})
		}
		time.Sleep(1100 * time.Millisecond) // the snapshot is that old at the most
		begin := time.Now()
		h.server.world.Do(nil)
		select {
		case err := <-h.served:
			if err == nil || !strings.Contains(err.Error(), "panicked") {
				t.Fatalf("Serve returned %v", err)
			}
		case <-ctx.Done():
			t.Fatal("Serve goes on without a world")
		}
		if err := h.server.Stop(ctx); err == nil || !strings.Contains(err.Error(), "panicked") {
			t.Errorf("Stop returned %v", err)
		}
		took := time.Since(begin)
		readers.Wait()
		figure(t, "17", "%s: from the panic of the tick until everybody is saved: %v", network, took.Round(time.Millisecond))
		if took > 2*time.Second && full {
			t.Errorf("it took %v", took)
		}
		for login, want := range at {
			if c, err := h.store.CharacterByName(t.Context(), login); err != nil || coords.Position(c.Position) != want {
				t.Errorf("%s: %s was at %v, saved at %v, %v", network, login, want, c.Position, err)
			}
		}
	})
}

// A player that moves and leaves in the same moment has moved.
func TestFaultLastStepBeforeLeavingIsSaved(t *testing.T) {
	t.Parallel()
	g := newStage(t, nil)
	c := g.connect().in(session.InWorld)
	at := coords.Position{X: 2620, Y: 157, Z: 1290, Yaw: 1}
	c.ping(at)
	c.hangUp()
	g.until("the character is saved", func() bool { return g.server.AccountsOnline() == 0 })
	if got, err := g.store.CharacterByID(t.Context(), c.s().Character().ID); err != nil ||
		coords.Position(got.Position) != at {
		t.Errorf("saved at %v, %v", got.Position, err)
	}
}

// A moodyStore refuses saves now and then, and calls other code while it saves.
type moodyStore struct {
	*data.Store
	refuse int    // so many of the next saves
	during func() // happens once, while a save is under way
}

func (m *moodyStore) mood() error {
	if during := m.during; during != nil {
		m.during = nil
		during()
	}
	if m.refuse > 0 {
		m.refuse--
		return data.ErrUnavailable
	}
	return nil
}

// SaveCharacters saves when it likes to.
func (m *moodyStore) SaveCharacters(ctx context.Context, cs []data.Character) error {
	if err := m.mood(); err != nil {
		return err
	}
	return m.Store.SaveCharacters(ctx, cs)
}

// SaveLive saves when it likes to.
func (m *moodyStore) SaveLive(ctx context.Context, states []rules.LiveState) error {
	if err := m.mood(); err != nil {
		return err
	}
	return m.Store.SaveLive(ctx, states)
}

// A resident is a character that enters and leaves at random.
type resident struct {
	login string
	id    data.CharacterID
	money int64
	items []rules.Item
	line  *conn
	trail []footprint // where it was, oldest first, since it was last known to be safe
}

type footprint struct {
	at   coords.Position
	when time.Time // of the stage
}

func (r *resident) last() coords.Position { return r.trail[len(r.trail)-1].at }

// A town is a stage with residents.
type town struct {
	*stage
	rand      *rand.Rand
	store     *moodyStore
	residents []*resident
	troubled  bool // the store has refused something in this sequence
	count     *tally
}

// A tally counts the events of all towns.
type tally struct{ sequences, steps, logins, kills, refusals atomic.Int64 }

func newTown(t *testing.T, seed uint64, residents int, count *tally) *town {
	free := func(o *Options) {
		o.Limits.PerAddress, o.Limits.NewPerAddressBurst, o.Limits.New = 1<<20, 1<<20, 1<<20
	}
	w := &town{stage: newStage(t, free), count: count, rand: rand.New(rand.NewPCG(seed, 19))}
	w.store = &moodyStore{Store: w.stage.store}
	hash, err := data.HashPassword("secret", datatest.Cheap)
	if err != nil {
		t.Fatal(err)
	}
	for i := range residents {
		a, err := w.store.CreateAccount(t.Context(), fmt.Sprint("resident", i), hash, data.Player)
		if err != nil {
			t.Fatal(err)
		}
		n := w.server.newCharacter(a.ID, session.Creation{Name: heroName(i + 1), Look: maleLook})
		n.Money = int64(1000 + i)
		c, _, err := w.store.CreateCharacter(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		items, err := w.store.Items(t.Context(), c.ID)
		if err != nil || len(items) != 3 {
			t.Fatal(items, err)
		}
		w.residents = append(w.residents, &resident{login: a.Login, id: c.ID, money: c.Money, items: items,
			trail: []footprint{{coords.Position(c.Position), w.now}}})
	}
	w.restart()
	t.Cleanup(func() { w.kill() })
	return w
}

// kill takes the server away with all that it has in memory.
func (w *town) kill() {
	w.server.CancelWork()
	w.server.Wait()
	_ = w.server.transport.Stop(context.Background())
	w.mu.Lock()
	w.queue = nil
	w.mu.Unlock()
	for _, r := range w.residents {
		r.line = nil
	}
}

// restart kills the server and starts another one on the store.
func (w *town) restart() {
	w.kill()
	o := w.server.options
	o.TakeOver = w.rand.IntN(2) == 0
	s, err := New(o, w.store)
	if err != nil {
		w.t.Fatal(err)
	}
	w.server = s
}

// step does one random thing to one resident.
func (w *town) step() {
	w.count.steps.Add(1)
	r := w.residents[w.rand.IntN(len(w.residents))]
	switch n := w.rand.IntN(24); {
	case r.line == nil || r.line.closed:
		r.line = w.logIn(r)
	case n == 0: // comes once more, while the first connection is there
		if second := w.logIn(r); r.line.closed {
			r.line = second
		} else if !second.closed {
			second.hangUp()
		}
	case n < 4:
		r.line.hangUp()
	case n < 6:
		w.store.refuse, w.troubled = w.rand.IntN(4), true
		w.count.refusals.Add(int64(w.store.refuse))
	case n < 9:
		w.store.during = func() { w.hurry(w.residents[w.rand.IntN(len(w.residents))]) }
	case n == 9:
		w.pass(time.Duration(w.rand.IntN(4000)) * time.Millisecond)
	default:
		w.goOn(r)
	}
	w.pass(time.Duration(w.rand.IntN(3)) * session.WheelPeriod)
}

// logIn connects a player and, mostly, waits for the server's answer to its login.
func (w *town) logIn(r *resident) *conn {
	w.count.logins.Add(1)
	c := w.connect()
	c.control(&packets.GreetingReply{Value: packets.GreetingReplyValue})
	c.login(r.login, "secret")
	if w.rand.IntN(4) > 0 {
		w.until("the login is done", func() bool { return c.closed || c.s().State() != session.LoggingIn })
	}
	return c
}

// goOn takes the next step on a resident's way.
func (w *town) goOn(r *resident) {
	c := r.line
	switch c.s().State() {
	case session.CharacterScreen:
		c.choose(0, &packets.EnterWorld{})
		if w.rand.IntN(4) > 0 {
			w.until("the character is loaded", func() bool { return c.closed || c.s().State() != session.CharacterScreen })
		}
	case session.Entering:
		if got := coords.Position(c.s().Character().Position); got != r.last() {
			w.t.Errorf("%s was last at %v, and comes back at %v", r.login, r.last(), got)
		}
		c.say(c.own(&packets.Manager{Command: &packets.Ready{Value: 0x34}}))
		w.pass(time.Duration(w.rand.IntN(5)) * session.WheelPeriod)
	case session.InWorld:
		w.walk(r)
	}
}

func (w *town) walk(r *resident) {
	at := r.last()
	at.X += float32(w.rand.IntN(9) - 4)
	at.Z += float32(w.rand.IntN(9) - 4)
	r.line.ping(at)
	r.trail = append(r.trail, footprint{at, w.now})
}

// hurry is a resident's act while the server saves: it walks on, leaves, or both, and may be back before that is
// done.
func (w *town) hurry(r *resident) {
	if r.line == nil || r.line.closed {
		return
	}
	if r.line.s().State() == session.InWorld && w.rand.IntN(2) == 0 {
		w.walk(r)
	}
	if w.rand.IntN(2) == 0 {
		r.line.hangUp()
	}
	w.server.world.Tick(w.now)
	w.run()
	if r.line.closed && w.rand.IntN(2) == 0 {
		r.line = w.connect()
		r.line.control(&packets.GreetingReply{Value: packets.GreetingReplyValue})
		r.line.login(r.login, "secret")
	}
}

// sequence makes some steps, and ends with everybody out, in order or by a kill. Then it looks at the stored
// characters.
func (w *town) sequence() {
	w.count.sequences.Add(1)
	w.troubled = false
	for range 5 + w.rand.IntN(25) {
		w.step()
	}
	killed := w.rand.IntN(20) == 0
	w.store.during = nil
	if killed {
		w.count.kills.Add(1)
		w.restart()
	} else {
		for _, r := range w.residents {
			if r.line != nil && !r.line.closed {
				r.line.hangUp()
			}
		}
		w.until("everybody is saved", func() bool { return w.server.AccountsOnline() == 0 && w.server.saver.waiting() == 0 })
	}
	w.store.refuse = 0
	for _, r := range w.residents {
		w.look(r, killed)
	}
	if n := w.server.EndsByReason()["world refused"]; n > 0 {
		w.t.Errorf("%d were in the world twice", n)
	}
}

// look compares a resident with its stored character.
func (w *town) look(r *resident, killed bool) {
	c, err := w.store.CharacterByID(w.t.Context(), r.id)
	if err != nil {
		w.t.Fatal(err)
	}
	items, err := w.store.Items(w.t.Context(), r.id)
	if err != nil {
		w.t.Fatal(err)
	}
	if c.Money != r.money || !reflect.DeepEqual(items, r.items) {
		w.t.Errorf("%s had %d money and %v, and has %d and %v", r.login, r.money, r.items, c.Money, items)
	}
	got := coords.Position(c.Position)
	i := len(r.trail) - 1
	if killed {
		for i > 0 && r.trail[i].at != got {
			i--
		}
		// It stood there until the next footprint.
		const saved = 3*time.Second + 2*session.WheelPeriod
		if !w.troubled && i < len(r.trail)-1 && w.now.Sub(r.trail[i+1].when) > saved {
			w.t.Errorf("%s is stored as it was %v ago", r.login, w.now.Sub(r.trail[i+1].when))
		}
	}
	if r.trail[i].at != got {
		w.t.Errorf("%s was at %v, and is stored at %v (killed %v)", r.login, r.trail[i].at, got, killed)
	}
	r.trail = append(r.trail[:0], footprint{got, w.now})
}

// Fault case 19: players come, walk, vanish, come back and are taken over at random moments, in the middle of saving,
// too, with a store that refuses now and then and a server that is killed: their belongings stay the same, and a
// player that has left in order is where it was.
func TestFaultRandomLivesKeepWhatTheyHave(t *testing.T) {
	t.Parallel()
	towns, sequences := 4, 75
	if full {
		towns, sequences = 16, 100_000/16
	}
	if testing.Short() {
		sequences /= 5
	}
	begin := time.Now()
	var all sync.WaitGroup
	var sum tally
	for seed := range towns {
		all.Go(func() { // mostly they wait
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				w := newTown(t, uint64(seed), 4, &sum)
				for i := range sequences {
					if w.sequence(); t.Failed() {
						t.Fatalf("in sequence %d of seed %d", i, seed)
					}
				}
				if problems, err := w.store.Check(t.Context()); len(problems) > 0 || err != nil {
					t.Errorf("the database has problems: %v, %v", problems, err)
				}
			})
		})
	}
	all.Wait()
	figure(t, "19", "%d sequences of %d steps with %d logins, %d kills and %d refused saves in %v: items and money "+
		"constant", sum.sequences.Load(), sum.steps.Load(),
		sum.logins.Load(), sum.kills.Load(), sum.refusals.Load(), time.Since(begin).Round(time.Second))
}

// figure prints a line for docs/reliability.md.
func figure(t *testing.T, fault, format string, args ...any) {
	t.Helper()
	word := "FIGURE"
	if !full {
		word = "in the short size,"
	}
	t.Logf("%s case %s: %s", word, fault, fmt.Sprintf(format, args...))
}

// A player that the world does not admit is let go with the reason, and others stay.
func TestWhomTheWorldRefusesIsLetGo(t *testing.T) {
	t.Parallel()
	g := newStage(t, nil)
	other, c := g.connect().in(session.InWorld), g.connect().in(session.Entering)
	character := c.s().Character() // is in the world already, as another player
	g.server.world.Do(world.Enter{Player: world.Player{ID: world.MaxPlayerID, Character: int64(character.ID),
		Position: coords.Position(character.Position)}})
	g.pass(time.Second)
	c.say(c.own(&packets.Manager{Command: &packets.Ready{Value: 0x34}}))
	g.until("it is let go", func() bool { return c.closed })
	if c.s().Reason() != session.WorldRefused || other.closed {
		t.Errorf("%v; the other is closed: %v", c.s().Reason(), other.closed)
	}
}
