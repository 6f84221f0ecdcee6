package api

import (
	"fmt"
	"math"
	"slices"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/data/content/chart"
)

type (
	mapAnswer struct {
		Areas     []areaAnswer     `json:"areas"`
		Places    []placeAnswer    `json:"places"`
		Townsfolk []townsmanAnswer `json:"townsfolk"`
		Portals   []portalAnswer   `json:"portals"`
	}
	areaAnswer struct {
		Key    string      `json:"key"`
		Name   text        `json:"name"`
		Open   bool        `json:"open"`
		Bounds *[4]float64 `json:"bounds"` // least x and z, greatest x and z, of what is known there; null when nothing is
		Sketch *sketch     `json:"sketch"` // null for interiors
	}
	// sketch is the drawn base of a continent. Lines are x and z of one point after the other.
	sketch struct {
		Land    [][]int        `json:"land"` // closed; what an even number of them surrounds is water
		Roads   []roadAnswer   `json:"roads"`
		Regions []regionAnswer `json:"regions"`
	}
	roadAnswer struct {
		From string `json:"from"` // keys of places
		To   string `json:"to"`
		Line []int  `json:"line"`
	}
	regionAnswer struct {
		Kind string `json:"kind"` // lake, wood or mountains
		Name text   `json:"name"` // of lakes
		X    int    `json:"x"`
		Z    int    `json:"z"`
	}
	placeAnswer struct {
		Key  string `json:"key"`
		Name text   `json:"name"`
		Kind string `json:"kind"`
		at
	}
	townsmanAnswer struct {
		Key        string  `json:"key"`
		Label      text    `json:"label"`
		Kind       string  `json:"kind"`
		Occupation string  `json:"occupation"`
		Angle      float64 `json:"angle"` // radians, as yaw
		Town       string  `json:"town,omitempty"`
		at
	}
	portalAnswer struct {
		Key   string  `json:"key"`
		Class int     `json:"class"`
		Angle float64 `json:"angle"`
		Place string  `json:"place,omitempty"` // key of where it leads
		To    *at     `json:"to,omitempty"`
		at
	}
	// at is a point, with the key of the area it lies in.
	at struct {
		Area string  `json:"area"`
		X    float64 `json:"x"`
		Y    float64 `json:"y"`
		Z    float64 `json:"z"`
	}
)

func pointAt(p coords.Position) at {
	a, _ := content.AreaOf(p)
	return at{a.Key, centimetres(p.X), centimetres(p.Y), centimetres(p.Z)}
}

func centimetres(v float32) float64 { return math.Round(float64(v)*100) / 100 }

// margin is what the bounds of an area leave around what is known there, in metres.
const margin = 100

// geography is the world as it stands in the tables; it does not change while the server runs.
func geography(*Server, *request) (any, error) {
	m := mapAnswer{}
	bounds := map[string]*[4]float64{}
	know := func(p at) at {
		b := bounds[p.Area]
		if b == nil {
			b = &[4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
			bounds[p.Area] = b
		}
		*b = [4]float64{min(b[0], p.X-margin), min(b[1], p.Z-margin), max(b[2], p.X+margin), max(b[3], p.Z+margin)}
		return p
	}
	for _, p := range content.Places() {
		m.Places = append(m.Places, placeAnswer{p.Key, both(p.Russian, p.English), string(p.Kind), know(pointAt(p.Position))})
	}
	for _, t := range content.NPCs() {
		m.Townsfolk = append(m.Townsfolk, townsmanAnswer{t.Key, both(t.Role(true), t.Role(false)), string(t.Kind),
			t.Occupation(), float64(t.Position.Yaw), t.Town, know(pointAt(t.Position))})
	}
	for _, p := range content.Portals() {
		a := portalAnswer{Key: p.Key, Class: p.Class, Angle: float64(p.Position.Yaw), Place: p.Place,
			at: know(pointAt(p.Position))}
		if p.Leads {
			to := pointAt(p.To)
			a.To = &to
		}
		m.Portals = append(m.Portals, a)
	}
	for _, a := range content.Areas() {
		drawn, _ := chart.Of(a.Key)
		for _, p := range slices.Concat(drawn.Land...) {
			know(at{Area: a.Key, X: p.X, Z: p.Z})
		}
		m.Areas = append(m.Areas, areaAnswer{a.Key, both(a.Russian, a.English), a.Open, bounds[a.Key], sketchOf(a.Key)})
	}
	return m, nil
}

func sketchOf(area string) *sketch {
	drawn, open := chart.Of(area)
	if !open {
		return nil
	}
	s := &sketch{Land: [][]int{}, Roads: []roadAnswer{}, Regions: []regionAnswer{}}
	for _, ring := range drawn.Land {
		s.Land = append(s.Land, flat(ring))
	}
	for _, r := range drawn.Roads {
		s.Roads = append(s.Roads, roadAnswer{r.From, r.To, flat(r.Line)})
	}
	for _, r := range drawn.Regions {
		s.Regions = append(s.Regions, regionAnswer{r.Kind, both(r.Russian, r.English), int(r.At.X), int(r.At.Z)})
	}
	return s
}

func flat(line []chart.Point) []int {
	all := make([]int, 0, 2*len(line))
	for _, p := range line {
		all = append(all, int(math.Round(p.X)), int(math.Round(p.Z)))
	}
	return all
}

// nearPlace is how near a place names where somebody is, in metres.
const nearPlace = 150

// whereabouts names where a point is, for people: a place that is near, else the nearest city and how far it is, else
// the area.
func whereabouts(p coords.Position) text {
	area, known := content.AreaOf(p)
	var nearest content.Place
	least := float64(nearPlace)
	for _, place := range content.Places() {
		if d := p.Distance(place.Position); place.Area == area.Key && d <= least {
			nearest, least = place, d
		}
	}
	if nearest.Key != "" {
		return both(nearest.Russian, nearest.English)
	}
	if city, metres, ok := content.NearestCity(p); ok {
		return both(fmt.Sprintf("%s, %.0f м", city.Russian, metres), fmt.Sprintf("%s, %.0f m", city.English, metres))
	}
	if known {
		return both(area.Russian, area.English)
	}
	return both("неизвестно где", "nowhere known")
}
