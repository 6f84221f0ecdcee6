package world

import (
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

func TestCheck37PeacefulPlacesAndLevels(t *testing.T) {
	town := func(at coords.Position) bool { return at.X > east(2).X }
	m := newFight(Options{Zones: peaceWhere(town)})
	p, q, weak := m.fighter(t, 1, 9, 0), m.fighter(t, 2, 0, 9), m.fighter(t, 3, 8, 8)
	try := func(from, to *player, why rules.RejectReason) {
		t.Helper()
		m.pass(2 * time.Second)
		hp := to.Pools.HP
		refused(t, m.asks(t, from.blowAt(to.Number)), why)
		if to.Pools.HP < hp {
			t.Error("it hurts")
		}
	}
	m.asks(t, Teleport{2, east(3)})
	try(p, q, rules.TheirPeacefulPlace)
	try(q, p, rules.PeacefulPlace)
	m.asks(t, Teleport{2, shipstone})
	try(weak, p, rules.TooLow)
	try(p, weak, rules.TheyTooLow)
	m.pass(2 * time.Second)
	if e := only[PlayerHit](t, m.asks(t, p.blowAt(q.Number))); e.ID != 2 || e.Hit.By != p.Number || e.Hit.HP < -9 ||
		e.Hit.HP > -5 {
		t.Errorf("hit %+v", e)
	}
	m.asks(t, PartyCreate{1}, PartyApply{2, p.Name}, PartyAccept{1, q.Name})
	try(p, q, rules.PartyMember)
	m.harms(t, q, Hit{HP: -30000})
	try(p, q, rules.TargetDead)
	m.asks(t, PartyLeave{1})
	m.pass(5 * time.Second)
	try(p, q, rules.Protected)
}

// Review D5: another balance changes at once how far the peace of towns and traders reaches.
func TestPeaceFollowsTheBalance(t *testing.T) {
	market := east(300)
	for _, at := range []coords.Position{shipstone, market} {
		m := newFight(Options{Zones: rules.NewZones(rules.ZonePlaces{
			Towns: []coords.Position{shipstone}, Traders: []coords.Position{market}})})
		p, q := m.fighter(t, 1, 9, 9), m.fighter(t, 2, 9, 9)
		m.asks(t, Teleport{1, at}, Teleport{2, at})
		m.pass(2 * time.Second)
		refused(t, m.asks(t, p.blowAt(q.Number)), rules.PeacefulPlace)
		free := *m.balance
		free.Duel.City, free.Duel.Trader = 0, 0
		m.asks(t, SetBalance{&free})
		m.pass(2 * time.Second)
		only[PlayerHit](t, m.asks(t, p.blowAt(q.Number)))
	}
}

func TestCheck38PlayersFight(t *testing.T) {
	const blows = 1000
	balance := sharp()
	balance.Damage.Players = 0.1 // so that no player dies of them
	m := newFight(Options{Balance: balance})
	p, q := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 29, 29)
	m.fighter(t, 3, 29, 29)
	hp, seen := q.Pools.HP, 0
	q.Pools.HP = q.Pools.MaxHP
	told := q.Pools.HP
	for range blows {
		for _, e := range m.asks(t, p.blowAt(q.Number)) {
			switch e := e.(type) {
			case PlayerHit:
				if told += e.Hit.HP; e.Hit.By != p.Number || e.Pools.HP != q.Pools.HP {
					t.Fatalf("hit %+v", e)
				}
			case *HealthSeen:
				if seen++; e.HP != q.Pools.HP || len(e.Viewers) != 2 {
					t.Fatalf("seen %+v", *e)
				}
			case PoolsTick:
				told = e.Pools.HP
			}
		}
		m.does(deedOf(func(w *World) { p.lastBlow = 0 }))
		if told != q.Pools.HP {
			t.Fatalf("told %d HP, there are %d", told, q.Pools.HP)
		}
	}
	if seen < blows || q.Pools.HP >= hp {
		t.Errorf("%d blows are seen, %d HP of %d", seen, q.Pools.HP, hp)
	}
}

func TestKillingPlayersCostsKarma(t *testing.T) {
	for name, c := range map[string]struct {
		victim, is int
		first      bool // the victim has struck first
	}{
		"neutral": {0, -500, false}, "good": {500, -500, false}, "bad": {-101, 0, false}, "self-defence": {0, 0, true},
	} {
		m := newFight(Options{})
		p, q := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 29, 29)
		m.fighter(t, 3, 0, 0)
		q.Progress.Karma = c.victim
		if c.first {
			m.asks(t, q.blowAt(p.Number))
		}
		q.Pools.HP = 1
		events := m.asks(t, p.blowAt(q.Number))
		died := only[PlayerDied](t, events)
		if seen := only[KillSeen](t, events); seen.Victim != q.Name || seen.Killer != p.Name ||
			!slices.Equal(seen.To, []PlayerID{1, 3}) {
			t.Errorf("%s: seen %+v", name, seen)
		}
		if gained := of[Gained](events); p.Progress.Karma != c.is || died.By != p.Number || (len(gained) == 1) != (c.is != 0) ||
			c.is != 0 && gained[0].Gain.Is.Karma != rules.KarmaBad || p.Progress.Karma != m.karma(p) {
			t.Errorf("%s: karma is %d, told %s", name, p.Progress.Karma, describe(events))
		}
	}
}

// karma returns a player's karma in the store.
func (m *tradeStage) karma(p *player) int { return m.sheets[p.Character].Progress.Karma }

func TestWrath(t *testing.T) {
	balance := sharp()
	balance.Duel.Wrath = true
	m := newFight(Options{Balance: balance, Zones: peaceWhere(func(coords.Position) bool { return true })})
	p, q := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 29, 29)
	hp := q.Pools.HP
	for i := range 4 {
		hit := only[PlayerHit](t, m.asks(t, p.blowAt(q.Number)))
		if hit.ID != 1 || hit.Hit.Cause != Wrath || hit.Hit.HP != -p.Pools.MaxHP/4 ||
			hit.Died != (i == 3 && p.Pools.HP == 0) {
			t.Errorf("%d: hit %+v", i, hit)
		}
		m.pass(1500 * time.Millisecond)
	}
	if q.Pools.HP < hp {
		t.Error("it hurts the other")
	}
}

func TestSelfDefenceLastsAWhile(t *testing.T) {
	m := newFight(Options{})
	p, q := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 29, 29)
	m.asks(t, q.blowAt(p.Number))
	m.pass(59 * time.Second)
	if !m.combat.defends(p, q) || m.combat.defends(q, p) {
		t.Error("no self-defence after 59 s, or the wrong one's")
	}
	m.pass(2 * time.Second)
	if m.combat.defends(p, q) {
		t.Error("still self-defence after 61 s")
	}
}

// duels lets two players agree on a duel.
func (m *tradeStage) agree(t testing.TB, p, q *player) {
	t.Helper()
	told := of[DuelTold](m.asks(t, Duel{ID: p.ID, Name: q.Name}))
	if len(told) != 2 || told[0] != (DuelTold{ID: p.ID, News: DuelAsked, Other: q.Name}) ||
		told[1] != (DuelTold{ID: q.ID, News: DuelOffered, Other: p.Name}) {
		t.Fatalf("told %+v", told)
	}
	told = of[DuelTold](m.asks(t, Duel{ID: q.ID, Word: AcceptDuel}))
	if len(told) != 2 || told[0].News != DuelAgreed || told[1].News != DuelAgreed {
		t.Fatalf("told %+v", told)
	}
	told = of[DuelTold](m.asksAfter(t, m.balance.Duel.Countdown))
	if len(told) != 2 || told[0].News != DuelBegan || told[1].News != DuelBegan {
		t.Fatalf("told %+v", told)
	}
}

// Neither strikes the other before the countdown is over, and who goes away before that has lost.
func TestADuelBeginsAfterItsCountdown(t *testing.T) {
	for _, countdown := range []time.Duration{0, 5 * time.Second} {
		balance := sharp()
		balance.Duel.Countdown = countdown
		m := newFight(Options{Balance: balance})
		p, q, third := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 29, 29), m.fighter(t, 3, 29, 29)
		m.asks(t, Duel{ID: 1, Name: q.Name})
		told := of[DuelTold](m.asks(t, Duel{ID: 2, Word: AcceptDuel}))
		if len(told) < 2 || told[0] != (DuelTold{ID: 2, News: DuelAgreed, Other: p.Name}) || (len(told) == 4) != (countdown == 0) {
			t.Fatalf("with a countdown of %v told %+v", countdown, told)
		}
		if countdown > 0 {
			refused(t, m.asks(t, p.blowAt(q.Number)), rules.Protected)
			only[PlayerHit](t, m.asks(t, third.blowAt(q.Number))) // no meddling yet
			if told = of[DuelTold](m.asksAfter(t, countdown)); len(told) != 2 || told[0].News != DuelBegan {
				t.Fatalf("after %v told %+v", countdown, told)
			}
		}
		only[PlayerHit](t, m.asks(t, p.blowAt(q.Number)))
	}
	m := newFight(Options{})
	p, q := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 29, 29)
	m.asks(t, Duel{ID: 1, Name: q.Name}, Duel{ID: 2, Word: AcceptDuel})
	told := of[DuelTold](m.asks(t, Leave{ID: 2}))
	if !slices.Contains(told, DuelTold{ID: 1, News: DuelWon, Other: q.Name}) || p.duel != nil {
		t.Errorf("told %+v", told)
	}
	if told = of[DuelTold](m.asksAfter(t, m.balance.Duel.Countdown)); len(told) > 0 {
		t.Errorf("a duel that is over begins: %+v", told)
	}
}

func TestLifeDuel5EndsBeforeDeath(t *testing.T) {
	m := newFight(Options{})
	p, q := m.fighter(t, 1, 0, 0), m.fighter(t, 2, 0, 0) // too weak for all but this
	m.asks(t, PartyCreate{1}, PartyApply{2, p.Name}, PartyAccept{1, q.Name})
	m.agree(t, p, q)
	m.publish(nil)
	if views := m.Snapshot().Players; views[0].Duel != q.Name || views[1].Duel != p.Name {
		t.Errorf("a snapshot has the duels %q and %q", views[0].Duel, views[1].Duel)
	}
	q.Pools.HP = q.Pools.MaxHP/10 + 1
	karma := p.Progress.Karma
	events := m.asks(t, p.blowAt(q.Number))
	told := of[DuelTold](events)
	if hit := only[PlayerHit](t, events); hit.Died || hit.Hit.HP != -1 || q.Pools.HP != q.Pools.MaxHP/10 || len(told) != 2 ||
		len(of[PlayerDied](events))+len(of[CommitRequest](events)) > 0 || p.Progress.Karma != karma {
		t.Errorf("hit %+v, told %+v", hit, told)
	}
	for _, e := range told {
		if (e.News == DuelWon) != (e.ID == 1) || (e.News == DuelLost) != (e.ID == 2) {
			t.Errorf("told %+v", e)
		}
	}
	m.publish(nil)
	if views := m.Snapshot().Players; views[0].Duel+views[1].Duel != "" {
		t.Error("a snapshot has a duel that is over")
	}
	m.pass(2 * time.Second)
	refused(t, m.asks(t, p.blowAt(q.Number)), rules.PartyMember)
}

func TestLifeDuel5And8Ends(t *testing.T) {
	for name, c := range map[string]struct {
		how  func(m *tradeStage) []Event
		lost PlayerID
	}{
		"teleport": {func(m *tradeStage) []Event { return m.does(Teleport{1, east(1)}) }, 1},
		"too far": {func(m *tradeStage) []Event {
			m.does(deedOf(func(w *World) { w.places.place(w.player(2), east(41)) }))
			return m.pass(time.Second)
		}, 2},
		"gives up": {func(m *tradeStage) []Event { return m.does(Duel{ID: 1, Word: EndDuel}) }, 1},
		"leaves":   {func(m *tradeStage) []Event { return m.does(Leave{ID: 1}) }, 1},
		"time":     {func(m *tradeStage) []Event { return m.pass(3*time.Minute + time.Second) }, 0},
		"dies": {func(m *tradeStage) []Event {
			return m.does(deedOf(func(w *World) { w.vitals.hurt(w.player(2), Hit{HP: -30000}) }))
		}, 2},
		"a monster kills": {func(m *tradeStage) []Event {
			b := m.beast(mBiter, 60, 1)
			return m.does(deedOf(func(w *World) { w.vitals.hurt(w.player(2), Hit{By: b.object.ID, HP: -30000}) }))
		}, 2},
	} {
		m := newFight(Options{})
		p, q := m.fighter(t, 1, 0, 0), m.fighter(t, 2, 0, 0)
		m.agree(t, p, q)
		told := of[DuelTold](c.how(m))
		if len(told) != 2 || p.duel != nil || q.duel != nil {
			t.Errorf("%s: told %+v", name, told)
		}
		for _, e := range told {
			want := DuelWon
			switch c.lost {
			case e.ID:
				want = DuelLost
			case 0:
				want = DuelOver
			}
			if e.News != want {
				t.Errorf("%s: told %+v", name, e)
			}
		}
	}
}

func TestLifeDuel4And9Refused(t *testing.T) {
	m := newFight(Options{Zones: peaceWhere(func(at coords.Position) bool { return at.X > east(90).X })})
	p, q := m.fighter(t, 1, 0, 0), m.fighter(t, 2, 0, 0)
	try := func(c Duel, why rules.RejectReason) {
		t.Helper()
		told := of[DuelTold](m.asks(t, c))
		if len(told) != 1 || told[0].News != DuelRefused || told[0].Why != why {
			t.Errorf("%+v: told %+v, expected %q", c, told, why)
		}
	}
	try(Duel{ID: 1, Name: "nobody"}, rules.NobodyThere)
	try(Duel{ID: 1, Name: p.Name}, rules.Yourself)
	try(Duel{ID: 1, Word: AcceptDuel}, rules.NoChallenge)
	try(Duel{ID: 1, Word: EndDuel}, rules.NoChallenge)
	m.asks(t, Duel{ID: 1, Name: q.Name})
	try(Duel{ID: 2, Word: EndDuel}, rules.Declined)
	try(Duel{ID: 2, Word: AcceptDuel}, rules.NoChallenge)
	try(Duel{ID: 1, Name: q.Name}, rules.JustDeclined)
	m.pass(rules.DeclineCooldown)
	m.asks(t, Duel{ID: 1, Name: q.Name})
	events := m.pass(31 * time.Second)
	for i, e := range of[DuelTold](events) {
		if want := [...]DuelTold{{ID: 2, News: DuelExpired, Other: p.Name},
			{ID: 1, News: DuelExpired, Other: q.Name}}; e != want[i] {
			t.Errorf("told %+v", e)
		}
	}
	if len(of[DuelTold](events)) != 2 {
		t.Error("nobody is told that the challenge is over")
	}
	try(Duel{ID: 2, Word: AcceptDuel}, rules.NoChallenge)
	m.asks(t, Teleport{2, east(50)})
	try(Duel{ID: 1, Name: q.Name}, rules.TooFar)
	m.asks(t, Teleport{2, east(95)}, Teleport{1, east(96)})
	try(Duel{ID: 1, Name: q.Name}, rules.PeacefulPlace)
	m.asks(t, Teleport{2, shipstone}, Teleport{1, shipstone})
	try(Duel{ID: 1, Name: q.Name}, rules.JustDeclined)
	m.pass(rules.DeclineCooldown)
	m.agree(t, p, q)
	m.fighter(t, 3, 0, 0)
	try(Duel{ID: 3, Name: q.Name}, rules.Busy)
}

// A challenge that waits for its answer is not replaced by that of another player: the answer is for the first. When
// it is answered, or its player is gone, the next may come.
func TestASecondChallengeDoesNotReplaceTheFirst(t *testing.T) {
	for what, c := range map[string]struct {
		end  Command
		told []DuelTold
	}{
		"declined": {Duel{ID: 2, Word: EndDuel}, []DuelTold{{ID: 1, News: DuelRefused, Other: name(2), Why: rules.Declined}}},
		"accepted": {Duel{ID: 2, Word: AcceptDuel}, []DuelTold{{ID: 2, News: DuelAgreed, Other: name(1)},
			{ID: 1, News: DuelAgreed, Other: name(2)}}},
		"gone": {Leave{ID: 1}, nil},
	} {
		m := newFight(Options{})
		for id := range PlayerID(3) {
			m.fighter(t, id+1, 0, 0)
		}
		m.asks(t, Duel{ID: 1, Name: name(2)})
		if e := only[DuelTold](t, m.asks(t, Duel{ID: 3, Name: name(2)})); e.Why != rules.TheyHaveChallenge || e.ID != 3 {
			t.Errorf("%s: a second challenge is answered by %+v", what, e)
		}
		if told := of[DuelTold](m.asks(t, c.end)); !slices.Equal(told, c.told) {
			t.Errorf("%s: told %+v", what, told)
		}
		if c.told == nil || c.told[0].News != DuelAgreed {
			if told := of[DuelTold](m.asks(t, Duel{ID: 3, Name: name(2)})); len(told) != 2 || told[1].News != DuelOffered {
				t.Errorf("%s: then the other's is told as %+v", what, told)
			}
		}
	}
}

// A challenge outlasts an answer that comes too far away, and the end of a duel with another.
func TestAChallengeWaitsForAnAnswerThatCounts(t *testing.T) {
	m := newFight(Options{})
	p, q := m.fighter(t, 1, 0, 0), m.fighter(t, 2, 0, 0)
	m.fighter(t, 3, 0, 0)
	m.asks(t, Duel{ID: 3, Name: q.Name}, Teleport{2, east(50)})
	if e := only[DuelTold](t, m.asks(t, Duel{ID: 2, Word: AcceptDuel})); e.Why != rules.TooFar {
		t.Errorf("from far away it is answered by %+v", e)
	}
	m.asks(t, Teleport{2, shipstone})
	m.asks(t, Duel{ID: 2, Name: p.Name}, Duel{ID: 1, Word: AcceptDuel}, Duel{ID: 2, Word: EndDuel})
	if told := of[DuelTold](m.asks(t, Duel{ID: 2, Word: AcceptDuel})); len(told) != 2 || told[1].News != DuelAgreed {
		t.Errorf("after another duel it is answered by %+v", told)
	}
}

func TestLifeDuel6TwoDuelsDoNotMix(t *testing.T) {
	m := newFight(Options{})
	a, b, c, d := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 29, 29), m.fighter(t, 3, 29, 29), m.fighter(t, 4, 29, 29)
	m.agree(t, a, b)
	m.agree(t, c, d)
	for range 3 {
		m.asks(t, a.blowAt(b.Number), c.blowAt(d.Number))
		m.pass(2 * time.Second)
	}
	if !a.duels(b) || !c.duels(d) || a.duels(c) || a.duels(d) {
		t.Error("blows of one end the other")
	}
	b.Pools.HP = b.Pools.MaxHP / 10
	told := of[DuelTold](m.asks(t, a.blowAt(b.Number)))
	if len(told) != 2 || told[0].ID > 2 || told[1].ID > 2 || a.duel != nil || b.duel != nil || !c.duels(d) {
		t.Errorf("told %+v", told)
	}
	// A player that strikes into another duel ends that, and its own goes on.
	m.pass(2 * time.Second)
	m.agree(t, a, b)
	told = of[DuelTold](m.asks(t, a.blowAt(d.Number)))
	if len(told) != 2 || told[0].News != DuelMeddled || told[1].News != DuelMeddled || c.duel != nil || !a.duels(b) {
		t.Errorf("told %+v", told)
	}
}

func TestLifeDuel7NobodyMeddles(t *testing.T) {
	m := newCastStage(1, 2, 3)
	p, q := m.player(1), m.player(2)
	for _, p := range m.inside() {
		p.Title = 29
	}
	hp := func() {
		for id := PlayerID(1); id <= 3; id++ {
			v := m.player(id).Pools
			m.asks(t, setPools{id, rules.Pools{HP: v.MaxHP - 50, MP: v.MaxMP, Satiety: 50, MaxSatiety: 100}})
			m.player(id).lastBlow, m.player(id).lastUse = 0, 0
		}
	}
	for name, c := range map[string]struct {
		does Command
		ends bool
	}{
		"a blow":       {Strike{ID: 3, Target: 2}, true},
		"healing":      {on(3, cHeal, 1), true},
		"a good spell": {on(3, cWall, 1), true},
		"a bad spell":  {on(3, cWeak, 2), true},
		"draining":     {on(3, cDrain, 2), true},
		"of the other": {on(1, cWeak, 2), false},
		"of oneself":   {on(1, cHeal, 1), false},
	} {
		hp()
		m.agree(t, p, q)
		events := m.asks(t, c.does)
		told := of[DuelTold](events)
		if over := p.duel == nil && q.duel == nil; over != c.ends || c.ends &&
			(len(told) != 2 || told[0].News != DuelMeddled) {
			t.Errorf("%s: %s", name, describe(events))
		}
		if !c.ends {
			m.asks(t, Duel{ID: 1, Word: EndDuel})
		}
	}
}

// Review D3: poison that a duel leaves behind kills nobody.
func TestPoisonOfADuelEndsWithIt(t *testing.T) {
	m := newCastStage(1, 2)
	p, q := m.player(1), m.player(2)
	for _, p := range m.inside() {
		v := p.Pools
		m.asks(t, setPools{p.ID, rules.Pools{HP: v.MaxHP, MP: v.MaxMP, Satiety: 50, MaxSatiety: 100}})
	}
	m.agree(t, p, q)
	m.asks(t, on(1, cPoison, 2))
	if len(q.effects) != 1 {
		t.Fatalf("it has %+v", q.effects)
	}
	lost := false
	for range 400 {
		for _, e := range of[DuelTold](m.pass(time.Second)) {
			lost = lost || e.News == DuelLost && e.ID == 2
		}
		if lost {
			break
		}
		q.Pools.HP = min(q.Pools.HP, q.Pools.MaxHP/5)
	}
	hp := q.Pools.HP
	if !lost || hp != max(q.Pools.MaxHP/10, 1) || len(q.effects) != 0 {
		t.Errorf("lost %v with %d of %d HP and %+v", lost, hp, q.Pools.MaxHP, q.effects)
	}
	m.pass(30 * time.Second)
	if q.Pools.HP < hp || isDead(q) {
		t.Error("it goes on")
	}
}

// Nothing hurts a player for 30 s after it has come to life; its own attack ends that. Source: life check 6.3.
func TestLifeCheck6_3ProtectionEndsWithAnAttack(t *testing.T) {
	balance := grown()
	balance.Damage.MissPlayer, balance.Damage.MissMonster = 0, 0
	for _, strikes := range []bool{false, true} {
		m := newFight(Options{Balance: balance})
		p, q := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 29, 29)
		b := m.beast(mBiter, 1, 1)
		m.asks(t, deedOf(func(w *World) { w.vitals.hurt(q, Hit{HP: -30000}) }))
		only[PlayerRevived](t, m.asksAfter(t, 5*time.Second+TickPeriod))
		m.pass(25 * time.Second)
		hp := q.Pools.HP
		refused(t, m.asks(t, p.blowAt(q.Number)), rules.Protected)
		m.does(deedOf(func(w *World) { w.combat.swing(b, q) }))
		if q.Pools.HP < hp || m.vitals.mayBeNoticed(q) {
			t.Fatal("it is hurt, or noticed")
		}
		if strikes {
			m.asks(t, q.blowAt(b.object.ID))
		} else {
			m.pass(5 * time.Second)
		}
		m.pass(2 * time.Second)
		only[PlayerHit](t, m.asks(t, p.blowAt(q.Number)))
	}
}

// A blow ends what hides its owner, and one of a party strikes all others as before.
func TestABlowShowsItsOwner(t *testing.T) {
	m := newFight(Options{})
	p, q, r := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 29, 29), m.fighter(t, 3, 29, 29)
	m.asks(t, PartyCreate{1}, PartyApply{3, p.Name}, PartyAccept{1, r.Name})
	m.does(lays{1, 1, rules.Effect{ID: 1023, Key: "mssi", Kind: rules.SpecialEffect, Length: 1}})
	if !p.invisible() || m.vitals.mayBeNoticed(p) || !m.vitals.mayBeNoticed(q) {
		t.Fatal("it is not hidden, or others are")
	}
	if only[PlayerHit](t, m.asks(t, p.blowAt(q.Number))); p.invisible() {
		t.Error("it is still hidden")
	}
}

// Only harm of the two by each other ends with their duel.
func TestADuelEndsItsOwnHarmOnly(t *testing.T) {
	m := newFight(Options{})
	p, q := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 29, 29)
	m.fighter(t, 3, 29, 29)
	bad := func(id int, key string) rules.Effect {
		return rules.Effect{ID: id, Key: key, Kind: rules.BadEffect, Length: 1}
	}
	m.does(lays{2, 3, bad(868, "mbdn")})
	m.agree(t, p, q)
	m.does(lays{2, 1, wall()}, lays{2, 1, bad(879, "mbbw")}, lays{1, 1, bad(880, "mbws")})
	if len(q.effects) != 3 || len(p.effects) != 1 {
		t.Fatalf("they have %+v and %+v", q.effects, p.effects)
	}
	m.asks(t, Duel{ID: 1, Word: EndDuel})
	if len(q.effects) != 2 || len(p.effects) != 1 || q.effects[0].ID == 879 || q.effects[1].ID == 879 {
		t.Errorf("they keep %+v and %+v", q.effects, p.effects)
	}
}

// A challenge is answered once, and one of the two that trades has no duel. Source: life check 6.9.
func TestLifeCheck6_9OneThingAtATime(t *testing.T) {
	m := newFight(Options{})
	p, q := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 29, 29)
	m.fighter(t, 3, 29, 29)
	m.agree(t, p, q)
	m.asks(t, Duel{ID: 1, Word: EndDuel})
	if e := only[DuelTold](t, m.asks(t, Duel{ID: 2, Word: AcceptDuel})); e.Why != rules.NoChallenge {
		t.Errorf("a second answer is answered by %+v", e)
	}
	m.pass(10 * time.Second)
	only[PlayerTradeOpened](t, m.asks(t, TradeWithPlayer{ID: 1, With: 3})[:1])
	for _, c := range []Duel{{ID: 1, Name: q.Name}, {ID: 2, Name: p.Name}} {
		if e := only[DuelTold](t, m.asks(t, c)); e.News != DuelRefused || e.Why != rules.Busy {
			t.Errorf("while one trades %+v is answered by %+v", c, e)
		}
	}
}
