package world

import (
	"fmt"
	"math"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// motion is what viewers were told last of where an entity is.
type motion struct {
	moving   bool // in World.movers
	lastSent coords.Position
}

// move is where a player's own client says that it is.
type move struct {
	id PlayerID
	to coords.Position
}

const (
	// motionTicks is how many ticks there are from one report of where entities have gone to the next. All are told in
	// the same tick, so that each client is told ten times a second, however many move around it.
	motionTicks = 2
	// crowded is how many see an entity before it is told of less often, in one of so many reports: among hundreds, that is
	// most of what a server does. Each entity has its own of them, so that no tick does all of it. The original told of
	// movements every 2 to 3 steps of the wire's clock, which is twice as long. Source: protocol ingame 9.5.
	crowded        = 64
	crowdedReports = 4
	// motionStep is how far an entity moves along an axis, in metres, before others are told.
	motionStep = 0.01
)

// tellMotion tells those who see them where all who have moved are. Who is not done with that stays for the next tick.
func (w *World) tellMotion() {
	stay := w.movers[:0]
	for _, e := range w.movers {
		switch {
		case e.gone:
		case w.tellMoved(e) || e.truncated || e.short || elsewhere(&e.lookedFrom, &e.at):
			stay = append(stay, e)
		default:
			e.moving = false
		}
	}
	clear(w.movers[len(stay):])
	w.movers = stay
}

func (w *World) updateIsDue(e *entity) bool {
	since := w.now.Sub(e.lookedAt)
	switch {
	case e.truncated && since >= truncatedPeriod && len(e.viewers) < w.options.ViewLimit:
		return true
	case e.short && since > 0 && (since >= truncatedPeriod || w.takesMore(e)):
		return true
	case !elsewhere(&e.lookedFrom, &e.at):
		return false
	}
	return since >= lookPeriod || distSq(&e.lookedFrom, &e.at) >= lookDistance*lookDistance
}

// tellMoved tells where an entity has gone if that is worth it, and says whether something has to wait.
func (w *World) tellMoved(e *entity) (waits bool) {
	switch {
	case !noticeable(&e.lastSent, &e.at):
		return false
	case w.tick%motionTicks != 0:
		return true
	case len(e.viewers) > crowded && (uint64(w.tick)/motionTicks+uint64(e.id))%crowdedReports != 0:
		return true
	}
	e.lastSent = e.at
	if to := w.finalViewers(e); len(to) > 0 {
		w.tell(w.moved.put(Moved{e.id, e.at, to}))
	}
	return false
}

// elsewhere says whether two positions are different places.
func elsewhere(a, b *coords.Position) bool { return a.X != b.X || a.Y != b.Y || a.Z != b.Z }

// noticeable says whether the difference of two positions is worth to be told.
func noticeable(a, b *coords.Position) bool {
	far := func(a, b float32) bool { return math.Abs(float64(a)-float64(b)) > motionStep }
	return far(a.X, b.X) || far(a.Y, b.Y) || far(a.Z, b.Z) ||
		a.Yaw != b.Yaw && coords.EncodeAngle8(a.Yaw) != coords.EncodeAngle8(b.Yaw)
}

// Teleport puts a player somewhere. [Teleported] follows, unless it is not inside or the place is not in the world.
type Teleport struct {
	ID PlayerID
	To coords.Position
}

func (c Teleport) who() PlayerID { return c.ID }

func (c Teleport) act(w *World, p *player) {
	if c.To.Check() == nil {
		w.teleport(p, c.To)
	}
}

// TeleportBeside puts a player where another one is at that moment. [Teleported] follows, unless one of them is not
// inside.
type TeleportBeside struct{ ID, Beside PlayerID }

func (c TeleportBeside) who() PlayerID { return c.ID }

func (c TeleportBeside) act(w *World, p *player) {
	if other := w.player(c.Beside); other != nil {
		w.teleportInto(p, other.inside, other.Position)
	}
}

// teleport puts a player somewhere, and tells it where that is.
func (w *World) teleport(p *player, to coords.Position) { w.transfer(p, to, Teleported{p.ID, to}) }

// teleportInto puts a player into an instance, nil for the open world, and tells it where that is.
func (w *World) teleportInto(p *player, in *instance, to coords.Position) {
	w.transferInto(p, in, to, Teleported{p.ID, to})
}

// transfer puts a player somewhere: in the instance in which it is, if that holds the place, otherwise in the open
// world. An event tells what brings it there, and where that is.
func (w *World) transfer(p *player, to coords.Position, told Event) {
	in := p.inside
	if !in.holds(to) {
		in = nil
	}
	w.transferInto(p, in, to, told)
}

// transferInto puts a player somewhere, shows it what is there, and shows it to those who are there.
func (w *World) transferInto(p *player, in *instance, to coords.Position, told Event) {
	w.endDuel(p.duel, p)
	w.goInside(&p.entity, in)
	p.settlesFrom = p.Position
	w.place(p, to)
	p.stride = w.pace().Spent(w.now, settleDistance)
	p.settleBy = w.now.Add(settleTime).UnixNano()
	w.tell(told)
	w.updateInterest(&p.entity)
	p.lastSent = to
	if still := w.viewersBefore(&p.entity); len(still) > 0 {
		w.tell(w.teleported.put(TeleportSeen{p.ID, to, still}))
	}
}

// recall tells a player's client where it has to be, and waits so long for it to be there.
func (w *World) recall(p *player, patience time.Duration) {
	p.settleBy = w.now.Add(patience).UnixNano()
	w.tell(Teleported{p.ID, p.Position})
}

// hasSettled says whether where its client says a player is can be after the teleport that is under way. What the client
// has sent before it knew of that is nearer to where the teleport began, also when the teleport was short.
func (p *player) hasSettled(at coords.Position) bool {
	d := p.Position.Distance(at)
	return d <= settleDistance && !(p.settlesFrom.Distance(at) < d)
}

func (w *World) pace() rules.Pace {
	return rules.Pace{Speed: w.options.MaxSpeed, Slack: w.options.Slack}
}

// believe says why a player cannot be where its client says it is; nil if it can.
func (w *World) believe(p *player, at coords.Position) error {
	switch err := at.Check(); {
	case err != nil:
		return err
	case !p.inside.holds(at):
		return fmt.Errorf("that is outside of instance %d", p.inside.id)
	case math.IsInf(w.options.MaxSpeed, 1):
		return nil
	case w.options.Apart != nil && w.options.Apart(p.Position, at):
		return fmt.Errorf("nobody can walk there from %v", p.Position)
	}
	pace := w.pace()
	if w.fights(p) {
		pace.Hop = w.balance.Blow.FightHop
	}
	return pace.Step(&p.stride, p.Position, at, w.now)
}

// fights says whether a player has struck or was hurt just now.
func (w *World) fights(p *player) bool { return w.fought(p, rules.Calm) }

// fought says whether a player has struck or was hurt within a time.
func (w *World) fought(p *player, within time.Duration) bool {
	return w.now.Sub(p.lastBlow) < within || w.now.UnixNano()-p.hurtAt < int64(within)
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
	if w.now.UnixNano() < p.settleBy {
		if !p.hasSettled(m.to) {
			w.tell(MoveRefused{ID: m.id, To: m.to, At: p.Position})
			return
		}
		p.settleBy = 0
	}
	if m.to == p.Position {
		return
	}
	if err := w.believe(p, m.to); err != nil {
		w.tell(MoveRefused{m.id, m.to, p.Position, err})
		p.settlesFrom = p.Position
		w.recall(p, putBackTime)
		return
	}
	w.place(p, m.to)
	w.markMoved(&p.entity)
	ground := w.groundOf(&p.entity)
	w.footing[ground.Footing(m.to)].Add(1)
	if p.tread.Walks(m.to.Y, w.now) && p.Pools.HP > 0 && !p.any((*rules.Effect).Lifts) {
		w.learn(&p.entity, m.to)
	}
}
