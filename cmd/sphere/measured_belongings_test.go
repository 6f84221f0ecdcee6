//go:build system && unix

package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/server/bot"
)

// TestFigurePingsBesideMoves measures the effect of 1,000 moves of things a second, each on the disk before it is
// answered, on the answers to position messages. It is a figure that cannot fail, so it is taken only in full.
func TestFigurePingsBesideMoves(t *testing.T) {
	if !full {
		t.Skip("a figure: only with the tag full")
	}
	const players, period, lasts = 200, 200 * time.Millisecond, 10 * time.Second
	p := serveIn(t, t.TempDir(), "--hash-workers", "2")
	clients := make([]*bot.Client, players)
	all(t, players, func(i int) (err error) {
		clients[i], err = comeIn(patient(t), p.game, bot.Options{Seed: uint64(i)}, fmt.Sprintf("mover%d", i), 0,
			"Mover-"+bot.SwarmName("", i))
		return err
	})
	round := func(moves bool) {
		var mu sync.Mutex
		var times []time.Duration
		begin := time.Now()
		all(t, players, func(i int) error {
			c := clients[i]
			ctx, cancel := context.WithTimeout(t.Context(), 5*lasts)
			defer cancel()
			from, to := uint8(26), uint8(35)
			time.Sleep(period * time.Duration(i) / players)
			at := near(content.Cities()[0].Position, i)
			for n := 0; time.Since(begin) < lasts; n++ {
				next := time.Now().Add(period)
				if moves {
					if err := c.SendCommands(&packets.ContMan{Command: &packets.MoveSlot{Player: c.ID(), From: from,
						To: to}}); err != nil {
						return err
					}
					from, to = to, from
				}
				pong, err := c.Ping(ctx, at)
				if err != nil {
					return err
				}
				mu.Lock()
				times = append(times, pong.Latency)
				mu.Unlock()
				if err := c.Idle(ctx, time.Until(next)); err != nil {
					return err
				}
			}
			return nil
		})
		slices.Sort(times)
		figure(t, "moves", "%d players, moves %v: %d pings, median %v, p99 %v, worst %v; %d changes stored so far", players,
			moves, len(times), times[len(times)/2], times[len(times)*99/100],
			times[len(times)-1], p.status().Counters["belongings_changes"])
	}
	round(false)
	round(true)
}
