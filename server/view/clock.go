package view

import (
	"sync"

	"sphereserver/packets"
)

// A Clock is the wire's clock as clients are told it: one time for all that a tick tells, and for each loop a time that
// never goes back. The frames of a tick carry the time at which it began, and wait for a loop that is busy. Until they
// have left, answers of that loop, which overtake them, show no later time.
type Clock struct {
	real func() uint64 // steps since some moment

	mu     sync.Mutex
	queues []*LoopQueue
}

// NewClock returns a clock that follows real, which must never go back.
func NewClock(real func() uint64) *Clock { return &Clock{real: real} }

// Queue makes the queue of a loop. execute runs a function on the loop, or reports that the loop has stopped; emptied
// is called there when a batch has been handed to its sessions.
func (c *Clock) Queue(execute func(func()) error, emptied func()) *LoopQueue {
	q := &LoopQueue{clock: c, execute: execute, emptied: emptied}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queues = append(c.queues, q)
	return q
}

// begin is the time of a tick that begins. No loop shows a later one before [Clock.end].
func (c *Clock) begin() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.real()
	for _, q := range c.queues {
		at = max(at, q.hold(at))
	}
	return at
}

// end releases the loops that the tick has told nothing.
func (c *Clock) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, q := range c.queues {
		q.letGo()
	}
}

// Behind is how many ticks have been told that the slowest of the loops has not passed on.
func (c *Clock) Behind() (most int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, q := range c.queues {
		most = max(most, q.behind())
	}
	return most
}

// A LoopQueue is one event loop, as the world's goroutine knows it.
type LoopQueue struct {
	clock   *Clock
	execute func(func()) error
	emptied func()
	batch   *batch // of this tick, nil before the first outbox of it; the world's goroutine alone touches it

	mu      sync.Mutex
	held    []uint64 // times of the ticks that are told and not passed on, the oldest first
	telling bool     // the last of them is still told, and has no batch yet
	shown   uint64   // the latest time that a message of the loop has carried
}

// Now is the time for a message that leaves on the loop now: 15 bits, 3 steps a second.
func (q *LoopQueue) Now() uint16 {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.held) > 0 {
		q.shown = max(q.shown, q.held[0])
	} else {
		q.shown = max(q.shown, q.clock.real())
	}
	return onWire(q.shown)
}

// onWire is a time as messages carry it.
func onWire(steps uint64) uint16 { return uint16(steps & packets.MaxClock) }

// hold makes the loop show no later time than the one of a beginning tick, which it returns: what it has shown
// already, if that is later.
func (q *LoopQueue) hold(at uint64) uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	at = max(at, q.shown)
	q.held, q.telling = append(q.held, at), true
	return at
}

// letGo ends the hold of a tick without a batch.
func (q *LoopQueue) letGo() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.telling {
		q.held, q.telling = q.held[:len(q.held)-1], false
	}
}

// passOn begins the batch of a tick.
func (q *LoopQueue) passOn(at uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.telling { // the loop is younger than the tick
		q.held = append(q.held, at)
	}
	q.telling = false
}

// drop forgets the newest batch, which the loop does not take.
func (q *LoopQueue) drop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.held = q.held[:len(q.held)-1]
}

// passed says that the oldest batch has left.
func (q *LoopQueue) passed() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shown = max(q.shown, q.held[0])
	q.held = append(q.held[:0], q.held[1:]...)
}

func (q *LoopQueue) behind() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.telling {
		return len(q.held) - 1
	}
	return len(q.held)
}
