package clientfiles

import (
	"fmt"

	"sphereserver/data/content"
	"sphereserver/world/rules"
)

// A Report has the findings of an import.
type Report struct {
	Folder    string         `json:"folder"`
	Files     int            `json:"files"` // looked at
	Read      int            `json:"read"`  // of them
	Tables    []TableReport  `json:"tables"`
	Languages map[string]int `json:"languages"` // files by language
	Names     map[string]int `json:"names"`     // kinds and monsters that have a name, by language
	Places    int            `json:"places"`
	Texts     int            `json:"texts"`
	Models    int            `json:"models"`
	Problems  []Problem      `json:"problems"`                // the first [MaxProblems]
	More      int            `json:"more_problems,omitempty"` // how many there are besides
}

// A TableReport says how one table was read.
type TableReport struct {
	Table    string `json:"table"`
	File     string `json:"file,omitempty"` // "" when it was not found
	Expected int    `json:"expected"`       // rows of a known client
	Read     int    `json:"read"`
	Skipped  int    `json:"skipped"`
}

// A Problem is something that was not read, or not as it stands, and why.
type Problem struct {
	File  string `json:"file"`            // relative to the folder
	Where string `json:"where,omitempty"` // "line 12", "byte 44"
	What  string `json:"what"`
}

// MaxProblems is how many problems a report keeps.
const MaxProblems = 200

// A tableSize is how many rows a table has.
type tableSize struct {
	table string
	rows  int
}

// expected are the tables of a known client. Source: 13.2.
var expected = []tableSize{
	{"alch", 74}, {"arbs", 65}, {"arbs_n", 138}, {"armor", 84}, {"armor_n", 420}, {"armor_o", 100}, {"axes", 86},
	{"axes_n", 140}, {"fb", 273}, {"guilds", 660}, {"magdef", 49}, {"magdef_n", 232}, {"mantrab", 71}, {"mantraw", 99},
	{"maps", 14}, {"monst", 228}, {"quest", 183}, {"swords", 55}, {"swords_n", 207}, {"unique", 196}, {"pref", 182},
}

func newReport(folder string) *Report {
	r := &Report{Folder: folder, Languages: map[string]int{}, Names: map[string]int{}}
	for _, e := range expected {
		r.Tables = append(r.Tables, TableReport{Table: e.table, Expected: e.rows})
	}
	return r
}

func (r *Report) table(name string) *TableReport {
	for i := range r.Tables {
		if r.Tables[i].Table == name {
			return &r.Tables[i]
		}
	}
	r.Tables = append(r.Tables, TableReport{Table: name})
	return &r.Tables[len(r.Tables)-1]
}

func (r *Report) problem(file, where, what string, args ...any) {
	if len(r.Problems) >= MaxProblems {
		r.More++
		return
	}
	r.Problems = append(r.Problems, Problem{file, where, fmt.Sprintf(what, args...)})
}

// Missing lists the tables that were not found.
func (r *Report) Missing() []string {
	var out []string
	for _, t := range r.Tables {
		if t.File == "" {
			out = append(out, t.Table)
		}
	}
	return out
}

// Rows counts the rows that were read and those that were skipped.
func (r *Report) Rows() (read, skipped int) {
	for _, t := range r.Tables {
		read += t.Read
		skipped += t.Skipped
	}
	return read, skipped
}

// Nothing reports whether the import has found nothing of use.
func (r *Report) Nothing() bool {
	read, _ := r.Rows()
	return read == 0 && r.Places == 0 && r.Texts == 0
}

func (r *Report) finish(c *content.Content) {
	r.Places, r.Models = len(c.Placements), len(c.Models)
	for _, t := range c.Texts {
		r.Texts += len(t)
	}
	for i := range c.Kinds {
		r.count(c.Kinds[i].Names)
	}
	for i := range c.Monsters {
		r.count(c.Monsters[i].Names)
	}
}

func (r *Report) count(names rules.Names) {
	for l := range names {
		r.Names[l]++
	}
}
