package sim_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/server/sim"
	"sphereserver/server/sim/memnet"
)

// together has newcomers begin in the town, and not each in a dungeon of its own.
func together(o *game.Options) { o.NewcomersDungeon = false }

// crowded makes a crowd walk about on one square, in sight of each other, talk, group and handle things, while fault
// runs. No client may be lost, and none may have a wrong sight.
func crowded(h *sim.House, n int, while time.Duration, fault func()) {
	h.T.Helper()
	done := make(chan *bot.Figures, 1)
	go func() {
		done <- h.Swarm(bot.SwarmOptions{Count: n, For: while, Rate: 10, Client: bot.Options{Walk: bot.Square,
			PingEvery: 500 * time.Millisecond, ChatEvery: 30 * time.Second, GroupEvery: 10 * time.Second,
			ItemsEvery: 10 * time.Second}})
	}()
	time.Sleep(time.Duration(n)*100*time.Millisecond + 5*time.Second)
	fault()
	f := <-done
	if f.Entries < n || f.DisconnectCount() > 0 || len(f.Violations) > 0 || f.Compared == 0 {
		h.T.Errorf("of the crowd %d came in, lost were %v; found %v in %d "+
			"sightings", f.Entries, f.Disconnects, f.Violations,
			f.Compared)
	}
}

// pings are position messages as they travel, many of them.
func pings(c *bot.Client, n int) []byte {
	frame, err := packets.AppendClient(nil, packets.PingBody(c.ID(), 100, c.Position), packets.Dialect2026, c.Key, 7)
	if err != nil {
		panic(err)
	}
	return bytes.Repeat(frame, n)
}

// Fault case 12: floods of ten thousand frames a second from the middle of a crowd are cut, the flooders come back
// and are cut again, and no client around is lost or has a wrong sight.
func TestFaultFloodsInACrowdAreCut(t *testing.T) {
	simulated(t, together, func(h *sim.House) {
		const n, rounds = 20, 4
		b := watch(h)
		crowded(h, n, 30*time.Second, func() {
			for range rounds {
				c := h.Player(500, "Поток", bot.Options{})
				begin := time.Now()
				for batch := pings(c, 100); c.SendRaw(batch) == nil; time.Sleep(10 * time.Millisecond) {
					if time.Since(begin) > 2*time.Second {
						h.T.Fatal("the flood is let in")
					}
				}
				c.Abort()
				time.Sleep(time.Second)
			}
		})
		b.ends(h)
		counted(h, map[string]uint64{"ended_too_many_frames": rounds})
	})
}

// Fault case 13: clients that never read the messages about the crowd around them owe more and more, and are dropped
// for that and nothing else.
func TestFaultPeersThatNeverReadInACrowdAreDropped(t *testing.T) {
	quick(t)
	o := sim.Options{Net: memnet.Options{Window: 4 << 10}, Game: func(o *game.Options) {
		together(o)
		o.Limits.Pending = 16 << 10
	}}
	sim.Run(t, o, func(h *sim.House) {
		const n, others = 4, 20
		b := watch(h)
		crowded(h, others, 3*time.Minute, func() {
			all(h, n, func(i int) error {
				c := h.Player(500+i, fmt.Sprint("Глухой", i), bot.Options{Manual: true})
				defer c.Abort()
				// To be silent would be another fault.
				for begin, frame := time.Now(), pings(c, 1); c.SendRaw(frame) == nil; time.Sleep(500 * time.Millisecond) {
					if time.Since(begin) > 2*time.Minute {
						return errors.New("never dropped")
					}
				}
				return nil
			})
		})
		b.ends(h)
		counted(h, map[string]uint64{"ended_slow_reader": n})
	})
}

// Fault case 23: a store that takes half a minute for each request, as one that another program holds, costs nobody the
// connection, and nobody an answer that needs no store. Afterwards newcomers come in, and everybody is saved.
func TestFaultAStoreThatIsHeldHoldsUpNobody(t *testing.T) {
	simulated(t, nil, func(h *sim.House) {
		const n, held = 20, 30 * time.Second
		players := make([]*bot.Client, n)
		for i := range players {
			players[i] = h.Player(i, bot.SwarmName("Held", i), bot.Options{Seed: uint64(i), PingEvery: 500 * time.Millisecond})
		}
		b := watch(h)
		ticks := h.Server.Counters()["ticks"]
		h.Store.Delay(held)
		begin := time.Now()
		all(h, n, func(i int) error { return players[i].Idle(context.Background(), held) })
		lived := h.Server.Counters()["ticks"] - ticks
		if want := uint64(time.Since(begin) / (50 * time.Millisecond)); lived+1 < want || lived > want+1 {
			h.T.Errorf("%d ticks in %v", lived, time.Since(begin))
		}
		h.Store.Delay(0)
		late := h.Player(600, "Новичок", bot.Options{})
		b.ends(h)
		for _, c := range append(players, late) {
			if v := c.Violations(); len(v) > 0 {
				h.T.Errorf("found %v", v)
			}
			if err := c.Close(); err != nil {
				h.T.Error(err)
			}
		}
		time.Sleep(held + enough)
		h.Opened(h.Crash(), func(s *data.Store) {
			for i, c := range players {
				is, err := s.CharacterByName(context.Background(), bot.SwarmName("Held", i))
				if err != nil || is.Position != c.Position {
					h.T.Errorf("%d stood at %v, saved at %v: %v", i, c.Position, is.Position, err)
				}
			}
		})
	})
}
