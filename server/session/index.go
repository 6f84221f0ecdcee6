package session

import (
	"slices"
	"sync"

	"sphereserver/packets"
)

// indexes gives each connection an index of its own. A freed one is used again as late as possible, so that
// nothing meant for its old owner can reach the new one.
type indexes struct {
	mu   sync.Mutex
	next int // never given yet
	free []packets.PlayerIndex
}

const lastIndex = 0xFFFF

func newIndexes() *indexes { return &indexes{next: int(packets.FirstPlayerIndex)} }

// take returns a free index; ok is false when there is none.
func (x *indexes) take() (i packets.PlayerIndex, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.next <= lastIndex {
		i = packets.PlayerIndex(x.next)
		x.next++
		return i, true
	}
	if len(x.free) == 0 {
		return 0, false
	}
	i, x.free = x.free[0], x.free[1:]
	return i, true
}

// taken reports whether a connection has an index.
func (x *indexes) taken(i packets.PlayerIndex) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return i >= packets.FirstPlayerIndex && int(i) < x.next && !slices.Contains(x.free, i)
}

func (x *indexes) put(i packets.PlayerIndex) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.free = append(x.free, i)
}
