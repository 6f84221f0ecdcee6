package session

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"sphereserver/data"
)

// online maps each account in use to its session.
type online struct {
	mu       sync.Mutex
	sessions map[data.AccountID]*Presence
	waiting  map[data.AccountID][]*Session // for an account, in the order in which they came
	linger   func() time.Duration          // of the options; nil: none does
}

func newOnline(linger func() time.Duration) *online {
	return &online{sessions: map[data.AccountID]*Presence{}, waiting: map[data.AccountID][]*Session{}, linger: linger}
}

// A Presence is an account that is in use.
type Presence struct {
	Session *Session

	kept int // how often the account is kept once more; with the mutex of online

	mu   sync.Mutex
	over bool          // the account is free again
	gone chan struct{} // nil until a login waits: of thousands hardly any is waited for
}

// Gone is closed when the account is free again. Any goroutine may call it.
func (p *Presence) Gone() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone == nil {
		p.gone = make(chan struct{})
		if p.over {
			close(p.gone)
		}
	}
	return p.gone
}

func (p *Presence) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	if p.gone != nil {
		close(p.gone)
	}
}

// closingWait is how long a login waits for a session of the same account that is ending already: a player that comes
// straight back must not be told that it is still there. A character that has left in a fight is waited for beyond
// that: to come back is no escape.
const closingWait = 5 * time.Second

var errOnline = errors.New("the account is online already")

// claim makes the account the session's. An older session that is ending is waited for; another one is closed first
// if takeOver is set, else the claim fails. Of several that wait each gets the account in its turn, so the newest is
// the one that keeps it.
func (o *online) claim(ctx context.Context, id data.AccountID, s *Session, takeOver bool) error {
	patience := closingWait
	if o.linger != nil {
		patience += o.linger()
	}
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for older := o.take(id, s); older != nil; older = o.take(id, s) {
		switch {
		case older.Session.gone.Load():
		case !takeOver:
			return o.giveUp(id, s, errOnline)
		default:
			older.Session.Post(func(s *Session) { s.End(TakenOver, "") })
		}
		select {
		case <-older.Gone():
		case <-deadline.C:
			return o.giveUp(id, s, errOnline)
		case <-ctx.Done():
			return o.giveUp(id, s, ctx.Err())
		}
	}
	return nil
}

// take makes a free account the session's. Otherwise it returns the presence of the session whose account it is, and
// notes that this one waits.
func (o *online) take(id data.AccountID, s *Session) (older *Presence) {
	o.mu.Lock()
	defer o.mu.Unlock()
	older = o.sessions[id]
	switch {
	case older == nil:
		o.sessions[id] = &Presence{Session: s}
	case older.Session == s: // handed over
		return nil
	case !slices.Contains(o.waiting[id], s):
		o.waiting[id] = append(o.waiting[id], s)
	}
	return older
}

// giveUp ends the waiting of a session, and returns the error; nil if the account has been handed over to it meanwhile.
func (o *online) giveUp(id data.AccountID, s *Session, err error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if p := o.sessions[id]; p != nil && p.Session == s {
		return nil
	}
	o.setWaiting(id, slices.DeleteFunc(o.waiting[id], func(other *Session) bool { return other == s }))
	return err
}

// setWaiting notes which sessions wait for an account; mu is held.
func (o *online) setWaiting(id data.AccountID, all []*Session) {
	if o.waiting[id] = all; len(all) == 0 {
		delete(o.waiting, id)
	}
}

// keep keeps the account the session's for work in the store, also when the session ends meanwhile, until it is
// released once more; false if it is not the session's.
func (o *online) keep(id data.AccountID, s *Session) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	p := o.sessions[id]
	if p == nil || p.Session != s {
		return false
	}
	p.kept++
	return true
}

// release frees the account, if it is the session's and not kept, or hands it over to the first session that waits for
// it.
func (o *online) release(id data.AccountID, s *Session) {
	o.mu.Lock()
	defer o.mu.Unlock()
	p := o.sessions[id]
	if p == nil || p.Session != s {
		return
	}
	if p.kept > 0 {
		p.kept--
		return
	}
	delete(o.sessions, id)
	if waiting := o.waiting[id]; len(waiting) > 0 {
		o.sessions[id] = &Presence{Session: waiting[0]}
		o.setWaiting(id, waiting[1:])
	}
	p.end()
}

// of returns the presence of an account, nil for none.
func (o *online) of(id data.AccountID) *Presence {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.sessions[id]
}

func (o *online) len() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.sessions)
}
