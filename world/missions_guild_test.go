package world

import (
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// newGuild is a stage with the master of the crusaders, and tasks of a kind.
func newGuild(kind string, tasks bool) *questStage {
	o := Options{Balance: sharp()}
	o.Balance.Mission.GuildTasks, o.Balance.Mission.Wait = tasks, 0
	q := newQuestsWith(kind, o)
	q.g.Guild, q.g.Goals = 2, [rules.MissionGoals]bool{}
	return q
}

// hunts lets a player kill the target of its mission, where that is.
func (q *questStage) hunts(t *testing.T, p *player) []Event {
	t.Helper()
	b := q.target(t, p.ID)
	q.asks(t, deedOf(func(w *World) { w.places.teleport(p, b.object.Position) }))
	events := q.die(t, b, p, hurtBy(p, 10, rules.Physical))
	q.asks(t, deedOf(func(w *World) { w.places.teleport(p, shipstone) }))
	return events
}

// wears says which emblem and which ability a player has, by their numbers.
func (p *player) wears() (emblem, ability int) {
	if t := p.carried.At(0, rules.SlotGuild); t != nil {
		emblem = t.GameID
	}
	if t := p.carried.At(0, rules.SlotAbilities+1); t != nil {
		ability = t.GameID
	}
	return emblem, ability
}

// A rank has its task, and comes with it as one durable change. Source: life checks 7.1, 7.2, 7.4.
func TestLifeCheck7_4ATaskBringsARank(t *testing.T) {
	q := newGuild("b001", true)
	p := q.fighter(t, 1, 14, 0)
	low := only[Refused](t, q.asks(t, Guild{ID: 1, Rise: true}))
	if low.Why != rules.TitleTooLow || low.Limit != 16 {
		t.Errorf("refused with %+v", low)
	}
	shown := only[GuildShown](t, q.asks(t, Guild{ID: 1}))
	if shown.Guild != 2 || shown.Title != 14 || shown.Progress.Guild != 0 {
		t.Errorf("shown %+v", shown)
	}
	q.does(deedOf(func(*World) { p.Title = 15 }))
	endurance := p.derived.Stats[3]
	for rank := range 2 {
		given := only[MissionGiven](t, q.asks(t, OpenTrade{1, q.giver})) // as the client opens him
		m, ok := rules.MissionOf(&given.Key)
		if !ok || m.Guild != 2 || m.Rank != rank || p.Progress.Guild != 0 && rank == 0 {
			t.Fatalf("the task is %+v", m)
		}
		refused(t, q.asks(t, Guild{ID: 1, Rise: true}), rules.HasMission)
		events := q.hunts(t, p)
		changed, gain := only[GuildChanged](t, events), only[*MonsterDied](t, events).Gains[0]
		emblem, ability := p.wears()
		if changed.Guild != 2 || changed.Rank != rank || len(changed.Came) != 2 || len(changed.Gone) != 2*rank ||
			emblem != 5600+rank || ability != 5620+rank || gain.Is.Guild != 2 || gain.Is.GuildRank != rank {
			t.Errorf("told %+v, worn %d and %d", changed, emblem, ability)
		}
		for _, s := range gain.Mission.Slots {
			if rules.IsGuildSlot(s.Slot) {
				t.Errorf("the end of the mission tells of slot %d", s.Slot)
			}
		}
		if is := p.derived.Stats[3]; is != endurance+14*(rank+1) {
			t.Errorf("rank %d: endurance %d, without a guild %d", rank, is, endurance)
		}
		if s := q.sheets[p.Character].Progress; s.Guild != 2 || s.GuildRank != rank {
			t.Errorf("the store has %+v", s)
		}
		q.agrees(t)
		q.does(deedOf(func(*World) { p.Title = 20 }))
	}
	q.does(deedOf(func(*World) { p.Title = 30 }))
	only[MissionGiven](t, q.asks(t, OpenTrade{1, q.giver}))
	if lost := q.asks(t, Mission{ID: 1, Word: GiveUpMission}); len(of[GuildChanged](lost)) != 0 {
		t.Errorf("a task given up tells %s", describe(lost))
	}
	q.does(deedOf(func(*World) { p.Title = 20 }))
	high := only[Refused](t, q.asks(t, OpenTrade{1, q.giver}))
	if high.Why != rules.TitleTooLow || high.Limit != 31 {
		t.Errorf("the third rank is refused with %+v", high)
	}
	q.g.Guild = 4
	refused(t, q.asks(t, Guild{ID: 1, Rise: true}), rules.OtherGuild)

	q.asks(t, ResetProgress{ID: 1, What: rules.LeaveGuild})
	events := q.asks(t, ResetProgress{ID: 1, What: rules.LeaveGuild})
	left := only[GuildChanged](t, events)
	emblem, ability := p.wears()
	if left.Guild != 0 || len(left.Gone) != 2 || len(left.Came) != 0 || len(left.Slots) != 2 || emblem != 0 || ability != 0 ||
		p.derived.Stats[3] != endurance || q.sheets[p.Character].Progress.Guild != 0 {
		t.Errorf("left with %+v, worn %d and %d, endurance %d", left, emblem, ability, p.derived.Stats[3])
	}
	q.agrees(t)
}

// A level that comes with the end of a task is too late for its rank, which would come without its emblem.
func TestATaskOfWhichTheLevelIsGone(t *testing.T) {
	q := newGuild("b001", true)
	p := q.fighter(t, 1, 15, 0)
	q.balance.Experience.Factor, q.balance.Mission.Wait = 1000, time.Minute
	only[MissionGiven](t, q.asks(t, Guild{ID: 1, Rise: true}))
	q.does(deedOf(func(*World) { p.Title = 14 }))
	q.hunts(t, p)
	emblem, _ := p.wears()
	if p.Title < 15 || p.Progress.Guild != 0 || emblem != 0 {
		t.Errorf("title %d, guild %d, emblem %d", p.Title, p.Progress.Guild, emblem)
	}
	refused(t, q.asks(t, Guild{ID: 1, Rise: true}), rules.MissionTooSoon)
}

// A task of which the rank cannot be had any more brings its pay alone.
func TestATaskAfterTheGuildWasLeft(t *testing.T) {
	q := newGuild("b001", true)
	p := q.fighter(t, 1, 20, 0)
	q.does(deedOf(func(*World) { p.Progress.Guild = 2 }))
	only[MissionGiven](t, q.asks(t, Mission{ID: 1, Word: TakeMission, Giver: q.giver})) // as its window asks
	q.asks(t, ResetProgress{ID: 1, What: rules.LeaveGuild})
	only[GuildChanged](t, q.asks(t, ResetProgress{ID: 1, What: rules.LeaveGuild}))
	events := q.hunts(t, p)
	if len(of[GuildChanged](events)) != 0 || p.Progress.Guild != 0 || p.Progress.TitleXP == 0 {
		t.Errorf("told %s, guild %d", describe(events), p.Progress.Guild)
	}
	if emblem, _ := p.wears(); emblem != 0 {
		t.Errorf("wears %d", emblem)
	}
}

// Emblem and abilities stay where they are, and an ability rests after each use. Source: life checks 7.5 to 7.7.
func TestLifeCheck7_6AbilitiesStay(t *testing.T) {
	q := newGuild("b001", false)
	p := q.fighter(t, 1, 20, 0)
	only[GuildChanged](t, q.asks(t, Guild{ID: 1, Rise: true})) // at once, where there are no tasks
	if emblem, ability := p.wears(); emblem != 5600 || ability != 5620 {
		t.Fatalf("wears %d and %d", emblem, ability)
	}
	emblem, ability := p.carried.At(0, rules.SlotGuild).ID, p.carried.At(0, rules.SlotAbilities+1).ID
	for _, slot := range []int{rules.SlotGuild, rules.SlotAbilities + 1} {
		id := p.carried.At(0, slot).ID
		for _, c := range []Command{Drop{1, id, shipstone}, MoveItem{ID: 1, From: slot, To: 30},
			SwapItems{ID: 1, First: id, Second: 101, FirstSlot: slot, SecondSlot: 26}} {
			refused(t, q.asks(t, c), rules.NoSlot)
		}
	}
	refused(t, q.asks(t, UseItem{ID: 1, Item: emblem}), rules.NoSlot)
	hp := p.Pools.MaxHP
	use := UseItem{ID: 1, Item: ability}
	events := q.asks(t, use)
	began := only[EffectBegan](t, events)
	if u := only[Used](t, events); u.Left != 1 || began.Effect.ID != 1046 || p.Pools.MaxHP != hp+500*11/10 {
		t.Errorf("used %+v, began %+v, HP %d and then %d", u, began, hp, p.Pools.MaxHP)
	}
	q.pass(6*time.Minute - time.Second)
	refused(t, q.asks(t, use), rules.TooSoon)
	q.pass(time.Second)
	only[Used](t, q.asks(t, use))
	q.g.Guild = 0
	refused(t, q.asks(t, Guild{ID: 1, Rise: true}), rules.NoGuildMaster)
	if s := only[GuildShown](t, q.asks(t, Guild{ID: 1})); s.Guild != 0 || s.Progress.Guild != 2 {
		t.Errorf("shown %+v", s)
	}
}

// ability is one of a guild, by its number, in a slot.
func ability(id, slot int) rules.Item {
	i := fightTables.NewItem(fightTables.Kind(id), rules.NoSuffix, 1, nil)
	i.ID, i.Slot = rules.ItemID(id), slot
	return i
}

// abler admits a player with a sword in its hand and an ability.
func (m *tradeStage) abler(t *testing.T, id PlayerID, number int) (*player, func(EntityID) UseItem) {
	t.Helper()
	item := ability(number, 46)
	item.ID += rules.ItemID(10000 * int(id))
	m.admits(Player{ID: id, Title: 20, Items: []rules.Item{weapon(kStartSword, rules.ItemID(id)*100+1, 26), item}})
	m.asks(t, TakeInHand{ID: id, Item: rules.ItemID(id)*100 + 1}, setPools{id, rules.Pools{HP: 100, MaxHP: 100,
		MP: 40, MaxMP: 40, Satiety: 50, MaxSatiety: 100}})
	return m.player(id), func(on EntityID) UseItem { return UseItem{ID: id, Item: item.ID, Target: Target{Object: on}} }
}

// A whirl of steel hits all around with the weapon in the hand, a divine wind with the HP of its player, of which one
// stays. Either rests.
func TestWhirlOfSteelAndDivineWind(t *testing.T) {
	for number, left := range map[int]int{6319: 100, 6339: 1} {
		m := newFight(Options{})
		m.balance = sharp()
		p, use := m.abler(t, 1, number)
		b, c, far := m.beast(mTarget, 1, 30), m.beast(mTarget, 1, 49), m.beast(mTarget, 1, 52)
		events := m.asks(t, use(0))
		if only[Used](t, events).Left != 1 || len(of[*MonsterHurt](events)) != 2 || b.HP == 64 || c.HP == 64 || far.HP != 64 {
			t.Errorf("%d: hurt to %d, %d and %d HP: %s", number, b.HP, c.HP, far.HP, describe(events))
		}
		if p.Pools.HP != left {
			t.Errorf("%d: %d HP are left, expected %d", number, p.Pools.HP, left)
		}
		m.pass(5 * time.Second)
		m.asks(t, TakeInHand{ID: 1})
		why := map[int]rules.RejectReason{6319: rules.NotInHand, 6339: rules.TooSoon}[number]
		m.does(setPools{1, rules.Pools{HP: 100, MaxHP: 100, Satiety: 50, MaxSatiety: 100}})
		refused(t, m.asks(t, use(0)), why)
	}
}

// Raising is for the dead, who live again where they lie; it costs HP and prana. Source: life check 7.10.
func TestLifeCheck7_10Raising(t *testing.T) {
	m := newFight(Options{Revival: func(coords.Position, int) coords.Position { return east(500) }})
	p, use := m.abler(t, 1, 6729)
	q := m.fighter(t, 2, 20, 0)
	m.asks(t, Teleport{2, east(5)})
	for _, on := range []EntityID{0, p.Number, q.Number, 1 << 30} {
		refused(t, m.asks(t, use(on)), rules.NoTarget)
	}
	m.asks(t, deedOf(func(w *World) { w.vitals.hurt(q, Hit{Cause: Trap, HP: -100000}) }))
	events := m.asks(t, use(q.Number))
	if e := only[PlayerRevived](t, events); e.ID != 2 || isDead(q) || q.Position.Distance(east(5)) > 0.1 {
		t.Errorf("told %+v, it is at %v", e, q.Position)
	}
	if seen := of[*HealthSeen](events); len(seen) != 2 || seen[1].ID != q.Number || seen[1].HP != q.Pools.HP ||
		!slices.Equal(seen[1].Viewers, []PlayerID{1}) {
		t.Errorf("others see %s", describe(events))
	}
	if p.Pools.HP != 95 || p.Pools.MP != 20 {
		t.Errorf("paid, it has %+v", p.Pools)
	}
	if again := of[PlayerRevived](m.pass(10 * time.Second)); len(again) != 0 || q.Position.Distance(east(5)) > 0.1 {
		t.Errorf("it lives again twice: %+v", again)
	}
}

// A flag is for the group around, a fort for oneself, though its effect slows.
func TestFlagsAndForts(t *testing.T) {
	m := newFight(Options{})
	p, use := m.abler(t, 1, 6819)
	q, r := m.fighter(t, 2, 20, 0), m.fighter(t, 3, 20, 0)
	m.asks(t, deedOf(func(*World) {
		p.party = &party{leader: p, members: []*player{p, q}}
		q.party = p.party
	}))
	was := [3]int{p.derived.PhysicalDefence, q.derived.PhysicalDefence, r.derived.PhysicalDefence}
	began := of[EffectBegan](m.asks(t, use(0)))
	is := [3]int{p.derived.PhysicalDefence - was[0], q.derived.PhysicalDefence - was[1],
		r.derived.PhysicalDefence - was[2]}
	if len(began) != 2 || is != [3]int{60, 60, 0} {
		t.Errorf("told %+v, defences grow by %v", began, is)
	}
	s, fort := m.abler(t, 4, 6839)
	before := s.derived.PhysicalDefence
	if e := only[EffectBegan](t, m.asks(t, fort(0))); e.Effect.Harmful() || s.derived.PhysicalDefence != before+1000 {
		t.Errorf("told %+v", e)
	}
}

// Rebirth of another sends it to where those of bad karma wake, if it may be struck.
func TestRebirthOfAnother(t *testing.T) {
	wakes := func(_ coords.Position, karma int) coords.Position { return east(500 + 100*float32(karma)) }
	m := newFight(Options{Revival: wakes,
		Zones: peaceWhere(func(at coords.Position) bool { return at.X > east(30).X && at.X < east(100).X })})
	_, use := m.abler(t, 1, 5719)
	q, far := m.fighter(t, 2, 20, 0), m.fighter(t, 3, 20, 0)
	m.asks(t, Teleport{3, east(60)})
	refused(t, m.asks(t, use(far.Number)), rules.TooFar)
	m.asks(t, Teleport{2, east(40)})
	p := m.player(1)
	if refused(t, m.asks(t, use(q.Number)), rules.TheirPeacefulPlace); p.had().wanted == 0 {
		t.Error("guards let it break the peace")
	}
	m.asks(t, Teleport{2, east(5)})
	only[Used](t, m.asks(t, use(q.Number)))
	if to := east(500 + 100*float32(rules.KarmaBad)); q.Position.Distance(to) > 0.1 {
		t.Errorf("it is at %v, expected %v", q.Position, to)
	}
	if !m.combat.defends(q, m.player(1)) {
		t.Error("it may not defend itself")
	}
	refused(t, m.asks(t, use(far.Number)), rules.TooFar)
}

// Transport leads to a living target in sight, 50 m away at most; abode to the nearest city, but not out of a fight.
// Source: life check 7.8.
func TestLifeCheck7_8AbilitiesThatLeadAway(t *testing.T) {
	home := east(-500)
	m := newFight(Options{Revival: func(coords.Position, int) coords.Position { return home }})
	m.admits(Player{ID: 1, Items: []rules.Item{ability(5619, 46), ability(5919, 47)}, Progress: rules.Progress{Guild: 5}})
	p := m.player(1)
	b, far := m.beast(mTarget, 1, 30), m.beast(mTarget, 1, 51)
	leap := func(on EntityID) UseItem { return UseItem{ID: 1, Item: 5619, Target: Target{Object: on}} }
	for _, on := range []EntityID{0, p.Number, 1 << 30} {
		refused(t, m.asks(t, leap(on)), rules.NoTarget)
	}
	refused(t, m.asks(t, leap(far.object.ID)), rules.TooFar)
	u := only[Used](t, m.asks(t, leap(b.object.ID)))
	if u.To == nil || p.Position.Distance(b.object.Position) > 0.1 || u.Left != 1 {
		t.Errorf("told %+v, it is at %v", u, p.Position)
	}
	m.pass(journeyPause)
	refused(t, m.asks(t, leap(far.object.ID)), rules.TooSoon)
	m.pass(3 * time.Minute)
	only[Used](t, m.asks(t, leap(far.object.ID)))

	abode := UseItem{ID: 1, Item: 5919}
	refused(t, m.asks(t, abode), rules.UnderWay) // a moment after another journey
	m.pass(journeyPause)
	p.hurtAt = m.World.instant()
	refused(t, m.asks(t, abode), rules.NotCalm)
	m.pass(rules.Calm)
	if u := only[Used](t, m.asks(t, abode)); u.To == nil || p.Position.Distance(home) > 0.1 {
		t.Errorf("told %+v, it is at %v", u, p.Position)
	}
}
