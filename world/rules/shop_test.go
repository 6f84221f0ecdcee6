package rules

import (
	"fmt"
	"math"
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

func TestCrowdedTiersSellOddIdsOnly(t *testing.T) {
	var content []Kind
	for id := 1; id <= 5; id++ {
		content = append(content, sword(id, 1, "swords_n"))
	}
	content = append(content, sword(6, 2, "swords_n"), sword(8, 2, "swords_n"), sword(9, 2, "swords"))
	c, err := NewTables(content, nil, nil)
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
	var content []Kind
	for id := 1; id <= 3000; id++ {
		content = append(content, sword(id, 1, "swords_n"))
	}
	c, err := NewTables(content, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(c.Stock(Shop{Kind: Weapons, Low: 1, High: 3})); got != MaxOffers {
		t.Errorf("%d articles, want %d", got, MaxOffers)
	}
}

// sword makes a kind without a suffix group.
func sword(id, tier int, table string) Kind {
	return Kind{ID: id, GameID: id, Class: 500, Table: table, Module: "wp_sword1", Tier: tier, Group: "-", Hand: true,
		Stack: 1, Columns: Columns{Price: 100}}
}

// What cannot be sent to a client is not for sale, and takes no place.
func TestWhatIsForSaleCanBeSent(t *testing.T) {
	var tables Tables
	for _, c := range []struct{ unknown, known, want int }{{0, MaxOffers - 1, MaxOffers - 1}, {7, MaxOffers, MaxOffers},
		{1, MaxOffers + 1, MaxOffers}, {3, 0, 0}} {
		tables.Stock = func(Shop) (all []Offer) {
			for range c.unknown {
				all = append(all, Offer{Kind: &Kind{ID: 1}})
			}
			for range c.known {
				all = append(all, Offer{Kind: &Kind{ID: 2, Class: 500}})
			}
			return all
		}
		got := tables.ForSale(Shop{Kind: Weapons}, &DefaultBalance().Travel, Stall{})
		if len(got) != c.want || slices.ContainsFunc(got, func(o Offer) bool { return o.Kind.Class <= 0 }) {
			t.Errorf("%+v: %d are for sale", c, len(got))
		}
	}
	tables.Stock = nil
	if got := tables.ForSale(Shop{Kind: Weapons}, &DefaultBalance().Travel, Stall{}); got != nil {
		t.Errorf("without goods: %+v", got)
	}
}

func TestThingsWithoutARowGiveWayToRows(t *testing.T) {
	arrow := Kind{ID: 105030, Class: 503, Stack: StackLimit}
	row := Kind{ID: 4000, GameID: 4000, Class: 503, Stack: StackLimit}
	priceless := sword(4001, 1, "swords_n")
	priceless.Price = 0
	for name, v := range map[string]struct {
		kinds []Kind
		want  string
	}{"thing alone": {[]Kind{arrow, priceless}, "[105030]"}, "thing and row": {[]Kind{arrow, row}, "[4000]"}} {
		c, err := NewTables(v.kinds, nil, nil)
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

// Traders in towns have mantras up to the last tier of their band, those of villages the mantras of their band.
func TestMantrasAreSoldInTheirBand(t *testing.T) {
	var kinds []Kind
	for tier := 1; tier <= 9; tier++ {
		kinds = append(kinds, Kind{ID: tier, GameID: tier, Class: ClassBlackMantra, Tier: tier, Columns: Columns{Price: 5}})
	}
	tables, err := NewTables(kinds, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for low, want := range map[int]string{1: "[1 2 3]", 4: "[4 5 6]", 7: "[7 8 9]", 10: "[]"} {
		var ids []int
		for _, o := range tables.Stock(ShopOf(int(Magic), 10, low, 0)) {
			ids = append(ids, o.Kind.ID)
		}
		if got := fmt.Sprint(ids); got != want {
			t.Errorf("from tier %d on it sells %s, want %s", low, got, want)
		}
	}
}

func TestWhatThingsMayCost(t *testing.T) {
	for _, c := range []struct {
		price, least int64
		count        int
		why          RejectReason
	}{
		{0, 0, 1, 0}, {0, 1, 1, PriceTooLow}, {1, 1, 1, 0}, {-1, 0, 1, PriceTooLow}, {math.MinInt64, 1, 5, PriceTooLow},
		{MaxMoney, 1, 1, 0}, {MaxMoney, 0, 2, TooRich}, {MaxMoney / 2, 1, 2, 0}, {MaxMoney/2 + 1, 1, 2, TooRich},
		{MaxMoney + 1, 1, 1, TooRich}, {math.MaxInt64, 1, 1000, TooRich}, {1, 1, 0, WrongCount}, {1, 1, -1, WrongCount},
		{1, 1, MaxMoney, 0}, {1, 1, MaxMoney + 1, TooRich},
	} {
		if why := MayCost(c.price, c.least, c.count); why != c.why {
			t.Errorf("%+v: %v", c, why)
		}
	}
}
