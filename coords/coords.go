// Package coords turns places and angles of the world into the numbers of the wire and back: plain
// float32, integer origins, 12-bit offsets from an origin, and 8-bit angles.
//
// The unit is about one metre; y points up. The ground of most cities lies near y = 155, halls near 1100, dungeons near
// 1500, 1700 and 4500. Source: protocol ingame 6.
package coords

import (
	"fmt"
	"math"
)

// Bounds of the world: outside of them an integer origin does not fit its bits. Source: protocol ingame 2 and 23.
const (
	MinX, MaxX = -32768, 32767 // metres, also of z
	MinY, MaxY = -1200, 6991   // metres
)

// A Position is a place in the world and a direction to face.
type Position struct {
	X   float32 `json:"x"`   // metres
	Y   float32 `json:"y"`   // height
	Z   float32 `json:"z"`   // metres
	Yaw float32 `json:"yaw"` // radians; not normalised: the client itself sends values such as 6.42 and -4.1
}

// Check returns an error that names the first coordinate which is not finite or outside of the world.
func (p Position) Check() error {
	for _, c := range [...]struct {
		name     string
		v        float32
		min, max float64
	}{{"x", p.X, MinX, MaxX}, {"y", p.Y, MinY, MaxY}, {"z", p.Z, MinX, MaxX}, {"yaw", p.Yaw, -1000, 1000}} {
		// The upper bound is that of the integer part, so anything below the next integer is inside.
		if v := float64(c.v); !(v >= c.min && v < c.max+1) {
			return fmt.Errorf("%s is %v, expected %v to %v", c.name, c.v, c.min, c.max)
		}
	}
	return nil
}

// Distance returns the straight distance to q in metres.
func (p Position) Distance(q Position) float64 {
	dx, dy, dz := float64(p.X)-float64(q.X), float64(p.Y)-float64(q.Y), float64(p.Z)-float64(q.Z)
	return math.Sqrt(dx*dx + dy*dy + dz*dz)
}

// Origin returns the integer part of the position, truncated toward zero.
func (p Position) Origin() Origin {
	return Origin{X: int32(p.X), Y: int32(p.Y), Z: int32(p.Z)}
}

// An Origin is the integer position in a body header, from which 12-bit offsets count. On the wire it takes 45 bits: x
// + 32768 in 16, y + 1200 in 13, z + 32768 in 16. Source: protocol ingame 2.
type Origin struct{ X, Y, Z int32 }

// MaxOffset is the distance along one axis from which a [Rel12] holds nothing any more: it is sent as 0.
const MaxOffset = 120

// A Rel12 is a 12-bit distance from an origin along one axis: bit 11 means below the origin, bits 0 to 10 hold the
// distance in steps that grow from 0.0147 at 0 to 0.23 at 120; 2047 is no distance, 0 is 120. Source: protocol ingame
// 6.3.
type Rel12 uint16

const (
	rel12Below = 0x800
	rel12Zero  = 0x7FF

	// The client's float32 literal for 1/160, as a double.
	rel12Far  = 0.0062500000931322575
	rel12Near = 1.0 / 40
)

// Reaches reports whether a place can be told as distances from the origin.
func (o Origin) Reaches(p Position) bool {
	near := func(v float32, o int32) bool { return math.Abs(float64(v)-float64(o)) < MaxOffset }
	return near(p.X, o.X) && near(p.Y, o.Y) && near(p.Z, o.Z)
}

// EncodeRel12 returns the offset of v from origin. A distance of [MaxOffset] or more, or one that is not
// finite, becomes 0, so choose an origin nearer than that. The error after decoding is below half of a step on the far
// side and one step on the near side: at most 0.0147 at 0, 0.08 at 20, 0.23 at 120.
func EncodeRel12(v float32, origin int32) Rel12 {
	diff := float64(v) - float64(origin)
	d := math.Abs(diff)
	if !(d < MaxOffset) {
		return rel12Zero
	}
	code := Rel12((1/(d+40) - rel12Far) / (rel12Near - rel12Far) * rel12Zero)
	if diff < 0 {
		code |= rel12Below
	}
	return code
}

// Decode returns the coordinate that the offset means.
func (c Rel12) Decode(origin int32) float32 {
	d := 1/(float64(c&rel12Zero)/rel12Zero*(rel12Near-rel12Far)+rel12Far) - 40
	if c&rel12Below != 0 {
		d = -d
	}
	return float32(float64(origin) + d)
}

// An Angle8 is a direction in 256 steps to the turn. Source: protocol ingame 6.5.
type Angle8 uint8

const (
	turn32     = 6.2831854820251465 // float32(2π)
	angleSteps = 40.7436637878418   // float32(256/2π)
)

// EncodeAngle8 returns the step of an angle in radians. An angle that is not finite, or beyond 1000 radians, becomes
// 0.
func EncodeAngle8(radians float32) Angle8 {
	a := float64(radians)
	if !(math.Abs(a) <= 1000) {
		return 0
	}
	for a < 0 {
		a += turn32
	}
	return Angle8(int(a*angleSteps) & 0xFF)
}

// Radians returns the direction, from 0 to below 2π: the least of those that [EncodeAngle8] makes this angle of.
func (a Angle8) Radians() float32 {
	r := float32(float64(a) / angleSteps)
	if EncodeAngle8(r) != a {
		r = math.Nextafter32(r, turn32) // it was rounded into the step before
	}
	return r
}
