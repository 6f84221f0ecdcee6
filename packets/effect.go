package packets

// A Mutator holds what an effect object changes, and its icon. Source: protocol ingame 14.
type Mutator struct {
	Modifiers [14]int32 // varints; index 3 is physical defence, 4 magical defence
	Kind      uint8     // 3 bits: 0 defence powders, 1 poison, 2 special mutators
	Icon      string    // 4-letter code, 7-bit characters
	Group     int32     // varint, 260 to 262
	Number    uint8     // 4 bits: inside the icon's group
}

var _ = region[Mutator](ClassVirus)

func (*Mutator) number() uint8 { return 6 }
func (m *Mutator) fields(f *fields) {
	for i := range m.Modifiers {
		f.varint(&m.Modifiers[i])
	}
	num(f, &m.Kind, 3)
	f.text(&m.Icon, 4, 7)
	f.varint(&m.Group)
	num(f, &m.Number, 4)
}

// MutatorTimer tells what a mutator is and how long it lasts.
type MutatorTimer struct {
	Mutator uint16 // its number, protocol ingame 14
	Unknown uint8
	Seconds uint16
	Caster  uint16 // id of a player
}

var _ = fromServer(&contManCommands, 15,
	func(m *MutatorTimer, f *fields) { f.walk(&m.Mutator, &m.Unknown, &m.Seconds, &m.Caster) }, of(ClassVirus))

// PlayEffect plays an effect on the player.
type PlayEffect struct{ Effect uint16 } // 0x54 teleport, 0x2F6 regeneration

var _ = fromServer(&managerCommands, 18, func(m *PlayEffect, f *fields) { f.walk(&m.Effect) }, turn(1))

// PlayEffect8 is PlayEffect in one byte.
type PlayEffect8 struct{ Effect uint8 }

var _ = fromServer(&managerCommands, 18, func(m *PlayEffect8, f *fields) { f.walk(&m.Effect) }, turn(2))

// Cleansed comes with cleansing effects; what for is unknown.
type Cleansed struct {
	Player  uint16 // its id
	Unknown [3]byte
}

var _ = fromServer(&managerCommands, 26, func(m *Cleansed, f *fields) {
	f.walk(&m.Player)
	f.bytes(m.Unknown[:])
})
