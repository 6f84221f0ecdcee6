package clientfiles

import (
	"fmt"
	"strings"
	"testing"

	"sphereserver/data/content"
	"sphereserver/world/rules"
)

// full fills a folder with as many rows as a known client has, and a language file for each of some modules.
func full(c client) {
	modules := []string{"wp_sword1", "wp_axe1", "wp_arbalest1", "ar_armor", "ar_helm", "ar_ring", "pw_fb02",
		"mg_mantra_white", "sp_guild"}
	texts := map[string][]string{}
	id := 0
	for _, e := range expected {
		var rows []string
		for range e.rows {
			id++
			switch e.table {
			case "monst":
				m := rules.Monster{ID: id, Module: "monster", HPBase: id}
				rows = append(rows, formatRow(content.MonsterRow(&m)))
			case "pref":
				rows = append(rows, suffixRow(string(rune('A'+len(rows)/20)), len(rows)%20))
			default:
				k := ironSword(id)
				k.Module = modules[id%len(modules)]
				rows = append(rows, kindRow(k))
				texts[k.Module] = append(texts[k.Module], fmt.Sprintf("#%d", id), fmt.Sprintf("01 Предмет %d", id))
			}
		}
		name := "params/group_" + e.table + ".cfg"
		if e.table == "pref" {
			name = "params/grouppref.cfg"
		}
		c.packed(name, rows...)
	}
	for module, text := range texts {
		for _, end := range []string{"", "_e", "_i", "_p", "_d", "_f", "_spa"} {
			c.text("language/"+module+end+".txt", text...)
		}
	}
}

func TestAClientOfKnownSizeIsReadWhole(t *testing.T) {
	c := newClient(t)
	full(c)
	raw, report := c.load()
	for _, e := range report.Tables {
		if e.Read != e.Expected || e.Skipped != 0 {
			t.Errorf("%+v", e)
		}
	}
	if len(report.Problems) > 0 || len(report.Missing()) > 0 || report.Names["ru"] != report.Names["es"] {
		t.Errorf("problems %v, missing %v, names %v", report.Problems, report.Missing(), report.Names)
	}
	// The rows of items are 3,146 in all; gamerules 13.2 counts the rows of monsters with them.
	if len(raw.Kinds)+len(raw.Monsters) != 3374 || len(raw.Suffixes) != 182 {
		t.Errorf("%d kinds, %d monsters, %d suffixes", len(raw.Kinds), len(raw.Monsters), len(raw.Suffixes))
	}
	dir := t.TempDir()
	if err := content.WriteContent(dir, &raw); err != nil {
		t.Fatal(err)
	}
	made, err := content.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if k := made.Kind(1); k == nil || !strings.HasPrefix(k.Name("ru"), "Предмет") || made.Kind(15001) != nil {
		t.Errorf("kind 1 is %v", k)
	}
}

func BenchmarkImport(b *testing.B) {
	c := benchClient(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Import(b.Context(), c, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	raw, _, err := Import(b.Context(), benchClient(b), Options{})
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	if err := content.WriteContent(dir, &raw); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := content.Open(dir); err != nil {
			b.Fatal(err)
		}
	}
}

func benchClient(b *testing.B) string {
	c := client{b, b.TempDir()}
	full(c)
	return c.dir
}
