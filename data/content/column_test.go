package content

import (
	"testing"

	"sphereserver/world/rules"
)

// Every number of a row can be reached by its column, and no two columns are the same.
func TestColumnsCoverTheRow(t *testing.T) {
	var k rules.Kind
	var s rules.Suffix
	var m rules.Monster
	for name, columns := range map[string][]Column{"kind": KindRow(&k), "suffix": SuffixRow(&s),
		"monster": MonsterRow(&m)} {
		at, names, places := map[int]bool{}, map[string]bool{}, map[any]bool{}
		for _, c := range columns {
			var place any = c.Number
			if c.Text != nil {
				place = c.Text
			}
			if (c.Number == nil) == (c.Text == nil) {
				t.Errorf("%s: column %s is not one of number and text", name, c.Name)
			}
			if at[c.At] || names[c.Name] || places[place] || c.At < 0 || c.At >= RowColumns {
				t.Errorf("%s: column %d %s is there twice or out of range", name, c.At, c.Name)
			}
			at[c.At], names[c.Name], places[place] = true, true, true
		}
		if name == "kind" && len(at) != RowColumns {
			t.Errorf("a kind has %d columns, want %d", len(at), RowColumns)
		}
	}
}
