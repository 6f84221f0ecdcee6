package world

import (
	"errors"
	"testing"

	"sphereserver/world/rules"
)

// passes asks that the mission of a player be passed on to another.
func (q *questStage) passes(from, to PlayerID) Mission {
	return Mission{ID: from, Word: PassMission, To: q.player(to).Name}
}

// accepts takes the mission that is offered to a player.
func accepts(id PlayerID) Mission { return Mission{ID: id, Word: AcceptMission} }

// A mission of any kind is passed on once, with its parcel; its target waits for the other, who is paid for it.
func TestAMissionIsPassedOn(t *testing.T) {
	for _, kind := range []string{"k001", "b001", "p000", "s000", "q000", "c000", "f000", "h000"} {
		q := newQuests(kind)
		p, other, third := q.fighter(t, 1, 0, 0), q.fighter(t, 2, 0, 0), q.fighter(t, 3, 0, 0)
		q.does(Put{Object{0, east(40), NPC{Class: 213, Name: 612}}})
		if kind[0] == rules.Collect {
			q.options.Missions[0].Types = []int{q.tables.Kinds()[0].ID}
		}
		m := *q.takes(t, 1, rules.MoneyGoal)
		asked := of[MissionPassed](q.asks(t, q.passes(1, 2)))
		if len(asked) != 2 || asked[0] != (MissionPassed{ID: 1, Name: other.Name, News: PassOffered}) || asked[1].ID != 2 ||
			asked[1].News != PassAsked || asked[1].Mission != m || q.missions.mission(other) != nil {
			t.Errorf("%s: asked %+v", kind, asked)
		}
		refused(t, q.asks(t, q.passes(1, 2)), rules.AlreadyInvited)
		refused(t, q.asks(t, accepts(3)), rules.NoInvitation)
		events := q.asks(t, accepts(2))
		ended, given, marked := only[MissionEnded](t, events), only[MissionGiven](t, events), only[PlaceMarked](t, events)
		told, shown := of[MissionPassed](events), only[MissionShown](t, events)
		is := q.missions.mission(other)
		_, parcel := m.Parcel()
		parcel = parcel && kind[0] == rules.BringParcel
		if ended.ID != 1 || ended.News != MissionPassedOn || given.ID != 2 || given.Key.ID != ended.Key.ID || marked.ID != 2 ||
			shown.ID != 2 || len(told) != 2 || told[0] != (MissionPassed{ID: 1, Name: other.Name, News: PassDone}) ||
			told[1] != (MissionPassed{ID: 2, Name: p.Name, News: PassGot}) || (given.Parcel != nil) != parcel || (len(ended.Gone) == 1) != parcel {
			t.Errorf("%s: told %s", kind, describe(events))
		}
		if m.Passed = true; is == nil || *is != m || q.missions.mission(p) != nil || p.task != nil || q.keys() != 1 ||
			(q.parcel(2) != nil) != parcel || q.parcel(1) != nil {
			t.Fatalf("%s: the mission is %+v, was %+v; %d keys", kind, is, m, q.keys())
		}
		if m.Hunts() && (len(q.monsters()) != 1 || q.target(t, 2).Name != m.Target) {
			t.Errorf("%s: %d targets are there", kind, len(q.monsters()))
		}
		refused(t, q.asks(t, q.passes(2, 3)), rules.NotItsOwner)
		refused(t, q.asks(t, q.passes(1, 3)), rules.NoMission)
		refused(t, q.asks(t, Mission{ID: 1, Word: TakeMission, Giver: q.giver}), rules.MissionTooSoon)
		if m.Inside() {
			only[Teleported](t, q.asks(t, UsePortal{2, q.door}))
			if why := only[PortalRefused](t, q.asks(t, UsePortal{1, q.door})).Why; why != rules.WrongKey {
				t.Errorf("%s: the entrance says %v", kind, why)
			}
		}
		q.asks(t, OrderMission{ID: 2, What: FinishMission})
		if pay := q.balance.Mission.Reward(&q.balance.Experience, &m, 1).Money; other.Money != 1000+pay || p.Money != 1000 ||
			third.Money != 1000 || q.keys() != 0 || len(p.carried.Items)+len(other.carried.Items)+len(third.carried.Items) !=
			len(q.things) {
			t.Errorf("%s: paid %d and %d of %d, %d keys", kind, p.Money-1000, other.Money-1000, pay, q.keys())
		}
	}
}

func TestMissionsThatCannotBePassedOn(t *testing.T) {
	for name, c := range map[string]struct {
		does func(q *questStage, p, other *player)
		want rules.RejectReason
	}{
		"has one":      {func(q *questStage, _, _ *player) { q.takes(t, 2, 0) }, rules.TheyCannotTake},
		"waits":        {func(q *questStage, _, o *player) { q.missions.waitForMission(o.Character) }, rules.TheyCannotTake},
		"is dead":      {func(_ *questStage, _, o *player) { o.Pools.HP = 0 }, rules.TheyCannotTake},
		"far away":     {func(_ *questStage, p, _ *player) { p.Position.X += dealReach + 1 }, rules.TooFar},
		"too late":     {func(q *questStage, _, _ *player) { q.asksAfter(t, q.balance.Mission.Pass) }, rules.PassedTooLate},
		"begun":        {func(q *questStage, _, _ *player) { q.asks(t, UsePortal{1, q.door}) }, rules.NobodyThere},
		"was begun":    {func(q *questStage, _, _ *player) { q.beginAndLeave(t) }, rules.PassedTooLate},
		"ignores":      {func(q *questStage, _, _ *player) { q.does(Ignore{2, rules.Ignored{1001}}) }, rules.IgnoresYou},
		"level":        {func(_ *questStage, _, o *player) { o.Title = 30 }, rules.LevelsDiffer},
		"dead himself": {func(_ *questStage, p, _ *player) { p.Pools.HP = 0 }, rules.Dead},
		"itself":       {func(_ *questStage, p, o *player) { o.Name = p.Name }, rules.Yourself},
		"nobody":       {func(_ *questStage, _, o *player) { o.Name = "" }, rules.NobodyThere},
	} {
		q := newQuests("k001")
		p, other := q.fighter(t, 1, 0, 0), q.fighter(t, 2, 0, 0)
		q.takes(t, 1, rules.TitleGoal)
		keys := 1
		if c.does(q, p, other); q.missions.mission(other) != nil {
			keys++
		}
		refused(t, q.asks(t, q.passes(1, 2)), c.want)
		if q.missions.mission(p) == nil || q.keys() != keys {
			t.Errorf("%s: left are %d keys", name, q.keys())
		}
	}
}

// beginAndLeave goes into the dungeon and out again.
func (q *questStage) beginAndLeave(t *testing.T) {
	t.Helper()
	q.asks(t, UsePortal{1, q.door})
	q.asks(t, Mission{ID: 1, Word: LeaveDungeon})
	at := q.player(2).Position
	q.asks(t, deedOf(func(w *World) { w.places.teleport(w.player(1), at) }))
}

// A mission that is passed on is in one hand, and paid once, whatever else is asked in the same tick, and though its
// target dies.
func TestAMissionIsInOneHand(t *testing.T) {
	for _, fails := range []bool{false, true} {
		q := newQuests("b001")
		p, other, third := q.fighter(t, 1, 0, 0), q.fighter(t, 2, 0, 0), q.fighter(t, 3, 0, 0)
		m := *q.takes(t, 1, rules.MoneyGoal)
		b := q.target(t, 1)
		for _, p := range []*player{p, other, third} {
			q.asks(t, deedOf(func(w *World) { w.places.teleport(p, b.object.Position) }))
		}
		asked := only[CommitRequest](t, q.does(q.passes(1, 2), q.passes(1, 3), accepts(2), accepts(3),
			Mission{ID: 1, Word: GiveUpMission}, OrderMission{ID: 1, What: FinishMission},
			OrderMission{ID: 2, What: OrderToGive, Goal: rules.MoneyGoal}, q.passes(2, 3)))
		all := append([]CommitRequest{asked}, of[CommitRequest](q.does(deedOf(func(w *World) {
			w.setHP(b, 0)
			w.combat.kill(b, p)
		})))...)
		var answers []Command
		for i, c := range all {
			answer := Committed{Seq: c.Seq, Err: errors.New("disk full")}
			if i > 0 || !fails {
				answer.IDs, answer.Err = q.apply(c.Change)
			}
			answers = append(answers, answer)
		}
		q.asks(t, answers...)
		paid := int64(0)
		if fails { // it is paid to its first owner, and the other has the one that was ordered meanwhile
			paid = q.balance.Mission.Reward(&q.balance.Experience, &m, 1).Money
		}
		for _, p := range []*player{p, other, third} {
			if has := q.missions.mission(p); (has != nil) != (p == other) || has != nil && has.Passed == fails {
				t.Errorf("fails %t: %s has %+v", fails, p.Name, has)
			}
		}
		if q.keys() != 1 || p.Money != 1000+paid || other.Money+third.Money != 2000 {
			t.Errorf("fails %t: %d keys, paid %d of %d", fails, q.keys(), p.Money-1000, paid)
		}
	}
}

// A mission comes to nobody that has not agreed: it is declined, or not answered, and not offered again at once; nor is
// another one got in its place.
func TestAMissionThatIsOfferedIsAgreedTo(t *testing.T) {
	q := newQuests("b001")
	p, other := q.fighter(t, 1, 0, 0), q.fighter(t, 2, 0, 0)
	q.fighter(t, 3, 0, 0)
	q.takes(t, 1, rules.TitleGoal)
	q.asks(t, q.passes(1, 2))
	told := only[MissionPassed](t, q.asks(t, Mission{ID: 2, Word: DeclineMission}))
	if told != (MissionPassed{ID: 1, Name: other.Name, News: PassDeclined}) {
		t.Errorf("declined: told %+v", told)
	}
	refused(t, q.asks(t, accepts(2)), rules.NoInvitation)
	refused(t, q.asks(t, Mission{ID: 2, Word: DeclineMission}), rules.NoInvitation)
	refused(t, q.asks(t, q.passes(1, 2)), rules.JustDeclined)
	q.asksAfter(t, rules.DeclineCooldown)
	q.asks(t, q.passes(1, 2))
	if news := only[MissionPassed](t, q.asksAfter(t, invitationLasts)).News; news != PassExpired {
		t.Errorf("not answered: told %v", news)
	}
	refused(t, q.asks(t, q.passes(1, 2)), rules.JustDeclined)
	q.asksAfter(t, rules.DeclineCooldown)

	q.asks(t, q.passes(1, 2), Mission{ID: 1, Word: GiveUpMission})
	q.asksAfter(t, q.balance.Mission.Wait)
	q.takes(t, 1, rules.TitleGoal)
	refused(t, q.asks(t, accepts(2)), rules.NoInvitation)
	q.takes(t, 3, rules.TitleGoal)
	if q.missions.mission(other) != nil || q.missions.mission(p) == nil {
		t.Error("a mission that was not offered is passed on")
	}
	q.asks(t, Mission{ID: 2, Word: DeclineMission})
	refused(t, q.asks(t, q.passes(1, 2)), rules.JustDeclined)
	q.asks(t, q.passes(3, 2))
	q.takes(t, 2, rules.TitleGoal)
	refused(t, q.asks(t, accepts(2)), rules.HasMission)
	q.asks(t, Leave{ID: 3})
	refused(t, q.asks(t, accepts(2)), rules.NoInvitation)
}
