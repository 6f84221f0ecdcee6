package world

const (
	arenaChunk = 256
	// arenaChunksKept is how many chunks an arena keeps from one tick to the next. It gives back the chunks beyond,
	// which only a rare, crowded tick needs.
	arenaChunksKept = 256
	// listsKept is how many names a tick's lists keep for the next.
	listsKept = 1 << 20
)

// An arena gives out values that live until the end of the tick, in memory that is used again in the next.
type arena[T any] struct {
	chunks [][]T
	used   int
}

// put copies v into the arena.
func (s *arena[T]) put(v T) *T {
	chunk, i := s.used/arenaChunk, s.used%arenaChunk
	if chunk == len(s.chunks) {
		s.chunks = append(s.chunks, make([]T, arenaChunk))
	}
	s.used++
	at := &s.chunks[chunk][i]
	*at = v
	return at
}

// reset takes all values back. It clears them, so that an event of the past keeps nothing in memory.
func (s *arena[T]) reset() {
	for i := 0; i*arenaChunk < s.used; i++ {
		clear(s.chunks[i][:min(arenaChunk, s.used-i*arenaChunk)])
	}
	s.used = 0
	if len(s.chunks) > arenaChunksKept {
		clear(s.chunks[arenaChunksKept:])
		s.chunks = s.chunks[:arenaChunksKept]
	}
}

// An eventBuffer holds the events of one tick.
type eventBuffer struct {
	events []Event
	ids    []PlayerID // lists within the events; a list stays where it is when this grows

	appeared       arena[Appeared]
	vanished       arena[Vanished]
	objectAppeared arena[ObjectAppeared]
	moved          arena[Moved]
	teleported     arena[TeleportSeen]
	objectPlaced   arena[ObjectPlaced]
	lookChanged    arena[AppearanceChanged]
	healthSeen     arena[HealthSeen]
	pools          arena[PoolsChanged]
	said           arena[Said]
	monsterSwung   arena[MonsterSwung]
	monsterHurt    arena[MonsterHurt]
	monsterDied    arena[MonsterDied]
}

func (p *eventBuffer) tell(e Event) { p.events = append(p.events, e) }

// list returns p.ids from an index on.
func (p *eventBuffer) list(from int) []PlayerID { return p.ids[from:len(p.ids):len(p.ids)] }

func (p *eventBuffer) reset() {
	clear(p.events)
	p.events, p.ids = p.events[:0], p.ids[:0]
	if cap(p.events) > arenaChunk*arenaChunksKept*4 {
		p.events = nil
	}
	if cap(p.ids) > listsKept {
		p.ids = nil
	}
	for _, a := range [...]interface{ reset() }{&p.appeared, &p.vanished, &p.objectAppeared, &p.moved,
		&p.teleported, &p.objectPlaced, &p.lookChanged, &p.healthSeen, &p.pools, &p.said,
		&p.monsterSwung, &p.monsterHurt, &p.monsterDied} {
		a.reset()
	}
}
