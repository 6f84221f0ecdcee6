package chart

import (
	"math"
	"slices"
)

// A Point is a point of the plane, in metres: X grows to the east, Z to the north.
type Point struct{ X, Z float64 }

func (p Point) distance(q Point) float64 { return math.Hypot(p.X-q.X, p.Z-q.Z) }

// A lake is the water around its islands.
type lake struct {
	russian, english string
	islands          []Point
}

// Land is where points are near: each raises a hill of this width, and ground above the sea is land.
const (
	hill   = 280.0 // metres
	sea    = 0.25  // of the height of a hill
	rough  = 0.45  // how much the coast winds, of the height of the sea
	reach  = 3 * hill
	margin = 900.0 // around the outermost points
	cell   = 45.0
)

// Lakes, in metres.
const (
	lakeReach   = 330.0 // from an island to the shore
	islandReach = 60.0  // from the middle of an island to its shore
	shore       = 55.0  // from the water to places that are known to be dry
)

const (
	isleReach = 300.0 // of an island in the sea, from its middle to its shore, metres
	least     = 7_000 // smaller ones are left out, square metres
)

// thinned leaves one of the points of each square.
func thinned(points []Point) (some []Point) {
	seen := map[[2]int]bool{}
	for _, p := range points {
		if square := [2]int{int(math.Floor(p.X / 150)), int(math.Floor(p.Z / 150))}; !seen[square] {
			seen[square] = true
			some = append(some, p)
		}
	}
	return some
}

// A twig is a point that is not joined yet, with the joined one nearest to it.
type twig struct {
	at, from Point
	far      float64 // between the two
}

// tree adds points on the shortest ways by which all are joined.
func tree(points []Point) []Point {
	if len(points) == 0 {
		return nil
	}
	all := slices.Clone(points)
	left := make([]twig, len(points)-1)
	for i, p := range points[1:] {
		left[i] = twig{at: p, far: math.Inf(1)}
	}
	for joined := points[0]; len(left) > 0; {
		next := 0
		for i := range left {
			t := &left[i]
			if far := t.at.distance(joined); far < t.far {
				t.from, t.far = joined, far
			}
			if t.far < left[next].far {
				next = i
			}
		}
		from, p := left[next].from, left[next].at
		for steps, n := math.Ceil(left[next].far/(2*hill)), 1.0; n < steps; n++ {
			all = append(all, Point{from.X + (p.X-from.X)*n/steps, from.Z + (p.Z-from.Z)*n/steps})
		}
		joined, left = p, slices.Delete(left, next, next+1)
	}
	return all
}

// A ground has heights above the sea at the corners of square cells.
type ground struct {
	corner     Point // in the south-west
	wide, high int
	heights    []float64
}

// newGround makes a ground of a continent with these points, and islands in the sea around it.
func newGround(points, islands []Point) *ground {
	first := points[0]
	last := first
	for _, p := range slices.Concat(points, islands) {
		first = Point{min(first.X, p.X), min(first.Z, p.Z)}
		last = Point{max(last.X, p.X), max(last.Z, p.Z)}
	}
	g := &ground{corner: Point{first.X - margin, first.Z - margin}, wide: int((last.X-first.X+2*margin)/cell) + 1,
		high: int((last.Z-first.Z+2*margin)/cell) + 1}
	g.heights = make([]float64, g.wide*g.high)
	for _, p := range points {
		g.raise(p)
	}
	for i, height := range g.heights {
		p := g.at(i)
		winding := 0.7*noise(p.X/420, p.Z/420) + 0.3*noise(p.X/130, p.Z/130)
		isle := (isleReach*(1+0.3*winding) - nearest(p, islands)) / hill
		g.heights[i] = max(height-sea*(1+rough*winding), isle)
	}
	g.fill()
	return g
}

// raise adds the hill of a point. It is a product of one from west to east and one from south to north, of which each
// is computed once.
func (g *ground) raise(p Point) {
	slope := func(far float64) float64 { return math.Exp(-far * far / (2 * hill * hill)) }
	span := func(from float64, n int) (low, high int) {
		return max(int(math.Ceil((from-reach)/cell)), 0), min(int(math.Floor((from+reach)/cell)), n-1)
	}
	east, north := p.X-g.corner.X, p.Z-g.corner.Z
	west, last := span(east, g.wide)
	var slopes [2*int(reach)/int(cell) + 2]float64
	for x := west; x <= last; x++ {
		slopes[x-west] = slope(float64(x)*cell - east)
	}
	for z, most := span(north, g.high); z <= most; z++ {
		dz := float64(z)*cell - north
		across := slope(dz)
		for x := west; x <= last; x++ {
			if dx := float64(x)*cell - east; dx*dx+dz*dz < reach*reach {
				g.heights[z*g.wide+x] += slopes[x-west] * across
			}
		}
	}
}

func (g *ground) at(i int) Point {
	return Point{g.corner.X + float64(i%g.wide)*cell, g.corner.Z + float64(i/g.wide)*cell}
}

// fill makes land of all water that is not joined to the sea around.
func (g *ground) fill() {
	wet, next := make([]bool, len(g.heights)), []int{0}
	wet[0] = true
	for len(next) > 0 {
		i := next[len(next)-1]
		next = next[:len(next)-1]
		for _, step := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			x, z := i%g.wide+step[0], i/g.wide+step[1]
			if x < 0 || z < 0 || x >= g.wide || z >= g.high {
				continue
			}
			if j := z*g.wide + x; !wet[j] && g.heights[j] < 0 {
				wet[j] = true
				next = append(next, j)
			}
		}
	}
	for i, h := range g.heights {
		if !wet[i] {
			g.heights[i] = max(h, 0.05)
		}
	}
}

// rings bounds the land, with the lakes cut out. Of the dry points, none is under water.
func (g *ground) rings(lakes []lake, dry []Point) [][]Point {
	for _, l := range lakes {
		dry = slices.DeleteFunc(slices.Clone(dry), func(p Point) bool { return slices.Contains(l.islands, p) })
	}
	for i := range g.heights {
		p := g.at(i)
		for _, l := range lakes {
			g.heights[i] = min(g.heights[i], l.height(p, dry))
		}
	}
	return g.contour()
}

// height is the height of the ground in and around a lake, as the heights of a ground are: below 0 is water.
func (l lake) height(p Point, dry []Point) float64 {
	island := nearest(p, l.islands)
	water := lakeReach*(1+0.25*noise(p.X/200, p.Z/200)) - island
	if water < -2*cell {
		return math.Inf(1) // too far away to matter
	}
	return max(islandReach-island, shore-nearest(p, dry), -water) / hill
}

func nearest(p Point, points []Point) float64 {
	least := math.Inf(1)
	for _, q := range points {
		least = min(least, p.distance(q))
	}
	return least
}

// contour returns the closed lines at height 0, with the land to their left. It goes through the sides of cells:
// "marching squares".
func (g *ground) contour() (rings [][]Point) {
	next := map[int]int{} // from the side by which a line enters a cell to that by which it leaves
	for z := range g.high - 1 {
		for x := range g.wide - 1 {
			g.cross(x, z, next)
		}
	}
	starts := make([]int, 0, len(next))
	for s := range next {
		starts = append(starts, s)
	}
	slices.Sort(starts)
	for _, s := range starts {
		var ring []Point
		for {
			to, ok := next[s]
			if !ok {
				break
			}
			delete(next, s)
			ring = append(ring, g.crossing(s))
			s = to
		}
		if size(ring) >= least {
			rings = append(rings, ring)
		}
	}
	return rings
}

// size is the area of a ring, in square metres.
func size(ring []Point) float64 {
	sum := 0.0
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		sum += p.X*q.Z - q.X*p.Z
	}
	return math.Abs(sum) / 2
}

// cross notes the lines through a cell. Sides are numbered by the corner in their south-west, times 2, and 1 more for
// those to the north.
func (g *ground) cross(x, z int, next map[int]int) {
	i := z*g.wide + x
	corners := [4]int{i, i + 1, i + 1 + g.wide, i + g.wide}        // anticlockwise
	sides := [4]int{2 * i, 2*(i+1) + 1, 2 * (i + g.wide), 2*i + 1} // each from its corner to the next
	for n, c := range corners {
		// Going anticlockwise, a line leaves where land ends, and has entered where it begins again.
		if g.heights[c] >= 0 && g.heights[corners[(n+1)%4]] < 0 {
			for m := n + 1; ; m++ {
				if g.heights[corners[m%4]] < 0 && g.heights[corners[(m+1)%4]] >= 0 {
					next[sides[m%4]] = sides[n]
					break
				}
			}
		}
	}
}

// crossing is the point of a side at which the height is 0.
func (g *ground) crossing(side int) Point {
	i := side / 2
	j := i + 1
	if side%2 == 1 {
		j = i + g.wide
	}
	a, b := g.at(i), g.at(j)
	low, high := max(-1, min(1, g.heights[i])), max(-1, min(1, g.heights[j]))
	share := max(0.05, min(0.95, low/(low-high)))
	return Point{math.Round(a.X + (b.X-a.X)*share), math.Round(a.Z + (b.Z-a.Z)*share)}
}

// noise is smooth and between -1 and 1, always the same at the same place.
func noise(x, z float64) float64 {
	x0, z0 := math.Floor(x), math.Floor(z)
	ease := func(t float64) float64 { return t * t * (3 - 2*t) }
	u, v := ease(x-x0), ease(z-z0)
	south := random(x0, z0)*(1-u) + random(x0+1, z0)*u
	north := random(x0, z0+1)*(1-u) + random(x0+1, z0+1)*u
	return south*(1-v) + north*v
}

func random(x, z float64) float64 {
	h := uint64(int64(x))*0x9E3779B97F4A7C15 ^ uint64(int64(z))*0xC2B2AE3D27D4EB4F
	h ^= h >> 29
	h *= 0xBF58476D1CE4E5B9
	h ^= h >> 32
	return float64(h%2001)/1000 - 1
}
