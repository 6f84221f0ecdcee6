package world

import "time"

// An action is the work of a timer. The entity is nil for the world's own.
type action func(e *entity)

// A schedule is a heap of timers, the next one on top. Those that are due at once fire in the order in which they
// were set. It allocates nothing once it has grown, if actions are no closures.
type schedule struct {
	heap   []timer
	set    uint64 // timers so far
	stale  int    // timers of entities that are gone
	now    time.Time
	ahead  time.Duration // of the machine's clock, since that was set back
	firing bool
}

// advance lets time go by to that of the machine's clock. When the clock is set back, by hand or by its service, time
// goes on: else no timer would fire until the clock is where it was.
func (s *schedule) advance(clock time.Time) {
	clock = clock.Round(0) // as timers and instants are
	if !clock.Before(s.now) {
		s.now, s.ahead = clock, 0
		return
	}
	if now := clock.Add(s.ahead); now.Before(s.now) {
		s.ahead = s.now.Sub(clock)
	} else {
		s.now = now
	}
}

// A timer is an action for an entity, or for the world, at a time.
type timer struct {
	due    int64 // Unix time in nanoseconds
	seq    uint64
	period time.Duration // 0: once
	of     *entity       // nil: the world
	do     action
}

// resolution is how early a timer may fire: tick and timer are not set in the same instant, and the nearest tick is
// meant.
const resolution = TickPeriod / 2

// keptStale is how many timers of entities that are gone are kept at least before they are thrown out.
const keptStale = 64

// after sets a timer of an entity for the first tick after a time. It does not fire if the entity is gone by then.
func (s *schedule) after(d time.Duration, e *entity, do action) { s.add(d, 0, e, do) }

// every sets a timer that fires again and again, first after a period. Missed periods are skipped; the phase stays.
func (s *schedule) every(period time.Duration, e *entity, do action) { s.add(period, period, e, do) }

func (s *schedule) add(d, period time.Duration, e *entity, do action) {
	if e != nil && e.gone() {
		return
	}
	if s.firing {
		d = max(d, TickPeriod) // a timer that sets another waits for the next tick
	}
	if e != nil {
		e.timers++
	}
	s.set++
	s.heap = append(s.heap, timer{s.now.Add(d).UnixNano(), s.set, period, e, do})
	s.up(len(s.heap) - 1)
}

// next takes out the timer that is due, or sets it for its next period; false if none is due until limit.
func (s *schedule) next(limit int64) (t timer, ok bool) {
	for len(s.heap) > 0 && s.heap[0].due <= limit {
		t = s.heap[0]
		switch {
		case t.of != nil && t.of.gone():
			s.stale--
			s.pop()
			continue
		case t.period > 0:
			missed := (limit - t.due) / int64(t.period)
			s.heap[0].due += (1 + missed) * int64(t.period)
			s.down(0)
		default:
			s.pop()
			if t.of != nil {
				t.of.timers--
			}
		}
		return t, true
	}
	return timer{}, false
}

// cancel forgets the timers of an entity that is gone, sooner or later.
func (s *schedule) cancel(e *entity) {
	s.stale += int(e.timers)
	if s.stale < keptStale || s.stale < len(s.heap)/2 {
		return
	}
	keep := s.heap[:0]
	for _, t := range s.heap {
		if t.of == nil || !t.of.gone() {
			keep = append(keep, t)
		}
	}
	clear(s.heap[len(keep):])
	s.heap, s.stale = keep, 0
	for i := (len(keep) - 2) / fan; i >= 0 && len(keep) > 0; i-- {
		s.down(i)
	}
}

func (s *schedule) pop() {
	last := len(s.heap) - 1
	s.heap[0], s.heap[last] = s.heap[last], timer{}
	s.heap = s.heap[:last]
	if last > 0 {
		s.down(0)
	}
}

// fan is how many timers are below one in the heap: four are next to each other in memory, and half as many levels
// are crossed.
const fan = 4

func (t *timer) before(o *timer) bool { return t.due < o.due || t.due == o.due && t.seq < o.seq }

func (s *schedule) up(i int) {
	t := s.heap[i]
	for i > 0 {
		above := (i - 1) / fan
		if !t.before(&s.heap[above]) {
			break
		}
		s.heap[i] = s.heap[above]
		i = above
	}
	s.heap[i] = t
}

func (s *schedule) down(i int) {
	t := s.heap[i]
	for {
		first := fan*i + 1
		if first >= len(s.heap) {
			break
		}
		least := first
		for below := first + 1; below < min(first+fan, len(s.heap)); below++ {
			if s.heap[below].before(&s.heap[least]) {
				least = below
			}
		}
		if !s.heap[least].before(&t) {
			break
		}
		s.heap[i] = s.heap[least]
		i = least
	}
	s.heap[i] = t
}
