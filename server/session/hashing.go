package session

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"sync"

	"sphereserver/server/ratelimit"
)

// hashing is the pool in which passwords are hashed: the work of many milliseconds and megabytes that nothing else
// may wait on. Waiting logins have turns by address, so that an address with many does not keep the others waiting.
// Existing accounts come before new ones, which have each newEvery-th turn.
type hashing struct {
	mu    sync.Mutex
	free  int // workers
	turns int
	known turnQueue // of accounts that there are
	fresh turnQueue // of accounts to be made
}

const newEvery = 4

var errClientGone = errors.New("the client has gone")

// run waits for a turn in a queue, and works unless nobody is there any more to be answered.
func (h *hashing) run(ctx context.Context, q *turnQueue, s *Session, work func() error) error {
	if err := h.wait(ctx, q, widestNetwork(s.addr.Addr())); err != nil {
		return err
	}
	defer h.done()
	if s.gone.Load() {
		return errClientGone
	}
	return work()
}

// widestNetwork is the network that takes the turn of an address.
func widestNetwork(a netip.Addr) netip.Prefix {
	all := ratelimit.Networks(a)
	return all[len(all)-1].Prefix
}

func (h *hashing) wait(ctx context.Context, q *turnQueue, from netip.Prefix) error {
	h.mu.Lock()
	if h.free > 0 {
		h.free--
		h.mu.Unlock()
		return nil
	}
	turn := q.add(from)
	h.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	h.mu.Lock()
	waits := q.remove(from, turn)
	h.mu.Unlock()
	if !waits { // the turn has come meanwhile: it is the next one's
		h.done()
	}
	return ctx.Err()
}

// done gives the worker to the next.
func (h *hashing) done() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.turns++
	first, second := &h.known, &h.fresh
	if h.turns%newEvery == 0 {
		first, second = second, first
	}
	if !first.next() && !second.next() {
		h.free++
	}
}

// A turnQueue has waiting logins, by network. The network at the front is the next, and goes to the back for its
// other turns.
type turnQueue struct {
	networks []netip.Prefix // that wait
	waiting  map[netip.Prefix][]chan struct{}
}

// add returns a channel that is closed when the turn has come.
func (q *turnQueue) add(from netip.Prefix) chan struct{} {
	if q.waiting == nil {
		q.waiting = map[netip.Prefix][]chan struct{}{}
	}
	if len(q.waiting[from]) == 0 {
		q.networks = append(q.networks, from)
	}
	turn := make(chan struct{})
	q.waiting[from] = append(q.waiting[from], turn)
	return turn
}

// next gives the next login its turn; false says that none waits.
func (q *turnQueue) next() bool {
	if len(q.networks) == 0 {
		return false
	}
	from := q.networks[0]
	turns := q.waiting[from]
	q.networks = q.networks[1:]
	if len(turns) > 1 {
		q.networks = append(q.networks, from)
		q.waiting[from] = turns[1:]
	} else {
		delete(q.waiting, from)
	}
	close(turns[0])
	return true
}

// remove takes back a turn; false says that it has come already.
func (q *turnQueue) remove(from netip.Prefix, turn chan struct{}) bool {
	turns := q.waiting[from]
	i := slices.Index(turns, turn)
	if i < 0 {
		return false
	}
	if q.waiting[from] = slices.Delete(turns, i, i+1); len(turns) == 1 {
		delete(q.waiting, from)
		q.networks = slices.DeleteFunc(q.networks, func(n netip.Prefix) bool { return n == from })
	}
	return true
}
