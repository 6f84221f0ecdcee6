package rules

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func TestNamedMonstersHaveMoreHP(t *testing.T) {
	m := Monster{HPBase: 1_000_000}
	// Measured ratios of named to common, in thousandths. protocol gamerules 10.1.
	for level, want := range map[int]int{15: 1443, 16: 1446, 26: 1473, 30: 1477, 45: 1485, 60: 1489, 75: 1491, 85: 1492,
		90: 1493} {
		got := m.MaxHP(level, true) * 1000 / m.MaxHP(level, false)
		if got < want-15 || got > want+15 {
			t.Errorf("level %d: ratio %d, want about %d", level, got, want)
		}
	}
}

func TestColumnsInWords(t *testing.T) {
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
		{500, true, nil, 1}, {757, false, []int{0}, 1}, {760, false, []int{8, 9, 10, 11}, 1}, {759, false, []int{6, 7},
			1}, {753, false, []int{13}, 1},
		{761, false, []int{3}, 1}, {503, false, []int{55}, StackLimit}, {653, false, nil, StackLimit}, {2000, false,
			[]int{14}, 1}, {0, false, nil, 1},
	} {
		k := Kind{Class: v.class}
		k.Complete()
		if k.Hand != v.hand || !reflect.DeepEqual(k.Slots, v.slots) || k.Stack != v.stack {
			t.Errorf("class %d: hand %v slots %v stack %d, want %v %v %d", v.class, k.Hand, k.Slots, k.Stack, v.hand, v.slots,
				v.stack)
		}
	}
}

func TestBonusesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawBonus(t), drawBonus(t)
		sum := a
		sum.Add(&b, 1)
		if sum.HP != a.HP+b.HP || sum.Stats[7] != a.Stats[7]+b.Stats[7] ||
			sum.MagicalDefence != a.MagicalDefence+b.MagicalDefence {
			t.Fatalf("%+v and %+v are %+v", a, b, sum)
		}
		if sum.Add(&b, -1); sum != a {
			t.Fatalf("%+v plus and minus %+v is %+v", a, b, sum)
		}
	})
}

func drawBonus(t *rapid.T) (b Bonus) {
	n := func() int { return rapid.IntRange(-1000, 1000).Draw(t, "bonus") }
	b = Bonus{HP: n(), MP: n(), Attack: n(), PhysicalDefence: n(), MagicalDefence: n(), Magic: n()}
	for i := range b.Stats {
		b.Stats[i] = n()
	}
	return b
}

func TestNewItemsHaveTheirExtra(t *testing.T) {
	for _, v := range []struct {
		kind Kind
		want string
	}{
		{Kind{Class: ClassScroll, Subtype: 0x102}, "\x02\x01"}, {Kind{Class: ClassTokenStart}, "\x0B\x07\x00\x01"},
		{Kind{Class: ClassToken}, "\x0B\x07\x00\x00"}, {Kind{Class: ClassTokenCharges},
			"\x0B\x07\x00\x00"}, {Kind{Class: 500}, ""},
	} {
		if got := string(v.kind.NewExtra()); got != v.want {
			t.Errorf("class %d: %q, want %q", v.kind.Class, got, v.want)
		}
	}
}
