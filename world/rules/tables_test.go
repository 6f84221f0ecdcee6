package rules

import (
	"slices"
	"strings"
	"testing"
)

func TestTablesKnowKinds(t *testing.T) {
	tables := someTables(t)
	last := 0
	for i := range tables.Kinds() {
		k := &tables.Kinds()[i]
		if k.ID <= last || tables.Kind(k.ID) != k || tables.Of(k.Class, k.GameID, k.Subtype) != k || k.Stack < 1 {
			t.Errorf("kind %d after %d: %+v", k.ID, last, k)
		}
		item := tables.NewItem(k, NoSuffix, 1, nil)
		if tables.KindOf(&item) != k {
			t.Errorf("an item of kind %d is of %+v", k.ID, tables.KindOf(&item))
		}
		if !slices.Contains(tables.OfClass(k.Class), k) {
			t.Errorf("kind %d is not among those of class %d", k.ID, k.Class)
		}
		last = k.ID
	}
	for name, i := range map[string]Item{"no class": {}, "another row": {Class: 500, GameID: 9},
		"another class": {Class: 3999}} {
		if k := tables.KindOf(&i); k != nil {
			t.Errorf("%s is of %+v", name, k)
		}
	}
	if k := tables.Of(653, 77, 5); k == nil || k.ID != kindBread {
		t.Errorf("bread with any number is %+v", k)
	}
	if tables.Kind(-1) != nil || tables.OfClass(3999) != nil {
		t.Error("kinds that are not there are known")
	}
	other := tables.of(kindScroll, 1, 0, 26, 1)
	other.Extra = []byte{9}
	if k := tables.KindOf(&other); k != nil {
		t.Errorf("a scroll of no subtype is %+v", k)
	}
}

func TestTablesKnowSuffixesAndMonsters(t *testing.T) {
	tables := someTables(t)
	ring := tables.Kind(kindRing)
	for index := -2; index < 5; index++ {
		if s := tables.Suffix(ring, index); (s != nil) != (index >= 0 && index < 3) || s != nil && s.Index != index {
			t.Errorf("suffix %d is %+v", index, s)
		}
		if s := tables.Suffix(tables.Kind(kindSword), index); s != nil {
			t.Errorf("a sword has suffix %d: %+v", index, s)
		}
	}
	if got := tables.Letters(); !slices.Equal(got, []string{"A"}) || len(tables.Suffixes("A")) != 3 ||
		tables.Suffixes("B") != nil {
		t.Errorf("letters %v", got)
	}
	if n := tables.Numbers(ring, 1); n.Price != 300 || n.Bonus.HP != 20 || tables.Numbers(ring, NoSuffix).Price != 100 {
		t.Errorf("a ring with suffix 1: %+v", n)
	}
	if m := tables.Monsters(); len(m) != 2 || m[0].ID != 1000 {
		t.Errorf("monsters %+v", m)
	}
	if m := tables.Monster(1010); m == nil || m.Name("en") != "rat 1010" || tables.Monster(1005) != nil {
		t.Errorf("monster 1010 is %+v", m)
	}
}

func TestTokensLeadSomewhere(t *testing.T) {
	tables := someTables(t)
	for _, c := range []struct {
		extra []byte
		leads bool
	}{{[]byte{0x0B, 0x07, 0, 1}, true}, {[]byte{0x0B, 0x07}, true}, {[]byte{0x0B}, false}, {nil, false},
		{[]byte{1, 2, 3}, false}} {
		if to, ok := tables.Token(&Item{Extra: c.extra}); ok != c.leads || ok && to.To != somewhere {
			t.Errorf("a token with %x leads to %v, %v", c.extra, to, ok)
		}
	}
}

func TestEmptyTablesKnowNothing(t *testing.T) {
	tables := new(Tables)
	i := a(aSword, 1, 0, 26, 1)
	if tables.KindOf(&i) != nil || tables.Kind(1) != nil || tables.OfClass(500) != nil || tables.Monster(1) != nil ||
		tables.IsStack(&i) ||
		tables.Stacks(&i, &Item{}) || len(tables.Kinds()) != 0 || tables.Stock != nil {
		t.Error("empty tables know something")
	}
	if _, ok := tables.Token(&i); ok {
		t.Error("a token leads somewhere")
	}
	if title, degree := tables.Points(50, 50); title != 0 || degree != 0 {
		t.Errorf("points %d and %d", title, degree)
	}
	if got := tables.Shelves(Shop{Kind: Weapons, Low: 1, High: 12}); len(got) != 0 {
		t.Errorf("sells %v", got)
	}
}

func TestTablesThatMakeNoSense(t *testing.T) {
	for name, c := range map[string]struct {
		kinds    []Kind
		suffixes []Suffix
		monsters []Monster
		want     string
	}{
		"no id":        {kinds: []Kind{{Class: 500}}, want: "expected an id above 0"},
		"one id twice": {kinds: []Kind{{ID: 1, Names: Names{"en": "a"}}, {ID: 1}}, want: `two kinds have the id 1: "a"`},
		"one number twice": {kinds: []Kind{{ID: 1, Class: 5, GameID: 2}, {ID: 2, Class: 5, GameID: 2}},
			want: "cannot tell kinds 1 and 2 apart"},
		"a gap": {suffixes: []Suffix{{Letter: "A"}, {Letter: "A", Index: 2}},
			want: "group A: expected index 1, found 2"},
		"one monster twice": {monsters: []Monster{{ID: 3}, {ID: 3}}, want: "two monsters have the id 3"},
	} {
		if _, err := NewTables(c.kinds, c.suffixes, c.monsters); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if _, err := NewTables([]Kind{{ID: 1}, {ID: 2}}, nil, nil); err != nil {
		t.Errorf("two kinds of unknown class: %v", err)
	}
}

func TestShopsOfTraders(t *testing.T) {
	for _, c := range []struct {
		occupation, name, tier int
		want                   Shop
	}{
		{11, 120, 0, Shop{Kind: Weapons, Low: 1, High: 3, Trader: 120, Day: 5}},
		{11, 124, 0, Shop{Kind: Weapons, Low: 4, High: 6, Trader: 124, Day: 5}},
		{9, 124, 8, Shop{Kind: Magic, Low: 8, High: 10, Trader: 124, Day: 5}},
		{17, -1, 0, Shop{Kind: 17, Low: 1, High: 3, Trader: 1<<32 - 1, Day: 5}},
	} {
		if got := ShopOf(c.occupation, c.name, c.tier, 5); got != c.want {
			t.Errorf("occupation %d, name %d, tier %d: %+v, want %+v", c.occupation, c.name, c.tier, got, c.want)
		}
	}
}

// A trader pays at most the price that another asks: the price of a shelf, where it names one.
func TestWorth(t *testing.T) {
	tables := someTables(t)
	for _, c := range []struct{ kind, suffix, want int }{
		{kindSword, NoSuffix, 60}, {kindRing, NoSuffix, 100}, {kindRing, 0, 200}, {kindRing, 2, 400},
		{kindBag, NoSuffix, 240},
		{kindArrows, NoSuffix, 4}, {kindScroll, NoSuffix, 50}, {kindBook, NoSuffix, 350}, {kindBread, NoSuffix, 2},
	} {
		if got := tables.Worth(tables.Kind(c.kind), c.suffix); got != c.want {
			t.Errorf("kind %d with suffix %d is worth %d, want %d", c.kind, c.suffix, got, c.want)
		}
	}
}

func TestShelvesSellWhatTheTablesHave(t *testing.T) {
	tables := someTables(t)
	for shop, want := range map[ShopKind][]int{
		Tavern: {kindBread, kindPotion}, Travel: {kindBag}, Weapons: {kindArrows}, Jewels: {kindBook, kindScroll},
		Magic:   {kindMantra},
		Alchemy: nil,
	} {
		var got []int
		for _, o := range tables.Shelves(Shop{Kind: shop, Low: 1, High: 3, Day: 9}) {
			if got = append(got, o.Kind.ID); o.Price <= 0 || o.Count < 1 || o.Count > o.Kind.Stack || o.Suffix != NoSuffix {
				t.Errorf("shop %d sells %+v", shop, o)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("shop %d sells %v, want %v", shop, got, want)
		}
	}
}
