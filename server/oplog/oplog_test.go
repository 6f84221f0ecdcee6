package oplog

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"unicode"
)

// stuck is a sink that takes nothing until it is released.
type stuck struct {
	release chan struct{}
	bytes.Buffer
}

func (s *stuck) Write(p []byte) (int, error) {
	<-s.release
	return s.Buffer.Write(p)
}

func TestSlowSinkHoldsUpNobody(t *testing.T) { synctest.Test(t, slowSink) }

func slowSink(t *testing.T) {
	sink := &stuck{release: make(chan struct{})}
	l := New(sink, slog.LevelInfo, false)
	for range queueLimit + 1000 { // comes to an end though the sink takes nothing
		l.Info("line")
	}
	close(sink.release)
	synctest.Wait() // for the queued lines to be written
	l.Warn("after")
	l.Close()
	l.Info("nobody's")
	out := sink.String()
	if !strings.Contains(out, "log lines dropped") || !strings.Contains(out, "msg=after") ||
		strings.Contains(out, "nobody's") {
		t.Errorf("log ends with %q", out[max(0, len(out)-200):])
	}
}

// The number of dropped lines is told in the format of the other lines, also when no line comes after. The second for
// which Close waits is simulated, in all these tests, so that a busy machine loses no line.
func TestDroppedLinesAreCountedInEitherFormat(t *testing.T) {
	synctest.Test(t, droppedLinesAreCountedInEitherFormat)
}

func droppedLinesAreCountedInEitherFormat(t *testing.T) {
	for _, machine := range []bool{false, true} {
		sink := &stuck{release: make(chan struct{})}
		l := New(sink, slog.LevelInfo, machine)
		for range queueLimit + 100 {
			l.Info("line")
		}
		close(sink.release)
		l.Close()
		lines := strings.Split(strings.TrimSpace(sink.String()), "\n")
		dropped := 0
		for _, line := range lines {
			if strings.Contains(line, "log lines dropped") {
				dropped++
			}
			if machine != json.Valid([]byte(line)) {
				t.Fatalf("JSON %v: %q", machine, line)
			}
		}
		if dropped == 0 {
			t.Errorf("JSON %v: nothing is said of dropped lines", machine)
		}
	}
}

func TestLevelChangesAtRunTime(t *testing.T) { synctest.Test(t, levelChangesAtRunTime) }

func levelChangesAtRunTime(t *testing.T) {
	var out bytes.Buffer
	l := New(&out, slog.LevelInfo, true)
	l.Debug("hidden")
	l.Level.Set(slog.LevelDebug)
	l.Debug("shown", "text", "строка\nforged level=ERROR")
	l.Close()
	if got := out.String(); strings.Contains(got, "hidden") || !strings.Contains(got, `"msg":"shown"`) ||
		strings.Count(got, "\n") != 1 {
		t.Errorf("log is %q", got)
	}
}

// Whatever players call themselves, nothing in the log commands a terminal, in either format and in each part of a
// line.
func TestNothingInTheLogCommandsTheTerminal(t *testing.T) {
	synctest.Test(t, nothingInTheLogCommandsTheTerminal)
}

func nothingInTheLogCommandsTheTerminal(t *testing.T) {
	var all strings.Builder
	for r := rune(0); r < 0x2100; r++ {
		all.WriteRune(r)
	}
	all.WriteString("\U000E0001\xFF")
	evil := all.String()
	for _, machine := range []bool{false, true} {
		var out bytes.Buffer
		l := New(&out, slog.LevelInfo, machine)
		for _, bad := range []string{"a\x7Fb", "a\u0098b", "a\u202Eb", evil} {
			l.With(bad, bad).WithGroup(bad).Info(bad, "name", bad, "error", errors.New(bad), "bytes", []byte(bad))
		}
		l.Info("plain", "name", "Ёж № 5 – «да»")
		l.Close()
		for i, line := range strings.SplitAfter(strings.TrimSuffix(out.String(), "\n"), "\n") {
			line = strings.TrimSuffix(line, "\n")
			if at := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsPrint(r) && r != '\uFFFD' }); at >= 0 {
				t.Errorf("JSON %v: %q of line %d reaches the terminal", machine, line[at:at+1], i)
			}
			var read map[string]any
			if machine && json.Unmarshal([]byte(line), &read) != nil {
				t.Errorf("no JSON: %s", line)
			}
			if i == 1 && machine && read["msg"] != "a\u0098b" {
				t.Errorf("the message is %q, expected that nothing is lost", read["msg"])
			}
		}
		if !strings.Contains(out.String(), "Ёж № 5 – «да»") {
			t.Errorf("JSON %v: what people read is changed", machine)
		}
	}
}
