package sim_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/data/content/wild"
	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/server/sim"
	"sphereserver/world/rules"
)

// practice is a place outside of a town where nothing strikes back.
func practice(t *testing.T) wild.Spawner {
	b := rules.DefaultBalance()
	all := wild.Spawners(content.Default().Tables, &b.Spawn)
	i := slices.IndexFunc(all, func(s wild.Spawner) bool { return slices.Equal(s.Types, []int{rules.PracticeTarget}) })
	if i < 0 {
		t.Fatal("there is no practice target")
	}
	return all[i]
}

// However slow the store is, and while it is held for half a minute, blows fall and are told at once, though each
// player is having something else made durable all the time; and nothing that is asked meanwhile is lost.
func TestBlowsWaitForNoStore(t *testing.T) {
	for _, delay := range []time.Duration{0, 50 * time.Millisecond, 30 * time.Second} {
		t.Run(delay.String(), func(t *testing.T) {
			quick(t)
			at := practice(t)
			sim.Run(t, sim.Options{Prepare: withMaster, Game: func(o *game.Options) {
				o.Start, o.NewcomersDungeon = at.Position, false
			}}, func(h *sim.House) { strikeOn(h, delay) })
		})
	}
}

// withMaster makes the account of a game master, with "master" for login and password.
func withMaster(s *data.Store) {
	hash, err := data.HashPassword("master", data.DefaultHashParams)
	if err == nil {
		_, err = s.CreateAccount(context.Background(), "master", hash, data.GameMaster)
	}
	if err != nil {
		panic(err)
	}
}

func strikeOn(h *sim.House, delay time.Duration) {
	const n, during = 4, 40 * time.Second
	master := h.Player(n, "master", bot.Options{})
	if err := master.Speak(2, fmt.Sprintf("/monster %d 60", rules.PracticeTarget)); err != nil {
		h.T.Fatal(err)
	}
	target := func(o *bot.Object) bool { return o.Monster != nil && o.Monster.MaxHP > 1000 }
	if err := master.Until(patient(), func() bool { return master.Nearest(target) != nil }); err != nil {
		h.T.Fatal(err)
	}
	players := make([]*bot.Client, n)
	for i := range players {
		players[i] = h.Player(i, bot.SwarmName("Blow", i), bot.Options{})
		if err := players[i].Until(patient(), func() bool { return players[i].Nearest(target) != nil }); err != nil {
			h.T.Fatal(err)
		}
	}
	h.Store.Delay(delay)
	all(h, n, func(i int) error {
		c := players[i]
		ctx := context.Background()
		for slot, end := 26, time.Now().Add(during); time.Now().Before(end); {
			if !c.Waits() { // something is on its way to the store all the time
				things := c.Items()
				at := slices.IndexFunc(things, func(it bot.Item) bool { return it.Slot >= 26 && it.Slot < 40 })
				slot = 26 + (slot-25)%14
				if err := c.Move(c.ID(), things[at].Slot, slot); err != nil {
					return err
				}
			}
			if err := c.Strike(c.Nearest(target).ID); err != nil {
				return err
			}
			if err := c.Idle(ctx, 2*time.Second); err != nil {
				return err
			}
		}
		return nil
	})
	h.Store.Delay(0)
	all(h, n, func(i int) error { return players[i].Idle(context.Background(), enough) })
	for i, c := range players {
		f := c.Figures()
		late := slices.DeleteFunc(f.Violations, func(v bot.Violation) bool {
			// Of changes that the store was to keep.
			return delay > time.Second && (v.Kind == bot.NoReply || v.Kind == bot.UnsolicitedChange)
		})
		p99 := f.Echoes.Quantile(0.99)
		if f.Blows < 19 || f.Echoes.Count != f.Blows || p99 >= 100*time.Millisecond || c.Waits() || len(late) > 0 {
			h.T.Errorf("%d: %d blows, %d told, p99 %v, waits %v, found %v", i, f.Blows, f.Echoes.Count, p99, c.Waits(), late)
		}
		h.T.Logf("%d blows, told after %v (p50), %v (p99)", f.Blows, f.Echoes.Quantile(0.5), p99)
	}
}
