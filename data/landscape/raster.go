package landscape

import (
	"fmt"
	"math"
)

// points is how many heights a tile has along each axis: one for each metre, and both edges.
const points = TileSize + 1

// A raster is how high a mesh is at each metre, by z and then x of the mesh itself; hole where it has nothing.
type raster [points * points]float32

// hole is the height where a mesh has no surface.
var hole = float32(math.Inf(-1))

const (
	// slack is by how much of a triangle a place may be outside of it, so that nothing falls between two.
	slack = 1e-3
	// narrow is how wide a slit or an edge is, in metres, that is filled from beside it.
	narrow = 2
	// mostWork is how many places of triangles are looked at in a mesh at most. A surface needs a thousandth of it.
	mostWork = 2000 * points * points
	// leastCover is how much of a tile its mesh has to cover, in hundredths.
	leastCover = 50
)

// rasterise finds the highest surface of a mesh at each metre of a tile with its least corner at (x0, z0) of the
// mesh. Source: protocol fight 6.4 a.
func (m *mesh) rasterise(x0, z0 float32) (*raster, error) {
	r := new(raster)
	for i := range r {
		r[i] = hole
	}
	work := 0
	for _, t := range m.triangles {
		work += r.add(m.vertices[t[0]], m.vertices[t[1]], m.vertices[t[2]], x0, z0)
		if work > mostWork {
			return nil, fmt.Errorf("expected a surface, found triangles that lie over each other %d times",
				mostWork/(points*points))
		}
	}
	covered := r.covered()
	if 100*covered < leastCover*points*points {
		return nil, fmt.Errorf("expected a surface of %d by %d m, found one that covers %d %% of it", TileSize, TileSize,
			100*covered/(points*points))
	}
	if covered < points*points {
		for range narrow {
			r.fill()
		}
	}
	return r, nil
}

// covered is how many heights are known.
func (r *raster) covered() (n int) {
	for _, y := range r {
		if y != hole {
			n++
		}
	}
	return n
}

// add draws a triangle, and returns how many places it has looked at.
func (r *raster) add(a, b, c point, x0, z0 float32) int {
	ax, az := float64(a.x-x0), float64(a.z-z0)
	bx, bz := float64(b.x-x0), float64(b.z-z0)
	cx, cz := float64(c.x-x0), float64(c.z-z0)
	area := (bx-ax)*(cz-az) - (cx-ax)*(bz-az)
	if math.Abs(area) < 1e-6 { // it stands upright
		return 1
	}
	const edge = 0.02
	left, right := between(min(ax, bx, cx)-edge, max(ax, bx, cx)+edge)
	low, high := between(min(az, bz, cz)-edge, max(az, bz, cz)+edge)
	for z := low; z <= high; z++ {
		for x := left; x <= right; x++ {
			px, pz := float64(x), float64(z)
			u := ((bx-px)*(cz-pz) - (cx-px)*(bz-pz)) / area
			v := ((cx-px)*(az-pz) - (ax-px)*(cz-pz)) / area
			w := 1 - u - v
			if u < -slack || v < -slack || w < -slack {
				continue
			}
			y := float32(u*float64(a.y) + v*float64(b.y) + w*float64(c.y))
			if at := &r[z*points+x]; y > *at {
				*at = y
			}
		}
	}
	return 1 + max(0, right-left+1)*max(0, high-low+1)
}

// between are the first and the last metre of a tile from one coordinate to another.
func between(from, to float64) (first, last int) {
	return int(math.Ceil(max(from, 0))), int(math.Floor(min(to, TileSize)))
}

// fill gives each hole beside known heights their mean.
func (r *raster) fill() {
	before := *r
	for z := range points {
		for x := range points {
			if before[z*points+x] != hole {
				continue
			}
			sum, n := float32(0), 0
			for dz := max(z-1, 0); dz <= min(z+1, points-1); dz++ {
				for dx := max(x-1, 0); dx <= min(x+1, points-1); dx++ {
					if y := before[dz*points+dx]; y != hole {
						sum += y
						n++
					}
				}
			}
			if n > 0 {
				r[z*points+x] = sum / float32(n)
			}
		}
	}
}
