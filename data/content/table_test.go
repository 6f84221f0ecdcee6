package content

import (
	"strings"
	"testing"
)

func TestReadTable(t *testing.T) {
	var found []string
	err := readTable("t", "# a remark\n\nb\ta\r\n1\tx\n# another\n-\ty\n", []string{"a", "b"}, func(r *tableRow) {
		found = append(found, r.text("a")+r.optional("b"))
	})
	if err != nil || strings.Join(found, " ") != "x1 y" {
		t.Errorf("expected x1 y, found %q, %v", found, err)
	}
}

func TestReadTableNamesTheLine(t *testing.T) {
	read := func(r *tableRow) { r.text("a"); r.number("b", 0, 255) }
	for table, want := range map[string]string{
		"":                     "t: expected a line with the names of the columns, found none",
		"# only a remark\n":    "t: expected a line with the names of the columns, found none",
		"a\n":                  "t:1: expected a column called b, found none",
		"# r\na\tb\tc\n":       `t:2: expected the columns a, b, found one called "c"`,
		"a\tb\ta\n":            "t:1: expected the column a once, found it twice",
		"a\tb\nx\t1\ny\n":      "t:3: expected 2 fields, found 1",
		"a\tb\nx\t1\t\n":       "t:2: expected 2 fields, found 3",
		"a\tb\n\t1\n":          `t:2: a: expected text without spaces at its ends, found ""`,
		"a\tb\n x\t1\n":        `t:2: a: expected text without spaces at its ends, found " x"`,
		"a\tb\n-\t1\n":         `t:2: a: expected text without spaces at its ends, found "-"`,
		"a\tb\nx\x01\t1\n":     `t:2: a: expected visible letters of Windows-1251, found "x\x01"`,
		"a\tb\nx\t256\n":       `t:2: b: expected a whole number from 0 to 255, found "256"`,
		"a\tb\nx\t1.5\n":       `t:2: b: expected a whole number from 0 to 255, found "1.5"`,
		"a\tb\nx\t1\n\ny\t-\n": `t:4: b: expected a whole number from 0 to 255, found "-"`,
		"a\tb\n\xff\t1\n":      `t:2: a: expected visible letters of Windows-1251, found "\xff"`,
	} {
		if err := readTable("t", table, []string{"a", "b"}, read); err == nil || err.Error() != want {
			t.Errorf("%q: expected %q, found %v", table, want, err)
		}
	}
}

func TestFirstErrorOfARowSticks(t *testing.T) {
	err := readTable("t", "a\tb\nx\ty\n", []string{"a", "b"}, func(r *tableRow) {
		r.number("a", 0, 1)
		choice(r, "b", "p", "q")
		if s := r.text("b"); s != "" {
			t.Errorf("after an error: expected nothing, found %q", s)
		}
	})
	if err == nil || !strings.HasPrefix(err.Error(), "t:2: a: ") {
		t.Errorf("expected the error of a, found %v", err)
	}
}

// Reading a table of any contents ends in rows or in an error.
func FuzzContentTables(f *testing.F) {
	for _, name := range []string{"places.tsv", "npcs.tsv", "portals.tsv"} {
		text := embeddedTable(name)
		f.Add(text[:min(len(text), 3000)])
	}
	f.Fuzz(func(t *testing.T, text string) {
		if g, err := parsePlaces("places", text); err == nil {
			for _, p := range g.places {
				if _, ok := AreaOf(p.Position); !ok || p.Position.Check() != nil {
					t.Errorf("accepted %+v", p)
				}
			}
		}
		if folk, err := parseNPCs("townsfolk", text, Places()); err == nil {
			for _, p := range folk {
				if p.Class == 0 || p.Position.Check() != nil {
					t.Errorf("accepted %+v", p)
				}
			}
		}
		if portals, err := parsePortals("portals", text); err == nil {
			for _, p := range portals {
				if p.Class == 0 || p.Position.Check() != nil || p.To.Check() != nil {
					t.Errorf("accepted %+v", p)
				}
			}
		}
	})
}
