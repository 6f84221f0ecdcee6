package capture

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"sphereserver/packets"
)

// sample is how many lines are looked at to tell a table from hex and to find its columns.
const sample = 64

func readText(name string, r *bufio.Reader, o Options, yield emit) {
	l := &lines{r: r}
	at := func(n int, err error) error { return fmt.Errorf("%s:%d: %w", Clean(name), n, err) }
	more := true
	if isTable(l.peek(sample), o) {
		more = readTable(name, l, o, yield, at)
	} else {
		more = readHex(l, o, yield, at)
	}
	if more && l.err != nil && !errors.Is(l.err, io.EOF) {
		yield(Recorded{}, fmt.Errorf("read %s after line %d: %w", Clean(name), l.read, l.err))
	}
}

// isTable reports whether lines are those of a table and not of hex.
func isTable(ahead []line, o Options) bool {
	if o.Column != "" {
		return true
	}
	tabs, first := false, true
	for _, l := range ahead {
		if l.skipped() {
			continue
		}
		if first && headerOf(l.text) != nil {
			return true
		}
		first = false
		if dumpLine.MatchString(l.text) && !strings.Contains(strings.TrimLeft(l.text, "\t"), "\t") {
			continue // tcpdump begins its lines with a tab
		}
		if _, text := hexDirection(l.text, o); strings.Contains(l.text, "\t") {
			_, err := ParseHex(text)
			tabs = tabs || err != nil
		}
	}
	return tabs
}

// columns are those of a table by their names, counted from 0.
type columns map[string]int

var columnNames = []string{"topic", "dir", "time", "key", "whole", "wire", "plain", "label"}

// headerOf returns the columns that the first line of a table names, or nil where it names none.
func headerOf(text string) columns {
	c := columns{}
	for i, cell := range strings.Split(text, "\t") {
		name := strings.ToLower(strings.TrimSpace(cell))
		if name == "direction" {
			name = "dir"
		}
		if _, twice := c[name]; !twice && slices.Contains(columnNames, name) {
			c[name] = i
		}
	}
	if len(c) == 0 {
		return nil
	}
	return c
}

// holdsFrame reports whether there is a frame in a cell, and nothing else.
func holdsFrame(cell string) bool {
	frame, err := ParseHex(cell)
	return err == nil && len(frame) >= packets.MinServerFrame && int(binary.LittleEndian.Uint16(frame)) <= len(frame)
}

// findColumns looks for the columns of a table: by their names, and those of frames and directions by their cells.
func findColumns(ahead []line, o Options) (c columns, header bool, err error) {
	var rows [][]string
	for _, l := range ahead {
		if !l.skipped() {
			rows = append(rows, strings.Split(l.text, "\t"))
		}
	}
	if len(rows) == 0 {
		return nil, false, errors.New("no rows, expected a table with a column of hex")
	}
	c = headerOf(strings.Join(rows[0], "\t"))
	header = c != nil || !slices.ContainsFunc(rows[0], holdsFrame)
	if c == nil {
		c = columns{}
	}
	if _, named := c["dir"]; !named {
		isDirection := func(cell string) bool { return parseDirection(cell) != 0 }
		if dir, rowsWithIt := fullest(rows, isDirection); rowsWithIt*2 > len(rows) {
			c["dir"] = dir
		}
	}
	if o.Column != "" {
		return c, header, c.only(rows[0], o.Column, header)
	}
	_, wire := c["wire"]
	_, plain := c["plain"]
	if !wire && !plain {
		frames, rowsWithIt := fullest(rows, holdsFrame)
		if rowsWithIt == 0 {
			return c, header, fmt.Errorf("no column of hex among %s", quotedNames(rows[0]))
		}
		c["wire"] = frames
	}
	return c, header, nil
}

// fullest returns the column with the most rows for which holds is true, and how many there are.
func fullest(rows [][]string, holds func(cell string) bool) (column, most int) {
	for i := range rows[0] {
		n := 0
		for _, row := range rows {
			if i < len(row) && holds(row[i]) {
				n++
			}
		}
		if n > most {
			column, most = i, n
		}
	}
	return column, most
}

// only takes the frames from one column.
func (c columns) only(first []string, name string, header bool) error {
	i := -1
	if header {
		i = slices.IndexFunc(first, func(cell string) bool { return strings.EqualFold(strings.TrimSpace(cell), name) })
	}
	if n, err := strconv.Atoi(name); i < 0 && err == nil && n >= 1 && n <= len(first) {
		i = n - 1
	}
	if i < 0 {
		return fmt.Errorf("no column %q among %s", name, quotedNames(first))
	}
	plain, ok := c["plain"]
	delete(c, "wire")
	if !ok || plain != i {
		delete(c, "plain")
		c["wire"] = i
	}
	return nil
}

// quotedNames shows the cells of the first row, of hostile ones only the beginning.
func quotedNames(cells []string) string {
	var out []string
	for i, c := range cells {
		if i == 12 {
			out = append(out, "…")
			break
		}
		if r := []rune(c); len(r) > 24 {
			c = string(r[:24]) + "…"
		}
		out = append(out, strconv.Quote(c))
	}
	return strings.Join(out, ", ")
}

func readTable(name string, l *lines, o Options, yield emit, at func(int, error) error) bool {
	c, header, err := findColumns(l.peek(sample), o)
	if err != nil {
		return yield(Recorded{}, fmt.Errorf("%s: %w", Clean(name), err))
	}
	// Recordings that exist as tables are of that time; a table of today's shows itself with its first decisive row.
	memory := &memory{dialect: packets.Dialect2022, hasDialect: true}
	for {
		row, ok := l.next()
		if !ok {
			return true
		}
		if row.skipped() {
			continue
		}
		if header {
			header = false
			continue
		}
		records, err := c.row(row, o)
		if err != nil {
			if !yield(Recorded{}, at(row.number, err)) {
				return false
			}
			continue
		}
		for _, r := range records {
			r.memory = memory
			if !yield(r, nil) {
				return false
			}
		}
	}
}

// row reads the frames of one row: one, unless a cell of a table that does not say which are whole holds several.
func (c columns) row(l line, o Options) ([]Recorded, error) {
	if l.err != nil {
		return nil, l.err
	}
	cells := strings.Split(l.text, "\t")
	cell := func(name string) string {
		if i, ok := c[name]; ok && i < len(cells) {
			return strings.TrimSpace(cells[i])
		}
		return ""
	}
	r := Recorded{Line: l.number, Direction: o.Direction, Topic: cell("topic"), Time: cell("time"), Label: cell("label")}
	if dir := cell("dir"); dir != "" {
		if r.Direction = parseDirection(dir); r.Direction == 0 {
			return nil, fmt.Errorf("direction %q: expected C2S or S2C", dir)
		}
	}
	if key := cell("key"); key != "" {
		n, err := strconv.ParseUint(strings.TrimPrefix(strings.ToLower(key), "0x"), 16, 16)
		if err != nil {
			return nil, fmt.Errorf("key %q: expected four hex digits", key)
		}
		k := uint16(n)
		r.Key = &k
	}
	if err := r.parseBytes(cell("wire"), cell("plain"), o.Plain); err != nil {
		return nil, err
	}
	switch w := strings.ToLower(cell("whole")); w {
	case "yes", "no":
		r.Whole = w == "yes"
		return []Recorded{r}, nil
	case "":
	default:
		return nil, fmt.Errorf("whole is %q: expected yes or no", w)
	}
	r.Whole = whole(r.Bytes())
	if r.Whole || len(r.Wire) > 0 && len(r.Plain) > 0 {
		return []Recorded{r}, nil
	}
	return r.split(), nil
}

// split returns the frames of a record of several frames.
func (r Recorded) split() (out []Recorded) {
	for i, frame := range split(r.Bytes()) {
		one := r
		one.Wire, one.Plain, one.Whole = nil, nil, whole(frame)
		one.rest = i > 0 && !one.Whole
		one.set(frame, len(r.Wire) == 0)
		out = append(out, one)
	}
	return out
}

// parseBytes reads the cells with the bytes of a row. With plain, those on the wire are not obfuscated.
func (r *Recorded) parseBytes(wire, clear string, plain bool) (err error) {
	if r.Wire, err = ParseHex(wire); err != nil {
		return fmt.Errorf("wire column: %w", err)
	}
	if r.Plain, err = ParseHex(clear); err != nil {
		return fmt.Errorf("plain column: %w", err)
	}
	if plain && len(r.Plain) == 0 {
		r.Plain, r.Wire = r.Wire, nil
	}
	if len(r.Bytes()) == 0 {
		return errors.New("row has no frame")
	}
	return nil
}
