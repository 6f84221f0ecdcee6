package world

import (
	"time"

	"sphereserver/coords"
)

// An ObjectID names what is no player while the world runs. Each is given once.
type ObjectID uint32

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
		Item
		OnGround OnGround
	}

	// GroundBag is one in which others may lie.
	GroundBag struct {
		Item
		OnGround OnGround
	}
)

func (GroundItem) kind() {}
func (GroundBag) kind()  {}
func (NPC) kind()        {}
func (Portal) kind()     {}

type (
	// Put puts an object into the world. An ID of 0 means that the world gives one. An object whose ID is there already, that
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

type object struct {
	Object
	mark    uint64 // of the last look by somebody who sees it already
	viewers []viewer
	cell    *cell
	slot    int // in cell.objects
	index   int // in World.objects

	// Of what lies in the world.
	hoard   *hoard
	pending *deal     // what is being made durable for it
	users   []*player // who look into it
}

// A viewer is a player who sees an object.
type viewer struct {
	player *player
	back   int32 // index in player.objects
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

func (c Put) do(w *World, _ time.Time) {
	switch c.Object.Kind.(type) {
	case nil, GroundItem, GroundBag:
		return
	}
	if c.Object.Position.Check() != nil || w.objectsByID[c.Object.ID] != nil {
		return
	}
	o := &object{Object: c.Object}
	if o.ID == 0 {
		o.ID = w.NextObjectID()
	}
	w.given(o.ID)
	w.put(o)
}

// put puts an object where it is to be, and shows it to all who are near.
func (w *World) put(o *object) {
	o.index = len(w.objects)
	w.objects = append(w.objects, o)
	w.objectsByID[o.ID] = o
	w.objectsChanged = true
	w.grid.addObject(o)
	w.cells = w.grid.around(o.Position, w.options.Sight, w.cells[:0])
	for _, c := range w.cells {
		for _, p := range c.players {
			if apart(&p.Position, &o.Position) <= w.sight2 {
				w.findObject(p, o)
			}
		}
	}
}

func (c Remove) do(w *World, _ time.Time) {
	if o := w.objectsByID[c.ID]; o != nil && o.hoard == nil {
		w.remove(o)
	}
}

// remove takes an object out of the world.
func (w *World) remove(o *object) {
	for _, p := range o.users {
		p.opened = nil
	}
	o.users = nil
	for i := len(o.viewers) - 1; i >= 0; i-- {
		w.loseObject(o.viewers[i].player, int(o.viewers[i].back))
	}
	w.grid.removeObject(o)
	last := len(w.objects) - 1
	w.objects[o.index] = w.objects[last]
	w.objects[o.index].index = o.index
	w.objects[last] = nil
	w.objects = w.objects[:last]
	delete(w.objectsByID, o.ID)
	delete(w.stocks, o.ID)
	w.objectsChanged = true
}

// forget removes the i-th viewer of o; the last takes its place.
func (o *object) forget(i int) {
	last := len(o.viewers) - 1
	if i != last {
		moved := o.viewers[last]
		o.viewers[i] = moved
		moved.player.objects[moved.back].back = int32(i)
	}
	o.viewers[last] = viewer{}
	o.viewers = o.viewers[:last]
}

func (c UsePortal) do(w *World, now time.Time) {
	p := w.players[c.By]
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
func (w *World) throughPortal(p *player, id ObjectID) (coords.Position, RejectReason) {
	o := w.objectsByID[id]
	if o == nil || !o.seenBy(p) {
		return coords.Position{}, NotInSight
	}
	portal, ok := o.Kind.(Portal)
	switch {
	case !ok:
		return coords.Position{}, NoPortal
	case p.Position.Distance(o.Position) > w.options.Reach:
		return coords.Position{}, TooFar
	case portal.Place == "" || portal.To.Check() != nil:
		return coords.Position{}, LeadsNowhere
	}
	return portal.To, 0
}

func (o *object) seenBy(p *player) bool {
	for i := range p.objects {
		if p.objects[i].object == o {
			return true
		}
	}
	return false
}
