package relief

import (
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"testing"

	"sphereserver/data/landscape"
)

// A madeUp land is one of one's own, in the file that landscape/file.go describes.
type madeUp struct {
	height func(x, z float64) float64
	water  func(x, z float64) float64 // nil: dry; of places where it returns 0, too
	has    func(column, row int) bool // nil: all tiles
}

const (
	tilesAlong = 80
	originX    = 39 // tiles from the west
	originZ    = 40
)

// open writes a land as Hyperion's and opens it.
func (m madeUp) open(t testing.TB) *landscape.File {
	t.Helper()
	seal := func(b []byte) []byte {
		return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
	}
	var table, tiles []byte
	n := uint16(0)
	for row := range tilesAlong {
		for column := range tilesAlong {
			if m.has != nil && !m.has(column, row) {
				table = binary.LittleEndian.AppendUint16(table, 0)
				continue
			}
			n++
			table = binary.LittleEndian.AppendUint16(table, n)
			tiles = append(tiles, seal(m.tile(float64(column-originX)*100, float64(row-originZ)*100))...)
		}
	}
	header, err := json.Marshal(map[string]any{"version": landscape.Version, "tiles": n, "continents": []any{
		map[string]any{"key": "hyperion", "west": -originX * 100, "south": -originZ * 100, "tiles": n}}})
	if err != nil {
		t.Fatal(err)
	}
	file := binary.LittleEndian.AppendUint32([]byte("SPHLAND\n"), uint32(len(header)))
	file = binary.LittleEndian.AppendUint32(file, crc32.Checksum(header, crc32.MakeTable(crc32.Castagnoli)))
	file = append(append(append(file, header...), seal(table)...), tiles...)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, landscape.FileName), file, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := landscape.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// tile is one from its south-western corner.
func (m madeUp) tile(x, z float64) []byte {
	least := math.Inf(1)
	for i := range 101 * 101 {
		least = min(least, m.height(x+float64(i%101), z+float64(i/101)))
	}
	b := binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(least)))
	for i := range 101 * 101 {
		b = binary.LittleEndian.AppendUint16(b, uint16((m.height(x+float64(i%101), z+float64(i/101))-least)*100+0.5))
	}
	for i := range 144 {
		y := math.Inf(-1)
		if m.water != nil {
			if level := m.water(x+(float64(i%12)+0.5)*100/12, z+(float64(i/12)+0.5)*100/12); level != 0 {
				y = level
			}
		}
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(y)))
	}
	return b
}
