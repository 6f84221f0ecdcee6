package chat

import (
	"time"

	"sphereserver/server/ops"
	"sphereserver/world"
)

const (
	unstuckPause = time.Minute // from one to the next
	unstuckReach = 2           // metres that somebody who stands still may move
)

// unstuck takes the player to the nearest city after a while, unless it moves.
func (c *commandContext) unstuck() (string, error) {
	c.from.Speaker.Call(c.from.beginUnstuck)
	return "", nil
}

func (p *Participant) beginUnstuck() {
	u, now := &p.unstuck, p.Speaker.Now()
	if u.next > now {
		p.Tell(unstuckPauseText, int((u.next-now+time.Second-1)/time.Second))
		return
	}
	delay := p.service.Unstuck
	u.number++
	u.from, u.due, u.next = p.Speaker.Here(), now+delay, now+unstuckPause
	p.Tell(unstuckText, int((delay+time.Second-1)/time.Second))
	p.watchUnstuck(u.number)
}

// watchUnstuck looks each second whether the player stands still.
func (p *Participant) watchUnstuck(number int) {
	u, s := &p.unstuck, p.Speaker
	if u.number != number || !s.InWorld() {
		return
	}
	if s.Here().Distance(u.from) > unstuckReach {
		p.Tell(unstuckMovedText)
		return
	}
	if left := u.due - s.Now(); left > 0 {
		s.After(min(left, time.Second), func() { p.watchUnstuck(number) })
		return
	}
	to := ops.Refuge(u.from, p.service.Host.Start())
	p.service.Host.Command(world.Teleport{ID: p.id(), To: to})
	s.Log().Info("unstuck", "login", s.Login(), "character", s.Character().Name, "from", u.from, "to", to)
}

var (
	unstuckText = text(
		"Через %d с вы окажетесь в ближайшем городе. Не двигайтесь.",
		"In %d s you will be in the nearest city. Do not move.")
	unstuckMovedText = text("Вы сдвинулись с места: перенос отменён.",
		"You have moved, so you stay here.")
	unstuckPauseText = text("Снова можно будет через %d с.", "You can do that again in %d s.")
)
