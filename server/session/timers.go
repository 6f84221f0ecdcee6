package session

import (
	"context"
	"time"
)

// Turn has the timers of all loops turned to a time; false says that there is nobody to turn them for.
func (s *Manager) Turn(now time.Time) (turned bool) {
	for _, l := range s.allLoops() {
		if l.empty.Load() {
			continue
		}
		turned = true
		if l.posted.CompareAndSwap(false, true) {
			if err := l.at.Execute(func() {
				l.posted.Store(false)
				l.turn(now)
			}); err != nil {
				l.posted.Store(false)
			}
		}
	}
	return turned
}

// TurnLoops drives the timers of all loops, for as long as there are sessions.
func (s *Manager) TurnLoops(ctx context.Context) {
	t := time.NewTicker(WheelPeriod)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		if s.Turn(time.Now()) {
			continue
		}
		t.Stop()
		select {
		case <-ctx.Done():
			return
		case <-s.visited:
		}
		t.Reset(WheelPeriod)
	}
}

// visit has the wheel turned from now on, if it has stood still.
func (l *loop) visit() {
	if l.empty.Swap(false) {
		l.stoodStill = true
		select {
		case l.server.visited <- struct{}{}:
		default: // said already
		}
	}
}

// turn lets time go by: it runs the timers that are due and, once a second, ends the sessions that have been in
// their state for too long.
func (l *loop) turn(real time.Time) {
	step := real.Sub(l.lastReal)
	if l.stoodStill { // nobody's time has gone by meanwhile
		l.stoodStill, step = false, WheelPeriod
	}
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
	l.empty.Store(len(l.sessions) == 0 && l.timers == 0)
}
