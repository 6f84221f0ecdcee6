package data

import (
	"crypto/sha256"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// newest is the schema that the embedded migrations make.
func newest(t *testing.T) int64 {
	t.Helper()
	return loadMigrations(nil).newest
}

var updateSchema = flag.Bool("update-schema", false, "write migrations/newest.tsv anew")

// The embedded newest schema is the schema that the migrations make.
func TestNewestSchemaIsThatOfTheMigrations(t *testing.T) {
	m := migrationsIn(ownMigrations().files)
	schema := must(m.schemaAt(t.Context(), m.newest))(t)
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(schema)) {
		fmt.Fprintln(&text, strings.TrimSuffix(name+"\t"+schema[name], "\t"))
	}
	if *updateSchema {
		if err := os.WriteFile("migrations/newest.tsv", []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if text.String() != newestSchema {
		t.Error("migrations/newest.tsv is another schema: go test ./data -run NewestSchema -update-schema")
	}
	if known := must(ownMigrations().schemaAt(t.Context(), m.newest))(t); !*updateSchema && !maps.Equal(known, schema) {
		t.Errorf("the embedded schema reads as %v", known)
	}
}

// withMigration are the embedded migrations and one more, as a later version of this program would have.
func withMigration(t *testing.T, statements string) fs.FS {
	t.Helper()
	later := fmt.Sprintf("%05d_later.sql", newest(t)+1)
	files := fstest.MapFS{later: {Data: []byte("-- +goose Up\n" + statements)}}
	names := must(fs.Glob(embeddedMigrations, "migrations/*.sql"))(t)
	for _, name := range names {
		files[filepath.Base(name)] = &fstest.MapFile{Data: must(embeddedMigrations.ReadFile(name))(t)}
	}
	return files
}

// sums are the contents of all files in a folder.
func sums(t *testing.T, dir string) map[string][32]byte {
	t.Helper()
	out := map[string][32]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			out[path] = sha256.Sum256(must(os.ReadFile(path))(t))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// execFile changes a database behind the store's back.
func execFile(t *testing.T, dir string, statements ...string) {
	t.Helper()
	db, err := openSQLite(filepath.Join(dir, DatabaseFile), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
}

// made returns a folder with a database of one account and a backup of it.
func made(t *testing.T) (dir, backup string) {
	t.Helper()
	dir = t.TempDir()
	s := open(t, dir, Options{})
	a := must(s.CreateAccount(t.Context(), "user", "hash", Player))(t)
	if _, _, err := s.CreateCharacter(t.Context(), newcomer(a.ID, 0, "Сова")); err != nil {
		t.Fatal(err)
	}
	backup = filepath.Join(dir, BackupFolder, "before.db")
	if err := s.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, backup
}

func TestUnusableDatabaseIsRefusedAndLeftAlone(t *testing.T) {
	for name, spoil := range map[string]struct {
		sentence string
		do       func(t *testing.T, dir string)
	}{
		"newer": {"newer program (schema 1000, this program knows", func(t *testing.T, dir string) {
			execFile(t, dir, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (1000, 1)")
		}},
		"table gone": {"half-applied", func(t *testing.T, dir string) { execFile(t, dir, "DROP TABLE audit") }},
		"column gone": {"half-applied", func(t *testing.T, dir string) {
			execFile(t, dir, "ALTER TABLE accounts DROP COLUMN last_address")
		}},
		"version gone": {"half applied", func(t *testing.T, dir string) {
			execFile(t, dir,
				"DELETE FROM goose_db_version WHERE version_id > 0")
		}},
		"another program's": {"not a database of this program", func(t *testing.T, dir string) {
			os.Remove(filepath.Join(dir, DatabaseFile))
			execFile(t, dir, "CREATE TABLE recipes (name TEXT)")
		}},
		"garbage": {"damaged", func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, DatabaseFile), []byte(strings.Repeat("garbage ", 1000)),
				0o600); err != nil {
				t.Fatal(err)
			}
		}},
		"cut off": {"damaged", func(t *testing.T, dir string) {
			if err := os.Truncate(filepath.Join(dir, DatabaseFile), 3*4096+100); err != nil {
				t.Fatal(err)
			}
		}},
		"overwritten": {"damaged", func(t *testing.T, dir string) {
			f := must(os.OpenFile(filepath.Join(dir, DatabaseFile), os.O_RDWR, 0))(t)
			defer f.Close()
			for at := int64(2 * 4096); at < 20*4096; at += 4096 {
				must(f.WriteAt([]byte(strings.Repeat("\xA5", 64)), at))(t)
			}
		}},
		"only its log left": {"is missing", func(t *testing.T, dir string) {
			if err := os.Rename(filepath.Join(dir, DatabaseFile), filepath.Join(dir, DatabaseFile+"-wal")); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			dir, backup := made(t)
			spoil.do(t, dir)
			before := sums(t, dir)
			for _, o := range []Options{{}, {ReadOnly: true}} {
				_, err := Open(t.Context(), dir, o)
				var refused *RefusedError
				if !errors.As(err, &refused) {
					t.Fatalf("expected a refusal, found %v", err)
				}
				if !strings.Contains(err.Error(), spoil.sentence) || refused.Backup != backup || !strings.Contains(err.Error(),
					backup) {
					t.Errorf("expected %q and the name of the backup, found %v", spoil.sentence, err)
				}
				if !maps.Equal(before, sums(t, dir)) {
					t.Error("expected that nothing was touched")
				}
			}
			// Its advice works.
			if _, err := Restore(t.Context(), dir, backup); err != nil {
				t.Fatal(err)
			}
			must(open(t, dir, Options{}).CharacterByName(t.Context(), "сова"))(t)
		})
	}
}

func TestOlderDatabaseIsBackedUpAndMigrated(t *testing.T) {
	dir, _ := made(t)
	later := withMigration(t, "ALTER TABLE accounts ADD COLUMN note TEXT NOT NULL DEFAULT '';")

	_, err := Open(t.Context(), dir, Options{ReadOnly: true, migrations: later})
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("(schema %d, this program has %d)", newest(t), newest(t)+1)) {
		t.Errorf("for reading only: %v", err)
	}
	s := open(t, dir, Options{migrations: later})
	must(s.AccountByLogin(t.Context(), "user"))(t)
	var note string
	if err := s.reads.QueryRow("SELECT note FROM accounts").Scan(&note); err != nil {
		t.Error(err)
	}
	pattern := filepath.Join(dir, BackupFolder, fmt.Sprintf("*-before-schema-%d.db", newest(t)+1))
	backups := must(filepath.Glob(pattern))(t)
	if len(backups) != 1 {
		t.Fatalf("expected one backup, found %v", backups)
	}
	if err := verifyFile(t.Context(), backups[0]); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, dir, Options{migrations: later})
	must(again.AccountByLogin(t.Context(), "user"))(t)
	if backups := must(filepath.Glob(pattern))(t); len(backups) != 1 {
		t.Errorf("expected no further backup, found %v", backups)
	}
}

func TestFailedMigrationIsUndone(t *testing.T) {
	dir, _ := made(t)
	bad := withMigration(t, "ALTER TABLE accounts ADD COLUMN note TEXT NOT NULL DEFAULT '';\nUPDATE accounts SET role = 99;")
	_, err := Open(t.Context(), dir, Options{migrations: bad})
	var refused *RefusedError
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "failed and was undone") ||
		!strings.Contains(refused.Backup, fmt.Sprintf("before-schema-%d", newest(t)+1)) {
		t.Fatalf("expected a refusal that names the backup made before, found %v", err)
	}
	must(open(t, dir, Options{}).CharacterByName(t.Context(), "сова"))(t)
}

// A system starts a server that fails again and again: that must not fill the disk.
func TestFailedMigrationsShareABackup(t *testing.T) {
	dir, _ := made(t)
	bad := withMigration(t, "ALTER TABLE accounts ADD COLUMN note TEXT NOT NULL DEFAULT '';\nUPDATE accounts SET role = 99;")
	pattern := filepath.Join(dir, BackupFolder, fmt.Sprintf("*-before-schema-%d.db", newest(t)+1))
	fail := func() []string {
		t.Helper()
		if s, err := Open(t.Context(), dir, Options{migrations: bad}); err == nil {
			s.Close()
			t.Fatal("the migration has worked")
		}
		return must(filepath.Glob(pattern))(t)
	}
	// Names have a second: a copy that is made anew would be refused, since its name is taken.
	first := fail()
	if len(first) != 1 {
		t.Fatalf("expected one backup, found %v", first)
	}
	older := filepath.Join(dir, BackupFolder, fmt.Sprintf("sphere-20260101T000000Z-before-schema-%d.db", newest(t)+1))
	if err := os.Rename(first[0], older); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if again := fail(); len(again) != 1 {
			t.Fatalf("expected the backup to serve again, found %v", again)
		}
	}

	// What has been written since is in no older copy.
	s := open(t, dir, Options{})
	must(s.CreateAccount(t.Context(), "later", "hash", Player))(t)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	both := fail()
	if len(both) != 2 {
		t.Fatalf("expected another backup after a write, found %v", both)
	}
	// Nor is a damaged one of use.
	if err := os.Remove(older); err != nil {
		t.Fatal(err)
	}
	text := must(os.ReadFile(both[1]))(t)
	if err := os.Remove(both[1]); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(older, text[:len(text)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if again := fail(); len(again) != 2 {
		t.Errorf("expected another backup beside a damaged one, found %v", again)
	}
}

func TestUnfinishedCopiesAreSweptAtTheStart(t *testing.T) {
	dir, backup := made(t)
	left := filepath.Join(dir, BackupFolder, "sphere-20260101T000000Z.db.partial")
	if err := os.WriteFile(left, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	open(t, dir, Options{ReadOnly: true})
	if fileSize(left) < 0 {
		t.Error("swept by a program that only reads")
	}
	open(t, dir, Options{})
	if fileSize(left) >= 0 {
		t.Error("what was not finished stays")
	}
	if fileSize(backup) < 0 {
		t.Error("a backup was swept")
	}
}

func TestHalfAppliedMigrationIsRefused(t *testing.T) {
	dir, backup := made(t)
	later := withMigration(t, "CREATE TABLE forts (id INTEGER PRIMARY KEY);\nCREATE TABLE castles (id INTEGER PRIMARY KEY);")
	execFile(t, dir, "CREATE TABLE forts (id INTEGER PRIMARY KEY)")
	before := sums(t, dir)
	_, err := Open(t.Context(), dir, Options{migrations: later})
	var refused *RefusedError
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "table forts of a later one") ||
		refused.Backup != backup {
		t.Fatalf("expected a refusal, found %v", err)
	}
	if !maps.Equal(before, sums(t, dir)) {
		t.Error("expected that nothing was touched")
	}
}

func TestMigrationsRunInTransactions(t *testing.T) {
	for _, name := range must(fs.Glob(embeddedMigrations, "migrations/*.sql"))(t) {
		text := string(must(embeddedMigrations.ReadFile(name))(t))
		if strings.Contains(strings.ToUpper(text), "NO TRANSACTION") {
			t.Errorf("%s: could be applied by half", name)
		}
		if strings.Contains(text, "+goose Down") {
			t.Errorf("%s: migrations go forward only", name)
		}
	}
}

func TestInterruptedCreationIsFinished(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, DatabaseFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	open(t, dir, Options{}).Close()

	// The version table is made before the first migration.
	dir = t.TempDir()
	execFile(t, dir, `CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL, is_applied INTEGER NOT NULL, tstamp TIMESTAMP DEFAULT (datetime('now')))`,
		"INSERT INTO goose_db_version (version_id, is_applied) VALUES (0, 1)")
	must(open(t, dir, Options{}).CreateAccount(t.Context(), "user", "hash", Player))(t)
}

func TestCheckFindsWhatIsWrong(t *testing.T) {
	dir, _ := made(t)
	clean := open(t, dir, Options{})
	hash := must(HashPassword("password", HashParams{MemoryKiB: 8, Time: 1, Threads: 1}))(t)
	if err := clean.SetPassword(t.Context(), 1, hash); err != nil {
		t.Fatal(err)
	}
	if problems := must(clean.Check(t.Context()))(t); len(problems) != 0 {
		t.Fatalf("expected nothing, found %q", problems)
	}
	db := must(sql.Open("sqlite", must(sqliteURI(filepath.Join(dir, DatabaseFile), nil))(t)))(t)
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, step := range []struct{ statement, sentence string }{
		{"UPDATE items SET owner = 99 WHERE slot = 20", "row 1 of items belongs to a row of characters that is not there"},
		{"UPDATE items SET owner = 1, count = 0 WHERE slot = 20", "item 1 is a stack of 0"},
		{"UPDATE items SET count = 1, container = 1 WHERE slot = 20", "item 1 lies in a container that lies in itself"},
		{"UPDATE items SET container = NULL WHERE slot = 20", ""},
		{"UPDATE characters SET hp = -1", "HP: expected 0 to 65535, found -1"},
		{"UPDATE characters SET hp = 1, name = 'Сoва'", "Latin 'o' beside Cyrillic 'С'"},
		{"UPDATE characters SET name = 'Филин'", `name "Филин" is filed under "coba"`},
		{"UPDATE accounts SET password_hash = 'secret'", "password hash: expected $argon2id"},
		{"UPDATE accounts SET login_key = 'other'", `login "user" is filed under "other"`},
		{"PRAGMA ignore_check_constraints = 1", ""},
		{"UPDATE characters SET slot = 5", "is in slot 5, expected 0 to 2"},
	} {
		if _, err := db.ExecContext(t.Context(), step.statement); err != nil {
			t.Fatal(err)
		}
		problems := strings.Join(must(clean.Check(t.Context()))(t), "\n")
		if !strings.Contains(problems, step.sentence) {
			t.Errorf("%s: expected %q, found:\n%s", step.statement, step.sentence, problems)
		}
		if strings.Contains(problems, "secret") {
			t.Error("a password hash was shown")
		}
	}
}
