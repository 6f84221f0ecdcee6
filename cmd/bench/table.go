package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"
)

// A unit is what a figure counts.
type unit string

const (
	perSecond unit = "per second"
	seconds   unit = "seconds"
	memory    unit = "bytes"
)

// figure shows a value with three or more digits that matter.
func (u unit) figure(v float64) string {
	switch u {
	case perSecond:
		return thousands(int(v)) + "/s"
	case memory:
		return digits(v/1024) + " KiB"
	}
	for _, step := range []struct {
		name  string
		above float64
	}{{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}} {
		if v >= step.above*0.9995 {
			return digits(v/step.above) + " " + step.name
		}
	}
	return digits(v/1e-9) + " ns"
}

// middle shows the median of values.
func (u unit) middle(v []float64) string { return u.figure(median(v)) }

// digits shows at least three digits, and at most two behind the point.
func digits(v float64) string {
	places := 2
	if v >= 100 {
		places = 0
	} else if v >= 10 {
		places = 1
	}
	return strconv.FormatFloat(v, 'f', places, 64)
}

func thousands(n int) string {
	s := strconv.Itoa(n)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// A limit is what a figure has to reach.
type limit struct {
	Value   float64 `json:"value"`
	AtLeast bool    `json:"atLeast"` // otherwise at most
	OfRatio bool    `json:"ofRatio"` // otherwise of our figure itself
	unit    unit
}

func ratioAtLeast(v float64) limit         { return limit{Value: v, AtLeast: true, OfRatio: true} }
func ratioAtMost(v float64) limit          { return limit{Value: v, OfRatio: true} }
func figureAtMost(v float64, u unit) limit { return limit{Value: v, unit: u} }

func (l limit) met(v float64) bool {
	if l.AtLeast {
		return v >= l.Value
	}
	return v <= l.Value
}

func (l limit) String() string {
	sign := "≤ "
	if l.AtLeast {
		sign = "≥ "
	}
	if l.OfRatio {
		return sign + ratioFigure(l.Value)
	}
	return sign + l.unit.figure(l.Value)
}

func ratioFigure(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) + " ×" }

// A verdict is what a row comes to.
type verdict string

const (
	great    verdict = "great"
	met      verdict = "bar"
	belowBar verdict = "below bar"
	failed   verdict = "failed"
	notHere  verdict = "not measured here"
)

// A pair is what one run of ours and one of the reference gave, in the units of their row.
type pair struct {
	Ours      float64 `json:"ours"`
	Reference float64 `json:"reference"` // 0: there is none
}

// A row is one line of the table.
type row struct {
	Number string `json:"number"`
	What   string `json:"what"`
	Unit   unit   `json:"unit"`
	Bar    limit  `json:"bar"`
	Great  limit  `json:"great"`
	// AlsoGreat is what the plan asks for beside the figure; nil for nothing.
	AlsoGreat *condition `json:"alsoGreat,omitempty"`
	Pairs     []pair     `json:"runs"`
	Notes     []string   `json:"notes,omitempty"`

	// Filled in by judge: medians of the runs, the ratio being the median of each run's own.
	Ours      float64 `json:"ours"`
	Reference float64 `json:"reference"`
	Ratio     float64 `json:"ratio"`
	Verdict   verdict `json:"verdict"`
}

// A condition is something that holds or does not.
type condition struct {
	What  string `json:"what"`
	Holds bool   `json:"holds"`
}

// judge computes what follows from the runs.
func (r *row) judge() {
	if len(r.Pairs) == 0 {
		r.Verdict = failed
		return
	}
	var ours, references, ratios []float64
	for _, p := range r.Pairs {
		ours = append(ours, p.Ours)
		if p.Reference > 0 {
			references = append(references, p.Reference)
			ratios = append(ratios, p.Ours/p.Reference)
		}
	}
	r.Ours, r.Reference, r.Ratio = median(ours), median(references), median(ratios)
	reached := func(l limit) bool {
		if l.OfRatio {
			return len(ratios) > 0 && l.met(r.Ratio)
		}
		return l.met(r.Ours)
	}
	switch {
	case reached(r.Bar) && reached(r.Great) && (r.AlsoGreat == nil || r.AlsoGreat.Holds):
		r.Verdict = great
	case reached(r.Bar):
		r.Verdict = met
	default:
		r.Verdict = belowBar
	}
}

// note adds a line below the table.
func (r *row) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// median is the middle one, 0 of none.
func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(v))
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}

// A table is all that was measured.
type table struct {
	Machine machine       `json:"machine"`
	Quick   bool          `json:"quick"`
	Runs    int           `json:"runs"`
	Began   time.Time     `json:"began"`
	Took    time.Duration `json:"took"` // nanoseconds
	Rows    []*row        `json:"rows"`
}

var columns = []string{"#", "what", "ours", "reference", "ratio", "bar", "great", "verdict"}

// cells are a row's cells, in the order of columns.
func (r *row) cells() []string {
	if len(r.Pairs) == 0 {
		return []string{r.Number, r.What, "–", "–", "–", "–", "–", string(r.Verdict)}
	}
	reference, ratio := "–", "–"
	if r.Reference > 0 {
		reference, ratio = r.Unit.figure(r.Reference), ratioFigure(r.Ratio)
	}
	best := r.Great.String()
	if r.AlsoGreat != nil {
		best += ", " + r.AlsoGreat.What
	}
	return []string{r.Number, r.What, r.Unit.figure(r.Ours), reference, ratio, r.Bar.String(), best, string(r.Verdict)}
}

// title says what the figures below stand on.
func (t *table) title() string {
	s := fmt.Sprintf("%s; median of %d interleaved runs; %s, took %v", t.Machine, t.Runs, t.Began.Format(time.DateTime),
		t.Took.Round(time.Second))
	if t.Quick {
		s += "; QUICK: small sizes, not to be judged by"
	}
	return s
}

// notes are the lines below the table.
func (t *table) notes() []string {
	var out []string
	for _, r := range t.Rows {
		for _, n := range r.Notes {
			out = append(out, r.Number+": "+n)
		}
	}
	return out
}

func (t *table) writeText(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\n\n", t.title())
	fmt.Fprintln(tw, strings.Join(columns, "\t"))
	rule := make([]string, len(columns))
	for i, c := range columns {
		rule[i] = strings.Repeat("-", utf8.RuneCountInString(c))
	}
	fmt.Fprintln(tw, strings.Join(rule, "\t"))
	for _, r := range t.Rows {
		fmt.Fprintln(tw, strings.Join(r.cells(), "\t"))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, n := range t.notes() {
		fmt.Fprintln(w, n)
	}
	return nil
}

func (t *table) writeMarkdown(w io.Writer) error {
	line := func(cells []string) {
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
	}
	fmt.Fprintf(w, "%s\n\n", t.title())
	line(columns)
	line(slices.Repeat([]string{"---"}, len(columns)))
	for _, r := range t.Rows {
		line(r.cells())
	}
	fmt.Fprintln(w)
	for _, n := range t.notes() {
		fmt.Fprintf(w, "* %s\n", n)
	}
	return nil
}

func (t *table) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(t)
}
