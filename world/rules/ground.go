package rules

// GroundCellSize is the side of the squares by which the height of the ground is known, in metres. Source: protocol fight
// 6.4.
const GroundCellSize = 2

// A GroundCell is how high the ground is in one square, on one of the storeys there.
type GroundCell struct {
	X, Z   int32 // the least coordinates of it, by [GroundCellSize]
	Storey int   // 0 to [MaxStorey]: in the order in which they became known
	Y      float32
}

// MaxStorey is the greatest number of a storey.
const MaxStorey = 3
