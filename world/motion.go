package world

import (
	"math"
	"time"

	"sphereserver/coords"
)

const (
	// motionTicks is how many ticks there are from one report of where entities have gone to the next. All are told in the same tick,
	// so that each client is written to ten times a second, however many move around it.
	motionTicks = 2
	// motionStep is how far an entity moves along an axis, in metres, before others are told.
	motionStep = 0.01
)

// markMoved sees to it that the area of interest of an entity is updated, and that viewers are told where it is.
func (w *World) markMoved(e *entity) {
	if !e.moving {
		e.moving = true
		w.movers = append(w.movers, e)
	}
}

// moveTo puts an entity somewhere else in the grid.
func (w *World) moveTo(e *entity, to coords.Position) {
	e.at, *e.shown = to, to
	w.grid.move(e)
	w.changeView(e.sort, e.index)
}

// move updates the areas of interest of all who have moved, and then tells those who see them. Who is not done with that stays for
// the next tick.
func (w *World) move(now time.Time) {
	for _, e := range w.movers {
		if !e.gone && w.updateIsDue(e, now) {
			w.tryUpdate(e, now)
		}
	}
	stay := w.movers[:0]
	for _, e := range w.movers {
		switch {
		case e.gone:
		case w.tellMoved(e) || e.truncated || elsewhere(&e.lookedFrom, &e.at):
			stay = append(stay, e)
		default:
			e.moving = false
		}
	}
	clear(w.movers[len(stay):])
	w.movers = stay
}

func (w *World) updateIsDue(e *entity, now time.Time) bool {
	since := now.Sub(e.lookedAt)
	switch {
	case e.truncated && since >= truncatedPeriod && len(e.viewers) < w.options.ViewLimit:
		return true
	case !elsewhere(&e.lookedFrom, &e.at):
		return false
	}
	return since >= lookPeriod || apart(&e.lookedFrom, &e.at) >= lookDistance*lookDistance
}

// tellMoved tells where an entity has gone if that is worth it, and says whether something has to wait.
func (w *World) tellMoved(e *entity) (waits bool) {
	switch {
	case !noticeable(&e.lastSent, &e.at):
		return false
	case w.tick%motionTicks != 0:
		return true
	}
	e.lastSent = e.at
	if to := w.finalViewers(e); len(to) > 0 {
		w.tell(w.moved.put(Moved{PlayerID(e.id), e.at, to}))
	}
	return false
}

// elsewhere says whether two positions are different places.
func elsewhere(a, b *coords.Position) bool { return a.X != b.X || a.Y != b.Y || a.Z != b.Z }

// noticeable says whether the difference of two positions is worth to be told.
func noticeable(a, b *coords.Position) bool {
	far := func(a, b float32) bool { return math.Abs(float64(a)-float64(b)) > motionStep }
	return far(a.X, b.X) || far(a.Y, b.Y) || far(a.Z, b.Z) ||
		a.Yaw != b.Yaw && coords.EncodeAngle8(a.Yaw) != coords.EncodeAngle8(b.Yaw)
}
