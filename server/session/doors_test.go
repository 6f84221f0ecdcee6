package session

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/data/datatest"
	"sphereserver/packets"
	"sphereserver/server/measure"
)

// refusals are the reasons in frames of refusal.
func refusals(frames []*packets.Frame) (why []string) {
	for _, f := range frames {
		if r, ok := f.Control.(*packets.Refused); ok {
			why = append(why, r.Why)
		}
	}
	return why
}

// wantTold checks that all that a client was told of refusals is one word.
func (c *conn) wantTold(want string) {
	c.g.t.Helper()
	if got := refusals(c.frames()); len(got) != 1 || got[0] != want || !c.closed {
		c.g.t.Errorf("closed %v, told %q, expected %q", c.closed, got, want)
	}
}

func TestARefusedConnectionIsToldWhy(t *testing.T) {
	g := newStage(t, func(o *Options) { o.Limits.PerAddress, o.Limits.Connections = 1, 2 })
	first := g.connect()
	g.connect().wantTold("too many connections from address (limits.max-per-address)")
	other := g.connectFrom("192.0.2.2")
	g.run()
	first.wantTold("made room (limits.max-connections)")
	if first.s().Reason() != MadeRoom || other.closed {
		t.Errorf("%v, the other one closed %v", first.s().Reason(), other.closed)
	}
	// Few are told at once: a frame takes a moment longer than none.
	told := 0
	for range 10 * farewells {
		told += len(refusals(g.connectFrom("192.0.2.2").frames()))
	}
	if told == 0 || told > 2*farewells {
		t.Errorf("%d of %d were told why", told, 10*farewells)
	}
}

func TestPlayersMakeNoRoom(t *testing.T) {
	g := newStage(t, func(o *Options) { o.Limits.Connections = 1 })
	player := g.connect().in(InWorld)
	stranger := g.connectFrom("192.0.2.2")
	if g.run(); player.closed {
		t.Error("a player made room")
	}
	stranger.wantTold("server full (limits.max-connections)")
}

func TestAThrottledLoginIsToldWhy(t *testing.T) {
	g := newStage(t, nil)
	hash, err := data.HashPassword("right", datatest.Cheap)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.store.CreateAccount(t.Context(), "known", hash, data.Player); err != nil {
		t.Fatal(err)
	}
	for range g.manager.options.Limits.FailuresPerMinute {
		g.manager.guesses.Failed(netip.MustParseAddr("192.0.2.1"), "known", time.Now())
	}
	l := g.connect().in(Handshaken)
	l.login("known", "right")
	g.until("the login is refused", func() bool { return l.closed })
	frames := l.frames()
	why := strings.Join(refusals(frames), "; ")
	if !strings.HasPrefix(why, "too many wrong passwords for this account from this address: locked for ") ||
		l.s().Reason() != LoginThrottled || len(commandsOf[*packets.CannotConnect](frames)) != 1 {
		t.Errorf("%v: told %q", l.s().Reason(), why)
	}
	// From where the account logs in, others' guesses do not count.
	for i := range g.manager.options.Limits.AccountPerHour {
		g.manager.guesses.Failed(stranger(i), "known", time.Now())
	}
	account, err := g.store.AccountByLogin(t.Context(), "known")
	if err != nil {
		t.Fatal(err)
	}
	if err := g.store.TouchLogin(t.Context(), account.ID, time.Now(), "198.51.100.1:4000"); err != nil {
		t.Fatal(err)
	}
	for address, in := range map[string]bool{"198.51.100.2": false, "198.51.100.1": true} {
		l := g.connectFrom(address).in(Handshaken)
		l.login("known", "right")
		g.until("the login is decided", func() bool { return l.closed || l.s().State() == CharacterScreen })
		if l.closed == in {
			t.Errorf("from %s: %v", address, l.s().Reason())
		}
	}
	if g.manager.LockedUntil("known").IsZero() {
		t.Error("the operator does not see that the account is locked")
	}
}

// The address of a login is known after a restart.
func TestFriendsAreRemembered(t *testing.T) {
	g := newStage(t, nil)
	g.connect().in(CharacterScreen)
	again, err := NewManager(g.manager.options, new(measure.Registry))
	if err != nil {
		t.Fatal(err)
	}
	for address, friend := range map[string]bool{"192.0.2.1": true, "192.0.2.2": false} {
		var who guest
		again.conns.admit(netip.MustParseAddr(address), time.Now(), &who, func() {})
		if who.friend != friend {
			t.Errorf("%s: friend %v", address, who.friend)
		}
	}
}

// The last fifth of the queue of logins is not for strangers.
func TestTheQueueOfLoginsKeepsPlacesForFriends(t *testing.T) {
	m := &Manager{options: Options{Settings: Settings{Limits: Limits{LoginQueue: 10}}}}
	for n, want := range map[int][2]bool{8: {true, true}, 9: {false, true}, 10: {false, true}, 11: {false, false}} {
		if got := [2]bool{m.mayQueue(n, false), m.mayQueue(n, true)}; got != want {
			t.Errorf("login %d: strangers and friends %v, expected %v", n, got, want)
		}
	}
}

// The dialect of most accounts is known after a restart.
func TestUsualDialectIsRemembered(t *testing.T) {
	g := newStage(t, nil)
	for login, dialect := range map[string]string{"a": "2026", "b": "2022", "c": "2022", "d": "", "e": ""} {
		a, err := g.store.CreateAccount(t.Context(), login, "", data.Player)
		if err == nil {
			err = g.store.SetDialect(t.Context(), a.ID, dialect)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	o := g.manager.options
	for want, generation := range map[packets.Dialect]Generation{packets.Dialect2022: {Auto: true}, packets.Dialect2026: {}} {
		o.Generation = generation
		again, err := NewManager(o, new(measure.Registry))
		if err != nil {
			t.Fatal(err)
		}
		if got := again.usualDialect(); got != want {
			t.Errorf("%v: clients are taken for those of %v", generation, got)
		}
	}
}
