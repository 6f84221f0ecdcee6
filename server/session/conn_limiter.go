package session

import (
	"container/list"
	"net/netip"
	"sync"
	"time"

	"sphereserver/server/ratelimit"
)

// exempt says that an address is free of the limits of connections per address: the one of this machine's own
// clients. The rest of 127.0.0.0/8 is not, so that clients can stand for strangers there.
func (l *Limits) exempt(a netip.Addr) bool {
	a = a.Unmap()
	return l.ExemptLoopback && (a == netip.AddrFrom4([4]byte{127, 0, 0, 1}) || a == netip.IPv6Loopback())
}

// connLimiter admits connections. A fifth of their number and of their rate is kept for friends: addresses with an
// earlier login, and this machine.
type connLimiter struct {
	mu        sync.Mutex
	limits    Limits
	open      int
	all       ratelimit.Bucket
	strangers ratelimit.Bucket // of all without friends
	networks  map[netip.Prefix]*visitor
	swept     time.Time
	friends   map[netip.Addr]struct{} // by ratelimit.Source

	// Guests that have not logged in, the oldest first.
	waitingStrangers, waitingFriends list.List // of *guest
}

// forStrangers is the share that friends leave to others.
const forStrangers = 0.8

// strangersShare is how many of so many places strangers may take.
func strangersShare(places int) int { return max(1, int(float64(places)*forStrangers)) }

type visitor struct {
	open   int
	bucket ratelimit.Bucket
}

// A guest is a connection that was admitted.
type guest struct {
	exempt, friend bool
	out            bool          // had to make room: its place is another's
	waiting        *list.Element // nil once it has logged in
	leave          func()        // asks it to go
}

const (
	maxVisitors = 1 << 16 // bounds the memory of addresses without a connection
	maxFriends  = 1 << 16
)

func newConnLimiter(l Limits) *connLimiter {
	return &connLimiter{limits: l, networks: map[netip.Prefix]*visitor{}, friends: map[netip.Addr]struct{}{}}
}

// change sets limits for connections to come.
func (d *connLimiter) change(l Limits) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limits = l
}

// admit counts a new connection in as g, or says why not. An admitted connection is to be released. leave may be
// called later, by any goroutine, when another needs the place of one that has not logged in.
func (d *connLimiter) admit(a netip.Addr, now time.Time, g *guest, leave func()) (Reason, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	*g = guest{exempt: d.limits.exempt(a), leave: leave}
	_, known := d.friends[ratelimit.Source(a)]
	g.friend = known || g.exempt
	goes, ok := d.room(g)
	if !ok {
		return ServerFull, false
	}
	if !g.exempt {
		if why, ok := d.count(a, now, g.friend); !ok {
			return why, false
		}
	}
	if goes != nil {
		goes.leave()
		d.forget(goes)
		goes.out = true
		d.open--
	}
	d.open++
	line := &d.waitingStrangers
	if g.friend {
		line = &d.waitingFriends
	}
	g.waiting = line.PushBack(g)
	return 0, true
}

// room reports whether there is a place, and which guest has to go for it: the oldest of those that have not logged in.
// Strangers among these never hold the last fifth.
func (d *connLimiter) room(g *guest) (goes *guest, ok bool) {
	full, strangers := d.open >= d.limits.Connections, &d.waitingStrangers
	switch {
	case !full && (g.friend || strangers.Len() < strangersShare(d.limits.Connections)):
		return nil, true
	case strangers.Len() > 0:
		return strangers.Front().Value.(*guest), true
	case g.friend && d.waitingFriends.Len() > 0:
		return d.waitingFriends.Front().Value.(*guest), true
	}
	return nil, false
}

// count counts a connection of an address.
func (d *connLimiter) count(a netip.Addr, now time.Time, friend bool) (Reason, bool) {
	l, at, networks := &d.limits, ratelimit.Clock(now), ratelimit.Networks(a)
	var visitors [2]*visitor
	for i, n := range networks {
		v, times := d.visitor(n.Prefix, now), float64(n.Times)
		if visitors[i] = v; v.open >= l.PerAddress*n.Times {
			return AddressFull, false
		}
		if v.bucket.Refill(at, l.NewPerAddress*times); !v.bucket.Has(1, float64(l.NewPerAddressBurst)*times) {
			return AddressTooFast, false
		}
	}
	d.all.Refill(at, l.New)
	d.strangers.Refill(at, l.New*forStrangers)
	if !d.all.Has(1, max(l.New, 1)) || !friend && !d.strangers.Has(1, max(l.New*forStrangers, 1)) {
		return ServerTooFast, false
	}
	d.all.Spend(1)
	if !friend {
		d.strangers.Spend(1)
	}
	for i, n := range networks {
		v := visitors[i]
		v.open++
		v.bucket.Spend(1)
		d.networks[n.Prefix] = v // it may have been forgotten when the other one was made
	}
	return 0, true
}

// visitor returns the memory of a network.
func (d *connLimiter) visitor(n netip.Prefix, now time.Time) *visitor {
	v := d.networks[n]
	if v == nil {
		if d.sweep(now); len(d.networks) >= maxVisitors {
			d.forgetOne()
		}
		v = new(visitor)
		d.networks[n] = v
	}
	return v
}

// loggedIn notes that a guest has logged in: the address is a friend's from now on.
func (d *connLimiter) loggedIn(a netip.Addr, g *guest) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.befriend(a)
	d.forget(g)
}

// befriend makes friends of addresses.
func (d *connLimiter) befriend(addresses ...netip.Addr) {
	for _, a := range addresses {
		if len(d.friends) >= maxFriends {
			dropOne(d.friends)
		}
		d.friends[ratelimit.Source(a)] = struct{}{}
	}
}

// forget takes a guest out of the line of guests that have not logged in.
func (d *connLimiter) forget(g *guest) {
	if g.waiting == nil {
		return
	}
	if g.friend {
		d.waitingFriends.Remove(g.waiting)
	} else {
		d.waitingStrangers.Remove(g.waiting)
	}
	g.waiting, g.leave = nil, nil
}

func (d *connLimiter) release(a netip.Addr, g *guest) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.forget(g); !g.out {
		d.open--
	}
	if g.exempt {
		return
	}
	for _, n := range ratelimit.Networks(a) {
		if v := d.networks[n.Prefix]; v != nil {
			v.open--
		}
	}
}

// sweep forgets networks with a full bucket.
func (d *connLimiter) sweep(now time.Time) {
	if now.Sub(d.swept) < time.Second {
		return
	}
	d.swept = now
	for n, v := range d.networks {
		if v.open == 0 && v.bucket.Full(ratelimit.Clock(now), d.limits.NewPerAddress) {
			delete(d.networks, n)
		}
	}
}

// forgetOne makes room for a network. One with connections is never forgotten: where all have some, more are
// remembered than else, but never more than two for each connection.
func (d *connLimiter) forgetOne() {
	for n, v := range d.networks {
		if v.open == 0 {
			delete(d.networks, n)
			return
		}
	}
}
