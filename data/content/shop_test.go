package content

import (
	"reflect"
	"slices"
	"testing"

	"sphereserver/world/rules"
)

func TestStockStaysForADay(t *testing.T) {
	c := Default()
	for kind := rules.Tavern; kind <= rules.Weapons; kind++ {
		shop := rules.Shop{Kind: kind, Low: 1, High: 3, Trader: 7, Day: 100, Seed: 1}
		first := c.Stock(shop)
		if len(first) == 0 {
			t.Errorf("shop %d sells nothing", kind)
		}
		if !reflect.DeepEqual(first, c.Stock(shop)) {
			t.Errorf("shop %d: two stocks on one day", kind)
		}
	}
	shop := rules.Shop{Kind: rules.Weapons, Low: 1, High: 3, Trader: 7, Day: 100}
	if same := func(change func(*rules.Shop)) bool {
		other := shop
		change(&other)
		return reflect.DeepEqual(c.Stock(shop), c.Stock(other))
	}; same(func(s *rules.Shop) { s.Day++ }) || same(func(s *rules.Shop) { s.Trader++ }) ||
		same(func(s *rules.Shop) { s.Seed++ }) {
		t.Error("another day, trader or server has the same suffixes")
	}
	if stock := c.Stock(rules.Shop{Kind: 99, Low: 1, High: 15}); stock != nil {
		t.Errorf("an unknown shop sells %v", stock)
	}
}

// Goods that gamerules 9 names are sold, at the price that it names.
func TestStockFollowsTheRules(t *testing.T) {
	c := Default()
	find := func(kind rules.ShopKind, id int) *rules.Offer {
		stock := c.Stock(rules.Shop{Kind: kind, Low: 1, High: 3})
		if i := slices.IndexFunc(stock, func(o rules.Offer) bool { return o.Kind.ID == id }); i >= 0 {
			return &stock[i]
		}
		return nil
	}
	thing := func(class, subtype int) int { return ThingBase + 10*class + subtype }
	for _, v := range []struct {
		kind             rules.ShopKind
		id, count, price int
	}{
		{rules.Weapons, thing(503, 0), 1000, 4}, {rules.Travel, thing(401, 0), 1, 120}, {rules.Travel, thing(400, 0), 1,
			240}, {rules.Magic, thing(800, 0), 1, 330}, {rules.Magic, thing(410, 0), 1, 120},
		{rules.Magic, 570, 1000, 25}, {rules.Magic, 15301, 1000, 5}, {rules.Magic, 15302, 1000, 3}, {rules.Magic, 601, 1000,
			4}, {rules.Jewels, thing(409, 0), 1, 350},
		{rules.Jewels, thing(90, 0), 1, 50}, {rules.Jewels, thing(90, 2), 1, 50}, {rules.Alchemy, 900, 1000,
			5}, {rules.Tavern, thing(653, 0), 1000, 2},
	} {
		o := find(v.kind, v.id)
		if o == nil {
			t.Errorf("shop %d does not sell %d", v.kind, v.id)
		} else if o.Count != v.count || o.Price != v.price || o.Suffix != rules.NoSuffix {
			t.Errorf("shop %d sells %d pieces of %d for %d with suffix %d, want %d for %d", v.kind, o.Count, v.id, o.Price,
				o.Suffix, v.count, v.price)
		}
	}
	for _, o := range c.Stock(rules.Shop{Kind: rules.Magic, Low: 4, High: 6}) {
		if o.Kind.Class == 800 || o.Kind.Class == 454 {
			t.Errorf("a mage of tier 4 sells %s", o.Kind.Name("en"))
		}
	}
	for _, kind := range []rules.ShopKind{rules.Weapons, rules.Armour, rules.Jewels} {
		for _, o := range c.Stock(rules.Shop{Kind: kind, Low: 2, High: 3}) {
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

// sword makes a kind without a suffix group.
func sword(id, tier int, table string) rules.Kind {
	return rules.Kind{ID: id, GameID: id, Class: 500, Table: table, Module: "wp_sword1", Tier: tier, Group: "-",
		Hand: true, Stack: 1,
		Columns: rules.Columns{Price: 100}}
}

// A player that buys any goods from one trader gains nothing by selling them to another, even at the full worth.
func TestNobodyPaysMoreThanAnotherAsks(t *testing.T) {
	for name, c := range map[string]*Catalogue{"default": Default(), "dear": dearer(t)} {
		for kind := rules.Tavern; kind <= rules.Weapons; kind++ {
			for day := range uint64(5) {
				for _, o := range c.Stock(rules.Shop{Kind: kind, Low: 1, High: 12, Trader: day * 7, Day: day}) {
					if worth := c.Worth(o.Kind, o.Suffix); worth > o.Price {
						t.Errorf("%s: %s %d costs %d and is worth %d", name, o.Kind.Name("en"), o.Kind.ID, o.Price, worth)
					}
				}
			}
		}
	}
}

// dearer is the default catalogue with prices far above the shelves'.
func dearer(t *testing.T) *Catalogue {
	t.Helper()
	d := Default()
	kinds := append([]rules.Kind(nil), d.Kinds()...)
	for i := range kinds {
		kinds[i].Price += 100_000
	}
	c, err := Compose(&Content{Kinds: kinds})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
