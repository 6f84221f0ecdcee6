package game

import (
	"runtime"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/datatest"
	"sphereserver/packets"
	"sphereserver/server/session"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// idleSessionBytes is the most heap that a session in the world may hold, without its socket and with the memory of
// the test's own end of the connection, some 300 bytes. Measured were 4330 to 4430; the rest is what a heap of which
// other things live differs by between two runs, shared by 200 sessions.
const idleSessionBytes = 5000

// trodden is a ground of which nothing more is learned: its memory is the land's, not its players'.
type trodden struct{ world.Ground }

func (trodden) Learn(coords.Position) bool  { return false }
func (trodden) Learned() []rules.GroundCell { return nil }

// settledHeap frees leftovers of the last ticks, and returns the size of the heap.
func (g *stage) settledHeap() uint64 {
	g.pass(20 * time.Second)
	var m runtime.MemStats
	for range 3 { // memory of pools and finalizers needs more than one
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A session that has been in the world for a while, and is silent, holds little.
func TestAnIdleSessionHoldsLittle(t *testing.T) {
	patient := func(o *Options) {
		crowded(o)
		o.World.Ground = trodden{groundOf(nil, nil)}
		o.Timeouts.Silence = time.Hour
	}
	g := newStage(t, patient)
	hash, err := data.HashPassword("secret", datatest.Cheap)
	if err != nil {
		t.Fatal(err)
	}
	const more, together = 200, 20
	conns := make([]*conn, 0, more+together)
	enter := func() {
		var fresh []*conn // these wait for the store at once
		var places []coords.Position
		for range together {
			c := g.connect()
			a, err := g.store.CreateAccount(t.Context(), "tester"+c.s().Index().String(), hash, data.Player)
			if err != nil {
				t.Fatal(err)
			}
			i := len(conns) + len(fresh)
			made := g.server.newCharacter(a.ID, session.Creation{Name: heroName(i), Look: maleLook})
			made.Position = coords.Position{X: 10000 + float32(i%100)*150, Y: 150, Z: 10000 + float32(i/100)*150}
			if _, _, err := g.store.CreateCharacter(t.Context(), made); err != nil {
				t.Fatal(err)
			}
			c.in(session.CharacterScreen)
			c.choose(0, &packets.EnterWorld{})
			fresh, places = append(fresh, c), append(places, made.Position)
		}
		for _, c := range fresh {
			g.until("the session enters", func() bool { return c.s().State() == session.Entering })
			c.say(c.own(&packets.Manager{Command: &packets.Ready{Value: 0x34}}))
		}
		for i, c := range fresh {
			g.until("the session is in", func() bool { return c.s().State() == session.InWorld })
			for range 3 {
				c.ping(places[i])
				places[i].X++
			}
		}
		conns = append(conns, fresh...)
		for _, c := range conns {
			c.got = nil
		}
	}
	enter()
	g.settledHeap()
	for _, c := range conns {
		c.got = nil
	}
	before := g.settledHeap()
	for range more / together {
		enter()
	}
	g.settledHeap()
	for _, c := range conns {
		c.got = nil
	}
	after := g.settledHeap()
	each := int64(after-before) / more
	t.Logf("%d bytes for each session", each)
	if each > idleSessionBytes {
		t.Errorf("each idle session holds %d bytes, expected %d at the most", each, idleSessionBytes)
	}
	runtime.KeepAlive(conns)
}
