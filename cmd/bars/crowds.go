package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// walkingCrowd starts a game server and brings clients into its world, in groups who see each other.
func (b *bench) walkingCrowd(ctx context.Context, clients, saves int) (*crowd, error) {
	return b.gameCrowdOn(ctx, together, clients, gameSettings{Connections: clients, Hashes: 4, WarmStore: true, Saves: saves})
}

// measureUpdates is P4: what it costs the server to tell a client where somebody has gone, when everybody walks and is seen by
// many, beside a loop that writes as many bytes to as many sockets as often. What the pings cost by which clients say
// that they walk is taken off: it is measured before, with clients who say as often that they stand where they stood.
func measureUpdates(ctx context.Context, b *bench) ([]*row, error) {
	walkers := fittingSessions(b.sizes.walkers)
	r := &row{Number: b.now, Unit: seconds, Bar: ratioAtMost(2.0), Great: ratioAtMost(1.4),
		What: fmt.Sprintf("processor time for an update, %s players, %d in sight, %d Hz", thousands(int64(walkers)), groupSize-1, b.sizes.walkRate)}
	var sent, bareSent []float64
	err := b.takeTurns(r, func() (float64, error) { return b.updateCost(ctx, walkers, &sent) },
		func() (float64, error) { return b.bareUpdateCost(ctx, walkers, &bareSent) })
	if err != nil {
		return nil, err
	}
	r.note("updates delivered a second: ours %s, reference %s. Ours without the pings of the same clients standing still",
		perSecond.figure(median(sent)), perSecond.figure(median(bareSent)))
	return []*row{r}, nil
}

// updateCost is our server's processor time for each update.
func (b *bench) updateCost(ctx context.Context, walkers int, sent *[]float64) (cost float64, err error) {
	c, err := b.walkingCrowd(ctx, walkers, 0)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	rate := float64(walkers * b.sizes.walkRate)
	c.load.stand(rate)
	standing, err := b.settled(ctx, c, "")
	if err != nil {
		return 0, err
	}
	c.load.openLoop(rate)
	walking, err := b.settled(ctx, c, b.profile())
	if err != nil {
		return 0, err
	}
	if walking.updates == 0 {
		return 0, errors.New("nobody was told of anybody")
	}
	*sent = append(*sent, float64(walking.updates)/walking.lasted.Seconds())
	pings := standing.cost() * float64(walking.answers)
	return max(walking.processor.Seconds()-pings, 1e-12) / float64(walking.updates), nil
}

// settled counts what happens once a crowd has settled.
func (b *bench) settled(ctx context.Context, c *crowd, profile string) (s stretch, err error) {
	if err := sleep(ctx, b.sizes.warm); err != nil {
		return s, err
	}
	err = c.server.profile(profile, func() error {
		s, err = c.watch(ctx, b.sizes.window)
		return err
	})
	return s, err
}

// broadcastSettings are what the reference for movement is started with.
type broadcastSettings struct {
	Others int // whose movements each client is sent
	Rate   int // times a second
}

// bareUpdateCost is the reference's processor time for each update.
func (b *bench) bareUpdateCost(ctx context.Context, walkers int, sent *[]float64) (cost float64, err error) {
	server, err := startChild(ctx, "serve-walk", broadcastSettings{Others: groupSize - 1, Rate: b.sizes.walkRate})
	if err != nil {
		return 0, err
	}
	c, err := newCrowd(server)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	if err := c.connect(ctx, walkers); err != nil {
		return 0, err
	}
	s, err := b.settled(ctx, c, "")
	if err == nil && s.updates == 0 {
		err = errors.New("the reference sent nothing")
	}
	*sent = append(*sent, float64(s.updates)/s.lasted.Seconds())
	return s.processor.Seconds() / float64(max(s.updates, 1)), err
}

// measureTicks is P5: how long the world's tick takes at the worst, but for one in a hundred, when everybody walks.
func measureTicks(ctx context.Context, b *bench) ([]*row, error) {
	var rows []*row
	for _, c := range []struct {
		walkers, rate int
		bar, great    time.Duration
	}{
		{b.sizes.walkers, b.sizes.walkRate, 25 * time.Millisecond, 15 * time.Millisecond},
		{b.sizes.manyWalkers, b.sizes.manyWalkRate, 90 * time.Millisecond, 60 * time.Millisecond},
	} {
		walkers := fittingSessions(c.walkers)
		r := &row{Number: b.now, Unit: seconds, Bar: figureAtMost(c.bar.Seconds(), seconds), Great: figureAtMost(c.great.Seconds(), seconds),
			What: fmt.Sprintf("99th percentile of the ticks, %s walking at %d Hz, %d in sight", thousands(int64(walkers)), c.rate, groupSize-1)}
		var medians []float64
		err := b.takeTurns(r, func() (float64, error) {
			s, err := b.walk(ctx, walkers, c.rate, 0)
			medians = append(medians, s.ticks.Quantile(0.5).Seconds())
			return s.ticks.Quantile(0.99).Seconds(), err
		}, nil)
		if err != nil {
			return rows, err
		}
		r.note("half of the ticks took less than %s", seconds.figure(median(medians)))
		rows = append(rows, r)
	}
	return rows, nil
}

// walk lets a crowd walk for a while.
func (b *bench) walk(ctx context.Context, walkers, rate, saves int) (s stretch, err error) {
	c, err := b.walkingCrowd(ctx, walkers, saves)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	c.load.openLoop(float64(walkers * rate))
	if s, err = b.settled(ctx, c, ""); err == nil && s.updates == 0 {
		err = errors.New("nobody was told of anybody")
	}
	return s, err
}

// savedEachSecond is how many characters are saved beside play for P9.
const savedEachSecond = 1000

// measureTicksWhileSaving is P9: how much longer the tick takes while characters are saved.
func measureTicksWhileSaving(ctx context.Context, b *bench) ([]*row, error) {
	walkers := fittingSessions(b.sizes.walkers)
	r := &row{Number: b.now, Unit: seconds, Bar: ratioAtMost(1.3), Great: ratioAtMost(1.1),
		What: fmt.Sprintf("99th percentile of the ticks while %s characters are saved a second, beside none", thousands(savedEachSecond))}
	tick := func(saves int) func() (float64, error) {
		return func() (float64, error) {
			s, err := b.walk(ctx, walkers, b.sizes.walkRate, saves)
			return s.ticks.Quantile(0.99).Seconds(), err
		}
	}
	if err := b.takeTurns(r, tick(savedEachSecond), tick(0)); err != nil {
		return nil, err
	}
	r.note("%s players walking at %d Hz, %d in sight; times are rounded up to steps of 12 %%", thousands(int64(walkers)), b.sizes.walkRate, groupSize-1)
	return []*row{r}, nil
}
