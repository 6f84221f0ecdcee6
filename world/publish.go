package world

import (
	"cmp"
	"slices"
)

// Snapshot returns the latest one, at most about a second old.
func (w *World) Snapshot() *Snapshot { return w.snapshot.Load() }

// Publish makes a snapshot at once, for callers that need the present state and not that of up to a second ago.
type Publish struct{}

func (Publish) who() PlayerID { return 0 }

func (Publish) do(w *World) { w.publish(nil) }

func (w *World) publish(_ *entity) {
	s := &Snapshot{At: w.now, Balance: w.balance, Players: make([]PlayerView, len(w.all[players])),
		objects:  w.objectPages(),
		Spawners: w.spawners.spawnerViews(), Instances: w.instances.instanceViews()}
	inside := append(w.sorted[:0], w.all[players]...)
	slices.SortFunc(inside, func(a, b *entity) int { return cmp.Compare(a.Number, b.Number) })
	for i, e := range inside {
		p, live := e.player, w.liveState(e.player)
		s.Players[i] = PlayerView{p.ID, p.Role, p.Character, p.Name, p.Account, p.Appearance.Clan, p.Title, p.Degree,
			p.Position, p.Pools, p.Entered, live.Effects, InstanceID(p.inside.number()), p.duel.other(p),
			live.Position, live.Revision, live.TitleXP, live.DegreeXP, live.Tally, live.Karma, live.Cooldowns}
	}
	clear(inside)
	w.sorted = inside
	w.snapshot.Store(s)
}

// objectPages returns the pages of a new snapshot: those of the last one, with changed pages rebuilt.
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
		var monsters []Monster // copies, since the world changes its own
		for j, e := range from {
			page[j] = ObjectView{e.object.Object, InstanceID(e.inside.number())}
			if m, ok := page[j].Kind.(*Monster); ok {
				if monsters == nil {
					monsters = make([]Monster, 0, len(from)-j)
				}
				monsters = append(monsters, *m)
				page[j].Kind = &monsters[len(monsters)-1]
			}
		}
		pages[i] = page
	}
	clear(w.changed)
	return pages
}
