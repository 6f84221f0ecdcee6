package capture

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
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

// isTable says whether lines are those of a table and not of hex.
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
		if _, text := hexDirection(l.text, o); strings.Contains(l.text, "\t") {
			_, err := ParseHex(text)
			tabs = tabs || err != nil
		}
	}
	return tabs
}

// columns are those of a table, counted from 0; -1 where it has none.
type columns struct {
	topic, dir, time, key, whole, wire, plain, label int
}

var noColumns = columns{-1, -1, -1, -1, -1, -1, -1, -1}

func (c *columns) named() map[string]*int {
	return map[string]*int{"topic": &c.topic, "dir": &c.dir, "direction": &c.dir, "time": &c.time, "key": &c.key,
		"whole": &c.whole,
		"wire":  &c.wire, "plain": &c.plain, "label": &c.label}
}

// headerOf returns the columns that the first line of a table names, or nil where it names none.
func headerOf(text string) *columns {
	c := noColumns
	known := c.named()
	found := false
	for i, cell := range strings.Split(text, "\t") {
		if p, ok := known[strings.ToLower(strings.TrimSpace(cell))]; ok && *p < 0 {
			*p = i
			found = true
		}
	}
	if !found {
		return nil
	}
	return &c
}

// frameCell returns the frame in a cell; ok is false where the cell holds anything else.
func frameCell(cell string) (frame []byte, ok bool) {
	frame, err := ParseHex(cell)
	return frame, err == nil && len(frame) >= packets.MinServerFrame &&
		int(binary.LittleEndian.Uint16(frame)) <= len(frame)
}

// findColumns looks for the columns of a table: by their names, and those of frames and directions by what is in them.
func findColumns(ahead []line, o Options) (c columns, header bool, err error) {
	var rows [][]string
	for _, l := range ahead {
		if !l.skipped() {
			rows = append(rows, strings.Split(l.text, "\t"))
		}
	}
	if len(rows) == 0 {
		return noColumns, false, errors.New("no rows, expected a table with a column of hex")
	}
	c = noColumns
	if h := headerOf(strings.Join(rows[0], "\t")); h != nil {
		c, header = *h, true
	}
	frames, dirs, firstIsFrame := 0, 0, false
	wire, dir := -1, -1
	for i := range rows[0] {
		f, d := 0, 0
		for n, row := range rows {
			if i >= len(row) {
				continue
			}
			if _, ok := frameCell(row[i]); ok {
				f++
				firstIsFrame = firstIsFrame || n == 0
			}
			if parseDirection(row[i]) != 0 {
				d++
			}
		}
		if f > frames {
			frames, wire = f, i
		}
		if d > dirs {
			dirs, dir = d, i
		}
	}
	header = header || !firstIsFrame
	if c.dir < 0 && dirs*2 > len(rows) {
		c.dir = dir
	}
	if o.Column != "" {
		return c.only(rows[0], o.Column, header)
	}
	if c.wire < 0 && c.plain < 0 {
		if wire < 0 {
			return c, header, fmt.Errorf("no column of hex among %s", quotedNames(rows[0]))
		}
		c.wire = wire
	}
	return c, header, nil
}

// only takes the frames from one column.
func (c columns) only(first []string, name string, header bool) (columns, bool, error) {
	i := -1
	for k, cell := range first {
		if header && strings.EqualFold(strings.TrimSpace(cell), name) {
			i = k
			break
		}
	}
	if n, err := strconv.Atoi(name); i < 0 && err == nil && n >= 1 && n <= len(first) {
		i = n - 1
	}
	if i < 0 {
		return c, header, fmt.Errorf("no column %q among %s", name, quotedNames(first))
	}
	if i == c.plain {
		c.wire = -1
		return c, header, nil
	}
	c.wire, c.plain = i, -1
	return c, header, nil
}

// quotedNames shows what stands in the first row, of hostile ones only the beginning.
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

// row reads the frames of one row: one, unless a cell of a table that does not say what is whole holds several.
func (c columns) row(l line, o Options) ([]Recorded, error) {
	if l.err != nil {
		return nil, l.err
	}
	cells := strings.Split(l.text, "\t")
	cell := func(i int) string {
		if i < 0 || i >= len(cells) {
			return ""
		}
		return strings.TrimSpace(cells[i])
	}
	r := Recorded{Line: l.number, Direction: o.Direction, Topic: cell(c.topic), Time: cell(c.time), Label: cell(c.label)}
	if dir := cell(c.dir); dir != "" {
		if r.Direction = parseDirection(dir); r.Direction == 0 {
			return nil, fmt.Errorf("direction %q: expected C2S or S2C", dir)
		}
	}
	if key := cell(c.key); key != "" {
		n, err := strconv.ParseUint(strings.TrimPrefix(strings.ToLower(key), "0x"), 16, 16)
		if err != nil {
			return nil, fmt.Errorf("key %q: expected four hex digits", key)
		}
		k := uint16(n)
		r.Key = &k
	}
	var err error
	if r.Wire, err = ParseHex(cell(c.wire)); err != nil {
		return nil, fmt.Errorf("wire column: %w", err)
	}
	if r.Plain, err = ParseHex(cell(c.plain)); err != nil {
		return nil, fmt.Errorf("plain column: %w", err)
	}
	if o.Plain && len(r.Plain) == 0 {
		r.Plain, r.Wire = r.Wire, nil
	}
	if len(r.Bytes()) == 0 {
		return nil, errors.New("row has no frame")
	}
	switch w := strings.ToLower(cell(c.whole)); w {
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
	return r.apart(), nil
}

// apart cuts a record of several frames.
func (r Recorded) apart() []Recorded {
	isWire := len(r.Wire) > 0
	frames, rest := split(r.Bytes())
	if len(rest) > 0 {
		frames = append(frames, rest)
	}
	var out []Recorded
	for _, frame := range frames {
		one := r
		one.Wire, one.Plain, one.Whole = nil, nil, whole(frame)
		if isWire {
			one.Wire = frame
		} else {
			one.Plain = frame
		}
		out = append(out, one)
	}
	return out
}
