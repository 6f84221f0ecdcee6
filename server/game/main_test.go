package game

import (
	"flag"
	"os"
	"testing"
)

// TestMain runs more tests at once than there are processors: they wait, for the most part, for the disk.
func TestMain(m *testing.M) {
	flag.Parse()
	_ = flag.Set("test.parallel", "8")
	os.Exit(m.Run())
}
