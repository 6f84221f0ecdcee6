package data

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"math"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// database opens the database of a folder without any of the rules that a store keeps.
func database(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := openSQLite(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

// dump has the rows of all tables, with the types that SQLite has stored.
func dump(t testing.TB, db *sql.DB) []string {
	t.Helper()
	tables := must(tableColumns(t.Context(), db))(t)
	var all []string
	for _, tb := range tables {
		var columns []string
		for _, c := range tb.columns {
			columns = append(columns, "typeof("+identifier(c)+") || ' ' || quote("+identifier(c)+")")
		}
		query := "SELECT " + strings.Join(columns, " || ', ' || ") + " FROM " + identifier(tb.name) + " ORDER BY 1"
		for _, row := range must(readAll(t.Context(), db, single[string], query))(t) {
			all = append(all, tb.name+": "+row)
		}
	}
	return all
}

// Every table and every column of the schema, of migrations to come too, is exported.
func TestExportLeavesNoTableOut(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	var out bytes.Buffer
	counts := must(s.Export(t.Context(), &out))(t)
	db := database(t, filepath.Join(dir, DatabaseFile))
	tables := must(readAll(t.Context(), db, single[string], "SELECT name FROM sqlite_schema WHERE type = 'table'"))(t)
	if len(tables) < 7 {
		t.Fatalf("tables: %v", tables)
	}
	for _, name := range tables {
		if name == "goose_db_version" {
			continue // its value is in the head
		}
		if _, ok := counts[name]; !ok && !(strings.HasPrefix(name, "sqlite_") && name != sequenceTable) {
			t.Errorf("table %s is not exported", name)
		}
		for _, column := range must(readAll(t.Context(), db, single[string], "SELECT name FROM pragma_table_info('"+name+"')"))(t) {
			if !strings.Contains(out.String(), `"`+column+`"`) {
				t.Errorf("column %s of %s is not exported", column, name)
			}
		}
	}
	// The driver makes times and truths of columns that are declared so: an export would not be exact.
	for _, kind := range must(readAll(t.Context(), db, single[string],
		"SELECT DISTINCT c.type FROM sqlite_schema s, pragma_table_info(s.name) c WHERE s.type = 'table' AND s.name NOT LIKE 'goose%' AND s.name NOT LIKE 'sqlite%'"))(t) {
		if !strings.Contains("INTEGER INT REAL TEXT BLOB ANY", kind) {
			t.Errorf("a column is a %s, expected a type of STRICT tables", kind)
		}
	}
}

func TestExportedDatabaseComesBackExactly(t *testing.T) {
	dir, to := t.TempDir(), t.TempDir()
	s := open(t, dir, Options{})
	for _, c := range fill(t, s, 30) {
		if c.ID%3 == 0 {
			must(s.DeleteCharacter(t.Context(), c.ID))(t)
		}
	}
	a := must(s.CreateAccount(t.Context(), "Вася \" \\ <&>", "хэш", Player))(t)
	if err := s.Ban(t.Context(), a.ID, Ban{Until: time.Now().Add(time.Hour), Reason: "строка\nвторая",
		By: "оператор"}); err != nil {
		t.Fatal(err)
	}
	if err := s.BanAddress(t.Context(), AddressBan{Prefix: netip.MustParsePrefix("2001:db8::/32"),
		Ban: Ban{By: "x"}}); err != nil {
		t.Fatal(err)
	}
	if err := s.AppendAudit(t.Context(), AuditEntry{Who: "я", Action: "test"}); err != nil {
		t.Fatal(err)
	}
	gone := must(s.CreateAccount(t.Context(), "gone", "hash", Player))(t)
	if err := s.DeleteAccount(t.Context(), gone.ID); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "export.jsonl")
	counts := must(ExportFile(t.Context(), dir, file, nil))(t) // while the store is in use
	if counts["accounts"] == 0 || counts["items"] == 0 || counts["characters"] == 0 {
		t.Errorf("exported %v", counts)
	}
	if _, err := ExportFile(t.Context(), dir, file, nil); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("the same file again: %v", err)
	}
	f := must(os.Open(file))(t)
	defer f.Close()
	result := must(Import(t.Context(), to, f))(t)
	if fmt.Sprint(result.Rows) != fmt.Sprint(counts) {
		t.Errorf("expected %v, found %v", counts, result.Rows)
	}
	before, after := dump(t, database(t, filepath.Join(dir, DatabaseFile))), dump(t,
		database(t, filepath.Join(to, DatabaseFile)))
	if strings.Join(before, "\n") != strings.Join(after, "\n") {
		t.Errorf("expected\n%s\nfound\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
	// An id that was deleted is not given again, there either.
	if b := must(open(t, to, Options{}).CreateAccount(t.Context(), "next", "hash", Player))(t); b.ID <= gone.ID {
		t.Errorf("id %d was given again, last was %d", b.ID, gone.ID)
	}
	if left := must(filepath.Glob(filepath.Join(to, "*"+importSuffix+"*")))(t); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// Every value that SQLite can store in any column of any table comes back as it was, byte for byte and type for type.
func TestAnyRowsComeBackExactly(t *testing.T) {
	m := loadMigrations(nil)
	ctx := context.Background()
	lawless := func() *sql.DB {
		db := must(sql.Open("sqlite", ":memory:?_pragma=ignore_check_constraints(1)&_pragma=foreign_keys(0)"))(t)
		t.Cleanup(func() { db.Close() })
		db.SetMaxOpenConns(1)
		if err := m.up(ctx, db, m.newest); err != nil {
			t.Fatal(err)
		}
		return db
	}
	from, to := lawless(), lawless()
	rapid.Check(t, func(r *rapid.T) {
		fillAnyhow(r, from)
		tx, err := from.Begin()
		if err != nil {
			r.Fatal(err)
		}
		var out bytes.Buffer
		if _, err := exportAll(ctx, tx, &out); err != nil {
			r.Fatal(err)
		}
		if err := tx.Rollback(); err != nil {
			r.Fatal(err)
		}
		e := newExportReader(&out)
		if _, err := e.head(); err != nil {
			r.Fatal(err)
		}
		if _, err := e.fill(ctx, to); err != nil {
			r.Fatal(err)
		}
		before, after := dump(t, from), dump(t, to)
		if strings.Join(before, "\n") != strings.Join(after, "\n") {
			r.Fatalf("expected\n%s\nfound\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
		}
	})
}

// fillAnyhow puts rows into all tables that only have the right types.
func fillAnyhow(r *rapid.T, db *sql.DB) {
	rows, err := db.Query(`SELECT s.name, c.name, c.type, c."notnull" OR c.pk > 0 FROM sqlite_schema s, pragma_table_info(s.name) c
		WHERE s.type = 'table' AND s.name NOT LIKE 'sqlite%' AND s.name NOT LIKE 'goose%' ORDER BY s.name, c.cid`)
	if err != nil {
		r.Fatal(err)
	}
	type column struct {
		kind   string
		filled bool
	}
	var order []string
	tables := map[string][]column{}
	for rows.Next() {
		var table, name string
		var c column
		if err := rows.Scan(&table, &name, &c.kind, &c.filled); err != nil {
			r.Fatal(err)
		}
		if tables[table] == nil {
			order = append(order, table)
		}
		tables[table] = append(tables[table], c)
	}
	rows.Close()
	text := rapid.OneOf(rapid.StringOf(rapid.Rune()), rapid.Map(rapid.SliceOf(rapid.Byte()),
		func(b []byte) string { return strings.ReplaceAll(string(b), "\x00", "") }))
	for _, table := range order {
		if _, err := db.Exec("DELETE FROM " + identifier(table)); err != nil {
			r.Fatal(err)
		}
		for range rapid.IntRange(0, 2).Draw(r, table) {
			var values []any
			for _, c := range tables[table] {
				var v any
				switch {
				case !c.filled && rapid.Bool().Draw(r, "null"):
				case c.kind == "REAL":
					v = rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, math.Inf(1), math.Inf(-1), 1e300, 5e-324,
						3})).Draw(r, "real")
				case c.kind == "TEXT":
					v = text.Draw(r, "text")
				case c.kind == "BLOB":
					v = rapid.SliceOf(rapid.Byte()).Draw(r, "blob")
				default:
					v = rapid.Int64().Draw(r, "int")
				}
				values = append(values, v)
			}
			marks := strings.TrimSuffix(strings.Repeat("?,", len(values)), ",")
			if _, err := db.Exec("INSERT OR IGNORE INTO "+identifier(table)+" VALUES ("+marks+")", values...); err != nil {
				r.Fatal(err)
			}
		}
	}
}

// An empty container has no folder for temporary files but that of the data.
func TestAnExportNeedsNoOtherFolder(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	fill(t, s, 3)
	t.Setenv("TMPDIR", filepath.Join(dir, "none")) // of Unix
	t.Setenv("TMP", filepath.Join(dir, "none"))    // of Windows
	before := must(os.ReadDir(dir))(t)
	if _, err := s.Export(t.Context(), io.Discard); err != nil {
		t.Error(err)
	}
	if after := must(os.ReadDir(dir))(t); len(after) != len(before) {
		t.Errorf("left %v of %v", after, before)
	}
}

func TestImportRefuses(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	fill(t, s, 3)
	var out bytes.Buffer
	must(s.Export(t.Context(), &out))(t)
	good := out.String()
	lines := strings.SplitAfter(good, "\n")
	change := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("the export has no %s", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	schema := loadMigrations(nil).newest
	for _, v := range []struct{ what, text, want string }{
		{"an empty file", "", "not whole"},
		{"something else", "{\"a\":1}\n", "expected the head of an export"},
		{"UTF-16", "\xFF\xFE{\x00\"\x00\n\x00", "as \">\" of PowerShell does: export it again into a file by its name"},
		{"letters of another encoding", change(`"letters":"ёЁ№"`, `"letters":"╤С╨Бтнв"`), "letters of the export were changed"},
		{"a backup", sqliteMagic + "\x10\x00\n", "\"sphere db restore\" takes that"},
		{"no JSON", "hello", "expected the head of an export"},
		{"a newer format", change(`"version":1`, `"version":2`), "newer program (format 2, this program knows 1)"},
		{"a newer schema", change(fmt.Sprintf(`"schema":%d`, schema), `"schema":999`), "newer program (schema 999"},
		{"half a file", strings.Join(lines[:len(lines)/2], ""), "not whole"},
		{"a file without end", strings.Join(lines[:len(lines)-2], ""), "not whole"},
		{"a row too few", strings.Join(append(append([]string{}, lines[:2]...), lines[3:]...), ""), "not whole"},
		{"an unknown table", change(`{"table":"accounts"`, `{"table":"acounts"`), `table "acounts" is unknown`},
		{"another column", change(`"login_key"`, `"login_kee"`), "expected the columns"},
		{"a row without a column", change(`"login_key":`, `"login_kee":`), "column login_key is missing"},
	} {
		to := t.TempDir()
		_, err := Import(t.Context(), to, strings.NewReader(v.text))
		if err == nil || !strings.Contains(err.Error(), v.want) {
			t.Errorf("%s: expected %q, found %v", v.what, v.want, err)
		}
		if _, err := os.Stat(filepath.Join(to, DatabaseFile)); err == nil {
			t.Errorf("%s: left a database", v.what)
		}
	}
	if _, err := Import(t.Context(), t.TempDir(), strings.NewReader(change(`,"letters":"ёЁ№"`, ""))); err != nil {
		t.Errorf("an export of an older program: %v", err)
	}
	if _, err := Import(t.Context(), t.TempDir(), strings.NewReader(strings.ReplaceAll(good, "\n", "\r\n"))); err != nil {
		t.Errorf("a file that a Windows editor has saved: %v", err)
	}
	s.Close()
	before := must(os.ReadFile(filepath.Join(dir, DatabaseFile)))(t)
	if _, err := Import(t.Context(), dir, strings.NewReader(good)); err == nil || !strings.Contains(err.Error(),
		"is there already") {
		t.Errorf("a folder with a database: %v", err)
	}
	if after := must(os.ReadFile(filepath.Join(dir, DatabaseFile)))(t); !bytes.Equal(before, after) {
		t.Error("the database that was there has changed")
	}
}

// A file from anywhere is taken or refused, never more.
func FuzzImport(f *testing.F) {
	f.Add([]byte(`{"format":"sphere export","version":1,"schema":1}` + "\n" +
		`{"table":"address_bans","columns":["prefix","until","reason","banned_by","at"]}` + "\n" +
		`{"prefix":"a","until":{"real":"1"},"reason":null,"banned_by":{"base64":""},"at":1.5}` + "\n"))
	m := loadMigrations(nil)
	f.Fuzz(func(t *testing.T, text []byte) {
		e := newExportReader(bytes.NewReader(text))
		if h, err := e.head(); err != nil || h.Schema > m.newest {
			return
		}
		db := must(sql.Open("sqlite", ":memory:"))(t)
		defer db.Close()
		db.SetMaxOpenConns(1)
		known := []tableShape{{name: "t", columns: []string{"a", "b"}}}
		tx, err := db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback()
		if _, err := tx.Exec("CREATE TABLE t (a, b)"); err != nil {
			t.Fatal(err)
		}
		f := filler{tx: tx, known: known, counts: map[string]int{}}
		for range 100 {
			line, err := e.next()
			if err != nil {
				return
			}
			if end, err := f.take(t.Context(), line); err != nil || end {
				return
			}
		}
	})
}

// A refused import leaves no folder behind that was not there before.
func TestARefusedImportLeavesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	if _, err := Import(t.Context(), dir, strings.NewReader("no export")); err == nil {
		t.Error("an import of anything")
	}
	if _, err := Restore(t.Context(), dir, filepath.Join(dir, "none.db")); err == nil {
		t.Error("a restore of nothing")
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder is there: %v", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Import(t.Context(), dir, strings.NewReader("no export")); err == nil {
		t.Error("an import of anything")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
}
