package data

import (
	"context"
	"fmt"
	"path/filepath"
	"time"
)

// An Examined is the result of [Examine].
type Examined struct {
	Schema, Newest int64    // the database's, and the one that this program would make of it
	Problems       []string // as [Store.Check] finds them
	Counts         Counts   // zero for an older schema
}

// Examine reads the whole database of a folder and leaves everything as it is; a server may be running. A folder
// without a database is [ErrNotFound], and one that cannot be used a [RefusedError].
func Examine(ctx context.Context, dir string) (Examined, error) {
	m := loadMigrations(nil)
	path := filepath.Join(dir, DatabaseFile)
	version, err := m.examine(ctx, dir)
	if err != nil {
		return Examined{}, err
	}
	if version == 0 {
		return Examined{}, missingDatabase(dir)
	}
	return m.read(ctx, path, version, fileSize(path+"-wal") < 0)
}

// CheckFile reads a whole database that nobody is using and returns its faults, as [Store.Check] does. The error is
// for a file that is no database of this program, or a newer one's.
func CheckFile(ctx context.Context, path string) ([]string, error) {
	m := loadMigrations(nil)
	version, err := m.examineFile(ctx, path, false)
	if err != nil {
		return nil, err
	}
	if version == 0 {
		return nil, fmt.Errorf("data: %s holds no accounts and characters", path)
	}
	found, err := m.read(ctx, path, version, true)
	return found.Problems, err
}

// read reads a whole database. quiet says that nobody is using it: SQLite makes no files beside it then.
func (m *migrations) read(ctx context.Context, path string, version int64, quiet bool) (Examined, error) {
	found := Examined{Schema: version, Newest: m.newest}
	db, err := openToLook(path, quiet)
	if err != nil {
		return found, err
	}
	defer db.Close()
	s := &Store{dir: filepath.Dir(path), reads: &readPool{DB: db}, now: time.Now}
	if version < m.newest { // the other rules are this program's
		found.Problems, err = s.checkFile(ctx)
		return found, err
	}
	if found.Problems, err = s.Check(ctx); err != nil || len(found.Problems) > 0 {
		return found, err
	}
	found.Counts, err = s.Counts(ctx)
	return found, err
}
