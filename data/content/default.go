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
	for i := range rows {
		out.Kinds = append(out.Kinds, rows[i].kind())
	}
	for _, r := range guilds {
		out.Kinds = append(out.Kinds, r.ranks()...)
	}
	for _, r := range readDefault("suffixes") {
		s := rules.Suffix{Key: r.cells["key"], Names: r.names()}
		r.set(SuffixRow(&s))
		out.Suffixes = append(out.Suffixes, s)
	}
	for _, r := range readDefault("monsters") {
		m := rules.Monster{Names: r.names()}
		r.set(MonsterRow(&m))
		m.Class, m.Missile = rules.ClassOfModule(m.Module), r.number("missile")
		out.Monsters = append(out.Monsters, m)
	}
	return out
}

// A defaultRow is one line of an embedded table.
type defaultRow struct {
	at    string // "weapons.tsv:12"
	cells map[string]string
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
		r := defaultRow{at: fmt.Sprintf("%s.tsv:%d", name, n), cells: map[string]string{}}
		if len(cells) != len(header) {
			panic(fmt.Sprintf("catalogue: %s: expected %d cells, found %d", r.at, len(header), len(cells)))
		}
		for j, cell := range cells {
			if cell != "" {
				r.cells[header[j]] = cell
			}
		}
		out = append(out, r)
	}
	return out
}

// Columns of our tables that no row of the client has.
var ownColumns = []string{"class", "subtype", "stack", "ru", "en", "key", "table", "facts", "note", "missile"}

func (r *defaultRow) kind() rules.Kind {
	k := rules.Kind{
		Class: r.number("class"), Subtype: r.number("subtype"), Table: r.cells["table"], Stack: r.number("stack"),
		Names: r.names(),
	}
	r.set(KindRow(&k))
	if k.ID == 0 {
		k.ID = ThingBase + 10*k.Class + k.Subtype
	} else {
		k.GameID, k.Ours = k.ID, k.ID >= OurFirst && k.ID <= OurLast
	}
	k.Complete()
	return k
}

// ranks are the kinds of a thing of a guild, of all ranks: a cell 5>10 goes evenly from the first rank to the last. One
// row is read for all, since the start of the server pays for each.
func (r *defaultRow) ranks() (kinds []rules.Kind) {
	ends := map[string][2]int{}
	for name, cell := range r.cells {
		if first, last, grows := strings.Cut(cell, ">"); grows {
			ends[name] = [2]int{defaultNumber(r.at, name, first), defaultNumber(r.at, name, last)}
			r.cells[name] = first
		}
	}
	k := r.kind()
	first, columns := k.ID, KindRow(&k)
	for rank := range rules.GuildRanks {
		for _, c := range columns {
			if e, grows := ends[c.Name]; grows {
				*c.Number = e[0] + int(math.Round(float64((e[1]-e[0])*rank)/(rules.GuildRanks-1)))
			}
		}
		title, degree := rules.GuildNeeds((first-rules.FirstEmblem)/100+1, rank)
		k.ID, k.GameID, k.Need.Title, k.Need.Degree = first+rank, first+rank, max(title-1, 0), max(degree-1, 0)
		kinds = append(kinds, k)
	}
	return kinds
}

func (r *defaultRow) names() rules.Names {
	return rules.Names{"ru": r.cells["ru"], "en": r.cells["en"]}
}

// set puts the cells into the columns of their names.
func (r *defaultRow) set(columns []Column) {
	for name := range r.cells {
		if !slices.Contains(ownColumns, name) && !slices.ContainsFunc(columns,
			func(c Column) bool { return c.Name == name }) {
			panic(fmt.Sprintf("catalogue: %s: column %q is unknown", r.at, name))
		}
	}
	for _, c := range columns {
		if c.Number != nil {
			*c.Number = r.number(c.Name)
		} else {
			*c.Text = r.cells[c.Name]
		}
	}
}

func (r *defaultRow) number(name string) int {
	cell := r.cells[name]
	if cell == "" {
		return 0
	}
	return defaultNumber(r.at, name, cell)
}

func defaultNumber(at, column, cell string) int {
	n, err := strconv.Atoi(cell)
	if err != nil {
		panic(fmt.Sprintf("catalogue: %s: column %s: expected a number, found %q", at, column, cell))
	}
	return n
}
