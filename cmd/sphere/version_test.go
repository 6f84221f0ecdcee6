package main

import (
	"encoding/json"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersionSaysWhichProgramThisIs(t *testing.T) {
	b := build{Version: "1.2.3", Go: "go1.26", System: "linux/amd64"}
	settings := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"},
		{Key: "vcs.time", Value: "2026-11-21T12:00:00Z"}, {Key: "vcs.modified", Value: "true"}}
	if got := b.complete(settings).String(); got != "sphere 1.2.3, commit 0123456789ab with changes of "+
		"2026-11-21T12:00:00Z, go1.26, linux/amd64" {
		t.Errorf("found %q", got)
	}
	b.Commit, b.Date = "fedcba", "2026-01-01T00:00:00Z"
	if got := b.complete(settings).String(); got != "sphere 1.2.3, commit fedcba of 2026-01-01T00:00:00Z, go1.26, "+
		"linux/amd64" {
		t.Errorf("what the Makefile says comes first: %q", got)
	}
	l := commandLine{t, t.TempDir()}
	if out := l.must("version"); !strings.HasPrefix(out, "sphere "+version) ||
		!strings.Contains(out, runtime.GOOS+"/"+runtime.GOARCH) {
		t.Errorf("found %q", out)
	}
	var printed build
	if err := json.Unmarshal([]byte(l.must("version", "--json")), &printed); err != nil || printed.Version != version ||
		printed.Go != runtime.Version() {
		t.Errorf("found %+v, %v", printed, err)
	}
}
