// Package admin is the way of commands to a data folder: [Connect] finds out whether the server that runs there does
// the work of operators, or this process. Package ops has the verbs; package api is the server's side.
package admin

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"

	"sphereserver/data"
	"sphereserver/server/ops"
)

// Options say how [Connect] is to work.
type Options struct {
	Who    string       // for the audit trail
	Create bool         // make the database when there is none
	Warn   func(string) // told texts that the operator ought to know

	Russian bool // refusals of a running server are to be in Russian

	// InRussian is an error in Russian, for the audit trail where no server runs; nil as in [ops.Service].
	InRussian func(error) string

	// KeepDeleted says how long deleted characters are kept where no server runs; nil: the usual time.
	KeepDeleted func() time.Duration
	// FileOrders are the orders of the configuration that the next server begins with; nil: none.
	FileOrders func() ops.ServerOrders

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

// ErrNoServer is the error of [Dial] when no server has left word of itself in the data folder.
var ErrNoServer = errors.New("no server is running")

// A StaleError is the error of [Dial] when a control file is there but nobody listens: its server has not ended in
// order.
type StaleError struct {
	Path string
	PID  int
	Err  error
}

func (e *StaleError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("%s is damaged: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s is stale: process %d, which wrote it, does not listen (%v)", e.Path, e.PID, e.Err)
}

// Unwrap is the error on the way to the server.
func (e *StaleError) Unwrap() error { return e.Err }

// A SilentError is the error of [Dial] when a server listens and does not answer.
type SilentError struct {
	PID int
	Err error
}

func (e *SilentError) Error() string {
	return fmt.Sprintf("the server, process %d, runs but does not answer commands (%v); its log may say why, and no file "+
		"of the folder need be removed", e.PID, e.Err)
}

// Unwrap is the error on the way to the server.
func (e *SilentError) Unwrap() error { return e.Err }

// Dial finds the server that runs in a data folder and makes sure that it answers. The error is ErrNoServer or a
// StaleError when there is none, and a SilentError when there is one that does not answer.
func Dial(ctx context.Context, dir, who string) (*Conn, error) {
	path := filepath.Join(dir, ControlFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w in %s", ErrNoServer, dir)
	} else if err != nil {
		return nil, err
	}
	var where Address
	if err := json.Unmarshal(text, &where); err != nil {
		return nil, &StaleError{Path: path, Err: fmt.Errorf("expected JSON: %w", err)}
	}
	server := newClient(who, dir, where)
	probe, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	c := &Conn{server: server, close: func() error {
		server.http.CloseIdleConnections()
		return nil
	}}
	_, err = Do(probe, c, ops.GetReport, ops.Empty{})
	if err == nil {
		return c, nil
	}
	c.Close()
	if ctx.Err() != nil {
		return nil, err
	}
	dialing := new(net.OpError)
	if errors.As(err, &dialing) && dialing.Op == "dial" && !dialing.Timeout() && !errors.Is(err, fs.ErrPermission) {
		return nil, &StaleError{Path: path, PID: where.PID, Err: err}
	}
	return nil, &SilentError{PID: where.PID, Err: err}
}

// dialServing is Dial for the holder of the folder's lock: it finds only the folder's own server, not another's from
// which the control file was copied.
func dialServing(ctx context.Context, dir, who string) (*Conn, error) {
	c, err := Dial(ctx, dir, who)
	if err == nil && !c.server.where.of(dir) {
		err = errors.Join(ErrNoServer, c.Close())
	}
	return c, err
}

// Serving says which process answers as the server of a folder, though the lock is free: it may have been deleted.
func Serving(ctx context.Context, dir string) (pid int, is bool) {
	c, err := dialServing(ctx, dir, "")
	if err != nil {
		return 0, false
	}
	defer c.Close()
	return c.server.where.PID, true
}

// Connect finds the way to a data folder's accounts and characters. With a server in the folder the work is done
// by it; otherwise the folder is locked and the work is done here until the connection is closed.
func Connect(ctx context.Context, dir string, o Options) (*Conn, error) {
	if !o.Create && !exists(dir, data.DatabaseFile) && !locked(dir) {
		if c, err := dialServing(ctx, dir, o.Who); err == nil {
			return c, nil // it can still save a deleted database
		}
		// Opening tells apart a folder without a database from one that has lost it.
		if _, err := data.Open(ctx, dir, data.Options{ReadOnly: true}); err != nil {
			return nil, err
		}
	}
	for deadline := time.Now().Add(cmp.Or(o.Patience, 5*time.Second)); ; {
		c, err := connectOnce(ctx, dir, o)
		if !errors.As(err, new(*data.LockedError)) || time.Now().After(deadline) {
			return c, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func exists(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, name))
	return !errors.Is(err, fs.ErrNotExist)
}

// locked reports whether anybody has locked a folder, without making one.
func locked(dir string) bool {
	if !exists(dir, data.LockFile) {
		return false
	}
	l, err := data.Lock(dir)
	if err == nil {
		l.Unlock()
	}
	return err != nil
}

// connectOnce returns a LockedError when a process has the folder that cannot be asked.
func connectOnce(ctx context.Context, dir string, o Options) (*Conn, error) {
	lock, err := data.Lock(dir)
	var busy *data.LockedError
	if errors.As(err, &busy) {
		c, err := Dial(ctx, dir, o.Who)
		switch {
		case errors.As(err, new(*StaleError)):
			err = fmt.Errorf("%w, and %v", busy, err)
		case errors.Is(err, ErrNoServer):
			err = fmt.Errorf("%w, and takes no commands", busy)
		case err == nil:
			c.server.russian = o.Russian
		}
		return c, err
	} else if err != nil {
		return nil, err
	}
	if c, err := dialServing(ctx, dir, o.Who); err == nil {
		o.Warn(fmt.Sprintf("process %d is the server in %s, though nobody holds its lock: do not delete %s while it runs",
			c.server.where.PID, dir, data.LockFile))
		return c, lock.Unlock()
	}
	// So no server is running: a control file has been left by one that was killed.
	stale := filepath.Join(dir, ControlFile)
	switch err := os.Remove(stale); {
	case err == nil:
		o.Warn(stale + " was stale: its server has not ended in order; removed it, working on the database itself")
	case !errors.Is(err, fs.ErrNotExist):
		o.Warn(fmt.Sprintf("%s is stale and could not be removed: %v", stale, err))
	}
	store, err := data.Open(ctx, dir, data.Options{NoUpdate: true})
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	if o.KeepDeleted != nil {
		store.KeepDeleted(o.KeepDeleted())
	}
	closeBoth := func() error { return errors.Join(store.Close(), lock.Unlock()) }
	service := &ops.Service{Store: store, Russian: o.InRussian, FileOrders: o.FileOrders}
	return &Conn{local: service, who: ops.Owner(o.Who), close: closeBoth}, nil
}
