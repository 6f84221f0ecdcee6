package w3host

import (
	"log/slog"
	"net/netip"
	"slices"
	"time"

	"sphereserver/packets/w3gs"
	"sphereserver/server/ratelimit"
)

// A game is one game from its creation to its end. It is a plain machine: packets and time go in, packets come out,
// and everything in it is touched by one goroutine, its [room]'s. It knows no socket and no clock.
type game struct {
	host    *Options
	options *GameOptions
	counter uint32 // host counter
	key     uint32 // entry key
	seed    uint32
	outside outside
	log     *slog.Logger

	state State
	done  bool // nothing is left to be done, and nobody left
	// now is the time that everything here is measured in. It goes by with real time, but never by more than maxStep at
	// once: a suspended process is not the clients' silence.
	now time.Duration

	slots   []w3gs.Slot
	players []*player // in the order in which they have joined
	touched []*player // to send packets to, or to close
	hostID  w3gs.PlayerID

	news         news // of the slots, not told yet
	slotsSent    time.Duration
	refresh      bool // outside has to be told
	refreshed    time.Duration
	swept        time.Duration
	countdownEnd time.Duration
	loadUntil    time.Duration
	closeAt      time.Duration
	pumpAt       time.Duration // when downloads go on; 0 for not at all
	pumpNext     int           // the player that had its turn last

	playing

	decoder w3gs.Decoder
	scratch []byte
}

// news is the change of the slots since the players were told.
type news uint8

const (
	noNews   news = iota
	progress      // of a download
	changed
)

// maxStep is the most time that passes at once.
const maxStep = 2 * time.Second

// An outside is the part of a host that a game needs.
type outside interface {
	// announce sends a packet to the addresses that the host announces games to.
	announce(m w3gs.Message)
	// mayDownload takes n bytes from the rate of maps of all games, unless they have to wait.
	mayDownload(n int) bool
}

// A player is a connection as a game sees it, from its join on.
type player struct {
	id      w3gs.PlayerID // 0 before it has been admitted
	name    string
	address netip.AddrPort
	slot    int
	inside  bool // in the game

	out    []byte // to be sent
	marked bool   // is in touched
	ended  bool   // to be closed when out has been sent
	reason Reason
	detail string

	heard    time.Duration
	strange  int
	chats    ratelimit.Bucket
	dropped  int           // lines of chat,
	window   time.Duration // since then
	changes  ratelimit.Bucket
	actions  ratelimit.Bucket
	acted    ratelimit.Bucket // bytes of actions
	nextPing time.Duration
	pings    int // sent
	pongs    int // of those, answered
	sent     [4]uint32
	latency  time.Duration
	ponged   bool

	hasMap   bool
	download download
	moved    time.Duration // the last progress towards being ready

	loaded  bool
	queued  int      // actions that wait for the next tick
	ticks   int      // answered
	checks  []uint32 // values of its answers that are not compared yet
	lagging bool
	waited  time.Duration // since then it is waited for
	voted   bool

	session *session // of the player's connection; nil in tests
}

// ready reports whether the player could start. Source: protocol w3gs 7.1.
func (p *player) ready() bool { return p.hasMap && p.ponged }

// playing is the state of a game once it is played.
type playing struct {
	nextTick time.Duration
	ticks    int // sent
	// blocks are the actions since the last tick, cut into packets at cuts; the last packet ends with them.
	blocks w3gs.Blocks
	cuts   []int
	// leaving are players with their last actions in blocks: the others learn that they have left behind these.
	leaving []w3gs.PlayerLeft

	comparing   bool
	waitBegan   time.Duration
	waitedUntil time.Duration // when a waiting screen was last seen
}

// A download is how far a player's copy of the map has come.
type download struct {
	known   bool // the client has said how much it has
	on      bool
	sent    uint32 // up to here
	taken   uint32 // acknowledged up to here
	refused int
}

func newGame(host *Options, o *GameOptions, counter, key, seed uint32, out outside) *game {
	g := &game{host: host, options: o, counter: counter, key: key, seed: seed, outside: out, hostID: 1, state: Lobby,
		slots: slices.Clone(o.Slots), log: host.Log.With("game", counter, "name", o.Name)}
	// The time begins late enough for nothing to have been sent just now.
	g.now = time.Minute
	g.swept, g.refreshed = g.now, g.now
	return g
}

// create tells of the game. Source: protocol w3gs 2.3, 7.1.
func (g *game) create() {
	g.outside.announce(&w3gs.GameCreated{Product: g.host.Product, Version: g.host.Version, Game: g.counter})
	g.log.Info("game created", "map", g.options.Map.Path, "slots", len(g.slots))
}

// gone removes a player that has not said that it leaves.
func (g *game) gone(p *player, reason Reason, detail string) { g.part(p, g.lost(), reason, detail) }

// lost is the reason that others are told when a player's connection ends without a Leave.
func (g *game) lost() w3gs.LeaveReason {
	if g.state <= Countdown {
		return w3gs.LeftLobby
	}
	return w3gs.LeftDisconnected
}

// touch makes the room look at the packets for a player.
func (g *game) touch(p *player) {
	if !p.marked {
		p.marked = true
		g.touched = append(g.touched, p)
	}
}

// send encodes a message once for some players.
func (g *game) send(m w3gs.Message, to ...*player) {
	packet, err := w3gs.Append(g.scratch[:0], m)
	if err != nil { // a defect of ours: they go on without it
		g.log.Error("cannot encode", "error", err)
		return
	}
	g.scratch = packet
	for _, p := range to {
		if !p.ended {
			p.out = append(p.out, packet...)
			g.touch(p)
		}
	}
}

// broadcast sends a message to all players.
func (g *game) broadcast(m w3gs.Message) { g.send(m, g.players...) }

// end closes a connection. Earlier packets still arrive.
func (g *game) end(p *player, reason Reason, detail string) {
	if !p.ended {
		p.ended, p.reason, p.detail = true, reason, detail
		g.touch(p)
	}
}

// kick closes a connection with a word of why. Source: protocol w3gs 4.12.
func (g *game) kick(p *player, why w3gs.LeaveReason, reason Reason, detail string) {
	g.send(&w3gs.Kicked{Reason: why}, p)
	g.part(p, why, reason, detail)
}

// part closes a connection and, if it was a player's, takes that out of the game and tells the others.
func (g *game) part(p *player, why w3gs.LeaveReason, reason Reason, detail string) {
	g.end(p, reason, detail)
	if !p.inside {
		return
	}
	p.inside = false
	g.players = slices.DeleteFunc(g.players, func(other *player) bool { return other == p })
	g.log.Info("player left", "player", p.name, "id", p.id, "reason", reason.String(), "detail", detail, "left",
		len(g.players))
	left := &w3gs.PlayerLeft{Player: p.id, Reason: why}
	switch g.state {
	case Lobby, Countdown:
		g.slots[p.slot] = g.options.Slots[p.slot]
		g.tidy()
		g.broadcast(left)
		g.slotsHave(changed)
		g.hostReturns()
		g.refresh = true
		if g.state == Countdown && len(g.players) == 0 {
			g.cancelled()
		}
	case Loading:
		g.forgetActions(p)
		g.broadcast(left)
		g.everybodyLoaded()
	case Playing, Waiting:
		g.partPlaying(p, left)
	}
	if g.state > Lobby && len(g.players) == 0 {
		g.state, g.done = Over, true
		g.log.Info("game over", "lasted", g.now-time.Minute)
	}
}

// pass lets time go by. run does the due work.
func (g *game) pass(step time.Duration) { g.now += min(max(step, 0), maxStep) }

// sweepEvery is how often everybody's times are looked at.
func (g *game) sweepEvery() time.Duration {
	if len(g.players) > 0 {
		return 100 * time.Millisecond
	}
	return time.Second
}

// wait is how long nothing will be due.
func (g *game) wait() time.Duration {
	next := g.swept + g.sweepEvery()
	due := func(at time.Duration) { next = min(next, at) }
	switch g.state {
	case Lobby:
		if g.pumpAt > 0 {
			due(g.pumpAt)
		}
		if g.refresh {
			due(g.refreshed + refreshPause)
		}
		due(g.refreshed + refreshEvery)
	case Countdown:
		due(g.countdownEnd)
	case Playing:
		due(g.nextTick)
	case Over:
		due(g.closeAt)
	}
	if g.news == changed && g.state <= Countdown {
		due(g.slotsSent + slotsEvery)
	}
	return max(next-g.now, 0)
}

// sweep pings, and ends players that have been silent, or not ready, for too long.
func (g *game) sweep() {
	if g.state == Over {
		return
	}
	for _, p := range slices.Clone(g.players) {
		switch {
		case p.ended:
		case g.state == Lobby && !p.ready() && g.now-p.moved >= readyWithin:
			g.kick(p, w3gs.LeftLobby, NotReady, "")
		case g.state == Loading && !p.loaded && g.now >= g.loadUntil:
			g.part(p, w3gs.LeftDisconnected, NeverLoaded, "")
		case g.state == Waiting && p.lagging && g.now-p.waited >= dropAfter:
			g.part(p, w3gs.LeftDisconnected, TooFarBehind, "")
		case g.silent(p):
			g.gone(p, Silent, "")
		case g.now >= p.nextPing:
			g.ping(p)
		}
	}
}

// silent reports whether nothing has been heard of a player for too long. While a client loads, or waits for others, it
// may be silent. Source: protocol w3gs 7.4.
func (g *game) silent(p *player) bool {
	switch g.state {
	case Lobby, Countdown:
	case Playing:
		if g.now < g.waitedUntil+silentGrace {
			return false
		}
	default:
		return false
	}
	return g.now-p.heard >= silentFor
}

// clock is the time that pings carry. It begins above 1, with which some clients answer the first ping.
func (g *game) clock() uint32 { return uint32(g.now / time.Millisecond) }

// ping sends a ping. Source: protocol w3gs 4.1.
func (g *game) ping(p *player) {
	p.nextPing = g.now + pingEvery
	p.sent[p.pings%len(p.sent)] = g.clock()
	p.pings++
	g.send(&w3gs.Ping{Clock: g.clock()}, p)
}

// pong takes the answer to a ping. One that no ping was sent for is ignored: the first one of a client may be such.
// Source: protocol w3gs 4.1, 8.
func (g *game) pong(p *player, m w3gs.Message) {
	if p.pongs++; p.pongs > p.pings+1 {
		g.gone(p, TooManyAnswers, "pong")
		return
	}
	clock := m.(*w3gs.Pong).Clock
	if !slices.Contains(p.sent[:], clock) {
		return
	}
	p.latency = time.Duration(g.clock()-clock) * time.Millisecond
	p.ponged = true
}

// leave removes a player that leaves in order. Source: protocol w3gs 4.12.
func (g *game) leave(p *player, m w3gs.Message) {
	g.send(&w3gs.LeaveAccepted{}, p)
	g.part(p, m.(*w3gs.Leave).Reason, Left, "")
}

// cancelled tells those outside that the game can be joined no more.
func (g *game) cancelled() { g.outside.announce(&w3gs.GameCancelled{Game: g.counter}) }

// slotsHave notes that the slots have changed.
func (g *game) slotsHave(n news) { g.news = max(g.news, n) }
