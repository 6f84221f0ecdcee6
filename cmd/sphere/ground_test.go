package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestGroundMovesFromOneServerToAnother(t *testing.T) {
	inTurn(t)
	from, to, file := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "heights")
	text := "sphere ground 1\n-5 7 0 15025\n-5 7 1 16000\nend 2\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ := sphereRuns(t, 0, "ground", "import", file, "--data", from)
	if !strings.Contains(out, "2 heights added") {
		t.Errorf("imported: %s", out)
	}
	if out, _ = sphereRuns(t, 0, "ground", "export", "-", "--data", from); out != text {
		t.Errorf("exported: %s", out)
	}
	_, failure := sphereRuns(t, 1, "ground", "export", file, "--data", from)
	if !strings.Contains(failure, "exists already") {
		t.Errorf("a file was to be replaced: %s", failure)
	}
	if err := os.WriteFile(file, []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, failure = sphereRuns(t, 1, "ground", "import", file, "--data", to)
	if !strings.Contains(failure, "line 1") {
		t.Errorf("no file of heights: %s", failure)
	}
}
