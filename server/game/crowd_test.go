package game

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/data/datatest"
	"sphereserver/packets"
	"sphereserver/server/session"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A walker is a client that goes where chance leads it.
type walker struct {
	*conn
	observer *observer
	at       coords.Position
	heading  float64
}

// A fair is a crowd of walkers around a town.
type fair struct {
	*stage
	rand    *rand.Rand
	hash    string
	walkers []*walker
	lives   int
	bread   int // that has come into the world without anybody
}

func newFair(t *testing.T, seed uint64) *fair {
	patient := func(o *Options) {
		crowded(o)
		o.Timeouts.Silence = time.Hour // while one comes in, the others send nothing
	}
	f := &fair{stage: newStage(t, patient), rand: rand.New(rand.NewPCG(seed, 9))}
	hash, err := data.HashPassword("secret", datatest.Cheap)
	if err != nil {
		t.Fatal(err)
	}
	f.hash = hash
	return f
}

// join brings one more in. It knows everything that its client was ever sent.
func (f *fair) join() {
	f.lives++
	c := f.connect()
	if _, err := f.store.CreateAccount(f.t.Context(), "tester"+c.s().Index().String(), f.hash, data.Player); err != nil {
		f.t.Fatal(err)
	}
	w := &walker{conn: c, observer: c.observe(), heading: f.rand.Float64() * 2 * math.Pi}
	c.in(session.InWorld)
	w.at = coords.Position(c.s().Character().Position)
	f.walkers = append(f.walkers, w)
}

// somewhere is a spot of the fair, 300 m wide, now and then far from it.
func (f *fair) somewhere() coords.Position {
	at := content.Cities()[0].Position
	if f.rand.IntN(10) == 0 {
		at.X += 5000
	}
	at.X += float32(f.rand.Float64()*300 - 150)
	at.Z += float32(f.rand.Float64()*300 - 150)
	at.Y += float32(f.rand.Float64() * 30)
	at.Yaw = float32(f.rand.Float64() * 6)
	return at
}

// step makes every walker do something, and a fifth of a second go by.
func (f *fair) step() {
	for i := 0; i < len(f.walkers); i++ {
		w := f.walkers[i]
		switch n := f.rand.IntN(400); {
		case n == 0 && len(f.walkers) > 20:
			w.hangUp()
			f.walkers = append(f.walkers[:i], f.walkers[i+1:]...)
			i--
			continue
		case n < 4:
			f.server.world.Do(world.Teleport{ID: w.pid(), To: f.somewhere()})
		case n < 40:
			w.heading += f.rand.Float64()*2 - 1
		case n < 80:
			continue // stands
		case n >= 150:
			f.handle(w)
		}
		const pace = 6 * 0.2 // metres
		w.at.X += float32(math.Cos(w.heading) * pace)
		w.at.Z += float32(math.Sin(w.heading) * pace)
		w.at.Yaw = float32(w.heading)
		w.ping(w.at)
	}
	if f.rand.IntN(10) == 0 && len(f.walkers) < 40 {
		f.join()
	}
	f.pass(200 * time.Millisecond)
	f.look()
}

// handle makes a walker do something with items.
func (f *fair) handle(w *walker) {
	say := func(c packets.Command) { w.say(w.own(manager(c))) }
	inventory := func() uint8 { return uint8(firstInventory + f.rand.IntN(10)) }
	switch f.rand.IntN(6) {
	case 0:
		if id, ok := w.observer.slots[inventory()]; ok {
			say(&packets.Drop{Item: id, Player: w.s().ID()})
		}
	case 1:
		w.say(w.own(contMan(&packets.MoveSlot{Player: w.s().ID(), From: inventory(), To: inventory()})))
	case 2: // out of a bag, or anything else that is in something
		for id, parent := range w.observer.parents {
			if parent != w.observer.me {
				say(&packets.PickUp{Item: uint32(id)})
				return
			}
		}
	case 3:
		s := loot{Bag: &rules.Item{Class: int(packets.ClassLootBag), Suffix: -1}, Lying: rules.OnGround{At: w.at}}
		for range 1 + f.rand.IntN(3) {
			s.Things = append(s.Things, rules.Item{Class: int(packets.ClassBread), Suffix: -1, Count: 1 + f.rand.IntN(9),
				Durability: 100, MaxDurability: 100, Weight: 8})
		}
		for _, t := range s.Things {
			f.bread += t.Count
		}
		f.drop(s)
	default:
		for id, o := range w.observer.held {
			if o.lies && o.at.Distance(w.at) < 10 && o.class != packets.ClassGuide {
				if o.class == packets.ClassLootBag {
					w.say(packets.Message(0, id, o.class, contMan(&packets.Use{Player: w.s().ID()}),
						contMan(&packets.BecomeUser{Player: w.s().ID()})))
				} else {
					say(&packets.PickUp{Item: uint32(id)})
				}
				return
			}
		}
	}
}

// possessions compares the items in a client's belief with the stored ones.
func (f *fair) possessions(w *walker) {
	f.t.Helper()
	if empty := w.observer.empty(); len(empty) > 0 {
		f.t.Errorf("%v believes that its slots %v hold what it does not have", w.observer.me, empty)
	}
	items, err := f.store.Items(f.t.Context(), w.s().Character().ID)
	if err != nil {
		f.t.Fatal(err)
	}
	n := 0
	for _, it := range items {
		id, ok := w.observer.slots[uint8(it.Slot)]
		k, known := w.p().client.IDs.Lookup(id)
		if !ok || !known || k.Item != rules.ItemID(it.ID) {
			f.t.Errorf("%v believes that slot %d holds %v, where %+v is stored", w.observer.me, it.Slot, k, it)
		}
		n++
	}
	if n != len(w.observer.slots) {
		f.t.Errorf("%v believes to have %d things, of which %d are stored", w.observer.me, len(w.observer.slots), n)
	}
}

// pieces counts all bread there is, in stacks of any size, and all swords.
func (f *fair) pieces() (bread, swords int) {
	f.t.Helper()
	lying, err := f.store.Lying(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	all := rules.Bare(lying)
	found, err := f.store.FindCharacters(f.t.Context(), "")
	if err != nil {
		f.t.Fatal(err)
	}
	for _, c := range found {
		items, err := f.store.Items(f.t.Context(), c.ID)
		if err != nil {
			f.t.Fatal(err)
		}
		all = append(all, items...)
	}
	for _, it := range all {
		switch packets.Class(it.Class) {
		case packets.ClassBread:
			bread += it.Count
		case packets.ClassStartSword:
			swords++
		}
	}
	return bread, swords
}

// look makes all clients read their frames.
func (f *fair) look() {
	for _, w := range f.walkers {
		w.observer.look()
		if w.observer.sent {
			w.at, w.observer.sent = w.observer.at, false
		}
	}
}

// judge compares the view of every client with the world. Nobody has moved for a second.
func (f *fair) judge() {
	f.t.Helper()
	snapshot := f.server.World()
	for _, w := range f.walkers {
		var self *world.PlayerView
		for i := range snapshot.Players {
			if snapshot.Players[i].ID == w.pid() {
				self = &snapshot.Players[i]
			}
		}
		if self == nil {
			f.t.Fatalf("%v is not in the world", w.observer.me)
		}
		known := 0
		for i := range snapshot.Players {
			p := &snapshot.Players[i]
			if p.ID == self.ID {
				continue
			}
			o := w.observer.held[packets.PlayerIndex(p.ID).ID()]
			if f.agree(w, p.Name, o, self.Position.Distance(p.Position)) {
				known++
				f.compare(w, p, o)
			}
		}
		if n := w.observer.people(); n != known {
			f.t.Errorf("%v holds %d people, of whom %d are there", w.observer.me, n, known)
		}
		byPlace, objects := map[coords.Position][]*seen{}, 0
		for _, o := range w.observer.held {
			if o.class != packets.ClassPlayer {
				byPlace[o.at] = append(byPlace[o.at], o)
				objects++
			}
		}
		known = 0
		for object := range snapshot.Objects() {
			at := object.Position
			at.Yaw = 0
			var o *seen
			if there := byPlace[at]; len(there) > 0 {
				o, byPlace[at] = there[0], there[1:]
			}
			if f.agree(w, "an object", o, self.Position.Distance(object.Position)) {
				known++
			}
		}
		if known != objects {
			f.t.Errorf("%v holds %d objects, of which %d are there", w.observer.me, objects, known)
		}
		f.possessions(w)
	}
}

// agree checks the sight of an object against its distance, and reports whether it is seen.
func (f *fair) agree(w *walker, what string, o *seen, distance float64) bool {
	switch {
	case o == nil && distance <= 100:
		f.t.Errorf("%v does not see %s, %.1f m away", w.observer.me, what, distance)
	case o != nil && distance > 110:
		f.t.Errorf("%v sees %s, %.1f m away", w.observer.me, what, distance)
	}
	return o != nil
}

func (f *fair) compare(w *walker, p *world.PlayerView, o *seen) {
	if o.name != p.Name || o.gear == nil {
		f.t.Errorf("%v sees %q as %q, dressed %v", w.observer.me, p.Name, o.name, o.gear != nil)
	}
	if !near(o.at, p.Position) || o.angle != coords.EncodeAngle8(p.Position.Yaw) {
		f.t.Errorf("%v sees %s at %v facing %d, who is at %v facing %d", w.observer.me, p.Name, o.at, o.angle, p.Position,
			coords.EncodeAngle8(p.Position.Yaw))
	}
	if got := o.values[packets.StatHP]; got != uint32(p.Pools.HP) {
		f.t.Errorf("%v sees %s with %d HP, who has %d", w.observer.me, p.Name, got, p.Pools.HP)
	}
}

// A client is never told of an entity that it does not hold, in any play of many players (observers see to that), and
// a second after the last step each sees exactly the players and objects around it, as they are.
func TestEverybodySeesWhatIsThere(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			f := newFair(t, seed)
			for range 30 {
				f.join()
			}
			rounds, met := 10, 0
			if testing.Short() {
				rounds = 3
			}
			for range rounds { // of six seconds each
				for range 24 {
					f.step()
				}
				f.pass(1200 * time.Millisecond)
				f.look()
				f.judge()
				for _, w := range f.walkers {
					met += w.observer.people()
				}
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
			if bread, swords := f.pieces(); bread != f.bread+10*f.lives || swords != f.lives {
				t.Errorf("seed %d: %d pieces of bread of %d, %d swords of "+
					"%d", seed, bread, f.bread+10*f.lives, swords, f.lives)
			}
			c := f.server.Counters()
			t.Logf("seed %d: %d changes of belongings", seed, c["belongings_changes"])
			if c["belongings_conflicts"]+c["belongings_failed"] > 0 || c["belongings_changes"] < uint64(40*rounds) {
				t.Errorf("seed %d: of %d changes of belongings %d conflicts, %d "+
					"failures", seed, c["belongings_changes"],
					c["belongings_conflicts"], c["belongings_failed"])
			}
			if f.lives < 34 || met < 1000 {
				t.Errorf("seed %d: too little has happened: %d lives, %d sightings", seed, f.lives, met)
			}
		})
	}
}
