package sim_test

import (
	"context"
	"flag"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/server/sim"
	"sphereserver/world"
	"sphereserver/world/rules"
)

var (
	travellers = flag.Int("sim.travellers", 16, "how many go through instances in TestThroughInstances")
	travelling = flag.Duration("sim.travelling", 150*time.Second, "how long they do")
	kills      = flag.Int("sim.kills", 4, "how often TestEachStepOutlivesTheServer kills the server")
)

// Players begin in dungeons of their own, come out, take missions of all kinds, go into their dungeons and out, look
// into chests, log out anywhere and come back; in the middle the server begins again with all of them inside. The
// original client would stumble over nothing, and no instance is left when all have gone.
//
// Source: protocol life 16, checks 2.7 and 4.8.
func TestThroughInstances(t *testing.T) {
	quick(t)
	sim.Run(t, sim.Options{Game: func(o *game.Options) {
		o.World.ViewLimit = 16 // they all come out at one place, and sight is the matter of other tests
	}}, func(h *sim.House) {
		done, most := make(chan *bot.Figures, 1), 0
		go func() {
			done <- h.Swarm(bot.SwarmOptions{Count: *travellers, For: *travelling, Stay: max(*travelling/8, 30*time.Second),
				Reconnect: true, Crowd: 16, Client: bot.Options{Missions: true, ItemsEvery: 20 * time.Second}})
		}()
		for end := time.Now().Add(*travelling / 2); time.Now().Before(end); time.Sleep(10 * time.Second) {
			most = max(most, len(instancesOf(h)))
		}
		before := h.Server.Counters()
		h.Restart()
		f := <-done
		leavesNoInstance(h)
		for _, c := range []map[string]uint64{before, h.Server.Counters()} {
			if c["panics"]+c["belongings_conflicts"]+c["belongings_failed"]+c["entities_failed"] > 0 {
				h.T.Errorf("counted %v", c)
			}
		}
		for _, v := range f.Violations {
			h.T.Errorf("%v", v)
		}
		if f.Entries <= 2**travellers || most < *travellers/3 || f.MissionsPaid != f.MissionsFulfilled {
			h.T.Errorf("%d entries, %d instances at most, %d missions fulfilled and %d paid", f.Entries, most,
				f.MissionsFulfilled, f.MissionsPaid)
		}
		h.T.Logf("FIGURE %d players for %v, %d entries: at most %d instances at once and none at the end; missions: %d "+
			"taken, %d fulfilled and paid, %d given up; %d dungeons of missions entered, %d chests looked into, %d traps; %d "+
			"kills, %d deaths", *travellers, *travelling, f.Entries, most, f.Missions, f.MissionsPaid, f.MissionsGivenUp,
			f.Dungeons, f.Chests, f.Traps, f.Kills, f.Deaths)
	})
}

// instancesOf returns the instances of a house.
func instancesOf(h *sim.House) []world.InstanceView {
	h.Server.Command(world.Publish{})
	time.Sleep(2 * world.TickPeriod)
	return h.Server.World().Instances
}

// leavesNoInstance reports instances that are there though all players have been gone for longer than one lingers.
func leavesNoInstance(h *sim.House) {
	h.T.Helper()
	time.Sleep(h.Game.World.Balance.Spawn.InstanceLinger + 30*time.Second) // a fighter stays for a moment
	if left := instancesOf(h); len(left) > 0 {
		h.T.Errorf("%d instances are left: %+v", len(left), left)
	}
}

// A journeyStep is a step of missions and journeys that is stored as a whole.
type journeyStep int

// The steps.
const (
	otherStep journeyStep = iota
	missionGiven
	monsterSlain
	missionPaid
	journeyMade
	journeySteps
)

var stepNames = [journeySteps]string{"other", "given", "killed", "completed", "teleported"}

func stepOf(c *rules.Change) journeyStep {
	step := otherStep
	for _, i := range c.Items {
		switch {
		case i.Was == nil && i.Is.Class == rules.ClassMission:
			return missionGiven
		case i.Is == nil && i.Was.Class == rules.ClassMission && len(c.Money)+len(c.Progress) > 0:
			return missionPaid
		case i.Was == nil && i.Is.Class == rules.ClassLootBag:
			step = monsterSlain
		}
	}
	if len(c.Places) > 0 {
		step = journeyMade
	}
	return step
}

// A storedStep is a step in the moment in which it is durable and nobody knows of it. Closing known lets it be told.
type storedStep struct {
	step  journeyStep
	known chan struct{}
}

// kill -9 in the very moment in which a mission is given, a monster is killed, a mission is completed, a token is used:
// what is stored by then is whole, and once; nothing that was told before is lost.
//
// Source: protocol life 16, checks 1.4 and 4.4.
func TestEachStepOutlivesTheServer(t *testing.T) {
	quick(t)
	giver := content.NPC{}
	for _, n := range content.NPCs() {
		if n.Kind == content.TitleQuests && n.Area == "hyperion" {
			giver = n
		}
	}
	var steps chan storedStep
	var wanted [journeySteps]atomic.Int32
	for i := range *kills {
		wanted[1+i%int(journeySteps-1)].Add(1)
	}
	all := bot.SwarmOptions{Count: 6, Rate: 2, Reconnect: true, Prefix: "Guest", Sight: -1,
		Client: bot.Options{Missions: true, Patience: 8}}
	voyagers := make([]sim.Voyager, 2)
	sim.Run(t, sim.Options{
		Prepare: func(s *data.Store) {
			steps = make(chan storedStep) // in the bubble
			withVoyagers(t, s, voyagers)
		},
		Game: func(o *game.Options) {
			o.Start, o.NewcomersDungeon = giver.Position, false
		},
		Applied: func(c *rules.Change) {
			s := storedStep{stepOf(c), make(chan struct{})}
			if s.step == otherStep || wanted[s.step].Load() <= 0 {
				return
			}
			select {
			case steps <- s:
				<-s.known
			default: // a server is being killed already
			}
		},
	}, func(h *sim.House) {
		ledger := sim.NewLedger(h.T, all)
		all.Watch = ledger.Watch
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute+time.Duration(*kills)*time.Minute)
		defer cancel()
		done := make(chan *bot.Figures, 1)
		go func() { done <- h.SwarmUntil(ctx, all) }()
		var away sync.WaitGroup
		for i := range voyagers {
			away.Go(func() { speaks(ctx, h, all.Count+1+i, voyagers[i].Name, voyagers[i].Next) })
		}
		killed := [journeySteps]int{}
		for ctx.Err() == nil {
			select {
			case s := <-steps:
				h.Kill(func(store *data.Store) {
					ledger.Audit(store, true)
					auditVoyagers(h.T, store, voyagers)
					close(s.known)
				})
				wanted[s.step].Add(-1)
				if killed[s.step]++; total(&killed) == *kills {
					cancel()
				}
			case <-ctx.Done():
			}
		}
		f := <-done
		away.Wait()
		auditVoyagers(h.T, h.Store.Store, voyagers)
		for step := range wanted {
			if n := wanted[step].Load(); n > 0 {
				h.T.Errorf("the server was not killed %d times when something was %s", n, stepNames[step])
			}
		}
		for _, v := range f.Violations {
			h.T.Errorf("%v", v)
		}
		h.T.Logf("FIGURE the server was killed when a mission was given %d times, a monster killed %d, a mission completed %d, "+
			"a token used %d; %d characters compared, %d missions paid besides", killed[missionGiven], killed[monsterSlain],
			killed[missionPaid], killed[journeyMade], ledger.Compared, f.MissionsPaid)
	})
}

func total(of *[journeySteps]int) (n int) {
	for _, k := range of {
		n += k
	}
	return n
}

func withVoyagers(t *testing.T, s *data.Store, all []sim.Voyager) {
	begin, _ := content.PlaceByKey("shipstone")
	for i := range all {
		all[i].Name = bot.SwarmName("Voyager", i)
		withCharacter(t, s, all[i].Name, begin.Position, 0, all[i].Items())
	}
}

// withCharacter makes an account with a character of the same name, whose password is "bot".
func withCharacter(t *testing.T, s *data.Store, name string, at coords.Position, money int64, items []rules.Item) {
	t.Helper()
	hash, err := data.HashPassword("bot", data.DefaultHashParams)
	if err != nil {
		t.Fatal(err)
	}
	account, err := s.CreateAccount(context.Background(), name, hash, data.Player)
	if err != nil {
		t.Fatal(err)
	}
	c := data.NewCharacter{Items: items, Character: data.Character{Account: account.ID, Name: name, Face: '0', Hair: '0',
		HairColour: '0', Tattoo: '0', HP: 80, MP: 10, Satiety: 10, MaxSatiety: 100, Money: money, Position: at}}
	if _, _, err := s.CreateCharacter(context.Background(), c); err != nil {
		t.Fatal(err)
	}
}

func auditVoyagers(t *testing.T, s *data.Store, all []sim.Voyager) {
	t.Helper()
	for i := range all {
		all[i].Audit(t, s)
	}
}

// Two players take missions and pass them on to each other, while kill -9 comes in the very moment in which that is
// durable and nobody knows of it: the mission is in one hand, that of the other, and both play on.
func TestPassedMissionsOutliveTheServer(t *testing.T) {
	quick(t)
	const friends = 2
	name := func(i int) string { return bot.SwarmName("Friend", i) }
	var passed killPoint
	giver := content.NPC{}
	for _, n := range content.NPCs() {
		if n.Kind == content.TitleQuests && n.Area == "hyperion" {
			giver = n
		}
	}
	sim.Run(t, sim.Options{
		Prepare: func(s *data.Store) {
			passed = make(killPoint) // in the bubble
			for i := range friends {
				withCharacter(t, s, name(i), giver.Position, 0, nil)
			}
		},
		Game: func(o *game.Options) {
			o.Monsters, o.World.Balance.Mission.Wait = false, time.Second
		},
		Applied: func(c *rules.Change) {
			if len(c.Items) > 0 && c.Items[0].Was != nil && c.Items[0].Is != nil && c.Items[0].Is.Class == rules.ClassMission {
				passed.reached()
			}
		},
	}, func(h *sim.House) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		var away sync.WaitGroup
		for i := range friends {
			random := rand.New(rand.NewPCG(h.Seed, uint64(i)))
			lines := []string{"/mission take", "/mission give " + name(1-i), "/mission accept", "/mission accept", "/mission drop"}
			away.Go(func() {
				speaks(ctx, h, 1+i, name(i), func(*bot.Client) string { return lines[random.IntN(len(lines))] })
			})
		}
		for kill := range *kills {
			time.Sleep(time.Duration(kill) * 40 * time.Second)
			select {
			case known := <-passed:
				h.Kill(func(store *data.Store) {
					var all []rules.Mission
					for i := range friends {
						all = append(all, missionsOf(h.T, store, name(i))...)
					}
					if len(all) != 1 || !all[0].Passed {
						h.T.Errorf("in their hands are %+v", all)
					}
					close(known)
				})
			case <-ctx.Done():
				h.T.Fatal("nothing is passed on any more")
			}
		}
		cancel()
		away.Wait()
	})
}

// missionsOf returns the stored missions of a character.
func missionsOf(t *testing.T, s *data.Store, name string) (out []rules.Mission) {
	t.Helper()
	c, err := s.CharacterByName(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	items, err := s.Items(context.Background(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	for i := range items {
		if m, ok := rules.MissionOf(&items[i]); ok {
			out = append(out, m)
		}
	}
	return out
}

// A player goes by tokens and great teleports through all eight cities and back to the first. When it has arrived, its
// client holds no object of the place that it has left.
func TestLifeCheck1_11AroundAllCities(t *testing.T) {
	quick(t)
	const name = "Pilgrim"
	begin, _ := content.PlaceByKey("shipstone")
	sim.Run(t, sim.Options{
		Game: func(o *game.Options) { o.Monsters = false },
		Prepare: func(s *data.Store) {
			var items []rules.Item
			add := func(class int, extra []byte) {
				items = append(items, rules.Item{Slot: 26 + len(items), Class: class, Suffix: -1, Count: 1, Durability: 100,
					MaxDurability: 100, Weight: 10, Extra: extra})
			}
			for _, number := range []uint16{1800, 1801, 1802, 1803, 1810, 1811} {
				add(rules.ClassTokenCharges, rules.TokenExtra(number))
			}
			add(licenceHaron, nil)
			add(licencePhoebe, nil)
			withCharacter(t, s, name, begin.Position, 0, items)
		},
	}, func(h *sim.House) {
		ctx := context.Background()
		o := h.Client(sim.Host(1))
		o.Idle, o.AllowExternalChanges, o.Speed = true, true, 11
		c, err := bot.Dial(ctx, h.Addr, o)
		must := func(err error) {
			h.T.Helper()
			if err != nil {
				h.T.Fatal(err)
			}
		}
		must(err)
		must(c.Appear(ctx, bot.Identity{Login: name, Password: "bot", Name: name}))
		for _, class := range []packets.Class{licenceHaron, licencePhoebe} {
			licence := c.Nearest(func(o *bot.Object) bool { return o.Class == class })
			must(c.Send(packets.Message(0, licence.ID, class, &packets.ContMan{Command: &packets.UseOn{Player: c.ID()}})))
			must(c.Idle(ctx, time.Second))
		}
		for _, leg := range []struct{ by, to string }{{"1801", "bangville"}, {"1802", "sunpool"}, {"1803", "torweal"},
			{"1800", "shipstone"}, {"haron-great-teleport", "nomrad"}, {"1811", "gifes"}, {"1810", "nomrad"},
			{"nomrad-great-teleport", ""}, {"phoebe-great-teleport", "umrad"}, {"rodos-great-teleport", "anhelm"},
			{"anhelm-great-teleport", ""}} {
			i := slices.IndexFunc(content.Portals(), func(p content.Portal) bool { return p.Key == leg.by })
			if i < 0 {
				must(c.Say(2, "/travel "+leg.by))
			} else {
				must(c.Walk(ctx, content.Portals()[i].Position))
				must(c.Use(c.Nearest(func(o *bot.Object) bool { return o.Class == rules.ClassTeleportGreat }).ID))
			}
			must(c.Idle(ctx, 5*time.Second))
			city, metres, _ := content.NearestCity(c.Position)
			if leg.to != "" && (city.Key != leg.to || metres > 15) {
				h.T.Fatalf("by %s it comes to %v", leg.by, c.Position)
			}
			for _, o := range c.Objects {
				if o.Spawn != nil && o.Placement != packets.Contained && o.ID != c.ID() && o.Position.Distance(c.Position) > 150 {
					h.T.Errorf("after %s it holds %v at %v", leg.by, o.Class, o.Position)
				}
			}
		}
		if area, _ := content.ContinentOf(c.Position); area.Key != "hyperion" {
			h.T.Errorf("in the end it is at %v, not back on the continent of the first city", c.Position)
		}
		for _, v := range c.Violations() {
			h.T.Errorf("%v", v)
		}
		c.Abort()
	})
}

// Classes of the licences for great teleports. Source: protocol life 3.1.
const (
	licenceHaron  = 117
	licencePhoebe = 119
)

// A client that does missions asks the master of a guild that has a rank for it, and the task brings that.
func TestBotsRiseInGuilds(t *testing.T) {
	const name, guild = "Riser", 2
	master := content.NPC{}
	for _, n := range content.NPCs() {
		if g := n.Giver(); g != nil && g.Guild == guild && n.Area == "hyperion" {
			master = n
		}
	}
	sim.Run(t, sim.Options{
		Prepare: func(s *data.Store) {
			ctx := context.Background()
			hash, err := data.HashPassword(name, data.DefaultHashParams)
			if err != nil {
				t.Fatal(err)
			}
			account, err := s.CreateAccount(ctx, name, hash, data.GameMaster)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := s.CreateCharacter(ctx, data.NewCharacter{Character: data.Character{Account: account.ID, Name: name,
				Face: '0', Hair: '0', HairColour: '0', Tattoo: '0', HP: 1200, MP: 10, Satiety: 100, MaxSatiety: 100, TitleLevel: 20,
				Position: master.Position}}); err != nil {
				t.Fatal(err)
			}
		},
		Game: func(o *game.Options) { o.Monsters, o.World.Balance.Mission.Wait = false, time.Second },
	}, func(h *sim.House) {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		defer cancel()
		c := h.Player(1, name, bot.Options{Missions: true})
		for rank := range int32(2) {
			if err := c.Hunt(ctx, func() bool { return c.Missions().Taken > int(rank) }); err != nil {
				h.T.Fatal(err)
			}
			if err := c.Say(2, "/quest "+name+" finish"); err != nil {
				h.T.Fatal(err)
			}
			if err := c.Until(ctx, func() bool {
				return c.Stats[packets.StatGuild] == guild+64 && c.Stats[packets.StatGuildRank] == rank
			}); err != nil {
				h.T.Fatal(err)
			}
		}
		for _, v := range c.Violations() {
			h.T.Errorf("%v", v)
		}
		_ = c.Close()
	})
}
