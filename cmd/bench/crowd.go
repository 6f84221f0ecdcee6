package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"sphereserver/server/bot"
	"sphereserver/server/measure"
)

// A crowd is a server in its own process and the clients that have come into it.
type crowd struct {
	server *child
	load   *load
	bench  *bench
	ground ground // of the clients of a game server
}

// enterAtOnce is how many clients are on their way in at the same time. Each spends most of that time waiting.
const enterAtOnce = 500

// A gathering starts a server and brings clients to it.
type gathering func(ctx context.Context, clients int) (*crowd, error)

// gameCrowd brings clients into the world of a game server, with room for more than come at first. To warm the store
// takes seconds each time: that is for measurements of memory and of saving.
func (b *bench) gameCrowd(g ground, room int, warm bool) gathering {
	return func(ctx context.Context, clients int) (*crowd, error) {
		dir, err := b.prepared(ctx, g, b.sizes.accounts(g), cheapHash)
		if err != nil {
			return nil, err
		}
		set := gameSettings{Dir: dir, Connections: max(clients, room), Hashes: 4, WarmStore: warm}
		return b.crowd(ctx, "serve-game", set, g, func(c *crowd) error { return c.enter(ctx, 0, clients) })
	}
}

// bareCrowd connects clients to the reference.
func (b *bench) bareCrowd(set bareSettings) gathering {
	return func(ctx context.Context, clients int) (*crowd, error) {
		return b.crowd(ctx, "serve-bare", set, ground{}, func(c *crowd) error { return c.connect(ctx, clients) })
	}
}

func (b *bench) crowd(ctx context.Context, server string, set any, g ground, fill func(*crowd) error) (*crowd, error) {
	s, err := startChild(ctx, server, set)
	if err != nil {
		return nil, err
	}
	l, err := newLoad()
	if err != nil {
		return nil, errors.Join(err, s.stop())
	}
	c := &crowd{s, l, b, g}
	if err := fill(c); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// enter brings the clients of the accounts from first up to end into the world.
func (c *crowd) enter(ctx context.Context, first, end int) error {
	return inParallel(ctx, end-first, enterAtOnce, func(ctx context.Context, i int) error {
		i += first
		p, err := bot.Dial(ctx, c.server.addr, bot.Options{})
		if err != nil {
			return fmt.Errorf("client %d: %w", i, err)
		}
		if err := p.Appear(ctx, bot.Identity{Login: accountName(i), Password: password}); err != nil {
			p.Abort()
			return fmt.Errorf("client %d: %w", i, err)
		}
		conn, rest := p.Release()
		frames, err := pings(p.ID(), p.Key, c.ground.at(i))
		if err != nil {
			return err
		}
		return c.load.take(conn, frames, rest)
	})
}

// connect brings clients to a server that knows no game.
func (c *crowd) connect(ctx context.Context, clients int) error {
	frames, err := pings(1, 0, place())
	if err != nil {
		return err
	}
	return inParallel(ctx, clients, enterAtOnce, func(ctx context.Context, i int) error {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", c.server.addr)
		if err != nil {
			return fmt.Errorf("client %d: %w", i, err)
		}
		return c.load.take(conn, frames, nil)
	})
}

// A stretch has the counts of some time.
type stretch struct {
	loadCounts
	lasted    time.Duration
	processor time.Duration        // of the server
	ticks     measure.Distribution // of a game server
}

func (s *stretch) rate() float64 { return float64(s.answers) / s.lasted.Seconds() }

// cost is the server's processor time for each answer, in seconds.
func (s *stretch) cost() float64 { return s.processor.Seconds() / float64(max(s.answers, 1)) }

// watch makes a crowd do something, and counts once it has settled. It writes a profile if it is given a file.
func (c *crowd) watch(ctx context.Context, p pace, profile string) (s stretch, err error) {
	c.load.set(p)
	if err := sleep(ctx, c.bench.sizes.warm); err != nil {
		return s, err
	}
	return s, c.server.profile(profile, func() error {
		before, err := c.server.ask("status")
		if err != nil {
			return err
		}
		earlier, began := c.load.counts(), time.Now()
		if err := sleep(ctx, c.bench.sizes.window); err != nil {
			return err
		}
		s.lasted = time.Since(began)
		s.loadCounts = c.load.counts().since(earlier)
		after, err := c.server.ask("status")
		s.processor = after.Processor - before.Processor
		s.ticks = after.Ticks.Since(&before.Ticks)
		return errors.Join(err, c.load.err())
	})
}

// watchFor watches a crowd until it has something to count. A machine that is busy with other things may need more than
// one window for that.
func (c *crowd) watchFor(ctx context.Context, counted func(*stretch) bool, p pace, profile string) (s stretch,
	err error) {
	for range 20 {
		if s, err = c.watch(ctx, p, profile); err != nil || counted(&s) {
			return s, err
		}
	}
	return s, errNothing
}

// gathered gathers a crowd, works with it, and ends it.
func gathered[T any](ctx context.Context, gather gathering, clients int, work func(*crowd) (T, error)) (result T,
	err error) {
	c, err := gather(ctx, clients)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	return work(c)
}

// close ends the clients and the server.
func (c *crowd) close() error {
	c.load.close()
	return c.server.stop()
}

// fittingSessions is how many of the sessions wanted the limit of descriptors allows, of this process and of its
// servers.
func fittingSessions(wanted int) int {
	const others = 600 // descriptors that a server keeps free, and some
	if have := descriptors(); have > 0 {
		return max(1, min(wanted, have-others))
	}
	return wanted
}
