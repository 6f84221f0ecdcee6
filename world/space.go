package world

import (
	"sphereserver/coords"
	"sphereserver/world/rules"
)

// space knows the places of all entities and their viewers: the grid, the areas of interest, and motion.
type space struct {
	*core
	observer observer

	grid            grid
	sight2, vanish2 float64   // squares of the distances
	movers          []*entity // to be updated and told
	strain          uint      // how often the time between reports of motion is doubled, since loops are behind
	cells           []*cell   // of the last look, used again
	near            []distant // the same
	stamp           uint64    // of the last look
}

// An observer is told by space of changes that concern parts above it.
type observer interface {
	// watched says that a viewer begins to see an entity.
	watched(e, viewer *entity)
	// removing says that an object is about to leave the world.
	removing(o *object)
	// uprooted says that a player is about to be put somewhere else.
	uprooted(p *player)
	// emptied says that the last player has left an instance.
	emptied(in *instance)
}

func newSpace(c *core, o observer) *space {
	sight, vanish := c.options.Sight, c.options.Sight*vanishFactor
	return &space{core: c, observer: o, grid: newGrid(vanish), sight2: sight * sight, vanish2: vanish * vanish}
}

// add puts an entity where it is to be. It is in no area of interest yet.
func (sp *space) add(e *entity) {
	e.at, e.lastSent = *e.shown, *e.shown
	e.index = len(sp.all[e.sort])
	sp.all[e.sort] = append(sp.all[e.sort], e)
	sp.entities[e.id] = e
	sp.grid.add(e)
	sp.count(e, 1)
	sp.changeView(e.sort, e.index)
}

func (sp *space) moveTo(e *entity, to coords.Position) {
	e.at, *e.shown = to, to
	sp.grid.move(e)
	sp.changeView(e.sort, e.index)
}

// markMoved queues an entity for an update of its area of interest, and for a report of its place to viewers.
func (sp *space) markMoved(e *entity) {
	if !e.moving {
		e.moving = true
		sp.movers = append(sp.movers, e)
	}
}

// place puts a player somewhere.
func (sp *space) place(p *player, at coords.Position) {
	sp.moveTo(&p.entity, at)
	sp.markUnsaved(p)
}

// put puts an object into an instance, or with nil into the open world.
func (sp *space) put(o *object, in *instance) { sp.putFor(o, in, nil) }

// putFor is put, without telling the players of sees, which have been told of the object already.
func (sp *space) putFor(o *object, in *instance, sees []*entity) {
	o.entity = entity{id: o.ID, sort: others, shown: &o.Position, object: o, inside: in}
	sp.add(&o.entity)
	tick := uint32(sp.tick)
	for i := len(sees) - 1; i >= 0; i-- {
		p := sees[i]
		a, b := len(o.links[players]), len(p.links[others])
		o.addLink(p, b, tick)
		p.addLink(&o.entity, a, tick)
		sp.observer.watched(&o.entity, p)
	}
	sp.updateInterest(&o.entity)
}

func (sp *space) remove(o *object) {
	if o.gone {
		return
	}
	for _, p := range o.users {
		p.opened = nil
	}
	o.users = nil
	sp.observer.removing(o)
	sp.drop(&o.entity)
}

// goInside brings an entity from one instance into another, or with nil into the open world. The caller sets its
// place there.
func (sp *space) goInside(e *entity, in *instance) {
	was := e.inside
	if was == in {
		return
	}
	if e.inside = in; in != nil {
		in.players++
	}
	if was != nil {
		if was.players--; was.players == 0 {
			sp.observer.emptied(was)
		}
	}
	sp.instancesTold = nil
}

// count notes that an object has come into an instance, or with -1 gone out of it.
func (sp *space) count(e *entity, by int) {
	in := e.inside
	if in == nil || e.object == nil {
		return
	}
	if e.object.monster != nil {
		in.monsters += by
	} else if _, lies := e.object.Kind.(GroundItem); lies {
		in.things += by
	} else {
		return
	}
	sp.instancesTold = nil
}

// inhabitants are all objects of an instance, in an order that follows from the events there.
func (sp *space) inhabitants(in *instance) (all []*entity) {
	sp.cells = sp.grid.around(in.origin, in, 2*rules.InstanceReach, sp.cells[:0])
	for _, c := range sp.cells {
		all = append(all, c.of[others]...)
	}
	return all
}

// moveObject puts an object somewhere.
func (sp *space) moveObject(o *object, to coords.Position) {
	sp.moveTo(&o.entity, to)
	sp.markMoved(&o.entity)
}

// setDown puts a monster somewhere without a way there.
func (sp *space) setDown(m *monster, at coords.Position) {
	o := m.object
	sp.moveTo(&o.entity, at)
	sp.updateInterest(&o.entity)
	o.lastSent = at
	if to := sp.viewersBefore(&o.entity); len(to) > 0 {
		sp.tell(sp.objectPlaced.put(ObjectPlaced{o.ID, at, to}))
	}
}
