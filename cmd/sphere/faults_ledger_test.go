//go:build system && unix

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/data/content"
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

// Fault case 36: kill -9 again and again under players who go by tokens with charges. Each stands where the charges
// that it has left say; no charge, no place and no arrival that was told is lost or doubled.
func TestFaultKilledServerKeepsJourneys(t *testing.T) {
	inTurn(t)
	besideOthers(t)
	dir := t.TempDir()
	voyagers, names := make([]sim.Voyager, size(6, 40)), []string{}
	for i := range voyagers {
		voyagers[i].Name = bot.SwarmName("Voyager", i)
		names = append(names, voyagers[i].Name)
	}
	settleVoyagers(t, dir, voyagers)
	ledger := sim.NewLedgerOf(t, names...)
	p := serveIn(t, dir, "--hash-workers", "2", "--monsters=false")
	kills, journeys := 0, 0
	for ; kills < size(3, 100) && !t.Failed(); kills++ {
		ctx, cancel := context.WithCancel(t.Context())
		var away sync.WaitGroup
		var arrivals atomic.Int32
		for i := range voyagers {
			away.Go(func() {
				for ctx.Err() == nil {
					voyage(ctx, p.game, ledger, i, &voyagers[i], &arrivals)
				}
			})
		}
		eventually(t, "players arrive", func() bool { return int(arrivals.Load()) >= len(voyagers) })
		time.Sleep(time.Duration(rand.IntN(1000)) * time.Millisecond)
		p.kill()
		cancel()
		away.Wait()
		journeys = 0
		p.left(func(s *data.Store) {
			ledger.Audit(s, true)
			for i := range voyagers {
				journeys += voyagers[i].Audit(t, s)
			}
		})
		p, _ = p.again()
	}
	p.stop()
	p.check()
	figure(t, "36", "%d kills of the server under %d players who went by tokens: %d journeys; each stood where its charges "+
		"said", kills, len(voyagers), journeys)
}

// settleVoyagers makes voyagers in a folder without a server.
func settleVoyagers(t *testing.T, dir string, all []sim.Voyager) {
	t.Helper()
	ctx := t.Context()
	s, err := data.Open(ctx, dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	hash, err := data.HashPassword(password, data.DefaultHashParams)
	if err != nil {
		t.Fatal(err)
	}
	begin, _ := content.PlaceByKey("shipstone")
	for i := range all {
		name := all[i].Name
		account, err := s.CreateAccount(ctx, name, hash, data.Player)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.CreateCharacter(ctx, data.NewCharacter{Items: all[i].Items(), Character: data.Character{
			Account: account.ID, Name: name, Face: '0', Hair: '0', HairColour: '0', Tattoo: '0', HP: 80, MP: 10, Satiety: 10,
			MaxSatiety: 100, Position: begin.Position}}); err != nil {
			t.Fatal(err)
		}
	}
}

// voyage goes to and fro until the connection or ctx ends.
func voyage(ctx context.Context, addr string, ledger *sim.Ledger, i int, v *sim.Voyager, arrivals *atomic.Int32) {
	o := bot.Options{Idle: true, AllowExternalChanges: true, Acted: func(c *bot.Client) { ledger.Watch(i, c) }}
	c, err := comeIn(ctx, addr, o, v.Name, 0, v.Name)
	if err != nil {
		return
	}
	defer c.Abort()
	for err == nil {
		line := v.Next(c)
		ledger.Asks(i, sim.AboutThings)
		const normal = 2 // channel
		if err = c.Say(normal, line); err != nil {
			return
		}
		for wait := 0; err == nil && wait < 50 && !v.Arrived(c); wait++ {
			err = c.Idle(ctx, 100*time.Millisecond)
		}
		if v.Arrived(c) {
			arrivals.Add(1)
			ledger.Answered(i)
		}
	}
}
