package relief

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"math"
	"testing"
	"time"

	"sphereserver/data/landscape"
	"sphereserver/world/rules"
)

// walked is where players have walked, in the order of x.
type walked []rules.GroundCell

func (w walked) EachGround(
	_ context.Context, from, to [2]int32, least, most float32, tell func(rules.GroundCell),
) error {
	for _, c := range w {
		if c.X >= from[0] && c.X <= to[0] && c.Z >= from[1] && c.Z <= to[1] && c.Y >= least && c.Y < most {
			tell(c)
		}
	}
	return nil
}

// block are all squares from one to another.
func block(x0, z0, x1, z1 int32, y float32) (w walked) {
	for x := x0; x <= x1; x++ {
		for z := z0; z <= z1; z++ {
			w = append(w, rules.GroundCell{X: x, Z: z, Y: y})
		}
	}
	return w
}

// An album is a drawer that keeps its drawings.
type album struct {
	*Drawer
	drawn map[Tile]*image.NRGBA
}

func drawer(t testing.TB, f *landscape.File, w walked) *album {
	return &album{New(f, w, func(err error) { t.Error(err) }), map[Tile]*image.NRGBA{}}
}

// picture draws a tile.
func (d *album) picture(t testing.TB, tile Tile) *image.NRGBA {
	t.Helper()
	if p := d.drawn[tile]; p != nil {
		return p
	}
	raw, err := d.Draw(t.Context(), tile)
	if err != nil {
		t.Fatalf("%v: %v", tile, err)
	}
	out := image.NewNRGBA(image.Rect(0, 0, Size, Size))
	d.drawn[tile] = out
	if raw == nil {
		return out
	}
	found, err := png.Decode(bytes.NewReader(raw))
	if err != nil || found.Bounds() != out.Bounds() {
		t.Fatalf("%v: %v, %v", tile, found, err)
	}
	for i := range Size * Size {
		out.Set(i%Size, i/Size, found.At(i%Size, i/Size))
	}
	return out
}

// at is the colour of a place of the world, on the tile of Hyperion that it is on.
func (d *album) at(t testing.TB, zoom int, dark bool, x, z float64) (c colour, alpha float32) {
	t.Helper()
	scale := math.Ldexp(1, zoom)
	px, py := int(math.Floor(x*scale)), int(math.Floor(-z*scale))
	tile := Tile{"hyperion", dark, zoom, px >> 8, py >> 8}
	p := d.picture(t, tile).NRGBAAt(px&255, py&255)
	return colour{float32(p.R), float32(p.G), float32(p.B)}, float32(p.A)
}

func brightness(c colour) float32 { return c[0] + c[1] + c[2] }

func blue(c colour) bool { return c[2] > c[0]+8 }

// few are the tiles of a land around the middle of the world.
func few(n int) func(column, row int) bool {
	return func(column, row int) bool {
		return column >= originX-n && column < originX+n && row >= originZ-n && row < originZ+n
	}
}

func level(float64, float64) float64 { return 152.3 }

func TestSlopesToTheNorthWestAreLighter(t *testing.T) {
	if testing.Short() {
		t.Skip("one thing after the other: there is nothing to race")
	}
	// A pyramid with edges to all sides: its top is at 0, 0.
	f := madeUp{height: func(x, z float64) float64 { return 190 - 0.3*max(math.Abs(x), math.Abs(z)) }, has: few(2)}.open(t)
	d := drawer(t, f, nil)
	for zoom := MinZoom; zoom <= MaxZoom; zoom++ {
		for _, dark := range []bool{false, true} {
			far := 60.0
			if zoom <= overviewZoom {
				far = 100
			}
			bright := func(x, z float64) float32 {
				c, alpha := d.at(t, zoom, dark, x, z)
				if alpha != math.MaxUint8 {
					t.Fatalf("zoom %d: nothing at %v, %v", zoom, x, z)
				}
				return brightness(c)
			}
			// A contour may lie at one of the places, not at all.
			most := func(x, z float64) (m float32) {
				for o := -3.0; o <= 3; o++ {
					m = max(m, bright(x+o, z+o))
				}
				return m
			}
			west, north, east, south := most(-far, 0), most(0, far), most(far, 0), most(0, -far)
			if min(west, north) <= max(east, south)+10 {
				t.Errorf("zoom %d, dark %v: west %.0f, north %.0f, east %.0f, south %.0f; expected the first two to be lighter", zoom,
					dark, west, north, east, south)
			}
		}
	}
}

func TestWaterIsWhereTheWaterIs(t *testing.T) {
	if testing.Short() {
		t.Skip("one thing after the other: there is nothing to race")
	}
	// It lies in the south-west: high water in a hollow, and level ground everywhere else.
	f := madeUp{height: func(x, z float64) float64 {
		if x < 0 && z < 0 {
			return 140
		}
		return 152.3
	}, water: func(x, z float64) float64 {
		if x < 0 && z < 0 {
			return 150
		}
		return 0
	}, has: few(3)}.open(t)
	d := drawer(t, f, nil)
	for zoom := MinZoom; zoom <= MaxZoom; zoom++ {
		for _, p := range [][2]float64{{-150, -150}, {-60, -200}, {150, 150}, {-150, 150}, {150, -150}, {60, -60}} {
			c, alpha := d.at(t, zoom, false, p[0], p[1])
			if want := p[0] < 0 && p[1] < 0; blue(c) != want || alpha != math.MaxUint8 {
				t.Errorf("zoom %d: %v at %v, expected water: %v", zoom, c, p, want)
			}
		}
		// Where there is no land there is nothing, unless a pixel is larger than the land.
		if _, alpha := d.at(t, zoom, false, 3000, 3000); alpha != 0 {
			t.Errorf("zoom %d: something where there is no land", zoom)
		}
	}
}

func TestContoursLieWhereHeightsCross(t *testing.T) {
	// It rises to the east by one in five: at zoom 0 with contours of 5 m there is one in each 25 m.
	f := madeUp{height: func(x, _ float64) float64 { return 155 + x/5 }, has: few(2)}.open(t)
	p := drawer(t, f, nil).picture(t, Tile{"hyperion", false, 0, 0, -1})
	var dark []int
	for i := 2; i < 180; i++ {
		here := p.NRGBAAt(i, 128).G
		if before, after := p.NRGBAAt(i-2, 128).G, p.NRGBAAt(i+2, 128).G; here+8 < before && here+8 < after &&
			(len(dark) == 0 || i > dark[len(dark)-1]+1) {
			dark = append(dark, i)
		}
	}
	want := []int{24, 49, 74, 99, 124, 149, 174} // and where the land ends there is none
	if len(dark) != len(want) {
		t.Fatalf("lines at %v, expected them near %v", dark, want)
	}
	for i := range want {
		if dark[i] < want[i]-1 || dark[i] > want[i]+1 {
			t.Errorf("lines at %v, expected them near %v", dark, want)
		}
	}
	// Level ground at the very height of a line is none.
	f = madeUp{height: func(_, _ float64) float64 { return 155 }, has: few(2)}.open(t)
	p = drawer(t, f, nil).picture(t, Tile{"hyperion", false, 0, 0, -1})
	if p.NRGBAAt(20, 240) != p.NRGBAAt(90, 200) {
		t.Errorf("%v and %v on level ground", p.NRGBAAt(20, 240), p.NRGBAAt(90, 200))
	}
}

func TestNeighboursMeetWithoutASeam(t *testing.T) {
	if testing.Short() {
		t.Skip("one thing after the other: there is nothing to race")
	}
	f := madeUp{height: func(x, z float64) float64 { return 160 + 14*math.Sin(x/37) + 11*math.Cos(z/29) },
		water: func(x, z float64) float64 { return 152 }, has: few(4)}.open(t)
	w := block(-200, -3, 199, 2, 175)
	for name, d := range map[string]*album{"land": drawer(t, f, w), "walked only": drawer(t, nil, w)} {
		for zoom := MinZoom; zoom <= MaxZoom; zoom++ {
			west, east := d.picture(t, Tile{"hyperion", false, zoom, -1, 0}), d.picture(t, Tile{"hyperion", false, zoom, 0, 0})
			// From pixel to pixel across the seam it goes as it goes beside it.
			step := func(a, b *image.NRGBA, i, j int) (sum int) {
				for y := range Size {
					p, q := a.NRGBAAt(i, y), b.NRGBAAt(j, y)
					for _, d := range []int{int(p.R) - int(q.R), int(p.G) - int(q.G), int(p.B) - int(q.B), int(p.A) - int(q.A)} {
						sum += max(d, -d)
					}
				}
				return sum
			}
			seam := step(west, east, Size-1, 0)
			beside := max(step(west, west, Size-2, Size-1), step(east, east, 0, 1), step(west, west, Size-3, Size-2))
			if seam > 2*beside+2*Size {
				t.Errorf("%s, zoom %d: it changes by %d at the seam, beside it by %d", name, zoom, seam, beside)
			}
		}
	}
}

func TestNorthIsUpAndEastIsRight(t *testing.T) {
	// Only the tile of land to the north-east of the middle is there, and a player has walked to the south-west.
	f := madeUp{height: level, has: func(column, row int) bool { return column == originX && row == originZ }}.open(t)
	d := drawer(t, f, block(-30, -30, -20, -20, 152))
	for _, x := range []int{-1, 0} {
		for _, y := range []int{-1, 0} {
			p := d.picture(t, Tile{"hyperion", false, 0, x, y})
			found := false
			for _, a := range p.Pix {
				found = found || a != 0
			}
			if want := x == 0 && y == -1 || x == -1 && y == 0; found != want {
				t.Errorf("tile %d, %d: something: %v, expected %v", x, y, found, want)
			}
		}
	}
	if p := d.picture(t, Tile{"hyperion", false, 0, 0, -1}); p.NRGBAAt(50, 200).A == 0 || p.NRGBAAt(50, 100).A != 0 {
		t.Error("the land does not begin at the lower edge")
	}
	if p := d.picture(t, Tile{"hyperion", false, 0, -1, 0}); p.NRGBAAt(256-50, 50).A == 0 || p.NRGBAAt(256-50, 90).A != 0 {
		t.Error("the path is not at the upper edge")
	}
}

func TestPathsArePainted(t *testing.T) {
	f := madeUp{height: level, has: few(2)}.open(t)
	road := append(block(-40, -2, 39, 1, 152.3), block(20, 20, 40, 40, 158)...) // and a floor above the ground
	with, without := drawer(t, f, road), drawer(t, f, nil)
	for zoom := MinZoom; zoom <= MaxZoom; zoom++ {
		onRoad, _ := with.at(t, zoom, false, 30, 0)
		land, _ := without.at(t, zoom, false, 30, 0)
		aside, _ := with.at(t, zoom, false, 30, -90)
		bare, _ := without.at(t, zoom, false, 30, -90)
		if onRoad == land {
			t.Errorf("zoom %d: no road", zoom)
		}
		if zoom > farZoom && aside != bare {
			t.Errorf("zoom %d: %v beside the road, expected %v", zoom, aside, bare)
		}
	}
	onRoad, _ := with.at(t, 0, false, 30, 0)
	floor, _ := with.at(t, 0, false, 61, 61)
	if d := floor[2] - floor[0]; onRoad == floor || d < 2 {
		t.Errorf("a floor has %v, a road %v", floor, onRoad)
	}
	// One step alone is a trace, and no road.
	one := drawer(t, f, block(10, 10, 10, 10, 152.3))
	step, _ := one.at(t, 0, false, 21, 21)
	if land, _ := without.at(t, 0, false, 21, 21); step == land || step == onRoad {
		t.Errorf("a step has %v, the land %v, a road %v", step, land, onRoad)
	}
}

func TestWhoSwimsIsOnNoFloorAndWhoIsOnABridgeIs(t *testing.T) {
	f := madeUp{height: func(_, _ float64) float64 { return 140 }, water: func(_, _ float64) float64 { return 150 },
		has: few(2)}.open(t)
	for y, floor := range map[float32]bool{149.6: false, 141: false, 156: true, 132: true} {
		c, _ := drawer(t, f, block(10, 10, 30, 30, y)).at(t, 0, false, 40, 40)
		if found := c[2] > c[0]; found != floor {
			t.Errorf("at a height of %v: %v, expected a floor: %v", y, c, floor)
		}
	}
}

func TestWithoutAnImportWhatWasWalkedIsTheMap(t *testing.T) {
	var w walked
	for _, c := range block(-60, -60, 60, 60, 152) {
		c.Y += 0.5 * float32(max(c.X, -c.X)) // a valley from north to south
		w = append(w, c)
	}
	d := drawer(t, nil, w)
	for zoom := MinZoom; zoom <= MaxZoom; zoom++ {
		_, on := d.at(t, zoom, false, 50, 10)
		_, off := d.at(t, zoom, false, 1000, 1000)
		if on == 0 || off != 0 {
			t.Errorf("zoom %d: alpha %v where somebody has walked, %v where nobody has", zoom, on, off)
		}
	}
	west, _ := d.at(t, 0, false, -50, 0) // goes down to the east
	east, _ := d.at(t, 0, false, 50, 0)
	if brightness(east) <= brightness(west)+10 {
		t.Errorf("%v in the east, %v in the west: expected shade", east, west)
	}
	// A dungeon below the same place is another area.
	for area, want := range map[string]bool{"hyperion": true, "haron": false, "dungeons": false, "halls": false} {
		if raw, err := d.Draw(t.Context(), Tile{area, false, 0, 0, 0}); err != nil || (raw != nil) != want {
			t.Errorf("%s: %d bytes, %v", area, len(raw), err)
		}
	}
}

func TestDarkIsDark(t *testing.T) {
	f := madeUp{height: level, water: func(x, _ float64) float64 { return map[bool]float64{true: 160}[x < -50] },
		has: few(2)}.open(t)
	d := drawer(t, f, block(10, 10, 40, 40, 152.3))
	for _, p := range [][2]float64{{-100, 0}, {10, 0}, {50, 50}} {
		light, _ := d.at(t, 0, false, p[0], p[1])
		dark, _ := d.at(t, 0, true, p[0], p[1])
		if brightness(light) < 450 || brightness(dark) > 400 {
			t.Errorf("%v: %v in the light, %v in the dark", p, light, dark)
		}
	}
}

func TestTilesThatThereAreNot(t *testing.T) {
	d := drawer(t, nil, nil)
	for _, tile := range []Tile{{"hyperion", false, 99, 0, 0}, {"hyperion", false, -6, 0, 0}, {"hyperion", false, 3, 0, 0},
		{"", false, 0, 0, 0}, {"Hyperion", false, 0, 0, 0}, {"hyperion", false, 0, 128, 0}, {"hyperion", false, 0, 0, -129},
		{"hyperion", false, -5, 4, 0}, {"hyperion", false, 2, math.MaxInt, 0}, {"hyperion", false, 2, 0, math.MinInt}} {
		if _, err := d.Draw(t.Context(), tile); !errors.Is(err, ErrNoTile) || tile.Exists() {
			t.Errorf("%v: %v, expected none", tile, err)
		}
	}
	for _, tile := range []Tile{{"hyperion", false, 0, 127, -128}, {"rodos", true, -5, -4, 3}, {"dungeons", false, 2, 511, 0}} {
		if raw, err := d.Draw(t.Context(), tile); err != nil || raw != nil {
			t.Errorf("%v: %d bytes, %v; expected an empty one", tile, len(raw), err)
		}
	}
}

func TestWhatIsSeenFromAfarIsGatheredAnew(t *testing.T) {
	d := drawer(t, nil, block(0, 0, 30, 30, 152))
	now := time.Unix(0, 0)
	d.now = func() time.Time { return now }
	clear(d.drawn)
	if _, alpha := d.at(t, -4, false, 30, 30); alpha == 0 {
		t.Fatal("nothing is seen")
	}
	d.learned = walked{}
	now = now.Add(farFresh - time.Second)
	clear(d.drawn)
	if _, alpha := d.at(t, -4, false, 30, 30); alpha == 0 {
		t.Error("it was gathered too soon")
	}
	now = now.Add(time.Second)
	clear(d.drawn)
	if _, alpha := d.at(t, -4, false, 30, 30); alpha != 0 {
		t.Error("it was not gathered anew")
	}
}

func TestDrawingEnds(t *testing.T) {
	f := madeUp{height: level, has: few(1)}.open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := drawer(t, f, nil)
	if _, err := d.Draw(ctx, Tile{"hyperion", false, -5, 0, 0}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := d.Draw(t.Context(), Tile{"hyperion", false, -5, 0, 0}); err != nil {
		t.Errorf("%v", err)
	}
}

func TestLandThatCannotBeReadIsLeftOutAndToldOnce(t *testing.T) {
	f := madeUp{height: level, has: few(2)}.open(t)
	told := 0
	d := New(f, block(0, 0, 30, 30, 152), func(error) { told++ })
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	raw, err := d.Draw(t.Context(), Tile{"hyperion", false, 0, 0, -1})
	if err != nil || raw == nil || told != 1 {
		t.Errorf("%d bytes, %v, told %d times", len(raw), err, told)
	}
}
