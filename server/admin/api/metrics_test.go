package api

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"sphereserver/data"
)

func TestMetricsAreNamedAsIsUsual(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		g.players("Anna")
		g.as(data.Helper)
		problems, err := testutil.GatherAndLint(newRegistry(g.api))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range problems {
			t.Errorf("%s: %s", p.Metric, p.Text)
		}
	})
}

func TestMetricsTellWhatTheServerCounts(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		g.players("Anna", "Berta")
		g.api.meter.look(t.Context(), g.game.Started(), false)
		a := g.stranger().send("GET", "/metrics", nil)
		for _, want := range []string{"sphere_players_online 2", "sphere_connections_accepted_total 2",
			"sphere_logins_total 2", "sphere_ready 1",
			`sphere_query_datagrams_total{outcome="answers",protocol="ase"} 3`,
			`sphere_query_datagrams_total{outcome="dropped_reach",protocol="ase"} 1`,
			`sphere_query_bytes_total{direction="in",protocol="minecraft"} 4`,
			"sphere_tick_duration_seconds_bucket{le=\"0.05\"}", "go_goroutines ",
			"sphere_store_write_duration_seconds_count "} {
			if !strings.Contains(string(a.body), want) {
				t.Errorf("there is no %s", want)
			}
		}
		declared := prometheus.NewRegistry()
		declared.MustRegister(g.game.Metrics())
		families, err := declared.Gather()
		if err != nil || len(families) < 30 {
			t.Errorf("the game measures %d things, %v", len(families), err)
		}
		for _, f := range families {
			if !strings.Contains(string(a.body), "\n# TYPE "+f.GetName()+" ") {
				t.Errorf("what the game measures as %s is not there", f.GetName())
			}
		}
		if a.status != http.StatusOK || !strings.HasPrefix(a.header.Get("Content-Type"), "text/plain") {
			t.Errorf("status %d, %s", a.status, a.header.Get("Content-Type"))
		}
	})
}

// TestTheDashboardShowsMetricsThatThereAre reads the dashboard for Grafana as Grafana does: as JSON with panels and
// queries.
func TestTheDashboardShowsMetricsThatThereAre(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../contrib/grafana/sphere.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Title, UID    string
		SchemaVersion int
		Panels        []struct {
			ID      int
			Title   string
			Type    string
			GridPos struct{ H, W, X, Y int }
			Targets []struct{ Expr, RefID string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	if board.Title == "" || board.UID == "" || board.SchemaVersion < 30 || len(board.Panels) < 8 {
		t.Fatalf("%q %q, version %d, %d panels", board.Title, board.UID, board.SchemaVersion, len(board.Panels))
	}
	g := newStage(t, nil)
	g.players("Anna")
	g.api.meter.look(t.Context(), g.game.Started(), false)
	exposed := string(g.stranger().send("GET", "/metrics", nil).body) + "\nsphere_connections_total{"
	name := regexp.MustCompile(`\b(sphere|go|process)_[a-z0-9_]+`)
	ids := map[int]bool{}
	for _, p := range board.Panels {
		if ids[p.ID] || p.Title == "" || p.GridPos.W == 0 || p.GridPos.X+p.GridPos.W > 24 {
			t.Errorf("panel %d %q: expected an id of its own, a title and a place in 24 columns", p.ID, p.Title)
		}
		ids[p.ID] = true
		if p.Type != "row" && len(p.Targets) == 0 {
			t.Errorf("panel %q asks for nothing", p.Title)
		}
		for _, q := range p.Targets {
			found := name.FindAllString(q.Expr, -1)
			if len(found) == 0 {
				t.Errorf("panel %q: %q names no metric", p.Title, q.Expr)
			}
			for _, n := range found {
				if !strings.Contains(exposed, "\n"+n+"{") && !strings.Contains(exposed, "\n"+n+" ") {
					t.Errorf("panel %q: there is no metric %s", p.Title, n)
				}
			}
		}
	}
	for reason := range g.game.EndsByReason() {
		if !strings.Contains(exposed, `reason="`+reason+`"`) {
			t.Errorf("no end because of %s", reason)
		}
	}
}
