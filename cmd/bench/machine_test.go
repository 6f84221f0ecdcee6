package main

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestParseSmaps(t *testing.T) {
	const text = "5581-7ffd ---p 0 00:00 0     [rollup]\nRss:                1764 kB\nAnonymous:           116 kB\n"
	if got, err := parseSmaps(text, "Anonymous"); err != nil || got != 116<<10 {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := parseSmaps(text, "Locked"); err == nil {
		t.Error("a line that is not there has a value")
	}
}

// The system's figures of this process are plausible.
func TestOwnFootprint(t *testing.T) {
	if _, err := os.Stat("/proc/self/smaps_rollup"); err != nil {
		t.Skip("there is no /proc here")
	}
	size, err := residentBytes(os.Getpid())
	if err != nil || size < 1<<20 || size > 1<<40 {
		t.Errorf("memory: %d bytes, %v", size, err)
	}
	before := processorTime()
	after := before
	for began := time.Now(); after <= before && time.Since(began) < time.Minute; after = processorTime() { // be busy
	}
	if after <= before || after > before+time.Minute {
		t.Errorf("processor time: %v, then %v", before, after)
	}
	if _, err := residentBytes(-1); err == nil {
		t.Error("there is no process -1")
	}
}

func TestTheMachineIsNamed(t *testing.T) {
	m := machine{System: "linux/amd64", Go: "go1.26", CPUs: 2}
	if got := m.String(); got != "linux/amd64, go1.26, 2 CPUs" {
		t.Errorf("%q", got)
	}
	m.Processor = "Z80"
	if got := m.String(); got != "linux/amd64, go1.26, 2 CPUs (Z80)" {
		t.Errorf("%q", got)
	}
	if here := thisMachine(); here.CPUs < 1 || here.Go != runtime.Version() ||
		!strings.HasPrefix(here.System, runtime.GOOS+"/") {
		t.Errorf("%+v", here)
	}
}
