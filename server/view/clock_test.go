package view

import (
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"sphereserver/world"
)

// standing is a clock that does not run.
func standing(at uint64) *Clock { return NewClock(func() uint64 { return at }) }

// emptied is a queue that empties batches at once.
func emptied(v *View) *LoopQueue {
	return v.Clock.Queue(func(empty func()) error { empty(); return nil }, func() {})
}

// However late batches leave, and whatever is answered between, no client reads a time after a later one, and no time
// stands for longer than the oldest batch waits.
func TestNoClientsClockGoesBack(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		now := uint64(1) << 14 // about to turn over on the wire
		v := New(Options{Clock: NewClock(func() uint64 { now += uint64(r.IntN(2)); return now })})
		type reader struct {
			queue   *LoopQueue
			client  *Client
			waiting []func()
			times   []uint64 // of waiting batches
			last    uint64
		}
		readers := make([]*reader, 3)
		for i := range readers {
			q := &reader{last: now}
			q.queue = v.Clock.Queue(func(empty func()) error {
				if r.IntN(20) == 0 {
					return errors.New("stopped")
				}
				q.waiting, q.times = append(q.waiting, empty), append(q.times, v.began)
				return nil
			}, func() {})
			q.client = NewClient(world.PlayerID(i+1), "", new(deafOwner), q.queue)
			v.Attach(q.client)
			readers[i] = q
		}
		reads := func(q *reader, at uint64) {
			if at < q.last {
				t.Fatalf("seed %d: %d after %d", seed, at, q.last)
			}
			q.last = at
		}
		answered := func(q *reader) {
			before := now
			wire := q.queue.Now()
			if len(q.times) == 0 && wire != onWire(now) && wire != onWire(max(before, q.last)) {
				t.Fatalf("seed %d: it is %d, shown is %d", seed, now, wire)
			}
			reads(q, q.queue.shown)
		}
		for range 400 {
			v.BeginTick()
			for _, q := range readers {
				if r.IntN(3) == 0 {
					answered(q)
				}
				if r.IntN(3) > 0 {
					v.put(q.client, []byte{1})
				}
				if r.IntN(3) == 0 {
					answered(q)
				}
			}
			v.EndTick()
			for _, q := range readers {
				if behind := v.Clock.Behind(); behind < len(q.waiting) {
					t.Fatalf("seed %d: %d batches wait, known are %d", seed, len(q.waiting), behind)
				}
				for len(q.waiting) > 0 && r.IntN(3) == 0 {
					reads(q, q.times[0])
					q.waiting[0]()
					q.waiting, q.times = q.waiting[1:], q.times[1:]
				}
				answered(q)
			}
		}
		for _, q := range readers {
			for _, empty := range q.waiting {
				empty()
			}
		}
		if n := v.Clock.Behind(); n != 0 {
			t.Errorf("seed %d: %d batches wait at the end", seed, n)
		}
	}
}

// A loop that has stopped holds no clock.
func TestAStoppedLoopHoldsNoClock(t *testing.T) {
	now := uint64(5)
	v := New(Options{Clock: NewClock(func() uint64 { return now })})
	q := v.Clock.Queue(func(func()) error { return io.ErrClosedPipe }, func() {})
	c := NewClient(1, "", new(deafOwner), q)
	v.Attach(c)
	v.BeginTick()
	v.put(c, []byte{1})
	now = 9
	if at := q.Now(); at != 5 {
		t.Errorf("while the tick is told it is %d, expected 5", at)
	}
	v.EndTick()
	if at := q.Now(); at != 9 || v.Clock.Behind() != 0 {
		t.Errorf("then it is %d, %d behind", at, v.Clock.Behind())
	}
}
