package world

import (
	"testing"
	"time"

	"sphereserver/world/rules"
)

func TestMonstersBearEffects(t *testing.T) {
	m := newCastStage(1)
	b := m.beast(mBiter, 1, 3)
	was := b.attack(&m.balance.Damage)
	m.asks(t, on(1, cWeak, b.object.ID))
	if is := b.attack(&m.balance.Damage); is.Physical != was.Physical-15 || b.defence(&m.balance.Damage).Physical != 20 {
		t.Errorf("it strikes with %+v, before with %+v", is, was)
	}
	m.asks(t, setPools{1, rules.Pools{HP: 50, MP: 90, MaxSatiety: 100}})
	m.pass(200 * time.Second)
	if is := b.attack(&m.balance.Damage); is != was || len(b.effects) != 0 {
		t.Errorf("after it has ended it strikes with %+v", is)
	}
	m.asks(t, deedOf(func(w *World) {
		w.spells.addMonsterEffect(b, rules.Effect{ID: 1040, Key: "msog", Kind: rules.SpecialEffect, Length: 101},
			w.player(1))
		w.combat.swing(b, w.player(1))
	}))
	if got := m.pass(TickPeriod); len(of[*MonsterSwung](got)) != 0 {
		t.Error("what is stunned strikes")
	}
}

func TestPoisonKills(t *testing.T) {
	m := newCastStage(1, 2)
	b := m.beast(mTarget, 1, 3)
	if e := only[Used](t, m.asks(t, on(1, cPoison, b.object.ID))); e.Left != 2 {
		t.Errorf("used %+v", e)
	}
	var events []Event
	for range 36 {
		events = append(events, m.asksAfter(t, time.Second)...)
	}
	if e := only[*MonsterDied](t, events); e.Killer != 1 {
		t.Errorf("died %+v", *e)
	}

	p := m.player(2)
	m.asks(t, setPools{2, rules.Pools{HP: 3, MaxSatiety: 100}})
	m.does(lays{2, 1, rules.Effect{ID: 1005, Key: "mbps", Kind: rules.BadEffect, Length: 1,
		Bonus: rules.Bonus{Stats: rules.Stats{-40}}}})
	events = nil
	for range 26 {
		events = append(events, m.asksAfter(t, time.Second)...)
	}
	hits := of[PlayerHit](events)
	if len(hits) != 3 || hits[0].Hit.By != 1 || hits[0].Hit.HP != -1 || hits[0].Died || !hits[2].Died {
		t.Errorf("poison of 40 in 300 s hits %+v", hits)
	}
	if e := of[EffectEnded](events); len(e) != 1 || len(p.effects) != 0 {
		t.Errorf("ended %+v", e)
	}
}

func TestTheGreatestHPOfMonstersFall(t *testing.T) {
	m := newCastStage(1)
	b := m.beast(mTarget, 5, 1)
	whole := b.MaxHP
	b.mind.hurt = m.instant() // else it rests and is well at once
	events := m.asks(t, on(1, cLess, b.object.ID))
	e := only[*HealthSeen](t, events)
	if b.MaxHP != whole-40 || b.HP != whole-40 || e.ID != b.object.ID || e.HP != b.HP || e.MaxHP != b.MaxHP {
		t.Errorf("HP %d of %d, whole %d, told %+v", b.HP, b.MaxHP, whole, *e)
	}
	events = m.pass(6 * time.Second)
	if e = only[*HealthSeen](t, events); b.MaxHP != whole || b.HP != whole-40 || e.MaxHP != whole {
		t.Errorf("after it HP %d of %d, told %+v", b.HP, b.MaxHP, *e)
	}
	m.balance.Effect.MonsterHP = 0.1
	m.asks(t, on(1, cLess, b.object.ID))
	if b.MaxHP != whole-whole/10 {
		t.Errorf("%d of %d HP are left, expected nine tenths", b.MaxHP, whole)
	}
}

// A monster that falls asleep under such an effect is well once that has passed, as all that sleep.
func TestSleepersAreWellAfterACurse(t *testing.T) {
	m := newCastStage(1)
	b := m.beast(mTarget, 5, 1)
	whole := b.MaxHP
	less := rules.Effect{ID: 882, Key: "mbds", Kind: rules.SpecialEffect, Bonus: rules.Bonus{HP: -40}, Length: 110}
	b.mind.hurt = m.instant()
	m.does(deedOf(func(w *World) { w.spells.addMonsterEffect(b, less, w.player(1)) }), Leave{ID: 1})
	m.pass(m.balance.Mind.StayAwake + 2*time.Second)
	if b.mind.awake || b.HP != b.MaxHP || b.MaxHP >= whole {
		t.Fatalf("awake %v, HP %d of %d, whole %d", b.mind.awake, b.HP, b.MaxHP, whole)
	}
	m.pass(less.Whole())
	if b.HP != whole || b.MaxHP != whole {
		t.Errorf("HP %d of %d, whole %d", b.HP, b.MaxHP, whole)
	}
}

// On monsters spells do as they cost: effects that a player's client applies by itself the server applies to
// monsters.
func TestWhatEffectsDoToMonsters(t *testing.T) {
	curse := func(m *tradeStage, b *monster, id int) {
		m.does(deedOf(func(w *World) {
			w.spells.addMonsterEffect(b, rules.Effect{ID: id, Key: "msog", Kind: rules.SpecialEffect, Length: 200}, w.player(1))
			if len(b.effects) != 1 {
				t.Fatalf("effect %d does not hold", id)
			}
		}))
	}
	way := func(id int) float64 {
		m := newCastStage(1)
		b := m.beast(mBiter, 1, 40)
		b.row = &rules.Monster{ID: mBiter, Class: 210, Range: 3, Delay: 7, HPBase: 64, Attack: -60, Speed: 400}
		if id != 0 {
			curse(m, b, id)
		}
		from := b.object.At
		m.does(deedOf(func(w *World) { w.minds.addThreat(b, w.player(1), 5, rules.Physical) }))
		m.pass(3 * time.Second)
		return flat(from, b.object.At)
	}
	whole := way(0)
	for _, id := range []int{1010, 1011} {
		if half := way(id); whole < 3 || half < 0.4*whole || half > 0.6*whole {
			t.Errorf("effect %d: it goes %.1f m, else %.1f m", id, half, whole)
		}
	}
	if gone := way(1036); gone != 0 {
		t.Errorf("in fetters it goes %.1f m", gone)
	}
	swings := func(id int) (hit, missed int) {
		m := newCastStage(1)
		b := m.beast(mBiter, 1, 1)
		if id != 0 {
			curse(m, b, id)
		}
		p := m.player(1)
		for range 200 {
			p.Pools.HP, p.protected = 1_000_000, 0
			for _, e := range m.does(deedOf(func(w *World) {
				b.mind.strike = w.instant()
				w.minds.swingIfDue(b, p)
			})) {
				if e, ok := e.(*MonsterSwung); ok && e.Missed {
					missed++
				} else if ok {
					hit++
				}
			}
		}
		return hit, missed
	}
	for id, want := range map[int]struct{ swings, missed int }{0: {200, 0}, 1036: {200, 0}, 1012: {200, 100}, 1016: {200, 100}, 1017: {200, 100}, 1039: {0, 0}} {
		hit, missed := swings(id)
		if hit+missed < want.swings || want.swings == 0 && hit+missed > 0 || missed < want.missed-30 || missed > want.missed+30 {
			t.Errorf("effect %d: %d hits, %d misses", id, hit, missed)
		}
	}
	notices := func(id int) bool {
		m := newCastStage(1)
		b := m.beast(mBiter, 1, 8)
		b.row = &rules.Monster{ID: mBiter, Class: 210, Range: 3, Delay: 7, HPBase: 64, Attack: -6, Karma: 1}
		if id != 0 {
			curse(m, b, id)
			b.mind.state = resting
			m.does(deedOf(func(w *World) { w.minds.calm(b) }))
		}
		m.pass(5 * time.Second)
		return b.mind.target != nil
	}
	if !notices(0) || notices(1016) || notices(1039) {
		t.Errorf("notices: by itself %v, blind %v, a pig %v", notices(0), notices(1016), notices(1039))
	}
}

// An effect that takes prana takes HP from a monster, which has none.
func TestDrainingHurtsMonsters(t *testing.T) {
	m := newCastStage(1)
	b := m.beast(mBiter, 1, 2)
	b.HP, b.MaxHP = 100, 100
	if e := only[*MonsterHurt](t, m.asks(t, on(1, cDrain, b.object.ID))); e.Damage != 15 || b.HP != 85 || b.mind.target == nil {
		t.Errorf("hurt %+v", *e)
	}
}

// A monster that falls asleep stunned keeps no more thoughts than others once that has passed.
func TestSleepersForgetThatTheyWereStunned(t *testing.T) {
	m := newCastStage(1)
	b := m.beast(mBiter, 1, 3)
	stun := rules.Effect{ID: 1040, Key: "msog", Kind: rules.SpecialEffect, Length: 110}
	m.does(deedOf(func(w *World) { w.spells.addMonsterEffect(b, stun, w.player(1)) }), Leave{ID: 1})
	m.pass(m.balance.Mind.StayAwake + 2*time.Second)
	if b.mind.awake || b.mind.thoughts == nil {
		t.Fatalf("awake %v, thoughts %+v", b.mind.awake, b.mind.thoughts)
	}
	m.pass(stun.Whole())
	if b.mind.thoughts != nil || len(b.effects) > 0 {
		t.Errorf("thoughts %+v, effects %v", b.mind.thoughts, b.effects)
	}
}
