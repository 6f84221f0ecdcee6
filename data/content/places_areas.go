package content

import (
	"sphereserver/coords"
)

// An Area is a part of the world that its height alone tells from the others: a continent, or all interiors of one
// kind.
type Area struct {
	Key              string // stable, of small Latin letters and hyphens
	Russian, English string
	From, Below      float32 // y of all that belongs to it, metres
	Open             bool    // a continent, and no interior
}

// areas holds the continents first. All share one space of coordinates, and their boxes overlap when seen from above,
// but their grounds lie at different heights: Hyperion's near 155, Haron's near 405, Phoebe's near -105, Rodos's near
// -345. The borders of the continents here are half-way between; those of the interiors leave 50 m around their known
// places.
//
// Source: protocol gamerules 1, where the heights are measured; that they tell the continents apart is inferred.
var areas = []Area{
	{"hyperion", "Гиперион", "Hyperion", 25, 280, true},
	{"haron", "Харон", "Haron", 280, 750, true},
	{"phoebe", "Феб", "Phoebe", -225, 25, true},
	{"rodos", "Родос", "Rodos", coords.MinY, -225, true},
	{"halls", "залы замков и трактиры", "castle halls and taverns", 1050, 1150, false},
	{"dungeons", "подземелья и кладбища", "dungeons and cemeteries", 1450, 1560, false},
	{"castle-dungeons", "подземелья замков", "castle dungeons", 1650, 1750, false},
	{"newcomers", "подземелья новичков", "newcomers' dungeons", 4450, 4750, false},
}

const continents = 4

// Areas returns all known parts of the world, continents first. The slice is shared and not to be changed.
func Areas() []Area { return areas }

// Continents returns the parts of the open world. The slice is shared and not to be changed.
func Continents() []Area { return areas[:continents:continents] }

// AreaOf returns the part of the world that a place belongs to; false at heights where nothing is known.
func AreaOf(p coords.Position) (Area, bool) {
	for _, a := range areas {
		if p.Y >= a.From && p.Y < a.Below {
			return a, true
		}
	}
	return Area{}, false
}

// Disconnected says that nobody can walk from one place to the other, since they belong to different parts of the
// world, or the second to none. From where nothing is known one may go anywhere.
func Disconnected(from, to coords.Position) bool {
	a, known := AreaOf(from)
	b, ok := AreaOf(to)
	return known && (!ok || a.Key != b.Key)
}

// ContinentOf returns the continent that a place in the open lies on; false for castle halls, dungeons and such, which
// may belong to any of them.
func ContinentOf(p coords.Position) (Area, bool) {
	a, ok := AreaOf(p)
	if !ok || !a.Open {
		return Area{}, false
	}
	return a, true
}
