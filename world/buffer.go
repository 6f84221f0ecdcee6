package world

const (
	slabChunk = 256
	// slabsKept is how many chunks a slab keeps from one tick to the next. What a rare, crowded tick needs beyond that
	// is given back.
	slabsKept = 256
	// listsKept is how many names a tick's lists keep for the next.
	listsKept = 1 << 20
)

// A slab gives out values that live until the end of the tick, in memory that is used again in the next.
type slab[T any] struct {
	chunks [][]T
	used   int
}

// put copies v into the slab.
func (s *slab[T]) put(v T) *T {
	chunk, i := s.used/slabChunk, s.used%slabChunk
	if chunk == len(s.chunks) {
		s.chunks = append(s.chunks, make([]T, slabChunk))
	}
	s.used++
	at := &s.chunks[chunk][i]
	*at = v
	return at
}

// reset takes all back. It clears what was used, so that nothing is held on to by an event of the past.
func (s *slab[T]) reset() {
	for i := 0; i*slabChunk < s.used; i++ {
		clear(s.chunks[i][:min(slabChunk, s.used-i*slabChunk)])
	}
	s.used = 0
	if len(s.chunks) > slabsKept {
		clear(s.chunks[slabsKept:])
		s.chunks = s.chunks[:slabsKept]
	}
}

// A page is where the events of one tick are written down.
type page struct {
	events []Event
	ids    []PlayerID // lists within the events; a list stays where it is when this grows

	appeared       slab[Appeared]
	vanished       slab[Vanished]
	objectAppeared slab[ObjectAppeared]
	objectVanished slab[ObjectVanished]
	moved          slab[Moved]
	teleported     slab[TeleportSeen]
	lookChanged    slab[AppearanceChanged]
	healthSeen     slab[HealthSeen]
	pools          slab[PoolsChanged]
	said           slab[Said]
}

func (p *page) tell(e Event) { p.events = append(p.events, e) }

// list is what has been appended to p.ids since it had length from.
func (p *page) list(from int) []PlayerID { return p.ids[from:len(p.ids):len(p.ids)] }

func (p *page) reset() {
	clear(p.events)
	p.events, p.ids = p.events[:0], p.ids[:0]
	if cap(p.events) > slabChunk*slabsKept*4 {
		p.events = nil
	}
	if cap(p.ids) > listsKept {
		p.ids = nil
	}
	p.appeared.reset()
	p.vanished.reset()
	p.objectAppeared.reset()
	p.objectVanished.reset()
	p.moved.reset()
	p.teleported.reset()
	p.lookChanged.reset()
	p.healthSeen.reset()
	p.pools.reset()
	p.said.reset()
}
