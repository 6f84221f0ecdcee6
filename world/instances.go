package world

import (
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
	"sphereserver/world/space"
)

// A Layout is the plan from which each instance of a dungeon is made. It is plain data that never changes.
type Layout struct {
	Key    string          // names it for operators: "newcomers"
	Start  coords.Position // where players begin, counted from the origin
	Pieces []Piece         // in the order in which they are shown: the labyrinth first
	Lairs  []Spawner       // of the monsters; places are counted from the origin
	// Charted is an origin at which the ground is the same, so that heights learned in one instance count in all; the
	// zero value: each instance has a ground of its own.
	Charted coords.Position
	// Leave is outside of it: where a player that has left the game inside stands the next time, and from where one that
	// has died inside comes to where it lives again. The zero value: the sender of [Enter] decides, and the dead live
	// again at Start.
	Leave coords.Position
}

// A Piece is an object that stands in an instance from its beginning. A [GroundItem] has no owner until a player
// takes it: the store does not know it before, and it takes no room there.
type Piece struct {
	At        coords.Position // counted from the origin
	Kind      Kind
	Things    []rules.Item // of a chest: its contents, which the store does not know before it is opened
	Trap      int          // of a chest: HP that it takes from the first player that opens it, 0 for none
	Calls     *Summon      // of a chest: the monster that comes beside it then; nil for none
	Sometimes bool         // only half of all instances have it
}

// A Labyrinth is the walls of an instance. Its number tells clients which map they load.
type Labyrinth struct{ Map int }

// A Post tells clients a text of the first lessons when a player comes near.
type Post struct{ Number int }

func (Labyrinth) kind() {}
func (Post) kind()      {}

// An InstanceID names an instance while it exists: its cell, counted from 1. A later instance may have the same.
type InstanceID int

// instance is a part of the world of its own, which no player outside of it sees.
type instance struct {
	id      InstanceID
	origin  coords.Position
	layout  *Layout
	name    string
	began   time.Time
	players int
	emptied time.Time // since when there are none
	round   int       // counts how often it was left, so that only the last time ends it
	over    bool      // nothing comes into it any more
	pieces  []*body   // in the order in which they are shown
	lairs   []*spawner
	charted *charted     // nil: the ground is that of the world
	mission rules.ItemID // key of the one for which it was made, 0 for none
}

// instances are all instances of the world.
type instances struct {
	*core
	places      *places
	groundItems *groundItems
	spawners    *spawners

	byID     []*instance  // by id less one
	free     []InstanceID // longest free first
	live     int
	openings int // so far, for the chance of the lairs
}

// number returns the number of an instance in space.
func (in *instance) number() space.Instance {
	if in == nil {
		return 0
	}
	return space.Instance(in.id)
}

// holds reports whether a place is in an instance. The open world holds all.
func (in *instance) holds(at coords.Position) bool {
	return in == nil || rules.InInstance(in.origin, at)
}

// open is the instance, or nil if it has ended.
func (in *instance) open() *instance {
	if in == nil || in.over {
		return nil
	}
	return in
}

// place turns a place counted from the origin into one in the world.
func (in *instance) place(at coords.Position) coords.Position {
	at.X, at.Y, at.Z = at.X+in.origin.X, at.Y+in.origin.Y, at.Z+in.origin.Z
	return at
}

// openInstance makes an instance for a player; nil if there are as many as there may be.
func (is *instances) openInstance(l *Layout, owner *Player) *instance {
	if is.live >= is.options.Instances {
		return nil
	}
	if is.byID == nil {
		is.byID = make([]*instance, rules.MostInstances)
		is.free = make([]InstanceID, rules.MostInstances)
		for i := range is.free {
			is.free[i] = InstanceID(i + 1)
		}
	}
	id := is.free[0]
	is.free = append(is.free[:0], is.free[1:]...)
	in := &instance{id: id, origin: rules.InstanceOrigin(int(id) - 1), layout: l, name: owner.Name,
		began: is.now, emptied: is.now}
	is.byID[id-1] = in
	is.live++
	is.openings++
	is.instancesTold = nil
	if l.Charted != (coords.Position{}) {
		in.charted = &charted{Ground: is.options.Ground, by: coords.Position{X: l.Charted.X - in.origin.X,
			Y: l.Charted.Y - in.origin.Y, Z: l.Charted.Z - in.origin.Z}}
	}
	for i := range l.Pieces {
		if p := &l.Pieces[i]; !p.Sometimes || is.random.IntN(2) == 0 {
			is.putPiece(in, p)
		}
	}
	for i, of := range l.Lairs {
		of.At = in.place(of.At)
		const lairs = 1 << 8 // of one instance at most, for their chance
		s := &spawner{Spawner: of, id: is.NextEntityID(), index: -2 - is.openings*lairs - i, inside: in}
		in.lairs = append(in.lairs, s)
		is.spawners.fill(s, false)
	}
	return in
}

func (is *instances) putPiece(in *instance, p *Piece) {
	o := &object{Object: Object{ID: is.freeID(), Position: in.place(p.At), Kind: p.Kind}}
	if t, ok := p.Kind.(GroundItem); ok {
		t.OnGround = rules.OnGround{At: o.Position}
		o.Kind, o.rare = t, &rare{fresh: true, things: p.Things, trap: int32(p.Trap), calls: p.Calls}
	}
	is.places.put(o, in)
	in.pieces = append(in.pieces, &o.Body)
}

// beginEnd ends an instance without players after a while, unless a player comes back in time.
func (is *instances) beginEnd(in *instance) {
	in.emptied = is.now
	in.round++
	round := in.round
	is.after(is.balance.Spawn.InstanceLinger, nil, func(_ *entity) {
		if in.players == 0 && in.round == round {
			is.endInstance(in)
		}
	})
}

// endRetry is after which time it is looked again whether all that lies in an instance is gone.
const endRetry = time.Second

// endInstance removes all objects of an instance without players, and frees its cell when the store has forgotten the
// items that have lain there.
func (is *instances) endInstance(in *instance) {
	in.over, is.instancesTold = true, nil
	for _, s := range in.lairs {
		s.gone = true
		s.begin()
	}
	left := false
	for _, e := range is.places.inhabitants(in) {
		switch o := e.object; {
		case o.gone():
		case !o.busy() && !o.lies() && !o.Hidden:
			is.places.remove(o)
		default:
			if left = true; o.lies() && !o.busy() && is.groundItems.mayExpire() {
				is.groundItems.endLying(o)
			}
		}
	}
	if left {
		is.after(endRetry, nil, func(_ *entity) { is.endInstance(in) })
		return
	}
	is.byID[in.id-1] = nil
	is.free = append(is.free, in.id)
	is.live--
	is.instancesTold = nil
}

// An InstanceRefused tells that a player has entered the open world, since there is no room for another instance.
type InstanceRefused struct {
	ID  PlayerID
	Why rules.RejectReason
}

func (InstanceRefused) event() {}

// EnterInside is [Enter] at the start of a new instance of a layout, if there is room for one. Its place is not known
// sooner, so [Teleported] follows after the objects that the player sees there; without room [InstanceRefused] comes
// before that, and the player is at its own place.
type EnterInside struct {
	Player Player
	Layout *Layout
}

func (c EnterInside) who() PlayerID { return c.Player.ID }

func (c EnterInside) do(w *World) {
	in := w.instances.openInstance(c.Layout, &c.Player)
	if in != nil {
		c.Player.Position = in.place(c.Layout.Start)
	}
	switch inside := w.admit(c.Player, in); {
	case inside && in == nil:
		w.tell(InstanceRefused{c.Player.ID, rules.NoCell})
		fallthrough
	case inside:
		w.places.recall(w.player(c.Player.ID), settleTime)
	case in != nil:
		w.instances.endInstance(in)
	}
}

// EnterInstance is an operator's order to bring a player into an instance: into one that there is, or else into a new
// one of a layout of [Options].Layouts. [Teleported] and [Granted] follow.
type EnterInstance struct {
	ID     PlayerID
	Number InstanceID
	Layout string // if Number is 0: its key
	Tag    uint64
}

func (c EnterInstance) who() PlayerID { return c.ID }
func (c EnterInstance) tag() uint64   { return c.Tag }

func (c EnterInstance) ask(w *World, p *player) rules.RejectReason {
	in, why := w.instances.instance(c.Number), rules.NoInstance
	i := slices.IndexFunc(w.options.Layouts, func(l *Layout) bool { return l.Key == c.Layout })
	if i >= 0 && c.Number == 0 {
		in, why = w.instances.openInstance(w.options.Layouts[i], &p.Player), rules.NoCell
	}
	if in == nil {
		return why
	}
	w.places.teleportInto(p, in, in.place(in.layout.Start))
	w.publish(nil) // so that an operator that is answered finds the player there
	w.granted(p, c)
	return 0
}

// instance returns an open instance, nil for none.
func (is *instances) instance(id InstanceID) *instance {
	if id < 1 || int(id) > len(is.byID) {
		return nil
	}
	return is.byID[id-1].open()
}

// instanceAt returns the instance of the cell that a place is in, nil for none: objects that operators put there go
// into it.
func (is *instances) instanceAt(at coords.Position) *instance {
	return is.instance(InstanceID(rules.InstanceCell(at) + 1))
}

// Unstick brings a stuck player to a place in the open world; in an instance first to its start, if it is not there.
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
			w.places.teleport(p, start)
			return
		}
	}
	Teleport(c).act(w, p)
}

// stays is where a player stands the next time.
func (is *instances) stays(p *player) coords.Position {
	if in := p.inside; in != nil && in.layout.Leave != (coords.Position{}) {
		return in.layout.Leave
	}
	return p.Position
}

// An InstanceView is the state of an instance in a [Snapshot].
type InstanceView struct {
	ID      InstanceID
	Layout  string
	Origin  coords.Position
	Owner   string // name of the player for which it was made
	Began   time.Time
	Emptied time.Time // since when no player is in it; zero: one is
	Ending  bool      // the store is forgetting the items that have lain there
}

// instanceViews is all instances for a snapshot, the same as in the last one unless something has changed.
func (is *instances) instanceViews() []InstanceView {
	if is.instancesTold != nil {
		return is.instancesTold
	}
	is.instancesTold = make([]InstanceView, 0, is.live)
	for _, in := range is.byID {
		if in == nil {
			continue
		}
		v := InstanceView{in.id, in.layout.Key, in.origin, in.name, in.began, time.Time{}, in.over}
		if in.players == 0 {
			v.Emptied = in.emptied
		}
		is.instancesTold = append(is.instancesTold, v)
	}
	return is.instancesTold
}

// ground is that of an instance, which may be that of the open world.
func (in *instance) ground(open Ground) Ground {
	if in == nil || in.charted == nil {
		return open
	}
	return in.charted
}

// charted is a ground that is known somewhere else.
type charted struct {
	Ground
	by   coords.Position // from here to there
	near coords.Position // scratch of Height, so that it allocates nothing
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

func (c *charted) Nearest(at coords.Position, limit float64) (coords.Position, bool) {
	p, known := c.Ground.Nearest(c.there(at), limit)
	p.X, p.Y, p.Z = p.X-c.by.X, p.Y-c.by.Y, p.Z-c.by.Z
	return p, known
}
