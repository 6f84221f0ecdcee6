package space

import (
	"math"

	"sphereserver/coords"
)

// A grid finds bodies by their place: squares over x and z, each with all bodies in it at any height.
type grid[E any] struct {
	size  float64 // of a cell, metres
	cells map[cellKey]*cell[E]
	spare []*cell[E] // empty, to be used again
}

// A cellKey is a square of the open world or of an instance, so that bodies of one are never found from another: in 24
// bits each x and z, in cells, and in 16 bits the instance.
type cellKey uint64

const axisBits, axisMask = 24, 1<<24 - 1

type cell[E any] struct {
	key    cellKey
	of     [Sorts][]*Body[E]
	beside [9]*cell[E] // nil where no body is, and itself in the middle
}

func newGrid[E any](size float64) grid[E] { return grid[E]{size: size, cells: map[cellKey]*cell[E]{}} }

func (g *grid[E]) index(v float64) int32 { return int32(math.Floor(v / g.size)) }

func keyOf(x, z int32, in Instance) cellKey {
	return cellKey(in)<<(2*axisBits) | cellKey(uint32(x)&axisMask)<<axisBits | cellKey(uint32(z)&axisMask)
}

// beside is the key of a cell that shares a side or a corner with this one, or this one's own in the middle of them.
func (k cellKey) beside(i int) cellKey {
	x, z := k>>axisBits&axisMask+cellKey(i/3)-1, k&axisMask+cellKey(i%3)-1
	return k>>(2*axisBits)<<(2*axisBits) | x&axisMask<<axisBits | z&axisMask
}

func (g *grid[E]) keyAt(p *coords.Position, in Instance) cellKey {
	return keyOf(g.index(float64(p.X)), g.index(float64(p.Z)), in)
}

// open returns the cell of a key, which may be new.
func (g *grid[E]) open(k cellKey) *cell[E] {
	c := g.cells[k]
	if c == nil {
		if last := len(g.spare) - 1; last >= 0 {
			c, g.spare = g.spare[last], g.spare[:last]
		} else {
			c = &cell[E]{}
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

// close forgets a cell that is empty.
func (g *grid[E]) close(c *cell[E]) {
	if len(c.of[Players]) == 0 && len(c.of[Others]) == 0 {
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

func (g *grid[E]) add(b *Body[E]) {
	c := g.open(g.keyAt(&b.At, b.Instance))
	b.cell, b.slot = c, int32(len(c.of[b.Sort]))
	c.of[b.Sort] = append(c.of[b.Sort], b)
}

func (g *grid[E]) remove(b *Body[E]) {
	c, list := b.cell, b.cell.of[b.Sort]
	last := len(list) - 1
	list[b.slot] = list[last]
	list[b.slot].slot = b.slot
	list[last] = nil
	c.of[b.Sort] = list[:last]
	b.cell = nil
	g.close(c)
}

func (g *grid[E]) move(b *Body[E]) {
	if g.keyAt(&b.At, b.Instance) != b.cell.key {
		g.remove(b)
		g.add(b)
	}
}

// near appends the cells that a body sees into: with sight no farther than a cell is wide, they are those beside its
// own, which know each other. To look them up cost more, the larger the world was.
func (g *grid[E]) near(b *Body[E], into []*cell[E]) []*cell[E] {
	for _, c := range b.cell.beside {
		if c != nil {
			into = append(into, c)
		}
	}
	return into
}

// around calls do for the cells that a body within a radius of a place can be in, in a fixed order, until it says
// false.
func (g *grid[E]) around(at coords.Position, in Instance, radius float64, do func(*cell[E]) bool) {
	x, z := float64(at.X), float64(at.Z)
	x1, z1 := g.index(x+radius), g.index(z+radius)
	for i := g.index(x - radius); i <= x1; i++ {
		for j := g.index(z - radius); j <= z1; j++ {
			if c := g.cells[keyOf(i, j, in)]; c != nil && !do(c) {
				return
			}
		}
	}
}
