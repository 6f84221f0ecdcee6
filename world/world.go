// Package world is the simulation: who is where, and what happens to them as time goes by. It knows no socket, no SQL and
// no byte of the wire, and given the same commands at the same times it does the same things.
//
// Commands go in by [World.Do] and [World.Move] from any goroutine; events come out to one [Sink], once per tick, from the goroutine
// that ticks. Nobody keeps a pointer into the world's state: what others may read is an immutable [Snapshot].
package world

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"sphereserver/coords"
)

// A PlayerID names a player while it is in the world. Who lets a player enter chooses it, unique among those inside.
type PlayerID uint32

// A Player is what enters and leaves the world.
type Player struct {
	ID        PlayerID
	Character int64 // the same character may not enter twice
	Name      string
	Account   string // who plays it
	Title     int    // level less one
	Degree    int
	Position  coords.Position
	Vitals    Vitals
	Entered   time.Time
}

// Options of a world; the zero value of a field means its default.
type Options struct {
	// MaxSpeed is the fastest plausible movement in metres per second; default 60, negative for no limit.
	MaxSpeed float64
	// Slack is how far a player may jump beyond that at once, in metres; default 100.
	Slack float64
	// SaveEvery is how often moved players are handed over to be saved; default 3 s.
	SaveEvery time.Duration
	// QueueLimit is how many moves may wait for the next tick. Further ones are dropped and counted: the client
	// sends the next within seconds. Everything else is bounded by the number of players. Default 65536.
	QueueLimit int
}

const (
	// TickPeriod is the time between two ticks.
	TickPeriod = 50 * time.Millisecond
	// populationPeriod is the shortest time between two reports of the number of players, since each goes to all.
	populationPeriod = 2 * time.Second
	// settleDistance is how near to the end of a teleport a player's own position has to be to count again, in metres.
	settleDistance = 30
	// settleTime is how long positions from before a teleport are ignored at the most.
	settleTime = 10 * time.Second

	vitalBuckets = int(RegenerationPeriod / TickPeriod)
)

func (o Options) withDefaults() Options {
	if o.MaxSpeed == 0 {
		o.MaxSpeed = 60
	}
	if o.MaxSpeed < 0 {
		o.MaxSpeed = math.Inf(1)
	}
	if o.Slack == 0 {
		o.Slack = 100
	}
	if o.SaveEvery == 0 {
		o.SaveEvery = 3 * time.Second
	}
	if o.QueueLimit == 0 {
		o.QueueLimit = 1 << 16
	}
	return o
}

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
	events     []Event
	players    map[PlayerID]*player
	characters map[int64]PlayerID
	vitals     [vitalBuckets][]*player // who regenerates in which tick
	moved      []*player               // not yet handed over to be saved
	tick       uint64
	lastSave   time.Time
	population struct {
		told int
		at   time.Time
	}
	published time.Time
	snapshot  atomic.Pointer[Snapshot]
}

type player struct {
	Player
	heard      bool // from its client, since it entered
	acceptedAt time.Time
	settleBy   time.Time // a teleport is under way until then
	unsaved    bool      // in World.moved
	gone       bool
	bucket     int
}

// New returns an empty world that tells its events to sink.
func New(o Options, sink Sink) *World {
	w := &World{options: o.withDefaults(), sink: sink, players: map[PlayerID]*player{}, characters: map[int64]PlayerID{}}
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

	for _, m := range w.takenMoves {
		m.do(w, now)
	}
	for _, c := range w.takenInbox {
		c.do(w, now)
	}
	clear(w.takenInbox)
	w.regenerate()
	w.report(now)
	w.tick++
	if len(w.events) > 0 {
		w.sink.Happened(w.events)
		clear(w.events)
		w.events = w.events[:0]
	}
}

func (w *World) tell(e Event) { w.events = append(w.events, e) }

// regenerate serves those whose turn it is in this tick: everybody's turn comes once in a period, spread by when they entered.
func (w *World) regenerate() {
	for _, p := range w.vitals[w.tick%uint64(vitalBuckets)] {
		if p.heard {
			changed := p.Vitals.regenerate()
			w.tell(VitalsTick{p.ID, p.Vitals, changed})
		}
	}
}

// report tells what is told now and then: number of players, positions to save, the snapshot.
func (w *World) report(now time.Time) {
	if n := len(w.players); n != w.population.told && now.Sub(w.population.at) >= populationPeriod {
		w.population.told, w.population.at = n, now
		w.tell(Population{n})
	}
	if now.Sub(w.lastSave) >= w.options.SaveEvery {
		w.lastSave = now
		if len(w.moved) > 0 {
			batch := Moved{Places: make([]Place, 0, len(w.moved))}
			for _, p := range w.moved {
				p.unsaved = false
				if !p.gone {
					batch.Places = append(batch.Places, Place{p.Character, p.Position})
				}
			}
			clear(w.moved)
			w.moved = w.moved[:0]
			w.tell(batch)
		}
	}
	if now.Sub(w.published) >= time.Second {
		w.published = now
		w.publish(now)
	}
}

// enter lets a player in.
func (w *World) enter(p Player, now time.Time) error {
	if _, ok := w.players[p.ID]; ok {
		return fmt.Errorf("a player with id %d is in the world already", p.ID)
	}
	if other, ok := w.characters[p.Character]; ok {
		return fmt.Errorf("character %d is in the world already, as player %d", p.Character, other)
	}
	if err := p.Position.Check(); err != nil {
		return err
	}
	p.Entered = now
	in := &player{Player: p, acceptedAt: now, bucket: int(w.tick % uint64(vitalBuckets))}
	w.players[p.ID] = in
	w.characters[p.Character] = p.ID
	w.vitals[in.bucket] = append(w.vitals[in.bucket], in)
	return nil
}

// leave takes a player out.
func (w *World) leave(p *player) {
	p.gone = true
	delete(w.players, p.ID)
	delete(w.characters, p.Character)
	bucket := w.vitals[p.bucket]
	for i, other := range bucket {
		if other == p {
			last := len(bucket) - 1
			bucket[i], bucket[last] = bucket[last], nil
			w.vitals[p.bucket] = bucket[:last]
			break
		}
	}
}

// place puts a player somewhere and remembers that this is to be saved.
func (w *World) place(p *player, at coords.Position, now time.Time) {
	p.Position, p.acceptedAt = at, now
	if !p.unsaved {
		p.unsaved = true
		w.moved = append(w.moved, p)
	}
}
