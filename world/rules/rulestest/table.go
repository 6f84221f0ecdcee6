// Package rulestest reads the tables that tests of rules are held against.
package rulestest

import (
	"os"
	"path/filepath"
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
		dir = filepath.Join(repository(t), "..", "shared", "protocol")
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

// repository is the folder of the repository: the nearest with a go.mod above that of the package whose tests run.
func repository(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		above := filepath.Dir(dir)
		if above == dir {
			t.Fatal("no go.mod above the tests")
		}
		dir = above
	}
}
