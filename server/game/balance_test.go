package game

import (
	"testing"
	"time"

	"sphereserver/world"
	"sphereserver/world/rules"
)

func TestABalanceReadAgainCountsForSpawners(t *testing.T) {
	g := newStage(t, func(o *Options) { o.Monsters = true })
	levels := func() (sum, n int) {
		g.server.world.Do(world.Publish{})
		g.pass(100 * time.Millisecond)
		for _, s := range g.server.world.Snapshot().Spawners {
			sum, n = sum+s.Level, n+1
		}
		return sum, n
	}
	was, n := levels()
	b := *rules.DefaultBalance()
	b.Spawn.LevelBase = 0 // nearer to the cities it gets dangerous
	b.Spawn.PersonFree = 60
	g.server.ChangeBalance(&b)
	is, left := levels()
	if is/left <= was/n || left >= n || left < n/2 {
		t.Errorf("%d spawners with a sum of levels of %d, before %d with %d", left, is, n, was)
	}
	same := b
	same.Spawn.Common = 3
	g.server.ChangeBalance(&same)
	if again, count := levels(); again != is || count != left {
		t.Errorf("%d spawners with a sum of levels of %d, expected what was: %d with %d", count, again, left, is)
	}
}
