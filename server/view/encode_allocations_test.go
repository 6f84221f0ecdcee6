//go:build !race

// The race detector makes pools drop what they hold, by chance.

package view

import (
	"fmt"
	"testing"

	"sphereserver/world"
)

// Steps cost no memory, and none is spent on the rescue that is deferred for each client.
func TestStepsAllocateNothing(t *testing.T) {
	s := newStage(t)
	for i := range 20 {
		o := wild(64)
		o.ID += world.EntityID(i)
		o.Position = spot
		for _, id := range all {
			s.sees(id, fmt.Sprint("monster ", i), o)
		}
	}
	e, to := &world.Moved{Viewers: all}, spot
	tick := func() {
		for _, id := range all {
			s.viewers[id].got = s.viewers[id].got[:0]
		}
		for i := range 20 {
			e.ID, e.To = beast+world.EntityID(i), to
			s.Moved(e)
		}
		s.EndTick()
		s.BeginTick()
	}
	tick()
	plain := testing.AllocsPerRun(100, tick)
	s.Rescue = func(any) {}
	rescued := testing.AllocsPerRun(100, tick)
	if plain > 0 || rescued > 0 {
		t.Errorf("20 steps for each of three allocate %v times, %v times with a rescue", plain, rescued)
	}
}

// A blow at a monster costs no memory, whether its HP are told or not.
func TestBlowsAllocateNothing(t *testing.T) {
	s := fight(t)
	e := &world.MonsterHurt{ID: beast, Viewers: all, By: world.EntityID(me), Damage: 3, HP: 61, MaxHP: 64}
	tick := func() {
		for _, id := range all {
			s.viewers[id].got = s.viewers[id].got[:0]
		}
		for e.Hits = range 4 {
			s.MonsterHurt(e)
		}
		s.EndTick()
		s.BeginTick()
	}
	tick()
	if n := testing.AllocsPerRun(100, tick); n > 0 {
		t.Errorf("four blows allocate %v times", n)
	}
}
