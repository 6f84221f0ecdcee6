package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// sizes are how much is measured.
type sizes struct {
	sessions      int // P1
	manySessions  int // P2
	pacedSessions int // P3
	pacedRate     int // P3, pings a second
	idleSessions  int // P6
	characters    int // P11
	logins        int // P12
	walkers       int // P4, P5, P9
	manyWalkers   int // P5
	walkRate      int // P4, P5, P9, moves of each walker a second
	manyWalkRate  int // P5, of each of the many
	warm, window  time.Duration

	slack    float64           // how far a figure may miss its bar, as a part of the bar
	attempts int               // at a bar that is missed, all in all
	leftOut  map[string]string // bars that these sizes tell nothing of, and why
}

var (
	fullSizes = sizes{sessions: 1000, manySessions: 10000, pacedSessions: 1000, pacedRate: 10000, idleSessions: 5000,
		characters: 10000, logins: 150, walkers: 1000, manyWalkers: 5000, walkRate: 10, manyWalkRate: 2,
		warm: time.Second, window: 3 * time.Second}
	// For machines with company, such as CI's.
	quickSizes = sizes{sessions: 200, manySessions: 1000, pacedSessions: 500, pacedRate: 5000, idleSessions: 2000,
		characters: 1000, logins: 50, walkers: 200, manyWalkers: 1000, walkRate: 10, manyWalkRate: 2,
		warm: 300 * time.Millisecond, window: time.Second, slack: 1.0 / 3, attempts: 3, leftOut: map[string]string{
			"P2":  "with so few sessions it would be P1, and ten thousand take too long",
			"P5":  "the longest of a few ticks is how long others had the processors; what a tick costs is in P4",
			"P9":  "two longest ticks beside each other are chance; what saving costs is in P8",
			"P13": "the longest of a few ticks is how long others had the processors",
			"P17": "the longest of a few ticks is how long others had the processors",
			"P22": "the longest of a few ticks is how long others had the processors",
		}}
)

// accounts is how many the measurements on a ground need.
func (s sizes) accounts(on ground) int {
	if on.name == together.name {
		return max(s.walkers, s.manyWalkers)
	}
	return max(s.sessions, s.manySessions, s.pacedSessions, s.idleSessions, s.characters)
}

// A bar is one line of the plan, which becomes one row of the table or several.
type bar struct {
	number  string
	measure func(context.Context, *bench) error
}

// errNotHere is why a bar has no figure on this system.
var errNotHere = errors.New("not measured here")

// barTimeout is how long all runs of one bar may take: a bound for hanging runs, many times the time that they take
// beside other work.
const barTimeout = 20 * time.Minute

// A bench is the harness that all bars share.
type bench struct {
	sizes    sizes
	runs     int
	dir      string // temporary
	sphere   string // program to measure the start of, "" for one that is built
	profiles string // folder for profiles, "" for none
	progress io.Writer
	stores   map[string]string // folders of prepared databases, see prepared

	now  string // number of the bar that is being measured
	rows []*row // of that bar
}

func newBench(s sizes, runs int, temp string, progress io.Writer) (*bench, error) {
	dir, err := os.MkdirTemp(temp, "bench-")
	return &bench{sizes: s, runs: runs, dir: dir, progress: progress, stores: map[string]string{}}, err
}

func (b *bench) close() { _ = os.RemoveAll(b.dir) }

// progressf tells the progress, for a waiting user.
func (b *bench) progressf(format string, args ...any) {
	fmt.Fprintf(b.progress, "%-4s %s\n", b.now, fmt.Sprintf(format, args...))
}

// rowsOf measures one bar, and again if it is missed and the sizes say so.
func (b *bench) rowsOf(ctx context.Context, c bar) []*row {
	if why, ok := b.sizes.leftOut[c.number]; ok {
		return []*row{{Number: c.number, Verdict: leftOut, Notes: []string{why}}}
	}
	began := time.Now()
	rows := b.attempt(ctx, c)
	for i := 1; i < b.sizes.attempts && anyMissed(rows) && ctx.Err() == nil; i++ {
		b.progressf("missed in attempt %d of %d", i, b.sizes.attempts)
		rows = better(rows, b.attempt(ctx, c))
	}
	b.progressf("took %v", time.Since(began).Round(time.Second/10))
	return rows
}

// attempt measures one bar once. One that fails has a row that says so, and the others go on.
func (b *bench) attempt(ctx context.Context, c bar) []*row {
	ctx, cancel := context.WithTimeout(ctx, barTimeout)
	defer cancel()
	b.now, b.rows = c.number, nil
	err := c.measure(ctx, b)
	for _, r := range b.rows {
		r.judge(b.sizes.slack)
	}
	if err != nil {
		b.progressf("%v", err)
		failure := &row{Number: c.number, Verdict: failed, Missed: true, Notes: []string{err.Error()}}
		if errors.Is(err, errNotHere) {
			failure.Verdict, failure.Missed = notHere, false
		}
		b.rows = append(b.rows, failure)
	}
	return b.rows
}

// A measurement is one run, in the unit of its row.
type measurement func() (float64, error)

// atMost bounds the runs of the bar that is being measured; the function that it returns ends that.
func (b *bench) atMost(runs int) (undo func()) {
	was := b.runs
	b.runs = min(b.runs, runs)
	return func() { b.runs = was }
}

// measure takes turns with ours and the reference, nil for none, and makes a row of the results: the measured thing,
// the bar and the great value.
func (b *bench) measure(what string, u unit, atLeast, great limit, ours, reference measurement) (*row, error) {
	r := &row{Number: b.now, What: what, Unit: u, Bar: atLeast, Great: great}
	for i := range b.runs {
		var p pair
		for _, side := range []struct {
			name string
			run  measurement
			into *float64
		}{{"ours", ours, &p.Ours}, {"reference", reference, &p.Reference}} {
			if side.run == nil {
				continue
			}
			v, err := side.run()
			if err != nil {
				return r, fmt.Errorf("run %d, %s: %w", i+1, side.name, err)
			}
			b.progressf("%s: run %d of %d: %s %s", what, i+1, b.runs, side.name, u.figure(v))
			*side.into = v
		}
		r.Pairs = append(r.Pairs, p)
	}
	b.rows = append(b.rows, r)
	return r, nil
}

// profile is the file for a profile of the bar that is being measured, "" for none.
func (b *bench) profile() string {
	if b.profiles == "" {
		return ""
	}
	return filepath.Join(b.profiles, b.now+".pprof")
}

// inParallel calls work for each number from 0 to n-1 in a number of goroutines, and returns the first error.
func inParallel(ctx context.Context, n, goroutines int, work func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(n, goroutines) {
		wait.Go(func() {
			for i := next.Add(1) - 1; i < int64(n) && ctx.Err() == nil; i = next.Add(1) - 1 {
				if err := work(ctx, int(i)); err != nil {
					cancel(err)
				}
			}
		})
	}
	wait.Wait()
	return context.Cause(ctx)
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A pace is the behaviour of the clients of a load; the zero value only reads.
type pace struct {
	closed bool    // each client sends a ping, waits for the answer, and sends the next
	rate   float64 // pings a second of all clients together, sent whether answered or not
	still  bool    // each ping is from the same place as the one before
}

// loadCounts are the counts of a load's messages; updates are others' places.
type loadCounts struct{ answers, sent, updates uint64 }

func (n loadCounts) since(earlier loadCounts) loadCounts {
	return loadCounts{n.answers - earlier.answers, n.sent - earlier.sent, n.updates - earlier.updates}
}

// bareSettings are the settings of the reference.
type bareSettings struct {
	Others int // players that each client is sent the movements of
	Rate   int // times a second; 0: it answers pings
}
