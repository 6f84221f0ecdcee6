package api

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// figures are points of ten seconds each, that begin at a time.
func figures(from time.Time, n int) (out []point) {
	for i := range n {
		out = append(out, point{At: from.Add(time.Duration(i) * meterStep), Online: i, TickP99: float64(i % 7),
			BytesIn: uint64(10 * i), BytesOut: 6, Memory: 1 << 20, PingP50: new(1.5), PingP99: new(float64(i))})
	}
	return out
}

func TestFiguresOutliveTheServer(t *testing.T) {
	dir, log := t.TempDir(), slog.New(slog.DiscardHandler)
	began := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	for start := range 3 { // a day's worth, by servers that stop in the middle of a minute, with hours between
		from := began.Add(time.Duration(start) * 5 * time.Hour)
		p := openPast(dir, from, log)
		for _, one := range figures(from, 15) {
			p.add(one)
		}
		p.close()
	}
	found := openPast(dir, began.Add(11*time.Hour), log)
	defer found.close()
	var at []string
	for _, p := range found.points {
		at = append(at, p.At.Format("15:04"))
	}
	want := []string{"10:00", "10:01", "10:02", "15:00", "15:01", "15:02", "20:00", "20:01", "20:02"}
	if diff := cmp.Diff(want, at); diff != "" {
		t.Error(diff)
	}
	one := found.points[1]
	if one.Online != 11 || one.TickP99 != 6 || one.BytesIn != 85 || one.BytesOut != 6 || one.Memory != 1<<20 ||
		one.PingP99 == nil || *one.PingP99 != 11 || *one.PingP50 != 1.5 {
		t.Errorf("the second minute is %+v", one)
	}
	if found := openPast(dir, began.Add(30*time.Hour), log); len(found.points) != 3 {
		t.Errorf("after more than a day there are %d minutes", len(found.points))
	}
}

func TestFileOfFiguresDoesNotGrow(t *testing.T) {
	dir := t.TempDir()
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	p := openPast(dir, at, slog.New(slog.DiscardHandler))
	for i := range 2*pastMinutes + 7 {
		p.add(point{At: at.Add(time.Duration(i) * time.Minute)})
	}
	p.close()
	info, err := os.Stat(filepath.Join(dir, pastFile))
	if err != nil || info.Size() != int64(pastMinutes*pastRecordSize) || len(p.points) != pastMinutes {
		t.Errorf("%v, %v, %d minutes", info.Size(), err, len(p.points))
	}
}

func TestDamagedFiguresAreLeftOut(t *testing.T) {
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	for name, spoil := range map[string]struct {
		spoil    func(path string) error
		minutes  int
		warnings string
	}{
		"a bit": {func(path string) error {
			content, err := os.ReadFile(path)
			if err == nil {
				content[(at.Unix()/60%pastMinutes)*int64(pastRecordSize)+9] ^= 4
				err = os.WriteFile(path, content, 0o600)
			}
			return err
		}, 2, "damaged"},
		"foreign": {func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte("x"), 1<<20), 0o600) }, 0,
			"damaged"},
		"cut":      {func(path string) error { return os.Truncate(path, 7) }, 0, ""},
		"a folder": {func(path string) error { _ = os.Remove(path); return os.Mkdir(path, 0o700) }, 0, "not kept"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			p := openPast(dir, at, slog.New(slog.DiscardHandler))
			for _, one := range figures(at, 18) {
				p.add(one)
			}
			p.close()
			if err := spoil.spoil(filepath.Join(dir, pastFile)); err != nil {
				t.Fatal(err)
			}
			var said strings.Builder
			p = openPast(dir, at.Add(time.Hour), slog.New(slog.NewTextHandler(&said, nil)))
			if len(p.points) != spoil.minutes || !strings.Contains(said.String(), spoil.warnings) {
				t.Errorf("%d minutes, %s", len(p.points), said.String())
			}
			p.add(point{At: at.Add(time.Hour)})
			p.close()
			if len(p.points) != spoil.minutes+1 {
				t.Errorf("%d minutes after another", len(p.points))
			}
		})
	}
}

// A longer time is told by the minute, a shorter one by the most exact points of each part of it.
func TestHistoryReachesOverARestart(t *testing.T) {
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	dir := t.TempDir()
	before := openPast(dir, at, slog.New(slog.DiscardHandler))
	for _, one := range figures(at, 60) { // ten minutes
		before.add(one)
	}
	before.close()
	now := at.Add(time.Hour)
	m := &meter{past: openPast(dir, now, slog.New(slog.DiscardHandler))}
	defer m.past.close()
	for _, one := range figures(now, 30) { // five minutes
		m.keep(one)
	}
	if h := m.history(now.Add(-2*time.Hour), false); len(h) != 10+30 || !h[0].At.Equal(at) {
		t.Errorf("of two hours there are %d points", len(h))
	}
	if h := m.history(now.Add(time.Minute), false); len(h) != 24 {
		t.Errorf("of four minutes there are %d points", len(h))
	}
	if h := m.history(now.Add(-20*time.Hour), true); len(h) != 10+5 {
		t.Errorf("of a day there are %d points", len(h))
	}
}
