package rules

import (
	"slices"
	"testing"
	"time"
)

func TestVectorF16TheEffectOfAPowderFollowsFromItsColumns(t *testing.T) {
	k := Kind{ID: 501, Class: 453, EffectKey: "mgss", TierCode: "DU00p", Columns: Columns{Effect: 901, EffectLength: 3,
		Bonus: Bonus{PhysicalDefence: 15}}}
	k.Complete()
	e, ok := EffectOf(&k, &k.Columns)
	want := Effect{ID: 901, Key: "mgss", Kind: GoodEffect, Length: 3, Bonus: Bonus{PhysicalDefence: 15},
		Left: 900 * time.Second}
	if !ok || e != want {
		t.Errorf("%+v, expected %+v", e, want)
	}
	if _, ok := EffectOf(&Kind{}, &Columns{}); ok {
		t.Error("a thing without an effect has one")
	}
}

func TestEffectsAreMeantAsTheirKeysSay(t *testing.T) {
	for _, c := range []struct {
		id, class int
		key       string
		kind      EffectKind
		harmful   bool
	}{
		{850, 1000, "mghn", GoodEffect, false},
		{851, 1000, "mnbs", GoodEffect, false},
		{868, 1001, "mbdn", BadEffect, true},
		{503, 0, "mmkt", BadEffect, true},
		{1001, 1000, "msbm", SpecialEffect, false},
		{1040, 0, "msog", SpecialEffect, true},
		{1010, 453, "mssl", SpecialEffect, true},
		{869, 1001, "-", BadEffect, true},
		{2020, 1000, "-", SpecialEffect, false},
		{2021, 1001, "", BadEffect, true},
		{1040, 1001, "msog", SpecialEffect, true},
	} {
		e, _ := EffectOf(&Kind{Class: c.class, EffectKey: c.key}, &Columns{Effect: c.id, EffectLength: 1})
		if e.Kind != c.kind || e.Harmful() != c.harmful {
			t.Errorf("%d %s: kind %d, harmful %t", c.id, c.key, e.Kind, e.Harmful())
		}
	}
	fort := Effect{ID: 1011, Kind: SpecialEffect, Bonus: Bonus{PhysicalDefence: 1000}}
	if fort.Harmful() {
		t.Error("a fort is harmful")
	}
}

// Buffs that take something are for one's own party, all others for anybody.
func TestWhichBuffsCost(t *testing.T) {
	for _, c := range []struct {
		e     Effect
		costs bool
	}{
		{Effect{ID: 901, Bonus: Bonus{PhysicalDefence: 15}}, false},
		{Effect{ID: 850, Bonus: Bonus{Attack: -10}}, false}, // below 0 is better
		{Effect{ID: 851, Bonus: Bonus{Attack: -96, PhysicalDefence: -55}}, true},
		{Effect{ID: 851, Bonus: Bonus{MagicalDefence: -1}}, true},
		{Effect{ID: 882, Bonus: Bonus{HP: -50}}, true},
		{Effect{ID: 882, Bonus: Bonus{MP: -20}}, true},
		{Effect{ID: 1006, Bonus: Bonus{HP: -50}}, false}, // its columns are no bonus
	} {
		if got := c.e.Costs(); got != c.costs {
			t.Errorf("%+v: costs %t", c.e, got)
		}
	}
}

// A satiety potion lasts six hours, and nothing that comes later takes its place. Source: protocol fight 9.5.
func TestASatietyPotionGivesWayToNothing(t *testing.T) {
	sated := SatedEffect()
	if sated.Left != 6*time.Hour || !sated.Sound() {
		t.Errorf("%+v", sated)
	}
	have := []Effect{sated}
	have[0].Left = time.Second // the oldest of all
	for i := range MaxEffects {
		have = append(have, Effect{ID: 900 + i, Kind: GoodEffect, Length: 2,
			Left: time.Duration(100-i) * time.Second})
	}
	if gives, ok := Lay(have, &Effect{ID: 800, Length: 2}); !ok || gives[0] != len(have)-1 {
		t.Errorf("%v gives way, %t", gives, ok)
	}
	one := Effect{ID: 800}
	if one.Beside(have) || !one.Beside(have[:MaxEffects]) || have[1].Beside(have[:2]) || !have[0].Beside(have[1:]) {
		t.Error("it takes another's room, or needs none")
	}
}

func TestLengthCodesAreUnitsOfFiveMinutesOrSeconds(t *testing.T) {
	for code, want := range map[int]int{0: 0, 2: 600, 3: 900, 4: 1200, 100: 30000, 101: 5, 130: 150, 145: 225, 255: 775} {
		if e := (Effect{Length: code}); e.Whole() != time.Duration(want)*time.Second {
			t.Errorf("code %d: %v, expected %d s", code, e.Whole(), want)
		}
	}
}

func TestWhatTicksGivesItsColumnsOverItsTimeAndNoBonus(t *testing.T) {
	const each = 5 * time.Second
	for _, c := range []struct{ id, length, hp, mp int }{
		{1005, 150, -50, 0}, {1006, 120, 60, 0}, {1008, 112, 50, 50}, {1007, 150, -1, -45}, {1021, 101, -2500, -2500},
		{1005, 1, -40, 0}, {1006, 136, 950, 0},
	} {
		e := Effect{ID: c.id, Length: c.length, Bonus: Bonus{Stats: Stats{c.hp, c.mp}}}
		if e.Bonuses() != (Bonus{}) {
			t.Errorf("%d changes statistics", c.id)
		}
		e.Left = e.Whole()
		hp, mp := 0, 0
		for e.Left > 0 {
			after := max(e.Left-700*time.Millisecond, 0) // out of step, as ticks of the world are
			h, m := e.Gain(e.Left, after, each)
			if h*c.hp < 0 || m*c.mp < 0 {
				t.Errorf("%d gives %d HP", c.id, h)
			}
			hp, mp, e.Left = hp+h, mp+m, after
		}
		if hp != c.hp || mp != c.mp {
			t.Errorf("%d gives %d HP and %d MP in all, expected %d and %d", c.id, hp, mp, c.hp, c.mp)
		}
	}
	e := Effect{ID: 1005, Length: 120, Bonus: Bonus{Stats: Stats{-40}}}
	if hp, _ := e.Gain(e.Whole(), e.Whole()-each, each); hp != -2 {
		t.Errorf("40 in 100 s are %d in the first 5", hp)
	}
	if hp, mp := e.Gain(e.Whole(), 0, 0); hp != 0 || mp != 0 {
		t.Error("something is given each 0 seconds")
	}
	if e := (Effect{ID: 901, Length: 3, Bonus: Bonus{Stats: Stats{9}}}); e.Bonuses() != e.Bonus || e.Ticks() {
		t.Error("a plain effect does not change its numbers")
	}
}

func TestHitsOfMonstersLeaveWhatTheirLevelMakesOfTheirColumns(t *testing.T) {
	b := &DefaultBalance().Effect
	poison := Monster{Effect: 1005, Length: 115, EffectKey: "mmdg", Changes: Bonus{Stats: Stats{-5}}}
	if e, ok := EffectOfMonster(&poison, 20, b); !ok || e.Bonus.Stats[0] != -25 || e.Kind != BadEffect ||
		e.Left != 75*time.Second {
		t.Errorf("poison of level 20: %+v", e)
	}
	weak := Monster{Effect: 501, Length: 1, EffectKey: "mmpk", Changes: Bonus{HP: -10, PhysicalDefence: -1}}
	if e, _ := EffectOfMonster(&weak, 1, b); e.Bonus.HP != -5 || e.Bonus.PhysicalDefence != -1 {
		t.Errorf("weakness of level 1: %+v", e)
	}
	if e, _ := EffectOfMonster(&weak, 40, b); e.Bonus.HP != -200 || e.Bonus.PhysicalDefence != -20 {
		t.Errorf("weakness of level 40: %+v", e)
	}
	faint := Monster{Effect: 509, Length: 1, EffectKey: "mmkt", Changes: Bonus{HP: -3, MP: 3}}
	b = &EffectBalance{MonsterColumn: 0.01}
	if e, _ := EffectOfMonster(&faint, 1, b); e.Bonus.HP != -1 || e.Bonus.MP != 1 {
		t.Errorf("what its level makes nothing of: %+v", e)
	}
	if _, ok := EffectOfMonster(&Monster{}, 40, b); ok {
		t.Error("a monster without an effect leaves one")
	}
}

func TestEffectsGiveWayToEachOther(t *testing.T) {
	lying := func(id, tier int, key string, left time.Duration) Effect {
		return Effect{ID: id, Tier: tier, Key: key, Kind: effectKind(key), Length: 2, Left: left}
	}
	full := make([]Effect, 0, 10)
	for i := range 10 {
		key := "mb" + string(rune('a'+i)) + "x"
		if i == 4 || i == 7 {
			key = "mg" + string(rune('a'+i)) + "x"
		}
		full = append(full, lying(700+i, 0, key, time.Duration(100+i)*time.Second))
	}
	bad := slices.Clone(full)
	for i := range bad {
		bad[i].Kind = BadEffect
	}
	for _, c := range []struct {
		name  string
		have  []Effect
		e     Effect
		gives []int
		ok    bool
	}{
		{"the first", nil, lying(901, 0, "mgss", 0), nil, true},
		{"beside another", []Effect{lying(901, 0, "mgss", 1)}, lying(909, 0, "mgcs", 0), nil, true},
		{"equal renews", []Effect{lying(901, 3, "mgss", 1)}, lying(901, 3, "mgss", 0), []int{0}, true},
		{"stronger wins", []Effect{lying(901, 3, "mgss", 1)}, lying(901, 4, "mgss", 0), []int{0}, true},
		{"weaker fails", []Effect{lying(901, 3, "mgss", 1)}, lying(901, 2, "mgss", 0), nil, false},
		{"another of the key", []Effect{lying(901, 9, "mgss", 1)}, lying(856, 0, "mgss", 0), []int{0}, true},
		{"no key is no family", []Effect{lying(869, 0, "-", 1)}, lying(1011, 0, "-", 0), nil, true},
		{"one id of two keys", []Effect{lying(1005, 0, "mbps", 1)}, lying(1005, 0, "mbfr", 0), []int{0}, true},
		{"one of the id and one of the key", []Effect{lying(1005, 0, "mbps", 1), lying(1021, 0, "mbfr", 1)},
			lying(1005, 0, "mbfr", 0), []int{0, 1}, true},
		{"good beside bad", []Effect{lying(856, 0, "mgss", 1)}, lying(879, 0, "mbbw", 0), nil, true},
		{"the oldest good one gives way", full, lying(901, 0, "mgss", 0), []int{4}, true},
		{"nothing bad gives way", bad, lying(901, 0, "mgss", 0), nil, false},
	} {
		gives, ok := Lay(c.have, &c.e)
		found := slices.DeleteFunc(gives[:], func(i int) bool { return i < 0 })
		slices.Sort(found)
		if ok != c.ok || !slices.Equal(found, c.gives) && len(found)+len(c.gives) > 0 {
			t.Errorf("%s: gives way %v, %t; expected %v, %t", c.name, found, ok, c.gives, c.ok)
		}
	}
}

func TestWhatEffectsDoIsKnownByTheirNumbers(t *testing.T) {
	all := []Effect{{ID: 1004}, {ID: 1009}, {ID: 1046}, {ID: 1047}, {ID: 1049}, {ID: 901}}
	if w := WardsOf(all); w != (Wards{true, true, true, true, true}) {
		t.Errorf("wards %+v", w)
	}
	if w := WardsOf(all[:1]); w != (Wards{Magical: true}) {
		t.Errorf("the magical circle wards off %+v", w)
	}
	for id, want := range map[int]int{1023: 0, 1024: 2, 1025: 4, 1026: 6, 1027: 0} {
		if e := (Effect{ID: id}); e.Cleanses() != want {
			t.Errorf("%d takes %d effects away", id, e.Cleanses())
		}
	}
	is := func(id int) Effect { return Effect{ID: id} }
	for name, c := range map[string]struct {
		e    Effect
		does func(*Effect) bool
	}{
		"stun": {is(1040), (*Effect).Stuns}, "fetters": {is(1036), (*Effect).Fetters},
		"invisible":          {is(1023), (*Effect).Hides},
		"invisible at night": {is(1030), (*Effect).Hides}, "no jumps": {is(1020), (*Effect).Grounds},
		"jump": {is(1014), (*Effect).Lifts}, "great jump": {is(1015), (*Effect).Lifts},
	} {
		if other := is(901); !c.does(&c.e) || c.does(&other) {
			t.Errorf("%s is not known", name)
		}
	}
}

func TestOnlySoundEffectsLieOnAnybody(t *testing.T) {
	sound := Effect{ID: 901, Key: "mgss", Length: 3, Left: time.Second}
	if !sound.Sound() {
		t.Fatal("a sound effect is not")
	}
	for name, spoil := range map[string]func(*Effect){
		"id":     func(e *Effect) { e.ID = 0 },
		"key":    func(e *Effect) { e.Key = "mgsss" },
		"kind":   func(e *Effect) { e.Kind = 3 },
		"length": func(e *Effect) { e.Length = 256 },
		"left":   func(e *Effect) { e.Left = 901 * time.Second },
		"over":   func(e *Effect) { e.Left = 0 },
		"bonus":  func(e *Effect) { e.Bonus.HP = MaxPool + 1 },
		"stat":   func(e *Effect) { e.Bonus.Stats[7] = -MaxPool - 1 },
		"caster": func(e *Effect) { e.Caster = -1 },
	} {
		e := sound
		if spoil(&e); e.Sound() {
			t.Errorf("with a wrong %s it is sound", name)
		}
	}
}

func TestEffectsCountLikeWhatIsWorn(t *testing.T) {
	who := Character{Effects: Bonus{HP: 30, MP: -5, PhysicalDefence: 15, Attack: -10, Stats: Stats{0, 4}}}
	d := (&Tables{Levels: true}).Derive(&who, &Inventory{Owner: 1}, 0)
	if d.HP != MaxHP(0, 0)+30 || d.MP != MaxMP(0, 0)-5 || d.PhysicalDefence != 15 || d.Attack != -10 || d.Stats[1] != 4 {
		t.Errorf("derived %+v", d)
	}
}

func TestFreedomAndSteadiness(t *testing.T) {
	for id, bars := range map[int][]int{1050: {1010, 1011, 1013, 1036}, 1051: {1012, 1039, 1040, 1044}, 901: nil} {
		for other := range 1052 { // the effects of the client; a new row of effectTypes has a higher number
			if got := (&Effect{ID: id}).Bars(&Effect{ID: other}); got != slices.Contains(bars, other) {
				t.Errorf("%d bars %d: %v", id, other, got)
			}
		}
	}
}

func TestWeakened(t *testing.T) {
	b := &EffectBalance{MonsterHP: 0.5}
	for _, c := range [][3]int{{100, 0, 0}, {100, -30, 30}, {100, -60, 50}, {100, 20, 0}, {1, -5, 0}} {
		if got := b.Weakened(c[0], c[1]); got != c[2] {
			t.Errorf("of %d HP with %d: %d, expected %d", c[0], c[1], got, c[2])
		}
	}
	if b.MonsterHP = 1; b.Weakened(10, -50) != 9 {
		t.Error("nothing is left")
	}
}

func TestWhatWardsMakeOfABlow(t *testing.T) {
	b := DefaultBalance().Damage
	for name, c := range map[string]struct {
		wards      Wards
		mp, damage int
		school     School
		want       Warded
	}{
		"nothing":                  {Wards{}, 100, 20, Physical, Warded{Damage: 20}},
		"a circle":                 {Wards{Physical: true}, 100, 20, Physical, Warded{}},
		"a circle of the other":    {Wards{Physical: true}, 100, 20, Magical, Warded{Damage: 20}},
		"a circle and all else":    {Wards{Magical: true, Mirror: true, Prana: true}, 100, 20, Magical, Warded{}},
		"a circle of magic":        {Wards{Magical: true}, 100, 20, Physical, Warded{Damage: 20}},
		"a mirror":                 {Wards{Mirror: true}, 100, 20, Physical, Warded{Damage: 20, Back: 6}},
		"prana":                    {Wards{Prana: true}, 100, 20, Physical, Warded{Damage: 10, Prana: 10}},
		"little prana":             {Wards{Prana: true}, 3, 20, Physical, Warded{Damage: 17, Prana: 3}},
		"no prana":                 {Wards{Prana: true}, 0, 20, Physical, Warded{Damage: 20}},
		"a mirror throws it all":   {Wards{Prana: true, Mirror: true}, 100, 20, Magical, Warded{Damage: 10, Back: 6, Prana: 10}},
		"no damage":                {Wards{Prana: true, Mirror: true}, 100, 0, Physical, Warded{}},
		"who drinks is not warded": {Wards{Lifesteal: true}, 100, 20, Physical, Warded{Damage: 20}},
	} {
		if got := b.Ward(c.wards, c.mp, c.damage, c.school); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
