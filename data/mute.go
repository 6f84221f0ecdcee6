package data

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Holds says whether the mute is still in force.
func (m Mute) Holds(now time.Time) bool { return Ban(m).Holds(now) }

// Mute keeps an account from speaking; a mute that it has already is replaced. A zero At is filled in with the time
// now.
func (s *Store) Mute(ctx context.Context, id AccountID, m Mute) error {
	return s.hold(ctx, id, Ban(m), "INSERT OR REPLACE INTO account_mutes (account, until, reason, muted_by, at) VALUES (?, ?, ?, ?, ?)")
}

// Unmute lets an account speak again; ErrNotFound when it could.
func (s *Store) Unmute(ctx context.Context, id AccountID) error {
	return s.doStatement(ctx, func(t *tx) error {
		n, err := t.change("DELETE FROM account_mutes WHERE account = ? AND (until = 0 OR until > ?)", id, toMillis(s.now()))
		if err == nil && n == 0 {
			return fmt.Errorf("data: mute of account %d: %w", id, ErrNotFound)
		}
		return err
	})
}

// MuteOf returns the mute of an account; false when it may speak.
func (s *Store) MuteOf(ctx context.Context, id AccountID) (Mute, bool, error) {
	a, err := s.AccountByID(ctx, id)
	switch {
	case errors.Is(err, ErrNotFound):
		return Mute{}, false, nil
	case err != nil || a.Mute == nil:
		return Mute{}, false, err
	}
	return *a.Mute, true, nil
}
