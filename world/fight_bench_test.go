package world

import (
	"testing"
	"time"

	"sphereserver/world/rules"
)

// practice is a world in which a player with a sword stands before a monster of a great many HP, and so many watch.
func practice(watchers int) (w *World, strike Command, now time.Time) {
	q := &quiet{}
	balance := sharp()
	balance.Blow.UseSlack = 0
	w = New(Options{Tables: fightTables, Balance: balance, Seed: 1}, q)
	q.w = w
	for i := range watchers + 1 {
		p := Player{ID: PlayerID(i + 1), Character: int64(i + 1), Position: shipstone, Pools: rules.Pools{HP: 50, MaxHP: 100}}
		if i == 0 {
			p.Items = []rules.Item{weapon(kStartSword, 1, 26)}
		}
		w.Do(Enter{p})
	}
	w.Do(TakeInHand{ID: 1, Item: 1})
	var b *monster
	w.Do(deedOf(func(w *World) {
		b = w.spawners.newMonster(w.tables.Monster(mTarget), 1, w.spawners.chanceOf(-1, 1))
		b.MaxHP, b.HP = 1<<40, 1<<40
		w.spawners.putMonsterInto(b, 0, east(1), nil)
	}))
	now = newStage(Options{}).now
	for range 8 {
		w.Tick(now)
	}
	return w, Strike{1, 1, b.object.ID}, now
}

// BenchmarkBlow is bar P15, which cmd/bench prints: one blow from the request to all events, in a tick of its own,
// alone and before 20 others; and such a tick without it.
func BenchmarkBlow(b *testing.B) {
	for _, c := range []struct {
		name     string
		watchers int
		strikes  bool
	}{{"alone", 0, true}, {"before20", 20, true}, {"none", 20, false}} {
		b.Run(c.name, func(b *testing.B) {
			w, strike, now := practice(c.watchers)
			b.ReportAllocs()
			for b.Loop() {
				if c.strikes {
					w.Do(strike)
				}
				w.Tick(now)
			}
		})
	}
}

func TestBlowAllocatesNothing(t *testing.T) {
	w, strike, now := practice(20)
	blow := func() {
		w.Do(strike)
		w.Tick(now)
	}
	blow()
	if n := testing.AllocsPerRun(200, blow); n != 0 {
		t.Errorf("a blow allocates %v times", n)
	}
}
