package game

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"sphereserver/data"
	"sphereserver/world"
)

// A commitQueue makes changes of the world durable: it hands them to the store, and tells the world the outcome of
// each. The store takes many at once nearly as quickly as one, so as many as may be are with it at the same time; the
// others wait in the order in which they came. The queue is bounded by the number of players and of lying items: none
// has more than one change at a time.
type commitQueue struct {
	server *Server

	mu      sync.Mutex
	queue   []world.CommitRequest
	workers int
	failing atomic.Bool  // the last change could not be stored
	open    atomic.Int64 // changes of which the world has not been told
}

const (
	// changesAtOnce is how many changes are with the store at once.
	changesAtOnce = 128
	// changeTimeout is how long the store may take to begin with a change before it is given up.
	changeTimeout = 20 * time.Second
)

// add takes a change. It never blocks.
func (l *commitQueue) add(e world.CommitRequest) {
	l.open.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = append(l.queue, e)
	if l.workers < changesAtOnce {
		l.workers++
		l.server.Go(func(context.Context) { l.server.essential("storing belongings", l.work) })
	}
}

// work makes changes durable until none waits.
func (l *commitQueue) work() {
	for {
		l.mu.Lock()
		if len(l.queue) == 0 {
			l.workers--
			l.mu.Unlock()
			return
		}
		e := l.queue[0]
		l.queue[0] = world.CommitRequest{}
		if l.queue = l.queue[1:]; len(l.queue) == 0 {
			l.queue = nil
		}
		l.mu.Unlock()
		l.settle(e)
	}
}

// settle makes one change durable. The store's errors are definite: a change that failed has not been made and never
// will be. It is not given up when the server stops, since players leave with the belongings that they have then.
func (l *commitQueue) settle(e world.CommitRequest) {
	ctx, cancel := context.WithTimeout(context.Background(), changeTimeout)
	defer cancel()
	s := l.server
	ids, err := s.store.Apply(ctx, e.Change)
	switch {
	case err == nil:
		s.count.changes.Add(1)
	case errors.Is(err, data.ErrConflict):
		s.count.changeConflicts.Add(1)
		s.options.Log.Error("belongings are not stored as the world has them; the change is refused", "error", err)
	default:
		s.count.changesFailed.Add(1)
	}
	// not a line for each
	if failing := err != nil && !errors.Is(err, data.ErrConflict); l.failing.Swap(failing) != failing {
		if failing {
			s.options.Log.Error("cannot store changes of belongings; they are refused", "error", err)
		} else {
			s.options.Log.Info("changes of belongings can be stored again")
		}
	}
	s.world.Do(world.Committed{Seq: e.Seq, Err: err, IDs: ids})
	l.open.Add(-1)
}

// waiting is how many changes are not settled yet.
func (l *commitQueue) waiting() int { return int(l.open.Load()) }
