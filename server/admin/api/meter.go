package api

import (
	"context"
	"runtime/metrics"
	"slices"
	"sync"
	"time"

	"sphereserver/server/game"
	"sphereserver/server/measure"
)

const (
	meterStep    = 10 * time.Second
	meterPoints  = 6 * 60 * 6 // six hours
	pingSample   = 500        // sessions of each loop
	recentPoints = 6          // a minute: "now" for quantiles
)

// A point is how the server was doing for ten seconds.
type point struct {
	At       time.Time `json:"at"`
	Online   int       `json:"online"`
	PingP50  *float64  `json:"pingP50"` // ms; null when nobody could be asked
	PingP99  *float64  `json:"pingP99"`
	TickP99  float64   `json:"tickP99"`  // ms
	BytesIn  uint64    `json:"bytesIn"`  // in these ten seconds
	BytesOut uint64    `json:"bytesOut"` // likewise
	StoreP99 float64   `json:"storeP99"` // ms; 0 when nothing was written
	Memory   uint64    `json:"memory"`   // bytes

	// Of fights, in these ten seconds: monsters killed, players that died, experience that kills taught, coins that kills
	// and traders brought.
	Kills      float64 `json:"kills"`
	Deaths     float64 `json:"deaths"`
	Experience float64 `json:"experience"`
	Money      float64 `json:"money"`
}

// A meter looks at the server every ten seconds and remembers.
type meter struct {
	game  *game.Server
	wrote *measure.Histogram

	mu       sync.Mutex
	points   []point // oldest first
	past     *past
	ticks    []measure.Distribution
	writes   []measure.Distribution
	pings    []time.Duration // of the last look
	in, out  uint64          // counters at the last look
	fights   fights          // likewise
	failed   uint64
	failedAt time.Time

	heat *heat
}

func (m *meter) run(ctx context.Context) {
	t := time.NewTicker(meterStep)
	defer t.Stop()
	watch := time.NewTicker(time.Second)
	defer watch.Stop()
	m.look(ctx, time.Now(), false)
	for {
		select {
		case <-ctx.Done():
			m.mu.Lock()
			m.past.close()
			m.mu.Unlock()
			return
		case now := <-t.C:
			m.look(ctx, now, true)
			m.heat.look(now, m.game.World().Players, meterStep, m.game.TakeMarks)
		case now := <-watch.C:
			m.watchSaves(now)
		}
	}
}

// watchSaves notes when saving fails; it is tried once a second until it works again.
func (m *meter) watchSaves(now time.Time) {
	failures := m.game.Counters()["save_failures"]
	m.mu.Lock()
	defer m.mu.Unlock()
	if failures > m.failed {
		m.failed, m.failedAt = failures, now
	}
}

// saving reports whether acts of players get to the disk.
func (m *meter) saving(now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.failedAt.IsZero() || now.Sub(m.failedAt) > 5*time.Second || m.game.SavesWaiting() == 0
}

// look measures, and keeps a point of it.
func (m *meter) look(ctx context.Context, now time.Time, keep bool) {
	ctx, cancel := context.WithTimeout(ctx, meterStep/2)
	defer cancel()
	connections, _ := m.game.Connections(ctx, pingSample) // none of a loop that does not answer
	var pings []time.Duration
	for _, c := range connections {
		if c.Known {
			pings = append(pings, c.RoundTrip)
		}
	}
	slices.Sort(pings)
	ticks, writes, counters := m.game.TickTimes(), m.wrote.Distribution(), m.game.Counters()

	m.mu.Lock()
	defer m.mu.Unlock()
	fought := fightsOf(counters)
	if keep {
		by := fought.since(m.fights)
		tickTimes, writeTimes := ticks.Since(&m.ticks[len(m.ticks)-1]), writes.Since(&m.writes[len(m.writes)-1])
		m.keep(point{
			At: now.UTC().Truncate(time.Second), Online: len(m.game.World().Players),
			PingP50: quantile(pings, 0.5), PingP99: quantile(pings, 0.99), TickP99: milliseconds(tickTimes.Quantile(0.99)),
			BytesIn: counters["bytes_in"] - m.in, BytesOut: counters["bytes_out"] - m.out,
			StoreP99: milliseconds(writeTimes.Quantile(0.99)), Memory: memory(),
			Kills: float64(by.kills), Deaths: float64(by.deaths), Experience: float64(by.experience),
			Money: float64(by.money)})
	}
	m.fights = fought
	m.pings, m.in, m.out = pings, counters["bytes_in"], counters["bytes_out"]
	m.ticks, m.writes = keepLast(recentPoints, m.ticks, ticks), keepLast(recentPoints, m.writes, writes)
}

// keep notes a point.
func (m *meter) keep(one point) {
	m.points = keepLast(meterPoints, m.points, one)
	m.past.add(one)
}

// keepLast adds one to the last n.
func keepLast[T any](n int, all []T, one T) []T {
	all = append(all, one)
	return slices.Delete(all, 0, max(0, len(all)-n))
}

// recent is how long ticks and writes have taken within the last minute, and the ways to players at the last look.
func (m *meter) recent() (ticks, writes measure.Distribution, pings []time.Duration) {
	nowTicks, nowWrites := m.game.TickTimes(), m.wrote.Distribution()
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.ticks) == 0 {
		return nowTicks, nowWrites, nil
	}
	return nowTicks.Since(&m.ticks[0]), nowWrites.Since(&m.writes[0]), m.pings
}

// history returns the points since a time: of ten seconds as far as there are any, unless byMinute asks for minutes
// alone; older ones are of minutes.
func (m *meter) history(since time.Time, byMinute bool) []point {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := append([]point{}, after(m.past.points, since)...)
	if byMinute {
		if len(m.past.minute) > 0 {
			out = append(out, summary(m.past.minute))
		}
		return out
	}
	recent := after(m.points, since)
	if len(recent) > 0 {
		begins := recent[0].At.Truncate(time.Minute)
		out = slices.DeleteFunc(out, func(p point) bool { return !p.At.Before(begins) })
	}
	return append(out, recent...)
}

func after(points []point, since time.Time) []point {
	i, _ := slices.BinarySearchFunc(points, since, func(p point, t time.Time) int { return p.At.Compare(t) })
	return points[i:]
}

// quantile is a quantile of sorted times, in ms; nil for none.
func quantile(sorted []time.Duration, share float64) *float64 {
	if len(sorted) == 0 {
		return nil
	}
	ms := milliseconds(sorted[min(int(share*float64(len(sorted))), len(sorted)-1)])
	return &ms
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// memory is the process's memory of the system, in bytes, without the part that it has given back.
func memory() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() - s[1].Value.Uint64()
}

// fights are the counters of kills, deaths and their gains.
type fights struct{ kills, deaths, experience, money uint64 }

func fightsOf(counters map[string]uint64) fights {
	return fights{counters["kills"], counters["deaths"], counters["experience_created"], counters["money_created"]}
}

func (f fights) since(was fights) fights {
	return fights{f.kills - was.kills, f.deaths - was.deaths, f.experience - was.experience, f.money - was.money}
}
