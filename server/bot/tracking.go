package bot

import (
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/server/measure"
)

// A Tally has the counts and measurements of clients. Any number of goroutines may use it at once.
type Tally struct {
	counts[atomic.Uint64]
	kinds   [len(missionKinds) + 1]kindTally
	givenUp [giveUps]atomic.Uint64
	// Answers are the times from each position message to its answer.
	Answers measure.Histogram
	// Echoes are the times from each blow at a monster to its answer.
	Echoes measure.Histogram

	_ [64]byte // the next one of an array is another processor's
}

// pings are the position messages that have not been answered, oldest first.
type pings struct {
	waiting        []sentPing
	sent, answered int
	last           Pong
}

type sentPing struct {
	origin coords.Origin
	at     time.Time
}

// A Pong is the answer to a position message.
type Pong struct {
	Origin  coords.Origin
	Clock   uint16 // of the server
	Latency time.Duration
}

// A trail is where a client's last position messages said that it is, and where it was put.
type trail struct {
	places [outstanding]coords.Position
	n      int
}

func (s *trail) add(at coords.Position) {
	s.places[s.n%len(s.places)] = at
	s.n++
}

// before reports whether the client was at a place before it said that it is where it says now: a server that puts it
// there again does not believe that.
func (s *trail) before(at coords.Position) bool {
	for i := max(0, s.n-len(s.places)); i < s.n-1; i++ {
		if p := s.places[i%len(s.places)]; p.X == at.X && p.Y == at.Y && p.Z == at.Z {
			return true
		}
	}
	return false
}

// add remembers one; lost says that the oldest had to be forgotten.
func (p *pings) add(origin coords.Origin, now time.Time) (lost bool) {
	if lost = len(p.waiting) == outstanding; lost {
		p.drop(1)
	}
	p.waiting = append(p.waiting, sentPing{origin, now})
	p.sent++
	return lost
}

func (p *pings) drop(n int) {
	p.waiting = slices.Delete(p.waiting, 0, n)
	p.answered += n
}

// answer returns the message that an answer with this origin is for: the oldest, unless that has another origin and a
// later one has not.
func (p *pings) answer(origin coords.Origin) (ping sentPing, skipped int, ok bool) {
	if len(p.waiting) == 0 {
		return ping, 0, false
	}
	skipped = max(0, slices.IndexFunc(p.waiting, func(one sentPing) bool { return one.origin == origin }))
	ping = p.waiting[skipped]
	p.drop(skipped + 1)
	return ping, skipped, true
}

// waitFor reports whether a message of this origin waits for its answer.
func (p *pings) waitFor(origin coords.Origin) bool {
	return slices.ContainsFunc(p.waiting, func(one sentPing) bool { return one.origin == origin })
}

func (p *pings) oldest() (ping sentPing, ok bool) {
	if len(p.waiting) > 0 {
		ping = p.waiting[0]
	}
	return ping, len(p.waiting) > 0
}

// A watch looks after messages that the server sends by itself. It counts only while the client reads.
type watch struct {
	begin      time.Time // of the window in which keepalives are counted
	kept, sent int       // keepalives in the window
	heard      int       // keepalives ever, and messages that stand for them
	sixAt      time.Time // the last MP
	timeAt     time.Time // the last time of the game
}

// reset forgets everything, since the client has not listened for a while.
func (w *watch) reset(now time.Time) {
	w.begin, w.kept, w.sent = now, 0, 0
	w.sixAt, w.timeAt = now, now
}

// A serverClock follows the clock of the answers to position messages.
type serverClock struct {
	known    bool
	latest   uint16    // in all that was read
	last     uint16    // in an answer
	ticks    int       // since the first answer
	sent, at time.Time // of the first
	lastSent time.Time // of the question to the last
}

func newServerClock(clock uint16, sent, at time.Time) serverClock {
	return serverClock{known: true, latest: clock, last: clock, sent: sent, at: at, lastSent: sent}
}

// wentBack reports whether a time is before one that was read. It turns over after three hours.
func (k *serverClock) wentBack(clock uint16) bool {
	return (clock-k.latest)&packets.MaxClock > packets.MaxClock/2
}

const (
	clockPerSecond = 3
	clockSlack     = 2    // ticks
	clockDrift     = 0.01 // of the time gone by
)

// A slotChange is a slot of the own character that names another item than before.
type slotChange struct {
	slot uint8
	was  packets.ObjectID
}

// busy has the work of a client: its open requests, which hold up everything else, and a task of its own, of some
// steps.
type busy struct {
	requests []pendingRequest // oldest first
	asked    time.Time        // the last one
	doubtful *pendingRequest  // the last one that words have ended
	locked   []lock           // oldest first

	task   func(now time.Time) error // the next step; nil for no task
	giveUp time.Time                 // the task is given up then
	inHand packets.ObjectID          // the item taken into the hand
	voyage *voyage                   // nil: no token is being used
}

// A lock is one that the client has put on itself with a request.
type lock struct {
	at   time.Time
	blow bool
}

// A pendingRequest is one about items that the server has not answered yet.
type pendingRequest struct {
	what         string // for people
	in           packets.ObjectID
	used         packets.ObjectID // 0: it is no use
	ends         answer
	price, count uint32 // of a purchase or a sale
	at           time.Time
	ofDead       bool // the character was dead then, or has died since: servers need not answer
	stays        int  // 1 + the slot of a thing that does not move: nothing else answers the last request; 0: another
}

// An answer is a set of the messages that can end a request. A system message ends any, for the server refuses in
// words.
type answer uint16

const (
	slotTold   answer = 1 << iota // of the item in a slot
	usedTold                      // an item is used
	openedTold                    // contents of a container
	vaultTold                     // those of the vault, to which a banker leads
	placeTold                     // where the character is
	windowTold                    // that a trade is open
	boughtTold
	offerTold // a price
	soldTold
	valueTold   // a value of the character
	liesTold    // where an item lies
	releaseTold // that the lock is released
)

// A missingSpawn is an item that a slot was bound to and that has not been spawned yet: binding and spawn may come in
// any order, but both have to. Source: protocol ingame 10.3.
type missingSpawn struct {
	in   packets.ObjectID // own character, container or trader
	slot uint8
	item packets.ObjectID
	at   time.Time
}

// A suspicion is a violation that has been seen once.
type suspicion struct {
	kind  ViolationKind
	since time.Time
	told  bool
}

// A job is something that a client in the world does by itself, again and again.
type job uint8

const (
	jobCheck job = iota
	jobTask      // the next step of its work with items
	jobPing
	jobKeepalive
	jobCount // of frames
	jobChat
	jobGroup
	jobs // count
)

// behaviour is when each job is due; the zero time is never.
type behaviour [jobs]time.Time

const (
	countEvery = 30 * time.Second
	checkEvery = time.Second
	// noLink is how long a client goes without an answer to its position.
	//
	// Source: protocol session 4.7.
	noLink = 10 * time.Second
)

// A partialLine has come in part.
type partialLine struct {
	line   Line
	text   strings.Builder
	left   int // parts to come
	length int // bytes, as announced
	at     time.Time
}

// next is the time after at in steps of every that is not over.
func next(at time.Time, every time.Duration, now time.Time) time.Time {
	if at = at.Add(every); at.Before(now) {
		return now.Add(every)
	}
	return at
}

// earlier returns the earlier of two times; the zero time is never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// seen are the frames that a client waits for on its way.
type seen struct {
	screen, accepted, rejected, snapshot bool
	stats, time, count, keepalive        bool
	refusal                              error
	limit                                string // that the server says is met
}

// outstanding is how many position messages can wait for their answers: more than a client sends in the time after
// which [ErrNoLink] says so.
const outstanding = 64

// An update has the messages of one body about the own belongings; a body is judged when it is over, since its parts
// come one after the other.
type update struct {
	money   uint32 // before it
	asked   bool   // some request was open before it
	slots   bool   // it has told of slots
	coins   bool   // it has told of coins received
	changes []slotChange
	filled  []packets.ObjectID // items in slots of which it has told
	gone    []packets.ObjectID // items that it has removed
	handed  []packets.ObjectID // those of them that a mission is about
	bought  *packets.Bought
	sold    *packets.Sold
	vitals  vitals
	struck  packets.ObjectID // a monster that it has told a hit of

	mission   bool // it has told that a mission begins or ends
	fulfilled bool // it has told that one is fulfilled
	slain     bool // it has told that the own character has killed the target
	rewarded  bool // it has told of other levels, experience or karma
}

// spawnPatience is how soon a spawn has to follow its binding, and the gear another player.
const spawnPatience = 3 * time.Second
