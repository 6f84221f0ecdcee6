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
	w.space.put(o, w.instances.instanceAt(o.Position))
}

// Remove takes an object out of the world, unless it is a [GroundItem]: those go by themselves.
type Remove struct{ ID EntityID }

func (Remove) who() PlayerID { return 0 }

func (c Remove) do(w *World) {
	if o := w.object(c.ID); o != nil && o.inventory == nil {
		w.space.remove(o)
	}
}
