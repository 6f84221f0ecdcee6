package world

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// maxCatchUp is how many missed ticks are made up for. Those missed beyond that, after a suspended process or on a
// busy machine, are skipped: time goes by, but not faster than it can be lived.
const maxCatchUp = 5

// untilTick is how long it is until the next tick. While no player is inside and no monster awake, that is when a timer
// is due, or a command comes: a server without players wakes the machine once a second.
func (w *World) untilTick() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.resting = len(w.all[players])+len(w.failed)+w.places.space.Moving()+len(w.inbox)+len(w.moves)+w.minds.awake == 0
	if !w.resting || len(w.heap) == 0 {
		return TickPeriod
	}
	return max(TickPeriod, time.Unix(0, w.heap[0].due).Sub(w.now))
}

// Run ticks until ctx ends, each [TickPeriod] while a player is inside. All ticks keep the pace of the first: a
// command that ends a rest waits for the next of them. A panic of the world ends it with an error: its state cannot
// be trusted any more, so the caller is to save what it knows and end the process. observe, if not nil, is told how
// long each tick took.
func (w *World) Run(ctx context.Context, observe func(time.Duration)) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("world: tick %d panicked: %v\n%s", w.tick, v, debug.Stack())
		}
	}()
	timer := time.NewTimer(0)
	defer timer.Stop()
	next := time.Now()
	first := next
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		case <-w.called:
			since := time.Since(first)
			next = first.Add((since + TickPeriod - 1).Truncate(TickPeriod))
			timer.Reset(time.Until(next))
			continue
		}
		start := time.Now()
		w.Tick(start)
		if observe != nil {
			observe(time.Since(start))
		}
		next = next.Add(w.untilTick())
		if behind := time.Since(next); behind > maxCatchUp*TickPeriod {
			next = time.Now()
		}
		timer.Reset(time.Until(next))
	}
}
