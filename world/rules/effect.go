package rules

import "time"

// The wire numbers of the slots of effects. Source: protocol ingame 14.
const (
	SlotEffects  = 36
	EndOfEffects = 46 // one more than the last
)

// An Effect is what lies on a character for a while: the columns of the item, or of the monster, that caused it.
//
// Source: protocol fight 11.1.
type Effect struct {
	Slot   int    // wire number, [SlotEffects] to EndOfEffects-1
	ID     int    // column 41
	Key    string // column 48, four letters: "mgss"
	Kind   EffectKind
	Tier   int   // of the item
	Length int   // column 42: the length code, as it is sent
	Bonus  Bonus // columns 22 to 35; of poison and regeneration these are no bonus, see [Effect.Bonuses]
	Caster int64 // number of the character, 0: none
	Left   time.Duration
}

// An EffectKind is whether an effect is meant well.
type EffectKind uint8

// The kinds, with the numbers of the wire.
const (
	GoodEffect    EffectKind = iota // mg
	BadEffect                       // mb, mm
	SpecialEffect                   // ms
)
