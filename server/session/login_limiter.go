package session

import (
	"net/netip"
	"strings"
	"sync"
	"time"

	"sphereserver/server/ratelimit"
)

// A LoginLimiter slows down guessers of passwords at one of the server's doors. Failures at one door do not count at
// another: nobody can lock operators out from the game. Its memory is bounded; when that is full it forgets an
// offender, which helps a guesser with very many addresses to no more than the limits per account allow.
//
// No address is free of it, this machine's included: a proxy that does not name its client has that address, too.
type LoginLimiter struct {
	mu       sync.Mutex
	limits   Limits
	pairs    map[pair]*offender                 // an account from an address
	networks map[netip.Prefix]*offender         // by address, for all accounts
	accounts map[string]*offender               // by account, from all addresses
	homes    map[pair]struct{}                  // whence accounts have logged in
	makers   map[netip.Prefix]*ratelimit.Bucket // of accounts
}

type pair struct {
	source netip.Addr
	login  string
}

// An offender is a pair, a network or an account with its failures.
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
	return &LoginLimiter{limits: l, pairs: map[pair]*offender{}, networks: map[netip.Prefix]*offender{},
		accounts: map[string]*offender{}, homes: map[pair]struct{}{}, makers: map[netip.Prefix]*ratelimit.Bucket{}}
}

// change sets the limits from now on.
func (g *LoginLimiter) change(l Limits) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.limits = l
}

// A Lockout refuses a login before its password is checked. The zero value refuses nothing.
type Lockout struct {
	Of    Lock
	Until time.Time
}

// A Lock is the kind of offender that has failed too often.
type Lock uint8

// The locks.
const (
	Unlocked Lock = iota
	LockedPair
	LockedAddress
	LockedAccount
)

// String returns its name for the log and for our own clients.
func (l Lock) String() string {
	return [...]string{"not locked", "too many wrong passwords for this account from this address",
		"too many wrong passwords from this address", "too many wrong passwords for this account"}[l]
}

// Check reports whether a password may be tried now; the case of the login gives no new chances. lastAddress is where
// the account has logged in from last, with or without a port, "" if it has not: there others' failures do not count,
// or anybody could lock the owner out.
func (g *LoginLimiter) Check(a netip.Addr, login, lastAddress string, now time.Time) Lockout {
	login = strings.ToLower(login)
	here := pair{ratelimit.Source(a), login}
	g.mu.Lock()
	defer g.mu.Unlock()
	if until := g.pairs[here].locked(now, time.Minute, 0); now.Before(until) {
		return Lockout{LockedPair, until}
	}
	for _, n := range ratelimit.Networks(a) {
		until := g.networks[n.Prefix].locked(now, time.Minute, g.limits.AddressPerMinute*n.Times)
		if now.Before(until) {
			return Lockout{LockedAddress, until}
		}
	}
	_, home := g.homes[here]
	if home || sameSource(lastAddress, here.source) {
		return Lockout{}
	}
	if until := g.accounts[login].locked(now, time.Hour, g.limits.AccountPerHour); now.Before(until) {
		return Lockout{LockedAccount, until}
	}
	return Lockout{}
}

// AccountLocked is until when nobody may try the account's password from an address that it is not known to use; the
// zero time if it is not locked.
func (g *LoginLimiter) AccountLocked(login string, now time.Time) time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	until := g.accounts[strings.ToLower(login)].locked(now, time.Hour, g.limits.AccountPerHour)
	if !now.Before(until) {
		return time.Time{}
	}
	return until
}

// LockedUntil is until when all but known addresses may not log in with an account; the zero time if they may. Any
// goroutine may ask.
func (s *Manager) LockedUntil(login string) time.Time {
	return s.guesses.AccountLocked(login, time.Now())
}

// addressOf reads an address that the store has, with or without a port.
func addressOf(text string) (netip.Addr, bool) {
	if at, err := netip.ParseAddrPort(text); err == nil {
		return at.Addr(), true
	}
	a, err := netip.ParseAddr(text)
	return a, err == nil
}

func sameSource(text string, source netip.Addr) bool {
	a, ok := addressOf(text)
	return ok && ratelimit.Source(a) == source
}

// locked is until when the offender may not try: its penalty is not over, or its window, where limit is not 0, is full.
func (o *offender) locked(now time.Time, window time.Duration, limit int) time.Time {
	switch {
	case o == nil:
		return time.Time{}
	case limit > 0 && o.failures >= limit && now.Sub(o.since) < window:
		return o.since.Add(window)
	}
	return o.until
}

// Failed counts a failure.
func (g *LoginLimiter) Failed(a netip.Addr, login string, now time.Time) {
	login = strings.ToLower(login)
	g.mu.Lock()
	defer g.mu.Unlock()
	count(g.accounts, login, now, time.Hour)
	for _, n := range ratelimit.Networks(a) {
		count(g.networks, n.Prefix, now, time.Minute)
	}
	o := count(g.pairs, pair{ratelimit.Source(a), login}, now, time.Minute)
	if o.failures >= g.limits.FailuresPerMinute {
		o.penalty = min(max(time.Minute, 2*o.penalty), maxPenalty)
		o.since, o.until = now, now.Add(o.penalty)
		o.failures = g.limits.FailuresPerMinute - 1 // the next failure doubles at once
	}
}

// Succeeded forgives an address its failures with that account.
func (g *LoginLimiter) Succeeded(a netip.Addr, login string) {
	here := pair{ratelimit.Source(a), strings.ToLower(login)}
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.pairs, here)
	makeRoom(g.homes)
	g.homes[here] = struct{}{}
}

// mayCreate reports whether an address may make one more account.
func (g *LoginLimiter) mayCreate(a netip.Addr, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	at, networks := ratelimit.Clock(now), ratelimit.Networks(a)
	var buckets [2]*ratelimit.Bucket
	for i, n := range networks {
		b, most := g.makers[n.Prefix], float64(g.limits.NewAccounts*n.Times)
		if b == nil {
			makeRoom(g.makers)
			b = new(ratelimit.Bucket)
			g.makers[n.Prefix] = b
		}
		if b.Refill(at, most/60); !b.Has(1, most) {
			return false
		}
		buckets[i] = b
	}
	for _, b := range buckets[:len(networks)] {
		b.Spend(1)
	}
	return true
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

// makeRoom forgets an offender when a map is full.
func makeRoom[K comparable, V any](m map[K]V) {
	if len(m) >= maxOffenders {
		dropOne(m)
	}
}

// dropOne forgets one entry of a map: which one does not matter, as long as it costs nothing to find.
func dropOne[K comparable, V any](m map[K]V) {
	for k := range m {
		delete(m, k)
		return
	}
}
