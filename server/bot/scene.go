package bot

import (
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
)

// A scene is where the clients of a swarm truly are, as far as the server can know it: where their position messages said, and
// where the server has put them. Any number of goroutines may use it at once.
type scene struct {
	actors [1 << 16]atomic.Pointer[actor] // by object id: the last client that had it
	latest atomic.Pointer[census]
	count  sync.Mutex // held while a census is made

	sight float64 // metres, within which everybody has to be shown
	crowd int     // other players that one is shown at most
	slack time.Duration
}

// An actor is one client of the swarm in the world.
type actor struct {
	id     packets.ObjectID
	name   string
	look   uint32
	female bool
	people atomic.Int64 // others that it holds
	leads  atomic.Bool  // a group

	mu    sync.Mutex
	track [trackLength]station
	next  int       // of track, counted on
	parts bool      // it is leaving
	gone  time.Time // when it had left the world; zero: it has not
}

// A station is a place that an actor has told the server.
type station struct {
	at       coords.Position
	sent     time.Time
	answered time.Time // zero: not yet
}

// trackLength is how many places are remembered. They have to reach back a few seconds.
const trackLength = 32

// enter adds a client that has come into the world.
func (s *scene) enter(c *Client, now time.Time) *actor {
	a := &actor{id: c.ID(), name: c.Snapshot.Name, look: uint32(c.Snapshot.Look), female: c.Snapshot.Gender != 0}
	a.put(c.Position, now)
	s.actors[uint16(a.id)].Store(a)
	return a
}

// part notes that the actor is about to leave: from now on nobody can tell whether others still see it.
func (a *actor) part() {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.parts = true
}

// leave notes that the actor's connection is over on both sides.
func (a *actor) leave(now time.Time) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.gone = now
}

// sent notes a position message.
func (a *actor) sent(at coords.Position, now time.Time) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.track[a.next%trackLength] = station{at: at, sent: now}
	a.next++
}

// answered notes that the server has answered the position message of a time.
func (a *actor) answered(sent, now time.Time) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := a.next - 1; i >= max(0, a.next-trackLength); i-- {
		if st := &a.track[i%trackLength]; st.sent.Equal(sent) {
			st.answered = now
			return
		}
	}
}

// put notes that the server has put the actor somewhere. What was before counts no more.
func (a *actor) put(at coords.Position, now time.Time) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.track = [trackLength]station{{at: at, sent: now, answered: now}}
	a.next = 1
}

// since appends all places where the server may have had the actor after a time: the last one that was answered before, and all
// that were sent later, the newest first. ok is false if that is not known, or the actor leaves.
func (a *actor) since(from time.Time, dst []coords.Position) (places []coords.Position, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.parts || !a.gone.IsZero() {
		return dst, false
	}
	for i := a.next - 1; i >= max(0, a.next-trackLength); i-- {
		st := &a.track[i%trackLength]
		dst = append(dst, st.at)
		if !st.answered.IsZero() && st.answered.Before(from) {
			return dst, true
		}
	}
	return dst, false
}

// left says when the actor left the world, the zero time if it has not.
func (a *actor) left() time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.gone
}

// here is where the actor said last that it is.
func (a *actor) here() (at coords.Position, present bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.track[(a.next-1)%trackLength].at, a.gone.IsZero()
}

// A census is where everybody was at a moment, by cells as wide as sight reaches.
type census struct {
	at    time.Time
	cells map[[2]int32][]*actor
	all   []*actor
}

// censusEvery is how old a census may be.
const censusEvery = time.Second

func (s *scene) cell(at coords.Position) [2]int32 {
	return [2]int32{int32(math.Floor(float64(at.X) / s.sight)), int32(math.Floor(float64(at.Z) / s.sight))}
}

// people returns a census that is not too old; of all who ask for a new one, one makes it.
func (s *scene) people(now time.Time) *census {
	old := s.latest.Load()
	if old != nil && now.Sub(old.at) < censusEvery || !s.count.TryLock() {
		return old
	}
	defer s.count.Unlock()
	n := &census{at: now, cells: map[[2]int32][]*actor{}}
	for i := range s.actors {
		a := s.actors[i].Load()
		if a == nil {
			continue
		}
		if at, present := a.here(); present {
			c := s.cell(at)
			n.cells[c] = append(n.cells[c], a)
			n.all = append(n.all, a)
		}
	}
	s.latest.Store(n)
	return n
}

// around appends up to n of those who may be in sight of a place, chosen at random.
func (s *scene) around(at coords.Position, n int, now time.Time, random *rand.Rand, dst []*actor) []*actor {
	known := s.people(now)
	if known == nil {
		return dst
	}
	mid, total := s.cell(at), 0
	var near [9][]*actor
	for i := range near {
		near[i] = known.cells[[2]int32{mid[0] + int32(i%3) - 1, mid[1] + int32(i/3) - 1}]
		total += len(near[i])
	}
	if total == 0 {
		return dst
	}
	// Every step-th of all, beginning anywhere.
	step, begin := max(1, total/n), random.IntN(total)
	for i := range min(n, total) {
		at := (begin + i*step) % total
		for _, cell := range near {
			if at < len(cell) {
				dst = append(dst, cell[at])
				break
			}
			at -= len(cell)
		}
	}
	return dst
}

// someLeader returns an actor that leads a group, nil if a few that are chosen at random do not.
func (s *scene) someLeader(now time.Time, random *rand.Rand) *actor {
	known := s.people(now)
	if known == nil || len(known.all) == 0 {
		return nil
	}
	const tries = 16
	for range tries {
		if a := known.all[random.IntN(len(known.all))]; a.leads.Load() {
			return a
		}
	}
	return nil
}
