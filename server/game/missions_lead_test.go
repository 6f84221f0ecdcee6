package game

import (
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/server/session"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// Messages about led people were never recorded in one piece, but in parts: a person that comes into sight, one that
// walks, and a mission that is fulfilled without a kill (row 645).

// mission is the mission that the store has of a player.
func (p *possessor) mission(t *testing.T) (m rules.Mission) {
	t.Helper()
	all, err := p.g.store.Items(t.Context(), p.p().character.ID)
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		if has, ok := rules.MissionOf(&all[i]); ok {
			m = has
		}
	}
	return m
}

// marked are the places that a client is told to mark on its map.
func marked(frames []*packets.Frame) (out []coords.Position) {
	for _, m := range commandsOf[*packets.MapMark](frames) {
		out = append(out, coords.Position{X: m.X, Z: m.Z})
	}
	return out
}

// aboutObject are the parts of frames that are about an object, each with the body in which it is.
func aboutObject(frames []*packets.Frame, id packets.ObjectID, do func(b *packets.Body, s *packets.Section)) {
	for _, f := range frames {
		for i := 0; f.Body != nil && i < len(f.Body.Sections); i++ {
			if s := &f.Body.Sections[i]; s.Object == id {
				do(f.Body, s)
			}
		}
	}
}

// leads goes to the person of a mission, which the client has seen before or sees then, and walks with it to a place.
// It returns the body that says that the mission is fulfilled.
func (p *possessor) leads(t *testing.T, name int32, to coords.Position, before []*packets.Frame) []packets.Section {
	t.Helper()
	p.g.pass(1500 * time.Millisecond) // for the snapshot
	var who view.IDEntry
	var at coords.Position
	frames := before
	for o := range p.g.server.World().Objects() {
		if npc, ok := o.Kind.(world.NPC); ok && npc.Key == "mission" && npc.Name == name {
			at = o.Position
			p.goTo(at)
			p.g.until("he is seen", func() (seen bool) {
				frames = append(frames, p.frames()...)
				who, seen = p.p().client.IDs.Object(o.ID)
				return seen
			})
		}
	}
	id := packets.ObjectID(who.ID)
	var spawn []string
	aboutObject(frames, id, func(_ *packets.Body, s *packets.Section) {
		m, ok := s.Regions[0].(*packets.SpawnSnapshot)
		if !ok {
			return
		}
		spawn = kinds(&packets.Body{Sections: []packets.Section{*s}})
		if s.Class != 201 || m.X != at.X || m.Y != at.Y || m.Z != at.Z || m.Placement == packets.Contained ||
			!slices.ContainsFunc(s.Regions, func(r packets.Region) bool {
				c, _ := packets.CommandOf(r)
				called, ok := c.(*packets.DisplayName)
				return ok && called.Code == name
			}) {
			t.Errorf("who is led is told of as %v, %+v", s.Class, m)
		}
	})
	if want := []string{"SpawnSnapshot", "DisplayName"}; !slices.Equal(spawn, want) {
		t.Fatalf("who is led is told of as %q, expected %q", spawn, want)
	}
	p.p().Command("/mission lead")
	p.g.until("he follows", func() bool { return len(p.system()) > 0 })
	var end []packets.Section
	steps, gone := 0, false
	for try := 0; try < 600 && (end == nil || !gone); try++ {
		if d := float32(at.Distance(to)); d > 1 {
			at.X, at.Y, at.Z = at.X+(to.X-at.X)/d, at.Y+(to.Y-at.Y)/d, at.Z+(to.Z-at.Z)/d
		}
		p.ping(at)
		p.g.pass(400 * time.Millisecond)
		frames := p.frames()
		for _, f := range frames {
			if f.Body != nil && has("LeaveContainer")(kinds(f.Body)) {
				end = f.Body.Sections
			}
		}
		aboutObject(frames, id, func(b *packets.Body, s *packets.Section) {
			if s.Class == packets.ClassNone {
				gone = true
				return
			}
			if _, walks := s.Regions[0].(*packets.TransformUpdate); !walks || s.Class != 201 || !b.HasOrigin || gone {
				t.Errorf("on the way he is told of by %s", packets.Name(s.Regions[0]))
			}
			steps++
		})
	}
	if end == nil || !gone || steps < 10 {
		t.Fatalf("fulfilled %t, he is gone %t, and has made %d steps", end != nil, gone, steps)
	}
	return end
}

// asRow645 compares the body that says that a mission is fulfilled with the recorded one of a mission without a kill.
func (p *possessor) asRow645(t *testing.T, end []packets.Section) {
	t.Helper()
	const chance = `(X|Y|Z|Angle|Value)=\S+`
	for _, f := range originals(t) {
		if f.row != 645 {
			continue
		}
		was := fightWords(f.body.Sections, map[packets.ObjectID]string{playerIn(f.body.Sections): "player"}, chance)
		is := fightWords(end, map[packets.ObjectID]string{p.s().ID(): "player"}, chance)
		if !slices.Equal(was, is) {
			t.Errorf("recorded\n  %s\nours\n  %s", strings.Join(was, "\n  "), strings.Join(is, "\n  "))
		}
	}
}

// degrees gives the player a mission of a kind for the degree, and returns it with the message to the client, in
// which a key names the person and the template.
func degrees(t *testing.T, kind string) (*possessor, rules.Mission) {
	t.Helper()
	p := questing(t, kind)
	p.givesTo(func(g *rules.MissionGiver) { g.Goals = [rules.MissionGoals]bool{rules.DegreeGoal: true} })
	npc := p.seen(view.NPCEntry)
	p.frames()
	p.say(packets.Message(1000, packets.ObjectID(npc.ID), npc.Class, contMan(&packets.MissionRequest{Data: []byte{1}})))
	p.g.pass(300 * time.Millisecond)
	frames := p.frames()
	m := p.mission(t)
	if m.Template != kind {
		t.Fatalf("given is %+v", m)
	}
	if target := commandsOf[*packets.MissionTarget](frames); len(target) != 1 || target[0].Name != m.Target ||
		string(target[0].Template[:]) != kind {
		t.Errorf("the key is told of as %+v", target)
	}
	if got := marked(frames); len(got) != 1 || got[0] != (coords.Position{X: m.At.X, Z: m.At.Z}) {
		t.Errorf("marked are %v, the mission leads to %v", got, m.At)
	}
	return p, m
}

// A person is found outside and led to a teleport: the messages at the beginning, on the way, at the end, and at each
// entry before that.
func TestLifeMissionOfAGuideIsTold(t *testing.T) {
	t.Parallel()
	p, m := degrees(t, "h000")
	login := "owner" + p.s().Index().String()
	p.hangUp()
	p.g.until("the character is saved", func() bool { return p.g.server.AccountsOnline() == 0 })
	c := p.g.connect()
	c.in(session.Handshaken)
	c.login(login, "secret")
	p.g.until("the screen", func() bool { return c.s().State() == session.CharacterScreen })
	c.choose(0, &packets.EnterWorld{})
	p.g.until("entering", func() bool { return c.s().State() == session.Entering })
	c.say(c.own(manager(&packets.Ready{Value: 0x34})))
	p.g.until("in the world", func() bool { return c.s().State() == session.InWorld })
	p.g.pass(300 * time.Millisecond)
	if got := marked(c.frames()); len(got) != 1 || got[0] != (coords.Position{X: m.At.X, Z: m.At.Z}) {
		t.Errorf("at the entry %v are marked, the mission leads to %v", got, m.At)
	}
	again := &possessor{conn: c, names: map[packets.ObjectID]string{c.s().ID(): "player"}}
	end := m.At
	end.X += 45
	again.g.server.world.Do(world.Put{Object: world.Object{Position: end, Kind: world.Portal{Class: rules.ClassTeleport}}})
	again.asRow645(t, again.leads(t, m.Target, end, nil))
	if n := again.missions(t); n != 0 {
		t.Errorf("%d keys are left", n)
	}
}

// A prisoner is freed in the dungeon and led out of it. No obstacle lies on the way.
func TestLifeMissionOfAPrisonerIsTold(t *testing.T) {
	t.Parallel()
	p, m := degrees(t, "f000")
	door := p.seen(view.PortalEntry)
	p.say(packets.Message(1000, packets.ObjectID(door.ID), door.Class, contMan(&packets.Use{Player: p.s().ID()})))
	p.g.pass(1500 * time.Millisecond) // for the snapshot
	inside := p.frames()
	var out coords.Position
	for o := range p.g.server.World().Objects() {
		if door, ok := o.Kind.(world.Portal); ok && door.Class == rules.ClassDoorOut && rules.AmongInstances(o.Position) {
			out = o.Position
		}
	}
	p.asRow645(t, p.leads(t, m.Target, out, inside))
	if n := p.missions(t); n != 0 {
		t.Errorf("%d keys are left", n)
	}
}
