package packets

// Formulas, keys and parcels. Source: protocol life 1.1, 6.2.

// FormulaRank is the product of a formula, and the rank that it needs.
type FormulaRank struct {
	Guild       uint32
	Rank        uint8
	Unknown     int32
	Kind        uint8
	Ingredients uint16
}

var _ = fromServer(&contManCommands, 15,
	func(m *FormulaRank, f *fields) {
		f.walk(opcode(4), &m.Guild, &m.Rank, &m.Unknown, &m.Kind, &m.Ingredients)
	}, of(804), turn(1))

// FormulaRange is the items that a formula makes or repairs.
type FormulaRange struct {
	First uint32
	Last  uint32
}

var _ = fromServer(&contManCommands, 15,
	func(m *FormulaRange, f *fields) { f.walk(opcode(0), &m.First, &m.Last) }, of(804), turn(2))

// FormulaIngredients is the items that a formula takes.
type FormulaIngredients struct {
	First  uint32
	Second uint32
	Third  uint32
}

var _ = fromServer(&contManCommands, 15,
	func(m *FormulaIngredients, f *fields) { f.walk(&m.First, &m.Second, &m.Third) }, of(804), turn(3))

// FormulaAmounts stands in spawns of formulas: amounts or uses.
type FormulaAmounts struct {
	First  uint8
	Second uint16
}

var _ = fromServer(&contManCommands, 15,
	func(m *FormulaAmounts, f *fields) { f.walk(&m.First, &m.Second) }, of(804), turn(4))

// DungeonKey is the number of a dungeon's key.
type DungeonKey struct {
	Number  uint16
	Unknown [6]byte
}

var _ = fromServer(&contManCommands, 15, func(m *DungeonKey, f *fields) {
	f.walk(&m.Number)
	f.bytes(m.Unknown[:])
}, of(710), turn(1))

// Parcel names the sender and the receiver of a parcel by codes.
type Parcel struct {
	Kind uint16
	From int32
	To   int32
}

var _ = fromServer(&contManCommands, 15,
	func(m *Parcel, f *fields) { f.walk(&m.Kind, &m.From, &m.To) }, of(97), turn(1))
