package rules

import "math"

// A Surface is the ground at a place.
type Surface struct {
	Height float32 // metres
	Water  float32 // how high water stands, below Height where it is dry
	DX, DZ float32 // by how much the ground rises along x and z, metres for each metre
}

// Slope is by how much the ground rises along its steepest line, metres for each metre.
func (s *Surface) Slope() float32 { return float32(math.Sqrt(float64(s.DX*s.DX + s.DZ*s.DZ))) }

// A Footing is how a place compares with the ground as it is known.
type Footing uint8

// The footings.
const (
	FootingUnknown Footing = iota // nothing is known of the ground there
	OnFoot                        // on the ground, in water, or where others have walked
	AboveGround                   // it flies or falls, or is on something that the ground does not have
	BelowGround                   // it is in a cave, or the ground is not as it is known
)

// FootingHeight is by how much a player on the ground is above or below it at most, in metres: as high as one jumps.
const FootingHeight = 3
