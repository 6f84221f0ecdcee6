package clientfiles

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"sphereserver/data/content"
	"sphereserver/world/rules"
)

// A client is a folder that a test fills with files of its own making.
type client struct {
	t   testing.TB
	dir string
}

func newClient(t *testing.T) client { return client{t, t.TempDir()} }

func (c client) write(path string, raw []byte) {
	c.t.Helper()
	path = filepath.Join(c.dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(path, raw, 0o644); err != nil {
		c.t.Fatal(err)
	}
}

// text writes lines in Windows-1251.
func (c client) text(path string, lines ...string) {
	c.t.Helper()
	c.write(path, c.encode(lines))
}

// packed writes lines in Windows-1251 in the container of parameter files.
func (c client) packed(path string, lines ...string) {
	c.t.Helper()
	file, err := PackParams(c.encode(lines))
	if err != nil {
		c.t.Fatal(err)
	}
	c.write(path, file)
}

func (c client) encode(lines []string) []byte {
	c.t.Helper()
	text, err := charmap.Windows1251.NewEncoder().String(strings.Join(lines, "\r\n") + "\r\n")
	if err != nil {
		c.t.Fatal(err)
	}
	return []byte(text)
}

// load imports the folder and expects that it can be.
func (c client) load() (content.Content, *Report) {
	c.t.Helper()
	raw, report, err := Import(c.t.Context(), c.dir, Options{})
	if err != nil {
		c.t.Fatal(err)
	}
	return raw, report
}

// kindRow is one line of an item table.
func kindRow(k rules.Kind) string { return formatRow(content.KindRow(&k)) }

// ironSword is a made-up row.
func ironSword(id int) rules.Kind {
	return rules.Kind{ID: id, Module: "wp_sword1", Model: "sw01", Icon: "i01", TierCode: "TE03w", Group: "A",
		EffectKey: "-",
		Columns:   rules.Columns{Attack: -60, Price: 900, Weight: 5000, Durability: 140, Need: rules.Need{Title: 9}}}
}

// whole is a small client in which nothing is wrong.
func whole(t *testing.T) client {
	c := newClient(t)
	ring := rules.Kind{ID: 3310, Module: "ar_ring", TierCode: "UE01g", Group: "F", Columns: rules.Columns{Price: 50}}
	mineral := rules.Kind{ID: 901, Module: "al_mineral", TierCode: "UE01z>", Group: "1E__"}
	monster := rules.Monster{ID: 1000, Module: "monster", Model: "npc40", High: 2, HPBase: 80, Attack: -8, Delay: 6,
		Habitat:  "P",
		Trophies: [2]rules.Trophy{{Kind: 501, Chance: 150}}}
	var suffixes []string
	for i, letter := range []string{"A", "A", "F"} {
		s := rules.Suffix{Letter: letter, Index: i % 2, Columns: rules.Columns{Attack: -1 - i}}
		suffixes = append(suffixes, formatRow(content.SuffixRow(&s)))
	}
	c.packed("params/group_swords_n.cfg", "// swords", "", kindRow(ironSword(3000)), kindRow(ironSword(3001)))
	c.packed("params/group_magdef_n.cfg", kindRow(ring))
	c.packed("params/group_alch.cfg", kindRow(mineral))
	c.packed("params/group_monst.cfg", formatRow(content.MonsterRow(&monster)))
	c.packed("params/grouppref.cfg", suffixes...)
	c.packed("params/npc40.cfg", "SEX 1", "SPDWALK 1.0", "SPDRUN\t8.3")
	c.packed("params/effset.cfg", "1 2 3 4 5 6")
	c.text("language/wp_sword1.txt", "200 истощения", "201 доблести", "#3000", "01 Меч стража",
		"02 Старый меч", "#3001", "01 Меч вора")
	c.text("language/wp_sword1_e.txt", "200 of exhaustion", "201 of valour", "#3000", "01 Guard's sword")
	c.text("language/monster.txt", "#1000", "01 Крыса")
	c.text("language/st_key.txt", "#1", "01 Ключ от двери")
	c.text("language/_tokens.txt", "1801 Шипстоун", "1802 Бангвиль")
	c.text("language/_tokens_e.txt", "1801 Shipstone")
	c.text("language/_rnms.txt", "#FULL", "4000 Иван", "#MALE", "01 Пётр")
	c.text("readme.txt", "not a language file")
	places, err := appendPlacements(nil, []content.Placement{{Name: "door1", X: 1.5, Y: 2, Z: -3, Yaw: 1},
		{Name: "дверь"}})
	if err != nil {
		t.Fatal(err)
	}
	c.write("params/mazes/maze1.mbd", places)
	return c
}

func TestImportOfAWholeClient(t *testing.T) {
	raw, report := whole(t).load()
	if len(report.Problems) > 0 {
		t.Errorf("problems: %v", report.Problems)
	}
	if report.Files != 16 || report.Read != 14 || report.Languages["ru"] != 5 || report.Languages["en"] != 2 {
		t.Errorf("%d files, %d read, languages %v", report.Files, report.Read, report.Languages)
	}
	if got := report.table("swords_n"); *got != (TableReport{"swords_n", "params/group_swords_n.cfg", 207, 2, 0}) {
		t.Errorf("swords: %+v", *got)
	}
	if read, skipped := report.Rows(); read != 8 || skipped != 0 || len(report.Missing()) != 16 {
		t.Errorf("%d rows read, %d skipped, missing %v", read, skipped, report.Missing())
	}
	c, err := content.Compose(&raw)
	if err != nil {
		t.Fatal(err)
	}
	sword := c.Kind(3000)
	if sword.Name("ru") != "Меч стража" || sword.Name("en") != "Guard's sword" || sword.Class != 500 ||
		sword.Tier != 3 || !sword.Hand || sword.Attack != -60 || sword.Table != "swords_n" {
		t.Errorf("sword: %+v", sword)
	}
	if got := sword.FullName(c.Suffix(sword, 1), "ru"); got != "Меч стража доблести" {
		t.Errorf("with a suffix: %q", got)
	}
	if got := sword.With(c.Suffix(sword, 1)).Attack; got != -66 { // two, three times
		t.Errorf("attack with a suffix: %d", got)
	}
	if c.Suffix(sword, 1).Key != "valor" || c.Suffix(c.Kind(3310), 0).Names["ru"] == "" {
		t.Errorf("suffixes: %+v", c.Suffixes("A"))
	}
	if found := c.Find("меч стража доблести", 1); len(found) != 1 || found[0].Suffix != 1 {
		t.Errorf("found %v", found)
	}
	if ring := c.Kind(3310); ring.Class != 760 || len(ring.Slots) != 4 {
		t.Errorf("ring: %+v", ring)
	}
	if m := c.Monster(1000); m.Name("ru") != "Крыса" || m.MaxHP(2, false) != 128 || m.Class != 210 ||
		m.Trophies[0].Chance != 150 {
		t.Errorf("monster: %+v", m)
	}
	if key := c.Of(701, 0, 0); key.Name("ru") != "Ключ от двери" || key.ID != 107010 {
		t.Errorf("key: %+v", key)
	}
	if tokens := c.Content.Texts["_tokens"]; len(tokens) != 2 || tokens[0].Text["en"] != "Shipstone" ||
		tokens[1].Text["ru"] != "Бангвиль" {
		t.Errorf("tokens: %v", tokens)
	}
	if people := c.Content.Texts["_rnms"]; len(people) != 2 || people[0].Section != "FULL" || people[0].Number != 4000 {
		t.Errorf("people: %v", people)
	}
	if p := c.Content.Placements; len(p) != 2 || p[0].File != "params/mazes/maze1.mbd" || p[0].Z != -3 ||
		p[1].Name != "дверь" {
		t.Errorf("places: %v", p)
	}
	if m := c.Content.Models["npc40"]; m != (content.Model{Walk: 1, Run: 8.3}) {
		t.Errorf("model: %v", m)
	}
}

func TestImportSaysHowFarItIs(t *testing.T) {
	var seen []int
	_, report, err := Import(t.Context(), whole(t).dir,
		Options{Progress: func(read, total int) { seen = append(seen, read*100+total) }})
	if err != nil || len(seen) != report.Read || seen[0] != 100+report.Read || seen[len(seen)-1] != report.Read*101 {
		t.Errorf("progress %v of %d, %v", seen, report.Read, err)
	}
}

// Each thing that can be wrong is named, with its place, and costs nothing but itself.
func TestWhatIsWrongIsNamed(t *testing.T) {
	good := kindRow(ironSword(1))
	damaged, err := PackParams([]byte(good))
	if err != nil {
		t.Fatal(err)
	}
	damaged[len(damaged)-3] ^= 0x55
	for name, v := range map[string]struct {
		do   func(client)
		want string
	}{
		"damaged container": {func(c client) { c.write("params/group_axes.cfg", damaged) },
			"params/group_axes.cfg: not read: after"},
		"cut container": {func(c client) { c.write("params/group_axes.cfg", damaged[:12]) },
			"params/group_axes.cfg: not read: expected a file that begins with \"SPHR\" and has at least 21 bytes"},
		"binary": {func(c client) { c.write("params/group_axes.cfg", []byte("MZ\x90\x00")) },
			"params/group_axes.cfg: byte 3: not read: expected text or a packed file, found a zero byte"},
		"unknown table": {func(c client) { c.packed("params/group_wands.cfg", good) },
			"params/group_wands.cfg: not read: no table of this name is known"},
		"short row": {func(c client) { c.packed("params/group_axes.cfg", "", "5\twp_axe1") },
			"params/group_axes.cfg: line 2: row skipped: expected 52 columns, found 2"},
		"word for a number": {func(c client) { c.packed("params/group_axes.cfg", strings.Replace(good, "900", "many", 1)) },
			`params/group_axes.cfg: line 1: row skipped: column 40 (price): expected a number of 32 bits, found "many"`},
		"number too big": {func(c client) {
			c.packed("params/group_axes.cfg", strings.Replace(good, "900", "99999999999",
				1))
		}, "column 40 (price): expected a number of 32 bits"},
		"id twice": {func(c client) { c.packed("params/group_unique.cfg", kindRow(ironSword(3000))) },
			"params/group_unique.cfg: line 1: row skipped: id 3000 is in table swords_n already"},
		"id zero": {func(c client) { c.packed("params/group_axes.cfg", kindRow(ironSword(0))) },
			"line 1: row skipped: column 0 (id): expected 1 to 99999, found 0"},
		"fractions": {func(c client) {
			c.packed("params/group_axes.cfg", strings.Replace(good, "\t140\t", "\t1.5\t",
				1))
		}, "params/group_axes.cfg: 1 rows have fractions, which were cut off"},
		"unknown module": {func(c client) {
			c.packed("params/group_axes.cfg", strings.Replace(good, "wp_sword1",
				"wp_wand", 1))
		}, `1 rows are of module "wp_wand", whose class is not known`},
		"id that we use": {func(c client) { c.packed("params/group_axes.cfg", kindRow(ironSword(15001))) },
			"1 rows have ids from 15000 to 15999"},
		"monster of nothing": {func(c client) { c.packed("params/group_monst.cfg", good) },
			"params/group_monst.cfg: line 1: row skipped: column 1 (module): expected a kind of monster"},
		"suffix letter": {func(c client) { c.packed("params/grouppref.cfg", "0\tabc"+strings.Repeat("\t", 50)) },
			`params/grouppref.cfg: line 1: row skipped: column 1 (letter): expected a letter A to Z, found "abc"`},
		"gap of suffixes": {func(c client) { c.packed("params/grouppref.cfg", suffixRow("A", 0), suffixRow("A", 2)) },
			"params/grouppref.cfg: group A: no row with index 1"},
		"scattered suffixes": {func(c client) { c.packed("params/grouppref.cfg", suffixRow("A", 0), suffixRow("A", 90000)) },
			"params/grouppref.cfg: group A not used: 2 rows with indexes from 0 to 90000"},
		"suffix twice": {func(c client) { c.packed("params/grouppref.cfg", suffixRow("A", 0), suffixRow("A", 0)) },
			"params/grouppref.cfg: line 2: row skipped: suffix 0 of group A is in the table already"},
		"two tables": {func(c client) { c.packed("old/params/group_swords_n.cfg", good) },
			"old/params/group_swords_n.cfg: not read: params/group_swords_n.cfg has the same name"},
		"model without": {func(c client) { c.packed("params/npc41.cfg", "SEX 1") },
			"params/npc41.cfg: not used: expected a line SPDWALK or SPDRUN, found none"},
		"cut placements": {func(c client) { c.write("params/events/a.mbd", []byte{2, 0, 0, 0, 1, 2, 3}) },
			"params/events/a.mbd: byte 4: expected 2 records of 44 bytes, found 3 bytes"},
		"empty placements": {func(c client) { c.write("params/events/a.mbd", nil) },
			"params/events/a.mbd: byte 0: expected a header of 4 bytes, found 0 bytes"},
		"other mbd": {func(c client) { c.write("params/sst1/a.mbd", []byte{2, 0, 1, 0}) },
			"params/sst1/a.mbd: byte 2: expected 0, found 1: not a placement file"},
		"no number": {func(c client) { c.write("params/events/a.mbd", nanPlacement()) },
			"params/events/a.mbd: byte 4: record skipped: a coordinate is no number"},
		"odd language": {func(c client) { c.text("language/ar_helm.txt", "#1", "01 Шлем", "и ещё") },
			"language/ar_helm.txt: 1 lines not read: expected a number or \"#\" at the beginning"},
	} {
		t.Run(name, func(t *testing.T) {
			c := whole(t)
			v.do(c)
			raw, report := c.load()
			if got := fmt.Sprint(report.Problems); !strings.Contains(strings.ReplaceAll(problemLines(report), "\n", " | "),
				v.want) {
				t.Errorf("problems %s\nwant one with %q", got, v.want)
			}
			made, err := content.Compose(&raw)
			if err != nil {
				t.Fatal(err)
			}
			if made.Kind(3001) == nil {
				t.Error("the rest was not read")
			}
		})
	}
}

func suffixRow(letter string, index int) string {
	s := rules.Suffix{Letter: letter, Index: index}
	return formatRow(content.SuffixRow(&s))
}

func problemLines(r *Report) string {
	var out []string
	for _, p := range r.Problems {
		line := p.What
		if p.Where != "" {
			line = p.Where + ": " + line
		}
		if p.File != "" {
			line = p.File + ": " + line
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func TestFoldersWithNothingOfUse(t *testing.T) {
	empty := newClient(t)
	empty.text("readme.txt", "hello")
	if _, report, err := Import(t.Context(), empty.dir, Options{}); err == nil || !strings.Contains(err.Error(),
		"nothing of use") || report.Files != 1 {
		t.Errorf("%+v, %v", report, err)
	}
	if _, _, err := Import(t.Context(), filepath.Join(empty.dir, "nowhere"), Options{}); err == nil {
		t.Error("a folder that is not there was read")
	}
	all := newClient(t)
	all.write("params/group_swords.cfg", []byte("SPHR"))
	if _, report, err := Import(t.Context(), all.dir, Options{}); err == nil || len(report.Problems) != 1 {
		t.Errorf("only a damaged file: %+v, %v", report, err)
	}
}

func TestPlainFilesAndOtherCasesAreRead(t *testing.T) {
	c := newClient(t)
	c.text("PARAMS/Group_Swords_N.CFG", kindRow(ironSword(5)))
	c.text("Language/WP_Sword1_SPA.TXT", "#5", "01 Espada")
	c.text("Language/crystal_attr_d.txt", "#1", "01 Кристалл")
	raw, report := c.load()
	if len(raw.Kinds) != 1 || raw.Kinds[0].Names["es"] != "Espada" {
		t.Errorf("kinds: %+v", raw.Kinds)
	}
	if report.Languages["ru"] != 1 || report.Languages["de"] != 0 {
		t.Errorf("languages: %v", report.Languages)
	}
}

func TestSuffixesThatAreNotCountedFromZero(t *testing.T) {
	c := newClient(t)
	c.packed("params/grouppref.cfg", suffixRow("A", 6), suffixRow("A", 5), suffixRow("B", 1))
	raw, _ := c.load()
	var got []string
	for _, s := range raw.Suffixes {
		got = append(got, fmt.Sprint(s.Letter, s.Index))
	}
	if fmt.Sprint(got) != "[A0 A1 B0]" {
		t.Errorf("suffixes %v", got)
	}
}

func TestManyProblemsAreCounted(t *testing.T) {
	c := whole(t)
	var rows []string
	for range MaxProblems + 50 {
		rows = append(rows, "x")
	}
	c.packed("params/group_axes.cfg", rows...)
	_, report := c.load()
	if len(report.Problems) != MaxProblems || report.More != 50 || report.table("axes").Skipped != MaxProblems+50 {
		t.Errorf("%d problems and %d more, %d skipped", len(report.Problems), report.More, report.table("axes").Skipped)
	}
}

func TestTableWithoutEnd(t *testing.T) {
	c := newClient(t)
	rows := make([]string, maxRows+5)
	for i := range rows {
		rows[i] = fmt.Sprintf("%d\twp_axe1%s", i+1, strings.Repeat("\t", 50))
	}
	c.packed("params/group_axes.cfg", rows...)
	raw, report := c.load()
	if len(raw.Kinds) != maxRows || !strings.Contains(problemLines(report), fmt.Sprintf("line %d: the rest is not read",
		maxRows+1)) {
		t.Errorf("%d kinds; %s", len(raw.Kinds), problemLines(report))
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	outside := whole(t)
	c := newClient(t)
	c.packed("params/group_axes.cfg", kindRow(ironSword(9)))
	if err := os.Symlink(filepath.Join(outside.dir, "params", "group_swords_n.cfg"), filepath.Join(c.dir, "params",
		"group_swords_n.cfg")); err != nil {
		t.Skip("no links here:", err)
	}
	if raw, _ := c.load(); len(raw.Kinds) != 1 {
		t.Errorf("%d kinds, want that of the folder only", len(raw.Kinds))
	}
}
