package rules

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A numbers is a table of the protocol's page, which is not part of the repository: it lies in the folder that
// SPHERE_PROTOCOL names, or beside the repository. A test that needs it skips without it.
type numbers struct {
	t      *testing.T
	header map[string]int
	rows   [][]string
}

func readNumbers(t *testing.T, name string) numbers {
	t.Helper()
	dir := os.Getenv("SPHERE_PROTOCOL")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "protocol")
	}
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Skipf("no tables of the protocol's page: %v", err)
	}
	n := numbers{t: t, header: map[string]int{}}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(n.header) == 0 {
			for i, c := range cells {
				n.header[c] = i
			}
			continue
		}
		n.rows = append(n.rows, cells)
	}
	return n
}

func (n *numbers) text(row []string, column string) string {
	i, ok := n.header[column]
	if !ok || i >= len(row) {
		n.t.Fatalf("no column %s in %q", column, row)
	}
	return row[i]
}

func (n *numbers) number(row []string, column string) int {
	v, err := strconv.ParseFloat(n.text(row, column), 64)
	if err != nil {
		n.t.Fatal(err)
	}
	return int(v)
}

// monsters are the rows of monsters.tsv by type.
func (n *numbers) monsters() map[int]*Monster {
	all := map[int]*Monster{}
	for _, r := range n.rows {
		m := &Monster{ID: n.number(r, "id"), Class: n.number(r, "class"), Low: n.number(r, "level_min") - 1,
			High: n.number(r, "level_max") - 1, HPBase: n.number(r, "hp_base"), Physical: n.number(r, "pd"),
			Magical: n.number(r, "md"), Attack: -n.number(r, "pa"), Magic: -n.number(r, "ma"), Karma: n.number(r, "karma"),
			Speed: n.number(r, "speed_cms"), Range: n.number(r, "range_m"), Delay: n.number(r, "delay_s"),
			Trophies: [2]Trophy{{n.number(r, "drop1"), n.number(r, "drop1_pm")}, {n.number(r, "drop2"), n.number(r, "drop2_pm")}}}
		all[m.ID] = m
	}
	return all
}

// number is a factor as the tables write it.
func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
