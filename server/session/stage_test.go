package session

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/data/datatest"
	"sphereserver/packets"
	"sphereserver/packets/packetstest"
	"sphereserver/server/measure"
	"sphereserver/server/transport/transporttest"
	"sphereserver/world/rules"
)

// A stage is a manager without sockets, without a world and without a clock of its own: tests move them.
type stage struct {
	transporttest.Loop
	t       testing.TB
	manager *Manager
	store   *data.Store
	metrics measure.Registry
	now     time.Time
}

// newStage makes a stage with the shipped options, with the changes of change.
func newStage(t testing.TB, change func(*Options)) *stage {
	t.Helper()
	dir := t.TempDir()
	datatest.Fill(t, dir)
	store, err := data.Open(t.Context(), dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := &stage{t: t, store: store, now: time.Now()}
	o := Options{Settings: DefaultSettings(), Store: store,
		Commands: NewCommands(Handle((*stagePlayer).pickUp, Locks), Handle((*stagePlayer).use, Locks),
			Handle((*stagePlayer).recruit, ToOthers), Ignored[*packets.Animation]()),
		Screen: func(*data.Character, []rules.Item) (is Shown) { return }, NewCharacter: newcomer, NewPlayer: g.newPlayer}
	if change != nil {
		change(&o)
	}
	if g.manager, err = NewManager(o, &g.metrics); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		g.manager.EndAll(ServerStopping, "")
		g.manager.Close()
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

func newcomer(account data.AccountID, c Creation) data.NewCharacter {
	return data.NewCharacter{Character: data.Character{Account: account, Slot: c.Slot, Name: c.Name, Female: c.Female,
		Face: byte(c.Look), Hair: byte(c.Look >> 8), HairColour: byte(c.Look >> 16), Tattoo: byte(c.Look >> 24),
		HP: 100, MP: 100, MaxSatiety: 100, Position: content.Cities()[0].Position}}
}

// A stagePlayer plays in no world: it enters at once, and is saved when it leaves.
type stagePlayer struct {
	*Session
	g         *stage
	character data.Character
	placed    bool

	heard []packets.Command
	moves []coords.Position
}

func (g *stage) newPlayer(s *Session, c *data.Character, _, _ []rules.Item) Player {
	return &stagePlayer{Session: s, g: g, character: *c}
}

func (p *stagePlayer) Recognised(packets.Dialect) {}

func (p *stagePlayer) Introduce() { p.Say("introduced") }

func (p *stagePlayer) Enter() {
	p.placed = true
	p.EnteredWorld(1)
}

func (p *stagePlayer) Moved(at coords.Position) {
	p.moves, p.character.Position = append(p.moves, at), at
}

func (p *stagePlayer) Owes(int) {}

func (p *stagePlayer) Leave() bool {
	if !p.placed {
		return false
	}
	_ = p.g.Execute(func() {
		if err := p.g.store.SaveCharacters(context.Background(), []data.Character{p.character}); err != nil {
			p.g.t.Error(err)
		}
		p.Release()
	})
	return true
}

func (p *stagePlayer) pickUp(_ *packets.Section, c *packets.PickUp) { p.heard = append(p.heard, c) }
func (p *stagePlayer) use(_ *packets.Section, c *packets.Use)       { p.heard = append(p.heard, c) }
func (p *stagePlayer) recruit(_ *packets.Section, c *packets.RecruitToClan) {
	p.heard = append(p.heard, c)
}

// run runs the tasks that wait for the loop.
func (g *stage) run() { g.Run() }

// pass lets time go by.
func (g *stage) pass(d time.Duration) {
	for end := g.now.Add(d); g.now.Before(end); {
		g.now = g.now.Add(WheelPeriod)
		g.manager.Turn(g.now)
		g.run()
	}
}

// until lets little time go by, again and again, until something is so.
func (g *stage) until(what string, so func() bool) {
	g.t.Helper()
	g.Until(g.t, what, so, func() { g.pass(WheelPeriod) })
}

// A conn is a connection of the stage, and the client's end of it.
type conn struct {
	transporttest.Conn
	g      *stage
	got    []byte
	writes int
	closed bool
}

func (c *conn) Write(p []byte) { c.got, c.writes = append(c.got, p...), c.writes+1 }
func (c *conn) Close() {
	if !c.closed {
		c.closed = true
		_ = c.g.Execute(func() { c.g.manager.Closed(c, nil) })
	}
}

func (g *stage) connect() *conn { return g.connectFrom("192.0.2.1") }

func (g *stage) connectFrom(address string) *conn {
	c := &conn{g: g, Conn: transporttest.Conn{On: g, Remote: netip.MustParseAddrPort(address + ":5000")}}
	if !g.manager.Opened(c) {
		c.closed = true
	}
	return c
}

func (c *conn) s() *Session { return c.Session().(*Session) }

// hangUp is the client closing.
func (c *conn) hangUp() {
	c.closed = true
	c.g.manager.Closed(c, nil)
	c.g.run()
}

// receive gives the server bytes.
func (c *conn) receive(b []byte) { c.Offer(c.g.manager, c, b, &c.closed) }

// say sends a message of the client.
func (c *conn) say(b *packets.Body) {
	c.g.t.Helper()
	c.receive(c.Frame(c.g.t, b, c.g.manager.options.Dialect))
}

func (c *conn) control(m packets.Control) {
	c.g.t.Helper()
	c.receive(c.Control(c.g.t, m))
}

// own is a message about the client's own player.
func (c *conn) own(regions ...packets.Region) *packets.Body {
	return packets.Message(0, c.s().ID(), packets.ClassPlayer, regions...)
}

func manager(c packets.Command) packets.Region { return &packets.Manager{Command: c} }
func owner(c packets.Command) packets.Region   { return &packets.Owner{Command: c} }

func (c *conn) login(login, password string) {
	c.say(c.own(owner(&packets.Login{Lead: 0xFF, Login: login, Password: password})))
}

func (c *conn) choose(slot int, then packets.Command) {
	c.say(c.own(owner(&packets.ChooseSlot{Number: uint8(slot + 1)}), owner(then)))
}

func (c *conn) ping(at coords.Position) { c.say(packets.PingBody(c.s().ID(), 100, at)) }

const maleLook = 0x30303030

// in brings a line to a state, as a player of its own.
func (c *conn) in(want State) *conn {
	c.g.t.Helper()
	return c.as("tester"+c.s().Index().String(), "Hero"+string(rune('a'+c.s().Index()%26)), want)
}

// as brings a line to a state, with a login and the name of a new character.
func (c *conn) as(login, name string, want State) *conn {
	c.g.t.Helper()
	for _, step := range []struct {
		s  State
		do func()
	}{
		{Handshaken, func() { c.control(&packets.GreetingReply{Value: packets.GreetingReplyValue}) }},
		{CharacterScreen, func() { c.login(login, "secret") }},
		{Entering, func() { c.choose(0, &packets.CreateCharacter{Name: name, Look: maleLook}) }},
		{InWorld, func() { c.say(c.own(manager(&packets.Ready{Value: 0x34}))) }},
	} {
		if c.s().State() >= want {
			break
		}
		step.do()
		c.g.until(step.s.String(), func() bool { return c.s().State() == step.s || c.closed })
	}
	if c.s().State() != want {
		c.g.t.Fatalf("is %v, want %v: %v %s", c.s().State(), want, c.s().Reason(), c.s().detail)
	}
	return c
}

// frames decodes and forgets the frames that the client was sent.
func (c *conn) frames() []*packets.Frame {
	c.g.t.Helper()
	got := c.got
	c.got = nil
	return packetstest.Frames(c.g.t, got, c.g.manager.options.Dialect)
}

// commandsOf are the commands of one type in frames.
func commandsOf[C packets.Command](frames []*packets.Frame) []C {
	return packetstest.Commands[C](frames)
}
