package session

import (
	"net/netip"
	"strings"
	"sync"
	"time"

	"sphereserver/server/ratelimit"
)

// A LoginLimiter slows down those who guess passwords at one of the server's doors. What happens at one door does not
// count at another: nobody can lock operators out from the game. What it remembers is bounded; when that is full it
// forgets somebody, which helps a guesser with very many addresses to no more than the limits per account allow.
type LoginLimiter struct {
	mu       sync.Mutex
	limits   Limits
	pairs    map[pair]*offender               // an account from an address
	sources  map[netip.Addr]*offender         // an address, whatever the account
	accounts map[string]*offender             // an account, whatever the address
	makers   map[netip.Addr]*ratelimit.Bucket // of accounts
}

type pair struct {
	source netip.Addr
	login  string
}

// An offender is somebody whose failures are counted.
type offender struct {
	failures int
	since    time.Time // of the window that failures counts in
	until    time.Time // refused until then
	penalty  time.Duration
}

const (
	maxOffenders = 1 << 16
	maxPenalty   = 15 * time.Minute
)

// NewLoginLimiter makes a limiter with the limits of failed logins.
func NewLoginLimiter(l Limits) *LoginLimiter {
	return &LoginLimiter{limits: l, pairs: map[pair]*offender{}, sources: map[netip.Addr]*offender{},
		accounts: map[string]*offender{}, makers: map[netip.Addr]*ratelimit.Bucket{}}
}

// change sets the limits from now on.
func (g *LoginLimiter) change(l Limits) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.limits = l
}

// Allowed says whether an attempt may be made now; the case of the login gives no new chances.
func (g *LoginLimiter) Allowed(a netip.Addr, login string, now time.Time) bool {
	login = strings.ToLower(login)
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.accounts[login].free(now, time.Hour, g.limits.AccountPerHour) {
		return false
	}
	if g.limits.exempt(a) {
		return true
	}
	s := ratelimit.Source(a)
	return g.pairs[pair{s, login}].free(now, time.Minute, 0) &&
		g.sources[s].free(now, time.Minute, g.limits.AddressPerMinute)
}

// free says whether the offender may try: its penalty is over, and its window, where limit is not 0, has room.
func (o *offender) free(now time.Time, window time.Duration, limit int) bool {
	if o == nil {
		return true
	}
	return !now.Before(o.until) && (limit == 0 || o.failures < limit || now.Sub(o.since) >= window)
}

// Failed counts a failure.
func (g *LoginLimiter) Failed(a netip.Addr, login string, now time.Time) {
	login = strings.ToLower(login)
	g.mu.Lock()
	defer g.mu.Unlock()
	count(g.accounts, login, now, time.Hour)
	if g.limits.exempt(a) {
		return
	}
	s := ratelimit.Source(a)
	count(g.sources, s, now, time.Minute)
	o := count(g.pairs, pair{s, login}, now, time.Minute)
	if o.failures >= g.limits.FailuresPerMinute {
		o.penalty = min(max(time.Minute, 2*o.penalty), maxPenalty)
		o.since, o.until = now, now.Add(o.penalty)
		o.failures = g.limits.FailuresPerMinute - 1 // the next failure doubles at once
	}
}

// Succeeded forgives an address its failures with that account.
func (g *LoginLimiter) Succeeded(a netip.Addr, login string) {
	login = strings.ToLower(login)
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.pairs, pair{ratelimit.Source(a), login})
}

// mayCreate says whether an address may make one more account.
func (g *LoginLimiter) mayCreate(a netip.Addr, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.limits.exempt(a) {
		return true
	}
	s := ratelimit.Source(a)
	b := g.makers[s]
	if b == nil {
		makeRoom(g.makers)
		b = new(ratelimit.Bucket)
		g.makers[s] = b
	}
	return b.Take(ratelimit.Clock(now), 1, float64(g.limits.NewAccounts)/60, float64(g.limits.NewAccounts))
}

func count[K comparable](m map[K]*offender, key K, now time.Time, window time.Duration) *offender {
	o := m[key]
	switch {
	case o == nil:
		makeRoom(m)
		o = &offender{since: now}
		m[key] = o
	case now.Sub(o.since) >= max(window, 2*o.penalty):
		*o = offender{since: now}
	}
	o.failures++
	return o
}

// makeRoom forgets somebody when a map is full: which one does not matter, as long as it costs nothing to find.
func makeRoom[K comparable, V any](m map[K]V) {
	if len(m) < maxOffenders {
		return
	}
	for k := range m {
		delete(m, k)
		return
	}
}
