package world

import (
	"slices"
	"time"

	"sphereserver/coords"
)

// A Snapshot is the world as it was at a moment. It never changes.
type Snapshot struct {
	At      time.Time
	Players []PlayerView // by id
}

// A PlayerView is what others may know of a player.
type PlayerView struct {
	ID        PlayerID
	Character int64
	Name      string
	Account   string
	Title     int
	Degree    int
	Position  coords.Position
	Vitals    Vitals
	Entered   time.Time
}

// Snapshot returns the latest one, at most about a second old.
func (w *World) Snapshot() *Snapshot { return w.snapshot.Load() }

func (w *World) publish(now time.Time) {
	s := &Snapshot{At: now, Players: make([]PlayerView, 0, len(w.players))}
	for _, p := range w.players {
		s.Players = append(s.Players, PlayerView(p.Player))
	}
	slices.SortFunc(s.Players, func(a, b PlayerView) int { return int(a.ID) - int(b.ID) })
	w.snapshot.Store(s)
}
