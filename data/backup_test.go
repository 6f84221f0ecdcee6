package data

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestBackupIsOneMomentOfAWorkingStore(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	a := must(s.CreateAccount(t.Context(), "user", "hash", Player))(t)
	var pair [2]Character
	for i := range pair {
		c, _, err := s.CreateCharacter(t.Context(), newcomer(a.ID, i, fmt.Sprintf("Name%d", i)))
		if err != nil {
			t.Fatal(err)
		}
		c.TitleXP = 1e9 // more than the moments of this test
		pair[i] = c
	}
	if err := s.SaveCharacters(t.Context(), pair[:]); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { // points go from one to the other, the sum never changes
		for ctx.Err() == nil {
			pair[0].TitleXP--
			pair[1].TitleXP++
			if err := s.SaveCharacters(context.Background(), pair[:]); err != nil {
				t.Error(err)
				return
			}
		}
	})
	missing := filepath.Join(t.TempDir(), "unmounted")
	if err := s.Backup(t.Context(), filepath.Join(missing, "x.db")); err == nil ||
		!strings.Contains(err.Error(), "there is no folder "+missing) {
		t.Errorf("a folder that is not there: %v", err)
	}
	if _, err := os.Stat(missing); err == nil {
		t.Error("a backup has made the folder of a disk that is not mounted")
	}
	if err := os.Mkdir(filepath.Join(dir, "elsewhere"), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		backup := filepath.Join(dir, "elsewhere", fmt.Sprintf("%d.db", i))
		if err := s.Backup(t.Context(), backup); err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" {
			if mode := must(os.Stat(backup))(t).Mode(); mode.Perm() != 0o600 {
				t.Errorf("expected mode 0600, found %o", mode.Perm())
			}
		}
		to := t.TempDir()
		if _, err := Restore(t.Context(), to, backup); err != nil {
			t.Fatal(err)
		}
		sum := int64(0)
		for _, c := range must(open(t, to, Options{}).FindCharacters(t.Context(), ""))(t) {
			sum += int64(c.TitleXP)
		}
		if sum != 2e9 {
			t.Errorf("expected 2e9 points, found %d", sum)
		}
	}
	cancel()
	wg.Wait()
	if err := s.Backup(t.Context(), filepath.Join(dir, "elsewhere", "0.db")); err == nil || !strings.Contains(err.Error(),
		"exists already") {
		t.Errorf("expected an existing file to be kept, found %v", err)
	}
	if left := must(filepath.Glob(filepath.Join(dir, "elsewhere", "*.partial*")))(t); len(left) != 0 {
		t.Errorf("left over: %v", left)
	}
}

func TestRestoreKeepsWhatWasThere(t *testing.T) {
	dir, backup := made(t)
	s := open(t, dir, Options{})
	must(s.CreateAccount(t.Context(), "later", "hash", Player))(t)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	kept := must(Restore(t.Context(), dir, backup))(t)
	restored := open(t, dir, Options{})
	_, err := restored.AccountByLogin(t.Context(), "later")
	wantError(t, err, ErrNotFound)
	must(restored.CharacterByName(t.Context(), "Сова"))(t)

	elsewhere := t.TempDir()
	if _, err := Restore(t.Context(), elsewhere, kept); err != nil {
		t.Fatal(err)
	}
	must(open(t, elsewhere, Options{}).AccountByLogin(t.Context(), "later"))(t)
}

func TestRestoreTakesACopyOfARunningDatabase(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	must(s.CreateAccount(t.Context(), "user", "hash", Player))(t)
	if fileSize(filepath.Join(dir, DatabaseFile+"-wal")) <= 0 {
		t.Fatal("expected the account to be in the log only")
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	for _, suffix := range []string{"", "-wal"} {
		if err := os.WriteFile(copied+suffix, must(os.ReadFile(filepath.Join(dir, DatabaseFile+suffix)))(t),
			0o600); err != nil {
			t.Fatal(err)
		}
	}
	to := t.TempDir()
	if kept := must(Restore(t.Context(), to, copied))(t); kept != "" {
		t.Errorf("expected that nothing was there, found %s", kept)
	}
	must(open(t, to, Options{}).AccountByLogin(t.Context(), "user"))(t)
}

func TestRestoreRefuses(t *testing.T) {
	dir, backup := made(t)
	write := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	whole := string(must(os.ReadFile(backup))(t))
	damaged := []byte(whole)
	for i := 5 * 4096; i < 6*4096; i++ {
		damaged[i] = 0xA5
	}
	newer := t.TempDir()
	if _, err := Restore(t.Context(), newer, backup); err != nil {
		t.Fatal(err)
	}
	execFile(t, newer, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (1000, 1)")
	before := sums(t, dir)
	for file, sentence := range map[string]string{
		filepath.Join(dir, "none.db"): "no such file",
		write("empty.db", ""):         "empty",
		write("export.jsonl", `{"format":"sphere export","version":1,"schema":1}`+"\n"): "\"sphere db import\" takes that",
		write("garbage.db", "garbage"):                       "damaged",
		write("cut.db", whole[:len(whole)/2]):                "damaged",
		write("damaged.db", string(damaged)):                 "damaged",
		filepath.Join(newer, DatabaseFile):                   "newer program",
		filepath.Join(newer, "sphere.lock"):                  "empty",
		filepath.Join(newer, "..", "..", "..", "nowhere.db"): "no such file",
	} {
		if _, err := Restore(t.Context(), dir, file); err == nil || !strings.Contains(err.Error(), sentence) {
			t.Errorf("%s: expected %q, found %v", file, sentence, err)
		}
	}
	for path, sum := range before {
		if sums(t, dir)[path] != sum {
			t.Errorf("%s was changed", path)
		}
	}
	lock := must(Lock(dir))(t)
	defer lock.Unlock()
	_, err := Restore(t.Context(), dir, backup)
	var locked *LockedError
	if !errors.As(err, &locked) || locked.Holder.PID != os.Getpid() {
		t.Errorf("expected a locked folder to be refused, found %v", err)
	}
}

func TestLockNamesItsHolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	lock := must(Lock(dir))(t)
	if err := lock.Announce("127.0.0.1:25860"); err != nil {
		t.Fatal(err)
	}
	_, err := Lock(dir)
	var locked *LockedError
	if !errors.As(err, &locked) {
		t.Fatalf("expected a LockedError, found %v", err)
	}
	if h := locked.Holder; h.PID != os.Getpid() || h.Address != "127.0.0.1:25860" || time.Since(h.Since) > time.Hour {
		t.Errorf("holder %+v", h)
	}
	if want := fmt.Sprintf("in use by process %d, a server that listens on 127.0.0.1:25860",
		os.Getpid()); !strings.Contains(err.Error(), want) {
		t.Errorf("expected %q, found %v", want, err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	again := must(Lock(dir))(t)
	if err := again.Unlock(); err != nil {
		t.Fatal(err)
	}
}

// What copies a folder to another machine may give all files the time of the copy.
func TestNewestBackupIsThatOfTheNewestName(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, BackupFolder)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	for i, name := range []string{"sphere-20261120T000000Z-scheduled.db", "sphere-20261119T000000Z-before-schema-20.db",
		"sphere-20261118T000000Z.db", "mine.db", "sphere-20269999T000000Z.db"} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, at.Add(time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if newest := must(NewestBackup(dir))(t); filepath.Base(newest) != "sphere-20261120T000000Z-scheduled.db" {
		t.Errorf("found %s", newest)
	}
	all := must(Backups(dir))(t)
	if last := all[len(all)-1]; last.File != "mine.db" || !last.At.Equal(at.Add(3*time.Hour)) {
		t.Errorf("one without a time in its name: %+v", last)
	}
}
