package world

import (
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

const (
	// spotRadius is how near to each other, in metres, items are counted for [Options].MaxPerSpot.
	spotRadius = 5
	// expiryRetry is after which time what has lain long enough and could not be ended is tried again.
	expiryRetry = time.Minute
	// expiriesAtOnce bounds what is asked to be stored in an expiryPeriod.
	expiriesAtOnce = 64
	expiryPeriod   = time.Second
)

// bundle makes an object of what is to lie in the world.
func (w *World) bundle(h rules.Inventory) *object {
	o := &object{inventory: &h}
	o.Object = Object{w.freeID(), h.Ground.At, GroundItem{*h.RootItem(), *h.Ground}}
	h.Object = uint32(o.ID)
	return o
}

// lay puts it there: into an instance, or with nil into the open world. In an instance that is no more it ends.
func (w *World) lay(o *object, in *instance) {
	w.put(o, in.open())
	if in.open() != in {
		w.expire(&o.entity)
		return
	}
	w.expires(o)
}

// expires has what lies end in time.
func (w *World) expires(o *object) {
	if at := o.inventory.Ground.Expires; !at.IsZero() {
		w.after(at.Sub(w.now), &o.entity, (*World).expire)
	}
}

// crowded says whether as many items as may lie at a place do so.
func (w *World) crowded(at coords.Position, in *instance) bool {
	n := 0
	w.cells = w.grid.around(at, in, spotRadius, w.cells[:0])
	for _, c := range w.cells {
		for _, e := range c.of[others] {
			if e.object.inventory != nil && distSq(&at, &e.at) <= spotRadius*spotRadius {
				n++
			}
		}
	}
	return n >= w.options.MaxPerSpot
}

// mayPut says why a player may not put something at a place.
func (w *World) mayPut(p *player, at coords.Position) rules.RejectReason {
	switch {
	case at.Check() != nil || !p.inside.holds(at):
		return rules.BadPlace
	case p.Position.Distance(at) > w.options.Reach:
		return rules.TooFar
	case w.crowded(at, p.inside):
		return rules.TooMuchThere
	}
	return 0
}

// Drop puts a carried item, with all that is in it, on the ground. [ItemDropped] follows.
type Drop struct {
	ID   PlayerID
	Item rules.ItemID
	At   coords.Position
}

func (c Drop) who() PlayerID       { return c.ID }
func (c Drop) names(n *namedSlots) { n.item(c.Item) }

func (c Drop) ask(w *World, p *player) rules.RejectReason {
	t := p.carried.Find(c.Item)
	if t == nil {
		return rules.NotYours
	}
	if why := p.carried.MayLeave(t); why != 0 {
		return why
	}
	if t.Bound || p.carried.HoldsBound(t.ID) {
		return rules.IsBound
	}
	if why := w.mayPut(p, c.At); why != 0 {
		return why
	}
	d := w.tx(p, c)
	was, contents, in := *t, p.carried.Within(t.ID, nil), p.inside
	from, to := d.Side(&p.carried), d.Ground(rules.OnGround{At: c.At, Expires: w.now.Add(w.options.DespawnAfter)})
	d.Carry(from, to, t.ID, 0, 0)
	to.Root = was.ID
	w.commit(d, nil, func() {
		o := w.bundle(to.Inventory)
		w.tell(ItemDropped{p.ID, was, o.ID, c.At, contents, d.slots(notGround)})
		w.lay(o, in)
		w.litterBy(p, o)
	})
	return 0
}

// litterBy notes who has put something there, and ends the oldest of what the player or its account has put down if
// that is too much: otherwise a few players could bury a place.
func (w *World) litterBy(p *player, o *object) {
	o.character, o.account = p.Character, p.Account
	all := append(w.litter[p.Account], o)
	w.litter[p.Account] = all
	own, oldest := 0, (*object)(nil)
	for _, l := range all {
		if l.character != p.Character {
			continue
		}
		if own++; oldest == nil {
			oldest = l
		}
	}
	switch {
	case own > w.options.LitterPerPlayer:
	case len(all) > w.options.LitterPerAccount:
		oldest = all[0]
	default:
		return
	}
	w.forgetLitter(oldest) // it goes, if not at once: the next time it is another one's turn
	w.expire(&oldest.entity)
}

// forgetLitter counts an object no more as what a player has put down.
func (w *World) forgetLitter(o *object) {
	w.litter[o.account] = slices.DeleteFunc(w.litter[o.account], func(l *object) bool { return l == o })
	if len(w.litter[o.account]) == 0 {
		delete(w.litter, o.account)
	}
	o.character = 0
}

// Drag moves what lies on the ground. [Dragged] follows.
type Drag struct {
	ID     PlayerID
	Object EntityID
	To     coords.Position
}

func (c Drag) who() PlayerID { return c.ID }

func (c Drag) ask(w *World, p *player) rules.RejectReason {
	o, why := w.lies(p, c.Object)
	if why != 0 {
		return why
	}
	if rules.ClassOf(o.inventory.RootItem().Class).Stays {
		return rules.NotYours
	}
	if why := w.mayPut(p, c.To); why != 0 {
		return why
	}
	d := w.tx(p, c)
	s := d.Side(o.inventory)
	l := *s.Ground
	l.At = c.To
	s.Ground = &l
	d.Touch(s.Root)
	w.commit(d, o, func() {
		o.Kind = GroundItem{*o.inventory.RootItem(), *o.inventory.Ground}
		w.dragged(p, o, c.To)
	})
	return 0
}

// dragged puts an object somewhere else, and tells all who see it before and after.
func (w *World) dragged(p *player, o *object, to coords.Position) {
	if o.gone {
		return
	}
	w.moveTo(&o.entity, to)
	w.loseFar(&o.entity)
	e := Dragged{ID: p.ID, Object: o.ID, To: to, Viewers: []PlayerID{p.ID}}
	for _, id := range o.viewers {
		if id != p.ID {
			e.Viewers = append(e.Viewers, id)
		}
	}
	w.tell(e)
	w.findNear(&o.entity)
}

// RestoreGroundItem puts into the world what lies there when the server starts: Items[0] lies, all others are in it,
// bags before contents.
type RestoreGroundItem struct {
	Things []rules.Item
	Lying  rules.OnGround
	Over   bool // it ends at once: it has lain in an instance, which is no more
}

func (RestoreGroundItem) who() PlayerID { return 0 }

func (c RestoreGroundItem) do(w *World) {
	if len(c.Things) == 0 || c.Lying.At.Check() != nil || c.Things[0].ID <= 0 {
		return
	}
	l := c.Lying
	h := rules.NewInventory(rules.Inventory{Ground: &l, Root: c.Things[0].ID}, c.Things)
	o := w.bundle(h)
	w.lay(o, nil)
	if c.Over {
		w.expire(&o.entity)
	}
}

// expire ends what has lain long enough, or tries again later: what is being made durable has to wait, and so has
// what would be too much for the store at once.
func (w *World) expire(e *entity) {
	o := e.object
	again := func() { w.after(expiryRetry, e, (*World).expire) }
	switch {
	case o.pending != nil:
		again()
		return
	case !w.mayExpire():
		w.after(expiryPeriod, e, (*World).expire)
		return
	}
	w.endLying(o).failed = again
}

// mayExpire says whether the store can be asked to forget something now.
func (w *World) mayExpire() bool {
	if w.now.Sub(w.expiries.since) >= expiryPeriod {
		w.expiries.since, w.expiries.n = w.now, 0
	}
	return w.expiries.n < expiriesAtOnce
}

// endLying has what lies in the world be forgotten, and then vanish.
func (w *World) endLying(o *object) *pendingTx {
	w.expiries.n++
	d := w.tx(nil, nil)
	s := d.Side(o.inventory)
	d.Destroy(s, s.Root)
	return w.commit(d, o, func() { w.remove(o) })
}
