package game

import (
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/session"
	"sphereserver/server/view"
	"sphereserver/world/rules"
)

// eats has the client do something with an object: it eats of its bread.
func (c *conn) eats() {
	c.g.t.Helper()
	bread, ok := firstEntry(c.p(), func(e *view.IDEntry) bool { return e.Class == packets.ClassBread })
	if !ok {
		c.g.t.Fatal("there is no bread")
	}
	c.say(packets.Message(0, packets.ObjectID(bread.ID), bread.Class, contMan(&packets.Use{Player: c.s().ID()})))
}

// isUnderstood reports whether all that the client has been told of objects is in its own words, and that it was told of
// some.
func (c *conn) isUnderstood(what string) {
	c.g.t.Helper()
	frames := c.frames() // fails for unreadable frames
	for _, f := range frames {
		if f.Body == nil {
			continue
		}
		for _, s := range f.Body.Sections {
			for _, r := range s.Regions {
				if m, ok := r.(*packets.ContMan); ok && s.Class != packets.ClassPlayer {
					if _, unknown := m.Command.(*packets.UnknownCommand); unknown {
						c.g.t.Errorf("%s: the client reads %+v about %v", what, m.Command, s.Class)
					}
				}
			}
		}
	}
	if spawned := len(regionsOf[*packets.SpawnSnapshot](frames)); spawned < len(starterItems()) {
		c.g.t.Errorf("%s: the client is shown %d objects", what, spawned)
	}
}

// returns brings the first character of an account into the world again, with a client of a dialect.
func (g *stage) returns(login string, d packets.Dialect) *conn {
	g.t.Helper()
	c := g.connect()
	c.dialect = d
	c.in(session.Handshaken).login(login, "secret")
	g.until("the screen", func() bool { return c.s().State() == session.CharacterScreen })
	c.choose(0, &packets.EnterWorld{})
	g.until("loading", func() bool { return c.s().State() == session.Entering })
	c.say(c.own(&packets.Manager{Command: &packets.Ready{Value: 0x34}}))
	g.until("the world", func() bool { return c.s().State() == session.InWorld })
	return c
}

// An effect on a player is told again in the words of its client, once that is recognised: its object would have
// meant nothing to it.
func TestEffectsAreToldAgainOnceTheClientIsRecognised(t *testing.T) {
	t.Parallel()
	g := chatStage(t)
	first := g.connect()
	first.dialect = packets.Dialect2022
	first.in(session.InWorld)
	login, account, id := first.s().Login(), first.s().Account(), first.s().Character().ID
	first.hangUp()
	g.until("saved", func() bool { return g.server.Presence(account) == nil })
	c, err := g.store.CharacterByID(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	c.Effects = []rules.Effect{{ID: 901, Key: "mgss", Length: 3, Left: 900 * time.Second,
		Bonus: rules.Bonus{PhysicalDefence: 15}}}
	if err := g.store.SaveCharacters(t.Context(), []data.Character{c}); err != nil {
		t.Fatal(err)
	}
	old := g.returns(login, packets.Dialect2022)
	g.pass(time.Second)
	old.got = nil // of the other generation
	old.eats()
	g.pass(time.Second)
	timers, slots := 0, 0
	for _, f := range old.frames() {
		if f.Body == nil {
			continue
		}
		for _, s := range f.Body.Sections {
			for _, r := range s.Regions {
				switch c, _ := packets.CommandOf(r); c := c.(type) {
				case *packets.MutatorTimer:
					if timers++; s.Class != packets.ClassVirus || c.Mutator != 901 || c.Seconds < 890 {
						t.Errorf("its time is %+v, of class %v", c, s.Class)
					}
				case *packets.FillSlot:
					if c.Slot == rules.SlotMutators {
						slots++
					}
				}
			}
		}
	}
	if timers != 1 || slots != 1 {
		t.Errorf("it is told %d times, into %d slots", timers, slots)
	}
}

// A client is recognised by the first thing that it does with an object; messages that it could not read until then
// are told again. Its next login, and those of others, are right from the beginning.
func TestGenerationsAreRecognised(t *testing.T) {
	t.Parallel()
	g := chatStage(t)
	old := g.connect()
	old.dialect = packets.Dialect2022
	old.in(session.InWorld)
	g.pass(time.Second)
	vault := func() packets.ObjectID {
		k, _ := firstEntry(old.p(), func(k *view.IDEntry) bool { return k.Kind == view.VaultEntry })
		return packets.ObjectID(k.ID)
	}
	was := vault()
	old.got = nil // of the other generation
	old.eats()
	g.pass(time.Second)
	if is := vault(); was == packets.NoObject || is == packets.NoObject || is == was {
		t.Errorf("the vault was %v, is %v", was, is)
	}
	if d := old.s().Dialect(); d != packets.Dialect2022 {
		t.Fatalf("the client is taken for one of %v", d)
	}
	old.isUnderstood("once recognised")
	old.eats()
	g.pass(time.Second)
	old.frames()

	login, account := old.s().Login(), old.s().Account()
	g.until("its generation is stored", func() bool {
		a, err := g.store.AccountByID(t.Context(), account)
		return err == nil && a.Dialect == "2022"
	})
	old.hangUp()
	g.until("saved", func() bool { return g.server.Presence(account) == nil })
	another := g.connect()
	another.dialect = packets.Dialect2022
	another.in(session.InWorld)
	g.pass(time.Second)
	another.isUnderstood("another player's")

	young := g.connect().in(session.InWorld)
	g.pass(time.Second)
	young.got = nil
	young.eats()
	g.pass(time.Second)
	young.isUnderstood("of today")

	again := g.returns(login, packets.Dialect2022)
	g.pass(time.Second)
	again.isUnderstood("the next login")
	again.hangUp()
	another.frames() // all in its own words, too, after all that have come and gone
	young.frames()
}

// carried are the ids by which the client knows the things that its character carries.
func (c *conn) carried() map[rules.ItemID]packets.ObjectID {
	out := map[rules.ItemID]packets.ObjectID{}
	firstEntry(c.p(), func(e *view.IDEntry) bool {
		if e.Kind == view.ItemEntry {
			out[e.Item] = packets.ObjectID(e.ID)
		}
		return false
	})
	return out
}

// A client of 2026 on an account that used one of 2022 the last time is recognised late. The ids of things that its
// character carries cannot stay: it was told of them in bytes that it read as something else, so each is removed, and
// spawned again as another object; an id that has been removed rests before it comes again.
func TestLateRecognitionGivesCarriedThingsNewIDs(t *testing.T) {
	t.Parallel()
	g := chatStage(t)
	old := g.connect()
	old.dialect = packets.Dialect2022
	old.in(session.InWorld)
	old.eats()
	login, account := old.s().Login(), old.s().Account()
	g.until("its generation is stored", func() bool {
		a, err := g.store.AccountByID(t.Context(), account)
		return err == nil && a.Dialect == "2022"
	})
	old.hangUp()
	g.until("saved", func() bool { return g.server.Presence(account) == nil })

	young := g.connect()
	young.in(session.Handshaken).login(login, "secret")
	g.until("the screen", func() bool { return young.s().State() == session.CharacterScreen })
	young.choose(0, &packets.EnterWorld{})
	g.until("loading", func() bool { return young.s().State() == session.Entering })
	young.say(young.own(&packets.Manager{Command: &packets.Ready{Value: 0x34}}))
	g.until("the world", func() bool { return young.s().State() == session.InWorld })
	g.pass(time.Second)
	if d := young.s().Dialect(); d != packets.Dialect2022 {
		t.Fatalf("before it has shown its generation it is taken for one of %v", d)
	}
	was := young.carried()
	young.got = nil // of the other generation
	young.eats()
	g.pass(time.Second)
	young.isUnderstood("once recognised")
	is := young.carried()
	if len(is) < 2 || len(is) != len(was) {
		t.Fatalf("it carries %d things, then %d", len(was), len(is))
	}
	before := map[packets.ObjectID]bool{}
	for _, id := range was {
		before[id] = true
	}
	for item, id := range is {
		if before[id] || was[item] == packets.NoObject {
			t.Errorf("item %d was %v, is %v", item, was[item], id)
		}
	}
	young.eats() // by its new id
	g.pass(time.Second)
	young.frames()
}

// A generation that is set is for all: nothing is found out.
func TestGenerationsAreSet(t *testing.T) {
	t.Parallel()
	g := newStage(t, func(o *Options) { o.Generation = session.Generation{Dialect: packets.Dialect2026} })
	old := g.connect()
	old.dialect = packets.Dialect2022
	old.in(session.InWorld)
	old.eats()
	g.pass(time.Second)
	if d := old.s().Dialect(); d != packets.Dialect2026 {
		t.Errorf("the client is taken for one of %v", d)
	}
}

// One odd client does not change the generation that newcomers are taken for.
func TestNewcomersAreTakenForWhatMostUse(t *testing.T) {
	t.Parallel()
	g := chatStage(t)
	for _, d := range []packets.Dialect{packets.Dialect2022, packets.Dialect2022, packets.Dialect2026} {
		c := g.connect()
		c.dialect = d
		c.in(session.InWorld)
		g.pass(time.Second)
		c.got = nil // it may be of the other generation
		c.eats()
		g.pass(time.Second)
		if is := c.s().Dialect(); is != d {
			t.Fatalf("the client is taken for one of %v", is)
		}
	}
	if is := g.connect().in(session.CharacterScreen).s().Dialect(); is != packets.Dialect2022 {
		t.Errorf("after two of 2022 and one of 2026 a newcomer is taken for one of %v", is)
	}
}
