package api

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"sync"
	"time"

	"sphereserver/data"
	"sphereserver/server/chat"
	"sphereserver/server/geography"
	"sphereserver/server/oplog"
	"sphereserver/world"
)

const (
	maxStreams    = 32
	maxStreamsOf  = 8  // one account
	streamQueue   = 32 // events that wait for one client; a client with more to read is cut off
	streamPeriod  = time.Second
	statusPeriod  = 2 * time.Second
	heartbeat     = 15 * time.Second
	streamPatient = 10 * time.Second // for one write
)

// A stream tells clients the news, once a second. Each event is encoded once for all of them.
type stream struct {
	o      *Options
	status func() statusAnswer

	mu      sync.Mutex
	clients map[*listener]struct{}
	of      map[data.AccountID]int // how many each account has
	ended   bool
	wake    chan struct{} // there is a first client

	// Touched by run only.
	known map[world.PlayerID]int64 // players that clients know, by character
	beat  int
	audit int64
	log   uint64
}

type listener struct {
	role  data.Role
	queue chan []byte
	fresh bool // has been told nothing yet
	cut   chan struct{}
}

func newStream(o *Options, status func() statusAnswer) *stream {
	return &stream{o: o, status: status, clients: map[*listener]struct{}{}, of: map[data.AccountID]int{},
		wake: make(chan struct{}, 1), known: map[world.PlayerID]int64{}}
}

// begins counts one more stream of an account; false if it has enough.
func (t *stream) begins(account data.AccountID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of[account] >= maxStreamsOf {
		return false
	}
	t.of[account]++
	return true
}

// ends counts one less.
func (t *stream) ends(account data.AccountID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of[account]--; t.of[account] == 0 {
		delete(t.of, account)
	}
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
	delete(t.clients, l)
	close(l.cut)
}

// has reports whether there is a client of a kind.
func (t *stream) has(kind func(*listener) bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for l := range t.clients {
		if kind(l) {
			return true
		}
	}
	return false
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
	_, t.log = t.o.Tail.From(0)
	if newest, err := t.o.Store.AuditTrail(ctx, data.AuditFilter{}, 1); err == nil && len(newest) > 0 {
		t.audit = newest[0].ID
	}
	_, lines, stop, _ := t.o.Game.Chat().Follow() // lines is nil when too many follow
	defer stop()
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
			if !t.has(everybody) {
				clear(t.known)
				return
			}
			t.second(ctx)
		}
	}
}

func everybody(*listener) bool        { return true }
func administrators(l *listener) bool { return l.role >= data.Administrator }
func others(l *listener) bool         { return l.role < data.Administrator }

// second tells the news of a second.
func (t *stream) second(ctx context.Context) {
	t.tellPlayers(time.Now())
	if t.beat++; t.beat%int(statusPeriod/streamPeriod) == 1 {
		t.tell(event("status", t.status()), everybody)
	}
	if t.beat%int(heartbeat/streamPeriod) == 0 {
		t.tell([]byte(":\n\n"), everybody)
	}
	var lines []oplog.Line
	lines, t.log = t.o.Tail.From(t.log)
	for _, line := range lines[max(0, len(lines)-streamQueue/4):] {
		t.tell(event("log", describeLine(t.o, line)), administrators)
	}
	t.tellAudit(ctx)
}

// tellAudit tells new entries of the audit trail, oldest first; of very many, the newest.
func (t *stream) tellAudit(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, streamPeriod)
	defer cancel()
	newest, err := t.o.Store.AuditTrail(ctx, data.AuditFilter{}, streamQueue/4)
	if err != nil {
		return // it is tried again in a second
	}
	for _, e := range slices.Backward(newest) {
		if e.ID > t.audit {
			t.audit = e.ID
			t.tell(event("audit", t.o.Ops.Told(data.Administrator, e)), administrators)
			t.tell(event("audit", t.o.Ops.Told(data.GameMaster, e)), others)
		}
	}
}

// playersEvent has the places of all players, and those that have come and gone since the last one.
type playersEvent struct {
	At        time.Time        `json:"at"`        // of the positions
	Positions [][5]float64     `json:"positions"` // id, x, y, z, yaw
	Added     []playerAnswer   `json:"added"`     // without the values of their connections
	Removed   []world.PlayerID `json:"removed"`
}

// tellPlayers tells listeners the changes, and new ones everything.
func (t *stream) tellPlayers(now time.Time) {
	snapshot := t.o.Game.World()
	changed := playersEvent{At: snapshot.At.UTC(), Positions: make([][5]float64, len(snapshot.Players)),
		Added: []playerAnswer{}, Removed: []world.PlayerID{}}
	inside := make(map[world.PlayerID]bool, len(snapshot.Players))
	for i := range snapshot.Players {
		v := &snapshot.Players[i]
		inside[v.ID] = true
		changed.Positions[i] = [5]float64{float64(v.ID), geography.Centimetres(v.Position.X),
			geography.Centimetres(v.Position.Y), geography.Centimetres(v.Position.Z),
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
	if !t.has(func(l *listener) bool { return l.fresh }) {
		return
	}
	all := changed
	all.Removed, all.Added = []world.PlayerID{}, make([]playerAnswer, len(snapshot.Players))
	for i := range snapshot.Players {
		all.Added[i] = describePlayer(&snapshot.Players[i], now)
	}
	t.tell(event("players", all), func(l *listener) bool {
		was := l.fresh
		l.fresh = false
		return was
	})
}

func event(name string, v any) []byte {
	body, _ := json.Marshal(v) // all values can be encoded
	return fmt.Appendf(nil, "event: %s\ndata: %s\n\n", name, body)
}

type chatAnswer struct {
	At      time.Time `json:"at"`
	Channel string    `json:"channel"`
	From    string    `json:"from"`    // character; empty for the server
	Account string    `json:"account"` // its login
	To      string    `json:"to"`      // of a private line
	Text    string    `json:"text"`
}

func describeChat(e chat.Entry) chatAnswer {
	return chatAnswer{e.At.UTC(), e.ChannelName(), e.Character, e.Login, e.To, e.Text}
}

// events sends the stream to a client, until either end has enough of it.
func events(s *Server, r *request) {
	account := r.who.account.ID
	if !s.stream.begins(account) {
		s.fail(r, errStreams.with(maxStreamsOf))
		return
	}
	defer s.stream.ends(account)
	l := s.stream.join(r.who.role)
	if l == nil {
		s.fail(r, errStreams.with(maxStreams))
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
		if _, err := r.w.Write(frame); err != nil || control.Flush() != nil {
			return
		}
	}
}

// stillAuthorized reports whether a listener may still listen: its session or token may have ended, a role been taken
// away. A session is in use while it listens.
func (s *Server) stillAuthorized(r *request) bool {
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	who, err := s.identify(&request{Request: r.WithContext(ctx)})
	return err == nil && who.role >= r.who.role
}
