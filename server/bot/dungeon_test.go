package bot_test

import (
	"testing"

	"sphereserver/server/bot"
	"sphereserver/server/game"
)

// Clients that begin in dungeons of their own come out by the token, with the sword, and nothing is wrong with the
// messages meanwhile.
func TestNewcomersComeOutOfTheirDungeons(t *testing.T) {
	for _, walk := range []bot.Walk{bot.Wander, bot.Square} {
		t.Run(string(walk), func(t *testing.T) {
			simulated(t, func(t *testing.T) { testNewcomersComeOut(t, walk) })
		})
	}
}

func testNewcomersComeOut(t *testing.T, walk bot.Walk) {
	s := serve(t, func(o *game.Options) { o.NewcomersDungeon = true })
	const clients = 4
	swarm := s.swarm(t, bot.SwarmOptions{Count: clients,
		Client: bot.Options{Walk: walk, Seed: 7}})
	out := func() (n int) {
		for _, p := range s.World().Players {
			if p.Instance == 0 {
				n++
			}
		}
		return n
	}
	f := liveUntil(t, swarm, func(*bot.Figures) bool { return out() == clients })
	if !f.Clean() || f.Entries != clients {
		t.Errorf("not clean:\n%s", bot.Summary(f, nil))
	}
}
