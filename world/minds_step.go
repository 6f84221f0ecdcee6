package world

import (
	"math"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

const (
	// arrived is how near to a place a monster is there, in metres.
	arrived = 0.1
	// leastStep is the least step that a monster makes, in metres, unless it is slower than that: each is told to players.
	//
	// Source: protocol gamerules 10.2.
	leastStep = 0.1
	// waysPerTick is how many searches for a way are made in a tick at most; a monster without a way goes straight.
	waysPerTick = 8
	// effortCell is the side of the squares by which a monster knows that it runs in circles, in metres.
	effortCell = 2
)

// A step is the goal and the speed of a monster in one decision.
type step struct {
	to    coords.Position
	keep  float64 // so near to it, in metres
	speed float64 // metres per second
	span  float64 // seconds
	foe   *player // that it faces; nil: it faces ahead
}

// advance makes a monster's step, and reports whether it has moved.
func (mi *minds) advance(m *monster, s step) bool {
	b, at := &mi.balance.Mind, m.object.At
	if m.any((*rules.Effect).Slows) {
		s.speed *= mi.balance.Effect.MonsterSlow
	}
	far := flat(at, s.to)
	next := at
	if left := min(s.speed*s.span, far-s.keep); left > 0 && far > 0 {
		next = toward(at, s.to, left/far)
	}
	if s.foe != nil && m.spawner != nil {
		next = mi.aside(m, s.foe, next)
		if far := flat(at, next); far > s.speed*s.span { // several others stand there, side by side
			next = toward(at, next, s.speed*s.span/far)
		}
	}
	if next == at || flat(at, next) < min(leastStep, 0.99*s.speed*s.span) {
		return false
	}
	if s.foe != nil {
		if d := flat(next, s.foe.At); d < b.Nearest && d < flat(at, s.foe.At) {
			return false
		}
		next.Yaw = rules.Yaw(next, s.foe.At)
	} else {
		next.Yaw = rules.Yaw(at, next)
	}
	ground := mi.groundOf(&m.object.entity)
	if next.Check() != nil || !m.object.inside.holds(next) || !m.behaves().mayBe(mi, next) ||
		!m.row.Flies() && !ground.Passes(at, next) {
		return false
	}
	var ok bool
	if next.Y, ok = mi.climb(m, s.foe, ground, next); ok {
		mi.places.moveObject(m.object, next)
	}
	return ok
}

// climb returns the height of a monster at its next place; false if the way there is too steep for all that is known.
func (mi *minds) climb(m *monster, foe *player, ground Ground, next coords.Position) (height float32, ok bool) {
	b, near := &mi.balance.Mind, &m.mind.home
	if foe != nil {
		near = &foe.At
	}
	next.Y = mi.feet(m)
	y, known := ground.Height(next, near)
	switch {
	case !known && foe != nil && math.Abs(float64(foe.At.Y)-float64(next.Y)) >= b.HeightJump:
		return 0, false // no height between is known
	case !known:
	case m.row.Flies():
		next.Y = y
	default:
		next.Y += float32(min(max(float64(y)-float64(next.Y), -b.HeightStep), b.HeightStep))
	}
	if m.row.Flies() {
		next.Y += float32(b.FlyHeight)
	}
	return next.Y, true
}

// toward returns the place at a part of the straight line to another one; height and direction stay.
func toward(from, to coords.Position, part float64) coords.Position {
	from.X += float32(part * (float64(to.X) - float64(from.X)))
	from.Z += float32(part * (float64(to.Z) - float64(from.Z)))
	return from
}

// feet is the height of the ground below a monster.
func (mi *minds) feet(m *monster) float32 {
	if m.row.Flies() {
		return m.object.At.Y - float32(mi.balance.Mind.FlyHeight)
	}
	return m.object.At.Y
}

// aside moves the place that a monster goes to, so that it does not stand in another of its spawner: as far from its
// foe, but farther round. Of two the younger makes room.
func (mi *minds) aside(m *monster, foe *player, next coords.Position) coords.Position {
	space := mi.balance.Mind.Space
	for _, other := range m.spawner.alive {
		if other == m {
			break // the rest are younger
		}
		d := flat(next, other.object.At)
		r, away := flat(next, foe.At), flat(other.object.At, foe.At)
		if d >= space || r < space/2 || away < space/2 {
			continue
		}
		fx, fz := float64(foe.At.X), float64(foe.At.Z)
		mine := math.Atan2(float64(next.X)-fx, float64(next.Z)-fz)
		theirs := math.Atan2(float64(other.object.At.X)-fx, float64(other.object.At.Z)-fz)
		angle := 2*math.Asin(min(1, space/(2*min(r, away)))) + 0.01
		if math.Sin(mine-theirs) < 0 {
			angle = -angle
		}
		next.X = float32(fx + r*math.Sin(theirs+angle))
		next.Z = float32(fz + r*math.Cos(theirs+angle))
	}
	return next
}

// face turns a monster to its foe, if it looks elsewhere.
func (mi *minds) face(m *monster, foe *player) {
	to := m.object.At
	to.Yaw = rules.Yaw(to, foe.At)
	turn := int(int8(coords.EncodeAngle8(to.Yaw) - coords.EncodeAngle8(m.object.At.Yaw)))
	if most := mi.balance.Mind.TurnSteps; turn > most || turn < -most {
		mi.places.moveObject(m.object, to)
	}
}

// onGround puts a place to the height of the ground, as far as that is known; near is a place of known height, nil
// for none.
func (mi *minds) onGround(m *monster, at coords.Position, near *coords.Position, in *instance) coords.Position {
	if y, known := in.ground(mi.options.Ground).Height(at, near); known {
		at.Y = y
	}
	if m.row.Flies() {
		at.Y += float32(mi.balance.Mind.FlyHeight)
	}
	return at
}

// wayPoints is how many places of a way a monster keeps: as far as it comes until it looks for one again.
const wayPoints = 8

// A way leads around ground that is not known to be walkable.
type way struct {
	points [wayPoints]coords.Position
	n, i   int // places, and which is next
	at     instant
	foe    coords.Position // where it led then
}

// alongWay returns the next place of the way to a foe; false if there is none, and the monster goes straight.
func (mi *minds) alongWay(m *monster, foe *player) (coords.Position, bool) {
	b, y := &mi.balance.Mind, &m.mind.pursues().way
	if m.row.Flies() {
		return coords.Position{}, false
	}
	if y.at.IsZero() || mi.instant().Sub(y.at) >= b.Path || flat(y.foe, foe.At) >= b.PathMoved {
		if mi.ways > 0 {
			var tried bool
			points, tried := mi.groundOf(&m.object.entity).Way(m.object.At, foe.At, y.points[:0])
			y.n, y.i, y.at, y.foe = len(points), 0, mi.instant(), foe.At
			if tried {
				mi.ways--
			}
		}
	}
	for y.i < y.n && flat(m.object.At, y.points[y.i]) < arrived {
		y.i++
	}
	if y.i >= y.n {
		return coords.Position{}, false
	}
	return y.points[y.i], true
}

// A stuckState is the progress of a chase, by which a monster knows that it comes no nearer.
type stuckState struct {
	since  instant
	from   coords.Position // where it was then
	foe    coords.Position // and its foe
	gaveUp instant         // until then it stands, and then it returns; zero: it has not given up
	cells  [8]visit        // the last squares that it came into, the newest at last
	last   int
}

// A visit is the time when a monster came into a square.
type visit struct {
	x, z int32
	at   instant
}

// detectStuck gives up a chase that makes no progress toward the place where its foe was, or runs in circles. A foe
// that moves restarts the count.
func (mi *minds) detectStuck(m *monster, foe *player) {
	b, e, at := &mi.balance.Mind, &m.mind.pursues().stuck, m.object.At
	nearer := flat(e.from, e.foe)-flat(at, e.foe) >= b.StuckGain
	follows := flat(e.foe, foe.At) >= b.PathMoved && flat(e.from, at) >= b.StuckGain
	switch {
	case e.since.IsZero() || nearer || follows:
		e.since, e.from, e.foe = mi.instant(), at, foe.At
	case mi.instant().Sub(e.since) >= b.StuckTime:
		e.gaveUp = mi.instant().Add(b.GiveUp)
	}
	x, z := int32(math.Floor(float64(at.X)/effortCell)), int32(math.Floor(float64(at.Z)/effortCell))
	if c := &e.cells[e.last]; c.x == x && c.z == z && !c.at.IsZero() {
		return
	}
	e.last = (e.last + 1) % len(e.cells)
	e.cells[e.last] = visit{x, z, mi.instant()}
	times := 0
	for _, c := range e.cells {
		if c.x == x && c.z == z && !c.at.IsZero() && mi.instant().Sub(c.at) <= b.GiveUp {
			times++
		}
	}
	if times >= b.Circles {
		e.gaveUp = mi.instant().Add(b.GiveUp)
	}
}
