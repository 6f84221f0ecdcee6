package content

import (
	"math"
	"strings"
	"sync"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// along is the distance of two points along the ground.
func along(a, b coords.Position) float64 { return math.Hypot(float64(a.X-b.X), float64(a.Z-b.Z)) }

// Revival is where a character with karma of a band, 1 to 5, revives after a death at a place: in the newcomers'
// dungeon at its start, else on the square of the nearest city; with a bad karma outside of it, and with a very bad
// one far away. A character that has died inside of a dungeon comes out of it first.
//
// Source: protocol fight 8.3.
func Revival(at coords.Position, band int) coords.Position {
	area, known := AreaOf(at)
	if start, ok := nearestOf(at, area.Key, PlaceStart); known && ok {
		return start.Position
	}
	if !area.Open {
		at = Outside(at)
		area, _ = AreaOf(at)
	}
	city, ok := nearestOf(at, area.Key, PlaceCity)
	if !ok {
		city = Cities()[0]
	}
	if band >= rules.KarmaNeutral || band < rules.KarmaVeryBad {
		return city.Position
	}
	if band == rules.KarmaBad {
		if p, ok := nearest(at, func(p Place) bool {
			return p.Area == area.Key && p.Kind == PlaceWaking && p.Key != lonely
		}); ok {
			return p.Position
		}
	}
	if p, ok := PlaceByKey(lonely); ok && p.Area == area.Key {
		return p.Position
	}
	// No such points of the other continents are known: take the place farthest from the city.
	far := city
	for _, p := range Places() {
		if p.Area == area.Key && along(p.Position, city.Position) > along(far.Position, city.Position) {
			far = p
		}
	}
	return far.Position
}

// lonely is the key of where those with a very bad karma live again.
const lonely = "wake-very-bad"

// nearest is the nearest place of those wanted.
func nearest(at coords.Position, wanted func(Place) bool) (place Place, ok bool) {
	least := math.Inf(1)
	for _, p := range Places() {
		if d := along(p.Position, at); d < least && wanted(p) {
			place, least, ok = p, d, true
		}
	}
	return place, ok
}

func nearestOf(at coords.Position, area string, kind PlaceKind) (Place, bool) {
	return nearest(at, func(p Place) bool { return p.Area == area && p.Kind == kind })
}

// Outside is where one comes out of the castle, tavern or dungeon in which a place lies: at the portal that leads
// there, else where a place in the open has the beginning of its name, as far as either is known.
func Outside(at coords.Position) coords.Position {
	area, _ := AreaOf(at)
	in, ok := nearest(at, func(p Place) bool { return p.Area == area.Key })
	if !ok {
		return Cities()[0].Position
	}
	for _, p := range Portals() {
		if from, open := ContinentOf(p.Position); open && from.Open && p.Leads && p.Place == in.Key {
			return p.Position
		}
	}
	found := Cities()[0]
	longest := 0
	for _, p := range Places() {
		if _, open := ContinentOf(p.Position); open && len(p.Key) > longest && strings.HasPrefix(in.Key, p.Key+"-") {
			found, longest = p, len(p.Key)
		}
	}
	return found.Position
}

// Zones are the towns, and where there is peace: in towns, near traders and bankers outside of them, where newcomers
// begin, in taverns and guild halls; not so in castles.
//
// Source: protocol fight 12.2.
var Zones = sync.OnceValue(func() *rules.Zones {
	var towns, traders []coords.Position
	for _, c := range Cities() {
		towns = append(towns, c.Position)
	}
	for _, t := range NPCs() {
		if area, known := AreaOf(t.Position); known && area.Open && (t.Kind == Trader || t.Kind == Banker) {
			traders = append(traders, t.Position)
		}
	}
	return rules.NewZones(rules.ZonePlaces{Towns: towns, Traders: traders, Indoors: indoors})
})

// indoors reports whether a place is inside of something, and whether there is peace.
func indoors(at coords.Position) (is, peaceful bool) {
	area, known := AreaOf(at)
	switch {
	case !known:
		return true, false
	case area.Open:
		return false, false
	}
	if _, newcomers := nearestOf(at, area.Key, PlaceStart); newcomers {
		return true, true
	}
	if _, taverns := nearestOf(at, area.Key, PlaceTavern); !taverns {
		return true, false
	}
	const hall = 100 // metres: halls stand 200 m apart
	castle, ok := nearestOf(at, area.Key, PlaceHall)
	return true, !ok || along(castle.Position, at) > hall
}
