package main

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestFigures(t *testing.T) {
	for _, c := range []struct {
		u    unit
		v    float64
		want string
	}{
		{perSecond, 154321.9, "154,321/s"}, {perSecond, 99, "99/s"}, {perSecond, 1234567, "1,234,567/s"},
		{seconds, 1, "1.00 s"}, {seconds, 18.25, "18.2 s"}, {seconds, 0.0183, "18.3 ms"}, {seconds, 15.84e-6, "15.8 µs"},
		{seconds, 412e-9, "412 ns"}, {seconds, 0, "0.00 ns"}, {memory, 2980, "2.91 KiB"}, {memory, 8 << 10, "8.00 KiB"},
	} {
		if got := c.u.figure(c.v); got != c.want {
			t.Errorf("%v %s: got %q, want %q", c.v, c.u, got, c.want)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		of   []float64
		want float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 1, 2, 9}, 3}} {
		if got := median(c.of); got != c.want {
			t.Errorf("%v: got %v, want %v", c.of, got, c.want)
		}
	}
}

func TestVerdicts(t *testing.T) {
	three := []pair{{80, 100}, {10, 100}, {90, 100}} // one run was disturbed
	for _, c := range []struct {
		name       string
		row        row
		want       verdict
		ours, rate float64
	}{
		{"more is better", row{Bar: ratioAtLeast(0.8), Great: ratioAtLeast(0.9), Pairs: three}, met, 80, 0.8},
		{"great", row{Bar: ratioAtLeast(0.6), Great: ratioAtLeast(0.8), Pairs: three}, great, 80, 0.8},
		{"below", row{Bar: ratioAtLeast(0.85), Great: ratioAtLeast(0.9), Pairs: three}, belowBar, 80, 0.8},
		{"less is better", row{Bar: ratioAtMost(1), Great: ratioAtMost(0.5), Pairs: three}, met, 80, 0.8},
		{"no reference", row{Bar: figureAtMost(1, seconds), Great: figureAtMost(0.2, seconds), Pairs: []pair{{Ours: 0.1}}},
			great, 0.1, 0},
		{"figure beside a reference", row{Bar: figureAtMost(8, memory), Great: figureAtMost(3, memory),
			Pairs: []pair{{5, 1}}}, met, 5, 5},
		{"a ratio without a reference", row{Bar: ratioAtMost(1), Great: ratioAtMost(1), Pairs: []pair{{Ours: 1}}}, belowBar,
			1, 0},
		{"condition holds", row{Bar: ratioAtMost(2), Great: ratioAtMost(1), Also: &condition{What: "calm", Holds: true},
			Pairs: three}, great, 80, 0.8},
		{"condition fails", row{Bar: ratioAtMost(2), Great: ratioAtMost(1), Also: &condition{What: "calm"},
			Pairs: three}, met, 80, 0.8},
		{"condition of the bar fails", row{Bar: ratioAtMost(2), Great: ratioAtMost(1),
			Also: &condition{What: "calm", InBar: true}, Pairs: three}, belowBar, 80, 0.8},
		{"great in vain", row{Bar: ratioAtMost(0.5), Great: ratioAtMost(1), Pairs: three}, belowBar, 80, 0.8},
		{"nothing", row{Bar: ratioAtMost(2), Great: ratioAtMost(1)}, failed, 0, 0},
	} {
		c.row.judge(0)
		if c.row.Verdict != c.want || c.row.Ours != c.ours || c.row.Ratio != c.rate {
			t.Errorf("%s: %s, ours %v, ratio %v; want %s, %v, %v", c.name, c.row.Verdict, c.row.Ours, c.row.Ratio, c.want,
				c.ours, c.rate)
		}
		if missed := c.want == belowBar || c.want == failed; c.row.Missed != missed {
			t.Errorf("%s: %s counts as missed: %t", c.name, c.want, c.row.Missed)
		}
	}
}

// With slack a bar is missed only by a figure that is off by more than that part of it; the verdict does not change.
func TestSlack(t *testing.T) {
	const third = 1.0 / 3
	for _, c := range []struct {
		bar    limit
		is     pair
		slack  float64
		want   verdict
		missed bool
	}{
		{ratioAtLeast(0.75), pair{0.74, 1}, 0, belowBar, true},
		{ratioAtLeast(0.75), pair{0.51, 1}, third, belowBar, false},
		{ratioAtLeast(0.75), pair{0.49, 1}, third, belowBar, true},
		{ratioAtLeast(0.75), pair{0.75, 1}, third, met, false},
		{ratioAtMost(1.5), pair{1.99, 1}, third, belowBar, false},
		{ratioAtMost(1.5), pair{2.01, 1}, third, belowBar, true},
		{figureAtMost(0.9, seconds), pair{Ours: 1.19}, third, belowBar, false},
		{figureAtMost(0.9, seconds), pair{Ours: 1.21}, third, belowBar, true},
		{figureAtMost(6<<10, memory), pair{8.1 * 1024, 100}, third, belowBar, true},
	} {
		great := c.bar
		great.Value = map[bool]float64{true: 99, false: 0}[great.AtLeast]
		r := row{Bar: c.bar, Great: great, Pairs: []pair{c.is}}
		if r.judge(c.slack); r.Verdict != c.want || r.Missed != c.missed {
			t.Errorf("%+v at %s with %.2f: %s, missed %t", c.is, c.bar, c.slack, r.Verdict, r.Missed)
		}
	}
}

// Of several attempts the better figure of each row counts, in whichever it was.
func TestTheBetterAttemptCounts(t *testing.T) {
	judged := func(bar limit, ratio float64) *row {
		r := &row{Bar: bar, Great: bar, Pairs: []pair{{ratio, 1}}}
		r.judge(0)
		return r
	}
	most := func(v float64) *row { return judged(ratioAtMost(2), v) }
	least := func(v float64) *row { return judged(ratioAtLeast(0.8), v) }
	broken := []*row{{Verdict: failed, Missed: true}}
	for _, c := range []struct {
		name string
		a, b []*row
		want []float64 // ratios
		miss bool
	}{
		{"the second", []*row{most(3)}, []*row{most(1)}, []float64{1}, false},
		{"the first", []*row{most(3)}, []*row{most(4)}, []float64{3}, true},
		{"more is better", []*row{least(0.5)}, []*row{least(0.9)}, []float64{0.9}, false},
		{"each row its own", []*row{most(3), least(0.9)}, []*row{most(1), least(0.5)}, []float64{1, 0.9}, false},
		{"a failure after a miss", []*row{most(3)}, broken, []float64{3}, true},
		{"a failure half way", []*row{most(1), least(0.9)}, append([]*row{most(0.5)}, broken...), []float64{1, 0.9}, false},
		{"a miss after a failure", broken, []*row{most(3)}, []float64{3}, true},
		{"two failures", broken, broken, []float64{0}, true},
	} {
		best := better(c.a, c.b)
		var got []float64
		for _, r := range best {
			got = append(got, r.Ratio)
		}
		if !slices.Equal(got, c.want) || anyMissed(best) != c.miss {
			t.Errorf("%s: %v, missed %t", c.name, got, anyMissed(best))
		}
	}
}

// sample is a table with a row of each form.
func sample() *table {
	rows := []*row{
		{Number: "P1", What: "answers", Unit: perSecond, Bar: ratioAtLeast(0.8), Great: ratioAtLeast(0.92),
			Pairs: []pair{{95000, 100000}}, Notes: []string{"a note"}},
		{Number: "P7", What: "encode", Unit: seconds, Bar: ratioAtMost(2), Great: ratioAtMost(1.3),
			Also:  &condition{What: "no allocations"},
			Pairs: []pair{{300e-9, 250e-9}}},
		{Number: "P11", What: "start", Unit: seconds, Bar: figureAtMost(1, seconds), Great: figureAtMost(0.2, seconds),
			Pairs: []pair{{Ours: 1.5}}},
	}
	for _, r := range rows {
		r.judge(0)
	}
	rows = append(rows, &row{Number: "P3", Verdict: notHere})
	return &table{Machine: machine{"linux/amd64", "go1.26", 2, ""}, Commit: "abc1234", Quick: true, Runs: 3,
		Began: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Took:  90 * time.Second, Rows: rows}
}

func TestTextTable(t *testing.T) {
	var out strings.Builder
	if err := sample().writeText(&out); err != nil {
		t.Fatal(err)
	}
	const want = `linux/amd64, go1.26, 2 CPUs; median of up to 3 interleaved runs; 2026-01-02 03:04:05, took 1m30s; commit abc1234; QUICK: small sizes, which tell of bars that are missed by far

#    what     ours      reference  ratio   bar       great                     verdict
-    ----     ----      ---------  -----   ---       -----                     -------
P1   answers  95,000/s  100,000/s  0.95 ×  ≥ 0.80 ×  ≥ 0.92 ×                  great
P7   encode   300 ns    250 ns     1.20 ×  ≤ 2.00 ×  ≤ 1.30 ×, no allocations  bar
P11  start    1.50 s    –          –       ≤ 1.00 s  ≤ 200 ms                  below bar
P3            –         –          –       –         –                         not measured here

P1: a note
`
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The bars that fall short stand at the end, in a line each: number, figure, bar.
func TestShortfalls(t *testing.T) {
	s := sample()
	s.Rows = append(s.Rows, &row{Number: "P9", Verdict: failed, Missed: true, Notes: []string{"run 1, ours: no luck"}},
		&row{Number: "P5", Verdict: leftOut, Notes: []string{"why"}})
	const want = "bars fall short (2):\nP11 start: 1.50 s, bar ≤ 1.00 s\nP9 failed: run 1, ours: no luck"
	if err := s.missed(); !errors.Is(err, errMissed) || err.Error() != want {
		t.Errorf("got %v", err)
	}
	slow := &row{Number: "P2", What: "answers", Bar: ratioAtLeast(0.75), Great: ratioAtLeast(0.9), Unit: perSecond,
		Pairs: []pair{{7, 10}}}
	slow.judge(0)
	if got := slow.shortfall(); got != "P2 answers: 0.70 ×, bar ≥ 0.75 ×" {
		t.Error(got)
	}
	s.Rows = s.Rows[:2] // great, and met
	if err := s.missed(); err != nil {
		t.Error(err)
	}
}

func TestMarkdownTable(t *testing.T) {
	var out strings.Builder
	if err := sample().writeMarkdown(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\n| # | what | ours | reference | ratio | bar | great | verdict |\n| --- | --- | --- | --- | --- | --- | --- | " +
			"--- |\n",
		"\n| P1 | answers | 95,000/s | 100,000/s | 0.95 × | ≥ 0.80 × | ≥ 0.92 × | great |\n",
		"\n| P3 |  | – | – | – | – | – | not measured here |\n",
		"\n* P1: a note\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
}

func TestJSONTable(t *testing.T) {
	var out strings.Builder
	if err := sample().writeJSON(&out); err != nil {
		t.Fatal(err)
	}
	var back table
	if err := json.Unmarshal([]byte(out.String()), &back); err != nil {
		t.Fatal(err)
	}
	if r := back.Rows[0]; r.Ours != 95000 || r.Ratio != 0.95 || r.Verdict != great || !r.Bar.AtLeast || len(r.Pairs) != 1 {
		t.Errorf("got %+v", r)
	}
}
