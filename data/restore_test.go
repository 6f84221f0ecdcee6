package data

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestARestoreIsOrderedForTheNextStart(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	must(s.CreateAccount(t.Context(), "early", "hash", Player))(t)
	const file = "sphere-20260101T000000Z.db"
	if err := s.Backup(t.Context(), filepath.Join(dir, BackupFolder, file)); err != nil {
		t.Fatal(err)
	}
	must(s.CreateAccount(t.Context(), "later", "hash", Player))(t)
	if err := os.WriteFile(filepath.Join(dir, BackupFolder, "broken.db"), []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, sentence := range map[string]string{"none.db": "not found", "../sphere.db": "not found", "": "not found",
		"broken.db": "damaged"} {
		if err := OrderRestore(t.Context(), dir, name); err == nil || !strings.Contains(err.Error(), sentence) {
			t.Errorf("%q: %v, expected %q", name, err, sentence)
		}
		if ordered := must(OrderedRestore(dir))(t); ordered != "" {
			t.Errorf("%q is to be restored", ordered)
		}
	}
	order := func() {
		t.Helper()
		if err := OrderRestore(t.Context(), dir, file); err != nil {
			t.Fatal(err)
		}
	}
	order()
	if err := DeleteBackup(dir, file); !errors.Is(err, ErrOrdered) {
		t.Errorf("%v, expected that what is to be restored stays", err)
	}
	if err := CancelRestore(dir); err != nil {
		t.Fatal(err)
	}
	if restored, _, err := RestoreOrdered(t.Context(), dir); restored != "" || err != nil {
		t.Errorf("%q, %v, expected that nothing is restored any more", restored, err)
	}
	order()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	restored, kept, err := RestoreOrdered(t.Context(), dir)
	if err != nil || restored != file || kept == "" {
		t.Fatalf("restored %q, kept %q, %v", restored, kept, err)
	}
	if ordered := must(OrderedRestore(dir))(t); ordered != "" {
		t.Errorf("%q is to be restored again", ordered)
	}
	again := open(t, dir, Options{})
	must(again.AccountByLogin(t.Context(), "early"))(t)
	_, err = again.AccountByLogin(t.Context(), "later")
	wantError(t, err, ErrNotFound)
	if err := DeleteBackup(dir, file); err != nil {
		t.Fatal(err)
	}
	if err := DeleteBackup(dir, file); !errors.Is(err, ErrNotFound) {
		t.Errorf("%v, expected that it is gone", err)
	}
}

// An order that cannot be carried out leaves the database as it is, and stays to be seen.
func TestABackupThatIsGoneIsNotRestored(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	const file = "sphere-20260101T000000Z.db"
	path := filepath.Join(dir, BackupFolder, file)
	if err := s.Backup(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if err := OrderRestore(t.Context(), dir, file); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Close(), os.Remove(path)); err != nil {
		t.Fatal(err)
	}
	before := sums(t, dir)[filepath.Join(dir, DatabaseFile)]
	if _, _, err := RestoreOrdered(t.Context(), dir); !errors.Is(err, ErrNotFound) {
		t.Errorf("%v, expected ErrNotFound", err)
	}
	if sums(t, dir)[filepath.Join(dir, DatabaseFile)] != before || must(OrderedRestore(dir))(t) != file {
		t.Error("expected that nothing has changed")
	}
}

// A backup that the plan would remove stays while it is to be restored.
func TestABackupThatIsOrderedOutlivesThePlan(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	s.now = func() time.Time { return now }
	b := NewBackupSchedule(s, BackupPlan{Every: time.Hour, Keep: 1}, slog.New(slog.DiscardHandler))
	step := func() {
		now = now.Add(time.Hour)
		b.step(t.Context())
	}
	step()
	file := filepath.Base(b.State().Last)
	if err := OrderRestore(t.Context(), dir, file); err != nil {
		t.Fatal(err)
	}
	step()
	if got := scheduled(t, dir); len(got) != 2 || got[0] != file {
		t.Errorf("found %v, expected that %s is still there", got, file)
	}
	if err := CancelRestore(dir); err != nil {
		t.Fatal(err)
	}
	step()
	if got := scheduled(t, dir); len(got) != 1 || got[0] == file {
		t.Errorf("found %v, expected only the newest", got)
	}
}

// An operator that restores by hand wants that database at the next start, and not one that was ordered before.
func TestARestoreByHandTakesTheOrderBack(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	for _, file := range []string{"ordered.db", "by-hand.db"} {
		must(s.CreateAccount(t.Context(), file, "hash", Player))(t)
		if err := s.Backup(t.Context(), filepath.Join(dir, BackupFolder, file)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(OrderRestore(t.Context(), dir, "ordered.db"), s.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), dir, filepath.Join(dir, BackupFolder, "by-hand.db")); err != nil {
		t.Fatal(err)
	}
	if restored, _, err := RestoreOrdered(t.Context(), dir); restored != "" || err != nil {
		t.Errorf("restored %q, %v; expected what was restored by hand", restored, err)
	}
}

// An order that is given up while the backup is looked at leaves nothing, its log neither.
func TestAnOrderThatIsGivenUpLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	s, database, log, _ := folderWith(t, Options{})
	defer s.Close()
	file := filepath.Join(dir, BackupFolder, "a.db")
	if err := errors.Join(os.Mkdir(filepath.Dir(file), 0o700), copyFile(database, file), copyFile(log, file+"-wal")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := OrderRestore(ctx, dir, filepath.Base(file)); err == nil {
		t.Error("it is ordered")
	}
	if left := must(os.ReadDir(dir))(t); len(left) != 1 {
		t.Errorf("left in the folder: %v", left)
	}
}

// A restore that is killed has happened or not, wherever it stops: the next start finishes or undoes it, also when that is
// killed, too.
func TestARestoreThatIsKilledIsFinishedOrUndone(t *testing.T) {
	s, database, log, _ := folderWith(t, Options{})
	defer s.Close()
	const file = "early.db"
	backup := filepath.Join(s.Dir(), BackupFolder, file)
	if err := s.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	must(s.CreateAccount(t.Context(), "later", "hash", Player))(t) // in the log
	has := func(dir, login string) bool {
		t.Helper()
		_, err := open(t, dir, Options{}).AccountByLogin(t.Context(), login)
		return err == nil
	}
	// killed reports whether work comes to its move of that number.
	killed := func(at int, work func(rename) error) (stopped bool) {
		t.Helper()
		defer func() { stopped = recover() != nil }()
		moves := 0
		err := work(func(from, to string) error {
			if moves == at {
				panic("killed")
			}
			moves++
			return os.Rename(from, to)
		})
		if err != nil {
			t.Fatal(err)
		}
		return false
	}
	const moves = 4 // the database, its log, the index of that, and the new database
	for at := range moves {
		for _, again := range []bool{false, true} {
			dir := t.TempDir()
			path := filepath.Join(dir, DatabaseFile)
			err := errors.Join(os.Mkdir(filepath.Join(dir, BackupFolder), 0o700), copyFile(database, path),
				copyFile(log, path+"-wal"), copyFile(database+"-shm", path+"-shm"),
				copyFile(backup, filepath.Join(dir, BackupFolder, file)), OrderRestore(t.Context(), dir, file))
			if err != nil {
				t.Fatal(err)
			}
			if !killed(at, func(move rename) error { _, err := restoreInto(t.Context(), dir, backup, move); return err }) {
				t.Fatalf("the restore has no move %d", at)
			}
			if err := os.WriteFile(path+incomingSuffix+partialSuffix, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if again {
				killed(1, func(move rename) error { _, err := finishRestore(dir, move); return err })
			}
			before := at == 0
			if has(dir, "later") != before || !has(dir, "first") {
				t.Errorf("killed at move %d: the old database: %t, want %t", at, !before, before)
			}
			if ordered := must(OrderedRestore(dir))(t); (ordered == file) != before {
				t.Errorf("killed at move %d: ordered is %q", at, ordered)
			}
			if left := must(filepath.Glob(path + incomingSuffix + "*"))(t); len(left) > 0 {
				t.Errorf("killed at move %d: left in the folder: %v", at, left)
			}
			kept := must(filepath.Glob(path + ".replaced-*Z"))(t)
			if (len(kept) == 1) == before {
				t.Fatalf("killed at move %d: kept %v", at, kept)
			}
			if before {
				continue
			}
			old := t.TempDir()
			oldPath := filepath.Join(old, DatabaseFile)
			if err := errors.Join(copyFile(kept[0], oldPath), copyFile(kept[0]+"-wal", oldPath+"-wal")); err != nil {
				t.Fatal(err)
			}
			if !has(old, "later") {
				t.Errorf("killed at move %d: the kept database has lost what was in its log", at)
			}
		}
	}
	if killed(moves, func(move rename) error {
		dir := t.TempDir()
		path := filepath.Join(dir, DatabaseFile)
		err := errors.Join(copyFile(database, path), copyFile(log, path+"-wal"), copyFile(database+"-shm", path+"-shm"))
		if err == nil {
			_, err = restoreInto(t.Context(), dir, backup, move)
		}
		return err
	}) {
		t.Error("the restore has more moves than are tried")
	}
}

// A program that only reads changes nothing, and says how the restore ends.
func TestReadersFinishNoRestore(t *testing.T) {
	dir, backup := made(t)
	if err := os.Rename(filepath.Join(dir, DatabaseFile), filepath.Join(dir, DatabaseFile+incomingSuffix)); err != nil {
		t.Fatal(err)
	}
	before := sums(t, dir)
	_, err := Open(t.Context(), dir, Options{ReadOnly: true})
	var refused *RefusedError
	if !errors.As(err, &refused) || refused.Backup != backup || !strings.Contains(err.Error(), "finishes it") ||
		!maps.Equal(before, sums(t, dir)) {
		t.Errorf("%v, expected a refusal that changes nothing", err)
	}
	must(open(t, dir, Options{}).AccountByLogin(t.Context(), "user"))(t)
}
