package world

import (
	"testing"
	"time"

	"sphereserver/world/rules"
)

// A ward follows on the leader's way, waits when the leader is gone, and ends the mission at a teleport.
func TestLifeMissionLeadsSomebodyToATeleport(t *testing.T) {
	q := newQuests("h000")
	p, stranger := q.fighter(t, 1, 0, 0), q.fighter(t, 2, 0, 0)
	m := *q.takes(t, 1, rules.MoneyGoal)
	ward := p.task.ward
	if ward == nil || ward.Position != m.At || ward.Kind.(NPC).Name != m.Target {
		t.Fatalf("who is to be led is %+v", ward)
	}
	beside := func(p *player, east float32) {
		at := m.At
		at.X += east
		q.asks(t, deedOf(func(w *World) { w.places.teleport(p, at) }))
	}
	refused(t, q.asks(t, Mission{ID: 1, Word: HandOver}), rules.NobodyWaits) // he is not in sight
	beside(p, 3)
	beside(stranger, 3)
	refused(t, q.asks(t, Mission{ID: 2, Word: HandOver}), rules.NoMission)
	if len(of[Refused](q.asks(t, OpenTrade{1, ward.ID}))) != 0 {
		t.Error("speaking to him is refused")
	}
	walk := func(from, to float32) {
		for x := from; x < to; x++ {
			at := m.At
			at.X += x
			q.asks(t, deedOf(func(w *World) { w.places.place(p, at); w.places.space.Look(&p.Body) }))
			q.asksAfter(t, 300*time.Millisecond)
		}
	}
	walk(4, 20)
	if d := ward.Position.Distance(p.Position); d > 5 || ward.Position.X < m.At.X+10 || ward.At != ward.Position {
		t.Fatalf("he is at %v, %.1f m behind", ward.Position, d)
	}
	// Too far ahead, he waits until he is spoken to again.
	was := ward.Position
	beside(p, 100)
	q.asksAfter(t, 2*time.Second)
	beside(p, 20)
	q.asksAfter(t, 2*time.Second)
	if ward.Position != was {
		t.Errorf("he has gone from %v to %v", was, ward.Position)
	}
	// Left for long, he goes back to where the map shows him; spoken to in time, he stays.
	q.asks(t, Mission{ID: 1, Word: HandOver})
	q.asksAfter(t, leadAlone)
	if ward.Position.Distance(was) > 2 {
		t.Errorf("he has gone from %v to %v", was, ward.Position)
	}
	beside(p, 100)
	q.asksAfter(t, leadAlone-time.Second)
	if ward.Position == m.At {
		t.Error("he has gone back too early")
	}
	q.asksAfter(t, 2*time.Second)
	if ward.Position != m.At || ward.At != m.At {
		t.Errorf("he is at %v", ward.Position)
	}
	beside(p, 3)
	q.asks(t, Mission{ID: 1, Word: HandOver})
	walk(4, 20)
	end := m.At
	end.X += 45
	q.does(Put{Object{0, end, Portal{Class: rules.ClassTeleport}}})
	walk(21, 30)
	if q.keys() != 1 {
		t.Fatal("it is over too early")
	}
	walk(30, 44)
	pay := q.balance.Mission.Reward(&q.balance.Experience, &m, 1).Money
	if q.keys() != 0 || p.Money != 1000+pay || q.object(ward.ID) != nil || stranger.Money != 1000 {
		t.Errorf("%d keys are left, it has %d coins, the mission pays %d", q.keys(), p.Money, pay)
	}
}

// A freed person waits in the dungeon, and goes with the mission when that is given up.
func TestLifeMissionFreesSomebody(t *testing.T) {
	q := newQuests("f000")
	p := q.fighter(t, 1, 0, 0)
	m := *q.takes(t, 1, rules.MoneyGoal)
	q.asks(t, UsePortal{1, q.door})
	ward := p.task.ward
	if ward == nil || ward.inside != p.inside || p.inside == nil {
		t.Fatalf("who is to be freed is %+v", ward)
	}
	// Leaving the world takes him along; both are back in the same dungeon.
	left := only[Left](t, q.asks(t, Leave{ID: 1})).Player
	q.Do(Enter{left})
	q.pass(TickPeriod)
	p = q.player(1)
	q.asks(t, UsePortal{1, q.door})
	if old := ward; q.object(old.ID) != nil || p.task.ward == nil || p.inside == nil || p.task.ward.inside != p.inside || q.cells(t) != 1 {
		t.Fatalf("back in one of %d dungeons there is %+v", q.cells(t), p.task.ward)
	}
	ward = p.task.ward
	q.asks(t, Mission{ID: 1, Word: HandOver})
	q.asksAfter(t, 2*time.Second)
	pay := q.balance.Mission.Reward(&q.balance.Experience, &m, 1).Money
	if q.keys() != 0 || p.Money != 1000+pay || q.object(ward.ID) != nil {
		t.Errorf("%d keys are left, it has %d coins", q.keys(), p.Money)
	}
	q.asks(t, Mission{ID: 1, Word: LeaveDungeon})
	q.asksAfter(t, q.balance.Mission.Wait+time.Second)
	q.takes(t, 1, rules.MoneyGoal)
	q.asks(t, UsePortal{1, q.door})
	again := p.task.ward
	only[MissionEnded](t, q.asks(t, Mission{ID: 1, Word: GiveUpMission}))
	if q.object(again.ID) != nil {
		t.Error("he is still there")
	}
}
