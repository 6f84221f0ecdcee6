package world

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data/landscape"
	"sphereserver/data/landscape/landscapetest"
	"sphereserver/world/ground"
	"sphereserver/world/rules"
)

// A tally counts the events of a tick.
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

// A tick with players that walk about at 5 m/s, with as many others in sight as a busy place has. Besides the time of
// the median tick and of the 99th of a hundred it reports the events, and to how many viewers they go.
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

// A hunt is a world in which players run in circles, some monsters chase them and many more sleep elsewhere.
type hunt struct {
	world          *World
	height         func(x, z float32) float32
	told           tally
	players, awake int
	now            time.Time
	ticks          int
	took           []time.Duration
}

const huntApart, huntRadius = 60, 15 // metres between two players, and of a circle

// newHunt makes one over ground that is learned for a part.
func newHunt(b *testing.B, players, awake, asleep int) *hunt {
	level := func(x, z float32) float32 { return 155 }
	return newHuntOn(b, ground.New(nil), level, players, awake, asleep)
}

func newHuntOn(b *testing.B, g Ground, height func(x, z float32) float32, players, awake, asleep int) *hunt {
	h := &hunt{players: players, awake: awake, height: height, now: time.Unix(1_700_000_000, 0)}
	h.world = New(Options{Tables: bestiary(b), Ground: g, Seed: 1}, &h.told)
	for i := range players {
		h.world.Do(Enter{Player{ID: PlayerID(i + 1), Character: int64(i), Name: fmt.Sprint("p", i), Position: h.at(i, 0),
			Pools: rules.Pools{HP: rules.MaxPool, MaxHP: rules.MaxPool}}})
	}
	var far []Spawner
	for i := range asleep / 3 {
		far = append(far, Spawner{At: coords.Position{X: 10_000 + float32(i%100)*80, Y: 155, Z: float32(i/100) * 80},
			Level: 5, Types: []int{1}})
	}
	h.world.Do(AddSpawners{far})
	for i := range awake {
		h.world.Do(Summon{Type: 1, Level: 5, At: h.at(i%players, float64(i))})
	}
	h.world.Tick(h.now)
	return h
}

// at returns the place of a player that has run so far around its middle.
func (h *hunt) at(i int, angle float64) coords.Position {
	side := int(math.Ceil(math.Sqrt(float64(h.players))))
	p := coords.Position{X: float32(float64(i%side)*huntApart + huntRadius*math.Sin(angle)),
		Z: float32(float64(i/side)*huntApart + huntRadius*math.Cos(angle))}
	p.Y = h.height(p.X, p.Z)
	return p
}

// tick lets every second player move, and a twentieth of the monsters be hit, before the world ticks.
func (h *hunt) tick() {
	const hz, speed = 20, 4.5
	for i := h.ticks % 2; i < h.players; i += 2 {
		h.world.Move(PlayerID(i+1), h.at(i, float64(h.ticks)/hz*speed/huntRadius))
	}
	for i := h.ticks % 20; i < h.awake; i += 20 {
		o := h.world.all[others][len(h.world.all[others])-h.awake+i].object
		h.world.minds.addThreat(o.monster, h.world.player(PlayerID(i%h.players+1)), 1, rules.Physical)
	}
	h.ticks++
	h.now = h.now.Add(TickPeriod)
	start := time.Now()
	h.world.Tick(h.now)
	h.took = append(h.took, time.Since(start))
}

// twice ticks two times, which count as one of their mean.
func (h *hunt) twice() {
	h.tick()
	h.tick()
	last := len(h.took) - 1
	h.took[last-1] = (h.took[last-1] + h.took[last]) / 2
	h.took = h.took[:last]
}

// begin drops all measurements so far.
func (h *hunt) begin() { h.told, h.took = tally{}, make([]time.Duration, 0, 4096) }

// quantile is how long so many of a hundred ticks took at the most, in nanoseconds.
func (h *hunt) quantile(n int) float64 {
	slices.Sort(h.took)
	return float64(h.took[min(len(h.took)*n/100, len(h.took)-1)].Nanoseconds())
}

// against ticks in turns with another hunt, and tells how long the ticks of both took, in the median and 99 of a hundred.
func (h *hunt) against(b *testing.B, other *hunt, name string) {
	for range 200 {
		h.tick()
		other.tick()
	}
	h.begin()
	other.begin()
	b.ReportAllocs()
	for b.Loop() {
		h.tick()
		other.tick()
	}
	if n := h.world.minds.awake; n != h.awake {
		b.Fatalf("%d monsters are awake", n)
	}
	b.ReportMetric(h.quantile(50), "ns-median")
	b.ReportMetric(h.quantile(99), "ns-p99")
	b.ReportMetric(other.quantile(50), "ns-median-"+name)
	b.ReportMetric(other.quantile(99), "ns-p99-"+name)
}

// The monsters of bars P13, P14 and P17, which cmd/bench prints.
const huntPlayers, huntChasing, huntSleeping = 1000, 5000, 20_000

// BenchmarkMonsters is a tick with monsters that chase players, in turns with one of the same world without monsters:
// of both the time that 99 of a hundred ticks took at the most.
func BenchmarkMonsters(b *testing.B) {
	chase, peace := newHunt(b, huntPlayers, huntChasing, 0), newHunt(b, huntPlayers, 0, 0)
	chase.against(b, peace, "without")
	ticks := float64(len(chase.took))
	b.ReportMetric(float64(chase.told.events)/ticks, "events/tick")
	b.ReportMetric(float64(chase.told.deliveries)/ticks, "deliveries/tick")
}

// BenchmarkMonstersOnLand is the chase of BenchmarkMonsters over hills and around lakes of an imported ground, in turns
// with the one over ground that is learned.
func BenchmarkMonstersOnLand(b *testing.B) {
	land := landscapetest.Hyperion()
	for _, at := range landscapetest.Square(landscapetest.OriginColumn-1, landscapetest.OriginRow-1, 22) {
		if !slices.Contains(land.Tiles, at) {
			land.Tiles = append(land.Tiles, at)
		}
	}
	land.Water = func(x, z float32) float32 {
		if land.Height(x, z) > 152 {
			return landscapetest.Dry
		}
		return 152
	}
	client, dir := b.TempDir(), b.TempDir()
	land.Write(b, client, "landscape")
	imported, _, err := landscape.Import(b.Context(), client, landscape.Options{})
	if err == nil {
		err = imported.Write(dir)
	}
	if err != nil {
		b.Fatal(err)
	}
	f, err := landscape.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	view := landscape.NewView(f, func(err error) { b.Error(err) })
	g := ground.New(nil)
	g.LayOver(view)
	height := func(x, z float32) float32 {
		s, _ := view.Surface(coords.Position{X: x, Y: 155, Z: z})
		return s.Height
	}

	hills, plain := newHuntOn(b, g, height, huntPlayers, huntChasing, 0), newHunt(b, huntPlayers, huntChasing, 0)
	hills.against(b, plain, "learned")
}

// BenchmarkMonstersAsleep is by how much sleeping monsters make a tick longer, in turns with those of the same world
// without any and of one in which monsters chase: of all the median. Each turn is of two ticks, which are measured
// together, since moves are told in every second one.
func BenchmarkMonstersAsleep(b *testing.B) {
	chase, peace, rest := newHunt(b, huntPlayers, huntChasing, 0), newHunt(b, huntPlayers, 0, 0),
		newHunt(b, huntPlayers, 0, huntSleeping)
	turns := func() {
		chase.twice()
		for range 2 { // the difference is small
			peace.twice()
			rest.twice()
			rest.twice()
			peace.twice()
		}
	}
	for range 100 {
		turns()
	}
	for _, h := range []*hunt{chase, peace, rest} {
		h.begin()
	}
	for b.Loop() {
		turns()
	}
	b.ReportMetric(max(1, rest.quantile(50)-peace.quantile(50)), "ns-asleep")
	b.ReportMetric(chase.quantile(50)-peace.quantile(50), "ns-awake")
	b.ReportMetric(peace.quantile(50), "ns-without")
}
