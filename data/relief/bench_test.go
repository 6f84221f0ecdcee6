package relief

import (
	"fmt"
	"io"
	"math"
	"testing"
)

// BenchmarkDrawTile is bar P20, which cmd/bench prints: a tile with hills, a lake, contours and a path, and how long it takes
// to make a PNG of it alone.
func BenchmarkDrawTile(b *testing.B) {
	f := madeUp{height: func(x, z float64) float64 { return 160 + 14*math.Sin(x/37) + 11*math.Cos(z/29) },
		water: func(x, z float64) float64 { return 152 }, has: few(12)}.open(b)
	d := drawer(b, f, block(-500, -2, 499, 1, 170))
	for _, zoom := range []int{2, 0, -2, -3, -5} {
		b.Run(fmt.Sprintf("zoom%d", zoom), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if raw, err := d.Draw(b.Context(), Tile{"hyperion", false, zoom, 0, -1}); err != nil || raw == nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("png", func(b *testing.B) {
		if _, err := d.Draw(b.Context(), Tile{"hyperion", false, 0, 0, -1}); err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if err := d.encoder.Encode(io.Discard, d.canvas.image); err != nil {
				b.Fatal(err)
			}
		}
	})
}
