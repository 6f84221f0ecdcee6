package ops

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sphereserver/data"
	"sphereserver/data/datatest"
)

// A fakeRecorder is a running server that records nothing.
type fakeRecorder struct {
	order   RecordingOrder
	running bool
	refuse  error
	cannot  error // before it begins
}

func (l *fakeRecorder) MayRecord(RecordingOrder) error { return l.cannot }

func (l *fakeRecorder) BeginRecording(o RecordingOrder) (Recording, error) {
	if l.refuse != nil {
		return Recording{}, l.refuse
	}
	l.order, l.running = o, true
	return Recording{Path: o.Path, Running: true}, nil
}

func (l *fakeRecorder) EndRecording() (Recording, error) {
	if !l.running {
		return Recording{}, ErrNoRecording
	}
	l.running = false
	return Recording{Path: l.order.Path, Why: "stopped"}, nil
}

func (l *fakeRecorder) LastRecording() (Recording, bool) {
	return Recording{Path: l.order.Path, Running: l.running}, l.order.Path != ""
}

func TestRecordingsAreOrderedAndNotedDown(t *testing.T) {
	dir := t.TempDir()
	datatest.Fill(t, dir)
	store, err := data.Open(t.Context(), dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	live := &fakeRecorder{}
	o := &Service{Store: store, Recorder: live}
	if state, err := by(t.Context(), o, LastRecording, Empty{}); err != nil || state != (Recording{}) {
		t.Errorf("%+v, %v", state, err)
	}
	if _, err := by(t.Context(), o, StopRecording, Empty{}); !errors.Is(err, ErrNoRecording) {
		t.Error(err)
	}
	state, err := by(t.Context(), o, StartRecording, RecordingOrder{All: true})
	if folder := filepath.Join(store.Dir(), RecordingsFolder); err != nil || filepath.Dir(state.Path) != folder ||
		!filepath.IsAbs(state.Path) || !state.Running {
		t.Errorf("%+v, %v", state, err)
	} else if info, err := os.Stat(folder); err != nil || info.Mode().Perm()&0o007 != 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if state, err := by(t.Context(), o, StopRecording, Empty{}); err != nil || state.Running {
		t.Errorf("%+v, %v", state, err)
	}
	if _, err := by(t.Context(), o, StartRecording, RecordingOrder{Login: "nobody"}); !errors.Is(err, data.ErrNotFound) {
		t.Error(err)
	}
	live.cannot = NoSession(0x4F6F)
	_, err = by(t.Context(), o, StartRecording, RecordingOrder{Session: 0x4F6F})
	var none *Refusal
	if !errors.As(err, &none) || none.In(true) != "Игрока с номером 0x4F6F сейчас нет." ||
		none.In(false) != "No player has the index 0x4F6F now." {
		t.Error(err)
	}
	live.cannot = nil
	live.refuse = errors.New("the file is there already")
	if _, err := by(t.Context(), o, StartRecording, RecordingOrder{All: true, Path: "x"}); !errors.Is(err, ErrInvalid) ||
		!strings.Contains(err.Error(), "there already") {
		t.Error(err)
	}
	trail, err := store.AuditTrail(t.Context(), data.AuditFilter{}, 10)
	if err != nil {
		t.Fatal(err)
	}
	var wrote []string
	for _, e := range slices.Backward(trail) {
		wrote = append(wrote, fmt.Sprintf("%s: %s %s", e.Who, e.Action, e.Target))
		if strings.HasPrefix(e.Detail, "not done: ") {
			wrote = append(wrote, e.Detail)
		}
	}
	want := []string{"test: capture record all sessions", "test: capture stop " + state.Path,
		"test: capture record all sessions",
		"test: capture record all sessions", "not done: the file is there already"}
	if diff := cmp.Diff(want, wrote); diff != "" {
		t.Error(diff)
	}
}

// TestNothingIsDoneThatCannotBeWrittenDown: recordings are neither begun nor ended while the audit trail takes no
// entries.
func TestNothingIsDoneThatCannotBeWrittenDown(t *testing.T) {
	dir := t.TempDir()
	datatest.Fill(t, dir)
	store, err := data.Open(t.Context(), dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	for _, running := range []bool{false, true} {
		live := &fakeRecorder{running: running, order: RecordingOrder{Path: "x"}}
		o := &Service{Store: store, Recorder: live}
		_, started := by(t.Context(), o, StartRecording, RecordingOrder{All: true})
		_, stopped := by(t.Context(), o, StopRecording, Empty{})
		if started == nil || stopped == nil || live.running != running || live.order.All {
			t.Errorf("running: %v, now %v; %v, %v", running, live.running, started, stopped)
		}
	}
}

func TestRecordingsNeedAServer(t *testing.T) {
	o := &Service{}
	_, started := by(t.Context(), o, StartRecording, RecordingOrder{All: true})
	_, stopped := by(t.Context(), o, StopRecording, Empty{})
	_, told := by(t.Context(), o, LastRecording, Empty{})
	for _, err := range []error{started, stopped, told} {
		if !errors.Is(err, ErrNotRunning) {
			t.Error(err)
		}
	}
}

// An order of a recording that cannot be is refused before anything is written down, in both languages.
func TestOrdersOfRecordingsAreChecked(t *testing.T) {
	o, live := &Service{}, &fakeRecorder{}
	o.Recorder = live
	for _, c := range []struct {
		order            RecordingOrder
		field            string
		russian, english string
	}{
		{RecordingOrder{}, "all", "Нужно одно из трёх", "expected one of"},
		{RecordingOrder{All: true, Login: "a"}, "all", "Нужно одно из трёх", "expected one of"},
		{RecordingOrder{All: true, Seconds: -1}, "seconds", "7 д, а не -1 с.", "at most 7 d, found -1 s"},
		{RecordingOrder{All: true, Seconds: math.NaN()}, "seconds", "а не NaN с.", "found NaN s"},
		{RecordingOrder{All: true, Seconds: 1e300}, "seconds", "а не 1e+300 с.", "found 1e+300 s"},
		{RecordingOrder{All: true, Seconds: 604801}, "seconds", "7 д, а не 604801 с.", "found 604801 s"},
	} {
		_, err := by(t.Context(), o, StartRecording, c.order)
		var f Faults
		if !errors.As(err, &f) || len(f) != 1 || f[0].Field != c.field || !strings.Contains(f.In(true), c.russian) ||
			!strings.Contains(f.In(false), c.english) || live.running {
			t.Errorf("%+v: %v", c.order, err)
		}
	}
}
