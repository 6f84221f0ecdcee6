package ground

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// BenchmarkHeightKnown is bar P16, which cmd/bench prints: the height of a known place, beside a bare map of squares.
// The places are those of thousands of walking players: some 300 m of ground, known in places. Each pass asks for all
// of them, and the median pass counts: other programs may have the processor for a while.
func BenchmarkHeightKnown(b *testing.B) {
	const places = 4096
	r := rand.New(rand.NewPCG(1, 1))
	g, bare := New(nil), map[uint64]float32{}
	var at [places]coords.Position
	for i := range at {
		at[i] = spot(r.Float32()*300, 150, r.Float32()*300)
		g.Learn(at[i])
		bare[keyOf(square(at[i]))] = 150
	}
	for name, height := range map[string]func(at coords.Position) (float32, bool){
		"ours": func(at coords.Position) (float32, bool) { return g.Height(at, nil) },
		"map":  func(at coords.Position) (float32, bool) { y, ok := bare[keyOf(square(at))]; return y, ok },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				for _, at := range at {
					if _, known := height(at); !known {
						b.Fatal("not known")
					}
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/places, "ns/height")
		})
	}
}

func BenchmarkHeightGuessed(b *testing.B) {
	for name, g := range map[string]*Ground{
		"few":  New([]rules.GroundCell{given(3, 3, 150), given(-20, 5, 151), given(0, 25, 152)}),
		"many": field(func(x, z int32) bool { return x*x+z*z < 9 }, level),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				g.Height(spot(0.5, 150, 0.5), nil)
			}
		})
	}
}

func BenchmarkWay(b *testing.B) {
	g := field(func(x, z int32) bool { return x == 0 && z > -18 && z < 18 }, level)
	room := make([]coords.Position, 0, 8)
	b.ReportAllocs()
	for b.Loop() {
		g.Way(spot(-5, 150, 1), spot(7, 150, 1), room)
	}
}
