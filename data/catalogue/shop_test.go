package catalogue

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
)

func TestTiersOfShops(t *testing.T) {
	// protocol gamerules 9.
	for _, v := range []struct {
		low int
		ids []int
	}{
		{1, []int{0, 19, 120, 123, 136, 139, 152, 155, 168, 171, 300, 999}},
		{4, []int{124, 127, 140, 143, 156, 159, 172, 175}},
		{7, []int{128, 131, 144, 147, 160, 163, 176, 179}},
		{10, []int{132, 133, 148, 149, 164, 165, 180, 181}},
	} {
		for _, id := range v.ids {
			if low, high := TierBand(id); low != v.low || high != v.low+2 {
				t.Errorf("trader %d sells tiers %d to %d, want from %d", id, low, high, v.low)
			}
		}
	}
}

func TestStockStaysForADay(t *testing.T) {
	c := Default()
	for kind := Tavern; kind <= Weapons; kind++ {
		shop := Shop{Kind: kind, Low: 1, High: 3, Trader: 7, Day: 100, Seed: 1}
		first := c.Stock(shop)
		if len(first) == 0 {
			t.Errorf("shop %d sells nothing", kind)
		}
		if !reflect.DeepEqual(first, c.Stock(shop)) {
			t.Errorf("shop %d: two stocks on one day", kind)
		}
	}
	shop := Shop{Kind: Weapons, Low: 1, High: 3, Trader: 7, Day: 100}
	if same := func(change func(*Shop)) bool {
		other := shop
		change(&other)
		return reflect.DeepEqual(c.Stock(shop), c.Stock(other))
	}; same(func(s *Shop) { s.Day++ }) || same(func(s *Shop) { s.Trader++ }) || same(func(s *Shop) { s.Seed++ }) {
		t.Error("another day, trader or server has the same suffixes")
	}
	if stock := c.Stock(Shop{Kind: 99, Low: 1, High: 15}); stock != nil {
		t.Errorf("an unknown shop sells %v", stock)
	}
}

// What the rules of gamerules 9 name is sold, at the price they name.
func TestStockFollowsTheRules(t *testing.T) {
	c := Default()
	find := func(kind ShopKind, id int) *Offer {
		stock := c.Stock(Shop{Kind: kind, Low: 1, High: 3})
		if i := slices.IndexFunc(stock, func(o Offer) bool { return o.Kind.ID == id }); i >= 0 {
			return &stock[i]
		}
		return nil
	}
	thing := func(class, subtype int) int { return ThingBase + 10*class + subtype }
	for _, v := range []struct {
		kind             ShopKind
		id, count, price int
	}{
		{Weapons, thing(503, 0), 1000, 4}, {Travel, thing(401, 0), 1, 120}, {Travel, thing(400, 0), 1, 240}, {Magic, thing(800, 0), 1, 330}, {Magic, thing(410, 0), 1, 120},
		{Magic, 570, 1000, 25}, {Magic, 15301, 1000, 5}, {Magic, 15302, 1000, 3}, {Magic, 601, 1000, 4}, {Jewels, thing(409, 0), 1, 350},
		{Jewels, thing(90, 0), 1, 50}, {Jewels, thing(90, 2), 1, 50}, {Alchemy, 900, 1000, 5}, {Tavern, thing(653, 0), 1000, 2},
	} {
		o := find(v.kind, v.id)
		if o == nil {
			t.Errorf("shop %d does not sell %d", v.kind, v.id)
		} else if o.Count != v.count || o.Price != v.price || o.Suffix != NoSuffix {
			t.Errorf("shop %d sells %d pieces of %d for %d with suffix %d, want %d for %d", v.kind, o.Count, v.id, o.Price, o.Suffix, v.count, v.price)
		}
	}
	for _, o := range c.Stock(Shop{Kind: Magic, Low: 4, High: 6}) {
		if o.Kind.Class == 800 || o.Kind.Class == 454 {
			t.Errorf("a mage of tier 4 sells %s", o.Kind.Name("en"))
		}
	}
	for _, kind := range []ShopKind{Weapons, Armour, Jewels} {
		for _, o := range c.Stock(Shop{Kind: kind, Low: 2, High: 3}) {
			s := c.Suffix(o.Kind, o.Suffix)
			switch {
			case o.Kind.SuffixLetter() == "":
				continue
			case !o.Kind.New() || o.Kind.Tier < 2 || o.Kind.Tier > 3:
				t.Errorf("shop %d sells %s of tier %d and table %s", kind, o.Kind.Name("en"), o.Kind.Tier, o.Kind.Table)
			case s == nil:
				t.Errorf("shop %d sells %s without a suffix", kind, o.Kind.Name("en"))
			case o.Price != o.Kind.With(s).Price:
				t.Errorf("%s costs %d, want %d", o.Kind.FullName(s, "en"), o.Price, o.Kind.With(s).Price)
			}
		}
	}
}

func TestCrowdedTiersSellOddIdsOnly(t *testing.T) {
	var content Content
	for id := 1; id <= 5; id++ {
		content.Kinds = append(content.Kinds, sword(id, 1, "swords_n"))
	}
	content.Kinds = append(content.Kinds, sword(6, 2, "swords_n"), sword(8, 2, "swords_n"), sword(9, 2, "swords"))
	c, err := New(content)
	if err != nil {
		t.Fatal(err)
	}
	var ids []int
	for _, o := range c.Stock(Shop{Kind: Weapons, Low: 1, High: 3}) {
		ids = append(ids, o.Kind.ID)
	}
	if got := fmt.Sprint(ids); got != "[1 3 5 6 8]" {
		t.Errorf("sells %s, want the odd ones of five, both of two, and none of the old table", got)
	}
}

func TestStockIsBounded(t *testing.T) {
	var content Content
	for id := 1; id <= 3000; id++ {
		content.Kinds = append(content.Kinds, sword(id, 1, "swords_n"))
	}
	c, err := New(content)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(c.Stock(Shop{Kind: Weapons, Low: 1, High: 3})); got != MaxOffers {
		t.Errorf("%d articles, want %d", got, MaxOffers)
	}
}

// sword makes a kind without a suffix group.
func sword(id, tier int, table string) Kind {
	return Kind{ID: id, GameID: id, Class: 500, Table: table, Module: "wp_sword1", Tier: tier, Group: "-", Hand: true, Stack: 1, Columns: Columns{Price: 100}}
}

func TestThingsWithoutARowGiveWayToRows(t *testing.T) {
	arrow := Kind{ID: ThingBase + 5030, Class: 503, Stack: StackLimit}
	row := Kind{ID: 4000, GameID: 4000, Class: 503, Stack: StackLimit}
	priceless := sword(4001, 1, "swords_n")
	priceless.Price = 0
	for name, v := range map[string]struct {
		kinds []Kind
		want  string
	}{"thing alone": {[]Kind{arrow, priceless}, "[105030]"}, "thing and row": {[]Kind{arrow, row}, "[4000]"}} {
		c, err := New(Content{Kinds: v.kinds})
		if err != nil {
			t.Fatal(err)
		}
		var ids []int
		for _, o := range c.Stock(Shop{Kind: Weapons, Low: 1, High: 3}) {
			ids = append(ids, o.Kind.ID)
		}
		if fmt.Sprint(ids) != v.want {
			t.Errorf("%s: sells %v, want %s", name, ids, v.want)
		}
	}
}

// Whatever is on a shelf: who buys it from one trader gains nothing by selling it to another, even at the full worth.
func TestNobodyPaysMoreThanAnotherAsks(t *testing.T) {
	for name, c := range map[string]*Catalogue{"default": Default(), "dear": dearer(t)} {
		for kind := Tavern; kind <= Weapons; kind++ {
			for day := range uint64(5) {
				for _, o := range c.Stock(Shop{Kind: kind, Low: 1, High: 12, Trader: day * 7, Day: day}) {
					if worth := c.Worth(o.Kind, o.Suffix); worth > o.Price {
						t.Errorf("%s: %s %d costs %d and is worth %d", name, o.Kind.Name("en"), o.Kind.ID, o.Price, worth)
					}
				}
			}
		}
	}
}

// dearer is the default catalogue with prices far above those of the shelves.
func dearer(t *testing.T) *Catalogue {
	t.Helper()
	d := Default()
	kinds := append([]Kind(nil), d.Kinds()...)
	for i := range kinds {
		kinds[i].Price += 100_000
	}
	c, err := Compose(&Content{Kinds: kinds})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
