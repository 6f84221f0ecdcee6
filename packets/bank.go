package packets

// The bank. Source: protocol life 7.2.

// BankQuestion asks what is in the bank; a client sends it once after the entry. What the value says is not known.
type BankQuestion struct{ Value uint8 }

var _ = fromClient(&bankCommands, 15, func(m *BankQuestion, f *fields) { f.walk(&m.Value) }, turn(1))

// BankBuy asks to buy something of the bank: known from the client's scripts, never recorded.
type BankBuy struct{ Number uint8 }

var _ = fromClient(&bankCommands, 15, func(m *BankBuy, f *fields) { f.walk(opcode(2), &m.Number) }, turn(2))

// BankMoney tells the money in the bank, in coins, and a second currency: recorded, its meaning is inferred.
type BankMoney struct {
	Money  uint32
	Second uint32
}

var _ = fromServer(&bankCommands, 15, func(m *BankMoney, f *fields) { f.walk(opcode(0), &m.Money, &m.Second) }, turn(3))

// BankSize tells how large the bank is, probably. Recorded with 1, 4 and 2, 5; both meanings are inferred.
type BankSize struct {
	Which uint8
	Size  uint8
}

var _ = fromServer(&bankCommands, 15, func(m *BankSize, f *fields) { f.walk(&m.Which, &m.Size) }, turn(4))
