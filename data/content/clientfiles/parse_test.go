package clientfiles

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"
	"pgregory.net/rapid"

	"sphereserver/data/content"
	"sphereserver/world/rules"
)

func nanPlacement() []byte {
	file := append([]byte{1, 0, 0, 0}, make([]byte, placementRecord)...)
	binary.LittleEndian.PutUint32(file[placementHeader+placementName:], math.Float32bits(float32(math.NaN())))
	return file
}

// draw fills every column with something that a row can hold.
func draw(t *rapid.T, columns []content.Column) {
	for _, c := range columns {
		if c.Text != nil {
			*c.Text = rapid.StringMatching(`[A-Za-zА-Я0-9_+>-]{0,8}`).Draw(t, c.Name)
		} else {
			*c.Number = int(rapid.Int32().Draw(t, c.Name))
		}
	}
}

func TestRowsComeBackAsTheyWere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var k, kBack rules.Kind
		var s, sBack rules.Suffix
		var m, mBack rules.Monster
		draw(t, content.KindRow(&k))
		draw(t, content.SuffixRow(&s))
		draw(t, content.MonsterRow(&m))
		for _, v := range []struct{ from, to []content.Column }{{content.KindRow(&k), content.KindRow(&kBack)},
			{content.SuffixRow(&s), content.SuffixRow(&sBack)}, {content.MonsterRow(&m), content.MonsterRow(&mBack)}} {
			if cut, err := parseRow(formatRow(v.from), v.to); err != nil || cut {
				t.Fatalf("%v, cut %v", err, cut)
			}
		}
		if diff := cmp.Diff(k, kBack) + cmp.Diff(s, sBack) + cmp.Diff(m, mBack); diff != "" {
			t.Fatal(diff)
		}
	})
}

// The columns of a row stand where the description says. protocol gamerules 13.2, 13.3.
func TestRowsHaveTheirColumnsInPlace(t *testing.T) {
	cells := make([]string, content.RowColumns)
	for i := range cells {
		cells[i] = string(rune('1')) + strings.Repeat("0", 2) // 100
		cells[i] = cells[i][:1] + string(rune('0'+i/10)) + string(rune('0'+i%10))
	}
	row := strings.Join(cells, "\t") // 100, 101 … 151
	var k rules.Kind
	if _, err := parseRow(row, content.KindRow(&k)); err != nil {
		t.Fatal(err)
	}
	want := rules.Kind{ID: 100, Module: "101", Model: "102", Icon: "103", Look: [3]string{"145", "146", "147"},
		EffectKey: "148", TierCode: "149", Group: "150", Rest: "151",
		Columns: rules.Columns{UseHP: 104, UseMP: 105,
			Need: rules.Need{Title: 106, Degree: 107, KarmaMin: 108, KarmaMax: 109, Stats: rules.Stats{110, 111, 112, 113, 114,
				115, 116, 117}},
			Attack: 118, Magic: 119, MPEffect: 120, Spread: 121,
			Bonus: rules.Bonus{HP: 122, MP: 123, Attack: 124, PhysicalDefence: 125, MagicalDefence: 126,
				Stats: rules.Stats{127, 128, 129, 130, 131, 132, 133, 134}, Magic: 135},
			Weight: 136, Durability: 137, Range: 138, UseTime: 139, Price: 140, Effect: 141, EffectLength: 142, Reuse: 143,
			Chance: 144}}
	if diff := cmp.Diff(want, k); diff != "" {
		t.Errorf("kind: -want +got\n%s", diff)
	}
	var m rules.Monster
	if _, err := parseRow(row, content.MonsterRow(&m)); err != nil {
		t.Fatal(err)
	}
	wantMonster := rules.Monster{ID: 100, Module: "101", Model: "102", Speed: 104, Flying: 105, Karma: 106, Low: 107,
		High: 108, HPBase: 109, Physical: 110, Magical: 111,
		Trophies: [2]rules.Trophy{{Kind: 112, Chance: 113},
			{Kind: 114, Chance: 115}}, Size: 117, Attack: 118, Magic: 119, Weight: 136, Range: 138, Delay: 139, Effect: 141,
		Length: 142, Chance: 144, EffectKey: "148", Habitat: "149", Changes: want.Bonus}
	if diff := cmp.Diff(wantMonster, m); diff != "" {
		t.Errorf("monster: -want +got\n%s", diff)
	}
	var s rules.Suffix
	if _, err := parseRow(row, content.SuffixRow(&s)); err != nil {
		t.Fatal(err)
	}
	if s.Index != 100 || s.Letter != "101" || s.Columns != want.Columns {
		t.Errorf("suffix: %+v", s)
	}
}

func TestNumbersOfRows(t *testing.T) {
	for _, v := range []struct {
		cell string
		n    int
		cut  bool
		ok   bool
	}{{"", 0, false, true}, {"-", 0, false, true}, {"-15", -15, false, true}, {"+7", 7, false, true}, {"1.5", 1, true,
		true}, {"-1,5", -1, true, true}, {"2.0", 2, false, true},
		{"2147483647", math.MaxInt32, false, true}, {"1e3", 1000, false, true}, {"2147483648", 0, false, false}, {"NaN", 0,
			false, false}, {"Inf", 0, false, false}, {"x", 0, false, false}} {
		n, cut, err := parseNumber(v.cell)
		if n != v.n || cut != v.cut || (err == nil) != v.ok {
			t.Errorf("%q: %d, cut %v, %v", v.cell, n, cut, err)
		}
	}
}

func TestTextOfLanguageFiles(t *testing.T) {
	text, err := charmap.Windows1251.NewEncoder().String("// c\r\n200 урона\r\n#12 меч\r\n01 Меч — «тест»\n02\tещё\n03\nx\n99999999999 много\n\n# FULL\t\n4000 Имя")
	if err != nil {
		t.Fatal(err)
	}
	got, strange := parseLanguage([]byte(text))
	want := []numberedLine{{"", 200, "урона"}, {"12", 1, "Меч — «тест»"}, {"12", 2, "ещё"},
		{"12", 3, ""}, {"FULL", 4000, "Имя"}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(numberedLine{})); diff != "" || strange != 2 {
		t.Errorf("%d strange lines; -want +got\n%s", strange, diff)
	}
}

func TestLanguageFilesByName(t *testing.T) {
	for name, want := range map[string]string{
		"wp_sword1": "wp_sword1 ru", "wp_sword1_e": "wp_sword1 en", "wp_sword1_spa": "wp_sword1 es",
		"wp_sword1_i": "wp_sword1 it", "wp_sword1_p": "wp_sword1 pl",
		"wp_sword1_d": "wp_sword1 de", "wp_sword1_f": "wp_sword1 fr", "_tokens": "_tokens ru", "_tokens_e": "_tokens en",
		"tokens": "_tokens ru", "_tpl_x": " ",
		"crystal_attr_d": "crystal_attr_d ru", "wp_wand_e": "wp_wand en", "wp_wand": "wp_wand ru", "readme": " ",
		"readme_e": " ", "": " ", "_e": " ",
	} {
		module, language := splitLanguage(name)
		if got := module + " " + language; got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestPlacementsComeBackAsTheyWere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) content.Placement {
			p := content.Placement{Name: rapid.StringMatching(`[a-zА-Я0-9_]{0,20}`).Draw(t, "name")}
			for _, v := range placeNumbers(&p) {
				*v = rapid.Float32Range(-1e6, 1e6).Draw(t, "coordinate")
			}
			return p
		}), 0, 20).Draw(t, "places")
		file, err := appendPlacements(nil, places)
		if err != nil {
			t.Fatal(err)
		}
		back, bad, err := ParsePlacements(file)
		if err != nil || bad != nil || len(back) != len(places) || len(places) > 0 && !cmp.Equal(back, places) {
			t.Fatalf("%v came back as %v, %v, %v", places, back, bad, err)
		}
		again, err := appendPlacements(nil, back)
		if err != nil || !bytes.Equal(again, file) {
			t.Fatalf("% X was written as % X, %v", file, again, err)
		}
	})
	for name, p := range map[string]content.Placement{"long": {Name: strings.Repeat("a", 21)},
		"not in Windows-1251": {Name: "日"}, "NUL": {Name: "a\x00b"}} {
		if _, err := appendPlacements(nil, []content.Placement{p}); err == nil {
			t.Errorf("%s: written", name)
		}
	}
}

// The memory that a file costs follows from its bytes, not from its own counts.
func TestMemoryFollowsTheBytes(t *testing.T) {
	lying, err := PackParams([]byte("1\twp_axe1"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 { // says that it has 63 MiB of content
		lying[4+i] = []byte{0, 0, 0xF0, 3}[i] ^ lying[14]
	}
	for name, work := range map[string]func(){
		"placements": func() { ParsePlacements([]byte{0xFF, 0xFF, 0, 0}) },
		"container":  func() { UnpackParams(lying) },
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		work()
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
			t.Errorf("%s: a few bytes cost %d", name, got)
		}
	}
}

func TestImportEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Import(ctx, whole(t).dir, Options{}); err == nil {
		t.Error("went on")
	}
}

func FuzzTables(f *testing.F) {
	f.Add([]byte(kindRow(ironSword(1))))
	f.Add([]byte(suffixRow("A", 1) + "\r\n" + suffixRow("A", 3)))
	var m rules.Monster
	m.ID, m.Module = 1000, "monsterf"
	f.Add([]byte(formatRow(content.MonsterRow(&m))))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c := newCollection(newReport(""))
		for _, sort := range []sort{items, monsters, suffixes, model} {
			c.read(file{sort: sort, name: "axes", path: "x"}, raw)
		}
		out := c.finish()
		if _, err := content.New(out); err != nil {
			t.Errorf("%q made a catalogue that is none: %v", raw, err)
		}
	})
}

func FuzzLanguage(f *testing.F) {
	f.Add([]byte("#1\n01 name\n200 suffix"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c := newCollection(newReport(""))
		k := ironSword(1)
		k.GameID, k.Class = 1, 500
		c.kinds[1], c.out.Kinds = 0, append(c.out.Kinds, k)
		for _, name := range []string{"wp_sword1", "_tokens", "st_key"} {
			c.read(file{sort: language, name: name, language: "ru", path: "x"}, raw)
		}
		out := c.finish()
		text, err := content.EncodeContent(&out)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := content.DecodeContent(text); err != nil || !cmp.Equal(back, out) {
			t.Fatalf("%q: the content came back otherwise: %v\n%s", raw, err, cmp.Diff(out, back))
		}
	})
}

func FuzzPlacements(f *testing.F) {
	f.Add(nanPlacement())
	f.Add([]byte{1, 0, 0, 0})
	f.Fuzz(func(t *testing.T, raw []byte) {
		places, bad, _ := ParsePlacements(raw)
		if placementRecord*(len(places)+len(bad)) > len(raw) {
			t.Errorf("%d bytes gave %d places", len(raw), len(places)+len(bad))
		}
		for _, p := range places {
			for _, v := range placeNumbers(&p) {
				if f := float64(*v); math.IsNaN(f) || math.IsInf(f, 0) {
					t.Errorf("a place at %v", p)
				}
			}
		}
	})
}
