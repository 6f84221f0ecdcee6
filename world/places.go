package world

import (
	"slices"

	"sphereserver/coords"
	"sphereserver/world/rules"
	"sphereserver/world/space"
)

// places puts entities where they are to be, and tells players of those in sight.
type places struct {
	*core
	observer observer
	space    *space.Space[entity]
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

func newPlaces(c *core, o observer) *places {
	pl := &places{core: c, observer: o}
	pl.space = space.New(space.Options{Sight: c.options.Sight, ViewLimit: c.options.ViewLimit,
		ThingLimit: c.options.ThingLimit, Busy: c.options.Busy, Behind: c.options.Behind}, pl)
	return pl
}

// add puts an entity where it is to be. It sees nothing yet.
func (pl *places) add(e *entity) {
	e.Of = e
	e.index = int32(len(pl.all[e.Sort]))
	pl.all[e.Sort] = append(pl.all[e.Sort], e)
	pl.entities[e.Number] = e
	pl.space.Add(&e.Body)
	pl.changeView(e.Sort, int(e.index))
}

func (pl *places) moveTo(e *entity, to coords.Position) {
	pl.space.Move(&e.Body, to)
	e.show()
	pl.changeView(e.Sort, int(e.index))
}

// place puts a player somewhere.
func (pl *places) place(p *player, at coords.Position) {
	pl.moveTo(&p.entity, at)
	pl.markUnsaved(p)
}

// put puts an object into an instance, or with nil into the open world.
func (pl *places) put(o *object, in *instance) { pl.putFor(o, in, nil) }

// putFor is put, without telling the players of sees, which have been told of the object already.
func (pl *places) putFor(o *object, in *instance, sees []*body) {
	o.entity = entity{object: o, inside: in}
	o.Number, o.Sort, o.Instance, o.At = o.ID, others, in.number(), o.Position
	pl.add(&o.entity)
	for _, p := range slices.Backward(sees) {
		pl.space.Link(&o.Body, p)
		pl.observer.watched(&o.entity, p.Of)
	}
	pl.space.Look(&o.Body)
}

func (pl *places) remove(o *object) {
	if o.gone() {
		return
	}
	if o.rare != nil {
		for _, p := range o.users {
			p.opened = nil
		}
		o.users = nil
	}
	pl.observer.removing(o)
	pl.drop(&o.entity)
}

// goInside brings an entity from one instance into another, or with nil into the open world. The caller sets its
// place there.
func (pl *places) goInside(e *entity, in *instance) {
	was := e.inside
	if was == in {
		return
	}
	if e.inside, e.Instance = in, in.number(); in != nil {
		in.players++
	}
	if was != nil {
		if was.players--; was.players == 0 {
			pl.observer.emptied(was)
		}
	}
	pl.instancesTold = nil
}

// inhabitants are all objects of an instance, in an order that follows from the events there.
func (pl *places) inhabitants(in *instance) (all []*entity) {
	return slices.AppendSeq(all, pl.space.Around(in.origin, in.number(), 2*rules.InstanceReach, others))
}

// moveObject puts an object somewhere.
func (pl *places) moveObject(o *object, to coords.Position) {
	pl.moveTo(&o.entity, to)
	pl.space.MarkMoved(&o.Body)
}

// setDown puts a monster somewhere without a way there.
func (pl *places) setDown(m *monster, at coords.Position) {
	o := m.object
	pl.moveTo(&o.entity, at)
	pl.space.Look(&o.Body)
	pl.space.Told(&o.Body)
	if to := pl.viewersBefore(&o.entity); len(to) > 0 {
		pl.tell(pl.objectPlaced.put(ObjectPlaced{o.ID, at, to}))
	}
}

// drop takes an entity out of sight, and out of the world.
func (pl *places) drop(e *entity) {
	pl.space.Drop(&e.Body)
	if e.player != nil {
		pl.goInside(e, nil)
	}
	all := pl.all[e.Sort]
	last := len(all) - 1
	pl.changeView(e.Sort, int(e.index))
	pl.changeView(e.Sort, last)
	all[e.index] = all[last]
	all[e.index].index = e.index
	all[last] = nil
	e.index = outside
	pl.all[e.Sort] = all[:last]
	delete(pl.entities, e.Number)
	pl.cancel(e)
}

// near reports whether two entities are in the same part of the world, and no farther apart than the root of square, in
// metres.
func near(a, b *entity, square float64) bool { return space.Near(&a.Body, &b.Body, square) }
