package w3host

import (
	"slices"
	"time"

	"sphereserver/packets/w3gs"
)

// action keeps a player's action until the next tick. Source: protocol w3gs 4.13.
func (g *game) action(p *player, message w3gs.Message) {
	data := message.(*w3gs.Action).Data
	l := &g.host.Limits
	if !p.actions.Take(g.now, 1, l.Actions, l.Actions) ||
		!p.acted.Take(g.now, float64(len(data)), l.ActionBytes, l.ActionBytes) ||
		len(g.blocks)+w3gs.BlockLen(len(data)) > l.Queued {
		g.gone(p, TooManyActions, "")
		return
	}
	if len(data) == 0 {
		return
	}
	g.queue(p.id, data)
	p.queued++
}

// queue puts an action behind the waiting ones, in another packet if there is no room for it in the last.
func (g *game) queue(id w3gs.PlayerID, data []byte) {
	begin := 0
	if n := len(g.cuts); n > 0 {
		begin = g.cuts[n-1]
	}
	if len(g.blocks)-begin+w3gs.BlockLen(len(data)) > w3gs.MaxBlocks {
		g.cuts = append(g.cuts, len(g.blocks))
	}
	g.blocks = g.blocks.Append(id, data)
}

// forgetActions takes a player's actions out of the waiting ones.
func (g *game) forgetActions(p *player) {
	if p.queued == 0 {
		return
	}
	old := slices.Clone(g.blocks)
	g.blocks, g.cuts, p.queued = g.blocks[:0], g.cuts[:0], 0
	for id, data := range old.All() {
		if id != p.id {
			g.queue(id, data)
		}
	}
}

// runTicks sends the ticks that are due: mostly one, two when the last one was late. Later ones are given up.
// Source: protocol w3gs 4.14.
func (g *game) runTicks() {
	for range 2 {
		if g.state != Playing || g.now < g.nextTick {
			return
		}
		g.nextTick += g.host.Tick
		g.tick()
	}
	if g.now >= g.nextTick {
		g.nextTick = g.now + g.host.Tick
	}
}

// tick sends the actions since the last tick to all players.
func (g *game) tick() {
	begin := 0
	for _, cut := range g.cuts {
		g.broadcast(&w3gs.TickPart{Blocks: g.blocks[begin:cut]})
		begin = cut
	}
	g.broadcast(&w3gs.Tick{Milliseconds: uint16(g.host.Tick / time.Millisecond), Blocks: g.blocks[begin:]})
	g.ticks++
	g.blocks, g.cuts = g.blocks[:0], g.cuts[:0]
	for _, p := range g.players {
		p.queued = 0
	}
	for i := range g.leaving {
		g.broadcast(&g.leaving[i])
	}
	g.leaving = g.leaving[:0]
	g.lookForLaggers()
}

// partPlaying tells the others that a player has left, between two ticks: at once, or behind the player's last actions.
// Source: protocol w3gs 7.4.
func (g *game) partPlaying(p *player, left *w3gs.PlayerLeft) {
	if g.state == Playing && p.queued > 0 {
		g.leaving = append(g.leaving, *left)
	} else {
		g.forgetActions(p)
		g.broadcast(left)
	}
	if p.lagging {
		p.lagging = false
		g.goOn()
	}
	g.compare()
}

// tickDone takes a player's answer to a tick. Source: protocol w3gs 4.15.
func (g *game) tickDone(p *player, message w3gs.Message) {
	if p.ticks >= g.ticks {
		g.gone(p, TooManyAnswers, "tick done")
		return
	}
	p.ticks++
	p.checks = append(p.checks, message.(*w3gs.TickDone).Check)
	if p.lagging && g.behind(p) < g.lagTicks()/2 {
		p.lagging = false
		g.broadcast(&w3gs.WaitEnded{Lagger: g.lagger(p)})
		g.goOn()
	}
	g.compare()
}

// compare looks at the check values of each tick that everybody has answered. Players that differ from most are out
// of step. Source: protocol w3gs 4.15.
func (g *game) compare() {
	if g.comparing {
		return // players out of step are leaving right now
	}
	g.comparing = true
	defer func() { g.comparing = false }()
	for len(g.players) > 0 {
		same := true
		for _, p := range g.players {
			if len(p.checks) == 0 {
				return
			}
			same = same && p.checks[0] == g.players[0].checks[0]
		}
		var wrong []*player
		if !same {
			wrong = g.outOfStep()
		}
		for _, p := range g.players {
			p.checks = slices.Delete(p.checks, 0, 1)
		}
		for _, p := range wrong {
			g.part(p, w3gs.LeftLost, OutOfStep, "")
		}
	}
}

// outOfStep returns the players with a next check value other than the value of most players. When there is no such
// value, all are.
func (g *game) outOfStep() (wrong []*player) {
	values := map[uint32]int{}
	for _, p := range g.players {
		values[p.checks[0]]++
	}
	right, most, tie := uint32(0), 0, false
	for v, n := range values {
		switch {
		case n > most:
			right, most, tie = v, n, false
		case n == most:
			tie = true
		}
	}
	for _, p := range g.players {
		if tie || p.checks[0] != right {
			wrong = append(wrong, p)
		}
	}
	p := g.players[0]
	g.log.Warn("out of step", "tick", p.ticks-len(p.checks)+1, "players", len(wrong), "of", len(g.players))
	return wrong
}

// lagTicks is how many ticks a player may be behind before the others wait for it. Source: protocol w3gs 4.16.
func (g *game) lagTicks() int { return int(lagAfter / g.host.Tick) }

// behind is how many ticks a player has not answered.
func (g *game) behind(p *player) int { return g.ticks - p.ticks }

// lagger is how long a player is waited for.
func (g *game) lagger(p *player) w3gs.Lagger {
	return w3gs.Lagger{Player: p.id, Milliseconds: uint32((g.now - p.waited) / time.Millisecond)}
}

// lookForLaggers stops the ticks when a player is too far behind. Source: protocol w3gs 4.16.
func (g *game) lookForLaggers() {
	screen := &w3gs.WaitStarted{}
	for _, p := range g.players {
		if p.voted = false; g.behind(p) > g.lagTicks() {
			p.lagging, p.waited = true, g.now
			screen.Laggers = append(screen.Laggers, g.lagger(p))
			g.log.Info("waiting for a player", "player", p.name, "behind", g.behind(p))
		}
	}
	if len(screen.Laggers) > 0 {
		g.state, g.waitBegan = Waiting, g.now
		g.broadcast(screen)
	}
}

// laggers are the players that the others wait for.
func (g *game) laggers() (all []*player) {
	for _, p := range g.players {
		if p.lagging {
			all = append(all, p)
		}
	}
	return all
}

// goOn starts the ticks again when nobody is waited for any more.
func (g *game) goOn() {
	if g.state == Waiting && len(g.laggers()) == 0 {
		g.state, g.nextTick, g.waitedUntil = Playing, g.now+g.host.Tick, g.now
		g.log.Info("playing again", "waited", (g.now - g.waitBegan).String())
	}
}

// vote counts players that do not want to wait any longer. Source: protocol w3gs 4.16.
func (g *game) vote(p *player, _ w3gs.Message) {
	if p.lagging || g.now-g.waitBegan < voteAfter {
		return
	}
	p.voted = true
	votes, others := 0, 0
	for _, v := range g.players {
		if !v.lagging {
			others++
			if v.voted {
				votes++
			}
		}
	}
	if 2*votes > others {
		for _, v := range slices.Clone(g.laggers()) {
			g.part(v, w3gs.LeftDisconnected, VotedOut, "")
		}
	}
}
