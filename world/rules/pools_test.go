package rules

import (
	"testing"
	"time"
)

func TestTheDeadDoNotRegenerate(t *testing.T) {
	dead := Pools{MaxHP: 100, MaxMP: 100}
	if dead.Regenerate(); dead.HP != 0 || dead.MP != 0 {
		t.Errorf("the dead regenerate: %+v", dead)
	}
	over := Pools{HP: 150, MaxHP: 100, MP: 3, MaxMP: 100}
	over.Regenerate()
	if over.HP != 150 {
		t.Errorf("HP above the maximum became %d", over.HP)
	}
}

// As recorded: 110 HP at the most, satiety 50. Protocol fight 9.5.
func TestCheck26Regeneration(t *testing.T) {
	p := Pools{HP: 93, MaxHP: 110, MP: 10, MaxMP: 100, Satiety: 50, MaxSatiety: 100}
	for i := range 8 {
		if p.Regenerate(); p.HP != 95+2*i || p.MP != 13+3*i {
			t.Errorf("period %d: HP %d, MP %d", i+1, p.HP, p.MP)
		}
	}
	if p.Regenerate(); p.HP != 110 {
		t.Errorf("HP %d, expected all", p.HP)
	}
	if p.Regenerate(); p.HP != 110 {
		t.Errorf("HP %d after all", p.HP)
	}
	for _, v := range []struct{ hp, satiety, gain int }{{100, 50, 2}, {100, 100, 3}, {100, 1, 1}, {100, 0, 0},
		{3900, 100, 13}} {
		p := Pools{HP: 1, MaxHP: v.hp, Satiety: v.satiety}
		if p.Regenerate(); p.HP != 1+v.gain {
			t.Errorf("%+v: expected %d more, found %d", v, v.gain, p.HP-1)
		}
	}
	full := Pools{HP: 1, MaxHP: 3900, MP: 0, MaxMP: 4950}
	if full.Regenerate(); full.MP != 5 {
		t.Errorf("4950 MP gain %d", full.MP)
	}
}

func TestHunger(t *testing.T) {
	b := DefaultBalance().Effect
	if m, r := b.Hunger(true), b.Hunger(false); m != 3*time.Minute || r != 6*time.Minute {
		t.Errorf("a point after %v moving and %v resting", m, r)
	}
}

func TestFedBonus(t *testing.T) {
	b := DefaultBalance().Effect
	for satiety, want := range map[int]int{-1: 5, 0: 5, 33: 5, 34: 10, 66: 10, 67: 15, 100: 15} {
		if got := b.FedBonus(satiety); got != want {
			t.Errorf("satiety %d gives %d %%, expected %d", satiety, got, want)
		}
	}
}
