package world

import (
	"fmt"
	"runtime/debug"
	"time"
)

// rescue is deferred around what concerns one entity: if that panics, the entity is taken out, and the world goes on.
// A panic of what concerns nobody, or of taking out, ends the world, since its state cannot be trusted.
func (w *World) rescue(id EntityID) {
	if v := recover(); v != nil {
		err := fmt.Errorf("world: entity %d in tick %d panicked: %v\n%s", id, w.tick, v, debug.Stack())
		w.tell(EntityFailed{id, err})
		if e := w.entities[id]; e != nil {
			w.takeOut(e)
		}
	}
}

// takeOut takes an entity that has failed out of sight. A player stays for [Leave] to find, and for what is being
// made durable for it.
func (w *World) takeOut(e *entity) {
	if e.object != nil {
		w.remove(e.object)
		return
	}
	p := e.player
	p.due, p.waiting = nil, nil
	w.failed[p.ID] = p
	w.disappear(p)
	if p.leaving { // that has come already
		w.whenFree(p, (*World).finishLeave, w.now)
	}
}

// tryMove does what a player's client says of where it is.
func (w *World) tryMove(m move, now time.Time) {
	defer w.rescue(EntityID(m.id))
	m.do(w, now)
}

// try does a command. What is nobody's has nobody who could be taken out for it.
func (w *World) try(c Command, now time.Time) {
	if id := w.concerns(c); id != 0 {
		defer w.rescue(id)
	}
	switch c := c.(type) {
	case request:
		w.request(c, now)
	case deed:
		c.do(w, now)
	}
}

// concerns says whose a command is, 0 for nobody's.
func (w *World) concerns(c Command) EntityID {
	answer, ok := c.(Committed)
	if !ok {
		return EntityID(c.who())
	}
	switch d := w.pendingTxs[answer.Seq]; {
	case d == nil:
	case d.p != nil:
		return d.p.id
	case d.object != nil:
		return d.object.id
	}
	return 0
}

// fire does what is due.
func (w *World) fire(now time.Time) {
	w.firing = true
	limit := now.Add(resolution).UnixNano()
	for t, ok := w.next(limit); ok; t, ok = w.next(limit) {
		w.tryTimer(&t, now)
	}
	w.firing = false
}

func (w *World) tryTimer(t *timer, now time.Time) {
	if t.of != nil {
		defer w.rescue(t.of.id)
	}
	t.do(w, t.of, now)
}

// move updates the areas of interest of all who have moved, and then tells those who see them.
func (w *World) move(now time.Time) {
	for _, e := range w.movers {
		if !e.gone && w.updateIsDue(e, now) {
			w.tryUpdate(e, now)
		}
	}
	w.tellMotion()
}

func (w *World) tryUpdate(e *entity, now time.Time) {
	defer w.rescue(e.id)
	w.updateInterest(e, now)
}
