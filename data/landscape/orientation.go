package landscape

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"sphereserver/coords"
)

// A turn is how the contents of a tile lie in the world: first along which axis, then from which end. Source:
// protocol fight 6.4 a, which does not know it for sure.
type turn struct{ swap, mirrorX, mirrorZ bool }

// turns are all ways in which a square can lie, as it stands first.
var turns = func() (all []turn) {
	for i := range 8 {
		all = append(all, turn{i&4 != 0, i&1 != 0, i&2 != 0})
	}
	return all
}()

// from returns the place in a tile's square, with a side, for a place in the world's square.
func (t turn) from(u, v, side float32) (float32, float32) {
	if t.mirrorX {
		u = side - u
	}
	if t.mirrorZ {
		v = side - v
	}
	if t.swap {
		return v, u
	}
	return u, v
}

// An orientation is how the tiles of a map lie in the world.
type orientation struct {
	turn
	columnsBack, rowsBack bool    // the first column is the easternmost; the first row has the greatest z
	west, south           float32 // how many columns and rows lie before the origin of the world
}

// The origin of the world in a map, in columns and rows. Source: protocol fight 6.4 a.
const (
	originColumn = 39
	originRow    = 40
)

// orientations are all that are tried, those first that are likelier.
var orientations = func() (all []orientation) {
	for _, half := range []float32{0, 0.5} { // whether the origin is a corner or the middle of its tile
		for _, row := range []float32{originRow, side - 1 - originRow} {
			for _, column := range []float32{originColumn, side - 1 - originColumn} {
				for i := range 4 {
					for _, t := range turns {
						all = append(all, orientation{t, i&1 != 0, i&2 != 0, column + half, row + half})
					}
				}
			}
		}
	}
	return all
}()

// String says in words the differences from the order of the files.
func (o orientation) String() string {
	var words []string
	add := func(is bool, what string) {
		if is {
			words = append(words, what)
		}
	}
	add(o.columnsBack, "columns from the other end")
	add(o.rowsBack, "rows from the other end")
	add(o.swap, "tiles with x and z exchanged")
	add(o.mirrorX, "tiles mirrored along x")
	add(o.mirrorZ, "tiles mirrored along z")
	if words == nil {
		words = []string{"as the files have it"}
	}
	return fmt.Sprintf("%s; the origin at column %v, row %v", strings.Join(words, ", "), o.west, o.south)
}

// record is the number of the record that is so many tiles from the west and the south.
func (o orientation) record(column, row int) int {
	if o.columnsBack {
		column = side - 1 - column
	}
	if o.rowsBack {
		row = side - 1 - row
	}
	return row*side + column
}

// tile is the tile that a place lies in, and where in it; false outside of the map.
func (o orientation) tile(x, z float32) (column, row int, u, v float32, ok bool) {
	fx, fz := float64(x)/TileSize+float64(o.west), float64(z)/TileSize+float64(o.south)
	column, row = int(math.Floor(fx)), int(math.Floor(fz))
	return column, row, float32((fx - float64(column)) * TileSize), float32((fz - float64(row)) * TileSize),
		column >= 0 && column < side && row >= 0 && row < side
}

// fits is by how much a known height and a map's differ at most, in metres, where the map is right. Source: protocol
// fight 6.4 a.
const fits = 1.5

const (
	// much is the greatest weight of a difference, so that people on towers do not decide.
	much = 5
	// shiftCost is the cost of a continent that has to be lifted, for each of its points.
	shiftCost = 0.5
	// leastShift is how many points it takes to find out by how much.
	leastShift = 8
)

// A Fit is how well a map and known heights agree.
type Fit struct {
	Points int     `json:"points"` // known heights
	Known  int     `json:"known"`  // of them where the map has a height
	Within int     `json:"within"` // of them within 1.5 m of it
	Median float64 `json:"median"` // difference, metres
	Shift  float64 `json:"shift"`  // by how much the map had to be lifted, metres
}

// right reports whether a map can be believed: most points agree.
func (f Fit) right() bool { return 2*f.Within > f.Known }

// fit compares the map of a continent, lying in one way, with known heights. score is the less the better.
func (c *continent) fit(o orientation, known []coords.Position) (f Fit, score float64) {
	f.Points = len(known)
	diffs := make([]float64, 0, len(known))
	for _, p := range known {
		column, row, u, v, ok := o.tile(p.X, p.Z)
		if !ok {
			continue
		}
		tile := c.tileOf(o.record(column, row))
		if tile == nil {
			continue
		}
		if s, known := tile.Surface(o.from(u, v, TileSize)); known {
			diffs = append(diffs, float64(p.Y)-float64(s.Height))
		}
	}
	f.Known = len(diffs)
	score = much * float64(f.Points-f.Known)
	if f.Known == 0 {
		return f, score
	}
	slices.Sort(diffs)
	middle := diffs[len(diffs)/2]
	f.Within = within(diffs, 0)
	if !f.right() && f.Known >= leastShift && 2*within(diffs, middle) > f.Known {
		f.Shift, f.Within = middle, within(diffs, middle)
		score += shiftCost * float64(f.Known)
	}
	errors := make([]float64, len(diffs))
	for i, d := range diffs {
		errors[i] = math.Abs(d - f.Shift)
		score += min(errors[i], much)
	}
	slices.Sort(errors)
	f.Median = errors[len(errors)/2]
	return f, score
}

func within(diffs []float64, middle float64) (n int) {
	for _, d := range diffs {
		if math.Abs(d-middle) < fits {
			n++
		}
	}
	return n
}

// An attempt is how well all maps fit when they lie in one way.
type attempt struct {
	orientation
	fits  []Fit // by continent
	score float64
}

// all is how well the maps fit together. Its median is the mean of theirs.
func (a attempt) all() (sum Fit) {
	for _, f := range a.fits {
		sum.Points += f.Points
		sum.Known += f.Known
		sum.Within += f.Within
		sum.Median += f.Median * float64(f.Known)
	}
	sum.Median /= float64(max(sum.Known, 1))
	return sum
}

// orient tries all orientations and returns the best, and the best of those that put tiles elsewhere.
func orient(all []*continent, known [][]coords.Position) (best, next attempt) {
	tries := make([]attempt, len(orientations))
	for i, o := range orientations {
		tries[i].orientation = o
		for j, c := range all {
			f, score := c.fit(o, known[j])
			tries[i].fits = append(tries[i].fits, f)
			tries[i].score += score
		}
	}
	slices.SortStableFunc(tries, func(a, b attempt) int {
		return cmp.Compare(math.Round(a.score*1000), math.Round(b.score*1000))
	})
	return tries[0], tries[1]
}

// waterTurn finds out how the cells of water lie in the meshes: so that water is above ground.
func waterTurn(tiles []*Tile) turn {
	var sunk [8]int
	for i, t := range turns {
		for _, s := range tiles {
			if s.wet {
				sunk[i] += s.sunk(t)
			}
		}
	}
	best := 0
	for i, n := range sunk {
		if n > sunk[best] {
			best = i
		}
	}
	return turns[best]
}

// sunk counts the metres of a tile that are under its water, if that lies in one way, less the metres above it.
func (s *Tile) sunk(t turn) (n int) {
	for z := 0; z < points; z += 4 {
		for x := 0; x < points; x += 4 {
			h := s.heights[z*points+x]
			w := s.Water(t.from(float32(x), float32(z), TileSize))
			switch y := s.least + float32(h)/centimetres; {
			case h == noHeight || w == dry:
			case y < w:
				n++
			default:
				n--
			}
		}
	}
	return n
}

// turned is a tile as it lies in the world.
func (s *Tile) turned(t, waters turn, shift float32) *Tile {
	out := &Tile{least: s.least + shift, wet: s.wet}
	for z := range points {
		for x := range points {
			u, v := t.from(float32(x), float32(z), TileSize)
			out.heights[z*points+x] = s.heights[int(v)*points+int(u)]
		}
	}
	for z := range waterSide {
		for x := range waterSide {
			u, v := t.from(float32(x), float32(z), waterSide-1)
			u, v = waters.from(u, v, waterSide-1)
			out.water[z*waterSide+x] = s.water[int(v)*waterSide+int(u)] + shift
		}
	}
	return out
}
