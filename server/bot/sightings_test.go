package bot

import (
	"math/rand/v2"
	"net"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
)

// shownID is the id of the one other client of these tests.
const shownID packets.ObjectID = 0x7B5A

var (
	ownPlace   = coords.Position{X: 2614, Y: 157.8, Z: 1293}
	shownPlace = coords.Position{X: 2624, Y: 157.8, Z: 1293}
)

func newScene() *groundTruth { return &groundTruth{sight: 100, crowd: 256, slack: time.Second} }

// enterScene adds a client to a scene that stands somewhere, for a while already.
func enterScene(t *testing.T, s *groundTruth, index packets.PlayerIndex, name string, at coords.Position,
	now time.Time) *Client {
	t.Helper()
	near, far := net.Pipe()
	t.Cleanup(func() { near.Close(); far.Close() })
	c := New(near, Options{groundTruth: s})
	c.Index, c.Position, c.Snapshot.Name, c.Snapshot.Look = index, at, name, 0x30303030
	c.state, c.rand = stateInWorld, rand.New(rand.NewPCG(1, 2))
	c.trackedBot = s.enter(c.ID(), &c.Snapshot, c.Position, now.Add(-10*time.Second))
	return c
}

// show gives the client another player.
func (c *Client) show(id packets.ObjectID, m *packets.PlayerSpawn) *Object {
	o := &Object{ID: id, Class: packets.ClassPlayer, Player: m, Gear: &packets.SetWornGear{},
		Position: coords.Position{X: m.X, Y: m.Y, Z: m.Z}}
	c.Objects[id] = o
	c.people++
	return o
}

func spawnAt(p coords.Position) *packets.PlayerSpawn {
	return &packets.PlayerSpawn{X: p.X, Y: p.Y, Z: p.Z, Name: "Anna", Look: 0x30303030}
}

// Two clients of a swarm stand 10 m apart. One of them compares its sights.
func TestClientsOfASwarmCompareWhatTheyAreShown(t *testing.T) {
	away := func(x float32) coords.Position { p := ownPlace; p.X += x; return p }
	for _, v := range []struct {
		name string
		// change makes a fault, or the look of one; other is the other client.
		change func(c, other *Client, now time.Time)
		want   []ViolationKind
	}{
		{"is shown as it is", func(c, _ *Client, _ time.Time) { c.show(shownID, spawnAt(shownPlace)) }, nil},
		{"is shown within the steps of movements", func(c, _ *Client, _ time.Time) {
			c.show(shownID, spawnAt(coords.Position{X: shownPlace.X + 0.02, Y: shownPlace.Y - 0.02, Z: shownPlace.Z}))
		}, nil},
		{"is not shown", func(_, _ *Client, _ time.Time) {}, []ViolationKind{Unseen}},
		{"is not shown and only just out of sight", func(_, other *Client,
			now time.Time) {
			other.trackedBot.put(away(99), now.Add(-10*time.Second))
		}, nil},
		{"is not shown, but came only now", func(_, other *Client, now time.Time) {
			other.trackedBot.put(shownPlace,
				now.Add(-time.Second))
		}, nil},
		{"is not shown, but leaves", func(_, other *Client, _ time.Time) { other.trackedBot.part() }, nil},
		{"is not shown in a crowd", func(c, _ *Client, _ time.Time) { c.people = 250 }, nil},
		{"is not shown to a client that is late itself", func(c, _ *Client,
			now time.Time) {
			c.pings.last.Latency = time.Second
		}, nil},
		{"is shown in a wrong place", func(c, _ *Client, _ time.Time) { c.show(shownID, spawnAt(away(10.5))) },
			[]ViolationKind{WrongPosition}},
		{"is shown on a wrong height", func(c, _ *Client, _ time.Time) {
			c.show(shownID, spawnAt(coords.Position{X: shownPlace.X, Y: shownPlace.Y + 1, Z: shownPlace.Z}))
		}, []ViolationKind{WrongPosition}},
		{"is shown where it was a moment ago", func(c, other *Client, now time.Time) {
			c.show(shownID, spawnAt(shownPlace))
			other.trackedBot.sent(away(12), now.Add(-500*time.Millisecond))
			other.trackedBot.answered(now.Add(-500*time.Millisecond), now.Add(-400*time.Millisecond))
		}, nil},
		{"is shown where it will be known to be soon", func(c, other *Client, now time.Time) {
			c.show(shownID, spawnAt(away(12)))
			other.trackedBot.sent(away(12), now.Add(-5*time.Second)) // not answered yet
		}, nil},
		{"is shown where it was long ago", func(c, other *Client, now time.Time) {
			c.show(shownID, spawnAt(shownPlace))
			other.trackedBot.sent(away(12), now.Add(-5*time.Second))
			other.trackedBot.answered(now.Add(-5*time.Second), now.Add(-5*time.Second+time.Millisecond))
		}, []ViolationKind{WrongPosition}},
		{"is shown under another name", func(c, _ *Client, _ time.Time) {
			m := spawnAt(shownPlace)
			m.Name = "Bert"
			c.show(shownID, m)
		}, []ViolationKind{WrongPerson}},
		{"is shown with another face", func(c, _ *Client, _ time.Time) {
			m := spawnAt(shownPlace)
			m.Look++
			c.show(shownID, m)
		}, []ViolationKind{WrongPerson}},
		{"is shown as a man", func(c, other *Client, _ time.Time) {
			other.trackedBot.female = true
			c.show(shownID, spawnAt(shownPlace))
		}, []ViolationKind{WrongPerson}},
		{"is shown from afar", func(c, other *Client, now time.Time) {
			c.show(shownID, spawnAt(away(115)))
			other.trackedBot.put(away(115), now.Add(-10*time.Second))
		}, []ViolationKind{NotDespawned}},
		{"is shown from a little farther than it would appear", func(c, other *Client, now time.Time) {
			c.show(shownID, spawnAt(away(109)))
			other.trackedBot.put(away(109), now.Add(-10*time.Second))
		}, nil},
		{"is shown and has left", func(c, other *Client, now time.Time) {
			c.show(shownID, spawnAt(shownPlace))
			other.trackedBot.leave(now.Add(-5 * time.Second))
		}, []ViolationKind{NotDespawned}},
		{"is shown and has left just now", func(c, other *Client, now time.Time) {
			c.show(shownID, spawnAt(shownPlace))
			other.trackedBot.leave(now.Add(-time.Second / 2))
		}, nil},
		{"a thing is shown from afar", func(c, _ *Client, _ time.Time) {
			c.show(shownID, spawnAt(shownPlace))
			c.Objects[0x1234] = &Object{ID: 0x1234, Class: packets.ClassTeleport, Spawn: &packets.SpawnSnapshot{},
				Position: away(150)}
		}, []ViolationKind{NotDespawned}},
		{"a thing is in a bag", func(c, _ *Client, _ time.Time) {
			c.show(shownID, spawnAt(shownPlace))
			c.Objects[0x1234] = &Object{ID: 0x1234, Class: packets.ClassBread, Spawn: &packets.SpawnSnapshot{},
				Placement: packets.Contained, Position: away(1e6)}
		}, nil},
		{"is dead, and shown where it fell", func(c, other *Client, now time.Time) {
			other.die(now)
			c.show(shownID, spawnAt(away(18)))
		}, nil},
		{"lives again, and is shown where it fell", func(c, other *Client, now time.Time) {
			other.die(now)
			other.revive(now, nil)
			other.trackedBot.put(shownPlace, now.Add(-10*time.Second))
			c.show(shownID, spawnAt(away(18)))
		}, []ViolationKind{WrongPosition}},
		{"is no client of the swarm", func(c, _ *Client, _ time.Time) {
			c.show(shownID, spawnAt(shownPlace))
			m := spawnAt(away(50))
			m.Name = "Somebody"
			c.show(0x5555, m)
		}, nil},
	} {
		t.Run(v.name, func(t *testing.T) {
			now := time.Now()
			s := newScene()
			c := enterScene(t, s, 0x5A21, "Own", ownPlace, now)
			other := enterScene(t, s, packets.PlayerIndexOf(shownID), "Anna", shownPlace, now)
			v.change(c, other, now)
			c.compareSightings(now)
			if len(c.violations) > 0 {
				t.Errorf("at the first look: %v", c.violations)
			}
			// The second look is too soon after the change.
			c.compareSightings(now.Add(950 * time.Millisecond))
			c.compareSightings(now.Add(960 * time.Millisecond))
			var got []ViolationKind
			for _, f := range c.violations {
				got = append(got, f.Kind)
				if f.Count != 1 {
					t.Errorf("found %d times: %v", f.Count, f)
				}
			}
			if !slices.Equal(got, v.want) {
				t.Errorf("found %v, expected %v", c.violations, v.want)
			}
			if c.tally.Compared.Load() == 0 && len(v.want) > 0 {
				t.Error("nothing was compared")
			}
		})
	}
}

func TestASuspicionThatIsRightAgainIsForgotten(t *testing.T) {
	now := time.Now()
	s := newScene()
	c := enterScene(t, s, 0x5A21, "Own", ownPlace, now)
	enterScene(t, s, packets.PlayerIndexOf(shownID), "Anna", shownPlace, now)
	for i := range 5 {
		c.compareSightings(now)
		o := c.show(shownID, spawnAt(shownPlace))
		c.compareSightings(now.Add(time.Second))
		delete(c.Objects, o.ID)
		now = now.Add(time.Duration(i+2) * time.Second)
	}
	if len(c.violations) > 0 {
		t.Error(c.violations)
	}
}

// A track tells all places where the server may have had a bot in the last moments, and no others.
func TestTracksKnowWhereTheServerMayHaveSomebody(t *testing.T) {
	now := time.Now()
	at := func(i int) coords.Position { return coords.Position{X: float32(i)} }
	a := new(trackedBot)
	a.put(at(0), now)
	for i := 1; i <= 100; i++ {
		sent := now.Add(time.Duration(i) * 100 * time.Millisecond)
		a.sent(at(i), sent)
		if i%2 == 0 {
			a.answered(sent, sent.Add(10*time.Millisecond))
		}
	}
	got, ok := a.since(now.Add(9500*time.Millisecond+time.Millisecond), nil)
	want := []coords.Position{at(100), at(99), at(98), at(97), at(96), at(95), at(94)}
	if !ok || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, ok)
	}
	if _, ok := a.since(now, nil); ok {
		t.Error("knows more than it can")
	}
	a.put(at(7), now.Add(11*time.Second))
	if _, ok := a.since(now.Add(10*time.Second), nil); ok {
		t.Error("knows where it was before it was put elsewhere")
	}
	if got, ok := a.since(now.Add(12*time.Second), nil); !ok || !slices.Equal(got, []coords.Position{at(7)}) {
		t.Errorf("%v, %v", got, ok)
	}
	var nobody *trackedBot
	nobody.put(at(1), now)
	nobody.sent(at(1), now)
	nobody.answered(now, now)
	nobody.part()
	nobody.leave(now)
}

// Of a crowd everybody is looked at in time, though each look is at some only.
func TestLooksGoAroundInACrowd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene()
		now := time.Now()
		const people = 200
		c := enterScene(t, s, 0x5A21, "Own", ownPlace, now)
		for i := range people {
			enterScene(t, s, packets.PlayerIndex(0x6000+i), "Other", coords.Position{X: ownPlace.X + float32(i%90),
				Y: ownPlace.Y, Z: ownPlace.Z}, now)
		}
		seen := map[*trackedBot]bool{}
		for range 200 {
			got := s.around(ownPlace, comparedAtOnce, now, c.rand, nil)
			if len(got) > comparedAtOnce {
				t.Fatalf("%d at once", len(got))
			}
			for _, a := range got {
				seen[a] = true
			}
		}
		if len(seen) != people+1 {
			t.Errorf("%d of %d are ever looked at", len(seen), people+1)
		}
	})
}

// A bag of a kill is missed by a client beside others that are shown it, once, and not before it has had time to
// come.
func TestABagThatOthersAreShownIsMissed(t *testing.T) {
	now := time.Now()
	at := ownPlace
	at.X += 5
	bag := func(id packets.ObjectID, at coords.Position) *Object {
		return &Object{ID: id, Class: packets.ClassLootBag, Position: at}
	}
	for name, v := range map[string]struct {
		change func(c, other *Client)
		after  time.Duration
		missed int
	}{
		"held by another alone": {func(c, other *Client) { other.noteBag(bag(1, at), true) }, 11 * time.Second, 1},
		"not long enough":       {func(c, other *Client) { other.noteBag(bag(1, at), true) }, 9 * time.Second, 0},
		"forgotten by now":      {func(c, other *Client) { other.noteBag(bag(1, at), true) }, bagMemory + time.Second, 0},
		"held by both, under other ids": {func(c, other *Client) {
			other.noteBag(bag(1, at), true)
			c.bags = append(c.bags, bag(77, at))
		}, 11 * time.Second, 0},
		"gone again": {func(c, other *Client) {
			other.noteBag(bag(1, at), true)
			other.noteBag(bag(1, at), false)
		}, 11 * time.Second, 0},
		"held by nobody any more": {func(c, other *Client) {
			other.bags = append(other.bags, bag(1, at))
			other.noteBag(other.bags[0], true)
			other.partWithBags()
		}, 11 * time.Second, 0},
		"out of sight": {func(c, other *Client) {
			far := ownPlace
			far.X += 99
			other.noteBag(bag(1, far), true)
		}, 11 * time.Second, 0},
		"another one lies there": {func(c, other *Client) {
			beside := at
			beside.Z += 3
			other.noteBag(bag(1, at), true)
			c.bags = append(c.bags, bag(77, beside))
		}, 11 * time.Second, 1},
		"something else": {func(c, other *Client) {
			o := bag(1, at)
			o.Class = packets.ClassStartSword
			other.noteBag(o, true)
		}, 11 * time.Second, 0},
	} {
		s := newScene()
		c := enterScene(t, s, 0x5001, "Clara", ownPlace, now)
		v.change(c, enterScene(t, s, 0x5002, "Anna", shownPlace, now))
		for range 3 { // it is told once
			c.compareBags(now.Add(v.after))
		}
		found := c.Violations()
		if n := len(found); v.missed == 0 && n > 0 || v.missed > 0 &&
			(n != 1 || found[0].Kind != MissingBag || found[0].Count != 1) {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
