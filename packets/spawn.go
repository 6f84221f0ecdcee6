package packets

import "sphereserver/coords"

// A SpawnSnapshot makes the client create the object.
//
// The meaning of A to D depends on the class: items have durability, greatest durability, number in the item table
// and suffix (negative: none); monsters have HP, greatest HP, type and level code; people 5, 5, 0, 0; all else 100,
// 100, 0, 0. Source: protocol ingame 2.3, 9.1.
type SpawnSnapshot struct {
	X, Y, Z    float32 // 1000000, 0, 0 for an object in a container
	Angle      coords.Angle8
	Placement  Placement // 2 bits
	A, B, C, D int32     // varints
}

var _ = region[SpawnSnapshot](everyClass)

// levelCodeStep is how much the code of a monster's level grows with each level. Source: protocol fight 4.1.
const levelCodeStep = 4001

// LevelCode is a monster's level, from 1, as [SpawnSnapshot].D has it.
func LevelCode(level int) int32 { return levelCodeStep * int32(level-1) }

// LevelOf is the inverse of [LevelCode]; ok is false for a number that is no code of a level.
func LevelOf(code int32) (level int, ok bool) {
	return int(code/levelCodeStep) + 1, code >= 0 && code%levelCodeStep == 0
}

// ContainedX is the x of objects that are not in the world by themselves.
const ContainedX = 1000000

func (*SpawnSnapshot) number() uint8 { return 61 }
func (m *SpawnSnapshot) fields(f *fields) {
	f.xyz(&m.X, &m.Y, &m.Z)
	num(f, &m.Angle, 8)
	num(f, &m.Placement, 2)
	f.varint(&m.A)
	f.varint(&m.B)
	f.varint(&m.C)
	f.varint(&m.D)
}

// PlayerSpawn makes the client create another player; [SetWornGear] must follow. Source: protocol ingame 9.3.
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

var _ = region[PlayerSpawn](ClassPlayer)

func (*PlayerSpawn) number() uint8 { return 61 }
func (m *PlayerSpawn) fields(f *fields) {
	f.xyz(&m.X, &m.Y, &m.Z)
	num(f, &m.Angle, 8)
	num(f, &m.Look, 32)
	f.text(&m.Name, 8, 8)
	f.text(&m.Clan, 4, 8)
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

// SetWornGear shows a player's equipment: names of the models in the hand, and codes of the clothes. The client shows
// another player only after it. Source: protocol ingame 2.4, 9.3.
type SetWornGear struct {
	Sword, Axe, Crossbow string // 7-bit characters, empty for nothing
	// Codes are ASCII digits in the order of the Worn constants: '0' for nothing, but 0 for shield and helmet.
	Codes [9]uint8 // 7 bits each
}

var _ = region[SetWornGear](ClassPlayer)

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

func (*SetWornGear) number() uint8 { return 6 }
func (m *SetWornGear) fields(f *fields) {
	f.text(&m.Sword, 4, 7)
	f.text(&m.Axe, 4, 7)
	f.text(&m.Crossbow, 4, 7)
	each(f, m.Codes[:], 7)
}

// NameplateStat sets one value of another player.
type NameplateStat struct {
	Stat  Stat
	Value uint16
}

var _ = fromServer(&tradeManCommands, 15, func(m *NameplateStat, f *fields) { f.walk(&m.Stat, &m.Value) }, turn(1))

// NameplateStat32 is NameplateStat for great values.
type NameplateStat32 struct {
	Stat  Stat
	Value uint32
}

var _ = fromServer(&tradeManCommands, 15, func(m *NameplateStat32, f *fields) { f.walk(&m.Stat, &m.Value) }, turn(2))

// MonsterValue stands in spawns of monsters since 2026.
type MonsterValue struct{ Value uint32 } // 0, meaning unknown

var _ = fromServer(&contManCommands, 16, func(m *MonsterValue, f *fields) { f.walk(&m.Value) })
