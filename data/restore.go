package data

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sphereserver/data/atomicfile"
)

// Restore puts a backup in the place of a folder's database. It refuses a folder that a process has locked, and a
// backup that is damaged or newer than this program. The database that was there is kept under the name that is
// returned ("" when there was none). A restore that was ordered before does not come any more.
func Restore(ctx context.Context, dir, backup string) (kept string, err error) {
	err = withLock(dir, func() error {
		kept, err = restoreInto(ctx, dir, backup, os.Rename)
		return err
	})
	return kept, err
}

// A rename gives a file of a data folder another name, as [os.Rename] does.
type rename func(from, to string) error

// restoreInto takes a backup in beside the database and then replaces that. Until the database leaves its place an
// interruption undoes all of it; from then on the restore is finished by [finishRestore], whatever interrupts it.
func restoreInto(ctx context.Context, dir, backup string, move rename) (kept string, err error) {
	if _, err := finishRestore(dir, move); err != nil {
		return "", err
	}
	m := loadMigrations(nil)
	path := filepath.Join(dir, DatabaseFile)
	incoming := path + incomingSuffix
	partial := incoming + partialSuffix
	defer os.Remove(partial)
	defer os.Remove(partial + "-wal")
	if err := m.takeIn(ctx, backup, partial); err != nil {
		return "", err
	}
	if err := atomicfile.Replace(partial, incoming); err != nil {
		return "", wrap(err, "restore")
	}
	name, err := replacedName(dir)
	if err == nil && fileSize(name) >= 0 {
		err = fmt.Errorf("data: restore: %s is there already", name)
	}
	if err == nil {
		err = wrap(removeAll(filepath.Join(dir, markFile)), "restore") // it was the old database's
	}
	if err != nil {
		return "", err
	}
	return putInPlace(dir, move)
}

// replacedName is the new name of the old database: by the time of the incoming one, so that a restore
// that was interrupted goes on with the same name.
func replacedName(dir string) (string, error) {
	path := filepath.Join(dir, DatabaseFile)
	info, err := os.Stat(path + incomingSuffix)
	if err != nil {
		return "", wrap(err, "restore")
	}
	return path + ".replaced-" + info.ModTime().UTC().Format("20060102T150405.000Z"), nil
}

// putInPlace replaces the database by the incoming one.
func putInPlace(dir string, move rename) (kept string, err error) {
	path := filepath.Join(dir, DatabaseFile)
	name, err := replacedName(dir)
	if err != nil {
		return "", err
	}
	// The database leaves before its log, and the new one comes last: a process that looks in between finds no database
	// but an incoming one, and knows that a restore was interrupted.
	for _, suffix := range []string{"", "-wal", "-shm"} {
		switch err := move(path+suffix, name+suffix); {
		case err == nil:
			kept = name
		case !errors.Is(err, fs.ErrNotExist):
			return kept, fmt.Errorf("data: restore: keep the old database: %w", err)
		}
	}
	if err := CancelRestore(dir); err != nil { // else it would replace the new one at the next start
		return kept, err
	}
	if err := move(path+incomingSuffix, path); err != nil {
		return kept, wrap(err, "restore")
	}
	return kept, wrap(atomicfile.SyncFolder(dir), "restore")
}

// finishRestore ends a restore that was interrupted. It goes on if the old database had left its place; otherwise its
// files are removed, and nothing has happened. The folder's lock is held.
func finishRestore(dir string, move rename) (finished bool, err error) {
	path := filepath.Join(dir, DatabaseFile)
	incoming := path + incomingSuffix
	if fileSize(path) < 0 && fileSize(incoming) >= 0 {
		_, err = putInPlace(dir, move)
		return err == nil, err
	}
	partial := incoming + partialSuffix
	return false, wrap(removeAll(incoming, partial, partial+"-wal"), "restore")
}

// isExport reports whether a file begins as those of [ExportFile] do.
func isExport(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = newExportReader(io.LimitReader(f, 4096)).head()
	return err == nil
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
	if isExport(backup) {
		return errors.New(`data: restore: expected a database, found an export; "sphere db import" takes that`)
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

// foldLog moves the contents of a database's write-ahead log into the database.
func foldLog(ctx context.Context, path string) error {
	db, err := openSQLite(path, nil)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return errors.Join(err, db.Close())
}

// orderFile in a data folder has the name of the backup that takes the place of the database when a server starts the
// next time: nobody can replace a database that is in use.
const orderFile = "restore-at-start"

// BackupPath returns the path of a file of the backup folder; ErrNotFound if it does not exist.
func BackupPath(dir, file string) (string, error) {
	all, err := Backups(dir)
	for _, b := range all {
		if b.File == file {
			return filepath.Join(dir, BackupFolder, file), nil
		}
	}
	if err == nil {
		err = fmt.Errorf("data: no backup %q: %w", file, ErrNotFound)
	}
	return "", err
}

// DeleteBackup removes a file of the backup folder. The one that is to be restored stays.
func DeleteBackup(dir, file string) error {
	path, err := BackupPath(dir, file)
	if err != nil {
		return err
	}
	switch ordered, err := OrderedRestore(dir); {
	case err != nil:
		return err
	case ordered == file:
		return fmt.Errorf("data: %s is to be restored: %w", file, ErrOrdered)
	}
	return wrap(os.Remove(path), "delete a backup")
}

// ErrOrdered says that a backup is to be restored at the next start.
var ErrOrdered = errors.New("a restore is ordered")

// OrderRestore makes the next start of a server put a file of the backup folder in the place of the database. The file
// is verified now, and again then.
func OrderRestore(ctx context.Context, dir, file string) error {
	path, err := BackupPath(dir, file)
	if err != nil {
		return err
	}
	partial := filepath.Join(dir, orderFile+partialSuffix)
	defer removeAll(partial, partial+"-wal")
	if err := loadMigrations(nil).takeIn(ctx, path, partial); err != nil {
		return err
	}
	return wrap(atomicfile.Write(filepath.Join(dir, orderFile), []byte(file+"\n"), 0o600), "order a restore")
}

// OrderedRestore is the file of the backup folder that is restored at the next start, "" for none.
func OrderedRestore(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, orderFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", wrap(err, "read the order to restore")
	}
	return strings.TrimSpace(string(text)), nil
}

// CancelRestore takes an order to restore back, for good: an order that a power failure brought back would replace
// all play since.
func CancelRestore(dir string) error {
	err := os.Remove(filepath.Join(dir, orderFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = atomicfile.SyncFolder(dir)
	}
	return wrap(err, "cancel a restore")
}

// RestoreOrdered restores the backup that was ordered, if any, before a server opens the folder, with its lock held.
// kept is the database that was there. A backup that cannot be restored leaves everything as it was, the order too.
func RestoreOrdered(ctx context.Context, dir string) (restored, kept string, err error) {
	file, err := OrderedRestore(dir)
	if err != nil || file == "" {
		return "", "", err
	}
	path, err := BackupPath(dir, file)
	if err != nil {
		return "", "", err
	}
	if kept, err = restoreInto(ctx, dir, path, os.Rename); err != nil {
		return "", kept, err
	}
	return file, kept, nil
}
