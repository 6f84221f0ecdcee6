package game

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"sphereserver/coords"
	"sphereserver/data/content"
)

// ParsePlace reads a place of the table of places by key or name, or coordinates "X Y Z" with a turn or without.
func ParsePlace(words string) (coords.Position, error) {
	if p, ok := content.FindPlace(words); ok {
		return p.Position, nil
	}
	at, isPoint, err := parsePoint(strings.Fields(words))
	switch {
	case isPoint:
		return at, err
	default:
		if _, near, ok := content.NearestPlace(words); ok {
			return at, fmt.Errorf("no place is called %q; did you mean %q?", words, near)
		}
		return at, fmt.Errorf("expected the name of a place, or \"X Y Z\", found %q", words)
	}
}

// parsePoint reads coordinates; isPoint says that they are meant to be some.
func parsePoint(words []string) (at coords.Position, isPoint bool, err error) {
	if len(words) != 3 && len(words) != 4 {
		return at, false, nil
	}
	for i, to := range []*float32{&at.X, &at.Y, &at.Z, &at.Yaw}[:len(words)] {
		v, err := strconv.ParseFloat(strings.TrimRight(words[i], ","), 32)
		if err != nil {
			return coords.Position{}, false, nil
		}
		*to = float32(v)
	}
	return at, true, at.Check()
}

// nearby is how close to the centre of a place, in metres, somebody is simply there.
const nearby = 15

// whereabouts says where a point is in words: "Шипстоун, 35 м к северу".
func whereabouts(at coords.Position, l Language) string {
	area, ok := content.AreaOf(at)
	if !ok {
		return text{"неизвестно где", "nowhere known"}.in(l)
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
	name := area.Russian
	if l == English {
		name = area.English
	}
	if nearest != nil {
		name = nearest.Name(l == Russian)
	}
	if nearest == nil || metres < nearby {
		return name
	}
	return fmt.Sprintf(text{"%s, %.0f м к %s", "%s, %.0f m to the %s"}.in(l), name, metres,
		direction(nearest.Position, at).in(l))
}

// directions are the eight of the compass, from north over east.
var directions = [...]text{{"северу", "north"}, {"северо-востоку", "north-east"},
	{"востоку", "east"}, {"юго-востоку", "south-east"},
	{"югу", "south"}, {"юго-западу", "south-west"}, {"западу", "west"},
	{"северо-западу", "north-west"}}

// direction is where b lies seen from a. North is where z grows and east where x does: so the places that are named
// after directions lie.
//
// Source: protocol gamerules 15.
func direction(a, b coords.Position) text {
	turn := math.Atan2(float64(b.X-a.X), float64(b.Z-a.Z)) / (math.Pi / 4)
	return directions[(int(math.Round(turn))+8)%8]
}

func parseCount(word string) (int, error) { return strconv.Atoi(word) }
