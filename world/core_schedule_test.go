package world

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sphereserver/world/rules"
)

// timed is a world with timers that write down their ticks.
type timed struct {
	*stage
	log []string
}

func newTimed() *timed {
	t := &timed{stage: newStage(Options{SaveEvery: time.Hour})}
	t.pass(TickPeriod)
	t.heap = nil // without the world's own
	return t
}

func (t *timed) writes(what string) action {
	return func(*entity) { t.log = append(t.log, fmt.Sprint(what, " ", t.tick)) }
}

func TestTimersFireInOrder(t *testing.T) {
	s := newTimed()
	s.after(4*TickPeriod, nil, s.writes("late"))
	s.after(TickPeriod, nil, s.writes("first"))
	s.after(TickPeriod, nil, s.writes("second"))
	s.after(0, nil, s.writes("now"))
	s.after(TickPeriod/10, nil, s.writes("at once"))
	s.after(TickPeriod*9/10, nil, s.writes("nearest"))
	s.after(-time.Hour, nil, s.writes("overdue"))
	s.pass(10 * TickPeriod)
	// The clock stands at the last tick, 0, until the next one.
	if want := []string{"overdue 1", "now 1", "at once 1", "nearest 1", "first 1", "second 1",
		"late 4"}; !slices.Equal(s.log, want) {
		t.Errorf("done: %q", s.log)
	}
}

// Against a list that is searched.
func TestScheduleIsThatOfAList(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	s := newTimed()
	type pending struct{ due, seq int }
	var list []pending
	var got, want []int
	seq := 0
	for tick := range 2000 {
		for range r.IntN(8) {
			seq++
			n, d := seq, 1+r.IntN(200)
			list = append(list, pending{tick + d, n})
			s.after(time.Duration(d)*TickPeriod, nil, func(*entity) { got = append(got, n) })
		}
		s.pass(TickPeriod)
		slices.SortFunc(list, func(a, b pending) int {
			if a.due != b.due {
				return a.due - b.due
			}
			return a.seq - b.seq
		})
		for len(list) > 0 && list[0].due <= tick+1 {
			want = append(want, list[0].seq)
			list = list[1:]
		}
		if !slices.Equal(got, want) {
			t.Fatalf("tick %d: done %v, want %v", tick, got, want)
		}
	}
}

func TestTimersSetByTimersWaitForAnotherTick(t *testing.T) {
	s := newTimed()
	n := 0
	var again action
	again = func(e *entity) {
		n++
		s.after(0, e, again)
	}
	s.after(0, nil, again)
	s.pass(5 * TickPeriod)
	if n != 5 {
		t.Errorf("done %d times in 5 ticks", n)
	}
}

func TestPeriodsKeepTheirPhase(t *testing.T) {
	s := newTimed()
	s.every(4*TickPeriod, nil, s.writes("period"))
	for range 12 { // late by up to a third of a tick
		late := time.Duration(s.tick%3) * TickPeriod / 7
		s.Tick(s.now.Add(late))
		s.now = s.now.Add(TickPeriod)
	}
	s.Tick(s.now.Add(time.Hour)) // a suspended process misses 1800 periods, and makes up for one
	s.now = s.now.Add(time.Hour)
	for range 8 {
		s.now = s.now.Add(TickPeriod)
		s.Tick(s.now)
	}
	if want := []string{"period 5", "period 9", "period 13", "period 17", "period 21"}; !slices.Equal(s.log, want) {
		t.Errorf("done: %q", s.log)
	}
}

func TestTimersOfTheGoneAreForgotten(t *testing.T) {
	s := newTimed()
	s.enter(1)
	for i := range 2 * keptStale {
		s.after(time.Duration(i)*time.Minute+time.Second, &s.player(1).entity, s.writes("gone"))
	}
	s.after(time.Minute, nil, s.writes("stays"))
	s.does(Leave{ID: 1})
	if len(s.heap) != 1 || s.stale != 0 {
		t.Errorf("%d timers are left, %d of the gone", len(s.heap), s.stale)
	}
	s.enter(2) // too few to be thrown out at once
	s.after(time.Second, &s.player(2).entity, s.writes("gone"))
	s.does(Leave{ID: 2})
	s.pass(2 * time.Minute)
	if len(s.log) != 1 || len(s.heap) != 0 || s.stale != 0 {
		t.Errorf("done %q, %d timers are left, %d of the gone", s.log, len(s.heap), s.stale)
	}
}

func TestScheduleAllocatesNothing(t *testing.T) {
	s := newTimed()
	w, now := s.World, s.now
	tick := func() {
		now = now.Add(TickPeriod)
		for i := range 20 {
			w.after(time.Duration(i)*TickPeriod, nil, nothing)
		}
		w.schedule.now = now
		w.fire()
	}
	for range 100 {
		tick()
	}
	if got := testing.AllocsPerRun(100, tick); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

func nothing(*entity) {}

// The timers of 5,000 players, each 6 s, spread.
func BenchmarkSchedule(b *testing.B) {
	w := New(Options{}, nil)
	now := time.Unix(1_700_000_000, 0)
	for i := range 5000 {
		w.schedule.now = now.Add(time.Duration(i%120) * TickPeriod)
		w.every(rules.RegenerationPeriod, nil, nothing)
	}
	b.ReportAllocs()
	for b.Loop() {
		w.schedule.now = w.schedule.now.Add(TickPeriod)
		w.fire()
	}
}

func TestChanceHasASeed(t *testing.T) {
	draw := func(w *World) (out [8]uint64) {
		for i := range out {
			out[i] = w.random.Uint64()
		}
		return out
	}
	a, b, c := New(Options{Seed: 7}, nil), New(Options{Seed: 7}, nil), New(Options{}, nil)
	if a.Seed() != 7 || draw(a) != draw(b) {
		t.Error("the same seed draws something else")
	}
	if d := New(Options{}, nil); c.Seed() == 0 || c.Seed() == d.Seed() || draw(c) == draw(d) {
		t.Errorf("two worlds draw the seed %d", c.Seed())
	}
	if again := New(Options{Seed: c.Seed()}, nil); draw(again) == draw(a) {
		t.Error("another seed draws the same")
	}
}

// The world goes on at the pace of a clock that is set back, twice, and by a clock that is right again.
func TestTimeGoesOnWhenTheClockIsSetBack(t *testing.T) {
	s := newStage(Options{})
	s.enter(1)
	s.Move(1, shipstone)
	s.pass(20 * time.Second)
	for _, back := range []time.Duration{time.Hour, time.Minute, -2 * time.Hour} {
		s.now = s.now.Add(-back)
		s.pass(time.Second)
		was := s.Snapshot().At
		if got := len(of[PoolsTick](s.pass(time.Minute))); got != 10 {
			t.Errorf("set back by %v: %d ticks of regeneration in a minute, want 10", back, got)
		}
		if passed := s.Snapshot().At.Sub(was); passed != time.Minute {
			t.Errorf("set back by %v: in a minute %v have gone by", back, passed)
		}
	}
	if ahead := s.Snapshot().At.Sub(s.now); ahead > 0 {
		t.Errorf("the world is %v before a clock that is right again", ahead)
	}
}
