package w3host

import (
	"slices"
	"time"

	"sphereserver/packets/w3gs"
)

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

// laggers are those who are waited for.
func (g *game) laggers() (all []*player) {
	for _, p := range g.players {
		if p.lagging {
			all = append(all, p)
		}
	}
	return all
}

// goOn lets the ticks go on when nobody is waited for any more.
func (g *game) goOn() {
	if g.state == Waiting && len(g.laggers()) == 0 {
		g.state, g.nextTick, g.waitedUntil = Playing, g.now+g.host.Tick, g.now
		g.log.Info("playing again", "waited", (g.now - g.waitBegan).String())
	}
}

// vote counts those who do not want to wait any longer. Source: protocol w3gs 4.16.
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
