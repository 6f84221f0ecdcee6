package packets

// A Mutator holds the changes by an effect object, and its icon: columns of the item that has caused it. Source:
// protocol ingame 14, fight 11.1.
type Mutator struct {
	// Modifiers are varints: greatest HP and MP, physical attack, physical and magical defence, strength, agility,
	// accuracy, endurance, earth, air, water, fire, magical attack. A better attack is a negative number.
	Modifiers [14]int32
	Kind      uint8  // 3 bits: 0 good, 1 bad, 2 special
	Icon      string // 4-letter code, 7-bit characters
	Group     int32  // varint, [MutatorGroup] and the kind
	Tier      uint8  // 4 bits: of the item, at most [MaxMutatorTier]
}

// The zeros of the fields of a [Mutator], and their most.
const (
	MutatorGroup   = 260
	MaxMutatorTier = 11
)

var _ = region[Mutator](ClassVirus)

func (*Mutator) number() uint8 { return 6 }
func (m *Mutator) fields(f *fields) {
	for i := range m.Modifiers {
		f.varint(&m.Modifiers[i])
	}
	num(f, &m.Kind, 3)
	f.text(&m.Icon, 4, 7)
	f.varint(&m.Group)
	num(f, &m.Tier, 4)
}

// MutatorTimer tells a mutator's number and how long it lasts.
type MutatorTimer struct {
	Mutator uint16 // number of the effect, protocol ingame 14
	Length  uint8  // code of its whole length: 300 s each, above 100 the excess in 5 s each
	Seconds uint16 // left
	Caster  uint16 // id of a player, 0 for none
}

var _ = fromServer(&contManCommands, 15,
	func(m *MutatorTimer, f *fields) { f.walk(&m.Mutator, &m.Length, &m.Seconds, &m.Caster) }, of(ClassVirus))

// PlayEffect plays an effect on the player.
type PlayEffect struct{ Effect uint16 } // 0x54 teleport, 0x2F6 regeneration

var _ = fromServer(&managerCommands, 18, func(m *PlayEffect, f *fields) { f.walk(&m.Effect) }, turn(1))

// PlayEffect8 is [PlayEffect] in one byte, as the published article and other servers send it. Source: protocol
// ingame 4.2.
type PlayEffect8 struct{ Effect uint8 }

var _ = fromServer(&managerCommands, 18, func(m *PlayEffect8, f *fields) { f.walk(&m.Effect) }, turn(2))

// Cleansed comes with cleansing effects; its purpose is unknown.
type Cleansed struct {
	Player ObjectID
	Number uint16 // recorded with 7; the form is that of a missile, so it may be the effect shown
}

var _ = fromServer(&managerCommands, 26, func(m *Cleansed, f *fields) { f.walk(&m.Player, &m.Number) })
