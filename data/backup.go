package data

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sphereserver/data/atomicfile"
)

// BackupFolder is where backups lie within a data folder unless the operator says otherwise.
const BackupFolder = "backups"

// incomingSuffix marks a restored database that is complete but not yet in its place.
const incomingSuffix = ".incoming"

// backupStamp begins the names of backups so that they sort by age.
func backupStamp(t time.Time) string {
	return "sphere-" + t.UTC().Format("20060102T150405Z")
}

// DefaultBackupPath is where a backup made at t goes when the operator names no file.
func DefaultBackupPath(dir string, t time.Time) string {
	return filepath.Join(dir, BackupFolder, backupStamp(t)+".db")
}

// A BackupFile is a file in the backup folder.
type BackupFile struct {
	File  string    `json:"file"` // its name
	Bytes int64     `json:"bytes"`
	At    time.Time `json:"at"`
}

// Backups lists the files in the backup folder of a data folder, youngest first.
func Backups(dir string) ([]BackupFile, error) {
	entries, err := os.ReadDir(filepath.Join(dir, BackupFolder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("data: %w", err)
	}
	all := []BackupFile{}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && strings.HasSuffix(e.Name(), ".db") {
			all = append(all, BackupFile{e.Name(), info.Size(), info.ModTime().UTC()})
		}
	}
	slices.SortStableFunc(all, func(a, b BackupFile) int { return b.At.Compare(a.At) })
	return all, nil
}

// NewestBackup is the youngest file in the backup folder of a data folder, "" and ErrNotFound when there is none.
func NewestBackup(dir string) (string, error) {
	all, err := Backups(dir)
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("data: no backup in %s: %w", filepath.Join(dir, BackupFolder), ErrNotFound)
	}
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, BackupFolder, all[0].File), nil
}

// Backup writes a copy of the database to path, while the store goes on working: the state of one moment,
// verified, on the disk, and under its name only when it is complete. It replaces no existing file.
func (s *Store) Backup(ctx context.Context, path string) error {
	return copyDatabase(ctx, filepath.Join(s.dir, DatabaseFile), path)
}

// copyDatabase makes a verified copy of a database that may be in use.
func copyDatabase(ctx context.Context, from, to string) error {
	if fileSize(to) >= 0 {
		return fmt.Errorf("data: backup: %s exists already", to)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return wrap(err, "backup")
	}
	partial := to + ".partial"
	if err := removeAll(partial); err != nil {
		return wrap(err, "backup")
	}
	defer os.Remove(partial)
	if err := vacuumInto(ctx, from, partial); err != nil {
		return wrap(err, "backup of %s", from)
	}
	if err := verifyFile(ctx, partial); err != nil {
		return wrap(err, "backup of %s: the copy is not sound", from)
	}
	return wrap(atomicfile.Replace(partial, to), "backup")
}

func vacuumInto(ctx context.Context, from, to string) error {
	if err := createPrivate(to); err != nil {
		return err
	}
	db, err := openSQLite(from, url.Values{"mode": {"rw"}}, waitFor(busyTimeout))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", to)
	return err
}

// verifyFile reads a whole database that nobody is using and finds it sound, or says what is wrong with it.
func verifyFile(ctx context.Context, path string) error {
	db, err := openToLook(path, true)
	if err != nil {
		return err
	}
	defer db.Close()
	problems, err := readAll(ctx, db, single[string], "PRAGMA integrity_check(5)")
	if err != nil {
		return err
	}
	if !slices.Equal(problems, sound) {
		return fmt.Errorf("integrity check: %s", strings.Join(problems, "; "))
	}
	return nil
}

// Restore puts a backup in the place of a folder's database. It refuses a folder that a process has locked, and a
// backup that is damaged or newer than this program. The database that was there is kept under the name that is
// returned ("" when there was none).
func Restore(ctx context.Context, dir, backup string) (kept string, err error) {
	lock, err := Lock(dir)
	if err != nil {
		return "", err
	}
	defer lock.Unlock()

	m := loadMigrations(nil)
	path := filepath.Join(dir, DatabaseFile)
	incoming := path + incomingSuffix
	partial := incoming + ".partial"
	defer os.Remove(partial)
	defer os.Remove(partial + "-wal")
	if err := m.takeIn(ctx, backup, partial); err != nil {
		return "", err
	}
	if err := atomicfile.Replace(partial, incoming); err != nil {
		return "", wrap(err, "restore")
	}

	// The database leaves before its log, and the new one comes last: whoever looks in between finds no
	// database but an incoming one, and knows that a restore was interrupted.
	name := path + ".replaced-" + time.Now().UTC().Format("20060102T150405.000Z")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		switch err := os.Rename(path+suffix, name+suffix); {
		case err == nil:
			kept = name
		case !errors.Is(err, fs.ErrNotExist):
			return kept, fmt.Errorf("data: restore: keep the old database: %w", err)
		}
	}
	if err := os.Rename(incoming, path); err != nil {
		return kept, wrap(err, "restore")
	}
	return kept, wrap(atomicfile.SyncFolder(dir), "restore")
}

// takeIn copies a backup to a file beside the database and verifies the copy.
func (m *migrations) takeIn(ctx context.Context, backup, partial string) error {
	info, err := os.Stat(backup)
	if err != nil {
		return wrap(err, "restore")
	}
	if !info.Mode().IsRegular() || info.Size() == 0 {
		return fmt.Errorf("data: restore: expected a database, %s is empty or no file", backup)
	}
	if err := copyFile(backup, partial); err != nil {
		return wrap(err, "restore")
	}
	// A copy of a database that was running has a log beside it with the latest changes.
	if fileSize(backup+"-wal") > 0 {
		if err := copyFile(backup+"-wal", partial+"-wal"); err != nil {
			return wrap(err, "restore")
		}
		if err := foldLog(ctx, partial); err != nil {
			return wrap(err, "restore: %s is damaged", backup)
		}
	}
	if err := verifyFile(ctx, partial); err != nil {
		return wrap(err, "restore: %s is damaged", backup)
	}
	version, err := m.examineFile(ctx, partial, false)
	var refused *RefusedError
	switch {
	case errors.As(err, &refused):
		return fmt.Errorf("data: restore: %s cannot be used: %s; nothing was changed", backup, refused.Reason)
	case err != nil:
		return fmt.Errorf("data: restore: %s is damaged: %w", backup, err)
	case version == 0:
		return fmt.Errorf("data: restore: %s holds no accounts and characters; nothing was changed", backup)
	}
	return nil
}

// foldLog moves what is in a database's write-ahead log into the database.
func foldLog(ctx context.Context, path string) error {
	db, err := openSQLite(path, nil)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return errors.Join(err, db.Close())
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
