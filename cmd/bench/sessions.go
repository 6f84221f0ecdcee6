package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// measureAnswers is P1: how many pings a second are answered when every client waits for its answer.
func measureAnswers(ctx context.Context, b *bench) error {
	return b.answers(ctx, b.sizes.sessions, ratioAtLeast(0.80), ratioAtLeast(0.92))
}

// measureManyAnswers is P2: P1 with as many sessions as ship. It is one run: most of it is that they come in.
func measureManyAnswers(ctx context.Context, b *bench) error {
	defer b.atMost(1)()
	return b.answers(ctx, b.sizes.manySessions, ratioAtLeast(0.75), ratioAtLeast(0.90))
}

func (b *bench) answers(ctx context.Context, sessions int, atLeast, great limit) error {
	sessions = fittingSessions(sessions)
	var costs, bareCosts []float64
	rate := func(gather gathering, profile string, costs *[]float64) measurement {
		return func() (float64, error) {
			s, err := b.answered(ctx, gather, sessions, pace{closed: true}, profile)
			*costs = append(*costs, s.cost())
			return s.rate(), err
		}
	}
	r, err := b.measure(fmt.Sprintf("ping answers, %s sessions in the world", thousands(sessions)), perSecond,
		atLeast, great,
		rate(b.gameCrowd(apart, 0, false), b.profile(), &costs), rate(b.bareCrowd(bareSettings{}), "", &bareCosts))
	r.note("one ping of each client under way at all times, alternating between two places; clients on the same "+
		"processors. Server's processor time for each answer: ours %s, reference %s", seconds.middle(costs),
		seconds.middle(bareCosts))
	return err
}

// answered counts the answers of a crowd, of which there must be some.
func (b *bench) answered(ctx context.Context, gather gathering, clients int, p pace, profile string) (stretch, error) {
	return gathered(ctx, gather, clients, func(c *crowd) (stretch, error) { return c.answers(ctx, p, profile) })
}

func (c *crowd) answers(ctx context.Context, p pace, profile string) (stretch, error) {
	return c.watchFor(ctx, func(s *stretch) bool { return s.answers > 0 }, p, profile)
}

// measureAnswerCost is P3: the server's processor time for each ping at a rate that both can take. In the first run it
// watches the same sessions without pings, too. It is two runs.
func measureAnswerCost(ctx context.Context, b *bench) error {
	defer b.atMost(2)()
	sessions, rate := fittingSessions(b.sizes.pacedSessions), float64(b.sizes.pacedRate)
	var busy []string
	var quiet stretch
	cost := func(gather gathering, profile string, quiet *stretch) measurement {
		return func() (float64, error) {
			s, err := gathered(ctx, gather, sessions, func(c *crowd) (s stretch, err error) {
				if quiet != nil && quiet.lasted == 0 {
					if *quiet, err = c.watch(ctx, pace{}, ""); err != nil {
						return s, err
					}
				}
				return c.answers(ctx, pace{rate: rate}, profile)
			})
			if err == nil && s.rate() < 0.95*rate {
				busy = append(busy, fmt.Sprintf("one run sent %d and answered %d pings in %v: the machine was too busy for a "+
					"figure to be judged by", s.sent, s.answers, s.lasted.Round(time.Millisecond)))
			}
			return s.cost(), err
		}
	}
	what := fmt.Sprintf("processor time for a ping, %s/s from %s sessions", thousands(b.sizes.pacedRate),
		thousands(sessions))
	r, err := b.measure(what, seconds, ratioAtMost(1.35), ratioAtMost(1.15),
		cost(b.gameCrowd(apart, 0, false), b.profile(), &quiet), cost(b.bareCrowd(bareSettings{}), "", nil))
	r.Notes = busy
	r.note("open loop, evenly spread. Ours includes what the server sends by itself and does besides: "+
		"without pings the same sessions take %.2f %% of a processor",
		100*quiet.processor.Seconds()/max(quiet.lasted.Seconds(), 1e-9))
	return err
}

// errNothing says that there was nothing to measure: no ping was answered, nobody was told of anybody.
var errNothing = errors.New("nothing happened in the crowd")

// errTooBusy says that other programs have moved a figure by more than all of it.
var errTooBusy = errors.New("the machine was too busy: clients who stood cost more than the same who walked")

// told reports whether a client was told another's place.
func told(s *stretch) bool { return s.updates > 0 }

// measureUpdates is P4: the cost to the server of telling a client where another player has gone, when everybody
// walks and is seen by many, beside a loop that writes as many bytes to as many sockets as often. The cost of the
// pings by which clients say that they walk is taken off: it is measured before, with clients that say as often that
// they stand where they stood. It is two runs, which differ little.
func measureUpdates(ctx context.Context, b *bench) error {
	defer b.atMost(2)()
	walkers, hertz := fittingSessions(b.sizes.walkers), b.sizes.walkRate
	rate := float64(walkers * hertz)
	var sent, bareSent []float64
	// perUpdate is the processor time for an update, without that for pings as they cost before and after: other work of
	// the machine may make them dearer than all that is measured between, and then it is measured once more.
	perUpdate := func(gather gathering, profile string, sent *[]float64, walk pace, standing ...pace) measurement {
		return func() (float64, error) {
			return gathered(ctx, gather, walkers, func(c *crowd) (float64, error) {
				for range 3 {
					s, cost, err := c.costOfWalking(ctx, profile, walk, standing)
					if err != nil {
						return 0, err
					}
					if cost > 0 {
						*sent = append(*sent, float64(s.updates)/s.lasted.Seconds())
						return cost / float64(s.updates), nil
					}
				}
				return 0, errTooBusy
			})
		}
	}
	what := fmt.Sprintf("processor time for an update, %s players, %d in sight, %d Hz", thousands(walkers), groupSize-1,
		hertz)
	r, err := b.measure(what, seconds, ratioAtMost(2.0), ratioAtMost(1.4),
		perUpdate(b.gameCrowd(together, 0, false), b.profile(), &sent, pace{rate: rate}, pace{rate: rate, still: true}),
		perUpdate(b.bareCrowd(bareSettings{Others: groupSize - 1, Rate: hertz}), "", &bareSent, pace{}))
	r.note("updates delivered a second: ours %s, reference %s. Ours without the pings of the same clients standing still",
		perSecond.middle(sent), perSecond.middle(bareSent))
	return err
}

// costOfWalking lets a crowd walk, with the paces of standing before and after it. cost is the processor time of the
// walk in seconds, without that of as many answers at those paces.
func (c *crowd) costOfWalking(ctx context.Context, profile string, walk pace, standing []pace) (s stretch, cost float64,
	err error) {
	var stood stretch
	stand := func() error {
		for _, p := range standing {
			s, err := c.watch(ctx, p, "")
			if err != nil {
				return err
			}
			stood.answers += s.answers
			stood.processor += s.processor
		}
		return nil
	}
	if err = stand(); err == nil {
		s, err = c.watchFor(ctx, told, walk, profile)
	}
	if err == nil {
		err = stand()
	}
	if cost = s.processor.Seconds(); len(standing) > 0 {
		cost -= stood.cost() * float64(s.answers)
	}
	return s, cost, err
}

// walk returns the ticks of a crowd that walks.
func (c *crowd) walk(ctx context.Context, walkers, rate int) (stretch, error) {
	ticked := func(s *stretch) bool { return told(s) && s.ticks.Count > 0 }
	return c.watchFor(ctx, ticked, pace{rate: float64(walkers * rate)}, "")
}

// measureTicks is P5: the 99th percentile of the world's tick times while everybody walks.
// One crowd is watched in all runs, since there is no reference to take turns with.
func measureTicks(ctx context.Context, b *bench) error {
	for _, c := range []struct {
		walkers, rate  int
		atLeast, great float64
	}{
		{b.sizes.walkers, b.sizes.walkRate, 0.025, 0.015},
		{b.sizes.manyWalkers, b.sizes.manyWalkRate, 0.090, 0.060},
	} {
		walkers := fittingSessions(c.walkers)
		var medians []float64
		what := fmt.Sprintf("99th percentile of the ticks, %s walking at %d Hz, %d in sight", thousands(walkers), c.rate,
			groupSize-1)
		r, err := gathered(ctx, b.gameCrowd(together, 0, false), walkers, func(crowd *crowd) (*row, error) {
			return b.measure(what, seconds, figureAtMost(c.atLeast, seconds), figureAtMost(c.great, seconds),
				func() (float64, error) {
					s, err := crowd.walk(ctx, walkers, c.rate)
					medians = append(medians, s.ticks.Quantile(0.5).Seconds())
					return s.ticks.Quantile(0.99).Seconds(), err
				}, nil)
		})
		if err != nil {
			return err
		}
		r.note("half of the ticks took less than %s", seconds.middle(medians))
	}
	return nil
}

// savedEachSecond is how many characters are saved beside play for P9.
const savedEachSecond = 1000

// measureTicksWhileSaving is P9: how much longer the tick takes while characters are saved. It is one crowd, beside
// which characters are saved in turns.
func measureTicksWhileSaving(ctx context.Context, b *bench) error {
	walkers := fittingSessions(b.sizes.walkers)
	what := fmt.Sprintf("99th percentile of the ticks while %s characters are saved a second, beside none",
		thousands(savedEachSecond))
	r, err := gathered(ctx, b.gameCrowd(together, 0, true), walkers, func(c *crowd) (*row, error) {
		tick := func(saves int) measurement {
			return func() (float64, error) {
				if _, err := c.server.ask(fmt.Sprint("save ", saves)); err != nil {
					return 0, err
				}
				s, err := c.walk(ctx, walkers, b.sizes.walkRate)
				return s.ticks.Quantile(0.99).Seconds(), err
			}
		}
		return b.measure(what, seconds, ratioAtMost(1.3), ratioAtMost(1.1), tick(savedEachSecond), tick(0))
	})
	if err != nil {
		return err
	}
	r.note("%s players walking at %d Hz, %d in sight; times are rounded up to steps of 3 %%",
		thousands(walkers), b.sizes.walkRate, groupSize-1)
	return nil
}

// measureMemory is P6: how much more memory a server has with many sessions in the world than with few, for each of
// them. It is one run: memory does not depend on other work of the machine.
func measureMemory(ctx context.Context, b *bench) error {
	defer b.atMost(1)()
	sessions := fittingSessions(b.sizes.idleSessions)
	few := max(1, sessions/20) // the cost of the first ones is the server's own
	var inUse, bareInUse []float64
	growth := func(gather gathering, more func(*crowd) error, profile string, inUse *[]float64) measurement {
		return func() (float64, error) {
			return gathered(ctx, gather, few, func(c *crowd) (float64, error) {
				before, err := c.footprint(ctx)
				if err != nil {
					return 0, err
				}
				if err := more(c); err != nil {
					return 0, err
				}
				after, err := c.footprint(ctx)
				if err == nil && profile != "" {
					_, err = c.server.ask("heap " + profile)
				}
				n := float64(sessions - few)
				*inUse = append(*inUse, (after.inUse-before.inUse)/n)
				return (after.resident - before.resident) / n, err
			})
		}
	}
	r, err := b.measure(fmt.Sprintf("memory for an idle session, of %s in the world", thousands(sessions)),
		memory, figureAtMost(6<<10, memory), figureAtMost(3<<10, memory),
		growth(b.gameCrowd(apart, sessions, true), func(c *crowd) error { return c.enter(ctx, few, sessions) }, b.profile(),
			&inUse),
		growth(b.bareCrowd(bareSettings{}), func(c *crowd) error { return c.connect(ctx, sessions-few) }, "", &bareInUse))
	r.note("growth of the process from %s sessions on, after a collection; each has sent some pings and is silent. "+
		"Go heap and stacks in use for each: ours %s, reference %s",
		thousands(few), memory.middle(inUse), memory.middle(bareInUse))
	return err
}

// A footprint is the memory of a server, in bytes.
type footprint struct{ resident, inUse float64 }

// footprint makes every client send some pings, and measures the server when it is quiet again.
func (c *crowd) footprint(ctx context.Context) (f footprint, err error) {
	for _, p := range []pace{{closed: true}, {}} {
		c.load.set(p)
		if err := sleep(ctx, c.bench.sizes.warm); err != nil {
			return f, err
		}
	}
	if err := c.load.err(); err != nil {
		return f, err
	}
	s, err := c.server.ask("collect")
	if err != nil {
		return f, err
	}
	resident, err := residentBytes(c.server.command.Process.Pid)
	return footprint{float64(resident), float64(s.HeapAndStacks)}, err
}
