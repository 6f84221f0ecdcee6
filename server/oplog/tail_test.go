package oplog

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
)

func TestTheTailRemembersTheLastLines(t *testing.T) {
	l := New(io.Discard, slog.LevelInfo, false)
	defer l.Close()
	tail := Keep(l)
	for i := range tailLines + 10 {
		l.Info(fmt.Sprint(i))
	}
	lines, next := tail.From(0)
	if len(lines) != tailLines || next != tailLines+10 {
		t.Fatalf("%d lines, next %d; expected %d, next %d", len(lines), next, tailLines, tailLines+10)
	}
	for i, line := range lines {
		if want := uint64(i + 10); line.Number != want || line.Message != fmt.Sprint(want) {
			t.Fatalf("line %d is number %d, %q; expected %d", i, line.Number, line.Message, want)
		}
	}
	if lines, _ := tail.From(next); len(lines) != 0 {
		t.Errorf("%d lines after the last", len(lines))
	}
	l.Debug("nobody wants it")
	if lines, _ := tail.From(next); len(lines) != 0 {
		t.Error("a line below the level is remembered")
	}
}

func TestTheTailHasWhatTheLogHas(t *testing.T) { synctest.Test(t, theTailHasWhatTheLogHas) }

func theTailHasWhatTheLogHas(t *testing.T) {
	var out bytes.Buffer
	l := New(&out, slog.LevelInfo, false)
	tail := Keep(l)
	l.With("a", 1).WithGroup("g").Warn("message", "b", "two words", slog.Group("h", "c", 3), "long",
		strings.Repeat("x", 10000), "broken", "\xFF")
	l.Close()
	lines, _ := tail.From(0)
	if len(lines) != 1 {
		t.Fatalf("%d lines, expected 1", len(lines))
	}
	line := lines[0]
	if line.Message != "message" || line.Level != slog.LevelWarn || line.At.IsZero() {
		t.Errorf("%+v, expected message at WARN with its time", line)
	}
	for key, want := range map[string]string{"a": "1", "g.b": "two words", "g.h.c": "3", "g.broken": "\uFFFD"} {
		if line.Attrs[key] != want {
			t.Errorf("%s is %q, expected %q", key, line.Attrs[key], want)
		}
	}
	if n := len(line.Attrs["g.long"]); n > tailText+len("…") {
		t.Errorf("a value of %d bytes is remembered, expected at most %d", n, tailText)
	}
	if !strings.Contains(out.String(), "a=1 g.b=\"two words\" g.h.c=3") {
		t.Errorf("the log has %q", out.String())
	}
}
