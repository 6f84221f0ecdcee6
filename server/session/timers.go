package session

import (
	"context"
	"time"
)

// Turn has the timers of all loops turned to a time.
func (s *Manager) Turn(now time.Time) {
	for _, l := range s.allLoops() {
		if l.posted.CompareAndSwap(false, true) {
			if err := l.at.Execute(func() {
				l.posted.Store(false)
				l.turn(now)
			}); err != nil {
				l.posted.Store(false)
			}
		}
	}
}

// TurnLoops drives the timers of all loops.
func (s *Manager) TurnLoops(ctx context.Context) {
	t := time.NewTicker(WheelPeriod)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		s.Turn(time.Now())
	}
}

// turn lets time go by: it runs the timers that are due and, once a second, ends the sessions that have been in
// their state for too long.
func (l *loop) turn(real time.Time) {
	step := real.Sub(l.lastReal)
	l.lastReal = real
	l.now += min(max(step, 0), maxStep)

	// A delayed turn catches up with the slots that it missed, so that timers keep their distances.
	for range min(max(1, int(step/WheelPeriod)), int(maxStep/WheelPeriod)) {
		l.slot = (l.slot + 1) % wheelSlots
		l.run(l.slot)
	}
	if l.now-l.swept >= time.Second {
		l.swept = l.now
		for s := range l.sessions {
			s.checkTimeout()
			s.tellDebt()
		}
	}
	l.flush()
}
