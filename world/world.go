// Package world is the simulation: who is where, and what happens to them as time goes by. It knows no socket, no SQL and
// no byte of the wire, and given the same seed and the same commands at the same times it does the same things.
//
// Commands go in by [World.Do] and [World.Move] from any goroutine; events come out to one [Sink], once per tick, from the goroutine
// that ticks. Nobody keeps a pointer into the world's state: events that hold one are for the moment in which they are told, and what
// others may read at any time is an immutable [Snapshot].
//
// The world decides who sees whom and what ([Options].Sight), and tells each viewer what appears and vanishes, so that whoever brings the
// events to clients need not know where anybody is.
package world

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

const (
	// TickPeriod is the time between two ticks.
	TickPeriod = 50 * time.Millisecond
	// populationPeriod is the shortest time between two reports of the number of players, since each goes to all.
	populationPeriod = 2 * time.Second
	// settleDistance is how near to the end of a teleport a player's own position has to be to count again, in metres.
	settleDistance = 30
	// settleTime is how long positions from before a teleport are ignored at the most.
	settleTime = 10 * time.Second
	// MaxSeed is the greatest seed of chance.
	MaxSeed = 1<<31 - 1
	// publishPeriod is how often a snapshot is made.
	publishPeriod = time.Second
)

// A World is one realm part. Its Tick is called by one goroutine at a time.
type World struct {
	options Options
	sink    Sink

	mu      sync.Mutex // guards the inbox
	inbox   []Command
	moves   []move
	dropped atomic.Uint64

	takenInbox []Command // those of the last tick, used again
	takenMoves []move
	page       // what is told in this tick

	entities   map[EntityID]*entity
	all        [sorts][]*entity // the same; the same commands make the same order
	characters map[int64]PlayerID
	names      map[string]*player   // by folded name
	failed     map[PlayerID]*player // out of sight, until they leave
	unsaved    []*player            // moved, and not yet handed over to be saved
	movers     []*entity            // whose area of interest or place is to be told

	holding
	pieces  []piece      // of the last outfit, used again
	dressed []rules.Item // of the last look at what somebody wears, used again

	grid            grid
	sight2, vanish2 float64 // squares of the distances
	cells           []*cell // of the last look, used again
	stamp           uint64  // of the last look

	objectIDs atomic.Uint32

	schedule
	random     *rand.Rand
	tick       uint64
	population struct {
		told int
		at   time.Time
	}
	views
}

// New returns an empty world that tells its events to sink.
func New(o Options, sink Sink) *World {
	o = o.withDefaults()
	if o.Seed == 0 {
		o.Seed = 1 + rand.IntN(MaxSeed)
	}
	vanish := o.Sight * vanishFactor
	w := &World{options: o, sink: sink, entities: map[EntityID]*entity{}, characters: map[int64]PlayerID{}, names: map[string]*player{}, failed: map[PlayerID]*player{},
		grid: newGrid(vanish), sight2: o.Sight * o.Sight, vanish2: vanish * vanish}
	w.rules, w.ruled = o.Rules, o.Rules != nil
	if !w.ruled {
		w.rules = noRules{}
	}
	w.deals, w.stocks = map[uint64]*deal{}, map[ObjectID]stock{}
	w.objectIDs.Store(MaxPlayerID)
	w.random = rand.New(rand.NewPCG(uint64(o.Seed), 0))
	w.snapshot.Store(&Snapshot{})
	return w
}

// Do puts a command into the inbox. It never blocks. There is no limit, since the commands are bounded by the number of
// players and of what operators do.
func (w *World) Do(c Command) {
	w.mu.Lock()
	w.inbox = append(w.inbox, c)
	w.mu.Unlock()
}

// Move tells where a player's own client says that it is. It never blocks and allocates nothing; false says that the move
// was dropped because too many are waiting. Moves are done before the commands of the same tick: who moves and leaves at once
// leaves from where it went.
func (w *World) Move(id PlayerID, to coords.Position) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.moves) >= w.options.QueueLimit {
		w.dropped.Add(1)
		return false
	}
	w.moves = append(w.moves, move{id, to})
	return true
}

// Dropped is how many moves have been dropped since the start.
func (w *World) Dropped() uint64 { return w.dropped.Load() }

// Tick does what was commanded before it and lets time go by to now, then tells all events of that.
func (w *World) Tick(now time.Time) {
	w.mu.Lock()
	w.takenInbox, w.inbox = w.inbox, w.takenInbox[:0]
	w.takenMoves, w.moves = w.moves, w.takenMoves[:0]
	w.mu.Unlock()

	w.now = now
	if w.tick == 0 {
		w.start()
	}
	for _, m := range w.takenMoves {
		w.tryMove(m, now)
	}
	for _, c := range w.takenInbox {
		w.try(c, now)
	}
	clear(w.takenInbox)
	w.fire(now)
	w.move(now)
	w.tellPopulation(now)
	w.tick++
	if len(w.events) > 0 {
		w.sink.Happened(w.events)
		w.page.reset()
	}
}

// Seed is the seed of the world's chance, also if it was drawn.
func (w *World) Seed() int { return w.options.Seed }

// start begins what the world does again and again.
func (w *World) start() {
	w.after(0, nil, (*World).publish)
	w.every(publishPeriod, nil, (*World).publish)
	w.every(w.options.SaveEvery, nil, (*World).handOver)
}

// handOver hands over the places of all who have moved, to be saved.
func (w *World) handOver(*entity, time.Time) {
	if len(w.unsaved) == 0 {
		return
	}
	batch := PositionsDue{Places: make([]Place, 0, len(w.unsaved))}
	for _, p := range w.unsaved {
		p.unsaved = false
		if !p.gone {
			batch.Places = append(batch.Places, Place{p.Character, p.Position})
		}
	}
	clear(w.unsaved)
	w.unsaved = w.unsaved[:0]
	w.tell(batch)
}

// tellPopulation tells the number of players if it has changed, but not too often.
func (w *World) tellPopulation(now time.Time) {
	if n := len(w.all[players]); n != w.population.told && now.Sub(w.population.at) >= populationPeriod {
		w.population.told, w.population.at = n, now
		w.tell(Population{n})
	}
}
