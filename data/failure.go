package data

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// errNotAlone is the failure of a writer that finds another's number.
var errNotAlone = errors.New("another program was started on the same folder and writes to it; this one writes " +
	"nothing any more")

// explain makes a sentence of an error of SQLite when the disk or another program is in the way.
func explain(path string, err error) error {
	if errors.Is(err, errNotAlone) {
		return err
	}
	switch sqliteCode(err) {
	case sqlite3.SQLITE_FULL:
		err = fmt.Errorf("data: %s has no space left on its disk, nothing was written: %w", path, err)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		err = fmt.Errorf("data: %s is locked by another program, nothing was written: %w", path, err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		err = fmt.Errorf("data: %s is damaged, nothing was written: %w", path, err)
	default:
		err = fmt.Errorf("data: %s cannot be written, nothing was written: %w", path, err)
	}
	return &storageFailure{err}
}

// A storageFailure is an error of the disk or the file, not of the operation.
type storageFailure struct{ error }

func (f *storageFailure) Unwrap() error { return f.error }

// Is makes the failure recognisable as [ErrUnavailable].
func (f *storageFailure) Is(target error) bool { return target == ErrUnavailable }

// isStorageFailure reports whether err concerns the whole transaction: after it, SQLite may have rolled back more than
// the statement that failed.
func isStorageFailure(err error) bool {
	var f *storageFailure
	if errors.As(err, &f) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) {
		return true
	}
	switch sqliteCode(err) {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED,
		sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY,
		sqlite3.SQLITE_NOTADB:
		return true
	}
	return false
}

// sqliteCode is the primary result code of an SQLite error, 0 of any other.
func sqliteCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}
