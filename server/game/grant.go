package game

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"sphereserver/data"
	"sphereserver/server/ops"
	"sphereserver/server/session"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// What operators do to the belongings and levels of characters: each [ops.Deed] finds its character in the world or in
// the store.

// errands are requests of operators that the world works on.
type errands struct {
	mu      sync.Mutex
	last    uint64
	waiting map[uint64]chan outcome
}

// An outcome is what has come of an operator's request.
type outcome struct {
	money int64 // of the character now
	why   rules.RejectReason
}

// begin numbers a request.
func (o *errands) begin() (tag uint64, answer chan outcome) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.waiting == nil {
		o.waiting = map[uint64]chan outcome{}
	}
	o.last++
	answer = make(chan outcome, 1)
	o.waiting[o.last] = answer
	return o.last, answer
}

// done answers a request of an operator; false if the command is none.
func (o *errands) done(c world.Command, money int64, why rules.RejectReason) bool {
	var tag uint64
	switch c := c.(type) {
	case world.Give:
		tag = c.Tag
	case world.Clear:
		tag = c.Tag
	case world.GiveMoney:
		tag = c.Tag
	case world.SetLevels:
		tag = c.Tag
	default:
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if answer := o.waiting[tag]; answer != nil {
		answer <- outcome{money, why}
		delete(o.waiting, tag)
	}
	return true
}

// forget is for a request that nobody waits for any more.
func (o *errands) forget(tag uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.waiting, tag)
}

// errandRetry is how long an errand waits for a character that is on its way into the world or out of it.
const errandRetry = 20 * time.Millisecond

var errAgain = errors.New("to be tried again")

// Change implements [ops.Runtime].
func (s *Server) Change(ctx context.Context, id data.CharacterID, d ops.Deed) (money int64, err error) {
	out, err := s.run(ctx, id, d)
	return out.money, err
}

// run does an operator's deed, and returns when it is durable.
func (s *Server) run(ctx context.Context, id data.CharacterID, d ops.Deed) (outcome, error) {
	for {
		c, err := s.store.CharacterByID(ctx, id)
		if err != nil {
			return outcome{}, err
		}
		var out outcome
		p := s.Presence(c.Account)
		switch {
		case p == nil:
			out, err = s.runAlone(ctx, c.Account, id, d)
		case p.Session.Gone():
			err = errAgain
		default:
			out, err = s.runPlaying(ctx, p, id, d)
		}
		if !errors.Is(err, errAgain) {
			return out, err
		}
		select {
		case <-time.After(errandRetry):
		case <-ctx.Done():
			return outcome{}, fmt.Errorf("game: character %q is being saved or loaded: %w", c.Name, ctx.Err())
		}
	}
}

// runAlone does an errand in the store while nobody uses the account, and keeps everybody from logging in meanwhile.
func (s *Server) runAlone(ctx context.Context, account data.AccountID, id data.CharacterID, d ops.Deed) (outcome,
	error) {
	free, err := s.Hold(ctx, account)
	if err != nil {
		if ctx.Err() == nil {
			return outcome{}, errAgain
		}
		return outcome{}, err
	}
	defer free()
	return s.runStored(ctx, id, d)
}

func (s *Server) runStored(ctx context.Context, id data.CharacterID, d ops.Deed) (outcome, error) {
	money, err := d.Apply(ctx, s.store, id)
	if errors.Is(err, data.ErrConflict) {
		err = errAgain
	}
	return outcome{money: money}, err
}

// runPlaying does an errand while the account has a session: in the world if the character is there, in the store if it
// is not going to be there in a moment.
func (s *Server) runPlaying(ctx context.Context, p *session.Presence, id data.CharacterID, d ops.Deed) (out outcome,
	err error) {
	type place struct {
		inWorld, elsewhere bool
	}
	found := make(chan place, 1)
	p.Session.Post(func(of *session.Session) {
		player, _ := of.Player().(*player)
		inWorld := player != nil && player.character.ID == id
		found <- place{inWorld && of.State() == session.InWorld, !inWorld && of.State() >= session.CharacterScreen}
	})
	var at place
	select {
	case at = <-found:
	case <-p.Gone:
		return outcome{}, errAgain
	case <-ctx.Done():
		return outcome{}, ctx.Err()
	}
	switch {
	case at.inWorld:
		return s.runInWorld(ctx, p, d)
	case !at.elsewhere:
		return outcome{}, errAgain
	}
	if !p.Session.Unchosen(id, func() { out, err = s.runStored(ctx, id, d) }) {
		return outcome{}, errAgain
	}
	return out, err
}

func (s *Server) runInWorld(ctx context.Context, p *session.Presence, d ops.Deed) (outcome, error) {
	tag, answer := s.errands.begin()
	defer s.errands.forget(tag)
	s.world.Do(d.InWorld(world.PlayerID(p.Session.Index()), tag))
	select {
	case out := <-answer:
		switch out.why {
		case 0:
			return out, nil
		case rules.NobodyThere: // it has just left
			return out, errAgain
		}
		return out, ops.Reject(out.why)
	case <-ctx.Done():
		return outcome{}, fmt.Errorf("game: the world has not answered yet: %w", ctx.Err())
	}
}
