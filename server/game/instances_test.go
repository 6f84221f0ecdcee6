package game

import (
	"context"
	"encoding/hex"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/packets/packetstest"
	"sphereserver/server/ops"
	"sphereserver/server/session"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// inDungeons has new characters begin in dungeons of their own.
func inDungeons(o *Options) {
	crowded(o)
	o.NewcomersDungeon = true
}

// A sighting is an object as a client is told of it.
type sighting struct {
	class     packets.Class
	spawn     packets.SpawnSnapshot
	more      []packets.Region
	contained bool
}

// sightings are all objects that frames tell of, in order. A frame that is full goes on in the next one.
func sightings(frames []*packets.Frame) (out []*sighting) {
	at := map[packets.ObjectID]*sighting{}
	for _, f := range frames {
		if f.Body == nil {
			continue
		}
		for _, s := range f.Body.Sections {
			for _, r := range s.Regions {
				switch m := r.(type) {
				case *packets.SpawnSnapshot:
					is := &sighting{class: s.Class, spawn: *m, contained: m.Placement == packets.Contained}
					at[s.Object] = is
					out = append(out, is)
				case *packets.TransformUpdate, *packets.PlayerCountSpawn:
				default:
					if is := at[s.Object]; is != nil {
						is.more = append(is.more, r)
					}
				}
			}
		}
	}
	return out
}

// fromOrigin counts all places from the origin, to the centimetre.
func (s *sighting) fromOrigin(x, y, z float32) {
	// A quarter of one is added, so that no recorded place is on the border.
	cm := func(v, o float32) float32 { return float32(math.Round(float64(v-o)*100+0.25) / 100) }
	s.spawn.X, s.spawn.Y, s.spawn.Z = cm(s.spawn.X, x), cm(s.spawn.Y, y), cm(s.spawn.Z, z)
	for _, r := range s.more {
		m, ok := r.(*packets.ContMan)
		if !ok {
			continue
		}
		switch c := m.Command.(type) {
		case *packets.ChestPlace:
			c.X, c.Y, c.Z = cm(c.X, x), cm(c.Y, y), cm(c.Z, z)
		case *packets.ChestTurn:
			c.Yaw, c.Pitch, c.Roll = cm(c.Yaw, 0), cm(c.Pitch, 0), cm(c.Roll, 0)
		}
	}
}

// recordedDungeon are the objects of the recorded start dungeon that belong to it, counted from its origin: not the
// player's own, nor the chests of a tavern.
func recordedDungeon(t *testing.T) []*sighting {
	t.Helper()
	text, err := os.ReadFile("../../testdata/golden/start-dungeon.txt")
	if err != nil {
		t.Fatal(err)
	}
	var stream []byte
	for line := range strings.Lines(string(text)) {
		if b, err := hex.DecodeString(strings.ReplaceAll(strings.TrimSpace(line), " ", "")); err == nil {
			stream = append(stream, b...)
		}
	}
	frames := packetstest.Frames(t, stream, packets.Dialect2022)
	return slices.DeleteFunc(sightings(frames), func(s *sighting) bool {
		if s.contained || s.class == packets.ClassChest && s.spawn.X == -1100 {
			return true
		}
		s.fromOrigin(-1100, 4500, 1900)
		return false
	})
}

// Each object of the recorded start dungeon is in ours, at its place to 0.01 m, and the same bit by bit but for names.
func TestLifeCheck2_1TheDungeonIsTheRecordedOne(t *testing.T) {
	t.Parallel()
	recorded := recordedDungeon(t)
	if len(recorded) != 14 {
		t.Fatalf("%d objects were recorded", len(recorded))
	}
	g := newStage(t, inDungeons)
	c := g.connect().in(session.InWorld)
	g.pass(time.Second)
	frames := c.frames()
	ours := slices.DeleteFunc(sightings(frames), func(s *sighting) bool { return s.contained })
	if len(ours) < len(recorded) || ours[0].class != packets.ClassLabyrinth {
		t.Fatalf("%d objects are told, the first of class %v", len(ours), ours[0].class)
	}
	origin := ours[0].spawn
	for _, v := range []float32{origin.X, origin.Z} {
		if k := (v - 100) / 200; k != float32(math.Trunc(float64(k))) {
			t.Errorf("the origin is at %v, %v", origin.X, origin.Z)
		}
	}
	for _, s := range ours {
		s.fromOrigin(origin.X, origin.Y, origin.Z)
	}
	for _, want := range recorded {
		i := slices.IndexFunc(ours, func(s *sighting) bool {
			return s.class == want.class && math.Hypot(float64(s.spawn.X-want.spawn.X), float64(s.spawn.Z-want.spawn.Z)) < 0.05
		})
		if i < 0 {
			t.Errorf("%v at %v, %v is not there", want.class, want.spawn.X, want.spawn.Z)
			continue
		}
		if diff := cmp.Diff(want.spawn, ours[i].spawn); diff != "" {
			t.Errorf("%v: %s", want.class, diff)
		}
		if diff := cmp.Diff(want.more, ours[i].more); diff != "" {
			t.Errorf("%v: %s", want.class, diff)
		}
	}
	if m := commandsOf[*packets.SetCoordinates](frames); len(m) != 1 || m[0].X != origin.X+1.31 || m[0].Z != origin.Z+0.05 ||
		m[0].Y != origin.Y+1.61 {
		t.Errorf("then the player is put to %+v", m)
	}
	if beast, ok := firstEntry(c.p(), func(e *view.IDEntry) bool { return e.Kind == view.MonsterEntry }); !ok ||
		beast.Class != packets.ClassMonster {
		t.Error("no monster is seen")
	}
	// Check 2.11: at its offset, of its type, with all HP, and again after so long.
	i := slices.IndexFunc(ours, func(s *sighting) bool { return s.class == packets.ClassMonster })
	if i < 0 || math.Abs(float64(ours[i].spawn.X+48.4)) > 0.011 || math.Abs(float64(ours[i].spawn.Z-19.1)) > 0.031 ||
		math.Abs(float64(ours[i].spawn.Y-1.64)) > 0.011 {
		t.Errorf("the monster is told as %+v", ours[i].spawn)
	}
	for o := range g.server.World().Objects() {
		if m, ok := o.Kind.(*world.Monster); ok && (m.Type != rules.NewcomersMonster || m.HP != 64 || m.MaxHP != 64) {
			t.Errorf("the monster is %+v", m)
		}
	}
	if again := rules.DefaultBalance().Spawn.TutorialRespawn; again != 30*time.Second {
		t.Errorf("the next one comes after %v", again)
	}
}

// dungeonOf is the instance of a player as the latest snapshot has it, 0 for none.
func (c *conn) dungeonOf() world.InstanceID {
	c.g.server.world.Do(world.Publish{})
	c.g.pass(100 * time.Millisecond)
	v, _ := c.g.server.viewOf(c.pid())
	return v.Instance
}

// known is the client's id of the first thing of a class.
func (c *conn) known(class packets.Class) packets.ObjectID {
	c.g.t.Helper()
	e, ok := firstEntry(c.p(), func(e *view.IDEntry) bool { return e.Class == class })
	if !ok {
		c.g.t.Fatalf("no %v is seen", class)
	}
	return packets.ObjectID(e.ID)
}

// walk brings a player to an offset from the origin of its instance.
func (c *conn) walk(x, y, z float32) {
	c.g.t.Helper()
	v, _ := c.g.server.viewOf(c.pid())
	o := rules.InstanceOrigin(int(v.Instance) - 1)
	to := coords.Position{X: o.X + x, Y: o.Y + y, Z: o.Z + z}
	for range 40 {
		here := c.p().Here()
		d := here.Distance(to)
		if d < 0.1 {
			break
		}
		part := float32(min(1, 3/d))
		c.ping(coords.Position{X: here.X + part*(to.X-here.X), Y: here.Y + part*(to.Y-here.Y), Z: here.Z + part*(to.Z-here.Z)})
		c.g.pass(500 * time.Millisecond)
	}
	if d := c.p().Here().Distance(to); d > 1 {
		c.g.t.Fatalf("it is %v m from where it went", d)
	}
}

// The way out, as a newcomer finds it: the sword, the token, the teleport, Torweal.
func TestLifeCheck2_2And5TheWayOut(t *testing.T) {
	t.Parallel()
	g := newStage(t, func(o *Options) { inDungeons(o); o.Dialect = packets.Dialect2022 })
	c := g.connect().in(session.InWorld)
	other := g.connect().in(session.InWorld)
	g.pass(time.Second)
	if a, b := c.dungeonOf(), other.dungeonOf(); a == 0 || b == 0 || a == b {
		t.Fatalf("they are in %d and %d", a, b)
	}
	if len(c.p().client.IDs.Entries(func(e *view.IDEntry) bool { return e.Class == packets.ClassPlayer })) > 0 {
		t.Error("one sees the other")
	}
	take := func(class packets.Class) {
		t.Helper()
		c.frames()
		c.say(c.own(manager(&packets.PickUp{Item: uint32(c.known(class))})))
		g.pass(200 * time.Millisecond)
		if n := commandsOf[*packets.FillSlot](c.frames()); len(n) != 1 || n[0].Item == 0 {
			t.Fatalf("%v is taken as %+v", class, n)
		}
	}
	c.walk(-28, 1.6, 2)
	take(packets.ClassStartSword)
	c.walk(0.4, 1.6, 43)
	take(packets.ClassTokenStart)
	c.say(packets.Message(0, c.known(packets.ClassTokenStart), packets.ClassTokenStart,
		contMan(&packets.UseOn{Player: c.s().ID(), Target: c.known(63)})))
	g.pass(300 * time.Millisecond)
	frames := c.frames()
	for _, f := range originals(t) {
		if f.row != 860 {
			continue
		}
		i := slices.IndexFunc(frames, func(f *packets.Frame) bool {
			return len(commandsOf[*packets.SetCoordinates]([]*packets.Frame{f})) > 0
		})
		if i < 0 || len(frames[i].Body.Sections) < len(f.body.Sections) {
			t.Fatal("the token is not answered")
		}
		sameKinds(t, f.row, f.body.Sections, frames[i].Body.Sections[:len(f.body.Sections)]) // objects that vanish follow
	}
	m := commandsOf[*packets.SetCoordinates](frames)
	if len(m) != 1 || m[0].X != 2290.30 || m[0].Y != 155.29 || m[0].Z != -2388.89 || m[0].Yaw != -0.889 {
		t.Fatalf("the token leads to %+v", m)
	}
	if c.dungeonOf() != 0 {
		t.Error("it is still in its dungeon")
	}
	for range 90 {
		c.ping(c.p().Here())
		other.ping(other.p().Here())
		g.pass(time.Second)
	}
	if all := g.server.world.Snapshot().Instances; len(all) != 1 || !all[0].Emptied.IsZero() {
		t.Errorf("a minute later there are %+v", all)
	}
	// A player that has left it once does not come back.
	id := c.s().Character().ID
	c.hangUp()
	g.until("it is saved", func() bool {
		ch, err := g.store.CharacterByID(t.Context(), id)
		return err == nil && !ch.Tutorial && ch.Position.Distance(coords.Position{X: 2290.3, Y: 155.29, Z: -2388.89}) < 1
	})
}

func TestLifeCheck2_6And7WhoComesBackIsInAFreshDungeon(t *testing.T) {
	t.Parallel()
	g := newStage(t, inDungeons)
	c := g.connect().in(session.InWorld)
	g.pass(time.Second)
	was, login := c.dungeonOf(), "tester"+c.s().Index().String()
	c.walk(-28, 1.6, 2)
	c.say(c.own(manager(&packets.PickUp{Item: uint32(c.known(packets.ClassStartSword))})))
	g.pass(time.Second)
	id := c.s().Character().ID
	c.hangUp()
	g.until("it is saved", func() bool {
		ch, err := g.store.CharacterByID(t.Context(), id)
		return err == nil && rules.AmongInstances(ch.Position) && ch.Tutorial && ch.Played > 0
	})
	g.pass(time.Second)
	again := g.connect().in(session.Handshaken)
	again.login(login, "secret")
	g.until("the screen", func() bool { return again.s().State() == session.CharacterScreen })
	again.choose(0, &packets.EnterWorld{})
	g.until("entering", func() bool { return again.s().State() == session.Entering })
	again.say(again.own(manager(&packets.Ready{Value: 0x34})))
	g.until("in the world", func() bool { return again.s().State() == session.InWorld })
	g.pass(time.Second)
	if is := again.dungeonOf(); is == 0 || is == was {
		t.Errorf("it was in dungeon %d and is in %d", was, is)
	}
	items, err := g.store.Items(t.Context(), id)
	if err != nil || len(items) != 3 { // bread, inkpot, and the sword from the old one
		t.Errorf("it carries %d things, %v", len(items), err)
	}
}

func TestLifeCheck2_3WithoutRoomOneBeginsInTheCityAndIsTold(t *testing.T) {
	t.Parallel()
	g := newStage(t, func(o *Options) { inDungeons(o); o.World.Instances = 1 })
	g.connect().in(session.InWorld)
	c := g.connect().in(session.InWorld)
	g.pass(time.Second)
	frames := c.frames()
	start := g.server.options.Start
	if m := commandsOf[*packets.SetCoordinates](frames); len(m) != 1 || m[0].X != start.X || c.dungeonOf() != 0 {
		t.Errorf("it is put to %+v", m)
	}
	told := false
	for _, m := range commandsOf[*packets.SystemMessage](frames) {
		told = told || m.Text == thingRefusals[rules.NoCell].Russian
	}
	if !told {
		t.Error("it is not told why")
	}
}

func TestLifeCheck2_10WithoutTheSettingOneBeginsInTheCity(t *testing.T) {
	t.Parallel()
	g := newStage(t, crowded)
	c := g.connect().in(session.InWorld)
	g.pass(time.Second)
	if m := commandsOf[*packets.SetCoordinates](c.frames()); len(m) != 0 || c.p().Here() != g.server.options.Start {
		t.Errorf("it is at %v", c.p().Here())
	}
	// A character that an older setting has left in a cell of the grid is not left in the void.
	for at, want := range map[coords.Position]coords.Position{
		{X: 3700, Y: 4501, Z: 1100}: g.server.options.Start, {X: -1100, Y: 4501, Z: 1930}: {X: -1100, Y: 4501, Z: 1930},
		{X: 1, Y: 155, Z: 2}: {X: 1, Y: 155, Z: 2},
	} {
		l, is := g.server.begins(&data.Character{Position: at, Tutorial: true})
		if l != nil || is != want {
			t.Errorf("who was at %v begins at %v", at, is)
		}
	}
}

func TestAllLayoutsHoldWhatTheyShow(t *testing.T) {
	t.Parallel()
	g := newStage(t, inDungeons)
	l := g.server.newcomers
	if l == nil || l.Charted != (coords.Position{X: -1100, Y: 4500, Z: 1900}) || len(l.Lairs) != 1 {
		t.Fatalf("%+v", l)
	}
	for _, p := range l.Pieces {
		for _, item := range p.Things {
			if item.Weight == 0 {
				t.Errorf("class %d weighs nothing", item.Class)
			}
		}
	}
	if layoutOf("nowhere", g.server.options.World.Tables, coords.Position{}) != nil {
		t.Error("there is a layout that nobody knows")
	}
	if len(content.Pieces(content.Newcomers)) != len(l.Pieces)+2 {
		t.Error("a piece is lost")
	}
}

// An operator is answered when the player is in the instance; and told in words of a world without room for one, and of
// a player that is not there.
func TestOperatorsAreAnsweredWhenSomebodyIsInside(t *testing.T) {
	t.Parallel()
	g := newStage(t, func(o *Options) { crowded(o); o.World.Instances = 1 })
	p := g.possessing(0)
	who := ops.CharacterName{ID: p.s().Character().ID}
	enter := func(r ops.InstanceEntry) (is ops.Character, err error) {
		t.Helper()
		err = g.doing(func(ctx context.Context) (err error) {
			is, err = ops.EnterInstance.Do(ctx, g.server.ops, ops.Owner("test"), r)
			return err
		})
		return is, err
	}
	is, err := enter(ops.InstanceEntry{CharacterName: who})
	v, _ := g.server.viewOf(p.pid())
	if err != nil || rules.InstanceCell(is.Position) < 0 || v.Instance != 1 {
		t.Errorf("answered %v at %v while it is in instance %d", err, is.Position, v.Instance)
	}
	_, err = enter(ops.InstanceEntry{CharacterName: who})
	var said ops.Localized
	if ops.RejectedBy(err) != rules.NoCell || !errors.As(err, &said) || said.In(true) != "Все подземелья заняты." {
		t.Errorf("where there is no room: %v", err)
	}
	account := p.s().Account()
	p.hangUp()
	g.until("the account is free", func() bool { return g.server.Presence(account) == nil })
	if _, err = enter(ops.InstanceEntry{CharacterName: who, Number: 1}); !errors.Is(err, ops.ErrNotInWorld) {
		t.Errorf("who has gone: %v", err)
	}
}
