package sim

import (
	"flag"
	"strings"
	"testing"
)

// A simulation is played again with the flags that it had: as long, and by as many.
func TestTheCommandOfASimulationHasItsFlags(t *testing.T) {
	flag.Int("sim.example", 1, "for this test")
	if got := again("TestX/seed_7", 7); strings.Contains(got, "sim.example") {
		t.Error(got)
	}
	if err := flag.Set("sim.example", "2"); err != nil {
		t.Fatal(err)
	}
	got := again("TestX/seed_7", 7)
	if !strings.Contains(got, " -run '^TestX$/^seed_7$'") || !strings.Contains(got, " -sim.example=2") ||
		!strings.HasSuffix(got, " -sim.seed=7") || strings.Contains(got, "-short") != testing.Short() {
		t.Error(got)
	}
}
