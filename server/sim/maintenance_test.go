package sim_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"sphereserver/data"
	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/server/ops"
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

// What operators order of the server counts at once, before the configuration, and is stored for the next start.
func TestOrdersOfTheServer(t *testing.T) {
	quick(t)
	sim.Run(t, sim.Options{Prepare: withMaster, Game: func(o *game.Options) { o.Words.Motto = "file" }}, func(h *sim.House) {
		heard := func(n int, name string) (lines []string, err error) {
			o := h.Client(sim.Host(n))
			o.Tell = func(text string) { lines = append(lines, text) }
			c, err := bot.Dial(patient(), h.Addr, o)
			if err == nil {
				err = c.Appear(patient(), bot.Identity{Login: name, Password: name, Name: name})
			}
			if err != nil {
				return nil, err
			}
			if err := c.Idle(context.Background(), enough); err != nil {
				h.T.Error(err)
			}
			return lines, c.Close()
		}
		hears := func(n int, want, not string) {
			lines, err := heard(n, "Friend")
			if all := strings.Join(lines, "\n"); err != nil || !strings.Contains(all, want) || strings.Contains(all, not) {
				h.T.Errorf("%v, heard %q; expected %q, not %q", err, all, want, not)
			}
		}
		owner, ctx := ops.Owner(""), context.Background()
		hears(1, "file", "tournament")
		if _, err := ops.SetMotd.Do(ctx, h.Server.Operators(), owner, ops.MotdText{Text: "tournament"}); err != nil {
			h.T.Fatal(err)
		}
		order := ops.MaintenanceOrder{Admit: []string{"friend"}}
		if _, err := ops.BeginMaintenance.Do(ctx, h.Server.Operators(), owner, order); err != nil {
			h.T.Fatal(err)
		}
		h.Server.ChangeMaintenance(false, nil) // a reload of the configuration, which says nothing of it
		h.Server.ChangeWords(game.Words{Motto: "another file"})
		hears(2, "tournament", "file")
		if _, err := heard(3, "Stranger"); !errors.Is(err, bot.ErrRefused) || !strings.Contains(err.Error(), "maintenance") {
			h.T.Errorf("a stranger: %v", err)
		}
		if !h.Server.UnderMaintenance() {
			h.T.Error("no maintenance")
		}
		h.Opened(h.Crash(), func(s *data.Store) {
			all, err := s.Orders(ctx)
			if err != nil || all[data.MotdOrder].Value != "tournament" || !strings.EqualFold(all[data.MaintenanceOrder].Value, "friend") {
				h.T.Errorf("found %v, %v", all, err)
			}
		})
		if _, err := ops.EndMaintenance.Do(ctx, h.Server.Operators(), owner, ops.Empty{}); err != nil {
			h.T.Fatal(err)
		}
		if _, err := ops.EndMotd.Do(ctx, h.Server.Operators(), owner, ops.Empty{}); err != nil {
			h.T.Fatal(err)
		}
		hears(4, "another file", "tournament")
		if _, err := heard(5, "Stranger"); err != nil {
			h.T.Errorf("afterwards: %v", err)
		}
	})
}
