package world

import (
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

func TestGuardsGoAfterThoseWhoBreakThePeace(t *testing.T) {
	balance := sharp()
	balance.Damage.MissMonster, balance.Duel.Wanted = 0, 20*time.Second
	m := newFight(Options{Balance: balance, Zones: rules.NewZones(rules.ZonePlaces{Towns: []coords.Position{shipstone}})})
	p, q := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 29, 29)
	m.does(AddSpawners{[]Spawner{{Key: "guard", At: east(2), Level: 30, Types: []int{mBiter}, Alone: true,
		Mind: MindNamed("town guard")},
		{Key: "wild", At: east(16), Level: 30, Types: []int{mBiter}}}})
	if n := len(m.monsters()); n != 1 {
		t.Fatalf("%d monsters are in the town", n)
	}
	guard := m.monsters()[0]
	m.pass(10 * time.Second)
	if guard.mind.target != nil || p.Pools.HP < p.Pools.MaxHP {
		t.Fatal("it goes after somebody who keeps the peace")
	}
	refused(t, m.asks(t, p.blowAt(q.Number)), rules.PeacefulPlace)
	m.pass(15 * time.Second)
	if guard.mind.target != p || p.Pools.HP == p.Pools.MaxHP || q.Pools.HP < q.Pools.MaxHP {
		t.Errorf("it is at %v, goes after %v, HP %v and %v", guard.object.At, guard.mind.target == p, p.Pools, q.Pools)
	}
	m.pass(40 * time.Second)
	if guard.mind.target != nil || flat(guard.object.At, guard.mind.home) > 10 {
		t.Errorf("it goes after %v at %v after it is over", guard.mind.target, guard.object.At)
	}
	events := m.asks(t, q.blowAt(guard.object.ID))
	if len(of[*MonsterHurt](events)) != 1 && flat(q.At, guard.object.At) < 3 {
		t.Error("it cannot be struck")
	}
	m.does(deedOf(func(w *World) { w.minds.addThreat(guard, q, 5, rules.Physical) }))
	m.pass(10 * time.Second)
	if guard.mind.target != q {
		t.Error("it lets itself be struck")
	}
	e := only[*MonsterDied](t, m.die(t, guard, q, hurtBy(q, 60, rules.Physical)))
	if len(e.Gains) > 0 || e.Bag != nil {
		t.Errorf("a guard is worth %+v", e)
	}
}
