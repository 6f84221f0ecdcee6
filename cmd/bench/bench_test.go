package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sphereserver/server/passwords"
)

// shipped are the small sizes that ship; the tests have smaller ones.
var shipped sizes

// The tests are a program of which servers are started, as the real one is.
func TestMain(m *testing.M) {
	if passwords.Called() {
		os.Exit(passwords.Main())
	}
	if len(os.Args) > 1 {
		if serve, ok := servers[os.Args[1]]; ok {
			os.Exit(runServer(serve, os.Args[2:]))
		}
	}
	shipped = quickSizes
	quickSizes = sizes{sessions: 20, manySessions: 40, pacedSessions: 10, pacedRate: 200, idleSessions: 60,
		characters: 120, logins: 4, walkers: 20, manyWalkers: 60, walkRate: 10, manyWalkRate: 10, warm: 50 * time.Millisecond,
		window: 200 * time.Millisecond, slack: 1e6}
	os.Exit(m.Run())
}

// A bar comes to a figure, which depends on the machine and its other work, so it is not tested. One stands for all: make
// quick-bench measures the others.
func TestABarComesToAFigure(t *testing.T) {
	var out, progress strings.Builder
	args := []string{"--quick", "--json", "--runs", "1", "--dir", t.TempDir(), "--only", "p1"}
	if err := run(t.Context(), args, &out, &progress); err != nil {
		t.Fatalf("%v\n%s", err, progress.String())
	}
	var got table
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Rows) == 0 {
		t.Fatal("no row")
	}
	for _, r := range got.Rows {
		if r.Verdict == notHere {
			elsewhere(t, r.Notes)
		}
		if r.Number != "P1" || r.What == "" || r.Ours <= 0 || r.Reference <= 0 {
			t.Errorf("%+v\n%s", r, progress.String())
		}
	}
}

func TestFiguresOfABenchmark(t *testing.T) {
	const out = `goos: linux
BenchmarkA/b-2         	     100	     12345 ns/op	       342 bytes	       0 B/op	       0 allocs/op
BenchmarkA/b-bare-2    	     100	       1.5 ns/op
BenchmarkA/b 	 7	 2.5e3 rows/s
PASS
`
	got := readFigures([]byte(out), "BenchmarkA/b")
	want := figures{"ns/op": 12345, "bytes": 342, "B/op": 0, "allocs/op": 0, "rows/s": 2500}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := readFigures([]byte(out), "BenchmarkC"); len(got) > 0 {
		t.Errorf("got %v of a benchmark that has not run", got)
	}
}

// Each row of a loop names benchmarks of its package.
func TestLoopsNameBenchmarksOfTheirPackage(t *testing.T) {
	for number, all := range loops {
		if loopNotes[number] == "" {
			t.Errorf("%s has no note", number)
		}
		for _, l := range all {
			files, err := filepath.Glob("../../" + l.pkg + "/*bench_test.go")
			if err != nil || len(files) == 0 {
				t.Fatalf("%s: %s has no benchmarks, %v", number, l.pkg, err)
			}
			var text []byte
			for _, file := range files {
				one, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				text = append(text, one...)
			}
			for _, m := range []metric{l.ours, l.bare} {
				if name, _, _ := strings.Cut(m.benchmark, "/"); !strings.Contains(string(text), "func "+name+"(") {
					t.Errorf("%s: %s has no %s", number, l.pkg, name)
				}
			}
		}
	}
}

func TestCommandLine(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string // in the error
	}{
		{[]string{"--only", "P99"}, `there is no bar "P99" here, expected some of P1, P2,`},
		{[]string{"--runs", "0"}, "at least one run"},
		{[]string{"P1"}, "no arguments"},
		{[]string{"--sizes", "3"}, "not defined"},
	} {
		if err := run(t.Context(), c.args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %q", c.args, err, c.want)
		}
	}
	got, err := choose(" p7,P1 ")
	if err != nil || numbers(got) != "P1, P7" {
		t.Errorf("chose %s, %v", numbers(got), err)
	}
}

// A bar that is missed is measured again as often as the sizes say, and no further once it is met.
func TestMissedBarsAreMeasuredAgain(t *testing.T) {
	for _, c := range []struct {
		figures         []float64 // of the attempts
		attempts, taken int
		missed          bool
	}{
		{[]float64{3, 3, 3, 1}, 3, 3, true}, {[]float64{3, 1, 3}, 3, 2, false}, {[]float64{3, 3, 1}, 3, 3, false},
		{[]float64{1}, 3, 1, false}, {[]float64{3, 1}, 1, 1, true}, {[]float64{3, 1}, 0, 1, true},
		{[]float64{-1, 1}, 2, 2, false},
	} {
		s := quickSizes
		s.slack, s.attempts = 0, c.attempts
		b, err := newBench(s, 1, t.TempDir(), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		defer b.close()
		taken := 0
		rows := b.rowsOf(t.Context(), bar{"P9", func(_ context.Context, b *bench) error {
			v := c.figures[taken]
			if taken++; v < 0 {
				return errors.New("no luck")
			}
			_, err := b.measure("luck", seconds, figureAtMost(2, seconds), figureAtMost(1, seconds),
				func() (float64, error) { return v, nil }, nil)
			return err
		}})
		if len(rows) != 1 || taken != c.taken || rows[0].Missed != c.missed {
			t.Errorf("%v in %d attempts: %d taken, %+v", c.figures, c.attempts, taken, rows[0])
		}
	}
}

// A bar that the sizes leave out has a row that says why, and is measured when it is asked for.
func TestBarsThatAreLeftOut(t *testing.T) {
	for number, why := range shipped.leftOut {
		if len(why) < 20 || !slices.ContainsFunc(bars, func(c bar) bool { return c.number == number }) {
			t.Errorf("%s is left out: %q", number, why)
		}
	}
	s := quickSizes
	s.leftOut = map[string]string{"P9": "it is chance"}
	b, err := newBench(s, 1, t.TempDir(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	rows := b.rowsOf(t.Context(), bar{"P9", func(context.Context, *bench) error {
		t.Error("it was measured")
		return nil
	}})
	if len(rows) != 1 || rows[0].Verdict != leftOut || rows[0].Missed || rows[0].Notes[0] != "it is chance" {
		t.Errorf("%+v", rows[0])
	}
}

// A run with missed bars ends with an error after its table, and so with the exit code 1.
func TestMissedBarsAreTheExitCode(t *testing.T) {
	was := bars
	defer func() { bars = was }()
	luck := func(v float64) func(context.Context, *bench) error {
		return func(_ context.Context, b *bench) error {
			_, err := b.measure("luck", seconds, figureAtMost(2, seconds), figureAtMost(1, seconds),
				func() (float64, error) { return v, nil }, nil)
			return err
		}
	}
	bars = []bar{{"P1", luck(2)}, {"P2", luck(3)}}
	for only, want := range map[string]error{"P1": nil, "P2": errMissed, "P1,P2": errMissed} {
		var out strings.Builder
		err := run(t.Context(), []string{"--dir", t.TempDir(), "--only", only}, &out, io.Discard)
		if !errors.Is(err, want) || !strings.Contains(out.String(), "verdict") {
			t.Errorf("%s: %v, printed %s", only, err, out.String())
		}
	}
}

// One bar that fails leaves the others their rows.
func TestFailureIsARow(t *testing.T) {
	b, err := newBench(quickSizes, 2, t.TempDir(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	for want, failure := range map[verdict]error{failed: errors.New("no luck"), notHere: errNotHere} {
		rows := b.rowsOf(t.Context(), bar{"P9", func(context.Context, *bench) error {
			_, err := b.measure("luck", seconds, ratioAtMost(2), ratioAtMost(1), func() (float64, error) { return 3, nil },
				func() (float64, error) { return 2, nil })
			return errors.Join(err, failure)
		}})
		if len(rows) != 2 || rows[0].Verdict != met || rows[0].Ratio != 1.5 || rows[1].Verdict != want ||
			rows[1].Number != "P9" {
			t.Errorf("%v: %+v", failure, rows)
		}
	}
}

// A server obeys lines and ends with its input.
func TestServerLines(t *testing.T) {
	stopped := false
	serve := func(settings []byte) (*served, error) {
		if string(settings) != `{"a":1}` {
			return nil, errors.New("other settings")
		}
		return &served{fill: func(s *status) { s.Counters = map[string]uint64{"logins": 7} },
			stop: func(context.Context) error { stopped = true; return nil }}, nil
	}
	var out strings.Builder
	if err := obey(serve, []string{`{"a":1}`}, strings.NewReader("status\ncollect\n"), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !stopped {
		t.Fatalf("stopped %v, answered %q", stopped, lines)
	}
	for i, line := range lines[1:] {
		var s status
		if err := json.Unmarshal([]byte(line), &s); err != nil || (s.Counters["logins"] == 7) != (i == 0) ||
			(s.HeapAndStacks > 0) != (i == 1) {
			t.Errorf("answer %d is %s, %v", i, line, err)
		}
	}
	if err := obey(serve, []string{`{"a":1}`}, strings.NewReader("dance\n"), io.Discard); err == nil {
		t.Error("an unknown command is obeyed")
	}
	if err := obey(serve, nil, strings.NewReader(""), io.Discard); err == nil {
		t.Error("a server needs settings")
	}
}

func TestChildThatDoesNotStart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := startChild(t.Context(), "serve-game", gameSettings{Dir: file, Connections: 1}); err == nil {
		t.Error("a server without a data folder has started")
	}
}

func TestInParallel(t *testing.T) {
	done := make([]bool, 100)
	if err := inParallel(t.Context(), len(done), 7,
		func(_ context.Context, i int) error { done[i] = true; return nil }); err != nil {
		t.Fatal(err)
	}
	for i, d := range done {
		if !d {
			t.Errorf("%d was left out", i)
		}
	}
	luck := errors.New("no luck")
	err := inParallel(t.Context(), 1000, 4, func(_ context.Context, i int) error {
		if i == 5 {
			return luck
		}
		return nil
	})
	if !errors.Is(err, luck) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := inParallel(ctx, 10, 2, func(context.Context, int) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// No more goroutines work than are asked for, and a wait ends with its context.
func TestWorkAndWaitsAreBounded(t *testing.T) {
	var now, most atomic.Int64
	err := inParallel(t.Context(), 50, 3, func(ctx context.Context, _ int) error {
		n := now.Add(1)
		defer now.Add(-1)
		for {
			if m := most.Load(); n <= m || most.CompareAndSwap(m, n) {
				break
			}
		}
		return sleep(ctx, time.Millisecond)
	})
	if err != nil || most.Load() > 3 {
		t.Errorf("%d at once, %v", most.Load(), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("waited: %v", err)
	}
}

// A run that is interrupted prints no table.
func TestAnInterruptedRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out strings.Builder
	err := run(ctx, []string{"--quick", "--only", "P1", "--dir", t.TempDir()}, &out, io.Discard)
	if !errors.Is(err, context.Canceled) || out.Len() > 0 {
		t.Errorf("%v, printed %q", err, out.String())
	}
	if err := run(t.Context(), []string{"--dir", filepath.Join(t.TempDir(), "none")}, &out, io.Discard); err == nil {
		t.Error("it ran without its folder")
	}
	if err := run(t.Context(), []string{"--help"}, &out, io.Discard); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("asked for help: %v", err)
	}
}
