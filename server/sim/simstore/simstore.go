// Package simstore makes the requests to a store take simulated time, so that simulations have one order of events.
package simstore

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"sync/atomic"
	"time"

	"sphereserver/data"
	"sphereserver/world/rules"
)

// A Store is the server's store, which takes as much simulated time as a test wants, and fails when it is told to.
//
// SQLite itself takes none: of two requests in one moment the scheduler would choose the first. So each request takes
// a time that follows from its contents, and with it has a moment of its own.
type Store struct {
	*data.Store
	// Applied, if not nil, is called with each change of belongings that is durable, before the server knows it.
	Applied func(*rules.Change)

	delay  atomic.Int64
	broken atomic.Pointer[error]
}

// Fail makes every request fail with an error, until it is nil again. A request that has begun to write writes all.
func (s *Store) Fail(err error) {
	if err == nil {
		s.broken.Store(nil)
		return
	}
	s.broken.Store(&err)
}

// Delay has every request take so long, besides less than a millisecond of its own.
func (s *Store) Delay(d time.Duration) { s.delay.Store(int64(d)) }

// turn waits for the time that a request takes, and says whether it may be done.
func (s *Store) turn(ctx context.Context, about ...any) error {
	text, err := json.Marshal(about)
	if err != nil {
		return err
	}
	sum := fnv.New64a()
	sum.Write(text)
	own := time.Duration(sum.Sum64()%uint64(time.Millisecond-1)) + 1
	select {
	case <-time.After(time.Duration(s.delay.Load()) + own):
	case <-ctx.Done():
		time.Sleep(own) // a deadline that a tick has set comes with one
		return ctx.Err()
	}
	if broken := s.broken.Load(); broken != nil {
		return *broken
	}
	return nil
}

// asked has a request wait for its turn, and then done.
func asked[T any](ctx context.Context, s *Store, do func() (T, error), about ...any) (T, error) {
	if err := s.turn(ctx, about...); err != nil {
		var none T
		return none, err
	}
	return do()
}

func (s *Store) told(ctx context.Context, do func() error, about ...any) error {
	if err := s.turn(ctx, about...); err != nil {
		return err
	}
	return do()
}

func (s *Store) AccountByLogin(ctx context.Context, login string) (data.Account, error) {
	return asked(ctx, s, func() (data.Account, error) { return s.Store.AccountByLogin(ctx, login) }, "account", login)
}

func (s *Store) CreateAccount(ctx context.Context, login, hash string, role data.Role) (data.Account, error) {
	return asked(ctx, s, func() (data.Account, error) {
		return s.Store.CreateAccount(ctx, login, hash, role)
	}, "create", login)
}

func (s *Store) TouchLogin(ctx context.Context, id data.AccountID, at time.Time, from string) error {
	return s.told(ctx, func() error { return s.Store.TouchLogin(ctx, id, at, from) }, "touch", id)
}

func (s *Store) Characters(ctx context.Context, id data.AccountID) ([]data.Character, error) {
	return asked(ctx, s, func() ([]data.Character, error) { return s.Store.Characters(ctx, id) }, "characters", id)
}

func (s *Store) Items(ctx context.Context, id data.CharacterID) ([]rules.Item, error) {
	return asked(ctx, s, func() ([]rules.Item, error) { return s.Store.Items(ctx, id) }, "items", id)
}

func (s *Store) CreateCharacter(ctx context.Context, n data.NewCharacter) (
	c data.Character, items []rules.Item, err error) {
	err = s.told(ctx, func() error {
		c, items, err = s.Store.CreateCharacter(ctx, n)
		return err
	}, "new", n.Account, n.Name)
	return c, items, err
}

func (s *Store) DeleteCharacter(ctx context.Context, id data.CharacterID) (data.Character, error) {
	return asked(ctx, s, func() (data.Character, error) { return s.Store.DeleteCharacter(ctx, id) }, "delete", id)
}

func (s *Store) Ignore(ctx context.Context, who, other data.CharacterID) (rules.Ignored, error) {
	return asked(ctx, s, func() (rules.Ignored, error) { return s.Store.Ignore(ctx, who, other) }, "ignore", who, other)
}

func (s *Store) Unignore(ctx context.Context, who, other data.CharacterID) (rules.Ignored, error) {
	return asked(ctx, s, func() (rules.Ignored, error) { return s.Store.Unignore(ctx, who, other) }, "unignore", who,
		other)
}

func (s *Store) SaveLive(ctx context.Context, states []rules.LiveState) error {
	return s.told(ctx, func() error { return s.Store.SaveLive(ctx, states) }, "live")
}

func (s *Store) SaveGround(ctx context.Context, cells []rules.GroundCell) error {
	return s.told(ctx, func() error { return s.Store.SaveGround(ctx, cells) }, "ground")
}

func (s *Store) SaveCharacters(ctx context.Context, cs []data.Character) error {
	return s.told(ctx, func() error { return s.Store.SaveCharacters(ctx, cs) }, "save")
}

func (s *Store) Apply(ctx context.Context, c rules.Change) ([]rules.ItemID, error) {
	ids, err := asked(ctx, s, func() ([]rules.ItemID, error) { return s.Store.Apply(ctx, c) }, "apply", c)
	if err == nil && s.Applied != nil {
		s.Applied(&c)
	}
	return ids, err
}

func (s *Store) Rates(ctx context.Context) ([]data.Rate, error) {
	return asked(ctx, s, func() ([]data.Rate, error) { return s.Store.Rates(ctx) }, "rates")
}

func (s *Store) SetRate(ctx context.Context, r data.Rate) error {
	return s.told(ctx, func() error { return s.Store.SetRate(ctx, r) }, "set rate", r.Kind)
}

func (s *Store) AppendAudit(ctx context.Context, e data.AuditEntry) error {
	return s.told(ctx, func() error { return s.Store.AppendAudit(ctx, e) }, "audit", e)
}
