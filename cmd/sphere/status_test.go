package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"sphereserver/data"
)

// The probe of containers says by its exit code whether players can come in and are saved, and why not.
func TestStatusReady(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows keeps files that are in use")
	}
	l := commandLine{t, t.TempDir()}
	l.fails(notRunning, "no database in", "status", "--ready")
	dir := runningServer(t)
	l = commandLine{t, dir}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if code, _, _ := l.do("", "status", "--ready"); code == 0 { // it answers before players can come in
			break
		}
	}
	for range 2 {
		if code, out, err := l.do("", "status", "--ready"); code != 0 || out != "ready\n" || err != "" {
			t.Errorf("exit code %d, %q, %q; expected ready", code, out, err)
		}
		path := filepath.Join(dir, data.DatabaseFile)
		if err := os.Rename(path, path+".elsewhere"); err != nil {
			t.Fatal(err)
		}
		if code, _, err := l.do("", "rate", "set", "xp", "2"); code != 1 {
			t.Errorf("exit code %d, %q; expected that nothing is written", code, err)
		}
		if code, out, err := l.do("", "status", "--ready"); code != notReady || err != "" ||
			out != "the database cannot be written\n" {
			t.Errorf("exit code %d, %q, %q; expected %d", code, out, err, notReady)
		}
		if err := os.Rename(path+".elsewhere", path); err != nil {
			t.Fatal(err)
		}
		l.must("rate", "set", "drops", "1.5")
		l.must("rate", "end", "drops")
	}
}
