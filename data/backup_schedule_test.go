package data

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A clock that a test sets.
type setClock struct{ now time.Time }

func scheduled(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	for _, path := range must(filepath.Glob(filepath.Join(dir, BackupFolder, "*")))(t) {
		names = append(names, filepath.Base(path))
	}
	return names
}

func TestScheduledBackupsComeAndGo(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	fill(t, s, 3)
	clock := &setClock{time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	s.now = func() time.Time { return clock.now }
	own := filepath.Join(dir, BackupFolder, "sphere-20200101T000000Z.db")
	if err := s.Backup(t.Context(), own); err != nil {
		t.Fatal(err)
	}
	b := NewBackupSchedule(s, BackupPlan{Every: time.Hour, Keep: 3}, slog.New(slog.DiscardHandler))
	pass := func(d time.Duration) {
		clock.now = clock.now.Add(d)
		b.step(t.Context())
	}
	pass(firstBackup - time.Second)
	if b.State().Made != 0 {
		t.Error("a backup before its time")
	}
	pass(time.Second)
	pass(59 * time.Minute)
	if got := b.State(); got.Made != 1 || got.Failed != 0 || !got.LastAt.Equal(clock.now.Add(-59*time.Minute)) {
		t.Errorf("after 59 minutes: %+v", got)
	}
	for range 5 {
		pass(time.Hour)
	}
	want := []string{"sphere-20200101T000000Z.db", "sphere-20261121T160900Z-scheduled.db",
		"sphere-20261121T170900Z-scheduled.db", "sphere-20261121T180900Z-scheduled.db"}
	if got := scheduled(t, dir); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("expected %v, found %v", want, got)
	}
	b.Change(BackupPlan{Every: time.Hour, KeepFor: 30 * time.Minute})
	pass(time.Hour)
	if got := scheduled(t, dir); len(got) != 2 {
		t.Errorf("those of more than half an hour stay: %v", got)
	}
	b.Change(BackupPlan{})
	pass(1000 * time.Hour)
	if got := scheduled(t, dir); len(got) != 2 {
		t.Errorf("switched off: %v", got)
	}
	newest := b.State().Last

	// A server that starts anew knows when the last one was made.
	again := NewBackupSchedule(s, BackupPlan{Every: 2000 * time.Hour}, slog.New(slog.DiscardHandler))
	if again.State().Last != newest || again.dueIn(clock.now) != 1000*time.Hour {
		t.Errorf("started anew: %+v, due in %v", again.State(), again.dueIn(clock.now))
	}
	// A backup from the future, made while the clock was wrong, does not keep others from being made.
	clock.now = clock.now.Add(-5000 * time.Hour)
	again = NewBackupSchedule(s, BackupPlan{Every: time.Hour, Keep: 1}, slog.New(slog.DiscardHandler))
	clock.now = clock.now.Add(firstBackup)
	again.step(t.Context())
	if again.State().Made != 1 || again.dueIn(clock.now) != time.Hour {
		t.Errorf("with a backup from the future: %+v, due in %v", again.State(), again.dueIn(clock.now))
	}
	if _, err := os.Stat(again.State().Last); err != nil {
		t.Error(err)
	}

	to := t.TempDir()
	if _, err := Restore(t.Context(), to, newest); err != nil {
		t.Fatal(err)
	}
	if got := must(open(t, to, Options{}).Counts(t.Context()))(t); got != must(s.Counts(t.Context()))(t) {
		t.Errorf("restored %+v", got)
	}
	problems, err := CheckFile(t.Context(), newest)
	// which these accounts have none of
	if err != nil || len(problems) == 0 || !strings.Contains(problems[0], "password hash") {
		t.Errorf("checked: %v, %v", problems, err)
	}
}

func TestFailedBackupIsSeenAndTriedAgain(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	clock := &setClock{time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	s.now = func() time.Time { return clock.now }
	inTheWay := filepath.Join(dir, BackupFolder)
	if err := os.WriteFile(inTheWay, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	b := NewBackupSchedule(s, BackupPlan{Every: time.Hour}, slog.New(slog.NewTextHandler(&log, nil)))
	clock.now = clock.now.Add(time.Hour)
	b.step(t.Context())
	b.step(t.Context()) // not at once again
	if got := b.State(); got.Failed != 1 || got.Failure == "" || !strings.Contains(log.String(), "backup failed") {
		t.Errorf("%+v, logged %q", got, log.String())
	}
	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	clock.now = clock.now.Add(backupRetry)
	b.step(t.Context())
	if got := b.State(); got.Failed != 1 || got.Made != 1 || got.Failure != "" {
		t.Errorf("after the fault: %+v", got)
	}
}

func TestScheduleRunsUntilItIsStopped(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	b := NewBackupSchedule(s, BackupPlan{}, slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { b.Run(ctx); close(done) }()
	b.Change(BackupPlan{Every: time.Millisecond})
	for deadline := time.Now().Add(time.Minute); b.State().Made == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("no backup was made")
		}
	}
	stop()
	<-done
}

// A copy for which there is no room would take the last byte from the database that it copies.
func TestScheduleMakesRoomBeforeItCopies(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	clock := &setClock{time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	s.now = func() time.Time { return clock.now }
	b := NewBackupSchedule(s, BackupPlan{Every: time.Hour, Keep: 3}, slog.New(slog.DiscardHandler))
	for range 3 {
		clock.now = clock.now.Add(time.Hour)
		b.step(t.Context())
	}
	oldest := scheduled(t, dir)[0]

	// Each file beyond two leaves too little of the disk.
	s.space = func(folder string) (free, total uint64, err error) {
		if folder != filepath.Join(dir, BackupFolder) {
			t.Errorf("asks about %s", folder)
		}
		if len(scheduled(t, dir)) > 3 { // two, and the one that is begun
			return spareSpace, 1 << 40, nil
		}
		return spareSpace + 1<<20, 1 << 40, nil
	}
	clock.now = clock.now.Add(time.Hour)
	b.step(t.Context())
	if got := b.State(); got.Made != 4 || got.Failure != "" {
		t.Errorf("once the oldest has made room: %+v", got)
	}
	if got := scheduled(t, dir); len(got) != 3 || got[0] == oldest {
		t.Errorf("those that stay: %v", got)
	}

	// Where nothing helps, nothing is written, and the newest stays.
	s.space = func(string) (uint64, uint64, error) { return spareSpace, 1 << 40, nil }
	clock.now = clock.now.Add(time.Hour)
	b.Change(BackupPlan{Every: time.Hour, Keep: 1})
	b.step(t.Context())
	got := b.State()
	if got.Failed != 1 || !strings.Contains(got.Failure, "not enough room on the disk: 64 MiB are free in "+
		filepath.Join(dir, BackupFolder)+", 65 MiB are needed") {
		t.Errorf("a disk without room: %+v", got)
	}
	if left := scheduled(t, dir); len(left) != 1 || filepath.Base(got.Last) != left[0] {
		t.Errorf("the newest stays: %v, expected %s", left, got.Last)
	}
	elsewhere := filepath.Join(t.TempDir(), "x.db") // only the data folder keeps room to spare
	if err := s.Backup(t.Context(), elsewhere); err != nil {
		t.Error(err)
	}
	s.space = func(string) (uint64, uint64, error) { return 0, 0, nil } // a file system that does not tell
	if err := s.Backup(t.Context(), elsewhere+"2"); err != nil {
		t.Error(err)
	}
}
