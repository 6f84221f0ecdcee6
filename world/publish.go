package world

import (
	"cmp"
	"slices"
	"time"
)

// Snapshot returns the latest one, at most about a second old.
func (w *World) Snapshot() *Snapshot { return w.snapshot.Load() }

func (w *World) publish(_ *entity, now time.Time) {
	s := &Snapshot{At: now, Players: make([]PlayerView, len(w.all[players])), objects: w.objectPages()}
	inside := slices.SortedFunc(slices.Values(w.all[players]), func(a, b *entity) int { return cmp.Compare(a.id, b.id) })
	for i, e := range inside {
		s.Players[i] = e.player.view()
	}
	w.snapshot.Store(s)
}

// objectPages returns the pages of a new snapshot: those of the last one, but for what has changed.
func (w *World) objectPages() [][]ObjectView {
	old := w.snapshot.Load().objects
	if !slices.Contains(w.changed, true) {
		return old
	}
	all := w.all[others]
	pages := make([][]ObjectView, (len(all)+viewPage-1)/viewPage)
	copy(pages, old)
	for i := range pages {
		if !w.changed[i] {
			continue
		}
		from := all[i*viewPage : min((i+1)*viewPage, len(all))]
		page := make([]ObjectView, len(from))
		for j, e := range from {
			page[j] = ObjectView(e.object.Object)
		}
		pages[i] = page
	}
	clear(w.changed)
	return pages
}

func (p *player) view() PlayerView {
	return PlayerView{ID: p.ID, Character: p.Character, Name: p.Name, Account: p.Account, Role: p.Role, Title: p.Title,
		Degree:   p.Degree,
		Position: p.Position, Pools: p.Pools, Appearance: p.Appearance, Clan: p.Appearance.Clan, PartySize: p.partySize(),
		Entered: p.Entered}
}
