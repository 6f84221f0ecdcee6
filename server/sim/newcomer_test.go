package sim_test

import (
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
	newcomers = flag.Int("sim.newcomers", 3, "how many newcomers play in a town, a third of each school")
	hours     = flag.Duration("sim.hours", time.Hour, "how long each of them plays")
)

// A beginning is the first hour of a newcomer.
type beginning struct {
	deaths int
	levels map[int]time.Duration // the greater one of title and degree, and when it was reached
}

// begins makes a newcomer play by itself in a town, or where the shipped server puts it: it hunts monsters of its
// level, eats, steps back when it is hurt, sells its loot and buys missing things.
func begins(t *testing.T, town string, seed uint64, length time.Duration) (b beginning) {
	b.levels = map[int]time.Duration{}
	sim.Run(t, sim.Options{Seed: seed, Game: func(o *game.Options) {
		if place, ok := content.FindPlace(town); ok {
			o.Start, o.NewcomersDungeon = place.Position, false
		}
	}}, func(h *sim.House) {
		began := time.Now()
		f := h.Swarm(bot.SwarmOptions{Count: 1, For: length, Client: bot.Options{Hunt: true},
			Watch: func(_ int, c *bot.Client) {
				b.deaths = max(b.deaths, c.Deaths())
				level := 1 + int(max(c.Stats[packets.StatTitle], c.Stats[packets.StatDegree]))
				if _, was := b.levels[level]; !was && c.InWorld() {
					b.levels[level] = time.Since(began)
				}
			}})
		for _, v := range f.Violations {
			h.T.Errorf("%s, seed %d: %v", town, seed, v)
		}
	})
	return b
}

// TestNewcomersSurvive plays first hours with the numbers that ship, in the dungeon and in each town in which one may
// begin, by all schools: at most one in ten dies, each has level 2 within ten minutes, and fighters with a blade or a
// crossbow, which are the schools of seeds 3 and 1, mostly reach level 5 within the hour.
func TestNewcomersSurvive(t *testing.T) {
	if testing.Short() {
		t.Skip("a long time for the race detector: TestEvenings is what there is to race")
	}
	var mu sync.Mutex
	died, slow, all, table := 0, 0, 0, strings.Builder{}
	towns := []string{"", "shipstone", "bangville", "sunpool", "torweal"}
	if *newcomers <= 3 {
		towns = towns[:2]
	}
	t.Run("hours", func(t *testing.T) {
		for _, town := range towns {
			for seed := uint64(1); seed <= uint64(*newcomers); seed++ {
				t.Run(fmt.Sprint(town, seed), func(t *testing.T) {
					t.Parallel()
					b := begins(t, town, seed, *hours)
					if at, ok := b.levels[2]; !ok || at > 10*time.Minute {
						t.Errorf("level 2 after %v", at)
					}
					mu.Lock()
					defer mu.Unlock()
					if _, ok := b.levels[5]; !ok && seed%3 != 2 {
						slow++
					}
					if all++; b.deaths > 0 {
						died++
					}
					fmt.Fprintf(&table, "%-10s seed %2d: %d deaths, levels %v\n", town, seed, b.deaths, b.levels)
				})
			}
		}
	})
	t.Logf("\n%s%d of %d have died", &table, died, all)
	if died > max(all/10, 1) || slow > max(all/10, 1) {
		t.Errorf("of %d newcomers %d have died, and %d who fight with blades and crossbows have not reached level 5; "+
			"expected one in ten at most", all, died, slow)
	}
}

// TestLevelTenInAnEvening plays an evening of four hours with the numbers that ship, once with each of the three
// usual schools: a player that hunts monsters of its level, and wears found and affordable things, has level 10 at
// its end.
func TestLevelTenInAnEvening(t *testing.T) {
	if testing.Short() {
		t.Skip("a long time for the race detector: TestEvenings is what there is to race")
	}
	for seed := uint64(1); seed <= 3; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			b := begins(t, "shipstone", seed, 4*time.Hour)
			if _, ok := b.levels[10]; !ok {
				t.Errorf("%d deaths, levels %v", b.deaths, b.levels)
			}
		})
	}
}
