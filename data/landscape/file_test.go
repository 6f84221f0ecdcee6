package landscape

import (
	"encoding/json"
	"errors"
	"hash/crc32"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	"sphereserver/coords"
	"sphereserver/data/landscape/landscapetest"
)

// small is a landscape of a few tiles that was not imported.
func small(t testing.TB, tiles int) *Landscape {
	t.Helper()
	l := &Landscape{header: header{Version: Version, Continents: []Continent{{Key: "hyperion", West: -3900, South: -4000}}},
		tables: [][]uint16{make([]uint16, side*side)}}
	for i := range tiles {
		r := new(raster)
		for at := range r {
			r[at] = float32(100 + i%100)
		}
		made, err := newTile(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		l.tiles = append(l.tiles, lifted{made, 0})
		l.tables[0][i] = uint16(i + 1)
	}
	return l
}

func TestDamageOfTheFileIsNoticedAndWhereItIs(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if err := small(t, 3).Write(dir); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, FileName)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	opens := func() error {
		f, err := Open(dir)
		if err == nil {
			f.Close()
		}
		return err
	}
	for at := 0; at < len(whole); at += 1 + len(whole)/300 {
		bad := append([]byte(nil), whole...)
		bad[at] ^= 0x20
		landscapetest.Put(t, path, bad)
		if opens() == nil {
			t.Errorf("byte %d may be another one", at)
		}
		landscapetest.Put(t, path, whole[:at])
		if opens() == nil {
			t.Errorf("the file may end at %d", at)
		}
	}
	landscapetest.Put(t, path, append(whole, 0))
	if opens() == nil {
		t.Error("there may be something behind the end")
	}
	landscapetest.Put(t, path, whole)
	if err := opens(); err != nil {
		t.Error(err)
	}
}

func TestWhatAnOlderImporterHasMadeIsNotUsed(t *testing.T) {
	l, dir := small(t, 1), t.TempDir()
	l.header.Version, l.header.Folder = Version-1, "/games/Sphere"
	if err := l.Write(dir); err != nil {
		t.Fatal(err)
	}
	var old *OldError
	if _, err := Open(dir); !errors.As(err, &old) || old.Folder != "/games/Sphere" || old.Version != Version-1 {
		t.Errorf("%v", err)
	}
}

func TestFailedWriteLeavesTheFormerFile(t *testing.T) {
	dir := t.TempDir()
	if err := small(t, 2).Write(dir); err != nil {
		t.Fatal(err)
	}
	l := small(t, 3)
	l.header.Continents[0].Fit.Median = math.NaN() // JSON has none
	if err := l.Write(dir); err == nil {
		t.Fatal("it was written")
	}
	f, err := Open(dir)
	if err != nil || f.header.Tiles != 2 {
		t.Errorf("%v", err)
	}
	f.Close()
	if all, _ := os.ReadDir(dir); len(all) != 1 {
		t.Errorf("left over: %v", all)
	}
}

func TestViewKeepsABoundedNumberOfTiles(t *testing.T) {
	const n = maxLoaded + 500
	dir := t.TempDir()
	if err := small(t, n).Write(dir); err != nil {
		t.Fatal(err)
	}
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	v := NewView(f, func(err error) { t.Error(err) })
	for range 2 {
		for i := range n {
			at := coords.Position{X: float32(-3900 + i%side*TileSize + 50), Y: 150, Z: float32(-4000 + i/side*TileSize + 50)}
			if s, known := v.Surface(at); !known || s.Height != float32(100+i%100) {
				t.Fatalf("tile %d: %v, %v", i, s, known)
			}
		}
	}
	if n := maxLoaded * unsafe.Sizeof(Tile{}); n > 48<<20 {
		t.Errorf("they take %d bytes", n)
	}
	there := 0
	for _, tile := range v.tiles {
		if tile.tile != nil {
			there++
		}
	}
	if there != maxLoaded {
		t.Errorf("%d tiles are in memory, expected %d", there, maxLoaded)
	}
}

// A header may say anything, if only its checksum is right.
func FuzzHeader(f *testing.F) {
	text, _ := json.Marshal(header{Version: Version, Continents: []Continent{{Key: "hyperion"}}})
	f.Add(text, []byte{})
	f.Add([]byte(`{"version":1,"tiles":2147483648}`), []byte{1})
	f.Add([]byte(`{"version":1,"tiles":-1,"continents":[{},{},{},{},{}]}`), []byte{1})
	f.Fuzz(func(t *testing.T, text, rest []byte) {
		dir := t.TempDir()
		file := append([]byte(magic), byte(len(text)), byte(len(text)>>8), byte(len(text)>>16), 0)
		sum := crc32.Checksum(text, castagnoli)
		file = append(file, byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24))
		landscapetest.Put(t, filepath.Join(dir, FileName), append(append(file, text...), rest...))
		if f, err := Open(dir); err == nil {
			NewView(f, func(error) {}).Surface(coords.Position{Y: 155})
			f.Close()
		}
	})
}

func FuzzMap(f *testing.F) {
	f.Add([]byte{})
	f.Add(make([]byte, mapSize))
	f.Fuzz(func(t *testing.T, file []byte) {
		all, err := parseMap(file)
		if err == nil && len(all) != side*side {
			t.Errorf("%d records", len(all))
		}
		for _, r := range all {
			r.names()
		}
		// A map of any beginning.
		if len(file) < mapSize {
			parseMap(append(file, make([]byte, mapSize-len(file))...))
		}
	})
}

func FuzzMesh(f *testing.F) {
	m := lying(likely, landscapetest.Hills, nil)
	m.Step = 50
	f.Add(m.Mesh(40, 40)[meshHeader:], uint16(9))
	f.Add([]byte{}, uint16(0xFFFF))
	f.Fuzz(func(t *testing.T, body []byte, count uint16) {
		head := make([]byte, meshHeader)
		head[meshCount], head[meshCount+1] = byte(count), byte(count>>8)
		m, err := parseMesh(append(head, body...))
		if err != nil {
			return
		}
		r, err := m.rasterise(-50, 0)
		if err != nil {
			return
		}
		if tile, err := newTile(r, nil); err == nil {
			for _, at := range []float32{0, 33.3, TileSize} {
				if s, known := tile.Surface(at, TileSize-at); known &&
					!(s.Height >= -farthest && s.Height <= farthest && s.Slope() >= 0) {
					t.Errorf("the ground is %+v", s)
				}
			}
		}
	})
}

func FuzzWater(f *testing.F) {
	f.Add(make([]byte, waterSize))
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, file []byte) {
		w, err := parseWater(file)
		if err != nil {
			return
		}
		for _, y := range w {
			if y != dry && !(y >= -farthest && y <= farthest) {
				t.Errorf("water stands at %v", y)
			}
		}
	})
}
