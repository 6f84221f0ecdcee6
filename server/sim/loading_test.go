package sim_test

import (
	"context"
	"testing"
	"time"

	"sphereserver/server/bot"
	"sphereserver/server/sim"
)

// An operator gives something to a character while its client still loads the world: it is told of the gift, once,
// and the belongings that it was told to enter with do not change.
func TestGiftsWhileAClientLoads(t *testing.T) {
	quick(t)
	sim.Run(t, sim.Options{Prepare: withMaster}, func(h *sim.House) {
		master := h.Player(1, "master", bot.Options{})
		c := h.Player(2, "Loading", bot.Options{})
		bread := func() (n int) {
			for _, it := range c.Items() {
				if it.Class == 653 {
					n += it.Count
				}
			}
			return n
		}
		had := bread()
		if err := c.Close(); err != nil {
			h.T.Fatal(err)
		}
		give := time.AfterFunc(2500*time.Millisecond, func() {
			if err := master.Speak(2, "/give Loading bread 5"); err != nil {
				h.T.Error(err)
			}
		})
		defer give.Stop()
		c = h.Player(2, "Loading", bot.Options{LoadTime: 5 * time.Second})
		if err := c.Idle(context.Background(), time.Second); err != nil {
			h.T.Fatal(err)
		}
		if is, v := bread(), c.Violations(); is != had+5 || len(v) > 0 {
			h.T.Errorf("it had %d and has %d pieces of bread, found %v", had, is, v)
		}
	})
}
