package bot_test

import (
	"context"
	"testing"
	"time"

	"sphereserver/server/bot"
	"sphereserver/server/game"
)

// Clients that begin in dungeons of their own come out by the token, with the sword, and nothing is wrong with what they
// are told meanwhile.
func TestNewcomersComeOutOfTheirDungeons(t *testing.T) {
	t.Parallel()
	for _, walk := range []bot.Walk{bot.Wander, bot.Square} {
		t.Run(string(walk), func(t *testing.T) {
			t.Parallel()
			testNewcomersComeOut(t, walk)
		})
	}
}

func testNewcomersComeOut(t *testing.T, walk bot.Walk) {
	s := serve(t, "", func(o *game.Options) { o.NewcomersDungeon, o.World.MaxSpeed = true, -1 })
	const clients = 4
	swarm, err := bot.NewSwarm(bot.SwarmOptions{Addr: s.addr, Count: clients,
		Client: bot.Options{PingEvery: 100 * time.Millisecond, Walk: walk, Seed: 7, Speed: 40}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		swarm.Run(ctx)
	}()
	out := func() (n int) {
		for _, p := range s.World().Players {
			if p.Instance == 0 {
				n++
			}
		}
		return n
	}
	for out() < clients && ctx.Err() == nil {
		time.Sleep(50 * time.Millisecond)
	}
	cancel()
	<-ended
	if f := swarm.Figures(); !f.Clean() || f.Entries != clients {
		t.Errorf("not clean:\n%s", bot.Summary(f))
	}
	if ctx.Err() == context.DeadlineExceeded {
		t.Errorf("%d of %d are out after a minute", out(), clients)
	}
}
