package api

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"maps"
	"slices"
	"sync"
	"time"

	"sphereserver/data"
	"sphereserver/server/ratelimit"
	gamesession "sphereserver/server/session"
)

const (
	cookieName  = "sphere_admin"
	sessionLife = 12 * time.Hour
	sessionIdle = time.Hour // without a request
	maxSessions = 256       // of the account with the most, the one that was idle for longest goes
)

// A session is a browser that has logged in.
type session struct {
	account  data.AccountID
	password string // hash of the account's, as it was: with another one the session ends
	csrf     string
	began    time.Time
	used     time.Time
}

// A key finds a secret's session; the secret cannot be told from it.
type key [sha256.Size]byte

func keyOf(secret string) key { return sha256.Sum256([]byte(secret)) }

// sessions are all present sessions. They are not stored: after a restart everybody logs in again.
type sessions struct {
	mu    sync.Mutex
	now   func() time.Time
	byKey map[key]*session
	rates map[rated]*ratelimit.Bucket
}

// rated is an asker, by account or token, of routes with a rate.
type rated struct {
	who  any
	rate *rate
}

func newSessions() *sessions {
	return &sessions{now: time.Now, byKey: map[key]*session{}, rates: map[rated]*ratelimit.Bucket{}}
}

func (s *sessions) begin(a *data.Account) (secret string, made session) {
	secret = rand.Text() + rand.Text()
	now := s.now()
	made = session{account: a.ID, password: a.PasswordHash, csrf: rand.Text(), began: now, used: now}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep(now)
	if len(s.byKey) >= maxSessions {
		of := map[data.AccountID]int{} // sessions of accounts
		for _, one := range s.byKey {
			of[one.account]++
		}
		delete(s.byKey, slices.MinFunc(slices.Collect(maps.Keys(s.byKey)), func(a, b key) int {
			x, y := s.byKey[a], s.byKey[b]
			return cmp.Or(of[y.account]-of[x.account], x.used.Compare(y.used))
		}))
	}
	s.byKey[keyOf(secret)] = &made
	return secret, made
}

// of finds the session of a secret, and notes that it is in use.
func (s *sessions) of(secret string) (session, bool) {
	now := s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.byKey[keyOf(secret)]
	if found == nil || found.over(now) {
		delete(s.byKey, keyOf(secret))
		return session{}, false
	}
	found.used = now
	return *found, true
}

func (s *session) over(now time.Time) bool {
	return now.Sub(s.began) >= sessionLife || now.Sub(s.used) >= sessionIdle
}

func (s *sessions) end(secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byKey, keyOf(secret))
}

func (s *sessions) sweep(now time.Time) {
	maps.DeleteFunc(s.byKey, func(_ key, other *session) bool { return other.over(now) })
	maps.DeleteFunc(s.rates, func(by rated, r *ratelimit.Bucket) bool {
		return r.Full(ratelimit.Clock(now), by.rate.perSecond)
	})
}

// allow reports whether an asker, by account or token, may make one more request.
func (s *sessions) allow(who any, rate *rate) bool {
	now := s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	by := rated{who, rate}
	r := s.rates[by]
	if r == nil {
		if len(s.rates) >= 4*maxSessions {
			s.sweep(now)
		}
		r = new(ratelimit.Bucket)
		s.rates[by] = r
	}
	return r.Take(ratelimit.Clock(now), 1, rate.perSecond, rate.burst)
}

// hashing checks passwords, one at a time and few waiting, so that nobody can keep the processors from the players.
type hashing struct {
	turn      chan struct{}
	queue     chan struct{}
	passwords gamesession.Passwords
	decoy     string // hash of no account
}

const hashQueue = 8

func newHashing(p gamesession.Passwords) hashing {
	return hashing{turn: make(chan struct{}, 1), queue: make(chan struct{}, hashQueue), passwords: p,
		decoy: data.DecoyHash()}
}

// inTurn works when nobody else does.
func (h hashing) inTurn(ctx context.Context, work func() error) error {
	select {
	case h.queue <- struct{}{}:
		defer func() { <-h.queue }()
	default:
		return errBusy
	}
	select {
	case h.turn <- struct{}{}:
		defer func() { <-h.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return work()
}

// verify reports whether a password fits a hash; "" is for no account, and takes as long. It is called in turn.
func (h hashing) verify(ctx context.Context, hash, password string) (bool, error) {
	known := hash != ""
	if !known {
		hash = h.decoy
	}
	// A client that hangs up meanwhile has tried all the same, and the turn is not over before the work is.
	ok, err := h.passwords.Verify(context.WithoutCancel(ctx), hash, password)
	return ok && known, err
}
