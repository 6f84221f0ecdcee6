package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"sphereserver/server/measure"
)

// A crowd is a server in its own process and the clients that have come into it.
type crowd struct {
	server *child
	load   *load
	ground ground // of the clients of a game server
}

// enterAtOnce is how many clients are on their way in at the same time. Each spends most of that time waiting.
const enterAtOnce = 500

// gameCrowd starts a game server and brings clients into its world.
func (b *bench) gameCrowd(ctx context.Context, clients int) (*crowd, error) {
	return b.gameCrowdOf(ctx, clients, clients)
}

// gameCrowdOf is gameCrowd with room for more clients than come at first.
func (b *bench) gameCrowdOf(ctx context.Context, clients, room int) (*crowd, error) {
	return b.gameCrowdOn(ctx, apart, clients, gameSettings{Connections: room, Hashes: 4, WarmStore: true})
}

// gameCrowdOn is gameCrowd on a ground and with settings of their own.
func (b *bench) gameCrowdOn(ctx context.Context, g ground, clients int, set gameSettings) (c *crowd, err error) {
	if set.Dir, err = b.preparedOn(ctx, g, b.sizes.mostSessions(), cheapHash); err != nil {
		return nil, err
	}
	server, err := startChild(ctx, "serve-game", set)
	if err != nil {
		return nil, err
	}
	if c, err = newCrowd(server); err != nil {
		return nil, err
	}
	c.ground = g
	if err := c.enter(ctx, 0, clients); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// echoCrowd starts the reference and connects clients to it.
func (b *bench) echoCrowd(ctx context.Context, clients int) (*crowd, error) {
	server, err := startChild(ctx, "serve-echo", struct{}{})
	if err != nil {
		return nil, err
	}
	c, err := newCrowd(server)
	if err != nil {
		return nil, err
	}
	if err := c.connect(ctx, clients); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

func newCrowd(server *child) (*crowd, error) {
	l, err := newLoad()
	if err != nil {
		return nil, errors.Join(err, server.stop())
	}
	return &crowd{server: server, load: l}, nil
}

// enter brings the clients of the accounts from first up to end into the world.
func (c *crowd) enter(ctx context.Context, first, end int) error {
	var mu sync.Mutex // of the load
	return inParallel(ctx, end-first, enterAtOnce, func(ctx context.Context, i int) error {
		p, err := connect(ctx, c.server.addr)
		if err != nil {
			return fmt.Errorf("client %d: %w", first+i, err)
		}
		if err = p.login(accountName(first + i)); err == nil {
			err = p.enter()
		}
		if err != nil {
			p.conn.Close()
			return fmt.Errorf("client %d: %w", first+i, err)
		}
		frames, err := pings(p.id, p.key, c.ground.at(first+i))
		if err != nil {
			return err
		}
		rest, err := p.in.Peek(p.in.Buffered()) // of what was sent on entering
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		return c.load.take(p.conn, frames, rest)
	})
}

// connect brings clients to a server that knows no game.
func (c *crowd) connect(ctx context.Context, clients int) error {
	frames, err := pings(1, 0, place())
	if err != nil {
		return err
	}
	var mu sync.Mutex // of the load
	return inParallel(ctx, clients, enterAtOnce, func(ctx context.Context, i int) error {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", c.server.addr)
		if err != nil {
			return fmt.Errorf("client %d: %w", i, err)
		}
		mu.Lock()
		defer mu.Unlock()
		return c.load.take(conn, frames, nil)
	})
}

// A stretch is what has happened in some time.
type stretch struct {
	lasted        time.Duration
	answers, sent uint64
	updates       uint64               // of where others are
	processor     time.Duration        // of the server
	ticks         measure.Distribution // of a game server
}

func (s stretch) rate() float64 { return float64(s.answers) / s.lasted.Seconds() }

// cost is the server's processor time for each answer, in seconds.
func (s stretch) cost() float64 { return s.processor.Seconds() / float64(max(s.answers, 1)) }

// watch counts what happens in some time.
func (c *crowd) watch(ctx context.Context, d time.Duration) (s stretch, err error) {
	before, err := c.server.ask("status")
	if err != nil {
		return s, err
	}
	answers, sent := c.load.counts()
	updates := c.load.updates()
	began := time.Now()
	if err := sleep(ctx, d); err != nil {
		return s, err
	}
	s.lasted = time.Since(began)
	s.answers, s.sent = c.load.counts()
	s.answers, s.sent, s.updates = s.answers-answers, s.sent-sent, c.load.updates()-updates
	after, err := c.server.ask("status")
	s.processor = after.Processor - before.Processor
	for i := range s.ticks.Counts {
		n := after.Counters[tickCounter(i)] - before.Counters[tickCounter(i)]
		s.ticks.Counts[i] = n
		s.ticks.Count += n
		if n > 0 {
			s.ticks.Max = measure.Bound(i)
		}
	}
	return s, errors.Join(err, c.load.err())
}

// close lets the clients go and ends the server.
func (c *crowd) close() error {
	c.load.close()
	return c.server.stop()
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
