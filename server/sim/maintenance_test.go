package sim_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"sphereserver/data"
	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/server/sim"
)

// Under maintenance operators get in, and the logins that are named; the others are told why, no account is made, and
// present players stay.
func TestMaintenance(t *testing.T) {
	quick(t)
	friendly := func(o *game.Options) { o.Admit = []string{"FRIEND"} }
	sim.Run(t, sim.Options{Prepare: withMaster, Game: friendly}, func(h *sim.House) {
		stays := h.Player(1, "Stays", bot.Options{})
		enters := func(n int, name string) error {
			c, err := comesIn(h, n, bot.Identity{Login: name, Password: name, Name: name})
			if err == nil {
				err = c.Close()
			}
			return err
		}
		if err := enters(2, "Stranger"); err != nil {
			h.T.Fatal(err)
		}
		h.Server.ChangeMaintenance(true, []string{"FRIEND"})
		for n, name := range []string{"Stranger", "Nobody"} {
			err := enters(10+n, name)
			if !errors.Is(err, bot.ErrRefused) || !strings.Contains(err.Error(), "maintenance") {
				h.T.Errorf("%s: %v", name, err)
			}
		}
		for n, name := range []string{"master", "Friend"} {
			if err := enters(20+n, name); err != nil {
				h.T.Errorf("%s: %v", name, err)
			}
		}
		if err := stays.Idle(context.Background(), enough); err != nil {
			h.T.Errorf("a player who was in: %v", err)
		}
		holds(h, data.Counts{Accounts: 4, Characters: 4, Items: 8}) // nobody is made
		h.Server.ChangeMaintenance(false, nil)
		if err := enters(30, "Nobody"); err != nil {
			h.T.Errorf("afterwards: %v", err)
		}
	})
}
