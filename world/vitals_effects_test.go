package world

import (
	"slices"
	"testing"
	"time"

	"sphereserver/world/rules"
)

// lays puts an effect on a player, as a blow or a spell does.
type lays struct {
	on, by PlayerID
	e      rules.Effect
}

func (c lays) who() PlayerID { return c.on }

func (c lays) do(w *World) { w.vitals.addEffect(w.player(c.on), c.e, w.player(c.by)) }

func wall() rules.Effect {
	return rules.Effect{ID: 901, Key: "mgss", Length: 3, Bonus: rules.Bonus{PhysicalDefence: 15}}
}

func TestAnEffectCountsWhileItLasts(t *testing.T) {
	m := newTradeStage()
	m.joins(1)
	m.joins(2)
	events := m.does(lays{1, 2, wall()})
	e := only[EffectBegan](t, events)
	if e.ID != 1 || e.Caster != 2 || e.Effect.Left != 900*time.Second || e.Effect.Caster != 1002 {
		t.Errorf("told %+v", e)
	}
	if v := valuesOf(only[StatsChanged](t, events)); v[statPhysical] != 15 || len(v) != 1 {
		t.Errorf("changed %v", v)
	}
	if got := m.pass(900*time.Second - 2*TickPeriod); len(of[EffectEnded](got)) != 0 {
		t.Error("it ended before its time")
	}
	events = m.pass(3 * TickPeriod)
	if e := only[EffectEnded](t, events); e.Effect.ID != 901 {
		t.Errorf("told %+v", e)
	}
	if v := valuesOf(only[StatsChanged](t, events)); v[statPhysical] != 0 || len(v) != 1 {
		t.Errorf("changed %v", v)
	}
	if p := m.player(1); len(p.effects) != 0 || p.bonus() != (rules.Bonus{}) {
		t.Errorf("left %+v", p.afflictions)
	}
}

// A client that is told all again learns of the effects on its player, as they are by then, and loses what it looked
// into.
func TestAllIsShownAgain(t *testing.T) {
	m := newTradeStage()
	m.joins(1)
	m.does(lays{1, 1, wall()})
	m.pass(100 * time.Second)
	m.asks(t, OpenTrade{1, m.trader})
	events := m.asks(t, ShowAgain{1})
	if e := only[EffectBegan](t, events); e.Effect.ID != 901 || e.Effect.Left.Round(time.Second) != 800*time.Second {
		t.Errorf("told %+v", e)
	}
	if only[TradeClosed](t, events); m.player(1).trade.with != 0 {
		t.Error("the trade goes on")
	}
	events = m.pass(801 * time.Second)
	if e := only[EffectEnded](t, events); e.Effect.ID != 901 {
		t.Errorf("ended %+v", e)
	}
}

func TestTheGreatestHPFallWithAnEffect(t *testing.T) {
	m := newTradeStage()
	m.joins(1)
	m.asks(t, setPools{1, rules.Pools{HP: 110, MP: 40, Satiety: 50, MaxSatiety: 100}})
	events := m.does(lays{1, 0, rules.Effect{ID: 501, Key: "mmpk", Kind: rules.BadEffect, Length: 1,
		Bonus: rules.Bonus{HP: -20}}})
	if v := valuesOf(only[StatsChanged](t, events)); v[statMaxHP] != 88 || v[statHP] != 88 || len(v) != 2 {
		t.Errorf("changed %v", v)
	}
	if only[EffectBegan](t, events).Caster != 0 {
		t.Error("a monster's effect is somebody's")
	}
}

func TestEffectsWaitForThoseWhoAreNotInTheGame(t *testing.T) {
	m := newTradeStage()
	m.joins(1)
	m.does(lays{1, 1, wall()})
	m.pass(100 * time.Second)
	m.does(setPools{1, rules.Pools{HP: 60, MaxSatiety: 100}}, lays{1, 1, rules.Effect{ID: 909, Key: "mgcs", Length: 101}})
	due := of[SaveDue](m.pass(4 * time.Second))
	if len(due) == 0 || len(due[0].States[0].Effects) != 2 {
		t.Fatalf("kept %+v", due)
	}
	kept := due[0].States[0].Effects[0]
	if kept.ID != 901 || kept.Left > 800*time.Second || kept.Left < 795*time.Second {
		t.Errorf("kept %+v", kept)
	}
	m.pass(2 * time.Second) // the shorter one is over
	left := only[Left](t, m.does(Leave{ID: 1})).Player
	if len(left.Effects) != 1 || left.Effects[0].Left > 795*time.Second {
		t.Fatalf("left with %+v", left.Effects)
	}
	m.pass(time.Hour)
	left.Effects = append(left.Effects, rules.Effect{ID: -1}, left.Effects[0]) // no store should have these
	m.Do(Enter{left})
	events := m.pass(TickPeriod)
	e := only[EffectBegan](t, events)
	if e.Effect != left.Effects[0] || e.Caster != 1 {
		t.Errorf("entered with %+v", e)
	}
	if at := slices.IndexFunc(events, func(e Event) bool { _, is := e.(EffectBegan); return is }); at == 0 {
		t.Error("the effect is told before the player has entered")
	}
	if m.player(1).derived.PhysicalDefence != 15 {
		t.Error("it does not count")
	}
	if sheet, _ := SheetOf(testTables, nil, left); sheet.Derived.PhysicalDefence != 15 {
		t.Error("it does not count before the player enters")
	}
	if n := len(of[EffectEnded](m.pass(left.Effects[0].Left + TickPeriod))); n != 1 {
		t.Errorf("%d effects have ended", n)
	}
}

func TestInvisibilityEndsWithABlow(t *testing.T) {
	m := newTradeStage()
	m.joins(1)
	m.does(lays{1, 1, rules.Effect{ID: 1023, Key: "mssi", Kind: rules.SpecialEffect, Length: 1}}, lays{1, 1, wall()})
	p := m.player(1)
	if !p.invisible() || p.stunned() {
		t.Error("not invisible")
	}
	m.vitals.breakInvisibility(p)
	if e := only[EffectEnded](t, m.pass(TickPeriod)); p.invisible() || e.Effect.ID != 1023 || len(p.effects) != 1 {
		t.Errorf("ended %+v", e)
	}
}

func TestWhatIsBadEndsWithDeathAndTheRestWaits(t *testing.T) {
	m := newTradeStage()
	m.joins(1)
	m.does(lays{1, 1, wall()}, lays{1, 0, rules.Effect{ID: 1040, Key: "msog", Kind: rules.SpecialEffect, Length: 110}},
		lays{1, 1, rules.Effect{ID: 909, Key: "mgcs", Length: 103}})
	p := m.player(1)
	if !p.stunned() {
		t.Error("not stunned")
	}
	m.does(setPools{1, rules.Pools{MaxSatiety: 100}})
	m.vitals.dieEffects(p)
	if e := only[EffectEnded](t, m.pass(TickPeriod)); e.Effect.ID != 1040 || p.stunned() {
		t.Errorf("ended %+v", e)
	}
	if got := of[EffectEnded](m.pass(time.Minute)); len(got) != 0 {
		t.Errorf("of the dead %+v ended", got)
	}
	if got := of[EffectBegan](m.does(lays{1, 1, wall()})); len(got) != 0 {
		t.Error("an effect was laid on the dead")
	}
	m.vitals.age(p)
	m.does(setPools{1, rules.Pools{HP: 50, MaxSatiety: 100}})
	if got := of[EffectEnded](m.pass(9 * time.Second)); len(got) != 0 {
		t.Errorf("ended too soon: %+v", got)
	}
	if got := of[EffectEnded](m.pass(2 * time.Second)); len(got) != 1 || got[0].Effect.ID != 909 {
		t.Errorf("ended %+v", got)
	}
}

func TestCleansingTakesSomeAwayByChance(t *testing.T) {
	for id, want := range map[int]int{1024: 2, 1025: 4, 1026: 5} {
		m := newTradeStage()
		m.joins(1)
		for i := range 5 {
			m.does(lays{1, 1, rules.Effect{ID: 901 + i, Key: "mg" + string(rune('a'+i)), Length: 1}})
		}
		events := m.does(lays{1, 1, rules.Effect{ID: id, Key: "msrm", Kind: rules.SpecialEffect, Length: 1}})
		if got := len(of[EffectEnded](events)); got != want || len(m.player(1).effects) != 5-want ||
			len(of[EffectBegan](events)) != 0 {
			t.Errorf("%d took %d away", id, got)
		}
	}
	m := newTradeStage()
	m.joins(1)
	m.does(lays{1, 1, rules.Effect{ID: 1014, Key: "msal", Length: 1}}, lays{1, 1, wall()})
	events := m.does(lays{1, 0, rules.Effect{ID: 1020, Key: "msrm", Kind: rules.SpecialEffect, Length: 1}})
	if e := only[EffectEnded](t, events); e.Effect.ID != 1014 {
		t.Errorf("ended %+v", e)
	}
}

func TestWardsWorkOnBlows(t *testing.T) {
	ward := func(id int) rules.Effect {
		return rules.Effect{ID: id, Key: "", Kind: rules.SpecialEffect, Length: 101}
	}
	for name, c := range map[string]struct {
		on, by         int
		school         rules.School
		left, mp, heal int
	}{
		"none":                         {left: 20, mp: 40},
		"physical circle":              {on: 1009, left: 0, mp: 40},
		"magical circle":               {on: 1004, left: 20, mp: 40},
		"magical circle against magic": {on: 1004, school: rules.Magical, left: 0, mp: 40},
		"prana shield":                 {on: 1046, left: 10, mp: 30},
		"vampire":                      {by: 1047, left: 20, mp: 40, heal: 4},
	} {
		m := newTradeStage()
		m.joins(1)
		m.joins(2)
		if c.on != 0 {
			m.does(lays{1, 1, ward(c.on)})
		}
		if c.by != 0 {
			m.does(lays{2, 2, ward(c.by)})
		}
		left := m.vitals.ward(m.player(1), 20, c.school).Damage
		m.vitals.lifesteal(m.player(2), left)
		events := m.pass(TickPeriod)
		if left != c.left || m.player(1).Pools.MP != c.mp {
			t.Errorf("%s: left %d, MP %d", name, left, m.player(1).Pools.MP)
		}
		if healed := of[Healed](events); c.heal == 0 && len(healed) != 0 || c.heal != 0 &&
			(len(healed) != 1 || healed[0].HP != c.heal || healed[0].ID != 2) {
			t.Errorf("%s: healed %+v", name, healed)
		}
	}
}
