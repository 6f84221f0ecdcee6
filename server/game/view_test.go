package game

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/server/session"
	"sphereserver/world"
)

// crowded lifts the limits that keep a test from being many clients of one address.
func crowded(o *Options) {
	l := &o.Limits
	l.PerAddress, l.NewPerAddressBurst, l.New, l.NewAccounts = 1<<20, 1<<20, 1<<20, 1<<20
}

// emptyArea is a place without townsfolk.
var emptyArea = coords.Position{X: 12000, Y: 150, Z: -9000}

// goTo teleports a player, and its client goes on from there.
func (c *conn) goTo(at coords.Position) {
	c.g.server.world.Do(world.Teleport{ID: c.pid(), To: at})
	c.g.pass(100 * time.Millisecond)
	c.ping(at)
	c.g.pass(100 * time.Millisecond)
}

// walkTo has a client say that it is somewhere else, and waits as long as others may have to until they are told.
func (c *conn) walkTo(at coords.Position) {
	c.ping(at)
	c.g.pass(600 * time.Millisecond)
}

func near(a, b coords.Position) bool {
	const off = 0.0147 + 0.004 // of the wire's steps, and of float32 at the edge of the world
	within := func(a, b float32) bool { return max(a-b, b-a) <= off }
	return within(a.X, b.X) && within(a.Y, b.Y) && within(a.Z, b.Z)
}

func TestTwoPlayersMeet(t *testing.T) {
	t.Parallel()
	for _, later := range []bool{false, true} {
		t.Run(fmt.Sprintf("the watcher comes later %v", later), func(t *testing.T) {
			g := newStage(t, crowded)
			a, b := g.connect().in(session.InWorld), g.connect().in(session.InWorld)
			if later {
				a, b = b, a
			}
			a.goTo(emptyArea)
			b.goTo(coords.Position{X: emptyArea.X + 5, Y: emptyArea.Y, Z: emptyArea.Z, Yaw: 1})
			a.goTo(coords.Position{X: emptyArea.X - 5000, Y: emptyArea.Y, Z: emptyArea.Z})
			a.got, b.got = nil, nil
			ea, eb := a.observe(), b.observe()

			a.goTo(emptyArea)
			for who, e := range map[*conn]*observer{b: ea, a: eb} {
				o := e.player(who)
				switch {
				case o == nil:
					t.Fatal("one of them does not see the other")
				case o.gear == nil:
					t.Error("the other is not dressed, so the client does not show it")
				case o.name != who.s().Character().Name || o.spawn.Look != maleLook || o.spawn.Karma != 3 || o.spawn.HP != 110 ||
					o.spawn.MaxHP != 110:
					t.Errorf("seen as %+v", o.spawn)
				}
			}
			if at := ea.player(b).at; at.X != emptyArea.X+5 || ea.player(b).angle != coords.EncodeAngle8(1) {
				t.Errorf("seen at %v, %v", at, ea.player(b).angle)
			}

			at := coords.Position{X: emptyArea.X + 8.37, Y: emptyArea.Y + 0.4, Z: emptyArea.Z - 3.21, Yaw: 1}
			b.walkTo(at)
			if o := ea.player(b); !near(o.at, at) || o.exact {
				t.Errorf("walked to %v, seen at %v", at, o.at)
			}
			at.Yaw = -2
			b.walkTo(at)
			if o := ea.player(b); o.angle != coords.EncodeAngle8(-2) {
				t.Errorf("turned to %v, seen turned to %v", coords.EncodeAngle8(-2), o.angle)
			}
			told := len(ea.player(b).told)
			g.pass(5 * time.Second)
			if o := ea.player(b); len(o.told) != told {
				t.Errorf("told of somebody who stands still: %v", o.told[told:])
			}

			// A teleport within sight is exact and not a walk; one out of sight is a farewell.
			at = coords.Position{X: emptyArea.X + 40.123, Y: emptyArea.Y + 1.5, Z: emptyArea.Z, Yaw: 3}
			b.goTo(at)
			if o := ea.player(b); o == nil || !o.exact || o.at.X != at.X || o.at.Y != at.Y {
				t.Errorf("jumped to %v, seen as %+v", at, o)
			}
			b.goTo(coords.Position{X: emptyArea.X + 400, Y: emptyArea.Y, Z: emptyArea.Z})
			if ea.player(b) != nil || eb.player(a) != nil {
				t.Error("they see each other 400 m away")
			}
			b.goTo(emptyArea)
			if ea.player(b) == nil {
				t.Fatal("not seen when back")
			}
			b.hangUp()
			g.pass(200 * time.Millisecond)
			if ea.player(b) != nil {
				t.Error("still there though its connection is gone")
			}
		})
	}
}

// The client's own messages come before those about its sight: on entering, and on a teleport.
func TestOwnMessagesComeFirst(t *testing.T) {
	t.Parallel()
	g := newStage(t, crowded)
	a := g.connect().in(session.Entering)
	e := a.observe()
	a.say(a.own(&packets.Manager{Command: &packets.Ready{Value: 0x34}}))
	g.until("the player is in the world", func() bool { return a.s().State() == session.InWorld })
	e.look()
	clock, spawn := slices.Index(e.diary, "_main"), slices.Index(e.diary, "spawn")
	if clock < 0 || spawn < clock || slices.Contains(e.diary[spawn:], "own SetStat") ||
		slices.Contains(e.diary[spawn:], "own FillSlot") {
		t.Errorf("the order on entering: %v", e.diary)
	}
	if len(e.held) == 0 {
		t.Fatal("nobody stands around in Shipstone")
	}
	g.server.world.Do(world.Teleport{ID: a.pid(), To: coords.Position{X: 1882, Y: 155.6, Z: -407}})
	g.pass(100 * time.Millisecond)
	e.look()
	moved, removal, spawn := slices.Index(e.diary, "own SetCoordinates"), slices.Index(e.diary, "removal"),
		slices.Index(e.diary, "spawn")
	if moved < 0 || removal < moved || spawn < removal || slices.Contains(e.diary[spawn:], "removal") {
		t.Errorf("the order of a teleport: %v", e.diary)
	}
}

// Every townsman and portal is seen by players that are there, under its true name, and by no others.
func TestTownsfolkAreSeenWhereTheyStand(t *testing.T) {
	t.Parallel()
	g := newStage(t, crowded)
	a := g.connect().in(session.Entering)
	e := a.observe()
	a.say(a.own(&packets.Manager{Command: &packets.Ready{Value: 0x34}}))
	g.until("the player is in the world", func() bool { return a.s().State() == session.InWorld })
	people := content.NPCs()
	if len(people) != 253 {
		t.Errorf("%d townsfolk, want 253", len(people))
	}
	type stand struct {
		class packets.Class
		at    coords.Position
	}
	met := map[string]bool{}
	for i := range people {
		a.goTo(people[i].Position)
		e.look()
		around := map[stand]*seen{}
		for _, o := range e.held {
			around[stand{o.class, o.at}] = o
		}
		if len(around) != len(e.held) {
			t.Fatalf("at %s two of the %d seen are the same", people[i].Key, len(e.held))
		}
		expected := 0
		for j := range people {
			p := &people[j]
			at := p.Position
			at.Yaw = 0
			distance := at.Distance(people[i].Position)
			o := around[stand{packets.Class(p.Class), at}]
			switch {
			case o == nil && distance <= 100:
				t.Fatalf("%s is not seen from %s, %.1f m away", p.Key, people[i].Key, distance)
			case o != nil && distance > 110:
				t.Fatalf("%s is seen from %s, %.1f m away", p.Key, people[i].Key, distance)
			case o == nil:
				continue
			}
			expected++
			met[p.Key] = true
			if o.code != p.Name || o.angle != p.Angle {
				t.Errorf("%s has name %d and faces %d, is seen with %d and %d", p.Key, p.Name, p.Angle, o.code, o.angle)
			}
		}
		for _, p := range content.Portals() {
			if p.Position.Distance(people[i].Position) <= 110 {
				expected++
			}
		}
		for _, in := range content.Entrances() {
			if !in.Sends && in.At.Distance(people[i].Position) <= 110 {
				expected++
			}
		}
		if len(e.held) > expected {
			t.Errorf("at %s %d are seen, %d are there", people[i].Key, len(e.held), expected)
		}
	}
	if len(met) != len(people) {
		t.Errorf("met %d of %d", len(met), len(people))
	}
}

func TestPortalsTakeThoseWhoUseThem(t *testing.T) {
	t.Parallel()
	g := newStage(t, crowded)
	a := g.connect().in(session.Entering)
	e := a.observe()
	a.say(a.own(&packets.Manager{Command: &packets.Ready{Value: 0x34}}))
	g.until("the player is in the world", func() bool { return a.s().State() == session.InWorld })
	portals := content.Portals()
	portal := &portals[slices.IndexFunc(portals, func(p content.Portal) bool { return p.Key == "newcomers-teleport" })]
	use := func(id packets.ObjectID, class packets.Class) []string {
		e.sent = false
		a.say(packets.Message(0, id, class, &packets.ContMan{Command: &packets.Use{Player: a.s().ID()}}))
		g.pass(100 * time.Millisecond)
		e.look()
		// the clock and keepalives, when their time has come
		return slices.DeleteFunc(e.diary, func(what string) bool {
			return what == packets.ClassMain.String() || what == packets.ChannelKeepalive.String()
		})
	}
	find := func() packets.ObjectID {
		e.look()
		for id, o := range e.held {
			if o.class == packets.Class(portal.Class) {
				return id
			}
		}
		t.Fatal("the portal is not seen")
		return 0
	}
	far := portal.Position
	far.X += 50
	a.goTo(far)
	id := find()
	if got := use(id, packets.Class(portal.Class)); e.sent || got[0] != "own ReleaseUse" ||
		!slices.Contains(got, "own SystemText") {
		t.Errorf("from too far away: %v", got)
	}
	if got := use(id+1, packets.Class(portal.Class)); e.sent || len(got) != 1 {
		t.Errorf("an id that the client was not given: %v", got)
	}
	for _, k := range a.p().client.IDs.HeldBy(0) { // a carried item is no portal either
		if k.Item != 0 {
			use(packets.ObjectID(k.ID), k.Class)
		}
	}
	a.goTo(portal.Position)
	if got := use(find(), packets.Class(portal.Class)); !e.sent || e.at.X != portal.To.X || e.at.Z != portal.To.Z ||
		got[0] != "own ReleaseUse" {
		t.Errorf("used: %v, to %v", got, e.at)
	}
}

// A client that owes too much is cut off before more is put on it, and a crowd at once is no debt.
func TestManySpawnsAtOnceAreNoDebt(t *testing.T) {
	t.Parallel()
	g := newStage(t, func(o *Options) { crowded(o); o.Limits.Pending = 8 << 10 })
	a := g.connect().in(session.InWorld)
	g.pass(time.Second)
	a.got = nil
	view, to := g.server.view, []world.PlayerID{a.pid()}
	spawn, err := packets.AppendServer(nil, packets.Message(0, 0x1234, packets.ClassPlayer, &packets.SetStat{}),
		packets.Dialect2026)
	if err != nil {
		t.Fatal(err)
	}
	view.ShareOut(to, bytes.Repeat(spawn, 1000), false)
	view.EndTick()
	g.run()
	// Repeated messages may come before them.
	if all := bytes.Repeat(spawn, 1000); a.closed || !bytes.HasSuffix(a.got, all) {
		t.Errorf("closed %v with %d of %d bytes", a.closed, len(a.got), len(all))
	}
	a.Unsent = 8 << 10
	view.ShareOut(to, spawn, false)
	view.EndTick()
	g.run()
	if !a.closed || a.s().Reason() != session.SlowReader {
		t.Errorf("closed %v, %v", a.closed, a.s().Reason())
	}
}

// A client is never told of an entity that it does not hold, and never given one that it holds, by any event of the
// world.
func TestViewsLetNothingWrongThrough(t *testing.T) {
	t.Parallel()
	g := newStage(t, crowded)
	a := g.connect().in(session.InWorld)
	a.goTo(emptyArea)
	g.pass(time.Second)
	a.got = nil
	me, other := a.pid(), &world.Player{ID: 0x0110, Name: "Hero"}
	to := []world.PlayerID{me}
	object := &world.Object{ID: 1 << 30, Position: emptyArea, Kind: world.NPC{Class: 213, Name: 203}}
	about := []world.Event{&world.Moved{ID: world.EntityID(other.ID), To: emptyArea, Viewers: to},
		&world.TeleportSeen{ID: other.ID, To: emptyArea, Viewers: to},
		&world.HealthSeen{ID: world.EntityID(other.ID), HP: 5, MaxHP: 9, Viewers: to},
		&world.AppearanceChanged{Player: other, Viewers: to},
		&world.AppearanceChanged{Player: other, Before: world.Appearance{Clan: "A"}, Viewers: to},
		&world.Vanished{Viewer: me, ID: world.EntityID(other.ID)},
		&world.Vanished{Viewer: me, ID: object.ID}}
	tell := func(events ...world.Event) (n int) {
		t.Helper()
		g.server.Happened(events)
		g.run()
		for _, f := range a.frames() { // but for regular ones that have waited for others
			if b := f.Body; b != nil && b.Sections[0].Class != packets.ClassMain &&
				b.Sections[0].Class != packets.ClassStat && !regenerates(b) {
				n++
			}
		}
		return n
	}
	if n := tell(about...); n != 0 {
		t.Errorf("%d frames about somebody and something that the client does not hold", n)
	}
	self := *other
	self.ID = me
	if n := tell(&world.Appeared{Viewer: me, Player: &self}); n != 0 {
		t.Errorf("the client is given itself in %d frames", n)
	}
	appear := []world.Event{&world.Appeared{Viewer: me, Player: other}, &world.ObjectAppeared{Viewer: me, Object: object}}
	if n := tell(appear...); n != 3 {
		t.Errorf("somebody and something appear in %d frames, want 3", n)
	}
	if n := tell(appear...); n != 0 {
		t.Errorf("what the client holds is given to it again in %d frames", n)
	}
	// A step waits for a moment, or for an urgent message.
	if n := tell(about[0]); n != 0 {
		t.Errorf("a step in %d frames at once", n)
	}
	g.pass(500 * time.Millisecond)
	steps := 0
	for _, f := range a.frames() {
		if f.Body != nil && f.Body.HasOrigin {
			steps++
		}
	}
	if steps != 1 {
		t.Errorf("a step in %d frames", steps)
	}
	tell(about...)
	if n := tell(about...); n != 0 {
		t.Errorf("%d frames about what was taken from the client", n)
	}
	if n := tell(&world.Moved{ID: world.EntityID(me), To: emptyArea, Viewers: []world.PlayerID{0xFFFF, 1 << 20}}); n != 0 {
		t.Errorf("%d frames for witnesses who have gone", n)
	}
}
