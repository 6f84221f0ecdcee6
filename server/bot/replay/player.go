package replay

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net"
	"reflect"
	"sync"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/packets/capture"
	"sphereserver/packets/capture/recording"
	"sphereserver/server/bot"
	"sphereserver/server/bot/compare"
	"sphereserver/server/ratelimit"
	"sphereserver/world/rules"
)

func (r *play) dial(ctx context.Context, s *Session, login string) (*player, error) {
	conn, err := r.options.Dial.Dial(ctx, r.options.Addr)
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	p := &player{play: r, s: s, conn: conn, objects: newIDMap(), was: places{}, now: places{}, login: login,
		deobfuscator: packets.NewDeobfuscator(packets.PlayerIndex(s.About.Index)),
		news:         make(chan struct{}, 1), foreign: map[packets.ObjectID]bool{}, wildThen: wild{}, wildNow: wild{},
		patience: r.options.Patience}
	go p.read()
	return p, nil
}

// read reads messages until no more come.
func (p *player) read() {
	var in []byte
	buf := make([]byte, 16<<10)
	for {
		n, err := p.conn.Read(buf)
		in = append(in, buf[:n]...)
		used := 0
		var found []*message
		for err == nil || n > 0 {
			frame, bad := packets.CutFrame(in[used:], packets.FromServer)
			if bad != nil {
				err = bad
				break
			}
			if frame == nil {
				break
			}
			used += len(frame)
			found = append(found, messages(frame, p.play.rec.Dialect, p.play.since())...)
		}
		in = append(in[:0], in[used:]...)
		p.mu.Lock()
		p.arrived = append(p.arrived, found...)
		if err != nil {
			p.closed = err
		}
		p.mu.Unlock()
		select {
		case p.news <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// gather takes the arrived messages, and reports whether more can come.
func (p *player) gather() (open bool) {
	p.mu.Lock()
	found := p.arrived
	p.arrived = nil
	open = p.closed == nil
	p.mu.Unlock()
	for _, m := range found {
		p.learn(m)
		if again := p.now.stands(m); !again && !m.isIgnored() && !p.wildNow.has(m) && !p.isForeign(m) {
			p.pending = append(p.pending, m)
		}
	}
	return open
}

func (p *player) learn(m *message) {
	switch body := m.body.(type) {
	case *packets.Greeting:
		p.key = body.Key
	case *packets.LoginTime:
		if m.class == packets.ClassPlayer && p.id == 0 {
			p.id = m.object
			p.play.people.bind(packets.PlayerIndex(p.s.About.Index).ID(), p.id)
		}
	}
}

// isForeign reports whether a message is about a player of no session of the recording, or by one.
func (p *player) isForeign(m *message) bool {
	switch body := m.body.(type) {
	case *packets.ChatLine:
		if !p.play.playing[body.Sender] {
			p.foreign[m.object] = true
			return true
		}
		delete(p.foreign, m.object)
		return false
	case *packets.ChatChunk:
		return p.foreign[m.object]
	}
	if m.kind == removal {
		gone := p.foreign[m.object]
		delete(p.foreign, m.object)
		return gone
	}
	if m.class != packets.ClassPlayer {
		return false
	}
	if _, known := p.play.people.was[m.object]; known {
		return false
	}
	p.foreign[m.object] = true
	return true
}

// wild are monsters, which go their own ways.
type wild map[packets.ObjectID]bool

// has reports whether a message is about a monster.
func (w wild) has(m *message) bool {
	switch {
	case m.kind == removal:
		gone := w[m.object]
		delete(w, m.object)
		return gone
	case rules.ClassOf(int(m.class)).Monster:
		w[m.object] = true
		return true
	}
	return false
}

func (p *player) wait(ctx context.Context, d time.Duration) {
	select {
	case <-p.news:
	case <-time.After(max(d, time.Millisecond)):
	case <-ctx.Done():
	}
}

// send sends a frame of the recording as it has to be now.
func (p *player) send(frame []byte) error {
	out, masked := p.translate(frame)
	if masked {
		packets.Obfuscate(out)
	}
	binary.LittleEndian.PutUint16(out[2:], packets.Checksum(out, p.key))
	_ = p.conn.SetWriteDeadline(time.Now().Add(p.play.options.Patience))
	_, err := p.conn.Write(out)
	return err
}

// translate returns a frame of a client with the ids, clock, names and password of now, in clear. Sequence numbers
// go on as they did: nobody compares them with anything.
func (p *player) translate(frame []byte) (out []byte, masked bool) {
	out = bytes.Clone(frame)
	if packets.FrameChannel(frame, packets.FromClient) != packets.ChannelGameplay {
		return out, false
	}
	plain, _ := p.deobfuscator.Plain(frame)
	masked = !bytes.Equal(plain, frame)
	f, err := packets.DecodeFrame(plain, packets.FromClient, p.play.rec.Dialect)
	if err != nil || f.Body == nil {
		return bytes.Clone(plain), masked
	}
	f.Body.Clock = p.clientClock(f.Body.Clock)
	for i := range f.Body.Sections {
		s := &f.Body.Sections[i]
		s.Object = p.sendable(s.Object)
		for _, r := range s.Regions {
			p.rewrite(r)
		}
	}
	if again, err := f.Append(nil, p.play.rec.Dialect); err == nil {
		return again, masked
	}
	return bytes.Clone(plain), masked
}

// clientClock is the client's clock now: 24 per second from the beginning of the recorded one.
func (p *player) clientClock(recorded uint16) uint16 {
	now := p.play.since()
	if !p.clocked {
		p.clock, p.begun, p.clocked = recorded, now, true
	}
	return (p.clock + uint16((now-p.begun)*24/time.Second)) & packets.MaxClock
}

// sendable translates an id into the one of now; an unknown id stays.
func (p *player) sendable(was packets.ObjectID) packets.ObjectID {
	if now, known := p.toNow(was); known {
		return now
	}
	return was
}

// rewrite puts the ids, names and credentials of now into a message.
func (p *player) rewrite(r packets.Region) {
	var body any = r
	if c, ok := packets.CommandOf(r); ok {
		body = c
	}
	if login, ok := body.(*packets.Login); ok {
		if p.login != "" { // the recording has the account, and not only a refused login
			login.Login = p.login
		}
		if login.Password == recording.BlankPassword || p.play.options.Password != "" {
			login.Password = p.play.options.Password
		}
		return
	}
	p.play.options.names.Replace(body)
	p.translateIDs(reflect.ValueOf(body), compare.Field{})
}

func (p *player) translateIDs(v reflect.Value, f compare.Field) {
	switch {
	case v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface:
		if !v.IsNil() {
			p.translateIDs(v.Elem(), f)
		}
	case v.CanUint() && isID(f, v.Type()) && v.CanSet():
		if now := uint64(p.sendable(packets.ObjectID(v.Uint()))); !v.OverflowUint(now) {
			v.SetUint(now)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				p.translateIDs(v.Field(i), compare.Field{In: v.Type(), Name: field.Name})
			}
		}
	}
}

// Options say how a recording is played.
type Options struct {
	Addr string // of the server, HOST:PORT
	Dial bot.Dialer
	// Logins are the logins of the sessions, in their order; a session without one uses the recorded login.
	Logins   []string
	Password string // of all of them: recordings hold none
	// Speed is how many times faster than it was recorded it is played; 0 as fast as the server answers and lets
	// clients walk.
	Speed float64
	// Patience is how long a message that was recorded is waited for; 10 s if 0.
	Patience time.Duration
	// Rename gives the characters other names, and accounts that begin without characters other logins: for a server
	// that has those already.
	Rename bool
	// Seed is the seed of the names that Rename chooses; by chance if 0.
	Seed uint64
	// Tell is told the events in words, Found each difference; both may be nil.
	Tell  func(line string)
	Found func(Difference)

	names recording.Names
}

type play struct {
	rec     *Recording
	options Options
	random  *rand.Rand
	begun   time.Time
	people  *idMap          // of the players of all sessions
	playing map[string]bool // names of their characters, as of now
	players map[*Session]*player
	taken   map[string]bool // logins that have other characters than then
	report  *Report
	heard   time.Duration // up to when messages count as additional when a session ends
	acted   time.Duration // when a client has last done something; negative: none has
	before  time.Duration // when the last event was
	parting bool          // the last client to do something has left
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

	was, now places // told then and now

	pending  []*message // taken and matched with nothing
	foreign  map[packets.ObjectID]bool
	wildThen wild
	wildNow  wild
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

// An idMap translates the ids of a recording into ids of now, and back.
type idMap struct {
	now, was map[packets.ObjectID]packets.ObjectID
}

func newIDMap() *idMap {
	return &idMap{map[packets.ObjectID]packets.ObjectID{}, map[packets.ObjectID]packets.ObjectID{}}
}

// bind makes two ids the same. Their former partners are free again.
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

// toNow returns the present id of an object of the recording; known is false for an unknown one.
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

// taken reports whether an id of now belongs to something that the recording has a name for.
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
		if found := p.play.options.Found; found != nil {
			found(d)
		}
	}
}

// describe names a message and its subject.
func describe(m *message, about string) string {
	switch {
	case m.ctl != nil || m.region == nil && m.kind != removal:
		return m.kind
	case m.class == packets.ClassPlayer || m.class == packets.ClassNone:
		return m.kind + " of " + about
	}
	return fmt.Sprintf("%s of %s %s", m.kind, capture.ClassName(m.class), about)
}

// recordedName is the name of an id of the recording.
func (p *player) recordedName(id packets.ObjectID) string {
	for _, s := range p.play.rec.Sessions {
		if packets.PlayerIndex(s.About.Index).ID() == id {
			return p.name(s)
		}
	}
	return id.String()
}

// presentName is the name of an id of now.
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
