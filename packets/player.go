package packets

import "sphereserver/coords"

// SetWornGear shows what a player wears: names of the models in his hand, and codes of his clothes.
// The client shows another player only after it.
//
// Source: protocol ingame 2.4, 9.3.
type SetWornGear struct {
	Sword, Axe, Crossbow string // 7-bit characters, empty for nothing
	// Codes are ASCII digits in the order of the Worn constants: '0' for nothing, but 0 for shield and helmet.
	Codes [9]uint8 // 7 bits each
}

// Places in [SetWornGear].Codes. Those between shield and helmet are always '0'.
const (
	WornBoots = iota
	WornPants
	WornArmour
	WornRobe
	WornGloves
	WornShield
	WornHelmet = 8
)

// Region is 6.
func (*SetWornGear) Region() uint8 { return 6 }

func (m *SetWornGear) fields(f *fields) {
	f.text7(&m.Sword)
	f.text7(&m.Axe)
	f.text7(&m.Crossbow)
	each(f, m.Codes[:], 7)
}

// ReceiveHit changes the HP or MP of a player, with the animation and the text of its cause.
//
// Source: protocol ingame 13.5.
type ReceiveHit struct {
	Source uint16 // 0 nobody, 1 environment, 2 lack of air, 3 trap, else the id of the attacker
	HP     int32  // varint, added to HP
	MP     int32  // varint, added to MP
	Flags  uint8  // 3 bits: 0 normal, 7 dies, 6 revived
}

// Flags of [ReceiveHit].
const (
	HitRevives = 6
	HitKills   = 7
)

// Region is 8.
func (*ReceiveHit) Region() uint8 { return 8 }

func (m *ReceiveHit) fields(f *fields) {
	num(f, &m.Source, 16)
	f.varint(&m.HP)
	f.varint(&m.MP)
	num(f, &m.Flags, 3)
}

// SetStat tells a client one value of its own character.
//
// Source: protocol ingame 12.1.
type SetStat struct {
	Stat  Stat  // 6 bits
	Value int32 // varint
}

// Region is 10.
func (*SetStat) Region() uint8 { return 10 }

func (m *SetStat) fields(f *fields) {
	num(f, &m.Stat, 6)
	f.varint(&m.Value)
}

// A PositionStream is the client's position message (count 4, about every 2 s) and the
// server's answer to it (count 0), which the client needs within about 10 s.
//
// Source: protocol ingame 7.1, 7.2.
type PositionStream struct {
	Count  uint8 // 4 bits
	Values [15]float32
}

// Region is 11.
func (*PositionStream) Region() uint8 { return 11 }

func (m *PositionStream) fields(f *fields) {
	num(f, &m.Count, 4)
	for i := range m.Values[:m.Count&15] {
		f.float(&m.Values[i])
	}
	if f.mode == reading {
		clear(m.Values[m.Count&15:])
	}
}

// Position returns the four values as a place.
func (m *PositionStream) Position() coords.Position {
	return coords.Position{X: m.Values[0], Y: m.Values[1], Z: m.Values[2], Yaw: m.Values[3]}
}

// Craft31 and Craft32 set values of the craft windows; only a 32 with command 4 in the entry block is known.
//
// Source: protocol ingame 2.4.
type (
	Craft31 struct{ Craft }
	Craft32 struct{ Craft }

	// Craft is the layout of both.
	Craft struct {
		Command uint8 // 4 bits
		Value   uint32
	}
)

// Region is 31.
func (*Craft31) Region() uint8 { return 31 }

// Region is 32.
func (*Craft32) Region() uint8 { return 32 }

func (m *Craft) fields(f *fields) {
	num(f, &m.Command, 4)
	num(f, &m.Value, 32)
}

// PlayerSpawn makes the client create another player; [SetWornGear] must follow.
//
// Source: protocol ingame 9.3.
type PlayerSpawn struct {
	X, Y, Z        float32
	Angle          coords.Angle8
	Look           uint32 // face, hair, hair colour, tattoo, a byte each from the lowest
	Name           string // without NUL
	Clan           string // at most 15 bytes
	ClanRank       int8   // 3 bits, -1 none
	HP, MaxHP      int32  // varints
	Gender         uint8  // 2 bits
	Karma          uint8  // 3 bits, 1 to 5
	Title, Degree  uint8  // 6 bits each, level less one, 0 to 59
	Guild          int32  // varint, 0 or guild + 64
	GuildRank      uint8  // 4 bits
	TitleRebirths  uint8  // 2 bits
	DegreeRebirths uint8  // 2 bits
	Mark           bool   // over the head
}

// Region is 61.
func (*PlayerSpawn) Region() uint8 { return 61 }

func (m *PlayerSpawn) fields(f *fields) {
	f.xyz(&m.X, &m.Y, &m.Z)
	num(f, &m.Angle, 8)
	num(f, &m.Look, 32)
	f.text(&m.Name, 8)
	f.text(&m.Clan, 4)
	signed(f, &m.ClanRank, 3)
	f.varint(&m.HP)
	f.varint(&m.MaxHP)
	num(f, &m.Gender, 2)
	num(f, &m.Karma, 3)
	num(f, &m.Title, 6)
	num(f, &m.Degree, 6)
	f.varint(&m.Guild)
	num(f, &m.GuildRank, 4)
	num(f, &m.TitleRebirths, 2)
	num(f, &m.DegreeRebirths, 2)
	f.bool(&m.Mark)
}

// Slots is the number of places for things that a character has.
const Slots = 60

// A WorldSnapshot is the player's own character as it enters the world: what follows decides where he
// stands. Slots and weights tell only which places hold something; bindings and spawns of the things come after
// the client's acknowledgement.
//
// Source: protocol ingame 8.2, session 7.2.
type WorldSnapshot struct {
	Name      string // with a NUL on the wire
	Clan      string // without, at most 15 bytes
	ClanRank  int8   // 3 bits, -1 none
	Look      int32  // varint; as in PlayerSpawn
	Gender    uint8  // 2 bits: 0 male, 1 female
	X, Y, Z   float32
	Yaw       float32       // radians
	Carried   int32         // varint, total weight
	Occupied  [Slots]uint16 // 1 where something is, behind a count of 8 bits
	Weights   [Slots]uint32 // 20 bits each, behind a count of 8 bits
	HP        int32         // varint
	MaxHP     int32         // varint, of the levels alone
	Karma     uint8         // 3 bits
	Levels    int32         // varint, degree × 100 + title, each level less one within its cycle of 60
	Continent int8          // 6 bits
	Guild     int32         // varint, 0 or guild + 64
	GuildRank uint8         // 4 bits
	Money     uint32
}

// Region is 7.
func (*WorldSnapshot) Region() uint8 { return 7 }

func (m *WorldSnapshot) fields(f *fields) {
	f.textNUL(&m.Name, 8)
	f.text(&m.Clan, 4)
	signed(f, &m.ClanRank, 3)
	f.varint(&m.Look)
	num(f, &m.Gender, 2)
	f.xyz(&m.X, &m.Y, &m.Z)
	f.float(&m.Yaw)
	f.varint(&m.Carried)
	constant(f, uint32(Slots), 8)
	each(f, m.Occupied[:], 16)
	constant(f, uint32(Slots), 8)
	each(f, m.Weights[:], 20)
	f.varint(&m.HP)
	f.varint(&m.MaxHP)
	num(f, &m.Karma, 3)
	f.varint(&m.Levels)
	signed(f, &m.Continent, 6)
	f.varint(&m.Guild)
	num(f, &m.GuildRank, 4)
	num(f, &m.Money, 32)
}
