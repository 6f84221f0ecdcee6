//go:build system

package main

import (
	"io"
	"os"
	"strings"
	"testing"
)

// A profile is written for each bar that has a server of ours.
func TestProfiles(t *testing.T) {
	dir := t.TempDir()
	args := []string{"--quick", "--runs", "1", "--dir", t.TempDir(), "--only", "P1,P6", "--profiles", dir}
	var out strings.Builder
	if err := run(t.Context(), args, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), string(notHere)) {
		elsewhere(t, out.String())
	}
	for _, name := range []string{"P1.pprof", "P6.pprof"} {
		if f, err := os.Stat(dir + "/" + name); err != nil || f.Size() == 0 {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}
