package w3host

import (
	"fmt"
	"time"

	"sphereserver/packets/w3gs"
)

// maybeStart begins the countdown when as many players are ready as the game waits for, and nobody else is there.
// Source: protocol w3gs 7.2.
func (g *game) maybeStart() {
	n := g.options.StartWhen
	switch {
	case n == StartNever || len(g.players) == 0:
		return
	case n == 0 && g.openSlot() >= 0, n > 0 && len(g.players) < n:
		return
	}
	_ = g.start() // refused while a player is not ready
}

// start begins the countdown.
func (g *game) start() error {
	if g.state != Lobby {
		return fmt.Errorf("expected a game in the lobby, found it %s", g.state)
	}
	ready := 0
	for _, p := range g.players {
		if p.ready() {
			ready++
		}
	}
	if ready == 0 || ready < len(g.players) {
		return fmt.Errorf("expected all players to be ready, found %d of %d", ready, len(g.players))
	}
	g.tellSlotsNow()
	g.state, g.countdownEnd, g.pumpAt = Countdown, g.now+g.host.Countdown, 0
	g.log.Info("countdown", "players", ready, "lasts", g.host.Countdown.String())
	g.broadcast(&w3gs.CountdownStarted{})
	if g.host.Countdown == 0 {
		g.load()
	}
	return nil
}

// load ends the countdown. Source: protocol w3gs 7.1, 7.2.
func (g *game) load() {
	g.tellSlotsNow() // never any more from here on
	g.hostLeaves()
	g.broadcast(&w3gs.CountdownEnded{})
	g.cancelled()
	g.state, g.loadUntil = Loading, g.now+loadWithin
	g.log.Info("loading", "players", len(g.players))
}

// loaded notes that a player has loaded the map. Source: protocol w3gs 7.3.
func (g *game) loaded(p *player, _ w3gs.Message) {
	if p.loaded {
		return
	}
	p.loaded = true
	g.broadcast(&w3gs.PlayerLoaded{Player: p.id})
	g.everybodyLoaded()
}

// everybodyLoaded begins to play when nobody is waited for any more.
func (g *game) everybodyLoaded() {
	if g.state != Loading || len(g.players) == 0 {
		return
	}
	for _, p := range g.players {
		if !p.loaded {
			return
		}
	}
	for _, p := range g.players {
		p.heard = g.now
	}
	g.state, g.nextTick = Playing, g.now+g.host.Tick
	g.log.Info("playing", "players", len(g.players))
}

// finish ends the game for all. Source: protocol w3gs 7.5.
func (g *game) finish(reason Reason) {
	switch g.state {
	case Over:
		return
	case Lobby, Countdown, Loading:
		if g.state != Loading {
			g.cancelled()
		}
		why := g.lost()
		g.state, g.closeAt = Over, g.now
		for len(g.players) > 0 {
			g.kick(g.players[0], why, reason, "")
		}
		g.done = true
	default:
		for _, p := range g.players {
			g.send(&w3gs.GameOver{Player: p.id}, p)
		}
		g.state, g.closeAt = Over, g.now+closeAfter
	}
	g.log.Info("game ends", "reason", reason.String(), "lasted", (g.now - time.Minute).Round(time.Second).String())
}
