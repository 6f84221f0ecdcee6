package wild

import (
	"math"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/world/rules"
)

// dungeon is the habitat of dungeons.
const dungeon = 'D'

const (
	// cell is the side of the squares that have dungeons and cemeteries in their middles, metres. What was recorded
	// inside of them is within 60 m of the middle.
	cell = 200
	// nearest and farthest are how far from the middle of a dungeon spawners stand, metres; clear is how far from the
	// place of arrival. Ours.
	nearest, farthest, clear = 12, 52, 20
)

// A surveyed place is one in a dungeon where a monster or a spawner was recorded.
type surveyed struct {
	x, y, z float32
	kind    int // type of monsters; 0: any that may be there
	level   int
}

// survey has all of them. What was recorded of the dungeon around (-2900, 100) is a monster of level 20 and nine
// spawners; its name is not known.
//
// Source: protocol fight 5, spawns.
var survey = [...]surveyed{
	{-1347.2, 1501.6, 143.5, rules.RareType, 26}, {-1311.1, 1501.6, 160.1, rules.RareType, 31},
	{-1281.2, 1501.6, 69.8, rules.RareType, 21},
	{-2872.2, 1501.6, 85.3, 1192, 20},
	{-2939.6, 1500.9, 100.7, 0, 20}, {-2934.6, 1491.0, 129.5, 0, 20}, {-2875.2, 1501.1, 144.6, 0, 20},
	{-2900.2, 1501.0, 73.3, 0, 20}, {-2945.1, 1500.1, 68.3, 0, 20}, {-2869.9, 1501.3, 81.4, 0, 20},
	{-2915.4, 1499.9, 151.8, 0, 20}, {-2900.2, 1490.9, 116.3, 0, 20}, {-2855.0, 1501.3, 129.7, 0, 20},
	{498.1, 1509.7, 52.4, 1080, 30},
}

// Surveyed returns the places in dungeons whose height is known.
func Surveyed() (all []coords.Position) {
	for _, s := range survey {
		all = append(all, coords.Position{X: s.x, Y: s.y, Z: s.z})
	}
	return all
}

// interiors are the spawners inside of dungeons, castle dungeons and cemeteries: where some were recorded just those,
// elsewhere around the middle, since only places of arrival are known.
func interiors(everybody *census, b *rules.SpawnBalance) (all []Spawner) {
	known := map[[2]int]bool{}
	for _, s := range survey {
		at := coords.Position{X: s.x, Y: s.y, Z: s.z}
		known[cellOf(at)] = true
		types := []int{s.kind}
		if s.kind == 0 {
			w := wilds{census: everybody, balance: b}
			types = w.types(dungeon, s.level, &chance{uint64(len(all))})
		}
		all = append(all, Spawner{Key: key("d", at), Position: at, Area: "dungeons", Level: s.level, Types: types,
			Known: true})
	}
	for _, p := range content.Places() {
		letter := byte(dungeon)
		switch p.Kind {
		case content.PlaceCemetery:
			letter = cemetery
		case content.PlaceDungeon, content.PlaceCastleDungeon:
		default:
			continue
		}
		if !known[cellOf(p.Position)] {
			all = append(all, around(p, letter, everybody, b)...)
		}
	}
	return all
}

func cellOf(at coords.Position) [2]int {
	return [2]int{int(math.Floor(float64(at.X) / cell)), int(math.Floor(float64(at.Z) / cell))}
}

// around are the spawners of a dungeon of which only the place of arrival is known: in a ring. Those below castles are
// of the level of the land around, if that is greater than that of dungeons.
func around(p content.Place, letter byte, everybody *census, b *rules.SpawnBalance) (all []Spawner) {
	level := b.Dungeon
	if out := content.Outside(p.Position); p.Kind == content.PlaceCastleDungeon {
		if area, ok := content.ContinentOf(out); ok {
			level = max(level, b.Level((&wilds{area: area}).toCity(out), lands(b)[area.Key].more))
		}
	}
	at, square := p.Position, cellOf(p.Position)
	c := chance{uint64(uint16(square[0]))<<16 ^ uint64(uint16(square[1])) ^ 1<<32}
	w := wilds{census: everybody, balance: b}
	for i := range b.DungeonPlaces {
		angle := 2 * math.Pi * (float64(i) + float64(c.below(500))/1000) / float64(b.DungeonPlaces)
		far := nearest + float64(c.below(10*(farthest-nearest)))/10
		at.X = tenth((float32(square[0])+0.5)*cell + float32(far*math.Sin(angle)))
		at.Z = tenth((float32(square[1])+0.5)*cell + float32(far*math.Cos(angle)))
		at.Yaw = 0
		if flat(at, p.Position) < clear {
			continue
		}
		all = append(all, Spawner{Key: key("d", at), Position: at, Area: p.Area, Level: level, Spread: b.SpreadOf(level),
			Types: w.types(letter, level, &c)})
	}
	return all
}
