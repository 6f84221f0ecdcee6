package game

import (
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/server/measure"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// counters are the server's counts since its start. Each is declared in [newCounters], and so is in the status and in
// the metrics.
type counters struct {
	saves, saveFailures    *measure.Counter
	changes, changesFailed *measure.Counter // of belongings; refused by the store
	changeConflicts        *measure.Counter // of belongings that were not stored as the world had them
	entitiesFailed         *measure.Counter // of the world, players among them
	ticks, slowTicks       *measure.Counter // slow: longer than the tick period
	tickTimes              *measure.Histogram

	kills, deaths                   *measure.Counter // of monsters, of players
	experienceCreated, moneyCreated *measure.Counter // by kills, money also by traders

	marks marks // where that was

	refusedWishes measure.CounterBy[rules.RejectReason] // refused requests of players about belongings
}

// newCounters declares the server's counts: each by its name in the status, its name in Prometheus, and its meaning.
func newCounters(r *measure.Registry) *counters {
	c := &counters{
		saves:        r.Counter("saves", "sphere_saves_total", "Characters and places that were saved."),
		saveFailures: r.Counter("save_failures", "sphere_save_failures_total", "Tries to save that failed."),
		changes: r.Counter("belongings_changes", "sphere_belongings_changes_total",
			"Changes of belongings that were stored."),
		changesFailed: r.Counter("belongings_failed", "sphere_belongings_failed_total",
			"Changes of belongings that the store refused."),
		changeConflicts: r.Counter("belongings_conflicts", "sphere_belongings_conflicts_total",
			"Changes of belongings that were not stored as the world had them."),
		entitiesFailed: r.Counter("entities_failed", "sphere_entities_failed_total",
			"Defects of the server that took something or somebody out of the world."),
		kills:  r.Counter("kills", "sphere_kills_total", "Monsters that were killed."),
		deaths: r.Counter("deaths", "sphere_deaths_total", "Deaths of players."),
		experienceCreated: r.Counter("experience_created", "sphere_experience_created_total",
			"Experience that kills have taught."),
		moneyCreated: r.Counter("money_created", "sphere_money_created_total",
			"Coins that kills have brought and traders have paid."),
		ticks: r.Counter("ticks", "sphere_ticks_total", "Ticks of the world."),
		slowTicks: r.Counter("ticks_slow", "sphere_ticks_slow_total",
			"Ticks of the world that took longer than their period."),
		tickTimes: r.Histogram("sphere_tick_duration_seconds", "How long ticks of the world take."),
	}
	r.DurationFunc("tick_worst_ns", "sphere_tick_worst_seconds", "The longest tick of the world since the start.",
		c.tickTimes.Max)
	measure.DeclareBy(r, &c.refusedWishes, "belongings_refused", "sphere_belongings_refused_total",
		"What players wanted with belongings and did not get.", "reason")
	return c
}

func (c *counters) tick(d time.Duration, limit time.Duration) {
	c.ticks.Add(1)
	c.tickTimes.Record(d)
	if d > limit {
		c.slowTicks.Add(1)
	}
}

// fight counts the fights of an event, and their gains. A player's gain is told by one event only: with the death to
// players that see it, by itself to all others.
func (c *counters) fight(e world.Event) {
	switch e := e.(type) {
	case *world.MonsterDied:
		c.kills.Add(1)
		c.marks.add(KillMark, e.At, 1)
		for i := range e.Gains {
			if slices.Contains(e.Viewers, e.Gains[i].ID) {
				c.gain(&e.Gains[i], e.At)
			}
		}
	case world.Gained:
		c.gain(&e.Gain, e.At)
	case world.PlayerDied:
		c.deaths.Add(1)
		c.marks.add(DeathMark, e.At, 1)
	case world.Sold:
		if _, player := e.Trader.Player(); player {
			break
		}
		c.moneyCreated.Add(uint64(max(e.Price, 0)))
		c.marks.add(MoneyMark, e.At, e.Price)
	}
}

func (c *counters) gain(g *world.Gain, at coords.Position) {
	c.moneyCreated.Add(uint64(max(g.Coins, 0)))
	c.marks.add(MoneyMark, at, g.Coins)
	c.experienceCreated.Add(uint64(max(earned(g.Was, g.Is), 0)))
}

// earned is how much experience lies between two sheets.
func earned(was, is world.Sheet) (xp int64) {
	for title := was.Title; title < is.Title; title++ {
		xp += int64(rules.NeededXP(title, was.Degree))
	}
	for degree := was.Degree; degree < is.Degree; degree++ {
		xp += int64(rules.NeededXP(is.Title, degree))
	}
	return xp + int64(is.Progress.TitleXP) - int64(was.Progress.TitleXP) + int64(is.Progress.DegreeXP) -
		int64(was.Progress.DegreeXP)
}

func (c *counters) refuse(why rules.RejectReason) { c.refusedWishes.Add(why) }

// Metrics has all that the server measures.
func (s *Server) Metrics() *measure.Registry { return &s.metrics }

// Counters returns all counts, by name.
func (s *Server) Counters() map[string]uint64 { return s.metrics.Values() }
