package landscape

import (
	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/world/rules"
)

// maxLoaded is how many tiles a view has in memory at most, of some 21 KiB each: 44 MiB.
const maxLoaded = 2048

// A View answers how high the ground is. It keeps the latest tiles in memory. It is used by one goroutine at a time.
type View struct {
	file   *File
	lands  []*land
	tiles  []slot // by number
	loaded []uint16
	hand   int
	failed func(error)
}

// A slot is the place of a tile in a view.
type slot struct {
	tile *Tile // nil: not in memory
	used bool  // since the hand was there
}

// A land is a continent.
type land struct {
	from, below float32 // heights of all that belongs to it
	west, south float32
	table       []uint16
}

// void is the tile in the place of an unreadable one.
var void = func() *Tile {
	t := new(Tile)
	for i := range t.heights {
		t.heights[i] = noHeight
	}
	return t
}()

// NewView makes a view. If all of a file has room in memory it is read now, else when it is asked for. failed is told
// why a tile cannot be read, of which nothing is known then.
func NewView(f *File, failed func(error)) *View {
	v := &View{file: f, failed: failed, tiles: make([]slot, f.header.Tiles+1)}
	for i, c := range f.header.Continents {
		l := &land{west: c.West, south: c.South, table: f.tables[i]}
		for _, a := range content.Continents() {
			if a.Key == c.Key {
				l.from, l.below = a.From, a.Below
			}
		}
		v.lands = append(v.lands, l)
	}
	if f.header.Tiles <= maxLoaded {
		for i := range v.lands {
			for at, n := range v.lands[i].table {
				if n != 0 && v.tiles[n].tile == nil {
					v.load(i, at, n)
				}
			}
		}
	}
	return v
}

// Surface is the ground at a place, on the continent of its height, and the water above it; false where it is not
// known.
func (v *View) Surface(at coords.Position) (s rules.Surface, known bool) {
	for i, l := range v.lands {
		if !(at.Y >= l.from && at.Y < l.below) {
			continue
		}
		x, z := at.X-l.west, at.Z-l.south
		if !(x >= 0 && x < side*TileSize && z >= 0 && z < side*TileSize) {
			return s, false
		}
		east, north := uint32(x), uint32(z)
		column, row := int(east/TileSize), int(north/TileSize)
		n := l.table[row*side+column]
		if n == 0 {
			return s, false
		}
		t := &v.tiles[n]
		if t.tile == nil {
			v.load(i, row*side+column, n)
		}
		t.used = true
		return t.tile.between(int(east)-column*TileSize, int(north)-row*TileSize, x-float32(east), z-float32(north))
	}
	return s, false
}

// load reads a tile, and evicts one that was not used recently if there are too many.
func (v *View) load(continent, at int, n uint16) {
	t, err := v.file.Tile(continent, at%side, at/side)
	if err != nil {
		v.failed(err)
		t = void
	}
	if len(v.loaded) < maxLoaded {
		v.loaded = append(v.loaded, n)
	} else {
		for v.tiles[v.loaded[v.hand]].used {
			v.tiles[v.loaded[v.hand]].used = false
			v.hand = (v.hand + 1) % maxLoaded
		}
		v.tiles[v.loaded[v.hand]].tile = nil
		v.loaded[v.hand] = n
	}
	v.tiles[n].tile = t
}
