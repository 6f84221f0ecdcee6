package data

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sphereserver/data/atomicfile"
)

// orderFile in a data folder has the name of the backup that takes the place of the database when a server starts the
// next time: nobody can replace a database that is in use.
const orderFile = "restore-at-start"

// BackupPath is where a file of the backup folder is; ErrNotFound if there is none of that name.
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
	partial := filepath.Join(dir, orderFile+".partial")
	defer os.Remove(partial)
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

// CancelRestore takes an order to restore back.
func CancelRestore(dir string) error {
	if err := os.Remove(filepath.Join(dir, orderFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return wrap(err, "cancel a restore")
	}
	return nil
}

// RestoreOrdered restores the backup that was ordered, if any, before a server opens the folder, whose lock it has.
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
	if kept, err = restoreInto(ctx, dir, path); err != nil {
		return "", kept, err
	}
	return file, kept, CancelRestore(dir)
}
