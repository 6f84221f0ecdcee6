package world

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A world without players ticks when a timer is due, and in time when a player comes; with players at its pace.
func TestAWorldWithoutPlayersRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newStage(Options{})
		var ticks atomic.Int64
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- w.Run(ctx, func(time.Duration) { ticks.Add(1) }) }()
		during := func(d time.Duration) int {
			before := ticks.Load()
			time.Sleep(d)
			synctest.Wait()
			return int(ticks.Load() - before)
		}
		during(10 * time.Second)
		if n := during(20 * time.Second); n < 20 || n > 30 {
			t.Errorf("%d ticks in 20 s without players, expected one for each second or timer", n)
		}
		w.Do(Enter{Player{ID: 1, Character: 1, Name: "Hero", Position: shipstone}})
		if n := during(TickPeriod - 1); n != 1 || w.player(1) == nil {
			t.Errorf("%d ticks when somebody came, expected one", n)
		}
		if n := during(10 * time.Second); n < 199 || n > 201 {
			t.Errorf("%d ticks in 10 s with a player, expected 200", n)
		}
		w.Do(Leave{ID: 1})
		during(5 * time.Second)
		if n := during(20 * time.Second); n < 20 || n > 30 {
			t.Errorf("%d ticks in 20 s when all had left, expected one for each second or timer", n)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
