package sim_test

import (
	"fmt"
	"testing"
	"time"

	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/server/sim"
	"sphereserver/world/rules"
)

// To log in again is no escape from a fight: the character stays where it is struck for as long as without, whether its
// connection has broken or another client takes its place, and comes back with the HP that are left.
func TestLoggingInAgainIsNoEscape(t *testing.T) {
	for _, breaks := range []bool{true, false} {
		t.Run(fmt.Sprintf("the connection breaks %v", breaks), func(t *testing.T) {
			quick(t)
			at := practice(t)
			sim.Run(t, sim.Options{Prepare: withMaster, Game: func(o *game.Options) {
				o.Start, o.NewcomersDungeon, o.TakeOver = at.Position, false, true
				o.World.Balance.Strength.HP = 100
			}}, func(h *sim.House) { logInAgain(h, breaks) })
		})
	}
}

func logInAgain(h *sim.House, breaks bool) {
	linger := rules.DefaultBalance().Blow.Linger
	master := h.Player(1, "master", bot.Options{})
	c := h.Player(2, "Fighter", bot.Options{})
	if err := master.Speak(2, "/monster 1000 3"); err != nil {
		h.T.Fatal(err)
	}
	foe := func(o *bot.Object) bool { return o.Monster != nil && o.Monster.Type == 1000 }
	if err := c.Until(patient(), func() bool { return c.Nearest(foe) != nil }); err != nil {
		h.T.Fatal(err)
	}
	if err := c.Strike(c.Nearest(foe).ID); err != nil {
		h.T.Fatal(err)
	}
	had := c.Stats[packets.StatHP]
	if err := c.Until(patient(), func() bool { return c.Stats[packets.StatHP] < had }); err != nil {
		h.T.Fatal(err)
	}
	had = c.Stats[packets.StatHP]
	if breaks {
		c.Abort()
	}
	left := time.Now()
	c = h.Player(3, "Fighter", bot.Options{})
	if took, has := time.Since(left), c.Stats[packets.StatHP]; took < linger || has >= had || c.Dead() {
		h.T.Errorf("%d HP after %v, had %d when it left", has, took, had)
	}
}
