package world

import (
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// An Object is what stands somewhere and is no player. It does not change; what changes is removed and put anew.
type Object struct {
	ID       ObjectID
	Position coords.Position
	Kind     Kind
}

// A Kind is what an object is: [NPC], [Portal], [GroundItem] or [GroundBag]. Kinds are plain data.
type Kind interface{ kind() }

type (
	// A NPC is somebody who lives in the world and does not fight.
	NPC struct {
		Class int    // object class of the wire
		Name  int32  // number of the name, protocol ingame 9.7; 0 for none
		Model string // name of the model, empty for that of the class
		Title string // name of the title, empty for none
		Type  int
		Label string // for people, such as "Торговец"
		Key   string // of the row of the content table from which it comes
	}

	// A Portal leads somewhere else.
	Portal struct {
		Class  int // object class of the wire
		Number uint32
		To     coords.Position
		Place  string // key of the destination, empty if it is not known
		Key    string // of the row of the content table from which it comes
	}
)

type (
	// GroundItem is a thing that lies in the world.
	GroundItem struct {
		rules.Item
		OnGround rules.OnGround
	}

	// GroundBag is one in which others may lie.
	GroundBag struct {
		rules.Item
		OnGround rules.OnGround
	}
)

func (GroundItem) kind() {}
func (GroundBag) kind()  {}
func (NPC) kind()        {}
func (Portal) kind()     {}

type (
	// Put puts an object into the world. An ID of 0 means that the world gives one. An object whose ID is there already or a player's, that
	// is of no kind, or whose place is not in the world, is not put. Nor is what is [GroundItem] or a [GroundBag]: see [RestoreGroundItem] and [DropLoot].
	Put struct{ Object Object }

	// Remove takes an object out of the world, unless it is [GroundItem] or a [GroundBag]: those go by themselves.
	Remove struct{ ID ObjectID }

	// UsePortal lets a player go through a portal that it sees within [Options].Reach. [Teleported] or [PortalRefused] follows.
	UsePortal struct {
		By     PlayerID
		Object ObjectID
	}
)

// An object is what is no player.
type object struct {
	entity
	Object

	// Of what lies in the world.
	inventory *rules.Inventory
	pending   *deal     // what is being made durable for it
	users     []*player // who look into it
}

// NextObjectID returns an ID that no object has had. It may be called from any goroutine.
func (w *World) NextObjectID() ObjectID { return ObjectID(w.objectIDs.Add(1)) }

// given sees to it that an ID is not given again.
func (w *World) given(id ObjectID) {
	for {
		last := w.objectIDs.Load()
		if last >= uint32(id) || w.objectIDs.CompareAndSwap(last, uint32(id)) {
			return
		}
	}
}

func (Put) who() PlayerID { return 0 }

func (c Put) do(w *World, now time.Time) {
	switch c.Object.Kind.(type) {
	case nil, GroundItem, GroundBag:
		return
	}
	if id := c.Object.ID; id != 0 && id <= MaxPlayerID || w.entities[id] != nil || c.Object.Position.Check() != nil {
		return
	}
	o := &object{Object: c.Object}
	if o.ID == 0 {
		o.ID = w.NextObjectID()
	}
	w.given(o.ID)
	w.put(o, now)
}

// put puts an object where it is to be, and shows it to all who are near.
func (w *World) put(o *object, now time.Time) {
	o.entity = entity{id: o.ID, sort: others, shown: &o.Position, object: o}
	w.add(&o.entity)
	w.updateInterest(&o.entity, now)
}

func (Remove) who() PlayerID { return 0 }

func (c Remove) do(w *World, _ time.Time) {
	if o := w.object(c.ID); o != nil && o.inventory == nil {
		w.remove(o)
	}
}

// remove takes an object out of the world.
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
}

func (c UsePortal) who() PlayerID { return c.By }

func (c UsePortal) do(w *World, now time.Time) {
	p := w.player(c.By)
	if p == nil {
		return
	}
	to, why := w.throughPortal(p, c.Object)
	if why != 0 {
		w.tell(PortalRefused{c.By, c.Object, why})
		return
	}
	w.teleport(p, to, now)
}

// throughPortal returns where a portal takes a player.
func (w *World) throughPortal(p *player, id ObjectID) (coords.Position, rules.RejectReason) {
	o := w.object(id)
	if o == nil || !o.seenBy(p) {
		return coords.Position{}, rules.NotInSight
	}
	portal, ok := o.Kind.(Portal)
	switch {
	case !ok:
		return coords.Position{}, rules.NoPortal
	case p.Position.Distance(o.Position) > w.options.Reach:
		return coords.Position{}, rules.TooFar
	case portal.Place == "" || portal.To.Check() != nil:
		return coords.Position{}, rules.LeadsNowhere
	}
	return portal.To, 0
}
