package world

import (
	"slices"
	"testing"
	"time"
)

// inTurns ticks two worlds in turns, and tells how long 99 of a hundred ticks of each took at the most.
func inTurns(b *testing.B, ours, other *stage, name string) {
	took := map[*stage][]time.Duration{}
	tick := func(s *stage) {
		s.now = s.now.Add(TickPeriod)
		start := time.Now()
		s.World.Tick(s.now)
		took[s] = append(took[s], time.Since(start))
		s.take()
	}
	for range 200 {
		tick(ours)
		tick(other)
	}
	clear(took)
	for b.Loop() {
		tick(ours)
		tick(other)
	}
	for s, unit := range map[*stage]string{ours: "ns-p99", other: "ns-p99-" + name} {
		slices.Sort(took[s])
		b.ReportMetric(float64(took[s][len(took[s])*99/100].Nanoseconds()), unit)
	}
}

// BenchmarkInstances is a tick of a world in which a thousand players stand still in an instance each, in turns with
// one in which they stand in the open. Source: protocol life 16, check 2.12.
func BenchmarkInstances(b *testing.B) {
	inside, open := newWild(b, Options{}), newWild(b, Options{})
	for i := range 1000 {
		p := caver(PlayerID(i + 1))
		inside.Do(EnterInside{p, cave})
		p.Position.X += float32(i)
		open.Do(Enter{p})
	}
	inTurns(b, inside, open, "open")
	if n := inside.cells(b); n != 1000 {
		b.Fatalf("%d instances", n)
	}
}

// BenchmarkMissions is a tick of a world in which 500 players are in the dungeons of their missions, in turns with one in
// which they have none. Source: protocol life 16, check 4.13.
func BenchmarkMissions(b *testing.B) {
	const many = 500
	busy, idle := newQuestsWith("k001", Options{ViewLimit: 4}), newQuestsWith("k001", Options{ViewLimit: 4})
	for id := PlayerID(1); id <= many; id++ {
		busy.admits(Player{ID: id})
		idle.admits(Player{ID: id})
	}
	for id := PlayerID(1); id <= many; id++ {
		busy.asks(b, Mission{ID: id, Word: TakeMission, Giver: busy.giver})
		busy.asks(b, UsePortal{id, busy.door})
	}
	inTurns(b, busy.stage, idle.stage, "without")
	if n := busy.cells(b); n != many || busy.keys() != many {
		b.Fatalf("%d dungeons, %d keys", n, busy.keys())
	}
}
