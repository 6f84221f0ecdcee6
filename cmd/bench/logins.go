package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sphereserver/data"
	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/world"
)

// measureLogins is P12: how long it takes to let in all players that come at once, beside the time that checking
// their passwords takes at the least; and whether the world's clock feels it.
func measureLogins(ctx context.Context, b *bench) error {
	n := fittingSessions(b.sizes.logins)
	dir, err := b.prepared(ctx, apart, n, data.DefaultHashParams)
	if err != nil {
		return err
	}
	pool := game.DefaultOptions().Limits.HashWorkers
	var all storm
	var worst, quietWorst, each []float64
	r, err := b.measure(fmt.Sprintf("%s logins at once, %d passwords at a time", thousands(n), pool),
		seconds, ratioAtMost(1.3), ratioAtMost(1.3),
		func() (float64, error) {
			s, err := b.loginStorm(ctx, dir, n)
			worst, quietWorst = append(worst, s.worst.Seconds()), append(quietWorst, s.quietWorst.Seconds())
			all.slow, all.ticks = all.slow+s.slow, all.ticks+s.ticks
			return s.took.Seconds(), err
		}, func() (float64, error) {
			v, err := passwordTime(ctx, pool, b.sizes.window)
			each = append(each, v)
			return v * float64(n) / float64(pool), err
		})
	r.Also = &condition{What: "no slow tick", Holds: all.slow == 0}
	r.note("one password takes %s. Longest tick of the world: %s during the logins, %s before; %d of %d ticks took "+
		"longer than their period of %v", seconds.middle(each), seconds.middle(worst), seconds.middle(quietWorst),
		all.slow, all.ticks, world.TickPeriod)
	return err
}

// A storm has the figures of many logins at once.
type storm struct {
	took        time.Duration
	ticks, slow uint64        // of the world, meanwhile
	worst       time.Duration // tick, of all until the end
	quietWorst  time.Duration // tick, of those before
}

// loginStorm connects the clients, makes all of them log in at one moment, and waits until the last one is in.
func (b *bench) loginStorm(ctx context.Context, dir string, n int) (l storm, err error) {
	server, err := startChild(ctx, "serve-game", gameSettings{Dir: dir, Connections: n})
	if err != nil {
		return l, err
	}
	players := make([]*bot.Client, n)
	defer func() {
		for _, p := range players {
			if p != nil {
				p.Abort()
			}
		}
		err = errors.Join(err, server.stop())
	}()
	err = inParallel(ctx, n, enterAtOnce, func(ctx context.Context, i int) (err error) {
		players[i], err = bot.Dial(ctx, server.addr, bot.Options{})
		return err
	})
	if err != nil {
		return l, err
	}
	if err := sleep(ctx, b.sizes.warm); err != nil {
		return l, err
	}
	before, err := server.ask("status")
	if err != nil {
		return l, err
	}
	err = server.profile(b.profile(), func() error {
		began := time.Now()
		err := inParallel(ctx, n, n, func(ctx context.Context, i int) error {
			_, err := players[i].Login(ctx, accountName(i), password)
			return err
		})
		l.took = time.Since(began)
		return err
	})
	if err != nil {
		return l, err
	}
	after, err := server.ask("status")
	if err != nil {
		return l, err
	}
	if in := after.Counters["logins"] - before.Counters["logins"]; in != uint64(n) {
		return l, fmt.Errorf("the server has counted %d logins, expected %d", in, n)
	}
	l.ticks = after.Counters["ticks"] - before.Counters["ticks"]
	l.slow = after.Counters["ticks_slow"] - before.Counters["ticks_slow"]
	l.worst, l.quietWorst = after.Ticks.Max, before.Ticks.Max
	return l, nil
}

// passwordTime is how long it takes to check one password, in seconds, when as many are checked at a time as the server
// would.
func passwordTime(ctx context.Context, pool int, atLeast time.Duration) (float64, error) {
	hash, err := data.HashPassword(password, data.DefaultHashParams)
	if err != nil {
		return 0, err
	}
	const round = 8
	checked := 0
	began := time.Now()
	for time.Since(began) < atLeast {
		err := inParallel(ctx, round*pool, pool, func(context.Context, int) error {
			ok, _, err := data.VerifyPassword(hash, password)
			if err == nil && !ok {
				err = errors.New("the password is not the one of its hash")
			}
			return err
		})
		if err != nil {
			return 0, err
		}
		checked += round * pool
	}
	return time.Since(began).Seconds() * float64(pool) / float64(checked), nil
}
