package packets

// Property sets a property of an item.
type Property struct {
	Index uint8  // 0: the owner
	Value uint32 // of index 0: [Unbound], or the id of a player
}

var _ = fromServer(&contManCommands, 9, command[Property](), notOf(ClassPlayer))

// Unbound is the owner of an item that everybody may use.
const Unbound = 0xFFFFFFFF

func (m *Property) fields(f *fields) {
	num(f, &m.Index, 8)
	num(f, &m.Value, 32)
}

// StackCount is the number of items in a stack; 0 is not sent.
type StackCount struct{ Count uint16 }

var _ = fromServer(&contManCommands, 12, command[StackCount](), turn(1))

func (m *StackCount) fields(f *fields) { num(f, &m.Count, 16) }

// StackCount8 is StackCount in one byte.
type StackCount8 struct{ Count uint8 }

var _ = fromServer(&contManCommands, 12, command[StackCount8](), turn(2))

func (m *StackCount8) fields(f *fields) { num(f, &m.Count, 8) }

// StackCount32 is StackCount in four bytes.
type StackCount32 struct{ Count uint32 }

var _ = fromServer(&contManCommands, 12, command[StackCount32](), turn(3))

func (m *StackCount32) fields(f *fields) { num(f, &m.Count, 32) }

// PremiumLevel is the premium level of an item.
type PremiumLevel struct{ Level uint8 } // only 1 is known

var _ = fromServer(&contManCommands, 14, command[PremiumLevel](), turn(2))

func (m *PremiumLevel) fields(f *fields) { num(f, &m.Level, 8) }

// Subtype is the kind of a scroll and of other items of many kinds.
type Subtype struct{ Number uint16 }

var _ = fromServer(&contManCommands, 15, command[Subtype](), turn(afterClasses))

func (m *Subtype) fields(f *fields) { num(f, &m.Number, 16) }

// Model is the model or icon of a person, sack or ring.
type Model struct{ Name string } // of printable characters

var _ = fromServer(&contManCommands, 15, command[Model](), turn(catchAll))

func (m *Model) fields(f *fields) {
	f.restNUL(&m.Name)
	for _, r := range m.Name {
		if r < ' ' {
			f.fail("a model has a name of printable characters, found %q", m.Name)
			return
		}
	}
}

// ItemSuffix changes the suffix of an item.
type ItemSuffix struct{ Suffix uint8 }

var _ = fromServer(&tradeManCommands, 14, command[ItemSuffix](), turn(1))

func (m *ItemSuffix) fields(f *fields) { num(f, &m.Suffix, 8) }

// ItemSuffixGrade changes the suffix of an item and its grade.
type ItemSuffixGrade struct{ Suffix, Grade uint8 }

var _ = fromServer(&tradeManCommands, 14, command[ItemSuffixGrade](), turn(2))

func (m *ItemSuffixGrade) fields(f *fields) {
	num(f, &m.Suffix, 8)
	num(f, &m.Grade, 8)
}

// ExpiresAt is when an item ends.
type ExpiresAt struct{ Time uint32 } // its unit is unknown

var _ = fromServer(&expiryCommands, 0, command[ExpiresAt]())

func (m *ExpiresAt) fields(f *fields) { num(f, &m.Time, 32) }

// NameQuery asks for a name; known from the client's scripts alone.
type NameQuery struct{ Data [6]byte } // layout unknown

var _ = fromClient(&contManCommands, 9, command[NameQuery]())

func (m *NameQuery) fields(f *fields) { f.bytes(m.Data[:]) }

// NoSuffix is the suffix of items that have none, as the live service sent it.
const NoSuffix = -2
