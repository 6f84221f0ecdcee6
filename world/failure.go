package world

import (
	"fmt"
	"runtime/debug"
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
		w.whenFree(p, (*World).finishLeave)
	}
}

// guard does something that concerns an entity.
func (w *World) guard(id EntityID, do func()) {
	defer w.rescue(id)
	do()
}

// try does a command. What is nobody's has nobody who could be taken out for it.
func (w *World) try(c Command) {
	if id := w.concerns(c); id != 0 {
		defer w.rescue(id)
	}
	p := w.player(c.who())
	switch c := c.(type) {
	case request:
		w.request(p, c)
	case worldCommand:
		c.do(w)
	case act:
		if p != nil {
			c.act(w, p)
		}
	case arrangement:
		if p != nil {
			w.arrange(p, c)
		}
	}
}

// concerns says whose a command is, 0 for nobody's.
func (w *World) concerns(c Command) EntityID {
	answer, ok := c.(Committed)
	if !ok {
		return EntityID(c.who())
	}
	d := w.pendingTxs[answer.Seq]
	if d == nil {
		return 0
	}
	if d.p == nil && d.object != nil {
		return d.object.id
	}
	for s := range d.stakes() {
		return s.p.id
	}
	return 0
}

func (w *World) fire() {
	w.firing = true
	limit := w.now.Add(resolution).UnixNano()
	for t, ok := w.next(limit); ok; t, ok = w.next(limit) {
		if t.of == nil {
			t.do(w, nil)
		} else {
			w.guard(t.of.id, func() { t.do(w, t.of) })
		}
	}
	w.firing = false
}

// move updates the areas of interest of all who have moved, and then tells those who see them.
func (w *World) move() {
	for _, e := range w.movers {
		if !e.gone && w.updateIsDue(e) {
			w.guard(e.id, func() { w.updateInterest(e) })
		}
	}
	w.tellMotion()
}
