package world

import (
	"fmt"
	"math"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// move is a position that a player's client tells of itself.
type move struct {
	id PlayerID
	to coords.Position
}

// Teleport puts a player somewhere. [Teleported] follows, unless it is not inside or the place is not in the world.
type Teleport struct {
	ID PlayerID
	To coords.Position
}

func (c Teleport) who() PlayerID { return c.ID }

func (c Teleport) act(w *World, p *player) {
	if c.To.Check() == nil {
		w.places.teleport(p, c.To)
	}
}

// TeleportBeside puts a player where another one is at that moment. [Teleported] follows, unless one of them is not
// inside.
type TeleportBeside struct{ ID, Beside PlayerID }

func (c TeleportBeside) who() PlayerID { return c.ID }

func (c TeleportBeside) act(w *World, p *player) {
	if other := w.player(c.Beside); other != nil {
		w.places.teleportInto(p, other.inside, other.Position)
	}
}

// teleport puts a player somewhere, and tells it where that is.
func (pl *places) teleport(p *player, to coords.Position) { pl.transfer(p, to, Teleported{p.ID, to}) }

// teleportInto puts a player into an instance, nil for the open world, and tells it where that is.
func (pl *places) teleportInto(p *player, in *instance, to coords.Position) {
	pl.transferInto(p, in, to, Teleported{p.ID, to})
}

// transfer puts a player somewhere: in the instance in which it is, if that holds the place, otherwise in the open
// world. told is the event that tells it so.
func (pl *places) transfer(p *player, to coords.Position, told Event) {
	in := p.inside
	if !in.holds(to) {
		in = nil
	}
	pl.transferInto(p, in, to, told)
}

// transferInto puts a player somewhere, shows it its surroundings, and shows it to the viewers there. told comes first.
func (pl *places) transferInto(p *player, in *instance, to coords.Position, told Event) {
	pl.observer.uprooted(p)
	pl.goInside(&p.entity, in)
	p.settlesFrom = p.Position
	pl.place(p, to)
	p.stride = pl.pace().Spent(pl.now, settleDistance)
	p.settleBy = pl.instant().Add(settleTime)
	pl.tell(told)
	pl.space.Look(&p.Body)
	pl.space.Told(&p.Body)
	if still := pl.viewersBefore(&p.entity); len(still) > 0 {
		pl.tell(pl.teleported.put(TeleportSeen{p.ID, to, still}))
	}
}

// recall tells a player's client where it has to be, and drops its other positions until it is there or patience ends.
func (pl *places) recall(p *player, patience time.Duration) {
	p.settleBy = pl.instant().Add(patience)
	pl.tell(Teleported{p.ID, p.Position})
}

// hasSettled reports whether a client's position can be from after the teleport that is under way. Positions that the
// client has sent before it knew of that are nearer to where the teleport began, also when the teleport was short.
func (p *player) hasSettled(at coords.Position) bool {
	d := p.Position.Distance(at)
	return d <= settleDistance && !(p.settlesFrom.Distance(at) < d)
}

func (pl *places) pace() rules.Pace {
	return rules.Pace{Speed: pl.options.MaxSpeed, Slack: pl.options.Slack}
}

// believe says why a player cannot be where its client says it is; nil if it can.
func (pl *places) believe(p *player, at coords.Position) error {
	switch err := at.Check(); {
	case err != nil:
		return err
	case !p.inside.holds(at):
		return fmt.Errorf("that is outside of instance %d", p.inside.id)
	case math.IsInf(pl.options.MaxSpeed, 1):
		return nil
	case pl.options.Disconnected != nil && pl.options.Disconnected(p.Position, at):
		return fmt.Errorf("nobody can walk there from %v", p.Position)
	}
	pace := pl.pace()
	if pl.fights(p) {
		pace.Hop = pl.balance.Blow.FightHop
	}
	return pace.Step(&p.stride, p.Position, at, pl.now)
}

// fights reports whether a player has struck or was hurt just now.
func (pl *places) fights(p *player) bool { return pl.fought(p, rules.Calm) }

// fought reports whether a player has struck or was hurt within a time.
func (pl *places) fought(p *player, within time.Duration) bool {
	return pl.instant().Sub(p.lastBlow) < within || pl.instant().Sub(p.hurtAt) < within
}

func (m move) do(w *World) {
	p := w.player(m.id)
	if p == nil {
		return
	}
	p.heard = true
	if isDead(p) {
		w.tell(MoveRefused{ID: m.id, To: m.to, At: p.Position})
		return
	}
	if w.instant().Before(p.settleBy) {
		if !p.hasSettled(m.to) {
			w.tell(MoveRefused{ID: m.id, To: m.to, At: p.Position})
			return
		}
		p.settleBy = 0
	}
	if m.to == p.Position {
		return
	}
	if err := w.places.believe(p, m.to); err != nil {
		w.tell(MoveRefused{m.id, m.to, p.Position, err})
		p.settlesFrom = p.Position
		w.places.recall(p, putBackTime)
		return
	}
	w.places.place(p, m.to)
	w.places.space.MarkMoved(&p.Body)
	ground := w.groundOf(&p.entity)
	w.footing[ground.Footing(m.to)].Add(1)
	if p.tread.Walks(m.to.Y, w.now) && p.Pools.HP > 0 && !p.any((*rules.Effect).Lifts) {
		w.spawners.learn(&p.entity, m.to)
	}
}
