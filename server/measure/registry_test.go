package measure

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"
)

type reason uint8

func (r reason) String() string {
	return [...]string{"unknown", "could not be stored", "Player's own, twice-over"}[r]
}

// TestWhatIsDeclaredIsInStatusAndMetrics has one declaration of each kind.
func TestWhatIsDeclaredIsInStatusAndMetrics(t *testing.T) {
	var r Registry
	var refused CounterBy[reason]
	c := r.Counter("frames_in", "x_frames_received_total", "Frames.")
	r.CounterFunc("moves", "x_moves_total", "Moves.", func() uint64 { return 3 })
	r.DurationFunc("worst_ns", "x_worst_seconds", "The worst.", func() time.Duration { return 1500 * time.Millisecond })
	h := r.Histogram("x_duration_seconds", "How long.")
	DeclareBy(&r, &refused, "refused", "x_refused_total", "Refused.", "reason")

	c.Add(2)
	h.Record(30 * time.Millisecond)
	h.Record(90 * time.Microsecond)
	refused.Add(1)
	refused.Add(2)
	refused.Add(2)

	want := map[string]uint64{"frames_in": 2, "moves": 3, "worst_ns": 1500000000, "refused_could_not_be_stored": 1,
		"refused_players_own_twice_over": 2}
	if got := r.Values(); !maps.Equal(got, want) {
		t.Errorf("the status has %v, want %v", got, want)
	}
	err := testutil.CollectAndCompare(&r, strings.NewReader(`
# HELP x_frames_received_total Frames.
# TYPE x_frames_received_total counter
x_frames_received_total 2
# HELP x_moves_total Moves.
# TYPE x_moves_total counter
x_moves_total 3
# HELP x_refused_total Refused.
# TYPE x_refused_total counter
x_refused_total{reason="Player's own, twice-over"} 2
x_refused_total{reason="could not be stored"} 1
# HELP x_worst_seconds The worst.
# TYPE x_worst_seconds gauge
x_worst_seconds 1.5
`), "x_frames_received_total", "x_moves_total", "x_worst_seconds", "x_refused_total")
	if err != nil {
		t.Error(err)
	}
	all := prometheus.NewPedanticRegistry() // checks that all that is collected was described
	all.MustRegister(&r)
	families, err := all.Gather()
	if err != nil || len(families) != 5 {
		t.Fatalf("%d families, %v", len(families), err)
	}
	i := slices.IndexFunc(families, func(f *dto.MetricFamily) bool { return f.GetName() == "x_duration_seconds" })
	d := families[i].Metric[0].Histogram
	if d.GetSampleCount() != 2 || d.Bucket[0].GetCumulativeCount() != 1 || d.Bucket[8].GetCumulativeCount() != 2 {
		t.Errorf("histogram %v", d)
	}
}

func TestANameIsDeclaredOnce(t *testing.T) {
	var r Registry
	r.Counter("a", "a_total", "A.")
	defer func() {
		if recover() == nil {
			t.Error("the same name twice was taken")
		}
	}()
	r.Counter("a", "b_total", "B.")
}

func TestCountingAllocatesNothing(t *testing.T) {
	var r Registry
	var by CounterBy[reason]
	c, h := r.Counter("a", "a_total", "A."), r.Histogram("b_seconds", "B.")
	if n := testing.AllocsPerRun(100, func() {
		c.Add(1)
		by.Add(1)
		h.Record(time.Millisecond)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestAnyNumberMayCountAtOnce(t *testing.T) {
	var r Registry
	c, h := r.Counter("a", "a_total", "A."), r.Histogram("b_seconds", "B.")
	var closed CounterBy[reason]
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for i := range 500 {
				c.Add(1)
				h.Record(time.Duration(i) * time.Microsecond)
				closed.Add(0)
				if i%100 == 0 {
					r.Values()
				}
			}
		})
	}
	wait.Wait()
	if d := h.Distribution(); c.Load() != 2000 || d.Count != 2000 || d.Max != 499*time.Microsecond ||
		closed.Counts()["unknown"] != 2000 {
		t.Errorf("counted %d, %d up to %v, %v", c.Load(), d.Count, d.Max, closed.Counts())
	}
}
