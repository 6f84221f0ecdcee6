package transport

import (
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// spareTasks is the length of the greatest queue that a loop keeps in memory for the next round.
const spareTasks = 1024

// loop is the queue behind a [Loop], the same for both implementations. gnet's own queue would not do:
// above 1,024 entries it changes their order, a function that queues itself again starves the sockets, and
// one that is queued while the engine stops is lost, or wakes a descriptor that is someone else's by then.
type loop struct {
	log  *slog.Logger
	kick func() // makes drain run on the loop soon; called with mu held, never after the last task

	mu      sync.Mutex
	tasks   []func()
	awake   bool // drain is due or running
	stopped bool // nothing is accepted any more
	done    chan struct{}

	late atomic.Int32 // rounds that the watch has waited for this loop, see server.watch

	// The rest is touched on the loop only.

	spare []func() // an empty slice, to become tasks again
	conns map[*conn]struct{}
	busy  bool    // a callback is running
	ended []*conn // connections that ended meanwhile; their Closed waits until it returns
}

func newLoop(log *slog.Logger) loop {
	return loop{log: log, done: make(chan struct{}), conns: make(map[*conn]struct{})}
}

// Execute implements [Loop].
func (l *loop) Execute(f func()) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped {
		return ErrStopped
	}
	l.push(f)
	return nil
}

// push queues f; mu is held.
func (l *loop) push(f func()) {
	l.tasks = append(l.tasks, f)
	if !l.awake {
		l.awake = true
		l.kick()
	}
}

// drain runs the tasks that were queued when it started, on the loop, and reports whether more has come since: then
// it is to be called again, after the sockets have had their turn.
func (l *loop) drain() (more bool) {
	l.mu.Lock()
	batch := l.tasks
	l.tasks, l.spare = l.spare, nil
	l.mu.Unlock()

	for i, f := range batch {
		batch[i] = nil
		l.enter()
		l.run(f)
		l.leave()
	}
	if cap(batch) <= spareTasks {
		l.spare = batch[:0]
	}

	l.mu.Lock()
	defer l.mu.Unlock()
	l.awake = len(l.tasks) > 0
	return l.awake
}

func (l *loop) run(f func()) {
	defer func() {
		if v := recover(); v != nil {
			l.log.Error("panic in a function that a loop was given", "panic", v, "stack", string(debug.Stack()))
		}
	}()
	f()
}

// enter and leave stand around all that may call a handler. A Write that fails ends its connection in the middle of the
// caller's callback; leave calls its Closed when that callback is over, so that there is never more than one at a time.
func (l *loop) enter() { l.busy = true }

func (l *loop) leave() {
	for i := 0; i < len(l.ended); i++ { // closed may add to it
		l.ended[i].closed()
	}
	clear(l.ended)
	l.ended = l.ended[:0]
	l.busy = false
}

// stop makes Execute refuse from now on. The channel that it returns is closed on the loop when all that was
// accepted before has run.
func (l *loop) stop() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.stopped {
		l.stopped = true
		l.push(func() { close(l.done) })
	}
	return l.done
}
