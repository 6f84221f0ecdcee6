package landscape

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data/landscape/landscapetest"
	"sphereserver/world/ground"
)

// importedGround is one of 400 m on a side, from 100, 100 on, on which nothing is learned.
func importedGround(b *testing.B, height, water func(x, z float32) float32) *ground.Ground {
	tiles := landscapetest.Square(40, 41, 4)
	m := lying(likely, height, tiles)
	m.Water = water
	client := b.TempDir()
	m.Write(b, client, "landscape")
	places := onHills(tiles, likely)
	for i := range places {
		places[i].Y = height(places[i].X, places[i].Z)
	}
	_, v := imports(b, client, Options{known: many(places)})
	g := ground.New(nil)
	g.LayOver(v)
	return g
}

// BenchmarkHeight is bar P18, which cmd/bench prints: the height of a place on an imported ground, beside a bare square of
// heights. Each pass asks for 4,096 places; the median pass counts, since others may have the processor for a while.
func BenchmarkHeight(b *testing.B) {
	const places, side = 4096, 400
	r := rand.New(rand.NewPCG(1, 1))
	lakes := func(x, z float32) float32 { return 140 }
	g, bare := importedGround(b, landscapetest.Hills, lakes), make([]float32, side*side)
	for i := range bare {
		bare[i] = landscapetest.Hills(float32(100+i%side), float32(100+i/side))
	}
	var at [places]coords.Position
	for i := range at {
		x, z := 100+r.Float32()*(side-2), 100+r.Float32()*(side-2)
		at[i] = coords.Position{X: x, Y: landscapetest.Hills(x, z), Z: z}
	}
	for name, height := range map[string]func(at coords.Position) float32{
		"ours": func(at coords.Position) float32 { y, _ := g.Height(at, nil); return y },
		"square": func(at coords.Position) float32 {
			x, z := int(at.X)-100, int(at.Z)-100
			fx, fz := at.X-float32(x+100), at.Z-float32(z+100)
			c := bare[z*side+x:]
			low, high := c[0]+(c[1]-c[0])*fx, c[side]+(c[side+1]-c[side])*fx
			return low + (high-low)*fz
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				for i := range at {
					if y := height(at[i]); !(y > 100) {
						b.Fatalf("%v at %v", y, at[i])
					}
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/places, "ns/height")
		})
	}
}

// BenchmarkWay is bar P19, which cmd/bench prints: a way of 36 m around a lake, beside the look that a straight one takes.
func BenchmarkWay(b *testing.B) {
	inLake := func(x, z float32) bool { return math.Hypot(float64(x)-300, float64(z)-200) < 12 }
	g := importedGround(b, func(x, z float32) float32 {
		if inLake(x, z) {
			return 140
		}
		return landscapetest.Hills(x, z) / 160 * 150
	}, func(x, z float32) float32 {
		if inLake(x, z) {
			return 148
		}
		return dry
	})
	room := make([]coords.Position, 0, 8)
	for name, z := range map[string]float32{"around": 201, "straight": 241} {
		b.Run(name, func(b *testing.B) {
			end := func(x float32) coords.Position {
				at := coords.Position{X: x, Y: 150, Z: z}
				at.Y, _ = g.Height(at, nil)
				return at
			}
			from, to := end(282), end(318)
			if _, tried := g.Way(from, to, room); tried != (name == "around") {
				b.Fatalf("from %v to %v: %v", from, to, tried)
			}
			b.ReportAllocs()
			for b.Loop() {
				g.Way(from, to, room)
			}
		})
	}
}

// A client with four continents of 6,400 tiles, of 300 meshes each, of 1,250 triangles.
func BenchmarkImport(b *testing.B) {
	client := b.TempDir()
	for i, folder := range []string{"landscape", "landscape_hr", "landscape_ph", "landscape_rd"} {
		m := lying(likely, landscapetest.Hills, nil)
		m.Step = 4
		for n := range 300 {
			m.Tiles = append(m.Tiles, [2]int{(n*7 + i) % side, n * side / 300})
		}
		m.Write(b, client, folder)
		path := filepath.Join(client, folder, "map.bin")
		bin, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		some := slices.Clone(bin[m.Record(m.Tiles[5][0], m.Tiles[5][1])*recordSize:][:recordSize])
		for at := 0; at < len(bin); at += recordSize {
			if bin[at] == 0 {
				copy(bin[at:], some)
			}
		}
		landscapetest.Put(b, path, bin)
	}
	places := many(onHills(landscapetest.Square(0, 0, 80), likely)[:100])
	for b.Loop() {
		if _, r, _ := Import(b.Context(), client, Options{known: places}); r.Meshes != 1200 {
			b.Fatalf("%+v", r)
		}
	}
}
