// Package world is the simulation: the places of players and monsters, and all that happens to them. It knows no
// socket, no SQL and no byte of the wire, and given the same seed and the same commands at the same times it does the
// same things.
//
// Commands go in by [World.Do] and [World.Move] from any goroutine; events come out to one [Sink], once per tick,
// from the goroutine that ticks. No caller keeps a pointer into the world's state: events that hold one are for the
// moment in which they are told, and other goroutines read an immutable [Snapshot].
//
// The world decides which entities each player sees ([Options].Sight), and tells each viewer which appear and vanish,
// so that the sink need not know any places.
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
	// putBackTime is the same for a player that was not believed.
	putBackTime = time.Second
	// MaxSeed is the greatest seed of chance.
	MaxSeed = 1<<31 - 1
	// publishPeriod is how often a snapshot is made.
	publishPeriod = time.Second
)

// A World is one part of the realm. Its Tick is called by one goroutine at a time.
type World struct {
	*core
	parts
	sink Sink

	mu      sync.Mutex // guards the inbox and resting
	inbox   []Command
	moves   []move
	dropped atomic.Uint64
	footing [rules.BelowGround + 1]atomic.Uint64 // places of players that were believed
	resting bool                                 // no tick is due soon
	called  chan struct{}                        // a command ends the rest

	takenInbox []Command // those of the last tick, used again
	takenMoves []move

	failed     map[PlayerID]*player // out of sight, until they leave
	population struct {
		told int
		at   time.Time
	}
}

// New returns an empty world that tells its events to sink.
func New(o Options, sink Sink) *World {
	o = o.withDefaults()
	if o.Ground == nil { // no default of the options: a server without that setting takes the ground that it has learned
		o.Ground = unknown{}
	}
	if o.Seed == 0 {
		o.Seed = 1 + rand.IntN(MaxSeed)
	}
	w := &World{core: newCore(o), sink: sink, failed: map[PlayerID]*player{}, called: make(chan struct{}, 1)}
	w.options.Ground.SetBalance(&w.balance.Mind)
	w.takeOut = w.expel
	w.parts = newParts(w)
	return w
}

// Do puts a command into the inbox. It never blocks. There is no limit, since the commands are bounded by the number
// of players and by the work of operators.
func (w *World) Do(c Command) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.inbox = append(w.inbox, c)
	if w.resting {
		select {
		case w.called <- struct{}{}:
		default: // called already
		}
	}
}

// Move tells the position that a player's own client claims. It never blocks and allocates nothing; false says that
// the move was dropped because too many are waiting. Moves are done before the commands of the same tick: a player
// that moves and leaves at once leaves from its new place.
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

// Footings counts the accepted positions of players with a footing since the start. Any goroutine may call it.
func (w *World) Footings(f rules.Footing) uint64 { return w.footing[f].Load() }

// Tick does the commands from before it and lets time go by to now, then tells all events of that. Time never goes
// back: see [schedule.advance].
func (w *World) Tick(now time.Time) {
	w.mu.Lock()
	w.takenInbox, w.inbox = w.inbox, w.takenInbox[:0]
	w.takenMoves, w.moves = w.moves, w.takenMoves[:0]
	w.resting = false
	w.mu.Unlock()

	w.advance(now)
	w.places.space.Begin(w.tick, w.now)
	if w.tick == 0 {
		w.start()
	}
	for _, m := range w.takenMoves {
		w.guard(EntityID(m.id), func() { m.do(w) })
	}
	for _, c := range w.takenInbox {
		w.try(c)
	}
	clear(w.takenInbox)
	w.fire()
	w.minds.think()
	w.move()
	w.tellPopulation()
	w.tick++
	if len(w.events) > 0 {
		w.sink.Happened(w.events)
		w.eventBuffer.reset()
	}
}

// Seed is the seed of the world's chance, also if it was drawn.
func (w *World) Seed() int { return w.options.Seed }

// start sets the timers of the world's periodic work.
func (w *World) start() {
	w.after(0, nil, w.publish)
	w.every(publishPeriod, nil, w.publish)
	w.every(w.options.SaveEvery, nil, w.handOver)
}

// handOver hands over the volatile state of all players in which it has changed, to be saved.
func (w *World) handOver(*entity) {
	if cells := w.options.Ground.Learned(); len(cells) > 0 {
		w.tell(GroundLearned{cells})
	}
	if len(w.unsaved) == 0 {
		return
	}
	batch := SaveDue{States: make([]rules.LiveState, 0, len(w.unsaved))}
	for _, p := range w.unsaved {
		p.unsaved = false
		if !p.gone() {
			batch.States = append(batch.States, w.liveState(p))
		}
	}
	clear(w.unsaved)
	if w.unsaved = w.unsaved[:0]; len(batch.States) > 0 {
		w.tell(batch)
	}
}

// liveState returns the volatile state of a player.
func (w *World) liveState(p *player) rules.LiveState {
	s := p.Player.LiveState()
	s.Position, s.Effects = w.instances.stays(p), w.vitals.lasting(p)
	return s
}

// LiveState returns the volatile state of a player in an event.
func (p *Player) LiveState() rules.LiveState {
	return rules.LiveState{Character: p.Character, Revision: p.Revision, Position: p.Position, Pools: p.Pools,
		TitleXP: p.Progress.TitleXP, DegreeXP: p.Progress.DegreeXP, Karma: p.Progress.Karma, Tally: p.Tally,
		Effects: p.Effects, Cooldowns: p.Cooldowns}
}

// tellPopulation tells the number of players if it has changed, but not too often.
func (w *World) tellPopulation() {
	if n := len(w.all[players]); n != w.population.told && w.now.Sub(w.population.at) >= populationPeriod {
		w.population.told, w.population.at = n, w.now
		w.tell(Population{n})
	}
}
