package world

import (
	"math"

	"sphereserver/coords"
)

// A grid finds entities by their place: squares over x and z, each with all entities in it at any height.
type grid struct {
	size  float64 // of a cell, metres
	cells map[cellKey]*cell
	spare []*cell // empty, to be used again
}

// A cellKey is a square of the open world or of an instance, so that entities of one are never found from another: in
// 24 bits each x and z, in cells, and in 16 bits the number of the instance, 0 for none.
type cellKey uint64

type cell struct {
	key    cellKey
	of     [sorts][]*entity
	beside [9]*cell // nil where no entity is, and itself in the middle
}

func newGrid(size float64) grid { return grid{size: size, cells: map[cellKey]*cell{}} }

func (g *grid) index(v float64) int32 { return int32(math.Floor(v / g.size)) }

func keyOf(x, z int32, in *instance) cellKey {
	const bits = 24
	return cellKey(uint32(x)&(1<<bits-1))<<bits | cellKey(uint32(z)&(1<<bits-1)) | cellKey(in.number())<<(2*bits)
}

// beside is the key of a cell that shares a side or a corner with this one, or this one's own in the middle of them.
func (k cellKey) beside(i int) cellKey {
	const bits, mask = 24, 1<<24 - 1
	x, z := k>>bits&mask+cellKey(i/3)-1, k&mask+cellKey(i%3)-1
	return k>>(2*bits)<<(2*bits) | x&mask<<bits | z&mask
}

func (g *grid) keyAt(p *coords.Position, in *instance) cellKey {
	return keyOf(g.index(float64(p.X)), g.index(float64(p.Z)), in)
}

// open returns the cell of a key, which may be new.
func (g *grid) open(k cellKey) *cell {
	c := g.cells[k]
	if c == nil {
		if last := len(g.spare) - 1; last >= 0 {
			c, g.spare = g.spare[last], g.spare[:last]
		} else {
			c = &cell{}
		}
		c.key = k
		g.cells[k] = c
		for i := range c.beside {
			if n := g.cells[k.beside(i)]; n != nil {
				c.beside[i], n.beside[len(n.beside)-1-i] = n, c
			}
		}
	}
	return c
}

func (g *grid) close(c *cell) {
	if len(c.of[players]) == 0 && len(c.of[others]) == 0 {
		delete(g.cells, c.key)
		for i, n := range c.beside {
			if n != nil {
				n.beside[len(n.beside)-1-i] = nil
			}
		}
		clear(c.beside[:])
		g.spare = append(g.spare, c)
	}
}

func (g *grid) add(e *entity) {
	c := g.open(g.keyAt(&e.at, e.inside))
	e.cell, e.slot = c, len(c.of[e.sort])
	c.of[e.sort] = append(c.of[e.sort], e)
}

func (g *grid) remove(e *entity) {
	c, list := e.cell, e.cell.of[e.sort]
	last := len(list) - 1
	list[e.slot] = list[last]
	list[e.slot].slot = e.slot
	list[last] = nil
	c.of[e.sort] = list[:last]
	e.cell = nil
	g.close(c)
}

func (g *grid) move(e *entity) {
	if g.keyAt(&e.at, e.inside) != e.cell.key {
		g.remove(e)
		g.add(e)
	}
}

// near appends the cells that an entity sees into: with sight no farther than a cell is wide, they are those beside its
// own, which know each other. To look them up cost more, the larger the world was.
func (g *grid) near(e *entity, into []*cell) []*cell {
	for _, c := range e.cell.beside {
		if c != nil {
			into = append(into, c)
		}
	}
	return into
}

// around appends the cells that something within a radius of a place can be in, in a fixed order: in an instance, or
// with nil in the open world.
func (g *grid) around(at coords.Position, in *instance, radius float64, into []*cell) []*cell {
	x, z := float64(at.X), float64(at.Z)
	x1, z1 := g.index(x+radius), g.index(z+radius)
	for i := g.index(x - radius); i <= x1; i++ {
		for j := g.index(z - radius); j <= z1; j++ {
			if c := g.cells[keyOf(i, j, in)]; c != nil {
				into = append(into, c)
			}
		}
	}
	return into
}

// distSq is the square of the distance between two places in metres.
func distSq(a, b *coords.Position) float64 {
	dx, dy, dz := float64(a.X)-float64(b.X), float64(a.Y)-float64(b.Y), float64(a.Z)-float64(b.Z)
	return dx*dx + dy*dy + dz*dz
}

// near says whether two entities are in the same part of the world, and no farther apart than the root of square, in
// metres.
func near(a, b *entity, square float64) bool {
	return a.inside == b.inside && distSq(&a.at, &b.at) <= square
}
