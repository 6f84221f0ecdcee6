package data

import (
	"cmp"
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

// partialSuffix marks a copy of a database that may not be complete.
const partialSuffix = ".partial"

// stampLayout begins the names of backups so that they sort by age.
const stampLayout = "sphere-20060102T150405Z"

func backupStamp(t time.Time) string { return t.UTC().Format(stampLayout) }

// stampOf is the time in the name of a backup: a copy on another machine may have another time of its own.
func stampOf(name string) (time.Time, bool) {
	if len(name) < len(stampLayout) {
		return time.Time{}, false
	}
	at, err := time.Parse(stampLayout, name[:len(stampLayout)])
	return at, err == nil
}

// DefaultBackupPath is where a backup made at t goes when the operator names no file.
func DefaultBackupPath(dir string, t time.Time) string {
	return filepath.Join(dir, BackupFolder, backupStamp(t)+".db")
}

// A BackupFile is a file in the backup folder.
type BackupFile struct {
	File  string    `json:"file"` // its name
	Bytes int64     `json:"bytes"`
	At    time.Time `json:"at"` // in its name, or else of its last change
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
			at, ok := stampOf(e.Name())
			if !ok {
				at = info.ModTime().UTC().Truncate(time.Second) // as those of names are
			}
			all = append(all, BackupFile{e.Name(), info.Size(), at})
		}
	}
	slices.SortFunc(all, func(a, b BackupFile) int { return cmp.Or(b.At.Compare(a.At), strings.Compare(b.File, a.File)) })
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
// verified, on the disk, and under its name only when it is complete. It replaces no existing file, and makes no folder
// but the data folder's own for backups. It can be made, too, while the database's file has gone from its folder. One
// for which there is no room is not begun, see [ErrNoRoom].
func (s *Store) Backup(ctx context.Context, path string) error {
	from := filepath.Join(s.dir, DatabaseFile)
	folder, own := filepath.Dir(path), filepath.Join(s.dir, BackupFolder)
	if abs, err := filepath.Abs(own); err == nil && !filepath.IsAbs(own) && filepath.IsAbs(folder) {
		own = abs
	}
	if folder != own {
		switch _, err := os.Stat(folder); {
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("data: backup: there is no folder %s; its disk may not be mounted", folder)
		case err != nil:
			return wrap(err, "backup")
		}
	}
	v := vacuuming{space: s.space}
	if folder == own { // most often on the database's own disk
		v.spare = spareSpace
	}
	if s.writer != nil && s.Failure() != nil {
		return makeCopy(ctx, from, path, func(ctx context.Context, to string) error { return s.vacuumOpen(ctx, v, to) })
	}
	return v.copyDatabase(ctx, from, path)
}

// copyDatabase makes a verified copy of a database that may be in use.
func (v vacuuming) copyDatabase(ctx context.Context, from, to string) error {
	return makeCopy(ctx, from, to, func(ctx context.Context, to string) error { return v.file(ctx, from, to) })
}

// makeCopy is copyDatabase with the way to do it.
func makeCopy(ctx context.Context, from, to string, vacuum func(ctx context.Context, to string) error) error {
	if fileSize(to) >= 0 {
		return fmt.Errorf("data: backup: %s exists already", to)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return wrap(err, "backup")
	}
	partial := to + partialSuffix
	if err := removeAll(partial); err != nil {
		return wrap(err, "backup")
	}
	defer os.Remove(partial)
	if err := createPrivate(partial); err != nil {
		return wrap(err, "backup")
	}
	if err := vacuum(ctx, partial); err != nil {
		return wrap(err, "backup of %s", from)
	}
	if err := verifyFile(ctx, partial); err != nil {
		return wrap(err, "backup of %s: the copy is not sound", from)
	}
	return wrap(atomicfile.Replace(partial, to), "backup")
}

// file copies the database of a file.
func (v vacuuming) file(ctx context.Context, from, to string) error {
	db, err := openSQLite(from, url.Values{"mode": {"rw"}}, waitFor(busyTimeout))
	if err != nil {
		return err
	}
	defer db.Close()
	return v.into(ctx, db, to)
}

// vacuumOpen copies the database of the files that the store has open, even if their names are gone.
func (s *Store) vacuumOpen(ctx context.Context, v vacuuming, to string) error {
	conn, err := s.reads.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = conn.ExecContext(ctx, "PRAGMA query_only = 0")
	if err == nil {
		err = v.into(ctx, conn, to)
	}
	_, again := conn.ExecContext(background, "PRAGMA query_only = 1")
	return errors.Join(err, again)
}

// verifyFile reads a whole database that nobody is using and returns its first fault, nil if it is sound.
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

// sweepBackups removes the copies of a data folder that were not finished. Its caller has the folder, so nobody makes
// any.
func sweepBackups(dir string) {
	entries, _ := os.ReadDir(filepath.Join(dir, BackupFolder))
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".db"+partialSuffix) && e.Type().IsRegular() {
			_ = os.Remove(filepath.Join(dir, BackupFolder, e.Name())) // else the next start tries again
		}
	}
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
