// Package content knows the kinds of items in the game: their names, their effects, their prices, the traders that
// sell them, and the kinds of monsters. It is a table that is loaded once and never changes.
//
// A [Catalogue] is either our own default, which is embedded, or an operator's import from the files of a client
// (package clientfiles, [Open]). Section numbers in comments are protocol gamerules'.
package content

import (
	"fmt"

	"sphereserver/world/rules"
)

// A Catalogue is safe for any number of readers at once. The results of its methods must not be changed.
type Catalogue struct {
	*rules.Tables
	Content  Content // that it was made of
	names    []searchName
	exact    map[string][]*rules.Kind // by folded name
	bySuffix map[string][]suffixName  // by folded name
}

// ThingBase is the first id of kinds without a row in the client's tables: bags, keys, food. Their id is ThingBase +
// 10·class + subtype, far above every number of a table.
const ThingBase = 100_000

// OurFirst and OurLast bound the game ids that the default catalogue gives to kinds which we have made up. No known row
// of the client has a number there (the greatest are the guild items, up to 6,805), and they still fit into the 14 bits
// that the wire gives most game ids.
const (
	OurFirst = 15_000
	OurLast  = 15_999
)

// Content is the plain data of a catalogue, in any order.
type Content struct {
	Source     string // where it is from, in words
	Kinds      []rules.Kind
	Suffixes   []rules.Suffix
	Monsters   []rules.Monster
	Placements []Placement
	Texts      map[string][]Text // by the name of the language file: "_tokens"
	Models     map[string]Model  // by name
}

// A Placement is where the client's files put something. Metres, radians.
type Placement struct {
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
	Section string      `json:"section,omitempty"` // the text after "#"; "" for lines before the first section
	Number  int         `json:"number"`
	Text    rules.Names `json:"text"`
}

// A Model has the speeds in a model's parameter file, in metres a second.
type Model struct {
	Walk float64 `json:"walk,omitzero"`
	Run  float64 `json:"run,omitzero"`
}

// New makes a catalogue. Two items that the wire could not tell apart, and rows that make no sense, are errors.
func New(c Content) (*Catalogue, error) {
	tables, err := rules.NewTables(c.Kinds, c.Suffixes, c.Monsters)
	if err != nil {
		return nil, fmt.Errorf("catalogue: %w", err)
	}
	tables.Levels, tables.Tokens = true, tokens()
	out := &Catalogue{Tables: tables, Content: c, exact: map[string][]*rules.Kind{}, bySuffix: map[string][]suffixName{}}
	out.indexNames()
	out.indexSuffixes()
	return out, nil
}
