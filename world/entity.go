package world

import (
	"time"

	"sphereserver/coords"
)

// An EntityID names what is in the world while it runs. A player's is its [PlayerID], at most [MaxPlayerID]; all others have
// numbers above that, each given once. So whatever may be aimed at has a number of one space.
type EntityID uint32

// An ObjectID names what is no player.
type ObjectID = EntityID

// MaxPlayerID is the greatest number of a player.
const MaxPlayerID = 1<<16 - 1

// A sort divides entities by how they are seen.
type sort uint8

const (
	players sort = iota // see, and are seen by each other
	others              // are only seen: NPCs, portals, ground items

	sorts
)

// An entity is whatever is somewhere in the world: what the grid, the area of interest and motion have to know of it. A player or
// an object hangs on it.
type entity struct {
	id   EntityID
	sort sort
	gone bool            // out of the world
	mark uint64          // of the last look by something that has a link to this already
	at   coords.Position // where it is: beside mark, since both are asked of all who are near
	cell *cell
	slot int // in cell.of[sort]
	area
	motion

	player *player // one of these two
	object *object
	shown  *coords.Position // in that: at, as events show it

	index  int // in World.all[sort]
	timers int // in World.heap
}

// An area is what is of interest to an entity: the visibility links to what is near it. Links are mutual. One between players says that
// each sees the other; one between a player and anything else says that the player sees that.
type area struct {
	links   [sorts][]link // by the sort of what is linked
	viewers []PlayerID    // of links[players], in the same order

	newest     uint32 // tick of the last link to a player
	truncated  bool   // a player in sight has no link because of [Options].ViewLimit
	lookedAt   time.Time
	lookedFrom coords.Position
}

// A link leads to an entity in sight.
type link struct {
	other *entity
	back  int32  // index of the link the other way, in other.links
	since uint32 // tick
}

// motion is what viewers were told last of where an entity is.
type motion struct {
	moving   bool // in World.movers
	lastSent coords.Position
}

// player returns a player who is inside, nil for none.
func (w *World) player(id PlayerID) *player {
	if e := w.entities[EntityID(id)]; e != nil {
		return e.player
	}
	return nil
}

// object returns what is no player, nil for none.
func (w *World) object(id EntityID) *object {
	if e := w.entities[id]; e != nil {
		return e.object
	}
	return nil
}

// add puts an entity where it is to be. Nobody sees it yet.
func (w *World) add(e *entity) {
	e.at, e.lastSent = *e.shown, *e.shown
	e.index = len(w.all[e.sort])
	w.all[e.sort] = append(w.all[e.sort], e)
	w.entities[e.id] = e
	w.grid.add(e)
	w.changeView(e.sort, e.index)
}

// drop takes an entity out of everybody's sight and out of the world.
func (w *World) drop(e *entity) {
	w.vanishForAll(e)
	w.grid.remove(e)
	e.gone = true
	w.cancel(e)
	all := w.all[e.sort]
	last := len(all) - 1
	w.changeView(e.sort, e.index)
	w.changeView(e.sort, last)
	all[e.index] = all[last]
	all[e.index].index = e.index
	all[last] = nil
	w.all[e.sort] = all[:last]
	delete(w.entities, e.id)
}

// addLink adds a link to another entity, with the index of the link the other way.
func (e *entity) addLink(other *entity, back int, tick uint32) {
	e.links[other.sort] = append(e.links[other.sort], link{other, int32(back), tick})
	if other.sort == players {
		e.viewers = append(e.viewers, PlayerID(other.id))
		e.newest = tick
	}
}

// dropLink removes the i-th link to entities of a sort; the last takes its place.
func (e *entity) dropLink(s sort, i int) {
	list := e.links[s]
	last := len(list) - 1
	if i != last {
		moved := list[last]
		list[i] = moved
		moved.other.links[e.sort][moved.back].back = int32(i)
	}
	list[last] = link{}
	e.links[s] = list[:last]
	if s == players {
		e.viewers[i] = e.viewers[last]
		e.viewers = e.viewers[:last]
	}
}

// unlink removes the i-th link to entities of a sort, both ways, and returns what it led to.
func (e *entity) unlink(s sort, i int) *entity {
	l := e.links[s][i]
	e.dropLink(s, i)
	l.other.dropLink(e.sort, int(l.back))
	return l.other
}

// seenBy says whether a player sees the entity.
func (e *entity) seenBy(p *player) bool {
	for i := range p.links[e.sort] {
		if p.links[e.sort][i].other == e {
			return true
		}
	}
	return false
}
