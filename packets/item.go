package packets

// Property sets a property of an item. It follows each spawn of one; with another owner than nobody or the player
// itself the client refuses to use the item. Source: protocol ingame 4.1.
type Property struct {
	Index uint8  // 0: the owner
	Value uint32 // of index 0: [Unbound], or the id of a player
}

var _ = fromServer(&contManCommands, 9, func(m *Property, f *fields) { f.walk(&m.Index, &m.Value) }, notOf(ClassPlayer))

// Unbound is the owner of an item that all may use.
const Unbound = 0xFFFFFFFF

// StackCount is the number of items in a stack; 0 is not sent.
type StackCount struct{ Count uint16 }

var _ = fromServer(&contManCommands, 12, func(m *StackCount, f *fields) { f.walk(&m.Count) }, turn(1))

// StackCount8 is [StackCount] in one byte: known from the client's scripts, never recorded. Source: protocol ingame
// 4.1.
type StackCount8 struct{ Count uint8 }

var _ = fromServer(&contManCommands, 12, func(m *StackCount8, f *fields) { f.walk(&m.Count) }, turn(2))

// StackCount32 is [StackCount] in four bytes: known from the client's scripts, never recorded. Source: protocol
// ingame 4.1.
type StackCount32 struct{ Count uint32 }

var _ = fromServer(&contManCommands, 12, func(m *StackCount32, f *fields) { f.walk(&m.Count) }, turn(3))

// PremiumLevel is the premium level of an item.
type PremiumLevel struct{ Level uint8 } // only 1 is known

var _ = fromServer(&contManCommands, 14, func(m *PremiumLevel, f *fields) { f.walk(&m.Level) }, turn(2))

// Subtype is the kind of a scroll and of other items of many kinds.
type Subtype struct{ Number uint16 }

var _ = fromServer(&contManCommands, 15, func(m *Subtype, f *fields) { f.walk(&m.Number) }, turn(afterClasses))

// Model is the model or icon of a person, sack or ring.
type Model struct{ Name string } // of printable characters

var _ = fromServer(&contManCommands, 15, func(m *Model, f *fields) {
	f.restNUL(&m.Name)
	for _, r := range m.Name {
		if r < ' ' {
			f.fail("a model has a name of printable characters, found %q", m.Name)
			return
		}
	}
}, turn(catchAll))

// ItemSuffix changes the suffix of an item, by its number: known from the client's scripts, never recorded. Source:
// protocol ingame 4.3.
type ItemSuffix struct{ Suffix uint8 }

var _ = fromServer(&tradeManCommands, 14, func(m *ItemSuffix, f *fields) { f.walk(&m.Suffix) }, turn(1))

// ItemSuffixGrade changes the suffix of an item and its grade.
type ItemSuffixGrade struct{ Suffix, Grade uint8 }

var _ = fromServer(&tradeManCommands, 14, func(m *ItemSuffixGrade, f *fields) { f.walk(&m.Suffix, &m.Grade) }, turn(2))

// ExpiresAt is when an item ends.
type ExpiresAt struct{ Time uint32 } // its unit is unknown

var _ = fromServer(&expiryCommands, 0, func(m *ExpiresAt, f *fields) { f.walk(&m.Time) })

// NameQuery asks for a name; known from the client's scripts alone, which tell its length.
type NameQuery struct {
	Player ObjectID // the sender, with which every request about an object begins
	Rest   [3]byte  // layout unknown
}

var _ = fromClient(&contManCommands, 9, func(m *NameQuery, f *fields) {
	f.walk(&m.Player)
	f.bytes(m.Rest[:])
})

// NoSuffix is the suffix of items that have none, as the live service sent it.
const NoSuffix = -2
