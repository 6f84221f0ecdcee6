// Package rulestest reads the tables that tests of rules are held against.
package rulestest

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Table reads a table of the protocol's pages: its header and its rows, as cells, without lines that begin with #. The
// tables are no part of the repository: they lie in the folder that SPHERE_PROTOCOL names, or beside the repository. A
// test that needs one skips without it.
func Table(t testing.TB, name string) (header []string, rows [][]string) {
	t.Helper()
	dir := os.Getenv("SPHERE_PROTOCOL")
	if dir == "" {
		_, here, _, _ := runtime.Caller(0)
		dir = filepath.Join(filepath.Dir(here), "..", "..", "..", "..", "shared", "protocol")
	}
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Skipf("no tables of the protocol's page: %v", err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\r\n"); line != "" && line[0] != '#' {
			rows = append(rows, strings.Split(line, "\t"))
		}
	}
	if len(rows) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return rows[0], rows[1:]
}
