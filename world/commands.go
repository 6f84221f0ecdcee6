package world

import (
	"fmt"
	"time"

	"sphereserver/coords"
)

// A Command is something that the world is to do in its next tick.
type Command interface {
	who() PlayerID // whose it is; 0: nobody's
}

// A deed is a command that is done at once.
type deed interface {
	Command
	do(w *World, now time.Time)
}

type (
	// Enter lets a player in. [Entered] or [EnterRefused] follows.
	Enter struct{ Player Player }

	// Leave takes a player out. [Left] follows, also when it is not inside; not before what is being made durable for the player has been settled.
	Leave struct{ ID PlayerID }

	// Teleport puts a player somewhere. [Teleported] follows, unless it is not inside or the place is not in the world.
	Teleport struct {
		ID PlayerID
		To coords.Position
	}

	// TeleportBeside puts a player where another one is at that moment. [Teleported] follows, unless one of them is not inside.
	TeleportBeside struct{ ID, Beside PlayerID }
)

// move is where a player's own client says that it is.
type move struct {
	id PlayerID
	to coords.Position
}

func (c Enter) who() PlayerID { return c.Player.ID }

func (c Enter) do(w *World, now time.Time) {
	p, err := w.enter(c.Player, now)
	if err != nil {
		w.tell(EnterRefused{c.Player.ID, err})
		return
	}
	w.tell(Entered{p.ID, len(w.all[players])})
	w.updateInterest(&p.entity, now)
}

func (c Leave) who() PlayerID { return c.ID }

func (c Leave) do(w *World, now time.Time) {
	p := w.player(c.ID)
	if p == nil {
		p = w.failed[c.ID]
	}
	if p == nil {
		w.tell(Left{Player: Player{ID: c.ID}})
		return
	}
	if !p.leaving {
		p.leaving, p.waiting = true, nil
		w.whenFree(p, (*World).finishLeave, now)
	}
}

// finishLeave takes a player out who is free to leave.
func (w *World) finishLeave(p *player, now time.Time) {
	w.leave(p)
	w.tell(Left{p.Player, true, now.Sub(p.Entered)})
}

func (m move) do(w *World, now time.Time) {
	p := w.player(m.id)
	if p == nil {
		return
	}
	p.heard = true
	if m.to == p.Position {
		p.acceptedAt = now
		return
	}
	distance := p.Position.Distance(m.to)
	if now.Before(p.settleBy) {
		if distance > settleDistance {
			return // sent before the client knew of the teleport
		}
		p.settleBy = time.Time{}
	}
	if err := m.to.Check(); err != nil {
		w.tell(MoveRefused{m.id, m.to, err})
		return
	}
	elapsed := now.Sub(p.acceptedAt).Seconds()
	if reach := w.options.MaxSpeed*elapsed + w.options.Slack; distance > reach {
		w.tell(MoveRefused{m.id, m.to, fmt.Errorf("%.0f m in %.1f s, at most %.0f m are plausible", distance, elapsed, reach)})
		return
	}
	w.place(p, m.to, now)
	w.markMoved(&p.entity)
}

func (c TeleportBeside) who() PlayerID { return c.ID }

func (c TeleportBeside) do(w *World, now time.Time) {
	if other := w.player(c.Beside); other != nil {
		Teleport{c.ID, other.Position}.do(w, now)
	}
}

func (c Teleport) who() PlayerID { return c.ID }

func (c Teleport) do(w *World, now time.Time) {
	if p := w.player(c.ID); p != nil && c.To.Check() == nil {
		w.teleport(p, c.To, now)
	}
}
