//go:build !race

// The race detector makes pools drop what they hold, by chance.

package packets

import "testing"

// Commands are read into the same ones again without allocations, also where shorter forms of their number are tried first.
func TestReadingCommandsAgainAllocatesNothing(t *testing.T) {
	frame := clientFrame(t, &ContMan{Command: &UseOn{Player: 7, Target: 9}}, &ContMan{Command: &BecomeUser{Player: 7}})
	var again Frame
	read := func() {
		if err := again.Decode(frame, FromClient, Dialect2026); err != nil {
			t.Fatal(err)
		}
	}
	read()
	if n := testing.AllocsPerRun(50, read); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
