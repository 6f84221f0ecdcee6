package session

import (
	"sync"
	"time"

	"sphereserver/data"
	"sphereserver/server/ratelimit"
)

// A characterLimiter bounds how often an account makes a character, since each comes with some items: a client that
// makes and deletes characters all day could bury a place under those. Deletions need no bound of their own: there
// are no more of them than creations.
type characterLimiter struct {
	mu       sync.Mutex
	perHour  int
	accounts map[data.AccountID]*ratelimit.Bucket
}

func newCharacterLimiter(l Limits) *characterLimiter {
	return &characterLimiter{perHour: l.NewCharacters, accounts: map[data.AccountID]*ratelimit.Bucket{}}
}

// mayMake reports whether an account may make one more character now.
func (c *characterLimiter) mayMake(account data.AccountID, now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.accounts[account]
	if b == nil {
		return true
	}
	b.Refill(ratelimit.Clock(now), float64(c.perHour)/time.Hour.Seconds())
	return b.Has(1, float64(c.perHour))
}

// made counts one that was made.
func (c *characterLimiter) made(account data.AccountID, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.accounts[account]
	if b == nil {
		makeRoom(c.accounts)
		b = new(ratelimit.Bucket)
		b.Refill(ratelimit.Clock(now), 0)
		c.accounts[account] = b
	}
	b.Spend(1)
}
