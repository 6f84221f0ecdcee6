package sim_test

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/server/sim"
)

var (
	newcomers = flag.Int("sim.newcomers", 0, "how many newcomers play in each place, a sixth of each school; "+
		"0: one of each school, in the places by turns, until it has level 5")
	hours = flag.Duration("sim.hours", firstHour, "how long each of them plays")
)

const (
	firstHour = time.Hour
	// With an hour for all the first newcomers of each school play an evening in one town.
	evening     = 4 * time.Hour
	eveningTown = "shipstone"
)

// A beginning is the first hours of a newcomer.
type beginning struct {
	deaths []time.Duration
	levels map[int]time.Duration // the greater one of title and degree, and when it was reached
	armed  time.Duration         // when it first fought as its school does, 0: never
}

// within reports whether a level was reached in a time.
func (b *beginning) within(level int, limit time.Duration) bool {
	at, reached := b.levels[level]
	return reached && at <= limit
}

// isArmed reports whether a client has in hand what its school fights with.
func isArmed(c *bot.Client, school bot.School) bool {
	held := packets.Class(0)
	if o := c.Objects[c.InHand()]; o != nil {
		held = o.Class
	}
	switch school {
	case bot.Fists:
		return held == 0
	case bot.Archery:
		return held == 502
	case bot.Axes:
		return held == 501
	}
	return held == 500 || held == packets.ClassStartSword
}

// A weaponWatch notes when a client first fights as its school does.
type weaponWatch struct {
	school bot.School
	armed  bool
	blows  int64 // when it was armed
}

// fights reports whether the client has struck since it was armed, or has learned by its attacks of a school of mantras, since
// it casts no others.
func (w *weaponWatch) fights(c *bot.Client) bool {
	if w.school == bot.White || w.school == bot.Black {
		return c.Stats[packets.StatDegree] > 0
	}
	blows := int64(c.Tally().Blows.Load())
	if is := isArmed(c, w.school); is != w.armed {
		w.armed, w.blows = is, blows
	}
	return w.armed && blows > w.blows
}

// A beginner is a newcomer: its school, where it begins, and how long it plays: for a time, and on until it has a level
// and the weapon of its school, but no longer than a limit.
type beginner struct {
	school       bot.School
	place        string // "": where the shipped server puts it
	seed         uint64
	wanted       int
	least, limit time.Duration
}

// begins makes a newcomer play by itself: it hunts monsters of its level, eats, steps back when it is hurt, sells its
// loot and buys missing things.
func (n *beginner) begins(t *testing.T) (b beginning) {
	b.levels = map[int]time.Duration{}
	sim.Run(t, sim.Options{Seed: n.seed, Game: func(o *game.Options) {
		if place, ok := content.FindPlace(n.place); ok {
			o.Start, o.NewcomersDungeon = place.Position, false
		}
	}}, func(h *sim.House) {
		began, weapon := time.Now(), weaponWatch{school: n.school}
		ctx, enough := context.WithCancel(context.Background())
		defer enough()
		f := h.SwarmUntil(ctx, bot.SwarmOptions{Count: 1, For: n.limit, Client: bot.Options{Hunt: true, School: n.school},
			Watch: func(_ int, c *bot.Client) {
				if c.Deaths() > len(b.deaths) {
					b.deaths = append(b.deaths, time.Since(began))
				}
				level := 1 + int(max(c.Stats[packets.StatTitle], c.Stats[packets.StatDegree]))
				for ; level > 0 && b.levels[level] == 0 && c.InWorld(); level-- { // one kill may bring several
					b.levels[level] = time.Since(began)
				}
				if b.armed == 0 && weapon.fights(c) {
					b.armed = time.Since(began)
				}
				if b.armed > 0 && b.levels[n.wanted] > 0 && time.Since(began) >= n.least {
					enough()
				}
			}})
		if f.PutBack != 0 {
			h.T.Errorf("%s, seed %d: the server has put the hunter back %d times", n.place, n.seed, f.PutBack)
		}
		for _, v := range f.Violations {
			h.T.Errorf("%s, seed %d: %v", n.place, n.seed, v)
		}
	})
	return b
}

// beginners are the newcomers of a run.
func beginners() (all []beginner) {
	places := []string{eveningTown, "", "bangville", "sunpool", "torweal"}
	schools := bot.Schools()
	if *newcomers == 0 {
		for i, school := range schools {
			all = append(all, beginner{school, places[i%len(places)], uint64(i + 1), 5, 0, firstHour})
		}
		return all
	}
	for _, place := range places {
		for i := range *newcomers {
			n := beginner{schools[i%len(schools)], place, uint64(i + 1), 1, *hours, *hours}
			if *hours >= evening || place == eveningTown && i < len(schools) {
				n.wanted, n.limit = 10, max(*hours, evening)
			}
			all = append(all, n)
		}
	}
	return all
}

// TestNewcomersSurvive plays first hours with the numbers that ship, in the dungeon and in each town in which one may
// begin, by all six schools: each has level 2 within ten minutes, and at most one in ten dies in the hour, lacks level 5
// at its end, or has not fought as its school does.
//
// In one town the first of each school plays on into an evening of four hours: a player that hunts monsters of its
// level, and wears found and affordable things, has level 10 before its end. With -sim.hours=4h all play on.
//
// That is what make simulate plays. In the gate it is one of each school, until it has level 5: each of them must.
func TestNewcomersSurvive(t *testing.T) {
	if testing.Short() {
		t.Skip("a long time for the race detector: TestEvenings is what there is to race")
	}
	var mu sync.Mutex
	all, table := beginners(), strings.Builder{}
	died, slow, unarmed := 0, 0, 0
	t.Run("hours", func(t *testing.T) {
		for _, n := range all {
			t.Run(fmt.Sprint(n.place, n.seed), func(t *testing.T) {
				t.Parallel()
				b := n.begins(t)
				if !b.within(2, 10*time.Minute) {
					t.Errorf("level 2 after %v", b.levels[2])
				}
				if n.wanted >= 10 && !b.within(n.wanted, n.limit) {
					t.Errorf("no level %d in an evening: deaths %v, levels %v", n.wanted, b.deaths, b.levels)
				}
				mu.Lock()
				defer mu.Unlock()
				if b.armed == 0 || b.armed > firstHour {
					unarmed++
				}
				if !b.within(5, firstHour) {
					slow++
				}
				if len(b.deaths) > 0 && b.deaths[0] <= firstHour {
					died++
				}
				fmt.Fprintf(&table, "%-10s %-14s seed %2d: deaths %v, armed %v, levels %v\n", n.place, n.school, n.seed,
					b.deaths, b.armed, b.levels)
			})
		}
	})
	t.Logf("\n%sof %d newcomers %d have died in an hour, %d have not reached level 5, %d never fought as their school does",
		&table, len(all), died, slow, unarmed)
	if max(died, slow, unarmed) > len(all)/10 {
		t.Error("expected of each one in ten at most")
	}
}
