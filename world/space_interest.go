package world

import (
	"math"
	"slices"
	"time"

	"sphereserver/coords"
)

// An area is the area of interest of an entity: the visibility links to entities near it. Links are mutual. One
// between players says that each sees the other; one between a player and another entity says that the player sees
// that.
type area struct {
	links   [sorts][]link // by the sort of the linked entity
	viewers []PlayerID    // of links[players], in the same order

	newest     uint32 // tick of the last link to a player
	truncated  bool   // a player in sight has no link because of [Options].ViewLimit
	short      bool   // an object in sight has no link because of [Options].ThingLimit, thingsAtOnce or [Options].Busy
	lookedAt   instant
	lookedFrom coords.Position
}

// distant is an entity in one of the rings around another, of which 0 is the nearest.
type distant struct {
	*entity
	ring int
}

// A link leads to an entity in sight.
type link struct {
	other *entity
	back  int32  // index of the link the other way, in other.links
	since uint32 // tick
}

const (
	// vanishFactor is how many times farther than it appears an entity vanishes, so that it does not flicker when a
	// player walks to and fro at the edge of sight.
	vanishFactor = 1.1
	// lookDistance is how far an entity moves, in metres, before its area of interest is updated.
	lookDistance = 1
	// lookPeriod is after which time it is updated for one that has moved less far than that.
	lookPeriod = 500 * time.Millisecond
	// truncatedPeriod is after which time it is updated for a player that the limit keeps from seeing all others.
	truncatedPeriod = time.Second
	// thingsAtOnce is how many objects a player is shown in a tick: each is some 40 to 80 bytes to its client, all of
	// them 16 KiB at the most.
	thingsAtOnce = 256
)

// updateInterest updates the links of an entity to those in sight of its place, and tells the changes.
func (sp *space) updateInterest(e *entity) {
	e.lookedFrom, e.lookedAt = e.at, sp.instant()
	sp.loseFar(e)
	sp.findNear(e)
	if e.truncated || e.short {
		sp.markMoved(e)
	}
}

// loseFar removes the links to entities that are too far away, and marks the others.
func (sp *space) loseFar(e *entity) {
	sp.stamp++
	for s := range e.links {
		for i := len(e.links[s]) - 1; i >= 0; i-- {
			q := e.links[s][i].other
			if near(e, q, sp.vanish2) {
				q.mark = sp.stamp
				continue
			}
			e.unlink(sort(s), i)
			sp.tellVanished(e, q)
			sp.tellVanished(q, e)
		}
	}
}

// findNear links an entity to those that are near enough and not marked by loseFar just before.
func (sp *space) findNear(e *entity) {
	e.truncated, e.short = false, false
	if in := e.inside; in != nil && e.sort == players {
		in.pieces = slices.DeleteFunc(in.pieces, func(q *entity) bool { return q.gone })
		sp.findAmong(e, in.pieces)
	}
	sp.cells = sp.grid.near(e, sp.cells[:0])
	things := 0
	for _, c := range sp.cells {
		things += len(c.of[others])
	}
	few := e.sort == players && things <= thingsAtOnce && len(e.links[others])+things <= sp.options.ThingLimit
	for _, c := range sp.cells {
		sp.findAmong(e, c.of[players])
		if few {
			sp.findAmong(e, c.of[others])
		}
	}
	if e.sort == players && !few {
		sp.findNearest(e)
	}
}

// rings is how finely distances are told apart by findNearest.
const rings = 64

// findNearest links a player to the nearest of the objects around, as many as it may be shown at once. For the others
// it looks again.
func (sp *space) findNearest(e *entity) {
	room := 0
	if sp.takesMore(e) {
		room = min(thingsAtOnce, sp.options.ThingLimit-len(e.links[others]))
	}
	var in [rings]int // how many are in each ring
	sp.near = sp.near[:0]
	for _, c := range sp.cells {
		for _, q := range c.of[others] {
			if d := distSq(&e.at, &q.at); q.mark != sp.stamp && d <= sp.sight2 && !q.dying() {
				ring := min(int(math.Sqrt(d/sp.sight2)*rings), rings-1)
				sp.near = append(sp.near, distant{q, ring})
				in[ring]++
			}
		}
	}
	e.short = len(sp.near) > room
	edge := 0 // of the ring at it only some are shown, beyond it none
	for edge < rings && in[edge] <= room {
		room -= in[edge]
		edge++
	}
	for _, q := range sp.near {
		switch {
		case q.ring > edge || q.ring == edge && room == 0:
			continue
		case q.ring == edge:
			room--
		}
		sp.link(e, q.entity)
	}
	clear(sp.near)
}

// takesMore says whether a player can be shown more objects now.
func (sp *space) takesMore(e *entity) bool {
	return len(e.links[others]) < sp.options.ThingLimit && (sp.options.Busy == nil || !sp.options.Busy(PlayerID(e.id)))
}

func (sp *space) findAmong(e *entity, list []*entity) {
	for _, q := range list {
		if q.mark == sp.stamp || q == e || q.dying() || distSq(&e.at, &q.at) > sp.sight2 {
			continue
		}
		if e.sort == players && q.sort == players {
			if len(e.viewers) >= sp.options.ViewLimit {
				e.truncated = true
				return
			}
			if len(q.viewers) >= sp.options.ViewLimit {
				e.truncated = true
				continue
			}
		}
		if e.sort == others && (q.short || !sp.takesMore(q)) { // the viewer looks itself
			q.short = true
			sp.markMoved(q)
			continue
		}
		sp.link(e, q)
		q.mark = sp.stamp
	}
}

// link adds a visibility link between two entities, at least one of them a player, and tells that they appear.
func (sp *space) link(a, b *entity) {
	tick := uint32(sp.tick)
	i, j := len(a.links[b.sort]), len(b.links[a.sort])
	a.addLink(b, j, tick)
	b.addLink(a, i, tick)
	sp.tellAppeared(a, b)
	sp.tellAppeared(b, a)
	sp.observer.watched(a, b)
	sp.observer.watched(b, a)
}

func (sp *space) tellAppeared(viewer, e *entity) {
	switch {
	case viewer.sort != players:
	case e.sort == players:
		sp.tell(sp.appeared.put(Appeared{PlayerID(viewer.id), &e.player.Player}))
	default:
		sp.tell(sp.objectAppeared.put(ObjectAppeared{PlayerID(viewer.id), &e.object.Object}))
	}
}

// ShowAgain tells a player once more of the objects that it sees and of the items that it carries. [Vanished],
// [ObjectAppeared] and [Granted] follow.
type ShowAgain struct{ ID PlayerID }

func (c ShowAgain) who() PlayerID { return c.ID }

func (c ShowAgain) act(w *World, p *player) {
	for _, l := range p.links[others] {
		if l.other.dying() {
			continue
		}
		w.space.tellVanished(&p.entity, l.other)
		w.space.tellAppeared(&p.entity, l.other)
	}
	e := Granted{ID: p.ID, Command: c, Gone: slices.Clone(p.carried.Items), Money: p.Money}
	e.Came = e.Gone
	for i := range e.Gone {
		e.Slots = append(e.Slots, slotOf(&p.carried, &e.Gone[i]))
	}
	w.tell(e)
}

func (sp *space) tellVanished(viewer, e *entity) {
	if viewer.sort == players {
		sp.tell(sp.vanished.put(Vanished{PlayerID(viewer.id), e.id}))
	}
}

// vanishForAll removes all links of an entity that leaves the world, and tells its viewers, but not itself.
func (sp *space) vanishForAll(e *entity) {
	for s := range e.links {
		for i := len(e.links[s]) - 1; i >= 0; i-- {
			sp.tellVanished(e.unlink(sort(s), i), e)
		}
	}
}

// viewersBefore lists the viewers of e since before this tick: newer ones are shown e as it is at the end of it. The
// list is a copy, since viewers may change before the tick ends.
func (sp *space) viewersBefore(e *entity) []PlayerID {
	from, tick := len(sp.ids), uint32(sp.tick)
	for i := range e.viewers {
		if e.links[players][i].since != tick {
			sp.ids = append(sp.ids, e.viewers[i])
		}
	}
	return sp.list(from)
}

// finalViewers is viewersBefore for the end of a tick, when links do not change any more: mostly it is e's own list.
func (sp *space) finalViewers(e *entity) []PlayerID {
	if e.newest != uint32(sp.tick) {
		return e.viewers
	}
	return sp.viewersBefore(e)
}

// drop takes an entity out of sight and out of the world.
func (sp *space) drop(e *entity) {
	sp.vanishForAll(e)
	sp.grid.remove(e)
	sp.count(e, -1)
	if e.player != nil {
		sp.goInside(e, nil)
	}
	e.gone = true
	sp.cancel(e)
	all := sp.all[e.sort]
	last := len(all) - 1
	sp.changeView(e.sort, e.index)
	sp.changeView(e.sort, last)
	all[e.index] = all[last]
	all[e.index].index = e.index
	all[last] = nil
	sp.all[e.sort] = all[:last]
	delete(sp.entities, e.id)
}

// addLink adds a link to another entity, with the index of the link the other way.
func (e *entity) addLink(other *entity, back int, tick uint32) {
	e.links[other.sort] = append(Roomy(e.links[other.sort]), link{other, int32(back), tick})
	if other.sort == players {
		e.viewers = append(Roomy(e.viewers), PlayerID(other.id))
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
	e.links[s] = Fitting(list[:last])
	if s == players {
		e.viewers[i] = e.viewers[last]
		e.viewers = Fitting(e.viewers[:last])
	}
}

// leastRoom is the room that a list has at least once it is needed: little, since every monster that was ever seen has some.
const leastRoom = 4

// Roomy is a list with room for one more, and for few beyond: append alone would double it.
func Roomy[T any](list []T) []T {
	if len(list) < cap(list) {
		return list
	}
	return append(make([]T, 0, len(list)+len(list)/4+leastRoom), list...)
}

// Fitting is a list without most of its room, if little of that is used: a player that has left a crowd keeps none
// for it.
func Fitting[T any](list []T) []T {
	if cap(list) <= leastRoom || 3*len(list) > cap(list) {
		return list
	}
	return append(make([]T, 0, max(len(list)+len(list)/2, leastRoom)), list...)
}

// unlink removes the i-th link to entities of a sort, both ways, and returns the entity at its other end.
func (e *entity) unlink(s sort, i int) *entity {
	l := e.links[s][i]
	e.dropLink(s, i)
	l.other.dropLink(e.sort, int(l.back))
	return l.other
}

func (e *entity) seenBy(viewer *entity) bool {
	return slices.ContainsFunc(viewer.links[e.sort], func(l link) bool { return l.other == e })
}

// changeAppearance shows that a player looks different, if it does.
func (sp *space) changeAppearance(p *player, look Appearance) {
	if p.Appearance == look {
		return
	}
	before := p.Appearance
	p.Appearance = look
	if to := sp.viewersBefore(&p.entity); len(to) > 0 {
		sp.tell(sp.lookChanged.put(AppearanceChanged{&p.Player, before, to}))
	}
}

// showHealth tells the viewers of an entity its HP.
func (sp *space) showHealth(e *entity) {
	if to := sp.viewersBefore(e); len(to) > 0 {
		sp.tell(sp.healthSeen.put(HealthSeen{e.id, e.pools.HP, e.pools.MaxHP, to}))
	}
}
