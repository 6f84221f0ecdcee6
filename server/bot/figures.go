package bot

import (
	"encoding/json"
	"maps"
	"time"
)

// Figures are how a [Swarm] is doing at a moment.
type Figures struct {
	Elapsed                                time.Duration
	Wanted, Started, Connected, InWorld    int
	Entries                                int // into the world, ever
	Peak                                   int // most in the world at once
	Pings, Pongs                           uint64
	FramesIn, FramesOut, BytesIn, BytesOut uint64
	Said, Heard                            uint64         // lines of chat
	Requests                               uint64         // requests about items
	Compared                               uint64         // sightings, with where the clients truly are
	Answers                                *Distribution  // times from position messages to their answers
	Disconnects                            map[string]int // that were not meant to be, by reason
	Violations                             []Violation
}

// Figures returns how the swarm is doing now. It may be called while the swarm runs.
func (s *Swarm) Figures() *Figures {
	f := &Figures{Wanted: s.options.Count, Started: int(s.started.Load()), Connected: int(s.connected.Load()),
		InWorld: int(s.inWorld.Load()), Entries: int(s.entries.Load()), Answers: new(Distribution)}
	for i := range s.shards {
		t := &s.shards[i]
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
	s.mu.Lock()
	defer s.mu.Unlock()
	f.Elapsed, f.Peak = time.Since(s.begin), int(s.peak)
	f.Disconnects = maps.Clone(s.disconnects)
	for _, one := range s.violations {
		one.Examples = append([]string(nil), one.Examples...)
		f.Violations = append(f.Violations, one)
	}
	return f
}

// DisconnectCount is how many connections were lost.
func (f *Figures) DisconnectCount() int {
	n := 0
	for _, k := range f.Disconnects {
		n += k
	}
	return n
}

// ViolationCount is how many violations there are, of all kinds.
func (f *Figures) ViolationCount() int {
	n := 0
	for _, one := range f.Violations {
		n += one.Count
	}
	return n
}

// Clean says whether nothing went wrong: somebody was in the world, there are no violations, and nobody lost the connection.
func (f *Figures) Clean() bool {
	return f.Entries > 0 && len(f.Violations) == 0 && len(f.Disconnects) == 0
}

// MarshalJSON gives the figures for programs; times are in milliseconds, but for those whose name says seconds.
func (f *Figures) MarshalJSON() ([]byte, error) {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	type answers struct {
		Count uint64  `json:"count"`
		P50   float64 `json:"p50_ms"`
		P90   float64 `json:"p90_ms"`
		P99   float64 `json:"p99_ms"`
		P999  float64 `json:"p999_ms"`
		Max   float64 `json:"max_ms"`
	}
	d := f.Answers
	violations, lost := f.Violations, f.Disconnects
	if violations == nil {
		violations = []Violation{}
	}
	if lost == nil {
		lost = map[string]int{}
	}
	return json.Marshal(struct {
		Seconds     float64        `json:"seconds"`
		Clients     int            `json:"clients"`
		Started     int            `json:"started"`
		Connected   int            `json:"connected"`
		InWorld     int            `json:"in_world"`
		Peak        int            `json:"in_world_peak"`
		Entries     int            `json:"entries"`
		Pings       uint64         `json:"pings"`
		Pongs       uint64         `json:"pongs"`
		FramesIn    uint64         `json:"frames_in"`
		FramesOut   uint64         `json:"frames_out"`
		BytesIn     uint64         `json:"bytes_in"`
		BytesOut    uint64         `json:"bytes_out"`
		Said        uint64         `json:"lines_said"`
		Heard       uint64         `json:"lines_heard"`
		Requests    uint64         `json:"requests_about_things"`
		Compared    uint64         `json:"sightings_compared"`
		Answers     answers        `json:"answers"`
		Disconnects map[string]int `json:"disconnects"`
		Violations  []Violation    `json:"findings"`
		Clean       bool           `json:"clean"`
	}{f.Elapsed.Seconds(), f.Wanted, f.Started, f.Connected, f.InWorld, f.Peak, f.Entries, f.Pings, f.Pongs, f.FramesIn, f.FramesOut, f.BytesIn,
		f.BytesOut, f.Said, f.Heard, f.Requests, f.Compared, answers{d.Count, ms(d.Quantile(0.5)), ms(d.Quantile(0.9)), ms(d.Quantile(0.99)), ms(d.Quantile(0.999)), ms(d.Max)}, lost,
		violations, f.Clean()})
}

// Figures are those of a single client, as of a swarm of one.
func (c *Client) Figures() *Figures {
	f := &Figures{Elapsed: time.Since(c.started), Wanted: 1, Started: 1, Answers: new(Distribution), Violations: c.Violations()}
	t := c.tally
	f.Pings, f.Pongs = t.Pings.Load(), t.Pongs.Load()
	f.FramesIn, f.FramesOut, f.BytesIn, f.BytesOut = t.FramesIn.Load(), t.FramesOut.Load(), t.BytesIn.Load(), t.BytesOut.Load()
	f.Said, f.Heard, f.Requests, f.Compared = t.Said.Load(), t.Heard.Load(), t.Requests.Load(), t.Compared.Load()
	t.Answers.AddTo(f.Answers)
	if c.wasInWorld {
		f.Entries, f.Peak = 1, 1
	}
	return f
}
