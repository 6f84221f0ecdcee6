package measure

import "sync"

// ClosedConns counts the connections that have ended by reason, and keeps the last of them. Any number of goroutines
// may use it at once.
type ClosedConns[R Label, C any] struct {
	// Reasons has all that ended.
	Reasons CounterBy[R]

	mu   sync.Mutex
	ring []C
	next int // the oldest one, once the ring is full
	keep int
}

// NewClosedConns keeps so many.
func NewClosedConns[R Label, C any](keep int) *ClosedConns[R, C] {
	return &ClosedConns[R, C]{keep: keep}
}

// Add notes that a connection has ended.
func (c *ClosedConns[R, C]) Add(why R, conn C) {
	c.Reasons.Add(why)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.ring) < c.keep {
		c.ring = append(c.ring, conn)
		return
	}
	c.ring[c.next] = conn
	c.next = (c.next + 1) % c.keep
}

// Last returns those that are kept, oldest first.
func (c *ClosedConns[R, C]) Last() []C {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := make([]C, 0, len(c.ring))
	last = append(last, c.ring[c.next:]...)
	return append(last, c.ring[:c.next]...)
}
