// Package data stores accounts, characters, items, clans, bans and the audit trail in one SQLite file.
//
// A data folder belongs to one process at a time, which takes [Lock] before it calls [Open]. In the process any number
// of goroutines may use the [Store]: reads go to a pool of connections, writes to one goroutine that commits all queued
// writes together, so that their callers share the cost of one fsync. A write that has returned nil is on the disk.
package data

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	_ "modernc.org/sqlite" // registers the driver "sqlite"
)

// The sentinels that a caller may want to tell apart with [errors.Is]; the error that wraps one says more.
var (
	ErrNotFound   = errors.New("not found")
	ErrLoginTaken = errors.New("the login is taken")
	ErrNameTaken  = errors.New("the name is taken")
	ErrSlotTaken  = errors.New("the slot is taken")
	ErrClosed     = errors.New("the store is closed")
	ErrReadOnly   = errors.New("the store was opened for reading only")

	// ErrUnavailable is the error of a write when the disk is full, broken or the database held by another program:
	// nothing is wrong with the write, and it may succeed when tried again later.
	ErrUnavailable = errors.New("the database cannot be written")
	// ErrPartly is the error of saving many when some of them can never be saved; the others have been.
	ErrPartly = errors.New("some cannot be saved")
)

// missingDatabase is the error for a data folder without a database, an [ErrNotFound].
type missingDatabase string

func (m missingDatabase) Error() string {
	return fmt.Sprintf("data: there is no database in %s: \"sphere serve\" makes one, and --data names another folder",
		string(m))
}

// Is makes it an [ErrNotFound].
func (m missingDatabase) Is(target error) bool { return target == ErrNotFound }

// DatabaseFile is the name of the database within its data folder.
const DatabaseFile = "sphere.db"

// queueLimit is how many writes may wait for the writer.
const queueLimit = 4096

// busyTimeout is how long one attempt to write waits for another program that holds the database.
const busyTimeout = 5 * time.Second

// Options of [Open]; the zero value is right for a server.
type Options struct {
	ReadOnly bool         // nothing is written, created or migrated
	NoUpdate bool         // an older database is refused, not brought up to date
	Logger   *slog.Logger // nil: nothing is logged
	// Wrote is told how long each write took, from when it was asked for until it was on the disk or had failed; nil:
	// nobody is.
	Wrote func(time.Duration)

	migrations      fs.FS         // tests put other migrations here; nil: the embedded ones
	busyTimeout     time.Duration // tests wait less; 0: busyTimeout
	queueLimit      int           // tests let fewer wait; 0: queueLimit
	lookEvery       time.Duration // tests look more often; 0: lookEvery
	checkpointEvery time.Duration // likewise; 0: checkpointEvery
}

// A Store is an open database. Its methods may be called from any goroutine.
type Store struct {
	dir    string
	log    *slog.Logger
	reads  *readPool
	writer *writer // nil when read-only
	now    func() time.Time
	space  diskSpace

	keepDeleted atomic.Int64 // a duration, see KeepDeleted

	closing  sync.Once
	closeErr error

	addressBans    atomic.Pointer[addressBanTable]
	addressBanLoad sync.Mutex
}

// Open opens the database of a data folder, which it creates when there is none. A restore that was interrupted is
// finished, or undone if the old database is still in its place. An older database is backed up and brought up to date.
// One that this program cannot use – newer, damaged, with a half-applied migration – is refused with a [RefusedError]
// and left as it was.
//
// The caller holds the folder's [Lock], unless it only reads.
func Open(ctx context.Context, dir string, o Options) (*Store, error) {
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	o.queueLimit, o.busyTimeout = cmp.Or(o.queueLimit, queueLimit), cmp.Or(o.busyTimeout, busyTimeout)
	o.lookEvery, o.checkpointEvery = cmp.Or(o.lookEvery, lookEvery), cmp.Or(o.checkpointEvery, checkpointEvery)
	path := filepath.Join(dir, DatabaseFile)
	if err := prepare(ctx, dir, path, o); err != nil {
		return nil, err
	}
	s := &Store{dir: dir, log: o.Logger, now: time.Now, space: FreeBytes}
	s.KeepDeleted(DefaultKeepDeleted)
	var err error
	s.reads, err = openReads(path, o.ReadOnly)
	if err != nil {
		return nil, err
	}
	if err := s.loadAddressBans(ctx); err != nil {
		s.reads.Close()
		if f, cannot := os.OpenFile(path, os.O_RDWR, 0); errors.Is(cannot, syscall.EROFS) {
			return nil, readOnlyFolder(dir) // readers share memory in a file beside the database
		} else if cannot == nil {
			f.Close()
		}
		return nil, fmt.Errorf("data: open %s: %w", path, err)
	}
	if !o.ReadOnly {
		s.writer, err = startWriter(path, o)
		if err != nil {
			s.reads.Close()
			return nil, err
		}
	}
	return s, nil
}

// prepare finishes an interrupted restore, removes copies that were not finished, and makes or updates the database as
// far as the options allow.
func prepare(ctx context.Context, dir, path string, o Options) error {
	if !o.ReadOnly {
		sweepBackups(dir)
		finished, err := finishRestore(dir, os.Rename)
		if err != nil {
			return err
		}
		if finished {
			o.Logger.Warn("a restore that was interrupted is finished", "database", path)
		}
	}
	m := loadMigrations(o.migrations)
	found, err := m.examine(ctx, dir)
	switch {
	case err != nil:
		return err
	case o.ReadOnly && found == 0:
		return missingDatabase(dir)
	case found == m.newest:
		return nil
	case o.ReadOnly || o.NoUpdate && found > 0:
		return fmt.Errorf("data: %s is that of an older program (schema %d, this program has %d): "+
			"\"sphere serve\" brings it up to date, after a backup; nothing was changed", path, found, m.newest)
	}
	return m.apply(ctx, dir, found, o.Logger)
}

// Close finishes queued writes and closes the database. Writes that come later get [ErrClosed].
func (s *Store) Close() error {
	s.closing.Do(func() {
		if s.writer != nil {
			s.closeErr = s.writer.stop()
		}
		s.closeErr = errors.Join(s.closeErr, s.reads.Close())
		if s.writer != nil && s.closeErr == nil {
			s.closeErr = s.writer.removeMark()
		}
	})
	return s.closeErr
}

// Dir is the data folder.
func (s *Store) Dir() string { return s.dir }

// Waiting is how many writes wait for their turn.
func (s *Store) Waiting() int {
	if s.writer == nil {
		return 0
	}
	return len(s.writer.queue)
}

// Failure is why nothing can be written at the moment, nil when all is well.
func (s *Store) Failure() error {
	if s.writer == nil {
		return ErrReadOnly
	}
	if why := s.writer.failing.Load(); why != nil {
		return *why
	}
	return nil
}

// Counts is how many rows of each kind the store holds.
type Counts struct {
	Accounts       int `json:"accounts"`
	Administrators int `json:"administrators"` // of these accounts
	Characters     int `json:"characters"`
	Items          int `json:"items"`
	AccountBans    int `json:"accountBans"`
	AddressBans    int `json:"addressBans"`
}

// Counts reads how much is stored, for the line that a server logs at its start.
func (s *Store) Counts(ctx context.Context) (Counts, error) {
	var c Counts
	err := s.reads.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM accounts),
		(SELECT count(*) FROM accounts WHERE role = ?), (SELECT count(*) FROM characters),
		(SELECT count(*) FROM items), (SELECT count(*) FROM account_bans), (SELECT count(*) FROM address_bans)`,
		Administrator).Scan(&c.Accounts, &c.Administrators, &c.Characters, &c.Items, &c.AccountBans, &c.AddressBans)
	return c, wrap(err, "count rows")
}
