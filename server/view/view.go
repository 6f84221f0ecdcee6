// Package view shows the world to clients: it makes frames of the world's events, each in the words of the client that
// gets it.
//
// A [View] belongs to the world's goroutine. It knows of a session only a [Client]: which ids its client uses, what the
// client holds, and the [Outbox] of the tick. The session's loop gets the outboxes of all its sessions by one call
// for each tick, and empties them. Some members are safe for any goroutine, and guard themselves: [View.Attach],
// [View.Detach], [View.Client], [IDTable.Lookup], [Standpoint] and [ChatEncoder].
package view

import (
	"log/slog"
	"sync/atomic"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A View shows events of the world to the clients that they concern. It belongs to the world's goroutine, but for
// [View.Attach], [View.Detach] and [View.Client].
//
// A message to many is encoded once and copied into the outbox of each; where clients know its subject by ids of
// their own, the id is patched in the copy. At the end of the tick every loop with outboxes is handed all of its own
// by one call.
type View struct {
	Options
	clients [1 << 16]atomic.Pointer[Client] // by player index

	loops  []*LoopQueue // that have a batch
	frames []byte       // encoded in this tick
	began  uint64       // when this tick did, in steps of the wire's clock
	clock  uint16       // the same as it goes over the wire
	step   step
	hurt   hurt

	people  map[*world.Player][]byte // how they look in this tick, filled when a client is first shown them
	objects map[sketch]drawing

	monsters  map[sketch]drawing // in this tick
	stepLists []*stepList
	parted    [2][]world.PlayerID

	telling *Client // the last that was told something, nil for nobody
}

// A sketch names the drawing of an object in one dialect.
type sketch struct {
	of world.EntityID
	in packets.Dialect
}

// A drawing is how an object is shown to new viewers.
type drawing struct {
	kind  EntryKind
	class packets.Class
	at    coords.Position
	frame []byte // that spawns it there, not addressed yet; empty if it cannot be shown
}

// Options are the options of a view.
type Options struct {
	Dialect packets.Dialect // of clients that have no other
	Log     *slog.Logger
	Tables  *rules.Tables
	// Clock is the wire's clock. The queues of all clients' loops are its own.
	Clock *Clock
	// Balance is the balance in effect.
	Balance func() *rules.Balance
	// Place is where the world has a player.
	Place func(world.PlayerID) coords.Position
	// Rescue is deferred around the steps that one client is told at the end of a tick. It may recover, and ask
	// [View.Telling]; only the type of its argument says anything. nil: a panic is the caller's.
	Rescue func(what any)
}

// keptSpawns is how many objects' frames are cached; beyond that the cache is emptied.
const keptSpawns = 4096

// New makes a view without clients.
func New(o Options) *View {
	return &View{Options: o, people: map[*world.Player][]byte{}, objects: map[sketch]drawing{},
		monsters: map[sketch]drawing{}}
}

// Attach makes a client known to the view, before its player enters the world. Any goroutine may call it.
func (v *View) Attach(c *Client) { v.clients[uint16(c.id)].Store(c) }

// Detach undoes [View.Attach]. Any goroutine may call it.
func (v *View) Detach(c *Client) { v.clients[uint16(c.id)].CompareAndSwap(c, nil) }

// Client is the client of a player, nil if it has gone. Any goroutine may ask.
func (v *View) Client(id world.PlayerID) *Client { return v.clients[uint16(id)].Load() }

// tells is the same for a client that is about to be told something, on the world's goroutine.
func (v *View) tells(id world.PlayerID) *Client {
	v.telling = v.Client(id)
	return v.telling
}

// Telling returns the player of the client that was told something last, 0 for none: it is the one that an event of
// the world was about to be told to when it has panicked. The next event begins without one.
func (v *View) Telling() (id world.PlayerID) {
	if v.telling != nil {
		id = v.telling.id
	}
	v.telling = nil
	return id
}

// BeginTick begins the messages of one tick.
func (v *View) BeginTick() {
	v.began = v.Clock.begin()
	v.clock = onWire(v.began)
}

// Now is the wire's clock of the tick that is told.
func (v *View) Now() uint16 { return v.clock }

// EndTick hands the messages of the tick over to the loops.
func (v *View) EndTick() {
	v.sendSteps()
	v.handOver()
	v.Clock.end()
	clear(v.people)
	clear(v.monsters)
	v.frames = v.frames[:0]
}

// Left forgets what a client holds when its player has left the world.
func (v *View) Left(id world.PlayerID) {
	if c := v.Client(id); c != nil {
		c.players, c.maxHP = nil, 0
	}
}

// Call runs a function on the loop of a player's session, behind all that was put into its outbox before.
func (v *View) Call(id world.PlayerID, do func(Owner)) {
	if c := v.Client(id); c != nil {
		b := v.box(c)
		b.calls = append(b.calls, deferredCall{len(b.frames), func() { do(c.owner) }})
	}
}

// ShareOut puts frames into the outboxes of several players; if they are addressed, as frames about each of them.
func (v *View) ShareOut(to []world.PlayerID, frames []byte, addressed bool) {
	for _, id := range to {
		c := v.Client(id)
		if c == nil {
			continue
		}
		b := v.box(c)
		at := len(b.frames)
		b.frames = append(b.frames, frames...)
		if addressed {
			AddressAll(b.frames[at:], c.ID())
		}
	}
}

// dialectOf returns the dialect of messages about objects to a client. Messages about players have one for all clients.
func (v *View) dialectOf(c *Client) packets.Dialect {
	if d := c.dialect.Load(); d > 0 {
		return packets.Dialect(d - 1)
	}
	return v.Dialect
}

// encode encodes a message about players for as many as are to have it. The frame is valid in this tick.
func (v *View) encode(b *packets.Body) []byte { return v.encodeIn(v.Dialect, b) }

// encodeIn encodes a message in a dialect.
func (v *View) encodeIn(d packets.Dialect, b *packets.Body) []byte {
	start := len(v.frames)
	out, err := packets.AppendServer(v.frames, b, d)
	if err != nil {
		v.Log.Error("cannot encode", "error", err) // a defect of ours
		return nil
	}
	v.frames = out
	return out[start:len(out):len(out)]
}

func (v *View) put(c *Client, frames []byte) {
	b := v.box(c)
	b.frames = append(b.frames, frames...)
}

// putAddressed puts a frame into an outbox, addressed to an object by the id under which the client knows it.
func (v *View) putAddressed(c *Client, frame []byte, id packets.ObjectID) {
	b := v.box(c)
	start := len(b.frames)
	b.frames = append(b.frames, frame...)
	readdress(b.frames[start:], v.clock, id)
}

// box is the client's outbox of this tick, which goes out at once.
func (v *View) box(c *Client) *Outbox {
	b := v.walkBox(c)
	b.urgent = true
	return b
}

// walkBox is the client's outbox of this tick, for where others walk: that may go out a little later, so that a client
// in a crowd is not written to in each tick.
func (v *View) walkBox(c *Client) *Outbox {
	if c.box != nil {
		return c.box
	}
	b := outboxes.Get().(*Outbox)
	b.to, c.box = c, b
	if c.loop.batch == nil {
		c.loop.passOn(v.began)
		c.loop.batch = newBatch(c.loop)
		v.loops = append(v.loops, c.loop)
	}
	c.loop.batch.boxes = append(c.loop.batch.boxes, b)
	return b
}

// handOver gives the loops their batches.
func (v *View) handOver() {
	for i, l := range v.loops {
		all := l.batch
		l.batch, v.loops[i] = nil, nil
		for _, b := range all.boxes {
			b.to.box = nil
		}
		if l.execute(all.run) != nil {
			l.drop()
			all.end() // a loop that has stopped has no sessions
		}
	}
	v.loops = v.loops[:0]
}

// showWalk is [View.show] for frames that say where the player walks.
func (v *View) showWalk(viewers []world.PlayerID, about world.PlayerID, frames []byte) {
	for _, id := range viewers {
		if c := v.tells(id); c != nil && c.holds(about) {
			b := v.walkBox(c)
			b.frames = append(b.frames, frames...)
		}
	}
}

// show sends frames about a player to those viewers that hold it.
func (v *View) show(viewers []world.PlayerID, about world.PlayerID, frames []byte) {
	for _, id := range viewers {
		if c := v.tells(id); c != nil && c.holds(about) {
			v.put(c, frames)
		}
	}
}

// showEntity sends a message about an entity to those viewers that hold it. It is encoded once for each dialect: a
// player has the same id for all; an object has an id of each client's own, which is put into that client's copy.
func (v *View) showEntity(viewers []world.PlayerID, about world.EntityID,
	message func(packets.ObjectID, packets.Class) *packets.Body) {
	if id, ok := about.Player(); ok {
		v.show(viewers, id, v.encode(message(playerID(id), packets.ClassPlayer)))
		return
	}
	var frames [packets.Classic + 1][]byte
	for _, viewer := range viewers {
		c := v.tells(viewer)
		if c == nil {
			continue
		}
		if o, ok := c.IDs.Object(about); ok {
			d := v.dialectOf(c)
			if frames[d] == nil {
				frames[d] = v.encodeIn(d, message(0, o.Class))
			}
			v.putAddressed(c, frames[d], o.objectID())
		}
	}
}

// showMoved is [View.showEntity] for a message that says where the entity is now.
func (v *View) showMoved(viewers []world.PlayerID, about world.EntityID, to coords.Position,
	message func(packets.ObjectID, packets.Class) *packets.Body) {
	v.showEntity(viewers, about, message)
	if _, ok := about.Player(); ok {
		return
	}
	for _, viewer := range viewers {
		if c := v.tells(viewer); c != nil {
			_, _ = c.IDs.moveTo(about, to)
		}
	}
}

// sendBody sends sections as one body.
func (v *View) sendBody(c *Client, sections []packets.Section) {
	if len(sections) > 0 {
		v.put(c, v.encodeIn(v.dialectOf(c), &packets.Body{Clock: v.clock, Sections: sections}))
	}
}
