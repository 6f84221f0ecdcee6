package world

// try does a command. A panic takes out the entity that the command concerns; without one it ends the world.
func (w *World) try(c Command) {
	if id := w.concerns(c); id != 0 {
		defer w.rescue(id)
	}
	p := w.player(c.who())
	switch c := c.(type) {
	case request:
		w.ledger.request(p, c)
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

// concerns returns the entity that a command concerns, 0 for none.
func (w *World) concerns(c Command) EntityID {
	answer, ok := c.(Committed)
	if !ok {
		return EntityID(c.who())
	}
	d := w.ledger.pendingTxs[answer.Seq]
	if d == nil {
		return 0
	}
	if d.p == nil && d.object != nil {
		return d.object.Number
	}
	for s := range d.stakes() {
		return s.p.Number
	}
	return 0
}

// fire does what is due.
func (w *World) fire() {
	w.firing = true
	limit := w.now.Add(resolution).UnixNano()
	for t, ok := w.next(limit); ok; t, ok = w.next(limit) {
		if t.of == nil {
			t.do(nil)
		} else {
			w.guard(t.of.Number, func() { t.do(t.of) })
		}
	}
	w.firing = false
}

// move updates the areas of interest of all entities that have moved, and then tells their viewers.
func (w *World) move() {
	for b := range w.places.space.Due() {
		w.guard(b.Number, func() { w.places.space.Look(b) })
	}
	w.places.space.TellMotion()
}
