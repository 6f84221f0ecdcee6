package rules

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"sort"
)

// Tables are the kinds of items, suffixes, monsters and levels of a world. They are made once and do not change. The
// zero value has none: with it items have no effect and no use, and there is no trade.
type Tables struct {
	// Levels has levels give HP, MP and points to spend. Without it the greatest HP and MP are those with which a
	// character comes.
	Levels bool
	// Tokens are the destinations of tokens, by the number with which their extra payload begins.
	Tokens map[uint16]Destination
	// Stock lists a trader's goods, the same all day; nil for none. [NewTables] sets it to [Tables.Shelves].
	Stock func(Shop) []Offer

	kinds    []Kind // by ID
	byID     map[int]*Kind
	byWire   map[wireKey]*Kind
	byClass  map[int][]*Kind     // by tier and ID
	suffixes map[string][]Suffix // by letter, each by index
	monsters []Monster           // by ID
}

// A wireKey is an item's kind as the wire names it.
type wireKey struct{ class, gameID, subtype int }

// NewTables makes tables of rows in any order. Two items that the wire could not tell apart, and rows that make no
// sense, are errors.
func NewTables(kinds []Kind, suffixes []Suffix, monsters []Monster) (*Tables, error) {
	t := &Tables{kinds: slices.Clone(kinds), monsters: slices.Clone(monsters), suffixes: map[string][]Suffix{},
		byID: map[int]*Kind{}, byWire: map[wireKey]*Kind{}, byClass: map[int][]*Kind{}}
	t.Stock = t.Shelves
	slices.SortStableFunc(t.kinds, func(a, b Kind) int { return cmp.Compare(a.ID, b.ID) })
	if err := t.indexKinds(); err != nil {
		return nil, err
	}
	for _, s := range suffixes {
		t.suffixes[s.Letter] = append(t.suffixes[s.Letter], s)
	}
	for letter, group := range t.suffixes {
		slices.SortStableFunc(group, func(a, b Suffix) int { return cmp.Compare(a.Index, b.Index) })
		for i := range group {
			if group[i].Index != i {
				return nil, fmt.Errorf("suffixes of group %s: expected index %d, found %d", letter, i, group[i].Index)
			}
		}
	}
	slices.SortStableFunc(t.monsters, func(a, b Monster) int { return cmp.Compare(a.ID, b.ID) })
	for i := range t.monsters {
		if i > 0 && t.monsters[i].ID == t.monsters[i-1].ID {
			return nil, fmt.Errorf("two monsters have the id %d", t.monsters[i].ID)
		}
	}
	return t, nil
}

func (t *Tables) indexKinds() error {
	for i := range t.kinds {
		k := &t.kinds[i]
		if k.ID <= 0 {
			return fmt.Errorf("kind %q: expected an id above 0, found %d", k.Name("en"), k.ID)
		}
		if other := t.byID[k.ID]; other != nil {
			return fmt.Errorf("two kinds have the id %d: %q and %q", k.ID, other.Name("en"), k.Name("en"))
		}
		k.Stack = max(k.Stack, 1)
		t.byID[k.ID] = k
		t.byClass[k.Class] = append(t.byClass[k.Class], k)
		// Rows of unknown class cannot be told apart on the wire, so they are not looked up there.
		if key := (wireKey{k.Class, k.GameID, k.Subtype}); k.Class != 0 {
			if other := t.byWire[key]; other != nil {
				return fmt.Errorf("the wire cannot tell kinds %d and %d apart: class %d, game id %d", other.ID, k.ID, k.Class,
					k.GameID)
			}
			t.byWire[key] = k
		}
	}
	for _, group := range t.byClass {
		slices.SortFunc(group, func(a, b *Kind) int { return cmp.Or(cmp.Compare(a.Tier, b.Tier), cmp.Compare(a.ID, b.ID)) })
	}
	return nil
}

// Kinds lists all kinds by id. They are not to be changed.
func (t *Tables) Kinds() []Kind { return t.kinds }

// Kind returns the kind with an id, nil when there is none.
func (t *Tables) Kind(id int) *Kind { return t.byID[id] }

// OfClass lists the kinds of a class by tier and id.
func (t *Tables) OfClass(class int) []*Kind { return t.byClass[class] }

// Of returns the kind of an item as the wire names it, nil when it is unknown. Class and game id are those of a stored
// item; subtype is 0 for nearly everything (see [Kind]). A class without rows of its items is found with any game id.
func (t *Tables) Of(class, gameID, subtype int) *Kind {
	for _, key := range [...]wireKey{{class, gameID, subtype}, {class, gameID, 0}, {class, 0, 0}} {
		if k := t.byWire[key]; k != nil {
			return k
		}
	}
	return nil
}

// KindOf returns the kind of an item, nil when it is unknown.
func (t *Tables) KindOf(i *Item) *Kind {
	subtype := 0
	if i.Class == ClassScroll {
		subtype = int(firstNumber(i.Extra))
	}
	return t.Of(i.Class, i.GameID, subtype)
}

// firstNumber is the 16-bit number with which an extra payload begins, 0 if it is shorter.
func firstNumber(extra []byte) uint16 {
	if len(extra) < 2 {
		return 0
	}
	return binary.LittleEndian.Uint16(extra)
}

// Letters lists the letters of the suffix groups, in order.
func (t *Tables) Letters() []string { return slices.Sorted(maps.Keys(t.suffixes)) }

// Suffixes lists the suffixes of a group, by their index on the wire; none for a letter of no group. The slice is not
// to be changed.
func (t *Tables) Suffixes(letter string) []Suffix { return t.suffixes[letter] }

// Suffix returns the suffix of a kind with an index, nil when the kind has no such suffix; index [NoSuffix] is none.
func (t *Tables) Suffix(k *Kind, index int) *Suffix {
	if group := t.suffixes[k.SuffixLetter()]; index >= 0 && index < len(group) {
		return &group[index]
	}
	return nil
}

// Numbers are those of a kind with the suffix of an index.
func (t *Tables) Numbers(k *Kind, suffix int) Columns { return k.With(t.Suffix(k, suffix)) }

// Monsters lists the rows of monsters by id. The slice is not to be changed.
func (t *Tables) Monsters() []Monster { return t.monsters }

// Monster returns the row of a monster type, nil when there is none.
func (t *Tables) Monster(id int) *Monster {
	i := sort.Search(len(t.monsters), func(i int) bool { return t.monsters[i].ID >= id }) // copies no row
	if i == len(t.monsters) || t.monsters[i].ID != id {
		return nil
	}
	return &t.monsters[i]
}

// Token returns the destination of a token; false if that is not known.
func (t *Tables) Token(i *Item) (Destination, bool) {
	to, ok := t.Tokens[firstNumber(i.Extra)]
	return to, ok && to.To.Check() == nil
}

// NewItem is an item as it is made, with the extra payload of its kind unless another is given.
func (t *Tables) NewItem(k *Kind, suffix, count int, extra []byte) Item {
	n := t.Numbers(k, suffix)
	i := Item{Class: k.Class, GameID: k.GameID, Suffix: suffix, Count: count, Durability: n.Durability,
		MaxDurability: n.Durability,
		Weight:        n.Weight, Extra: extra}
	if n.Durability <= 0 {
		i.Durability, i.MaxDurability = 100, 100
	}
	if extra == nil {
		i.Extra = k.NewExtra()
	}
	return i
}

// Stacks reports whether all of a stack may be added to another.
func (t *Tables) Stacks(i, onto *Item) bool {
	if i.ID == onto.ID || !i.Alike(onto) {
		return false
	}
	k := t.KindOf(i)
	return k != nil && k.Stack > 1 && i.Count+onto.Count <= k.Stack
}

// IsStack reports whether clients are told the count of an item: of stackable ones also if it is 1.
func (t *Tables) IsStack(i *Item) bool {
	if i.Count > 1 || ClassOf(i.Class).Use == Mantra {
		return true
	}
	k := t.KindOf(i)
	return k != nil && k.Stack > 1
}
