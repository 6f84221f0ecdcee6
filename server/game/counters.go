package game

import (
	"time"

	"sphereserver/server/measure"
	"sphereserver/world/rules"
)

// counters are what the server counts since its start. Each is declared in [newCounters], and so is in the status and
// in the metrics.
type counters struct {
	saves, saveFailures    *measure.Counter
	changes, changesFailed *measure.Counter // of belongings; refused by the store
	changeConflicts        *measure.Counter // of belongings that were not stored as the world had them
	entitiesFailed         *measure.Counter // of the world, players among them
	ticks, slowTicks       *measure.Counter // slow: longer than the tick period
	tickTimes              *measure.Histogram

	refusedWishes measure.CounterBy[rules.RejectReason] // what players wanted with belongings and did not get
}

// newCounters declares what the server counts: by its name in the status, its name in Prometheus, and what it is.
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

func (c *counters) refuse(why rules.RejectReason) { c.refusedWishes.Add(why) }

// Metrics has all that the server measures.
func (s *Server) Metrics() *measure.Registry { return &s.metrics }

// Counters returns what has been counted, by name.
func (s *Server) Counters() map[string]uint64 { return s.metrics.Values() }
