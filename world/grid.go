package world

import (
	"math"

	"sphereserver/coords"
)

func newGrid(size float64) grid { return grid{size: size, cells: map[cellKey]*cell{}} }

func (g *grid) index(v float64) int32 { return int32(math.Floor(v / g.size)) }

func keyOf(x, z int32) cellKey { return cellKey(uint32(x))<<32 | cellKey(uint32(z)) }

func (g *grid) keyAt(p coords.Position) cellKey {
	return keyOf(g.index(float64(p.X)), g.index(float64(p.Z)))
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
	}
	return c
}

func (g *grid) close(c *cell) {
	if len(c.of[players]) == 0 && len(c.of[others]) == 0 {
		delete(g.cells, c.key)
		g.spare = append(g.spare, c)
	}
}

func (g *grid) add(e *entity) {
	c := g.open(g.keyAt(e.at))
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
	if g.keyAt(e.at) != e.cell.key {
		g.remove(e)
		g.add(e)
	}
}

// around appends the cells that something within a radius of a place can be in, in a fixed order.
func (g *grid) around(at coords.Position, radius float64, into []*cell) []*cell {
	x, z := float64(at.X), float64(at.Z)
	x1, z1 := g.index(x+radius), g.index(z+radius)
	for i := g.index(x - radius); i <= x1; i++ {
		for j := g.index(z - radius); j <= z1; j++ {
			if c := g.cells[keyOf(i, j)]; c != nil {
				into = append(into, c)
			}
		}
	}
	return into
}

// apart is the square of the distance between two places in metres.
func apart(a, b *coords.Position) float64 {
	dx, dy, dz := float64(a.X)-float64(b.X), float64(a.Y)-float64(b.Y), float64(a.Z)-float64(b.Z)
	return dx*dx + dy*dy + dz*dz
}
