// Package w3host is a headless host of Warcraft III games on a local network: it answers searches for games, lets
// players into a lobby, counts down, and then relays their actions, tick by tick. It knows nothing of the events in a
// game.
//
// A connection is a [session] on an event loop of package transport, which cuts its stream into packets. They go to the
// mailbox of the [room] of a game; its goroutine owns the [game], a plain machine of packets and time. states.go has
// the table of the messages of each state.
//
//	event loops ── session ── mailbox ──► room ── game
//	      ▲                                 │
//	      └──── one Execute per turn ◄──────┘
package w3host

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"sphereserver/packets/w3gs"
	"sphereserver/server/transport"
)

// maxUnread is how much of a client may wait to be looked at: more than a few reads bring, since each call looks at
// packetsPerCall packets only.
const maxUnread = 32 << 10

// New listens, but serves only when [Host.Serve] is called.
func New(o Options) (*Host, error) {
	if err := o.Check(); err != nil {
		return nil, fmt.Errorf("w3host: %w", err)
	}
	o.Games = slices.Clone(o.Games)
	h := &Host{options: o, started: time.Now(), sessions: map[*session]struct{}{},
		over: make(chan struct{}), stop: make(chan struct{})}
	h.rooms.Store(new([]*room))
	var err error
	h.transport, err = transport.Listen(o.Listen, h, transport.Options{Network: o.Network, MaxUnread: maxUnread}, o.Log)
	if err != nil {
		return nil, fmt.Errorf("w3host: %w", err)
	}
	h.port = h.Addr().Port()
	if h.udp, err = listenUDP(o.Listen, h.Addr()); err != nil {
		return nil, errors.Join(fmt.Errorf("w3host: %w", err), h.transport.Stop(context.Background()))
	}
	return h, nil
}

// Serve runs until [Host.Stop] is called, or, with the option Once, until every game has ended; it returns nil then.
// Any other return is a failure.
func (h *Host) Serve() error {
	if !h.begin() {
		return nil
	}
	served := make(chan error, 1)
	go func() { served <- h.transport.Serve() }()
	select {
	case err := <-served:
		if errors.Is(err, transport.ErrStopped) {
			return nil
		}
		return fmt.Errorf("w3host: listener: %w", err)
	case <-h.over:
		return nil
	}
}

// begin starts the goroutines, unless the host is stopping already.
func (h *Host) begin() bool {
	h.roomsMu.Lock()
	defer h.roomsMu.Unlock()
	if h.stopping.Load() {
		return false
	}
	s := newSearches(h)
	h.running.Go(s.run)
	h.running.Go(h.turnSessions)
	var games sync.WaitGroup
	for i := range h.options.Games {
		r := h.create(&h.options.Games[i])
		games.Add(1)
		h.running.Go(func() {
			defer games.Done()
			h.keep(r, &h.options.Games[i])
		})
	}
	go func() {
		games.Wait()
		close(h.over)
	}()
	return true
}

// keep runs a game, and another one when that has ended.
func (h *Host) keep(r *room, o *GameOptions) {
	for {
		begun := time.Now()
		r.run()
		h.remove(r)
		if h.options.Once || h.stopping.Load() {
			return
		}
		if time.Since(begun) < time.Second { // a game that breaks down at once is not to keep us busy
			select {
			case <-time.After(time.Second):
			case <-h.stop:
				return
			}
		}
		h.roomsMu.Lock()
		r = h.create(o)
		h.roomsMu.Unlock()
	}
}

// create makes the room of a new game, with roomsMu held. Its number is one more than the last. Source: protocol w3gs
// 1.4.
func (h *Host) create(o *GameOptions) *room {
	h.next++
	h.count.games.Add(1)
	r := newRoom(h, o, h.next, rand.Uint32(), rand.Uint32())
	rooms := append(slices.Clip(h.allRooms()), r)
	h.rooms.Store(&rooms)
	return r
}

func (h *Host) remove(r *room) {
	h.roomsMu.Lock()
	defer h.roomsMu.Unlock()
	rooms := slices.DeleteFunc(slices.Clone(h.allRooms()), func(other *room) bool { return other == r })
	h.rooms.Store(&rooms)
}

// mayDownload implements [outside].
func (h *Host) mayDownload(n int) bool {
	h.rateMu.Lock()
	defer h.rateMu.Unlock()
	rate := float64(h.options.DownloadRate)
	return h.rate.Take(time.Since(h.started), float64(n), rate, max(rate/8, 2*w3gs.MaxMapData))
}

// turnSessions looks at all connections once a second.
func (h *Host) turnSessions() {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case <-h.stop:
			return
		case <-t.C:
		}
		h.sessionsMu.Lock()
		for s := range h.sessions {
			_ = s.conn.Loop().Execute(func() { s.turn(time.Now()) }) // a loop that has stopped has no connections
		}
		h.sessionsMu.Unlock()
	}
}

// ErrNoGame says that no game has that number.
var ErrNoGame = errors.New("no such game")

// ask has a game do something, and waits until it is done.
func (h *Host) ask(ctx context.Context, counter uint32, do func(*game) error) error {
	r, done := h.room(counter), make(chan error, 1)
	if r == nil || r.mail.put(mail{do: func(g *game) { done <- do(g) }}, nil) != nil {
		return fmt.Errorf("game %d: %w", counter, ErrNoGame)
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Start begins the countdown of a game in which everybody is ready.
func (h *Host) Start(ctx context.Context, counter uint32) error {
	return h.ask(ctx, counter, (*game).start)
}

// End ends a game for everybody.
func (h *Host) End(ctx context.Context, counter uint32) error {
	return h.ask(ctx, counter, func(g *game) error {
		g.finish(HostStopping)
		return nil
	})
}

// Say writes a line of the host's own player into the lobby of a game.
func (h *Host) Say(ctx context.Context, counter uint32, text string) error {
	if len(text) < 1 || len(text) > w3gs.MaxLobbyText {
		return fmt.Errorf("expected 1 to %d bytes, found %d", w3gs.MaxLobbyText, len(text))
	}
	return h.ask(ctx, counter, func(g *game) error {
		if !g.say(text) {
			return errors.New("nobody is in the lobby, or the host's own player has left it")
		}
		return nil
	})
}

// Kick sends a player away.
func (h *Host) Kick(ctx context.Context, counter uint32, name string) error {
	return h.ask(ctx, counter, func(g *game) error {
		p := g.named(name)
		if p == nil {
			return fmt.Errorf("expected a player of the game, found %q", name)
		}
		g.kick(p, g.lost(), Kicked, "")
		return nil
	})
}

// Stop ends all games, tells their players, and closes everything. Work that is not done when ctx ends is left
// undone, and the error says so.
func (h *Host) Stop(ctx context.Context) error {
	h.roomsMu.Lock()
	first := !h.stopping.Swap(true)
	h.roomsMu.Unlock()
	if !first {
		return nil
	}
	close(h.stop) // rooms end their games
	var err error
	for _, r := range h.allRooms() {
		select {
		case <-r.ended:
		case <-ctx.Done():
			err = fmt.Errorf("w3host: game %d has not ended: %w", r.counter, ctx.Err())
		}
	}
	err = errors.Join(err, h.transport.Stop(ctx), h.udp.Close())
	h.running.Wait()
	return err
}
