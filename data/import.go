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
	"io/fs"
	"net/url"
	"os"
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

// An Imported says what an import has brought.
type Imported struct {
	Rows     map[string]int `json:"rows"`               // by table
	Problems []string       `json:"problems,omitempty"` // that the exported database had, as [Store.Check] finds them
}

// Import makes the database of a data folder from what [Store.Export] has written. The folder may not have one yet. The
// new database gets its name when it is complete: after any error there is none.
func Import(ctx context.Context, dir string, r io.Reader) (Imported, error) {
	lock, err := Lock(dir)
	if err != nil {
		return Imported{}, err
	}
	defer lock.Unlock()
	m, err := loadMigrations(nil)
	if err != nil {
		return Imported{}, err
	}
	path := filepath.Join(dir, DatabaseFile)
	if version, err := m.examine(ctx, dir); err != nil || version > 0 || fileSize(path) >= 0 {
		if err != nil {
			return Imported{}, err
		}
		return Imported{}, fmt.Errorf("data: import: %s is there already; import into a new data folder, or move that file away; nothing was changed", path)
	}
	partial := path + importSuffix
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if err := os.Remove(partial + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return Imported{}, fmt.Errorf("data: import: %w", err)
		}
		defer os.Remove(partial + suffix)
	}
	result, err := m.importFile(ctx, partial, r)
	if err != nil {
		return Imported{}, fmt.Errorf("data: import: %w; nothing was changed", err)
	}
	if err := atomicfile.Replace(partial, path); err != nil {
		return Imported{}, fmt.Errorf("data: import: %w", err)
	}
	return result, nil
}

// importFile makes a database of an export: with the schema that it had, and then brought up to date.
func (m *migrations) importFile(ctx context.Context, path string, r io.Reader) (Imported, error) {
	e := &exportReader{in: newLineReader(r)}
	head, err := e.head()
	if err != nil {
		return Imported{}, err
	}
	if head.Schema > m.newest {
		return Imported{}, fmt.Errorf("it was written by a newer program (schema %d, this program knows %d)", head.Schema,
			m.newest)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return Imported{}, err
	}
	f.Close()
	db, err := openSQLite(path, url.Values{"_pragma": {"foreign_keys(1)", "synchronous(FULL)", "cache_size(-16384)"}})
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
	in   *bufio.Reader
	line int
}

func newLineReader(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, 1<<16) }

// next is the next line; the error at the end says that there should be more.
func (e *exportReader) next() ([]byte, error) {
	e.line++
	var line []byte
	for {
		part, err := e.in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxExportLine:
			return nil, fmt.Errorf("line %d: expected at most %d bytes", e.line, maxExportLine)
		case err == nil:
			return bytes.TrimRight(line, "\r\n"), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		case errors.Is(err, io.EOF):
			return nil, fmt.Errorf("line %d: expected more rows or the end, found the end of the file: the export is not whole",
				e.line)
		default:
			return nil, err
		}
	}
}

func (e *exportReader) head() (exportHead, error) {
	line, err := e.next()
	if err != nil {
		return exportHead{}, err
	}
	var h exportHead
	if json.Unmarshal(bytes.TrimPrefix(line, []byte("\uFEFF")), &h) != nil || h.Format != exportFormat {
		return exportHead{}, errors.New(`line 1: expected the head of an export ("sphere db export" writes one), found something else`)
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
	// What the migrations themselves have put in is in the export too, as it was then.
	for _, t := range known {
		if _, err := tx.ExecContext(ctx, "DELETE FROM "+identifier(t.name)); err != nil {
			return nil, err
		}
	}
	counts := map[string]int{}
	var table *tableFiller
	for {
		line, err := e.next()
		if err != nil {
			return nil, err
		}
		done, err := e.take(ctx, tx, known, line, &table, counts)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", e.line, err)
		}
		if done {
			break
		}
	}
	if err := tx.Commit(); err != nil {
		return nil, fmt.Errorf("rows refer to others that are not there: %w", err)
	}
	return counts, nil
}

// take takes a line: the beginning of a table, a row of it, or the end.
func (e *exportReader) take(ctx context.Context, tx *sql.Tx, known []tableShape, line []byte, table **tableFiller,
	counts map[string]int) (end bool, err error) {
	var row map[string]json.RawMessage
	if err := json.Unmarshal(line, &row); err != nil {
		return false, fmt.Errorf("expected a JSON object: %w", err)
	}
	switch {
	case row["end"] != nil && len(row) == 1:
		return true, checkEnd(row["end"], counts, known)
	case row["table"] != nil && row["columns"] != nil && len(row) == 2:
		*table, err = beginTable(ctx, tx, known, row, counts)
		return false, err
	case *table == nil:
		return false, errors.New("expected a table before its rows")
	}
	if err := (*table).add(ctx, row); err != nil {
		return false, fmt.Errorf("table %s: %w", (*table).name, err)
	}
	counts[(*table).name]++
	return false, nil
}

func checkEnd(text json.RawMessage, counts map[string]int, known []tableShape) error {
	var said map[string]int
	if err := json.Unmarshal(text, &said); err != nil {
		return err
	}
	for _, t := range known {
		if found, ok := counts[t.name]; !ok || said[t.name] != found {
			return fmt.Errorf("expected %d rows of table %s, found %d: the export is not whole", said[t.name], t.name, found)
		}
	}
	return nil
}

// A tableFiller puts rows into a table.
type tableFiller struct {
	tableShape
	insert *sql.Stmt
}

func beginTable(ctx context.Context, tx *sql.Tx, known []tableShape, line map[string]json.RawMessage,
	counts map[string]int) (*tableFiller, error) {
	var name string
	var columns []string
	if json.Unmarshal(line["table"], &name) != nil || json.Unmarshal(line["columns"], &columns) != nil {
		return nil, errors.New("expected a table's name and columns")
	}
	i := slices.IndexFunc(known, func(t tableShape) bool { return t.name == name })
	if i < 0 {
		return nil, fmt.Errorf("table %q is unknown", name)
	}
	if _, twice := counts[name]; twice {
		return nil, fmt.Errorf("table %s comes twice", name)
	}
	if !slices.Equal(columns, known[i].columns) {
		return nil, fmt.Errorf("table %s: expected the columns %s, found %s", name, strings.Join(known[i].columns, ", "),
			strings.Join(columns, ", "))
	}
	if name == sequenceTable {
		// SQLite has filled it by itself; what was exported is what counts.
		if _, err := tx.ExecContext(ctx, "DELETE FROM "+sequenceTable); err != nil {
			return nil, err
		}
	}
	counts[name] = 0
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ")
	insert, err := tx.PrepareContext(ctx, "INSERT INTO "+identifier(name)+" ("+identifiers(columns)+") VALUES ("+marks+")")
	return &tableFiller{known[i], insert}, err
}

func (t *tableFiller) add(ctx context.Context, row map[string]json.RawMessage) error {
	values := make([]any, len(t.columns))
	for i, column := range t.columns {
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
	if len(row) != len(t.columns) {
		return fmt.Errorf("expected %d columns, found %d", len(t.columns), len(row))
	}
	_, err := t.insert.ExecContext(ctx, values...)
	return err
}

// readValue reads what appendValue has written.
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

// readWrapped reads what JSON has no word for.
func readWrapped(text json.RawMessage) (any, error) {
	var w map[string]string
	if err := json.Unmarshal(text, &w); err != nil || len(w) != 1 {
		return nil, fmt.Errorf(`expected {"base64":…}, {"text64":…} or {"real":…}, found %.40s`, text)
	}
	for kind, v := range w {
		switch kind {
		case "base64":
			b, err := base64.StdEncoding.DecodeString(v)
			return b, err
		case "text64":
			b, err := base64.StdEncoding.DecodeString(v)
			return string(b), err
		case "real":
			return strconv.ParseFloat(v, 64)
		}
	}
	return nil, fmt.Errorf(`expected {"base64":…}, {"text64":…} or {"real":…}, found %.40s`, text)
}
