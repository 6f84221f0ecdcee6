package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// sizes are how much is measured.
type sizes struct {
	sessions      int // P1
	manySessions  int // P2
	pacedSessions int // P3
	pacedRate     int // P3, pings a second
	idleSessions  int // P6
	characters    int // P8, P11
	savers        int // P8, goroutines that save at once
	logins        int // P12
	walkers       int // P4, P5, P9
	manyWalkers   int // P5
	walkRate      int // P4, P5, P9, moves of each walker a second
	manyWalkRate  int // P5, of each of the many
	warm, window  time.Duration
}

var (
	fullSizes = sizes{sessions: 1000, manySessions: 10000, pacedSessions: 1000, pacedRate: 10000, idleSessions: 10000,
		characters: 10000, savers: 32, logins: 1000, walkers: 1000, manyWalkers: 5000, walkRate: 10, manyWalkRate: 2, warm: time.Second, window: 5 * time.Second}
	quickSizes = sizes{sessions: 200, manySessions: 1000, pacedSessions: 500, pacedRate: 5000, idleSessions: 1000,
		characters: 1000, savers: 32, logins: 100, walkers: 200, manyWalkers: 1000, walkRate: 10, manyWalkRate: 2, warm: 300 * time.Millisecond, window: time.Second}
)

// A bench is what the measurements share.
type bench struct {
	sizes    sizes
	runs     int
	dir      string // temporary
	sphere   string // program whose start is measured, "" for none yet
	profiles string // folder for profiles, "" for none
	now      string // number of the bar that is being measured
	progress io.Writer
	stores   map[string]string // folders of prepared databases, see prepared
}

func newBench(s sizes, runs int, temp string, progress io.Writer) (*bench, error) {
	dir, err := os.MkdirTemp(temp, "bars-")
	if err != nil {
		return nil, err
	}
	return &bench{sizes: s, runs: runs, dir: dir, progress: progress, stores: map[string]string{}}, nil
}

func (b *bench) close() { _ = os.RemoveAll(b.dir) }

// progressf tells what goes on, for those who wait.
func (b *bench) progressf(format string, args ...any) {
	fmt.Fprintf(b.progress, "%-4s %s\n", b.now, fmt.Sprintf(format, args...))
}

// takeTurns measures ours and the reference as often as asked for, one after the other, and adds the results to the row.
func (b *bench) takeTurns(r *row, ours, reference func() (float64, error)) error {
	for i := range b.runs {
		v, err := ours()
		if err != nil {
			return fmt.Errorf("run %d, ours: %w", i+1, err)
		}
		b.progressf("%s: run %d of %d: ours %s", r.What, i+1, b.runs, r.Unit.figure(v))
		p := pair{Ours: v}
		if reference != nil {
			if p.Reference, err = reference(); err != nil {
				return fmt.Errorf("run %d, reference: %w", i+1, err)
			}
			b.progressf("%s: run %d of %d: reference %s", r.What, i+1, b.runs, r.Unit.figure(p.Reference))
		}
		r.Pairs = append(r.Pairs, p)
	}
	return nil
}

// profile is the file for a profile of the bar that is being measured, "" for none.
func (b *bench) profile() string {
	if b.profiles == "" {
		return ""
	}
	return filepath.Join(b.profiles, b.now+".pprof")
}

// fittingSessions is how many of the sessions wanted the limit of descriptors allows, of this process and of its servers.
func fittingSessions(wanted int) int {
	const others = 600 // those that a server keeps free, and some
	if have := descriptors(); have > 0 {
		return max(1, min(wanted, have-others))
	}
	return wanted
}
