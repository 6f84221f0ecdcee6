package catalogue

import (
	"slices"
	"strconv"
	"strings"
)

// NoSuffix is the suffix index of a thing that has none.
const NoSuffix = -1

// ThingBase is what the ids begin with of kinds that have no row in the client's tables: bags, keys, food. Their id is
// ThingBase + 10·class + subtype, far above every number of a table.
const ThingBase = 100_000

// OurFirst and OurLast bound the game ids that the default catalogue gives to kinds which we have made up. No known row
// of the client has a number there (the greatest are the guild items, up to 6,805), and they still fit into the 14 bits
// that the wire gives most game ids.
const (
	OurFirst = 15_000
	OurLast  = 15_999
)

// A Kind is one row of the item tables: what all things of one sort have in common (13.2).
type Kind struct {
	ID      int    `json:"id"`               // unique; equals GameID, or from ThingBase on
	GameID  int    `json:"game_id,omitzero"` // number on the wire, 0 for classes without one
	Subtype int    `json:"subtype,omitzero"` // of scrolls: which one (the wire has it in ContMan 15)
	Class   int    `json:"class,omitzero"`   // class tag, 0 when the module is unknown: such a thing cannot be sent
	Table   string `json:"table,omitempty"`  // of the client: "swords_n"; "" for things without a row
	Module  string `json:"module,omitempty"` // column 1
	Model   string `json:"model,omitempty"`  // column 2, on the ground
	Icon    string `json:"icon,omitempty"`   // column 3
	Columns
	Look      [3]string `json:"look,omitzero"`        // columns 45–47: visual and sound ids
	EffectKey string    `json:"effect_key,omitempty"` // column 48
	TierCode  string    `json:"tier_code,omitempty"`  // column 49: "TE03w"
	Tier      int       `json:"tier,omitzero"`        // the two digits of it, 0 when there are none
	Group     string    `json:"group,omitempty"`      // column 50: letter of the suffix group, "-", "+K5", "1E__"
	Rest      string    `json:"rest,omitempty"`       // column 51, meaning unknown
	Slots     []int     `json:"slots,omitempty"`      // wire numbers of the slots in which it may be worn, the first is the usual one
	Hand      bool      `json:"hand,omitzero"`        // it may be held in the main hand
	Stack     int       `json:"stack"`                // how many lie in one place, at least 1
	Names     Names     `json:"names,omitempty"`
	Ours      bool      `json:"ours,omitzero"` // made up by us: the original client has no row, so no icon and no name for it
}

// Columns are the numbers of a row that a suffix can change, in the units and with the signs of the client's tables:
// attack is negative, levels and their requirements are levels less one.
type Columns struct {
	UseHP        int   `json:"use_hp,omitzero"` // 4: HP that each use costs, negative. In suffixes of chests and shields: 1 means that stats are only raised
	UseMP        int   `json:"use_mp,omitzero"` // 5
	Need         Need  `json:"need,omitzero"`
	Attack       int   `json:"attack,omitzero"`        // 18: physical attack of the thing in hand, negative
	Magic        int   `json:"magic,omitzero"`         // 19: magical attack of the thing in hand, negative; healing when positive
	MPEffect     int   `json:"mp_effect,omitzero"`     // 20
	Spread       int   `json:"spread,omitzero"`        // 21: probably the width of the band of attack, unit unknown
	Bonus        Bonus `json:"bonus,omitzero"`         // of who wears it
	Weight       int   `json:"weight,omitzero"`        // 36: grams, of which the wire says as many for each slot
	Durability   int   `json:"durability,omitzero"`    // 37: uses; 0 for things that do not wear out
	Range        int   `json:"range,omitzero"`         // 38: see [Columns.Reach]
	UseTime      int   `json:"use_time,omitzero"`      // 39
	Price        int   `json:"price,omitzero"`         // 40: of one
	Effect       int   `json:"effect,omitzero"`        // 41: number of the mutator, 0: none
	EffectLength int   `json:"effect_length,omitzero"` // 42: see [Columns.EffectSeconds]
	Reuse        int   `json:"reuse,omitzero"`         // 43: cool-down
	Chance       int   `json:"chance,omitzero"`        // 44: of the effect, per mille
}

// Stats are the eight statistics in the order of tables and wire: strength, agility, accuracy, endurance, earth, air,
// water, fire.
type Stats [8]int

// A Need is what a character must have to use a thing (7.2). Zero means no requirement.
type Need struct {
	Title    int   `json:"title,omitzero"`     // 6: level less one
	Degree   int   `json:"degree,omitzero"`    // 7: level less one
	KarmaMin int   `json:"karma_min,omitzero"` // 8: band, 1 very bad … 5 benign
	KarmaMax int   `json:"karma_max,omitzero"` // 9
	Stats    Stats `json:"stats,omitzero"`     // 10–17
}

// A Bonus is what who wears a thing gets (columns 22–27, 35).
type Bonus struct {
	HP              int   `json:"hp,omitzero"`               // 22: greatest HP
	MP              int   `json:"mp,omitzero"`               // 23: greatest MP
	Attack          int   `json:"attack,omitzero"`           // 24: physical, negative
	PhysicalDefence int   `json:"physical_defence,omitzero"` // 25
	MagicalDefence  int   `json:"magical_defence,omitzero"`  // 26
	Stats           Stats `json:"stats,omitzero"`            // 27–34
	Magic           int   `json:"magic,omitzero"`            // 35: magical attack, negative
}

// A Monster is one row of the monsters' table (13.3).
type Monster struct {
	ID        int       `json:"id"`              // monster type: the game id on the wire
	Class     int       `json:"class,omitzero"`  // 210 walks, 211 flies …
	Module    string    `json:"module"`          // column 1
	Model     string    `json:"model,omitempty"` // 2
	Speed     int       `json:"speed,omitzero"`  // 4: like a speed, unit unknown
	Flying    int       `json:"flying,omitzero"` // 5: 100 when flying
	Karma     int       `json:"karma,omitzero"`  // 6: band
	Low       int       `json:"low,omitzero"`    // 7: lowest level less one
	High      int       `json:"high,omitzero"`   // 8: highest level less one
	HPBase    int       `json:"hp_base"`         // 9: see [Monster.MaxHP]
	Physical  int       `json:"physical_defence,omitzero"`
	Magical   int       `json:"magical_defence,omitzero"` // 10, 11: defence per level
	Trophies  [2]Trophy `json:"trophies,omitzero"`        // 12–15
	Size      int       `json:"size,omitzero"`            // 17: maybe a percentage
	Attack    int       `json:"attack,omitzero"`          // 18: physical, per level, negative
	Magic     int       `json:"magic,omitzero"`           // 19: magical, per level, negative
	Weight    int       `json:"weight,omitzero"`          // 36
	Range     int       `json:"range,omitzero"`           // 38: metres
	Delay     int       `json:"delay,omitzero"`           // 39: seconds between attacks
	Effect    int       `json:"effect,omitzero"`          // 41
	Length    int       `json:"effect_length,omitzero"`   // 42
	Chance    int       `json:"chance,omitzero"`          // 44
	EffectKey string    `json:"effect_key,omitempty"`     // 48
	Habitat   string    `json:"habitat,omitempty"`        // 49: P F D M C H R N terrain, B boss, T town, U other
	Changes   Bonus     `json:"changes,omitzero"`         // 22 and following: what its effect changes
	Names     Names     `json:"names,omitempty"`
}

// A Trophy is what a killed monster may leave.
type Trophy struct {
	Kind   int `json:"kind,omitzero"`   // game id, 0: none
	Chance int `json:"chance,omitzero"` // per mille
}

// Names are texts by language: "ru", "en".
type Names map[string]string

// In returns the text in a language, or in English, or in Russian, or in any.
func (n Names) In(language string) string {
	for _, l := range [...]string{language, "en", "ru"} {
		if t := n[l]; t != "" {
			return t
		}
	}
	least := ""
	for l := range n {
		if n[l] != "" && (least == "" || l < least) {
			least = l
		}
	}
	return n[least]
}

// Name is what the kind is called, or its module and number when the files give no name.
func (k *Kind) Name(language string) string {
	if n := k.Names.In(language); n != "" {
		return n
	}
	return strings.TrimSpace(k.Module + " " + strconv.Itoa(k.ID))
}

// FullName is the name of a kind with a suffix, which may be nil.
func (k *Kind) FullName(s *Suffix, language string) string {
	if s == nil {
		return k.Name(language)
	}
	return k.Name(language) + " " + s.name(k.Module, language)
}

// Name is what the monster is called, or its number.
func (m *Monster) Name(language string) string {
	if n := m.Names.In(language); n != "" {
		return n
	}
	return strings.TrimSpace(m.Module + " " + strconv.Itoa(m.ID))
}

// SuffixLetter is the letter of the group whose suffixes the kind may have, "" for none.
func (k *Kind) SuffixLetter() string {
	if len(k.Group) == 1 && k.Group[0] >= 'A' && k.Group[0] <= 'Z' {
		return k.Group
	}
	return ""
}

// MustHaveSuffix says whether there are no things of the kind without a suffix: rings (7.3, group F).
func (k *Kind) MustHaveSuffix() bool { return k.SuffixLetter() == "F" }

// FitsSlot says whether the kind may be worn in a slot (wire number).
func (k *Kind) FitsSlot(slot int) bool { return slices.Contains(k.Slots, slot) }

// Stackable says whether several lie in one place.
func (k *Kind) Stackable() bool { return k.Stack > 1 }

// New says whether traders sell the kind and monsters leave it: it is in one of the tables that are called new (7.2).
func (k *Kind) New() bool { return strings.HasSuffix(k.Table, "_n") }

// Reach returns how far the thing acts, and the radius around that point, both in metres (column 38).
func (c *Columns) Reach() (reach, radius int) {
	if c.Range > 100 {
		return c.Range % 100, c.Range / 100
	}
	return c.Range, 0
}

// EffectSeconds is how long the effect lasts (column 42).
func (c *Columns) EffectSeconds() int {
	if c.EffectLength > 100 {
		return (c.EffectLength - 100) * 5
	}
	return c.EffectLength * 300
}

// MaxHP is the greatest HP of a common monster of a level, which starts at 1 (10.1).
func (m *Monster) MaxHP(level int) int { return m.HPBase * (4 + 6*level) / 10 }

// NamedHP is the greatest HP of a named monster or a boss of a level, which starts at 1 (10.1, approximate).
func (m *Monster) NamedHP(level int) int { return m.HPBase * (2 + 9*level) / 10 }
