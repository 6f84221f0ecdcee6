package world

// expel takes an entity that has failed out of sight. A player stays for [Leave] to find, and until its pending
// transaction is settled.
func (w *World) expel(e *entity) {
	if e.object != nil {
		w.places.remove(e.object)
		return
	}
	p := e.player
	p.due = queue[change]{}
	w.ledger.dropWaiting(p)
	w.failed[p.ID] = p
	w.disappear(p)
	if p.leaving || p.lingers { // that has come already
		p.leaving = true
		w.ledger.whenFree(p, w.finishLeave)
	}
}

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

// Questions of space to those above it: see [observer].

func (w *World) watched(e, viewer *entity) { w.minds.wakeFor(e, viewer) }

func (w *World) removing(o *object) {
	if o.monster != nil {
		w.spawners.endOfMonster(o.monster)
	}
	delete(w.belongings.stocks, o.ID)
	if o.rare != nil && o.character != 0 {
		w.groundItems.forgetLitter(o)
	}
}

func (w *World) uprooted(p *player) {
	w.combat.endDuel(p.duel, p)
	w.ledger.closeAll(p)
}

func (w *World) emptied(in *instance) { w.instances.beginEnd(in) }

// move updates the areas of interest of all entities that have moved, and then tells their viewers.
func (w *World) move() {
	for b := range w.places.space.Due() {
		w.guard(b.Number, func() { w.places.space.Look(b) })
	}
	w.places.space.TellMotion()
}
