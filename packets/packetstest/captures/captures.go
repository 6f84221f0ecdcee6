// Package captures finds for tests the frames that others have recorded, which are not part of the repository. Only
// tests import it.
package captures

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var folder = flag.String("captures", "",
	"the folder of frames.tsv, recorded frames; by default shared/captures beside the repository")

// Open opens the recorded frames, and skips the test where there are none.
func Open(t testing.TB) *os.File {
	t.Helper()
	dir := *folder
	if dir == "" {
		dir = filepath.Join(repository(t), "..", "shared", "captures")
	}
	file, err := os.Open(filepath.Join(dir, "frames.tsv"))
	if err != nil {
		t.Skipf("no recorded captures (-captures FOLDER says where they are): %v", err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

// repository is the folder of the module whose tests run.
func repository(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	return dir
}
