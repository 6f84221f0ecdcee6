package data

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// sqliteURI names a database file for the driver, with any characters in its path.
func sqliteURI(path string, params url.Values) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("data: %s: %w", path, err)
	}
	abs = filepath.ToSlash(abs)
	if !strings.HasPrefix(abs, "/") {
		abs = "/" + abs // C:/games becomes file:///C:/games
	}
	u := url.URL{Scheme: "file", Path: abs, RawQuery: params.Encode()}
	return u.String(), nil
}

// openSQLite opens a database file; params are the parameters of the driver's data source name.
func openSQLite(path string, params url.Values, pragmas ...string) (*sql.DB, error) {
	if len(pragmas) > 0 {
		params["_pragma"] = pragmas
	}
	uri, err := sqliteURI(path, params)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", uri)
	if err != nil {
		return nil, fmt.Errorf("data: open %s: %w", path, err)
	}
	return db, nil
}

// waitFor is how long a connection waits for others that hold the database.
func waitFor(busy time.Duration) string { return fmt.Sprintf("busy_timeout(%d)", busy.Milliseconds()) }

// A readPool has the connections for queries. Each query is prepared once for each connection: to prepare one takes
// longer than to look up a row. Their texts are constants, so there are few.
type readPool struct {
	*sql.DB
	statements sync.Map // of queries: *sql.Stmt
}

// QueryContext makes a [querier] of it.
func (p *readPool) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	s, known := p.statements.Load(query)
	if !known {
		made, err := p.PrepareContext(ctx, query)
		if err != nil {
			return nil, err
		}
		if s, known = p.statements.LoadOrStore(query, made); known {
			made.Close()
		}
	}
	return s.(*sql.Stmt).QueryContext(ctx, args...)
}

// openReads makes the pool for queries.
func openReads(path string, readOnly bool) (*readPool, error) {
	params := url.Values{"mode": {"rw"}} // a database that is gone must not be created again, empty
	if readOnly {
		params.Set("mode", "ro")
	}
	db, err := openSQLite(path, params, waitFor(busyTimeout), "query_only(1)", "cache_size(-8192)")
	if err != nil {
		return nil, err
	}
	n := max(2, runtime.NumCPU())
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return &readPool{DB: db}, nil
}

// openToLook opens a database file to read it. quiet says that nobody is using it: SQLite makes no files beside it
// then.
func openToLook(path string, quiet bool) (*sql.DB, error) {
	params := url.Values{"mode": {"ro"}}
	if quiet {
		params.Set("immutable", "1")
	}
	return openSQLite(path, params, waitFor(busyTimeout), "query_only(1)")
}

// logLimit is the size to which the write-ahead log shrinks again, in bytes, when a reader has kept it from being
// used anew.
const logLimit = 16 << 20

// openWrites makes the one connection that writes; it waits for others that hold the database for at most busy.
func openWrites(path string, busy time.Duration) (*sql.DB, error) {
	if err := createPrivate(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, wrap(err, "create %s", path)
	}
	db, err := openSQLite(path, url.Values{"mode": {"rw"}}, waitFor(busy), "journal_mode(WAL)",
		"synchronous(FULL)", "foreign_keys(1)", "cache_size(-16384)", fmt.Sprintf("journal_size_limit(%d)", logLimit))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// removeAll removes files of which some may not be there.
func removeAll(paths ...string) error {
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// createPrivate makes an empty file, which keeps its mode when SQLite writes it: the password hashes in it are nobody
// else's business. SQLite gives its log files the same mode.
func createPrivate(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// fileSize is the size of a file in bytes, -1 when it cannot be found.
func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return -1
	}
	return info.Size()
}
