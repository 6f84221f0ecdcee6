package query

import (
	"strings"
	"sync/atomic"
	"time"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/world"
)

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

// described is the answer about a snapshot.
type described struct {
	of   *world.Snapshot
	info Info
}

// Info implements [Source]. The answer is prepared once for each snapshot.
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
	i := Info{Name: g.Name, Version: g.Version, Map: g.continents(s), Slots: g.Slots, Port: g.Port,
		Uptime: max(0, at.Sub(g.Started)), Players: make([]Player, 0, len(s.Players))}
	i.Rules = append([]Rule{{"uptime", seconds(i.Uptime)}}, g.Rules...)
	for _, p := range s.Players {
		i.Players = append(i.Players, Player{Name: p.Name, Level: p.Title + 1, Online: max(0, at.Sub(p.Entered))})
	}
	return i
}

// continents names those on which players are, and else the one on which they start.
func (g *Game) continents(s *world.Snapshot) string {
	here := map[string]bool{}
	for _, p := range s.Players {
		c, _ := content.ContinentOf(p.Position)
		here[c.English] = true
	}
	var names []string
	for _, c := range content.Continents() {
		if here[c.English] {
			names = append(names, c.English)
		}
	}
	if len(names) == 0 {
		start, _ := content.ContinentOf(g.Start)
		return start.English
	}
	return strings.Join(names, ", ")
}
