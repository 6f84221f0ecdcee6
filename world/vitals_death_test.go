package world

import (
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// harms has something hurt a player, and all that follows made durable.
func (m *tradeStage) harms(t testing.TB, p *player, h Hit) []Event {
	return m.asks(t, deedOf(func(w *World) { w.vitals.hurt(p, h) }))
}

func TestCheck28DeathAndRevival(t *testing.T) {
	inn := coords.Position{X: 2292, Y: 155.3, Z: -2386}
	asked := 0
	m := newFight(Options{Revival: func(at coords.Position, band int) coords.Position {
		if asked = band; at != shipstone {
			t.Errorf("it died at %v", at)
		}
		return inn
	}})
	p := m.fighter(t, 1, 0, 0)
	m.fighter(t, 2, 0, 0)
	b := m.beast(mBiter, 1, 1)
	b.threat = []threat{hurtBy(p, 5, rules.Physical)}
	events := m.harms(t, p, Hit{By: b.object.ID, HP: -5000})
	hit, died := only[PlayerHit](t, events), only[PlayerDied](t, events)
	if !hit.Died || hit.Pools.HP != 0 || died.By != b.object.ID || died.At != p.Position ||
		died.Is != died.Was || died.Is.Pools.Satiety != 40 {
		t.Errorf("told %+v, %+v", hit, died)
	}
	if p.Tally != (rules.Tally{Deaths: 1}) {
		t.Errorf("the tally is %+v", p.Tally)
	}
	if len(b.threat) > 0 {
		t.Error("the monster still goes after the dead")
	}
	for _, c := range []Command{p.blowAt(b.object.ID), p.blowAt(p.Number), TakeInHand{ID: 1}, Drop{1, 101, shipstone}} {
		refused(t, m.asks(t, c), rules.Dead)
	}
	m.Move(1, east(1))
	if e := only[MoveRefused](t, m.does()); e.Why != nil || p.Position != shipstone {
		t.Errorf("the dead walk: %+v", e)
	}
	if m.vitals.mayBeHurt(p) || m.vitals.mayBeNoticed(p) {
		t.Error("the dead are hurt")
	}
	m.harms(t, p, Hit{HP: 40})
	if events := m.harms(t, p, Hit{HP: -40}); len(of[PlayerHit](events)) > 0 || p.Pools.HP != 0 {
		t.Error("the dead are hurt or healed")
	}
	if events := m.pass(5*time.Second - 8*TickPeriod); len(of[PlayerRevived](events)) > 0 || p.Pools.HP != 0 {
		t.Error("it lives too early")
	}
	events = m.pass(time.Second)
	lives := only[PlayerRevived](t, events)
	if lives.To != inn || lives.Pools.HP != 100 || p.Pools.HP < 100 || asked != 3 || len(of[Teleported](events)) > 0 {
		t.Errorf("told %+v of band %d", lives, asked)
	}
	if m.vitals.mayBeHurt(p) || m.combat.mayFight(m.player(2), p) == 0 {
		t.Error("it is not protected")
	}
	m.pass(m.balance.Death.Protection)
	if !m.vitals.mayBeHurt(p) {
		t.Error("it is protected for too long")
	}
}

// Review D4, attack A13: dying makes hungry, and the hungry have fewer HP. The client is told so, since a later kill
// must not take some of them in silence.
func TestTheDeadAreToldOfTheirHunger(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 0, 0)
	p.Pools.Satiety = 40
	m.does(deedOf(func(w *World) { w.vitals.recomputeStats(p) }))
	most := p.Pools.MaxHP
	changed := told[PoolsChanged](m.harms(t, p, Hit{HP: -30000}))
	if len(changed) != 1 {
		t.Fatalf("told %+v", changed)
	}
	if e := changed[0]; e.Before.MaxHP != most || e.Now.Satiety != 30 || e.Now.MaxHP >= most || e.Now.HP != 0 || p.Pools != e.Now {
		t.Errorf("told %+v, it is %+v", e, p.Pools)
	}
	was := p.Pools
	m.does(deedOf(func(w *World) { w.vitals.recomputeStats(p) }))
	if p.Pools != was {
		t.Errorf("then %+v", p.Pools)
	}
}

func TestCheck29DeathCostsExperience(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 29, 9)
	p.Progress.TitleXP, p.Progress.DegreeXP = 1424017, 255402
	p.known = p.told()
	e := only[PlayerDied](t, m.harms(t, p, Hit{Cause: LackOfAir, HP: -30000}))
	if x := e.Is.Progress; x.TitleXP != 1246962 || x.DegreeXP != 223647 || e.Was.Progress.TitleXP != 1424017 ||
		p.Progress != x || m.sheets[p.Character].Progress != x || m.sheets[p.Character].Pools.HP != 0 {
		t.Errorf("told %+v, the store has %+v", e, m.sheets[p.Character])
	}
}

// A death that cannot be stored costs its experience all the same, once, which is saved as other experience is.
func TestDeathThatCannotBeStoredCostsExperience(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 29, 9)
	p.Progress.TitleXP = 100_000
	p.known = p.told()
	r := only[CommitRequest](t, m.does(deedOf(func(w *World) { w.vitals.hurt(p, Hit{HP: -30000}) })))
	p.unsaved = false
	e := only[PlayerDied](t, m.does(Committed{Seq: r.Seq, Err: errConflict}))
	if e.Was.Progress.TitleXP != 100_000 || e.Is.Progress.TitleXP != 87_567 || p.Progress.TitleXP != 87_567 || !p.unsaved {
		t.Errorf("told %+v", e)
	}
	if m.failing(3*time.Second, nil); p.Progress.TitleXP != 87_567 {
		t.Errorf("then it has %d", p.Progress.TitleXP)
	}
	if left := only[Left](t, m.asks(t, Leave{ID: 1})); left.Player.Progress.TitleXP != 87_567 {
		t.Errorf("left with %d", left.Player.Progress.TitleXP)
	}
}

// What else a death costs, an item and the karma of a suicide, waits for a store that fails, also if the dead player
// leaves meanwhile.
func TestADeathIsPaidWhenTheStoreIsBack(t *testing.T) {
	balance := sharp()
	balance.Death.Thing = 1
	for _, leaves := range []bool{false, true} {
		m := newFight(Options{Balance: balance})
		m.admits(Player{ID: 1, Title: 29, Items: []rules.Item{thing(kApple, 1, 0, 27, 4), thing(kApple, 2, 0, 28, 4)},
			Progress: rules.Progress{Karma: -101, Base: rules.Stats{5}}})
		p := m.player(1)
		at := p.Position
		events := m.does(deedOf(func(w *World) { w.vitals.hurt(p, Hit{By: p.Number, HP: -30000}) }))
		if only[PlayerDied](t, m.failing(3*time.Second, events)); len(p.carried.Items) != 2 || p.Progress.Karma != -101 {
			t.Errorf("without a store: karma %d, %+v", p.Progress.Karma, p.carried.Items)
		}
		if leaves {
			m.failing(2*storePatience, m.does(Leave{ID: 1}))
			if m.player(1) != nil {
				t.Fatal("it has not left")
			}
			back := m.returning(1)
			back.Position, back.Progress.Karma = east(20), -101
			events = m.asks(t, Enter{back})
			p = m.player(1)
		}
		events = append(events, m.asksAfter(t, 3*time.Second)...)
		drop := only[ItemDropped](t, events)
		if drop.At.Distance(at) > 1 || len(p.carried.Items) != 1 || len(m.objects()) != 1 {
			t.Errorf("leaves %v: dropped %+v", leaves, drop)
		}
		if want := rules.AddKarma(-101, balance.Karma.Suicide); p.Progress.Karma != want || m.karma(p) != want {
			t.Errorf("leaves %v: karma %d, stored %d, want %d", leaves, p.Progress.Karma, m.karma(p), want)
		}
		if m.agrees(t); p.had().owed() || len(m.combat.absent) > 0 {
			t.Errorf("leaves %v: still owes", leaves)
		}
	}
}

// Wounds and revivals are saved: else a server that ends makes the wounded whole, and the living dead.
func TestWoundsAndRevivalsAreSaved(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 0, 0)
	for name, do := range map[string]func(w *World){
		"a wound": func(w *World) { w.vitals.hurt(p, Hit{HP: -1}) },
		"a revival": func(w *World) {
			p.Pools.HP = 0
			w.vitals.rise(p, p.Position, 10)
		},
	} {
		m.does(deedOf(func(w *World) {
			p.unsaved, w.unsaved = false, nil
			do(w)
			if !p.unsaved || len(w.unsaved) != 1 {
				t.Errorf("%s is not saved", name)
			}
		}))
	}
}

// What is bound, worn or filled is not lost by dying.
func TestWhatDeathDoesNotTake(t *testing.T) {
	balance := sharp()
	balance.Death.Thing = 1
	m := newFight(Options{Balance: balance})
	bound := thing(kApple, 1, 0, 27, 4)
	bound.Bound = true
	inside := thing(kApple, 4, 3, 0, 1)
	inside.Bound = true
	m.admits(Player{ID: 1, Items: []rules.Item{bound, thing(kHelmet, 2, 0, 0, 1), thing(kSmallBag, 3, 0, 28, 1), inside},
		Progress: rules.Progress{Karma: -2000, Base: rules.Stats{5}}})
	p := m.player(1)
	if events := m.harms(t, p, Hit{HP: -30000}); len(of[ItemDropped](events)) > 0 || len(p.carried.Items) != 4 {
		t.Errorf("%s", describe(events))
	}
	balance.Death.Thing = 0
	m.admits(Player{ID: 2, Items: []rules.Item{thing(kApple, 11, 0, 27, 4)}, Progress: rules.Progress{Karma: -2000}})
	if events := m.harms(t, m.player(2), Hit{HP: -30000}); len(of[ItemDropped](events)) > 0 {
		t.Errorf("without a chance: %s", describe(events))
	}
}

func TestSuicideCostsKarma(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 0, 0)
	for p.Pools.HP > 0 {
		hp := p.Pools.HP
		hit := only[PlayerHit](t, m.asks(t, p.blowAt(p.Number)))
		if d := -hit.Hit.HP; d < 10 || d > 18 || hit.Hit.By != p.Number || hp-min(d, hp) != p.Pools.HP {
			t.Errorf("hit %+v", hit)
		}
		m.pass(1500 * time.Millisecond)
	}
	if p.Progress.Karma != -300 || p.Appearance.Karma != rules.KarmaBad || m.sheets[p.Character].Progress.Karma != -300 {
		t.Errorf("karma is %d", p.Progress.Karma)
	}
}

func TestBadKarmaLosesSomething(t *testing.T) {
	balance := sharp()
	balance.Death.Thing = 1
	for karma, loses := range map[int]bool{-101: true, -100: false} {
		m := newFight(Options{Balance: balance})
		m.admits(Player{ID: 1, Items: []rules.Item{thing(kApple, 1, 0, 27, 4), thing(kHelmet, 2, 0, 0, 1)},
			Progress: rules.Progress{Karma: karma, Base: rules.Stats{5}}})
		p := m.player(1)
		events := m.harms(t, p, Hit{HP: -30000})
		only[PlayerDied](t, events)
		dropped := of[ItemDropped](events)
		if (len(dropped) == 1) != loses || (p.carried.Find(1) == nil) != loses || p.carried.Find(2) == nil {
			t.Errorf("with karma %d: %s", karma, describe(events))
		}
		if loses && (dropped[0].Item.ID != 1 || len(m.objects()) != 1 ||
			m.objects()[0].inventory.RootItem().Class != rules.ClassLootBag) {
			t.Errorf("dropped %+v", dropped)
		}
	}
}

func TestWhoComesBackDeadLivesAgain(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 0, 0)
	m.harms(t, p, Hit{HP: -30000})
	left := only[Left](t, m.asks(t, Leave{ID: 1}))
	if left.Player.Pools.HP != 0 {
		t.Errorf("left with %+v", left.Player.Pools)
	}
	m.pass(10 * time.Second)
	if e := only[PlayerHit](t, m.does(Enter{left.Player})); !e.Died {
		t.Errorf("it enters dead, and is told %+v", e)
	}
	if events := m.pass(4900 * time.Millisecond); len(of[PlayerRevived](events)) > 0 {
		t.Error("it lives too early")
	}
	if e := only[PlayerRevived](t, m.pass(200*time.Millisecond)); e.Pools.HP != 100 {
		t.Errorf("told %+v", e)
	}
}

func TestWhoDiesAndLeavesHasLost(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 29, 9)
	p.Progress.TitleXP = 100_000
	r := only[CommitRequest](t, m.does(deedOf(func(w *World) { w.vitals.hurt(p, Hit{HP: -30000}) }), Leave{ID: 1}))
	if _, err := m.apply(r.Change); err != nil {
		t.Fatal(err)
	}
	if e := only[Left](t, m.does(Committed{r.Seq, nil, nil})); e.Player.Progress.TitleXP != 87_567 {
		t.Errorf("left with %+v", e.Player.Progress)
	}
}

func TestOperatorsHealAndRevive(t *testing.T) {
	m := newFight(Options{Revival: func(coords.Position,
		int) coords.Position {
		return coords.Position{X: 2292, Y: 155, Z: -2386}
	}})
	p := m.fighter(t, 1, 0, 0)
	m.harms(t, p, Hit{HP: -40, MP: -30})
	refused(t, m.asks(t, Revive{ID: 1}), rules.Alive)
	events := m.asks(t, Heal{ID: 1, Tag: 3})
	if e := only[Granted](t, events); e.Command != (Heal{ID: 1, Tag: 3}) {
		t.Errorf("told %+v", e)
	}
	if e := only[Healed](t, events); p.Pools.HP != p.Pools.MaxHP || p.Pools.MP != p.Pools.MaxMP || e.HP != 40 {
		t.Errorf("told %+v of %+v", e, p.Pools)
	}
	if events := m.asks(t, Heal{ID: 1}); len(of[Granted](events)) != 1 || len(of[Healed](events)) != 0 {
		t.Errorf("who is whole is told %s", describe(events))
	}

	m.harms(t, p, Hit{HP: -5000})
	refused(t, m.asks(t, Heal{ID: 1}), rules.Dead)
	m.pass(2 * time.Second)
	events = m.asks(t, Revive{ID: 1})
	only[Granted](t, events)
	lives := only[PlayerRevived](t, events)
	if lives.To != shipstone || lives.Pools.HP != p.Pools.MaxHP || m.vitals.mayBeHurt(p) {
		t.Errorf("told %+v", lives)
	}

	// The timer of the death that was cut short does not revive it from the next one.
	p.protected = 0
	m.harms(t, p, Hit{HP: -5000})
	if events := m.pass(4 * time.Second); len(of[PlayerRevived](events)) > 0 {
		t.Error("it lives too early")
	}
	only[PlayerRevived](t, m.pass(1500*time.Millisecond))
}
