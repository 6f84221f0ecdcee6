package rules

import (
	"testing"

	"sphereserver/coords"
)

// The kinds of the tests.
const (
	kindSword = iota + 1
	kindRing
	kindHelmet
	kindBread
	kindPotion
	kindArrows
	kindBag
	kindToken
	kindMantra
	kindScroll
	kindBook
	kindCurse
	kindShield
	kindRobe
	kindEmblem
	kindHeavy
	kindHerb
	kindBlessing
)

// someKinds are a small table: requirements and bonuses are of strength, but for a shield that wants a title.
func someKinds() []Kind {
	n := func(weight, price int) Columns { return Columns{Weight: weight, Price: price} }
	sword, helmet, potion, mantra := n(5000, 60), n(1200, 40), n(50, 8), n(5, 80)
	sword.Attack, sword.Durability, sword.Need.Stats[0] = -20, 90, 5
	helmet.Need.Stats[0], helmet.Bonus = 5, Bonus{HP: 50, PhysicalDefence: 4}
	potion.Magic, mantra.Magic, mantra.UseMP = 60, -30, -12
	ring, curse, shield, robe := n(10, 100), n(10, 9), n(2000, 70), n(900, 30)
	ring.Bonus, curse.Bonus = Bonus{Stats: Stats{5}, Magic: -3}, Bonus{Stats: Stats{-6}, Attack: -7}
	shield.Need.Title, shield.Bonus = 4, Bonus{MP: 30, MagicalDefence: 2}
	robe.Bonus, robe.Effect = Bonus{HP: 100}, 1000
	badge := n(1, 0)
	badge.Bonus = Bonus{MagicalDefence: 9}
	rings := []int{8, 9, 10, 11}
	return []Kind{
		{ID: kindSword, Class: 500, GameID: 601, Hand: true, Columns: sword, Model: "sword601"},
		{ID: kindRing, Class: ClassRing, GameID: 701, Slots: rings, Columns: ring, Group: "A", Tier: 1},
		{ID: kindHelmet, Class: 757, GameID: 702, Slots: []int{SlotHelmet}, Columns: helmet, Look: [3]string{"H"}},
		{ID: kindBread, Class: 653, Stack: 100, Columns: n(8, 2)},
		{ID: kindPotion, Class: 470, GameID: 801, Stack: 10, Columns: potion},
		{ID: kindArrows, Class: 503, GameID: 802, Slots: []int{SlotAmmunition}, Stack: 1000, Columns: n(75, 9)},
		{ID: kindBag, Class: aBag, Slots: []int{SlotBackpack}, Columns: n(1000, 900)},
		{ID: kindToken, Class: ClassToken, Columns: n(10, 500)},
		{ID: kindMantra, Class: 1000, GameID: 901, Hand: true, Columns: mantra},
		{ID: kindScroll, Class: ClassScroll, Subtype: 2, Columns: n(10, 70)},
		{ID: kindBook, Class: 409, Slots: []int{SlotMantraBook}, Columns: n(500, 1)},
		{ID: kindCurse, Class: ClassRing, GameID: 703, Slots: rings, Columns: curse},
		{ID: kindShield, Class: 756, GameID: 704, Slots: []int{SlotShield}, Columns: shield, Look: [3]string{"long"}},
		{ID: kindRobe, Class: 761, GameID: 705, Slots: []int{SlotChest}, Columns: robe, Tier: 9, Look: [3]string{"R"}},
		{ID: kindEmblem, Class: ClassGuildEmblem, GameID: emblem(3, 2), Slots: []int{SlotGuild}, Columns: badge},
		{ID: kindHeavy, Class: 501, GameID: 602, Hand: true, Columns: Columns{Weight: 9000, Attack: -99},
			Model: "топор"},
		{ID: kindBlessing, Class: 1000, GameID: 902, Hand: true, Columns: Columns{Bonus: Bonus{Attack: -10}, Effect: 850}},
		{ID: kindHerb, Class: 601, GameID: 803, Stack: 50, Columns: n(3, 4)},
	}
}

var somewhere = coords.Position{X: 100, Y: 5, Z: 100}

// someTables are those of someKinds; rings may have one of three suffixes.
func someTables(t *testing.T) *Tables {
	t.Helper()
	var suffixes []Suffix
	for i := range 3 {
		suffixes = append(suffixes, Suffix{Letter: "A", Index: i,
			Columns: Columns{Price: 100 * (i + 2), Bonus: Bonus{HP: 10 * (i + 1)}}})
	}
	tables, err := NewTables(someKinds(), suffixes, []Monster{{ID: 1010, Module: "rat"}, {ID: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	tables.Levels, tables.Tokens = true, map[uint16]Destination{ExitToken: {CityDestination, somewhere}}
	return tables
}

// of makes an item of a kind, with its number, the bag it is in, its slot and how many there are.
func (t *Tables) of(kind int, id, in ItemID, slot, count int) Item {
	i := t.NewItem(t.Kind(kind), NoSuffix, count, nil)
	i.ID, i.In, i.Slot = id, in, slot
	return i
}

// carries returns the inventory of a character.
func carries(items ...Item) *Inventory {
	h := NewInventory(Inventory{Owner: 7}, items)
	return &h
}
