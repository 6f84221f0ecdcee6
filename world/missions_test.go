package world

import (
	"math/rand/v2"
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
