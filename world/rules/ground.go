package rules

import "time"

// GroundCellSize is the side of the squares by which the height of the ground is known, in metres. Source: protocol
// fight 6.4.
const GroundCellSize = 2

// A GroundCell is how high the ground is in one square, on one of the storeys there.
type GroundCell struct {
	X, Z   int32 // the least coordinates of it, by [GroundCellSize]
	Storey int   // 0 to [MaxStorey]: in the order in which they became known
	Y      float32
}

// MaxStorey is the greatest number of a storey.
const MaxStorey = 3

// StoreyHeight is by how much two heights in one square differ that are two storeys, in metres. Source: protocol fight
// 6.4.
const StoreyHeight = 3

// SameStorey reports whether two heights in one square are of one storey.
func SameStorey(a, b float32) bool { return max(a-b, b-a) <= StoreyHeight }

const (
	// steadyTime is how long a player must not rise or fall much to be walking.
	steadyTime = time.Second
	// steadyHeight is how much that is, in metres. Source: protocol fight 6.4.
	steadyHeight = 2
)

// A Tread is how a player has recently risen and fallen: slowly, if it walks. It remembers one to two seconds.
type Tread struct {
	now, before struct{ low, high float32 }
	since       int64 // Unix time in nanoseconds
}

// Walks takes the next height of a player and reports whether it has walked there: not jumped, fallen or flown.
func (t *Tread) Walks(y float32, now time.Time) bool {
	if d := time.Duration(now.UnixNano() - t.since); d >= steadyTime {
		t.before = t.now
		t.now.low, t.now.high = y, y
		if d >= 2*steadyTime {
			t.before = t.now
		}
		t.since = now.UnixNano()
	}
	t.now.low, t.now.high = min(t.now.low, y), max(t.now.high, y)
	low, high := min(t.now.low, t.before.low), max(t.now.high, t.before.high)
	return high-low <= steadyHeight
}
