package main

import (
	"context"
	"errors"
	"fmt"
)

// measureMemory is P6: how much more memory a server has with many sessions in the world than with few, for each of them.
func measureMemory(ctx context.Context, b *bench) ([]*row, error) {
	sessions := fittingSessions(b.sizes.idleSessions)
	few := max(1, sessions/20) // what the first ones cost is the server's own
	r := &row{Number: b.now, Unit: memory, Bar: figureAtMost(8<<10, memory), Great: figureAtMost(3<<10, memory),
		What: fmt.Sprintf("memory for an idle session, of %s in the world", thousands(int64(sessions)))}
	var inUse, bareInUse []float64

	measure := func(gather func(context.Context, int) (*crowd, error), more func(*crowd) error, profile string, inUse *[]float64) func() (float64, error) {
		return func() (perSession float64, err error) {
			c, err := gather(ctx, few)
			if err != nil {
				return 0, err
			}
			defer func() { err = errors.Join(err, c.close()) }()
			before, err := b.footprint(ctx, c)
			if err != nil {
				return 0, err
			}
			if err := more(c); err != nil {
				return 0, err
			}
			after, err := b.footprint(ctx, c)
			if err != nil {
				return 0, err
			}
			if profile != "" {
				if _, err := c.server.ask("heap " + profile); err != nil {
					return 0, err
				}
			}
			n := float64(sessions - few)
			*inUse = append(*inUse, (after.inUse-before.inUse)/n)
			return (after.resident - before.resident) / n, err
		}
	}
	ours := measure(b.roomyGameCrowd, func(c *crowd) error { return c.enter(ctx, few, sessions) }, b.profile(), &inUse)
	reference := measure(b.echoCrowd, func(c *crowd) error { return c.connect(ctx, sessions-few) }, "", &bareInUse)
	if err := b.takeTurns(r, ours, reference); err != nil {
		return nil, err
	}
	r.note("growth of the process from %s sessions on, after a collection; each has sent some pings and is silent. "+
		"Go heap and stacks in use for each: ours %s, reference %s", thousands(int64(few)), memory.figure(median(inUse)), memory.figure(median(bareInUse)))
	return []*row{r}, nil
}

// roomyGameCrowd is gameCrowd with room for the sessions that come later.
func (b *bench) roomyGameCrowd(ctx context.Context, clients int) (*crowd, error) {
	return b.gameCrowdOf(ctx, clients, fittingSessions(b.sizes.idleSessions))
}

// A footprint is the memory of a server, in bytes.
type footprint struct{ resident, inUse float64 }

// footprint lets every client send some pings, and takes the server's measure when it is quiet again.
func (b *bench) footprint(ctx context.Context, c *crowd) (f footprint, err error) {
	c.load.closedLoop()
	if err := sleep(ctx, b.sizes.warm); err != nil {
		return f, err
	}
	c.load.idle()
	if err := sleep(ctx, b.sizes.warm); err != nil {
		return f, err
	}
	if err := c.load.err(); err != nil {
		return f, err
	}
	s, err := c.server.ask("collect")
	if err != nil {
		return f, err
	}
	resident, err := residentBytes(c.server.pid())
	return footprint{float64(resident), float64(s.HeapAndStacks)}, err
}
