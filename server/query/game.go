package query

import (
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"sphereserver/coords"
	"sphereserver/world"
)

// continents are the parts of the open world. They share one space and overlap from above, but their grounds lie at different
// heights: Hyperion's near 155, Haron's near 405, Phoebe's near -105, Rodos's near -345. The borders here are half-way between;
// what lies above the highest is inside of something, and may belong to any of them.
//
// Source: game rules 1, where the heights are measured, and that they tell the continents apart is inferred.
var continents = [...]struct {
	name        string
	from, below float32 // y, metres
}{{"Hyperion", 25, 280}, {"Haron", 280, 750}, {"Phoebe", -225, 25}, {"Rodos", coords.MinY, -225}}

// ContinentOf returns the name of the continent that a place in the open lies on, or "" for castle halls, dungeons and such.
func ContinentOf(p coords.Position) string {
	for _, c := range continents {
		if p.Y >= c.from && p.Y < c.below {
			return c.name
		}
	}
	return ""
}

// A Game is a [Source] that tells of a running game. Its fields are not changed once it was asked.
type Game struct {
	Name    string
	Version string
	Slots   int
	Port    uint16
	Started time.Time
	// Start is where new characters stand: its continent is told as the map while nobody is on any.
	Start coords.Position
	Rules []Rule
	// World returns the latest snapshot of the world.
	World func() *world.Snapshot

	last atomic.Pointer[described]
}

// described is what was told of a snapshot.
type described struct {
	of   *world.Snapshot
	info Info
}

// Info implements [Source]. What it tells is prepared once for each snapshot.
func (g *Game) Info() Info {
	s := g.World()
	if d := g.last.Load(); d != nil && d.of == s {
		return d.info
	}
	d := &described{s, g.describe(s)}
	g.last.Store(d)
	return d.info
}

func (g *Game) describe(s *world.Snapshot) Info {
	at := s.At
	if at.IsZero() { // the world has not moved yet
		at = time.Now()
	}
	i := Info{Name: g.Name, Version: g.Version, Map: g.continents(s), Slots: g.Slots, Port: g.Port, Uptime: max(0, at.Sub(g.Started)),
		Players: make([]Player, 0, len(s.Players))}
	i.Rules = append([]Rule{{"uptime", strconv.FormatInt(int64(i.Uptime/time.Second), 10)}}, g.Rules...)
	for _, p := range s.Players {
		i.Players = append(i.Players, Player{Name: p.Name, Level: p.Title + 1, Online: max(0, at.Sub(p.Entered))})
	}
	return i
}

// continents names those on which players are, and else the one on which they start.
func (g *Game) continents(s *world.Snapshot) string {
	var here [len(continents)]bool
	for _, p := range s.Players {
		name := ContinentOf(p.Position)
		for i := range continents {
			here[i] = here[i] || continents[i].name == name
		}
	}
	var names []string
	for i := range continents {
		if here[i] {
			names = append(names, continents[i].name)
		}
	}
	if len(names) == 0 {
		return ContinentOf(g.Start)
	}
	return strings.Join(names, ", ")
}
