package main

import (
	"strings"
	"testing"
	"time"
)

// A stop is planned, seen, called off and done by command, and the server ends without an error.
func TestStopByCommand(t *testing.T) {
	l := commandLine{t, runningServer(t)}
	l.fails(1, "No stop is planned, or it has begun.", "stop", "--cancel")
	l.fails(2, "expected --cancel alone", "stop", "--cancel", "--in", "5m")
	l.fails(1, "within the next 24 h, found 25 h", "stop", "--in", "25h")
	if out := l.must("stop", "--in", "1h", "a new version"); !strings.HasPrefix(out, "the server stops at ") {
		t.Errorf("found %q", out)
	}
	if out := l.must("status"); !strings.Contains(out, "a new version") {
		t.Errorf("the status is\n%s", out)
	}
	if out := l.must("stop", "--cancel"); !strings.Contains(out, "is called off") {
		t.Errorf("found %q", out)
	}
	if out := l.must("status"); strings.Contains(out, "a new version") {
		t.Errorf("the status is\n%s", out)
	}
	l.must("stop")
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		if code, _, _ := l.do("", "status"); code == notRunning {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the server still runs")
		}
	}
	if out := l.must("audit", "--action", "server"); strings.Count(out, "ordered that the server stops in") != 2 {
		t.Errorf("the trail is\n%s", out)
	}
}
