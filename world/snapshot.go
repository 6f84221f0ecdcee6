package world

import (
	"cmp"
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A Snapshot is the world as it was at a moment. It never changes.
type Snapshot struct {
	At      time.Time
	Players []PlayerView // by id
	Objects []ObjectView // by id; shared with other snapshots as long as nothing changes
}

// An ObjectView is an object that stands in the world.
type ObjectView struct {
	ID       ObjectID
	Position coords.Position
	Kind     Kind
}

// A PlayerView is what others may know of a player.
type PlayerView struct {
	ID        PlayerID
	Character int64
	Name      string
	Account   string
	Role      Role
	Title     int
	Degree    int
	Position  coords.Position
	Vitals    rules.Pools
	Look      Appearance
	Clan      string // that of Look
	GroupSize int    // members of its group, itself among them; 0 without a group
	Entered   time.Time
}

// Snapshot returns the latest one, at most about a second old.
func (w *World) Snapshot() *Snapshot { return w.snapshot.Load() }

func (w *World) publish(now time.Time) {
	s := &Snapshot{At: now, Players: make([]PlayerView, len(w.all[players])), Objects: w.snapshot.Load().Objects}
	inside := slices.SortedFunc(slices.Values(w.all[players]), func(a, b *entity) int { return cmp.Compare(a.id, b.id) })
	for i, e := range inside {
		s.Players[i] = e.player.view()
	}
	if w.objectsChanged {
		w.objectsChanged = false
		s.Objects = make([]ObjectView, len(w.all[others]))
		for i, e := range w.all[others] {
			s.Objects[i] = ObjectView(e.object.Object)
		}
		slices.SortFunc(s.Objects, func(a, b ObjectView) int { return cmp.Compare(a.ID, b.ID) })
	}
	w.snapshot.Store(s)
}

func (p *player) view() PlayerView {
	return PlayerView{ID: p.ID, Character: p.Character, Name: p.Name, Account: p.Account, Role: p.Role, Title: p.Title, Degree: p.Degree,
		Position: p.Position, Vitals: p.Pools, Look: p.Appearance, Clan: p.Appearance.Clan, GroupSize: p.groupSize(), Entered: p.Entered}
}
