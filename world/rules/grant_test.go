package rules

import (
	"slices"
	"testing"
)

func TestGive(t *testing.T) {
	tables := someTables(t)
	for _, c := range []struct {
		name                string
		kind, suffix, count int
		extra               []byte
		pieces, each        int
		want                RejectReason
	}{
		{"one sword", kindSword, NoSuffix, 1, nil, 1, 1, 0},
		{"ten swords", kindSword, NoSuffix, 10, nil, 10, 1, 0},
		{"eleven swords", kindSword, NoSuffix, 11, nil, 0, 0, WrongCount},
		{"a stack of bread", kindBread, NoSuffix, 100, nil, 1, 100, 0},
		{"more than a stack", kindBread, NoSuffix, 101, nil, 0, 0, WrongCount},
		{"nothing", kindBread, NoSuffix, 0, nil, 0, 0, WrongCount},
		{"less than nothing", kindSword, NoSuffix, -1, nil, 0, 0, WrongCount},
		{"a ring with a suffix", kindRing, 2, 1, nil, 1, 1, 0},
		{"a ring with a suffix too far", kindRing, 3, 1, nil, 0, 0, NoKind},
		{"a sword with a suffix", kindSword, 0, 1, nil, 0, 0, NoKind},
		{"a suffix below none", kindRing, -2, 1, nil, 0, 0, NoKind},
		{"no kind", 999, NoSuffix, 1, nil, 0, 0, NoKind},
		{"with a payload", kindToken, NoSuffix, 1, []byte{1, 2}, 1, 1, 0},
	} {
		var x InventoryTx
		s := x.Side(carries())
		got, why := tables.Give(&x, s, c.kind, c.suffix, c.count, c.extra)
		if why != c.want || len(got) != c.pieces {
			t.Errorf("%s: %v, %v", c.name, got, why)
			continue
		}
		for i, change := range x.Changes() {
			if is := change.Is; change.Was != nil || is.ID != 0 || is.Owner != 7 || is.Slot != SlotInventory+i ||
				is.Count != c.each ||
				is.Suffix != c.suffix || c.extra != nil && !slices.Equal(is.Extra, c.extra) {
				t.Errorf("%s: change %d is %+v", c.name, i, is)
			}
		}
	}
	var x InventoryTx
	s := x.Side(carries(tables.of(kindSword, 1, 0, 26, 1)))
	if _, why := tables.Give(&x, s, kindSword, NoSuffix, 10, nil); why != NoRoom {
		t.Errorf("ten swords into nine slots: %v", why)
	}
}

func TestNewItemsAreWhole(t *testing.T) {
	tables := someTables(t)
	sword := tables.NewItem(tables.Kind(kindSword), NoSuffix, 1, nil)
	if sword.Durability != 90 || sword.MaxDurability != 90 || sword.Weight != 5000 || sword.Class != 500 ||
		sword.GameID != 601 {
		t.Errorf("a sword is %+v", sword)
	}
	if bread := tables.NewItem(tables.Kind(kindBread), NoSuffix, 7, nil); bread.Durability != 100 || bread.Count != 7 ||
		bread.Extra != nil {
		t.Errorf("bread is %+v", bread)
	}
	if token := tables.NewItem(tables.Kind(kindToken), NoSuffix, 1, nil); !slices.Equal(token.Extra,
		[]byte{0x0B, 0x07, 0, 0}) {
		t.Errorf("a token is %+v", token)
	}
}

func TestClear(t *testing.T) {
	for _, c := range []struct {
		all        bool
		only       ItemID
		gone, left []ItemID
	}{
		{false, 0, []ItemID{5}, []ItemID{1, 2, 3, 4}},
		{true, 0, []ItemID{1, 4, 2, 3, 5}, nil},
		{false, 3, []ItemID{3}, []ItemID{1, 2, 4, 5}},
	} {
		h := packed()
		store := fakeStoreOf(&h)
		var x InventoryTx
		gone, why := x.Clear(x.Side(&h), c.all, c.only)
		if got := ids(gone); !slices.Equal(got, c.gone) || why != 0 {
			t.Errorf("all %v: gone %v, %v", c.all, got, why)
		}
		given, err := store.apply(x.Changes())
		if err != nil {
			t.Fatal(err)
		}
		x.Apply(given)
		store.matches(t, &h)
		if got := ids(h.Items); !slices.Equal(got, c.left) {
			t.Errorf("all %v: left %v", c.all, got)
		}
	}
}

func TestNothingIsTakenOfWhoHasItNot(t *testing.T) {
	h := packed()
	var x InventoryTx
	if gone, why := x.Clear(x.Side(&h), true, 77); why != NotYours || gone != nil {
		t.Errorf("gone %v, %v", gone, why)
	}
}

func TestMoneyHasBounds(t *testing.T) {
	for _, c := range []struct {
		has, amount int64
		want        RejectReason
	}{
		{0, 0, 0}, {0, MaxMoney, 0}, {1, MaxMoney, TooRich}, {MaxMoney, 1, TooRich}, {5, -5, 0}, {5, -6, TooPoor},
		{MaxMoney, -MaxMoney, 0}, {0, -1 << 62, TooPoor}, {MaxMoney, 1 << 62, TooRich},
	} {
		if got := MayGain(c.has, c.amount); got != c.want {
			t.Errorf("%d and %d more: %v, want %v", c.has, c.amount, got, c.want)
		}
	}
}

func TestRelevel(t *testing.T) {
	tables := someTables(t)
	p := Progress{TitleXP: 5, DegreeXP: 6, TitlePoints: 3, DegreePoints: 9, Base: Stats{1}, Karma: -4}
	for _, c := range []struct {
		name                    string
		from, to                [2]int
		titlePoints, moreDegree int
	}{
		{"as it was", [2]int{4, 4}, [2]int{4, 4}, 3, 9},
		{"up", [2]int{0, 0}, [2]int{3, 1}, 3 + 3*4, 9 + 4},
		{"down, with points that are spent", [2]int{9, 9}, [2]int{0, 0}, 0, 0},
	} {
		got := tables.Relevel(p, c.from[0], c.from[1], c.to[0], c.to[1])
		want := p
		want.TitleXP, want.DegreeXP, want.TitlePoints, want.DegreePoints = 0, 0, c.titlePoints, c.moreDegree
		if got != want {
			t.Errorf("%s: %+v, want %+v", c.name, got, want)
		}
	}
	if got := new(Tables).Relevel(p, 0, 0, 50, 50); got.TitlePoints != 3 || got.DegreePoints != 9 {
		t.Errorf("without levels: %+v", got)
	}
}
