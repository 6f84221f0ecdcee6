package packets

import "slices"

// SetStat tells a client one value of its own character. Source: protocol ingame 12.1.
type SetStat struct {
	Stat  Stat  // 6 bits
	Value int32 // varint
}

var _ = region[SetStat](ClassPlayer)

func (*SetStat) number() uint8 { return 10 }
func (m *SetStat) fields(f *fields) {
	num(f, &m.Stat, 6)
	f.varint(&m.Value)
}

// SpendPoints asks to raise base values by so many points each; what is negative counts as 0. The answer is a
// [SetStat] for each that has changed. Source: protocol ingame 12.5.
type SpendPoints struct {
	Deltas [8]int32 // strength, agility, accuracy, endurance, earth, air, water, fire
}

var _ = fromClient(&managerCommands, 17, func(m *SpendPoints, f *fields) {
	for i := range m.Deltas {
		signed(f, &m.Deltas[i], 32)
	}
})

// Craft is the layout of [Craft31] and [Craft32], which set values of the craft windows; only a 32 with command 4 in
// the entry block is known. Source: protocol ingame 2.4.
type Craft struct {
	Command uint8 // 4 bits
	Value   uint32
}

func (m *Craft) fields(f *fields) {
	num(f, &m.Command, 4)
	num(f, &m.Value, 32)
}

// Craft31 is the first of the two.
type Craft31 struct{ Craft }

var _ = region[Craft31](ClassPlayer)

func (*Craft31) number() uint8 { return 31 }

// Craft32 is the second.
type Craft32 struct{ Craft }

var _ = region[Craft32](ClassPlayer)

func (*Craft32) number() uint8 { return 32 }

// Slots is the number of places for items that a character has.
const Slots = 60

// A WorldSnapshot is the player's own character as it enters the world; later messages decide where it stands. Slots
// and weights tell only which places hold something; bindings and spawns of the items come after the client's
// acknowledgement. Source: protocol ingame 8.2, session 7.2.
type WorldSnapshot struct {
	Name      string // with a NUL on the wire
	Clan      string // without, at most 15 bytes
	ClanRank  int8   // 3 bits, -1 none
	Look      int32  // varint; as in PlayerSpawn
	Gender    uint8  // 2 bits: 0 male, 1 female
	X, Y, Z   float32
	Yaw       float32  // radians
	Carried   int32    // varint, total weight
	Occupied  []uint16 // 1 where something is, for each of [Slots], behind their count of 8 bits
	Weights   []uint32 // 20 bits each, behind their own count
	HP        int32    // varint
	MaxHP     int32    // varint, of the levels alone
	Karma     uint8    // 3 bits
	Levels    int32    // varint, degree × 100 + title, each level less one within its cycle of 60
	Continent int8     // 6 bits
	Guild     int32    // varint, 0 or guild + 64
	GuildRank uint8    // 4 bits
	Money     uint32
}

var _ = region[WorldSnapshot](ClassPlayer)

func (*WorldSnapshot) number() uint8 { return 7 }
func (m *WorldSnapshot) fields(f *fields) {
	f.textNUL(&m.Name, 8)
	f.text(&m.Clan, 4, 8)
	signed(f, &m.ClanRank, 3)
	f.varint(&m.Look)
	num(f, &m.Gender, 2)
	f.xyz(&m.X, &m.Y, &m.Z)
	f.float(&m.Yaw)
	f.varint(&m.Carried)
	perSlot(f, &m.Occupied, 16)
	perSlot(f, &m.Weights, 20)
	f.varint(&m.HP)
	f.varint(&m.MaxHP)
	num(f, &m.Karma, 3)
	f.varint(&m.Levels)
	signed(f, &m.Continent, 6)
	f.varint(&m.Guild)
	num(f, &m.GuildRank, 4)
	num(f, &m.Money, 32)
}

// perSlot is a number of n bits for each slot, behind how many there are.
func perSlot[T ~uint16 | ~uint32](f *fields, p *[]T, n int) {
	count := f.count(len(*p), 8)
	if f.mode == reading {
		*p = slices.Grow((*p)[:0], count)[:count]
	}
	each(f, *p, n)
}

// Ready comes from the client once after the world was loaded: the server's turn. Source: protocol ingame 8.1.
type Ready struct{ Value uint8 } // 0x34

var _ = fromClient(&managerCommands, 33, func(m *Ready, f *fields) { f.walk(&m.Value) })

// Bonus stands in the entry block of the newest known server.
type Bonus struct{ Value uint16 } // meaning unknown

var _ = fromServer(&managerCommands, 32, func(m *Bonus, f *fields) { f.walk(&m.Value) })
