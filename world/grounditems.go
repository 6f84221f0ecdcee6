package world

import (
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
	"sphereserver/world/space"
)

const (
	// spotRadius is how near to each other, in metres, items are counted for [Options].MaxPerSpot.
	spotRadius = 5
	// expiryRetry is after which time an item that has lain long enough, and could not be ended, is tried again.
	expiryRetry = time.Minute
	// expiriesAtOnce bounds how many items the store is asked to forget in an expiryPeriod.
	expiriesAtOnce = 64
	expiryPeriod   = time.Second
)

// groundItems are the items that lie in the world.
type groundItems struct {
	*core
	places *places
	ledger *ledger

	litter   map[string][]*object // items that players have put down, by their accounts, oldest first
	expiries struct {
		since time.Time
		n     int // in the expiryPeriod since then
	}
}

// bundle makes an object of items that are to lie in the world.
func (gi *groundItems) bundle(h rules.Inventory) *object {
	o := &object{rare: &rare{inventory: &h}}
	o.Object = Object{gi.freeID(), h.Ground.At, GroundItem{*h.RootItem(), *h.Ground}}
	h.Object = uint32(o.ID)
	return o
}

// lay puts an item into an instance, or with nil into the open world. If the instance has ended, the item ends at once.
func (gi *groundItems) lay(o *object, in *instance) {
	gi.places.put(o, in.open())
	if in.open() != in {
		gi.expire(&o.entity)
		return
	}
	gi.expires(o)
}

// expires sets the timer that ends an item that lies.
func (gi *groundItems) expires(o *object) {
	if at := o.inventory.Ground.Expires; !at.IsZero() {
		gi.after(at.Sub(gi.now), &o.entity, gi.expire)
	}
}

// crowded reports whether as many items as may lie at a place do so.
func (gi *groundItems) crowded(at coords.Position, in *instance) bool {
	n := 0
	for e := range gi.places.space.Around(at, in.number(), spotRadius, others) {
		if e.object.lies() && space.DistSq(&at, &e.At) <= spotRadius*spotRadius {
			n++
		}
	}
	return n >= gi.options.MaxPerSpot
}

// mayPut says why a player may not put something at a place.
func (gi *groundItems) mayPut(p *player, at coords.Position) rules.RejectReason {
	switch {
	case at.Check() != nil || !p.inside.holds(at):
		return rules.BadPlace
	case p.Position.Distance(at) > gi.options.Reach:
		return rules.TooFar
	case gi.crowded(at, p.inside):
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
	if why := p.mayLeave(&p.carried, t); why != 0 {
		return why
	}
	if t.Bound || p.carried.HoldsBound(t.ID) {
		return rules.IsBound
	}
	if why := w.groundItems.mayPut(p, c.At); why != 0 {
		return why
	}
	d := w.ledger.tx(p, c)
	was, contents, in := *t, p.carried.Within(t.ID, nil), p.inside
	from, to := d.Side(&p.carried), d.Ground(rules.OnGround{At: c.At, Expires: w.now.Add(w.options.DespawnAfter)})
	d.Carry(from, to, t.ID, 0, 0)
	to.Root = was.ID
	w.ledger.commit(d, nil, func() {
		o := w.groundItems.bundle(to.Inventory)
		w.tell(ItemDropped{p.ID, was, o.ID, c.At, contents, d.slots(notGround)})
		w.groundItems.lay(o, in)
		w.groundItems.litterBy(p, o)
	})
	return 0
}

// litterBy notes the player that has put an item down, and ends the oldest item of the player or its account if it
// has too many: otherwise a few players could bury a place.
func (gi *groundItems) litterBy(p *player, o *object) {
	o.character, o.account = p.Character, p.Account
	all := append(gi.litter[p.Account], o)
	gi.litter[p.Account] = all
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
	case own > gi.options.LitterPerPlayer:
	case len(all) > gi.options.LitterPerAccount:
		oldest = all[0]
	default:
		return
	}
	gi.forgetLitter(oldest) // it goes, if not at once: the next time it is another one's turn
	gi.expire(&oldest.entity)
}

// forgetLitter no longer counts an item as litter of a player.
func (gi *groundItems) forgetLitter(o *object) {
	gi.litter[o.account] = slices.DeleteFunc(gi.litter[o.account], func(l *object) bool { return l == o })
	if len(gi.litter[o.account]) == 0 {
		delete(gi.litter, o.account)
	}
	o.character = 0
}

// Drag moves an item that lies on the ground. [Dragged] follows.
type Drag struct {
	ID     PlayerID
	Object EntityID
	To     coords.Position
}

func (c Drag) who() PlayerID { return c.ID }

func (c Drag) ask(w *World, p *player) rules.RejectReason {
	o, why := w.belongings.lies(p, c.Object)
	if why != 0 {
		return why
	}
	if rules.ClassOf(o.inventory.RootItem().Class).Stays {
		return rules.NotYours
	}
	if why := w.groundItems.mayPut(p, c.To); why != 0 {
		return why
	}
	d := w.ledger.tx(p, c)
	s := d.Side(o.inventory)
	l := *s.Ground
	l.At = c.To
	s.Ground = &l
	d.Touch(s.Root)
	w.ledger.commit(d, o, func() {
		o.Kind = GroundItem{*o.inventory.RootItem(), *o.inventory.Ground}
		w.groundItems.dragged(p, o, c.To)
	})
	return 0
}

// dragged moves an object, and tells the players that see it before and after.
func (gi *groundItems) dragged(p *player, o *object, to coords.Position) {
	if o.gone() {
		return
	}
	gi.places.moveTo(&o.entity, to)
	gi.places.space.LoseFar(&o.Body)
	e := Dragged{Object: o.ID, To: to, Viewers: []PlayerID{p.ID}}
	for _, id := range o.Viewers() {
		if id != p.ID {
			e.Viewers = append(e.Viewers, id)
		}
	}
	gi.tell(e)
	gi.places.space.FindNear(&o.Body)
}

// RestoreGroundItem puts an item that lay in the world back when the server starts: Things[0] lies, all others are in
// it, bags before contents.
type RestoreGroundItem struct {
	Things []rules.Item
	Lying  rules.OnGround
	Over   bool // it ends at once: it lay in an instance that has ended
}

func (RestoreGroundItem) who() PlayerID { return 0 }

func (c RestoreGroundItem) do(w *World) {
	if len(c.Things) == 0 || c.Lying.At.Check() != nil || c.Things[0].ID <= 0 {
		return
	}
	l := c.Lying
	h := rules.NewInventory(rules.Inventory{Ground: &l, Root: c.Things[0].ID}, c.Things)
	o := w.groundItems.bundle(h)
	w.groundItems.lay(o, nil)
	if c.Over {
		w.groundItems.expire(&o.entity)
	}
}

// expire ends an item that has lain long enough, or tries again later: while a transaction concerns it, or when the
// store has enough to forget at once.
func (gi *groundItems) expire(e *entity) {
	o := e.object
	again := func() { gi.after(expiryRetry, e, gi.expire) }
	switch {
	case o.busy():
		again()
		return
	case !gi.mayExpire():
		gi.after(expiryPeriod, e, gi.expire)
		return
	}
	gi.endLying(o).failed = again
}

// mayExpire reports whether the store can be asked to forget something now.
func (gi *groundItems) mayExpire() bool {
	if gi.now.Sub(gi.expiries.since) >= expiryPeriod {
		gi.expiries.since, gi.expiries.n = gi.now, 0
	}
	return gi.expiries.n < expiriesAtOnce
}

// endLying makes the store forget an item that lies, after which the item vanishes.
func (gi *groundItems) endLying(o *object) *pendingTx {
	gi.expiries.n++
	d := gi.ledger.tx(nil, nil)
	s := d.Side(o.inventory)
	d.Destroy(s, s.Root)
	return gi.ledger.commit(d, o, func() { gi.places.remove(o) })
}

// lootLies says how loot lies that every player may take.
func (gi *groundItems) lootLies(at coords.Position) rules.OnGround {
	return rules.OnGround{At: at, Expires: gi.now.Add(gi.balance.Loot.Expires)}
}
