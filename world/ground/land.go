package ground

import (
	"math"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

const (
	// reach is by how much a creature on the land is above or below it at most, in metres, such as a monster that has
	// come to a slope faster than it rises. A choice of ours.
	reach = 8
)

// A Land is ground that is known beforehand, everywhere but where there are buildings, bridges and caves.
type Land interface {
	// Surface is the ground at a place, in the part of the world of its height; false where it is not known.
	Surface(at coords.Position) (rules.Surface, bool)
}

// LayOver makes learned heights a layer above a land: they count where they differ from it, such as on a bridge.
func (g *Ground) LayOver(land Land) { g.land = land }

// carries is the height at which a creature stands or swims there.
func (g *Ground) carries(s *rules.Surface) float32 {
	// Words of integers are chosen without a branch, which processors guess wrongly on every other shore.
	y, water := math.Float32bits(s.Height), math.Float32bits(s.Water)
	if g.deep(s) {
		y = water
	}
	return math.Float32frombits(y)
}

// deep reports whether monsters do not walk through the water there.
func (g *Ground) deep(s *rules.Surface) bool { return s.Water-s.Height > g.wade }

// differs reports whether a learned height is not that of the land: players have walked on something.
func (g *Ground) differs(learned float32, s *rules.Surface) bool {
	return abs(learned-g.carries(s)) > agreement+size*min(s.Slope(), g.steepest)
}

// learnedOver is a height that was learned at a place, if that is on something above the land, and nearer.
func (g *Ground) learnedOver(at coords.Position, s *rules.Surface) (float32, bool) {
	x, z := square(at)
	if y, ok := g.at(x, z, at.Y); ok && g.differs(y, s) && abs(y-at.Y) < abs(g.carries(s)-at.Y) {
		return y, true
	}
	return 0, false
}

// stand is the height of a square where a creature from a height nearby can stand: on the land, if that is not under
// water, or where players have walked.
func (g *Ground) stand(x, z int32, y float32) (float32, bool) {
	learned, ok := g.at(x, z, y)
	if g.land == nil {
		return learned, ok
	}
	s, known := g.land.Surface(coords.Position{X: (float32(x) + 0.5) * size, Y: y, Z: (float32(z) + 0.5) * size})
	switch {
	case !known, ok && g.differs(learned, &s) && abs(learned-y) < abs(g.carries(&s)-y):
		return learned, ok
	case g.deep(&s):
		return 0, false
	}
	return s.Height, true
}

// Passes reports whether a monster on foot can make a step: not into deep water, nor up or down a steep slope. A
// monster in a place where it cannot be may leave.
func (g *Ground) Passes(from, to coords.Position) bool {
	if g.land == nil {
		return true
	}
	here, known := g.land.Surface(from)
	there, ok := g.land.Surface(coords.Position{X: to.X, Y: from.Y, Z: to.Z})
	if !known || !ok || abs(here.Height-from.Y) > reach && !g.deep(&here) {
		return true // nothing is known of the place, or it is on another storey
	}
	x, z := square(to)
	if y, ok := g.at(x, z, from.Y); ok && g.differs(y, &there) {
		return true // it was walked on
	}
	if g.deep(&there) {
		return g.deep(&here)
	}
	far := flat2(from, to)
	return here.Slope() > g.steepest || g.deep(&here) || abs(there.Height-here.Height) <= g.steepest*max(far, 0.1)
}

// Land is how high the land is below or above a height that is only guessed, and whether it is dry enough to stand
// on; known is false where it is not known.
func (g *Ground) Land(at coords.Position) (y float32, dry, known bool) {
	if g.land == nil {
		return 0, false, false
	}
	s, known := g.land.Surface(at)
	return s.Height, !g.deep(&s), known
}

// Footing says how a height compares with that of the ground. It tells apart players that fly or fall, and faults of
// the map; nothing follows from it.
func (g *Ground) Footing(at coords.Position) rules.Footing {
	if g.land == nil {
		return rules.FootingUnknown
	}
	s, known := g.land.Surface(at)
	if !known {
		return rules.FootingUnknown
	}
	x, z := square(at)
	if y, ok := g.at(x, z, at.Y); ok && abs(y-at.Y) <= rules.FootingHeight {
		return rules.OnFoot
	}
	switch {
	case at.Y > max(s.Height, s.Water)+rules.FootingHeight:
		return rules.AboveGround
	case at.Y < s.Height-rules.FootingHeight:
		return rules.BelowGround
	}
	return rules.OnFoot
}
