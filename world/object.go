package world

import "sphereserver/world/rules"

// An object is an entity that is no player.
type object struct {
	entity
	Object
	monster *monster // nil: it is none
	*rare            // nil: it is no item that lies and no ward, and no transaction has concerned it
}

// rare is the state that few objects have.
type rare struct {
	pending *pendingTx   // the transaction under way that concerns it
	fresh   bool         // an item without an owner yet: see [Piece]
	trap    int32        // of a chest: HP that its trap takes, 0 for none or one that has sprung
	ward    *ward        // nil: it is no ward
	things  []rules.Item // of a fresh chest
	calls   *Summon      // of a chest: the monster that it calls, nil for none or one that has come

	// Of items that lie in the world.
	inventory *rules.Inventory
	users     []*player // players that look into it
	shared    []int64   // characters to which it is promised, besides Promised
	character int64     // the character that has littered with it, 0 for none,
	account   string    // and its account
}

// busy reports whether a transaction under way concerns an object.
func (o *object) busy() bool { return o.rare != nil && o.pending != nil }

// setPending notes the transaction under way that concerns an object, nil for none.
func (o *object) setPending(p *pendingTx) {
	if o.rare == nil {
		o.rare = &rare{}
	}
	o.pending = p
}

// lies reports whether an object is an item that lies in the world, and has been in the store.
func (o *object) lies() bool { return o.rare != nil && o.inventory != nil }

// isFresh reports whether an object is an item without an owner yet.
func (o *object) isFresh() bool { return o.rare != nil && o.fresh }

// isWard reports whether an object is a person that a player's mission is to lead.
func (o *object) isWard() bool { return o.rare != nil && o.ward != nil }

// Put puts an object into the world, or into the instance that holds its place. An ID of 0 means that the world gives
// one. An object with the ID of a player or of an entity that is there, without a kind, or at a place out of the
// world is not put. Nor is a [GroundItem]: see [RestoreGroundItem].
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
	w.places.put(o, w.instances.instanceAt(o.Position))
}

// Remove takes an object out of the world, unless it is a [GroundItem]: those go by themselves.
type Remove struct{ ID EntityID }

func (Remove) who() PlayerID { return 0 }

func (c Remove) do(w *World) {
	if o := w.object(c.ID); o != nil && !o.lies() {
		w.places.remove(o)
	}
}
