package session

import (
	"context"
	"slices"
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

// TurnLoops drives the timers of all loops, for as long as there are sessions. Its turns lie half a period beside the
// ticks of a world that begins in the same moment: else both would have to be done at once.
func (s *Manager) TurnLoops(ctx context.Context) {
	next := time.Now().Add(WheelPeriod / 2)
	t := time.NewTimer(WheelPeriod / 2)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		if !s.Turn(time.Now()) {
			select {
			case <-ctx.Done():
				return
			case <-s.visited:
			}
		}
		next = next.Add((time.Since(next)/WheelPeriod + 1) * WheelPeriod)
		t.Reset(time.Until(next))
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
	l.turning = true
	for range min(max(1, int(step/WheelPeriod)), int(maxStep/WheelPeriod)) {
		l.slot = (l.slot + 1) % wheelSlots
		l.run(l.slot)
	}
	l.turning = false
	if l.now-l.swept >= time.Second {
		l.swept = l.now
		var late []*Session
		for s := range l.sessions {
			if s.late() {
				late = append(late, s)
			}
			s.tellDebt()
		}
		slices.SortFunc(late, byIndex)
		for _, s := range late {
			s.End(stateTable[s.state].late, "")
		}
	}
	l.flush()
	l.empty.Store(len(l.sessions) == 0 && l.timers == 0)
}
