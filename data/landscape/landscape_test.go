package landscape

import (
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sphereserver/coords"
	"sphereserver/data/landscape/landscapetest"
)

func TestHeightsOfAClientOnWhoseGroundItsPeopleStand(t *testing.T) {
	m := landscapetest.Hyperion()
	client := t.TempDir()
	m.Write(t, client, "landscape")
	r, v := imports(t, client, Options{})
	if len(r.Problems) > 0 || !r.Continents[0].Used || r.Continents[0].Shift != 0 || r.Orientation != likely.String() {
		t.Errorf("the report is %+v", r)
	}
	for _, p := range []coords.Position{ // Source: protocol fight 6.4 a
		{X: 2312.4, Y: 155.4, Z: -2382.4}, {X: 391.9, Y: 153.4, Z: -1301.2},
		{X: 2610.4, Y: 158.1, Z: 1318.6}, {X: 1879.4, Y: 155.6, Z: -408.9},
	} {
		s, known := v.Surface(p)
		if d := math.Abs(float64(s.Height - p.Y)); !known || d > fits {
			t.Errorf("at %v it is %v, %v", p, s, known)
		}
	}
}

func TestEachOrientationIsFound(t *testing.T) {
	tiles := landscapetest.Square(41, 42, 4)
	for _, o := range []orientation{likely, orientations[9], orientations[22], orientations[31], orientations[100],
		orientations[255]} {
		m := lying(o, landscapetest.Hills, tiles)
		m.X0, m.Z0 = -50, -50
		client := t.TempDir()
		m.Write(t, client, "landscape")
		places := onHills(tiles, o)
		l, r, err := Import(t.Context(), client, Options{known: many(places)})
		if err != nil {
			t.Errorf("%v: %v, %+v", o, err, r)
			continue
		}
		if r.Orientation != o.String() || r.Fit.Median > 0.2 || r.Next < 1 {
			t.Errorf("%v: found %v, %+v, next %v", o, r.Orientation, r.Fit, r.Next)
		}
		if len(l.tiles) != len(tiles) {
			t.Errorf("%d tiles", len(l.tiles))
		}
	}
}

// many are so many places that the places of the content tables do not count beside them.
func many(places []coords.Position) (all []coords.Position) {
	for range 30 {
		all = append(all, places...)
	}
	return all
}

// Source: protocol fight 6.4 a: one viewer places record n at column 79 - (n mod 80). Here the numbers are written out.
func TestColumnsFromTheOtherEnd(t *testing.T) {
	o := orientation{columnsBack: true, west: 39, south: 40}
	if n := o.record(65, 53); n != 53*80+14 {
		t.Errorf("record %d", n)
	}
	column, row, u, v, ok := o.tile(2610.25, 1318.5)
	if column != 65 || row != 53 || u != 10.25 || v != 18.5 || !ok {
		t.Errorf("tile %d, %d, at %v, %v", column, row, u, v)
	}
	for _, c := range []struct {
		turn
		u, v float32
	}{{turn{}, 10, 30}, {turn{mirrorX: true}, 90, 30}, {turn{mirrorZ: true}, 10, 70}, {turn{swap: true}, 30, 10},
		{turn{swap: true, mirrorX: true}, 30, 90}} {
		if u, v := c.from(10, 30, 100); u != c.u || v != c.v {
			t.Errorf("%+v: from %v, %v", c.turn, u, v)
		}
	}
}

func TestHeightsBetweenTheMetresWaterAndSlope(t *testing.T) {
	tiles := landscapetest.Square(40, 41, 3)
	const cell = float32(TileSize) / waterSide
	lake := func(x, z float32) float32 {
		if landscapetest.Hills(x, z) < 152 {
			return 152
		}
		return dry
	}
	for _, o := range []orientation{likely, orientations[13]} {
		m := lying(o, landscapetest.Hills, tiles)
		m.Water, m.Step = lake, 1
		client := t.TempDir()
		m.Write(t, client, "landscape")
		r, v := imports(t, client, Options{known: many(onHills(tiles, o))})
		if r.Orientation != o.String() || r.Continents[0].Wet == 0 {
			t.Fatalf("%+v", r)
		}
		wet := 0
		for x := float32(101); x < 399; x += 3.7 {
			for z := float32(101); z < 399; z += 4.3 {
				s, known := v.Surface(coords.Position{X: x, Y: 155, Z: z})
				if d := s.Height - landscapetest.Hills(x, z); !known || max(d, -d) > 0.05 {
					t.Fatalf("at %v, %v it is %v, expected %v", x, z, s, landscapetest.Hills(x, z))
				}
				dx, dz := float64(landscapetest.Hills(x+0.5, z)-landscapetest.Hills(x-0.5, z)), float64(landscapetest.Hills(x, z+0.5)-landscapetest.Hills(x, z-0.5))
				if d := float64(s.Slope()) - math.Hypot(dx, dz); math.Abs(d) > 0.03 {
					t.Fatalf("at %v, %v the slope is %v, expected %v", x, z, s.Slope(), math.Hypot(dx, dz))
				}
				middle := func(v float32) float32 { return (float32(math.Floor(float64(v/cell))) + 0.5) * cell }
				edge := func(v float32) bool { _, part := math.Modf(float64(v / cell)); return part < 0.01 || part > 0.99 }
				if want := lake(middle(x), middle(z)); s.Water != want && !edge(x) && !edge(z) {
					t.Fatalf("at %v, %v water stands at %v, expected %v", x, z, s.Water, want)
				}
				if s.Water != dry {
					wet++
				}
			}
		}
		if wet == 0 {
			t.Error("there is no water")
		}
		for _, p := range []coords.Position{{X: 50, Y: 155, Z: 150}, {X: 150, Y: 1500, Z: 150}, {X: 150, Y: 400, Z: 150},
			{X: -20000, Y: 155, Z: 0}, {X: float32(math.NaN()), Y: 155}, {Y: float32(math.NaN())}} {
			if s, known := v.Surface(p); known {
				t.Errorf("at %v it is %v", p, s)
			}
		}
	}
}

func TestCapitalsNumbersAndContinentsThatAreLifted(t *testing.T) {
	tiles := landscapetest.Square(41, 42, 4)
	m := lying(likely, landscapetest.Hills, tiles)
	m.Upper, m.Numbers = true, true
	client := t.TempDir()
	m.Write(t, client, "LandScape")
	m.Upper, m.Numbers = false, false
	m.Write(t, client, "more/landscape_hr")
	places := onHills(tiles, likely)
	for _, p := range places[:len(places):len(places)] {
		p.Y += 245
		places = append(places, p)
	}
	r, v := imports(t, client, Options{known: many(places)})
	if len(r.Continents) != 2 || math.Abs(r.Continents[1].Shift-245) > 0.3 {
		t.Fatalf("%+v", r)
	}
	for _, p := range places {
		if s, known := v.Surface(p); !known || math.Abs(float64(s.Height-p.Y)) > 0.5 {
			t.Errorf("at %v it is %v, %v", p, s, known)
		}
	}
	if len(v.tiles) != 2*len(tiles)+1 {
		t.Errorf("%d tiles", len(v.tiles)-1)
	}
}

func TestDamagedFilesAreNamed(t *testing.T) {
	tiles := landscapetest.Square(41, 42, 4)
	m := lying(likely, landscapetest.Hills, tiles)
	m.Water = func(float32, float32) float32 { return 150 }
	client := t.TempDir()
	m.Write(t, client, "landscape")
	good := m.Mesh(41, 42)
	vertices := meshHeader + 441*vertexSize
	change := func(at int, bytes ...byte) []byte {
		file := append([]byte(nil), good...)
		copy(file[at:], bytes)
		return file
	}
	nan := binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(math.NaN())))
	for name, c := range map[string]struct {
		file string
		with []byte
		says string
	}{
		"empty":                  {"Tile3_0a.lnd", nil, "byte 0: expected a header of 26816 bytes, found the end"},
		"only a header":          {"Tile3_0a.lnd", good[:meshHeader], "byte 26816: expected 441 vertices of 40 bytes, to byte 44456"},
		"no vertices":            {"Tile3_0a.lnd", change(meshCount, 0, 0), "byte 4: expected 3 vertices or more, found 0"},
		"too many vertices":      {"Tile3_0a.lnd", change(meshCount, 0xFF, 0xFF), "expected 65535 vertices"},
		"half a triangle":        {"Tile3_0a.lnd", good[:len(good)-1], "byte 44456: expected 1 to 131070 triangles of 28 bytes"},
		"no triangle":            {"Tile3_0a.lnd", good[:vertices], "found 0 bytes"},
		"no number":              {"Tile3_0a.lnd", change(meshHeader+44, nan...), "byte 26860: expected a coordinate"},
		"a vertex that is none":  {"Tile3_0a.lnd", change(vertices+30, 0xB9, 1), "byte 44486: expected the index of a vertex, below 441, found 441"},
		"a triangle alone":       {"Tile3_0a.lnd", good[:vertices+triangleSize], "covers 0 % of it"},
		"half of the water":      {"Tile3_0a.wtr", make([]byte, 600), "byte 600: expected 144 cells of 8 bytes"},
		"water that is no depth": {"Tile3_0a.wtr", append(append(nan, 0, 0, 0, 0x80), make([]byte, waterSize-8)...), "byte 0: expected a height"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(client, "landscape", c.file)
			whole, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			defer landscapetest.Put(t, path, whole)
			landscapetest.Put(t, path, c.with)
			r, _ := imports(t, client, Options{known: many(onHills(tiles, likely))})
			if r.Damaged != 1 || len(r.Problems) != 1 || r.Problems[0].File != "landscape/"+c.file ||
				!strings.Contains(r.Problems[0].What, c.says) {
				t.Errorf("says %+v, expected %q", r.Problems, c.says)
			}
		})
	}
}

func TestFoldersOfWhichNothingCanBeBelieved(t *testing.T) {
	tiles := landscapetest.Square(41, 42, 4)
	m := lying(likely, landscapetest.Hills, tiles)
	places := many(onHills(tiles, likely))
	for name, c := range map[string]struct {
		spoil func(client string)
		says  string
	}{
		"nothing":     {func(c string) { os.RemoveAll(filepath.Join(c, "landscape")) }, "none was found"},
		"short map":   {func(c string) { os.Truncate(filepath.Join(c, "landscape/map.bin"), mapSize-1) }, "none of 1 maps"},
		"other map":   {func(c string) { landscapetest.Put(t, filepath.Join(c, "landscape/map.bin"), make([]byte, 3)) }, "none of 1 maps"},
		"no tiles":    {func(c string) { landscapetest.Put(t, filepath.Join(c, "landscape/map.bin"), make([]byte, mapSize)) }, "in no orientation"},
		"other size":  {func(c string) { wide(t, c, tiles) }, "expected meshes of 100 by 100 m, found"},
		"other world": {func(c string) { lying(likely, flat, tiles).Write(t, c, "landscape") }, "in no orientation"},
	} {
		client := t.TempDir()
		m.Write(t, client, "landscape")
		c.spoil(client)
		_, _, err := Import(t.Context(), client, Options{known: places})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, expected %q", name, err, c.says)
		}
		if errors.Is(err, ErrNone) != (name == "nothing") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := Import(t.Context(), filepath.Join(t.TempDir(), "nowhere"), Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	client := t.TempDir()
	m.Write(t, client, "landscape")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Import(ctx, client, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func flat(float32, float32) float32 { return 40 }

// wide doubles the size of the meshes of a client.
func wide(t *testing.T, client string, tiles [][2]int) {
	for i := range tiles {
		path := filepath.Join(client, "landscape", "Tile"+string(rune('0'+i/10))+string(rune('0'+i%10))+"_0a.lnd")
		if i < 10 {
			path = filepath.Join(client, "landscape", "Tile"+string(rune('0'+i))+"_0a.lnd")
		}
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for v := range 441 {
			for _, axis := range []int{0, 8} {
				at := file[meshHeader+v*vertexSize+axis:]
				x := math.Float32frombits(binary.LittleEndian.Uint32(at))
				binary.LittleEndian.PutUint32(at, math.Float32bits(2*x))
			}
		}
		landscapetest.Put(t, path, file)
	}
}

// A folder that contains itself by a link is walked once.
func TestCircleOfFolders(t *testing.T) {
	tiles := landscapetest.Square(41, 42, 4)
	m := lying(likely, landscapetest.Hills, tiles)
	client := t.TempDir()
	m.Write(t, client, "landscape")
	if err := os.Symlink(client, filepath.Join(client, "landscape", "again")); err != nil {
		t.Skip("no links here: ", err)
	}
	os.Remove(filepath.Join(client, "landscape", "Tile0_0a.lnd"))
	if err := os.Symlink("Tile0_0a.lnd", filepath.Join(client, "landscape", "Tile0_0a.lnd")); err != nil {
		t.Fatal(err)
	}
	r, _ := imports(t, client, Options{known: many(onHills(tiles, likely))})
	if r.Continents[0].Tiles != 16 || r.Continents[0].Missing != 1 || len(r.Problems) != 1 ||
		!strings.Contains(r.Problems[0].What, "1 tiles are of tile0_0a.lnd, which is not there") {
		t.Errorf("%+v", r)
	}
}
