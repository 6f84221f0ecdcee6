package world

import (
	"fmt"
	"math"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// motion is where an entity was when viewers were told last.
type motion struct {
	moving   bool // in space.movers
	lastSent coords.Position
}

// move is a position that a player's client tells of itself.
type move struct {
	id PlayerID
	to coords.Position
}

const (
	// motionTicks is how many ticks there are from one report of where entities have gone to the next. All are told in
	// the same tick, so that each client is told ten times a second, however many move around it.
	motionTicks = 2
	// An entity with more than crowded viewers is told of in one of crowdedReports, and with more than throng in one of
	// throngReports, 0.8 s: among hundreds of players, that is most of a server's work. Each entity has its own of them, so
	// that no tick does all of it. The original told of movements every 2 to 3 steps of the wire's clock, 0.7 to 1 s.
	// Source: protocol ingame 9.5.
	crowded, crowdedReports = 64, 4
	throng, throngReports   = 128, 8
	// mostReports is in how few reports an entity is told of while loops are behind: 3.2 s.
	mostReports = 32
	// motionStep is how far an entity moves along an axis, in metres, before others are told.
	motionStep = 0.01
)

// tellMotion tells viewers where all moved entities are. Those that are not done with stay for the next tick.
func (sp *space) tellMotion() {
	if sp.tick%motionTicks == 0 {
		sp.feelStrain()
	}
	stay := sp.movers[:0]
	for _, e := range sp.movers {
		switch {
		case e.gone:
		case sp.tellMoved(e) || e.truncated || e.short || elsewhere(&e.lookedFrom, &e.at):
			stay = append(stay, e)
		default:
			e.moving = false
		}
	}
	clear(sp.movers[len(stay):])
	sp.movers = stay
}

func (sp *space) updateIsDue(e *entity) bool {
	since := sp.instant().Sub(e.lookedAt)
	switch {
	case e.truncated && since >= truncatedPeriod && len(e.viewers) < sp.options.ViewLimit:
		return true
	case e.short && since > 0 && (since >= truncatedPeriod || sp.takesMore(e)):
		return true
	case !elsewhere(&e.lookedFrom, &e.at):
		return false
	}
	return since >= lookPeriod || distSq(&e.lookedFrom, &e.at) >= lookDistance*lookDistance
}

// tellMoved tells where an entity has gone if the distance is noticeable, and says whether that has to wait.
func (sp *space) tellMoved(e *entity) (waits bool) {
	switch {
	case !noticeable(&e.lastSent, &e.at):
		return false
	case sp.tick%motionTicks != 0:
		return true
	case (sp.tick/motionTicks+uint64(e.id))%sp.reports(e) != 0:
		return true
	}
	e.lastSent = e.at
	if to := sp.finalViewers(e); len(to) > 0 {
		sp.tell(sp.moved.put(Moved{e.id, e.at, to}))
	}
	return false
}

// reports is in one of how many reports an entity is told of.
func (sp *space) reports(e *entity) uint64 {
	n := uint64(1)
	switch seen := len(e.viewers); {
	case seen > throng:
		n = throngReports
	case seen > crowded:
		n = crowdedReports
	}
	return min(n<<sp.strain, mostReports)
}

// mostStrain is how often the time between reports is doubled at most.
const mostStrain = 5

// feelStrain notes whether the clients' loops keep up with the events: if not, fewer are told from now on.
func (sp *space) feelStrain() {
	if sp.options.Behind == nil {
		return
	}
	switch behind := sp.options.Behind(); {
	case behind > 1:
		sp.strain = min(sp.strain+1, mostStrain)
	case behind == 0 && sp.strain > 0:
		sp.strain--
	}
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
		w.space.teleport(p, c.To)
	}
}

// TeleportBeside puts a player where another one is at that moment. [Teleported] follows, unless one of them is not
// inside.
type TeleportBeside struct{ ID, Beside PlayerID }

func (c TeleportBeside) who() PlayerID { return c.ID }

func (c TeleportBeside) act(w *World, p *player) {
	if other := w.player(c.Beside); other != nil {
		w.space.teleportInto(p, other.inside, other.Position)
	}
}

// teleport puts a player somewhere, and tells it where that is.
func (sp *space) teleport(p *player, to coords.Position) { sp.transfer(p, to, Teleported{p.ID, to}) }

// teleportInto puts a player into an instance, nil for the open world, and tells it where that is.
func (sp *space) teleportInto(p *player, in *instance, to coords.Position) {
	sp.transferInto(p, in, to, Teleported{p.ID, to})
}

// transfer puts a player somewhere: in the instance in which it is, if that holds the place, otherwise in the open
// world. told is the event that tells it so.
func (sp *space) transfer(p *player, to coords.Position, told Event) {
	in := p.inside
	if !in.holds(to) {
		in = nil
	}
	sp.transferInto(p, in, to, told)
}

// transferInto puts a player somewhere, shows it its surroundings, and shows it to the viewers there. told comes
// first.
func (sp *space) transferInto(p *player, in *instance, to coords.Position, told Event) {
	sp.observer.uprooted(p)
	sp.goInside(&p.entity, in)
	p.settlesFrom = p.Position
	sp.place(p, to)
	p.stride = sp.pace().Spent(sp.now, settleDistance)
	p.settleBy = sp.instant().Add(settleTime)
	sp.tell(told)
	sp.updateInterest(&p.entity)
	p.lastSent = to
	if still := sp.viewersBefore(&p.entity); len(still) > 0 {
		sp.tell(sp.teleported.put(TeleportSeen{p.ID, to, still}))
	}
}

// recall tells a player's client where it has to be, and drops its other positions until it is there or patience
// ends.
func (sp *space) recall(p *player, patience time.Duration) {
	p.settleBy = sp.instant().Add(patience)
	sp.tell(Teleported{p.ID, p.Position})
}

// hasSettled says whether a client's position can be from after the teleport that is under way. Positions that the
// client has sent before it knew of that are nearer to where the teleport began, also when the teleport was short.
func (p *player) hasSettled(at coords.Position) bool {
	d := p.Position.Distance(at)
	return d <= settleDistance && !(p.settlesFrom.Distance(at) < d)
}

func (sp *space) pace() rules.Pace {
	return rules.Pace{Speed: sp.options.MaxSpeed, Slack: sp.options.Slack}
}

// believe says why a player cannot be where its client says it is; nil if it can.
func (sp *space) believe(p *player, at coords.Position) error {
	switch err := at.Check(); {
	case err != nil:
		return err
	case !p.inside.holds(at):
		return fmt.Errorf("that is outside of instance %d", p.inside.id)
	case math.IsInf(sp.options.MaxSpeed, 1):
		return nil
	case sp.options.Apart != nil && sp.options.Apart(p.Position, at):
		return fmt.Errorf("nobody can walk there from %v", p.Position)
	}
	pace := sp.pace()
	if sp.fights(p) {
		pace.Hop = sp.balance.Blow.FightHop
	}
	return pace.Step(&p.stride, p.Position, at, sp.now)
}

// fights says whether a player has struck or was hurt just now.
func (sp *space) fights(p *player) bool { return sp.fought(p, rules.Calm) }

// fought says whether a player has struck or was hurt within a time.
func (sp *space) fought(p *player, within time.Duration) bool {
	return sp.instant().Sub(p.lastBlow) < within || sp.instant().Sub(p.hurtAt) < within
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
	if err := w.space.believe(p, m.to); err != nil {
		w.tell(MoveRefused{m.id, m.to, p.Position, err})
		p.settlesFrom = p.Position
		w.space.recall(p, putBackTime)
		return
	}
	w.space.place(p, m.to)
	w.space.markMoved(&p.entity)
	ground := w.groundOf(&p.entity)
	w.footing[ground.Footing(m.to)].Add(1)
	if p.tread.Walks(m.to.Y, w.now) && p.Pools.HP > 0 && !p.any((*rules.Effect).Lifts) {
		w.spawners.learn(&p.entity, m.to)
	}
}
