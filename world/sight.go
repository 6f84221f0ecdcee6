package world

import (
	"time"

	"sphereserver/coords"
)

const (
	// vanishFactor is how many times farther than it appears something vanishes, so that who walks to and fro at the edge of sight
	// does not come and go.
	vanishFactor = 1.1
	// lookDistance is how far a player walks, in metres, before it looks around again.
	lookDistance = 1
	// lookPeriod is after which time a player looks around again that has walked less far than that.
	lookPeriod = 500 * time.Millisecond
	// crowdPeriod is after which time a player looks around again that could not see everybody because of the crowd.
	crowdPeriod = time.Second
)

// sight is what a player sees. Players see each other or not: if one has a sighting of the other, so has the other.
type sight struct {
	near    []sighting
	nearIDs []PlayerID // of near, in the same order
	objects []objectSighting

	lookedFrom coords.Position
	lookedAt   time.Time
	missed     bool   // someone in sight is not seen because of the crowd
	newest     uint32 // tick of the last sighting
	mark       uint64 // of the last look by somebody who sees this player already
}

// A sighting is a player in sight.
type sighting struct {
	other *player
	back  int32  // index of the sighting the other way in other.near
	since uint32 // tick
}

// An objectSighting is an object in sight.
type objectSighting struct {
	object *object
	back   int32 // index in object.viewers
}

// look finds who and what is in sight from where p is, and tells what has changed.
func (w *World) look(p *player, now time.Time) {
	p.lookedFrom, p.lookedAt = p.Position, now
	w.stamp++
	w.loseSight(p)
	p.missed = false
	w.cells = w.grid.around(p.Position, w.options.Sight, w.cells[:0])
	for _, c := range w.cells {
		w.lookAtPlayers(p, c)
		w.lookAtObjects(p, c)
	}
	if p.missed {
		w.attend(p)
	}
}

// loseSight ends the sightings of what is too far away, and marks the others.
func (w *World) loseSight(p *player) {
	for i := len(p.near) - 1; i >= 0; i-- {
		q := p.near[i].other
		if apart(&p.Position, &q.Position) <= w.vanish2 {
			q.mark = w.stamp
			continue
		}
		w.part(p, i)
		w.tell(w.vanished.put(Vanished{p.ID, q.ID}))
		w.tell(w.vanished.put(Vanished{q.ID, p.ID}))
	}
	for i := len(p.objects) - 1; i >= 0; i-- {
		o := p.objects[i].object
		if apart(&p.Position, &o.Position) <= w.vanish2 {
			o.mark = w.stamp
			continue
		}
		w.loseObject(p, i)
	}
}

// lookAtPlayers begins to see those in a cell who are near enough and not marked.
func (w *World) lookAtPlayers(p *player, c *cell) {
	for _, q := range c.players {
		if q.mark == w.stamp || q == p || apart(&p.Position, &q.Position) > w.sight2 {
			continue
		}
		if len(p.near) >= w.options.ViewLimit {
			p.missed = true
			return
		}
		if len(q.near) >= w.options.ViewLimit {
			p.missed = true
			continue
		}
		w.meet(p, q)
	}
}

// lookAtObjects begins to see the objects in a cell that are near enough and not marked.
func (w *World) lookAtObjects(p *player, c *cell) {
	for _, o := range c.objects {
		if o.mark != w.stamp && apart(&p.Position, &o.Position) <= w.sight2 {
			w.findObject(p, o)
		}
	}
}

// meet lets two players see each other.
func (w *World) meet(p, q *player) {
	tick := uint32(w.tick)
	p.near = append(p.near, sighting{q, int32(len(q.near)), tick})
	q.near = append(q.near, sighting{p, int32(len(p.near) - 1), tick})
	p.nearIDs, q.nearIDs = append(p.nearIDs, q.ID), append(q.nearIDs, p.ID)
	p.newest, q.newest = tick, tick
	w.tell(w.appeared.put(Appeared{p.ID, &q.Player}))
	w.tell(w.appeared.put(Appeared{q.ID, &p.Player}))
}

// part ends the i-th sighting of p, both ways, and tells nothing.
func (w *World) part(p *player, i int) {
	s := p.near[i]
	p.forget(i)
	s.other.forget(int(s.back))
}

// forget removes the i-th sighting of p; the last takes its place.
func (p *player) forget(i int) {
	last := len(p.near) - 1
	if i != last {
		moved := p.near[last]
		p.near[i], p.nearIDs[i] = moved, p.nearIDs[last]
		moved.other.near[moved.back].back = int32(i)
	}
	p.near[last] = sighting{}
	p.near, p.nearIDs = p.near[:last], p.nearIDs[:last]
}

// vanishForAll ends all sightings of a player that leaves, and tells those who have seen it.
func (w *World) vanishForAll(p *player) {
	for i := len(p.near) - 1; i >= 0; i-- {
		q := p.near[i].other
		w.part(p, i)
		w.tell(w.vanished.put(Vanished{q.ID, p.ID}))
	}
	for i := len(p.objects) - 1; i >= 0; i-- {
		p.unsee(i)
	}
}

// findObject lets a player see an object.
func (w *World) findObject(p *player, o *object) {
	p.objects = append(p.objects, objectSighting{o, int32(len(o.viewers))})
	o.viewers = append(o.viewers, viewer{p, int32(len(p.objects) - 1)})
	w.tell(w.objectAppeared.put(ObjectAppeared{p.ID, &o.Object}))
}

// loseObject lets a player see its i-th object no more.
func (w *World) loseObject(p *player, i int) {
	id := p.objects[i].object.ID
	p.unsee(i)
	w.tell(w.objectVanished.put(ObjectVanished{p.ID, id}))
}

// unsee ends the i-th sighting of an object of p, on both sides, and tells nothing. The last one takes its place.
func (p *player) unsee(i int) {
	s, last := p.objects[i], len(p.objects)-1
	if i != last {
		moved := p.objects[last]
		p.objects[i] = moved
		moved.object.viewers[moved.back].back = int32(i)
	}
	p.objects[last] = objectSighting{}
	p.objects = p.objects[:last]
	s.object.forget(int(s.back))
}

// witnesses lists those who see p and did so before this tick: who has begun to in this tick is shown it as it is at the end.
// The list is made anew, since who sees p may change before the tick ends.
func (w *World) witnesses(p *player) []PlayerID {
	from, tick := len(w.ids), uint32(w.tick)
	for i := range p.near {
		if p.near[i].since != tick {
			w.ids = append(w.ids, p.nearIDs[i])
		}
	}
	return w.list(from)
}

// lastWitnesses is the same for when nobody begins or ends to see anybody any more in this tick: mostly the list that
// p has already.
func (w *World) lastWitnesses(p *player) []PlayerID {
	if p.newest != uint32(w.tick) {
		return p.nearIDs
	}
	return w.witnesses(p)
}
