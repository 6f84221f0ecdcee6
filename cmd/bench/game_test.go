package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/server/measure"
)

// newTestBench is a bench with few of everything.
func newTestBench(t *testing.T) *bench {
	t.Helper()
	b, err := newBench(quickSizes, 2, t.TempDir(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.close)
	return b
}

// elsewhere skips a test on a system that a measurement does not know; on Linux there is none.
func elsewhere(t *testing.T, why any) {
	t.Helper()
	if runtime.GOOS == "linux" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// serving starts a server within the test.
func serving(t *testing.T, serve func([]byte) (*served, error), settings any) *served {
	t.Helper()
	text, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	s, err := serve(text)
	if errors.Is(err, errNotHere) {
		elsewhere(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := s.stop(ctx); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestCharactersArePreparedOnceAndCopied(t *testing.T) {
	b := newTestBench(t)
	dir, err := b.prepared(t.Context(), together, 60, cheapHash)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := b.prepared(t.Context(), together, 60, cheapHash); err != nil || again != dir {
		t.Errorf("prepared in %s, then in %s, %v", dir, again, err)
	}
	if other, err := b.prepared(t.Context(), apart, 60, cheapHash); err != nil || other == dir {
		t.Errorf("other grounds share %s, %v", other, err)
	}
	for range 2 {
		to, err := b.copied(dir)
		if err != nil || to == dir {
			t.Fatalf("copied to %s, %v", to, err)
		}
		store, err := data.Open(t.Context(), to, data.Options{})
		if err != nil {
			t.Fatal(err)
		}
		characters, err := store.FindCharacters(t.Context(), "")
		if err != nil || len(characters) != 60 {
			t.Errorf("%d characters, %v", len(characters), err)
		}
		before := characters[0]
		lived(characters)
		lived(characters[:1])
		if characters[0].TitleXP != before.TitleXP+2 || characters[0].Position != before.Position ||
			characters[1].Position == before.Position {
			t.Errorf("after two changes: %+v, before %+v", characters[0], before)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Alone is out of sight of everybody; members of a group see each other, and nobody of another group.
func TestGrounds(t *testing.T) {
	const sight, lost = 100, 110
	far := func(a, b coords.Position) float64 {
		return math.Sqrt(float64((a.X-b.X)*(a.X-b.X) + (a.Y-b.Y)*(a.Y-b.Y) + (a.Z-b.Z)*(a.Z-b.Z)))
	}
	for i := range 250 {
		for j := range i {
			if d := far(apart.at(i), apart.at(j)); d < lost {
				t.Fatalf("%d and %d stand %.0f m apart", i, j, d)
			}
			d, same := far(together.at(i), together.at(j)), i/groupSize == j/groupSize
			if same && d > sight || !same && d < lost {
				t.Fatalf("%d and %d stand %.0f m apart, in one group: %t", i, j, d, same)
			}
		}
	}
}

// A measurement that fails ends its bar; earlier figures stay.
func TestAFailedRunMakesNoRow(t *testing.T) {
	b := newTestBench(t)
	luck := errors.New("no luck")
	one := func() (float64, error) { return 1, nil }
	runs := 0
	rows := b.rowsOf(t.Context(), bar{"P7", func(context.Context, *bench) error {
		if _, err := b.measure("first", seconds, ratioAtMost(2), ratioAtMost(1), one, one); err != nil {
			return err
		}
		_, err := b.measure("second", seconds, ratioAtMost(2), ratioAtMost(1), one, func() (float64, error) {
			if runs++; runs == 2 {
				return 0, luck
			}
			return 1, nil
		})
		return err
	}})
	if len(rows) != 2 || rows[0].What != "first" || rows[0].Verdict != great || rows[1].Verdict != failed ||
		!strings.Contains(rows[1].Notes[0], "run 2, reference: no luck") {
		t.Errorf("%+v", rows)
	}
}

func TestProgramsThatFail(t *testing.T) {
	b := newTestBench(t)
	if _, err := b.built(t.Context(), "nothing", "build", "sphereserver/cmd/nothing"); err == nil ||
		!strings.Contains(err.Error(), "nothing") {
		t.Errorf("built what there is not: %v", err)
	}
	ready := filepath.Join(b.dir, "there")
	if err := os.WriteFile(ready, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	if path, err := b.built(t.Context(), "there", "build", "sphereserver/cmd/nothing"); err != nil || path != ready {
		t.Errorf("built what is there already: %s, %v", path, err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.benchmark(t.Context(), self, b.dir, "BenchmarkNothing"); err == nil ||
		!strings.Contains(err.Error(), "tells nothing") {
		t.Errorf("a benchmark that there is not: %v", err)
	}
	work := func(time.Duration, int) error {
		t.Error("worked with what does not serve")
		return nil
	}
	if err := withServer(t.Context(), filepath.Join(b.dir, "none"), b.dir, nil, work); err == nil {
		t.Error("started what there is not")
	}
	if echo := "/bin/echo"; fileThere(echo) {
		err := withServer(t.Context(), echo, b.dir, nil, work)
		if err == nil || !strings.Contains(err.Error(), "expected ready") {
			t.Errorf("a program with another first line: %v", err)
		}
	}
}

func fileThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// A crowd is ended after any outcome.
func TestACrowdIsLetGo(t *testing.T) {
	b := newTestBench(t)
	luck := errors.New("no luck")
	gather := b.bareCrowd(bareSettings{})
	var seen *crowd
	_, err := gathered(t.Context(), gather, 5, func(c *crowd) (int, error) {
		seen = c
		if s, err := c.watch(t.Context(), pace{rate: 100, still: true}, ""); err != nil || s.sent == 0 {
			t.Errorf("%+v, %v", s, err)
		}
		return 0, luck
	})
	if errors.Is(err, errNotHere) {
		elsewhere(t, err)
	}
	if !errors.Is(err, luck) {
		t.Errorf("%v", err)
	}
	if _, err := seen.server.ask("status"); err == nil {
		t.Error("the server is there still")
	}
	if n := fittingSessions(1 << 30); n < 1 || n == 1<<30 && descriptors() > 0 {
		t.Errorf("%d sessions fit", n)
	}
	s := stretch{loadCounts{answers: 10}, 2 * time.Second, 5 * time.Second, measure.Distribution{}}
	if s.rate() != 5 || s.cost() != 0.5 {
		t.Errorf("rate %v, cost %v", s.rate(), s.cost())
	}
}

func TestLinesAServerIsProfiledBy(t *testing.T) {
	dir := t.TempDir()
	serve := func([]byte) (*served, error) {
		return &served{stop: func(context.Context) error { return nil }}, nil
	}
	lines := "heap " + filepath.Join(dir, "heap") + "\nprofile " + filepath.Join(dir, "cpu") + "\nprofiled\n"
	if err := obey(serve, []string{"{}"}, strings.NewReader(lines), io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"heap", "cpu"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := obey(serve, []string{"{}"}, strings.NewReader("heap "+filepath.Join(dir, "no", "heap")+"\n"),
		io.Discard); err == nil {
		t.Error("a profile was written into a folder that is not there")
	}
}
