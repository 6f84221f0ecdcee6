package chat

import (
	"time"

	"sphereserver/server/ops"
	"sphereserver/server/view"
	"sphereserver/world"
)

const (
	unstuckPause = time.Minute // from one to the next
	unstuckReach = 2           // metres that a player that stands still may move
)

// unstuck takes the player to the nearest city after a while, unless it moves or takes something into its hand; in an
// instance first to its start.
//
// Source: protocol life 3.1.
func (c *commandContext) unstuck() (string, error) {
	c.from.Speaker.Call(c.from.beginUnstuck)
	return "", nil
}

func (p *Participant) beginUnstuck() {
	if p.unstuck == nil {
		p.unstuck = new(unstuck)
	}
	u, now := p.unstuck, p.Speaker.Now()
	if p.Speaker.Dead() {
		p.Tell(unstuckDeadText)
		return
	}
	if p.Armed {
		p.TellOwn(view.TextEmptyHand, unstuckHandText)
		return
	}
	if u.next > now {
		p.TellOwn(view.TextEvacuateLater, unstuckPauseText)
		return
	}
	delay := p.service.Unstuck
	u.number++
	u.from, u.due, u.next = p.Speaker.Here(), now+delay, now+unstuckPause
	p.TellOwnNumber(view.TextEvacuates, unstuckText, int((delay+time.Second-1)/time.Second))
	p.watchUnstuck(u.number)
}

// watchUnstuck looks each second whether the player stands still with an empty hand.
func (p *Participant) watchUnstuck(number int) {
	u, s := p.unstuck, p.Speaker
	if u.number != number || !s.InWorld() {
		return
	}
	if s.Here().Distance(u.from) > unstuckReach {
		p.TellOwn(view.TextStaysHere, unstuckMovedText)
		return
	}
	if p.Armed {
		p.TellOwn(view.TextStaysHere, unstuckArmedText)
		return
	}
	if left := u.due - s.Now(); left > 0 {
		s.After(min(left, time.Second), func() { p.watchUnstuck(number) })
		return
	}
	// Here is the place that the client has named, believed or not; the world's is a second old at most.
	v, inside := p.service.Host.Present(s.Account(), s.Character().ID)
	if !inside || s.Dead() || v.Position.Distance(u.from) > unstuckReach {
		p.TellOwn(view.TextStaysHere, unstuckMovedText)
		return
	}
	to := ops.UnstuckPlace(u.from, p.service.Host.Start())
	p.service.Host.Command(world.Unstick{ID: p.id(), To: to})
	s.Log().Info("unstuck", "login", s.Login(), "character", s.Character().Name, "from", u.from, "to", to)
}

var (
	unstuckDeadText = text("Мёртвые этого не могут: вы скоро оживёте сами.",
		"The dead cannot do that: you will live again soon.")
	unstuckText = text(
		"Через %d с вы окажетесь в ближайшем городе. Не двигайтесь и не берите ничего в руку.",
		"In %d s you will be in the nearest city. Do not move, and keep your hand empty.")
	unstuckMovedText = text("Вы сдвинулись с места: перенос отменён.", "You have moved, so you stay here.")
	unstuckHandText  = text("Для этого нужны пустые руки: уберите оружие.",
		"That takes an empty hand: put your weapon away.")
	unstuckArmedText = text("Вы взяли что-то в руку: перенос отменён.",
		"You have taken something into your hand, so you stay here.")
	unstuckPauseText = text("Снова так можно не чаще раза в минуту.", "You can do that once a minute only.")
)
