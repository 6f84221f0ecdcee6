package world

import (
	"slices"
	"testing"
	"time"

	"sphereserver/world/rules"
)

// A dungeon ends when its owner and all of the party have left it, and items that they left lying there end with it.
func TestLifeCheck4_8TheDungeonEndsWithWhatLiesInIt(t *testing.T) {
	q := newQuests("k001")
	p, friend := q.fighter(t, 1, 0, 0), q.fighter(t, 2, 0, 0)
	q.takes(t, 1, rules.TitleGoal)
	q.groups(p, friend)
	for id := PlayerID(1); id <= 2; id++ {
		only[Teleported](t, q.asks(t, UsePortal{id, q.door}))
	}
	sword := p.carried.At(0, 26).ID
	only[ItemDropped](t, q.asks(t, Drop{1, sword, p.Position}))
	linger := q.balance.Spawn.InstanceLinger + 5*time.Second
	q.asks(t, Mission{ID: 1, Word: LeaveDungeon})
	q.asksAfter(t, linger)
	if _, lies := q.things[sword]; !lies || q.cells(t) != 1 {
		t.Errorf("%d dungeons are there while one of the party is inside", q.cells(t))
	}
	q.asks(t, Mission{ID: 2, Word: LeaveDungeon})
	q.asksAfter(t, linger)
	q.asksAfter(t, 2*endRetry)
	if _, lies := q.things[sword]; lies || q.cells(t) != 0 || len(q.monsters()) != 0 {
		t.Errorf("left are %d dungeons, %d monsters, the sword %t", q.cells(t), len(q.monsters()), lies)
	}
	for _, e := range q.all[others] {
		if e.inside != nil {
			t.Errorf("left is %+v", e.object.Object)
		}
	}
}

// Wherever between two ticks its end is, a mission ends.
func TestLifeCheck4_10AMissionEndsBetweenTicks(t *testing.T) {
	for offset := time.Duration(0); offset < TickPeriod; offset += 7 * time.Millisecond {
		q := newQuests("b001")
		q.now = q.now.Add(offset)
		q.fighter(t, 1, 0, 0)
		q.balance.Mission.Lasts = 3 * time.Second
		q.takes(t, 1, rules.MoneyGoal)
		if q.asksAfter(t, 4*time.Second); q.keys() != 0 {
			t.Errorf("%v after a second it does not end", offset)
		}
	}
}

// No reward of a mission is told before the death that fulfils it, in whatever order the changes become durable.
func TestLifeCheck4_4ARewardIsToldWithTheDeath(t *testing.T) {
	for _, newestFirst := range []bool{false, true} {
		q := newQuests("b001")
		q.options.Missions[0].Types = []int{mHoard}
		p := q.fighter(t, 1, 0, 0)
		q.takes(t, 1, rules.TitleGoal)
		b := q.target(t, 1)
		q.asks(t, deedOf(func(w *World) { w.places.teleport(p, b.object.Position) }))
		events := q.does(deedOf(func(w *World) { w.setHP(b, 0); w.combat.kill(b, p) }))
		var open []CommitRequest
		told := []Event{}
		for range 10 {
			for _, e := range events {
				if c, ok := e.(CommitRequest); ok {
					open = append(open, c)
				} else {
					told = append(told, e)
				}
			}
			if len(open) == 0 {
				break
			}
			at := 0
			if newestFirst {
				at = len(open) - 1
			}
			c := open[at]
			open = slices.Delete(open, at, at+1)
			ids, err := q.apply(c.Change)
			events = append(q.does(Committed{c.Seq, ids, err}), q.pass(5*TickPeriod)...)
		}
		death := only[*MonsterDied](t, told)
		if len(death.Gains) != 1 || death.Gains[0].Mission == nil || death.Bag == nil || !death.Target ||
			death.Gains[0].Was.Progress.TitleXP != 0 || death.Gains[0].Is.Progress.TitleXP == 0 {
			t.Errorf("the death tells %+v", *death)
		}
		if early := append(of[StatsChanged](told), of[StatsChanged](events)...); len(early) != 0 || len(of[Gained](told)) != 0 {
			t.Errorf("besides is told %s", describe(told))
		}
	}
}

// A player that leaves the game while the gains of a kill are being stored is paid first.
func TestWhoLeavesWhileItIsPaidIsPaid(t *testing.T) {
	q := newQuests("b001")
	q.options.Missions[0].Types = []int{mHoard}
	p := q.fighter(t, 1, 0, 0)
	q.takes(t, 1, rules.TitleGoal)
	b := q.target(t, 1)
	q.asks(t, deedOf(func(w *World) { w.places.teleport(p, b.object.Position) }))
	kill := only[CommitRequest](t, q.does(deedOf(func(w *World) { w.setHP(b, 0); w.combat.kill(b, p) })))
	if events := q.does(Leave{ID: 1}); len(of[Left](events)) > 0 {
		t.Fatal("it leaves too soon")
	}
	ids, err := q.apply(kill.Change)
	events := q.asks(t, Committed{kill.Seq, ids, err})
	if left := only[Left](t, events).Player; q.keys() != 0 || left.Progress.TitleXP+uint32(left.Title) == 0 ||
		q.entities[b.object.ID] != nil {
		t.Errorf("%d keys are left: %s", q.keys(), describe(events))
	}
}

// Five hundred take missions, enter, kill, give up, leave the game and come back for two hours, in steps: no
// cell and no key is lost or there twice.
func TestLifeCheck4_13FiveHundredWithMissionsLoseNoCell(t *testing.T) {
	t.Parallel()
	const many, steps, step = 500, 60, 2 * time.Minute
	q := newQuestsWith("k001", Options{ViewLimit: 4})
	q.balance.Mission.Wait = 2 * time.Minute
	for id := PlayerID(1); id <= many; id++ {
		q.admits(Player{ID: id})
	}
	away := map[PlayerID]Player{}
	fulfilled, most := 0, 0
	for range steps {
		var batch []Command
		for id := PlayerID(1); id <= many; id++ {
			if p, is := away[id]; is {
				delete(away, id)
				batch = append(batch, Enter{p})
				continue
			}
			p, chance := q.player(id), q.random.IntN(10)
			m := q.missions.mission(p)
			switch {
			case chance == 0:
				batch = append(batch, Leave{ID: id})
			case m == nil && p.inside == nil:
				batch = append(batch, Mission{ID: id, Word: TakeMission, Giver: q.giver})
			case m == nil || p.inside != nil && chance == 1:
				batch = append(batch, Mission{ID: id, Word: LeaveDungeon})
			case chance == 2:
				batch = append(batch, Mission{ID: id, Word: GiveUpMission})
			case p.inside == nil:
				batch = append(batch, UsePortal{id, q.door})
			case chance < 7:
				batch = append(batch, deedOf(func(w *World) {
					if b := w.targetOf(p); b != nil {
						b.threat = []threat{hurtBy(p, 10, rules.Physical)}
						b.threat[0].last, b.threat[0].turned = w.instant(), w.instant()
						w.setHP(b, 0)
						w.combat.kill(b, p)
					}
				}))
			}
		}
		events := q.asks(t, batch...)
		for _, e := range of[Left](events) {
			away[e.Player.ID] = e.Player
		}
		for _, e := range of[*MonsterDied](events) {
			for i := range e.Gains {
				if e.Gains[i].Mission != nil {
					fulfilled++
				}
			}
		}
		most = max(most, q.cells(t))
		q.now = q.now.Add(step)
		q.asksAfter(t, TickPeriod)
	}
	carried := 0
	var end []Command
	for id := PlayerID(1); id <= many; id++ {
		if q.player(id) != nil {
			end = append(end, Leave{ID: id})
		}
	}
	for _, e := range of[Left](q.asks(t, end...)) {
		away[e.Player.ID] = e.Player
	}
	for _, p := range away {
		if slices.ContainsFunc(p.Items, func(i rules.Item) bool { return i.Class == rules.ClassMission }) {
			carried++
		}
	}
	for range 4 {
		q.now = q.now.Add(time.Minute)
		q.asksAfter(t, TickPeriod)
	}
	if q.cells(t) != 0 || q.keys() != carried || len(q.monsters()) != 0 || len(q.missions.nextMission) != 0 {
		t.Errorf("left are %d dungeons, %d keys of which %d are carried, %d monsters, %d who wait", q.cells(t), q.keys(), carried,
			len(q.monsters()), len(q.missions.nextMission))
	}
	if fulfilled < many || most < many/10 {
		t.Errorf("only %d were fulfilled, in %d dungeons at most", fulfilled, most)
	}
}

// targetOf is the monster that a player's mission names, nil while it is not there.
func (w *World) targetOf(p *player) *monster {
	if in := p.inside; in != nil && w.missions.mission(p) != nil && in.mission == p.task.key {
		if alive := in.lairs[len(in.lairs)-1].alive; len(alive) > 0 {
			return alive[0]
		}
	}
	return nil
}

// A mission that an operator gives and finishes in one moment is paid like any other and once, whatever is asked
// besides: to finish it again, to cancel it, to give it up, and whatever its target does meanwhile.
func TestAMissionGivenAndFinishedInOneMomentIsPaidOnce(t *testing.T) {
	for _, kind := range []string{"k001", "b001", "p000", "s000", "q000", "c000", "f000", "h000"} {
		for goal := rules.TitleGoal; goal < rules.MissionGoals; goal++ {
			q := newQuests(kind)
			p := q.fighter(t, 1, 0, 0)
			q.does(Put{Object{0, east(40), NPC{Class: 213, Name: 612}}})
			if kind[0] == rules.Collect {
				q.options.Missions[0].Types = []int{q.tables.Kinds()[0].ID}
			}
			was := p.Player
			finish := OrderMission{ID: 1, What: FinishMission}
			events := q.asks(t, OrderMission{ID: 1, What: OrderToGive, Goal: goal}, finish, finish,
				OrderMission{ID: 1, What: CancelMission}, Mission{ID: 1, Word: GiveUpMission}, Mission{ID: 1, Word: HandOver})
			m := only[MissionGiven](t, events)
			given, _ := rules.MissionOf(&m.Key)
			pays := q.balance.Mission.Reward(&q.balance.Experience, &given, 1)
			want := was
			q.missions.pay(&want, &pays)
			g := only[Gained](t, events).Gain
			if g.Mission == nil || g.Mission.News != MissionFulfilled || g.Mission.Key.ID != m.Key.ID || g.Coins != pays.Money ||
				p.Money != was.Money+pays.Money || p.Progress != want.Progress || pays == (rules.Reward{Career: pays.Career}) {
				t.Errorf("%s, goal %d: told %s", kind, goal, describe(events))
			}
			if granted, no := of[Granted](events), of[Refused](events); len(granted) != 2 || len(no) != 4 ||
				len(of[MissionEnded](events)) != 0 {
				t.Errorf("%s, goal %d: granted %+v, refused %+v", kind, goal, granted, no)
			}
			if q.keys() != 0 || q.parcel(1) != nil || len(q.things) != len(p.carried.Items) || len(q.monsters()) != 0 ||
				p.task != nil {
				t.Errorf("%s, goal %d: left are %d keys, %d things", kind, goal, q.keys(), len(q.things))
			}
			refused(t, q.asks(t, Mission{ID: 1, Word: TakeMission, Giver: q.giver}), rules.MissionTooSoon)
		}
	}
}

// An operator finishes a mission in the tick in which its target dies: it is paid by one of the two.
func TestAMissionFinishedWhileItsTargetDiesIsPaidOnce(t *testing.T) {
	for _, orderFirst := range []bool{false, true} {
		q := newQuests("b001")
		p := q.fighter(t, 1, 0, 0)
		m := *q.takes(t, 1, rules.MoneyGoal)
		b := q.target(t, 1)
		q.asks(t, deedOf(func(w *World) { w.places.teleport(p, b.object.Position) }))
		both := []Command{deedOf(func(w *World) { w.setHP(b, 0); w.combat.kill(b, p) }),
			OrderMission{ID: 1, What: FinishMission}}
		if orderFirst {
			slices.Reverse(both)
		}
		events := append(q.asks(t, both...), q.asksAfter(t, 10*time.Second)...)
		pay := q.balance.Mission.Reward(&q.balance.Experience, &m, 1).Money
		if p.Money != 1000+pay || q.money[p.Character] != p.Money || q.keys() != 0 {
			t.Errorf("order first %t: it has %d coins of %d, %d keys are left: %s", orderFirst, p.Money, 1000+pay, q.keys(),
				describe(events))
		}
	}
}

// The group has a part in a mission within so many metres of the kill, and no more beyond; the owner fulfils it from
// no farther, either.
func TestLifeCheck4_5TheGroupCountsWithinAHundredMetres(t *testing.T) {
	for _, c := range []struct {
		owner, friend float32
		paid, shared  bool
	}{{0, 99, true, true}, {0, 101, true, false}, {99, 0, true, true}, {101, 0, false, false}} {
		q := newQuests("b001")
		p, friend := q.fighter(t, 1, 0, 0), q.fighter(t, 2, 0, 0)
		m := *q.takes(t, 1, rules.MoneyGoal)
		b := q.target(t, 1)
		q.groups(p, friend)
		for of, by := range map[*player]float32{p: c.owner, friend: c.friend} {
			at := b.object.Position
			at.X += by
			q.asks(t, deedOf(func(w *World) { w.places.teleport(of, at) }))
		}
		killer := p
		if c.owner > 0 {
			killer = friend
		}
		q.die(t, b, killer, hurtBy(killer, 10, rules.Physical))
		pay, own, part := q.balance.Mission.Reward(&q.balance.Experience, &m, 1).Money, int64(0), int64(0)
		if c.paid {
			own = pay
		}
		if c.shared {
			part = pay / 2
		}
		if p.Money != 1000+own || friend.Money != 1000+part || (q.keys() == 0) != c.paid {
			t.Errorf("%+v: paid %d and %d of %d", c, p.Money-1000, friend.Money-1000, pay)
		}
	}
}

// Members far from a mission's level get no part of it, as with kills.
func TestAMissionIsSharedByThoseOfItsLevel(t *testing.T) {
	q := newQuests("b001")
	p, friend := q.fighter(t, 1, 0, 0), q.fighter(t, 2, 30, 0)
	q.takes(t, 1, rules.MoneyGoal)
	b := q.target(t, 1)
	q.groups(p, friend)
	for _, of := range []*player{p, friend} {
		q.asks(t, deedOf(func(w *World) { w.places.teleport(of, b.object.Position) }))
	}
	q.die(t, b, p, hurtBy(p, 10, rules.Physical))
	if p.Money == 1000 || friend.Money != 1000 {
		t.Errorf("paid %d and %d", p.Money-1000, friend.Money-1000)
	}
}

// Whoever is away from a dungeon until it has ended finds another one with somebody to free in it.
func TestAPersonToBeFreedWaitsInEachDungeon(t *testing.T) {
	q := newQuests("f000")
	p := q.fighter(t, 1, 0, 0)
	m := *q.takes(t, 1, rules.MoneyGoal)
	for range 2 {
		q.asks(t, UsePortal{1, q.door})
		if w := p.task.ward; w == nil || q.object(w.ID) != w || p.inside == nil || w.inside != p.inside {
			t.Fatalf("in the dungeon there is %+v", w)
		}
		q.asks(t, Mission{ID: 1, Word: LeaveDungeon})
		if q.asksAfter(t, q.balance.Spawn.InstanceLinger+5*time.Second); q.cells(t) != 0 {
			t.Fatalf("%d dungeons are left", q.cells(t))
		}
	}
	q.asks(t, UsePortal{1, q.door})
	q.asks(t, Mission{ID: 1, Word: HandOver})
	q.asksAfter(t, 2*time.Second)
	if pay := q.balance.Mission.Reward(&q.balance.Experience, &m, 1).Money; q.keys() != 0 || p.Money != 1000+pay {
		t.Errorf("%d keys are left, it has %d coins", q.keys(), p.Money)
	}
}
