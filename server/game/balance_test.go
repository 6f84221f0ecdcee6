package game

import (
	"reflect"
	"testing"
	"time"

	"sphereserver/world"
	"sphereserver/world/rules"
)

func TestABalanceReadAgainCountsForSpawners(t *testing.T) {
	t.Parallel()
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

// A spawner that is turned off for good is off, too, when it is there again because the balance was read again.
func TestASpawnerThatComesBackIsOff(t *testing.T) {
	t.Parallel()
	few, all := *rules.DefaultBalance(), rules.DefaultBalance()
	few.Spawn.PersonFree = 60
	g := newStage(t, func(o *Options) { o.Monsters, o.World.Balance = true, &few })
	views := func() map[string]world.SpawnerView {
		g.server.world.Do(world.Publish{})
		g.pass(100 * time.Millisecond)
		out := map[string]world.SpawnerView{}
		for _, s := range g.server.world.Snapshot().Spawners {
			out[s.Key] = s
		}
		return out
	}
	before := views()
	key := ""
	for _, s := range spawners(g.server.options.World.Tables, &all.Spawn) {
		if _, there := before[s.Key]; !there {
			key = s.Key
			break
		}
	}
	if err := g.store.TurnSpawners(t.Context(), []string{key}, true); err != nil {
		t.Fatal(err)
	}
	g.server.ChangeBalance(all)
	if s, there := views()[key]; key == "" || !there || !s.Off {
		t.Errorf("%q is there: %v, off: %v", key, there, s.Off)
	}
}

// Whatever a file changes, the world, its pages and its clients have when it was read again.
func TestABalanceReadAgainReachesAll(t *testing.T) {
	t.Parallel()
	g := newStage(t, func(o *Options) { o.Monsters = true })
	b := *rules.DefaultBalance()
	b.Spawn.LevelBase++
	b.Duel.City, b.Mind.IDRest = 1, time.Second
	g.server.ChangeBalance(&b)
	g.server.world.Do(world.Publish{})
	g.pass(100 * time.Millisecond)
	for what, is := range map[string]*rules.Balance{"the world": g.server.world.Balance(),
		"pages": g.server.World().Balance, "clients": g.server.view.Balance()} {
		if !reflect.DeepEqual(*is, b) {
			t.Errorf("%s: the balance is not that which was read", what)
		}
	}
	if g.server.settled != b.Spawn {
		t.Error("spawners have not followed")
	}
}
