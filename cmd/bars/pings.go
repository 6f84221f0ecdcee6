package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// mostSessions is how many accounts the measurements of sessions need.
func (s sizes) mostSessions() int {
	return max(s.sessions, s.manySessions, s.pacedSessions, s.idleSessions, s.characters, s.walkers, s.manyWalkers)
}

// measureAnswers is P1: how many pings a second are answered when every client waits for its answer.
func measureAnswers(ctx context.Context, b *bench) ([]*row, error) {
	r := &row{Unit: perSecond, Bar: ratioAtLeast(0.80), Great: ratioAtLeast(0.92)}
	return b.answers(ctx, r, b.sizes.sessions)
}

// measureManyAnswers is P2: P1 with as many sessions as ship.
func measureManyAnswers(ctx context.Context, b *bench) ([]*row, error) {
	r := &row{Unit: perSecond, Bar: ratioAtLeast(0.75), Great: ratioAtLeast(0.90)}
	return b.answers(ctx, r, b.sizes.manySessions)
}

func (b *bench) answers(ctx context.Context, r *row, sessions int) ([]*row, error) {
	sessions = fittingSessions(sessions)
	r.Number, r.What = b.now, fmt.Sprintf("ping answers, %s sessions in the world", thousands(int64(sessions)))
	var costs, bareCosts []float64
	measure := func(gather func(context.Context, int) (*crowd, error), profile string, costs *[]float64) func() (float64, error) {
		return func() (v float64, err error) {
			s, err := b.stretch(ctx, gather, sessions, profile, (*load).closedLoop)
			*costs = append(*costs, s.cost())
			return s.rate(), err
		}
	}
	if err := b.takeTurns(r, measure(b.gameCrowd, b.profile(), &costs), measure(b.echoCrowd, "", &bareCosts)); err != nil {
		return nil, err
	}
	r.note("one ping of each client under way at all times, alternating between two places; clients on the same processors. "+
		"Server's processor time for each answer: ours %s, reference %s", seconds.figure(median(costs)), seconds.figure(median(bareCosts)))
	return []*row{r}, nil
}

// stretch gathers a crowd, lets it begin, and counts what follows once it has settled. It writes a profile if it is given
// a file.
func (b *bench) stretch(ctx context.Context, gather func(context.Context, int) (*crowd, error), clients int, profile string,
	begin func(*load)) (s stretch, err error) {
	c, err := gather(ctx, clients)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	begin(c.load)
	if err := sleep(ctx, b.sizes.warm); err != nil {
		return s, err
	}
	err = c.server.profile(profile, func() error {
		s, err = c.watch(ctx, b.sizes.window)
		return err
	})
	if err == nil && s.answers == 0 {
		err = errors.New("no ping was answered")
	}
	return s, err
}

// measureAnswerCost is P3: the server's processor time for each ping at a rate that both can take.
func measureAnswerCost(ctx context.Context, b *bench) ([]*row, error) {
	sessions := fittingSessions(b.sizes.pacedSessions)
	rate := float64(b.sizes.pacedRate)
	r := &row{Number: b.now, Unit: seconds, Bar: ratioAtMost(1.35), Great: ratioAtMost(1.15),
		What: fmt.Sprintf("processor time for a ping, %s/s from %s sessions", thousands(int64(rate)), thousands(int64(sessions)))}
	measure := func(gather func(context.Context, int) (*crowd, error), profile string) func() (float64, error) {
		return func() (float64, error) {
			s, err := b.stretch(ctx, gather, sessions, profile, func(l *load) { l.openLoop(rate) })
			if err != nil {
				return 0, err
			}
			if s.rate() < 0.95*rate {
				r.note("one run sent %d and answered %d pings in %v: the machine was too busy for a figure to be judged by",
					s.sent, s.answers, s.lasted.Round(time.Millisecond))
			}
			return s.cost(), nil
		}
	}
	if err := b.takeTurns(r, measure(b.gameCrowd, b.profile()), measure(b.echoCrowd, "")); err != nil {
		return nil, err
	}
	quiet, err := b.idleCost(ctx, sessions)
	if err != nil {
		return nil, err
	}
	r.note("open loop, evenly spread. Ours includes what the server sends by itself and does besides: "+
		"without pings the same sessions take %.2f %% of a processor", 100*quiet)
	return []*row{r}, nil
}

// idleCost is how much of a processor a server takes whose clients are silent.
func (b *bench) idleCost(ctx context.Context, sessions int) (share float64, err error) {
	c, err := b.gameCrowd(ctx, sessions)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	if err := sleep(ctx, b.sizes.warm); err != nil {
		return 0, err
	}
	s, err := c.watch(ctx, b.sizes.window)
	return s.processor.Seconds() / max(s.lasted.Seconds(), 1e-9), err
}
