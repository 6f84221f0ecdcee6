package content

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sphereserver/world/rules"
)

// DefaultSource is the source of the default catalogue.
const DefaultSource = "built in"

// Default is our own catalogue, which needs no client's files: enough to dress and to trade with from level 1 to 60,
// and monsters from level 1 to 100. The tables in the folder default say of every value whether it is a fact or made up
// by us.
var Default = sync.OnceValue(func() *Catalogue {
	c, err := New(defaultContent())
	if err != nil {
		panic(err) // the tables are part of the program, and tested
	}
	return c
})

// defaultContent reads the embedded tables.
func defaultContent() Content {
	out := Content{Source: DefaultSource}
	var rows []defaultRow
	for _, table := range [...]string{"weapons", "armour", "jewellery", "things", "magic"} {
		rows = append(rows, readDefault(table)...)
	}
	guilds := readDefault("guilds")
	out.Kinds = make([]rules.Kind, 0, len(rows)+rules.GuildRanks*len(guilds))
	// The columns of one value of each type are listed, into which all rows are read: the start of the server pays for
	// each list.
	var k rules.Kind
	columns := byName(KindRow(&k))
	for i := range rows {
		rows[i].kind(&k, columns)
		out.Kinds = append(out.Kinds, k)
	}
	for i := range guilds {
		out.Kinds = append(out.Kinds, guilds[i].ranks(&k, columns)...)
	}
	var s rules.Suffix
	columns = byName(SuffixRow(&s))
	for _, r := range readDefault("suffixes") {
		s = rules.Suffix{Key: r.cell("key"), Names: r.names()}
		r.set(columns)
		out.Suffixes = append(out.Suffixes, s)
	}
	var m rules.Monster
	columns = byName(MonsterRow(&m))
	for _, r := range readDefault("monsters") {
		m = rules.Monster{Names: r.names()}
		r.set(columns)
		m.Class, m.Missile = rules.ClassOfModule(m.Module), r.number("missile")
		out.Monsters = append(out.Monsters, m)
	}
	return out
}

// byName is columns by their names.
func byName(columns []Column) map[string]Column {
	named := make(map[string]Column, len(columns))
	for _, c := range columns {
		named[c.Name] = c
	}
	return named
}

// A defaultRow is one line of an embedded table.
type defaultRow struct {
	table  string
	line   int
	header []string // of the table
	cells  []string // as many; empty ones are not there
}

// readDefault reads one table: lines of cells between tabs, the first with the names of the columns; empty lines and
// comments with "//" are skipped.
func readDefault(name string) []defaultRow {
	var header []string
	var out []defaultRow
	for n, cells := range TableLines(embeddedTable("default/"+name+".tsv"), "//") {
		if header == nil {
			header = cells
			continue
		}
		r := defaultRow{table: name, line: n, header: header, cells: cells}
		if len(cells) != len(header) {
			panic(fmt.Sprintf("catalogue: %s: expected %d cells, found %d", r.at(), len(header), len(cells)))
		}
		out = append(out, r)
	}
	return out
}

// at is where the row stands: "weapons.tsv:12".
func (r *defaultRow) at() string { return fmt.Sprintf("%s.tsv:%d", r.table, r.line) }

// cell is the cell of a column, "" for an empty one and where the table has no such column.
func (r *defaultRow) cell(column string) string {
	if i := slices.Index(r.header, column); i >= 0 {
		return r.cells[i]
	}
	return ""
}

// Columns of our tables that no row of the client has.
var ownColumns = []string{"class", "subtype", "stack", "ru", "en", "key", "table", "facts", "note", "missile"}

// kind reads the row into k, whose columns are given.
func (r *defaultRow) kind(k *rules.Kind, columns map[string]Column) {
	*k = rules.Kind{
		Class: r.number("class"), Subtype: r.number("subtype"), Table: r.cell("table"), Stack: r.number("stack"),
		Names: r.names(),
	}
	r.set(columns)
	if k.ID == 0 {
		k.ID = ThingBase + 10*k.Class + k.Subtype
	} else {
		k.GameID, k.Ours = k.ID, k.ID >= OurFirst && k.ID <= OurLast
	}
	k.Complete()
}

// ranks are the kinds of a thing of a guild, of all ranks: a cell 5>10 goes evenly from the first rank to the last. One
// row is read for all, into k, whose columns are given.
func (r *defaultRow) ranks(k *rules.Kind, columns map[string]Column) (kinds []rules.Kind) {
	ends := map[string][2]int{}
	for i, cell := range r.cells {
		if first, last, grows := strings.Cut(cell, ">"); grows {
			name := r.header[i]
			ends[name] = [2]int{r.parse(name, first), r.parse(name, last)}
			r.cells[i] = first
		}
	}
	r.kind(k, columns)
	first := k.ID
	for rank := range rules.GuildRanks {
		for name, e := range ends {
			*columns[name].Number = e[0] + int(math.Round(float64((e[1]-e[0])*rank)/(rules.GuildRanks-1)))
		}
		title, degree := rules.GuildNeeds((first-rules.FirstEmblem)/100+1, rank)
		k.ID, k.GameID, k.Need.Title, k.Need.Degree = first+rank, first+rank, max(title-1, 0), max(degree-1, 0)
		kinds = append(kinds, *k)
	}
	return kinds
}

func (r *defaultRow) names() rules.Names {
	return rules.Names{"ru": r.cell("ru"), "en": r.cell("en")}
}

// set puts the cells into the columns of their names, which are zero.
func (r *defaultRow) set(columns map[string]Column) {
	for i, cell := range r.cells {
		name := r.header[i]
		switch c, ok := columns[name]; {
		case cell == "":
		case c.Number != nil:
			*c.Number = r.parse(name, cell)
		case ok:
			*c.Text = cell
		case !slices.Contains(ownColumns, name):
			panic(fmt.Sprintf("catalogue: %s: column %q is unknown", r.at(), name))
		}
	}
}

func (r *defaultRow) number(name string) int {
	cell := r.cell(name)
	if cell == "" {
		return 0
	}
	return r.parse(name, cell)
}

func (r *defaultRow) parse(column, cell string) int {
	n, err := strconv.Atoi(cell)
	if err != nil {
		panic(fmt.Sprintf("catalogue: %s: column %s: expected a number, found %q", r.at(), column, cell))
	}
	return n
}
