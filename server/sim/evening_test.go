package sim_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/server/bot"
	"sphereserver/server/sim"
	"sphereserver/server/sim/memnet"
)

var (
	seeds   = flag.Int("sim.seeds", 8, "how many seeds TestEvenings plays, beginning with -sim.seed")
	minutes = flag.Int("sim.minutes", 2, "how long each of its evenings is")
	players = flag.Int("sim.players", 12, "how many play in it")
	faults  = flag.Duration("sim.faults", 10*time.Second, "the most between two faults, or looks at what a crash leaves")
)

// TestEvenings plays evenings by their seeds: players hunt, trade, talk, form groups, do missions, come and go, while
// connections are lost, cables pulled, the store is slow or fails, and the server is killed. Nothing that was told is
// lost, nothing is doubled, and nobody sees anything that the original client would stumble over.
//
// Three bits of a seed choose the faults: 1 connections and the server, 2 the store; 4 is missions.
func TestEvenings(t *testing.T) {
	var failed atomic.Bool
	for i := range uint64(*seeds) {
		if testing.Short() && i == 1 {
			break
		}
		seed := sim.Seed() + i
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			if *seeds > 8 && failed.Load() {
				t.Skip("an earlier seed has failed")
			}
			evenings.Store(seed, playEvening(t, seed))
			if t.Failed() {
				failed.Store(true)
			}
		})
	}
}

// evenings has the traces of those that were played, by their seeds.
var evenings sync.Map

// playEvening plays one, and returns its trace.
func playEvening(t *testing.T, seed uint64) (trace string) {
	cuts, store, missions := seed&1 != 0, seed&2 != 0, seed&4 != 0
	random := rand.New(rand.NewPCG(seed, 29))
	o := sim.Options{Seed: seed, Prepare: withMaster, Net: memnet.Options{
		Latency: time.Duration(1+random.IntN(60)) * time.Millisecond,
		Jitter:  time.Duration(random.IntN(60)) * time.Millisecond,
	}}
	if cuts && store {
		o.Net.Split = 1 + random.IntN(20)
	}
	sim.Run(t, o, func(h *sim.House) {
		length := time.Duration(*minutes) * time.Minute
		if testing.Short() { // the race detector is slow
			length = time.Minute
		}
		all := bot.SwarmOptions{Count: *players, For: length, Rate: 2, Stay: time.Minute, Reconnect: true,
			Prefix: "Guest", Client: bot.Options{Hunt: true, Missions: missions, ChatEvery: 20 * time.Second,
				GroupEvery: 20 * time.Second, ItemsEvery: 10 * time.Second}}
		// Messages that are held up for seconds come late, and never to a client that leaves meanwhile, and nobody knows
		// where others are.
		if cuts {
			all.Stay, all.Sight, all.Client.Patience = 0, -1, 8
		}
		ledger := sim.NewLedger(h.T, all)
		if store {
			ledger.Fails = storeFails
		}
		clans := newClanLife(ledger, seed, all.Count)
		all.Watch = func(i int, c *bot.Client) {
			ledger.Watch(i, c)
			clans.act(i, c)
		}
		end := time.Now().Add(length)
		done := make(chan *bot.Figures, 1)
		go func() { done <- h.Swarm(all) }()
		m := mischief{h, ledger, random, all.Count, cuts, store, &warden{random: random, told: sentence{role: data.GameMaster}}}
		for {
			time.Sleep(time.Duration(random.Int64N(int64(max(*faults, 1)))))
			if !time.Now().Before(end) { // a client that has left may have died since, without being told
				break
			}
			m.one()
		}
		f := <-done
		if missions {
			leavesNoInstance(h)
		}
		if !cuts && !store && f.DisconnectCount() > 0 ||
			f.Entries == 0 || !testing.Short() && (f.Kills == 0 || ledger.Compared == 0) {
			h.T.Error("not the evening that it should have been")
		}
		for _, v := range f.Violations {
			// While the store fails the gains of a kill are refused, and the target of a mission comes again later; and words
			// that refuse one request may be taken for the answer to another.
			if store && (v.Kind == bot.MissionFails || v.Kind == bot.UnsolicitedChange) {
				continue
			}
			h.T.Errorf("%v", v)
		}
		trace = h.Trace()
		h.T.Logf("%d entries, %d kills, %d deaths, %d characters compared, disconnects %v, trace %s", f.Entries, f.Kills,
			f.Deaths, ledger.Compared, f.Disconnects, trace)
	})
	return trace
}

// storeFails is for how long a store of an evening fails at most.
const storeFails = 5 * time.Second

// A mischief is the fault of an evening.
type mischief struct {
	*sim.House
	ledger      *sim.Ledger
	random      *rand.Rand
	players     int
	cuts, store bool
	warden      *warden
}

// look compares a store that a crash has left with all that was told.
func (m *mischief) look(s *data.Store, over bool) {
	m.ledger.Audit(s, over)
	m.warden.audit(m.T, s)
	if over {
		m.warden.life++
	}
}

func (m *mischief) victim() *memnet.Conn {
	if all := m.Net.Conns(sim.Host(1 + m.random.IntN(m.players))); len(all) > 0 {
		return all[len(all)-1]
	}
	return nil
}

func (m *mischief) one() {
	switch n := m.random.IntN(20); {
	case n < 4 && m.cuts:
		if c := m.victim(); c != nil {
			c.Reset()
		}
	case n < 7 && m.cuts:
		if c := m.victim(); c != nil {
			c.Pull()
			time.AfterFunc(time.Duration(m.random.Int64N(int64(6*time.Second))), c.Plug)
		}
	case n < 8 && m.cuts:
		m.Kill(func(s *data.Store) { m.look(s, true) })
	case n < 10 && m.store:
		m.Store.Delay(time.Duration(m.random.IntN(300)) * time.Millisecond)
		time.AfterFunc(5*time.Second, func() { m.Store.Delay(0) })
	case n < 12 && m.store:
		m.Store.Fail(errors.New("the disk is full"))
		time.AfterFunc(time.Duration(m.random.Int64N(int64(storeFails))), func() { m.Store.Fail(nil) })
	case n < 14:
		m.warden.act(m.House)
	default:
		m.Opened(m.Crash(), func(s *data.Store) { m.look(s, false) })
	}
}
