// Package ratelimit has token buckets of 16 bytes: small enough for several to each of thousands of connections.
package ratelimit

import (
	"net/netip"
	"time"
)

// A Bucket lets things pass at a rate, with a burst. The zero value is full. It is told the time since any moment,
// but always the same.
type Bucket struct {
	spent float64 // of the burst
	at    time.Duration
}

// Refill refills the bucket for the time that has gone by.
func (b *Bucket) Refill(now time.Duration, perSecond float64) {
	if d := now - b.at; d > 0 {
		b.spent = max(0, b.spent-d.Seconds()*perSecond)
	}
	b.at = now
}

// Has reports whether n more may pass. A burst below n never lets n pass.
func (b *Bucket) Has(n, burst float64) bool { return b.spent+n <= burst }

// Spend lets n pass.
func (b *Bucket) Spend(n float64) { b.spent += n }

// Take reports whether n more may pass, and lets them.
func (b *Bucket) Take(now time.Duration, n, perSecond, burst float64) bool {
	if b.Refill(now, perSecond); !b.Has(n, burst) {
		return false
	}
	b.Spend(n)
	return true
}

// Debt is how long it takes until no more than the burst is spent: how long a caller waits that spends first.
func (b *Bucket) Debt(perSecond, burst float64) time.Duration {
	return time.Duration(max(0, b.spent-burst) / perSecond * float64(time.Second))
}

// Full reports whether the bucket is as good as a new one.
func (b *Bucket) Full(now time.Duration, perSecond float64) bool {
	b.Refill(now, perSecond)
	return b.spent == 0
}

var start = time.Now()

// Clock is a moment as buckets are told it. It goes on through all changes of the system's clock, if t comes from
// [time.Now].
func Clock(t time.Time) time.Duration { return t.Sub(start) }

// A Network is addresses that limits count together.
type Network struct {
	netip.Prefix
	Times int // the share of a household that it gets
}

// Networks are the networks that limits per address count an address in: an IPv4 address by itself; of IPv6 the /64,
// which one household or machine can fill, and the /48, which anybody can rent, with four times as much. The widest
// is the last.
func Networks(a netip.Addr) []Network {
	a = a.Unmap().WithZone("")
	if !a.Is6() {
		return []Network{{netip.PrefixFrom(a, a.BitLen()), 1}}
	}
	return []Network{{netip.PrefixFrom(a, 64).Masked(), 1}, {netip.PrefixFrom(a, 48).Masked(), 4}}
}

// Source is the narrowest of the [Networks] of an address, by its first address.
func Source(a netip.Addr) netip.Addr { return Networks(a)[0].Addr() }
