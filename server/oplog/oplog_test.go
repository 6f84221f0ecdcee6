package oplog

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
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

func TestSlowSinkHoldsUpNobody(t *testing.T) {
	sink := &stuck{release: make(chan struct{})}
	l := New(sink, slog.LevelInfo, false)
	start := time.Now()
	for range queueLimit + 1000 {
		l.Info("line")
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("logging to a stuck sink took %v", d)
	}
	close(sink.release)
	time.Sleep(50 * time.Millisecond)
	l.Warn("after")
	l.Close()
	l.Info("nobody's")
	out := sink.String()
	if !strings.Contains(out, "log lines dropped") || !strings.Contains(out, "msg=after") || strings.Contains(out, "nobody's") {
		t.Errorf("log ends with %q", out[max(0, len(out)-200):])
	}
}

func TestLevelChangesAtRunTime(t *testing.T) {
	var out bytes.Buffer
	l := New(&out, slog.LevelInfo, true)
	l.Debug("hidden")
	l.Level.Set(slog.LevelDebug)
	l.Debug("shown", "text", "строка\nforged level=ERROR")
	l.Close()
	if got := out.String(); strings.Contains(got, "hidden") || !strings.Contains(got, `"msg":"shown"`) || strings.Count(got, "\n") != 1 {
		t.Errorf("log is %q", got)
	}
}
