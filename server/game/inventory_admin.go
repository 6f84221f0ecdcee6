package game

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sphereserver/data"
	"sphereserver/server/ops"
	"sphereserver/server/session"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// Operators change the belongings and levels of characters: each [ops.Deed] finds its character in the world or in
// the store.

// adminOpRetry is how long an operation waits for a character that is on its way into the world or out of it.
const adminOpRetry = 20 * time.Millisecond

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
		case <-time.After(adminOpRetry):
		case <-ctx.Done():
			return outcome{}, fmt.Errorf("game: character %q is being saved or loaded: %w", c.Name, ctx.Err())
		}
	}
}

// runAlone does an operation in the store while nobody uses the account, and keeps everybody from logging in meanwhile.
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

// runPlaying does an operation while the account has a session: in the world if the character is there, in the store if
// it is not going to be there in a moment.
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
	case <-p.Gone():
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
	tag, answer := s.pendingOps.begin()
	defer s.pendingOps.forget(tag)
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
