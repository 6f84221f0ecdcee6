package api

import (
	"net/http"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

var gauges = []struct {
	name, help string
	value      func(*Server) int
}{
	{"sphere_players_online", "Players in the world.", func(s *Server) int { return len(s.o.Game.World().Players) }},
	{"sphere_accounts_online", "Accounts that are logged in.", func(s *Server) int { return s.o.Game.AccountsOnline() }},
	{"sphere_instances", "Instances of dungeons, those that end among them.",
		func(s *Server) int { return len(s.o.Game.World().Instances) }},
	{"sphere_connections_open", "Connections of clients, whatever their state.",
		func(s *Server) int { return s.o.Game.Sessions() }},
	{"sphere_saves_waiting", "Characters and places that are not on the disk yet.",
		func(s *Server) int { return s.o.Game.SavesWaiting() }},
	{"sphere_store_writes_waiting", "Writes to the database that wait for their turn.",
		func(s *Server) int { return s.o.Store.Waiting() }},
	{"sphere_ready", "1 while players can come in and what they do gets to the disk.",
		func(s *Server) int {
			if s.NotReady() != "" {
				return 0
			}
			return 1
		}},
	{"sphere_backup_last_timestamp_seconds", "When the newest backup of the schedule was made; 0 for never.",
		func(s *Server) int { return int(max(0, s.o.Backups.State().LastAt.Unix())) }},
	{"sphere_start_time_seconds", "When the server was started.",
		func(s *Server) int { return int(s.o.Game.Started().Unix()) }},
}

var (
	wroteDesc = prometheus.NewDesc("sphere_store_write_duration_seconds",
		"How long writes to the database take, waiting included.", nil, nil)
	pingDesc = prometheus.NewDesc("sphere_round_trip_seconds",
		"Round trip to players as the system measures it, at the last look.", []string{"quantile"}, nil)
	queryDesc = prometheus.NewDesc("sphere_query_datagrams_total",
		"Datagrams of server browsers, by protocol and by what became of them.",
		[]string{"protocol", "outcome"}, nil)
	queryBytesDesc = prometheus.NewDesc("sphere_query_bytes_total", "Bytes of server browsers, by protocol and direction.",
		[]string{"protocol", "direction"}, nil)
	backupsDesc = prometheus.NewDesc("sphere_backups_total", "Backups that the schedule has tried, by result.",
		[]string{"result"}, nil)
)

// collector reads the server's counts when it is asked.
type collector struct{ server *Server }

// Describe implements [prometheus.Collector].
func (c collector) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(c, to) }

// Collect implements [prometheus.Collector].
func (c collector) Collect(to chan<- prometheus.Metric) {
	s := c.server
	for _, g := range gauges {
		to <- prometheus.MustNewConstMetric(prometheus.NewDesc(g.name, g.help, nil, nil), prometheus.GaugeValue,
			float64(g.value(s)))
	}
	s.o.Game.Metrics().Collect(to)
	writes := s.o.Writes.Distribution()
	to <- writes.Metric(wroteDesc)
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

// collectQueries tells the counts of answers to server browsers: "ase_answers", "minecraft_bytes_in" and so on.
func (c collector) collectQueries(to chan<- prometheus.Metric) {
	if c.server.o.Queries == nil {
		return
	}
	for name, n := range c.server.o.Queries() {
		protocol, what, ok := strings.Cut(name, "_")
		if !ok {
			continue
		}
		desc := queryDesc
		if direction, bytes := strings.CutPrefix(what, "bytes_"); bytes {
			desc, what = queryBytesDesc, direction
		}
		to <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, float64(n), protocol, what)
	}
}

func newRegistry(s *Server) *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collector{s}, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
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
