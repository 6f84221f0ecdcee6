package bot

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"sphereserver/server/measure"
)

// A Table shows the figures of a swarm as they change: in place on a terminal, else a line now and then.
type Table struct {
	w        io.Writer
	terminal bool
	drawn    int // lines on the terminal
	last     *Figures
}

// NewTable returns a table that writes to w.
func NewTable(w io.Writer, terminal bool) *Table {
	return &Table{w: w, terminal: terminal, last: &Figures{Answers: new(measure.Distribution)}}
}

// Follow shows the figures until ctx ends.
func (t *Table) Follow(ctx context.Context, s *Swarm) {
	every := 5 * time.Second
	if t.terminal {
		every = time.Second
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			t.Show(s.Figures())
		}
	}
}

// Show shows the figures of now; rates and answers are those since the last time.
func (t *Table) Show(f *Figures) {
	defer func() { t.last = f }()
	if !t.terminal {
		fmt.Fprintln(t.w, t.line(f))
		return
	}
	var b strings.Builder
	if t.drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", t.drawn)
	}
	lines := t.lines(f)
	for _, line := range lines {
		b.WriteString(line)
		b.WriteString("\x1b[K\n")
	}
	b.WriteString("\x1b[J")
	t.drawn = len(lines)
	_, _ = io.WriteString(t.w, b.String())
}

// Finish replaces the table by the summary of the whole run.
func (t *Table) Finish(f *Figures) {
	if t.drawn > 0 {
		fmt.Fprintf(t.w, "\x1b[%dA\x1b[J", t.drawn)
		t.drawn = 0
	}
	_, _ = io.WriteString(t.w, Summary(f))
}

func (t *Table) line(f *Figures) string {
	d := f.Answers.Since(t.last.Answers)
	return fmt.Sprintf("%s  connected %d  in world %d  pings/s %.0f  answers p50 %s p99 %s max %s  disconnects %d  findings %d", clockText(f.Elapsed),
		f.Connected, f.InWorld, t.rate(f, f.Pings,
			t.last.Pings), milliseconds(d.Quantile(0.5)), milliseconds(d.Quantile(0.99)), milliseconds(d.Max),
		f.DisconnectCount(), f.ViolationCount())
}

func (t *Table) lines(f *Figures) []string {
	d := f.Answers.Since(t.last.Answers)
	out := []string{
		fmt.Sprintf("%s  %d of %d started, %d connected, %d in the world", clockText(f.Elapsed), f.Started, f.Wanted,
			f.Connected, f.InWorld),
		fmt.Sprintf("  pings     %8.0f /s   answers p50 %s, p99 %s, max %s", t.rate(f, f.Pings, t.last.Pings),
			milliseconds(d.Quantile(0.5)),
			milliseconds(d.Quantile(0.99)), milliseconds(d.Max)),
		fmt.Sprintf("  received  %8.0f /s   %s/s", t.rate(f, f.FramesIn, t.last.FramesIn),
			bytesText(t.rate(f, f.BytesIn, t.last.BytesIn))),
		fmt.Sprintf("  sent      %8.0f /s   %s/s", t.rate(f, f.FramesOut, t.last.FramesOut),
			bytesText(t.rate(f, f.BytesOut, t.last.BytesOut))),
	}
	if f.Compared > 0 {
		out = append(out, fmt.Sprintf("  compared  %8.0f /s   sightings with where the clients are",
			t.rate(f, f.Compared, t.last.Compared)))
	}
	if f.Said+f.Heard > 0 {
		out = append(out, fmt.Sprintf("  chat      %8.1f /s   said, %.1f/s heard", t.rate(f, f.Said, t.last.Said),
			t.rate(f, f.Heard, t.last.Heard)))
	}
	if f.Requests > 0 {
		out = append(out, fmt.Sprintf("  things    %8.1f /s   requests", t.rate(f, f.Requests, t.last.Requests)))
	}
	return append(out, troubles(f, false)...)
}

// rate is how many per second there were since the last time.
func (t *Table) rate(f *Figures, now, before uint64) float64 {
	seconds := (f.Elapsed - t.last.Elapsed).Seconds()
	if seconds <= 0 {
		return 0
	}
	return float64(now-before) / seconds
}

// troubles lists what went wrong.
func troubles(f *Figures, examples bool) []string {
	out := []string{fmt.Sprintf("  disconnects %d, findings %d", f.DisconnectCount(), f.ViolationCount())}
	for _, reason := range slices.Sorted(maps.Keys(f.Disconnects)) {
		out = append(out, fmt.Sprintf("    %s × %d", reason, f.Disconnects[reason]))
	}
	for _, one := range f.Violations {
		out = append(out, fmt.Sprintf("    %s × %d", one.Kind, one.Count))
		if examples {
			for _, e := range one.Examples {
				out = append(out, "      "+e)
			}
		}
	}
	return out
}

// Summary is what there is to say about a run when it is over.
func Summary(f *Figures) string {
	d := f.Answers
	rate := 0.0
	if s := f.Elapsed.Seconds(); s > 0 {
		rate = float64(f.Pings) / s
	}
	lines := []string{
		fmt.Sprintf("%s  %d clients, %d entries into the world, %d at once", clockText(f.Elapsed), f.Started, f.Entries,
			f.Peak),
		fmt.Sprintf("  pings     %d, answered %d, %.0f /s on average", f.Pings, f.Pongs, rate),
		fmt.Sprintf("  answers   p50 %s, p90 %s, p99 %s, p99.9 %s, max %s", milliseconds(d.Quantile(0.5)),
			milliseconds(d.Quantile(0.9)),
			milliseconds(d.Quantile(0.99)), milliseconds(d.Quantile(0.999)), milliseconds(d.Max)),
		fmt.Sprintf("  received  %d frames, %s", f.FramesIn, bytesText(float64(f.BytesIn))),
		fmt.Sprintf("  sent      %d frames, %s", f.FramesOut, bytesText(float64(f.BytesOut))),
	}
	if f.Compared > 0 {
		lines = append(lines, fmt.Sprintf("  compared  %d sightings with where the clients are", f.Compared))
	}
	if f.Said+f.Heard > 0 {
		lines = append(lines, fmt.Sprintf("  chat      %d lines said, %d heard", f.Said, f.Heard))
	}
	if f.Requests > 0 {
		lines = append(lines, fmt.Sprintf("  things    %d requests", f.Requests))
	}
	lines = append(lines, troubles(f, true)...)
	if f.Entries == 0 {
		lines = append(lines, "  nobody came into the world")
	}
	return strings.Join(lines, "\n") + "\n"
}

// clockText shows a time since the beginning.
func clockText(d time.Duration) string {
	s := int(d.Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

func bytesText(n float64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", n/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", n/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", n/(1<<10))
	}
	return fmt.Sprintf("%.0f B", n)
}
