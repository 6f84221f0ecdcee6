package relief

import (
	"context"
	"math"
	"slices"

	"sphereserver/data/landscape"
)

// A land is the ground of an area that was imported.
type land struct {
	continent           int // of the file
	west, south, length float64
	overview            *overview // nil until it is needed
}

const (
	// parts are how many heights an overview has along the side of a tile of the land.
	parts    = 6
	partSize = float64(landscape.TileSize) / parts
	// partSamples are looked at along the side of each.
	partSamples = 4
	// unknown stands in an overview for unknown ground; it is lower than any height.
	unknown = math.MinInt16
	// decimetres of height are the unit of an overview.
	decimetres = 10
	// depthUnit is the unit of depths, in metres, so that a byte holds all that can be told apart.
	depthUnit = 0.1
)

// An overview is a land as one sees it from afar, by z and then x from the south-west.
type overview struct {
	side      int
	height    []int16 // decimetres, or unknown
	wet       []uint8 // share of the place that is under water, 255 for all
	depth     []uint8 // of that water, by depthUnit
	low, high float32 // nearly all dry ground is between these
}

// A sample is the view of a place.
type sample struct {
	height float32 // NaN where it is not known
	wet    float32 // share of it that is under water, 0 to 1
	depth  float32 // of that water, metres
}

var nothing = sample{height: float32(math.NaN())}

func (s *sample) known() bool { return s.height == s.height }

// A sum gathers points to one sample.
type sum struct {
	n, known           int
	height, wet, depth float32
}

// add adds a point of a tile of the land, around which it stands for so many metres: a coast that lies in them is where
// it is, and not at their edge.
func (s *sum) add(t *landscape.Tile, u, v, metres float32) {
	const top = landscape.TileSize
	u, v = min(max(u, 0), top), min(max(v, 0), top)
	s.n++
	at, known := t.Surface(u, v)
	if !known {
		return
	}
	s.known++
	s.height += at.Height
	depth, slope := at.Water-at.Height, max(at.DX, -at.DX)+max(at.DZ, -at.DZ)
	if share := min(max(depth/(max(slope, 0.02)*metres)+0.5, 0), 1); share > 0 {
		s.wet += share
		s.depth += share * max(depth, 0)
	}
}

func (s *sum) sample() sample {
	if 2*s.known < s.n || s.known == 0 {
		return nothing
	}
	n := float32(s.known)
	out := sample{height: s.height / n, wet: s.wet / n}
	if s.wet > 0 {
		out.depth = s.depth / s.wet
	}
	return out
}

// tile reads a tile of a land; nil where it has none. An unreadable tile is told once, and is unknown.
func (d *Drawer) tile(l *land, column, row int) *landscape.Tile {
	t, err := d.reader.Tile(l.continent, column, row)
	if err != nil {
		if !d.complained {
			d.complained = true
			d.failed(err)
		}
		return nil
	}
	return t
}

// overviewOf makes the overview of a land when it is asked for first.
func (d *Drawer) overviewOf(ctx context.Context, l *land) (*overview, error) {
	if l.overview != nil {
		return l.overview, nil
	}
	tiles := int(l.length) / landscape.TileSize
	side := tiles * parts
	o := &overview{side: side, height: make([]int16, side*side), wet: make([]uint8, side*side),
		depth: make([]uint8, side*side)}
	for i := range o.height {
		o.height[i] = unknown
	}
	for row := range tiles {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for column := range tiles {
			if t := d.tile(l, column, row); t != nil {
				o.add(t, column*parts, row*parts)
			}
		}
	}
	o.low, o.high = o.ordinary()
	l.overview = o
	return o, nil
}

// add adds a tile of the land at a place of the overview.
func (o *overview) add(t *landscape.Tile, x, z int) {
	const step = partSize / partSamples
	for i := range parts * parts {
		var s sum
		for j := range partSamples * partSamples {
			u := float64(i%parts)*partSize + (float64(j%partSamples)+0.5)*step
			v := float64(i/parts)*partSize + (float64(j/partSamples)+0.5)*step
			s.add(t, float32(u), float32(v), float32(step))
		}
		if seen := s.sample(); seen.known() {
			at := (z+i/parts)*o.side + x + i%parts
			o.height[at] = int16(min(max(seen.height*decimetres, unknown+1), math.MaxInt16))
			o.wet[at] = uint8(seen.wet*math.MaxUint8 + 0.5)
			o.depth[at] = uint8(min(seen.depth/depthUnit, math.MaxUint8))
		}
	}
}

// leastRange is how high a land is taken to be at least, in metres, so that a plain is not painted as mountains.
const leastRange = 40

// ordinary are heights between which nearly all of the dry ground is.
func (o *overview) ordinary() (low, high float32) {
	var dry []int16
	for i, h := range o.height {
		if h != unknown && o.wet[i] < math.MaxUint8/2 {
			dry = append(dry, h)
		}
	}
	if len(dry) == 0 {
		return 0, leastRange
	}
	slices.Sort(dry)
	const rare = 50 // one in so many is beyond either end
	low, high = float32(dry[len(dry)/rare])/decimetres, float32(dry[len(dry)-1-len(dry)/rare])/decimetres
	return low, max(high, low+leastRange)
}

// at is the view of a place, so many metres from the south-western corner.
func (o *overview) at(x, z float64) sample {
	x, z = x/partSize-0.5, z/partSize-0.5
	left, low := math.Floor(x), math.Floor(z)
	fx, fz := float32(x-left), float32(z-low)
	out, weights, all := sample{}, float32(0), float32(0)
	for i, weight := range [4]float32{(1 - fx) * (1 - fz), fx * (1 - fz), (1 - fx) * fz, fx * fz} {
		column, row := int(left)+i%2, int(low)+i/2
		all += weight
		if column < 0 || column >= o.side || row < 0 || row >= o.side || o.height[row*o.side+column] == unknown {
			continue
		}
		at := row*o.side + column
		wet := weight * float32(o.wet[at]) / math.MaxUint8
		weights += weight
		out.height += weight * float32(o.height[at]) / decimetres
		out.wet += wet
		out.depth += wet * float32(o.depth[at]) * depthUnit
	}
	if 2*weights < all || weights == 0 {
		return nothing
	}
	if out.wet > 0 {
		out.depth /= out.wet
	}
	out.height /= weights
	out.wet /= weights
	return out
}

// look puts the view of a land into the drawer's canvas.
func (d *Drawer) look(ctx context.Context, l *land, c *canvas) error {
	for i := range c.seen {
		c.seen[i] = nothing
	}
	if c.tile.Zoom <= overviewZoom {
		d.lookFromAfar(l, c)
		return nil
	}
	// Tiles of the land are read one after the other; each is looked at from the pixels with their middles in it.
	first := func(edge, from float64) int {
		return min(max(int(math.Ceil((edge-from)/c.metres-0.5)), 0), c.side)
	}
	points := max(1, int(c.metres/2)) // one in two metres
	const size = landscape.TileSize
	span := float64(c.side) * c.metres
	west, south := c.west-l.west, c.north-span-l.south // from the corner of the land
	for row := int(math.Floor(south / size)); float64(row)*size < south+span; row++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		for column := int(math.Floor(west / size)); float64(column)*size < west+span; column++ {
			t := d.tile(l, column, row)
			if t == nil {
				continue
			}
			x0, z0 := float64(column)*size, float64(row)*size
			left, right := first(x0, west), first(x0+size, west)
			low, high := first(z0, south), first(z0+size, south) // rows from the south
			for j := low; j < high; j++ {
				v := south + (float64(j)+0.5)*c.metres - z0
				for i := left; i < right; i++ {
					u := west + (float64(i)+0.5)*c.metres - x0
					c.seen[(c.side-1-j)*c.side+i] = within(t, u, v, c.metres, points)
				}
			}
		}
	}
	return nil
}

// within is the view of a square of a tile of the land around a place, at so many points along each side.
func within(t *landscape.Tile, u, v, metres float64, points int) sample {
	var s sum
	step := metres / float64(points)
	for i := range points * points {
		du, dv := (float64(i%points)+0.5)*step-metres/2, (float64(i/points)+0.5)*step-metres/2
		s.add(t, float32(u+du), float32(v+dv), float32(step))
	}
	return s.sample()
}

func (d *Drawer) lookFromAfar(l *land, c *canvas) {
	points := max(1, int(c.metres/partSize+0.5))
	step := c.metres / float64(points)
	for j := range c.side {
		for i := range c.side {
			out, known := sample{}, 0
			for k := range points * points {
				x := c.west + float64(i)*c.metres + (float64(k%points)+0.5)*step
				z := c.north - float64(j)*c.metres - (float64(k/points)+0.5)*step
				if s := l.overview.at(x-l.west, z-l.south); s.known() {
					known++
					out.height += s.height
					out.wet += s.wet
					out.depth += s.depth * s.wet
				}
			}
			if 2*known < points*points || known == 0 {
				continue
			}
			if out.wet > 0 {
				out.depth /= out.wet
			}
			out.height /= float32(known)
			out.wet /= float32(known)
			c.seen[j*c.side+i] = out
		}
	}
}
