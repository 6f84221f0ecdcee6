package game

import (
	"context"
	"maps"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/data/datatest"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/server/session"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// replaceAct replaces the handler of a command until the test ends.
func replaceAct[C packets.Command](t *testing.T, do func(*player)) {
	of := reflect.TypeFor[C]()
	row := onCommand[of]
	if row == nil || row.Do == nil {
		t.Fatalf("nothing answers %v", of)
	}
	was := row.Do
	row.Do = func(p session.Player, _ *packets.Section, _ packets.Command) { do(p.(*player)) }
	t.Cleanup(func() { row.Do = was })
}

// carriedBy are the classes of items that a client believes to carry, by slot.
func carriedBy(c *bot.Client) map[int]packets.Class {
	out := map[int]packets.Class{}
	for _, it := range c.Items() {
		out[it.Slot] = it.Class
	}
	return out
}

// Fault case 16, for requests of players: a panic in chat, clans, groups, items or trade, or in a command that looks
// things up aside, ends that session only; the player comes back with all that it has, and its viewers go on.
func TestFaultPanicOfAnyActEndsItsSessionOnly(t *testing.T) {
	defect := func(*player) { panic(errDefect) }
	aside := func(s *player) { s.Aside(func(context.Context) func() { panic(errDefect) }) }
	afterwards := func(s *player) { s.Aside(func(context.Context) func() { return func() { panic(errDefect) } }) }
	replaceAct[*packets.ChatHeader](t, defect)
	replaceAct[*packets.CreateClan](t, aside)
	replaceAct[*packets.LeaveClan](t, afterwards)
	replaceAct[*packets.GroupOperation](t, defect)
	replaceAct[*packets.Drop](t, defect)
	replaceAct[*packets.MoveSlot](t, defect)
	replaceAct[*packets.TradeWindow](t, defect)
	replaceAct[*packets.Use](t, defect)
	say := func(r ...packets.Region) func(*bot.Client) error {
		return func(c *bot.Client) error { return c.SendCommands(r...) }
	}
	asks := []struct {
		what string
		do   func(*bot.Client) error
	}{
		{"talk", func(c *bot.Client) error { return c.Speak(2, "Привет!") }},
		{"a clan is founded", func(c *bot.Client) error { return c.FoundClan("Совы") }},
		{"a clan is left", func(c *bot.Client) error { return c.LeaveClan("Совы") }},
		{"a group is made", (*bot.Client).CreateGroup},
		{"a drop", func(c *bot.Client) error {
			return c.SendCommands(manager(&packets.Drop{Item: c.Items()[0].ID, X: packets.ContainedX, Player: c.ID()}))
		}},
		{"a move", func(c *bot.Client) error {
			return c.SendCommands(contMan(&packets.MoveSlot{Player: c.ID(), From: 26, To: 40}))
		}},
		{"trade", say(manager(&packets.TradeWindow{Trader: 0x1234}))},
		{"a use", func(c *bot.Client) error { return c.Use(c.Items()[0].ID) }},
	}
	forEachTransport(t, func(t *testing.T, network string) {
		h := newHouse(t, network)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		others := []*bot.Client{h.enter(ctx, "anna"), h.enter(ctx, "boris"), h.enter(ctx, "clara")}
		eachAtOnce(t, len(asks), func(t *testing.T, i int) {
			ask, name := asks[i], "victim"+string(rune('a'+i))
			h := &house{t, h.server, h.store, h.served, h.dial}
			victim := h.enter(ctx, name)
			if err := victim.Until(ctx, func() bool { return len(victim.Items()) == 3 }); err != nil {
				t.Fatal(err)
			}
			had := carriedBy(victim)
			if err := ask.do(victim); err != nil {
				t.Fatal(err)
			}
			again := h.afterPanic(ctx, victim, name, ask.what)
			if err := again.Until(ctx, func() bool { return maps.Equal(carriedBy(again), had) }); err != nil {
				t.Errorf("%s, %s: had %v, and comes back with %v", network, ask.what, had, carriedBy(again))
			}
			if err := again.Close(); err != nil {
				t.Error(err)
			}
		})
		h.hasPanicked(ctx, len(asks), others)
	})
}

// Fault case 17, while items change hands: the tick panics in the middle of it. All that was told is stored, no item
// is there twice or lost, and the clans are as they were told.
func TestFaultPanicOfTheTickKeepsBelongings(t *testing.T) {
	t.Parallel()
	forEachTransport(t, func(t *testing.T, network string) {
		h := newHouse(t, network)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		dropped := map[string]bool{} // was told so
		var mu sync.Mutex
		var players sync.WaitGroup
		logins := []string{"anna", "boris", "clara", "dmitri"}
		for _, login := range logins {
			c := h.enter(ctx, login)
			if err := c.FoundClan("Clan " + login); err != nil {
				t.Fatal(err)
			}
			if err := c.Until(ctx, func() bool { return c.Clan.Name != "" && len(c.Items()) == 3 }); err != nil {
				t.Fatal(err)
			}
			players.Go(func() { // puts the sword down and picks it up again, until the connection ends
				for {
					sword := swordOf(c)
					drop := &packets.Drop{Item: c.Slots[sword].Item, X: packets.ContainedX, Player: c.ID()}
					if c.SendCommands(manager(drop)) != nil ||
						c.Until(ctx, func() bool { return c.Slots[sword].Item == packets.NoObject }) != nil {
						return
					}
					mu.Lock()
					dropped[login] = true
					mu.Unlock()
					if c.SendCommands(manager(&packets.PickUp{Item: uint32(drop.Item)})) != nil ||
						c.Until(ctx, func() bool { return swordOf(c) >= 0 }) != nil {
						return
					}
				}
			})
		}
		for deadline := time.Now().Add(5 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
			mu.Lock()
			n := len(dropped)
			mu.Unlock()
			if n == len(logins) {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("only %d of %d have dropped anything", n, len(logins))
			}
		}
		h.server.world.Do(nil)
		if err := <-h.served; err == nil || !strings.Contains(err.Error(), "panicked") {
			t.Fatalf("Serve returned %v", err)
		}
		if err := h.server.Stop(ctx); err == nil || !strings.Contains(err.Error(), "panicked") {
			t.Errorf("Stop returned %v", err)
		}
		cancel()
		players.Wait()
		lying, err := h.store.Lying(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all := rules.Bare(lying)
		for _, login := range logins {
			c, err := h.store.CharacterByName(t.Context(), login)
			if err != nil || c.ClanName != "Clan "+login {
				t.Errorf("%s: %s is stored with the clan %q, %v", network, login, c.ClanName, err)
			}
			items, err := h.store.Items(t.Context(), c.ID)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, items...)
		}
		swords := 0
		for _, it := range all {
			if packets.Class(it.Class) == packets.ClassStartSword {
				swords++
			}
		}
		if swords != len(logins) || len(all) != 3*len(logins) {
			t.Errorf("%s: %d swords and %d things in all, want %d and %d", network, swords, len(all), len(logins), 3*len(logins))
		}
		if problems, err := h.store.Check(t.Context()); len(problems) > 0 || err != nil {
			t.Errorf("%s: the database has problems: %v, %v", network, problems, err)
		}
	})
}

// swordOf is the slot in which a client carries its sword, -1 if it has none.
func swordOf(c *bot.Client) int {
	for _, it := range c.Items() {
		if it.Class == packets.ClassStartSword {
			return it.Slot
		}
	}
	return -1
}

// Fault case 26, among players in sight of each other: the time jumps ahead by an hour, and by more than a day.
// Nobody is lost, and each goes on seeing the players around it, in their places. (The time of the world never goes
// back: it counts from the start of the process.)
func TestFaultJumpsOfTheClockKeepTheSights(t *testing.T) {
	t.Parallel()
	f := newFair(t, 26)
	for range 20 {
		f.join()
	}
	for _, jump := range []time.Duration{0, time.Hour, time.Minute, 25 * time.Hour} {
		f.now = f.now.Add(jump)
		for range 15 {
			f.step()
		}
		f.pass(1200 * time.Millisecond)
		f.look()
		f.judge()
		if t.Failed() {
			t.Fatalf("after a jump of %v", jump)
		}
	}
	for reason, n := range f.server.EndsByReason() {
		if n > 0 && reason != session.PeerClosed.String() {
			t.Errorf("%d sessions ended with %s", n, reason)
		}
	}
}

// Fault case 30, by the clock of the stage: a day of the game, which is two hours, of players that walk among each
// other, put items down, pick them up and leave them to decay. Periodic events go on all the time, and the memory in
// use does not grow.
func TestFaultADayOfTheGameIsFlat(t *testing.T) {
	const day, hours, litter = 2 * time.Hour, 24, 2 * time.Minute
	people := 3
	if full {
		people = 20
	}
	hash, err := data.HashPassword("secret", datatest.Cheap)
	if err != nil {
		t.Fatal(err)
	}
	f := &fair{stage: newStage(t, func(o *Options) { crowded(o); o.World.DespawnAfter = litter }),
		rand: rand.New(rand.NewPCG(30, 9)), hash: hash}
	for range people {
		f.join()
	}
	var heaps []uint64
	told, most := map[string]int{}, 0
	begin, real := f.now, time.Now()
	for hour := range hours {
		for f.now.Sub(begin) < day*time.Duration(hour+1)/hours {
			for _, w := range f.walkers {
				f.potter(w)
			}
			f.pass(2 * time.Second)
			for _, w := range f.walkers {
				w.observer.look()
				for _, what := range w.observer.diary {
					told[what]++
				}
				for _, o := range w.observer.held {
					o.told = nil // the memory is to be the server's
				}
			}
		}
		lying, err := f.store.Lying(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, len(lying))
		heaps = append(heaps, heapInUse())
	}
	for _, w := range f.walkers {
		if w.closed {
			t.Fatalf("%v was lost: %v", w.observer.me, w.s().Reason())
		}
	}
	for what, every := range map[string]time.Duration{"own SetStat": rules.RegenerationPeriod,
		packets.ChannelKeepalive.String(): 3 * time.Second,
		packets.ClassMain.String():        15 * time.Second} {
		if least := people * int(day/every) * 9 / 10; told[what] < least {
			t.Errorf("%q came %d times, want at least %d", what, told[what], least)
		}
	}
	const slack = 3 << 20
	if early, late := heaps[hours/4], heaps[hours-1]; late > early+slack {
		t.Errorf("the heap grows: %v", heaps)
	}
	if limit := people * 20; most > limit { // far more than is put down within the time that it lies
		t.Errorf("%d things lay there at once, at most %d are to be expected", most, limit)
	}
	c := f.server.Counters()
	if c["belongings_conflicts"]+c["belongings_failed"]+c["panics"] > 0 || c["belongings_changes"] < uint64(60*people) {
		t.Errorf("counted %v", c)
	}
	figure(t, "30", "a day of the game (%v) of %d players who see each other, by the clock of the stage, in %v: heap %d "+
		"KiB after a quarter, %d KiB at the end; %d changes of belongings, at most %d things lay there, %d messages "+
		"besides movements",
		day, people, time.Since(real).Round(time.Second), heaps[hours/4]>>10, heaps[hours-1]>>10, c["belongings_changes"],
		most, total(told))
}

func total(counts map[string]int) (n int) {
	for _, k := range counts {
		n += k
	}
	return n
}

// heapInUse is the size of the heap, in bytes, when garbage has been collected twice: the second time frees memory
// that finalizers have held.
func heapInUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// potter makes a walker take a step on the square, and now and then put something down or pick something up. A walker
// that has lost all its bread to decay is given more.
func (f *fair) potter(w *walker) {
	at := content.Cities()[0].Position
	at.X += float32(f.rand.Float64()*40 - 20)
	at.Z += float32(f.rand.Float64()*40 - 20)
	at.Yaw = float32(f.rand.Float64() * 6)
	w.ping(at)
	switch n := f.rand.IntN(60); {
	case n == 0:
		for _, id := range w.observer.slots {
			w.say(w.own(manager(&packets.Drop{Item: id, Player: w.s().ID()})))
			return
		}
		f.drop(loot{Things: []rules.Item{{Class: int(packets.ClassBread), Suffix: -1, Count: 3, Durability: 100,
			MaxDurability: 100, Weight: 8}},
			Lying: rules.OnGround{At: coords.Position{X: at.X, Y: at.Y, Z: at.Z}, Expires: f.now.Add(2 * time.Minute)}})
	case n < 3:
		for id, o := range w.observer.held {
			if o.lies && o.class != packets.ClassGuide && o.class != packets.ClassLootBag && o.at.Distance(at) < 10 {
				w.say(w.own(manager(&packets.PickUp{Item: uint32(id)})))
				return
			}
		}
	}
}

// panickyStore is one with a defect.
type panickyStore struct{ Store }

func (panickyStore) Apply(context.Context, rules.Change) ([]rules.ItemID, error) {
	panic("made for the test")
}

func TestFaultPanicWhileStoringIsAFailureOfTheServer(t *testing.T) {
	t.Parallel()
	g := newStage(t, nil)
	g.server.store = panickyStore{g.server.store}
	g.server.commits.add(world.CommitRequest{Seq: 1})
	select {
	case <-g.server.failed:
	case <-time.After(time.Minute):
		t.Fatal("the server goes on as if nothing had happened")
	}
	if err := g.server.failure; !strings.Contains(err.Error(), "storing belongings panicked: made for the test") {
		t.Error(err)
	}
}
