package oplog

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
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
	synctest.Wait() // for what was queued to be written
	l.Warn("after")
	l.Close()
	l.Info("nobody's")
	out := sink.String()
	if !strings.Contains(out, "log lines dropped") || !strings.Contains(out, "msg=after") ||
		strings.Contains(out, "nobody's") {
		t.Errorf("log ends with %q", out[max(0, len(out)-200):])
	}
}

// What is dropped is told in the format of the other lines, also when no line comes after.
func TestDroppedLinesAreCountedInEitherFormat(t *testing.T) {
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

func TestLevelChangesAtRunTime(t *testing.T) {
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
