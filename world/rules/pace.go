package rules

import (
	"fmt"
	"math"
	"time"

	"sphereserver/coords"
)

// A Pace is how fast a player can go of its own, and how much of that may come at once, since the network holds
// positions back and then brings them together. Falling is not limited: where it leads is a matter of areas.
type Pace struct {
	Speed float64 // along the ground, metres per second; infinite for no limit
	Slack float64 // metres along the ground at once
	Hop   float64 // metres of one step beyond what the time since the last one gives; 0: no other limit than Slack
}

// climb is the part of a pace that leads up: stairs and hillsides are not steeper.
const climb = 0.5

// A Stride is the spent part of a pace: all positions share the metres that the time allows. A player that is put
// somewhere has spent it all, except the metres that it may go until its client hears of that.
type Stride struct {
	along, up float64 // metres
	at        int64   // Unix time in nanoseconds: there is one of each player
}

// Spent is the stride of a player that is put somewhere, when its client may have gone so many metres from there
// before it hears of that.
func (p Pace) Spent(now time.Time, but float64) Stride {
	along := max(0, p.Slack-but)
	return Stride{along: along, up: climb * along, at: now.UnixNano()}
}

// Step takes the metres of a step from those that the time has given; when they are not enough, nothing is taken.
func (p Pace) Step(s *Stride, from, to coords.Position, now time.Time) error {
	if math.IsInf(p.Speed, 1) {
		return nil
	}
	got := p.Speed * max(0, time.Duration(now.UnixNano()-s.at).Seconds())
	s.along, s.up, s.at = max(0, s.along-got), max(0, s.up-climb*got), now.UnixNano()
	along := math.Hypot(float64(to.X)-float64(from.X), float64(to.Z)-float64(from.Z))
	up := max(0, float64(to.Y)-float64(from.Y))
	switch {
	case p.Hop > 0 && along > p.Hop+got:
		return fmt.Errorf("%.0f m in a step, at most %.0f m are plausible in a fight", along, p.Hop+got)
	case s.along+along > p.Slack:
		return fmt.Errorf("%.0f m, at most %.0f m are plausible by now", along, p.Slack-s.along)
	case s.up+up > climb*p.Slack:
		return fmt.Errorf("%.0f m up, at most %.0f m are plausible by now", up, climb*p.Slack-s.up)
	}
	s.along, s.up = s.along+along, s.up+up
	return nil
}
