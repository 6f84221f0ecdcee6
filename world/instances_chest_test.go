package world

import (
	"slices"
	"testing"
	"time"

	"sphereserver/world/rules"
)

func TestLifeCheck2_4TheSwordIsTakenOnce(t *testing.T) {
	m := newFight(Options{})
	m.Do(EnterInside{m.stored(1), cave})
	m.Do(EnterInside{m.stored(2), cave})
	m.pass(TickPeriod)
	tooth, theirs := m.lying(t, 1, 709), m.lying(t, 2, 709)
	if events := m.asks(t, PickUp{1, Target{Object: theirs.ID}}); only[Refused](t, events).Why != rules.NotInSight {
		t.Errorf("another's instance: %s", describe(events))
	}
	if events := m.asks(t, Drag{1, tooth.ID, m.player(1).Position}); only[Refused](t, events).Why != rules.NotYours {
		t.Errorf("dragged: %s", describe(events))
	}
	events := m.asks(t, PickUp{1, Target{Object: tooth.ID}}, PickUp{1, Target{Object: tooth.ID}})
	took := only[TookUp](t, events)
	if len(took.Items) != 1 || !took.Items[0].FromGround || took.Items[0].From.Object != tooth.ID || took.Items[0].Into.ID <= 0 {
		t.Fatalf("took %+v", took)
	}
	if only[Refused](t, events).Why == 0 || m.object(tooth.ID) != nil || m.lying(t, 2, 709) != theirs {
		t.Errorf("then %s", describe(events))
	}
	if n := len(m.things); n != 1 {
		t.Errorf("the store has %d things", n)
	}
}

// stored returns a player that the store knows.
func (m *tradeStage) stored(id PlayerID) Player {
	p := caver(id)
	m.money[p.Character] = 0
	return p
}

func TestWhatLiesFreshIsTakenIntoASlot(t *testing.T) {
	m := newFight(Options{})
	m.Do(EnterInside{m.stored(1), cave})
	m.pass(TickPeriod)
	tooth := m.lying(t, 1, 709).ID
	for _, c := range []struct {
		slot int
		why  rules.RejectReason
	}{{0, rules.NoSlot}, {-5, rules.NoSlot}, {300, rules.NoSlot}} {
		events := m.asks(t, PutInto{1, Target{Object: tooth}, Container{}, c.slot})
		if why := only[Refused](t, events).Why; why != c.why {
			t.Errorf("into slot %d: %v", c.slot, why)
		}
	}
	events := m.asks(t, PutInto{1, Target{Object: tooth}, Container{}, 30})
	if is := only[TookUp](t, events).Items[0].Into; is.Slot != 30 {
		t.Errorf("it is %+v", is)
	}
}

func TestAChestIsFilledWhenItIsOpened(t *testing.T) {
	m := newFight(Options{})
	m.Do(EnterInside{m.stored(1), cave})
	m.pass(TickPeriod)
	chest := m.lying(t, 1, rules.ClassChest)
	if n := len(m.things); n != 0 {
		t.Fatalf("the store has %d things before", n)
	}
	request := only[CommitRequest](t, m.does(Open{1, Container{Object: chest.ID}}))
	refused(t, m.does(Committed{Seq: request.Seq, Err: errConflict}), rules.StoreFailed)
	events := m.asks(t, Open{1, Container{Object: chest.ID}})
	opened := only[Opened](t, events)
	if len(opened.Items) != 2 || opened.Items[0].Count != 3 {
		t.Fatalf("in it are %+v", opened.Items)
	}
	again := only[Opened](t, m.asks(t, Open{1, Container{Object: chest.ID}}))
	if again.Items[0].ID != opened.Items[0].ID {
		t.Errorf("then there are %+v", again.Items)
	}
	m.asks(t, PickUp{1, Target{Item: opened.Items[0].ID}})
	if c := m.player(1).carried.Items; len(c) != 1 || c[0].Count != 3 {
		t.Errorf("it carries %+v", c)
	}
	back := m.asks(t, PutInto{1, Target{Item: opened.Items[0].ID}, Container{Object: chest.ID}, 5})
	if why := only[Refused](t, back).Why; why != rules.NoSlot {
		t.Errorf("put back: %v", why)
	}
	// Items left in it end with the instance; those taken stay.
	m.asks(t, Teleport{1, shipstone})
	m.ends(t)
	if n := len(m.things); n != 1 || m.cells(t) != 0 {
		t.Errorf("the store has %d things", n)
	}
}

// The trap of a chest hurts the first player that opens it, once; its contents stay, and are taken once by one of
// two.
func TestLifeCheck4_9TheTrapOfAChestSpringsOnce(t *testing.T) {
	m := newFight(Options{})
	trapped := *cave
	trapped.Pieces = slices.Clone(cave.Pieces)
	trapped.Pieces[3].Trap = 30
	m.Do(EnterInside{m.stored(1), &trapped})
	m.Do(Enter{m.stored(2)})
	m.pass(TickPeriod)
	m.does(TeleportBeside{2, 1})
	chest := m.lying(t, 1, rules.ClassChest)
	open := func(id PlayerID) []Event { return m.asks(t, Open{id, Container{Object: chest.ID}}) }
	hp := m.player(1).Pools.HP
	events := open(1)
	e := only[Opened](t, events)
	if hit := e.Hit; !e.Trap || hit == nil || hit.ID != 1 || hit.Hit != (Hit{By: chest.ID, HP: -30}) ||
		m.player(1).Pools.HP != hp-30 || len(of[PlayerHit](events)) > 0 {
		t.Errorf("it is told %s", describe(events))
	}
	if seen := only[TrapSeen](t, events); seen.Chest != chest.ID || !slices.Equal(seen.To, []PlayerID{2}) {
		t.Errorf("others are told %+v", seen)
	}
	for id := PlayerID(1); id <= 2; id++ {
		events := open(id)
		again := only[Opened](t, events)
		if again.Trap || again.Hit != nil || !slices.EqualFunc(again.Items, e.Items,
			func(a, b rules.Item) bool { return a.Same(&b) }) {
			t.Errorf("later %d is told %s", id, describe(events))
		}
	}
	both := m.asks(t, PickUp{1, Target{Item: e.Items[0].ID}}, PickUp{2, Target{Item: e.Items[0].ID}})
	if only[TookUp](t, both).ID != 1 || only[Refused](t, both).ID != 2 {
		t.Errorf("both take: %s", describe(both))
	}
}

// The monster that a chest calls comes once, told to the player that opens it in one event with the contents, and
// fights as others do, even where no other player sees it come.
func TestAChestCallsAMonster(t *testing.T) {
	for players := PlayerID(1); players <= 2; players++ {
		m := newFight(Options{})
		calling := *cave
		calling.Pieces, calling.Lairs = slices.Clone(cave.Pieces), nil
		calling.Pieces[3].Calls = &Summon{Type: rules.NewcomersMonster, Level: 3}
		m.Do(EnterInside{m.stored(1), &calling})
		m.pass(TickPeriod)
		if players == 2 {
			m.Do(Enter{m.stored(2)})
			m.pass(TickPeriod)
			m.does(TeleportBeside{2, 1})
		}
		chest := m.lying(t, 1, rules.ClassChest)
		events := m.asks(t, Open{1, Container{Object: chest.ID}})
		e := only[Opened](t, events)
		if e.Called == nil {
			t.Fatalf("nobody comes: %s", describe(events))
		}
		b := m.object(e.Called.ID)
		if b == nil || b.monster == nil || b.monster.Type != rules.NewcomersMonster || b.monster.Level != 3 ||
			b.inside != m.player(1).inside || flat(b.Position, chest.Position) > 2 {
			t.Fatalf("there comes %+v", *e.Called)
		}
		if !m.player(1).Sees(&b.Body) {
			t.Error("who opened it does not see it")
		}
		if seen := of[*ObjectAppeared](events); len(seen) != int(players)-1 ||
			len(seen) == 1 && (seen[0].Viewer != 2 || seen[0].Object.ID != b.ID) {
			t.Errorf("then is told %s", describe(events))
		}
		for id := PlayerID(1); id <= players; id++ {
			if again := only[Opened](t, m.asks(t, Open{id, Container{Object: chest.ID}})); again.Called != nil {
				t.Errorf("it calls %d another", id)
			}
		}
		if fights := of[*MonsterSwung](m.asksAfter(t, 20*time.Second)); len(fights) == 0 || fights[0].ID != b.ID {
			t.Errorf("it does not fight %d", players)
		}
		for id := PlayerID(1); id <= players; id++ {
			m.asks(t, Teleport{id, shipstone})
		}
		if m.ends(t); m.cells(t) != 0 || m.object(b.ID) != nil {
			t.Error("it is left when the instance has ended")
		}
	}
}

// A trap can kill, but does not hurt a protected player; it has sprung all the same.
func TestTrapsKillAndAreSpent(t *testing.T) {
	for _, protected := range []bool{false, true} {
		m := newFight(Options{})
		trapped := *cave
		trapped.Pieces = slices.Clone(cave.Pieces)
		trapped.Pieces[3].Trap = 100_000
		m.Do(EnterInside{m.stored(1), &trapped})
		m.pass(TickPeriod)
		p := m.player(1)
		if protected {
			p.protected = m.instant().Add(time.Hour)
		}
		chest := m.lying(t, 1, rules.ClassChest)
		events := m.asks(t, Open{1, Container{Object: chest.ID}})
		if only[Opened](t, events); isDead(p) == protected || chest.trap != 0 {
			t.Errorf("protected %v: %s", protected, describe(events))
		}
	}
}
