package world

import "sphereserver/world/rules"

// An object is what is no player.
type object struct {
	entity
	Object
	monster *monster     // nil: it is none
	fresh   bool         // an item that is nobody's yet: see [Piece]
	ward    *ward        // nil: nobody is led
	things  []rules.Item // of a fresh chest
	trap    int          // of a chest: HP that its trap takes, 0 for none or one that has sprung
	calls   *Summon      // of a chest: the monster that it calls, nil for none or one that has come

	// Of what lies in the world.
	inventory *rules.Inventory
	pending   *pendingTx // what is being made durable for it
	users     []*player  // who look into it
	shared    []int64    // characters for whom, besides whom it is promised to, it is
	character int64      // whose litter it is, 0 for nobody's,
	account   string     // and of which account
}

// NextEntityID returns an ID that no object has had: unless four billion have, after which they come again. It may be
// called from any goroutine.
func (w *World) NextEntityID() EntityID {
	for {
		if id := EntityID(w.entityIDs.Add(1)); id > MaxPlayerID {
			return id
		}
	}
}

// freeID is the same for what is put into the world now: also then nothing that is in it has the ID.
func (w *World) freeID() EntityID {
	for {
		if id := w.NextEntityID(); w.entities[id] == nil {
			return id
		}
	}
}

// given sees to it that an ID is not given again.
func (w *World) given(id EntityID) {
	for {
		last := w.entityIDs.Load()
		if last >= uint32(id) || w.entityIDs.CompareAndSwap(last, uint32(id)) {
			return
		}
	}
}

// Put puts an object into the world, at a place in an instance into that. An ID of 0 means that the world gives one. An object whose ID is there already
// or a player's, that is of no kind, or whose place is not in the world, is not put. Nor is a [GroundItem]: see
// [RestoreGroundItem].
type Put struct{ Object Object }

func (Put) who() PlayerID { return 0 }

func (c Put) do(w *World) {
	switch c.Object.Kind.(type) {
	case nil, GroundItem:
		return
	}
	if id := c.Object.ID; id != 0 && id <= MaxPlayerID || w.entities[id] != nil || c.Object.Position.Check() != nil {
		return
	}
	o := &object{Object: c.Object}
	if o.ID == 0 {
		o.ID = w.freeID()
	}
	w.given(o.ID)
	w.put(o, w.instanceAt(o.Position))
}

// put puts an object into an instance, or with nil into the open world.
func (w *World) put(o *object, in *instance) { w.putFor(o, in, nil) }

// putFor does the same for those who have been told of it, and tells all others who see it.
func (w *World) putFor(o *object, in *instance, sees []*entity) {
	o.entity = entity{id: o.ID, sort: others, shown: &o.Position, object: o, inside: in}
	w.add(&o.entity)
	tick := uint32(w.tick)
	for i := len(sees) - 1; i >= 0; i-- {
		p := sees[i]
		a, b := len(o.links[players]), len(p.links[others])
		o.addLink(p, b, tick)
		p.addLink(&o.entity, a, tick)
		w.wakeFor(&o.entity, p)
	}
	w.updateInterest(&o.entity)
}

// Remove takes an object out of the world, unless it is a [GroundItem]: those go by themselves.
type Remove struct{ ID EntityID }

func (Remove) who() PlayerID { return 0 }

func (c Remove) do(w *World) {
	if o := w.object(c.ID); o != nil && o.inventory == nil {
		w.remove(o)
	}
}

func (w *World) remove(o *object) {
	if o.gone {
		return
	}
	for _, p := range o.users {
		p.opened = nil
	}
	o.users = nil
	w.drop(&o.entity)
	delete(w.stocks, o.ID)
	if o.character != 0 {
		w.forgetLitter(o)
	}
}
