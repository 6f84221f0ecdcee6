package world

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// hall is where missions of the tests are done inside: two lairs, the last of the target, a chest, and a way out.
var hall = &Layout{Key: "hall", Start: coords.Position{X: 1, Y: 2}, Pieces: []Piece{{Kind: Labyrinth{Map: 0x59D8}},
	{At: coords.Position{X: 2, Y: 2}, Kind: Portal{Class: rules.ClassDoorOut}},
	{At: coords.Position{X: 3, Y: 2}, Kind: GroundItem{Item: rules.Item{Class: rules.ClassChest, Suffix: rules.NoSuffix,
		Count: 1, Extra: []byte{2, 1}}}}},
	Lairs: []Spawner{{At: coords.Position{X: 30, Y: 2}}, {At: coords.Position{X: 5, Y: 2}}}}

// questStage is one with a giver at Shipstone, and an entrance beside him.
type questStage struct {
	*tradeStage
	giver, door EntityID
	g           *rules.MissionGiver
}

func newQuests(kind string) *questStage { return newQuestsWith(kind, Options{}) }

// newQuestsWith is newQuests with other options besides.
func newQuestsWith(kind string, o Options) *questStage {
	all := [rules.MissionGoals]bool{true, true, true, true}
	g := &rules.MissionGiver{Goals: all, Places: [rules.MissionPlaces]bool{true}, TitleMax: 60, DegreeMax: 60, KarmaMin: 1,
		KarmaMax: 5, Near: rules.Entrance{Number: 2000, At: east(4)}}
	o.MissionDungeon = hall
	o.Missions = []rules.MissionTemplate{{Key: kind, Goals: all, Min: 1, Max: 60, Types: []int{mTarget}, Reward: 1}}
	m := newFight(o)
	q := &questStage{m, m.NextEntityID(), m.NextEntityID(), g}
	m.does(Put{Object{q.giver, east(2), NPC{Class: 205, Name: 500, Giver: g}}},
		Put{Object{q.door, east(4), Portal{Class: rules.ClassMissionEntrance, Number: 2000}}})
	return q
}

// takes gives a player a mission.
func (q *questStage) takes(t *testing.T, id PlayerID, goal rules.MissionGoal) *rules.Mission {
	t.Helper()
	only[MissionGiven](t, q.asks(t, Mission{ID: id, Word: TakeMission, Giver: q.giver, Goal: goal}))
	return q.missions.mission(q.player(id))
}

// target is the monster of a player's mission.
func (q *questStage) target(t *testing.T, id PlayerID) *monster {
	t.Helper()
	p := q.player(id)
	q.missions.mission(p)
	lairs := []*spawner{p.task.lair}
	if in := q.missions.dungeonOf(p); in != nil {
		lairs = in.lairs[len(in.lairs)-1:]
	}
	if lairs[0] == nil || len(lairs[0].alive) != 1 {
		t.Fatalf("the target of %d is not there", id)
	}
	return lairs[0].alive[0]
}

// groups makes a party of two.
func (q *questStage) groups(p, other *player) {
	q.does(deedOf(func(*World) {
		g := &party{leader: p, members: []*player{p, other}}
		p.party, other.party = g, g
	}))
}

func (q *questStage) keys() (n int) {
	for _, t := range q.things {
		if t.Class == rules.ClassMission {
			n++
		}
	}
	return n
}

// A mission inside is carried from its giver to its end by a kill; all of it is durable at once.
func TestLifeCheck4_4AMissionIsFulfilledByAKill(t *testing.T) {
	q := newQuests("k001")
	p := q.fighter(t, 1, 0, 0)
	events := q.asks(t, Mission{ID: 1, Word: TakeMission, Giver: q.giver, Goal: rules.TitleGoal})
	given, mark := only[MissionGiven](t, events), only[PlaceMarked](t, events)
	m := *q.missions.mission(p)
	if given.Key.Slot != rules.SlotMission || given.At != east(2) || mark.At != east(4) || m.Entrance != 2000 ||
		m.Template != "k001" || q.keys() != 1 {
		t.Fatalf("given %+v, marked %+v", given, mark)
	}
	refused(t, q.asks(t, Mission{ID: 1, Word: TakeMission, Giver: q.giver}), rules.HasMission)
	only[Teleported](t, q.asks(t, UsePortal{1, q.door}))
	b := q.target(t, 1)
	if b.Name != m.Target || b.Level != m.Level || b.Type != mTarget || b.object.inside != p.inside {
		t.Errorf("the target is %+v, the mission %+v", b.Monster, m)
	}
	was := p.Progress
	events = q.die(t, b, p, hurtBy(p, 10, rules.Physical))
	e := only[*MonsterDied](t, events)
	if len(e.Gains) != 1 || e.Gains[0].Mission == nil || e.Gains[0].Mission.Key.ID != given.Key.ID {
		t.Fatalf("told %+v", *e)
	}
	paid := q.balance.Mission.Reward(&q.balance.Experience, &m, 1).XP
	if got := int(p.Progress.TitleXP - was.TitleXP); paid < 20 || got < paid || q.keys() != 0 || p.carried.At(0, 25) != nil ||
		q.sheets[p.Character].Progress != p.Progress {
		t.Errorf("gained %d of %d, %d keys are left", got, paid, q.keys())
	}
	// No other target comes, the entrance is closed, and the next mission has to wait. Source: life check 4.7.
	in := p.inside
	q.asksAfter(t, 3*time.Minute)
	if len(in.lairs[1].alive) != 0 || len(in.lairs[0].alive) != 1 {
		t.Error("another target has come")
	}
	only[Teleported](t, q.asks(t, Mission{ID: 1, Word: LeaveDungeon}))
	if p.inside != nil || p.Position.Distance(east(4)) > 1 {
		t.Errorf("it is out at %v", p.Position)
	}
	if why := only[PortalRefused](t, q.asks(t, UsePortal{1, q.door})).Why; why != rules.WrongKey {
		t.Errorf("afterwards the entrance says %v", why)
	}
}

// Others see the level that a mission brings, though its owner is told of it before the death is: when the key is gone,
// since it was worn.
func TestOthersSeeTheLevelThatAMissionBrings(t *testing.T) {
	q := newQuests("b001")
	q.balance.Experience.Factor = 1000
	p, other := q.fighter(t, 1, 0, 0), q.fighter(t, 2, 0, 0)
	q.takes(t, 1, rules.TitleGoal)
	b := q.target(t, 1)
	for _, p := range []*player{p, other} {
		q.asks(t, deedOf(func(w *World) { w.places.teleport(p, b.object.Position) }))
	}
	q.die(t, b, p, hurtBy(p, 10, rules.Physical), hurtBy(other, 10, rules.Physical))
	if p.Title == 0 || p.Appearance.Title != p.Title || p.Appearance.Karma != rules.KarmaType(p.Progress.Karma) {
		t.Errorf("the title is %d, and others see %d", p.Title, p.Appearance.Title)
	}
}

func TestLifeCheck4_5StrangersDoNotFulfilAndTheGroupShares(t *testing.T) {
	q := newQuests("b001")
	p, stranger, friend := q.fighter(t, 1, 0, 0), q.fighter(t, 2, 0, 0), q.fighter(t, 3, 0, 0)
	m := *q.takes(t, 1, rules.MoneyGoal)
	b := q.target(t, 1)
	if b.object.inside != nil || b.object.Position.Distance(shipstone) < 50 || b.Name != m.Target {
		t.Fatalf("the target is %+v at %v", b.Monster, b.object.Position)
	}
	near := func() {
		for _, p := range []*player{p, stranger, friend} {
			q.asks(t, deedOf(func(w *World) { w.places.teleport(p, b.object.Position) }))
		}
	}
	near()
	q.die(t, b, stranger, hurtBy(stranger, 10, rules.Physical), hurtBy(p, 10, rules.Physical))
	if p.Money != 1000 || q.keys() != 1 {
		t.Error("a stranger has fulfilled it")
	}
	q.asksAfter(t, q.balance.Spawn.Respawn+2*time.Second)
	b = q.target(t, 1)
	q.groups(p, friend)
	near()
	events := q.die(t, b, friend, hurtBy(friend, 10, rules.Physical))
	pay := q.balance.Mission.Reward(&q.balance.Experience, &m, 1).Money
	if p.Money != 1000+pay || friend.Money != 1000+pay/2 || stranger.Money != 1000 || q.keys() != 0 {
		t.Errorf("paid %d, %d, %d; a mission pays %d: %s", p.Money, friend.Money, stranger.Money, pay, describe(events))
	}
	if q.money[p.Character] != p.Money || q.money[friend.Character] != friend.Money {
		t.Error("the store has other money")
	}
}

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

func TestLifeCheck4_2And3Refusals(t *testing.T) {
	q := newQuests("b001")
	p := q.fighter(t, 1, 0, 0)
	take := Mission{ID: 1, Word: TakeMission, Giver: q.giver}
	q.g.TitleMin = 3
	refused(t, q.asks(t, take), rules.TitleTooLow)
	q.g.TitleMin, q.g.KarmaMin = 0, rules.KarmaGood
	refused(t, q.asks(t, take), rules.KarmaTooLow)
	q.g.KarmaMin = 1
	for _, id := range []EntityID{q.door, 77, 0xFFFFFFFF} {
		if r := only[Refused](t, q.asks(t, Mission{ID: 1, Word: TakeMission, Giver: id})); r.Why == 0 {
			t.Errorf("%d gives missions", id)
		}
	}
	refused(t, q.asks(t, Mission{ID: 1, Word: GiveUpMission}), rules.NoMission)
	refused(t, q.asks(t, Mission{ID: 1, Word: EnterDungeon}), rules.NoMission)
	if s := only[MissionShown](t, q.asks(t, Mission{ID: 1})); s.Giver != q.g {
		t.Errorf("shown %+v", s)
	}
	// A goal that is not offered is taken for the first that is.
	q.takes(t, 1, 200)
	if m := q.missions.mission(p); m.Goal != rules.TitleGoal {
		t.Errorf("a wish for anything gives %+v", m)
	}
	// The key stays where it is: not sold, moved, dropped, put into the vault. Source: life check 4.3.
	key := p.carried.At(0, rules.SlotMission).ID
	for _, c := range []Command{Drop{1, key, shipstone}, MoveItem{ID: 1, From: 25, To: 30},
		SwapItems{ID: 1, First: key, Second: 101, FirstSlot: 25, SecondSlot: 26}} {
		if len(of[Refused](q.asks(t, c))) != 1 {
			t.Errorf("%T takes the key away", c)
		}
	}
	q.target(t, 1)
	e := only[MissionEnded](t, q.asks(t, Mission{ID: 1, Word: GiveUpMission}))
	if e.News != MissionGivenUp || e.Key.ID != key || q.keys() != 0 || len(q.monsters()) != 0 {
		t.Errorf("given up: %+v, monsters %d", e, len(q.monsters()))
	}
	refused(t, q.asks(t, take), rules.MissionTooSoon)
	q.asksAfter(t, q.balance.Mission.Wait+time.Second)
	if len(q.missions.nextMission) != 0 {
		t.Error("who waited is not forgotten")
	}
	q.takes(t, 1, rules.MoneyGoal)
}

func TestLifeCheck4_10MissionsExpire(t *testing.T) {
	q := newQuests("b001")
	p := q.fighter(t, 1, 0, 0)
	q.balance.Mission.Lasts = time.Minute
	q.takes(t, 1, rules.MoneyGoal)
	e := only[MissionEnded](t, q.asksAfter(t, time.Minute+2*time.Second))
	if e.News != MissionOver || q.keys() != 0 || len(q.monsters()) != 0 {
		t.Errorf("ended %+v", e)
	}
	// Also when the store fails for a while.
	q.asksAfter(t, 2*time.Minute)
	q.takes(t, 1, rules.MoneyGoal)
	if e := of[MissionEnded](q.failing(time.Minute+5*time.Second, q.pass(TickPeriod))); len(e) != 0 {
		t.Errorf("without a store ended %+v", e)
	}
	if e := only[MissionEnded](t, q.asksAfter(t, storeRetry+TickPeriod)); e.News != MissionOver || q.keys() != 0 {
		t.Errorf("ended %+v", e)
	}
	// Also while its owner is away.
	q.asksAfter(t, 2*time.Minute)
	q.takes(t, 1, rules.MoneyGoal)
	left := only[Left](t, q.asks(t, Leave{ID: 1})).Player
	if len(q.monsters()) != 0 {
		t.Error("the target of who has left is still there")
	}
	q.now = q.now.Add(2 * time.Minute)
	_ = p
	q.Do(Enter{left})
	if e := only[MissionEnded](t, q.asksAfter(t, time.Second)); e.News != MissionOver || q.keys() != 0 {
		t.Errorf("ended %+v", e)
	}
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

// A refusal by the store undoes all, and a mission is never paid twice.
func TestAMissionThatCannotBeStoredIsNotFulfilled(t *testing.T) {
	q := newQuests("b001")
	p := q.fighter(t, 1, 0, 0)
	q.takes(t, 1, rules.MoneyGoal)
	b := q.target(t, 1)
	q.asks(t, deedOf(func(w *World) { w.places.teleport(p, b.object.Position) }))
	q.Do(deedOf(func(w *World) { w.setHP(b, 0); w.combat.kill(b, p) }))
	q.failing(70*time.Second, q.pass(TickPeriod))
	q.asks(t)
	if p.Money != 1000 || q.keys() != 1 || q.missions.mission(p) == nil {
		t.Fatalf("it has %d coins, and %d keys are left", p.Money, q.keys())
	}
	q.asksAfter(t, q.balance.Spawn.Respawn+2*time.Second)
	b = q.target(t, 1)
	q.asks(t, deedOf(func(w *World) { w.places.teleport(p, b.object.Position) }))
	q.Do(Mission{ID: 1, Word: GiveUpMission}) // both at once: one of them counts
	q.die(t, b, p, hurtBy(p, 10, rules.Physical))
	if q.keys() != 0 || p.Money != 1000 {
		t.Errorf("given up while it is killed: %d keys, %d coins", q.keys(), p.Money)
	}
}

// An operator that takes the key takes the mission.
func TestClearingTheKeyEndsTheMission(t *testing.T) {
	q := newQuests("b001")
	p := q.fighter(t, 1, 0, 0)
	q.takes(t, 1, rules.MoneyGoal)
	b := q.target(t, 1)
	only[Granted](t, q.asks(t, Clear{ID: 1, All: true}))
	q.asksAfter(t, q.balance.Spawn.Respawn+2*time.Second)
	if q.missions.mission(p) != nil || p.task != nil || q.keys() != 0 || len(q.monsters()) > 0 && !b.ended {
		t.Errorf("left are %d keys, the task %+v and %d monsters", q.keys(), p.task, len(q.monsters()))
	}
	q.takes(t, 1, rules.MoneyGoal)
}

func TestOperatorsOrderMissions(t *testing.T) {
	q := newQuests("b001")
	p := q.fighter(t, 1, 0, 0)
	refused(t, q.asks(t, OrderMission{ID: 1, What: FinishMission}), rules.NoMission)
	only[Granted](t, q.asks(t, OrderMission{ID: 1, What: OrderToGive, Goal: rules.MoneyGoal}))
	refused(t, q.asks(t, OrderMission{ID: 1, What: OrderToGive}), rules.HasMission)
	events := q.asks(t, OrderMission{ID: 1, What: FinishMission})
	only[Granted](t, events)
	if g := only[Gained](t, events).Gain; g.Mission == nil || g.Coins < 16 || p.Money != 1000+g.Coins || q.keys() != 0 {
		t.Errorf("finished: %+v", g)
	}
	only[Granted](t, q.asks(t, OrderMission{ID: 1, What: OrderToGive}))
	events = q.asks(t, OrderMission{ID: 1, What: CancelMission})
	only[Granted](t, events)
	if e := only[MissionEnded](t, events); e.News != MissionCancelled {
		t.Errorf("cancelled: %+v", e)
	}
	if q.keys() != 0 || len(q.monsters()) != 0 {
		t.Error("something of a mission that was cancelled is left")
	}
}

// A template that an operator names is given for any goal, with a level of its own; one that the table lacks is not.
func TestOperatorsGiveMissionsByTemplate(t *testing.T) {
	q := newQuests("b001")
	p := q.fighter(t, 1, 0, 0)
	rare := q.options.Missions[0]
	rare.Key, rare.Goals, rare.Min, rare.Max = "b003", [rules.MissionGoals]bool{}, 20, 30
	q.options.Missions = append(q.options.Missions, rare)
	refused(t, q.asks(t, OrderMission{ID: 1, What: OrderToGive, Template: "b004"}), rules.NoMission)
	for template, level := range map[string]int{"b003": 20, "b001": 1} {
		only[Granted](t, q.asks(t, OrderMission{ID: 1, What: OrderToGive, Goal: rules.MoneyGoal, Template: template}))
		if m := q.missions.mission(p); m == nil || m.Template != template || m.Goal != rules.MoneyGoal ||
			m.Level < level-q.balance.Mission.Spread || m.Level > level+q.balance.Mission.Spread {
			t.Errorf("%s gives %+v", template, m)
		}
		only[Granted](t, q.asks(t, OrderMission{ID: 1, What: CancelMission}))
	}
}

// A server that dies at any moment leaves the key and no reward, or the reward and no key, since both are one change.
func TestTheKeyGoesAndTheRewardComesInOneChange(t *testing.T) {
	for goal := rules.TitleGoal; goal < rules.MissionGoals; goal++ {
		q := newQuests("b001")
		p := q.fighter(t, 1, 0, 0)
		q.takes(t, 1, goal)
		b := q.target(t, 1)
		q.asks(t, deedOf(func(w *World) { w.places.teleport(p, b.object.Position) }))
		q.Do(deedOf(func(w *World) { w.setHP(b, 0); w.combat.kill(b, p) }))
		paid := 0
		for _, c := range of[CommitRequest](q.pass(TickPeriod)) {
			for _, i := range c.Change.Items {
				if i.Was == nil || i.Was.Class != rules.ClassMission {
					continue
				}
				paid++
				money, sheets := c.Change.Money, c.Change.Progress
				switch {
				case i.Is != nil:
					t.Errorf("goal %d: the key stays as %+v", goal, *i.Is)
				case goal == rules.MoneyGoal && (len(money) != 1 || money[0].Is <= money[0].Was),
					goal != rules.MoneyGoal && (len(sheets) != 1 || sheets[0].Progress == p.Progress):
					t.Errorf("goal %d: the key goes with %+v", goal, c.Change)
				}
			}
		}
		if paid != 1 {
			t.Errorf("goal %d: the key is taken by %d changes", goal, paid)
		}
	}
}

// parcel is that which a player carries, nil for none.
func (q *questStage) parcel(id PlayerID) *rules.Item {
	for i := range q.player(id).carried.Items {
		if t := &q.player(id).carried.Items[i]; t.Class == rules.ClassParcel {
			return t
		}
	}
	return nil
}

// A parcel lies in the dungeon for the owner of the mission, once, and the owner ends the mission with it at the
// giver.
func TestLifeMissionFetchesAParcel(t *testing.T) {
	q := newQuests("p000")
	p := q.fighter(t, 1, 0, 0)
	friend := q.fighter(t, 2, 0, 0)
	m := *q.takes(t, 1, rules.MoneyGoal)
	q.groups(p, friend)
	refused(t, q.asks(t, Mission{ID: 1, Word: HandOver}), rules.NotFulfilled)
	if e := only[MissionLacks](t, q.asks(t, OpenTrade{1, q.giver})); e.Why != rules.NotFulfilled {
		t.Errorf("it lacks %v", e.Why)
	}
	q.asks(t, UsePortal{1, q.door})
	q.asks(t, UsePortal{2, q.door})
	lies := q.lying(t, 1, rules.ClassParcel)
	there := lies.Kind.(GroundItem).Item
	if want, _ := m.Parcel(); !there.Alike(&want) {
		t.Errorf("there lies %+v", there)
	}
	refused(t, q.asks(t, PickUp{2, Target{Object: lies.ID}}), rules.Promised)
	took := only[TookUp](t, q.asks(t, PickUp{1, Target{Object: lies.ID}}))
	parcel := q.parcel(1)
	if parcel == nil || parcel.ID != took.Items[0].Into.ID || !parcel.Bound {
		t.Fatalf("took %+v", took)
	}
	// A player with a parcel cannot take another; nor can it give its own away.
	q.asks(t, Mission{ID: 1, Word: LeaveDungeon}, Mission{ID: 2, Word: LeaveDungeon})
	if s := only[MissionShown](t, q.asks(t, Mission{ID: 1})); !s.Parcel {
		t.Errorf("shown %+v", s)
	}
	refused(t, q.asks(t, Drop{1, parcel.ID, shipstone}), rules.IsBound)
	q.asksAfter(t, q.balance.Spawn.InstanceLinger+5*time.Second)
	q.asks(t, UsePortal{1, q.door})
	refused(t, q.asks(t, PickUp{1, Target{Object: q.lying(t, 1, rules.ClassParcel).ID}}), rules.Promised)
	q.asks(t, Mission{ID: 1, Word: LeaveDungeon})

	// One change: the key and the parcel go, the money comes. After a refusal by the store none of it has happened.
	pay := q.balance.Mission.Reward(&q.balance.Experience, &m, 1).Money
	q.Do(OpenTrade{1, q.giver})
	asked := only[CommitRequest](t, q.pass(TickPeriod))
	if c := asked.Change; len(c.Items) != 2 || len(c.Money) != 1 || c.Money[0].Is != c.Money[0].Was+pay {
		t.Errorf("the change is %+v", c)
	}
	refused(t, q.does(Committed{asked.Seq, nil, errors.New("no room")}), rules.StoreFailed)
	if q.missions.mission(p) == nil || q.keys() != 1 || q.parcel(1) == nil || p.Money != 1000 {
		t.Fatal("it is over though the store has refused")
	}
	events := q.asks(t, OpenTrade{1, q.giver})
	all := of[Gained](events)
	if len(all) != 2 || all[0].Gain.Mission == nil || len(all[0].Gain.Mission.Gone) != 1 || all[0].Gain.Coins != pay ||
		all[1].Gain.ID != 2 || all[1].Gain.Coins != pay/2 || q.keys() != 0 || q.parcel(1) != nil {
		t.Fatalf("told %s", describe(events))
	}
	only[TradeOpened](t, events)
}

// A parcel comes with the key, and ends the mission when it reaches its person.
func TestLifeMissionBringsAParcel(t *testing.T) {
	q := newQuests("s000")
	p := q.fighter(t, 1, 0, 0)
	take := Mission{ID: 1, Word: TakeMission, Giver: q.giver, Goal: rules.TitleGoal}
	refused(t, q.asks(t, take), rules.NoMission) // no person is there to get one
	person := q.NextEntityID()
	q.does(Put{Object{person, east(40), NPC{Class: 213, Name: 612}}})
	q.does(Put{Object{0, east(41), NPC{Class: 213}}}) // a person without a name gets none
	given := only[MissionGiven](t, q.asks(t, take))
	if m := q.missions.mission(p); m.Target != 612 || m.At != east(40) || given.Parcel == nil ||
		q.parcel(1).ID != given.Parcel.ID {
		t.Fatalf("given %+v for %+v", given, m)
	}
	refused(t, q.asks(t, Mission{ID: 1, Word: HandOver}), rules.TooFar)
	q.asks(t, deedOf(func(w *World) { w.places.teleport(p, east(38)) }))
	events := q.asks(t, OpenTrade{1, person})
	if g := only[Gained](t, events).Gain; g.Mission == nil || len(of[Refused](events)) != 0 || q.keys() != 0 || q.parcel(1) != nil {
		t.Errorf("told %s", describe(events))
	}
	// Given up, the parcel goes with the key; without room for it none is given.
	q.asksAfter(t, q.balance.Mission.Wait+time.Second)
	q.asks(t, deedOf(func(w *World) { w.places.teleport(p, shipstone) }))
	only[MissionGiven](t, q.asks(t, take))
	if e := only[MissionEnded](t, q.asks(t, Mission{ID: 1, Word: GiveUpMission})); len(e.Gone) != 1 || q.parcel(1) != nil {
		t.Errorf("given up %+v", e)
	}
	q.asksAfter(t, q.balance.Mission.Wait+time.Second)
	kinds := q.tables.Kinds()
	single := slices.IndexFunc(kinds, func(k rules.Kind) bool { return k.Stack <= 1 && k.Class > 0 })
	for _, room := p.carried.Free(0, rules.SlotInventory, rules.EndOfInventory); room; {
		only[Granted](t, q.asks(t, Give{To: 1, Kind: kinds[single].ID, Suffix: rules.NoSuffix, Count: 1}))
		_, room = p.carried.Free(0, rules.SlotInventory, rules.EndOfInventory)
	}
	refused(t, q.asks(t, take), rules.NoRoom)
}

// The owner of the mission gets the parcel by the death of the monster that has taken it.
func TestLifeMissionRegainsAParcel(t *testing.T) {
	q := newQuests("q000")
	p := q.fighter(t, 1, 0, 0)
	q.takes(t, 1, rules.MoneyGoal)
	b := q.target(t, 1)
	q.asks(t, deedOf(func(w *World) { w.places.teleport(p, b.object.Position) }))
	events := q.die(t, b, p, hurtBy(p, 10, rules.Physical))
	thing, mark := only[MissionThing](t, events), only[PlaceMarked](t, events)
	if q.parcel(1) == nil || thing.Item.ID != q.parcel(1).ID || mark.At != east(2) || q.keys() != 1 {
		t.Fatalf("told %s", describe(events))
	}
	q.asksAfter(t, q.balance.Spawn.Respawn+2*time.Second)
	if len(q.monsters()) != 0 {
		t.Error("it has come again")
	}
	q.asks(t, deedOf(func(w *World) { w.places.teleport(p, shipstone) }))
	if g := only[Gained](t, q.asks(t, Mission{ID: 1, Word: HandOver})).Gain; g.Mission == nil || q.keys() != 0 || q.parcel(1) != nil {
		t.Errorf("told %+v", g)
	}
}

// Things go from stacks and slots, and the key with them.
func TestLifeMissionCollects(t *testing.T) {
	q := newQuests("c000")
	p := q.fighter(t, 1, 0, 0)
	kinds := q.tables.Kinds()
	at := slices.IndexFunc(kinds, func(k rules.Kind) bool { return k.Stack > 1 && k.Class > 0 })
	q.options.Missions[0].Types = []int{kinds[at].ID}
	q.takes(t, 1, rules.MoneyGoal)
	m := q.missions.mission(p)
	if m.Wants != kinds[at].ID || m.Count < 1 || m.At != m.Back {
		t.Fatalf("it is %+v", m)
	}
	refused(t, q.asks(t, Mission{ID: 1, Word: HandOver}), rules.NotFulfilled)
	only[Granted](t, q.asks(t, Give{To: 1, Kind: m.Wants, Suffix: rules.NoSuffix, Count: m.Count + 2}))
	g := only[Gained](t, q.asks(t, Mission{ID: 1, Word: HandOver})).Gain
	if g.Mission == nil || len(g.Mission.Left) != 1 || g.Mission.Left[0].Count != 2 || q.keys() != 0 {
		t.Errorf("told %+v", g)
	}
}

// A mission leaves a stack that is on offer to another player where it is, and takes it when it is free again.
func TestAMissionTakesNothingThatIsOnOffer(t *testing.T) {
	q := newQuests("c000")
	p := q.fighter(t, 1, 0, 0)
	q.fighter(t, 2, 0, 0)
	kinds := q.tables.Kinds()
	at := slices.IndexFunc(kinds, func(k rules.Kind) bool { return k.Stack > 1 && k.Class > 0 })
	q.options.Missions[0].Types = []int{kinds[at].ID}
	m := q.takes(t, 1, rules.MoneyGoal)
	has := only[Granted](t, q.asks(t, Give{To: 1, Kind: m.Wants, Suffix: rules.NoSuffix, Count: m.Count})).Came[0].ID
	q.asks(t, TradeWithPlayer{ID: 1, With: 2}, OfferForSale{ID: 1, Item: has, Price: 1})
	for _, c := range []Command{Mission{ID: 1, Word: HandOver}, Mission{ID: 1, Word: HandOver, Giver: q.giver}} {
		refused(t, q.asks(t, c), rules.NotFulfilled)
	}
	if !p.offers(has) || p.carried.Find(has).Count != m.Count {
		t.Error("the stack is gone")
	}
	q.asks(t, CloseTrade{ID: 1})
	if e := only[Gained](t, q.asks(t, Mission{ID: 1, Word: HandOver})).Gain; e.Mission == nil || p.carried.Find(has) != nil {
		t.Errorf("told %+v", e)
	}
}

// Two missions that would be about one name are about two, so that nobody kills the target of another by mistake.
func TestTargetsHaveDifferentNames(t *testing.T) {
	q := newQuests("b001")
	names := map[int32]bool{}
	for id := PlayerID(1); id <= 3; id++ {
		q.fighter(t, id, 0, 0)
		q.random = rand.New(rand.NewPCG(1, 1))
		names[q.takes(t, id, rules.TitleGoal).Target] = true
	}
	if len(names) != 3 {
		t.Errorf("their names are %v", names)
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
