package chat

import (
	"math"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/server/ops"
)

// nearby is how close to the centre of a place, in metres, somebody is simply there.
const nearby = 15

// whereabouts says where a point is in words: "Шипстоун, 35 м к северу".
func whereabouts(at coords.Position, russian bool) string {
	area, ok := content.AreaOf(at)
	if !ok {
		return text("неизвестно где", "nowhere known").In(russian)
	}
	var nearest *content.Place
	metres := math.Inf(1)
	places := content.Places()
	for i := range places {
		p := &places[i]
		if d := at.Distance(p.Position); p.Area == area.Key && d < metres {
			nearest, metres = p, d
		}
	}
	name := text(area.Russian, area.English).In(russian)
	if nearest != nil {
		name = nearest.Name(russian)
	}
	if nearest == nil || metres < nearby {
		return name
	}
	return text("%s, %.0f м к %s", "%s, %.0f m to the %s").In(russian, name, metres, direction(nearest.Position, at))
}

// directions are the eight of the compass, from north over east.
var directions = [...]ops.Text{text("северу", "north"), text("северо-востоку", "north-east"),
	text("востоку", "east"), text("юго-востоку", "south-east"),
	text("югу", "south"), text("юго-западу", "south-west"), text("западу", "west"),
	text("северо-западу", "north-west")}

// direction is where b lies seen from a. North is where z grows and east where x does: so the places that are named
// after directions lie.
//
// Source: protocol gamerules 15.
func direction(a, b coords.Position) ops.Text {
	turn := math.Atan2(float64(b.X-a.X), float64(b.Z-a.Z)) / (math.Pi / 4)
	return directions[(int(math.Round(turn))+8)%8]
}
