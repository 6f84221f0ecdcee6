package world

import (
	"errors"
	"slices"
	"testing"
	"time"

	"sphereserver/world/rules"
)

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
