package content

import (
	"embed"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"sphereserver/coords"
)

//go:embed *.tsv
var contentFiles embed.FS

// embeddedTable returns the text of a table that is part of the program.
func embeddedTable(name string) string {
	text, err := contentFiles.ReadFile(name)
	if err != nil {
		panic("data: " + err.Error()) // the program was built without its own content
	}
	return string(text)
}

// readTable calls row for every row of a table: lines whose fields tabs separate, the first of them the names of the
// columns. Empty lines and lines that begin with # are remarks. The columns have to be exactly those named, in any
// order, and every row has to have all of them; - stands for what is not known. The first error ends it, and names the
// line.
func readTable(name, text string, columns []string, row func(r *tableRow)) error {
	var index map[string]int
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		r := &tableRow{where: fmt.Sprintf("%s:%d", name, i+1), fields: strings.Split(line, "\t"), index: index}
		if index == nil {
			if index, r.err = columnIndex(r.fields, columns); r.err != nil {
				return fmt.Errorf("%s: %w", r.where, r.err)
			}
			continue
		}
		if len(r.fields) != len(columns) {
			return fmt.Errorf("%s: expected %d fields, found %d", r.where, len(columns), len(r.fields))
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
	err    error
}

func (r *tableRow) fail(column, expected string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s: %s: expected %s, found %q", r.where, column, expected, r.fields[r.index[column]])
	}
}

// known says whether a field holds something else than -.
func (r *tableRow) known(column string) bool { return r.fields[r.index[column]] != "-" }

// text reads what is neither empty nor padded, and exists in the client's alphabet.
func (r *tableRow) text(column string) string {
	s := r.fields[r.index[column]]
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

// slug reads a name of small Latin letters, digits and hyphens.
func (r *tableRow) slug(column string) string {
	s := r.text(column)
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || strings.HasPrefix(s, "-") ||
		strings.HasSuffix(s, "-") {
		r.fail(column, "small Latin letters, digits, and hyphens between them")
		return ""
	}
	return s
}

// number reads a whole number from least to most, decimal, or hexadecimal after 0x.
func (r *tableRow) number(column string, least, most int64) int64 {
	n, err := strconv.ParseInt(r.fields[r.index[column]], 0, 64)
	if err != nil || n < least || n > most {
		r.fail(column, fmt.Sprintf("a whole number from %d to %d", least, most))
		return 0
	}
	return n
}

// hex reads a hexadecimal number of 16 bits.
func (r *tableRow) hex(column string) uint16 {
	n, err := strconv.ParseUint(r.fields[r.index[column]], 16, 16)
	if err != nil {
		r.fail(column, "a hexadecimal number of 16 bits")
	}
	return uint16(n)
}

// angle reads a direction in 256 steps to the turn.
func (r *tableRow) angle(column string) coords.Angle8 { return coords.Angle8(r.number(column, 0, 255)) }

// choice reads one of some words.
func (r *tableRow) choice(column string, words ...string) string {
	s := r.fields[r.index[column]]
	for _, w := range words {
		if s == w {
			return s
		}
	}
	r.fail(column, "one of "+strings.Join(words, ", "))
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
	v, err := strconv.ParseFloat(r.fields[r.index[column]], 32)
	if err != nil {
		r.fail(column, "a number")
		return 0
	}
	return float32(v)
}
