package space

import (
	"math"
	"slices"
	"time"
)

// An area is the area of interest of a body: the visibility links to bodies near it. Links are mutual. One between
// players says that each sees the other; one between a player and another body says that the player sees that.
type area[E any] struct {
	links   [Sorts][]link[E] // by the sort of the linked body
	viewers []PlayerID       // of links[Players], in the same order
}

// distant is a body in one of the rings around another, of which 0 is the nearest.
type distant[E any] struct {
	*Body[E]
	ring int
}

// A link leads to a body in sight.
type link[E any] struct {
	other *Body[E]
	back  int32  // index of the link the other way, in other.links
	since uint32 // tick
}

const (
	// vanishFactor is how many times farther than it appears a body vanishes, so that it does not flicker when a player
	// walks to and fro at the edge of sight.
	vanishFactor = 1.1
	// lookDistance is how far a body moves, in metres, before its area of interest is updated.
	lookDistance = 1
	// lookPeriod is after which time it is updated for one that has moved less far than that.
	lookPeriod = 500 * time.Millisecond
	// truncatedPeriod is after which time it is updated for a player that the limit keeps from seeing all others.
	truncatedPeriod = time.Second
	// thingsAtOnce is how many objects a player is shown in a tick: each is some 40 to 80 bytes to its client, all of
	// them 16 KiB at the most.
	thingsAtOnce = 256
)

// Viewers are the players that see a body. The list is not to be changed, and holds until the next change of links.
func (b *Body[E]) Viewers() []PlayerID { return b.viewers }

// InSight iterates over the entities of a sort to which a body has a link: of a player those that it sees, of any other
// body the players that see it. No link may change meanwhile.
func (b *Body[E]) InSight(s Sort) func(yield func(*E) bool) {
	return func(yield func(*E) bool) {
		for _, l := range b.links[s] {
			if !yield(l.other.Of) {
				return
			}
		}
	}
}

// Sees reports whether there is a link between two bodies: it looks at that end at which there are fewer.
func (b *Body[E]) Sees(other *Body[E]) bool {
	from, to := b, other
	if len(to.links[from.Sort]) < len(from.links[to.Sort]) {
		from, to = to, from
	}
	return slices.ContainsFunc(from.links[to.Sort], func(l link[E]) bool { return l.other == to })
}

// Look updates the links of a body to those in sight of its place, and tells the changes.
func (s *Space[E]) Look(b *Body[E]) {
	b.lookedFrom, b.lookedAt = spotOf(&b.At), s.now
	s.LoseFar(b)
	s.FindNear(b)
	if b.truncated || b.short {
		s.MarkMoved(b)
	}
}

// LoseFar is the first half of [Space.Look]: it removes the links to bodies that are too far away.
func (s *Space[E]) LoseFar(b *Body[E]) {
	s.stamp++
	for sort := range b.links {
		for i := len(b.links[sort]) - 1; i >= 0; i-- {
			q := b.links[sort][i].other
			if Near(b, q, s.vanish2) {
				q.mark = s.stamp
				continue
			}
			b.unlink(Sort(sort), i)
			s.vanish(b, q)
			s.vanish(q, b)
		}
	}
}

// FindNear is the second half of [Space.Look]: it links a body to those that are near enough and have no link to it. It
// has to follow LoseFar.
func (s *Space[E]) FindNear(b *Body[E]) {
	b.truncated, b.short = false, false
	if b.Sort == Players {
		s.findAmong(b, s.observer.First(b.Of))
	}
	s.cells = s.grid.near(b, s.cells[:0])
	things := 0
	for _, c := range s.cells {
		things += len(c.of[Others])
	}
	few := b.Sort == Players && things <= thingsAtOnce && len(b.links[Others])+things <= s.options.ThingLimit
	for _, c := range s.cells {
		s.findAmong(b, c.of[Players])
		if few {
			s.findAmong(b, c.of[Others])
		}
	}
	if b.Sort == Players && !few {
		s.findNearest(b)
	}
}

// rings is how finely distances are told apart by findNearest.
const rings = 64

// findNearest links a player to the nearest of the objects around, as many as it may be shown at once. For the others
// it looks again.
func (s *Space[E]) findNearest(b *Body[E]) {
	room := 0
	if s.takesMore(b) {
		room = min(thingsAtOnce, s.options.ThingLimit-len(b.links[Others]))
	}
	var in [rings]int // how many are in each ring
	s.near = s.near[:0]
	for _, c := range s.cells {
		for _, q := range c.of[Others] {
			if d := DistSq(&b.At, &q.At); q.mark != s.stamp && d <= s.sight2 && !q.Hidden {
				ring := min(int(math.Sqrt(d/s.sight2)*rings), rings-1)
				s.near = append(s.near, distant[E]{q, ring})
				in[ring]++
			}
		}
	}
	b.short = len(s.near) > room
	edge := 0 // of the ring at it only some are shown, beyond it none
	for edge < rings && in[edge] <= room {
		room -= in[edge]
		edge++
	}
	for _, q := range s.near {
		switch {
		case q.ring > edge || q.ring == edge && room == 0:
			continue
		case q.ring == edge:
			room--
		}
		s.link(b, q.Body)
	}
	clear(s.near)
}

// takesMore reports whether a player can be shown more objects now.
func (s *Space[E]) takesMore(b *Body[E]) bool {
	return len(b.links[Others]) < s.options.ThingLimit && (s.options.Busy == nil || !s.options.Busy(PlayerID(b.Number)))
}

func (s *Space[E]) findAmong(b *Body[E], list []*Body[E]) {
	for _, q := range list {
		if q.mark == s.stamp || q == b || q.Hidden || DistSq(&b.At, &q.At) > s.sight2 {
			continue
		}
		if b.Sort == Players && q.Sort == Players {
			if len(b.viewers) >= s.options.ViewLimit {
				b.truncated = true
				return
			}
			if len(q.viewers) >= s.options.ViewLimit {
				b.truncated = true
				continue
			}
		}
		if b.Sort == Others && (q.short || !s.takesMore(q)) { // the viewer looks itself
			q.short = true
			s.MarkMoved(q)
			continue
		}
		s.link(b, q)
		q.mark = s.stamp
	}
}

// link adds a visibility link between two bodies, at least one of them a player, and tells that they appear.
func (s *Space[E]) link(a, b *Body[E]) {
	s.Link(a, b)
	if a.Sort == Players {
		s.observer.Appeared(a.Of, b.Of)
	}
	if b.Sort == Players {
		s.observer.Appeared(b.Of, a.Of)
	}
}

// Link adds a visibility link between two bodies, at least one of them a player, that have been told of each other
// already.
func (s *Space[E]) Link(a, b *Body[E]) {
	i, j := len(a.links[b.Sort]), len(b.links[a.Sort])
	a.addLink(b, j, s.tick)
	b.addLink(a, i, s.tick)
}

// Unlink removes the links of a body to all players, tells nothing of it, and returns the players.
func (s *Space[E]) Unlink(b *Body[E]) (viewers []*Body[E]) {
	for i := len(b.links[Players]) - 1; i >= 0; i-- {
		viewers = append(viewers, b.unlink(Players, i))
	}
	return viewers
}

func (s *Space[E]) vanish(viewer, b *Body[E]) {
	if viewer.Sort == Players {
		s.observer.Vanished(viewer.Of, b.Of)
	}
}

// ViewersBefore appends the viewers of a body since before this tick: newer ones are shown it as it is at the end of
// the tick.
func (s *Space[E]) ViewersBefore(b *Body[E], into []PlayerID) []PlayerID {
	for i := range b.viewers {
		if b.links[Players][i].since != s.tick {
			into = append(into, b.viewers[i])
		}
	}
	return into
}

// HasNewViewers reports whether a player has begun to see a body in this tick.
func (s *Space[E]) HasNewViewers(b *Body[E]) bool { return b.newest == s.tick }

// addLink adds a link to another body, with the index of the link the other way.
func (b *Body[E]) addLink(other *Body[E], back int, tick uint32) {
	b.links[other.Sort] = append(Roomy(b.links[other.Sort]), link[E]{other, int32(back), tick})
	if other.Sort == Players {
		b.viewers = append(Roomy(b.viewers), PlayerID(other.Number))
		b.newest = tick
	}
}

// dropLink removes the i-th link to bodies of a sort; the last takes its place.
func (b *Body[E]) dropLink(s Sort, i int) {
	list := b.links[s]
	last := len(list) - 1
	if i != last {
		moved := list[last]
		list[i] = moved
		moved.other.links[b.Sort][moved.back].back = int32(i)
	}
	list[last] = link[E]{}
	b.links[s] = Fitting(list[:last])
	if s == Players {
		b.viewers[i] = b.viewers[last]
		b.viewers = Fitting(b.viewers[:last])
	}
}

// unlink removes the i-th link to bodies of a sort, both ways, and returns the body at its other end.
func (b *Body[E]) unlink(s Sort, i int) *Body[E] {
	l := b.links[s][i]
	b.dropLink(s, i)
	l.other.dropLink(b.Sort, int(l.back))
	return l.other
}

// leastRoom is the room that a list has at least once it is needed: little, since every monster that was ever seen has
// some.
const leastRoom = 4

// Roomy is a list with room for one more, and for few beyond: append alone would double it.
func Roomy[T any](list []T) []T {
	if len(list) < cap(list) {
		return list
	}
	return append(make([]T, 0, len(list)+len(list)/4+leastRoom), list...)
}

// Fitting is a list without most of its room, if little of that is used: a player that has left a crowd keeps none
// for it.
func Fitting[T any](list []T) []T {
	if cap(list) <= leastRoom || 3*len(list) > cap(list) {
		return list
	}
	return append(make([]T, 0, max(len(list)+len(list)/2, leastRoom)), list...)
}
