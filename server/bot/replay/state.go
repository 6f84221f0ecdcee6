package replay

import (
	"fmt"
	"net"
	"sync"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/packets/capture"
	"sphereserver/packets/capture/recording"
	"sphereserver/server/ratelimit"
)

// Options say how a recording is played.
type Options struct {
	Addr string // of the server, HOST:PORT
	// Logins are those of the sessions, in their order; where there is none, the recorded one is used.
	Logins   []string
	Password string // of all of them: recordings hold none
	// Speed is how many times faster than it was recorded it is played; 0 as fast as the server answers and lets clients
	// walk.
	Speed float64
	// Patience is how long a message that was recorded is waited for; 10 s if 0.
	Patience time.Duration
	// Rename gives the characters other names, for a server that has characters of theirs already.
	Rename bool
	// Tell is told in words what happens; may be nil.
	Tell func(line string)

	names recording.Names
}

type play struct {
	rec     *Recording
	options Options
	begun   time.Time
	people  *idMap          // of the players of all sessions
	playing map[string]bool // names of their characters, as of now
	players map[*Session]*player
	report  *Report
	heard   time.Duration // up to when messages count as additional when a session ends
}

func (r *play) since() time.Duration { return time.Since(r.begun) }

func (r *play) tell(format string, args ...any) {
	if r.options.Tell != nil {
		r.options.Tell(fmt.Sprintf(format, args...))
	}
}

type player struct {
	play    *play
	s       *Session
	conn    net.Conn
	objects *idMap
	key     uint16
	id      packets.ObjectID // of now, 0 until the server has told it
	login   string

	deobfuscator packets.Deobfuscator // of the recording
	begun        time.Duration        // when the first frame of the client was sent, of the replay
	clock        uint16               // that it said then
	clocked      bool
	paced        pace

	mu      sync.Mutex
	arrived []*message // not taken yet
	closed  error      // why nothing more comes
	news    chan struct{}

	was, now places // of what was told, then and now

	pending  []*message // taken and matched with nothing
	foreign  map[packets.ObjectID]bool
	matched  time.Duration // when the last message came that was recorded too
	recorded time.Duration // when that was in the recording
	missed   int           // messages in a row
	over     bool
	patience time.Duration
}

// A pace is how fast a client has sent and walked lately.
type pace struct {
	frames, metres ratelimit.Bucket
	stands         coords.Position
	stood          bool
	pinged         time.Duration
}

// An idMap translates the ids of a recording into those of now, and back.
type idMap struct {
	now, was map[packets.ObjectID]packets.ObjectID
}

func newIDMap() *idMap {
	return &idMap{map[packets.ObjectID]packets.ObjectID{}, map[packets.ObjectID]packets.ObjectID{}}
}

// bind makes two ids the same. What either was bound to before is free again.
func (i *idMap) bind(was, now packets.ObjectID) {
	if old, ok := i.now[was]; ok {
		delete(i.was, old)
	}
	if old, ok := i.was[now]; ok {
		delete(i.now, old)
	}
	i.now[was], i.was[now] = now, was
}

func (i *idMap) free(was packets.ObjectID) {
	if now, ok := i.now[was]; ok {
		delete(i.now, was)
		delete(i.was, now)
	}
}

// toNow returns what an object of the recording is called now; known is false for one that nothing is known of.
func (p *player) toNow(was packets.ObjectID) (now packets.ObjectID, known bool) {
	if fixed(was) {
		return was, true
	}
	if now, known = p.play.people.now[was]; known {
		return now, true
	}
	now, known = p.objects.now[was]
	return now, known
}

// taken says whether an id of now belongs to something that the recording has a name for.
func (p *player) taken(now packets.ObjectID) bool {
	if _, ok := p.play.people.was[now]; ok || fixed(now) {
		return true
	}
	_, ok := p.objects.was[now]
	return ok
}

func (p *player) differ(d Difference, at time.Duration) {
	r := p.play.report
	d.Session, d.At, d.Seconds = p.s.Number, at, at.Seconds()
	if len(r.Differences) < maxDifferences {
		r.Differences = append(r.Differences, d)
		p.play.tell("%s", d)
	}
}

// describe names a message and what it is about.
func describe(m *message, about string) string {
	switch {
	case m.ctl != nil || m.region == nil && m.kind != removal:
		return m.kind
	case m.class == packets.ClassPlayer || m.class == packets.ClassNone:
		return m.kind + " of " + about
	}
	return fmt.Sprintf("%s of %s %s", m.kind, capture.ClassName(m.class), about)
}

// recordedName is what an id of the recording stands for.
func (p *player) recordedName(id packets.ObjectID) string {
	for _, s := range p.play.rec.Sessions {
		if packets.PlayerIndex(s.About.Index).ID() == id {
			return p.name(s)
		}
	}
	return id.String()
}

// presentName is what an id of now stands for.
func (p *player) presentName(id packets.ObjectID) string {
	if was, ok := p.play.people.was[id]; ok {
		return p.recordedName(was)
	}
	if was, ok := p.objects.was[id]; ok {
		return was.String()
	}
	return id.String() + " (now)"
}

func (p *player) name(s *Session) string {
	switch {
	case s == p.s:
		return "the own character"
	case s.Character != "":
		return "player " + s.Character
	}
	return fmt.Sprintf("the player of session %d", s.Number)
}
