// Package geography tells pages the world of the tables: its parts, places, townsfolk and portals. Any player that
// walks there may know it.
package geography

import (
	"math"
	"slices"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/data/content/chart"
	"sphereserver/server/ops"
	"sphereserver/world/rules"
)

func both(russian, english string) ops.Text { return ops.Text{Russian: russian, English: english} }

type (
	// World is the content of the map.
	World struct {
		Peace     float64    `json:"peace"`   // metres around the middle of a city in which is peace
		Version   string     `json:"version"` // of the drawn land: an address of a tile may end with ?v= and this
		Areas     []Area     `json:"areas"`
		Places    []Place    `json:"places"`
		Townsfolk []Townsman `json:"townsfolk"`
		Portals   []Portal   `json:"portals"`
	}
	// Area is a part of the world: a continent, or rooms apart from it.
	Area struct {
		Key    string      `json:"key"`
		Name   ops.Text    `json:"name"`
		Open   bool        `json:"open"`
		Bounds *[4]float64 `json:"bounds"` // least x and z, greatest x and z, of the known places; null when there are none
		Relief *[4]float64 `json:"relief"` // the same of its land, where that was imported; else null
		Sketch *Sketch     `json:"sketch"` // null for interiors
	}
	// Sketch is the drawn base of a continent. Lines are x and z of one point after the other.
	Sketch struct {
		Land    [][]int  `json:"land"` // closed; places inside of an even number of them are water
		Roads   []Road   `json:"roads"`
		Regions []Region `json:"regions"`
	}
	// Road leads from one place to another.
	Road struct {
		From string `json:"from"` // keys of places
		To   string `json:"to"`
		Line []int  `json:"line"`
	}
	// Region is a stretch of a continent.
	Region struct {
		Kind string   `json:"kind"` // lake, wood or mountains
		Name ops.Text `json:"name"` // of lakes
		X    int      `json:"x"`
		Z    int      `json:"z"`
	}
	// Place has a name.
	Place struct {
		Key  string   `json:"key"`
		Name ops.Text `json:"name"`
		Kind string   `json:"kind"`
		Point
	}
	// Townsman stands there and is not attacked.
	Townsman struct {
		Key        string   `json:"key"`
		Label      ops.Text `json:"label"`
		Kind       string   `json:"kind"`
		Occupation string   `json:"occupation"`
		Angle      float64  `json:"angle"` // radians, as yaw
		Town       string   `json:"town,omitempty"`
		Point
	}
	// Portal is a door, a teleport or a token that takes players somewhere.
	Portal struct {
		Key   string  `json:"key"`
		Class int     `json:"class"`
		Angle float64 `json:"angle"`
		Place string  `json:"place,omitempty"` // key of where it leads
		To    *Point  `json:"to,omitempty"`
		Point
	}
	// Point is a point in metres, with the key of the area it lies in.
	Point struct {
		Area string  `json:"area"`
		X    float64 `json:"x"`
		Y    float64 `json:"y"`
		Z    float64 `json:"z"`
	}
)

// At is a place of the world as pages read it.
func At(p coords.Position) Point {
	a, _ := content.AreaOf(p)
	return Point{a.Key, Centimetres(p.X), Centimetres(p.Y), Centimetres(p.Z)}
}

// Centimetres rounds metres to hundredths.
func Centimetres(v float32) float64 { return math.Round(float64(v)*100) / 100 }

// margin is the distance from the known places of an area to its bounds, in metres.
const margin = 100

// Whole is the world as it stands in the tables, and the peace around cities that a balance gives them. All else does
// not change while the server runs.
func Whole(b *rules.Balance) World {
	m := World{Peace: b.Duel.City}
	bounds := map[string]*[4]float64{}
	know := func(p Point) Point {
		b := bounds[p.Area]
		if b == nil {
			b = &[4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
			bounds[p.Area] = b
		}
		*b = [4]float64{min(b[0], p.X-margin), min(b[1], p.Z-margin), max(b[2], p.X+margin), max(b[3], p.Z+margin)}
		return p
	}
	for _, p := range content.Places() {
		m.Places = append(m.Places, Place{p.Key, both(p.Russian, p.English), string(p.Kind), know(At(p.Position))})
	}
	for _, l := range content.Landmarks() {
		if l.Kind != "broken-teleport" && l.Kind != "great-teleport" { // those stand among the portals
			m.Places = append(m.Places, Place{"landmark-" + l.Key, both(l.Russian, l.English), "landmark", know(At(l.Position))})
		}
	}
	for _, t := range content.NPCs() {
		m.Townsfolk = append(m.Townsfolk, Townsman{t.Key, both(t.Role(true), t.Role(false)), string(t.Kind),
			t.Occupation(), float64(t.Position.Yaw), t.Town, know(At(t.Position))})
	}
	for _, p := range content.Portals() {
		a := Portal{Key: p.Key, Class: p.Class, Angle: float64(p.Position.Yaw), Place: p.Place, Point: know(At(p.Position))}
		if p.Leads {
			to := At(p.To)
			a.To = &to
		}
		m.Portals = append(m.Portals, a)
	}
	for _, a := range content.Areas() {
		drawn, _ := chart.Of(a.Key)
		for _, p := range slices.Concat(drawn.Land...) {
			know(Point{Area: a.Key, X: p.X, Z: p.Z})
		}
		m.Areas = append(m.Areas, Area{Key: a.Key, Name: both(a.Russian, a.English), Open: a.Open, Bounds: bounds[a.Key],
			Sketch: sketchOf(a.Key)})
	}
	return m
}

func sketchOf(area string) *Sketch {
	drawn, open := chart.Of(area)
	if !open {
		return nil
	}
	s := &Sketch{Land: [][]int{}, Roads: []Road{}, Regions: []Region{}}
	for _, ring := range drawn.Land {
		s.Land = append(s.Land, flatten(ring))
	}
	for _, r := range drawn.Roads {
		s.Roads = append(s.Roads, Road{r.From, r.To, flatten(r.Line)})
	}
	for _, r := range drawn.Regions {
		s.Regions = append(s.Regions, Region{r.Kind, both(r.Russian, r.English), int(r.At.X), int(r.At.Z)})
	}
	return s
}

func flatten(line []chart.Point) []int {
	all := make([]int, 0, 2*len(line))
	for _, p := range line {
		all = append(all, int(math.Round(p.X)), int(math.Round(p.Z)))
	}
	return all
}
