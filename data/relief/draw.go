package relief

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"math"
	"time"

	"sphereserver/data/landscape"
	"sphereserver/world/rules"
)

// A Drawer draws tiles. It is used by one goroutine at a time.
type Drawer struct {
	lands      map[string]*land // by area
	reader     *landscape.Reader
	learned    Learned
	failed     func(error)
	complained bool

	canvas   canvas
	trodden  trodden
	far      map[string][]farPlace // by area; nil until it is needed
	farUntil time.Time
	now      func() time.Time
	encoder  png.Encoder
}

// New makes a drawer of the imported land, nil for none, and of the walks of players. failed is told, once, why a
// part of the land cannot be read, which is left out then.
func New(f *landscape.File, learned Learned, failed func(error)) *Drawer {
	d := &Drawer{lands: map[string]*land{}, learned: learned, failed: failed, now: time.Now,
		encoder: png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: new(buffers)}}
	if f == nil {
		return d
	}
	d.reader = landscape.NewReader(f)
	for i, c := range f.Continents() {
		west, south, length := c.Square()
		d.lands[c.Key] = &land{continent: i, west: float64(west), south: float64(south), length: float64(length)}
	}
	return d
}

// buffers keeps the encoder's memory for the next tile.
type buffers struct{ one *png.EncoderBuffer }

func (b *buffers) Get() *png.EncoderBuffer  { return b.one }
func (b *buffers) Put(e *png.EncoderBuffer) { b.one = e }

// A canvas is the tile that is being drawn, with an edge around it so that neighbours meet.
type canvas struct {
	tile        Tile
	metres      float64 // of a pixel
	edge        int     // pixels
	side        int     // with the edge
	west, north float64 // of the corner, with the edge
	seen        []sample
	image       *image.NRGBA
}

func (c *canvas) begin(t Tile) {
	c.tile, c.metres = t, t.metres()
	c.edge = c.reach() + 1
	if c.near() { // walked ground is compared with the land as far as it is smeared
		c.edge += int((pathWidth + 2*cellSize) / c.metres)
	}
	c.side = Size + 2*c.edge
	c.west = float64(t.X*Size-c.edge) * c.metres
	c.north = -float64(t.Y*Size-c.edge) * c.metres
	if n := c.side * c.side; cap(c.seen) < n {
		c.seen = make([]sample, n)
	}
	c.seen = c.seen[:c.side*c.side]
	if c.image == nil {
		c.image = image.NewNRGBA(image.Rect(0, 0, Size, Size))
	}
	clear(c.image.Pix)
}

// near reports whether a pixel is no more than a square of the ground.
func (c *canvas) near() bool { return c.metres <= cellSize }

// lightOver is over how many metres to either side slopes are found: the triangles of which a land is made, some metres
// large, are not to be seen.
const lightOver = 4

// reach is from how many pixels away slopes are found.
func (c *canvas) reach() int { return max(1, int(lightOver/c.metres)) }

// Draw draws a tile; nil for one on which nothing is to be seen.
func (d *Drawer) Draw(ctx context.Context, t Tile) ([]byte, error) {
	a, exists := t.area()
	if !exists {
		return nil, ErrNoTile
	}
	c := &d.canvas
	c.begin(t)
	l := d.lands[a.Key]
	if l != nil {
		if _, err := d.overviewOf(ctx, l); err != nil {
			return nil, err
		}
		if err := d.look(ctx, l, c); err != nil {
			return nil, err
		}
	} else {
		for i := range c.seen {
			c.seen[i] = nothing
		}
	}
	if err := d.walk(ctx, c, &a); err != nil {
		return nil, err
	}
	if !d.paint(c, l) {
		return nil, nil
	}
	var out bytes.Buffer
	if err := d.encoder.Encode(&out, c.image); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// slope is by how much the ground rises to the east and to the north at a pixel, metres for each metre.
func (c *canvas) slope(at int) (east, north float32) {
	r := c.reach()
	rise := func(low, high int) float32 {
		here := c.seen[at].height
		a, b, n := c.seen[low].height, c.seen[high].height, 2*r
		if a != a {
			a, n = here, n-r
		}
		if b != b {
			b, n = here, n-r
		}
		if n == 0 {
			return 0
		}
		return (b - a) / (float32(n) * float32(c.metres))
	}
	return rise(at-r, at+r), rise(at+r*c.side, at-r*c.side)
}

// isFloor reports whether players have walked there on something that the land does not have.
func (c *canvas) isFloor(g *rules.GroundCell) bool {
	if !c.near() {
		return false
	}
	i := int(math.Floor(((float64(g.X)+0.5)*cellSize - c.west) / c.metres))
	j := int(math.Floor((c.north - (float64(g.Z)+0.5)*cellSize) / c.metres))
	r := c.reach()
	if i < r || i >= c.side-r || j < r || j >= c.side-r {
		return false
	}
	at := j*c.side + i
	s := &c.seen[at]
	if !s.known() {
		return false
	}
	east, north := c.slope(at)
	steep := max(east, -east) + max(north, -north)
	off := g.Y - s.height
	if s.wet > 0.5 && off > 0 {
		off = max(0, off-s.depth) // a swimmer is no deeper than the water
	}
	return max(off, -off) > floorHeight+cellSize*min(steep, 1)
}

// floorHeight is by how much a floor is above the land at least, or below it, in metres.
const floorHeight = 1.5

// light is how much light falls on a slope from the north-west, 1 on level ground.
func light(east, north float32) float32 {
	// The sun is 45° high: its direction is -½, √½, ½; the normal of the ground is -east, 1, -north.
	return (1 + (east-north)*math.Sqrt2/2) / float32(math.Sqrt(float64(east*east+north*north+1)))
}

// paint paints all pixels; false when nothing is to be seen on them.
func (d *Drawer) paint(c *canvas, l *land) (anything bool) {
	p := newPainter(c, l)
	for j := range Size {
		z := -(float64(c.tile.Y*Size+j) + 0.5) * c.metres
		for i := range Size {
			at := (j+c.edge)*c.side + i + c.edge
			var shown colour
			alpha := float32(0)
			if c.seen[at].known() {
				shown, alpha = p.ground(c, at), 1
			}
			if w := &d.trodden; w.any {
				x := (float64(c.tile.X*Size+i) + 0.5) * c.metres
				steps, floor := w.between(w.steps, x, z), w.between(w.floor, x, z)
				switch {
				case alpha == 0 && steps+floor > 0:
					shown, alpha = p.walkedGround(steps+floor, w.between(w.shade, x, z))
				case steps+floor > 0:
					shown = p.path(p.path(shown, steps, &p.theme.road), floor, &p.theme.floor)
				}
			}
			if alpha == 0 {
				continue
			}
			anything = true
			copy(c.image.Pix[c.image.PixOffset(i, j):], []uint8{byteOf(shown[0]), byteOf(shown[1]), byteOf(shown[2]),
				byteOf(alpha * math.MaxUint8)})
		}
	}
	return anything
}

func byteOf(v float32) uint8 { return uint8(min(max(v+0.5, 0), math.MaxUint8)) }
