package ops

import (
	"math"

	"sphereserver/coords"
	"sphereserver/data/content"
)

// nearby is how close to the centre of a place, in metres, a character is simply there.
const nearby = 15

// roomsReach is how far from a place, in metres, the rooms apart from the continents are still called after it.
const roomsReach = 400

// Where says where a point is, for people: "Шипстоун, 35 м к северу".
func Where(at coords.Position) Text {
	area, ok := content.AreaOf(at)
	if !ok {
		return Text{"неизвестно где", "nowhere known"}
	}
	var nearest *content.Place
	metres := math.Inf(1)
	places := content.Places()
	for i := range places {
		p := &places[i]
		if p.Kind == content.PlaceToken { // its city is near, and has the shorter name
			continue
		}
		if d := at.Distance(p.Position); p.Area == area.Key && d < metres {
			nearest, metres = p, d
		}
	}
	if nearest == nil || !area.Open && metres > roomsReach {
		return Text{area.Russian, area.English}
	}
	name := Text{nearest.Name(true), nearest.Name(false)}
	if metres < nearby {
		return name
	}
	t, to := Text{"%s, %.0f м к %s", "%s, %.0f m to the %s"}, Direction(nearest.Position, at)
	return Text{t.In(true, name, metres, to), t.In(false, name, metres, to)}
}

// directions are the eight of the compass, from north over east.
var directions = [...]Text{{"северу", "north"}, {"северо-востоку", "north-east"},
	{"востоку", "east"}, {"юго-востоку", "south-east"},
	{"югу", "south"}, {"юго-западу", "south-west"}, {"западу", "west"},
	{"северо-западу", "north-west"}}

// Direction is where b lies seen from a. North is where z grows and east where x does: so the places that are named
// after directions lie.
//
// Source: protocol gamerules 15.
func Direction(a, b coords.Position) Text {
	turn := math.Atan2(float64(b.X-a.X), float64(b.Z-a.Z)) / (math.Pi / 4)
	return directions[(int(math.Round(turn))+8)%8]
}
