package packets

import "sphereserver/coords"

// regions are the known layouts of a class, by region number.
type regions [maxRegion + 1]*regionType

// A regionType makes messages of one type, and recognises them.
type regionType struct {
	new func() Region
	is  func(Region) bool
}

// maxRegion is the greatest number of a region: its marker is one more, and 63 stands between sections.
const maxRegion = 61

func region[T any, P interface {
	*T
	Region
}]() *regionType {
	return &regionType{
		new: func() Region { return P(new(T)) },
		is:  func(r Region) bool { _, ok := r.(P); return ok },
	}
}

// anyRegions exist in every class that has no layout of its own, and in those where nothing else is said.
//
// Source: protocol ingame 2.3.
var anyRegions = regions{
	1:  region[TransformUpdate](),
	2:  region[TransformState](),
	3:  region[AnimationState](),
	4:  region[ContMan](),
	9:  region[TradeMan](),
	12: region[Manager](),
	15: region[Expiry](),
	20: region[RegionManager](),
	61: region[SpawnSnapshot](),
}

// classRegions are the layouts of classes of their own. A region that stands here replaces that of anyRegions; a
// class in onlyOwn has none of those.
//
// Source: protocol ingame 2.4.
var classRegions = map[Class]*regions{
	ClassMain: {4: region[GameTime]()},
	ClassStat: {0: region[PlayerCount](), 61: region[PlayerCountSpawn]()},
	ClassChat: {2: region[ChatChunk](), 61: region[ChatLine]()},
	ClassVirus: {
		6: region[Mutator](),
	},
	ClassBank: {
		12: region[Bank](),
	},
	ClassPlayer: {
		0:  region[Owner](),
		1:  region[TransformUpdate](),
		2:  region[TransformState](),
		3:  region[AnimationState](),
		4:  region[ContMan](),
		6:  region[SetWornGear](),
		7:  region[WorldSnapshot](),
		8:  region[ReceiveHit](),
		9:  region[TradeMan](),
		10: region[SetStat](),
		11: region[PositionStream](),
		12: region[Manager](),
		13: region[Extended13](),
		14: region[Extended14](),
		31: region[Craft31](),
		32: region[Craft32](),
		61: region[PlayerSpawn](),
	},
}

var onlyOwn = map[Class]bool{ClassMain: true, ClassStat: true, ClassChat: true, ClassPlayer: true}

// regionTypeOf returns the type of a region of that number in that class, or nil where its layout is unknown.
func regionTypeOf(c Class, number uint8) *regionType {
	if number > maxRegion {
		return nil
	}
	if own := classRegions[c]; own != nil && (own[number] != nil || onlyOwn[c]) {
		return own[number]
	}
	return anyRegions[number]
}

// region returns a message to read a region into: one that was read before if it has the right type, since reading
// overwrites every field; else a new one.
func (f *fields) region(c Class, number uint8) Region {
	t := regionTypeOf(c, number)
	if t == nil {
		return &UnknownRegion{Number: number}
	}
	if i := len(f.regions); i < len(f.old) && t.is(f.old[i]) {
		return f.old[i]
	}
	return t.new()
}

// A TransformUpdate moves an object to a place near the origin of the body, which must have one. The client
// glides there.
//
// Source: protocol ingame 2.3, 6.3.
type TransformUpdate struct {
	X, Y, Z coords.Rel12
	Angle   coords.Angle8
}

// Region is 1.
func (*TransformUpdate) Region() uint8 { return 1 }

func (m *TransformUpdate) fields(f *fields) {
	pair(f, &m.X, 12, &m.Y, 12)
	pair(f, &m.Z, 12, &m.Angle, 8)
}

// MoveTo returns the update for a position, with the origin that its body must have: the integer part of the position
// itself, so that every offset is below 1.
func MoveTo(p coords.Position) (coords.Origin, *TransformUpdate) {
	o := p.Origin()
	return o, &TransformUpdate{coords.EncodeRel12(p.X, o.X), coords.EncodeRel12(p.Y, o.Y), coords.EncodeRel12(p.Z, o.Z),
		coords.EncodeAngle8(p.Yaw)}
}

// A Placement says how an object is in the world.
type Placement uint8

// The placements.
//
// Source: protocol ingame 2.3.
const (
	Plain     Placement = iota // part of the world: a person, a door
	Lying                      // lies or walks in the world: items, bags, monsters
	Contained                  // in a container or worn
)

// A TransformState puts an object at an exact place: dropped, picked up.
//
// Source: protocol ingame 2.3.
type TransformState struct {
	X, Y, Z   float32
	Angle     coords.Angle8
	Placement Placement // 2 bits
}

// Region is 2.
func (*TransformState) Region() uint8 { return 2 }

func (m *TransformState) fields(f *fields) {
	f.xyz(&m.X, &m.Y, &m.Z)
	num(f, &m.Angle, 8)
	num(f, &m.Placement, 2)
}

// An AnimationState starts an animation of the object.
type AnimationState struct {
	Animation uint8 // 7 bits
}

// Region is 3.
func (*AnimationState) Region() uint8 { return 3 }

func (m *AnimationState) fields(f *fields) { num(f, &m.Animation, 7) }

// A SpawnSnapshot makes the client create the object.
//
// What A to D mean depends on the class: items have durability, greatest durability, number in the item
// table and suffix (negative: none); monsters have HP, greatest HP, type and level code; people 5, 5, 0, 0; all else
// 100, 100, 0, 0.
//
// Source: protocol ingame 2.3, 9.1.
type SpawnSnapshot struct {
	X, Y, Z    float32 // 1000000, 0, 0 for what is contained
	Angle      coords.Angle8
	Placement  Placement // 2 bits
	A, B, C, D int32     // varints
}

// ContainedX is the x of objects that are not in the world by themselves.
const ContainedX = 1000000

// Region is 61.
func (*SpawnSnapshot) Region() uint8 { return 61 }

func (m *SpawnSnapshot) fields(f *fields) {
	f.xyz(&m.X, &m.Y, &m.Z)
	num(f, &m.Angle, 8)
	num(f, &m.Placement, 2)
	f.varint(&m.A)
	f.varint(&m.B)
	f.varint(&m.C)
	f.varint(&m.D)
}

// GameTime tells the time of the world, packed as [Time] says. It stands under object 0 of class _main.
//
// Source: protocol ingame 2.4, 3.3.
type GameTime struct {
	Time Time
}

// Region is 4.
func (*GameTime) Region() uint8 { return 4 }

func (m *GameTime) fields(f *fields) { num(f, &m.Time, 32) }

// StatObject is the object under which the number of players is told.
const StatObject ObjectID = 0xC00

// PlayerCountSpawn tells the number of players once to each client that has entered.
//
// Source: protocol ingame 7.6.
type PlayerCountSpawn struct {
	Players uint16 // 10 bits
}

// Region is 61.
func (*PlayerCountSpawn) Region() uint8 { return 61 }

func (m *PlayerCountSpawn) fields(f *fields) { num(f, &m.Players, 10) }

// PlayerCount tells the number of players when it has changed.
type PlayerCount struct {
	Players uint16 // 10 bits
}

// Region is 0.
func (*PlayerCount) Region() uint8 { return 0 }

func (m *PlayerCount) fields(f *fields) { num(f, &m.Players, 10) }

// MaxPlayerCount is the most that 10 bits can tell.
const MaxPlayerCount = 1023

// A ChatLine announces a line of chat under an object of its own; its text follows in [ChatChunk]s.
//
// Source: protocol ingame 2.4, 15.4.
type ChatLine struct {
	Kind    uint8  // 3 bits, 2
	Length  uint32 // of the whole text in bytes
	Chunks  uint8
	Sender  string
	Channel uint8 // 3 bits
}

// Region is 61.
func (*ChatLine) Region() uint8 { return 61 }

func (m *ChatLine) fields(f *fields) {
	num(f, &m.Kind, 3)
	num(f, &m.Length, 32)
	num(f, &m.Chunks, 8)
	f.textNUL(&m.Sender, 8)
	num(f, &m.Channel, 3)
}

// A ChatChunk is a part of a line's text: 250 bytes and a NUL, the last one the rest and a NUL.
type ChatChunk struct {
	Text string
}

// Region is 2.
func (*ChatChunk) Region() uint8 { return 2 }

func (m *ChatChunk) fields(f *fields) { f.textNUL(&m.Text, 8) }

// A Mutator holds what an effect object changes, and its icon.
//
// Source: protocol ingame 14.
type Mutator struct {
	Modifiers [14]int32 // varints; index 3 is physical defence, 4 magical defence
	Kind      uint8     // 3 bits: 0 defence powders, 1 poison, 2 special mutators
	Icon      string    // 4-letter code, 7-bit characters
	Group     int32     // varint, 260 to 262
	Number    uint8     // 4 bits: inside the icon's group
}

// Region is 6.
func (*Mutator) Region() uint8 { return 6 }

func (m *Mutator) fields(f *fields) {
	for i := range m.Modifiers {
		f.varint(&m.Modifiers[i])
	}
	num(f, &m.Kind, 3)
	f.text7(&m.Icon)
	f.varint(&m.Group)
	num(f, &m.Number, 4)
}
