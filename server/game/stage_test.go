package game

import (
	"flag"
	"log/slog"
	"net/netip"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/datatest"
	"sphereserver/packets"
	"sphereserver/packets/packetstest"
	"sphereserver/server/session"
	"sphereserver/server/transport/transporttest"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

var stageSeed = flag.Int("stage.seed", 1, "seed of the chance of stages; 0: drawn")

// A stage is a server without sockets and without a clock of its own: tests move both.
type stage struct {
	transporttest.Loop
	t      testing.TB
	server *Server
	store  *data.Store
	now    time.Time

	hasty bool // does not wait for the store to settle the world's requests
}

func newStage(t testing.TB, change func(*Options)) *stage {
	t.Helper()
	dir := t.TempDir()
	datatest.Fill(t, dir)
	store, err := data.Open(t.Context(), dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultOptions()
	o.Listen = "127.0.0.1:0"
	o.Log = slog.New(slog.DiscardHandler)
	o.World.Seed = *stageSeed
	if change != nil {
		change(&o)
	}
	s, err := New(o, store)
	if err != nil {
		t.Fatal(err)
	}
	g := &stage{t: t, server: s, store: store, now: time.Now()}
	t.Cleanup(func() {
		s.EndAll(session.ServerStopping, "")
		s.Wait()
		_ = s.transport.Stop(t.Context())
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

// run runs the tasks that wait for the loop.
func (g *stage) run() { g.Run() }

// pass lets time go by for timers and world alike.
func (g *stage) pass(d time.Duration) {
	for end := g.now.Add(d); g.now.Before(end); {
		g.now = g.now.Add(session.WheelPeriod)
		g.server.Turn(g.now)
		g.run()
		g.server.world.Tick(g.now)
		for !g.hasty && g.server.commits.waiting() > 0 {
			time.Sleep(20 * time.Microsecond)
		}
		g.server.saver.save()
		g.run()
	}
}

// until lets little time go by, again and again, until something is so.
func (g *stage) until(what string, so func() bool) {
	g.t.Helper()
	g.Until(g.t, what, so, func() { g.pass(session.WheelPeriod) })
}

// A conn is a connection of the stage, and the client's end of it.
type conn struct {
	transporttest.Conn
	g       *stage
	got     []byte
	closed  bool
	dialect packets.Dialect // that the client understands
}

func (c *conn) Write(p []byte) { c.got = append(c.got, p...) }
func (c *conn) Close() {
	if !c.closed {
		c.closed = true
		_ = c.g.Execute(func() { c.g.server.Closed(c, nil) })
	}
}

func (g *stage) connect() *conn {
	c := &conn{g: g, dialect: g.server.options.Dialect,
		Conn: transporttest.Conn{On: g, Remote: netip.MustParseAddrPort("192.0.2.1:5000")}}
	if !g.server.Opened(c) {
		c.closed = true
	}
	return c
}

func (c *conn) s() *session.Session { return c.Session().(*session.Session) }

// p is the player of a session that has chosen a character.
func (c *conn) p() *player { return c.s().Player().(*player) }

// pid is the player's id in the world.
func (c *conn) pid() world.PlayerID { return world.PlayerID(c.s().Index()) }

// hangUp is the client closing.
func (c *conn) hangUp() {
	c.closed = true
	c.g.server.Closed(c, nil)
	c.g.run()
}

// receive gives the server bytes.
func (c *conn) receive(b []byte) { c.Offer(c.g.server, c, b, &c.closed) }

// say sends a message of the client.
func (c *conn) say(b *packets.Body) {
	c.g.t.Helper()
	c.receive(c.Frame(c.g.t, b, c.dialect))
}

func (c *conn) control(m packets.Control) {
	c.g.t.Helper()
	c.receive(c.Control(c.g.t, m))
}

// own is a message about the client's own player.
func (c *conn) own(regions ...packets.Region) *packets.Body {
	return packets.Message(0, c.s().ID(), packets.ClassPlayer, regions...)
}

func (c *conn) login(login, password string) {
	c.say(c.own(&packets.Owner{Command: &packets.Login{Lead: 0xFF, Login: login, Password: password}}))
}

func (c *conn) choose(slot int, then packets.Command) {
	c.say(c.own(&packets.Owner{Command: &packets.ChooseSlot{Number: uint8(slot + 1)}}, &packets.Owner{Command: then}))
}

const maleLook = 0x30303030

// in brings a line to a state.
func (c *conn) in(want session.State) *conn {
	c.g.t.Helper()
	until := func(s session.State) { c.g.until(s.String(), func() bool { return c.s().State() == s || c.closed }) }
	for _, step := range []struct {
		s  session.State
		do func()
	}{
		{session.Handshaken, func() { c.control(&packets.GreetingReply{Value: packets.GreetingReplyValue}) }},
		{session.CharacterScreen, func() { c.login("tester"+c.s().Index().String(), "secret") }},
		{session.Entering, func() {
			c.choose(0, &packets.CreateCharacter{Name: heroName(int(c.s().Index())),
				Look: maleLook})
		}},
		{session.InWorld, func() { c.say(c.own(&packets.Manager{Command: &packets.Ready{Value: 0x34}})) }},
	} {
		if c.s().State() >= want {
			break
		}
		step.do()
		until(step.s)
	}
	if c.s().State() != want {
		c.g.t.Fatalf("is %v, want %v: %v", c.s().State(), want, c.s().Reason())
	}
	return c
}

// heroName makes a name of letters from a number.
func heroName(n int) string {
	name := []byte("Hero")
	for ; n > 0; n /= 26 {
		name = append(name, byte('a'+n%26))
	}
	return string(name)
}

// frames decodes and forgets the frames that the client was sent.
func (c *conn) frames() []*packets.Frame {
	c.g.t.Helper()
	got := c.got
	c.got = nil
	return packetstest.Frames(c.g.t, got, c.dialect)
}

// regionsOf are the regions of one type in frames.
func regionsOf[R packets.Region](frames []*packets.Frame) []R { return packetstest.Regions[R](frames) }

// commandsOf are the commands of one type in frames.
func commandsOf[C packets.Command](frames []*packets.Frame) []C {
	return packetstest.Commands[C](frames)
}

func (c *conn) ping(at coords.Position) {
	c.say(packets.PingBody(c.s().ID(), 100, at))
}

// anyEntry accepts every entry of an IDTable.
func anyEntry(*view.IDEntry) bool { return true }

// firstEntry is the first entry of which is says so.
func firstEntry(s *player, is func(*view.IDEntry) bool) (e view.IDEntry, ok bool) {
	if all := s.client.IDs.Entries(is); len(all) > 0 {
		return all[0], true
	}
	return e, false
}

func contMan(c packets.Command) packets.Region { return &packets.ContMan{Command: c} }
func manager(c packets.Command) packets.Region { return &packets.Manager{Command: c} }

// loot is a bag in the world, as a monster will leave it.
type loot struct {
	Things []rules.Item
	Bag    *rules.Item // in which they lie; nil: each by itself
	Lying  rules.OnGround
}

// drop stores loot, and puts it into the world.
func (g *stage) drop(l loot) {
	g.t.Helper()
	lay := func(things []rules.Item) {
		var c rules.Change
		for i := range things {
			things[i].Count = max(things[i].Count, 1)
			c.Items = append(c.Items, rules.ItemChange{Is: &rules.StoredItem{Item: things[i], OnGround: &l.Lying}})
		}
		ids, err := g.store.Apply(g.t.Context(), c)
		if err != nil {
			g.t.Fatal(err)
		}
		for i := range things {
			things[i].ID = ids[i]
			if things[i].In != 0 {
				things[i].In = ids[0]
			}
		}
		g.server.world.Do(world.RestoreGroundItem{Things: things, Lying: l.Lying})
	}
	if l.Bag == nil {
		for _, t := range l.Things {
			lay([]rules.Item{t})
		}
		return
	}
	all := []rules.Item{*l.Bag}
	for slot, t := range l.Things {
		t.In, t.Slot = -1, slot // in the first of the change
		all = append(all, t)
	}
	lay(all)
}
