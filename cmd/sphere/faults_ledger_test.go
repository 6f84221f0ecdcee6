//go:build system && unix

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/server/bot"
	"sphereserver/server/sim"
)

// Fault cases 20, 35 and 37: kill -9 again and again, while players hunt, loot, level, die, trade, handle things,
// come and go, and do missions. The store then has the values that they were told last, or those that followed from
// them as a whole: never a part of a kill, of a trade, of a mission, and none of them twice.
func TestCheck40FaultKilledServerKeepsWhatWasTold(t *testing.T) {
	inTurn(t)
	besideOthers(t)
	at := weakestMonsters(t, "shipstone")
	hunt := bot.SwarmOptions{Count: size(8, 40), Stay: 20 * time.Second, Client: bot.Options{Hunt: true,
		PingEvery: 300 * time.Millisecond, ItemsEvery: 3 * time.Second, GroupEvery: 10 * time.Second}}
	mission := bot.SwarmOptions{Count: size(6, 30), Client: bot.Options{Missions: true, PingEvery: 100 * time.Millisecond,
		Speed: 60}}
	t.Run("hunt", func(t *testing.T) {
		killUnderSwarm(t, "35", t.TempDir(), hunt, "--start", fmt.Sprintf("%.2f %.2f %.2f", at.X, at.Y, at.Z))
	})
	t.Run("missions", func(t *testing.T) {
		killUnderSwarm(t, "37", t.TempDir(), mission, "--monsters=false", "--max-speed", "-1", "--start", besideAGiver)
	})
}

// killUnderSwarm kills a server under a swarm again and again, and makes a ledger compare the rest.
func killUnderSwarm(t *testing.T, number, dir string, o bot.SwarmOptions, args ...string) {
	t.Helper()
	o.Prefix, o.Password, o.Sight, o.Reconnect, o.Client.Patience = "Ledger", password, -1, true, timesPatient()
	ledger := sim.NewLedger(t, o)
	o.Watch = ledger.Watch
	r := rand.New(rand.NewPCG(40, uint64(time.Now().UnixNano())))
	p := serveIn(t, dir, append(args, "--hash-workers", "2", "--newcomers-dungeon=false")...)
	kills, slain, deaths, fulfilled := 0, 0, 0, 0
	for ; kills < size(3, 100) && !t.Failed(); kills++ {
		o.Addr = p.game
		swarm, err := bot.NewSwarm(o)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			swarm.Run(ctx)
		}()
		time.Sleep(5*time.Second + time.Duration(r.IntN(size(5000, 8000)))*time.Millisecond)
		p.kill()
		eventually(t, "all have read the server's last messages", func() bool { return swarm.Figures().Connected == 0 })
		cancel()
		<-done
		f := swarm.Figures()
		slain, deaths, fulfilled = slain+int(f.Kills), deaths+int(f.Deaths), fulfilled+int(f.MissionsFulfilled)
		for _, v := range f.Violations {
			t.Errorf("found %v", v)
		}
		p.left(func(s *data.Store) { ledger.Audit(s, true) })
		p, _ = p.again()
	}
	p.stop()
	p.check()
	if ledger.Compared == 0 {
		t.Error("nobody was compared with what is stored")
	}
	figure(t, number, "%d kills of the server under %d players (%d monsters slain, %d deaths, %d missions "+
		"fulfilled): %d "+
		"characters compared with what they were told, none has lost or doubled "+
		"anything", kills, o.Count, slain, deaths,
		fulfilled, ledger.Compared)
}
