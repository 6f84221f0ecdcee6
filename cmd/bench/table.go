package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"
)

// A unit is the unit of a figure.
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
		if v >= 1<<20 {
			return digits(v/(1<<20)) + " MiB"
		}
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

// A limit is the value that a figure has to reach.
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

// loosened is the limit for a figure that may miss it by a part of it.
func (l limit) loosened(slack float64) limit {
	if l.AtLeast {
		l.Value *= 1 - slack
	} else {
		l.Value *= 1 + slack
	}
	return l
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

func ratioFigure(v float64) string {
	if v < 0.1 {
		return strconv.FormatFloat(v, 'g', 2, 64) + " ×"
	}
	return strconv.FormatFloat(v, 'f', 2, 64) + " ×"
}

// A verdict is the result of a row.
type verdict string

const (
	great    verdict = "great"
	met      verdict = "bar"
	belowBar verdict = "below bar"
	failed   verdict = "failed"
	notHere  verdict = "not measured here"
	leftOut  verdict = "left out"
)

// A pair has the figures of one run of ours and one of the reference, in the units of their row.
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
	// Also is the condition beside the figure; nil for none.
	Also  *condition `json:"also,omitempty"`
	Pairs []pair     `json:"runs"`
	Notes []string   `json:"notes,omitempty"`

	// Filled in by judge: medians of the runs, the ratio being the median of each run's own.
	Ours      float64 `json:"ours"`
	Reference float64 `json:"reference"`
	Ratio     float64 `json:"ratio"`
	Verdict   verdict `json:"verdict"`
	// Missed makes the exit code 1: below the bar by more than the slack of the sizes.
	Missed bool `json:"missed"`
}

// A condition is something that holds or does not.
type condition struct {
	What  string `json:"what"`
	Holds bool   `json:"holds"`
	InBar bool   `json:"inBar"` // the bar asks for it, and not only the great value
}

// judge computes the results of the runs. A figure may miss its bar by slack, a part of the bar, before the bar
// counts as missed.
func (r *row) judge(slack float64) {
	if len(r.Pairs) == 0 {
		r.Verdict, r.Missed = failed, true
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
	reached := func(l limit) bool { return (!l.OfRatio || len(ratios) > 0) && l.met(r.judged()) }
	holds := r.Also == nil || r.Also.Holds
	fits := holds || !r.Also.InBar
	r.Missed = !fits || !reached(r.Bar.loosened(slack))
	switch {
	case holds && reached(r.Bar) && reached(r.Great):
		r.Verdict = great
	case fits && reached(r.Bar):
		r.Verdict = met
	default:
		r.Verdict = belowBar
	}
}

// judged is the subject of the bar: the ratio or our figure.
func (r *row) judged() float64 {
	if r.Bar.OfRatio {
		return r.Ratio
	}
	return r.Ours
}

// better takes of two attempts at one bar the better row each time: other work of the machine makes a figure worse,
// in one attempt or another, but a program that has become slower is slow in all of them. An attempt that failed
// counts for nothing beside one that did not.
func better(a, b []*row) []*row {
	unmeasured := func(r *row) bool { return len(r.Pairs) == 0 }
	switch {
	case slices.ContainsFunc(b, unmeasured):
		return a
	case slices.ContainsFunc(a, unmeasured):
		return b
	}
	best := slices.Clone(a)
	for i, r := range b {
		if was := a[i].judged(); r.Bar.AtLeast && r.judged() > was || !r.Bar.AtLeast && r.judged() < was {
			best[i] = r
		}
	}
	return best
}

func anyMissed(rows []*row) bool {
	return slices.ContainsFunc(rows, func(r *row) bool { return r.Missed })
}

// shortfall is the line of a row that is missed: number, figure, bar.
func (r *row) shortfall() string {
	if r.Verdict == failed {
		return r.Number + " " + string(failed) + ": " + strings.Join(r.Notes, "; ")
	}
	figure := r.Unit.figure(r.judged())
	if r.Bar.OfRatio {
		figure = ratioFigure(r.judged())
	}
	if r.Also != nil && r.Also.InBar && !r.Also.Holds {
		figure += ", not " + r.Also.What
	}
	return fmt.Sprintf("%s %s: %s, bar %s", r.Number, r.What, figure, r.bar())
}

// bar is the bar with its condition.
func (r *row) bar() string {
	if r.Also != nil && r.Also.InBar {
		return r.Bar.String() + ", " + r.Also.What
	}
	return r.Bar.String()
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
	Commit  string        `json:"commit,omitempty"`
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
	if r.Also != nil {
		best += ", " + r.Also.What
	}
	return []string{r.Number, r.What, r.Unit.figure(r.Ours), reference, ratio, r.bar(), best, string(r.Verdict)}
}

// title describes the basis of the figures below.
func (t *table) title() string {
	s := fmt.Sprintf("%s; median of up to %d interleaved runs; %s, took %v", t.Machine, t.Runs,
		t.Began.Format(time.DateTime), t.Took.Round(time.Second))
	if t.Commit != "" {
		s += "; commit " + t.Commit
	}
	if t.Quick {
		s += "; QUICK: small sizes, which tell of bars that are missed by far"
	}
	return s
}

// missed says which bars fall short, in a line each; nil if none does.
func (t *table) missed() error {
	var lines []string
	for _, r := range t.Rows {
		if r.Missed {
			lines = append(lines, r.shortfall())
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return fmt.Errorf("%w (%d):\n%s", errMissed, len(lines), strings.Join(lines, "\n"))
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

// errMissed is the end of a run in which not every bar is met.
var errMissed = errors.New("bars fall short")

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
