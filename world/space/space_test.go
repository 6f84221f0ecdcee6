package space

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
)

const tick = 50 * time.Millisecond

// A thing is the entity of these tests.
type thing struct {
	Body[thing]
	sees map[*thing]bool // of a player, as it was told
}

// A scene is a space with an observer that notes all that players are told.
type scene struct {
	*Space[thing]
	t      *testing.T
	things []*thing
	ticks  uint64
	now    time.Time
	moved  []*thing // in this tick
}

func newScene(t *testing.T, o Options) *scene {
	s := &scene{t: t, now: time.Unix(1_700_000_000, 0)}
	if o.Sight == 0 {
		o.Sight = 100
	}
	if o.ViewLimit == 0 {
		o.ViewLimit, o.ThingLimit = 1000, 1000
	}
	s.Space = New(o, s)
	s.Begin(0, s.now)
	return s
}

func (s *scene) Appeared(viewer, e *thing) {
	if viewer.Sort != Players || viewer.sees[e] {
		s.t.Errorf("%d is told twice of %d", viewer.Number, e.Number)
	}
	viewer.sees[e] = true
}

func (s *scene) Vanished(viewer, e *thing) {
	if !viewer.sees[e] {
		s.t.Errorf("%d is told that %d vanishes, which it does not see", viewer.Number, e.Number)
	}
	delete(viewer.sees, e)
}

func (s *scene) Moved(e *thing) { s.moved = append(s.moved, e) }

func (s *scene) First(*thing) []*Body[thing] { return nil }

func (s *scene) add(sort Sort, at coords.Position) *thing {
	e := &thing{sees: map[*thing]bool{}}
	e.Of, e.Number, e.Sort, e.At = e, ID(len(s.things)+1), sort, at
	s.things = append(s.things, e)
	s.Add(&e.Body)
	s.Look(&e.Body)
	return e
}

// pass lets a tick pass, and returns the things of which motion is told in it.
func (s *scene) pass() []*thing {
	for b := range s.Due() {
		s.Look(b)
	}
	s.moved = nil
	s.TellMotion()
	s.ticks++
	s.now = s.now.Add(tick)
	s.Begin(s.ticks, s.now)
	return s.moved
}

func (s *scene) walk(e *thing, to coords.Position) {
	s.Move(&e.Body, to)
	s.MarkMoved(&e.Body)
}

func east(x float32) coords.Position { return coords.Position{X: x} }

// Players are told of just those bodies that are near and in the same instance; links are mutual, and empty cells of
// the grid go.
func TestSightIsThatOfADefinition(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 0))
			s := newScene(t, Options{})
			anywhere := func() coords.Position {
				return coords.Position{X: r.Float32()*600 - 300, Y: r.Float32() * 60, Z: r.Float32()*600 - 300}
			}
			for range 400 {
				switch n := r.IntN(10); {
				case n < 2 || len(s.things) < 10:
					s.add(Sort(r.IntN(2)), anywhere())
				case n == 2:
					i := r.IntN(len(s.things))
					s.Drop(&s.things[i].Body)
					clear(s.things[i].sees)
					s.things = slices.Delete(s.things, i, i+1)
				case n == 3:
					e := s.things[r.IntN(len(s.things))]
					e.Instance = Instance(r.IntN(3))
					s.Move(&e.Body, e.At)
					s.Look(&e.Body)
				default:
					e := s.things[r.IntN(len(s.things))]
					s.Move(&e.Body, anywhere())
					s.Look(&e.Body)
				}
				s.compare(t)
			}
			for _, e := range s.things {
				s.Drop(&e.Body)
			}
			if n := len(s.grid.cells); n != 0 {
				t.Errorf("%d cells are left", n)
			}
		})
	}
}

// compare compares the links with the distances of all pairs, and what is found around a place.
func (s *scene) compare(t *testing.T) {
	t.Helper()
	for _, a := range s.things {
		around := map[*thing]bool{}
		for sort := range Sorts {
			for e := range s.Around(a.At, a.Instance, 70, sort) {
				around[e] = true
			}
		}
		viewers := 0
		for _, b := range s.things {
			if near := Near(&a.Body, &b.Body, 70*70); near && !around[b] || around[b] && a.Instance != b.Instance {
				t.Fatalf("of %d, %d is found around: %v", a.Number, b.Number, around[b])
			}
			if a == b || a.Sort == Others && b.Sort == Others {
				continue
			}
			linked := a.Sees(&b.Body)
			if b.Sort == Players && linked {
				viewers++
			}
			if linked != b.Sees(&a.Body) || a.Sort == Players && linked != a.sees[b] ||
				Near(&a.Body, &b.Body, 100*100) && !linked || !Near(&a.Body, &b.Body, 110*110) && linked {
				t.Fatalf("%d and %d, %.1f m apart: linked %v and %v, told %v", a.Number, b.Number, a.At.Distance(b.At),
					linked, b.Sees(&a.Body), a.sees[b])
			}
		}
		if len(a.Viewers()) != viewers {
			t.Fatalf("%d has %d viewers, expected %d", a.Number, len(a.Viewers()), viewers)
		}
	}
}

// A body that a crowd sees is told of less often, and not all of them in the same tick.
func TestInACrowdWalkingIsToldLessOften(t *testing.T) {
	for _, c := range []struct{ players, times int }{{crowded, 20}, {crowded + 2, 20 / crowdedReports},
		{throng + 2, 20 / throngReports}} {
		s := newScene(t, Options{})
		for range c.players {
			s.add(Players, east(0))
		}
		told := map[*thing]int{}
		for i := range 80 { // 4 s, each tick another place; the first half is to begin
			for j, e := range s.things[:2] {
				s.walk(e, east(float32(i+1)/float32(10*(j+1))))
			}
			moved := s.pass()
			if len(moved) > 1 && c.times < 20 {
				t.Errorf("tick %d: %d walk", i, len(moved))
			}
			for _, e := range moved {
				if i >= 40 {
					told[e]++
				}
			}
		}
		if told[s.things[0]] != c.times && c.times != 2 || told[s.things[0]] < c.times || told[s.things[1]] < c.times {
			t.Errorf("%d players: told %d and %d times in 2 s, expected %d", c.players, told[s.things[0]],
				told[s.things[1]], c.times)
		}
		afterwards := 0
		for range 20 {
			afterwards += len(s.pass())
		}
		if afterwards > 2 || s.Moving() != 0 {
			t.Errorf("afterwards told %d times, %d wait", afterwards, s.Moving())
		}
	}
}

// While clients' loops are behind, motion is told less often; when they have caught up it is as before, and the last
// place is told in any case.
func TestMotionIsToldLessOftenWhileLoopsAreBehind(t *testing.T) {
	behind := 0
	s := newScene(t, Options{Behind: func() int { return behind }})
	e, at := s.add(Players, east(0)), float32(0)
	s.add(Players, east(0))
	walks := func(ticks int) (n int) {
		for range ticks {
			at += 0.1
			s.walk(e, east(at))
			n += len(s.pass())
		}
		return n
	}
	const ticks = 128
	free := walks(ticks)
	if free != ticks/motionTicks {
		t.Errorf("told %d times in %d ticks", free, ticks)
	}
	behind = 1 // the events of just now
	if n := walks(ticks); n != free {
		t.Errorf("one tick behind it is told %d times, expected %d", n, free)
	}
	behind = 2
	walks(20)
	if n := walks(ticks); n != free/mostReports {
		t.Errorf("behind it is told %d times, expected %d", n, free/mostReports)
	}
	afterwards := 0
	for range 2 * mostReports {
		afterwards += len(s.pass())
	}
	if afterwards != 1 || e.lastSent != east(at) {
		t.Errorf("afterwards it is told %d times, the last at %v", afterwards, e.lastSent)
	}
	behind = 0
	walks(20)
	if n := walks(ticks); n != free {
		t.Errorf("again in time it is told %d times, expected %d", n, free)
	}
}

// A player sees only so many others, and those see it; as soon as there is room, it sees the rest.
func TestSightHasLimits(t *testing.T) {
	s := newScene(t, Options{ViewLimit: 3, ThingLimit: 5})
	for range 8 {
		s.add(Players, east(0))
		s.add(Others, east(1))
	}
	settle := func() {
		for range 3 * time.Second / tick {
			s.pass()
		}
	}
	settle()
	for _, e := range s.things {
		if e.Sort == Players && (len(e.Viewers()) > 3 || len(e.links[Others]) != 5) {
			t.Errorf("%d sees %d players and %d others", e.Number, len(e.Viewers()), len(e.links[Others]))
		}
	}
	for _, e := range s.things[4:] {
		s.Drop(&e.Body)
	}
	settle()
	for _, e := range s.things[:4] {
		if e.Sort == Players && (len(e.Viewers()) != 1 || len(e.links[Others]) != 2) {
			t.Errorf("afterwards %d sees %d players and %d others", e.Number, len(e.Viewers()), len(e.links[Others]))
		}
	}
}
