package world

import (
	"errors"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

func TestLifeCheck4_7OnlyTheKeyOpensTheEntrance(t *testing.T) {
	q := newQuests("k001")
	for id := PlayerID(1); id <= 3; id++ {
		q.fighter(t, id, 0, 0)
	}
	closed := func(id PlayerID) {
		t.Helper()
		if why := only[PortalRefused](t, q.asks(t, UsePortal{id, q.door})).Why; why != rules.WrongKey {
			t.Errorf("%d is told %v", id, why)
		}
	}
	closed(1)
	q.takes(t, 1, rules.TitleGoal)
	q.takes(t, 2, rules.TitleGoal)
	closed(3)
	q.player(2).task.mission.Entrance = 2001
	closed(2)
	q.asks(t, UsePortal{1, q.door})
	closed(3)
	q.groups(q.player(1), q.player(3))
	only[Teleported](t, q.asks(t, UsePortal{3, q.door}))
	if q.player(1).inside == nil || q.player(1).inside != q.player(3).inside {
		t.Error("a group is in different dungeons")
	}
	// Check 8: all left, it is freed.
	q.asks(t, Mission{ID: 1, Word: LeaveDungeon}, Mission{ID: 3, Word: LeaveDungeon})
	q.asksAfter(t, q.balance.Spawn.InstanceLinger+5*time.Second)
	if q.cells(t) != 0 {
		t.Error("the dungeon is still there")
	}
	// A player that comes again gets another, without chests: else one key would fill them again and again.
	chests := func() (n int) {
		for _, o := range q.objects() {
			if t, is := o.Kind.(GroundItem); is && t.IsBag() {
				n++
			}
		}
		return n
	}
	only[Teleported](t, q.asks(t, UsePortal{1, q.door}))
	if chests() != 0 {
		t.Errorf("%d chests are in the second dungeon", chests())
	}
	only[Teleported](t, q.asks(t, Mission{ID: 1, Word: LeaveDungeon}, OrderMission{ID: 1, What: CancelMission}))
	q.asksAfter(t, q.balance.Mission.Wait)
	q.takes(t, 1, rules.TitleGoal)
	if only[Teleported](t, q.asks(t, UsePortal{1, q.door})); chests() != 1 {
		t.Errorf("%d chests are in the dungeon of another mission", chests())
	}
	// The key itself remembers, over a restart of the server.
	only[Teleported](t, q.asks(t, Mission{ID: 1, Word: LeaveDungeon}))
	q.asksAfter(t, q.balance.Spawn.InstanceLinger+5*time.Second)
	stored := q.things[q.player(1).carried.At(0, rules.SlotMission).ID].Item
	if m, ok := rules.MissionOf(&stored); !ok || !m.Opened {
		t.Errorf("the store has %+v", m)
	}
	q.asks(t, Leave{ID: 1})
	q.asks(t, Enter{q.returning(1)})
	if only[Teleported](t, q.asks(t, UsePortal{1, q.door})); chests() != 0 {
		t.Errorf("%d chests are in the dungeon when its player has come back", chests())
	}
}

// A word leads out of a dungeon as a stone of return does: not out of a fight.
func TestNoWordLeadsOutOfAFightInADungeon(t *testing.T) {
	q := newQuests("k001")
	p := q.fighter(t, 1, 0, 0)
	q.takes(t, 1, rules.TitleGoal)
	only[Teleported](t, q.asks(t, UsePortal{1, q.door}))
	q.harms(t, p, Hit{HP: -1})
	leave := Mission{ID: 1, Word: LeaveDungeon}
	refused(t, q.asks(t, leave), rules.NotCalm)
	if p.inside == nil {
		t.Fatal("it is out")
	}
	p.hurtAt = q.World.instant().Add(-rules.Calm)
	only[Teleported](t, q.asks(t, leave))
}

func TestLifeCheck4_11WhoLeavesInsideStandsAtTheEntrance(t *testing.T) {
	q := newQuests("k001")
	q.fighter(t, 1, 0, 0)
	q.takes(t, 1, rules.TitleGoal)
	q.asks(t, UsePortal{1, q.door})
	left := only[Left](t, q.asks(t, Leave{ID: 1})).Player
	if left.Position != east(4) || q.keys() != 1 {
		t.Errorf("it will stand at %v with %d keys", left.Position, q.keys())
	}
	q.Do(Enter{left})
	q.pass(TickPeriod)
	only[Teleported](t, q.asks(t, UsePortal{1, q.door}))
	if q.cells(t) != 1 {
		t.Errorf("coming back it finds %d dungeons", q.cells(t))
	}
	q.asksAfter(t, q.balance.Spawn.InstanceLinger+5*time.Second)
	if q.cells(t) != 1 {
		t.Errorf("%d dungeons are there", q.cells(t))
	}
}

// The key of a mission remembers that its dungeon was opened though the store fails for a while, unless the mission ends
// meanwhile.
func TestAnOpenedDungeonIsStoredWhenTheStoreIsBack(t *testing.T) {
	for _, ends := range []bool{false, true} {
		q := newQuests("k001")
		p := q.fighter(t, 1, 0, 0)
		q.takes(t, 1, rules.TitleGoal)
		key := p.carried.At(0, rules.SlotMission).ID
		asked := only[CommitRequest](t, q.does(UsePortal{1, q.door}))
		q.does(Committed{Seq: asked.Seq, Err: errors.New("disk full")})
		if ends {
			q.asks(t, Mission{ID: 1, Word: GiveUpMission})
		}
		q.asksAfter(t, storeRetry+time.Second)
		stored := q.things[key].Item
		if m, ok := rules.MissionOf(&stored); ok == ends || m.Opened == ends {
			t.Errorf("ends %v: the store has %v, %+v", ends, ok, m)
		}
	}
}

// Chests of a dungeon are not filled again though the store fails until the owner has left and come back. The memory of
// it goes when the store has it, or the mission is over.
func TestTheChestsStayEmptyThoughTheStoreFailed(t *testing.T) {
	for _, back := range []bool{false, true} {
		q := newQuests("k001")
		q.fighter(t, 1, 0, 0)
		q.takes(t, 1, rules.TitleGoal)
		asked := only[CommitRequest](t, q.does(UsePortal{1, q.door}))
		q.does(Committed{Seq: asked.Seq, Err: errors.New("disk full")})
		q.asks(t, Leave{ID: 1})
		q.pass(q.balance.Spawn.InstanceLinger + 5*time.Second)
		if q.cells(t) != 0 {
			t.Fatal("the dungeon is still there")
		}
		if !back {
			q.pass(q.balance.Mission.Lasts)
		} else {
			q.asks(t, Enter{q.returning(1)})
			only[Teleported](t, q.asks(t, UsePortal{1, q.door}))
			for _, o := range q.objects() {
				if thing, is := o.Kind.(GroundItem); is && thing.IsBag() {
					t.Error("the second dungeon has a chest")
				}
			}
		}
		if len(q.missions.opened) > 0 {
			t.Errorf("back %v: kept %v", back, q.missions.opened)
		}
	}
}

// Who dies in the dungeon of a mission comes out of it, and lives again where its karma says; the mission goes on.
// Source: protocol fight 8.3.
func TestTheDeadComeOutOfTheDungeonsOfMissions(t *testing.T) {
	for karma, to := range map[int]coords.Position{0: east(-500), -2000: east(-900)} {
		var from coords.Position
		q := newQuestsWith("k001", Options{Revival: func(at coords.Position, band int) coords.Position {
			if from = at; band == rules.KarmaVeryBad {
				return east(-900)
			}
			return east(-500)
		}})
		p := q.fighter(t, 1, 0, 0)
		p.Progress.Karma = karma
		q.takes(t, 1, rules.TitleGoal)
		q.asks(t, UsePortal{1, q.door})
		if p.inside == nil {
			t.Fatal("it is not inside")
		}
		q.asks(t, deedOf(func(w *World) { w.vitals.hurt(p, Hit{Cause: Trap, HP: -30000}) }))
		e := only[PlayerRevived](t, q.asksAfter(t, 5*time.Second+TickPeriod))
		if e.To != to || p.Position != to || p.inside != nil || from != east(4) || q.keys() != 1 {
			t.Errorf("karma %d: it lives again at %v, from %v, with %d keys", karma, p.Position, from, q.keys())
		}
		q.asks(t, Teleport{1, shipstone})
		only[Teleported](t, q.asks(t, UsePortal{1, q.door}))
		if q.cells(t) != 1 {
			t.Errorf("%d dungeons are there", q.cells(t))
		}
	}
}
