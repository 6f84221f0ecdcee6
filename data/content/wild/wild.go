// Package wild says where monsters come from, as far as nobody has surveyed it: by a rule of ours from data/content
// and the sketch of its coasts. The same tables give the same spawners on every start.
package wild

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/data/content/chart"
	"sphereserver/world/rules"
)

// A Spawner is a place where monsters come from.
type Spawner struct {
	Key      string // of its continent and its place: "h:2312:-2382"
	Position coords.Position
	Area     string // key of the [content.Area]
	Level    int    // middle of its monsters' levels
	Spread   int    // ± levels
	Types    []int  // of monsters, none twice, at least one
	Tutorial bool   // one monster at just this place, the newcomers'
	Alone    bool   // one monster at just this place
	Mind     string // of its monsters, as the world knows it; "": that of their row
	Known    bool   // its place was recorded, and so is no guess
}

// A land has the features of a continent that matter to its monsters.
type land struct {
	prefix string
	letter byte // habitat of its own; 0: the place's
	more   int  // levels
}

func lands(b *rules.SpawnBalance) map[string]land {
	return map[string]land{
		"hyperion": {prefix: "h"},
		"haron":    {"a", 'H', b.Haron},
		"phoebe":   {"f", 'N', b.Phoebe},
		"rodos":    {"r", 'R', b.Rodos},
	}
}

const (
	// edge is how far the world reaches from its origin, metres. Source: protocol gamerules 13.6.
	edge = 4000
	// tile is the side of the squares of which most have a spawner, metres. Source: protocol fight 5.
	tile = 100
	// tries is how many places in a square are looked at before it has none.
	tries = 4
	// graves is how far the surroundings of a cemetery reach, metres: its place is known to some 100 m only.
	graves = 150
	// nextTo is within how many metres a point says as much of a height as one that is nearer.
	nextTo = 20
	// byTown is how far outside of the free circle around a city practice targets stand, metres.
	byTown = 5
)

// cemeteries are the cemeteries of Hyperion that players have drawn on a map.
//
// Source: protocol life 3.
var cemeteries = [...]coords.Position{{X: 185, Z: -1505}, {X: 2213, Z: -637}, {X: 2672, Z: -2320}, {X: 2744, Z: 835}}

// cemetery is the habitat of cemeteries.
const cemetery = 'C'

// newest are the spawners that were made last: a world that begins again, its clients, and a balance that changes
// other numbers only need no others.
var newest struct {
	sync.Mutex
	tables  *rules.Tables
	balance rules.SpawnBalance
	all     []Spawner
}

// Spawners returns all spawners, in an order that does not change, with types of these tables. The slice is shared and
// not to be changed.
func Spawners(tables *rules.Tables, b *rules.SpawnBalance) []Spawner {
	newest.Lock()
	defer newest.Unlock()
	if newest.tables != tables || newest.balance != *b {
		newest.tables, newest.balance, newest.all = tables, *b, spawners(tables, b)
	}
	return newest.all
}

// spawners makes those of all continents at once, since a start waits for them.
func spawners(tables *rules.Tables, b *rules.SpawnBalance) []Spawner {
	continents := content.Continents()
	all := make([][]Spawner, len(continents), len(continents)+2)
	var wait sync.WaitGroup
	for i, area := range continents {
		wait.Go(func() {
			w := newWilds(area, lands(b)[area.Key], uint64(i), newCensus(tables), b)
			all[i] = slices.Concat(w.spawners(), w.targets(), guards(area, b))
		})
	}
	inside := interiors(newCensus(tables), b)
	wait.Wait()
	return slices.Concat(append(all, inside, newcomers())...)
}

// newcomers are the monsters of the dungeons in which characters begin. Their halls lie at multiples of 100 m, and the
// monster stands at the same place in each.
//
// Source: protocol fight 5.
func newcomers() (all []Spawner) {
	for _, p := range content.Places() {
		if p.Kind != content.PlaceStart {
			continue
		}
		hall := func(v float32) float32 { return 100 * float32(math.Round(float64(v)/100)) }
		at := coords.Position{X: hall(p.Position.X) - 48.4, Y: 4501.64, Z: hall(p.Position.Z) + 19.1,
			Yaw: coords.Angle8(157).Radians()}
		all = append(all, Spawner{Key: key("n", at), Position: at, Area: p.Area, Level: 1,
			Types: []int{rules.NewcomersMonster}, Tutorial: true})
	}
	return all
}

func key(prefix string, at coords.Position) string {
	return fmt.Sprintf("%s:%d:%d", prefix, int(math.Round(float64(at.X))), int(math.Round(float64(at.Z))))
}

// wilds are the open country of a continent.
type wilds struct {
	land
	area    content.Area
	seed    uint64
	sketch  chart.Sketch
	census  *census
	balance *rules.SpawnBalance
	people  []coords.Position // where nobody wants to meet a monster, and the height is known
	zones   *rules.Zones
	coasts  map[int][]coast // by rows of squares from south to north: those that reach into the row
}

// A coast is a straight piece of the bounds of land.
type coast struct{ from, to chart.Point }

// coasts sorts the pieces of rings by rows of squares.
func coasts(rings [][]chart.Point) map[int][]coast {
	all := map[int][]coast{}
	for _, ring := range rings {
		p := ring[len(ring)-1]
		for _, q := range ring {
			for z := row(min(p.Z, q.Z)); z <= row(max(p.Z, q.Z)); z++ {
				all[z] = append(all[z], coast{p, q})
			}
			p = q
		}
	}
	return all
}

func row(z float64) int { return int(math.Floor(z / tile)) }

// zones are those of the content, and the habitats of all continents.
var zones = sync.OnceValue(func() *rules.Zones {
	var all []rules.Habitat
	for _, area := range content.Continents() {
		w := surroundings(area)
		add := func(letter byte, at coords.Position, metres float64) {
			at.Y = w.height(at)
			all = append(all, rules.Habitat{Letter: letter, Middle: at, Metres: metres})
		}
		if area.Key == "hyperion" {
			for _, at := range cemeteries {
				add(cemetery, at, graves)
			}
		}
		for _, r := range w.sketch.Regions {
			at := coords.Position{X: float32(r.At.X), Z: float32(r.At.Z)}
			switch r.Kind {
			case chart.Wood:
				add('F', at, 0)
			case chart.Mountains:
				add('M', at, 0)
			}
		}
	}
	return content.Zones().With(all)
})

// surroundings are the parts of a continent that do not depend on the balance.
func surroundings(area content.Area) *wilds {
	w := &wilds{area: area}
	w.sketch, _ = chart.Of(area.Key)
	w.coasts = coasts(w.sketch.Land)
	for _, p := range content.Places() {
		if p.Area == area.Key {
			w.people = append(w.people, p.Position)
		}
	}
	for _, n := range content.NPCs() {
		if n.Area == area.Key {
			w.people = append(w.people, n.Position)
		}
	}
	for _, p := range content.Portals() {
		if on, ok := content.AreaOf(p.Position); ok && on.Key == area.Key {
			w.people = append(w.people, p.Position)
		}
	}
	return w
}

func newWilds(area content.Area, of land, seed uint64, c *census, b *rules.SpawnBalance) *wilds {
	w := surroundings(area)
	w.land, w.seed, w.census, w.balance, w.zones = of, seed, c, b, zones()
	return w
}

// spawners goes through the squares of the continent from the south-west.
func (w *wilds) spawners() (all []Spawner) {
	low, high := bounds(w.sketch.Land)
	for z := low[1]; z <= high[1]; z++ {
		for x := low[0]; x <= high[0]; x++ {
			if s, ok := w.square(x, z); ok {
				all = append(all, s)
			}
		}
	}
	return all
}

// bounds are the first and the last squares of a continent.
func bounds(rings [][]chart.Point) (low, high [2]int) {
	low, high = [2]int{math.MaxInt, math.MaxInt}, [2]int{math.MinInt, math.MinInt}
	for _, ring := range rings {
		for _, p := range ring {
			x, z := int(math.Floor(p.X/tile)), int(math.Floor(p.Z/tile))
			low, high = [2]int{min(low[0], x), min(low[1], z)}, [2]int{max(high[0], x), max(high[1], z)}
		}
	}
	low = [2]int{max(low[0], -edge/tile), max(low[1], -edge/tile)}
	return low, [2]int{min(high[0], edge/tile-1), min(high[1], edge/tile-1)}
}

// square is the spawner of a square, if it has one.
func (w *wilds) square(x, z int) (Spawner, bool) {
	c := chance{w.seed<<48 ^ uint64(uint16(x))<<16 ^ uint64(uint16(z))}
	if c.below(1000) >= int(math.Round(1000*w.balance.Taken)) {
		return Spawner{}, false
	}
	for range tries {
		at := coords.Position{X: float32(10*tile*x+c.below(10*tile)) / 10, Z: float32(10*tile*z+c.below(10*tile)) / 10}
		if !w.free(at) {
			continue
		}
		if at.Y = w.height(at); !w.zones.Town(at, w.balance.TownFree+w.balance.Radius) {
			return w.spawner(at, &c), true
		}
	}
	return Spawner{}, false
}

// free reports whether a spawner may stand at a place, unless it is in a town: on land, and away from people and
// portals.
func (w *wilds) free(at coords.Position) bool {
	for i := range w.people {
		dx, dz := float64(w.people[i].X-at.X), float64(w.people[i].Z-at.Z)
		if dx*dx+dz*dz < w.balance.PersonFree*w.balance.PersonFree {
			return false
		}
	}
	return w.onLand(float64(at.X), float64(at.Z))
}

// toCity is how far the centre of the nearest city is, metres.
func (w *wilds) toCity(at coords.Position) float64 {
	nearest := math.Inf(1)
	for _, city := range content.Cities() {
		if city.Area == w.area.Key {
			nearest = min(nearest, flat(city.Position, at))
		}
	}
	return nearest
}

func flat(a, b coords.Position) float64 { return math.Hypot(float64(a.X-b.X), float64(a.Z-b.Z)) }

// onLand reports whether a point has an odd number of rings around it.
func (w *wilds) onLand(x, z float64) bool {
	in := false
	for _, c := range w.coasts[row(z)] {
		if p, q := c.from, c.to; (p.Z > z) != (q.Z > z) && x < (q.X-p.X)*(z-p.Z)/(q.Z-p.Z)+p.X {
			in = !in
		}
	}
	return in
}

func (w *wilds) spawner(at coords.Position, c *chance) Spawner {
	letter, more := w.letterOf(at), w.more
	if letter == cemetery {
		more += w.balance.Cemetery
	}
	level := max(w.balance.Level(w.toCity(at), more), 1)
	s := Spawner{Key: key(w.prefix, at), Position: at, Area: w.area.Key, Level: level, Spread: w.balance.SpreadOf(level)}
	s.Types = w.types(letter, level, c)
	return s
}

// height is guessed from the nearest points of known height, the nearer the more. At the 101 places in the open with
// a recorded spawner it is off by 4.0 m in the mean, and by 2.1 m at half of them.
//
// Source: protocol fight 6.4 c.
func (w *wilds) height(at coords.Position) float32 {
	type point struct{ square, y float64 }
	var near [12]point // the nearest first
	for i := range near {
		near[i].square = math.Inf(1)
	}
	for _, p := range w.people {
		dx, dz := float64(p.X-at.X), float64(p.Z-at.Z)
		next := point{max(dx*dx+dz*dz, nextTo*nextTo), float64(p.Y)}
		if next.square >= near[len(near)-1].square {
			continue
		}
		for i := range near {
			if next.square < near[i].square {
				next, near[i] = near[i], next
			}
		}
	}
	sum, weights := 0.0, 0.0
	for _, p := range near {
		sum, weights = sum+p.y/p.square, weights+1/p.square
	}
	return float32(math.Round(10*sum/weights) / 10)
}

// letterOf is the habitat at a place: that of the whole continent, if it has one.
func (w *wilds) letterOf(at coords.Position) byte {
	if w.letter != 0 {
		return w.letter
	}
	return w.zones.Habitat(at, w.balance.Woods)
}

// types draws the types of monsters of a spawner.
func (w *wilds) types(letter byte, level int, c *chance) (types []int) {
	could := slices.Clone(w.census.at(letter, level))
	if i := slices.Index(could, rules.RareType); i >= 0 && len(could) > 1 && letter != cemetery &&
		c.below(max(w.balance.Rare, 1)) != 0 {
		could = slices.Delete(could, i, i+1)
	}
	for len(could) > 0 && len(types) < max(w.balance.Types, 1) {
		i := c.below(len(could))
		types, could = append(types, could[i]), slices.Delete(could, i, i+1)
	}
	slices.Sort(types)
	return types
}

// A census lists the monsters of a habitat at a level. It counts once.
type census struct {
	tables *rules.Tables
	known  map[home][]int
}

func newCensus(t *rules.Tables) *census { return &census{t, map[home][]int{}} }

type home struct {
	letter byte
	level  int
}

// at lists the monsters of a habitat at a level, or else of the plains, or else those of the plains that are nearest
// in level. The list is not to be changed.
func (c *census) at(letter byte, level int) []int {
	h := home{letter, level}
	ids, counted := c.known[h]
	if !counted {
		const levels = 256 // more than there are
		ids = c.count(letter, level)
		for away := 0; len(ids) == 0 && away < levels; away++ {
			ids = slices.Concat(c.count(rules.Plains, level-away), c.count(rules.Plains, level+away))
			ids = slices.Compact(slices.Sorted(slices.Values(ids)))
		}
		c.known[h] = ids
	}
	return ids
}

func (c *census) count(letter byte, level int) (ids []int) {
	monsters := c.tables.Monsters()
	for i := range monsters {
		if monsters[i].Inhabits(letter, level) {
			ids = append(ids, monsters[i].ID)
		}
	}
	return ids
}

// targets are where one practises: outside of each city that has a tournament master, on its side.
func (w *wilds) targets() (all []Spawner) {
	for _, n := range content.NPCs() {
		if n.Kind != content.Tournaments || n.Area != w.area.Key {
			continue
		}
		city, metres, ok := content.NearestCity(n.Position)
		if !ok || metres < 1 {
			continue
		}
		out := (w.balance.TownFree + w.balance.Radius + byTown) / metres
		x := city.Position.X + float32(out)*(n.Position.X-city.Position.X)
		z := city.Position.Z + float32(out)*(n.Position.Z-city.Position.Z)
		at := coords.Position{X: tenth(x), Z: tenth(z)}
		at.Y = w.height(at)
		all = append(all, Spawner{Key: key("p", at), Position: at, Area: w.area.Key, Level: 1,
			Types: []int{rules.PracticeTarget}})
	}
	return all
}

// guardPost is how far from the middle of a town its guards stand, metres.
const guardPost = 12

// guards stand around the middles of towns. They are ours.
func guards(area content.Area, b *rules.SpawnBalance) (all []Spawner) {
	for _, city := range content.Cities() {
		for i := 0; city.Area == area.Key && i < b.Guards; i++ {
			angle := 2 * math.Pi * float64(i) / float64(b.Guards)
			at := city.Position
			at.X, at.Z = tenth(at.X+float32(guardPost*math.Sin(angle))), tenth(at.Z+float32(guardPost*math.Cos(angle)))
			at.Yaw = rules.Yaw(city.Position, at)
			all = append(all, Spawner{Key: key("g", at), Position: at, Area: area.Key, Level: b.GuardLevel,
				Types: []int{b.GuardType}, Alone: true, Mind: "town guard"})
		}
	}
	return all
}

func tenth(v float32) float32 { return float32(math.Round(float64(v)*10) / 10) }

// chance is a row of numbers that one square always has: "splitmix64".
type chance struct{ state uint64 }

// below returns a number from 0 to n-1.
func (c *chance) below(n int) int {
	c.state += 0x9E3779B97F4A7C15
	v := c.state
	v = (v ^ v>>30) * 0xBF58476D1CE4E5B9
	v = (v ^ v>>27) * 0x94D049BB133111EB
	return int((v ^ v>>31) % uint64(n))
}
