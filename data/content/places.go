package content

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A PlaceKind is a kind of place.
type PlaceKind string

// The kinds of places.
const (
	PlaceCity          PlaceKind = "city"           // the middle of a city
	PlaceStart         PlaceKind = "start"          // where new characters begin
	PlaceWaking        PlaceKind = "waking"         // where the dead with a bad karma wake
	PlaceIsland        PlaceKind = "island"         // the island of choice
	PlaceArena         PlaceKind = "arena"          //
	PlaceToken         PlaceKind = "token"          // where a token leads
	PlaceCastle        PlaceKind = "castle"         // before a castle
	PlaceHall          PlaceKind = "hall"           // in a castle
	PlaceCastleDungeon PlaceKind = "castle-dungeon" // below a castle
	PlaceDungeon       PlaceKind = "dungeon"        // inside a dungeon that all share
	PlaceCemetery      PlaceKind = "cemetery"       // inside a cemetery
	PlaceTeleport      PlaceKind = "teleport"       // a teleport point in the open
	PlaceTavern        PlaceKind = "tavern"         // in a tavern
)

var placeKinds = []PlaceKind{PlaceCity, PlaceStart, PlaceWaking, PlaceIsland, PlaceArena, PlaceToken, PlaceCastle,
	PlaceHall, PlaceCastleDungeon, PlaceDungeon, PlaceCemetery, PlaceTeleport, PlaceTavern}

// A Place is a point of the world that has a name.
type Place struct {
	Key              string // stable, of small Latin letters, digits and hyphens
	Russian, English string // both in letters of Windows-1251
	Kind             PlaceKind
	Area             string          // key of the [Area] in which it lies
	Position         coords.Position // its yaw is 0 where none is known
	YawKnown         bool
	Source           string // section of the rules that the position is from
}

// Name returns the name in one of the two languages.
func (p Place) Name(russian bool) string {
	if russian {
		return p.Russian
	}
	return p.English
}

// gazetteer is the table of places, ready to be asked.
type gazetteer struct {
	places []Place
	cities []Place
	byKey  map[string]int // index in places
	byName map[string]int // by placeName of key and names
	names  []string       // all keys and names
}

var loadPlaces = embedded("places.tsv", parsePlaces)

var placeColumns = []string{"key", "kind", "area", "x", "y", "z", "yaw", "english", "russian", "source"}

// parsePlaces reads a table of places.
func parsePlaces(name, text string) (*gazetteer, error) {
	g := &gazetteer{byKey: map[string]int{}, byName: map[string]int{}}
	err := readTable(name, text, placeColumns, func(r *tableRow) {
		p := Place{Key: r.key("key"), Kind: choice(r, "kind", placeKinds...), Position: r.position("x", "y", "z"),
			YawKnown: r.known("yaw"), English: r.text("english"), Russian: r.text("russian"), Source: r.text("source")}
		if p.YawKnown {
			p.Position.Yaw = r.yaw("yaw")
		}
		p.Area = r.area("area", p.Position)
		if r.err == nil {
			r.err = g.add(p, r.where)
		}
	})
	return g, err
}

// area reads the key of the area that p lies in.
func (r *tableRow) area(column string, p coords.Position) string {
	a, ok := AreaOf(p)
	if r.err == nil && !ok {
		r.err = fmt.Errorf("%s: y is %v, where no area is known", r.where, p.Y)
	}
	return choice(r, column, a.Key)
}

func (g *gazetteer) add(p Place, where string) error {
	i := len(g.places)
	g.byKey[p.Key] = i
	for _, name := range []string{p.Key, p.English, p.Russian} {
		plain := placeName(name)
		if j, taken := g.byName[plain]; taken && j != i {
			return fmt.Errorf("%s: %q is also what %s is called", where, name, g.places[j].Key)
		}
		g.byName[plain] = i
		g.names = append(g.names, name)
	}
	g.places = append(g.places, p)
	if p.Kind == PlaceCity {
		g.cities = append(g.cities, p)
	}
	return nil
}

// placeName is equal for ways to write one name: case, ё, and all but letters and digits do not matter.
func placeName(name string) string {
	return strings.Map(func(r rune) rune {
		switch r = unicode.ToLower(r); {
		case r == 'ё':
			return 'е'
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			return r
		}
		return -1
	}, name)
}

// Places returns all places, in the order of the table. The slice is shared and not to be changed.
func Places() []Place { return loadPlaces().places }

// Cities returns the centres of the cities. The slice is shared and not to be changed.
func Cities() []Place { return loadPlaces().cities }

// PlaceByKey returns the place with exactly this key.
func PlaceByKey(key string) (Place, bool) {
	g := loadPlaces()
	return g.at(g.byKey, key)
}

func (g *gazetteer) at(index map[string]int, name string) (Place, bool) {
	i, ok := index[name]
	if !ok {
		return Place{}, false
	}
	return g.places[i], true
}

// FindPlace returns the place with this key, or this name in either language. Case, ё and е, spaces, hyphens and
// quotation marks make no difference.
func FindPlace(name string) (Place, bool) {
	g := loadPlaces()
	return g.at(g.byName, placeName(name))
}

// NearestPlace returns the place that name most likely means, and how that is written: a key or a name in the
// language that was tried; false when nothing is near.
func NearestPlace(name string) (place Place, written string, ok bool) {
	const longest = 100 // bytes; no name is as long, and comparing takes time
	if len(name) > longest {
		return Place{}, "", false
	}
	g := loadPlaces()
	if written, ok = rules.Nearest(name, g.names); ok {
		place, ok = g.at(g.byName, placeName(written))
	}
	return place, written, ok
}

// NearestCity returns the city nearest to a place on the same continent, and the distance to its centre in metres;
// false inside of something, where continents cannot be told.
func NearestCity(p coords.Position) (city Place, metres float64, ok bool) {
	here, ok := ContinentOf(p)
	if !ok {
		return Place{}, 0, false
	}
	metres = math.Inf(1)
	for _, c := range Cities() {
		if d := p.Distance(c.Position); c.Area == here.Key && d < metres {
			city, metres = c, d
		}
	}
	return city, metres, !math.IsInf(metres, 1)
}
