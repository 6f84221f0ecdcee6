package game

import (
	"context"
	"time"

	"sphereserver/server/ops"
	"sphereserver/server/session"
)

// stopMarks are how long before a planned stop players are told of it, besides at once.
var stopMarks = []time.Duration{time.Hour, 30 * time.Minute, 10 * time.Minute, 5 * time.Minute, time.Minute,
	10 * time.Second}

// lastCall is how long before a planned stop no player gets in any more.
const lastCall = time.Minute

var (
	stopsText    = text("Сервер остановится через %s. %s", "The server stops in %s. %s")
	restartsText = text("Сервер перезапустится через %s. %s", "The server restarts in %s. %s")
	staysText    = text("Сервер всё же не останавливается.", "The server does not stop after all.")
)

// PlanStop implements [ops.Runtime]. A stop that is due is planned no more: to call it off then is refused.
func (s *Server) PlanStop(p *ops.PlannedStop) (before *ops.PlannedStop) {
	s.planTurn.Lock()
	select {
	case <-s.stopDue:
	default:
		before = s.plan.Swap(p)
	}
	s.planTurn.Unlock()
	s.planMoved()
	return before
}

// planMoved has the countdown look at the plan.
func (s *Server) planMoved() {
	select {
	case s.planChanged <- struct{}{}:
	default:
	}
}

// PlannedStop is the stop that an operator has planned, nil for none.
func (s *Server) PlannedStop() *ops.PlannedStop { return s.plan.Load() }

// StopDue is closed when the time of a planned stop has come: the program that runs the server is to call
// [Server.Stop].
func (s *Server) StopDue() <-chan struct{} { return s.stopDue }

// countDown tells players of planned stops, closes the door before them and says when they are due, until ctx ends.
func (s *Server) countDown(ctx context.Context) {
	for told := s.plan.Load(); ; {
		var due <-chan time.Time
		if told != nil {
			left := time.Until(told.At)
			due = time.After(left - nextMark(left))
		}
		select {
		case <-s.planChanged:
		case <-due:
		case <-ctx.Done():
			return
		}
		plan := s.plan.Load()
		switch {
		case plan == nil && told != nil:
			s.ChangeEnding(false)
			s.tellAll(staysText)
		case plan != nil && !plan.At.After(time.Now()):
			s.ChangeEnding(true)
			if plan != told && plan.Reason != "" { // at once, of which nobody was told
				s.tellAll(text("%s", "%s"), plan.Reason)
			}
			if s.comesDue(plan) {
				return
			}
			told = plan // which was called off, or put off, at the last moment
			continue
		case plan != nil:
			left := time.Until(plan.At)
			s.ChangeEnding(left <= lastCall)
			says := stopsText
			if plan.Restart {
				says = restartsText
			}
			s.tellAll(says, ops.Span(left), plan.Reason)
		}
		told = plan
	}
}

// comesDue makes a stop due if it still is the planned one.
func (s *Server) comesDue(plan *ops.PlannedStop) bool {
	s.planTurn.Lock()
	defer s.planTurn.Unlock()
	if s.plan.Load() != plan {
		return false
	}
	close(s.stopDue)
	return true
}

// nextMark is the next of stopMarks that is still to come, 0 for the stop itself.
func nextMark(left time.Duration) time.Duration {
	for _, mark := range stopMarks {
		if mark < left {
			return mark
		}
	}
	return 0
}

// tellAll tells all players in the world something, each in its language.
func (s *Server) tellAll(t ops.Text, args ...any) {
	s.Each(func(of *session.Session) {
		if p, ok := of.Player().(*player); ok && p.InWorld() {
			p.Tell(t, args...)
		}
	})
}
