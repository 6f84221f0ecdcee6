package data

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var embeddedMigrations embed.FS

// newestSchema is the schema that all embedded migrations make of an empty database, so that no start has to run them
// to know it: a line "name<tab>columns" for each table, and "name" for each index, as [schemaOf] has them. A test
// compares and rewrites it.
//
//go:embed migrations/newest.tsv
var newestSchema string

// applicationID is the number that marks a file as ours, 'Sphr'; the first migration writes it.
const applicationID = 0x53706872

// quickCheckLimit is the size in bytes up to which a database is read through at every start; a larger one is read
// through by [Store.Check] and before migrations only.
const quickCheckLimit = 16 << 20

// selectVersion reads the version of a database's schema.
const selectVersion = "SELECT coalesce(max(version_id), 0) FROM " + goose.DefaultTablename + " WHERE is_applied"

// A RefusedError says why a database cannot be used. Nothing has been changed.
type RefusedError struct {
	Path   string // the database
	Reason string // "it was written by a newer program (schema 7, this program knows 3)"
	Backup string // the newest backup, "" when there is none
	Err    error  // the cause, may be nil
}

// Error names the database, the reason, and the newest backup with the command that restores it.
func (e *RefusedError) Error() string {
	s := fmt.Sprintf("data: %s cannot be used: %s; nothing was changed", e.Path, e.Reason)
	if e.Backup == "" {
		return s + "; there is no backup in " + filepath.Join(filepath.Dir(e.Path), BackupFolder)
	}
	return fmt.Sprintf(`%s; the newest backup is %s ("sphere db restore" puts it back)`, s, e.Backup)
}

// Unwrap is the error behind the refusal.
func (e *RefusedError) Unwrap() error { return e.Err }

func refuse(path string, err error, format string, args ...any) error {
	backup, _ := NewestBackup(filepath.Dir(path))
	return &RefusedError{Path: path, Reason: fmt.Sprintf(format, args...), Backup: backup, Err: err}
}

// migrations are the numbered steps that make a database as this program expects it.
type migrations struct {
	files   fs.FS
	newest  int64
	schemas sync.Map // by version: making one is most of the cost of opening a database
}

// ownMigrations are the program's migrations.
var ownMigrations = sync.OnceValue(func() *migrations {
	files, _ := fs.Sub(embeddedMigrations, "migrations") // fails for a malformed name only
	m := migrationsIn(files)
	schema := map[string]string{}
	for line := range strings.Lines(newestSchema) {
		name, columns, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		schema[name] = columns
	}
	m.schemas.Store(m.newest, schema)
	return m
})

// loadMigrations finds the migrations in a folder, nil for the program's.
func loadMigrations(files fs.FS) *migrations {
	if files == nil {
		return ownMigrations()
	}
	return migrationsIn(files)
}

// migrationsIn finds the migrations of a folder. Like goose, it passes over files without a number.
func migrationsIn(files fs.FS) *migrations {
	m := &migrations{files: files}
	names, _ := fs.Glob(files, "*.sql") // fails for a malformed pattern only
	for _, name := range names {
		if v, err := goose.NumericComponent(name); err == nil {
			m.newest = max(m.newest, v)
		}
	}
	return m
}

// up brings a database to a version.
func (m *migrations) up(ctx context.Context, db *sql.DB, to int64) error {
	p, err := goose.NewProvider(goose.DialectSQLite3, db, m.files)
	if err != nil {
		return wrap(err, "migrations")
	}
	_, err = p.UpTo(ctx, to)
	return err
}

// apply migrates the database of a folder, after a backup when there is anything in it.
func (m *migrations) apply(ctx context.Context, dir string, found int64, log *slog.Logger) error {
	path := filepath.Join(dir, DatabaseFile)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("data: create the data folder: %w", err)
	}
	if found > 0 {
		if err := m.backUp(ctx, dir, found, log); err != nil {
			return refuse(path, err, "it has schema %d, the backup before its migration to schema %d failed (%v)", found,
				m.newest, err)
		}
	}
	db, err := openWrites(path, busyTimeout)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := m.up(ctx, db, m.newest); err != nil {
		if found == 0 {
			return fmt.Errorf("data: create %s: %w", path, err)
		}
		return refuse(path, err, "its migration from schema %d to schema %d failed and was undone (%v)", found, m.newest, err)
	}
	log.Info("database is up to date", "database", path, "from", found, "schema", m.newest)
	return nil
}

// backUp makes the backup before a migration, unless the last start has made it and failed: a system that starts a
// server again and again would fill the disk with copies of one database.
func (m *migrations) backUp(ctx context.Context, dir string, found int64, log *slog.Logger) error {
	path, folder := filepath.Join(dir, DatabaseFile), filepath.Join(dir, BackupFolder)
	suffix := fmt.Sprintf("-before-schema-%d.db", m.newest)
	all, err := Backups(dir)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(b BackupFile) bool {
		return strings.HasSuffix(b.File, suffix) && m.isCopy(ctx, filepath.Join(folder, b.File), path)
	})
	if i >= 0 {
		log.Info("the backup before migration is there already", "database", path, "backup",
			filepath.Join(folder, all[i].File), "schema", found)
		return nil
	}
	backup := filepath.Join(folder, backupStamp(time.Now())+suffix)
	if err := (vacuuming{space: FreeBytes}).copyDatabase(ctx, path, backup); err != nil {
		return err
	}
	log.Info("backed up before migration", "database", path, "backup", backup, "schema", found)
	return nil
}

// isCopy reports whether a backup is sound, and a copy of a database that nobody is using as it is now: of the same
// schema, with the number that goes up with each program that writes, see [markFile], and made after the last change of
// the file itself. The number alone would not do: after a restore it goes up from a lower one again.
func (m *migrations) isCopy(ctx context.Context, backup, path string) bool {
	made, err := os.Stat(backup)
	if err != nil {
		return false
	}
	if info, err := os.Stat(path); err == nil && info.ModTime().After(made.ModTime()) {
		return false
	}
	state := func(path string, quiet bool) (s [2]int64, err error) {
		db, err := openToLook(path, quiet)
		if err != nil {
			return s, err
		}
		defer db.Close()
		if s[0], err = readOne(ctx, db, single[int64], "PRAGMA user_version"); err == nil {
			s[1], err = readOne(ctx, db, single[int64], selectVersion)
		}
		return s, err
	}
	is, err := state(path, fileSize(path+"-wal") < 0)
	if err != nil {
		return false
	}
	was, err := state(backup, true)
	return err == nil && is == was && verifyFile(ctx, backup) == nil
}

// examine says which schema version the database of a folder has, 0 when there is none yet. It changes nothing, and
// refuses a folder that cannot be used.
func (m *migrations) examine(ctx context.Context, dir string) (int64, error) {
	path := filepath.Join(dir, DatabaseFile)
	mark := readMark(dir) // before the database, which may get newer meanwhile
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, examineAbsence(path, mark)
	}
	if err != nil {
		return 0, fmt.Errorf("data: %w", err)
	}
	if info.IsDir() {
		return 0, refuse(path, nil, "it is a folder, and a file is expected there")
	}
	logBytes := fileSize(path + "-wal")
	if info.Size() == 0 && logBytes <= 0 && mark == 0 {
		return 0, nil // its creation was interrupted before anything was in it
	}
	version, err := m.examineFile(ctx, path, logBytes >= 0)
	if err == nil {
		err = examineMark(ctx, path, mark, logBytes >= 0)
	}
	var refused *RefusedError
	if err != nil && !errors.As(err, &refused) {
		if denied := mayUse(path); denied != nil {
			return 0, fmt.Errorf("data: %w", denied)
		}
		return 0, refuse(path, err, "it is damaged (%v)", err)
	}
	return version, err
}

// mayUse returns an error when this user may not read and write a file: that is no damage. It is for a database that
// SQLite could not open, since closing the file would free the locks of a connection to it.
func mayUse(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		return f.Close()
	}
	if errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}

// examineAbsence tells a folder that has never had a database from one that has lost it.
func examineAbsence(path string, mark int64) error {
	if fileSize(path+incomingSuffix) >= 0 {
		return refuse(path, nil, `a restore was interrupted before its end; "sphere serve" finishes it`)
	}
	if fileSize(path+"-wal") > 0 {
		return refuse(path, nil, "it is missing, but its log %s-wal is there", filepath.Base(path))
	}
	if mark > 0 {
		return refuse(path, nil, "it is missing, though a program that did not end in order has used it (to begin with an "+
			"empty one, delete %s)", filepath.Join(filepath.Dir(path), markFile))
	}
	return nil
}

// examineFile is examine for a file that exists; withLog says that it has a write-ahead log.
func (m *migrations) examineFile(ctx context.Context, path string, withLog bool) (int64, error) {
	db, err := openToLook(path, !withLog)
	if err != nil {
		return 0, err
	}
	defer db.Close()

	version, err := m.examineSchema(ctx, path, db)
	if err != nil || version == 0 {
		return version, err
	}
	if fileSize(path) > quickCheckLimit {
		return version, nil
	}
	problems, err := readAll(ctx, db, single[string], "PRAGMA quick_check(1)")
	if err != nil {
		return 0, err
	}
	if !slices.Equal(problems, sound) {
		return 0, refuse(path, nil, "it is damaged (%s)", strings.Join(problems, "; "))
	}
	return version, nil
}

// examineSchema compares the tables with those that the migrations make.
func (m *migrations) examineSchema(ctx context.Context, path string, db *sql.DB) (int64, error) {
	found, err := schemaOf(ctx, db)
	if err != nil {
		return 0, err
	}
	version, err := m.schemaVersion(ctx, path, db, len(found) == 0)
	if err != nil {
		return 0, err
	}
	expected, err := m.schemaAt(ctx, version)
	if err != nil {
		return 0, err
	}
	for _, name := range slices.Sorted(maps.Keys(expected)) {
		switch have, ok := found[name]; {
		case !ok:
			return 0, refuse(path, nil, "its schema is half-applied or was changed by hand (schema %d, expected %s, found none)",
				version, name)
		case have != expected[name]:
			return 0, refuse(path, nil, "its schema is half-applied or was changed by hand (%s is not that of schema %d)", name,
				version)
		}
	}
	if version == m.newest {
		return version, nil
	}
	later, err := m.schemaAt(ctx, m.newest)
	if err != nil {
		return 0, err
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		_, early := expected[name]
		if _, late := later[name]; late && !early {
			return 0, refuse(path, nil, "a migration was half applied (schema %d with %s of a later one)", version, name)
		}
	}
	return version, nil
}

// schemaVersion is the version of a database's schema: 0 for an empty one. It refuses those of other programs, and of
// newer ones.
func (m *migrations) schemaVersion(ctx context.Context, path string, db *sql.DB, empty bool) (version int64,
	err error) {
	app, err := readOne(ctx, db, single[int64], "PRAGMA application_id")
	if err != nil {
		return 0, err
	}
	tables, err := readAll(ctx, db, single[string], "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = ?",
		goose.DefaultTablename)
	if err != nil {
		return 0, err
	}
	if len(tables) > 0 {
		if version, err = readOne(ctx, db, single[int64], selectVersion); err != nil {
			return 0, err
		}
	} else if !empty && app != applicationID {
		return 0, refuse(path, nil, "it is not a database of this program")
	}
	if version > m.newest {
		return 0, refuse(path, nil, "it was written by a newer program (schema %d, this program knows %d)", version, m.newest)
	}
	return version, nil
}

// schemaAt is the schema that the migrations up to a version make of an empty database, to be read only.
func (m *migrations) schemaAt(ctx context.Context, version int64) (map[string]string, error) {
	if version == 0 {
		return nil, nil
	}
	if known, ok := m.schemas.Load(version); ok {
		return known.(map[string]string), nil
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, wrap(err, "migrations")
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // every connection to :memory: is a database of its own
	if err := m.up(ctx, db, version); err != nil {
		return nil, wrap(err, "migrations")
	}
	schema, err := schemaOf(ctx, db)
	if err == nil {
		m.schemas.Store(version, schema)
	}
	return schema, err
}

// schemaOf maps "table accounts" to its columns, and "index items_place" to nothing. Tables that SQLite and the
// migrations need for themselves are left out.
func schemaOf(ctx context.Context, db *sql.DB) (map[string]string, error) {
	schema := map[string]string{}
	err := each(ctx, db, func(row *sql.Rows) error {
		var name, columns string
		err := row.Scan(&name, &columns)
		schema[name] = columns
		return err
	}, `SELECT s.type || ' ' || s.name,
		(SELECT coalesce(group_concat(name || ' ' || type || ' ' || "notnull" || ' ' || pk), '')
		FROM pragma_table_info(s.name) WHERE s.type = 'table')
		FROM sqlite_schema s WHERE s.name NOT LIKE 'sqlite~_%' ESCAPE '~' AND s.tbl_name <> '`+goose.DefaultTablename+`'`)
	return schema, err
}
