package world

import (
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A Layout is what each instance of a dungeon is made of. It is plain data that never changes.
type Layout struct {
	Key    string          // names it for operators: "newcomers"
	Start  coords.Position // where one begins, counted from the origin
	Pieces []Piece         // in the order in which they are shown: the labyrinth first
	Lairs  []Spawner       // what lives there; places are counted from the origin
	// Charted is an origin at which the ground is the same, so that what is learned of it in one instance counts in all;
	// the zero value: each instance has a ground of its own.
	Charted coords.Position
	// Leave is where somebody stands the next time who has left the game inside; the zero value: whoever lets it enter
	// decides.
	Leave coords.Position
}

// A Piece is what stands in an instance from its beginning. A [GroundItem] is nobody's until somebody takes it: the
// store does not know it before, and it takes no room there.
type Piece struct {
	At        coords.Position // counted from the origin
	Kind      Kind
	Things    []rules.Item // of a chest: what is in it, none of which the store knows before it is opened
	Trap      int          // of a chest: HP that it takes from who opens it first, 0 for none
	Calls     *Summon      // of a chest: the monster that comes beside it then; nil for none
	Sometimes bool         // only half of all instances have it
}

// A Labyrinth is the walls of an instance. Its number tells clients which map they load.
type Labyrinth struct{ Map int }

// A Post tells clients a text of the first lessons when somebody comes near.
type Post struct{ Number int }

func (Labyrinth) kind() {}
func (Post) kind()      {}

// An InstanceID names an instance as long as it is: its cell, counted from 1. Another one may have it later.
type InstanceID int

// instance is a part of the world of its own, which nobody outside of it sees.
type instance struct {
	id       InstanceID
	origin   coords.Position
	layout   *Layout
	owner    int64 // number of the character for which it was made
	name     string
	began    time.Time
	players  int
	emptied  time.Time // since when there are none
	monsters int       // in it now
	things   int       // that lie there, chests among them
	round    int       // counts how often it was left, so that only the last time ends it
	over     bool      // nothing comes into it any more
	pieces   []*entity // in the order in which they are shown
	lairs    []*spawner
	charted  *charted     // nil: the ground is that of the world
	mission  rules.ItemID // key of the one for which it was made, 0 for none
}

// instances are all that there are.
type instances struct {
	byID     []*instance  // by id less one
	free     []InstanceID // who has been free longest comes first
	live     int
	told     []InstanceView // of the last snapshot, nil when something has changed
	openings int            // so far, for the chance of what lives there
}

// number is that of an instance in the keys of the grid.
func (in *instance) number() cellKey {
	if in == nil {
		return 0
	}
	return cellKey(in.id)
}

// holds says whether a place is in an instance. The open world holds all.
func (in *instance) holds(at coords.Position) bool {
	return in == nil || rules.InInstance(in.origin, at)
}

// open is the instance, or nil if it is no more.
func (in *instance) open() *instance {
	if in == nil || in.over {
		return nil
	}
	return in
}

// place is what is counted from the origin, in the world.
func (in *instance) place(at coords.Position) coords.Position {
	at.X, at.Y, at.Z = at.X+in.origin.X, at.Y+in.origin.Y, at.Z+in.origin.Z
	return at
}

// openInstance makes an instance for a player; nil if there are as many as there may be.
func (w *World) openInstance(l *Layout, owner *Player) *instance {
	all := &w.instances
	if all.live >= w.options.Instances {
		return nil
	}
	if all.byID == nil {
		all.byID = make([]*instance, rules.MostInstances)
		all.free = make([]InstanceID, rules.MostInstances)
		for i := range all.free {
			all.free[i] = InstanceID(i + 1)
		}
	}
	id := all.free[0]
	all.free = append(all.free[:0], all.free[1:]...)
	in := &instance{id: id, origin: rules.InstanceOrigin(int(id) - 1), layout: l, owner: owner.Character,
		name: owner.Name, began: w.now, emptied: w.now}
	all.byID[id-1] = in
	all.live++
	all.openings++
	all.told = nil
	if l.Charted != (coords.Position{}) {
		in.charted = &charted{Ground: w.options.Ground, by: coords.Position{X: l.Charted.X - in.origin.X,
			Y: l.Charted.Y - in.origin.Y, Z: l.Charted.Z - in.origin.Z}}
	}
	for i := range l.Pieces {
		if p := &l.Pieces[i]; !p.Sometimes || w.random.IntN(2) == 0 {
			w.putPiece(in, p)
		}
	}
	for i, of := range l.Lairs {
		of.At = in.place(of.At)
		const lairs = 1 << 8 // of one instance at most, for their chance
		s := &spawner{Spawner: of, id: w.NextEntityID(), index: -2 - all.openings*lairs - i, inside: in}
		in.lairs = append(in.lairs, s)
		w.fill(s, false)
	}
	return in
}

func (w *World) putPiece(in *instance, p *Piece) {
	o := &object{Object: Object{ID: w.freeID(), Position: in.place(p.At), Kind: p.Kind}}
	if t, ok := p.Kind.(GroundItem); ok {
		t.OnGround = rules.OnGround{At: o.Position}
		o.Kind, o.fresh, o.things, o.trap, o.calls = t, true, p.Things, p.Trap, p.Calls
	}
	w.put(o, in)
	in.pieces = append(in.pieces, &o.entity)
}

// goInside brings an entity from one instance into another, or with nil into the open world. Where it is there is for
// the caller to say.
func (w *World) goInside(e *entity, in *instance) {
	was := e.inside
	if was == in {
		return
	}
	if e.inside = in; in != nil {
		in.players++
	}
	if was != nil {
		if was.players--; was.players == 0 {
			w.beginEnd(was)
		}
	}
	w.instances.told = nil
}

// beginEnd has an instance end that nobody is in, unless somebody comes back in time.
func (w *World) beginEnd(in *instance) {
	in.emptied = w.now
	in.round++
	round := in.round
	w.after(w.balance.Spawn.InstanceLinger, nil, func(w *World, _ *entity) {
		if in.players == 0 && in.round == round {
			w.endInstance(in)
		}
	})
}

// endRetry is after which time it is looked again whether all that lies in an instance is gone.
const endRetry = time.Second

// endInstance takes all out of an instance that nobody is in, and frees its cell when the store has forgotten what has
// lain there.
func (w *World) endInstance(in *instance) {
	in.over = true
	for _, s := range in.lairs {
		s.gone = true
		s.begin()
	}
	left := false
	for _, e := range w.inhabitants(in) {
		switch o := e.object; {
		case o.gone:
		case o.pending == nil && o.inventory == nil && !o.dying():
			w.remove(o)
		default:
			if left = true; o.inventory != nil && o.pending == nil && w.mayExpire() {
				w.endLying(o)
			}
		}
	}
	if left {
		w.after(endRetry, nil, func(w *World, _ *entity) { w.endInstance(in) })
		return
	}
	all := &w.instances
	all.byID[in.id-1] = nil
	all.free = append(all.free, in.id)
	all.live--
	all.told = nil
}

// count notes that an object has come into an instance, or with -1 gone out of it.
func (w *World) count(e *entity, by int) {
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
	w.instances.told = nil
}

// inhabitants are all objects of an instance, in an order that follows from what has happened there.
func (w *World) inhabitants(in *instance) (all []*entity) {
	w.cells = w.grid.around(in.origin, in, 2*rules.InstanceReach, w.cells[:0])
	for _, c := range w.cells {
		all = append(all, c.of[others]...)
	}
	return all
}

// An InstanceRefused tells that a player was not brought into an instance. If it was just entering the world, it is in
// the open world instead.
type InstanceRefused struct {
	ID  PlayerID
	Why rules.RejectReason
}

func (InstanceRefused) event() {}

// EnterInside lets a player in like [Enter], at the start of a new instance of a layout if there is room for one. It knows
// its place no sooner, so [Teleported] follows behind what it sees there; without room before that [InstanceRefused],
// and it is at its own place.
type EnterInside struct {
	Player Player
	Layout *Layout
}

func (c EnterInside) who() PlayerID { return c.Player.ID }

func (c EnterInside) do(w *World) {
	in := w.openInstance(c.Layout, &c.Player)
	if in != nil {
		c.Player.Position = in.place(c.Layout.Start)
	}
	switch inside := w.admit(c.Player, in); {
	case inside && in == nil:
		w.tell(InstanceRefused{c.Player.ID, rules.NoCell})
		fallthrough
	case inside:
		w.recall(w.player(c.Player.ID), settleTime)
	case in != nil:
		w.endInstance(in)
	}
}

// EnterInstance brings a player into an instance: into one that there is, or else into a new one of a layout of
// [Options].Layouts.
// [Teleported] or [InstanceRefused] follows.
type EnterInstance struct {
	ID     PlayerID
	Number InstanceID
	Layout string // if Number is 0: its key
}

func (c EnterInstance) who() PlayerID { return c.ID }

func (c EnterInstance) act(w *World, p *player) {
	in, why := w.instance(c.Number), rules.NoInstance
	if i := slices.IndexFunc(w.options.Layouts, func(l *Layout) bool { return l.Key == c.Layout }); i >= 0 && c.Number == 0 {
		in, why = w.openInstance(w.options.Layouts[i], &p.Player), rules.NoCell
	}
	if in == nil {
		w.tell(InstanceRefused{c.ID, why})
		return
	}
	w.teleportInto(p, in, in.place(in.layout.Start))
}

// instance returns one that there is and that one can come into, nil for none.
func (w *World) instance(id InstanceID) *instance {
	if id < 1 || int(id) > len(w.instances.byID) {
		return nil
	}
	return w.instances.byID[id-1].open()
}

// instanceAt is the instance to whose cell a place belongs, nil for none: what operators put there goes into it.
func (w *World) instanceAt(at coords.Position) *instance {
	return w.instance(InstanceID(rules.InstanceCell(at) + 1))
}

// Unstick brings a player who is stuck to a place in the open world; in an instance first to its start, if it is not there.
// [Teleported] follows, unless the place is not in the world.
type Unstick struct {
	ID PlayerID
	To coords.Position
}

func (c Unstick) who() PlayerID { return c.ID }

// atStart is how near to the start of an instance one is there, in metres.
const atStart = 3

func (c Unstick) act(w *World, p *player) {
	if in := p.inside; in != nil {
		if start := in.place(in.layout.Start); p.Position.Distance(start) > atStart {
			w.teleport(p, start)
			return
		}
	}
	Teleport(c).act(w, p)
}

// stays is where a player stands the next time.
func (w *World) stays(p *player) coords.Position {
	if in := p.inside; in != nil && in.layout.Leave != (coords.Position{}) {
		return in.layout.Leave
	}
	return p.Position
}

// An InstanceView is what others may know of an instance, as it was.
type InstanceView struct {
	ID       InstanceID
	Layout   string
	Origin   coords.Position
	Owner    string // for whom it was made
	Began    time.Time
	Emptied  time.Time // since when nobody is in it; zero: somebody is
	Players  int
	Monsters int
	Things   int  // that lie there, chests among them
	Ending   bool // what has lain there is being forgotten
}

// instanceViews is all instances for a snapshot, the same as in the last one unless something has changed.
func (w *World) instanceViews() []InstanceView {
	all := &w.instances
	if all.told != nil {
		return all.told
	}
	all.told = make([]InstanceView, 0, all.live)
	for _, in := range all.byID {
		if in == nil {
			continue
		}
		v := InstanceView{in.id, in.layout.Key, in.origin, in.name, in.began, time.Time{}, in.players, in.monsters, in.things,
			in.over}
		if in.players == 0 {
			v.Emptied = in.emptied
		}
		all.told = append(all.told, v)
	}
	return all.told
}

// groundOf is the ground on which an entity stands.
func (w *World) groundOf(e *entity) Ground { return e.inside.ground(w) }

func (in *instance) ground(w *World) Ground {
	if in == nil || in.charted == nil {
		return w.options.Ground
	}
	return in.charted
}

// charted is a ground that is known somewhere else.
type charted struct {
	Ground
	by   coords.Position // from here to there
	near coords.Position // room for what is asked, so that nothing is allocated
}

func (c *charted) there(at coords.Position) coords.Position {
	at.X, at.Y, at.Z = at.X+c.by.X, at.Y+c.by.Y, at.Z+c.by.Z
	return at
}

func (c *charted) Height(at coords.Position, near *coords.Position) (float32, bool) {
	if near != nil {
		c.near = c.there(*near)
		near = &c.near
	}
	y, known := c.Ground.Height(c.there(at), near)
	return y - c.by.Y, known
}

func (c *charted) Way(from, to coords.Position, into []coords.Position) ([]coords.Position, bool) {
	n := len(into)
	way, tried := c.Ground.Way(c.there(from), c.there(to), into)
	for i := range way[n:] {
		p := &way[n+i]
		p.X, p.Y, p.Z = p.X-c.by.X, p.Y-c.by.Y, p.Z-c.by.Z
	}
	return way, tried
}

func (c *charted) Passes(from, to coords.Position) bool {
	return c.Ground.Passes(c.there(from), c.there(to))
}

func (c *charted) Land(at coords.Position) (float32, bool, bool) {
	y, dry, known := c.Ground.Land(c.there(at))
	return y - c.by.Y, dry, known
}

func (c *charted) Footing(at coords.Position) rules.Footing { return c.Ground.Footing(c.there(at)) }
func (c *charted) Learn(at coords.Position) bool            { return c.Ground.Learn(c.there(at)) }

func (c *charted) Nearest(at coords.Position, limit float64) (float32, float64, bool) {
	y, far, known := c.Ground.Nearest(c.there(at), limit)
	return y - c.by.Y, far, known
}

// freshItem returns what lies in an instance from its beginning, and is nobody's yet; nil if what is named is something
// else.
func (w *World) freshItem(what Target) *object {
	if o := w.object(what.Object); o != nil && o.fresh && what.Item == 0 {
		return o
	}
	return nil
}

// takeFresh has an item become somebody's: in a slot of its inventory, or if that is negative in a free one.
func (w *World) takeFresh(p *player, c Command, o *object, slot int) rules.RejectReason {
	_, lies, why := reach[GroundItem](w, p, o.ID, rules.NotYours)
	switch {
	case why != 0:
		return why
	case o.pending != nil:
		return rules.BusyObject
	case lies.IsBag():
		return rules.NotYours
	case lies.Class == rules.ClassParcel:
		if why := w.mayTakeParcel(p, &lies.Item); why != 0 {
			return why
		}
	}
	d := w.tx(p, c)
	to := d.Side(&p.carried)
	if slot < 0 {
		free, ok := to.Free(0, rules.SlotInventory, rules.EndOfInventory)
		if !ok {
			return rules.NoRoom
		}
		slot = free
	}
	t := lies.Item
	from := rules.Inventory{Ground: &rules.OnGround{At: o.Position}}
	if to.At(0, slot) != nil {
		return rules.Occupied
	}
	if why := w.tables.MayLie(&t, &from, to.Was, 0, slot); why != 0 {
		return why
	}
	t.In, t.Slot = 0, slot
	id := d.Add(to, t)
	if !w.mayWear(p, to, id) {
		return rules.Lacking
	}
	w.commit(d, o, func() {
		taken := Taken{Item: lies.Item, From: Container{Object: o.ID}, FromGround: true, Into: d.Moved(id).Is}
		w.tell(TookUp{p.ID, []Taken{taken}, o.ID, true, d.slots(all)})
		w.remove(o)
		if m := w.mission(p); m != nil && lies.Class == rules.ClassParcel {
			w.tell(PlaceMarked{p.ID, m.Back})
		}
	})
	return 0
}

// fillChest has what is in a chest become durable, when somebody opens it for the first time; then it is opened.
func (w *World) fillChest(p *player, c Open, o *object) rules.RejectReason {
	_, chest, why := reach[GroundItem](w, p, o.ID, rules.NotYours)
	switch {
	case why != 0:
		return why
	case o.pending != nil:
		return rules.BusyObject
	case !chest.IsBag():
		return rules.NoContainer
	}
	d := w.tx(nil, nil)
	s := d.Ground(chest.OnGround)
	s.Root = d.Add(s, chest.Item)
	for _, t := range o.things {
		t.ID, t.In = 0, s.Root
		d.Add(s, t)
	}
	w.commit(d, o, func() {
		h := s.Inventory
		h.Object = uint32(o.ID)
		o.inventory, o.fresh, o.things = &h, false, nil
		o.Kind = GroundItem{*h.RootItem(), *h.Ground}
		if q := w.player(p.ID); q == p {
			w.request(p, c)
		}
	}).failed = func() {
		if q := w.player(p.ID); q == p {
			w.refuse(p, c, rules.StoreFailed)
		}
	}
	return 0
}
