package rules

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"
)

func dice(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// The figures of protocol fight 4.2, and of gamerules 18 for low levels.
func TestCheck15MonstersHP(t *testing.T) {
	for _, v := range []struct {
		base, level int
		named       bool
		hp          int
	}{
		{80, 2, false, 128}, {112, 20, false, 1388}, {98, 22, false, 1538}, {90, 33, false, 2106}, {90, 30, true, 2830},
		{160, 50, true, 8980}, {120, 50, false, 4530}, {100, 21, false, 1500}, {100, 40, false, 2830}, {100, 41, false, 3100}, {64, 1, true, 64}, {32, 1, false, 32}, {0, 60, false, 0},
	} {
		if hp := (&Monster{HPBase: v.base}).MaxHP(v.level, v.named); hp != v.hp {
			t.Errorf("base %d level %d named %v: expected %d HP, found %d", v.base, v.level, v.named, v.hp, hp)
		}
	}
}

// Recorded monsters, and those of others' list, have the HP of the law; type 1210 has them in a closed dungeon by a
// factor of its own, which is open.
func TestCheck15RecordedMonstersHP(t *testing.T) {
	types := readNumbers(t, "monsters.tsv")
	rows := types.monsters()
	spawns := readNumbers(t, "spawns.tsv")
	checked := 0
	for _, r := range spawns.rows {
		if spawns.text(r, "what") != "monster" {
			continue
		}
		id, level, hp := spawns.number(r, "type"), spawns.number(r, "level"), spawns.number(r, "hp")
		m := rows[id]
		if id == 1210 && level > 20 {
			continue
		}
		if common, named := m.MaxHP(level, false), m.MaxHP(level, true); hp != common && hp != named {
			t.Errorf("type %d level %d: recorded %d HP, found %d, or %d with a name", id, level, hp, common, named)
		}
		checked++
	}
	if checked < 30 {
		t.Errorf("expected at least 30 monsters, found %d", checked)
	}
}

// The figures of protocol fight 7.1.
func TestDefenceLaw(t *testing.T) {
	b := DefaultBalance().Damage
	for _, v := range []struct{ roll, defence, damage float64 }{
		{140, 70, 80}, {70, 70, 10}, {35, 70, 2}, {270, 308, 33}, {15, 3, 12}, {100, 1000, 1}, {50, 0, 50}, {50, -5, 50},
	} {
		if damage := int(b.Pierce(v.roll, v.defence) + 1e-9); damage != int(v.damage) {
			t.Errorf("a roll of %v behind a defence of %v: expected %v, found %d", v.roll, v.defence, v.damage, damage)
		}
	}
}

// Recorded blows lie within the band, and the band is no wider than they are. Protocol fight 7.1.
func TestCheck27RecordedDamages(t *testing.T) {
	b := DefaultBalance()
	sword := Attack{Physical: 15, Spread: 2}
	rat := b.Damage.AttackOf(&Monster{Attack: -6}, 1, false)
	for _, v := range []struct {
		name     string
		attack   Attack
		recorded string
		low, top int
	}{
		{"start sword", sword, "15 12 13 13 11 10 13 13 18 10 13 15 10 15 12 14 12 10 14 15 14", 10, 18},
		{"type 1069 of level 1", rat, "6 5 6 6 5 5", 5, 6},
		{"fists", Attack{Physical: b.Damage.Fists, Fixed: true}, "2", 2, 2},
	} {
		found, r := map[int]bool{}, dice(7)
		for range 2000 {
			found[b.Damage.Damage(r, v.attack, Defence{})] = true
		}
		for d := range found {
			if d < v.low || d > v.top {
				t.Errorf("%s: expected damages from %d to %d, found %d", v.name, v.low, v.top, d)
			}
		}
		for _, text := range strings.Fields(v.recorded) {
			if d, _ := strconv.Atoi(text); !found[d] {
				t.Errorf("%s: %d is recorded and never comes", v.name, d)
			}
		}
	}
}

func TestDamageHasBounds(t *testing.T) {
	b, r := DefaultBalance().Damage, dice(1)
	for _, v := range []struct {
		name    string
		attack  Attack
		defence Defence
		damage  int
	}{
		{"nothing", Attack{}, Defence{}, 1},
		{"a giant", Attack{Physical: 1 << 40, Magical: 1 << 40}, Defence{}, MaxDamage},
		{"a wall", Attack{Physical: 1}, Defence{Physical: 1 << 40}, 1},
		{"both schools", Attack{Physical: 10, Magical: 20, Fixed: true}, Defence{}, 30},
		{"the other school's defence", Attack{Physical: 10, Fixed: true}, Defence{Magical: 1000}, 10},
	} {
		if d := b.Damage(r, v.attack, v.defence); d != v.damage {
			t.Errorf("%s: expected %d, found %d", v.name, v.damage, d)
		}
	}
}

func TestMonstersAttackAndDefend(t *testing.T) {
	b := DefaultBalance().Damage
	m := &Monster{Attack: -8, Magic: -3, Physical: 2, Magical: 1}
	if a := b.AttackOf(m, 10, false); a != (Attack{Physical: 80, Magical: 30}) {
		t.Errorf("attack at level 10: %+v", a)
	}
	if a := b.AttackOf(m, 10, true); a != (Attack{Physical: 100, Magical: 37}) {
		t.Errorf("attack at level 10 with a name: %+v", a)
	}
	if d := b.DefenceOf(m, 10, false); d != (Defence{20, 10}) {
		t.Errorf("defence at level 10: %+v", d)
	}
	b.Curve = 1
	if d := b.DefenceOf(m, 11, false); d != (Defence{14, 7}) { // 1 + 0.6 · 10 times
		t.Errorf("defence at level 11 by the law of HP: %+v", d)
	}
}

// Protocol fight 7.2: worn items count with the item in the hand, once; magic only if that has some.
func TestPlayersAttack(t *testing.T) {
	b := DefaultBalance().Damage
	worn := Derived{WornAttack: -7, WornMagic: -3}
	sword := &Kind{Class: 500, Columns: Columns{Attack: -20, Spread: 2}}
	staff := &Kind{Class: 500, Columns: Columns{Attack: -20, Magic: -9}}
	powder := &Kind{Class: 453, Columns: Columns{Magic: -30, Spread: 5}}
	healing := &Kind{Class: 1000, Columns: Columns{Magic: 540}}
	for _, v := range []struct {
		name   string
		derive Derived
		with   *Kind
		attack Attack
	}{
		{"fists", worn, nil, Attack{Physical: 9, Fixed: true}},
		{"bare fists", Derived{}, nil, Attack{Physical: 2, Fixed: true}},
		{"cursed fists", Derived{WornAttack: 50}, nil, Attack{Fixed: true}},
		{"practised fists", Derived{WornAttack: -7, Title: 4}, nil, Attack{Physical: 9 + 4*b.FistsLevel, Fixed: true}},
		{"a sword", worn, sword, Attack{Physical: 27, Spread: 2}},
		{"a sword with magic", worn, staff, Attack{Physical: 27, Magical: 12}},
		{"a powder", worn, powder, Attack{Magical: 33}},
		{"what heals", worn, healing, Attack{}},
	} {
		var n *Columns
		if v.with != nil {
			n = &v.with.Columns
		}
		if a := b.AttackWith(&v.derive, v.with, n); a != v.attack {
			t.Errorf("%s: expected %+v, found %+v", v.name, v.attack, a)
		}
	}
}

// A blow counts as of the school that hurts more, a physical one if neither does; what has no attack hurts nobody.
func TestSchoolsOfAttacks(t *testing.T) {
	for a, want := range map[Attack]School{{Physical: 9, Magical: 54}: Magical, {Physical: 9, Magical: 9}: Physical,
		{Physical: 9}: Physical, {Magical: 1}: Magical, {}: Physical} {
		if got := a.School(); got != want {
			t.Errorf("%+v: %d", a, got)
		}
	}
	for n, want := range map[Columns]bool{{Attack: -1}: true, {Magic: -1}: true, {Attack: 5, Magic: 5}: false, {}: false,
		{Attack: 5, Magic: -1}: true} {
		if n.Hurts() != want {
			t.Errorf("%+v: %t", n, !want)
		}
	}
}

func TestReachAndTime(t *testing.T) {
	b := DefaultBalance().Blow
	sword := &Columns{Range: 2, UseTime: 150}
	area := &Columns{Range: 720, UseTime: 300}
	if m, r := b.Reach(nil); m != 3 || r != 0 {
		t.Errorf("fists reach %v and %v around", m, r)
	}
	if m, r := b.Reach(sword); m != 2 || r != 0 {
		t.Errorf("a sword reaches %v and %v around", m, r)
	}
	if m, r := b.Reach(area); m != 20 || r != 7 {
		t.Errorf("a powder reaches %v and %v around", m, r)
	}
	for _, v := range []struct {
		with     *Columns
		distance float64
		in       bool
	}{{nil, 6, true}, {nil, 6.1, false}, {sword, 5, true}, {sword, 5.1, false}, {area, 23, true}, {area, 23.1, false},
		{&Columns{}, 5, true}} {
		if (v.distance <= b.Within(v.with)) != v.in {
			t.Errorf("%+v at %v: expected %v", v.with, v.distance, v.in)
		}
	}
	if d := b.UseTime(nil); d != 2*time.Second {
		t.Errorf("fists take %v", d)
	}
	if d := b.UseTime(sword); d != 1500*time.Millisecond {
		t.Errorf("a sword takes %v", d)
	}
	// Check 9: a second blow within 0.8 of the use time does not count.
	if b.Counts(b.UseTime(sword), 1199*time.Millisecond) || !b.Counts(b.UseTime(sword), 1200*time.Millisecond) {
		t.Error("a blow counts at another time")
	}
}

func TestMissesAreAsRareAsTheBalanceSays(t *testing.T) {
	r := dice(3)
	missed := 0
	for range 10000 {
		if Missed(r, 0.05) {
			missed++
		}
	}
	if missed < 400 || missed > 600 {
		t.Errorf("%d of 10000 missed", missed)
	}
	if Missed(r, 0) {
		t.Error("what never misses has missed")
	}
}

// Beginners have it easier, the less so the higher their level is.
func TestBeginnersHaveItEasier(t *testing.T) {
	d := DamageBalance{EasyLevel: 11, EasyPart: 0.5}
	for _, v := range []struct{ damage, level, want int }{{100, 1, 50}, {100, 6, 75}, {100, 10, 95}, {100, 11, 100}, {100, 60, 100},
		{1, 1, 1}, {0, 1, 0}} {
		if got := d.OfMonster(v.damage, v.level); got != v.want {
			t.Errorf("%d of a monster's blow at level %d: %d, expected %d", v.damage, v.level, got, v.want)
		}
	}
	x := ExperienceBalance{EasyLevel: 11, EasyFactor: 11}
	for level, want := range map[int]int{1: 110, 2: 100, 6: 60, 10: 20, 11: 10, 50: 10} {
		h := []Contributor{{Level: level, XP: 10}}
		if x.Ease(h); h[0].XP != want {
			t.Errorf("10 experience at level %d: %d, expected %d", level, h[0].XP, want)
		}
	}
	s := SpawnBalance{Common: 3, LevelSpread: 2, EasyLevel: 5, EasyCommon: 1, EasySpread: 4}
	if s.CommonOf(5) != 1 || s.CommonOf(6) != 3 || s.SpreadOf(5) != 2 || s.SpreadOf(6) != 2 {
		t.Error("spawners for beginners are others than the balance says")
	}
	off := SpawnBalance{Common: 3}
	if off.CommonOf(1) != 3 || (&DamageBalance{}).OfMonster(9, 1) != 9 {
		t.Error("without the keys it is not as for everybody")
	}
}
