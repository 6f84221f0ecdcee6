package data

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"sphereserver/world/rules"
)

// folderWith is a store in a new folder with an account, and the paths of its database, its log and its mark.
func folderWith(t *testing.T, o Options) (s *Store, database, log, mark string) {
	t.Helper()
	dir := t.TempDir()
	s, err := Open(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	must(s.CreateAccount(t.Context(), "first", "hash", Player))(t)
	database = filepath.Join(dir, DatabaseFile)
	return s, database, database + "-wal", filepath.Join(dir, markFile)
}

// wantRefused expects that nothing can be written, and that the store knows and says why.
func wantRefused(t *testing.T, s *Store, says string) {
	t.Helper()
	_, err := s.CreateAccount(t.Context(), "later", "hash", Player)
	wantError(t, err, ErrUnavailable)
	if why := s.Failure(); why == nil || !strings.Contains(why.Error(), says) || !strings.Contains(err.Error(), says) {
		t.Errorf("says %v and %v, expected %q", err, why, says)
	}
}

func onlyWhereOpenFilesCanGo(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Windows keeps files that are in use")
	}
}

// Writes to a file without a name are lost: none is acknowledged, and the older data can still be saved.
func TestADatabaseThatIsRemovedWhileInUse(t *testing.T) {
	onlyWhereOpenFilesCanGo(t)
	s, database, log, _ := folderWith(t, Options{})
	if err := os.Remove(log); err != nil {
		t.Fatal(err)
	}
	wantRefused(t, s, "Stop the server in order")
	if err := os.Remove(database); err != nil {
		t.Fatal(err)
	}
	wantRefused(t, s, "was removed, moved or replaced")
	if _, err := os.Stat(database); err == nil {
		t.Error("an empty database was made in its place")
	}
	backup := filepath.Join(t.TempDir(), "saved.db")
	if err := s.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err == nil || !strings.Contains(err.Error(), "is not there") {
		t.Errorf("the end says %v", err)
	}
	_, err := Open(t.Context(), filepath.Dir(database), Options{})
	if !errors.As(err, new(*RefusedError)) || !strings.Contains(err.Error(), "is missing") {
		t.Errorf("expected that nobody begins anew with an empty database, found %v", err)
	}
	if _, err := Restore(t.Context(), filepath.Dir(database), backup); err != nil {
		t.Fatal(err)
	}
	must(open(t, filepath.Dir(database), Options{}).AccountByLogin(t.Context(), "first"))(t)
}

func TestAFolderThatIsMovedWhileInUse(t *testing.T) {
	onlyWhereOpenFilesCanGo(t)
	s, database, _, _ := folderWith(t, Options{lookEvery: time.Millisecond})
	dir := filepath.Dir(database)
	if err := os.Rename(dir, dir+".elsewhere"); err != nil {
		t.Fatal(err)
	}
	until(t, "the store notices by itself", func() bool { return s.Failure() != nil })
	wantRefused(t, s, "was removed, moved or replaced")
	if err := os.Rename(dir+".elsewhere", dir); err != nil {
		t.Fatal(err)
	}
	until(t, "the store notices that it is back", func() bool { return s.Failure() == nil })
	must(s.CreateAccount(t.Context(), "second", "hash", Player))(t)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// A store that nobody writes to finds out by itself that another program holds it, and that it could be written to again.
func TestAnIdleStoreNoticesWhetherItCanBeWritten(t *testing.T) {
	s, database, _, _ := folderWith(t, Options{lookEvery: time.Millisecond, busyTimeout: time.Millisecond})
	defer s.Close()
	other := must(openSQLite(database, url.Values{}, waitFor(busyTimeout)))(t)
	defer other.Close()
	conn := must(other.Conn(t.Context()))(t)
	defer conn.Close()
	if _, err := conn.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	until(t, "the store notices that it is held", func() bool { return s.Failure() != nil })
	wantRefused(t, s, "is locked by another program")
	if _, err := conn.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	until(t, "the store notices", func() bool { return s.Failure() == nil })
}

func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

// A log without a name still has the acknowledged writes: an orderly end saves them.
func TestALogThatIsRemovedWhileInUse(t *testing.T) {
	onlyWhereOpenFilesCanGo(t)
	s, database, log, mark := folderWith(t, Options{})
	if err := os.Remove(log); err != nil {
		t.Fatal(err)
	}
	wantRefused(t, s, "Stop the server in order")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	must(open(t, filepath.Dir(database), Options{}).AccountByLogin(t.Context(), "first"))(t)
	if fileSize(mark) >= 0 {
		t.Error("the mark is still there after an orderly end")
	}
}

// After a kill the log is half of the database: without it, or with another one, nobody starts.
func TestADatabaseThatHasLostItsLogIsRefused(t *testing.T) {
	killed := func(t *testing.T) (dir string) { // a folder as after a kill: copied in one instant
		s, database, _, _ := folderWith(t, Options{})
		defer s.Close()
		dir = t.TempDir()
		for _, suffix := range []string{"", "-wal", ".mark"} {
			if err := copyFile(database+suffix, filepath.Join(dir, DatabaseFile+suffix)); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	must(open(t, killed(t), Options{}).AccountByLogin(t.Context(), "first"))(t) // as it was left, it goes on
	for what, lose := range map[string]func(path string) error{
		"log":           func(path string) error { return os.Remove(path + "-wal") },
		"another's log": func(path string) error { return os.WriteFile(path+"-wal", []byte("no log"), 0o600) },
		"database":      func(path string) error { return errors.Join(os.Remove(path), os.Remove(path+"-wal")) },
	} {
		dir := killed(t)
		path := filepath.Join(dir, DatabaseFile)
		if err := lose(path); err != nil {
			t.Fatal(err)
		}
		_, err := Open(t.Context(), dir, Options{})
		if !errors.As(err, new(*RefusedError)) || !strings.Contains(err.Error(), markFile) {
			t.Errorf("%s: expected a refusal that says what to do, found %v", what, err)
		}
		if err := os.Remove(filepath.Join(dir, markFile)); err != nil { // its advice helps
			t.Fatal(err)
		}
		open(t, dir, Options{})
	}
}

// Writes that are in the log only are a minute old at most.
func TestTheLogIsMovedIntoTheDatabase(t *testing.T) {
	s, database, _, mark := folderWith(t, Options{lookEvery: time.Millisecond, checkpointEvery: time.Millisecond})
	defer s.Close()
	alone := filepath.Join(t.TempDir(), DatabaseFile)
	until(t, "the account is in the database itself", func() bool {
		if err := copyFile(database, alone); err != nil {
			t.Fatal(err)
		}
		db := must(openToLook(alone, true))(t)
		defer db.Close()
		n, err := readOne(t.Context(), db, single[int], "SELECT count(*) FROM accounts")
		return err == nil && n == 1 && readMark(filepath.Dir(mark)) > 1
	})
}

// The last writer that opens a database, the lock notwithstanding, has it for itself.
func TestTwoWritersOfOneDatabase(t *testing.T) {
	first, database, _, _ := folderWith(t, Options{})
	defer first.Close()
	second := open(t, filepath.Dir(database), Options{})
	must(second.CreateAccount(t.Context(), "second", "hash", Player))(t)
	wantRefused(t, first, "another program")
	for i := range 3 {
		must(second.CreateAccount(t.Context(), fmt.Sprint("goes on ", i), "hash", Player))(t)
	}
}

// Money is stored by changes that compare, and by nothing else: an older state of a character brings none back.
func TestSavingAnOlderStateKeepsTheMoney(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	a := must(s.CreateAccount(t.Context(), "user", "hash", Player))(t)
	n := newcomer(a.ID, 0, "Vera")
	n.Money = 1000
	c, _, err := s.CreateCharacter(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Apply(t.Context(), rules.Change{Money: []rules.MoneyChange{{Character: int64(c.ID), Was: 1000, Is: 670}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SaveCharacters(t.Context(), []Character{c}); err != nil {
		t.Fatal(err)
	}
	if c := must(s.CharacterByID(t.Context(), c.ID))(t); c.Money != 670 {
		t.Errorf("found %d coins, expected the 670 that were left", c.Money)
	}
}

func TestAnOlderDatabaseIsNotUpdatedByTheWay(t *testing.T) {
	dir, _ := made(t)
	before := sums(t, dir)
	later := withMigration(t, "CREATE TABLE later (id INTEGER);")
	_, err := Open(t.Context(), dir, Options{NoUpdate: true, migrations: later})
	if err == nil || !strings.Contains(err.Error(), "sphere serve") {
		t.Errorf("found %v, expected a refusal that says what to do", err)
	}
	if after := sums(t, dir); len(after) != len(before) || after[filepath.Join(dir, DatabaseFile)] !=
		before[filepath.Join(dir, DatabaseFile)] {
		t.Error("the folder has changed")
	}
	open(t, dir, Options{migrations: later})
}
