package rules

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
)

// NoSuffix is the suffix index of an item that has none.
const NoSuffix = -1

// A Kind is one row of the item tables: the common properties of all items of one sort (13.2).
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
	// wire numbers of the slots in which it may be worn, the first is the usual one
	Slots []int `json:"slots,omitempty"`
	Hand  bool  `json:"hand,omitzero"` // it may be held in the main hand
	Stack int   `json:"stack"`         // how many lie in one place, at least 1
	Names Names `json:"names,omitempty"`
	// made up by us: the original client has no row, so no icon and no name for it
	Ours bool `json:"ours,omitzero"`
}

// Columns are the numbers of a row that a suffix can change, in the units and with the signs of the client's tables:
// attack is negative, levels and their requirements are levels less one.
type Columns struct {
	// UseHP is column 4: HP that each use costs, negative. In suffixes of chests and shields 1 means that stats are only
	// raised.
	UseHP  int  `json:"use_hp,omitzero"`
	UseMP  int  `json:"use_mp,omitzero"` // 5
	Need   Need `json:"need,omitzero"`
	Attack int  `json:"attack,omitzero"` // 18: physical attack of the thing in hand, negative
	// 19: magical attack of the item in hand, negative; healing when positive
	Magic        int   `json:"magic,omitzero"`
	MPEffect     int   `json:"mp_effect,omitzero"`     // 20
	Spread       int   `json:"spread,omitzero"`        // 21: probably the width of the band of attack, unit unknown
	Bonus        Bonus `json:"bonus,omitzero"`         // of an item that is worn
	Weight       int   `json:"weight,omitzero"`        // 36: grams, of which the wire says as many for each slot
	Durability   int   `json:"durability,omitzero"`    // 37: uses; 0 for things that do not wear out
	Range        int   `json:"range,omitzero"`         // 38: metres; above 100 a hundredth is the radius around that point
	UseTime      int   `json:"use_time,omitzero"`      // 39
	Price        int   `json:"price,omitzero"`         // 40: of one
	Effect       int   `json:"effect,omitzero"`        // 41: number of the mutator, 0: none
	EffectLength int   `json:"effect_length,omitzero"` // 42: see [Columns.EffectSeconds]
	Reuse        int   `json:"reuse,omitzero"`         // 43: cool-down
	Chance       int   `json:"chance,omitzero"`        // 44: of the effect, per mille
}

// A Need is the requirements of an item (7.2). Zero means no requirement.
type Need struct {
	Title    int   `json:"title,omitzero"`     // 6: level less one
	Degree   int   `json:"degree,omitzero"`    // 7: level less one
	KarmaMin int   `json:"karma_min,omitzero"` // 8: band, 1 very bad … 5 benign
	KarmaMax int   `json:"karma_max,omitzero"` // 9
	Stats    Stats `json:"stats,omitzero"`     // 10–17
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

// Name is the name of the kind, or its module and number when the files give none.
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

// SuffixLetter is the letter of the group of suffixes that the kind may have, "" for none.
func (k *Kind) SuffixLetter() string {
	if len(k.Group) == 1 && k.Group[0] >= 'A' && k.Group[0] <= 'Z' {
		return k.Group
	}
	return ""
}

// New reports whether traders sell the kind and monsters leave it: it is in one of the tables that are called new
// (7.2).
func (k *Kind) New() bool { return strings.HasSuffix(k.Table, "_n") }

// EffectSeconds is how long the effect lasts (column 42).
func (c *Columns) EffectSeconds() int { return secondsOf(c.EffectLength) }

// secondsOf reads a length code: in units of 300 seconds, and above 100 of 5 seconds.
func secondsOf(code int) int {
	if code > 100 {
		return (code - 100) * 5
	}
	return code * 300
}

// NewExtra is the extra payload of a new item of the kind.
func (k *Kind) NewExtra() []byte {
	switch k.Class {
	case ClassScroll:
		return binary.LittleEndian.AppendUint16(nil, uint16(k.Subtype))
	case ClassTokenStart:
		return []byte{ExitToken & 0xFF, ExitToken >> 8, 0, 1}
	case ClassToken, ClassTokenCharges:
		return []byte{ExitToken & 0xFF, ExitToken >> 8, 0, 0}
	}
	return nil
}

// ExitToken is the destination of the token that leaves the newcomers' dungeon, and of tokens without a known one.
//
// Source: protocol ingame 4.1, 18.2.
const ExitToken = 0x070B

// Complete sets slots, hand and stack from the class, and the tier from the tier code. A stack that is set above 1
// stays.
func (k *Kind) Complete() {
	k.Stack = max(k.Stack, 1)
	if c := ClassOf(k.Class); c.Tag != 0 {
		k.Slots, k.Hand = slices.Clone(c.Slots), c.Hand
		if c.Stacks && k.Stack == 1 {
			k.Stack = StackLimit
		}
	}
	if k.TierCode != "" {
		k.Tier = TierOf(k.TierCode)
	}
}

// TierOf reads the two digits of a tier code such as "TE03w", 0 when there are none (13.2).
func TierOf(code string) int {
	if len(code) < 4 || !digit(code[2]) || !digit(code[3]) {
		return 0
	}
	return int(code[2]-'0')*10 + int(code[3]-'0')
}

func digit(b byte) bool { return b >= '0' && b <= '9' }

// Rank is the rank of an item for [Weaken]: of a guild item the guild rank, of others the tier (7.4).
func (k *Kind) Rank() int {
	if _, rank, ok := GuildOf(k.GameID); ok && k.Class == ClassGuildEmblem {
		return rank
	}
	return k.Tier
}
