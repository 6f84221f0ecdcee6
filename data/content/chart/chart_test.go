package chart

import (
	"math"
	"slices"
	"testing"

	"sphereserver/data/content"
)

// surrounded is how many rings surround a point.
func surrounded(rings [][]Point, p Point) (n int) {
	for _, ring := range rings {
		in := false
		for i, a := range ring {
			b := ring[(i+1)%len(ring)]
			if (a.Z > p.Z) != (b.Z > p.Z) && p.X < a.X+(p.Z-a.Z)/(b.Z-a.Z)*(b.X-a.X) {
				in = !in
			}
		}
		if in {
			n++
		}
	}
	return n
}

func TestWhateverIsKnownStandsOnLand(t *testing.T) {
	stands := func(name, area string, p Point) {
		if s, open := Of(area); open && surrounded(s.Land, p)%2 == 0 {
			t.Errorf("%s is in the water of %s at %v", name, area, p)
		}
	}
	for _, p := range content.Places() {
		stands(p.Key, p.Area, at(p))
	}
	for _, p := range content.NPCs() {
		stands(p.Key, p.Area, Point{float64(p.Position.X), float64(p.Position.Z)})
	}
	for _, a := range content.Continents() {
		s, _ := Of(a.Key)
		for _, r := range s.Roads {
			for _, p := range r.Line {
				stands("the road to "+r.To, a.Key, p)
			}
		}
	}
}

func TestTheSeaSurroundsEachContinent(t *testing.T) {
	for _, a := range content.Continents() {
		s, _ := Of(a.Key)
		if len(s.Land) == 0 {
			t.Fatalf("%s has no land", a.Key)
		}
		whole := slices.MaxFunc(s.Land, func(a, b []Point) int { return len(a) - len(b) })
		city := slices.IndexFunc(content.Cities(), func(p content.Place) bool { return p.Area == a.Key })
		if surrounded([][]Point{whole}, at(content.Cities()[city])) != 1 {
			t.Errorf("%s: its longest coast does not surround %s", a.Key, content.Cities()[city].Key)
		}
		for _, ring := range s.Land {
			for i, p := range ring {
				if far := p.distance(ring[(i+1)%len(ring)]); far > 2*cell || math.IsNaN(far) {
					t.Fatalf("%s: its coast jumps %v m at %v", a.Key, far, p)
				}
			}
		}
	}
	s, _ := Of("hyperion")
	isle, _ := content.PlaceByKey("choice-island")
	for _, ring := range s.Land {
		if city, _ := content.PlaceByKey("shipstone"); surrounded([][]Point{ring}, at(isle)) == 1 &&
			surrounded([][]Point{ring}, at(city)) == 1 {
			t.Error("the island of choice is no island")
		}
	}
	if _, open := Of("halls"); open {
		t.Error("interiors have no coast")
	}
}

func TestNamesOfPlacesTellOfRoadsLakesAndWoods(t *testing.T) {
	s, _ := Of("hyperion")
	between := map[[2]string]float64{}
	for _, r := range s.Roads {
		for i := range len(r.Line) - 1 {
			between[[2]string{r.From, r.To}] += r.Line[i].distance(r.Line[i+1])
		}
	}
	for _, ends := range [][2]string{{"shipstone", "bangville"}, {"shipstone", "torweal"}, {"shipstone", "sunpool"},
		{"bangville", "sunpool"}, {"torweal", "sunpool"}, {"shipstone", "northern-road"}} {
		a, _ := content.PlaceByKey(ends[0])
		b, _ := content.PlaceByKey(ends[1])
		if long := between[ends]; long < 0.999*at(a).distance(at(b)) || long > 2*at(a).distance(at(b)) {
			t.Errorf("the road from %s to %s is %.0f m long", ends[0], ends[1], long)
		}
	}
	kinds := map[string]int{}
	for _, r := range s.Regions {
		kinds[r.Kind]++
		if r.Kind == Lake && (r.Russian == "" || r.English == "") {
			t.Errorf("a lake without a name at %v", r.At)
		}
	}
	if kinds[Lake] != 4 || kinds[Wood] != 5 || kinds[Mountains] != 3 { // two lakes are called Vortex
		t.Errorf("expected 4 lakes, 5 woods and 3 mountains, found %v", kinds)
	}
	for _, l := range lakes(content.Places()) {
		for _, p := range l.islands {
			if n := surrounded(s.Land, p); n != 3 { // by its own shore, the lake's, and the coast
				t.Errorf("the island at %v in Lake %s is surrounded by %d shores", p, l.english, n)
			}
		}
	}
}
