package data

import (
	"bufio"
	"cmp"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pressly/goose/v3"

	"sphereserver/data/atomicfile"
)

// An export is a text of JSON objects, one in a line: a head, the rows of each table after its name, and an end that
// says how many rows there were, so that half of an export is never taken for a whole one.
//
//	{"format":"sphere export","version":1,"schema":2,"made":"2026-11-21T12:00:00Z","letters":"ёЁ№"}
//	{"table":"accounts","columns":["id","login",…]}
//	{"id":1,"login":"Hero",…}
//	{"end":{"accounts":1,…}}
//
// Whole numbers and real ones stand as such, the latter with a point or an exponent; a text is a text, NULL is null.
// Values without a form in JSON are objects: {"base64":…} for bytes, {"text64":…} for a text that is not UTF-8,
// {"real":"Inf"}.
const (
	exportFormat  = "sphere export"
	exportVersion = 1
	exportLetters = "ёЁ№"
)

// sequenceTable is where SQLite remembers which ids were given: an id that was deleted does not come again.
const sequenceTable = "sqlite_sequence"

type exportHead struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	Schema  int64     `json:"schema"`
	Made    time.Time `json:"made"`
	Letters string    `json:"letters,omitempty"` // exportLetters, unless a program on the way has changed the encoding
}

type exportTableHead struct {
	Table   string   `json:"table"`
	Columns []string `json:"columns"`
}

// Export writes all that a store holds to w, as of one moment; it may be in use. It returns how many rows there are
// of each table. The text holds password hashes. However slowly w takes it, the database is read at once: its rows
// lie in a temporary file meanwhile.
func (s *Store) Export(ctx context.Context, w io.Writer) (counts map[string]int, err error) {
	spool, err := os.CreateTemp(s.dir, "export-*.tmp") // for its owner only; an empty container has no other folder
	if err != nil {
		spool, err = os.CreateTemp("", "sphere-export-*") // one that is only read
	}
	if err != nil {
		return nil, wrap(err, "export")
	}
	_ = os.Remove(spool.Name()) // so that none is left however the program ends; Windows refuses while it is open
	defer os.Remove(spool.Name())
	defer spool.Close()
	if counts, err = s.export(ctx, spool); err != nil {
		return nil, err
	}
	if _, err = spool.Seek(0, io.SeekStart); err == nil {
		_, err = io.Copy(w, spool)
	}
	if err != nil {
		return nil, wrap(err, "export")
	}
	return counts, nil
}

// export does so in one transaction.
func (s *Store) export(ctx context.Context, w io.Writer) (map[string]int, error) {
	tx, err := s.reads.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, wrap(err, "export")
	}
	defer tx.Rollback()
	counts, err := exportAll(ctx, tx, w)
	return counts, wrap(err, "export")
}

func exportAll(ctx context.Context, tx *sql.Tx, w io.Writer) (map[string]int, error) {
	out := bufio.NewWriterSize(w, 1<<16)
	schema, err := readOne(ctx, tx, single[int64], selectVersion)
	if err != nil {
		return nil, err
	}
	head := exportHead{exportFormat, exportVersion, schema, time.Now().UTC().Truncate(time.Second), exportLetters}
	if err := writeJSONLine(out, head); err != nil {
		return nil, err
	}
	tables, err := tableColumns(ctx, tx)
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	for _, t := range tables {
		if counts[t.name], err = exportTable(ctx, tx, t, out); err != nil {
			return nil, fmt.Errorf("table %s: %w", t.name, err)
		}
	}
	if err := writeJSONLine(out, map[string]any{"end": counts}); err != nil {
		return nil, err
	}
	return counts, out.Flush()
}

func writeJSONLine(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// A tableShape is a table with its columns, in their order.
type tableShape struct {
	name    string
	columns []string
	key     []string // the columns of the primary key
}

// tableColumns lists our own tables: all but the migrations' and SQLite's, except the one with the ids that it has
// given.
func tableColumns(ctx context.Context, q querier) ([]tableShape, error) {
	var tables []tableShape
	err := each(ctx, q, func(row *sql.Rows) error {
		var table, column string
		var pk int
		if err := row.Scan(&table, &column, &pk); err != nil {
			return err
		}
		if len(tables) == 0 || tables[len(tables)-1].name != table {
			tables = append(tables, tableShape{name: table})
		}
		t := &tables[len(tables)-1]
		t.columns = append(t.columns, column)
		if pk > 0 {
			t.key = append(t.key, column)
		}
		return nil
	}, `SELECT s.name, c.name, c.pk FROM sqlite_schema s, pragma_table_xinfo(s.name) c
		WHERE s.type = 'table' AND (s.name NOT LIKE 'sqlite~_%' ESCAPE '~' OR s.name = '`+sequenceTable+`') AND s.name <> '`+
		goose.DefaultTablename+`' AND c.hidden = 0 ORDER BY s.name = '`+sequenceTable+`', s.name, c.cid`)
	return tables, err
}

// identifier is a name as SQL has it.
func identifier(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func identifiers(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = identifier(n)
	}
	return strings.Join(quoted, ", ")
}

func exportTable(ctx context.Context, tx *sql.Tx, t tableShape, out *bufio.Writer) (n int, err error) {
	if err := writeJSONLine(out, exportTableHead{t.name, t.columns}); err != nil {
		return 0, err
	}
	order := t.key
	if len(order) == 0 {
		order = t.columns
	}
	var line []byte
	err = each(ctx, tx, func(row *sql.Rows) error {
		values, err := scanAny(row)
		if err != nil {
			return err
		}
		line = append(line[:0], '{')
		for i, v := range values {
			if i > 0 {
				line = append(line, ',')
			}
			line = append(appendJSONText(line, t.columns[i]), ':')
			if line, err = appendValue(line, v); err != nil {
				return fmt.Errorf("column %s: %w", t.columns[i], err)
			}
		}
		n++
		_, err = out.Write(append(line, '}', '\n'))
		return err
	}, "SELECT "+identifiers(t.columns)+" FROM "+identifier(t.name)+" ORDER BY "+identifiers(order))
	return n, err
}

// appendValue appends a stored value, so that readValue gives exactly that again.
func appendValue(line []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(line, "null"...), nil
	case int64:
		return strconv.AppendInt(line, v, 10), nil
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return fmt.Appendf(line, `{"real":"%v"}`, v), nil
		}
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return append(line, text...), nil
	case string:
		if !utf8.ValidString(v) {
			return fmt.Appendf(line, `{"text64":"%s"}`, base64.StdEncoding.EncodeToString([]byte(v))), nil
		}
		return appendJSONText(line, v), nil
	case []byte:
		return fmt.Appendf(line, `{"base64":"%s"}`, base64.StdEncoding.EncodeToString(v)), nil
	}
	return line, fmt.Errorf("expected a value of SQLite, found a %T", v)
}

func appendJSONText(line []byte, text string) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text can always be encoded
	return append(line, strings.TrimSuffix(b.String(), "\n")...)
}

// ExportFile exports the database of a data folder to a new file that only its owner can read, or to standard output
// when path is "-". A server may be running in the folder.
func ExportFile(ctx context.Context, dir, path string, standard io.Writer) (counts map[string]int, err error) {
	s, err := Open(ctx, dir, Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if path == "-" {
		return s.Export(ctx, standard)
	}
	if fileSize(path) >= 0 {
		return nil, fmt.Errorf("data: export: %s exists already", path)
	}
	partial := path + ".partial"
	f, err := os.OpenFile(partial, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("data: export: %w", err)
	}
	defer os.Remove(partial)
	counts, err = s.export(ctx, f)
	if err = cmp.Or(err, f.Close()); err == nil {
		err = atomicfile.Replace(partial, path)
	}
	return counts, wrap(err, "export to %s", path)
}
