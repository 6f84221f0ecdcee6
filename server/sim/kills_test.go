package sim_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/server/sim"
	"sphereserver/world/rules"
)

// A kill of a party of four is one change for the store at the most, with the levels and the bag that it brings. Only
// a player that is having something else made durable at that moment has its level by a change of its own.
func TestChangesOfAKill(t *testing.T) {
	for _, c := range []struct {
		name  string
		delay time.Duration
		busy  bool
		most  int64 // changes of one kill
	}{
		{"a quick store", 0, false, 1},
		{"a slow store", 50 * time.Millisecond, false, 1},
		{"all have changes, too", 50 * time.Millisecond, true, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			quick(t)
			at := practice(t)
			var changes atomic.Int64
			sim.Run(t, sim.Options{Prepare: withMaster, Applied: func(c *rules.Change) { changes.Add(byKill(c)) },
				Game: func(o *game.Options) { o.Start, o.Monsters, o.NewcomersDungeon = at.Position, false, false }},
				func(h *sim.House) {
					const kills = 40
					party, master := partyOf(h, 4)
					h.Store.Delay(c.delay)
					was, most := changes.Load(), int64(0)
					for range kills {
						before := changes.Load()
						killTogether(h, master, party, c.busy)
						most = max(most, changes.Load()-before)
					}
					each := float64(changes.Load()-was) / kills
					t.Logf("%d kills of a party of four: %.2f changes each, %d at the most", kills, each, most)
					if each > 1 || most > c.most || most == 0 {
						t.Errorf("%.2f changes a kill, %d at the most", each, most)
					}
				})
		})
	}
}

// byKill is 1 for a change that brings progress or items from nowhere, else 0: things are moved, and bags end.
func byKill(c *rules.Change) int64 {
	if len(c.Progress) > 0 || slices.ContainsFunc(c.Items, func(i rules.ItemChange) bool { return i.Was == nil }) {
		return 1
	}
	return 0
}

// partyOf returns a party of players, and a game master beside it.
func partyOf(h *sim.House, n int) (party []*bot.Client, master *bot.Client) {
	master = h.Player(n, "master", bot.Options{})
	party = make([]*bot.Client, n)
	name := func(i int) string { return bot.SwarmName("Mate", i) }
	for i := range party {
		party[i] = h.Player(i, name(i), bot.Options{})
	}
	must := func(err error) {
		if err != nil {
			h.T.Fatal(err)
		}
	}
	pause := func() {
		all(h, n, func(i int) error { return party[i].Idle(context.Background(), time.Second) })
	}
	must(party[0].CreateGroup())
	pause()
	for i := 1; i < n; i++ {
		must(party[i].ApplyToGroup(name(0)))
		pause()
		must(party[0].AcceptIntoGroup(name(i)))
		pause()
	}
	return party, master
}

// killTogether has a game master call a monster, and a party strike it until it is dead. Those that are busy have an
// item moved all the time.
func killTogether(h *sim.House, master *bot.Client, party []*bot.Client, busy bool) {
	if err := master.Speak(2, "/monster 1011 1 rewards"); err != nil {
		h.T.Fatal(err)
	}
	prey := func(o *bot.Object) bool { return o.Monster != nil }
	all(h, len(party), func(i int) error {
		c := party[i]
		if err := c.Until(patient(), func() bool { return c.Nearest(prey) != nil }); err != nil {
			return err
		}
		for o := c.Nearest(prey); o != nil; o = c.Nearest(prey) {
			if err := c.Strike(o.ID); err != nil {
				return err
			}
			for range 40 {
				if busy {
					moveSomething(c)
				}
				if err := c.Idle(context.Background(), 50*time.Millisecond); err != nil {
					return err
				}
			}
		}
		return c.Idle(context.Background(), 2*time.Second)
	})
}

// moveSomething asks for an item to be moved to the next slot of the inventory, unless something is asked for already.
func moveSomething(c *bot.Client) {
	things := c.Items()
	at := slices.IndexFunc(things, func(it bot.Item) bool { return it.Slot >= 26 && it.Slot < 39 })
	if at < 0 || c.Waits() {
		return
	}
	to := 26 + (things[at].Slot-25)%13
	if !slices.ContainsFunc(things, func(it bot.Item) bool { return it.Slot == to }) {
		_ = c.Move(c.ID(), things[at].Slot, to)
	}
}
