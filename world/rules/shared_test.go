package rules

import (
	"strconv"
	"testing"

	"sphereserver/world/rules/rulestest"
)

// A numbers is a table of the protocol's page.
type numbers struct {
	t      *testing.T
	header map[string]int
	rows   [][]string
}

func readNumbers(t *testing.T, name string) numbers {
	t.Helper()
	header, rows := rulestest.Table(t, name)
	n := numbers{t: t, header: map[string]int{}, rows: rows}
	for i, c := range header {
		n.header[c] = i
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
			Trophies: [2]Trophy{{n.number(r, "drop1"), n.number(r, "drop1_pm")},
				{n.number(r, "drop2"), n.number(r, "drop2_pm")}}}
		all[m.ID] = m
	}
	return all
}

// number is a factor as the tables write it.
func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
