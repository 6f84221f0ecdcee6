package admin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"sphereserver/data"
)

const defaultPatience = 5 * time.Second

// A Way says how [Reach] is to work.
type Way struct {
	Who    string       // for the audit trail
	Create bool         // make the database when there is none
	Warn   func(string) // told of what the operator ought to know; may be nil

	// Patience is how long to wait for a folder that a command has locked for a moment, or for a server that
	// is just starting; 0: five seconds.
	Patience time.Duration
}

// Reach finds the way to a data folder's accounts and characters. With a server in the folder the work is done
// by it; otherwise the folder is locked and the work is done here until done is called.
func Reach(ctx context.Context, dir string, way Way) (o Operator, done func() error, err error) {
	if way.Warn == nil {
		way.Warn = func(string) {}
	}
	if way.Patience == 0 {
		way.Patience = defaultPatience
	}
	if !way.Create {
		if _, err := os.Stat(filepath.Join(dir, data.DatabaseFile)); errors.Is(err, os.ErrNotExist) && !locked(dir) {
			// Opening tells apart a folder without a database from one that has lost it.
			if _, err := data.Open(ctx, dir, data.Options{ReadOnly: true}); err != nil {
				return nil, nil, err
			}
		}
	}
	for deadline := time.Now().Add(way.Patience); ; {
		o, done, err := reachOnce(ctx, dir, way)
		var busy *data.LockedError
		if !errors.As(err, &busy) || time.Now().After(deadline) {
			return o, done, err
		}
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// locked says whether anybody has locked a folder, without making one.
func locked(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, data.LockFile)); err != nil {
		return false
	}
	l, err := data.Lock(dir)
	if err != nil {
		return true
	}
	l.Unlock()
	return false
}

// reachOnce returns a LockedError when somebody has the folder who cannot be asked.
func reachOnce(ctx context.Context, dir string, way Way) (Operator, func() error, error) {
	lock, err := data.Lock(dir)
	var busy *data.LockedError
	if errors.As(err, &busy) {
		c, err := Connect(ctx, dir)
		var stale *StaleError
		switch {
		case err == nil:
			c.Who = way.Who
			return c, c.Close, nil
		case errors.As(err, &stale):
			return nil, nil, fmt.Errorf("%w, and %v", busy, stale)
		case errors.Is(err, ErrNoServer):
			return nil, nil, fmt.Errorf("%w, and takes no commands", busy)
		}
		return nil, nil, err
	}
	if err != nil {
		return nil, nil, err
	}
	// The lock is ours, so no server is running: a control file has been left by one that was killed.
	stale := filepath.Join(dir, ControlFile)
	switch err := os.Remove(stale); {
	case err == nil:
		way.Warn(stale + " was stale: its server has not ended in order; removed it, working on the database itself")
	case !errors.Is(err, os.ErrNotExist):
		way.Warn(fmt.Sprintf("%s is stale and could not be removed: %v", stale, err))
	}
	store, err := data.Open(ctx, dir, data.Options{})
	if err != nil {
		return nil, nil, errors.Join(err, lock.Unlock())
	}
	closeBoth := func() error { return errors.Join(store.Close(), lock.Unlock()) }
	return &Ops{Store: store, Who: way.Who}, closeBoth, nil
}
