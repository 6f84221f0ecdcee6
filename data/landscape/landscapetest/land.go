// Package landscapetest writes clients with landscapes of one's own, for tests and benchmarks. It has the layouts of
// protocol fight 6.4 a a second time, so that there is something to compare readers with.
package landscapetest

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sphereserver/coords"
	"sphereserver/data/content"
)

// A map has Side × Side tiles of TileSize metres, a tile's water WaterSide × WaterSide cells.
const (
	Side      = 80
	TileSize  = 100
	WaterSide = 12
)

// The origin of the world in a map, in columns and rows.
const (
	OriginColumn = 39
	OriginRow    = 40
)

// Dry is how high water stands where there is none.
var Dry = float32(math.Inf(-1))

// A Land is a continent that is made up.
type Land struct {
	Height func(x, z float32) float32 // in metres of the world
	Water  func(x, z float32) float32 // [Dry] where there is none; nil: there is none anywhere
	Tiles  [][2]int                   // columns from the west and rows from the south

	// West and South are how many columns and rows lie before the origin of the world; both 0: as is likely.
	West, South float32
	// Turn returns the place in a tile's square for a place in the world's square; Record the number of a tile's record
	// in the map. nil: as they stand.
	Turn   func(u, v, side float32) (float32, float32)
	Record func(column, row int) int

	X0, Z0  float32 // of the least corner in the meshes
	Step    int     // metres between vertices; 0: 5
	Upper   bool    // names in capitals
	Numbers bool    // the variant is two numbers and no letters
}

func (l *Land) origin() (column, row float32) {
	if l.West == 0 && l.South == 0 {
		return OriginColumn, OriginRow
	}
	return l.West, l.South
}

func (l *Land) turn(u, v, side float32) (float32, float32) {
	if l.Turn == nil {
		return u, v
	}
	return l.Turn(u, v, side)
}

// corner is the least place of a tile in the world.
func (l *Land) corner(column, row int) (x, z float32) {
	west, south := l.origin()
	return (float32(column) - west) * TileSize, (float32(row) - south) * TileSize
}

// Mesh is the file of the mesh of a tile.
func (l *Land) Mesh(column, row int) []byte {
	step := l.Step
	if step == 0 {
		step = 5
	}
	n := TileSize/step + 1
	file := make([]byte, 0x68C0)
	binary.LittleEndian.PutUint16(file[4:], uint16(n*n))
	put := func(v float32) { file = binary.LittleEndian.AppendUint32(file, math.Float32bits(v)) }
	x0, z0 := l.corner(column, row)
	for z := range n {
		for x := range n {
			u, v := float32(x*step), float32(z*step)
			mx, mz := l.turn(u, v, TileSize)
			put(mx + l.X0)
			put(l.Height(x0+u, z0+v))
			put(mz + l.Z0)
			file = append(file, make([]byte, 28)...)
		}
	}
	for z := range n - 1 {
		for x := range n - 1 {
			a := uint16(z*n + x)
			for _, t := range [][3]uint16{{a, a + 1, a + uint16(n)}, {a + 1, a + uint16(n) + 1, a + uint16(n)}} {
				for _, c := range t {
					file = binary.LittleEndian.AppendUint16(file, c)
				}
				file = append(file, make([]byte, 22)...)
			}
		}
	}
	return file
}

// waters is the file of the water of a tile.
func (l *Land) waters(column, row int) (file []byte, wet bool) {
	const cell = float32(TileSize) / WaterSide
	file = make([]byte, WaterSide*WaterSide*8)
	x0, z0 := l.corner(column, row)
	for z := range WaterSide {
		for x := range WaterSide {
			y := l.Water(x0+(float32(x)+0.5)*cell, z0+(float32(z)+0.5)*cell)
			if y == Dry {
				continue
			}
			wet = true
			mx, mz := l.turn(float32(x), float32(z), WaterSide-1)
			at := (int(mz)*WaterSide + int(mx)) * 8
			binary.LittleEndian.PutUint32(file[at:], math.Float32bits(y))
			binary.LittleEndian.PutUint32(file[at+4:], 1)
		}
	}
	return file, wet
}

// Write puts a continent into a folder of a client.
func (l *Land) Write(t testing.TB, client, folder string) {
	t.Helper()
	const name, record = 20, 22
	bin := make([]byte, Side*Side*record)
	for i, at := range l.Tiles {
		tile, variant := fmt.Sprintf("Tile%d", i), []byte("0a")
		file := tile + "_0a"
		if l.Numbers {
			variant, file = []byte{1, 12}, tile+"_112"
		}
		if l.Upper {
			file = strings.ToUpper(file)
		}
		n := at[1]*Side + at[0]
		if l.Record != nil {
			n = l.Record(at[0], at[1])
		}
		r := bin[n*record:]
		copy(r, tile)
		copy(r[name:], variant)
		Put(t, filepath.Join(client, folder, file+".lnd"), l.Mesh(at[0], at[1]))
		if l.Water == nil {
			continue
		}
		if w, wet := l.waters(at[0], at[1]); wet {
			Put(t, filepath.Join(client, folder, file+".wtr"), w)
		}
	}
	index := "map.bin"
	if l.Upper {
		index = "MAP.BIN"
	}
	Put(t, filepath.Join(client, folder, index), bin)
}

// Put writes a file, in folders that need not be there.
func Put(t testing.TB, path string, file []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Hills is a ground that is nowhere alike.
func Hills(x, z float32) float32 {
	fx, fz := float64(x), float64(z)
	return float32(160 + 12*math.Sin(fx/37) + 9*math.Cos(fz/53) + 5*math.Sin((fx+2*fz)/91))
}

// Square is n × n tiles from one on.
func Square(column, row, n int) (all [][2]int) {
	for i := range n * n {
		all = append(all, [2]int{column + i%n, row + i/n})
	}
	return all
}

// TileAt is the tile of a place, where the origin is where it is likely.
func TileAt(x, z float32) [2]int {
	return [2]int{int(math.Floor(float64(x)/TileSize)) + OriginColumn, int(math.Floor(float64(z)/TileSize)) + OriginRow}
}

// Hyperion is a continent on which the people of Hyperion stand, with hills between them: an importer finds out by them
// how it lies. It has the tiles that they stand on.
func Hyperion() *Land {
	var people []coords.Position
	l := new(Land)
	for _, n := range content.NPCs() {
		if n.Area != "hyperion" {
			continue
		}
		people = append(people, n.Position)
		if at := TileAt(n.Position.X, n.Position.Z); !slices.Contains(l.Tiles, at) {
			l.Tiles = append(l.Tiles, at)
		}
	}
	l.Height = func(x, z float32) float32 {
		sum, weights, near := 0.0, 0.0, math.Inf(1)
		for _, p := range people {
			d := max(0.5, math.Hypot(float64(p.X-x), float64(p.Z-z)))
			near = min(near, d)
			w := 1 / (d * d * d * d)
			sum += w * float64(p.Y)
			weights += w
		}
		return float32(sum/weights + 8*math.Sin(near/11)*min(1, near/20))
	}
	return l
}
