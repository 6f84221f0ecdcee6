package world

import (
	"errors"
	"strings"
	"testing"
	"time"

	"sphereserver/world/rules"
)

// breaking is a request with a defect.
type breaking struct{ ID PlayerID }

func (c breaking) who() PlayerID { return c.ID }

func (breaking) ask(*World, *player) rules.RejectReason { panic("defect") }

func defect(*entity) { panic("defect") }

// failed expects that one entity has failed, and nothing else.
func failed(t *testing.T, events []Event, id EntityID) {
	t.Helper()
	if e := only[EntityFailed](t, events); e.ID != id || !strings.Contains(e.Err.Error(), "defect\n") ||
		!strings.Contains(e.Err.Error(), "failure_test.go") {
		t.Errorf("failed: %d, %v", e.ID, e.Err)
	}
}

// After any panic about a player, it is out of sight and of its party, others go on, and it leaves as it was.
func TestAFailedPlayerIsTakenOut(t *testing.T) {
	for what, fail := range map[string]func(m *tradeStage) []Event{
		"request": func(m *tradeStage) []Event { return m.does(breaking{1}) },
		"timer": func(m *tradeStage) []Event {
			m.every(TickPeriod, &m.player(1).entity, defect)
			return m.pass(2 * TickPeriod)
		},
		"area of interest": func(m *tradeStage) []Event {
			m.places.space.Add(&body{Of: &entity{}, Sort: others, At: east(105)}) // is nothing that could be shown
			m.Move(1, east(10))
			return m.pass(TickPeriod)
		},
	} {
		t.Run(what, func(t *testing.T) {
			m := newTradeStage()
			m.joins(1, spread()...)
			m.joins(2)
			m.does(PartyCreate{2}, PartyApply{1, name(2)}, PartyAccept{2, name(1)})
			events := fail(m)
			if what == "area of interest" {
				if e := only[EntityFailed](t, events); e.ID != 1 {
					t.Errorf("failed: %v", e)
				}
			} else {
				failed(t, events, 1)
			}
			if len(told[Vanished](events)) != 1 || len(of[PartyLeft](events)) != 1 || m.player(1) != nil {
				t.Errorf("told %s", describe(events))
			}
			if again := m.does(breaking{1}, Say{From: 1, Channel: Trade, Text: "?"}); len(again) != 0 {
				t.Errorf("still does something: %s", describe(again))
			}
			m.Move(1, east(5))
			if again := of[EntityFailed](m.pass(time.Minute)); len(again) != 0 {
				t.Errorf("fails again: %v", again)
			}
			if events := m.does(Enter{Player{ID: 1, Character: 5, Position: shipstone}}); len(of[EnterRefused](events)) != 1 {
				t.Errorf("somebody else has its number: %s", describe(events))
			}
			left := only[Left](t, m.does(Leave{ID: 1}))
			if !left.Inside || len(left.Player.Items) != len(spread()) || left.Player.Money != 1000 ||
				left.Player.Position.Distance(shipstone) > 10.1 {
				t.Errorf("left as %+v", left.Player)
			}
			if events := m.does(Leave{ID: 1}); only[Left](t, events).Inside {
				t.Error("left twice")
			}
			m.joins(1)
			if len(told[Appeared](m.does(Leave{ID: 2}))) != 0 {
				t.Error("appeared by leaving")
			}
			m.sound(t)
		})
	}
}

// The transaction of a player that fails is settled, and only then has the player left.
func TestAFailedPlayerWaitsForWhatIsBeingStored(t *testing.T) {
	for name, leaves := range map[string]bool{"leaves before": true, "leaves after": false} {
		t.Run(name, func(t *testing.T) {
			m := newTradeStage()
			m.joins(1, spread()...)
			commit := only[CommitRequest](t, m.does(Drop{1, 4, shipstone}))
			m.ledger.whenFree(m.player(1), func(*player) { t.Error("a failed player is changed") })
			if leaves {
				m.does(Leave{ID: 1})
			}
			m.after(0, &m.player(1).entity, defect)
			failed(t, m.pass(TickPeriod), 1)
			if !leaves {
				m.does(Leave{ID: 1})
			}
			ids, err := m.apply(commit.Change)
			left := only[Left](t, m.does(Committed{commit.Seq, ids, err}))
			if !left.Inside || len(left.Player.Items) != len(spread())-1 {
				t.Errorf("left with %d items", len(left.Player.Items))
			}
			m.agrees(t)
		})
	}
}

// lingers has a player that was struck leave.
func (m *tradeStage) lingers(id PlayerID) {
	m.balance.Blow.Linger = 10 * time.Second
	m.player(id).hurtAt = m.instant()
	m.Do(Leave{ID: id, Lingers: true})
}

// A player that lingers has asked to leave before it fails, and nothing asks again.
func TestALingeringPlayerThatFailsHasLeft(t *testing.T) {
	m := newTradeStage()
	m.joins(1, spread()...)
	m.lingers(1)
	if left := of[Left](m.pass(time.Second)); len(left) > 0 {
		t.Fatal("it does not linger")
	}
	m.after(0, &m.player(1).entity, defect)
	events := m.pass(TickPeriod)
	failed(t, events, 1)
	if left := only[Left](t, events); !left.Inside || len(left.Player.Items) != len(spread()) {
		t.Errorf("left as %+v", left)
	}
}

// A defect in the events of a durable change takes out the player that made it.
func TestADefectInSettlingTakesOutWhoseChangeItWas(t *testing.T) {
	m := newTradeStage()
	m.joins(1, spread()...)
	d := m.ledger.tx(m.player(1), nil)
	d.money = 7
	m.ledger.commit(d, nil, func() { panic("defect") })
	events := m.does(Leave{ID: 1}, Committed{Seq: m.ledger.seq})
	failed(t, events, 1)
	if left := only[Left](t, events); left.Player.Money != 1007 {
		t.Errorf("left with %d coins", left.Player.Money)
	}

	o := m.objects()[0]
	m.ledger.commit(m.ledger.tx(nil, nil), o, func() { panic("defect") })
	failed(t, m.does(Committed{Seq: m.ledger.seq}), o.Number)
	if m.object(o.Number) != nil {
		t.Error("the object is still there")
	}
}

// An object that fails vanishes for all, even with a transaction under way.
func TestAFailedObjectIsRemoved(t *testing.T) {
	m := newTradeStage()
	m.joins(1, spread()...)
	m.joins(2)
	m.asks(t, Drop{1, 6, east(1)})
	o := m.objects()[2]
	m.asks(t, Open{2, Container{Object: o.Number}})
	take := only[CommitRequest](t, m.does(PickUp{1, Target{Object: o.Number}}))
	m.after(0, &o.entity, defect)
	m.after(TickPeriod, &o.entity, defect) // not served any more
	events := m.pass(TickPeriod)
	failed(t, events, o.Number)
	if len(told[Vanished](events)) != 2 || m.object(o.Number) != nil || m.player(2).opened != nil {
		t.Errorf("told %s", describe(events))
	}
	ids, err := m.apply(take.Change)
	only[TookUp](t, m.does(Committed{take.Seq, ids, err}))
	if again := of[EntityFailed](m.pass(time.Second)); len(again) != 0 {
		t.Errorf("fails again: %v", again)
	}
	m.agrees(t)
	m.sound(t)
}

// A player that fails while it enters is not inside.
func TestWhoFailsWhileEntering(t *testing.T) {
	s := newStage(Options{Tables: testTables})
	s.tables = nil // a defect
	enter := Enter{Player{ID: 1, Character: 1, Position: shipstone, Items: spread()}}
	if e := only[EntityFailed](t, s.does(enter)); e.ID != 1 || !strings.Contains(e.Err.Error(), "nil pointer") {
		t.Errorf("failed: %d, %v", e.ID, e.Err)
	}
	if only[Left](t, s.does(Leave{ID: 1})).Inside {
		t.Error("was inside")
	}
	s.tables = testTables
	if events := s.enter(1); len(of[Entered](events)) != 1 {
		t.Errorf("told %s", describe(events))
	}
}

// A panic that concerns no entity ends the world, and so does an entity that cannot be taken out.
func TestADefectOfTheWorldEndsIt(t *testing.T) {
	for name, fail := range map[string]func(s *stage){
		"own timer":     func(s *stage) { s.after(0, nil, defect) },
		"no command":    func(s *stage) { s.Do(nil) },
		"broken entity": func(s *stage) { s.places.space.Drop(&s.player(1).Body); s.Do(breaking{1}) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(Options{})
			s.enter(1)
			fail(s)
			err := func() (err error) {
				defer func() {
					if recover() != nil {
						err = errors.New("ended")
					}
				}()
				s.pass(TickPeriod)
				return nil
			}()
			if err == nil {
				t.Error("the world goes on")
			}
		})
	}
}
