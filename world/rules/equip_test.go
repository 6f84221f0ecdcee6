package rules

import (
	"math/rand/v2"
	"testing"
)

// able returns a character of strength 5 in a guild, at the beginning.
func able() Character {
	return Character{Wearer: Wearer{Karma: KarmaNeutral, Guild: 3, GuildRank: 2, Stats: Stats{5}}, MaxHP: 70, MaxMP: 60}
}

func TestWhatIsWornAndHeldCounts(t *testing.T) {
	tables := someTables(t)
	broken := tables.of(kindHelmet, 1, 0, SlotHelmet, 1)
	broken.Durability = 0
	for _, c := range []struct {
		name  string
		hand  ItemID
		items []Item
		want  Derived
	}{
		{"nothing", 0, nil, Derived{HP: 100, MP: 100, Stats: Stats{5}}},
		{"a helmet in the inventory", 0, []Item{tables.of(kindHelmet, 1, 0, 26, 1)}, Derived{HP: 100, MP: 100,
			Stats: Stats{5}}},
		{"a helmet", 0, []Item{tables.of(kindHelmet, 1, 0, SlotHelmet, 1)},
			Derived{HP: 150, MP: 100, Stats: Stats{5}, PhysicalDefence: 4}},
		{"a broken helmet", 0, []Item{broken}, Derived{HP: 100, MP: 100, Stats: Stats{5}}},
		{"a helmet in another's slot", 0, []Item{tables.of(kindHelmet, 1, 0, SlotShield, 1)},
			Derived{HP: 100, MP: 100, Stats: Stats{5}}},
		{"a helmet among the mutators", 0, []Item{tables.of(kindHelmet, 1, 0, SlotMutators, 1)},
			Derived{HP: 150, MP: 100, Stats: Stats{5}, PhysicalDefence: 4}},
		{"a helmet in a bag", 0, []Item{tables.of(kindBag, 9, 0, SlotBackpack, 1), tables.of(kindHelmet, 1, 9, SlotHelmet,
			1)},
			Derived{HP: 100, MP: 100, Stats: Stats{5}}},
		{"two rings", 0, []Item{tables.of(kindRing, 1, 0, 8, 1), tables.of(kindRing, 2, 0, 11, 1)},
			Derived{HP: 100, MP: 100, Stats: Stats{15}, WornMagic: -6}},
		{"a sword in the hand", 5, []Item{tables.of(kindSword, 5, 0, 30, 1)},
			Derived{HP: 100, MP: 100, Stats: Stats{5}, Attack: -20, Holds: true}},
		{"a sword not in the hand", 0, []Item{tables.of(kindSword, 5, 0, 30, 1)}, Derived{HP: 100, MP: 100, Stats: Stats{5}}},
		{"a mantra and a ring that helps it", 5, []Item{tables.of(kindMantra, 5, 0, 30, 1), tables.of(kindRing, 1, 0, 8, 1)},
			Derived{HP: 100, MP: 100, Stats: Stats{10}, Magic: -33, WornMagic: -3, Holds: true}},
		{"a spell that blesses, in the hand", 5, []Item{tables.of(kindBlessing, 5, 0, 30, 1)},
			Derived{HP: 100, MP: 100, Stats: Stats{5}, Holds: true}},
		{"a helmet in the hand", 1, []Item{tables.of(kindHelmet, 1, 0, 26, 1)}, Derived{HP: 100, MP: 100, Stats: Stats{5}}},
		{"a curse that takes the sword's strength", 5, []Item{tables.of(kindSword, 5, 0, 30, 1), tables.of(kindCurse, 1, 0, 8,
			1)},
			Derived{HP: 100, MP: 100, Stats: Stats{-1}, Attack: -7, WornAttack: -7}},
		{"a shield for others", 0, []Item{tables.of(kindShield, 1, 0, SlotShield, 1)}, Derived{HP: 100, MP: 100,
			Stats: Stats{5}}},
		{"the emblem of one's guild", 0, []Item{tables.of(kindEmblem, 1, 0, SlotGuild, 1)},
			Derived{HP: 100, MP: 100, Stats: Stats{5}, MagicalDefence: 9}},
		{"a robe that is too good", 0, []Item{tables.of(kindRobe, 1, 0, SlotChest, 1)}, // (1 + 1) / (9 − 1) of it
			Derived{HP: 125, MP: 100, Stats: Stats{5}}},
	} {
		who := able()
		c.want.BaseHP, c.want.BaseMP, c.want.levels = 100, 100, true
		if got := tables.Derive(&who, carries(c.items...), c.hand); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestSuffixesCount(t *testing.T) {
	tables, who := someTables(t), able()
	for suffix := range 3 {
		ring := tables.of(kindRing, 1, 0, 8, 1)
		ring.Suffix = suffix
		if d := tables.Derive(&who, carries(ring), 0); d.HP != 100+10*(suffix+1) {
			t.Errorf("suffix %d gives %d HP", suffix, d.HP)
		}
	}
}

// A helmet needs a strength that only a ring gives: whichever is looked at first, both count, and neither helps itself.
func TestNothingHelpsItself(t *testing.T) {
	tables := someTables(t)
	who := Character{}
	for _, id := range []ItemID{1, 9} {
		helmet, ring := tables.of(kindHelmet, id, 0, SlotHelmet, 1), tables.of(kindRing, 5, 0, 8, 1)
		if d := tables.Derive(&who, carries(helmet, ring), 0); d.PhysicalDefence != 4 {
			t.Errorf("helmet %d does not count", id)
		}
		if d := tables.Derive(&who, carries(helmet), 0); d.PhysicalDefence != 0 {
			t.Errorf("helmet %d counts without a ring", id)
		}
		curse := tables.of(kindCurse, 6, 0, 9, 1)
		if d := tables.Derive(&who, carries(helmet, ring, curse), 0); d.PhysicalDefence != 0 || d.Stats[0] != -1 {
			t.Errorf("helmet %d counts though the curse takes its strength: %+v", id, d)
		}
	}
}

// The numbers that the store has given do not decide which items count.
func TestWhatCountsDoesNotDependOnNumbers(t *testing.T) {
	tables, dice := someTables(t), rand.New(rand.NewPCG(1, 2))
	kinds := []struct{ kind, slot int }{{kindHelmet, SlotHelmet}, {kindRing, 8}, {kindRing, 9}, {kindCurse, 10},
		{kindShield, SlotShield}, {kindRobe, SlotChest}}
	for range 300 {
		who := Character{Wearer: Wearer{Title: dice.IntN(6), Stats: Stats{dice.IntN(8)}}}
		var items, again []Item
		for i, at := range dice.Perm(len(kinds)) {
			if k := kinds[at]; dice.IntN(3) > 0 {
				items = append(items, tables.of(k.kind, ItemID(i+1), 0, k.slot, 1))
				again = append(again, tables.of(k.kind, ItemID(100-i), 0, k.slot, 1))
			}
		}
		a, b := tables.Derive(&who, carries(items...), 0), tables.Derive(&who, carries(again...), 0)
		if len(items) < 2 {
			continue
		}
		seen, seenAgain := tables.Worn(carries(items...), 0), tables.Worn(carries(again...), 0)
		if a.HP != b.HP || seen != seenAgain || a.MagicalDefence != b.MagicalDefence {
			t.Fatalf("%+v of %+v: %+v and %+v", who, items, a, b)
		}
	}
}

// Places without requirements are the inventory, whatever is in the hand, bags, and all of a container of nobody.
func TestWhatCountsInItsPlace(t *testing.T) {
	tables := someTables(t)
	shield, worn := tables.of(kindShield, 1, 0, 30, 1), tables.of(kindShield, 1, 0, SlotShield, 1)
	sword, bag := tables.of(kindSword, 1, 0, 30, 1), tables.of(kindBag, 9, 0, SlotBackpack, 1)
	packed := tables.of(kindShield, 1, 9, SlotShield, 1)
	chest := NewInventory(Inventory{}, []Item{worn})
	weak := Character{}
	for name, c := range map[string]struct {
		carried *Inventory
		hand    ItemID
		want    bool
	}{
		"in the inventory": {carries(shield), 0, true}, "worn": {carries(worn), 0, false},
		"in the hand": {carries(sword), 1, true}, "in a bag": {carries(bag, packed), 0, true},
		"in a container": {&chest, 0, true}, "nowhere": {carries(), 0, true},
	} {
		if got := tables.Counts(&weak, c.carried, c.hand, 1); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if able := able(); !tables.Counts(&able, carries(tables.of(kindHelmet, 1, 0, SlotHelmet, 1)), 0, 1) {
		t.Error("a helmet for which one is strong enough does not count")
	}
}

func TestWithoutTablesMaximaAreThoseOneComesWith(t *testing.T) {
	who := able()
	d := new(Tables).Derive(&who, carries(a(757, 1, 0, SlotHelmet, 1), a(500, 2, 0, 26, 1)), 2)
	if d != (Derived{BaseHP: 70, BaseMP: 60, HP: 70, MP: 60, Stats: Stats{5}}) {
		t.Errorf("derived %+v", d)
	}
	for _, p := range []Pools{{}, {HP: 500, MaxHP: 9, MP: 3, MaxMP: 1, Satiety: 200}} {
		if got := d.Limit(p, &DefaultBalance().Effect); got != p {
			t.Errorf("%+v became %+v", p, got)
		}
	}
}

func TestPoolsAreLimited(t *testing.T) {
	for _, c := range []struct {
		name   string
		hp, mp int
		p      Pools
		want   Pools
	}{
		{"hungry", 100, 50, Pools{HP: 10, MP: 5, Satiety: 10}, Pools{HP: 10, MaxHP: 105, MP: 5, MaxMP: 50, Satiety: 10}},
		{"half full", 100, 50, Pools{HP: 200, MP: 70, Satiety: 50}, Pools{HP: 110, MaxHP: 110, MP: 50, MaxMP: 50,
			Satiety: 50}},
		{"full", 200, 0, Pools{HP: 1, MP: 7, Satiety: 100}, Pools{HP: 1, MaxHP: 230, Satiety: 100}},
		{"cursed to death", -300, -9, Pools{HP: 9, MP: 9}, Pools{HP: 1, MaxHP: 1}},
		{"more than can be kept", 1 << 20, 1 << 20, Pools{HP: 1 << 20, MP: 3}, Pools{HP: MaxPool, MaxHP: MaxPool, MP: 3,
			MaxMP: MaxPool}},
	} {
		d := Derived{HP: c.hp, MP: c.mp, levels: true}
		if got := d.Limit(c.p, &DefaultBalance().Effect); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestWhatOthersSee(t *testing.T) {
	tables := someTables(t)
	for _, c := range []struct {
		name  string
		hand  ItemID
		items []Item
		want  Worn
	}{
		{"nothing", 0, nil, Worn{}},
		{"a helmet", 0, []Item{tables.of(kindHelmet, 1, 0, SlotHelmet, 1)}, Worn{Helmet: 'H'}},
		{"a helmet in the inventory", 0, []Item{tables.of(kindHelmet, 1, 0, 26, 1)}, Worn{}},
		{"a shield whose code is no single letter", 0, []Item{tables.of(kindShield, 1, 0, SlotShield, 1)}, Worn{}},
		{"a robe", 0, []Item{tables.of(kindRobe, 1, 0, SlotChest, 1)}, Worn{Robe: 'R'}},
		{"a sword in the hand", 1, []Item{tables.of(kindSword, 1, 0, 26, 1)}, Worn{Sword: "sword601"}},
		{"an axe whose model cannot be told", 1, []Item{tables.of(kindHeavy, 1, 0, 26, 1)}, Worn{}},
		{"a mantra in the hand", 1, []Item{tables.of(kindMantra, 1, 0, 26, 1)}, Worn{}},
		{"what nobody knows", 0, []Item{a(757, 1, 0, SlotHelmet, 1)}, Worn{}},
		{"in a bag", 0, []Item{tables.of(kindBag, 9, 0, SlotBackpack, 1), tables.of(kindHelmet, 1, 9, SlotHelmet, 1)},
			Worn{}},
	} {
		if got := tables.Worn(carries(c.items...), c.hand); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	var w Worn
	places := map[*byte]int{}
	for slot := range EndOfSlots {
		for _, class := range []int{750, 761} {
			if at := wornPlace(&w, &Item{Slot: slot, Class: class}); at != nil {
				places[at]++
			}
		}
	}
	if len(places) != 7 {
		t.Errorf("%d places of what is worn, want 7", len(places))
	}
}

func TestWhatMayBeWornAndHeld(t *testing.T) {
	tables := someTables(t)
	strong, weak := able(), Character{}
	for _, c := range []struct {
		name string
		who  Character
		item Item
		may  bool
	}{
		{"helmet of the strong", strong, tables.of(kindHelmet, 1, 0, SlotHelmet, 1), true},
		{"helmet of the weak", weak, tables.of(kindHelmet, 1, 0, SlotHelmet, 1), false},
		{"helmet that is only carried", weak, tables.of(kindHelmet, 1, 0, 26, 1), true},
		{"helmet in another's slot", weak, tables.of(kindHelmet, 1, 0, SlotBelt, 1), true},
		{"shield without a title", strong, tables.of(kindShield, 1, 0, SlotShield, 1), false},
		{"what is not known", weak, a(3999, 1, 0, SlotHelmet, 1), true},
		{"emblem of another guild", weak, tables.of(kindEmblem, 1, 0, SlotGuild, 1), false},
	} {
		if got := tables.Counts(&c.who, carries(c.item), 0, 1); got != c.may {
			t.Errorf("%s counts: %v", c.name, got)
		}
	}
	vault := NewInventory(Inventory{Vault: 3}, []Item{tables.of(kindHelmet, 1, 0, SlotHelmet, 1)})
	if !tables.Counts(&weak, &vault, 0, 1) || !tables.Counts(&weak, carries(), 0, 5) {
		t.Error("what nobody wears has requirements")
	}
	sword := carries(tables.of(kindSword, 1, 0, 26, 1), tables.of(kindHelmet, 2, 0, 27, 1))
	for _, c := range []struct {
		who Character
		id  ItemID
		may bool
	}{{strong, 1, true}, {weak, 1, false}, {strong, 2, false}, {strong, 3, false}, {strong, 0, false}} {
		if got := tables.MayHold(&c.who, sword, c.id); got != c.may {
			t.Errorf("item %d is held by %+v: %v", c.id, c.who, got)
		}
	}
}

func BenchmarkDerive(b *testing.B) {
	tables, err := NewTables(someKinds(), nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	who := able()
	h := carries(tables.of(kindSword, 1, 0, 26, 1), tables.of(kindHelmet, 2, 0, SlotHelmet, 1), tables.of(kindRing, 3, 0,
		8, 1),
		tables.of(kindRing, 4, 0, 9, 1), tables.of(kindShield, 5, 0, SlotShield, 1), tables.of(kindRobe, 6, 0, SlotChest, 1))
	b.ReportAllocs()
	for b.Loop() {
		tables.Derive(&who, h, 1)
	}
}
