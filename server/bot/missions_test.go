package bot_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/world/rules"
)

// besideAGiver is where an NPC that gives titles stands in Bangville, with the entrance of a dungeon beside it.
var besideAGiver = coords.Position{X: 1885, Y: 155.6, Z: -395.7}

// missionsOfAllKinds has each kind as often as the others, beside a giver.
func missionsOfAllKinds(o *game.Options) {
	o.Start, o.Monsters = besideAGiver, false
	const food = 653 // a class that taverns sell
	o.World.Missions = slices.CompactFunc(slices.Clone(content.Missions()), func(a, b rules.MissionTemplate) bool {
		return a.Kind() == b.Kind() // each kind as often as the others
	})
	for i := range o.World.Missions {
		if m := &o.World.Missions[i]; m.Kind() == rules.Collect {
			m.Types = []int{content.Default().OfClass(food)[0].ID}
		}
	}
}

// Clients take missions of all kinds, do them inside and outside, come out, are paid, come and go; and no dungeon is
// left.
func TestClientsDoMissions(t *testing.T) {
	simulated(t, func(t *testing.T) {
		s := serve(t, missionsOfAllKinds)
		const clients, enough, kinds = 8, 16, 8
		swarm := s.swarm(t, bot.SwarmOptions{Count: clients, Stay: 10 * time.Minute,
			Client: bot.Options{Missions: true, Seed: 7}})
		f := liveUntil(t, swarm, func(f *bot.Figures) bool {
			return f.MissionsPaid >= enough && f.Dungeons >= enough/3 && f.Entries > clients && paidKinds(f) == kinds
		})
		if !f.Clean() || f.MissionsPaid < enough || f.MissionsPaid != f.MissionsFulfilled || paidKinds(f) < kinds {
			t.Errorf("not clean:\n%s", bot.Summary(f, nil))
		}
		time.Sleep(rules.DefaultBalance().Spawn.InstanceLinger + time.Minute)
		if left := s.World().Instances; len(left) > 0 {
			t.Errorf("left are %+v", left)
		}
		t.Log(bot.Summary(f, nil))
	})
}

// paidKinds is of how many kinds missions were paid.
func paidKinds(f *bot.Figures) (n int) {
	for _, k := range f.Kinds {
		if k.Paid > 0 {
			n++
		}
	}
	return n
}

// liveUntil runs a swarm until its figures are as they are to be, or for eight hours.
func liveUntil(t *testing.T, swarm *bot.Swarm, enough func(*bot.Figures) bool) *bot.Figures {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Hour)
	defer cancel()
	var lives sync.WaitGroup
	lives.Go(func() { swarm.Run(ctx) })
	time.Sleep(time.Nanosecond) // never to look in one moment with a tick
	for !enough(swarm.Figures()) {
		if time.Sleep(50 * time.Millisecond); ctx.Err() != nil {
			t.Error("it has not come to what is enough")
			break
		}
	}
	cancel()
	lives.Wait()
	return swarm.Figures()
}
