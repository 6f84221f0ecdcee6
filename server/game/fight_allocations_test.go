//go:build !race

// The race detector makes pools drop what they hold, by chance.

package game

import "testing"

// A blow that is repeated costs no memory, from the bytes of the request to the frames of all that see it.
func TestBlowAllocatesNothing(t *testing.T) {
	g, all, request := sparring(t, 20)
	bytes := make([]byte, len(request))
	blow := func() {
		copy(bytes, request) // it is unmasked where it stands
		all[0].receive(bytes)
		g.server.world.Tick(g.now)
		g.run()
		for i, p := range all {
			if len(p.got) == 0 {
				t.Fatalf("client %d is not told of a blow", i)
			}
			p.got = p.got[:0]
		}
	}
	for range 20 {
		blow()
	}
	if n := testing.AllocsPerRun(200, blow); n != 0 {
		t.Errorf("a blow allocates %v times", n)
	}
}
