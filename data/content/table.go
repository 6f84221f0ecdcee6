package content

import (
	"embed"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/encoding/charmap"

	"sphereserver/coords"
)

//go:embed *.tsv default/*.tsv
var contentFiles embed.FS

// embeddedTable returns the text of a table that is part of the program.
func embeddedTable(name string) string {
	text, err := contentFiles.ReadFile(name)
	if err != nil {
		panic("data: " + err.Error()) // the program was built without its own content
	}
	return string(text)
}

// embedded returns an embedded table as parse reads it, which is read once.
func embedded[T any](name string, parse func(name, text string) (T, error)) func() T {
	return sync.OnceValue(func() T {
		out, err := parse(name, embeddedTable(name))
		if err != nil {
			panic("data: " + err.Error()) // tests keep the embedded tables without error
		}
		return out
	})
}

// TableLines are the lines of a table by number, from 1, cut into the fields that tabs separate; empty ones and those
// that begin with remark are left out.
func TableLines(text, remark string) iter.Seq2[int, []string] {
	return func(yield func(int, []string) bool) {
		for i, line := range strings.Split(text, "\n") {
			line = strings.TrimSuffix(line, "\r")
			if line != "" && !strings.HasPrefix(line, remark) && !yield(i+1, strings.Split(line, "\t")) {
				return
			}
		}
	}
}

// readTable calls row for every row of a table: the first of its lines has the names of the columns, and lines that
// begin with # are remarks. The columns have to be exactly the named ones, in any order, and every row has to have
// all of them; - stands for an unknown value. The first error ends it, and names the line.
func readTable(name, text string, columns []string, row func(r *tableRow)) error {
	var index map[string]int
	seen := map[string]bool{}
	for n, fields := range TableLines(text, "#") {
		r := &tableRow{where: fmt.Sprintf("%s:%d", name, n), fields: fields, index: index, seen: seen}
		if index == nil {
			if index, r.err = columnIndex(fields, columns); r.err != nil {
				return fmt.Errorf("%s: %w", r.where, r.err)
			}
			continue
		}
		if len(fields) != len(columns) {
			return fmt.Errorf("%s: expected %d fields, found %d", r.where, len(columns), len(fields))
		}
		if row(r); r.err != nil {
			return r.err
		}
	}
	if index == nil {
		return fmt.Errorf("%s: expected a line with the names of the columns, found none", name)
	}
	return nil
}

// columnIndex says in which field of a row each column is.
func columnIndex(head, columns []string) (map[string]int, error) {
	index := make(map[string]int, len(columns))
	for _, c := range columns {
		index[c] = -1
	}
	for i, c := range head {
		at, known := index[c]
		if !known {
			return nil, fmt.Errorf("expected the columns %s, found one called %q", strings.Join(columns, ", "), c)
		}
		if at >= 0 {
			return nil, fmt.Errorf("expected the column %s once, found it twice", c)
		}
		index[c] = i
	}
	for _, c := range columns {
		if index[c] < 0 {
			return nil, fmt.Errorf("expected a column called %s, found none", c)
		}
	}
	return index, nil
}

// A tableRow is one row of a table. Its methods read a field; the first error sticks, and later fields read as zero.
type tableRow struct {
	where  string // file and line
	fields []string
	index  map[string]int
	seen   map[string]bool // keys of this row and those before it
	err    error
}

func (r *tableRow) field(column string) string { return r.fields[r.index[column]] }

func (r *tableRow) fail(column, expected string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s: %s: expected %s, found %q", r.where, column, expected, r.field(column))
	}
}

// known reports whether a field holds something else than -.
func (r *tableRow) known(column string) bool { return r.field(column) != "-" }

// text reads a text that is neither empty nor padded, and exists in the client's alphabet.
func (r *tableRow) text(column string) string {
	s := r.field(column)
	if s == "" || s == "-" || strings.TrimSpace(s) != s {
		r.fail(column, "text without spaces at its ends")
	}
	for _, c := range s {
		if _, ok := charmap.Windows1251.EncodeRune(c); !ok || c < ' ' {
			r.fail(column, "visible letters of Windows-1251")
			break
		}
	}
	if r.err != nil {
		return ""
	}
	return s
}

// optional is text, with "" for -.
func (r *tableRow) optional(column string) string {
	if !r.known(column) {
		return ""
	}
	return r.text(column)
}

// key reads a name of small Latin letters, digits and hyphens that no other row has.
func (r *tableRow) key(column string) string {
	s := r.text(column)
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || strings.HasPrefix(s, "-") ||
		strings.HasSuffix(s, "-") {
		r.fail(column, "small Latin letters, digits, and hyphens between them")
		return ""
	}
	if r.again(s) && r.err == nil {
		r.err = fmt.Errorf("%s: expected every key once, found %s a second time", r.where, s)
	}
	return s
}

// again reports whether a row before has had this key.
func (r *tableRow) again(key string) bool {
	was := r.seen[key]
	r.seen[key] = true
	return was
}

// number reads a whole number from least to most, decimal, or hexadecimal after 0x.
func (r *tableRow) number(column string, least, most int64) int64 {
	n, err := strconv.ParseInt(r.field(column), 0, 64)
	if err != nil || n < least || n > most {
		r.fail(column, fmt.Sprintf("a whole number from %d to %d", least, most))
		return 0
	}
	return n
}

// hex reads a hexadecimal number of 16 bits.
func (r *tableRow) hex(column string) uint16 {
	n, err := strconv.ParseUint(r.field(column), 16, 16)
	if err != nil {
		r.fail(column, "a hexadecimal number of 16 bits")
	}
	return uint16(n)
}

// angle reads a direction in 256 steps to the turn.
func (r *tableRow) angle(column string) coords.Angle8 { return coords.Angle8(r.number(column, 0, 255)) }

// choice reads one of some words.
func choice[T ~string](r *tableRow, column string, words ...T) T {
	s, known := r.field(column), ""
	for _, w := range words {
		if s == string(w) {
			return w
		}
		known += ", " + string(w)
	}
	r.fail(column, "one of "+strings.TrimPrefix(known, ", "))
	return ""
}

// position reads a place inside of the world, in metres, from three columns.
func (r *tableRow) position(x, y, z string) coords.Position {
	p := coords.Position{X: r.float(x), Y: r.float(y), Z: r.float(z)}
	if r.err == nil {
		if err := p.Check(); err != nil {
			r.err = fmt.Errorf("%s: %w", r.where, err)
		}
	}
	return p
}

// yaw reads radians, from -1000 to 1000.
func (r *tableRow) yaw(column string) float32 {
	v := r.float(column)
	if !(v >= -1000 && v <= 1000) {
		r.fail(column, "radians from -1000 to 1000")
		return 0
	}
	return v
}

func (r *tableRow) float(column string) float32 {
	v, err := strconv.ParseFloat(r.field(column), 32)
	if err != nil {
		r.fail(column, "a number")
		return 0
	}
	return float32(v)
}
