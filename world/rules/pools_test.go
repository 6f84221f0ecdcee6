package rules

import "testing"

func TestTheDeadDoNotRegenerate(t *testing.T) {
	dead := Pools{MaxHP: 100, MaxMP: 100}
	if dead.Regenerate() || dead.HP != 0 || dead.MP != 0 {
		t.Errorf("the dead regenerate: %+v", dead)
	}
	over := Pools{HP: 150, MaxHP: 100, MP: 3, MaxMP: 100}
	over.Regenerate()
	if over.HP != 150 {
		t.Errorf("HP above the maximum became %d", over.HP)
	}
}

// The figures are those of protocol ingame 12.4: for 100 HP and satiety 50, (0.04+0.33)·6·(0.3+50/114) per period.
func TestRegenerationKeepsFractions(t *testing.T) {
	p := Pools{HP: 50, MaxHP: 100, MP: 10, MaxMP: 100, Satiety: 50, MaxSatiety: 100}
	hp, mp := 50.0, 10.0
	for i := range 12 {
		hp += (100*0.0004 + 0.33) * 6 * (0.3 + 50.0/114)
		mp += (100*0.000056 + 0.55) * 6
		if p.Regenerate(); p.HP != int(hp) || p.MP != int(mp) {
			t.Errorf("period %d: HP %d, MP %d, want %d and %d", i, p.HP, p.MP, int(hp), int(mp))
		}
	}
	hungry := Pools{HP: 50, MaxHP: 100, MP: 10, MaxMP: 100}
	for range 10 {
		if hungry.Regenerate() {
			t.Fatal("the hungry gain HP")
		}
	}
	if hungry.MP <= 10 {
		t.Error("the hungry gain no MP")
	}
}

func TestSatietyBonus(t *testing.T) {
	for satiety, want := range map[int]int{-1: 5, 0: 5, 33: 5, 34: 10, 66: 10, 67: 15, 100: 15} {
		if got := SatietyBonus(satiety); got != want {
			t.Errorf("satiety %d gives %d %%, expected %d", satiety, got, want)
		}
	}
}
