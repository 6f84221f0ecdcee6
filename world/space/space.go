// Package space knows where bodies are, and which players see them: a grid over the open world and all instances,
// areas of interest, and the motion that viewers are told of. It knows neither rules nor time beyond the tick that its
// owner tells it, and calls an [Observer] for all that viewers are to be told. A Space is for one goroutine.
package space

import (
	"time"

	"sphereserver/coords"
)

// An ID names a body. A player's is its [PlayerID], at most [MaxPlayerID]; all others have numbers above that. So all
// possible targets have numbers of one space.
//
// Clients know a player by an id that follows from its number, the same for all of them. Any other body each client
// knows by an id of its own, given to it with the spawn: code that tells clients of a body asks [ID.Player] which it
// is.
type ID uint32

// A PlayerID names a player.
type PlayerID uint32

// MaxPlayerID is the greatest number of a player.
const MaxPlayerID = 1<<16 - 1

// Player returns the number of a player; false for anything else.
func (id ID) Player() (PlayerID, bool) { return PlayerID(id), id <= MaxPlayerID }

// A Sort divides bodies by how they are seen.
type Sort uint8

// The sorts.
const (
	Players Sort = iota // see, and are seen by each other
	Others              // are only seen: NPCs, portals, monsters, items on the ground

	Sorts
)

// An Instance numbers a part of the world from which no other part is seen; 0 is the open world. A body changes it, and
// its place, between [Space.Drop] and [Space.Add] or by [Space.Move].
type Instance uint16

// A Body is anything that has a place: the fields that the grid, areas of interest and motion need. An entity of type E
// has it as its first field.
type Body[E any] struct {
	Of       *E // the entity itself
	Number   ID
	Sort     Sort
	Hidden   bool // nobody begins to see it
	Instance Instance

	mark uint64          // of the last look by a body that has a link to this already
	At   coords.Position // beside mark, since a search for neighbours reads both
	cell *cell[E]        // nil: it is not in the space
	area[E]

	// The rest stands in an order without gaps, since a world has many thousands of bodies.
	lookedAt   time.Duration   // when its area of interest was updated last,
	lookedFrom spot            // and where it was then
	lastSent   coords.Position // where viewers were told last that it is
	newest     uint32          // tick of the last link to a player
	slot       int32           // in cell.of[Sort]
	moving     bool            // in Space.movers
	truncated  bool            // a player in sight has no link because of [Options].ViewLimit
	short      bool            // the same of an object: [Options].ThingLimit, thingsAtOnce or [Options].Busy
}

// A spot is a place without a direction.
type spot struct{ x, y, z float32 }

func spotOf(p *coords.Position) spot { return spot{p.X, p.Y, p.Z} }

// Options set a Space up.
type Options struct {
	Sight      float64             // how far players see, metres
	ViewLimit  int                 // how many other players a player sees at most
	ThingLimit int                 // how many other bodies
	Busy       func(PlayerID) bool // whether a player's client takes no more bodies now; nil: none is
	// Behind is how many ticks the loops of the clients are behind; nil: none. While they are, motion is told less often.
	Behind func() int
}

// An Observer tells viewers of changes.
type Observer[E any] interface {
	// Appeared says that a player begins to see an entity.
	Appeared(viewer, e *E)
	// Vanished says that a player does not see an entity any more.
	Vanished(viewer, e *E)
	// Moved says that an entity is noticeably not where its viewers were told last.
	Moved(e *E)
	// First are the bodies that a player is shown before all others, as far as they are in sight.
	First(player *E) []*Body[E]
}

// A Space holds bodies.
type Space[E any] struct {
	options         Options
	observer        Observer[E]
	tick            uint32
	now             time.Duration // since any fixed moment
	grid            grid[E]
	sight2, vanish2 float64      // squares of the distances
	movers          []*Body[E]   // to be updated and told
	strain          uint         // how often the time between reports of motion is doubled, since loops are behind
	cells           []*cell[E]   // of the last look, used again
	near            []distant[E] // the same
	stamp           uint64       // of the last look
}

// New returns an empty space.
func New[E any](o Options, observer Observer[E]) *Space[E] {
	vanish := o.Sight * vanishFactor
	return &Space[E]{options: o, observer: observer, grid: newGrid[E](vanish), sight2: o.Sight * o.Sight,
		vanish2: vanish * vanish}
}

// Begin begins a tick.
func (s *Space[E]) Begin(tick uint64, now time.Time) {
	s.tick, s.now = uint32(tick), time.Duration(now.UnixNano())
}

// Add puts a body where it says to be. It is in no area of interest before [Space.Look].
func (s *Space[E]) Add(b *Body[E]) {
	b.lastSent = b.At
	s.grid.add(b)
}

// Move puts a body somewhere else, and tells nothing of it: see [Space.Look] and [Space.MarkMoved].
func (s *Space[E]) Move(b *Body[E], to coords.Position) {
	b.At = to
	s.grid.move(b)
}

// Drop takes a body out of sight and out of the space. It is told itself of nothing vanishing.
func (s *Space[E]) Drop(b *Body[E]) {
	for sort := range b.links {
		for i := len(b.links[sort]) - 1; i >= 0; i-- {
			s.vanish(b.unlink(Sort(sort), i), b)
		}
	}
	s.grid.remove(b)
}

// MarkMoved queues a body for an update of its area of interest, and for a report of its place to viewers.
func (s *Space[E]) MarkMoved(b *Body[E]) {
	if !b.moving {
		b.moving = true
		s.movers = append(s.movers, b)
	}
}

// Around iterates over all entities of a sort that may be within a radius of a place: in squares, so that some are
// farther away. Their order follows from the events of the past.
func (s *Space[E]) Around(at coords.Position, in Instance, radius float64, sort Sort) func(yield func(*E) bool) {
	return func(yield func(*E) bool) {
		s.grid.around(at, in, radius, func(c *cell[E]) bool {
			for _, b := range c.of[sort] {
				if !yield(b.Of) {
					return false
				}
			}
			return true
		})
	}
}

// Squares is how many squares [Space.Around] looks into for a radius, about.
func (s *Space[E]) Squares(radius float64) float64 {
	side := 2*radius/s.grid.size + 1
	return side * side
}

// Moving is how many bodies wait for an update or a report.
func (s *Space[E]) Moving() int { return len(s.movers) }

// Near reports whether two bodies are in the same part of the world, and no farther apart than the root of square, in
// metres.
func Near[E any](a, b *Body[E], square float64) bool {
	return a.Instance == b.Instance && DistSq(&a.At, &b.At) <= square
}

// DistSq is the square of the distance between two places in metres.
func DistSq(a, b *coords.Position) float64 {
	dx, dy, dz := float64(a.X)-float64(b.X), float64(a.Y)-float64(b.Y), float64(a.Z)-float64(b.Z)
	return dx*dx + dy*dy + dz*dz
}
