package space

import (
	"math"

	"sphereserver/coords"
)

const (
	// motionTicks is how many ticks there are from one report of where bodies have gone to the next. All are told in
	// the same tick, so that each client is told ten times a second, however many move around it.
	motionTicks = 2
	// A body with more than crowded viewers is told of in one of crowdedReports, and with more than throng in one of
	// throngReports, 0.8 s: among hundreds of players, that is most of a server's work. Each body has its own of them, so
	// that no tick does all of it. The original told of movements every 2 to 3 steps of the wire's clock, 0.7 to 1 s.
	// Source: protocol ingame 9.5.
	crowded, crowdedReports = 64, 4
	throng, throngReports   = 128, 8
	// mostReports is in how few reports a body is told of while loops are behind: 3.2 s.
	mostReports = 32
	// motionStep is how far a body moves along an axis, in metres, before others are told.
	motionStep = 0.01
)

// Due iterates over the moved bodies for which [Space.Look] is due.
func (s *Space[E]) Due() func(yield func(*Body[E]) bool) {
	return func(yield func(*Body[E]) bool) {
		for _, b := range s.movers {
			if b.cell != nil && s.isDue(b) && !yield(b) {
				return
			}
		}
	}
}

func (s *Space[E]) isDue(b *Body[E]) bool {
	since := s.now - b.lookedAt
	switch {
	case b.truncated && since >= truncatedPeriod && len(b.viewers) < s.options.ViewLimit:
		return true
	case b.short && since > 0 && (since >= truncatedPeriod || s.takesMore(b)):
		return true
	case b.lookedFrom == spotOf(&b.At):
		return false
	}
	from := coords.Position{X: b.lookedFrom.x, Y: b.lookedFrom.y, Z: b.lookedFrom.z}
	return since >= lookPeriod || DistSq(&from, &b.At) >= lookDistance*lookDistance
}

// TellMotion tells viewers where all moved bodies are. Those that are not done with stay for the next tick.
func (s *Space[E]) TellMotion() {
	if s.reportsNow() {
		s.feelStrain()
	}
	stay := s.movers[:0]
	for _, b := range s.movers {
		switch {
		case b.cell == nil:
		case s.tellMoved(b) || b.truncated || b.short || b.lookedFrom != spotOf(&b.At):
			stay = append(stay, b)
		default:
			b.moving = false
		}
	}
	clear(s.movers[len(stay):])
	s.movers = stay
}

// Told notes that the viewers of a body know where it is.
func (s *Space[E]) Told(b *Body[E]) { b.lastSent = b.At }

// reportsNow reports whether motion is told in this tick.
func (s *Space[E]) reportsNow() bool { return s.tick%motionTicks == 0 }

// tellMoved tells where a body has gone if the distance is noticeable, and reports whether that has to wait.
func (s *Space[E]) tellMoved(b *Body[E]) (waits bool) {
	switch {
	case !noticeable(&b.lastSent, &b.At):
		return false
	case !s.reportsNow() || (s.tick/motionTicks+uint32(b.Number))%s.reports(b) != 0:
		return true
	}
	s.Told(b)
	s.observer.Moved(b.Of)
	return false
}

// reports is in one of how many reports a body is told of.
func (s *Space[E]) reports(b *Body[E]) uint32 {
	n := uint32(1)
	switch seen := len(b.viewers); {
	case seen > throng:
		n = throngReports
	case seen > crowded:
		n = crowdedReports
	}
	return min(n<<s.strain, mostReports)
}

// mostStrain is how often the time between reports is doubled at most.
const mostStrain = 5

// feelStrain notes whether the clients' loops keep up with the events: if not, fewer are told from now on.
func (s *Space[E]) feelStrain() {
	if s.options.Behind == nil {
		return
	}
	switch behind := s.options.Behind(); {
	case behind > 1:
		s.strain = min(s.strain+1, mostStrain)
	case behind == 0 && s.strain > 0:
		s.strain--
	}
}

// noticeable reports whether the difference of two positions is worth to be told.
func noticeable(a, b *coords.Position) bool {
	far := func(a, b float32) bool { return math.Abs(float64(a)-float64(b)) > motionStep }
	return far(a.X, b.X) || far(a.Y, b.Y) || far(a.Z, b.Z) ||
		a.Yaw != b.Yaw && coords.EncodeAngle8(a.Yaw) != coords.EncodeAngle8(b.Yaw)
}
