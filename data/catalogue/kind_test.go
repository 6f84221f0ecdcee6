package catalogue

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func TestMonsterHPAsRecorded(t *testing.T) {
	// protocol gamerules 17 and 18.
	for _, v := range []struct{ monster, level, hp int }{
		{1000, 2, 128}, {1000, 1, 80}, {1010, 1, 80}, {1010, 3, 176}, {1010, 4, 224}, {1071, 4, 254}, {1120, 5, 299}, {1170, 1, 32},
		{1020, 1, 85}, {1020, 3, 187}, {1020, 4, 238}, {1060, 2, 131}, {1060, 4, 229}, {1001, 3, 178}, {1011, 4, 229}, {1021, 4, 243},
		{1070, 1, 86}, {1070, 2, 137}, {1069, 1, 64},
	} {
		m := Default().Monster(v.monster)
		if m == nil {
			t.Errorf("no monster %d", v.monster)
		} else if got := m.MaxHP(v.level); got != v.hp {
			t.Errorf("monster %d of level %d has %d HP, want %d", v.monster, v.level, got, v.hp)
		}
	}
	if m := Default().Monster(1); m != nil {
		t.Errorf("monster 1 is %v", m)
	}
}

func TestNamedMonstersHaveMoreHP(t *testing.T) {
	m := Monster{HPBase: 1_000_000}
	// Measured ratios of named to common, in thousandths. protocol gamerules 10.1.
	for level, want := range map[int]int{15: 1443, 16: 1446, 26: 1473, 30: 1477, 45: 1485, 60: 1489, 75: 1491, 85: 1492, 90: 1493} {
		got := m.NamedHP(level) * 1000 / m.MaxHP(level)
		if got < want-15 || got > want+15 {
			t.Errorf("level %d: ratio %d, want about %d", level, got, want)
		}
	}
}

func TestColumnsInWords(t *testing.T) {
	for _, v := range []struct{ value, reach, radius int }{{2, 2, 0}, {100, 100, 0}, {315, 15, 3}, {1020, 20, 10}} {
		c := Columns{Range: v.value}
		if reach, radius := c.Reach(); reach != v.reach || radius != v.radius {
			t.Errorf("range %d: reach %d radius %d, want %d and %d", v.value, reach, radius, v.reach, v.radius)
		}
	}
	for length, want := range map[int]int{0: 0, 1: 300, 100: 30000, 101: 5, 130: 150, 220: 600} {
		c := Columns{EffectLength: length}
		if got := c.EffectSeconds(); got != want {
			t.Errorf("effect length %d: %d s, want %d", length, got, want)
		}
	}
	for code, want := range map[string]int{"TE00w": 0, "TE03w": 3, "DE12a": 12, "UE01z>": 1, "": 0, "TExx": 0, "TE1": 0} {
		if got := TierOf(code); got != want {
			t.Errorf("tier code %q: %d, want %d", code, got, want)
		}
	}
}

func TestModulesHaveClasses(t *testing.T) {
	for module, want := range map[string]int{
		"wp_sword1": 500, "wp_axe1": 501, "wp_arbalest1": 502, "ar_armor": 750, "WP_SWORD1": 500, "wp_sword1st": 506, "wp_sword1u": 505, "ar_armor2": 761,
		"ar_helm": 757, "ar_ring": 760, "jw_ring": 555, "pw_fb02": 453, "al_mineral": 600, "monsterf": 211, "mg_mantra_white": 1000, "ct_ubag": 401,
		"ar_armoru": 770, "ar_helmf": 956, "nothing": 0, "": 0, "wp_": 0,
	} {
		if got := ClassOf(module); got != want {
			t.Errorf("module %q: class %d, want %d", module, got, want)
		}
	}
	seen, names := map[int]bool{}, map[string]bool{}
	for _, c := range classes {
		if seen[c.class] {
			t.Errorf("class %d is listed twice", c.class)
		}
		seen[c.class] = true
		if names[c.modules] {
			t.Errorf("module %s is listed twice", c.modules)
		}
		names[c.modules] = true
		for _, s := range c.slots {
			if SlotName(s) == "slot" {
				t.Errorf("class %d: slot %d has no name", c.class, s)
			}
		}
	}
}

// Every number of a row can be reached by its column, and no two columns are the same.
func TestColumnsCoverTheRow(t *testing.T) {
	var k Kind
	var s Suffix
	var m Monster
	for name, columns := range map[string][]Column{"kind": k.Row(), "suffix": s.Row(), "monster": m.Row()} {
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

func TestNamesFallBack(t *testing.T) {
	n := Names{"ru": "меч", "en": "sword", "de": ""}
	for language, want := range map[string]string{"ru": "меч", "en": "sword", "de": "sword", "": "sword"} {
		if got := n.In(language); got != want {
			t.Errorf("in %q: %q, want %q", language, got, want)
		}
	}
	if got := (Names{"fr": "épée", "es": "espada"}).In("ru"); got != "espada" {
		t.Errorf("of other languages: %q", got)
	}
	k := Kind{ID: 7, Module: "wp_axe1"}
	if got := k.Name("ru"); got != "wp_axe1 7" {
		t.Errorf("without a name: %q", got)
	}
	s := Suffix{Letter: "A", Index: 3}
	if got := k.FullName(&s, "ru"); got != "wp_axe1 7 A3" {
		t.Errorf("with a nameless suffix: %q", got)
	}
	s.Names, s.ByModule = Names{"ru": "урона"}, map[string]Names{"wp_axe1": {"ru": "разрушения"}}
	if got := k.FullName(&s, "ru"); got != "wp_axe1 7 разрушения" {
		t.Errorf("with a suffix that the module names otherwise: %q", got)
	}
}

func TestCompleteFollowsTheClass(t *testing.T) {
	for _, v := range []struct {
		class int
		hand  bool
		slots []int
		stack int
	}{
		{500, true, nil, 1}, {757, false, []int{0}, 1}, {760, false, []int{8, 9, 10, 11}, 1}, {759, false, []int{6, 7}, 1}, {753, false, []int{13}, 1},
		{761, false, []int{3}, 1}, {503, false, []int{55}, StackLimit}, {653, false, nil, StackLimit}, {2000, false, []int{14}, 1}, {0, false, nil, 1},
	} {
		k := Kind{Class: v.class}
		k.Complete()
		if k.Hand != v.hand || !reflect.DeepEqual(k.Slots, v.slots) || k.Stack != v.stack {
			t.Errorf("class %d: hand %v slots %v stack %d, want %v %v %d", v.class, k.Hand, k.Slots, k.Stack, v.hand, v.slots, v.stack)
		}
	}
}

func TestBonusesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawBonus(t), drawBonus(t)
		sum := a.Plus(b)
		if back := sum.Plus(negative(b)); back != a {
			t.Fatalf("%+v plus and minus %+v is %+v", a, b, back)
		}
	})
}

func drawBonus(t *rapid.T) Bonus {
	var b Bonus
	for _, v := range b.all() {
		*v = rapid.IntRange(-1000, 1000).Draw(t, "bonus")
	}
	return b
}

func negative(b Bonus) Bonus {
	for _, v := range b.all() {
		*v = -*v
	}
	return b
}
