package world

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"sphereserver/world/rules"
)

func TestNothingHappensBeforeItIsDurable(t *testing.T) {
	m := newTradeStage()
	m.joins(1, spread()...)
	m.joins(2)
	events := m.does(MoveItem{1, Container{}, 28, 0})
	p := only[CommitRequest](t, events)
	if len(events) != 1 || len(p.Change.Items) != 1 || m.carries(1, 0, 0) != nil ||
		valuesIn(m.player(1).sheet())[statPhysical] != 0 {
		t.Fatalf("told %s", describe(events))
	}
	was, is := p.Change.Items[0].Was, p.Change.Items[0].Is
	if was.Slot != 28 || is.Slot != 0 || was.Owner != 1001 || is.Owner != 1001 || was.OnGround != nil || was.Vault != 0 {
		t.Errorf("to be stored: %+v to %+v", was, is)
	}
	before := m.state()
	refused(t, m.does(Committed{p.Seq, nil, errors.New("disk full")}), rules.StoreFailed)
	if !same(before, m.state()) || m.player(1).pending != nil {
		t.Error("a change that failed has left something")
	}
	if events := m.does(Committed{p.Seq, []rules.ItemID{3}, nil}); len(events) != 0 || !same(before, m.state()) {
		t.Error("the same answer twice does something")
	}
	if events := m.does(Committed{Seq: 1 << 60}); len(events) != 0 {
		t.Error("an answer to nothing does something")
	}
	if events := m.asks(t, MoveItem{1, Container{}, 28, 0}); len(of[ItemMoved](events)) != 1 {
		t.Errorf("after that it is not done: %s", describe(events))
	}
}

func TestAnswerWithoutNumbersCountsAsFailed(t *testing.T) {
	m := newTradeStage()
	m.joins(1, spread()...)
	p := only[CommitRequest](t, m.does(MoveItem{1, Container{}, 28, 0}))
	refused(t, m.does(Committed{Seq: p.Seq}), rules.StoreFailed)
}

func TestRequestsWaitForWhatIsBeingStored(t *testing.T) {
	m := newTradeStage()
	m.joins(1, spread()...)
	events := m.does(MoveItem{1, Container{}, 26, 35}, MoveItem{1, Container{}, 35, 26},
		MoveItem{1, Container{}, 26, 35}, MoveItem{1, Container{}, 26, 35})
	if len(of[CommitRequest](events)) != 1 || len(events) != 1 {
		t.Fatalf("told %s", describe(events))
	}
	// Each is looked at when its turn comes: the last finds nothing in its slot any more.
	for i := range 3 {
		p := only[CommitRequest](t, events)
		ids, err := m.apply(p.Change)
		if err != nil {
			t.Fatal(err)
		}
		events = m.does(Committed{p.Seq, ids, nil})
		if len(of[ItemMoved](events)) != 1 || (len(of[Refused](events)) == 1) != (i == 2) {
			t.Errorf("step %d: told %s", i, describe(events))
		}
	}
	m.agrees(t)
	var many []Command
	for range 10 {
		many = append(many, MoveItem{1, Container{}, 35, 35})
	}
	events = m.does(append([]Command{MoveItem{1, Container{}, 35, 26}}, many...)...)
	busy := of[Refused](events)
	if len(busy) != 2 || busy[0].Why != rules.Busy {
		t.Errorf("told %s", describe(events))
	}
}

func TestWhoLeavesWaitsForWhatIsBeingStored(t *testing.T) {
	for name, fails := range map[string]bool{"stored": false, "failed": true} {
		t.Run(name, func(t *testing.T) {
			m := newTradeStage()
			m.joins(1, thing(kRing, 1, 0, 26, 1))
			m.joins(2)
			drop := only[CommitRequest](t, m.does(Drop{1, 1, shipstone}))
			if events := m.does(Leave{ID: 1}, Leave{ID: 1}, MoveItem{1, Container{}, 26, 30},
				Give{To: 1, Kind: kRing, Suffix: -1, Count: 1}); len(of[Left](events)) != 0 || len(of[Refused](events)) != 1 ||
				len(of[CommitRequest](events)) != 0 {
				t.Fatalf("told %s", describe(events))
			}
			s := Committed{Seq: drop.Seq, Err: errors.New("no")}
			if !fails {
				ids, err := m.apply(drop.Change)
				s = Committed{drop.Seq, ids, err}
			}
			left := only[Left](t, m.does(s))
			if (len(left.Player.Items) == 1) != fails || left.Player.Money != 1000 || !left.Inside {
				t.Errorf("left with %+v", left.Player)
			}
			if got := len(m.objects()) == 3; got == fails {
				t.Errorf("on the ground: %v", got)
			}
			m.agrees(t)
			m.sound(t)
		})
	}
}

// An operator's order that waits when its player leaves, lingers or fails is answered; the player's own are dropped.
func TestAnOrderThatWaitsIsAnswered(t *testing.T) {
	for name, end := range map[string]func(*tradeStage){
		"leaves":  func(m *tradeStage) { m.Do(Leave{ID: 1}) },
		"lingers": func(m *tradeStage) { m.lingers(1) },
		"fails":   func(m *tradeStage) { m.after(0, &m.player(1).entity, defect) },
	} {
		t.Run(name, func(t *testing.T) {
			m := newTradeStage()
			m.joins(1, spread()...)
			order := Give{To: 1, Kind: kRing, Suffix: -1, Count: 1, Tag: 7}
			events := m.does(Drop{1, 4, shipstone}, MoveItem{1, Container{}, 26, 35}, order)
			end(m)
			events = append(events, m.pass(2*TickPeriod)...)
			no := only[Refused](t, events)
			if is, ok := no.Command.(Give); !ok || is.Tag != order.Tag || no.Why != rules.NobodyThere {
				t.Errorf("refused: %+v", no)
			}
		})
	}
}

func TestWithoutRulesThingsOnlyLieAndMove(t *testing.T) {
	m := &tradeStage{stage: newStage(Options{}), modelStore: newModelStore()}
	m.admits(Player{ID: 1, Items: spread(), Pools: rules.Pools{}})
	only[ItemMoved](t, m.asks(t, MoveItem{1, Container{}, 26, 35}))
	refused(t, m.asks(t, MoveItem{1, Container{}, 28, 0}), rules.NoSlot)
	refused(t, m.asks(t, UseItem{ID: 1, Item: 8}), rules.NoUse)
	refused(t, m.asks(t, TakeInHand{ID: 1, Item: 1}), rules.NoSlot)
	only[TookUp](t, m.asks(t, PutInto{1, Target{Item: 8}, Container{}, 26}))
	only[ItemDropped](t, m.asks(t, Drop{1, 8, shipstone}))
	if len(m.player(1).Appearance.Worn.Sword) != 0 {
		t.Error("a look without rules")
	}
}

func TestRefusalRestatesTheSlotsThatWereNamed(t *testing.T) {
	bag := Container{Bag: 6}
	for name, c := range map[string]struct {
		command Command
		slots   []SlotNow
	}{
		"move": {MoveItem{1, Container{}, 26, 27},
			[]SlotNow{{Slot: 26, Item: 1, Weight: 5000}, {Slot: 27, Item: 2, Weight: 10}}},
		"in bag": {MoveItem{1, bag, 5, 0}, []SlotNow{{In: bag, Slot: 5}, {In: bag, Slot: 0, Item: 7, Weight: 24}}},
		"swap":   {SwapItems{1, 1, 10, 26, 8}, []SlotNow{{Slot: 26, Item: 1, Weight: 5000}, {Slot: 8, Item: 10, Weight: 10}}},
		"put": {PutInto{1, Target{Item: 1}, bag, 0},
			[]SlotNow{{Slot: 26, Item: 1, Weight: 5000}, {In: bag, Slot: 0, Item: 7, Weight: 24}}},
		"drop":   {Drop{1, 12, shipstone}, []SlotNow{{Slot: 33, Item: 12, Weight: 50}}},
		"use":    {UseItem{ID: 1, Item: 12}, []SlotNow{{Slot: 33, Item: 12, Weight: 50}}},
		"other":  {PickUp{1, Target{Item: 30}}, nil},
		"absurd": {MoveItem{1, Container{}, -1, 1 << 40}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			m := newTradeStage()
			m.joins(1, spread()...)
			m.joins(2, thing(kRing, 30, 0, 26, 1))
			e := only[Refused](t, m.asks(t, c.command))
			if !slices.Equal(e.Slots, c.slots) || e.ID != 1 || e.Command != c.command {
				t.Errorf("told %+v, expected slots %+v", e, c.slots)
			}
		})
	}
}

func TestOneLooksWhileAnotherTakes(t *testing.T) {
	m := newTradeStage()
	m.joins(1)
	m.joins(2)
	id := m.scattered(t, dropLoot{Things: []rules.Item{thing(kRing, 0, 0, 0, 1), thing(kTooth, 0, 0, 0, 1)},
		Bag: &rules.Item{Class: rules.ClassLootBag, Suffix: -1, Count: 1}, Lying: rules.OnGround{At: east(1)}})[0]
	ring := only[Opened](t, m.asks(t, Open{1, Container{Object: id}})).Items[0].ID
	p := only[CommitRequest](t, m.does(PickUp{1, Target{Item: ring}}))
	if e := only[Opened](t, m.does(Open{2, Container{Object: id}})); len(e.Items) != 2 {
		t.Errorf("shown %+v", e)
	}
	refused(t, m.does(PickUp{2, Target{Item: ring}}), rules.BusyObject)
	ids, err := m.apply(p.Change)
	if b := only[BagChanged](t, m.does(Committed{p.Seq, ids, err})); len(b.Left) != 1 || b.Left[0].ID != ring {
		t.Errorf("told %+v", b)
	}
	m.agrees(t)
}

// Gains of a player while its transaction is under way are not lost when that is settled.
func TestGainsBetweenAskingAndSettlingAreKept(t *testing.T) {
	for name, c := range map[string]struct {
		ask  Command
		want func(*Player)
	}{
		"points": {SpendPoints{ID: 1, Spend: rules.Stats{2}}, func(p *Player) {
			p.Progress.Base[0] += 2
			p.Progress.TitlePoints -= 2
		}},
		"levels": {SetLevels{ID: 1, Title: 4, Degree: 2}, func(p *Player) {
			p.Title, p.Degree, p.Progress.TitleXP, p.Progress.DegreeXP = 4, 2, 0, 0
			p.Progress.TitlePoints += 18
			p.Progress.DegreePoints += 9
			p.Appearance.Title, p.Appearance.Degree = 4, 2
		}},
		"money": {GiveMoney{To: 1, Amount: 30}, func(p *Player) { p.Money += 30 }},
		"food":  {UseItem{ID: 1, Item: 5}, func(p *Player) { p.Pools.Satiety += 5 }},
	} {
		t.Run(name, func(t *testing.T) {
			m := newTradeStage()
			m.joins(1, spread()...)
			p := m.player(1)
			p.Progress.TitlePoints, p.Progress.DegreePoints = 5, 5
			p.Pools = rules.Pools{HP: 40, MaxHP: 100, MP: 10, MaxMP: 50, Satiety: 20, MaxSatiety: 100}
			commit := only[CommitRequest](t, m.does(c.ask))
			p.Progress.TitleXP, p.Progress.DegreeXP, p.Progress.Karma = 500, 70, 3
			p.Pools.HP, p.Pools.MP, p.Pools.Satiety = 33, 12, 21
			p.Progress.TitlePoints++
			want := p.Player
			c.want(&want)
			ids, err := m.apply(commit.Change)
			if err != nil {
				t.Fatal(err)
			}
			m.does(Committed{commit.Seq, ids, nil})
			want.Pools.MaxHP, want.Pools.MaxMP = p.Pools.MaxHP, p.Pools.MaxMP
			want.Revision = int64(len(commit.Change.Progress))
			if !reflect.DeepEqual(p.Player, want) {
				t.Errorf("is %+v\nwant %+v", p.Player, want)
			}
		})
	}
}

// Changes by the world itself to a player with a transaction under way wait in order, come before all requests of the
// player, and are never refused, however many wait.
func TestTheWorldsOwnChangesWaitAndAreNeverRefused(t *testing.T) {
	m := newTradeStage()
	m.joins(1, spread()...)
	p := m.player(1)
	var done []int
	grow := func(n int) change {
		return func(p *player) {
			done = append(done, n)
			d := m.ledger.tx(p, nil)
			d.become = func(p *Player) { p.Progress.TitlePoints += n }
			m.ledger.commit(d, nil, nil)
		}
	}
	note := func(n int) change { return func(*player) { done = append(done, n) } }
	settle := func(events []Event) []Event {
		t.Helper()
		commit := only[CommitRequest](t, events)
		ids, err := m.apply(commit.Change)
		return m.does(Committed{commit.Seq, ids, err})
	}
	m.ledger.whenFree(p, note(0)) // free: at once
	asked := m.does(SpendPoints{ID: 1, Spend: rules.Stats{1}})
	for range 9 {
		m.Do(SpendPoints{ID: 1, Spend: rules.Stats{1}})
	}
	if refused := of[Refused](m.pass(TickPeriod)); len(refused) != 1 || refused[0].Why != rules.Busy {
		t.Fatalf("refused %v", refused)
	}
	for n := 1; n <= 20; n++ {
		m.ledger.whenFree(p, map[bool]change{true: grow(n), false: note(n)}[n%10 == 1])
	}
	m.does(Leave{ID: 1})
	m.ledger.whenFree(p, note(99)) // too late
	if len(done) != 1 {
		t.Fatalf("done %v while something is being stored", done)
	}
	events := settle(asked)
	if last := done[len(done)-1]; last != 1 {
		t.Fatalf("done %v", done)
	}
	events = settle(events)
	if last := done[len(done)-1]; last != 11 || len(of[Left](events)) != 0 {
		t.Fatalf("done %v", done)
	}
	left := only[Left](t, settle(events))
	if last := done[len(done)-1]; last != 20 || len(done) != 21 || !slices.IsSorted(done) {
		t.Errorf("done %v", done)
	}
	if got := left.Player.Progress; got.TitlePoints != 4-1+1+11 || got.Base[0] != 5+1 {
		t.Errorf("left with %+v", got)
	}
}

// A change of the world's own that the store refuses is not done, and those behind it are.
func TestTheWorldsOwnChangeMayFail(t *testing.T) {
	m := newTradeStage()
	m.joins(1)
	p := m.player(1)
	d := m.ledger.tx(p, nil)
	d.money = 5
	m.ledger.commit(d, nil, nil)
	after := false
	m.ledger.whenFree(p, func(*player) { after = true })
	events := m.does(Committed{Seq: m.ledger.seq, Err: errors.New("no")})
	if p.Money != 1000 || !after || len(of[Refused](events)) != 0 {
		t.Errorf("money %d, the next is done: %v, told %s", p.Money, after, describe(events))
	}
}

// A player with a transaction under way strikes, takes in hand and casts mantras at once, however often; requests
// that would be refused now wait.
func TestFightsWaitForNoChange(t *testing.T) {
	m := newCastStage(1)
	b := m.spawners.newMonster(fightTables.Monster(mTarget), 1, m.spawners.chanceOf(-1, 1))
	b.MaxHP, b.HP = 1e6, 1e6
	m.does(deedOf(func(w *World) { w.spawners.putMonsterInto(b, 0, east(1), nil) }),
		setPools{1, rules.Pools{HP: 50, MP: 90, MaxSatiety: 100}})
	m.player(1).Progress.TitlePoints = 1
	spent := only[CommitRequest](t, m.does(SpendPoints{1, rules.Stats{1}}))
	for range 2 * mostWaiting {
		events := m.does(Strike{ID: 1, Target: b.object.ID}, TakeInHand{ID: 1, Fists: true})
		only[*MonsterHurt](t, events)
		only[HandChanged](t, events)
		m.pass(3 * time.Second)
	}
	only[Healed](t, m.does(on(1, cHeal, 0)))
	if events := m.does(Strike{ID: 1, With: magic(1, cHeal), Target: b.object.ID}); len(of[Refused](events)) > 0 {
		t.Errorf("a blow with what is not in the hand: %s", describe(events))
	}
	events := m.does(Committed{Seq: spent.Seq, Err: errConflict})
	if refusals := of[Refused](events); len(refusals) != 2 || refusals[1].Why != rules.NotInHand {
		t.Errorf("then %s", describe(events))
	}
}
