package session

import (
	"net/netip"
	"sync"
	"time"

	"sphereserver/server/ratelimit"
)

// exempt says that an address is free of the limits per address.
func (l *Limits) exempt(a netip.Addr) bool { return l.ExemptLoopback && a.Unmap().IsLoopback() }

// connLimiter admits connections.
type connLimiter struct {
	mu      sync.Mutex
	limits  Limits
	open    int
	all     ratelimit.Bucket
	sources map[netip.Addr]*visitor
	swept   time.Time
}

type visitor struct {
	open   int
	bucket ratelimit.Bucket
}

// maxVisitors bounds what is remembered of addresses without a connection.
const maxVisitors = 1 << 16

func newConnLimiter(l Limits) *connLimiter {
	return &connLimiter{limits: l, sources: map[netip.Addr]*visitor{}}
}

// change sets limits for connections to come.
func (d *connLimiter) change(l Limits) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limits = l
}

// admit counts a new connection in, or says why not. What was admitted is to be released.
func (d *connLimiter) admit(a netip.Addr, now time.Time) (Reason, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	l := d.limits
	if d.open >= l.Connections {
		return ServerFull, false
	}
	if l.exempt(a) {
		d.open++
		return 0, true
	}
	key := ratelimit.Source(a)
	v := d.sources[key]
	if v == nil {
		d.sweep(now)
		if len(d.sources) >= maxVisitors {
			return AddressTooFast, false
		}
		v = new(visitor)
		d.sources[key] = v
	}
	if v.open >= l.PerAddress {
		return AddressFull, false
	}
	at := ratelimit.Clock(now)
	if !v.bucket.Take(at, 1, l.NewPerAddress, float64(l.NewPerAddressBurst)) || !d.all.Take(at, 1, l.New, max(l.New, 1)) {
		return AddressTooFast, false
	}
	v.open++
	d.open++
	return 0, true
}

func (d *connLimiter) release(a netip.Addr) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open--
	if d.limits.exempt(a) {
		return
	}
	if v := d.sources[ratelimit.Source(a)]; v != nil {
		v.open--
	}
}

// sweep forgets addresses whose bucket has filled again.
func (d *connLimiter) sweep(now time.Time) {
	if now.Sub(d.swept) < time.Second {
		return
	}
	d.swept = now
	for a, v := range d.sources {
		if v.open == 0 && v.bucket.Full(ratelimit.Clock(now), d.limits.NewPerAddress) {
			delete(d.sources, a)
		}
	}
}
