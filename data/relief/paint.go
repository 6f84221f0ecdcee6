package relief

import "math"

// A colour is red, green and blue, 0 to 255.
type colour [3]float32

func rgb(hex uint32) colour {
	return colour{float32(hex >> 16), float32(hex >> 8 & 0xFF), float32(hex & 0xFF)}
}

// mix is one colour with a share of another.
func mix(a, b colour, share float32) colour {
	for i := range a {
		a[i] += (b[i] - a[i]) * share
	}
	return a
}

// A line is a way on the map: its filling, and its edges.
type line struct{ fill, edge colour }

// A theme is the colours of a map.
type theme struct {
	heights           []colour // from the lowest to the highest
	shadow, sun       colour
	dark, bright      float32 // how much of those there is at most
	shallow, deep     colour
	coast             colour
	contour           colour
	minor, major      float32 // share of contour in a line
	road, floor, bare line    // bare is ground of which only a player's walk is known
}

var (
	lightTheme = theme{
		heights: []colour{rgb(0xDDE5CB), rgb(0xE9E9D2), rgb(0xEEE4CB), rgb(0xE2D0AE), rgb(0xCFB795), rgb(0xC6B4A2),
			rgb(0xEDE9E2)},
		shadow: rgb(0x4A4A5C), dark: 0.62, sun: rgb(0xFFFFF4), bright: 0.55,
		shallow: rgb(0xD1E4E9), deep: rgb(0xB4D0DB), coast: rgb(0x6F98A6),
		contour: rgb(0x86694A), minor: 0.26, major: 0.5,
		road:  line{rgb(0xFFF8E4), rgb(0xA48C62)},
		floor: line{rgb(0xDAD3E2), rgb(0x7E748E)},
		bare:  line{rgb(0xE9DDBE), rgb(0xAA9A70)},
	}
	darkTheme = theme{
		heights: []colour{rgb(0x222D28), rgb(0x2A322B), rgb(0x35372D), rgb(0x433E31), rgb(0x514838), rgb(0x5A5248),
			rgb(0x726C64)},
		shadow: rgb(0x06090D), dark: 0.72, sun: rgb(0xB9C4B4), bright: 0.34,
		shallow: rgb(0x1E3742), deep: rgb(0x101F29), coast: rgb(0x3F6473),
		contour: rgb(0xB3A076), minor: 0.15, major: 0.32,
		road:  line{rgb(0x9A885F), rgb(0x1B1A15)},
		floor: line{rgb(0x74708A), rgb(0x1A1920)},
		bare:  line{rgb(0x5A5340), rgb(0x7B7050)},
	}
)

// contours are the metres between the lines of each zoom, from the first one; 0 for none.
var contours = [MaxZoom - MinZoom + 1]float32{0, 50, 20, 10, 10, 5, 2, 2}

// majorEach is how many contours it is from one that is thicker to the next.
const majorEach = 5

// exaggerated are slopes of each zoom, from the first one: from afar they are too gentle to be seen.
var exaggerated = [MaxZoom - MinZoom + 1]float32{5, 3.6, 2.6, 2, 1.6, 1.3, 1.2, 1.2}

// A painter paints pixels of one tile.
type painter struct {
	theme     *theme
	low, high float32
	contour   float32
	steeper   float32
	metres    float32
	far       float32 // share of its edge in a light way: from afar it is too thin to be seen by both
}

func newPainter(c *canvas, l *land) *painter {
	p := &painter{theme: &lightTheme, contour: contours[c.tile.Zoom-MinZoom], steeper: exaggerated[c.tile.Zoom-MinZoom],
		metres: float32(c.metres)}
	switch {
	case c.tile.Dark:
		p.theme = &darkTheme
	case !c.near():
		p.far = 0.4
	}
	if l != nil {
		p.low, p.high = l.overview.low, l.overview.high
	}
	return p
}

// ground is the colour of land and water at a pixel.
func (p *painter) ground(c *canvas, at int) colour {
	s := &c.seen[at]
	east, north := c.slope(at)
	lit := light(east*p.steeper, north*p.steeper)
	t := p.theme
	shown := colour{}
	if s.wet < 1 {
		shown = p.lit(p.byHeight(s.height), lit)
		if a := p.line(s.height, east, north); a > 0 {
			shown = mix(shown, t.contour, a)
		}
	}
	if s.wet == 0 {
		return shown
	}
	const deepest = 12 // metres, and no darker below
	depth := min(s.depth/deepest, 1)
	water := mix(t.shallow, t.deep, float32(math.Sqrt(float64(depth))))
	water = p.lit(water, 1+(lit-1)*0.35*(1-depth))
	shown = mix(shown, water, s.wet)
	return mix(shown, t.coast, 4*s.wet*(1-s.wet)*0.7)
}

// byHeight is the colour of level ground.
func (p *painter) byHeight(y float32) colour {
	all := p.theme.heights
	at := min(max((y-p.low)/(p.high-p.low), 0), 1) * float32(len(all)-1)
	i := min(int(at), len(all)-2)
	return mix(all[i], all[i+1], at-float32(i))
}

// lit is a colour with light on it.
func (p *painter) lit(c colour, lit float32) colour {
	if lit < 1 {
		return mix(c, p.theme.shadow, min((1-lit)*p.theme.dark, 0.85))
	}
	return mix(c, p.theme.sun, min((lit-1)/(math.Sqrt2-1), 1)*p.theme.bright)
}

// line is how much of a contour is to be seen at a height.
func (p *painter) line(y, east, north float32) float32 {
	if p.contour == 0 {
		return 0
	}
	perPixel := float32(math.Sqrt(float64(east*east+north*north))) * p.metres
	number := float32(math.Round(float64(y / p.contour)))
	// Level ground that lies at the very height of a line is no line.
	there := smooth(0.004, 0.02, perPixel/p.metres)
	if there == 0 {
		return 0
	}
	away := y - number*p.contour
	away = max(away, -away) / perPixel // pixels
	share, width := p.theme.minor, float32(0.5)
	apart := p.contour / perPixel
	if math.Mod(float64(number), majorEach) == 0 {
		share, width, apart = p.theme.major, 0.65, apart*majorEach
	}
	return share * there * min(max(width+0.5-away, 0), 1) * smooth(2.5, 6, apart)
}

// smooth goes from 0 to 1 between two values.
func smooth(from, to, v float32) float32 {
	v = min(max((v-from)/(to-from), 0), 1)
	return v * v * (3 - 2*v)
}

// path is a colour with a path on it, of which so much is walked.
func (p *painter) path(below colour, walked float32, l *line) colour {
	if walked == 0 {
		return below
	}
	edged := mix(below, l.edge, 0.75*smooth(0.08, 0.4, walked))
	whole := mix(below, mix(l.fill, l.edge, p.far), 0.85) // the land shines through
	return mix(edged, whole, smooth(0.25, 0.6, walked))
}

// walkedGround is the colour of ground of which nothing else is known, and how much it covers the picture below.
func (p *painter) walkedGround(walked, lit float32) (colour, float32) {
	shown := mix(p.theme.bare.edge, p.lit(p.theme.bare.fill, lit), smooth(0.15, 0.4, walked))
	return shown, smooth(0.03, 0.2, walked)
}
