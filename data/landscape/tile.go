package landscape

import (
	"fmt"
	"math"

	"sphereserver/world/rules"
)

const (
	// centimetres of height are the unit of a tile.
	centimetres = 100
	// noHeight stands in a tile for an unknown height.
	noHeight = math.MaxUint16
)

// A Tile is the ground of a tile: heights at each metre, by z and then x, above the least of them, and water.
type Tile struct {
	least   float32 // metres
	heights [points * points]uint16
	water   water
	wet     bool // there is water
}

// newTile packs a raster.
func newTile(r *raster, w *water) (*Tile, error) {
	s := &Tile{least: float32(math.Inf(1))}
	most := hole
	for _, y := range r {
		if y != hole {
			s.least, most = min(s.least, y), max(most, y)
		}
	}
	if most-s.least >= (noHeight-1)/centimetres {
		return nil, fmt.Errorf("expected heights that differ by less than %d m, found %.0f to %.0f",
			(noHeight-1)/centimetres, s.least, most)
	}
	for i, y := range r {
		s.heights[i] = noHeight
		if y != hole {
			s.heights[i] = uint16((y-s.least)*centimetres + 0.5)
		}
	}
	for i := range s.water {
		s.water[i] = dry
		if w != nil && w[i] != dry {
			s.water[i], s.wet = w[i], true
		}
	}
	return s, nil
}

// Surface is the ground between the places of a tile, u and v metres from its corner along x and z, 0 to [TileSize].
func (t *Tile) Surface(u, v float32) (s rules.Surface, known bool) {
	x, z := min(int(u), TileSize-1), min(int(v), TileSize-1)
	return t.between(x, z, u-float32(x), v-float32(z))
}

// between is the ground in a square metre of a tile, parts of a metre from its corner.
func (t *Tile) between(x, z int, fx, fz float32) (s rules.Surface, known bool) {
	i := z*points + x
	h := t.heights[i : i+points+2]
	a, b, c, d := h[0], h[1], h[points], h[points+1]
	if max(a, b, c, d) == noHeight {
		return s, false
	}
	const metre = 1. / centimetres
	ya, yb, yc, yd := float32(a), float32(b), float32(c), float32(d)
	low, left := yb-ya, yc-ya
	twist := yd - yc - low
	s.DX, s.DZ = (low+twist*fz)*metre, (left+twist*fx)*metre
	s.Height = t.least + (ya+low*fx)*metre + s.DZ*fz
	s.Water = dry
	if t.wet {
		s.Water = t.Water(float32(x)+fx, float32(z)+fz)
	}
	return s, true
}

// Water is how high water stands at a place of a tile.
func (t *Tile) Water(u, v float32) float32 {
	const cells = float32(waterSide) / TileSize // in a metre
	return t.water[min(int(v*cells), waterSide-1)*waterSide+min(int(u*cells), waterSide-1)]
}
