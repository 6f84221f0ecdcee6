package rules

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"sphereserver/coords"
)

func TestStepsShareWhatTheTimeAllows(t *testing.T) {
	pace := Pace{Speed: 10, Slack: 40}
	for _, c := range []struct {
		name   string
		step   coords.Position // each
		every  time.Duration
		n      int
		passed int // of them
	}{
		{"a runner", coords.Position{X: 5}, 500 * time.Millisecond, 100, 100},
		{"a runner whose positions come late and together", coords.Position{Z: 4.5}, 0, 8, 8},
		{"hops in one go", coords.Position{X: 20}, 0, 50, 2},
		{"hops each tick", coords.Position{X: 20}, 50 * time.Millisecond, 41, 3}, // 40 m, and 20 m in 2 s
		{"twice as fast", coords.Position{X: 10}, 500 * time.Millisecond, 100, 53},
		{"a stair", coords.Position{X: 2, Y: 1}, 250 * time.Millisecond, 100, 100},
		{"straight up", coords.Position{Y: 10}, 100 * time.Millisecond, 21, 3}, // 20 m, and 10 m in 2 s
		{"a fall", coords.Position{Y: -90}, 10 * time.Millisecond, 3, 3},
		{"one jump that is too far", coords.Position{X: 40.5}, time.Second, 10, 0},
	} {
		now, at, passed := time.Unix(0, 0), coords.Position{}, 0
		s := Stride{at: now.UnixNano()}
		for range c.n {
			to := coords.Position{X: at.X + c.step.X, Y: at.Y + c.step.Y, Z: at.Z + c.step.Z}
			if pace.Step(&s, at, to, now) == nil {
				at = to
				passed++
			}
			now = now.Add(c.every)
		}
		if passed != c.passed {
			t.Errorf("%s: %d of %d steps were plausible, want %d", c.name, passed, c.n, c.passed)
		}
	}
}

func TestWhoIsPutSomewhereHasSpentItsStride(t *testing.T) {
	pace, now := Pace{Speed: 10, Slack: 40}, time.Unix(0, 0)
	s := pace.Spent(now, 30)
	if pace.Step(&s, coords.Position{}, coords.Position{X: 31}, now) == nil {
		t.Error("31 m at once were plausible, of 30")
	}
	if err := pace.Step(&s, coords.Position{}, coords.Position{X: 30}, now); err != nil {
		t.Error(err)
	}
	s = Pace{Speed: math.Inf(1)}.Spent(now, 30)
	if err := (Pace{Speed: math.Inf(1)}).Step(&s, coords.Position{}, coords.Position{X: 9000, Y: 9000}, now); err != nil {
		t.Error(err)
	}
}

// In any pieces and at any times, positions get a player no farther than speed times time and the slack.
func TestNoStepsOutrunThePace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pace := Pace{Speed: rapid.Float64Range(1, 60).Draw(t, "speed"), Slack: rapid.Float64Range(0, 200).Draw(t, "slack")}
		start := time.Unix(0, 0)
		now, s, along, up := start, Stride{at: start.UnixNano()}, 0.0, 0.0
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 3000).Draw(t, "ms")) * time.Millisecond)
			to := coords.Position{X: float32(rapid.IntRange(0, 60).Draw(t, "x")),
				Y: float32(rapid.IntRange(-30, 30).Draw(t, "y"))}
			if pace.Step(&s, coords.Position{}, to, now) == nil {
				along, up = along+float64(to.X), up+max(0, float64(to.Y))
			}
			if reach := pace.Speed*now.Sub(start).Seconds() + pace.Slack; along > reach+1e-6 || up > climb*reach+1e-6 {
				t.Fatalf("%.1f m and %.1f m up in %v", along, up, now.Sub(start))
			}
		}
	})
}

// In a fight one step is short, beyond what the time allows.
func TestAHopInAFight(t *testing.T) {
	pace, start := Pace{Speed: 10, Slack: 100, Hop: 25}, time.Unix(100, 0)
	for _, v := range []struct {
		metres float64
		after  time.Duration
		may    bool
	}{{24, 0, true}, {25, 0, true}, {26, 0, false}, {30, 500 * time.Millisecond, true}, {31, 500 * time.Millisecond, false}} {
		s := Stride{at: start.UnixNano()}
		err := pace.Step(&s, coords.Position{}, coords.Position{X: float32(v.metres)}, start.Add(v.after))
		if (err == nil) != v.may {
			t.Errorf("%+v: %v", v, err)
		}
	}
}
