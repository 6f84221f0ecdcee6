package game

import (
	"fmt"
	"testing"

	"sphereserver/coords"
	"sphereserver/packets"
)

// An observer is the view of a client: everything it was given and not taken from it, as it was told last. It fails
// the test when the server says something that would crash a client.
type observer struct {
	t    testing.TB
	conn *conn
	me   packets.ObjectID

	held    map[packets.ObjectID]*seen            // other players, and objects around
	carried map[packets.ObjectID]bool             // items that are in something
	parents map[packets.ObjectID]packets.ObjectID // of carried items: their containers, as told last
	slots   map[uint8]packets.ObjectID            // of the own player
	at      coords.Position                       // where the client believes to be, after a teleport
	sent    bool                                  // a teleport came
	diary   []string                              // frames, in order
}

// A seen is a player or an object that a client holds.
type seen struct {
	class  packets.Class
	name   string
	at     coords.Position
	angle  coords.Angle8
	exact  bool // at is exact, and not in steps
	lies   bool // it is an item that lies there, or something like that
	gear   *packets.SetWornGear
	clan   string
	spawn  *packets.PlayerSpawn
	values map[packets.Stat]uint32
	code   int32 // of the name
	told   []string
}

func (c *conn) observe() *observer {
	return &observer{t: c.g.t, conn: c, me: c.s().ID(), held: map[packets.ObjectID]*seen{},
		carried: map[packets.ObjectID]bool{},
		parents: map[packets.ObjectID]packets.ObjectID{}, slots: map[uint8]packets.ObjectID{}}
}

// look reads the frames that have come.
func (e *observer) look() {
	e.t.Helper()
	e.diary = e.diary[:0]
	for _, f := range e.conn.frames() {
		if f.Body == nil {
			e.note("%v", f.Channel)
			continue
		}
		for i := range f.Body.Sections {
			s := &f.Body.Sections[i]
			switch s.Class {
			case packets.ClassMain, packets.ClassStat, packets.ClassChat:
				e.note("%v", s.Class)
			case packets.ClassNone:
				e.removed(s.Object)
			default:
				e.told(f.Body, s)
			}
		}
	}
}

func (e *observer) note(format string, args ...any) {
	e.diary = append(e.diary, fmt.Sprintf(format, args...))
}

func (e *observer) removed(id packets.ObjectID) {
	e.t.Helper()
	e.note("removal")
	if e.carried[id] {
		delete(e.carried, id)
		delete(e.parents, id)
		return
	}
	if e.held[id] == nil {
		e.t.Fatalf("%v: %v is removed, which the client does not hold", e.me, id)
	}
	delete(e.held, id)
}

func (e *observer) told(b *packets.Body, s *packets.Section) {
	e.t.Helper()
	if s.Class == packets.ClassPlayer && s.Object == e.me {
		for _, r := range s.Regions {
			e.own(r)
		}
		return
	}
	for _, r := range s.Regions {
		switch m := r.(type) {
		case *packets.PlayerSpawn:
			e.note("spawn")
			copied := *m
			e.give(s, &seen{class: s.Class, name: m.Name, at: coords.Position{X: m.X, Y: m.Y, Z: m.Z}, angle: m.Angle,
				exact: true, spawn: &copied,
				clan: m.Clan, values: map[packets.Stat]uint32{packets.StatHP: uint32(m.HP), packets.StatMaxHP: uint32(m.MaxHP)}})
			continue
		case *packets.SpawnSnapshot:
			if m.Placement == packets.Contained {
				if e.carried[s.Object] || e.held[s.Object] != nil {
					e.t.Fatalf("%v: the carried %v has the id of something else", e.me, s.Object)
				}
				e.carried[s.Object] = true
				continue
			}
			e.note("spawn")
			e.give(s, &seen{class: s.Class, at: coords.Position{X: m.X, Y: m.Y, Z: m.Z}, angle: m.Angle, exact: true,
				lies: m.Placement == packets.Lying})
			continue
		case *packets.TransformState:
			if e.handed(s, m) {
				continue
			}
		}
		if e.carried[s.Object] {
			e.inside(s, r)
			continue
		}
		o := e.held[s.Object]
		if o == nil || o.class != s.Class {
			e.t.Fatalf("%v: %s about %v of class %v, which the client does not hold", e.me, packets.Name(r), s.Object, s.Class)
		}
		e.change(b, o, r)
	}
}

// handed notes that something that lay is in something now, or the other way round: it keeps its id.
func (e *observer) handed(s *packets.Section, m *packets.TransformState) bool {
	at := coords.Position{X: m.X, Y: m.Y, Z: m.Z}
	switch o := e.held[s.Object]; {
	case o != nil && m.Placement == packets.Contained:
		delete(e.held, s.Object)
		e.carried[s.Object] = true
	case e.carried[s.Object] && m.Placement == packets.Lying:
		delete(e.carried, s.Object)
		delete(e.parents, s.Object)
		e.held[s.Object] = &seen{class: s.Class, at: at, exact: true, lies: true}
	default:
		return false
	}
	return true
}

// inside reads a region about the contents of a container.
func (e *observer) inside(s *packets.Section, r packets.Region) {
	e.t.Helper()
	c, _ := packets.CommandOf(r)
	if p, ok := c.(*packets.PutInto); ok {
		if p.Parent != e.me && !e.carried[p.Parent] && e.held[p.Parent] == nil {
			e.t.Fatalf("%v: %v is put into %v, which the client does not hold", e.me, s.Object, p.Parent)
		}
		e.parents[s.Object] = p.Parent
	}
}

// empty are the own slots that are told to hold an item that the client does not have.
func (e *observer) empty() (out []uint8) {
	for slot, id := range e.slots {
		if !e.carried[id] || e.parents[id] != e.me {
			out = append(out, slot)
		}
	}
	return out
}

func (e *observer) give(s *packets.Section, o *seen) {
	e.t.Helper()
	if e.held[s.Object] != nil || e.carried[s.Object] {
		e.t.Fatalf("%v: %v spawns, which the client holds already", e.me, s.Object)
	}
	if (s.Class == packets.ClassPlayer) != (packets.PlayerIndexOf(s.Object) >= packets.FirstPlayerIndex) {
		e.t.Fatalf("%v: %v is an id of others than class %v", e.me, s.Object, s.Class)
	}
	e.held[s.Object] = o
}

// own is something about the client's own player.
func (e *observer) own(r packets.Region) {
	if c, ok := packets.CommandOf(r); ok {
		e.note("own %s", packets.Name(c))
		switch c := c.(type) {
		case *packets.FillSlot:
			if e.slots[c.Slot] = c.Item; c.Item == packets.NoObject {
				delete(e.slots, c.Slot)
			}
		case *packets.ClearSlot:
			delete(e.slots, c.Slot)
		}
		if to, ok := c.(*packets.SetCoordinates); ok {
			e.at, e.sent = coords.Position{X: to.X, Y: to.Y, Z: to.Z, Yaw: to.Yaw}, true
		}
		return
	}
	e.note("own %s", packets.Name(r))
}

func (e *observer) change(b *packets.Body, o *seen, r packets.Region) {
	switch m := r.(type) {
	case *packets.SetWornGear:
		copied := *m
		o.gear = &copied
		o.told = append(o.told, "gear")
	case *packets.TransformUpdate:
		if !b.HasOrigin {
			e.t.Fatalf("%v: a movement without an origin", e.me)
		}
		o.at = coords.Position{X: m.X.Decode(b.Origin.X), Y: m.Y.Decode(b.Origin.Y), Z: m.Z.Decode(b.Origin.Z)}
		o.angle, o.exact = m.Angle, false
		o.told = append(o.told, "walk")
	case *packets.TransformState:
		o.at, o.angle, o.exact = coords.Position{X: m.X, Y: m.Y, Z: m.Z}, m.Angle, true
		o.told = append(o.told, "jump")
	}
	c, _ := packets.CommandOf(r)
	switch m := c.(type) {
	case *packets.DisplayName:
		o.code = m.Code
	case *packets.ClanTag:
		if o.clan = m.Clan; m.Rank == packets.ClanLeft {
			o.clan = ""
		}
	case *packets.NameplateStat:
		o.values[m.Stat] = uint32(m.Value)
		o.told = append(o.told, m.Stat.String())
	case *packets.NameplateStat32:
		o.values[m.Stat] = m.Value
		o.told = append(o.told, m.Stat.String())
	}
}

// player returns how another player is seen, nil if it is not.
func (e *observer) player(c *conn) *seen {
	e.look()
	return e.held[c.s().ID()]
}

// people is how many players are held.
func (e *observer) people() (n int) {
	for _, o := range e.held {
		if o.class == packets.ClassPlayer {
			n++
		}
	}
	return n
}
