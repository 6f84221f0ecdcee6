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
	newcomers = flag.Int("sim.newcomers", 3, "how many newcomers play in a town, a third of each school")
	hours     = flag.Duration("sim.hours", time.Hour/4, "how long each of them plays")
)

// The first newcomers of each school play an evening in one town.
const (
	evening     = 4 * time.Hour
	eveningTown = "shipstone"
)

// A beginning is the first hours of a newcomer.
type beginning struct {
	deaths []time.Duration
	levels map[int]time.Duration // the greater one of title and degree, and when it was reached
}

// within says whether a level was reached in a time.
func (b *beginning) within(level int, limit time.Duration) bool {
	at, reached := b.levels[level]
	return reached && at <= limit
}

// begins makes a newcomer play by itself in a town, or where the shipped server puts it: it hunts monsters of its
// level, eats, steps back when it is hurt, sells its loot and buys missing things. It plays for hours; while it lacks
// a level that it is to reach, it goes on for an evening.
func begins(t *testing.T, town string, seed uint64, wanted int) (b beginning) {
	b.levels = map[int]time.Duration{}
	sim.Run(t, sim.Options{Seed: seed, Game: func(o *game.Options) {
		if place, ok := content.FindPlace(town); ok {
			o.Start, o.NewcomersDungeon = place.Position, false
		}
	}}, func(h *sim.House) {
		began := time.Now()
		ctx, enough := context.WithCancel(context.Background())
		defer enough()
		f := h.SwarmUntil(ctx, bot.SwarmOptions{Count: 1, For: max(*hours, evening), Client: bot.Options{Hunt: true},
			Watch: func(_ int, c *bot.Client) {
				if c.Deaths() > len(b.deaths) {
					b.deaths = append(b.deaths, time.Since(began))
				}
				level := 1 + int(max(c.Stats[packets.StatTitle], c.Stats[packets.StatDegree]))
				if _, was := b.levels[level]; !was && c.InWorld() {
					b.levels[level] = time.Since(began)
				}
				if b.levels[wanted] > 0 && time.Since(began) >= *hours {
					enough()
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
//
// In one town the first of each school plays on into an evening of four hours: a player that hunts monsters of its
// level, and wears found and affordable things, has level 10 before its end. With -sim.hours=4h all play on.
//
// That is what make simulate plays. In the gate three play in two towns, a quarter of an hour each: fighters reach level 4.
func TestNewcomersSurvive(t *testing.T) {
	if testing.Short() {
		t.Skip("a long time for the race detector: TestEvenings is what there is to race")
	}
	const firstHour = time.Hour // whatever -sim.hours plays
	var mu sync.Mutex
	died, slow, all, table := 0, 0, 0, strings.Builder{}
	towns := []string{eveningTown, "", "bangville", "sunpool", "torweal"}
	fighters := 5
	if *newcomers <= 3 {
		towns = towns[:2]
	}
	if *hours < firstHour {
		fighters = 4
	}
	t.Run("hours", func(t *testing.T) {
		for _, town := range towns {
			for seed := uint64(1); seed <= uint64(*newcomers); seed++ {
				t.Run(fmt.Sprint(town, seed), func(t *testing.T) {
					t.Parallel()
					wanted := 1
					stays := *hours >= evening || town == eveningTown && seed <= 3 && *newcomers > 3
					if stays {
						wanted = 10
					}
					b := begins(t, town, seed, wanted)
					if !b.within(2, 10*time.Minute) {
						t.Errorf("level 2 after %v", b.levels[2])
					}
					if stays && !b.within(wanted, evening) {
						t.Errorf("no level %d in an evening: deaths %v, levels %v", wanted, b.deaths, b.levels)
					}
					mu.Lock()
					defer mu.Unlock()
					if !b.within(fighters, firstHour) && seed%3 != 2 {
						slow++
					}
					if all++; len(b.deaths) > 0 && b.deaths[0] <= firstHour {
						died++
					}
					fmt.Fprintf(&table, "%-10s seed %2d: deaths %v, levels %v\n", town, seed, b.deaths, b.levels)
				})
			}
		}
	})
	t.Logf("\n%s%d of %d have died", &table, died, all)
	if died > max(all/10, 1) || slow > max(all/10, 1) {
		t.Errorf("of %d newcomers %d have died, and %d who fight with blades and crossbows have not reached level %d; "+
			"expected one in ten at most", all, died, slow, fighters)
	}
}
