package data

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sphereserver/data/atomicfile"
)

// importSuffix marks a database that is being made of an export.
const importSuffix = ".importing"

// maxExportLine in bytes bounds a row.
const maxExportLine = 64 << 20

// sqliteMagic begins each file of SQLite.
const sqliteMagic = "SQLite format 3\x00"

// An Imported is the result of an import.
type Imported struct {
	Rows     map[string]int `json:"rows"`               // by table
	Problems []string       `json:"problems,omitempty"` // that the exported database had, as [Store.Check] finds them
}

// Import makes the database of a data folder from an export of [Store.Export]. The folder may not have one yet. The
// new database gets its name when it is complete: after any error there is none.
func Import(ctx context.Context, dir string, r io.Reader) (result Imported, err error) {
	err = withLock(dir, func() error {
		result, err = importInto(ctx, dir, r)
		return err
	})
	return result, err
}

func importInto(ctx context.Context, dir string, r io.Reader) (Imported, error) {
	m := loadMigrations(nil)
	path := filepath.Join(dir, DatabaseFile)
	version, err := m.examine(ctx, dir)
	if err != nil {
		return Imported{}, err
	}
	if version > 0 || fileSize(path) >= 0 {
		return Imported{}, fmt.Errorf("data: import: %s is there already; "+
			"import into a new data folder, or move that file away; nothing was changed", path)
	}
	partial := path + importSuffix
	files := []string{partial, partial + "-wal", partial + "-shm", partial + "-journal"}
	if err := removeAll(files...); err != nil {
		return Imported{}, wrap(err, "import")
	}
	defer removeAll(files...)
	result, err := m.importFile(ctx, partial, r)
	if err != nil {
		return Imported{}, fmt.Errorf("data: import: %w; nothing was changed", err)
	}
	return result, wrap(atomicfile.Replace(partial, path), "import")
}

// importFile makes a database of an export: with the schema that it had, and then brought up to date.
func (m *migrations) importFile(ctx context.Context, path string, r io.Reader) (Imported, error) {
	e := newExportReader(r)
	head, err := e.head()
	if err != nil {
		return Imported{}, err
	}
	if head.Schema > m.newest {
		return Imported{}, fmt.Errorf("it was written by a newer program (schema %d, this program knows %d)", head.Schema,
			m.newest)
	}
	if err := createPrivate(path); err != nil {
		return Imported{}, err
	}
	db, err := openSQLite(path, url.Values{}, "foreign_keys(1)", "synchronous(FULL)", "cache_size(-16384)")
	if err != nil {
		return Imported{}, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if err := m.up(ctx, db, head.Schema); err != nil {
		return Imported{}, err
	}
	counts, err := e.fill(ctx, db)
	if err != nil {
		return Imported{}, err
	}
	if err := m.up(ctx, db, m.newest); err != nil {
		return Imported{}, err
	}
	if err := db.Close(); err != nil {
		return Imported{}, err
	}
	problems, err := CheckFile(ctx, path)
	return Imported{Rows: counts, Problems: problems}, err
}

// An exportReader reads an export line by line.
type exportReader struct {
	in   *bufio.Scanner
	line int
}

func newExportReader(r io.Reader) *exportReader {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 1<<16), maxExportLine)
	return &exportReader{in: in}
}

// next is the next line, which counts until the one after it; the error at the end says that there should be more.
func (e *exportReader) next() ([]byte, error) {
	e.line++
	if e.in.Scan() {
		return e.in.Bytes(), nil
	}
	switch err := e.in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("line %d: expected at most %d bytes", e.line, maxExportLine)
	case err != nil:
		return nil, err
	}
	return nil, fmt.Errorf("line %d: expected more rows or the end, found the end of the file: the export is not whole",
		e.line)
}

// errSpoiltExport is about what Windows PowerShell makes of ">": UTF-16, of letters that it has read in another
// encoding.
var errSpoiltExport = errors.New("line 1: the letters of the export were changed on the way, as \">\" of PowerShell " +
	"does: export it again into a file by its name")

func (e *exportReader) head() (exportHead, error) {
	line, err := e.next()
	if err != nil {
		return exportHead{}, err
	}
	var h exportHead
	if bytes.HasPrefix(line, []byte(sqliteMagic)) {
		return exportHead{}, errors.New(`line 1: expected an export, found a database; "sphere db restore" takes that`)
	}
	if bytes.HasPrefix(line, []byte("\xFF\xFE")) || bytes.HasPrefix(line, []byte("\xFE\xFF")) {
		return exportHead{}, errSpoiltExport
	}
	if json.Unmarshal(bytes.TrimPrefix(line, []byte("\uFEFF")), &h) != nil || h.Format != exportFormat {
		return exportHead{}, errors.New(`line 1: expected the head of an export ("sphere db export" writes one), ` +
			"found something else")
	}
	if h.Letters != "" && h.Letters != exportLetters {
		return exportHead{}, errSpoiltExport
	}
	if h.Version > exportVersion {
		return exportHead{}, fmt.Errorf("it was written by a newer program (format %d, this program knows %d)", h.Version,
			exportVersion)
	}
	if h.Version < 1 || h.Schema < 1 {
		return exportHead{}, fmt.Errorf("line 1: expected format and schema of at least 1, found %d and %d", h.Version,
			h.Schema)
	}
	return h, nil
}

// fill puts all rows into an empty database, in one transaction.
func (e *exportReader) fill(ctx context.Context, db *sql.DB) (map[string]int, error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	// A row may come before the one it refers to.
	if _, err := tx.ExecContext(ctx, "PRAGMA defer_foreign_keys = 1"); err != nil {
		return nil, err
	}
	known, err := tableColumns(ctx, tx)
	if err != nil {
		return nil, err
	}
	// Rows that the migrations themselves have put in are in the export, too, as they were then.
	for _, t := range known {
		if _, err := tx.ExecContext(ctx, "DELETE FROM "+identifier(t.name)); err != nil {
			return nil, err
		}
	}
	f := filler{tx: tx, known: known, counts: map[string]int{}}
	for end := false; !end; {
		line, err := e.next()
		if err != nil {
			return nil, err
		}
		if end, err = f.take(ctx, line); err != nil {
			return nil, fmt.Errorf("line %d: %w", e.line, err)
		}
	}
	if err := tx.Commit(); err != nil {
		return nil, fmt.Errorf("rows refer to others that are not there: %w", err)
	}
	return f.counts, nil
}

// A filler puts rows into the tables of a database.
type filler struct {
	tx     *sql.Tx
	known  []tableShape
	counts map[string]int // rows of the tables that have begun
	table  tableShape     // of the next rows
	insert *sql.Stmt      // one of them; nil before the first table
}

// take takes a line: the beginning of a table, a row of it, or the end.
func (f *filler) take(ctx context.Context, line []byte) (end bool, err error) {
	var row map[string]json.RawMessage
	if err := json.Unmarshal(line, &row); err != nil {
		return false, fmt.Errorf("expected a JSON object: %w", err)
	}
	switch {
	case row["end"] != nil && len(row) == 1:
		return true, f.end(row["end"])
	case row["table"] != nil && row["columns"] != nil && len(row) == 2:
		return false, f.begin(ctx, row)
	case f.insert == nil:
		return false, errors.New("expected a table before its rows")
	}
	if err := f.add(ctx, row); err != nil {
		return false, fmt.Errorf("table %s: %w", f.table.name, err)
	}
	f.counts[f.table.name]++
	return false, nil
}

func (f *filler) end(text json.RawMessage) error {
	var said map[string]int
	if err := json.Unmarshal(text, &said); err != nil {
		return err
	}
	for _, t := range f.known {
		if found, ok := f.counts[t.name]; !ok || said[t.name] != found {
			return fmt.Errorf("expected %d rows of table %s, found %d: the export is not whole", said[t.name], t.name, found)
		}
	}
	return nil
}

func (f *filler) begin(ctx context.Context, line map[string]json.RawMessage) (err error) {
	var name string
	var columns []string
	if json.Unmarshal(line["table"], &name) != nil || json.Unmarshal(line["columns"], &columns) != nil {
		return errors.New("expected a table's name and columns")
	}
	i := slices.IndexFunc(f.known, func(t tableShape) bool { return t.name == name })
	if i < 0 {
		return fmt.Errorf("table %q is unknown", name)
	}
	if _, twice := f.counts[name]; twice {
		return fmt.Errorf("table %s comes twice", name)
	}
	f.table = f.known[i]
	if !slices.Equal(columns, f.table.columns) {
		return fmt.Errorf("table %s: expected the columns %s, found %s", name, strings.Join(f.table.columns, ", "),
			strings.Join(columns, ", "))
	}
	if name == sequenceTable {
		// SQLite has filled it by itself; only the exported rows count.
		if _, err := f.tx.ExecContext(ctx, "DELETE FROM "+sequenceTable); err != nil {
			return err
		}
	}
	f.counts[name] = 0
	f.insert, err = f.tx.PrepareContext(ctx, insertInto(identifier(name), identifiers(columns)))
	return err
}

func (f *filler) add(ctx context.Context, row map[string]json.RawMessage) error {
	values := make([]any, len(f.table.columns))
	for i, column := range f.table.columns {
		text, ok := row[column]
		if !ok {
			return fmt.Errorf("column %s is missing", column)
		}
		v, err := readValue(text)
		if err != nil {
			return fmt.Errorf("column %s: %w", column, err)
		}
		values[i] = v
	}
	if len(row) != len(f.table.columns) {
		return fmt.Errorf("expected %d columns, found %d", len(f.table.columns), len(row))
	}
	_, err := f.insert.ExecContext(ctx, values...)
	return err
}

// readValue reads the text of appendValue.
func readValue(text json.RawMessage) (any, error) {
	switch text[0] {
	case 'n':
		return nil, nil
	case '"':
		var s string
		err := json.Unmarshal(text, &s)
		return s, err
	case '{':
		return readWrapped(text)
	case '[', 't', 'f':
		return nil, fmt.Errorf("expected a number, a text, null or an object, found %.40s", text)
	}
	if bytes.ContainsAny(text, ".eE") {
		return strconv.ParseFloat(string(text), 64)
	}
	return strconv.ParseInt(string(text), 10, 64)
}

// readWrapped reads values without a form in JSON.
func readWrapped(text json.RawMessage) (any, error) {
	var w map[string]string
	if err := json.Unmarshal(text, &w); err == nil && len(w) == 1 {
		for kind, v := range w {
			switch kind {
			case "base64":
				return base64.StdEncoding.DecodeString(v)
			case "text64":
				b, err := base64.StdEncoding.DecodeString(v)
				return string(b), err
			case "real":
				return strconv.ParseFloat(v, 64)
			}
		}
	}
	return nil, fmt.Errorf(`expected {"base64":…}, {"text64":…} or {"real":…}, found %.40s`, text)
}
