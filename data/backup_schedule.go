package data

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// A BackupPlan says when a [BackupSchedule] makes backups, and which of them it removes again. It never removes the
// newest, nor any that it has not made.
type BackupPlan struct {
	Every   time.Duration // from one to the next; 0 for none
	Keep    int           // how many stay; 0 for all
	KeepFor time.Duration // how old they get; 0 for any age
}

// A BackupState counts the backups of a schedule since its start.
type BackupState struct {
	Made, Failed uint64
	Last         string // the newest backup that it has made or found, "" for none
	LastAt       time.Time
	Failure      string // of the last try; "" when it succeeded
}

// A BackupSchedule makes backups of a store, and verifies them, until it is stopped.
type BackupSchedule struct {
	store *Store
	log   *slog.Logger
	since time.Time
	wake  chan struct{}

	mu    sync.Mutex
	plan  BackupPlan
	state BackupState
	tried time.Time // the last try that has failed
}

const (
	scheduledSuffix = "-scheduled.db"
	// firstBackup is how long after the start the first backup of all comes, or sooner if backups are made more often.
	firstBackup = 10 * time.Minute
	// backupRetry is the time from a failure to the next try.
	backupRetry = 5 * time.Minute
	// backupLook is how often the clock is looked at: it may be set, and the machine may sleep.
	backupLook = time.Minute
)

// NewBackupSchedule makes a schedule; [BackupSchedule.Run] follows it.
func NewBackupSchedule(s *Store, plan BackupPlan, log *slog.Logger) *BackupSchedule {
	b := &BackupSchedule{store: s, log: log, since: s.now(), wake: make(chan struct{}, 1), plan: plan}
	if all := b.list(); len(all) > 0 {
		b.state.Last, b.state.LastAt = all[len(all)-1].path, all[len(all)-1].at
	}
	return b
}

// Change makes another plan count from now on.
func (b *BackupSchedule) Change(plan BackupPlan) {
	b.mu.Lock()
	b.plan = plan
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// State returns the state so far.
func (b *BackupSchedule) State() BackupState {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.state
}

// Run makes the backups until ctx ends.
func (b *BackupSchedule) Run(ctx context.Context) {
	for ctx.Err() == nil {
		b.step(ctx)
		select {
		case <-ctx.Done():
		case <-b.wake:
		case <-time.After(min(backupLook, max(time.Second, b.dueIn(b.store.now())))):
		}
	}
}

// dueIn is how long it is until the next backup; backupLook when there will be none.
func (b *BackupSchedule) dueIn(now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	every := b.plan.Every
	if every <= 0 {
		return backupLook
	}
	if b.state.Failure != "" {
		return b.tried.Add(min(every, backupRetry)).Sub(now)
	}
	if b.state.LastAt.IsZero() || b.state.LastAt.After(now) { // never, or the clock was wrong then, or is now
		return b.since.Add(min(every, firstBackup)).Sub(now)
	}
	return b.state.LastAt.Add(every).Sub(now)
}

// step makes a backup if it is time, and removes backups that the plan does not keep.
func (b *BackupSchedule) step(ctx context.Context) {
	now := b.store.now()
	b.mu.Lock()
	plan := b.plan
	b.mu.Unlock()
	if plan.Every <= 0 || b.dueIn(now) > 0 {
		return
	}
	path := filepath.Join(b.store.dir, BackupFolder, backupStamp(now)+scheduledSuffix)
	err := b.make(ctx, path)
	for errors.Is(err, ErrNoRoom) && b.removeSurplus(plan, now, 1, 1) > 0 { // the oldest, until there is room
		err = b.make(ctx, path)
	}
	if ctx.Err() != nil {
		return // stopped
	}
	b.mu.Lock()
	if err != nil {
		b.state.Failed++
		b.state.Failure, b.tried = err.Error(), now
	} else {
		b.state.Made++
		b.state.Failure, b.state.Last, b.state.LastAt = "", path, now
		b.since = now
	}
	b.mu.Unlock()
	if err != nil {
		b.log.Error("backup failed; will try again", "file", path, "error", err)
		return
	}
	b.log.Info("backed up", "file", path, "bytes", fileSize(path))
	b.removeSurplus(plan, now, 0, math.MaxInt)
}

// removeSurplus removes at most so many of the backups that the plan does not keep once there are coming more, the
// oldest first, and returns how many.
func (b *BackupSchedule) removeSurplus(plan BackupPlan, now time.Time, coming, most int) (removed int) {
	surplus := b.surplus(plan, now, coming)
	for _, gone := range surplus[:min(most, len(surplus))] {
		if err := os.Remove(gone); err != nil {
			b.log.Warn("cannot remove an old backup", "file", gone, "error", err)
			continue
		}
		b.log.Info("removed an old backup", "file", gone)
		removed++
	}
	return removed
}

// make makes a backup and reads it as a restore would. One that is not sound is no backup, and does not stay.
func (b *BackupSchedule) make(ctx context.Context, path string) error {
	if err := b.store.Backup(ctx, path); err != nil {
		return err
	}
	problems, err := CheckFile(ctx, path)
	if err != nil {
		if ctx.Err() == nil {
			err = errors.Join(err, os.Remove(path))
		}
		return fmt.Errorf("data: verify the backup: %w", err)
	}
	for _, p := range problems { // the copy is true; the database itself has a problem
		b.log.Warn("backed up a database with a problem", "problem", p)
	}
	return nil
}

// A scheduled backup is one that a schedule has made.
type scheduledBackup struct {
	path string
	at   time.Time
}

// list finds the backups of schedules, oldest first.
func (b *BackupSchedule) list() []scheduledBackup {
	dir := filepath.Join(b.store.dir, BackupFolder)
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		b.log.Warn("cannot list the backups", "error", err)
	}
	var all []scheduledBackup
	for _, e := range entries {
		stamp, ok := strings.CutSuffix(e.Name(), scheduledSuffix)
		at, err := time.Parse(stampLayout, stamp)
		if ok && err == nil && e.Type().IsRegular() {
			all = append(all, scheduledBackup{filepath.Join(dir, e.Name()), at})
		}
	}
	slices.SortFunc(all, func(a, b scheduledBackup) int { return a.at.Compare(b.at) })
	return all
}

// surplus lists the backups that a plan does not keep once there are so many more. The newest stays, and the one that
// is to be restored.
func (b *BackupSchedule) surplus(plan BackupPlan, now time.Time, coming int) []string {
	var gone []string
	ordered, err := OrderedRestore(b.store.dir)
	if err != nil {
		b.log.Warn("no old backup is removed", "error", err)
		return nil
	}
	all, newest := b.list(), b.State().Last
	for i, backup := range all {
		tooMany := plan.Keep > 0 && len(all)-i+coming > plan.Keep
		tooOld := plan.KeepFor > 0 && now.Sub(backup.at) > plan.KeepFor
		if i < len(all)-1 && backup.path != newest && filepath.Base(backup.path) != ordered && (tooMany || tooOld) {
			gone = append(gone, backup.path)
		}
	}
	return gone
}
