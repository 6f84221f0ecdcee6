package rules

import (
	"math"
	"testing"
	"time"

	"sphereserver/coords"
)

// The radii, distances and speeds that ship. Source: protocol fight 4.4, 6.2.
func TestHowMonstersBehave(t *testing.T) {
	b := DefaultBalance().Mind
	wolf := Monster{Attack: -6, Karma: 1, Range: 3, Speed: 400}
	for name, v := range map[string]struct {
		m            Monster
		notice, keep float64
	}{
		"one that bites":     {wolf, 12, 2.2},
		"of karma band 2":    {Monster{Attack: -6, Karma: 2, Range: 3}, 12, 2.2},
		"of karma band 3":    {Monster{Attack: -6, Karma: 3, Range: 3}, 0, 2.2},
		"a practice target":  {Monster{Karma: 1, Range: 3}, 0, 2.2},
		"with magic alone":   {Monster{Magic: -6, Karma: 1, Range: 3}, 12, 2.2},
		"with a short reach": {Monster{Attack: -6, Range: 2}, 12, 2},
		"without a reach":    {Monster{Attack: -6}, 12, 1},
		"of reach 9":         {Monster{Attack: -6, Range: 9}, 12, 2.2},
		"an archer":          {Monster{Attack: -6, Range: 10}, 18, 10},
	} {
		if notice, keep := b.NoticeRadius(&v.m), b.Keep(&v.m); notice != v.notice || keep != v.keep {
			t.Errorf("%s notices at %v m and keeps %v m", name, notice, keep)
		}
	}
	for other, alone := range map[int]bool{10: false, 24: false, 25: true, 60: true} {
		if b.LeavesAlone(10, other) != alone {
			t.Errorf("a monster of level 10 and a player of level %d: %t", other, !alone)
		}
	}
	for name, v := range map[string]struct{ got, want float64 }{
		"walking":       {b.WalkSpeed(&wolf), 0.35 * 4},
		"near its prey": {b.ChaseSpeed(&wolf, 7.9), 0.6 * 4},
		"far from it":   {b.ChaseSpeed(&wolf, 8), 4},
		"the fastest":   {b.ChaseSpeed(&Monster{Speed: 710}, 20), 6},
	} {
		if math.Abs(v.got-v.want) > 1e-9 {
			t.Errorf("%s: %v m/s, expected %v", name, v.got, v.want)
		}
	}
	if (&Monster{Class: ClassWalker}).Flies() || !(&Monster{Class: ClassFlyer}).Flies() {
		t.Error("the wrong ones fly")
	}
}

// Directions begin along +z and turn towards -x. Source: protocol fight 4.4.
func TestYaw(t *testing.T) {
	for _, v := range []struct{ x, z, want float64 }{{0, 5, 0}, {-5, 0, 0.5}, {0, -5, 1}, {5, 0, 1.5}, {5, 5, 1.75}} {
		got := float64(Yaw(coords.Position{X: 100, Z: 100}, coords.Position{X: float32(100 + v.x), Z: float32(100 + v.z)}))
		if math.Abs(got-v.want*math.Pi) > 1e-6 || got < 0 {
			t.Errorf("towards %v, %v: %v, expected %v", v.x, v.z, got, v.want*math.Pi)
		}
	}
}

// Levels are spread around the middle, within those of the row, whose columns are less one.
func TestLevelNear(t *testing.T) {
	for _, v := range []struct{ low, high, middle, spread, least, most int }{
		{0, 0, 10, 2, 8, 12}, {0, 0, 10, 0, 10, 10}, {0, 0, 1, 2, 1, 3}, {9, 10, 10, 2, 10, 11}, {19, 25, 3, 2, 20, 20},
		{0, 4, 30, 2, 5, 5},
	} {
		r, least, most := dice(4), math.MaxInt, 0
		for range 500 {
			level := (&Monster{Low: v.low, High: v.high}).LevelNear(r, v.middle, v.spread)
			least, most = min(least, level), max(most, level)
		}
		if least != v.least || most != v.most {
			t.Errorf("%+v: levels %d to %d", v, least, most)
		}
	}
}

func TestBetween(t *testing.T) {
	r := dice(5)
	for _, v := range []struct{ least, most time.Duration }{{8 * time.Second, 20 * time.Second}, {5, 5}, {9, 3}} {
		for range 200 {
			if d := Between(r, v.least, v.most); d < v.least || d > max(v.most, v.least) {
				t.Fatalf("%v between %v and %v", d, v.least, v.most)
			}
		}
	}
}
