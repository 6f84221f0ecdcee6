package world

import (
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"sync/atomic"

	"sphereserver/coords"
	"sphereserver/world/rules"
	"sphereserver/world/space"
)

// A core is the state that all parts of a world share: its options, numbers, time and chance, its events, and its
// entities.
type core struct {
	options Options
	tables  *rules.Tables
	balance *rules.Balance
	random  *rand.Rand
	tick    uint64

	schedule
	eventBuffer // the events of this tick
	views

	entities   map[EntityID]*entity
	all        [space.Sorts][]*entity // the same; the same commands make the same order
	characters map[int64]PlayerID
	names      map[string]*player         // by folded name
	ignores    map[PlayerID]rules.Ignored // of those that ignore any
	declined   map[wish]struct{}          // a moment ago
	unsaved    []*player                  // changed, and not yet handed over to be saved
	entityIDs  atomic.Uint32

	takeOut func(*entity) // takes an entity that has failed out of the world
}

// newCore returns the core of an empty world. The caller sets takeOut.
func newCore(o Options) *core {
	c := &core{options: o, tables: o.Tables, balance: o.Balance, entities: map[EntityID]*entity{},
		characters: map[int64]PlayerID{}, names: map[string]*player{}, ignores: map[PlayerID]rules.Ignored{},
		declined: map[wish]struct{}{}, random: rand.New(rand.NewPCG(uint64(o.Seed), 0))}
	if c.tables == nil {
		c.tables = &rules.Tables{}
	}
	if c.balance == nil {
		c.balance = rules.DefaultBalance()
	}
	c.entityIDs.Store(MaxPlayerID)
	c.snapshot.Store(&Snapshot{Balance: c.balance}) // pages may ask before the first tick
	return c
}

func (c *core) player(id PlayerID) *player {
	if e := c.entities[EntityID(id)]; e != nil {
		return e.player
	}
	return nil
}

func (c *core) object(id EntityID) *object {
	if e := c.entities[id]; e != nil {
		return e.object
	}
	return nil
}

// named returns the player of a name, nil for none. Case does not matter.
func (c *core) named(name string) *player { return c.names[rules.FoldName(name)] }

// markUnsaved remembers that the volatile state of a player is to be saved.
func (c *core) markUnsaved(p *player) {
	if !p.unsaved {
		p.unsaved = true
		c.unsaved = append(c.unsaved, p)
	}
}

// NextEntityID returns an ID that no object has had: unless four billion have, after which they come again. It may be
// called from any goroutine.
func (c *core) NextEntityID() EntityID {
	for {
		if id := EntityID(c.entityIDs.Add(1)); id > MaxPlayerID {
			return id
		}
	}
}

// freeID is NextEntityID for an object that is put into the world now: no entity in it has the ID, even after four
// billion.
func (c *core) freeID() EntityID {
	for {
		if id := c.NextEntityID(); c.entities[id] == nil {
			return id
		}
	}
}

// given keeps an ID from being given again.
func (c *core) given(id EntityID) {
	for {
		last := c.entityIDs.Load()
		if last >= uint32(id) || c.entityIDs.CompareAndSwap(last, uint32(id)) {
			return
		}
	}
}

// setHP changes a monster's HP. The caller tells the viewers.
func (c *core) setHP(m *monster, hp int) {
	m.HP = hp
	if o := m.object; !o.gone() {
		c.changeView(others, int(o.index))
	}
}

// groundOf returns the ground on which an entity stands.
func (c *core) groundOf(e *entity) Ground { return e.inside.ground(c.options.Ground) }

// inTown reports whether a place is so near to the middle of a town that no monster may be there.
func (c *core) inTown(at coords.Position) bool {
	return c.options.Zones.Town(at, c.balance.Spawn.TownFree)
}

// rescue is deferred around code that concerns one entity: if that panics, the entity is taken out, and the world
// goes on. A panic that concerns no entity, or of takeOut, ends the world, since its state cannot be trusted.
func (c *core) rescue(id EntityID) {
	if v := recover(); v != nil {
		err := fmt.Errorf("world: entity %d in tick %d panicked: %v\n%s", id, c.tick, v, debug.Stack())
		c.tell(EntityFailed{id, err})
		if e := c.entities[id]; e != nil {
			c.takeOut(e)
		}
	}
}

// guard runs code that concerns an entity under [core.rescue].
func (c *core) guard(id EntityID, do func()) {
	defer c.rescue(id)
	do()
}
