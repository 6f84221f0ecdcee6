package game

import (
	"context"
	"time"

	"sphereserver/server/ops"
)

// restartNotice is how long before a daily restart it is planned, and players are told for the first time.
const restartNotice = 10 * time.Minute

// restartLook is how often the clock is looked at: it may be set, and so may be the time of the restart.
const restartLook = 10 * time.Second

// ChangeRestart makes the server plan a restart each day so long after midnight of the machine's zone; negative for
// none.
func (s *Server) ChangeRestart(at time.Duration) { s.restartAt.Store(int64(at)) }

// planRestarts plans the daily restart, until ctx ends. A stop that is planned already stays, and a restart that was
// taken back is not planned again on that day.
func (s *Server) planRestarts(ctx context.Context) {
	t := time.NewTicker(restartLook)
	defer t.Stop()
	var planned time.Time
	for {
		if at := time.Duration(s.restartAt.Load()); at >= 0 {
			now := time.Now()
			next := nextRestart(now, at)
			if next.Sub(now) <= restartNotice && !next.Equal(planned) &&
				s.plan.CompareAndSwap(nil, &ops.PlannedStop{At: next, Restart: true}) {
				planned = next
				s.options.Log.Info("a restart is planned", "when", next)
				s.planMoved()
			}
		}
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
	}
}

// nextRestart is the next time that is so long after a midnight.
func nextRestart(now time.Time, at time.Duration) time.Time {
	for day := now.Day(); ; day++ {
		next := time.Date(now.Year(), now.Month(), day, int(at/time.Hour), int(at%time.Hour/time.Minute), 0, 0,
			now.Location())
		if next.After(now) {
			return next
		}
	}
}
