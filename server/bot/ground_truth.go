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

// groundTruth is where the clients of a swarm truly are, as far as the server can know it: where their position messages
// said, and where the server has put them. Any number of goroutines may use it at once.
type groundTruth struct {
	bots   [1 << 16]atomic.Pointer[trackedBot] // by object id: the last client that had it
	latest atomic.Pointer[index]
	count  sync.Mutex // held while an index is made

	sight float64 // metres, within which everybody has to be shown
	crowd int     // other players that one is shown at most
	slack time.Duration
}

// A trackedBot is one client of the swarm in the world.
type trackedBot struct {
	id     packets.ObjectID
	name   string
	look   uint32
	female bool
	people atomic.Int64 // others that it holds
	leads  atomic.Bool  // a group

	mu    sync.Mutex
	track [trackLength]sample
	next  int       // of track, counted on
	parts bool      // it is leaving
	gone  time.Time // when it had left the world; zero: it has not
}

// A sample is a place that a bot has told the server.
type sample struct {
	at       coords.Position
	sent     time.Time
	answered time.Time // zero: not yet
}

// trackLength is how many places are remembered. They have to reach back a few seconds.
const trackLength = 32

func (s *groundTruth) enter(id packets.ObjectID, as *packets.WorldSnapshot, at coords.Position,
	now time.Time) *trackedBot {
	a := &trackedBot{id: id, name: as.Name, look: uint32(as.Look), female: as.Gender != 0}
	a.put(at, now)
	s.bots[uint16(a.id)].Store(a)
	return a
}

// part notes that the bot is about to leave: from now on nobody can tell whether others still see it.
func (a *trackedBot) part() { a.with(func() { a.parts = true }) }

// leave notes that the bot's connection is over on both sides.
func (a *trackedBot) leave(now time.Time) { a.with(func() { a.gone = now }) }

func (a *trackedBot) sent(at coords.Position, now time.Time) {
	a.with(func() {
		a.track[a.next%trackLength] = sample{at: at, sent: now}
		a.next++
	})
}

// answered notes that the server has answered the position message of a time.
func (a *trackedBot) answered(sent, now time.Time) {
	a.with(func() {
		for i := range a.track {
			if st := &a.track[i]; st.sent.Equal(sent) {
				st.answered = now
			}
		}
	})
}

// put notes that the server has put the bot somewhere. What was before counts no more.
func (a *trackedBot) put(at coords.Position, now time.Time) {
	a.with(func() {
		a.track = [trackLength]sample{{at: at, sent: now, answered: now}}
		a.next = 1
	})
}

// since appends all places where the server may have had the bot after a time: the last one that was answered before,
// and all that were sent later, the newest first. ok is false if that is not known, or the bot leaves.
func (a *trackedBot) since(from time.Time, dst []coords.Position) (places []coords.Position, ok bool) {
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

type index struct {
	at    time.Time
	cells map[cell][]*trackedBot
	all   []*trackedBot
}

const indexEvery = time.Second

// people returns an index that is not too old; of all who ask for a new one, one makes it.
func (s *groundTruth) people(now time.Time) *index {
	old := s.latest.Load()
	if old != nil && now.Sub(old.at) < indexEvery || !s.count.TryLock() {
		return old
	}
	defer s.count.Unlock()
	n := &index{at: now, cells: map[cell][]*trackedBot{}}
	for i := range s.bots {
		if a := s.bots[i].Load(); a != nil {
			if at, left := a.here(); left.IsZero() {
				n.cells[s.cell(at)] = append(n.cells[s.cell(at)], a)
				n.all = append(n.all, a)
			}
		}
	}
	s.latest.Store(n)
	return n
}

// around appends up to n of those who may be in sight of a place, chosen at random.
func (s *groundTruth) around(at coords.Position, n int, now time.Time, random *rand.Rand,
	dst []*trackedBot) []*trackedBot {
	known := s.people(now)
	if known == nil {
		return dst
	}
	mid, total := s.cell(at), 0
	var near [9][]*trackedBot
	for i := range near {
		near[i] = known.cells[cell{mid[0] + int32(i%3) - 1, mid[1] + int32(i/3) - 1}]
		total += len(near[i])
	}
	if total == 0 {
		return dst
	}
	// Every step-th of all, beginning anywhere.
	step, begin := max(1, total/n), random.IntN(total)
	for i := range min(n, total) {
		at := (begin + i*step) % total
		for _, some := range near {
			if at < len(some) {
				dst = append(dst, some[at])
				break
			}
			at -= len(some)
		}
	}
	return dst
}

// someLeader returns a bot that leads a group, nil if a few that are chosen at random do not.
func (s *groundTruth) someLeader(now time.Time, random *rand.Rand) *trackedBot {
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

// with does something to the bot that others may look at meanwhile; nothing for a client without one.
func (a *trackedBot) with(do func()) {
	if a != nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		do()
	}
}

// A cell is a square of the world, as wide as sight reaches.
type cell [2]int32

func (s *groundTruth) cell(at coords.Position) cell {
	return cell{int32(math.Floor(float64(at.X) / s.sight)), int32(math.Floor(float64(at.Z) / s.sight))}
}

// here is where the bot said last that it is, and when it left the world, the zero time if it has not.
func (a *trackedBot) here() (at coords.Position, left time.Time) {
	a.with(func() { at, left = a.track[(a.next-1)%trackLength].at, a.gone })
	return at, left
}
