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

// besideAGiver is where somebody stands in Bangville who gives titles, and the entrance of a dungeon beside him.
var besideAGiver = coords.Position{X: 1885, Y: 155.6, Z: -395.7}

// easyMissions has missions of all kinds follow one another, which a beginner can do near by.
func easyMissions(o *game.Options) {
	b := rules.DefaultBalance()
	b.Damage.RollLow, b.Damage.RollHigh, b.Damage.Named = 4, 5, 1
	b.Mission.Wait, b.Mission.Spread, b.Spawn.InstanceLinger = time.Second, 0, time.Second
	b.Mission.SpotNear, b.Mission.SpotFar, b.Mission.LeadSpeed = 100, 150, 30 // its ways are short
	b.Chest.TrapMin, b.Chest.TrapMax = 1, 10
	o.Start, o.World.Balance, o.World.MaxSpeed, o.Monsters = besideAGiver, b, -1, false
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

// Clients take missions of all kinds, do them inside and outside, come out, are paid, come and go; and no dungeon is left.
func TestClientsDoMissions(t *testing.T) {
	simulated(t, func(t *testing.T) {
		s := serve(t, easyMissions)
		const clients, enough, kinds = 8, 24, 8
		swarm := s.swarm(t, bot.SwarmOptions{Count: clients, Stay: 30 * time.Second,
			Client: bot.Options{PingEvery: 100 * time.Millisecond, Missions: true, Seed: 7, Speed: 40}})
		f := liveUntil(t, swarm, func(f *bot.Figures) bool {
			return f.MissionsPaid >= enough && f.Dungeons >= enough/3 && f.Entries > clients && paidKinds(f) == kinds
		})
		if !f.Clean() || f.MissionsPaid < enough || f.MissionsPaid != f.MissionsFulfilled || paidKinds(f) < kinds {
			t.Errorf("not clean:\n%s", bot.Summary(f))
		}
		for until := time.Now().Add(time.Minute); len(s.World().Instances) > 0; time.Sleep(50 * time.Millisecond) {
			if time.Now().After(until) {
				t.Fatalf("left are %+v", s.World().Instances)
			}
		}
		t.Log(bot.Summary(f))
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

// liveUntil lets a swarm live until its figures are as they are to be, or for eight minutes.
func liveUntil(t *testing.T, swarm *bot.Swarm, enough func(*bot.Figures) bool) *bot.Figures {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	var lives sync.WaitGroup
	lives.Go(func() { swarm.Run(ctx) })
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
