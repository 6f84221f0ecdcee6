package ground

import (
	"math"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

const (
	// onLand is how many times as many squares a search looks at where all of them are known, most of which lead nowhere.
	// A choice of ours.
	onLand = 2.5
	// slots is the room of a search's table, a power of two above twice of its entries.
	slots = 2048
)

// A node is a square that a search has come to.
type node struct {
	x, z  int32
	y     float32
	cost  float32 // of the way there
	guess float32 // of all of it
	from  int16   // -1: it is the first
	done  bool
}

// A search is the room for looking for a way, used again.
type search struct {
	nodes []node
	heap  []int16
	table [slots]int16 // index in nodes plus one
}

// Way appends the middles of squares over which a creature can walk from one place to another, as many as there is
// room for, when the straight line leaves known ground or is too steep. tried says that a way was looked for.
func (g *Ground) Way(from, to coords.Position, into []coords.Position) (way []coords.Position, tried bool) {
	fx, fz := square(from)
	tx, tz := square(to)
	start, ok := g.stand(fx, fz, from.Y)
	if !ok {
		return into, false
	}
	end, ok := g.stand(tx, tz, to.Y)
	if !ok || fx == tx && fz == tz || flat(fx-tx, fz-tz) > radius || g.straight(from, to, start) {
		return into, false
	}
	last := g.search.run(g, node{x: fx, z: fz, y: start, from: -1}, tx, tz, end)
	if last < 0 {
		return into, true
	}
	// The way is known from its end.
	nodes := g.search.nodes
	length := 0
	for i := last; nodes[i].from >= 0; i = nodes[i].from {
		length++
	}
	room := cap(into) - len(into)
	first := len(into)
	into = into[:first+min(length, room)]
	for i := last; nodes[i].from >= 0; i = nodes[i].from {
		if length--; length < room {
			n := &nodes[i]
			into[first+length] = coords.Position{X: (float32(n.x) + 0.5) * size, Y: n.y, Z: (float32(n.z) + 0.5) * size}
		}
	}
	return into, true
}

func flat(x, z int32) float64 { return math.Hypot(float64(x), float64(z)) }

func flat2(a, b coords.Position) float32 {
	return float32(math.Hypot(float64(b.X)-float64(a.X), float64(b.Z)-float64(a.Z)))
}

// straight reports whether the line between two places is over known ground, and not too steep.
func (g *Ground) straight(from, to coords.Position, y float32) bool {
	dx, dz := float64(to.X)-float64(from.X), float64(to.Z)-float64(from.Z)
	steps := int(math.Ceil(math.Hypot(dx, dz)))
	atX, atZ := square(from)
	for i := 1; i <= steps; i++ {
		part := float64(i) / float64(steps)
		x, z := square(coords.Position{X: from.X + float32(part*dx), Z: from.Z + float32(part*dz)})
		if x == atX && z == atZ {
			continue
		}
		next, ok := g.stand(x, z, y)
		if !ok || float64(abs(next-y)) > float64(g.steepest)*size*flat(x-atX, z-atZ) {
			return false
		}
		atX, atZ, y = x, z, next
	}
	return true
}

// steps are the ways to a neighbour, in metres.
var steps = [...]struct {
	x, z int32
	far  float32
}{{1, 0, size}, {-1, 0, size}, {0, 1, size}, {0, -1, size}, {1, 1, size * math.Sqrt2}, {1, -1, size * math.Sqrt2},
	{-1, 1, size * math.Sqrt2}, {-1, -1, size * math.Sqrt2}}

// run looks for a way by A* and returns the index of its last node, -1 if there is none among the squares it looks at.
func (s *search) run(g *Ground, start node, tx, tz int32, end float32) int16 {
	s.nodes, s.heap = s.nodes[:0], s.heap[:0]
	clear(s.table[:])
	limit := g.cells
	if g.land != nil {
		limit = min(int(onLand*float64(limit)), rules.MostWayCells)
	}
	rest := func(x, z int32) float32 { // as steps go
		dx, dz := max(x-tx, tx-x), max(z-tz, tz-z)
		return size * (float32(max(dx, dz)) + (math.Sqrt2-1)*float32(min(dx, dz)))
	}
	start.guess = rest(start.x, start.z)
	s.put(start)
	for len(s.heap) > 0 {
		i := s.pop()
		at := s.nodes[i]
		if at.done {
			continue
		}
		s.nodes[i].done = true
		if at.x == tx && at.z == tz && abs(at.y-end) < storeyHeight {
			return i
		}
		for _, step := range steps {
			x, z := at.x+step.x, at.z+step.z
			y, ok := g.stand(x, z, at.y)
			if !ok || abs(y-at.y) > g.steepest*step.far {
				continue
			}
			next := node{x: x, z: z, y: y, cost: at.cost + step.far, from: i}
			next.guess = next.cost + rest(x, z)
			if known := s.find(x, z, y); known >= 0 {
				if k := &s.nodes[known]; !k.done && next.cost < k.cost {
					*k = next
					s.push(known)
				}
			} else if len(s.nodes) < limit {
				s.put(next)
			}
		}
	}
	return -1
}

func slotOf(x, z int32) uint32 {
	return (uint32(x)*0x9E3779B1 ^ uint32(z)*0x85EBCA77) >> 16 & (slots - 1)
}

// find is the index of the node of a square and storey, -1 if the search has not come there.
func (s *search) find(x, z int32, y float32) int16 {
	for slot := slotOf(x, z); s.table[slot] != 0; slot = (slot + 1) & (slots - 1) {
		i := s.table[slot] - 1
		if n := &s.nodes[i]; n.x == x && n.z == z && abs(n.y-y) < storeyHeight/2 {
			return i
		}
	}
	return -1
}

func (s *search) put(n node) {
	s.nodes = append(s.nodes, n)
	i := int16(len(s.nodes) - 1)
	slot := slotOf(n.x, n.z)
	for s.table[slot] != 0 {
		slot = (slot + 1) & (slots - 1)
	}
	s.table[slot] = i + 1
	s.push(i)
}

// push puts a node into the heap; one that has become cheaper is there twice.
func (s *search) push(i int16) {
	s.heap = append(s.heap, i)
	at := len(s.heap) - 1
	for at > 0 {
		above := (at - 1) / 2
		if !s.before(i, s.heap[above]) {
			break
		}
		s.heap[at], at = s.heap[above], above
	}
	s.heap[at] = i
}

func (s *search) before(a, b int16) bool { return s.nodes[a].guess < s.nodes[b].guess }

func (s *search) pop() int16 {
	top, last := s.heap[0], len(s.heap)-1
	i := s.heap[last]
	s.heap = s.heap[:last]
	if last == 0 {
		return top
	}
	at := 0
	for {
		below := 2*at + 1
		if below >= last {
			break
		}
		if below+1 < last && s.before(s.heap[below+1], s.heap[below]) {
			below++
		}
		if !s.before(s.heap[below], i) {
			break
		}
		s.heap[at], at = s.heap[below], below
	}
	s.heap[at] = i
	return top
}
