package world

import (
	"math"
	"time"

	"sphereserver/coords"
)

const (
	// walkTicks is how many ticks there are from one report of where players have gone to the next. All are told in the same tick, so
	// that each client is written to ten times a second, however many move around it.
	walkTicks = 2
	// walkStep is how far a player moves along an axis, in metres, before others are told.
	walkStep = 0.01
)

// A walk is what others were told last of where a player is.
type walk struct {
	walking bool // in World.walkers
	told    coords.Position
}

// attend sees to it that a player looks around, and is seen where it is.
func (w *World) attend(p *player) {
	if !p.walking {
		p.walking = true
		w.walkers = append(w.walkers, p)
	}
}

// walk lets all who have moved look around, and then tells those who see them. Who is not done with that stays for the next tick.
func (w *World) walk(now time.Time) {
	for _, p := range w.walkers {
		if !p.gone && w.lookIsDue(p, now) {
			w.look(p, now)
		}
	}
	stay := w.walkers[:0]
	for _, p := range w.walkers {
		switch {
		case p.gone:
		case w.tellWalk(p) || p.missed || moved(&p.lookedFrom, &p.Position):
			stay = append(stay, p)
		default:
			p.walking = false
		}
	}
	clear(w.walkers[len(stay):])
	w.walkers = stay
}

func (w *World) lookIsDue(p *player, now time.Time) bool {
	since := now.Sub(p.lookedAt)
	switch {
	case p.missed && since >= crowdPeriod && len(p.near) < w.options.ViewLimit:
		return true
	case !moved(&p.lookedFrom, &p.Position):
		return false
	}
	return since >= lookPeriod || apart(&p.lookedFrom, &p.Position) >= lookDistance*lookDistance
}

// tellWalk tells where a player has gone if that is news, and says whether there is some that has to wait.
func (w *World) tellWalk(p *player) (waits bool) {
	switch {
	case !isNews(&p.told, &p.Position):
		return false
	case w.tick%walkTicks != 0:
		return true
	}
	p.told = p.Position
	if to := w.lastWitnesses(p); len(to) > 0 {
		w.tell(w.walked.put(Moved{p.ID, p.Position, to}))
	}
	return false
}

// moved says whether two positions are different places.
func moved(a, b *coords.Position) bool { return a.X != b.X || a.Y != b.Y || a.Z != b.Z }

// isNews says whether the difference of two positions is worth to be told.
func isNews(a, b *coords.Position) bool {
	far := func(a, b float32) bool { return math.Abs(float64(a)-float64(b)) > walkStep }
	return far(a.X, b.X) || far(a.Y, b.Y) || far(a.Z, b.Z) ||
		a.Yaw != b.Yaw && coords.EncodeAngle8(a.Yaw) != coords.EncodeAngle8(b.Yaw)
}
