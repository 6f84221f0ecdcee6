package bot

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/server/bot/compare"
)

// A client of a swarm compares the places that it was shown with the true places of the others.
//
// Messages that may still be on their way are no fault: the server knows a client's place from its position messages,
// so a client may be anywhere where such a message of the last moments put it. A violation is a sight that no such
// place explains, at two looks in a row.

const (
	// sightPatience is how soon a player in sight has to be shown, a player out of sight removed, and a movement told;
	// the scene's slack is added.
	sightPatience = time.Second
	// sightMargin is how many metres nearer than the edge of sight a player is sure to be in it, or farther to be out of
	// it: the server looks again each time when a player has walked a metre.
	sightMargin = 2.5
	// vanishFactor is how many times farther than others appear they vanish.
	vanishFactor = 1.1
	// comparedAtOnce is how many of the players that the client holds, and of those around, one look compares.
	comparedAtOnce = 16
	// attention is how late a client may be with anything if it is to judge others.
	attention = 500 * time.Millisecond
)

// A verdict is the fault of a sighting.
type verdict struct {
	kind ViolationKind
	text string
}

// compareSightings looks at some of the players that the client holds or should hold.
func (c *Client) compareSightings(now time.Time) {
	if c.trackedBot == nil {
		return
	}
	c.trackedBot.people.Store(int64(c.people))
	c.trackedBot.leads.Store(c.Group.Leads(c.Snapshot.Name))
	s := c.options.groundTruth
	from := now.Add(-sightPatience - s.slack)
	var room [trackLength]coords.Position
	mine, known := c.trackedBot.since(from, room[:0])
	if !known || c.behind(now) {
		clear(c.suspects)
		return
	}
	for _, id := range slices.Sorted(maps.Keys(c.suspects)) {
		c.judge(id, c.sighting(id, from, mine), now)
	}
	all := c.inOrder()
	for i := range min(len(all), comparedAtOnce) {
		id := all[(c.compared+i)%len(all)]
		c.judge(id, c.sighting(id, from, mine), now)
	}
	c.compared += comparedAtOnce // the next ones, the next time
	c.compareBags(now)
	var buf [comparedAtOnce]*trackedBot
	for _, a := range s.around(c.Position, comparedAtOnce, now, c.rand, buf[:0]) {
		if a != c.trackedBot && c.Objects[a.id] == nil {
			c.judge(a.id, c.absence(a, from, mine), now)
		}
	}
}

// behind reports whether the client, or its input, is late: it cannot judge then.
func (c *Client) behind(now time.Time) bool {
	if !c.awaited.IsZero() && now.Sub(c.awaited) > attention || c.pings.last.Latency > attention {
		return true
	}
	oldest, waiting := c.pings.oldest()
	return waiting && now.Sub(oldest.at) > attention
}

// judge keeps a verdict in mind, and makes it a violation if it is the same at a second look.
func (c *Client) judge(id packets.ObjectID, v *verdict, now time.Time) {
	c.tally.Compared.Add(1)
	was := c.suspects[id]
	switch {
	case v == nil:
		delete(c.suspects, id)
	case was == nil || was.kind != v.kind:
		if c.suspects == nil {
			c.suspects = map[packets.ObjectID]*suspicion{}
		}
		c.suspects[id] = &suspicion{kind: v.kind, since: now}
	case !was.told && now.Sub(was.since) >= checkEvery*9/10:
		was.told = true
		c.find(v.kind, "%s", v.text)
	}
}

func verdictOf(kind ViolationKind, format string, args ...any) *verdict {
	return &verdict{kind, fmt.Sprintf(format, args...)}
}

// sighting judges an object that the client holds, or a suspect. nil: nothing is wrong, or that cannot be told.
func (c *Client) sighting(id packets.ObjectID, from time.Time, mine []coords.Position) *verdict {
	o, a := c.Objects[id], c.options.groundTruth.bots[uint16(id)].Load()
	switch {
	case o == nil && a == nil:
		return nil
	case o == nil:
		return c.absence(a, from, mine)
	case o.Player == nil:
		return c.itemAway(o, mine)
	case a == nil:
		return nil // no client of this swarm
	}
	p := o.Player
	if _, gone := a.here(); !gone.IsZero() {
		if p.Name != a.name || gone.After(from) {
			return nil
		}
		return verdictOf(NotDespawned, "%s %q, who has left the world", id, p.Name)
	}
	var room [trackLength]coords.Position
	theirs, known := a.since(from, room[:0])
	if !known {
		return nil
	}
	switch nearest, _ := distances(mine, theirs); {
	case p.Name != a.name || p.Look != a.look || (p.Gender != 0) != a.female:
		return verdictOf(WrongPerson, "%s is shown as %q, look %08X, gender %d; it is %q, look %08X, female %t", id, p.Name,
			p.Look, p.Gender, a.name, a.look, a.female)
	case nearest > c.options.groundTruth.vanish():
		return verdictOf(NotDespawned, "%s %q, %.1f m away", id, p.Name, nearest)
	case !stood(o.Position, theirs):
		return verdictOf(WrongPosition, "%s %q is shown at %s, %.2f m from where it is: %s", id, p.Name,
			placeText(o.Position), o.Position.Distance(theirs[0]), placeText(theirs[0]))
	}
	return nil
}

// itemAway finds an item of the world that is too far away to be shown.
func (c *Client) itemAway(o *Object, mine []coords.Position) *verdict {
	nearest, _ := distances(mine, []coords.Position{o.Position})
	if o.Spawn == nil || o.Placement == packets.Contained || o.Parent != packets.NoObject ||
		nearest <= c.options.groundTruth.vanish() {
		return nil
	}
	return verdictOf(NotDespawned, "%s %s, %.1f m away", o.Class, o.ID, nearest)
}

// absence judges that a player is not held.
func (c *Client) absence(a *trackedBot, from time.Time, mine []coords.Position) *verdict {
	s := c.options.groundTruth
	// A crowd is shown in part. A player has just left it, perhaps.
	full := int64(s.crowd - s.crowd/8)
	if a == c.trackedBot || int64(c.people) >= full || a.people.Load() >= full {
		return nil
	}
	var room [trackLength]coords.Position
	theirs, known := a.since(from, room[:0])
	_, farthest := distances(mine, theirs)
	if !known || farthest >= s.sight-sightMargin {
		return nil
	}
	return verdictOf(Unseen, "%s %q, %.1f m away", a.id, a.name, farthest)
}

// vanish is how far away, in metres, nobody is shown any more.
func (s *groundTruth) vanish() float64 { return s.sight*vanishFactor + sightMargin }

// distances are the shortest and the longest way between places of two players.
func distances(a, b []coords.Position) (nearest, farthest float64) {
	nearest = math.Inf(1)
	for _, p := range a {
		for _, q := range b {
			d := p.Distance(q)
			nearest, farthest = min(nearest, d), max(farthest, d)
		}
	}
	return nearest, farthest
}

// stood reports whether one of the places is the shown one.
func stood(shown coords.Position, places []coords.Position) bool {
	return slices.ContainsFunc(places, func(p coords.Position) bool { return compare.SamePlace(shown, p) })
}

// groundTruth is where the clients of a swarm truly are, as far as the server can know it: where their position
// messages said, and where the server has put them. Any number of goroutines may use it at once.
type groundTruth struct {
	bots   [1 << 16]atomic.Pointer[trackedBot] // by object id: the last client that had it
	latest atomic.Pointer[index]
	count  sync.Mutex // held while an index is made

	mu  sync.Mutex
	ids []uint16 // of all that are in bots, the lowest first

	bags bagsShown

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
	dead  bool      // it says no more where it is, and its last words may not have counted
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
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bots[uint16(a.id)].Store(a)
	if i, known := slices.BinarySearch(s.ids, uint16(a.id)); !known {
		s.ids = slices.Insert(s.ids, i, uint16(a.id))
	}
	return a
}

// part notes that the bot is about to leave: from now on nobody can tell whether others still see it.
func (a *trackedBot) part() { a.with(func() { a.parts = true }) }

// dies notes that the bot is dead, or lives again.
func (a *trackedBot) dies(dead bool) { a.with(func() { a.dead = dead }) }

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

// put notes that the server has put the bot somewhere. Earlier places count no more.
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
	if a.parts || a.dead || !a.gone.IsZero() {
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

// people returns an index that is not too old; of all callers that need a new one, one makes it.
func (s *groundTruth) people(now time.Time) *index {
	old := s.latest.Load()
	if old != nil && now.Sub(old.at) < indexEvery || !s.count.TryLock() {
		return old
	}
	defer s.count.Unlock()
	n := &index{at: now, cells: map[cell][]*trackedBot{}}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range s.ids {
		a := s.bots[id].Load()
		if at, left := a.here(); left.IsZero() {
			n.cells[s.cell(at)] = append(n.cells[s.cell(at)], a)
			n.all = append(n.all, a)
		}
	}
	s.latest.Store(n)
	return n
}

// around appends up to n bots that may be in sight of a place, chosen at random.
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
