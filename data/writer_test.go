package data

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// insertAccount is a write that always succeeds.
func insertAccount(login string) func(*tx) error {
	return func(t *tx) error {
		return t.command("INSERT INTO accounts (login, login_key, password_hash, created) VALUES (?1, ?1, '', 1)", login)
	}
}

func TestFailingWriteTakesNothingElseWithIt(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	release := holdWriter(t, s)
	spoiled := errors.New("changed its mind")
	errs := make([]error, 60)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			errs[i] = s.do(t.Context(), func(tx *tx) error {
				if err := insertAccount(fmt.Sprintf("user%d", i))(tx); err != nil || i%3 != 0 {
					return err
				}
				if i%2 == 0 {
					return spoiled
				}
				return insertAccount(fmt.Sprintf("user%d", i))(tx) // breaks UNIQUE
			})
		})
	}
	waitQueued(t, s, len(errs))
	release()
	wg.Wait()
	for i, err := range errs {
		if (err != nil) != (i%3 == 0) {
			t.Errorf("write %d: %v", i, err)
		}
		if i%6 == 0 && !errors.Is(err, spoiled) {
			t.Errorf("write %d: expected its own error, found %v", i, err)
		}
	}
	if c := must(s.Counts(t.Context()))(t); c.Accounts != 40 {
		t.Errorf("expected 40 accounts, found %d", c.Accounts)
	}
}

// holdWriter keeps the writer busy until the returned function is called, so that the queued writes become one group.
func holdWriter(t *testing.T, s *Store) (release func()) {
	t.Helper()
	held, let := make(chan struct{}), make(chan struct{})
	done := make(chan error, 1)
	go func() {
		done <- s.do(context.Background(), func(*tx) error {
			close(held)
			<-let
			return nil
		})
	}()
	<-held
	return func() {
		close(let)
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func waitQueued(t *testing.T, s *Store, n int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); len(s.writer.queue) < n; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("expected %d queued writes, found %d", n, len(s.writer.queue))
		}
	}
}

func TestWritesOfOneGroupSeeEachOther(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	release := holdWriter(t, s)
	var wg sync.WaitGroup
	var created atomic.Int32
	for range 20 {
		wg.Go(func() {
			if _, err := s.CreateAccount(t.Context(), "same", "hash", Player); err == nil {
				created.Add(1)
			}
		})
	}
	waitQueued(t, s, 20)
	release()
	wg.Wait()
	if created.Load() != 1 {
		t.Errorf("expected one account, found %d", created.Load())
	}
}

func TestFullDiskFailsOneWriteAndIsSurvived(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	full := func(t *tx) error {
		// The limit cannot go below the present size: there is no room for anything more.
		if err := t.command("PRAGMA max_page_count = 1"); err != nil {
			return err
		}
		return t.command("INSERT INTO audit (at, who, action, target, detail) VALUES (0, '', '', '', hex(zeroblob(100000)))")
	}
	release := holdWriter(t, s)
	var wg sync.WaitGroup
	errs := make([]error, 9)
	for i := range errs {
		wg.Go(func() {
			if i%4 == 2 {
				errs[i] = s.do(t.Context(), full)
				return
			}
			errs[i] = s.do(t.Context(), insertAccount(fmt.Sprintf("user%d", i)))
		})
	}
	waitQueued(t, s, len(errs))
	release()
	wg.Wait()
	for i, err := range errs {
		if i%4 != 2 {
			if err != nil {
				t.Errorf("write %d: %v", i, err)
			}
			continue
		}
		wantError(t, err, ErrUnavailable)
		if !strings.Contains(err.Error(), "no space left") {
			t.Errorf("expected a sentence about space, found %v", err)
		}
	}
	if err := s.do(t.Context(), insertAccount("afterwards")); err != nil {
		t.Errorf("the next write: %v", err)
	}
	if c := must(s.Counts(t.Context()))(t); c.Accounts != 8 {
		t.Errorf("expected 8 accounts, found %d", c.Accounts)
	}
}

// lockElsewhere holds the database as another program would.
func lockElsewhere(t *testing.T, s *Store) (unlock func()) {
	t.Helper()
	db, err := openSQLite(filepath.Join(s.dir, DatabaseFile), nil)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	unlock = func() {
		once.Do(func() {
			if _, err := conn.ExecContext(context.Background(), "ROLLBACK"); err != nil && !errors.Is(err, sql.ErrConnDone) {
				t.Error(err)
			}
			conn.Close()
			db.Close()
		})
	}
	t.Cleanup(unlock)
	return unlock
}

// leaver is the context of a caller that waits for two things, for a place in the queue and for its result, and
// leaves when it begins to wait for the last of them.
type leaver struct {
	context.Context
	waits int
	leave context.CancelFunc
}

func leaveAt(t *testing.T, waits int) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	return &leaver{ctx, waits, cancel}
}

func (l *leaver) Done() <-chan struct{} {
	if l.waits--; l.waits == 0 {
		l.leave()
	}
	return l.Context.Done()
}

func TestWhoCannotWaitForAHeldDatabaseLeaves(t *testing.T) {
	s := open(t, t.TempDir(), Options{queueLimit: 4, busyTimeout: time.Hour})
	a := must(s.CreateAccount(t.Context(), "user", "hash", Player))(t)
	unlock := lockElsewhere(t, s)

	// Reading goes on.
	must(s.AccountByLogin(t.Context(), "user"))(t)

	// The write of a caller that leaves is not done.
	wantError(t, s.SetRole(leaveAt(t, 2), a.ID, Administrator), context.Canceled)

	// The queue is bounded: with four waiting behind the group that is tried, others wait until their context ends.
	var wg sync.WaitGroup
	errs := make([]error, groupLimit+4) // the group that is tried may have been the leaver's alone, or be full
	for i := range errs {
		wg.Go(func() { errs[i] = s.do(context.Background(), insertAccount(fmt.Sprintf("waiting%d", i))) })
	}
	waitQueued(t, s, 4)
	wantError(t, s.do(leaveAt(t, 1), insertAccount("one too many")), context.Canceled)

	unlock()
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
	if found := must(s.AccountByLogin(t.Context(), "user"))(t); found.Role != Player {
		t.Errorf("found %+v", found)
	}
	if c := must(s.Counts(t.Context()))(t); c.Accounts != 1+len(errs) {
		t.Errorf("expected the accounts of all %d that have waited, found %d", len(errs), c.Accounts-1)
	}
}

func TestDatabaseHeldByAnotherProgram(t *testing.T) {
	s := open(t, t.TempDir(), Options{busyTimeout: 50 * time.Millisecond})
	a := must(s.CreateAccount(t.Context(), "user", "hash", Player))(t)
	unlock := lockElsewhere(t, s)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			err := s.do(context.Background(), insertAccount(fmt.Sprintf("waiting%d", i)))
			if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "locked by another program") {
				t.Errorf("expected a sentence about another program, found %v", err)
			}
		})
	}
	wg.Wait()
	unlock()
	if err := s.SetPassword(t.Context(), a.ID, "new"); err != nil {
		t.Errorf("the next write: %v", err)
	}
	if found := must(s.AccountByLogin(t.Context(), "user"))(t); found.PasswordHash != "new" {
		t.Errorf("found %+v", found)
	}
	if c := must(s.Counts(t.Context()))(t); c.Accounts != 1 {
		t.Errorf("expected that failed writes have left nothing, found %d accounts", c.Accounts)
	}
}

func TestCloseFinishesWhatIsQueued(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	release := holdWriter(t, s)
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			if err := s.do(t.Context(), insertAccount(fmt.Sprintf("user%d", i))); err != nil {
				t.Error(err)
			}
		})
	}
	waitQueued(t, s, 50)
	go release()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	wantError(t, s.SetRole(t.Context(), 1, Player), ErrClosed)
	if c := must(open(t, dir, Options{}).Counts(t.Context()))(t); c.Accounts != 50 {
		t.Errorf("expected 50 accounts, found %d", c.Accounts)
	}
}

func TestEndedContextWritesNothing(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 50 {
		_, err := s.CreateAccount(ctx, "user", "hash", Player)
		wantError(t, err, context.Canceled)
	}
	if c := must(s.Counts(t.Context()))(t); c.Accounts != 0 {
		t.Errorf("expected no account, found %d", c.Accounts)
	}
}
