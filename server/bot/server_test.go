package bot_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/server/sim"
)

// A running is a game server over a store of its own, on simulated time.
type running struct {
	*game.Server
	*sim.House
	hosts int // that have dialled
}

// serve begins the server that ships, but that nobody else is there, and new characters begin in Shipstone. It runs
// until the test ends.
func serve(t *testing.T, change func(*game.Options)) *running {
	t.Helper()
	h := sim.Start(t, sim.Options{Game: func(o *game.Options) {
		o.Monsters, o.NewcomersDungeon = false, false
		if change != nil {
			change(o)
		}
	}})
	return &running{Server: h.Server, House: h}
}

// options are the options of another client of the server.
func (s *running) options(o bot.Options) bot.Options {
	s.hosts++
	o.Dial = s.Net.From(sim.Host(s.hosts))
	return o
}

// swarm is one that plays on the server.
func (s *running) swarm(t *testing.T, o bot.SwarmOptions) *bot.Swarm {
	t.Helper()
	o.Addr = s.House.Addr
	hosts := make([]bot.Dialer, o.Count) // named now, in order
	for i := range hosts {
		hosts[i] = s.Net.From(sim.Host(i))
	}
	o.DialAs = func(i int) bot.Dialer { return hosts[i] }
	swarm, err := bot.NewSwarm(o)
	if err != nil {
		t.Fatal(err)
	}
	return swarm
}

// simulated runs a test on simulated time, beside others.
func simulated(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, test)
}

// short is long enough for every single step of these tests.
func short(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func dial(t *testing.T, s *running, o bot.Options) *bot.Client {
	t.Helper()
	c, err := bot.Dial(short(t), s.House.Addr, s.options(o))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		for _, f := range c.Violations() {
			t.Errorf("finding: %s", f)
		}
	})
	return c
}

// login brings a client to the character screen.
func login(t *testing.T, s *running, name string, o bot.Options) *bot.Client {
	t.Helper()
	c := dial(t, s, o)
	if _, err := c.Login(short(t), name, "secret"); err != nil {
		t.Fatal(err)
	}
	return c
}

// enter brings a client into the world with its first character, which is made when there is none.
func enter(t *testing.T, s *running, name string, o bot.Options) *bot.Client {
	t.Helper()
	c := login(t, s, name, o)
	var err error
	if slot := c.Screen.Find(name); slot >= 0 {
		_, err = c.Select(short(t), slot)
	} else {
		_, err = c.Create(short(t), c.Screen.Free(), bot.NewCharacter{Name: name})
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Enter(short(t)); err != nil {
		t.Fatal(err)
	}
	return c
}

func onAServer(t *testing.T, test func(t *testing.T, s *running)) {
	t.Helper()
	simulated(t, func(t *testing.T) { test(t, serve(t, nil)) })
}

func TestLogInCreatePlayLeaveAndComeBack(t *testing.T) {
	onAServer(t, func(t *testing.T, s *running) {
		c := enter(t, s, "Alice", bot.Options{Tell: func(line string) { t.Log(line) }})
		if c.Snapshot.Name != "Alice" || c.Players != 1 {
			t.Errorf("entered as %q with %d players", c.Snapshot.Name, c.Players)
		}
		items := c.Items()
		at := c.Position
		for range 3 {
			at.X, at.Yaw = at.X+2.5, 1.25
			pong, err := c.Ping(short(t), at)
			if err != nil {
				t.Fatal(err)
			}
			if pong.Origin != at.Origin() || pong.Latency > 5*time.Second {
				t.Errorf("pinged at %v, answered %+v", at, pong)
			}
		}
		if err := c.Keepalive(short(t)); err != nil {
			t.Fatal(err)
		}
		c.Close()

		again := login(t, s, "Alice", bot.Options{Plain: true, Seed: 7})
		again.ExpectSame(bot.Departure{At: &at})
		w, err := again.Select(short(t), 0)
		if err != nil {
			t.Fatal(err)
		}
		if w.Position != at {
			t.Errorf("came back at %v, left at %v", w.Position, at)
		}
		if err := again.Enter(short(t)); err != nil {
			t.Fatal(err)
		}
		if got := again.Items(); len(got) != len(items) || len(got) == 0 {
			t.Errorf("came back with %v, had %v", got, items)
		}
	})
}

func TestWrongPasswordIsRefused(t *testing.T) {
	onAServer(t, func(t *testing.T, s *running) {
		login(t, s, "Bob", bot.Options{}).Close()
		c := dial(t, s, bot.Options{})
		if _, err := c.Login(short(t), "Bob", "other"); !errors.Is(err, bot.ErrRefused) {
			t.Errorf("wrong password: %v", err)
		}
		if err := c.Idle(short(t), 5*time.Second); !errors.Is(err, bot.ErrClosed) {
			t.Errorf("after a refusal: %v", err)
		}
	})
}

func TestAccountIsOnlineOnce(t *testing.T) {
	onAServer(t, func(t *testing.T, s *running) {
		first := enter(t, s, "Carol", bot.Options{})
		second := dial(t, s, bot.Options{})
		if _, err := second.Login(short(t), "carol", "secret"); !errors.Is(err, bot.ErrRefused) {
			t.Errorf("second login of an account that is in the world: %v", err)
		}
		if _, err := first.Ping(short(t), first.Position); err != nil {
			t.Errorf("the first one is disturbed: %v", err)
		}
		first.Close()
		enter(t, s, "Carol", bot.Options{})
	})
}

// Three characters in three slots, each where it was left; one deleted, and another made in its place.
func TestThreeSlots(t *testing.T) {
	onAServer(t, func(t *testing.T, s *running) {
		names := [3]string{"Dora", "Дуня", "Dunja"}
		var places [3]coords.Position
		for slot, name := range names {
			c := login(t, s, "slots", bot.Options{Seed: uint64(slot)})
			if c.Screen.Free() != slot {
				t.Fatalf("first free slot %d, expected %d", c.Screen.Free(), slot)
			}
			n := bot.NewCharacter{Name: name, Face: '1', Hair: '2', HairColour: '3', Tattoo: '4', Female: slot == 1}
			w, err := c.Create(short(t), slot, n)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Enter(short(t)); err != nil {
				t.Fatal(err)
			}
			places[slot] = w.Position
			places[slot].Z += float32(slot + 1)
			if _, err := c.Ping(short(t), places[slot]); err != nil {
				t.Fatal(err)
			}
			c.Close()
		}
		for slot, name := range names {
			c := login(t, s, "slots", bot.Options{})
			if r := c.Screen.Characters[slot]; r.Name != name || r.Look != 0x34333231 || r.Gender == 1 != (slot == 1) ||
				r.Empty {
				t.Errorf("slot %d: %+v", slot, r)
			}
			c.ExpectSame(bot.Departure{At: &places[slot]})
			if _, err := c.Select(short(t), slot); err != nil {
				t.Fatal(err)
			}
			c.Close()
		}

		c := login(t, s, "slots", bot.Options{})
		if err := c.Delete(short(t), 1); err != nil {
			t.Fatal(err)
		}
		if !errors.Is(c.Err(), bot.ErrClosed) {
			t.Errorf("after a deletion: %v", c.Err())
		}
		c = login(t, s, "slots", bot.Options{})
		if c.Screen.Free() != 1 || c.Screen.Find(names[0]) != 0 || c.Screen.Find(names[2]) != 2 {
			t.Errorf("after the deletion: %+v", c.Screen)
		}
		if _, err := c.Create(short(t), 1, bot.NewCharacter{Name: names[1]}); err != nil {
			t.Errorf("the name of a deleted character: %v", err)
		}
	})
}

func TestNameThatIsTaken(t *testing.T) {
	onAServer(t, func(t *testing.T, s *running) {
		enter(t, s, "Eva", bot.Options{})
		c := login(t, s, "other", bot.Options{})
		for _, name := range []string{"Eva", "eVA", "Ева1x", "9lives"} {
			if _, err := c.Create(short(t), 0, bot.NewCharacter{Name: name}); !errors.Is(err, bot.ErrNameRejected) {
				t.Errorf("%q: %v", name, err)
			}
		}
		if _, err := c.Create(short(t), 0, bot.NewCharacter{Name: "Eve"}); err != nil {
			t.Errorf("a free name after taken ones: %v", err)
		}
	})
}

func TestWalkAndIdle(t *testing.T) {
	onAServer(t, func(t *testing.T, s *running) {
		c := enter(t, s, "Fay", bot.Options{Speed: 30, PingEvery: 100 * time.Millisecond,
			KeepaliveEvery: 200 * time.Millisecond})
		to := c.Position
		to.X, to.Z = to.X+6, to.Z-8
		if err := c.Walk(short(t), to, c.Position, to); err != nil {
			t.Fatal(err)
		}
		if d := c.Position.Distance(to); d != 0 {
			t.Errorf("walked to %v, stands %.2f m away", to, d)
		}
		if n := c.Tally().Pings.Load(); n < 6 {
			t.Errorf("%d positions on the way of a second", n)
		}
		if err := c.Idle(short(t), 300*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		if c.Position.Distance(to) != 0 {
			t.Error("walks while it idles")
		}
	})
}

// The frames that the server sends by itself: one client lives long enough to see all but the rarest.
func TestFramesOfTheServer(t *testing.T) {
	simulated(t, func(t *testing.T) {
		s := serve(t, nil)
		seen := map[string]bool{}
		o := bot.Options{OnFrame: func(f *packets.Frame) {
			if f.Control != nil {
				seen[packets.Name(f.Control)] = true
				return
			}
			for _, section := range f.Body.Sections {
				for _, r := range section.Regions {
					seen[packets.Name(r)] = true
					if c, ok := packets.CommandOf(r); ok {
						seen[packets.Name(c)] = true
					}
				}
			}
		}}
		c := enter(t, s, "Gwen", o)
		if _, err := c.Ping(short(t), c.Position); err != nil {
			t.Fatal(err)
		}
		six := func(f *packets.Frame) bool {
			return f.Body != nil && len(f.Body.Sections[0].Regions) >= 2 &&
				packets.Name(f.Body.Sections[0].Regions[0]) == "SetStat"
		}
		if _, err := c.Expect(short(t), six); err != nil {
			t.Error(err)
		}
		for _, name := range []string{"Greeting", "LoginTime", "CharacterScreen", "CharacterRecord", "NameAccepted",
			"WorldSnapshot", "ResetSlots", "FillSlot",
			"Money", "SpawnSnapshot", "PutInto", "Property", "SetStat", "GameTime", "PlayerCountSpawn", "PositionStream",
			"Keepalive", "PlayEffect8"} {
			if !seen[name] {
				t.Errorf("no %s", name)
			}
		}
	})
}

func TestDialects(t *testing.T) {
	for _, d := range []packets.Dialect{packets.Classic, packets.Dialect2022} {
		t.Run(d.String(), func(t *testing.T) {
			simulated(t, func(t *testing.T) {
				s := serve(t, func(o *game.Options) {
					if d == packets.Classic { // of the others the server finds out which one it is
						o.Dialect = d
					}
				})
				c := enter(t, s, "Hans", bot.Options{Dialect: d, PingEvery: 100 * time.Millisecond})
				at := c.Position
				if d == packets.Classic && (c.Snapshot.Occupied[57] != 1 || c.Slots[58].Item == 0) {
					t.Error("not the article's entry")
				}
				for range 3 {
					at.Z += 2
					if _, err := c.Ping(short(t), at); err != nil {
						t.Fatal(err)
					}
				}
				if err := c.Keepalive(short(t)); err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
				defer cancel()
				if err := c.Run(ctx); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// Fifty clients at once log in, walk, leave and come back where they stood.
func TestSwarm(t *testing.T) {
	onAServer(t, func(t *testing.T, s *running) {
		const clients = 50
		const enough = clients + clients/2 // entries
		swarm := s.swarm(t, bot.SwarmOptions{Count: clients, Stay: 2 * time.Second,
			Client: bot.Options{PingEvery: 500 * time.Millisecond, Seed: 3}})
		f := liveUntil(t, swarm, func(f *bot.Figures) bool { return f.Entries >= enough })
		if !f.Clean() || f.Started != clients || f.Entries < enough || f.Connected != 0 || f.InWorld != 0 {
			t.Errorf("%d started, %d entries, %d connected, %d in the world", f.Started, f.Entries, f.Connected, f.InWorld)
		}
		if f.Pings != f.Pongs || f.Answers.Count != f.Pongs || f.Pings == 0 {
			t.Errorf("%d positions, %d answers, %d measured", f.Pings, f.Pongs, f.Answers.Count)
		}
		t.Log(bot.Summary(f, nil))
	})
}

func TestClientsOutliveTheServer(t *testing.T) {
	simulated(t, func(t *testing.T) {
		s := serve(t, nil)
		c := enter(t, s, "Iris", bot.Options{})
		var stops sync.WaitGroup
		stops.Go(s.House.Stop)
		defer stops.Wait()
		if err := c.Run(short(t)); !errors.Is(err, bot.ErrClosed) {
			t.Errorf("the server has stopped: %v", err)
		}
		if len(c.Lines) == 0 {
			t.Error("the server has stopped without a word")
		}
	})
}

// A swarm with other beliefs about sight than the server's finds each fault that a server could have. A swarm that is
// right finds nothing.
func TestASwarmFindsWhoIsShownWrongly(t *testing.T) {
	for _, v := range []struct {
		name     string
		sight    float64 // of the server, metres
		believed float64 // by the swarm
		want     []bot.ViolationKind
	}{
		{name: "all is well", sight: 100, believed: 100},
		{name: "others are not shown", sight: 1, believed: 100, want: []bot.ViolationKind{bot.Unseen}},
		{name: "others are shown too far", sight: 100, believed: 1, want: []bot.ViolationKind{bot.NotDespawned}},
	} {
		t.Run(v.name, func(t *testing.T) {
			simulated(t, func(t *testing.T) {
				s := serve(t, func(o *game.Options) { o.World.Sight = v.sight })
				swarm := s.swarm(t, bot.SwarmOptions{Count: 8, Sight: v.believed,
					Client: bot.Options{PingEvery: 100 * time.Millisecond, Walk: bot.Square}})
				const enough = 200 // comparisons without a violation
				f := liveUntil(t, swarm, func(f *bot.Figures) bool {
					return len(f.Violations) > 0 || len(v.want) == 0 && f.Compared > enough
				})
				var got []bot.ViolationKind
				for _, f := range f.Violations {
					got = append(got, f.Kind)
				}
				if !slices.Equal(got, v.want) {
					t.Errorf("found %v, expected %v", f.Violations, v.want)
				}
			})
		})
	}
}

// Two clients form a group, and are told the same of it.
func TestTwoClientsFormAGroup(t *testing.T) {
	simulated(t, func(t *testing.T) {
		s := serve(t, nil)
		first := enter(t, s, "Alice", bot.Options{PingEvery: 200 * time.Millisecond})
		second := enter(t, s, "Bobby", bot.Options{PingEvery: 200 * time.Millisecond})
		if err := first.CreateGroup(); err != nil {
			t.Fatal(err)
		}
		if err := first.Until(short(t), func() bool { return first.Group.Leads("Alice") }); err != nil {
			t.Fatal(err)
		}
		if err := second.ApplyToGroup("Alice"); err != nil {
			t.Fatal(err)
		}
		if err := first.Until(short(t), func() bool { return len(first.Group.Applicants) == 1 }); err != nil {
			t.Fatal(err)
		}
		if err := first.AcceptIntoGroup("Bobby"); err != nil {
			t.Fatal(err)
		}
		for _, c := range []*bot.Client{first, second} {
			if err := c.Until(short(t), func() bool { return c.Group.Has("Alice") && c.Group.Has("Bobby") }); err != nil {
				t.Errorf("%v: %+v", err, c.Group)
			}
		}
	})
}

// One client by itself tells its events, until it is told to leave; it comes back as the same.
func TestSolo(t *testing.T) {
	simulated(t, func(t *testing.T) {
		s := serve(t, nil)
		who := bot.Identity{Login: "solo", Password: "secret", Name: "Solo", Slot: 2}
		for i, words := range []string{`slot 2 is empty: creating "Solo"`, "slot 2: Solo, title 1"} {
			var told []string
			ctx, cancel := context.WithCancel(short(t))
			c, err := bot.Solo(ctx, s.House.Addr, s.options(bot.Options{Idle: true}), who, func(line string) {
				if told = append(told, line); strings.HasPrefix(line, "in the world as Solo") {
					cancel()
				}
			})
			cancel()
			if text := strings.Join(told, "\n"); err != nil || !strings.Contains(text, words) ||
				!strings.Contains(text, "logging out") {
				t.Errorf("%d: %v: %s", i, err, text)
			}
			if f := c.Figures(); !f.Clean() {
				t.Errorf("%+v", f)
			}
		}
		who.Password = "other"
		if c, err := bot.Solo(short(t), s.House.Addr, s.options(bot.Options{}), who, func(string) {}); !errors.Is(err, bot.ErrRefused) ||
			c == nil {
			t.Errorf("with another password: %v", err)
		}
		who.Slot = 3
		if _, err := bot.Solo(short(t), s.House.Addr, s.options(bot.Options{}), bot.Identity{Login: "solo", Password: "secret", Slot: 3},
			func(string) {}); err == nil {
			t.Error("in a fourth slot: no error")
		}
		if c, err := bot.Solo(short(t), "10.0.0.1:1", s.options(bot.Options{}), who, func(string) {}); err == nil || c != nil {
			t.Errorf("without a server: %v", err)
		}
	})
}
