package bot

import (
	"encoding/json"
	"maps"
	"time"

	"sphereserver/server/measure"
)

// Counts are what tallies had counted at a moment.
type Counts struct {
	Pings     uint64 `json:"pings"`
	Pongs     uint64 `json:"pongs"`
	FramesIn  uint64 `json:"frames_in"`
	FramesOut uint64 `json:"frames_out"`
	BytesIn   uint64 `json:"bytes_in"`
	BytesOut  uint64 `json:"bytes_out"`
	Said      uint64 `json:"lines_said"`
	Heard     uint64 `json:"lines_heard"`
	Requests  uint64 `json:"requests_about_things"`
	Compared  uint64 `json:"sightings_compared"`
}

// Figures are how a [Swarm] is doing at a moment.
type Figures struct {
	Elapsed   time.Duration `json:"-"`
	Wanted    int           `json:"clients"`
	Started   int           `json:"started"`
	Connected int           `json:"connected"`
	InWorld   int           `json:"in_world"`
	Peak      int           `json:"in_world_peak"` // most at once
	Entries   int           `json:"entries"`       // into the world, ever
	Counts
	Answers     *measure.Distribution `json:"-"`           // times from position messages to their answers
	Disconnects map[string]int        `json:"disconnects"` // that were not meant to be, by reason
	Violations  []Violation           `json:"findings"`
}

func (f *Figures) add(t *Tally) {
	f.Pings += t.Pings.Load()
	f.Pongs += t.Pongs.Load()
	f.FramesIn += t.FramesIn.Load()
	f.FramesOut += t.FramesOut.Load()
	f.BytesIn += t.BytesIn.Load()
	f.BytesOut += t.BytesOut.Load()
	f.Said += t.Said.Load()
	f.Heard += t.Heard.Load()
	f.Requests += t.Requests.Load()
	f.Compared += t.Compared.Load()
	t.Answers.AddTo(f.Answers)
}

// Figures returns how the swarm is doing now. It may be called while the swarm runs.
func (s *Swarm) Figures() *Figures {
	f := &Figures{Wanted: s.options.Count, Started: int(s.started.Load()), Connected: int(s.connected.Load()),
		InWorld: int(s.inWorld.Load()), Entries: int(s.entries.Load()), Answers: new(measure.Distribution)}
	for i := range s.shards {
		f.add(&s.shards[i])
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f.Elapsed, f.Peak = time.Since(s.begin), int(s.peak)
	f.Disconnects, f.Violations = maps.Clone(s.disconnects), copyViolations(s.violations)
	return f
}

// Figures are those of a single client, as of a swarm of one.
func (c *Client) Figures() *Figures {
	f := &Figures{Elapsed: time.Since(c.started), Wanted: 1, Started: 1, Answers: new(measure.Distribution),
		Violations: c.Violations()}
	f.add(c.tally)
	if c.wasInWorld {
		f.Entries, f.Peak = 1, 1
	}
	return f
}

// DisconnectCount is how many connections were lost.
func (f *Figures) DisconnectCount() (n int) {
	for _, k := range f.Disconnects {
		n += k
	}
	return n
}

// ViolationCount is how many violations there are, of all kinds.
func (f *Figures) ViolationCount() (n int) {
	for _, one := range f.Violations {
		n += one.Count
	}
	return n
}

// Clean says whether nothing went wrong: somebody was in the world, there are no violations, and nobody lost the
// connection.
func (f *Figures) Clean() bool {
	return f.Entries > 0 && len(f.Violations) == 0 && len(f.Disconnects) == 0
}

// MarshalJSON gives the figures for programs; times are in milliseconds, but for those whose name says seconds.
func (f *Figures) MarshalJSON() ([]byte, error) {
	type plain Figures
	p := plain(*f)
	p.Violations = append([]Violation{}, p.Violations...)
	if p.Disconnects == nil {
		p.Disconnects = map[string]int{}
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	answers := map[string]any{"count": f.Answers.Count, "max_ms": ms(f.Answers.Max)}
	for name, q := range map[string]float64{"p50_ms": 0.5, "p90_ms": 0.9, "p99_ms": 0.99, "p999_ms": 0.999} {
		answers[name] = ms(f.Answers.Quantile(q))
	}
	return json.Marshal(struct {
		Seconds float64 `json:"seconds"`
		plain
		Answers map[string]any `json:"answers"`
		Clean   bool           `json:"clean"`
	}{f.Elapsed.Seconds(), p, answers, f.Clean()})
}
