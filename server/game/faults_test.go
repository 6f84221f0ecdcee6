package game

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/server/session"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

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
			again := h.afterPanic(ctx, victim, name, p.where)
			if again.Position != at {
				t.Errorf("%s, %s: the player was at %v, and comes back at %v", network, p.where, at, again.Position)
			}
			if err := again.Close(); err != nil {
				t.Error(err)
			}
		})
		h.hasPanicked(ctx, len(places), others)
	})
}

// afterPanic waits for the end of a session that panicked in a place, and lets its player in again.
func (h *house) afterPanic(ctx context.Context, victim *bot.Client, login, where string) *bot.Client {
	h.t.Helper()
	if err := victim.Until(ctx, func() bool { return false }); !errors.Is(err, bot.ErrClosed) {
		h.t.Fatalf("%s: the session ended with %v", where, err)
	}
	victim.Abort()
	return h.enter(ctx, login)
}

// hasPanicked fails the test unless so many sessions have ended by a panic, and others play on.
func (h *house) hasPanicked(ctx context.Context, sessions int, others []*bot.Client) {
	h.t.Helper()
	for _, c := range others {
		if _, err := c.Ping(ctx, c.Position); err != nil || len(c.Violations()) > 0 {
			h.t.Errorf("another player is disturbed: %v, %v", err, c.Violations())
		}
	}
	if n := h.server.Counters()["panics"]; n != uint64(sessions) || h.server.EndsByReason()["session panicked"] != n {
		h.t.Errorf("%d panics counted, want %d; ends %v", n, sessions, h.server.EndsByReason())
	}
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

// The same for steps, which are told at the end of a tick: a panic while one client's are encoded ends its session
// only.
func TestFaultPanicWhileStepsAreToldTakesNothingFromOthers(t *testing.T) {
	t.Parallel()
	g := newStage(t, nil)
	before, victim, after := g.connect().in(session.InWorld), g.connect().in(session.InWorld),
		g.connect().in(session.InWorld)
	g.pass(time.Second)
	k, at := g.server, emptyArea
	npc := &world.Object{ID: 1 << 30, Position: at, Kind: world.NPC{Class: 213, Name: 203}}
	var shown []world.Event
	walks := &world.Moved{ID: npc.ID, To: at}
	for _, c := range []*conn{before, victim, after} {
		c.goTo(at)
		shown = append(shown, &world.ObjectAppeared{Viewer: c.pid(), Object: npc})
		walks.Viewers = append(walks.Viewers, c.pid())
	}
	g.pass(time.Second)
	k.Happened(shown)
	g.run()
	for _, c := range []*conn{before, victim, after} {
		c.frames()
	}
	injected := victim.pid()
	k.view.Client(injected).Standpoint = view.Standpoint{} // so that Place is asked
	k.view.Place = func(id world.PlayerID) coords.Position {
		if id == injected {
			panic(errDefect)
		}
		return at
	}
	for range 2 { // the second time without the victim, of which nothing is left over
		walks.To.X++
		k.Happened([]world.Event{walks})
		g.pass(time.Second)
	}
	for _, c := range []*conn{before, after} {
		steps := 0
		for _, f := range c.frames() {
			if f.Body != nil && f.Body.HasOrigin {
				steps++
			}
		}
		if steps != 2 || c.closed {
			t.Errorf("another player is told %d steps, closed %v", steps, c.closed)
		}
	}
	if !victim.closed || victim.s().Reason() != session.SessionPanicked || k.Counters()["panics"] != 1 {
		t.Errorf("closed %v, reason %v, %d panics", victim.closed, victim.s().Reason(), k.Counters()["panics"])
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
		for known := 0; known < len(at); time.Sleep(time.Millisecond) { // a panic leaves the last snapshot
			known = 0
			for _, p := range h.server.world.Snapshot().Players {
				if p.Position == at[p.Account] {
					known++
				}
			}
			if ctx.Err() != nil {
				t.Fatal("no snapshot has the places")
			}
		}
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
