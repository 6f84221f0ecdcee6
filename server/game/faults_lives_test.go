package game

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/datatest"
	"sphereserver/packets"
	"sphereserver/server/session"
	"sphereserver/world/rules"
)

// A resident is a character that enters and leaves at random.
type resident struct {
	login string
	id    data.CharacterID
	money int64
	items []rules.Item
	line  *conn
	trail []footprint // where it was, oldest first, since it was last known to be safe
}

type footprint struct {
	at   coords.Position
	when time.Time // of the stage
}

func (r *resident) last() coords.Position { return r.trail[len(r.trail)-1].at }

// A town is a stage with residents.
type town struct {
	*stage
	rand      *rand.Rand
	store     *moodyStore
	residents []*resident
	troubled  bool // the store has refused something in this sequence
	count     *tally
}

// A tally counts the events of all towns.
type tally struct{ sequences, steps, logins, kills, refusals atomic.Int64 }

func newTown(t *testing.T, seed uint64, residents int, count *tally) *town {
	free := func(o *Options) {
		o.Limits.PerAddress, o.Limits.NewPerAddressBurst, o.Limits.New = 1<<20, 1<<20, 1<<20
	}
	w := &town{stage: newStage(t, free), count: count, rand: rand.New(rand.NewPCG(seed, 19))}
	w.store = &moodyStore{Store: w.stage.store}
	hash, err := data.HashPassword("secret", datatest.Cheap)
	if err != nil {
		t.Fatal(err)
	}
	for i := range residents {
		a, err := w.store.CreateAccount(t.Context(), fmt.Sprint("resident", i), hash, data.Player)
		if err != nil {
			t.Fatal(err)
		}
		n := w.server.newCharacter(a.ID, session.Creation{Name: heroName(i + 1), Look: maleLook})
		n.Money = int64(1000 + i)
		c, _, err := w.store.CreateCharacter(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		items, err := w.store.Items(t.Context(), c.ID)
		if err != nil || len(items) != 3 {
			t.Fatal(items, err)
		}
		w.residents = append(w.residents, &resident{login: a.Login, id: c.ID, money: c.Money, items: items,
			trail: []footprint{{coords.Position(c.Position), w.now}}})
	}
	w.restart()
	t.Cleanup(func() { w.kill() })
	return w
}

// kill takes the server away with all that it has in memory.
func (w *town) kill() {
	w.server.CancelWork()
	w.server.Wait()
	_ = w.server.transport.Stop(context.Background())
	w.Take()
	for _, r := range w.residents {
		r.line = nil
	}
}

// restart kills the server and starts another one on the store.
func (w *town) restart() {
	w.kill()
	o := w.server.options
	o.TakeOver = w.rand.IntN(2) == 0
	s, err := New(o, w.store)
	if err != nil {
		w.t.Fatal(err)
	}
	w.server = s
}

// step does one random thing to one resident.
func (w *town) step() {
	w.count.steps.Add(1)
	r := w.residents[w.rand.IntN(len(w.residents))]
	switch n := w.rand.IntN(24); {
	case r.line == nil || r.line.closed:
		r.line = w.logIn(r)
	case n == 0: // comes once more, while the first connection is there
		if second := w.logIn(r); r.line.closed {
			r.line = second
		} else if !second.closed {
			second.hangUp()
		}
	case n < 4:
		r.line.hangUp()
	case n < 6:
		w.store.refuse, w.troubled = w.rand.IntN(4), true
		w.count.refusals.Add(int64(w.store.refuse))
	case n < 9:
		w.store.during = func() { w.hurry(w.residents[w.rand.IntN(len(w.residents))]) }
	case n == 9:
		w.pass(time.Duration(w.rand.IntN(4000)) * time.Millisecond)
	default:
		w.goOn(r)
	}
	w.pass(time.Duration(w.rand.IntN(3)) * session.WheelPeriod)
}

// logIn connects a player and, mostly, waits for the server's answer to its login.
func (w *town) logIn(r *resident) *conn {
	w.count.logins.Add(1)
	c := w.connect()
	c.control(&packets.GreetingReply{Value: packets.GreetingReplyValue})
	c.login(r.login, "secret")
	if w.rand.IntN(4) > 0 {
		w.until("the login is done", func() bool { return c.closed || c.s().State() != session.LoggingIn })
	}
	return c
}

// goOn takes the next step on a resident's way.
func (w *town) goOn(r *resident) {
	c := r.line
	switch c.s().State() {
	case session.CharacterScreen:
		c.choose(0, &packets.EnterWorld{})
		if w.rand.IntN(4) > 0 {
			w.until("the character is loaded", func() bool { return c.closed || c.s().State() != session.CharacterScreen })
		}
	case session.Entering:
		if got := coords.Position(c.s().Character().Position); got != r.last() {
			w.t.Errorf("%s was last at %v, and comes back at %v", r.login, r.last(), got)
		}
		c.say(c.own(&packets.Manager{Command: &packets.Ready{Value: 0x34}}))
		w.pass(time.Duration(w.rand.IntN(5)) * session.WheelPeriod)
	case session.InWorld:
		w.walk(r)
	}
}

func (w *town) walk(r *resident) {
	at := r.last()
	at.X += float32(w.rand.IntN(9) - 4)
	at.Z += float32(w.rand.IntN(9) - 4)
	r.line.ping(at)
	r.trail = append(r.trail, footprint{at, w.now})
}

// hurry is a resident's act while the server saves: it walks on, leaves, or both, and may be back before that is
// done.
func (w *town) hurry(r *resident) {
	if r.line == nil || r.line.closed {
		return
	}
	if r.line.s().State() == session.InWorld && w.rand.IntN(2) == 0 {
		w.walk(r)
	}
	if w.rand.IntN(2) == 0 {
		r.line.hangUp()
	}
	w.server.world.Tick(w.now)
	w.run()
	if r.line.closed && w.rand.IntN(2) == 0 {
		r.line = w.connect()
		r.line.control(&packets.GreetingReply{Value: packets.GreetingReplyValue})
		r.line.login(r.login, "secret")
	}
}

// sequence makes some steps, and ends with everybody out, in order or by a kill. Then it looks at the stored
// characters.
func (w *town) sequence() {
	w.count.sequences.Add(1)
	w.troubled = false
	for range 5 + w.rand.IntN(25) {
		w.step()
	}
	killed := w.rand.IntN(20) == 0
	w.store.during = nil
	if killed {
		w.count.kills.Add(1)
		w.restart()
	} else {
		for _, r := range w.residents {
			if r.line != nil && !r.line.closed {
				r.line.hangUp()
			}
		}
		w.until("everybody is saved", func() bool { return w.server.AccountsOnline() == 0 && w.server.saver.waiting() == 0 })
	}
	w.store.refuse = 0
	for _, r := range w.residents {
		w.look(r, killed)
	}
	if n := w.server.EndsByReason()["world refused"]; n > 0 {
		w.t.Errorf("%d were in the world twice", n)
	}
}

// look compares a resident with its stored character.
func (w *town) look(r *resident, killed bool) {
	c, err := w.store.CharacterByID(w.t.Context(), r.id)
	if err != nil {
		w.t.Fatal(err)
	}
	items, err := w.store.Items(w.t.Context(), r.id)
	if err != nil {
		w.t.Fatal(err)
	}
	if c.Money != r.money || !reflect.DeepEqual(items, r.items) {
		w.t.Errorf("%s had %d money and %v, and has %d and %v", r.login, r.money, r.items, c.Money, items)
	}
	got := coords.Position(c.Position)
	i := len(r.trail) - 1
	if killed {
		for i > 0 && r.trail[i].at != got {
			i--
		}
		// It stood there until the next footprint.
		const saved = 3*time.Second + 2*session.WheelPeriod
		if !w.troubled && i < len(r.trail)-1 && w.now.Sub(r.trail[i+1].when) > saved {
			w.t.Errorf("%s is stored as it was %v ago", r.login, w.now.Sub(r.trail[i+1].when))
		}
	}
	if r.trail[i].at != got {
		w.t.Errorf("%s was at %v, and is stored at %v (killed %v)", r.login, r.trail[i].at, got, killed)
	}
	r.trail = append(r.trail[:0], footprint{got, w.now})
}

// Fault case 19: players come, walk, vanish, come back and are taken over at random moments, in the middle of saving,
// too, with a store that refuses now and then and a server that is killed: their belongings stay the same, and a
// player that has left in order is where it was.
func TestFaultRandomLivesKeepWhatTheyHave(t *testing.T) {
	t.Parallel()
	towns, sequences := 4, 50
	if full {
		towns, sequences = 16, 100_000/16
	}
	if testing.Short() {
		sequences /= 5
	}
	begin := time.Now()
	var all sync.WaitGroup
	var sum tally
	for seed := range towns {
		all.Go(func() { // mostly they wait
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				w := newTown(t, uint64(seed), 4, &sum)
				for i := range sequences {
					if w.sequence(); t.Failed() {
						t.Fatalf("in sequence %d of seed %d", i, seed)
					}
				}
				if problems, err := w.store.Check(t.Context()); len(problems) > 0 || err != nil {
					t.Errorf("the database has problems: %v, %v", problems, err)
				}
			})
		})
	}
	all.Wait()
	figure(t, "19", "%d sequences of %d steps with %d logins, %d kills and %d refused saves in %v: items and money "+
		"constant", sum.sequences.Load(), sum.steps.Load(),
		sum.logins.Load(), sum.kills.Load(), sum.refusals.Load(), time.Since(begin).Round(time.Second))
}
