package world

import (
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// Attacks that cheating players have tried. Each test names the one that it ends.

// A1: a monster that was led to the end of its leash is not shot there: nothing hurts it until it is home, and whole.
func TestMonstersEvadeOnTheirWayHome(t *testing.T) {
	s := newWild(t, Options{}, Spawner{Key: "here", At: shipstone, Level: 5, Types: []int{1}})
	m := s.monsters()[0]
	p := s.lives(1, m.object.At)
	s.minds.addThreat(m, p, 5, rules.Physical)
	s.does(deedOf(func(w *World) {
		w.places.moveObject(m.object, east(55))
		w.places.place(p, east(57))
		w.places.space.Look(&p.Body)
	}))
	s.pass(time.Second)
	if m.mind.state != returning || !m.mind.evading() {
		t.Fatalf("beyond its leash it is in state %d", m.mind.state)
	}
	hp := m.HP
	s.does(deedOf(func(w *World) {
		if took := w.combat.hurtMonster(m, p, 50, rules.Physical); took != 0 {
			t.Errorf("it has lost %d HP", took)
		}
		w.spells.addMonsterEffect(m, rules.Effect{ID: 1005, Key: "mbps", Length: 1,
			Bonus: rules.Bonus{Stats: rules.Stats{-600}}}, p)
	}))
	if m.HP < hp || m.mind.state != returning || len(m.effects) > 0 || len(m.threat) > 0 {
		t.Errorf("%d HP of %d, state %d, %d effects, %d threats", m.HP, hp, m.mind.state, len(m.effects), len(m.threat))
	}
	s.pass(20 * time.Second)
	if m.HP != m.MaxHP || m.mind.evading() {
		t.Errorf("at home it has %d of %d HP", m.HP, m.MaxHP)
	}
	s.does(deedOf(func(w *World) { w.combat.hurtMonster(m, p, 5, rules.Physical) }))
	if m.HP == m.MaxHP {
		t.Error("at home nothing hurts it")
	}
}

// A monster that is shot from where it cannot come, over a cliff or beside a way, gives up, and from then on nothing
// hurts it until it is home, also if the one that it has chased leaves and another one goes on shooting.
func TestMonstersThatGiveUpAreNotShot(t *testing.T) {
	for _, leaves := range []bool{false, true} {
		s := newWild(t, Options{})
		m := s.summon(1, 5, shipstone)
		at := east(30)
		at.Y += 15
		a, b := s.lives(1, at), s.lives(2, at)
		s.does(deedOf(func(w *World) { w.places.moveObject(m.object, east(30)) }))
		shoot := func(p *player) (took int) {
			s.does(deedOf(func(w *World) { took = w.combat.hurtMonster(m, p, 1, rules.Physical) }))
			return took
		}
		if shoot(a) != 1 {
			t.Fatal("it is immune before it has given up")
		}
		for i := 0; !m.mind.gaveUp(); i++ {
			if s.pass(TickPeriod); i == 200 {
				t.Fatal("it does not give up")
			}
		}
		if shoot(a)+shoot(b) > 0 || len(m.threat) != 1 {
			t.Errorf("it has given up and is hurt, %d threats", len(m.threat))
		}
		if leaves {
			s.does(Leave{ID: 1})
		}
		for i := 0; m.mind.state == chasing; i++ {
			if s.pass(TickPeriod); i == 200 {
				t.Fatal("it does not go home")
			}
		}
		if m.mind.state != returning || shoot(b) > 0 || m.mind.state != returning {
			t.Errorf("leaves %v: on its way home it is hurt, state %d", leaves, m.mind.state)
		}
		s.pass(20 * time.Second)
		if m.HP != m.MaxHP || m.mind.evading() || shoot(b) != 1 {
			t.Errorf("at home it has %d of %d HP, evading %v", m.HP, m.MaxHP, m.mind.evading())
		}
	}
}

// A monster that has given up fights again when its foe comes to it.
func TestMonstersThatHaveGivenUpFightAFoeThatComes(t *testing.T) {
	s := newWild(t, Options{})
	m := s.summon(1, 5, shipstone)
	at := east(10)
	at.Y += 15
	p := s.lives(1, at)
	s.minds.addThreat(m, p, 5, rules.Physical)
	for i := 0; !m.mind.gaveUp(); i++ {
		if s.pass(TickPeriod); i == 200 {
			t.Fatal("it does not give up")
		}
	}
	s.does(deedOf(func(w *World) {
		w.places.place(p, m.object.At)
		w.places.space.Look(&p.Body)
	}))
	s.pass(time.Second)
	if m.mind.state != fighting || m.mind.evading() {
		t.Errorf("it is in state %d, evading %v", m.mind.state, m.mind.evading())
	}
}

// A monster that shoots is not led beyond its leash by a foe that stays in its range.
func TestFightsAreOnALeash(t *testing.T) {
	s := newWild(t, Options{})
	m := s.summon(2, 5, shipstone)
	p := s.lives(1, east(5))
	s.minds.addThreat(m, p, 5, rules.Physical)
	s.pass(2 * time.Second)
	if m.mind.state != fighting {
		t.Fatalf("it is in state %d", m.mind.state)
	}
	leash := s.balance.Mind.Leash
	s.does(deedOf(func(w *World) {
		w.places.moveObject(m.object, east(float32(leash)+1))
		w.places.place(p, east(float32(leash)+3))
		w.places.space.Look(&p.Body)
	}))
	s.pass(time.Second)
	if m.mind.state != returning || !m.mind.evading() {
		t.Errorf("beyond its leash it is in state %d, evading %v", m.mind.state, m.mind.evading())
	}
}

// A2: damage beyond the HP of a monster takes no share from others.
func TestOverkillIsWorthNothing(t *testing.T) {
	m := newFight(Options{})
	weak, strong := m.fighter(t, 1, 0, 0), m.fighter(t, 2, 0, 0)
	b := m.beast(mRich, 1, 1)
	b.MaxHP, b.HP = 217, 217
	m.does(deedOf(func(w *World) { w.combat.hurtMonster(b, weak, 216, rules.Physical) }))
	events := m.asks(t, deedOf(func(w *World) { w.combat.hurtMonster(b, strong, 2500, rules.Physical) }))
	died := only[*MonsterDied](t, events)
	if xp := weak.Progress.TitleXP; xp < 2 || strong.Progress.TitleXP > 0 {
		t.Errorf("who has done nearly all learns %d, the other %d", xp, strong.Progress.TitleXP)
	}
	refused(t, m.asks(t, Open{2, Container{Object: died.Bag.ID}}), rules.Promised)
	only[Opened](t, m.asks(t, Open{1, Container{Object: died.Bag.ID}}))
}

// A5: a poisoner that leaves pays for the death when it comes back.
func TestPoisonOfWhoHasLeftCostsKarma(t *testing.T) {
	for _, defends := range []bool{false, true} {
		m := newCastStage(1, 2)
		for id := PlayerID(1); id <= 2; id++ {
			m.player(id).Title, m.player(id).Pools.MP = 29, 40
		}
		if defends {
			m.does(deedOf(func(w *World) { w.combat.recordAggression(w.player(1), w.player(2)) }))
		}
		m.asks(t, on(1, cPoison, 2))
		if len(m.player(2).effects) == 0 {
			t.Fatal("it is not poisoned")
		}
		m.asks(t, Leave{ID: 1})
		m.does(deedOf(func(w *World) { w.player(2).Pools.HP = 1 }))
		m.asksAfter(t, 30*time.Second)
		if !isDead(m.player(2)) && m.player(2).protected.IsZero() {
			t.Fatal("it lives")
		}
		back := m.returning(1)
		m.asks(t, Enter{back})
		want := m.balance.Karma.Player[rules.KarmaNeutral]
		if defends {
			want = 0
		}
		if is := m.player(1).Progress.Karma; is != want || is != m.karma(m.player(1)) {
			t.Errorf("defends %v: karma %d, want %d, stored %d", defends, is, want, m.karma(m.player(1)))
		}
		if len(m.combat.absent) > 0 {
			t.Errorf("kept %v", m.combat.absent)
		}
	}
}

// A6: harm without a blow is remembered, too, and ends its caster's own protection.
func TestCursesAreHeldAgainstTheirCasters(t *testing.T) {
	for name, kind := range map[string]int{"weakening": cWeak, "draining": cDrain, "poison": cPoison} {
		m := newCastStage(1, 2)
		p, q := m.player(1), m.player(2)
		p.Title, q.Title, p.Pools.MP = 29, 29, 40
		p.protected = m.instant().Add(time.Minute)
		m.asks(t, on(1, kind, 2))
		if !m.combat.defends(q, p) || !p.protected.IsZero() {
			t.Errorf("%s: the victim defends itself %v, its caster is protected until "+
				"%v", name, m.combat.defends(q, p), p.protected)
		}
	}
}

// A7: a good spell that takes something is laid on one's own group only, and is no kindness.
func TestGoodSpellsThatRuinAreForFriends(t *testing.T) {
	m := newCastStage(1, 2)
	p, q := m.player(1), m.player(2)
	use := on(1, cRuin, q.Number)
	refused(t, m.asks(t, use), rules.NoUse)
	m.asks(t, PartyCreate{1}, PartyApply{2, p.Name}, PartyAccept{1, q.Name})
	karma := p.Progress.Karma
	if m.asks(t, use); len(q.effects) != 1 || p.Progress.Karma != karma {
		t.Errorf("%d effects, karma %d", len(q.effects), p.Progress.Karma)
	}
}

// A9: the next blow after a duel, which a client makes by itself, does not kill.
func TestATruceFollowsADuel(t *testing.T) {
	m := newFight(Options{})
	p, q := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 29, 29)
	third := m.fighter(t, 3, 29, 29)
	m.agree(t, p, q)
	q.Pools.HP = q.Pools.MaxHP/10 + 1
	m.asks(t, p.blowAt(q.Number))
	m.pass(2 * time.Second)
	refused(t, m.asks(t, p.blowAt(q.Number)), rules.Protected)
	refused(t, m.asks(t, q.blowAt(p.Number)), rules.Protected)
	q.Pools.HP = q.Pools.MaxHP
	only[PlayerHit](t, m.asks(t, third.blowAt(q.Number)))
	m.pass(m.balance.Duel.Truce)
	only[PlayerHit](t, m.asks(t, p.blowAt(q.Number)))
}

// A11: one message that leads far away is no way out of a fight; after a silence a player may have gone as far as
// that.
func TestOneStepLeadsOutOfNoFight(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 29, 29)
	try := func(what string, metres float32, believed bool) {
		t.Helper()
		to := p.Position
		to.X += metres
		m.Move(1, to)
		if events := m.does(); (len(of[MoveRefused](events)) == 0) != believed {
			t.Errorf("%s: %v", what, describe(events))
		}
		p.settleBy = 0
	}
	m.pass(10 * time.Second)
	try("nobody fights", 60, true)
	m.pass(10 * time.Second)
	m.harms(t, p, Hit{HP: -1})
	try("a step", 0.25, true)
	try("97 m", 97, false)
	try("20 m, which a network may hold back", 20, true)
	m.harms(t, p, Hit{HP: -1})
	m.pass(6 * time.Second)
	try("60 m after 6 s of silence", 60, true)
}

// A16: a player that dies while a token is being paid for lies where that was.
func TestTheDeadGoNowhereByTokens(t *testing.T) {
	m, teleport := newTravels()
	m.joins(1, token(kCharged, 1, 0, 26, 2, toWildAbove))
	request := only[CommitRequest](t, m.does(UseItem{1, 1, Target{Object: teleport}}))
	m.does(deedOf(func(w *World) { w.vitals.hurt(w.player(1), Hit{HP: -30000}) }))
	ids, err := m.apply(request.Change)
	if err != nil {
		t.Fatal(err)
	}
	events := m.asks(t, Committed{request.Seq, ids, nil})
	if p := m.player(1); len(of[Teleported](events)) > 0 || p.Position != shipstone || only[PlayerDied](t, events).At != shipstone {
		t.Errorf("at %v: %s", p.Position, describe(events))
	}
}

// A17: things in a sack are lost like any others.
func TestASackSavesNothing(t *testing.T) {
	balance := sharp()
	balance.Death.Thing = 1
	m := newFight(Options{Balance: balance})
	m.admits(Player{ID: 1, Items: []rules.Item{thing(kSmallBag, 1, 0, 27, 1), thing(kApple, 2, 1, 0, 4)},
		Progress: rules.Progress{Karma: -101, Base: rules.Stats{5}}})
	events := m.harms(t, m.player(1), Hit{HP: -30000})
	if lost := of[ItemDropped](events); len(lost) != 1 || lost[0].Item.ID != 2 {
		t.Errorf("lost %+v", lost)
	}
}

// A18: a powder of a moment does not hold up a slow weapon; a blow holds up a powder.
func TestPowdersHoldUpNoBlow(t *testing.T) {
	m := newCastStage(1)
	p := m.player(1)
	p.Pools.MP = 40
	p.lastBlow = m.instant().Add(-10 * time.Second)
	before := p.lastBlow
	only[Used](t, m.asks(t, on(1, cWall, 0)))
	if p.lastBlow != before {
		t.Error("a powder counts as a blow")
	}
	if m.combat.tooSoon(p, 5*time.Second) {
		t.Error("a blow of 5 s has to wait for a powder")
	}
	if !m.combat.usedJustNow(p, time.Second) {
		t.Error("a powder does not wait for a blow")
	}
}

// A19: the bag is for the group as it was at the kill.
func TestWhoJoinsAfterAKillHasNoPartInItsBag(t *testing.T) {
	m := newFight(Options{})
	p, q, late := m.fighter(t, 1, 0, 0), m.fighter(t, 2, 0, 0), m.fighter(t, 3, 0, 0)
	m.asks(t, PartyCreate{1}, PartyApply{2, p.Name}, PartyAccept{1, q.Name})
	bag := Container{Object: only[*MonsterDied](t, m.die(t, m.beast(mRich, 1, 1), p, hurtBy(p, 60, rules.Physical))).Bag.ID}
	m.asks(t, PartyApply{3, p.Name}, PartyAccept{1, late.Name})
	refused(t, m.asks(t, Open{3, bag}), rules.Promised)
	m.asks(t, PartyLeave{2})
	only[Opened](t, m.asks(t, Open{2, bag}))
}

// A20: monsters that operators summon are worth nothing, unless they are said to be.
func TestSummonedMonstersAreWorthNothing(t *testing.T) {
	for _, worthless := range []bool{false, true} {
		m := newFight(Options{})
		p := m.fighter(t, 1, 0, 0)
		id := m.NextEntityID()
		m.does(Summon{ID: id, Type: mRich, Level: 1, At: east(1), Worthless: worthless})
		b := m.object(id).monster
		karma := p.Progress.Karma
		died := only[*MonsterDied](t, m.die(t, b, p, hurtBy(p, 60, rules.Physical)))
		if gains := p.Progress.TitleXP > 0 || p.Progress.Karma != karma || died.Bag != nil || len(died.Gains) > 0; gains == worthless {
			t.Errorf("worthless %v: %+v, bag %v", worthless, died.Gains, died.Bag)
		}
	}
}

// A10: a player that leaves in a fight stays for a while, and can be struck; one that has not fought is gone at once.
func TestLeavingEndsNoFight(t *testing.T) {
	balance := sharp()
	balance.Blow.Linger = 10 * time.Second
	m := newFight(Options{Balance: balance})
	p, q := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 29, 29)
	m.fighter(t, 3, 0, 0)
	m.pass(30 * time.Second)
	only[Left](t, m.asks(t, Leave{ID: 3, Lingers: true}))
	m.asks(t, p.blowAt(q.Number))
	if events := m.asks(t, Leave{ID: 2, Lingers: true}); len(of[Left](events)) > 0 {
		t.Fatal("who was struck a moment ago is gone")
	}
	m.pass(2 * time.Second)
	only[PlayerHit](t, m.asks(t, p.blowAt(q.Number)))
	if events := m.asksAfter(t, 7*time.Second); len(of[Left](events)) > 0 {
		t.Error("it is gone too soon")
	}
	if left := of[Left](m.asksAfter(t, 2*time.Second)); len(left) != 1 || left[0].Player.ID != 2 || !left[0].Inside {
		t.Errorf("left: %+v", left)
	}
	// The end of the world waits for no fight, nor does a leave against the player's will.
	m.asks(t, Leave{ID: 1, Lingers: true})
	only[Left](t, m.asks(t, EndLingering{}))
	r := m.fighter(t, 4, 29, 29)
	m.asks(t, r.blowAt(r.Number))
	only[Left](t, m.asks(t, Leave{ID: 4}))
}

// A4: a blow of a duel gives no right to kill as if in self-defence.
func TestADuelIsNoLicenceToKill(t *testing.T) {
	for _, agreed := range []bool{true, false} {
		m := newFight(Options{})
		p, q := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 29, 29)
		if agreed {
			m.agree(t, p, q)
		}
		m.pass(time.Second)
		only[PlayerHit](t, m.asks(t, p.blowAt(q.Number)))
		m.asks(t, Duel{ID: q.ID, Word: EndDuel})
		if m.combat.defends(q, p) == agreed {
			t.Errorf("in a duel: %v, and a blow back is self-defence: %v", agreed, !agreed)
		}
	}
}

// A8: a mirror that ends a duel by throwing a blow back spares its bearer the rest of that blow.
func TestAMirrorThatWinsADuelEndsTheBlow(t *testing.T) {
	balance := *rules.DefaultBalance()
	balance.Damage.MissPlayer = 0
	m := newFight(Options{Balance: &balance})
	p, q := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 29, 29)
	m.agree(t, p, q)
	m.does(lays{2, 2, rules.Effect{ID: 1049, Kind: rules.SpecialEffect, Length: 101}})
	p.Pools.HP, q.Pools.HP = p.Pools.MaxHP/10+1, 1
	events := m.asks(t, p.blowAt(q.Number))
	lost := DuelTold{ID: 1, News: DuelLost, Other: q.Name}
	if len(of[PlayerDied](events)) > 0 || q.Pools.HP != 1 || isDead(p) || !slices.Contains(of[DuelTold](events), lost) {
		t.Errorf("the bearer has %d HP, the other %d, told %s", q.Pools.HP, p.Pools.HP, describe(events))
	}
}

// A15: the dead do not choose the place where they wake by a portal.
func TestTheDeadGoThroughNoPortal(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 29, 29)
	door := m.NextEntityID()
	m.does(Put{Object{ID: door, Position: shipstone, Kind: Portal{Place: "there", To: east(500)}}})
	m.harms(t, p, Hit{HP: -30000})
	if e := only[PortalRefused](t, m.asks(t, UsePortal{1, door})); e.Why != rules.Dead {
		t.Errorf("refused because of %v", e.Why)
	}
	m.pass(10 * time.Second)
	only[Teleported](t, m.asks(t, UsePortal{1, door}))
}

// The karma of a murder is not saved by a store that fails, nor by leaving while it does.
func TestKarmaOfAMurderOutlastsAStoreThatFails(t *testing.T) {
	for _, leaves := range []bool{false, true} {
		m := newFight(Options{})
		p, q := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 29, 29)
		q.Pools.HP = 1
		events := m.failing(3*time.Second, m.does(p.blowAt(q.Number)))
		if !isDead(q) || p.Progress.Karma != 0 || len(of[Gained](events)) > 0 {
			t.Fatalf("while nothing is stored: karma %d, %s", p.Progress.Karma, describe(events))
		}
		if leaves {
			m.failing(2*time.Second, m.does(Leave{ID: 1}))
			if m.player(1) != nil {
				t.Fatal("it has not left")
			}
			m.asks(t, Enter{m.returning(1)})
			p = m.player(1)
		}
		m.asksAfter(t, 3*time.Second)
		if p.Progress.Karma != -500 || m.karma(p) != -500 || len(m.combat.absent) > 0 {
			t.Errorf("leaves %v: karma %d, stored %d, kept %v", leaves, p.Progress.Karma, m.karma(p), m.combat.absent)
		}
	}
}

// Self-defence is against those that have struck, each of them, as long as their last blow was a moment ago: not
// against others.
func TestSelfDefenceIsAgainstTheAggressors(t *testing.T) {
	for name, c := range map[string]struct {
		by    []PlayerID // that strike, 50 s one after the other
		karma int
	}{
		"nobody": {nil, -500}, "another": {[]PlayerID{3}, -500}, "the victim": {[]PlayerID{2}, 0},
		"the victim and another": {[]PlayerID{2, 3}, 0}, "the victim twice": {[]PlayerID{2, 2}, 0},
		"the victim long ago": {[]PlayerID{2, 3, 3}, -500},
	} {
		m := newFight(Options{})
		p, q := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 29, 29)
		m.fighter(t, 3, 29, 29)
		for i, by := range c.by {
			if i > 0 {
				m.pass(50 * time.Second)
			}
			only[PlayerHit](t, m.asks(t, m.player(by).blowAt(p.Number)))
		}
		q.Pools.HP = 1
		if only[PlayerDied](t, m.asks(t, p.blowAt(q.Number))); p.Progress.Karma != c.karma {
			t.Errorf("struck by %s: karma %d, expected %d", name, p.Progress.Karma, c.karma)
		}
	}
}

// Numbers of monsters and players that are out of sight are no targets, wherever a client has them from.
func TestNothingOutOfSightIsStruck(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 29, 29)
	q := m.fighter(t, 2, 29, 29)
	m.asks(t, Teleport{2, east(900)})
	b := m.beast(mBiter, 5, 900)
	for _, id := range []EntityID{q.Number, b.object.ID} {
		refused(t, m.asks(t, p.blowAt(id)), rules.NotInSight)
	}
	if len(b.threat) > 0 || !p.lastBlow.IsZero() {
		t.Error("it has been struck at")
	}
}

// A shooter that leaves after a shot has paid for it.
func TestArrowsArePaidBeforeLeaving(t *testing.T) {
	m := newFight(Options{})
	p, b := m.archer(t, 2), m.beast(mTarget, 20, 25)
	r := only[CommitRequest](t, m.does(p.blowAt(b.object.ID)))
	m.pass(4 * time.Second)
	m.does(p.blowAt(b.object.ID))
	if events := m.does(Leave{ID: 1}); len(of[Left](events)) > 0 {
		t.Fatal("it leaves before its arrows are paid")
	}
	left := only[Left](t, m.settles(t, only[CommitRequest](t, m.settles(t, r)))).Player
	if len(left.Items) != 1 || len(m.things) != 1 {
		t.Errorf("it leaves with %+v, the store has %+v", left.Items, m.things)
	}
}

// A town's peace is broken from outside of it, too; a blow that is refused for another reason breaks none.
func TestThePeaceIsBrokenFromOutside(t *testing.T) {
	m := newFight(Options{Zones: peaceWhere(func(at coords.Position) bool { return at.X > east(2).X })})
	p, weak := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 0, 0)
	q := m.fighter(t, 3, 29, 29)
	m.asks(t, Teleport{3, east(3)})
	refused(t, m.asks(t, p.blowAt(weak.Number)), rules.TheyTooLow)
	if p.had().wanted != 0 {
		t.Error("it is wanted for nothing")
	}
	refused(t, m.asks(t, p.blowAt(q.Number)), rules.TheirPeacefulPlace)
	if p.had().wanted == 0 || weak.had().wanted != 0 || q.had().wanted != 0 {
		t.Error("it is not wanted, or others are")
	}
}

// The guards do not forgive one that leaves and comes back at once. The mark is kept no longer than it matters.
func TestThePeacebreakerIsWantedWhenItComesBack(t *testing.T) {
	m := newFight(Options{Zones: peaceWhere(func(coords.Position) bool { return true })})
	m.balance.Duel.Wanted = 5 * time.Minute // longer than all else that is kept
	p, q := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 29, 29)
	refused(t, m.asks(t, p.blowAt(q.Number)), rules.PeacefulPlace)
	until := p.had().wanted
	for range 2 {
		m.asks(t, Leave{ID: 1})
		m.pass(2 * time.Minute)
		m.asks(t, Enter{m.returning(1)})
		if is := m.player(1).had().wanted; is == 0 || is != until {
			t.Fatalf("wanted until %d, expected %d", is, until)
		}
	}
	m.asks(t, Leave{ID: 1})
	if m.pass(2 * time.Minute); len(m.combat.absent) > 0 {
		t.Errorf("kept %v", m.combat.absent)
	}
}

// One that leaves when it was hurt and comes back at once is no calmer for it.
func TestComingBackMakesNobodyCalm(t *testing.T) {
	m := newFight(Options{})
	m.pass(time.Minute)
	p := m.fighter(t, 1, 0, 0)
	m.does(deedOf(func(w *World) { w.vitals.hurt(p, Hit{Cause: Trap, HP: -1}) }))
	m.asks(t, Leave{ID: 1})
	m.asks(t, Enter{m.returning(1)})
	if p = m.player(1); m.unhurt(p) || !m.places.fought(p, rules.Calm) {
		t.Error("it is calm when it comes back")
	}
	m.pass(rules.Calm)
	if !m.unhurt(p) || m.places.fought(p, rules.Calm) {
		t.Error("it is never calm again")
	}
	m.asks(t, Leave{ID: 1})
	if len(m.combat.absent) > 0 {
		t.Errorf("kept %v", m.combat.absent)
	}
}

// The right of self-defence outlasts a death: who was killed may strike back as long as others may. Source: protocol
// fight 12.2.
func TestTheKilledMayStrikeBack(t *testing.T) {
	m := newFight(Options{})
	p, q := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 29, 29)
	p.Pools.HP = 1
	only[PlayerDied](t, m.asks(t, q.blowAt(p.Number)))
	m.asksAfter(t, 6*time.Second)
	q.Pools.HP = 1
	if only[PlayerDied](t, m.asks(t, p.blowAt(q.Number))); p.Progress.Karma != 0 || q.Progress.Karma != -500 {
		t.Errorf("the karma of the killed is %d, of its killer %d", p.Progress.Karma, q.Progress.Karma)
	}
}

// The dead cast nothing either that they have paid for: no harm, and no help.
func TestTheDeadCastNothing(t *testing.T) {
	for _, kind := range []int{cPoison, cWall} {
		m := newCastStage(1, 2)
		p, q := m.player(1), m.player(2)
		for _, p := range m.inside() {
			p.Title = 29
			m.asks(t, setPools{p.ID, rules.Pools{HP: p.Pools.MaxHP, MP: 40, Satiety: 50, MaxSatiety: 100}})
		}
		r := only[CommitRequest](t, m.does(on(1, kind, q.Number)))
		m.does(deedOf(func(w *World) { w.vitals.hurt(p, Hit{HP: -30000}) }))
		ids, err := m.apply(r.Change)
		if err != nil {
			t.Fatal(err)
		}
		events := m.asks(t, Committed{r.Seq, ids, nil})
		if u := only[Used](t, events); u.Left != 2 || len(q.effects) > 0 || !isDead(p) || m.combat.defends(q, p) {
			t.Errorf("%d: %d are left, the other has %+v", kind, u.Left, q.effects)
		}
	}
}

// Who comes in with the number of a player that has left has no part in what that one has hurt.
func TestANumberInheritsNoDamage(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 0, 0)
	m.fighter(t, 3, 0, 0)
	b := m.beast(mRich, 10, 1)
	m.does(deedOf(func(w *World) { w.combat.hurtMonster(b, w.player(3), b.HP-5, rules.Physical) }))
	m.asks(t, Leave{ID: 3})
	m.pass(time.Second)
	m.fighter(t, 3, 0, 0)
	e := only[*MonsterDied](t, m.asks(t, p.blowAt(b.object.ID)))
	if len(e.Gains) != 1 || e.Gains[0].ID != 1 || m.object(e.Bag.ID).inventory.Ground.Promised != p.Character {
		t.Errorf("gained %+v", e.Gains)
	}
}

// Nobody trades with a player that has left in a fight and lingers.
func TestNobodyTradesWithWhoLingers(t *testing.T) {
	balance := sharp()
	balance.Blow.Linger = 10 * time.Second
	m := newFight(Options{Balance: balance})
	m.fighter(t, 1, 29, 29)
	q := m.fighter(t, 2, 29, 29)
	m.asks(t, deedOf(func(w *World) { w.vitals.hurt(q, Hit{Cause: Trap, HP: -1}) }), Leave{ID: 2, Lingers: true})
	m.pass(dealCalm + TickPeriod)
	if m.player(2) != q || !q.lingers {
		t.Fatal("it does not linger")
	}
	refused(t, m.asks(t, TradeWithPlayer{ID: 1, With: 2}), rules.NobodyThere)
}
