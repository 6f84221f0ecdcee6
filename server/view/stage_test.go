package view

import (
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/packets/packetstest"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A stage is a view with clients that take their batches at once.
type stage struct {
	*View
	t       *testing.T
	viewers map[world.PlayerID]*viewer
}

// A viewer is a client, with names for the ids that it knows.
type viewer struct {
	*Client
	got   []byte
	names map[packets.ObjectID]string
}

func (o *viewer) Receive(b *Outbox)       { b.Empty(o) }
func (o *viewer) SendBytes(frames []byte) { o.got = append(o.got, frames...) }

func (o *viewer) SendBytesSoon(frames []byte) { o.SendBytes(frames) }
func (o *viewer) Ending() bool                { return false }

// me, friend and stranger are the viewers.
const me, friend, stranger = world.PlayerID(packets.FirstPlayerIndex), me + 1, me + 2

func newStage(t *testing.T) *stage {
	balance := rules.DefaultBalance()
	s := &stage{t: t, viewers: map[world.PlayerID]*viewer{}, View: New(Options{Log: slog.New(slog.DiscardHandler),
		Tables: new(rules.Tables), Clock: standing(7),
		Balance: func() *rules.Balance { return balance },
		Place:   func(world.PlayerID) coords.Position { return spot }})}
	queue := emptied(s.View)
	for _, id := range []world.PlayerID{me, friend, stranger} {
		v := &viewer{names: map[packets.ObjectID]string{}}
		v.Client = NewClient(id, "", v, queue)
		v.names[v.ID()] = "player"
		s.viewers[id] = v
		s.Attach(v.Client)
	}
	return s
}

// carries gives a client items, and names for them.
func (s *stage) carries(id world.PlayerID, items map[string]rules.Item) {
	for _, name := range sortedKeys(items) {
		s.viewers[id].KnowCarried([]rules.Item{items[name]})
		k, _ := s.viewers[id].IDs.Item(items[name].ID)
		s.viewers[id].names[k.objectID()] = name
	}
}

func sortedKeys[V any](m map[string]V) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// sees puts an object before a client under a name.
func (s *stage) sees(id world.PlayerID, name string, o *world.Object) {
	s.t.Helper()
	s.ObjectAppeared(&world.ObjectAppeared{Viewer: id, Object: o})
	k, ok := s.viewers[id].IDs.Object(o.ID)
	if !ok {
		s.t.Fatalf("%s is not shown", name)
	}
	s.viewers[id].names[k.objectID()] = name
	s.hears(id)
}

// hears ends the tick and returns the messages to a client in it: the bodies divided by "|".
func (s *stage) hears(id world.PlayerID) (out []string) {
	s.t.Helper()
	s.EndTick()
	s.BeginTick()
	v := s.viewers[id]
	for _, f := range packetstest.Frames(s.t, v.got, packets.Dialect2026) {
		if len(out) > 0 {
			out = append(out, "|")
		}
		out = append(out, v.inWords(f.Body.Sections)...)
	}
	v.got = nil
	return out
}

func (v *viewer) name(id packets.ObjectID) string {
	if id == 0 {
		return "nothing"
	}
	if _, ok := v.names[id]; !ok {
		v.names[id] = fmt.Sprint("item ", len(v.names))
	}
	return v.names[id]
}

func (v *viewer) inWords(sections []packets.Section) (words []string) {
	for _, s := range sections {
		if s.Class == packets.ClassNone {
			words = append(words, "removal of "+v.name(s.Object))
		}
		for _, region := range s.Regions {
			var what any = region
			if c, ok := packets.CommandOf(region); ok {
				what = c
			}
			fields := reflect.ValueOf(what).Elem()
			text := v.name(s.Object) + ": " + fields.Type().Name()
			for i := range fields.NumField() {
				f := fields.Field(i).Interface()
				if id, ok := f.(packets.ObjectID); ok {
					f = v.name(id)
				}
				if !fields.Field(i).IsZero() {
					text += fmt.Sprintf(" %s=%v", fields.Type().Field(i).Name, f)
				}
			}
			words = append(words, text)
		}
	}
	return words
}

// expect compares the messages that a client was told.
func (s *stage) expect(what string, id world.PlayerID, want ...string) {
	s.t.Helper()
	if have := s.hears(id); !slices.Equal(have, want) {
		s.t.Errorf("%s:\n  %s\nwant\n  %s", what, strings.Join(have, "\n  "), strings.Join(want, "\n  "))
	}
}

func thing(id rules.ItemID, slot, count int) rules.Item {
	return rules.Item{ID: id, Slot: slot, Class: int(packets.ClassBread), Suffix: rules.NoSuffix, Count: count, Weight: 8}
}

func holding(item rules.Item) world.SlotNow {
	return world.SlotNow{Slot: item.Slot, Item: item.ID, Weight: item.Weight * item.Count}
}

func TestAnOutboxIsEmptiedInItsOrder(t *testing.T) {
	s := newStage(t)
	var order []int
	s.Call(me, func(o Owner) { order = append(order, len(o.(*viewer).got)) })
	s.ShareOut([]world.PlayerID{me, 99}, []byte("four"), false)
	s.Call(me, func(o Owner) { order = append(order, len(o.(*viewer).got)) })
	s.Call(99, func(Owner) { t.Error("a client that has gone is called") })
	s.ShareOut([]world.PlayerID{me}, []byte("more"), false)
	s.EndTick()
	if !slices.Equal(order, []int{0, 4}) || string(s.viewers[me].got) != "fourmore" {
		t.Errorf("calls behind %v bytes, sent %q", order, s.viewers[me].got)
	}
	s.Detach(s.viewers[me].Client)
	s.ShareOut([]world.PlayerID{me}, []byte("late"), false)
	s.EndTick()
	if string(s.viewers[me].got) != "fourmore" {
		t.Errorf("a client that has gone is sent %q", s.viewers[me].got)
	}
}

// A session that ends in a call gets nothing behind it.
func TestAnOutboxStopsWhenTheSessionEnds(t *testing.T) {
	o := &endingOwner{}
	b := &Outbox{urgent: true, frames: []byte("four more"), calls: []deferredCall{{4, func() { o.ended = true }}, {9, func() {
		t.Error("called after the end")
	}}}}
	if b.Empty(o); string(o.got) != "four" {
		t.Errorf("sent %q", o.got)
	}
}

type endingOwner struct {
	viewer
	ended bool
}

func (o *endingOwner) Ending() bool { return o.ended }
