package content

import (
	"math"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// WakingPlace is where somebody with a type of karma lives again who has died at a place: in the nearest city of the
// continent; with bad karma near a town but outside; with a very bad one far from all. Elsewhere than on Hyperion no such
// places are known, so the teleport point farthest from all cities stands for them. Of the newcomers' dungeon its start is
// that place for everybody. An interior belongs to no continent: whoever dies there wakes as on Hyperion.
//
// Source: protocol fight 8.3.
func WakingPlace(died coords.Position, karma int) coords.Position {
	area, _ := AreaOf(died)
	near := func(p coords.Position) float64 { return -p.Distance(died) }
	if start, ok := placeOf(PlaceStart, area.Key, near); ok && !area.Open {
		return start
	}
	if !area.Open {
		area = areas[0]
	}
	if karma <= rules.KarmaBad {
		at, ok := placeOf(PlaceWaking, area.Key, func(p coords.Position) float64 {
			if lonely, _ := PlaceByKey(outcasts); (lonely.Position == p) != (karma == rules.KarmaVeryBad) {
				return math.Inf(-1)
			}
			return near(p)
		})
		if !ok {
			at, ok = placeOf(PlaceTeleport, area.Key, farFromCities)
		}
		if ok {
			return at
		}
	}
	if city, ok := placeOf(PlaceCity, area.Key, near); ok {
		return city
	}
	return died
}

// outcasts is the key of the place where those of very bad karma wake.
const outcasts = "wake-very-bad"

// farFromCities is how far a place is from the nearest city.
func farFromCities(p coords.Position) float64 {
	least := math.Inf(1)
	for _, c := range Cities() {
		least = min(least, c.Position.Distance(p))
	}
	return least
}

// placeOf is the place of a kind and an area of which rank says most; false for none of which it says more than -Inf.
func placeOf(kind PlaceKind, area string, rank func(coords.Position) float64) (best coords.Position, ok bool) {
	most := math.Inf(-1)
	for _, p := range Places() {
		if p.Kind == kind && p.Area == area && rank(p.Position) > most {
			most, best, ok = rank(p.Position), p.Position, true
		}
	}
	return best, ok
}

// PeacefulPlaces says whether players do not fight each other at a place: in cities, around traders and bankers, in the
// dungeon of newcomers, in taverns and halls. Distances are metres.
//
// Source: protocol fight 12.2.
func PeacefulPlaces(city, trader float64) func(coords.Position) bool {
	type circle struct {
		at coords.Position
		r  float64
	}
	var circles []circle
	for _, c := range Cities() {
		circles = append(circles, circle{c.Position, city})
	}
	for _, n := range NPCs() {
		if n.Kind == Trader || n.Kind == Banker {
			circles = append(circles, circle{n.Position, trader})
		}
	}
	return func(at coords.Position) bool {
		if a, ok := AreaOf(at); ok && (a.Key == "halls" || a.Key == "newcomers") {
			return true
		}
		for _, c := range circles {
			if c.at.Distance(at) <= c.r {
				return true
			}
		}
		return false
	}
}
