package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"

	"sphereserver/data"
	"sphereserver/server/game"
	"sphereserver/server/oplog"
	"sphereserver/world"
)

const (
	maxStreams    = 32
	streamQueue   = 32 // events that wait for one client; who has more to read is cut off
	streamPeriod  = time.Second
	statusPeriod  = 2 * time.Second
	heartbeat     = 15 * time.Second
	streamPatient = 10 * time.Second // for one write
)

// A stream tells clients what happens, once a second. Each thing is encoded once for all of them.
type stream struct {
	server *Server

	mu      sync.Mutex
	clients map[*listener]struct{}
	ended   bool
	wake    chan struct{} // there is a first client

	// Touched by run only.
	known map[world.PlayerID]int64 // players that clients know, by character
	beat  int
	audit int64
	log   uint64
}

// A listener is one client of the stream.
type listener struct {
	role  data.Role
	queue chan []byte
	fresh bool // has been told nothing yet
	cut   chan struct{}
}

func newStream(s *Server) *stream {
	return &stream{server: s, clients: map[*listener]struct{}{}, wake: make(chan struct{}, 1),
		known: map[world.PlayerID]int64{}}
}

// join adds a client; nil when there are too many, or the server stops.
func (t *stream) join(role data.Role) *listener {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended || len(t.clients) >= maxStreams {
		return nil
	}
	l := &listener{role: role, queue: make(chan []byte, streamQueue), fresh: true, cut: make(chan struct{})}
	t.clients[l] = struct{}{}
	select {
	case t.wake <- struct{}{}:
	default:
	}
	return l
}

func (t *stream) leave(l *listener) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.clients, l)
}

// end cuts all clients off, for good.
func (t *stream) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	for l := range t.clients {
		t.drop(l)
	}
}

// drop cuts a client off; t.mu is held.
func (t *stream) drop(l *listener) {
	if _, there := t.clients[l]; there {
		delete(t.clients, l)
		close(l.cut)
	}
}

// tell queues an event for the clients that fit. It never waits.
func (t *stream) tell(frame []byte, fits func(*listener) bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for l := range t.clients {
		if !fits(l) {
			continue
		}
		select {
		case l.queue <- frame:
		default:
			t.drop(l)
		}
	}
}

// run tells until ctx ends. While nobody listens it does nothing.
func (t *stream) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.wake:
		}
		t.serve(ctx)
	}
}

// serve tells until nobody listens any more.
func (t *stream) serve(ctx context.Context) {
	_, t.log = t.server.o.Tail.From(0)
	if newest, err := t.server.o.Store.AuditTrail(ctx, "", 1); err == nil && len(newest) > 0 {
		t.audit = newest[0].ID
	}
	_, lines, stop, following := t.server.o.Game.FollowChat()
	defer stop()
	if !following {
		lines = nil
	}
	tick := time.NewTicker(streamPeriod)
	defer tick.Stop()
	t.second(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case e := <-lines:
			t.tell(event("chat", describeChat(e)), func(l *listener) bool { return hears(l.role, e) })
		case <-tick.C:
			t.mu.Lock()
			alone := len(t.clients) == 0
			t.mu.Unlock()
			if alone {
				clear(t.known)
				return
			}
			t.second(ctx)
		}
	}
}

func everybody(*listener) bool        { return true }
func administrators(l *listener) bool { return l.role >= data.Administrator }

// second tells what there is to tell each second.
func (t *stream) second(ctx context.Context) {
	t.tellPlayers(time.Now())
	if t.beat++; t.beat%int(statusPeriod/streamPeriod) == 1 {
		t.tell(event("status", t.server.status()), everybody)
	}
	if t.beat%int(heartbeat/streamPeriod) == 0 {
		t.tell([]byte(":\n\n"), everybody)
	}
	var lines []oplog.Line
	lines, t.log = t.server.o.Tail.From(t.log)
	for _, line := range lines[max(0, len(lines)-streamQueue/4):] {
		t.tell(event("log", line), administrators)
	}
	t.tellAudit(ctx)
}

// tellAudit tells what is new in the audit trail, oldest first; of very much, the newest.
func (t *stream) tellAudit(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, streamPeriod)
	defer cancel()
	newest, err := t.server.o.Store.AuditTrail(ctx, "", streamQueue/4)
	if err != nil {
		return // it is tried again in a second
	}
	for i := len(newest) - 1; i >= 0; i-- {
		if e := newest[i]; e.ID > t.audit {
			t.audit = e.ID
			t.tell(event("audit", e), everybody)
		}
	}
}

// playersEvent is where everybody is, and who has come and gone since the last one.
type playersEvent struct {
	At        time.Time        `json:"at"`        // of the positions
	Positions [][5]float64     `json:"positions"` // id, x, y, z, yaw
	Added     []playerAnswer   `json:"added"`     // without what their connections have to tell
	Removed   []world.PlayerID `json:"removed"`
}

// tellPlayers tells those who listen what is new, and those who have just come everything.
func (t *stream) tellPlayers(now time.Time) {
	snapshot := t.server.o.Game.World()
	changed := playersEvent{At: snapshot.At.UTC(), Positions: make([][5]float64, len(snapshot.Players)),
		Added: []playerAnswer{}, Removed: []world.PlayerID{}}
	inside := make(map[world.PlayerID]bool, len(snapshot.Players))
	for i := range snapshot.Players {
		v := &snapshot.Players[i]
		inside[v.ID] = true
		changed.Positions[i] = [5]float64{float64(v.ID), centimetres(v.Position.X), centimetres(v.Position.Y),
			centimetres(v.Position.Z),
			math.Round(float64(v.Position.Yaw)*1000) / 1000}
		if t.known[v.ID] != v.Character {
			t.known[v.ID] = v.Character
			changed.Added = append(changed.Added, describePlayer(v, now))
		}
	}
	for id := range t.known {
		if !inside[id] {
			delete(t.known, id)
			changed.Removed = append(changed.Removed, id)
		}
	}
	t.tell(event("players", changed), func(l *listener) bool { return !l.fresh })

	t.mu.Lock()
	var fresh []*listener
	for l := range t.clients {
		if l.fresh {
			fresh = append(fresh, l)
		}
	}
	t.mu.Unlock()
	if len(fresh) == 0 {
		return
	}
	all := changed
	all.Removed, all.Added = []world.PlayerID{}, make([]playerAnswer, len(snapshot.Players))
	for i := range snapshot.Players {
		all.Added[i] = describePlayer(&snapshot.Players[i], now)
	}
	frame := event("players", all)
	for _, l := range fresh {
		l.fresh = false
		t.tell(frame, func(other *listener) bool { return other == l })
	}
}

// event is an event as the stream has it.
func event(name string, v any) []byte {
	body, err := json.Marshal(v)
	if err != nil {
		body = []byte("null") // all values can be encoded
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", name, body)
	return b.Bytes()
}

var streamsText = text{"Уже открыто %d потоков событий.",
	"There are %d streams of events already."}

// events sends the stream to a client, until either end has enough of it.
func events(s *Server, r *request) {
	l := s.stream.join(r.who.role)
	if l == nil {
		s.failTo(r, refuse(http.StatusServiceUnavailable, "streams", streamsText, maxStreams))
		return
	}
	defer s.stream.leave(l)
	control := http.NewResponseController(r.w)
	_ = control.SetReadDeadline(time.Time{}) // nothing more is to come
	r.w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	r.w.Header().Set("Cache-Control", "no-store")
	r.w.Header().Set("X-Accel-Buffering", "no") // of nginx
	check := time.NewTicker(heartbeat)
	defer check.Stop()
	for {
		var frame []byte
		select {
		case frame = <-l.queue:
		case <-check.C:
			if !s.stillAuthorized(r) {
				return
			}
			continue
		case <-l.cut:
			return
		case <-r.Context().Done():
			return
		}
		_ = control.SetWriteDeadline(time.Now().Add(streamPatient))
		if _, err := r.w.Write(frame); err != nil {
			return
		}
		if control.Flush() != nil {
			return
		}
	}
}

// stillAuthorized says whether whoever listens may still: a session may have ended, a role been taken away.
func (s *Server) stillAuthorized(r *request) bool {
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	now := time.Now()
	if t := r.who.token; t != nil && !t.Expires.IsZero() && !now.Before(t.Expires) {
		return false
	}
	if session := r.who.session; session != nil && now.Sub(session.began) >= sessionLife {
		return false
	}
	who, err := s.callerOf(ctx, r.who.account.ID)
	return err == nil && who.role >= r.who.role && who.account.PasswordHash == r.who.account.PasswordHash
}

// chatAnswer is a line that was said.
type chatAnswer struct {
	At      time.Time `json:"at"`
	Channel string    `json:"channel"`
	From    string    `json:"from"`    // character; empty for the server
	Account string    `json:"account"` // its login
	To      string    `json:"to"`      // of a private line
	Text    string    `json:"text"`
}

func describeChat(e game.ChatEntry) chatAnswer {
	return chatAnswer{e.At.UTC(), e.ChannelName(), e.Character, e.Login, e.To, e.Text}
}
