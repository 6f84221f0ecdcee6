package session

import (
	"context"
	"errors"
	"sync"
	"time"

	"sphereserver/data"
)

// online is which accounts are in use, by which session.
type online struct {
	mu       sync.Mutex
	sessions map[data.AccountID]*Presence
}

// A Presence is an account that is in use.
type Presence struct {
	Session *Session

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
// straight back must not be told that it is still there.
const closingWait = 5 * time.Second

var errOnline = errors.New("the account is online already")

// claim makes the account the session's. An older session that is ending is waited for; another one is closed first
// if takeOver is set, else the claim fails.
func (o *online) claim(ctx context.Context, id data.AccountID, s *Session, takeOver bool) error {
	deadline := time.NewTimer(closingWait)
	defer deadline.Stop()
	for {
		o.mu.Lock()
		older := o.sessions[id]
		if older == nil {
			o.sessions[id] = &Presence{Session: s}
			o.mu.Unlock()
			return nil
		}
		o.mu.Unlock()
		switch {
		case older.Session.gone.Load(): // its earlier writes can be read
			if p := older.Session.player; p != nil {
				p.Returns()
			}
		case !takeOver:
			return errOnline
		default:
			older.Session.Post(func(s *Session) { s.End(TakenOver, "") })
		}
		select {
		case <-older.Gone():
		case <-time.After(closingWait / 10): // it may have begun to stay only now
		case <-deadline.C:
			return errOnline
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// release frees the account, if it is the session's.
func (o *online) release(id data.AccountID, s *Session) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if p := o.sessions[id]; p != nil && p.Session == s {
		delete(o.sessions, id)
		p.end()
	}
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
