package packets

import "fmt"

// An ObjectID names an object to one client: 18 bits in a section header (the upper two are 0 in all known traffic), 24
// bits inside commands. Source: protocol ingame 3.2.
type ObjectID uint32

// Object ids with a meaning of their own.
const (
	NoObject  ObjectID = 0        // nothing
	EmptyHand ObjectID = 0xFFFFFF // in 24 bits: no item in the main hand
)

// String shows the id as the documents do.
func (id ObjectID) String() string { return fmt.Sprintf("0x%04X", uint32(id)) }

// A PlayerIndex is the number that the server gives a connection. It travels high byte first; read as an object id
// the two bytes are swapped. Source: protocol session 1.5, ingame 3.2.
type PlayerIndex uint16

// FirstPlayerIndex is the lowest index that a server gives.
const FirstPlayerIndex PlayerIndex = 0x4F6F

// ID returns the object id of the player with this index.
func (i PlayerIndex) ID() ObjectID { return ObjectID(i>>8 | i<<8) }

// PlayerIndexOf returns the index of an object id.
func PlayerIndexOf(id ObjectID) PlayerIndex { i := PlayerIndex(id); return i>>8 | i<<8 }

// String shows the index as the documents do.
func (i PlayerIndex) String() string { return fmt.Sprintf("0x%04X", uint16(i)) }

// A Direction is a set of ways that a message travels.
type Direction uint8

// The two ways, and both.
const (
	FromServer Direction = 1 << iota
	FromClient
	EitherWay = FromServer | FromClient
)

// String returns the short form that capture files use.
func (d Direction) String() string {
	switch d {
	case FromServer:
		return "S2C"
	case FromClient:
		return "C2S"
	}
	return "both"
}

// A Dialect is a generation of clients and servers, by its differences. Source: protocol ingame 2.6 and 21.
type Dialect uint8

// The known dialects. Dialect2026, that of today's client, is the zero value.
const (
	// Dialect2026 has commands of 8 bits in region 4 of all classes but the player.
	Dialect2026 Dialect = iota
	// Dialect2022 has them 4 bits wide everywhere: the recorded game of 2022 and 2023.
	Dialect2022
	// Classic has the widths of 2022 and reproduces the bytes of the published article's server: its
	// coordinates, enter-world frame, answers and periodic frames.
	Classic
)

var dialectNames = [...]string{Dialect2026: "2026", Dialect2022: "2022", Classic: "classic"}

// String returns the dialect's name as settings and flags spell it.
func (d Dialect) String() string {
	if int(d) < len(dialectNames) {
		return dialectNames[d]
	}
	return fmt.Sprintf("Dialect(%d)", uint8(d))
}

// ParseDialect returns the dialect with this name.
func ParseDialect(name string) (Dialect, error) {
	for d, n := range dialectNames {
		if n == name {
			return Dialect(d), nil
		}
	}
	return 0, fmt.Errorf("dialect %q is not known: expected 2022, 2026 or classic", name)
}

// contManBits is the width of a ContMan command.
func (d Dialect) contManBits(c Class) int {
	if d == Dialect2026 && c != ClassPlayer {
		return 8
	}
	return 4
}
