package game

import (
	"flag"
	"os"
	"testing"
)

// TestMain runs more tests at once than there are processors: they wait, for the most part, for their stores.
func TestMain(m *testing.M) {
	flag.Parse()
	_ = flag.Set("test.parallel", "4")
	os.Exit(m.Run())
}
