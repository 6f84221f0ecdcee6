package world

import (
	"testing"
	"time"

	"sphereserver/world/rules"
)

func TestFoodFeeds(t *testing.T) {
	m := newCastStage(1)
	events := m.asks(t, on(1, cBread, 0))
	changed := told[PoolsChanged](events)
	if len(changed) != 1 || changed[0].Now.Satiety <= changed[0].Before.Satiety || len(of[Healed](events)) != 0 {
		t.Errorf("told %+v", changed)
	}
	m.balance.Effect.Food[rules.Bread] = 1
	m.pass(m.balance.Effect.LeastUse)
	if changed = told[PoolsChanged](m.asks(t, on(1, cBread, 0))); changed[0].Now.Satiety != changed[0].Before.Satiety+1 {
		t.Errorf("told %+v", changed)
	}
}

func TestSatietyFallsFasterOnTheWay(t *testing.T) {
	m := newCastStage(1)
	p := m.player(1)
	p.heard = true
	hungry := func(d time.Duration, walks bool) int {
		was := p.Pools.Satiety
		for end := m.now.Add(d); m.now.Before(end); {
			if walks {
				m.places.moveTo(&p.entity, east(float32(m.now.Unix()%90)))
			}
			m.pass(rules.RegenerationPeriod)
		}
		return was - p.Pools.Satiety
	}
	if n := hungry(30*time.Minute, false); n != 5 {
		t.Errorf("half an hour of rest costs %d", n)
	}
	if n := hungry(30*time.Minute, true); n != 10 {
		t.Errorf("half an hour of walking costs %d", n)
	}
	m.does(setPools{1, rules.Pools{HP: 50, Satiety: 34, MaxSatiety: 100}})
	events := m.pass(6*time.Minute + time.Second)
	changed := told[PoolsChanged](events)
	if len(changed) != 1 || changed[0].Now.Satiety != 33 || changed[0].Now.MaxHP >= changed[0].Before.MaxHP {
		t.Errorf("told %+v", changed)
	}
	m.does(setPools{1, rules.Pools{HP: 50, MaxSatiety: 100}})
	if hungry(time.Hour, false) != 0 {
		t.Error("somebody is hungrier than hungry")
	}
}

// Things that are used up come one after the other, though they have no use time. Mantras do not wait for them, and they
// do not wait for mantras.
func TestThingsThatAreUsedUpAreNotUsedAtOnce(t *testing.T) {
	m := newCastStage(1, 2)
	m.balance.Effect.LeastUse = time.Second
	eats := on(1, cBread, 0)
	only[Used](t, m.asks(t, eats))
	refused(t, m.asks(t, eats), rules.TooSoon)
	refused(t, m.asks(t, on(1, cWall, 0)), rules.TooSoon)
	only[Used](t, m.asks(t, on(2, cBread, 0)))
	only[Used](t, m.asks(t, on(1, cRests, 0)))
	m.pass(500 * time.Millisecond)
	refused(t, m.asks(t, eats), rules.TooSoon)
	m.pass(500 * time.Millisecond)
	only[Used](t, m.asks(t, eats))
	m.balance.Effect.LeastUse = 0
	only[Used](t, m.asks(t, eats))
}

func TestASatietyPotionLastsSixHours(t *testing.T) {
	m := newCastStage(1)
	p := m.player(1)
	p.heard = true
	m.asks(t, setPools{1, rules.Pools{HP: 50, Satiety: 90, MaxSatiety: 100}})
	base := p.derived.HP
	e := p.Pools
	events := m.does(lays{1, 1, rules.SatedEffect()})
	if v := valuesOf(only[StatsChanged](t, events)); v[statMaxHP] != base+base*25/100 || e.MaxHP != base+base*15/100 {
		t.Errorf("changed %v, of %d", v, base)
	}
	if e := only[EffectBegan](t, events); !e.Effect.Sates() {
		t.Errorf("told %+v", e)
	}
	m.does(lays{1, 1, rules.Effect{ID: 1026, Key: "", Length: 1}}, lays{1, 1, wall()}, lays{1, 1, rules.SatedEffect()})
	if len(p.effects) != 2 {
		t.Errorf("effects %+v", p.effects)
	}
	m.pass(time.Hour)
	kept := m.vitals.lasting(p)
	if p.Pools.Satiety != 90 || len(kept) != 1 || !kept[0].Sates() || !kept[0].Sound() {
		t.Errorf("satiety %d, kept %+v", p.Pools.Satiety, kept)
	}
	if w, ok := rules.DefaultBalance().Effect.SpellOf(rules.ClassSatiety, &rules.Kind{Class: rules.ClassSatiety},
		&rules.Columns{}); !ok ||
		!w.Effect.Sates() || w.Satiety != 100 || w.Harms() {
		t.Errorf("the potion is %+v", w)
	}
}
