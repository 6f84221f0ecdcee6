package landscape

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/data/content/clientfiles"
)

// Limits of ours, many times a client's sizes.
const (
	maxFile   = 16 << 20 // bytes of one file
	maxMeshes = 16_000   // different ones, some 20 KiB each
)

// folders are where the map of each continent lies. Source: protocol fight 6.4 a.
var folders = map[string]string{"landscape": "hyperion", "landscape_hr": "haron", "landscape_ph": "phoebe",
	"landscape_rd": "rodos"}

// ErrNone is the error of a folder without any landscape.
var ErrNone = errors.New("landscapes: none was found: expected landscape/map.bin")

// Options are how to import.
type Options struct {
	Progress func(read, total int) // called after each mesh, one after the other, if not nil
	// known are more places on the ground than in the content tables, for made-up clients.
	known []coords.Position
}

// A Report says which parts were understood, and which were not.
type Report struct {
	Continents  []ContinentReport     `json:"continents"`
	Meshes      int                   `json:"meshes"` // different ones
	Orientation string                `json:"orientation,omitempty"`
	Fit         Fit                   `json:"fit"`        // of all continents
	Next        float64               `json:"nextMedian"` // difference of the next best orientation, metres
	Zones       []string              `json:"zones,omitempty"`
	Damaged     int                   `json:"damaged"` // files
	Problems    []clientfiles.Problem `json:"problems"`
	More        int                   `json:"moreProblems,omitempty"`
}

// A ContinentReport has the findings about a continent.
type ContinentReport struct {
	Continent string `json:"continent"`
	File      string `json:"file"` // its map
	Tiles     int    `json:"tiles"`
	Missing   int    `json:"missing"` // tiles without a mesh that can be used
	Wet       int    `json:"wet"`     // tiles with water
	Fit
	Used bool `json:"used"`
}

func (r *Report) problem(file, what string, args ...any) {
	if len(r.Problems) >= clientfiles.MaxProblems {
		r.More++
		return
	}
	r.Problems = append(r.Problems, clientfiles.Problem{File: file, What: fmt.Sprintf(what, args...)})
}

// damaged notes a file that was not read.
func (r *Report) damaged(file string, err error) {
	r.Damaged++
	r.problem(file, "not read: %v", err)
}

// A Landscape is the result of an import, to be written by [Landscape.Write].
type Landscape struct {
	header header
	tables [][]uint16 // of each continent, from the south-west: the number of the tile in tiles plus one
	tiles  []lifted
	turn   turn
	waters turn

	numbers map[lifted]uint16
}

// A lifted tile is a tile of a continent with other heights in its map than in the world.
type lifted struct {
	*Tile
	by float32
}

// A continent is one that is being read.
type continent struct {
	key, folder, file string
	records           []record
	tiles             []*job // by record
}

// tileOf is the ground of a record.
func (c *continent) tileOf(record int) *Tile {
	if j := c.tiles[record]; j != nil {
		return j.tile
	}
	return nil
}

// A job is one mesh with its water.
type job struct {
	mesh, water string // paths
	tile        *Tile
	err         error // of the mesh
	waterErr    error
}

// files are the files of a client that matter, by their names in small letters.
type files map[string][]string

// find is the path of a file by its name, in a folder, else below it, else anywhere.
func (f files) find(folder, name string) string {
	all := f[name]
	for _, fits := range []func(string) bool{
		func(p string) bool { return path.Dir(p) == folder },
		func(p string) bool { return strings.HasPrefix(p, folder+"/") },
	} {
		if i := slices.IndexFunc(all, fits); i >= 0 {
			return all[i]
		}
	}
	if len(all) == 0 {
		return ""
	}
	return all[0]
}

// Import reads the landscapes of a client's folder. A damaged or missing file is named in the report, and costs its
// tiles. The error is for a folder without any landscape, [ErrNone], and for one of which nothing can be believed;
// there is a report even then.
func Import(ctx context.Context, folder string, o Options) (*Landscape, *Report, error) {
	r := &Report{}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, r, fmt.Errorf("landscapes: %w", err)
	}
	defer root.Close()
	found, maps, err := list(ctx, root, r)
	if err != nil {
		return nil, r, err
	}
	var all []*continent
	for _, c := range maps {
		raw, err := clientfiles.ReadFile(root, c.file, maxFile)
		if err == nil {
			c.records, err = parseMap(raw)
		}
		if err != nil {
			r.damaged(c.file, err)
			continue
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return nil, r, fmt.Errorf("landscapes: none of %d maps of tiles can be read", len(maps))
	}
	jobs, err := assign(all, found, r)
	if err != nil {
		return nil, r, err
	}
	if err := work(ctx, root, jobs, o.Progress); err != nil {
		return nil, r, err
	}
	for _, j := range jobs {
		if j.err != nil {
			r.damaged(j.mesh, j.err)
		}
		if j.waterErr != nil {
			r.damaged(j.water, j.waterErr)
		}
	}
	l, err := arrange(all, jobs, o.known, r)
	if err != nil {
		return nil, r, err
	}
	if l.header.Folder, err = filepath.Abs(folder); err != nil {
		l.header.Folder = folder
	}
	return l, r, nil
}

// list finds the files that matter, and the maps in the order of the continents.
func list(ctx context.Context, root *os.Root, r *Report) (files, []*continent, error) {
	found, byKey := files{}, map[string]*continent{}
	err := clientfiles.Walk(ctx, root, func(p string, err error) {
		r.problem(p, "cannot be read: %v", err)
	}, func(p string) {
		name := strings.ToLower(path.Base(p))
		key := folders[strings.ToLower(path.Base(path.Dir(p)))]
		switch {
		case name == "map.bin" && key != "":
			c := byKey[key]
			if c == nil || strings.Count(p, "/") < strings.Count(c.file, "/") {
				byKey[key] = &continent{key: key, folder: path.Dir(p), file: p}
			}
		case path.Ext(name) == ".lnd" || path.Ext(name) == ".wtr":
			found[name] = append(found[name], p)
		case name == "zoning.cfg":
			r.Zones = append(r.Zones, p)
		}
	})
	if err != nil {
		return nil, nil, fmt.Errorf("landscapes: %w", err)
	}
	if len(byKey) == 0 {
		return nil, nil, ErrNone
	}
	var all []*continent
	for _, a := range content.Continents() {
		if c := byKey[a.Key]; c != nil {
			all = append(all, c)
		}
	}
	return found, all, nil
}

// assign finds the mesh of each tile. Tiles that look alike share one.
func assign(all []*continent, found files, r *Report) (jobs []*job, err error) {
	byFiles := map[[2]string]*job{}
	for _, c := range all {
		c.tiles = make([]*job, len(c.records))
		missing := map[string]int{}
		for i, rec := range c.records {
			if rec.name == "" {
				continue
			}
			var at [2]string
			for _, name := range rec.names() {
				if at[0] = found.find(c.folder, name+".lnd"); at[0] != "" {
					if at[1] = found.find(c.folder, name+".wtr"); at[1] == "" {
						at[1] = found.find(c.folder, rec.name+".wtr")
					}
					break
				}
			}
			if at[0] == "" {
				missing[rec.names()[0]+".lnd"]++
				continue
			}
			j := byFiles[at]
			if j == nil {
				if len(jobs) >= maxMeshes {
					return nil, fmt.Errorf("landscapes: expected at most %d different meshes, found more", maxMeshes)
				}
				j = &job{mesh: at[0], water: at[1]}
				byFiles[at] = j
				jobs = append(jobs, j)
			}
			c.tiles[i] = j
		}
		for _, name := range slices.Sorted(maps.Keys(missing)) {
			r.problem(c.file, "%d tiles are of %s, which is not there", missing[name], name)
		}
	}
	r.Meshes = len(jobs)
	return jobs, nil
}

// work reads all meshes, on as many processors as there are.
func work(ctx context.Context, root *os.Root, jobs []*job, progress func(read, total int)) error {
	x0, z0, err := corner(root, jobs)
	if err != nil {
		return err
	}
	var wait sync.WaitGroup
	var told sync.Mutex
	done := 0
	next := make(chan *job)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for j := range next {
				j.run(root, x0, z0)
				told.Lock()
				if done++; progress != nil {
					progress(done, len(jobs))
				}
				told.Unlock()
			}
		})
	}
	for _, j := range jobs {
		if ctx.Err() != nil {
			break
		}
		next <- j
	}
	close(next)
	wait.Wait()
	return ctx.Err()
}

// run reads a mesh and its water.
func (j *job) run(root *os.Root, x0, z0 float32) {
	var w *water
	if j.water != "" {
		raw, err := clientfiles.ReadFile(root, j.water, maxFile)
		if err == nil {
			w, err = parseWater(raw)
		}
		j.waterErr = err
	}
	m, err := readMesh(root, j.mesh)
	if err != nil {
		j.err = err
		return
	}
	r, err := m.rasterise(x0, z0)
	if err == nil {
		j.tile, err = newTile(r, w)
	}
	j.err = err
}

func readMesh(root *os.Root, file string) (*mesh, error) {
	raw, err := clientfiles.ReadFile(root, file, maxFile)
	if err != nil {
		return nil, err
	}
	return parseMesh(raw)
}

const (
	// tried is of how many meshes it is looked where their tile begins.
	tried = 64
	// raggedness is by how much a mesh is greater or less than its tile, metres.
	raggedness = 15
)

// corner is where in the meshes their tile begins: their coordinates may count from a corner or from the middle.
func corner(root *os.Root, jobs []*job) (x0, z0 float32, err error) {
	var lowX, lowZ, wide, deep []float32
	for i := 0; i < len(jobs); i += 1 + len(jobs)/tried {
		m, err := readMesh(root, jobs[i].mesh)
		if err != nil {
			continue // it is told when all are read
		}
		low, high := m.vertices[0], m.vertices[0]
		for _, v := range m.vertices {
			low.x, low.z, high.x, high.z = min(low.x, v.x), min(low.z, v.z), max(high.x, v.x), max(high.z, v.z)
		}
		lowX, lowZ = append(lowX, low.x), append(lowZ, low.z)
		wide, deep = append(wide, high.x-low.x), append(deep, high.z-low.z)
	}
	if len(wide) == 0 {
		return 0, 0, nil // and nothing else can be read
	}
	w, d := median(wide), median(deep)
	if math.Abs(float64(w-TileSize)) > raggedness || math.Abs(float64(d-TileSize)) > raggedness {
		return 0, 0, fmt.Errorf("landscapes: expected meshes of %d by %d m, found %.1f by %.1f m", TileSize, TileSize, w, d)
	}
	half := func(v float32) float32 { return float32(math.Round(float64(v)/(TileSize/2)) * (TileSize / 2)) }
	return half(median(lowX)), half(median(lowZ)), nil
}

func median(all []float32) float32 {
	slices.Sort(all)
	return all[len(all)/2]
}

// arrange finds out how the tiles lie, and makes a landscape of the continents that can be believed.
func arrange(all []*continent, jobs []*job, taught []coords.Position, r *Report) (*Landscape, error) {
	known := make([][]coords.Position, len(all))
	for i, c := range all {
		known[i] = knownPlaces(c.key, taught)
	}
	best, next := orient(all, known)
	r.Orientation = best.String()
	r.Fit, r.Next = best.all(), next.all().Median
	l := &Landscape{turn: best.turn, numbers: map[lifted]uint16{}}
	tiles := make([]*Tile, len(jobs))
	for i, j := range jobs {
		tiles[i] = j.tile
	}
	l.waters = waterTurn(slices.DeleteFunc(tiles, func(s *Tile) bool { return s == nil }))
	l.header = header{Version: Version, Orientation: r.Orientation}
	for i, c := range all {
		told := c.told(best.fits[i])
		// Where nothing is known of a continent it lies as the others do.
		told.Used = told.Tiles > told.Missing && (told.right() || told.Known == 0 && r.Fit.right() && r.Fit.Known > 0)
		if told.Used {
			l.add(c, best.orientation, &told)
		} else {
			r.problem(c.file, "not used: of %d known heights %d are within %.1f m of those of the map, in the median "+
				"%.1f m off", told.Known, told.Within, fits, told.Median)
		}
		r.Continents = append(r.Continents, told)
	}
	if len(l.tables) == 0 {
		return nil, fmt.Errorf("landscapes: in no orientation do the heights fit those that are known: at best %d of %d are "+
			"within %.1f m", r.Fit.Within, r.Fit.Known, fits)
	}
	return l, nil
}

// told begins the report of a continent.
func (c *continent) told(f Fit) ContinentReport {
	told := ContinentReport{Continent: c.key, File: c.file, Fit: f}
	for i, rec := range c.records {
		if rec.name == "" {
			continue
		}
		told.Tiles++
		switch s := c.tileOf(i); {
		case s == nil:
			told.Missing++
		case s.wet:
			told.Wet++
		}
	}
	return told
}

// add puts a continent into a landscape.
func (l *Landscape) add(c *continent, o orientation, told *ContinentReport) {
	table := make([]uint16, side*side)
	for row := range side {
		for column := range side {
			s := c.tileOf(o.record(column, row))
			if s == nil {
				continue
			}
			as := lifted{s, float32(told.Shift)}
			n := l.numbers[as]
			if n == 0 {
				l.tiles = append(l.tiles, as)
				n = uint16(len(l.tiles))
				l.numbers[as] = n
			}
			table[row*side+column] = n
		}
	}
	l.tables = append(l.tables, table)
	l.header.Continents = append(l.header.Continents, Continent{Key: c.key, West: -o.west * TileSize,
		South: -o.south * TileSize, Tiles: told.Tiles - told.Missing, Fit: told.Fit})
}

// knownPlaces are the places of a continent that are on the ground.
//
// Source: protocol fight 6.4 a, its test points, which are people; and where people and portals stand.
func knownPlaces(key string, taught []coords.Position) (all []coords.Position) {
	add := func(p coords.Position) {
		if a, ok := content.ContinentOf(p); ok && a.Key == key {
			all = append(all, p)
		}
	}
	for _, n := range content.NPCs() {
		add(n.Position)
	}
	for _, p := range content.Portals() {
		add(p.Position)
	}
	for _, p := range taught {
		add(p)
	}
	return all
}
