package rules

import (
	"strings"
	"testing"
)

func TestSpellsAreWhatTheColumnsSay(t *testing.T) {
	for name, c := range map[string]struct {
		class int
		n     Columns
		key   string
		want  Spell
		harms bool
		none  bool
	}{
		"healing": {class: 1000, n: Columns{Magic: 540, UseMP: -32}, want: Spell{HP: 540, CostMP: 32}},
		"prana":   {class: 1000, n: Columns{MPEffect: 1050, UseHP: -55}, want: Spell{MP: 1050, CostHP: 55}},
		"attack":  {class: 1001, n: Columns{Attack: -9, Magic: -54}, want: Spell{Attack: true}, harms: true},
		"area":    {class: 455, n: Columns{Magic: -10, Range: 715}, want: Spell{Attack: true, Area: true}, harms: true},
		"drain":   {class: 1001, n: Columns{MPEffect: -80}, want: Spell{Drain: 80}, harms: true},
		"both":    {class: 456, n: Columns{Attack: 800, Magic: 800, MPEffect: 5000}, want: Spell{HP: 800, MP: 5000}},
		"food":    {class: 650, want: Spell{Satiety: 5}},
		"nothing": {class: 470, none: true},
		"a sword": {class: 500, n: Columns{Attack: -9}, none: true},
		"bad bread": {class: 473, n: Columns{Magic: -9}, want: Spell{Attack: true, Effect: SatedEffect(), Chance: 1000},
			harms: true},
	} {
		got, ok := DefaultBalance().Effect.SpellOf(c.class, &Kind{Class: c.class, EffectKey: c.key}, &c.n)
		if ok == c.none || ok && got != c.want || ok && got.Harms() != c.harms {
			t.Errorf("%s: %+v, %t", name, got, ok)
		}
	}
	if s, ok := DefaultBalance().Effect.SpellOf(653, nil, &Columns{}); !ok || s.Satiety == 0 {
		t.Error("food of an unknown kind does not feed")
	}
	if _, ok := DefaultBalance().Effect.SpellOf(453, nil, &Columns{}); ok {
		t.Error("a powder of an unknown kind does something")
	}
}

func TestSpellsArePaidAndHealWithinLimits(t *testing.T) {
	v := Pools{HP: 50, MaxHP: 100, MP: 40, MaxMP: 60, Satiety: 95, MaxSatiety: 100}
	s := Spell{HP: 80, MP: 5, Satiety: 20, CostHP: 49, CostMP: 40}
	if free := (Spell{CostMP: 5}); !free.MayPay(Pools{HP: 0, MP: 5}) || free.MayPay(Pools{HP: 9, MP: 4}) {
		t.Error("what costs no HP asks for some")
	}
	if !s.MayPay(v) || s.MayPay(Pools{HP: 49, MP: 40}) || s.MayPay(Pools{HP: 50, MP: 39}) {
		t.Error("costs are counted wrong")
	}
	paid := s.Pay(v)
	if paid != (Pools{HP: 1, MaxHP: 100, MaxMP: 60, Satiety: 100, MaxSatiety: 100}) {
		t.Errorf("paid %+v", paid)
	}
	if got := s.Heal(paid); got.HP != 81 || got.MP != 5 {
		t.Errorf("healed %+v", got)
	}
	if got := s.Heal(Pools{HP: 90, MaxHP: 100, MP: 70, MaxMP: 60}); got.HP != 100 || got.MP != 70 {
		t.Errorf("healed %+v", got)
	}
	if got := s.Heal(Pools{MaxHP: 100}); got.HP != 0 {
		t.Error("the dead are healed")
	}
}

// All white mantras are for friends, all black ones for enemies, and length codes are the seconds beside them.
func TestSpellsOfTheClientAreKnown(t *testing.T) {
	for _, file := range []string{"mantras.tsv", "powders.tsv"} {
		n := readNumbers(t, file)
		for _, r := range n.rows {
			id := n.number(r, "id")
			k := Kind{ID: id, Class: n.number(r, "class"), EffectKey: n.text(r, "key"), TierCode: n.text(r, "tier"),
				Columns: Columns{Attack: n.number(r, "pa"), Magic: n.number(r, "ma"), MPEffect: n.number(r, "mp"),
					Range: n.number(r, "range_m") + 100*n.number(r, "radius_m"), Effect: n.number(r, "effect"),
					EffectLength: n.number(r, "length_code"), Chance: n.number(r, "chance_pm")}}
			k.Complete()
			s, ok := DefaultBalance().Effect.SpellOf(k.Class, &k, &k.Columns)
			if traps := k.Class == 471 || k.Class == 472; ok == traps {
				t.Errorf("%d of class %d: is it a spell? %t", id, k.Class, ok)
			}
			if seconds := int(s.Effect.Whole().Seconds()); seconds != n.number(r, "length_s") {
				t.Errorf("%d: %d s, expected %d", id, seconds, n.number(r, "length_s"))
			}
			if mantra := strings.HasPrefix(file, "mantras"); mantra && s.Harms() != (k.Class == ClassBlackMantra) {
				t.Errorf("mantra %d of class %d: does it harm? %t", id, k.Class, s.Harms())
			}
			if key := strings.Trim(k.EffectKey, "-"); s.Effect.ID != 0 && key != "" &&
				s.Harms() != (strings.HasPrefix(key, "mb") || s.Effect.is(Harmful)) {
				t.Errorf("%d with the key %s: does it harm? %t", id, key, s.Harms())
			}
		}
	}
}

// Attack A21: a hit between the check and the payment leaves fewer HP than the spell costs: casting never kills all the same, and
// the dead stay dead.
func TestNobodyDiesOfCasting(t *testing.T) {
	s := Spell{CostHP: 50}
	for have, want := range map[int]int{100: 50, 51: 1, 50: 1, 3: 1, 0: 0} {
		if is := s.Pay(Pools{HP: have, MaxHP: 100}).HP; is != want {
			t.Errorf("of %d HP %d are left, want %d", have, is, want)
		}
	}
}

// Beginners pay less for attack mantras, which hurt more; the effect of a spell holds as often as its column says.
func TestMantrasOfBeginners(t *testing.T) {
	b := DefaultBalance().Effect
	a := Attack{Physical: 9, Magical: 20}
	for _, v := range []struct {
		degree int
		want   Attack
		cost   int
	}{{1, Attack{Physical: 27, Magical: 60}, 3}, {8, Attack{Physical: 18, Magical: 40}, 5},
		{b.EasyLevel, a, 7}, {60, a, 7}} {
		if got, cost := b.EasyMantra(a, 7, v.degree); got != v.want || cost != v.cost {
			t.Errorf("degree %d: %+v for %d MP, expected %+v for %d", v.degree, got, cost, v.want, v.cost)
		}
	}
	for _, v := range []struct {
		id, chance, draw int
		holds            bool
	}{{901, 1000, 999, true}, {901, 250, 249, true}, {901, 250, 250, false}, {901, 0, 0, false}, {0, 1000, 0, false}} {
		s := Spell{Effect: Effect{ID: v.id}, Chance: v.chance}
		if s.EffectHolds(v.draw) != v.holds {
			t.Errorf("%+v: %t", v, !v.holds)
		}
	}
}
