package relief

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/world/rules"
)

const (
	cellSize = rules.GroundCellSize
	// pathWidth is how far a single step is seen, in metres: steps of a walk lie some metres from each other.
	pathWidth = 6
	// farCells are the squares along the side of a place that is seen from afar.
	farCells = 4
	// farFresh is how long the view from afar holds at least; it holds a hundred times as long as it took to gather.
	farFresh = time.Minute
)

// A trodden is where players have walked in a tile and around it, in places that are squares of the ground, or several
// of them where a pixel is more. They lie by z and then x from the south-west.
type trodden struct {
	size        float64 // of a place, metres
	west, south int     // of the first place, by size
	side        int
	blur        int // places to either side that a step is seen in

	steps  []float32 // how much of the place was walked: 1 where a path crosses it
	floor  []float32 // the same for ground that the land does not have: bridges, floors
	height []float32 // of the highest that is known there
	shade  []float32 // light on it, 1 on level ground
	spare  []float32
	any    bool
}

// begin makes room for a tile.
func (w *trodden) begin(c *canvas) {
	w.size = max(cellSize, c.metres)
	w.blur = max(1, int(pathWidth/w.size))
	edge := w.blur + 2
	span := Size * c.metres
	w.west = int(math.Floor(float64(c.tile.X)*span/w.size)) - edge
	w.south = int(math.Floor(float64(-c.tile.Y-1)*span/w.size)) - edge
	w.side = int(span/w.size) + 2*edge
	n := w.side * w.side
	for _, f := range []*[]float32{&w.steps, &w.floor, &w.height, &w.shade, &w.spare} {
		*f = slices.Grow((*f)[:0], n)[:n]
		clear(*f)
	}
	w.any = false
}

// add adds squares of the ground.
func (w *trodden) add(x, z int, squares, y float32, floor bool) {
	i, j := x-w.west, z-w.south
	if i < 0 || i >= w.side || j < 0 || j >= w.side {
		return
	}
	at := j*w.side + i
	if w.steps[at] == 0 && w.floor[at] == 0 || y > w.height[at] {
		w.height[at] = y
	}
	share := squares / float32(w.size/cellSize)
	if floor {
		w.floor[at] = min(1, w.floor[at]+share)
	} else {
		w.steps[at] = min(1, w.steps[at]+share)
	}
	w.any = true
}

// finish makes paths of the steps.
func (w *trodden) finish() {
	if !w.any {
		return
	}
	w.light()
	w.smear(w.steps)
	w.smear(w.floor)
}

// light finds how much light falls on each place, as far as its neighbours are known.
func (w *trodden) light() {
	known := func(at int) bool { return w.steps[at] > 0 || w.floor[at] > 0 }
	slope := func(at, low, high int) float32 {
		switch l, h := known(low), known(high); {
		case l && h:
			return (w.height[high] - w.height[low]) / float32(2*w.size)
		case l:
			return (w.height[at] - w.height[low]) / float32(w.size)
		case h:
			return (w.height[high] - w.height[at]) / float32(w.size)
		}
		return 0
	}
	for j := 1; j < w.side-1; j++ {
		for i := 1; i < w.side-1; i++ {
			at := j*w.side + i
			if w.shade[at] = 1; known(at) {
				w.shade[at] = light(slope(at, at-1, at+1), slope(at, at-w.side, at+w.side))
			}
		}
	}
}

// smear makes lines of steps.
func (w *trodden) smear(f []float32) {
	r := w.blur
	along := func(from, to []float32, stride int) {
		for j := range w.side {
			for i := range w.side {
				at, k := j*w.side+i, i
				if stride != 1 {
					k = j
				}
				s := float32(0)
				for o := max(-r, -k); o <= min(r, w.side-1-k); o++ {
					s += from[at+o*stride] * float32(r+1-max(o, -o))
				}
				to[at] = s
			}
		}
	}
	along(f, w.spare, 1)
	along(w.spare, f, w.side)
	// A straight path has as much as one that is all there is: a line gives 1 to its middle.
	whole := float32((r + 1) * (r + 1) * (r + 1))
	for i := range f {
		f[i] = min(1, f[i]/whole)
	}
}

// between is the value of a field at a place of the world.
func (w *trodden) between(f []float32, x, z float64) float32 {
	x, z = x/w.size-0.5-float64(w.west), z/w.size-0.5-float64(w.south)
	i, j := int(x), int(z) // inside, by the edge
	fx, fz := float32(x-float64(i)), float32(z-float64(j))
	at := j*w.side + i
	low := f[at] + (f[at+1]-f[at])*fx
	high := f[at+w.side] + (f[at+w.side+1]-f[at+w.side])*fx
	return low + (high-low)*fz
}

// walk gathers where players have walked in a tile.
func (d *Drawer) walk(ctx context.Context, c *canvas, a *content.Area) error {
	w := &d.trodden
	w.begin(c)
	if c.tile.Zoom <= farZoom {
		if err := d.gatherFar(ctx); err != nil {
			return err
		}
		per := int(w.size) / (cellSize * farCells)
		for _, p := range d.far[a.Key] {
			w.add(floorDiv(int(p.x), per), floorDiv(int(p.z), per), float32(p.squares), float32(p.height), false)
		}
		w.finish()
		return nil
	}
	per := int(w.size) / cellSize
	from := [2]int32{int32(w.west * per), int32(w.south * per)}
	to := [2]int32{int32((w.west+w.side)*per - 1), int32((w.south+w.side)*per - 1)}
	err := d.learned.EachGround(ctx, from, to, a.From, a.Below, func(g rules.GroundCell) {
		w.add(floorDiv(int(g.X), per), floorDiv(int(g.Z), per), 1, g.Y, c.isFloor(&g))
	})
	w.finish()
	return err
}

func floorDiv(a, b int) int { return int(math.Floor(float64(a) / float64(b))) }

// A farPlace is how much of a place was walked that is farCells by as many squares.
type farPlace struct {
	x, z    int16
	squares uint8
	height  int16 // metres, of the highest
}

// gatherFar gathers all that players have walked, so that it need not be read for each tile that shows much of it.
func (d *Drawer) gatherFar(ctx context.Context) error {
	if d.far != nil && d.now().Before(d.farUntil) {
		return nil
	}
	began := d.now()
	far := map[string][]farPlace{}
	strip := map[string]map[int16]*farPlace{} // of one x, by area
	flush := func() {
		for area, places := range strip {
			for _, p := range places {
				far[area] = append(far[area], *p)
			}
			clear(places)
		}
	}
	const least, most = coords.MinX / cellSize, coords.MaxX / cellSize
	at := int16(math.MinInt16)
	err := d.learned.EachGround(ctx, [2]int32{least, least}, [2]int32{most, most}, coords.MinY, coords.MaxY,
		func(g rules.GroundCell) {
			a, known := content.AreaOf(coords.Position{Y: g.Y})
			if !known {
				return
			}
			x, z := int16(floorDiv(int(g.X), farCells)), int16(floorDiv(int(g.Z), farCells))
			if x != at {
				flush()
				at = x
			}
			if strip[a.Key] == nil {
				strip[a.Key] = map[int16]*farPlace{}
			}
			p := strip[a.Key][z]
			if p == nil {
				p = &farPlace{x: x, z: z, height: int16(g.Y)}
				strip[a.Key][z] = p
			}
			p.squares++ // storeys of 16 squares are 64 at most
			p.height = max(p.height, int16(g.Y))
		})
	if err != nil {
		return err
	}
	flush()
	for _, places := range far {
		slices.SortFunc(places, func(a, b farPlace) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.z, b.z)) })
	}
	now := d.now()
	d.far, d.farUntil = far, now.Add(max(farFresh, 100*now.Sub(began)))
	return nil
}
