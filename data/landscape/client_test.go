package landscape

import (
	"testing"

	"sphereserver/coords"
	"sphereserver/data/landscape/landscapetest"
)

// likely is the orientation of which there is none to be found out.
var likely = orientations[0]

// lying is a land that lies in an orientation.
func lying(o orientation, height func(x, z float32) float32, tiles [][2]int) *landscapetest.Land {
	return &landscapetest.Land{West: o.west, South: o.south, Turn: o.from, Record: o.record, Height: height, Tiles: tiles}
}

// onHills are places on it.
func onHills(tiles [][2]int, o orientation) (all []coords.Position) {
	for i, at := range tiles {
		x := (float32(at[0])-o.west)*TileSize + float32(i*37%89) + 5.5
		z := (float32(at[1])-o.south)*TileSize + float32(i*53%83) + 7.25
		all = append(all, coords.Position{X: x, Y: landscapetest.Hills(x, z), Z: z})
	}
	return all
}

// imports reads a client and writes its landscape.
func imports(t testing.TB, client string, o Options) (*Report, *View) {
	t.Helper()
	l, r, err := Import(t.Context(), client, o)
	if err != nil {
		t.Fatalf("%v: %+v", err, r)
	}
	dir := t.TempDir()
	if err := l.Write(dir); err != nil {
		t.Fatal(err)
	}
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return r, NewView(f, func(err error) { t.Error(err) })
}
