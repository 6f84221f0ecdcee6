package packets

import (
	"fmt"

	"sphereserver/bitpack"
	"sphereserver/coords"
)

// A TransformUpdate moves an object to a place near the origin of the body, which must have one. The client glides
// there. Source: protocol ingame 2.3, 6.3.
type TransformUpdate struct {
	X, Y, Z coords.Rel12 // from the origin
	Angle   coords.Angle8
}

var _ = region[TransformUpdate](everyClass, ClassPlayer)

func (*TransformUpdate) number() uint8 { return 1 }
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

// A Move is a step of an object, one of several in a body.
type Move struct {
	Object ObjectID
	Class  Class
	To     coords.Position
}

// AppendMoves appends the frame of a body that moves objects, each by a [TransformUpdate] from the origin, which has to
// reach them all. It allocates nothing. Source: protocol fight 4.4.
func AppendMoves(dst []byte, from coords.Origin, clock uint16, moves []Move) ([]byte, error) {
	start := len(dst)
	dst = append(dst, 0, 0, byte(ChannelGameplay&0xFF), byte(ChannelGameplay>>8), 0)
	f := fields{mode: writing, w: bitpack.NewWriter(dst)}
	b := Body{HasOrigin: true, Origin: from, Clock: clock & MaxClock}
	b.header(&f)
	for i, m := range moves {
		if i > 0 {
			f.marker(markerNext)
		}
		s := Section{Object: m.Object, Class: m.Class}
		s.head(&f)
		var u TransformUpdate
		f.marker(uint32(u.number()) + 1)
		u = TransformUpdate{coords.EncodeRel12(m.To.X, from.X), coords.EncodeRel12(m.To.Y, from.Y),
			coords.EncodeRel12(m.To.Z, from.Z), coords.EncodeAngle8(m.To.Yaw)}
		u.fields(&f)
	}
	out, err := f.w.Finish()
	if err != nil {
		return dst[:start], fmt.Errorf("encode steps: %w", err)
	}
	return setLength(out, start, FromServer)
}

// A Placement says how an object is in the world.
type Placement uint8

// The placements. Source: protocol ingame 2.3.
const (
	Plain     Placement = iota // part of the world: a person, a door
	Lying                      // lies or walks in the world: items, bags, monsters
	Contained                  // in a container or worn
)

// A TransformState puts an object at an exact place: dropped, picked up. Source: protocol ingame 2.3.
type TransformState struct {
	X, Y, Z   float32
	Angle     coords.Angle8
	Placement Placement // 2 bits
}

var _ = region[TransformState](everyClass, ClassPlayer)

func (*TransformState) number() uint8 { return 2 }
func (m *TransformState) fields(f *fields) {
	f.xyz(&m.X, &m.Y, &m.Z)
	num(f, &m.Angle, 8)
	num(f, &m.Placement, 2)
}

// A PositionStream is the client's position message (count 4, about every 2 s) and the server's answer to it (count 0),
// which the client needs within about 10 s. Source: protocol ingame 7.1, 7.2.
type PositionStream struct {
	Count  uint8       // 4 bits: how many values there are
	Values [15]float32 // of a client x, y, z and yaw in radians
}

var _ = region[PositionStream](ClassPlayer)

func (*PositionStream) number() uint8 { return 11 }
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

// SetCoordinates puts the player at a place: teleport.
type SetCoordinates struct {
	X, Y, Z float32
	Yaw     float32 // radians
}

var _ = fromServer(&managerCommands, 15,
	func(m *SetCoordinates, f *fields) { f.walk(&m.X, &m.Y, &m.Z, &m.Yaw) }, turn(1))

// SetPlace is SetCoordinates without a direction.
type SetPlace struct{ X, Y, Z float32 }

var _ = fromServer(&managerCommands, 15, func(m *SetPlace, f *fields) { f.walk(&m.X, &m.Y, &m.Z) }, turn(2))
