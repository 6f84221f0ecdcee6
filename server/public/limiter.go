package public

import (
	"maps"
	"net/netip"
	"sync"
	"time"

	"sphereserver/server/ratelimit"
)

// Requests of an address. A visitor that opens the page and moves the map over many tiles needs the burst.
const (
	perSecond = 20
	burst     = 300

	maxNetworks = 16384 // that are remembered; all others share the requests of four
	sweepEvery  = time.Second
)

// A limiter limits the requests of each address.
type limiter struct {
	mu     sync.Mutex
	now    func() time.Time
	of     map[netip.Prefix]*ratelimit.Bucket
	others ratelimit.Bucket // of all addresses beyond maxNetworks
	swept  time.Time
	rate   float64 // requests of an address in a second,
	once   float64 // and at once
}

func newLimiter(rate, once float64) limiter {
	return limiter{now: time.Now, of: map[netip.Prefix]*ratelimit.Bucket{}, rate: rate, once: once}
}

// allow reports whether an address may ask once more.
func (l *limiter) allow(a netip.Addr) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	clock := ratelimit.Clock(now)
	let := true
	for _, n := range ratelimit.Networks(a) {
		b, times := l.bucket(n.Prefix, now), float64(n.Times)
		if b == nil {
			b, times = &l.others, 4
		}
		let = b.Take(clock, 1, times*l.rate, times*l.once) && let
	}
	return let
}

// bucket is that of a network; nil when there is no room for one more.
func (l *limiter) bucket(n netip.Prefix, now time.Time) *ratelimit.Bucket {
	b := l.of[n]
	if b != nil {
		return b
	}
	if len(l.of) >= maxNetworks && now.Sub(l.swept) >= sweepEvery {
		l.swept = now
		maps.DeleteFunc(l.of, func(_ netip.Prefix, b *ratelimit.Bucket) bool {
			return b.Full(ratelimit.Clock(now), l.rate)
		})
	}
	if len(l.of) >= maxNetworks {
		return nil
	}
	b = new(ratelimit.Bucket)
	l.of[n] = b
	return b
}
