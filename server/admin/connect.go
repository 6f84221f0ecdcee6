// Package admin is the way of commands to a data folder: [Connect] finds out whether the server that runs there does
// the work of operators, or this process. Package ops says what the work is; package api is the server's side.
package admin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"sphereserver/data"
	"sphereserver/server/ops"
)

const defaultPatience = 5 * time.Second

// Options say how [Connect] is to work.
type Options struct {
	Who    string       // for the audit trail
	Create bool         // make the database when there is none
	Warn   func(string) // told of what the operator ought to know; may be nil

	// Patience is how long to wait for a folder that a command has locked for a moment, or for a server that
	// is just starting; 0: five seconds.
	Patience time.Duration
}

// A Conn does the verbs of operators on a data folder.
type Conn struct {
	server *client      // that does the work; nil when this process does
	local  *ops.Service // nil when the server does the work
	who    ops.Actor
	close  func() error
}

// Remote says whether a running server does the work.
func (c *Conn) Remote() bool { return c.server != nil }

// Close ends the connection and gives the folder free.
func (c *Conn) Close() error { return c.close() }

// Do does a verb.
func Do[R, A any](ctx context.Context, c *Conn, v ops.Verb[R, A], request R) (A, error) {
	if c.server == nil {
		return v.Do(ctx, c.local, c.who, request)
	}
	var answer A
	err := c.server.ask(ctx, v.Name(), request, &answer)
	return answer, err
}

// Connect finds the way to a data folder's accounts and characters. With a server in the folder the work is done
// by it; otherwise the folder is locked and the work is done here until the connection is closed.
func Connect(ctx context.Context, dir string, o Options) (*Conn, error) {
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	if o.Patience == 0 {
		o.Patience = defaultPatience
	}
	if !o.Create {
		if _, err := os.Stat(filepath.Join(dir, data.DatabaseFile)); errors.Is(err, os.ErrNotExist) && !locked(dir) {
			// Opening tells apart a folder without a database from one that has lost it.
			if _, err := data.Open(ctx, dir, data.Options{ReadOnly: true}); err != nil {
				return nil, err
			}
		}
	}
	for deadline := time.Now().Add(o.Patience); ; {
		c, err := connectOnce(ctx, dir, o)
		var busy *data.LockedError
		if !errors.As(err, &busy) || time.Now().After(deadline) {
			return c, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
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

// connectOnce returns a LockedError when somebody has the folder who cannot be asked.
func connectOnce(ctx context.Context, dir string, o Options) (*Conn, error) {
	lock, err := data.Lock(dir)
	var busy *data.LockedError
	if errors.As(err, &busy) {
		c, err := Dial(ctx, dir, o.Who)
		var stale *StaleError
		switch {
		case err == nil:
			return c, nil
		case errors.As(err, &stale):
			return nil, fmt.Errorf("%w, and %v", busy, stale)
		case errors.Is(err, ErrNoServer):
			return nil, fmt.Errorf("%w, and takes no commands", busy)
		}
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	// The lock is ours, so no server is running: a control file has been left by one that was killed.
	stale := filepath.Join(dir, ControlFile)
	switch err := os.Remove(stale); {
	case err == nil:
		o.Warn(stale + " was stale: its server has not ended in order; removed it, working on the database itself")
	case !errors.Is(err, os.ErrNotExist):
		o.Warn(fmt.Sprintf("%s is stale and could not be removed: %v", stale, err))
	}
	store, err := data.Open(ctx, dir, data.Options{})
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	closeBoth := func() error { return errors.Join(store.Close(), lock.Unlock()) }
	return &Conn{local: &ops.Service{Store: store}, who: ops.Owner(o.Who), close: closeBoth}, nil
}
