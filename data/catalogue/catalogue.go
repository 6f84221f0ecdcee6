// Package catalogue knows the kinds of things that the game has: what they are called, what they do to who wears
// them, what they cost, who sells them, and the kinds of monsters. It is a table that is loaded once and never changes.
//
// A [Catalogue] is either our own default, which is embedded, or what an operator has imported from the files of his
// own client (package clientfiles, [Open]). Section numbers in comments are those of protocol gamerules.
package catalogue

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// A Catalogue is safe for any number of readers at once. What its methods return must not be changed.
type Catalogue struct {
	source   string
	kinds    []Kind // by ID
	byID     map[int]*Kind
	byWire   map[wireKey]*Kind
	byClass  map[int][]*Kind
	suffixes map[string][]Suffix // by letter, each by index
	monsters []Monster           // by ID
	names    []searchName
	exact    map[string][]*Kind      // by folded name
	bySuffix map[string][]suffixName // by folded name
	places   []Place
	texts    map[string][]Text
	models   map[string]Model
}

// A wireKey is what the wire says of a thing.
type wireKey struct{ class, gameID, subtype int }

// Content is what a catalogue is made of: plain data, in any order.
type Content struct {
	Source   string // where it is from, in words
	Kinds    []Kind
	Suffixes []Suffix
	Monsters []Monster
	Places   []Place
	Texts    map[string][]Text // by the name of the language file: "_tokens"
	Models   map[string]Model  // by name
}

// A Place is where the client's files put something. Metres, radians.
type Place struct {
	File  string  `json:"file"` // relative to the client's folder, with slashes
	Name  string  `json:"name"`
	X     float32 `json:"x"`
	Y     float32 `json:"y"`
	Z     float32 `json:"z"`
	Yaw   float32 `json:"yaw,omitzero"`
	Pitch float32 `json:"pitch,omitzero"`
	Roll  float32 `json:"roll,omitzero"`
}

// A Text is one numbered line of a language file, in the languages that have it: the name of a teleport, of a token's
// destination, of a person.
type Text struct {
	Section string `json:"section,omitempty"` // what stood after "#"; "" for lines before the first section
	Number  int    `json:"number"`
	Text    Names  `json:"text"`
}

// A Model is what a model's parameter file says of how somebody moves, in metres a second.
type Model struct {
	Walk float64 `json:"walk,omitzero"`
	Run  float64 `json:"run,omitzero"`
}

// New makes a catalogue. Two things that the wire could not tell apart, and rows that make no sense, are errors.
func New(c Content) (*Catalogue, error) {
	out := &Catalogue{
		source: c.Source, kinds: slices.Clone(c.Kinds), monsters: slices.Clone(c.Monsters), suffixes: map[string][]Suffix{},
		byID: map[int]*Kind{}, byWire: map[wireKey]*Kind{}, byClass: map[int][]*Kind{},
		exact: map[string][]*Kind{}, bySuffix: map[string][]suffixName{},
		places: c.Places, texts: c.Texts, models: c.Models,
	}
	slices.SortStableFunc(out.kinds, func(a, b Kind) int { return cmp.Compare(a.ID, b.ID) })
	for i := range out.kinds {
		k := &out.kinds[i]
		if k.ID <= 0 {
			return nil, fmt.Errorf("catalogue: kind %q: expected an id above 0, found %d", k.Name("en"), k.ID)
		}
		if other := out.byID[k.ID]; other != nil {
			return nil, fmt.Errorf("catalogue: two kinds have the id %d: %q and %q", k.ID, other.Name("en"), k.Name("en"))
		}
		k.Stack = max(k.Stack, 1)
		out.byID[k.ID] = k
		// Rows of unknown class cannot be told apart on the wire, so nobody looks for them there.
		if key := (wireKey{k.Class, k.GameID, k.Subtype}); k.Class != 0 {
			if other := out.byWire[key]; other != nil {
				return nil, fmt.Errorf("catalogue: the wire cannot tell kinds %d and %d apart: class %d, game id %d",
					other.ID, k.ID, k.Class, k.GameID)
			}
			out.byWire[key] = k
		}
	}
	for _, s := range c.Suffixes {
		out.suffixes[s.Letter] = append(out.suffixes[s.Letter], s)
	}
	for letter, group := range out.suffixes {
		slices.SortStableFunc(group, func(a, b Suffix) int { return cmp.Compare(a.Index, b.Index) })
		for i := range group {
			if group[i].Index != i {
				return nil, fmt.Errorf("catalogue: suffixes of group %s: expected index %d, found %d", letter, i, group[i].Index)
			}
		}
	}
	slices.SortStableFunc(out.monsters, func(a, b Monster) int { return cmp.Compare(a.ID, b.ID) })
	for i := range out.monsters {
		if i > 0 && out.monsters[i].ID == out.monsters[i-1].ID {
			return nil, fmt.Errorf("catalogue: two monsters have the id %d", out.monsters[i].ID)
		}
	}
	out.indexClasses()
	out.indexNames()
	out.indexSuffixes()
	return out, nil
}

// Source says in words where the content is from.
func (c *Catalogue) Source() string { return c.source }

// Kinds lists all kinds by id.
func (c *Catalogue) Kinds() []Kind { return c.kinds }

// Kind returns the kind with an id, nil when there is none.
func (c *Catalogue) Kind(id int) *Kind { return c.byID[id] }

// Of returns the kind of a thing as the wire names it, nil when it is unknown. Class and game id are those of a stored
// item; subtype is 0 for nearly everything (see [Kind]). A class whose things have no rows is found whatever the game
// id.
func (c *Catalogue) Of(class, gameID, subtype int) *Kind {
	for _, key := range []wireKey{{class, gameID, subtype}, {class, gameID, 0}, {class, 0, 0}} {
		if k := c.byWire[key]; k != nil {
			return k
		}
	}
	return nil
}

// Letters lists the letters of the suffix groups, in order.
func (c *Catalogue) Letters() []string { return slices.Sorted(maps.Keys(c.suffixes)) }

// Suffixes lists a group by index.
func (c *Catalogue) Suffixes(letter string) []Suffix { return c.suffixes[letter] }

// Suffix returns the suffix of a kind with an index, nil when the kind has no such suffix; index [NoSuffix] is none.
func (c *Catalogue) Suffix(k *Kind, index int) *Suffix {
	if group := c.suffixes[k.SuffixLetter()]; index >= 0 && index < len(group) {
		return &group[index]
	}
	return nil
}

// Monsters lists the rows of monsters by id.
func (c *Catalogue) Monsters() []Monster { return c.monsters }

// Monster returns the row of a monster type, nil when there is none.
func (c *Catalogue) Monster(id int) *Monster {
	i, ok := slices.BinarySearchFunc(c.monsters, id, func(m Monster, id int) int { return cmp.Compare(m.ID, id) })
	if !ok {
		return nil
	}
	return &c.monsters[i]
}

// Places lists where the client's files put things; none in the default catalogue.
func (c *Catalogue) Places() []Place { return c.places }

// Texts lists the lines of a language file, "_tokens" for example; none in the default catalogue.
func (c *Catalogue) Texts(file string) []Text { return c.texts[file] }

// Model returns how fast a model moves; false when that is not known.
func (c *Catalogue) Model(name string) (Model, bool) {
	m, ok := c.models[name]
	return m, ok
}
