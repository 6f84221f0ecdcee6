package api

import (
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"sphereserver/server/measure"
)

// gauges are what is now.
var gauges = []struct {
	name, help string
	value      func(*Server) float64
}{
	{"sphere_players_online", "Players in the world.", func(s *Server) float64 { return float64(len(s.o.Game.World().Players)) }},
	{"sphere_accounts_online", "Accounts that are logged in.", func(s *Server) float64 { return float64(s.o.Game.AccountsOnline()) }},
	{"sphere_connections_open", "Connections of clients, whatever their state.", func(s *Server) float64 { return float64(s.o.Game.Sessions()) }},
	{"sphere_saves_waiting", "Characters and places that are not on the disk yet.", func(s *Server) float64 { return float64(s.o.Game.SavesWaiting()) }},
	{"sphere_store_writes_waiting", "Writes to the database that wait for their turn.", func(s *Server) float64 { return float64(s.o.Ops.Store.Waiting()) }},
	{"sphere_ready", "1 while players can come in and what they do gets to the disk.", func(s *Server) float64 {
		if s.notReady() == "" {
			return 1
		}
		return 0
	}},
	{"sphere_backup_last_timestamp_seconds", "When the newest backup of the schedule was made; 0 for never.", func(s *Server) float64 {
		if at := s.o.Backups.State().LastAt; !at.IsZero() {
			return float64(at.Unix())
		}
		return 0
	}},
	{"sphere_start_time_seconds", "When the server was started.", func(s *Server) float64 { return float64(s.o.Game.Started().Unix()) }},
}

// counts are what only grows, by the name that [game.Server.Counters] has for it.
var counts = []struct{ counter, name, help string }{
	{"connections_accepted", "sphere_connections_accepted_total", "Connections of clients that were accepted."},
	{"connections_refused", "sphere_connections_refused_total", "Connections of clients that were refused."},
	{"frames_in", "sphere_frames_received_total", "Frames of clients."},
	{"frames_dropped", "sphere_frames_dropped_total", "Frames of clients above their rate."},
	{"bytes_in", "sphere_received_bytes_total", "Bytes from clients."},
	{"bytes_out", "sphere_sent_bytes_total", "Bytes to clients."},
	{"pings", "sphere_position_messages_total", "Position messages that were answered."},
	{"positions_refused", "sphere_positions_refused_total", "Positions that cannot be."},
	{"moves_dropped", "sphere_moves_dropped_total", "Moves that the world had no room for."},
	{"messages_outofplace", "sphere_messages_out_of_place_total", "Messages that do not belong into the state of their session."},
	{"frames_undecodable", "sphere_frames_undecodable_total", "Frames that could not be decoded."},
	{"logins", "sphere_logins_total", "Logins."},
	{"logins_failed", "sphere_logins_failed_total", "Logins that were refused."},
	{"logins_throttled", "sphere_logins_throttled_total", "Logins that came too often."},
	{"accounts_made", "sphere_accounts_created_total", "Accounts that were made by a first login."},
	{"characters_made", "sphere_characters_created_total", "Characters that were made."},
	{"characters_deleted", "sphere_characters_deleted_total", "Characters that were deleted by their players."},
	{"saves", "sphere_saves_total", "Characters and places that were saved."},
	{"save_failures", "sphere_save_failures_total", "Tries to save that failed."},
	{"chat_lines", "sphere_chat_lines_total", "Lines of chat that were passed on."},
	{"chat_held_back", "sphere_chat_held_back_total", "Lines of chat that were not passed on: floods, repetition, mutes."},
	{"panics", "sphere_panics_total", "Defects of the server that ended one session."},
	{"ticks", "sphere_ticks_total", "Ticks of the world."},
	{"ticks_slow", "sphere_ticks_slow_total", "Ticks of the world that took longer than their period."},
}

var (
	endsDesc  = prometheus.NewDesc("sphere_connections_total", "Connections of clients that have ended, by reason.", []string{"reason"}, nil)
	tickDesc  = prometheus.NewDesc("sphere_tick_duration_seconds", "How long ticks of the world take.", nil, nil)
	wroteDesc = prometheus.NewDesc("sphere_store_write_duration_seconds", "How long writes to the database take, waiting included.", nil, nil)
	pingDesc  = prometheus.NewDesc("sphere_round_trip_seconds", "Round trip to players as the system measures it, at the last look.", []string{"quantile"}, nil)
	queryDesc = prometheus.NewDesc("sphere_query_datagrams_total", "Datagrams of server browsers, by protocol and by what became of them.",
		[]string{"protocol", "outcome"}, nil)
	queryBytesDesc = prometheus.NewDesc("sphere_query_bytes_total", "Bytes of server browsers, by protocol and direction.",
		[]string{"protocol", "direction"}, nil)
	backupsDesc = prometheus.NewDesc("sphere_backups_total", "Backups that the schedule has tried, by result.", []string{"result"}, nil)
)

// collector reads what the server counts when it is asked.
type collector struct{ server *Server }

// Describe implements [prometheus.Collector].
func (c collector) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(c, to) }

// Collect implements [prometheus.Collector].
func (c collector) Collect(to chan<- prometheus.Metric) {
	s := c.server
	for _, g := range gauges {
		to <- prometheus.MustNewConstMetric(prometheus.NewDesc(g.name, g.help, nil, nil), prometheus.GaugeValue, g.value(s))
	}
	counters := s.o.Game.Counters()
	for _, k := range counts {
		to <- prometheus.MustNewConstMetric(prometheus.NewDesc(k.name, k.help, nil, nil), prometheus.CounterValue, float64(counters[k.counter]))
	}
	for reason, n := range s.o.Game.EndsByReason() {
		to <- prometheus.MustNewConstMetric(endsDesc, prometheus.CounterValue, float64(n), reason)
	}
	to <- histogram(tickDesc, s.o.Game.TickTimes())
	to <- histogram(wroteDesc, s.o.Writes.Counted())
	_, _, pings := s.meter.recent()
	for label, share := range map[string]float64{"0.5": 0.5, "0.99": 0.99} {
		if ms := quantile(pings, share); ms != nil {
			to <- prometheus.MustNewConstMetric(pingDesc, prometheus.GaugeValue, *ms/1000, label)
		}
	}
	state := s.o.Backups.State()
	to <- prometheus.MustNewConstMetric(backupsDesc, prometheus.CounterValue, float64(state.Made), "made")
	to <- prometheus.MustNewConstMetric(backupsDesc, prometheus.CounterValue, float64(state.Failed), "failed")
	c.collectQueries(to)
}

// collectQueries tells what the answers to server browsers have counted: "ase_answers", "minecraft_bytes_in" and so on.
func (c collector) collectQueries(to chan<- prometheus.Metric) {
	if c.server.o.Queries == nil {
		return
	}
	for name, n := range c.server.o.Queries() {
		protocol, what, ok := strings.Cut(name, "_")
		if !ok {
			continue
		}
		if direction, bytes := strings.CutPrefix(what, "bytes_"); bytes {
			to <- prometheus.MustNewConstMetric(queryBytesDesc, prometheus.CounterValue, float64(n), protocol, direction)
			continue
		}
		to <- prometheus.MustNewConstMetric(queryDesc, prometheus.CounterValue, float64(n), protocol, what)
	}
}

// bounds are those of the histograms, which are coarser than what is measured.
var bounds = []time.Duration{100 * time.Microsecond, 250 * time.Microsecond, 500 * time.Microsecond, time.Millisecond, 2500 * time.Microsecond,
	5 * time.Millisecond, 10 * time.Millisecond, 25 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond, 250 * time.Millisecond,
	500 * time.Millisecond, time.Second, 2500 * time.Millisecond, 5 * time.Second}

// histogram is what was counted as Prometheus has it. A time counts to the first bound that is not below the end of its bucket, so
// each of the bounds may have some 12 % too few.
func histogram(desc *prometheus.Desc, c measure.Counted) prometheus.Metric {
	buckets, n, i := make(map[float64]uint64, len(bounds)), uint64(0), 0
	for _, bound := range bounds {
		for ; i < measure.Buckets && measure.Bound(i) <= bound; i++ {
			n += c.Counts[i]
		}
		buckets[bound.Seconds()] = n
	}
	return prometheus.MustNewConstHistogram(desc, c.N(), c.Sum.Seconds(), buckets)
}

// newRegistry knows all metrics.
func newRegistry(s *Server) *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collector{s}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

func newMetrics(s *Server) http.Handler {
	return promhttp.HandlerFor(newRegistry(s), promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}

func scrape(s *Server, r *request) { s.metrics.ServeHTTP(r.w, r.Request) }

// profile serves a page of package pprof, which has inline styles.
func profile(serve http.HandlerFunc) func(*Server, *request) {
	return func(_ *Server, r *request) {
		r.w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
		r.w.Header().Set("Cache-Control", "no-store")
		serve(r.w, r.Request)
	}
}
