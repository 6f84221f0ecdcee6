package clientfiles

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"sphereserver/data/content"
	"sphereserver/world/rules"
)

// leastColumns is how many columns a row must have; those behind the price may be missing, as trailing tabs often are.
const leastColumns = 41

// maxRows is how many rows of one table are read: a limit of ours, thirty times the greatest known table.
const maxRows = 20_000

// maxID bounds the ids of rows: above are the ids of items that have none.
const maxID = content.ThingBase - 1

// parseRow puts the cells of a row into columns. An empty cell and "-" are 0 where a number belongs; a fraction is cut
// off, which cut says.
func parseRow(text string, columns []content.Column) (cut bool, err error) {
	cells := strings.Split(text, "\t")
	if len(cells) < leastColumns {
		return false, fmt.Errorf("expected %d columns, found %d", content.RowColumns, len(cells))
	}
	for _, c := range columns {
		cell := ""
		if c.At < len(cells) {
			cell = strings.TrimSpace(cells[c.At])
		}
		if c.Text != nil {
			*c.Text = cell
			continue
		}
		n, fraction, err := parseNumber(cell)
		if err != nil {
			return false, fmt.Errorf("column %d (%s): %w", c.At, c.Name, err)
		}
		*c.Number = n
		cut = cut || fraction
	}
	return cut, nil
}

func parseNumber(cell string) (n int, fraction bool, err error) {
	if cell == "" || cell == "-" {
		return 0, false, nil
	}
	if n, err := strconv.ParseInt(cell, 10, 32); err == nil {
		return int(n), false, nil
	}
	f, err := strconv.ParseFloat(strings.Replace(cell, ",", ".", 1), 64)
	if err != nil || math.IsNaN(f) || math.Abs(f) > math.MaxInt32 {
		return 0, false, fmt.Errorf("expected a number of 32 bits, found %.40q", cell)
	}
	return int(f), f != math.Trunc(f), nil
}

// rows reads each row of a table with parse, which says why a row is to be skipped.
func (c *collection) rows(f file, raw []byte, parse func(text string) (cut bool, err error)) {
	t := c.report.table(f.name)
	if i := bytes.IndexByte(raw, 0); i >= 0 {
		c.report.problem(f.path, fmt.Sprintf("byte %d", i), "not read: expected text or a packed file, found a zero byte")
		return
	}
	cuts := 0
	for _, l := range lines(raw) {
		at := fmt.Sprintf("line %d", l.number)
		if t.Read+t.Skipped >= maxRows {
			c.report.problem(f.path, at, "the rest is not read: expected at most %d rows", maxRows)
			break
		}
		switch cut, err := parse(l.text); {
		case err != nil:
			t.Skipped++
			c.report.problem(f.path, at, "row skipped: %v", err)
		case cut:
			cuts++
			t.Read++
		default:
			t.Read++
		}
	}
	if cuts > 0 {
		c.report.problem(f.path, "", "%d rows have fractions, which were cut off", cuts)
	}
}

func checkID(id int) error {
	if id < 1 || id > maxID {
		return fmt.Errorf("column 0 (id): expected 1 to %d, found %d", maxID, id)
	}
	return nil
}

func (c *collection) item(table, text string) (cut bool, err error) {
	k := rules.Kind{Table: table}
	if cut, err = parseRow(text, content.KindRow(&k)); err != nil {
		return false, err
	}
	if err := checkID(k.ID); err != nil {
		return false, err
	}
	if i, again := c.kinds[k.ID]; again {
		return false, fmt.Errorf("id %d is in table %s already", k.ID, c.out.Kinds[i].Table)
	}
	k.GameID, k.Class = k.ID, rules.ClassOfModule(k.Module)
	if k.Class == 0 {
		c.unknownModules[k.Module]++
	}
	k.Complete()
	c.kinds[k.ID] = len(c.out.Kinds)
	c.out.Kinds = append(c.out.Kinds, k)
	return cut, nil
}

func (c *collection) monster(text string) (cut bool, err error) {
	var m rules.Monster
	if cut, err = parseRow(text, content.MonsterRow(&m)); err != nil {
		return false, err
	}
	if err := checkID(m.ID); err != nil {
		return false, err
	}
	if c.monsters[m.ID] {
		return false, fmt.Errorf("id %d is in the table already", m.ID)
	}
	m.Class = rules.ClassOfModule(m.Module)
	if !rules.ClassOf(m.Class).Monster {
		return false, fmt.Errorf("column 1 (module): expected a kind of monster, found %.40q", m.Module)
	}
	c.monsters[m.ID] = true
	c.out.Monsters = append(c.out.Monsters, m)
	return cut, nil
}

func (c *collection) suffix(text string) (cut bool, err error) {
	var s rules.Suffix
	if cut, err = parseRow(text, content.SuffixRow(&s)); err != nil {
		return false, err
	}
	if len(s.Letter) != 1 || s.Letter[0] < 'A' || s.Letter[0] > 'Z' {
		return false, fmt.Errorf("column 1 (letter): expected a letter A to Z, found %.40q", s.Letter)
	}
	if s.Index < 0 || s.Index > maxID {
		return false, fmt.Errorf("column 0 (index): expected 0 to %d, found %d", maxID, s.Index)
	}
	key := suffixKey{s.Letter, s.Index}
	if c.suffixes[key] {
		return false, fmt.Errorf("suffix %d of group %s is in the table already", s.Index, s.Letter)
	}
	c.suffixes[key] = true
	c.out.Suffixes = append(c.out.Suffixes, s)
	return cut, nil
}
