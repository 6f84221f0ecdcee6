package view

import (
	"slices"
	"sync"
	"sync/atomic"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
	"sphereserver/world/space"
)

// A Client records which entities one client has been shown. Every message about another entity passes through it: a
// spawn only of an entity that the client does not hold, changes and the removal only of one that it does. A client
// crashes when it is told of an entity that it does not know.
//
// It belongs to the world's goroutine, but for the ids, since [IDTable] has its own rule, [Client.Standpoint],
// [Client.Behind], the dialect, and the fields that never change after [NewClient].
type Client struct {
	// IDs are the client's ids of items and objects; players have the same ids for all.
	IDs IDTable
	// Standpoint is where the player stands as far as its client knows, from the entry into the world on.
	Standpoint Standpoint
	// Behind says that the client has much to read yet. Its loop sets it, any goroutine may ask.
	Behind atomic.Bool

	id      world.PlayerID
	dialect atomic.Uint32 // one more than the [packets.Dialect]; 0: the view's
	login   string        // of the account
	owner   Owner
	loop    *LoopQueue
	box     *Outbox          // of this tick, nil before the first message of it
	players []world.PlayerID // that the client holds, sorted
	maxHP   int              // of the session's own player, that others were told by a change; 0 for none

	stepList *stepList                      // of this tick, nil before the first step
	effects  *[rules.MaxEffects]shownEffect // by slot; nil: it has had none
	statedHP bool                           // its player's HP were told as they are
	statedAt uint16                         // when, on the wire's clock
}

// An Owner is the session of a client, as the view knows it. Its methods are called on its loop.
type Owner interface {
	// Receive empties an outbox by [Outbox.Empty], unless the session has ended.
	Receive(*Outbox)
	// SendBytes sends whole frames.
	SendBytes(frames []byte)
	// SendBytesSoon sends whole frames before the next other ones, but not necessarily at once.
	SendBytesSoon(frames []byte)
	// Ending reports whether nothing can be sent any more.
	Ending() bool
}

// NewClient makes the client of a player with its session on a loop.
func NewClient(id world.PlayerID, login string, owner Owner, loop *LoopQueue) *Client {
	return &Client{id: id, login: login, owner: owner, loop: loop}
}

// ID is the id by which all clients know the player.
func (c *Client) ID() packets.ObjectID { return playerID(c.id) }

// SetDialect sets the dialect of messages about objects from now on. Any goroutine may call it.
func (c *Client) SetDialect(d packets.Dialect) { c.dialect.Store(uint32(d) + 1) }

// Login is the login of the account.
func (c *Client) Login() string { return c.login }

// Owner is the session of the client. It may be asked for by any goroutine, but touched on its loop only.
func (c *Client) Owner() Owner { return c.owner }

func (c *Client) holds(id world.PlayerID) bool {
	_, found := slices.BinarySearch(c.players, id)
	return found
}

// hold notes that the client is given a player; false says that it holds it already.
func (c *Client) hold(id world.PlayerID) bool {
	at, found := slices.BinarySearch(c.players, id)
	if found {
		return false
	}
	c.players = slices.Insert(space.Roomy(c.players), at, id)
	return true
}

// drop notes that a player is taken from the client; false says that it does not hold it.
func (c *Client) drop(id world.PlayerID) bool {
	at, found := slices.BinarySearch(c.players, id)
	if found {
		c.players = space.Fitting(slices.Delete(c.players, at, at+1))
	}
	return found
}

// A Standpoint is where a client has said last that it is, or where it was put since; at first where its player has
// entered the world. The client's loop sets it, the world's goroutine begins it, any goroutine may ask.
type Standpoint struct {
	mu sync.Mutex
	at coords.Position
	ok bool
}

// Set notes where the client is.
func (p *Standpoint) Set(at coords.Position) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at, p.ok = at, true
}

// Begin notes where the client is, if nothing was said of that yet.
func (p *Standpoint) Begin(at coords.Position) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ok {
		p.at, p.ok = at, true
	}
}

// Get returns where the client is; ok is false before its player has entered the world.
func (p *Standpoint) Get() (at coords.Position, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.at, p.ok
}
