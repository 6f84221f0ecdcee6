package world

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/ground"
	"sphereserver/world/rules"
)

// A tally counts what a tick tells.
type tally struct{ events, deliveries int }

func (t *tally) Happened(events []Event) {
	t.events += len(events)
	for _, e := range events {
		switch e := e.(type) {
		case *Moved:
			t.deliveries += len(e.Viewers)
		case *Appeared, *Vanished, *ObjectAppeared:
			t.deliveries++
		}
	}
}

// A tick with players who walk about at 5 m/s, with as many others in sight as a busy place has. Besides the time of
// the median tick and of the 99th of a hundred it says what is told: events, and to how many viewers they go.
func BenchmarkTick(b *testing.B) {
	for _, c := range []struct {
		players int
		inSight int // on average
		every   int // ticks between two moves of a player
	}{
		{100, 50, 10}, {1000, 50, 10}, {5000, 50, 10}, {10000, 50, 10}, // 2 Hz
		{1000, 50, 2}, {5000, 50, 2}, // 10 Hz
		{200, 199, 2}, // all in one square, 10 Hz
	} {
		b.Run(fmt.Sprintf("players=%d/insight=%d/hz=%d", c.players, c.inSight, 20/c.every), func(b *testing.B) {
			benchmarkTick(b, c.players, c.inSight, c.every)
		})
	}
}

func benchmarkTick(b *testing.B, players, inSight, every int) {
	t := &tally{}
	w := New(Options{}, t)
	now := time.Unix(1_700_000_000, 0)
	side := float32(math.Sqrt(float64(players) / float64(inSight) * math.Pi * 100 * 100))
	if inSight >= players-1 {
		side = 60
	}
	r := rand.New(rand.NewPCG(1, 1))
	at, to := make([]coords.Position, players), make([]coords.Position, players)
	anywhere := func() coords.Position {
		return coords.Position{X: r.Float32() * side, Y: 155, Z: r.Float32() * side}
	}
	for i := range at {
		at[i], to[i] = anywhere(), anywhere()
		w.Do(Enter{Player{ID: PlayerID(i + 1), Character: int64(i), Name: fmt.Sprint("p", i), Position: at[i]}})
	}
	n := 0
	step := float64(every) * TickPeriod.Seconds() * 5
	tick := func() time.Duration {
		for i := n % every; i < players; i += every {
			dx, dz := float64(to[i].X-at[i].X), float64(to[i].Z-at[i].Z)
			d := math.Hypot(dx, dz)
			if d < step {
				to[i] = anywhere()
				continue
			}
			at[i].X += float32(dx / d * step)
			at[i].Z += float32(dz / d * step)
			w.Move(PlayerID(i+1), at[i])
		}
		n++
		now = now.Add(TickPeriod)
		start := time.Now()
		w.Tick(now)
		return time.Since(start)
	}
	for range 100 {
		tick()
	}
	*t = tally{}
	var took []time.Duration
	b.ReportAllocs()
	for b.Loop() {
		took = append(took, tick())
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs-median")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs-p99")
	b.ReportMetric(float64(t.events)/float64(len(took)), "events/tick")
	b.ReportMetric(float64(t.deliveries)/float64(len(took)), "deliveries/tick")
}

// A tick with monsters who chase players that run in circles, over ground that is learned for a part, and many more that
// sleep elsewhere.
func BenchmarkMonsters(b *testing.B) {
	for _, c := range []struct{ players, awake, asleep int }{{1000, 0, 0}, {1000, 0, 20_000}, {1000, 5000, 20_000}} {
		b.Run(fmt.Sprintf("players=%d/awake=%d/asleep=%d", c.players, c.awake, c.asleep), func(b *testing.B) {
			benchmarkMonsters(b, c.players, c.awake, c.asleep)
		})
	}
}

func benchmarkMonsters(b *testing.B, players, awake, asleep int) {
	t := &tally{}
	heights := ground.New(nil)
	w := New(Options{Tables: bestiary(b), Ground: heights, Seed: 1}, t)
	now := time.Unix(1_700_000_000, 0)
	const apart, round = 60, 15
	side := int(math.Ceil(math.Sqrt(float64(players))))
	at := func(i int, angle float64) coords.Position {
		return coords.Position{X: float32(float64(i%side)*apart + round*math.Sin(angle)), Y: 155,
			Z: float32(float64(i/side)*apart + round*math.Cos(angle))}
	}
	for i := range players {
		w.Do(Enter{Player{ID: PlayerID(i + 1), Character: int64(i), Name: fmt.Sprint("p", i), Position: at(i, 0),
			Pools: rules.Pools{HP: rules.MaxPool, MaxHP: rules.MaxPool}}})
	}
	var far []Spawner
	for i := range asleep / 3 {
		far = append(far, Spawner{At: coords.Position{X: 10_000 + float32(i%100)*80, Y: 155, Z: float32(i/100) * 80},
			Level: 5, Types: []int{1}})
	}
	w.Do(AddSpawners{far})
	for i := range awake {
		w.Do(Summon{Type: 1, Level: 5, At: at(i%players, float64(i))})
	}
	w.Tick(now)
	n := 0
	tick := func() time.Duration {
		const hz, speed = 20, 4.5
		for i := n % 2; i < players; i += 2 { // each ten times a second
			w.Move(PlayerID(i+1), at(i, float64(n)/hz*speed/round))
		}
		for i := n % 20; i < awake; i += 20 { // each is hit once a second
			o := w.all[others][len(w.all[others])-awake+i].object
			w.provoke(o.monster, w.player(PlayerID(i%players+1)), 1, rules.Physical)
		}
		n++
		now = now.Add(TickPeriod)
		start := time.Now()
		w.Tick(now)
		return time.Since(start)
	}
	for range 400 {
		tick()
	}
	*t = tally{}
	var took []time.Duration
	b.ReportAllocs()
	for b.Loop() {
		took = append(took, tick())
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs-median")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs-p99")
	b.ReportMetric(float64(t.events)/float64(len(took)), "events/tick")
	b.ReportMetric(float64(t.deliveries)/float64(len(took)), "deliveries/tick")
	b.ReportMetric(float64(w.awake), "awake")
}
