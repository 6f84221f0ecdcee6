// Package chart draws the base of a map from data/content: land around places and townsfolk, lakes, roads, and the
// woods and mountains in the names of places. It is a sketch: nobody has surveyed the coasts, and no picture of the
// game's is used.
package chart

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"sphereserver/data/content"
)

// A Sketch is the drawing of one continent.
type Sketch struct {
	// Land is bounded by closed rings. Places inside of an even number of them are water.
	Land    [][]Point
	Roads   []Road
	Regions []Region
}

// A Road goes from a city to another, or to a place on the way.
type Road struct {
	From, To string // keys of places
	Line     []Point
}

// The kinds of regions.
const (
	Lake      = "lake"
	Wood      = "wood"
	Mountains = "mountains"
)

// A Region is the surroundings of a place that its name describes.
type Region struct {
	Kind             string
	Russian, English string // of a lake; others are called as their place is
	At               Point
}

// Of returns the sketch of a continent by its key, or nothing of an interior. It is shared and not to be changed.
func Of(area string) (Sketch, bool) {
	s, ok := sketches()[area]
	return s, ok
}

// sketches draws all continents at once, since a start waits for them.
var sketches = sync.OnceValue(func() map[string]Sketch {
	continents := content.Continents()
	drawn := make([]Sketch, len(continents))
	var wait sync.WaitGroup
	for i := range continents {
		wait.Go(func() { drawn[i] = draw(continents[i].Key) })
	}
	wait.Wait()
	all := map[string]Sketch{}
	for i := range continents {
		all[continents[i].Key] = drawn[i]
	}
	return all
})

// draw makes the sketch of a continent.
func draw(area string) Sketch {
	var places []content.Place
	var known, islands []Point
	for _, p := range content.Places() {
		if p.Area != area {
			continue
		}
		places = append(places, p)
		if p.Kind == content.PlaceIsland {
			islands = append(islands, at(p))
		} else {
			known = append(known, at(p))
		}
	}
	for _, t := range content.NPCs() {
		if t.Area == area {
			known = append(known, Point{float64(t.Position.X), float64(t.Position.Z)})
		}
	}
	s := Sketch{Roads: roads(places)}
	waters := lakes(places)
	s.Regions = regions(places, waters)
	dry := slices.Clone(known) // a continent is in one piece: it reaches from each point to the next
	for _, r := range s.Roads {
		known, dry = append(known, r.Line...), append(dry, r.Line...)
	}
	s.Land = newGround(tree(thinned(known)), islands).rings(waters, dry)
	return s
}

func at(p content.Place) Point { return Point{float64(p.Position.X), float64(p.Position.Z)} }

var lakeOf = regexp.MustCompile(`(\w+) Lake$`)

// lakes finds them by the islands in them: "Heber Island Temer Lake". Islands that no one water reaches are in two
// lakes of that name.
func lakes(places []content.Place) (all []lake) {
	for _, p := range places {
		name := lakeOf.FindStringSubmatch(p.English)
		if name == nil || !strings.Contains(p.English, " Island ") {
			continue
		}
		i := slices.IndexFunc(all, func(l lake) bool {
			return l.english == name[1] && nearest(at(p), l.islands) < 2.5*lakeReach
		})
		if i < 0 {
			words := strings.Fields(p.Russian)
			i, all = len(all), append(all, lake{russian: words[len(words)-1], english: name[1]})
		}
		all[i].islands = append(all[i].islands, at(p))
	}
	return all
}

func regions(places []content.Place, waters []lake) (all []Region) {
	for _, l := range waters {
		var middle Point
		for _, p := range l.islands {
			middle.X += p.X / float64(len(l.islands))
			middle.Z += p.Z / float64(len(l.islands))
		}
		all = append(all, Region{Lake, "озеро " + l.russian, "Lake " + l.english, middle})
	}
	for _, p := range places {
		switch {
		case strings.Contains(p.English, "Forest"):
			all = append(all, Region{Kind: Wood, At: at(p)})
		case strings.Contains(p.English, "Mountain"):
			all = append(all, Region{Kind: Mountains, At: at(p)})
		}
	}
	return all
}

// detour is how far a bridge may lie from the straight way of the road that goes over it, metres.
const detour = 600

// roads finds them by the places on them: "Shipstone Sunpool Road" lies between two cities, "Northern Road" on the way
// from the nearest. A bridge belongs to the road that passes by it.
func roads(places []content.Place) (all []Road) {
	var cities, bridges []content.Place
	for _, p := range places {
		switch {
		case p.Kind == content.PlaceCity:
			cities = append(cities, p)
		case strings.Contains(p.English, "Bridge"):
			bridges = append(bridges, p)
		}
	}
	ways := waysBetween(cities, places)
	for _, b := range bridges {
		best, least := -1, float64(detour)
		for i := range ways {
			if d := off(at(b), ways[i].line()); d < least {
				best, least = i, d
			}
		}
		if best >= 0 {
			ways[best].over = append(ways[best].over, at(b))
		}
	}
	for i := range ways {
		w := &ways[i]
		all = append(all, Road{w.from.Key, w.to.Key, bent(w.line())})
	}
	return all
}

// A way is a road before it is drawn: its ends, and the places on it in any order.
type way struct {
	from, to content.Place
	over     []Point
}

func (w *way) line() []Point { return inOrder(at(w.from), w.over, at(w.to)) }

// waysBetween returns the ways that places with "Road" in their names lie on.
func waysBetween(cities, places []content.Place) (ways []way) {
	for _, p := range places {
		if p.Kind != content.PlaceTeleport || !strings.Contains(p.English, "Road") || len(cities) == 0 {
			continue
		}
		var ends []content.Place
		for _, c := range cities {
			if strings.Contains(p.English, c.English) {
				ends = append(ends, c)
			}
		}
		if len(ends) != 2 {
			near := slices.MinFunc(cities, func(a, b content.Place) int {
				return cmp.Compare(at(a).distance(at(p)), at(b).distance(at(p)))
			})
			ways = append(ways, way{from: near, to: p})
			continue
		}
		i := slices.IndexFunc(ways, func(w way) bool { return w.from.Key == ends[0].Key && w.to.Key == ends[1].Key })
		if i < 0 {
			i, ways = len(ways), append(ways, way{from: ends[0], to: ends[1]})
		}
		ways[i].over = append(ways[i].over, at(p))
	}
	return ways
}

// inOrder goes from one end to the other, always to the nearest point that is left.
func inOrder(from Point, over []Point, to Point) []Point {
	line, left := []Point{from}, slices.Clone(over)
	for here := from; len(left) > 0; here = line[len(line)-1] {
		next := 0
		for i, p := range left {
			if p.distance(here) < left[next].distance(here) {
				next = i
			}
		}
		line, left = append(line, left[next]), slices.Delete(left, next, next+1)
	}
	return append(line, to)
}

// off is how far a point is from a line.
func off(p Point, line []Point) float64 {
	least := math.Inf(1)
	for i := range len(line) - 1 {
		a, b := line[i], line[i+1]
		dx, dz := b.X-a.X, b.Z-a.Z
		share := max(0, min(1, ((p.X-a.X)*dx+(p.Z-a.Z)*dz)/max(1, dx*dx+dz*dz)))
		least = min(least, p.distance(Point{a.X + share*dx, a.Z + share*dz}))
	}
	return least
}

// stride is about how far the points of a road are from each other, metres.
const stride = 80

// bent is a Catmull-Rom spline through the points of a line.
func bent(line []Point) []Point {
	bends := []Point{line[0]}
	for i := range len(line) - 1 {
		a, b, c, d := line[max(0, i-1)], line[i], line[i+1], line[min(len(line)-1, i+2)]
		steps := int(math.Ceil(b.distance(c) / stride))
		for n := 1; n <= steps; n++ {
			t := float64(n) / float64(steps)
			bends = append(bends, Point{spline(a.X, b.X, c.X, d.X, t), spline(a.Z, b.Z, c.Z, d.Z, t)})
		}
	}
	return bends
}

func spline(a, b, c, d, t float64) float64 {
	return (2*b + (c-a)*t + (2*a-5*b+4*c-d)*t*t + (3*b-a-3*c+d)*t*t*t) / 2
}
