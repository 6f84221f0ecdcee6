// Package landscape reads the landscapes of an operator's own client – maps of tiles, meshes, water – into one file of
// heights, and answers from it how high the ground is.
//
// The layouts are described in docs/protocol/landscapes.md.
package landscape

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// TileSize is the side of a tile, in metres; side is how many tiles a continent has along each axis. Source: protocol
// fight 6.4 a.
const (
	TileSize = 100
	side     = 80
)

// The parts of a map: records of a name and two bytes of a variant, row by row.
const (
	recordName = 20
	recordSize = recordName + 2
	mapSize    = side * side * recordSize
)

// A record is one tile of a map.
type record struct {
	name   string // in small letters; "" for a tile without a mesh
	v1, v2 byte
}

// A formatError says where a file is not as it should be.
type formatError struct {
	offset   int
	expected string
	found    string
}

func (e *formatError) Error() string {
	return fmt.Sprintf("byte %d: expected %s, found %s", e.offset, e.expected, e.found)
}

func wrong(offset int, expected, found string, args ...any) error {
	return &formatError{offset, expected, fmt.Sprintf(found, args...)}
}

// parseMap reads a map of tiles. Source: protocol fight 6.4 a.
func parseMap(file []byte) ([]record, error) {
	if len(file) != mapSize {
		expected := fmt.Sprintf("%d records of %d bytes, %d bytes in all", side*side, recordSize, mapSize)
		return nil, wrong(min(len(file), mapSize), expected, "%d bytes", len(file))
	}
	all := make([]record, side*side)
	for i := range all {
		r := file[i*recordSize:][:recordSize]
		name, _, _ := bytes.Cut(r[:recordName], []byte{0})
		for at, c := range name {
			if c < ' ' {
				return nil, wrong(i*recordSize+at, "a letter of a name or 0", "%#02x", c)
			}
		}
		text, err := charmap.Windows1251.NewDecoder().String(string(name))
		if err != nil {
			return nil, wrong(i*recordSize, "a name in Windows-1251", "%q", name)
		}
		all[i] = record{strings.ToLower(strings.TrimSpace(text)), r[recordName], r[recordName+1]}
	}
	return all, nil
}

// names are the possible names of a tile's mesh, without the extension, the likeliest first: it is not known for sure
// whether the variant is told in letters or as numbers.
func (r record) names() []string {
	numbers := fmt.Sprintf("%s_%d%d", r.name, r.v1, r.v2)
	if r.v1 > ' ' && r.v1 < 0x7F && r.v2 > ' ' && r.v2 < 0x7F {
		return []string{r.name + "_" + strings.ToLower(string([]byte{r.v1, r.v2})), numbers}
	}
	return []string{numbers}
}

// The parts of a mesh. Source: protocol fight 6.4 a.
const (
	meshHeader   = 0x68C0
	meshCount    = 4 // where the number of vertices stands, a u16
	vertexSize   = 40
	triangleSize = 28
	// maxTriangles is how many triangles the greatest number of vertices makes of a surface at most.
	maxTriangles = 2 * math.MaxUint16
	// farthest is how far a vertex is from the middle of the world at most, in metres.
	farthest = 1e5
)

// A point is a vertex: x and z along the ground, y up, in metres.
type point struct{ x, y, z float32 }

// A mesh is the surface of a tile.
type mesh struct {
	vertices  []point
	triangles [][3]uint16
}

// parseMesh reads a mesh. All counts are checked against the length of the file before anything is made for them.
func parseMesh(file []byte) (*mesh, error) {
	if len(file) < meshHeader {
		return nil, wrong(len(file), fmt.Sprintf("a header of %d bytes", meshHeader), "the end of the file")
	}
	count := int(binary.LittleEndian.Uint16(file[meshCount:]))
	if count < 3 {
		return nil, wrong(meshCount, "3 vertices or more", "%d", count)
	}
	end := meshHeader + count*vertexSize
	if len(file) < end {
		return nil, wrong(len(file), fmt.Sprintf("%d vertices of %d bytes, to byte %d", count, vertexSize, end),
			"the end of the file")
	}
	faces := (len(file) - end) / triangleSize
	if (len(file)-end)%triangleSize != 0 || faces == 0 || faces > maxTriangles {
		return nil, wrong(end, fmt.Sprintf("1 to %d triangles of %d bytes", maxTriangles, triangleSize), "%d bytes",
			len(file)-end)
	}
	m := &mesh{make([]point, count), make([][3]uint16, faces)}
	for i := range m.vertices {
		at := meshHeader + i*vertexSize
		v := &m.vertices[i]
		for axis, to := range []*float32{&v.x, &v.y, &v.z} {
			*to = math.Float32frombits(binary.LittleEndian.Uint32(file[at+4*axis:]))
			if !(math.Abs(float64(*to)) <= farthest) {
				return nil, wrong(at+4*axis, fmt.Sprintf("a coordinate of at most %.0f", farthest), "%v", *to)
			}
		}
	}
	for i := range m.triangles {
		at := end + i*triangleSize
		for corner := range 3 {
			n := binary.LittleEndian.Uint16(file[at+2*corner:])
			if int(n) >= count {
				return nil, wrong(at+2*corner, fmt.Sprintf("the index of a vertex, below %d", count), "%d", n)
			}
			m.triangles[i][corner] = n
		}
	}
	return m, nil
}

// The parts of a file of water: so many cells along each axis, of a height and a flag. Source: protocol fight 6.4 a.
const (
	waterSide = 12
	waterCell = 8
	waterSize = waterSide * waterSide * waterCell
)

// A water is how high water stands in each cell of a tile; dry where there is none.
type water [waterSide * waterSide]float32

// dry is the height of water where there is none.
var dry = float32(math.Inf(-1))

// parseWater reads a file of water.
func parseWater(file []byte) (*water, error) {
	if len(file) != waterSize {
		return nil, wrong(min(len(file), waterSize), fmt.Sprintf("%d cells of %d bytes, %d bytes in all",
			waterSide*waterSide, waterCell, waterSize), "%d bytes", len(file))
	}
	w := new(water)
	for i := range w {
		at := i * waterCell
		w[i] = dry
		if binary.LittleEndian.Uint32(file[at+4:]) == 0 {
			continue
		}
		w[i] = math.Float32frombits(binary.LittleEndian.Uint32(file[at:]))
		if !(math.Abs(float64(w[i])) <= farthest) {
			return nil, wrong(at, fmt.Sprintf("a height of at most %.0f", farthest), "%v", w[i])
		}
	}
	return w, nil
}
