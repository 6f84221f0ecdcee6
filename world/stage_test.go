package world

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A stage is a world with a clock that only tests move. It keeps all events, and holds each viewer's stream to the
// rules.
type stage struct {
	*World
	now    time.Time
	events []Event // copies
	views  map[PlayerID]*view
	wrong  []string // rules that were broken
}

// A view is a viewer's knowledge of others, by the events that it was told.
type view struct {
	players map[PlayerID]*shown
	objects map[EntityID]bool
}

// A shown player is one as a viewer has been told that it is.
type shown struct {
	at        coords.Position
	look      Appearance
	hp, maxHP int
}

func newStage(o Options) *stage {
	s := &stage{now: time.Unix(1_700_000_000, 0), views: map[PlayerID]*view{}}
	o.Seed = cmp.Or(o.Seed, 1)
	if o.Balance == nil {
		o.Balance = grown()
	}
	s.World = New(o, s)
	return s
}

// pass lets time go by, tick by tick, and returns the events.
func (s *stage) pass(d time.Duration) []Event {
	for end := s.now.Add(d); s.now.Before(end); {
		s.now = s.now.Add(TickPeriod)
		s.Tick(s.now)
	}
	return s.take()
}

// does gives commands, lets one tick go by, and returns the events.
func (s *stage) does(commands ...Command) []Event {
	for _, c := range commands {
		s.Do(c)
	}
	return s.pass(TickPeriod)
}

func (s *stage) take() []Event {
	out := s.events
	s.events = nil
	return out
}

// in lets players enter at one place.
func (s *stage) in(at coords.Position, ids ...PlayerID) []Event {
	for _, id := range ids {
		s.Do(Enter{Player{ID: id, Character: int64(id) + 1000, Name: fmt.Sprintf("Герой%d", id), Position: at,
			Pools: rules.Pools{HP: 50, MaxHP: 100, MP: 10, MaxMP: 100, Satiety: 50, MaxSatiety: 100}}})
	}
	return s.pass(TickPeriod)
}

func (s *stage) enter(id PlayerID) []Event { return s.in(shipstone, id) }

// sound fails the test if a rule was broken.
func (s *stage) sound(t testing.TB) {
	t.Helper()
	for i, w := range s.wrong {
		if i == 10 {
			t.Fatalf("and %d more", len(s.wrong)-10)
		}
		t.Error(w)
	}
	s.wrong = nil
}

func (s *stage) breaks(format string, args ...any) {
	s.wrong = append(s.wrong, fmt.Sprintf("tick %d: ", s.tick)+fmt.Sprintf(format, args...))
}

// Happened keeps copies of the events, and holds them to the rules.
func (s *stage) Happened(events []Event) {
	for _, e := range events {
		s.events = append(s.events, kept(e))
		s.hold(e)
	}
}

// kept copies an event with all that it points to.
func kept(e Event) Event {
	switch e := e.(type) {
	case *Appeared:
		p := *e.Player
		return &Appeared{e.Viewer, &p}
	case *Vanished:
		return &Vanished{e.Viewer, e.ID}
	case *ObjectAppeared:
		o := *e.Object
		return &ObjectAppeared{e.Viewer, &o}
	case *Moved:
		return &Moved{e.ID, e.To, slices.Clone(e.Viewers)}
	case *ObjectPlaced:
		return &ObjectPlaced{e.ID, e.To, slices.Clone(e.Viewers)}
	case *TeleportSeen:
		return &TeleportSeen{e.ID, e.To, slices.Clone(e.Viewers)}
	case *AppearanceChanged:
		p := *e.Player
		return &AppearanceChanged{&p, e.Before, slices.Clone(e.Viewers)}
	case *HealthSeen:
		return &HealthSeen{e.ID, e.HP, e.MaxHP, slices.Clone(e.Viewers)}
	case *PoolsChanged:
		c := *e
		return &c
	case *MonsterSwung:
		c := *e
		c.Viewers = slices.Clone(e.Viewers)
		return &c
	case *MonsterHurt:
		c := *e
		c.Viewers = slices.Clone(e.Viewers)
		return &c
	case *MonsterDied:
		c := *e
		c.Viewers = slices.Clone(e.Viewers)
		if e.Bag != nil {
			bag := *e.Bag
			c.Bag = &bag
		}
		return &c
	case *Said:
		c := *e
		c.To = slices.Clone(e.To)
		return &c
	}
	return e
}

// hold brings an event into the views, and notes breaches of the rules: events about an entity that a viewer does not
// hold, the same twice, or without a viewer.
func (s *stage) hold(e Event) {
	witnesses := func(what string, about EntityID, of []PlayerID, change func(*shown)) {
		id, isPlayer := about.Player()
		if len(of) == 0 {
			s.breaks("%s of %d is told to nobody", what, about)
		}
		told := map[PlayerID]bool{}
		for _, viewer := range of {
			switch v := s.views[viewer]; {
			case v == nil:
				s.breaks("%s of %d is told to %d who is not inside", what, about, viewer)
			case isPlayer && v.players[id] == nil || !isPlayer && !v.objects[about]:
				s.breaks("%s of %d is told to %d who does not see it", what, about, viewer)
			case told[viewer]:
				s.breaks("%s of %d is told twice to %d", what, about, viewer)
			case isPlayer:
				change(v.players[id])
			}
			told[viewer] = true
		}
	}
	switch e := e.(type) {
	case Entered:
		if s.views[e.ID] != nil {
			s.breaks("%d entered twice", e.ID)
		}
		s.views[e.ID] = &view{map[PlayerID]*shown{}, map[EntityID]bool{}}
	case Left:
		delete(s.views, e.Player.ID)
		for viewer, v := range s.views {
			if v.players[e.Player.ID] != nil {
				s.breaks("%d left in sight of %d", e.Player.ID, viewer)
			}
		}
	case *Appeared:
		switch v := s.views[e.Viewer]; {
		case v == nil || v.players[e.Player.ID] != nil || e.Viewer == e.Player.ID:
			s.breaks("%d appeared wrongly to %d", e.Player.ID, e.Viewer)
		default:
			v.players[e.Player.ID] = &shown{e.Player.Position, e.Player.Appearance, e.Player.Pools.HP, e.Player.Pools.MaxHP}
		}
	case *Vanished:
		v := s.views[e.Viewer]
		id, isPlayer := e.ID.Player()
		switch {
		case v == nil || isPlayer && v.players[id] == nil || !isPlayer && !v.objects[e.ID]:
			s.breaks("%d vanished wrongly for %d", e.ID, e.Viewer)
		case isPlayer:
			delete(v.players, id)
		default:
			delete(v.objects, e.ID)
		}
	case *ObjectAppeared:
		if v := s.views[e.Viewer]; v == nil || v.objects[e.Object.ID] {
			s.breaks("object %d appeared wrongly to %d", e.Object.ID, e.Viewer)
		} else {
			v.objects[e.Object.ID] = true
		}
	case Opened:
		if e.Called == nil {
			break
		}
		if v := s.views[e.ID]; v == nil || v.objects[e.Called.ID] {
			s.breaks("monster %d was called wrongly to %d", e.Called.ID, e.ID)
		} else {
			v.objects[e.Called.ID] = true
		}
	case *MonsterSwung:
		s.see("a swing", e.ID, e.Viewers)
	case *MonsterHurt:
		s.see("a hit", e.ID, e.Viewers)
	case *MonsterDied:
		if len(e.Viewers) > 0 { // the last viewer may have left while the kill became durable; it counts all the same
			s.see("the death", e.ID, e.Viewers)
		}
		for _, viewer := range e.Viewers {
			if v := s.views[viewer]; v != nil {
				delete(v.objects, e.ID)
				if e.Bag != nil && v.objects[e.Bag.ID] {
					s.breaks("bag %d appeared twice to %d", e.Bag.ID, viewer)
				}
				if e.Bag != nil {
					v.objects[e.Bag.ID] = true
				}
			}
		}
	case *Moved:
		witnesses("walk", e.ID, e.Viewers, func(p *shown) { p.at = e.To })
	case *ObjectPlaced:
		witnesses("placing", e.ID, e.Viewers, nil)
	case *TeleportSeen:
		witnesses("jump", EntityID(e.ID), e.Viewers, func(p *shown) { p.at = e.To })
	case *AppearanceChanged:
		witnesses("look", EntityID(e.Player.ID), e.Viewers, func(p *shown) { p.look = e.Player.Appearance })
	case *HealthSeen:
		witnesses("health", e.ID, e.Viewers, func(p *shown) { p.hp, p.maxHP = e.HP, e.MaxHP })
	case *Said:
		if sorted := slices.Sorted(slices.Values(e.To)); len(slices.Compact(sorted)) != len(e.To) {
			s.breaks("a line of %d is told twice to somebody", e.From)
		}
	}
}

// see notes if an event about an object has no viewer, or one that does not see it.
func (s *stage) see(what string, id EntityID, of []PlayerID) {
	if len(of) == 0 {
		s.breaks("%s of %d is told to nobody", what, id)
	}
	for _, viewer := range of {
		if v := s.views[viewer]; v == nil || !v.objects[id] {
			s.breaks("%s of %d is told to %d who does not see it", what, id, viewer)
		}
	}
}

func of[T Event](events []Event) (out []T) {
	for _, e := range events {
		if t, ok := e.(T); ok {
			out = append(out, t)
		}
	}
	return out
}

// told returns copies of the events of a type.
func told[T any, E interface {
	*T
	Event
}](events []Event) (out []T) {
	for _, e := range of[E](events) {
		out = append(out, *e)
	}
	return out
}

var shipstone = coords.Position{X: 2614, Y: 157.8, Z: 1293}

// east is d metres to the east of Shipstone.
func east(d float32) coords.Position {
	at := shipstone
	at.X += d
	return at
}

// inside lists the players in the world, objects its other entities, in the order of the world.
func (s *stage) inside() (out []*player) {
	for _, e := range s.all[players] {
		out = append(out, e.player)
	}
	return out
}

func (s *stage) objects() (out []*object) {
	for _, e := range s.all[others] {
		out = append(out, e.object)
	}
	return out
}

// setPools is a change of a player's pools by the world itself.
type setPools struct {
	ID    PlayerID
	Pools rules.Pools
}

func (c setPools) who() PlayerID { return c.ID }

func (c setPools) do(w *World) {
	if p := w.player(c.ID); p != nil {
		before := p.Pools
		p.Pools = c.Pools
		w.vitals.poolsChanged(p, before)
	}
}

// changeAppearance is a change of a player's looks and levels by the world itself.
type changeAppearance struct {
	ID            PlayerID
	Appearance    Appearance
	Title, Degree int
}

func (c changeAppearance) who() PlayerID { return c.ID }

func (c changeAppearance) do(w *World) {
	if p := w.player(c.ID); p != nil {
		p.Title, p.Degree = c.Title, c.Degree
		c.Appearance.Worn = p.Appearance.Worn
		w.places.changeAppearance(p, c.Appearance)
		w.vitals.recomputeStats(p)
	}
}

// peaceWhere are zones with peace at some places, and without towns.
func peaceWhere(is func(coords.Position) bool) *rules.Zones {
	return rules.NewZones(rules.ZonePlaces{Indoors: func(at coords.Position) (bool, bool) { return true, is(at) }})
}
