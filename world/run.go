package world

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// maxCatchUp is how many missed ticks are made up for. What is missed beyond that, after a suspended process or a busy
// machine, is skipped: time goes by, but not faster than it can be lived.
const maxCatchUp = 5

// Run ticks until ctx ends. A panic of the world ends it with an error: its state cannot be trusted any more, so the
// caller is to save what it knows and end the process. observe, if not nil, is told how long each tick took.
func (w *World) Run(ctx context.Context, observe func(time.Duration)) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("world: tick %d panicked: %v\n%s", w.tick, v, debug.Stack())
		}
	}()
	timer := time.NewTimer(0)
	defer timer.Stop()
	next := time.Now()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		start := time.Now()
		w.Tick(start)
		if observe != nil {
			observe(time.Since(start))
		}
		next = next.Add(TickPeriod)
		if behind := time.Since(next); behind > maxCatchUp*TickPeriod {
			next = time.Now()
		}
		timer.Reset(time.Until(next))
	}
}
