package world

import (
	"iter"
	"sync/atomic"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
	"sphereserver/world/space"
)

// A Snapshot is the world as it was at a moment. It never changes.
type Snapshot struct {
	At       time.Time
	Players  []PlayerView   // by id
	Balance  *rules.Balance // the numbers in force, not to be changed
	Spawners []SpawnerView  // in the order in which they were added
	// Instances are by number.
	Instances []InstanceView

	objects [][]ObjectView // in pages, shared with other snapshots as long as nothing on them changes
}

// Objects are all objects in the world, in no meaningful order.
func (s *Snapshot) Objects() iter.Seq[ObjectView] {
	return func(yield func(ObjectView) bool) {
		for _, page := range s.objects {
			for _, o := range page {
				if !yield(o) {
					return
				}
			}
		}
	}
}

// An ObjectView is the state of an [Object] in a snapshot.
type ObjectView struct {
	Object
	Instance InstanceID // 0: the open world
}

// A PlayerView is the state of a [Player] in a snapshot. There is one of each player each second.
type PlayerView struct {
	ID        PlayerID
	Role      Role
	Character int64
	Name      string
	Account   string
	Clan      string
	Title     int // level less one
	Degree    int
	Position  coords.Position
	Pools     rules.Pools
	Entered   time.Time
	Effects   []rules.Effect
	Instance  InstanceID // in which it is, 0: in the open world
	Duel      string     // name of the player with whom it has a duel; "" for none

	// The rest of what Live returns.
	stays             coords.Position
	revision          int64
	titleXP, degreeXP uint32
	tally             rules.Tally
	karma             int
	cooldowns         rules.Cooldowns
}

// Live is the player's volatile state, to be saved.
func (v *PlayerView) Live() rules.LiveState {
	return rules.LiveState{Character: v.Character, Revision: v.revision, Position: v.stays, Pools: v.Pools,
		TitleXP: v.titleXP, DegreeXP: v.degreeXP, Karma: v.karma, Tally: v.tally, Effects: v.Effects,
		Cooldowns: v.cooldowns}
}

// viewPage is how many objects are on a page of a snapshot: a change of one of them copies the page.
const viewPage = 256

// views are the latest snapshot, and notes of the changes since.
type views struct {
	snapshot atomic.Pointer[Snapshot]
	changed  []bool    // pages of objects
	sorted   []*entity // room to sort players in

	spawnersTold  []SpawnerView // of the last snapshot, nil when something has changed
	instancesTold []InstanceView
}

// changeView notes that an entity at an index of core.all is not as in the last snapshot. All players are always
// copied.
func (v *views) changeView(s space.Sort, index int) {
	if s == players {
		return
	}
	for len(v.changed) <= index/viewPage {
		v.changed = append(v.changed, false)
	}
	v.changed[index/viewPage] = true
}
