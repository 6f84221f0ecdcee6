package rules

import (
	"testing"
	"time"
)

// Protocol session 10.4: the clock bytes of the newest calendar.
func TestCalendar(t *testing.T) {
	for unix, want := range map[int64]Moment{
		1750000000: {322, 11, 2, 13, 20, 0},
		1783000000: {335, 5, 24, 21, 20, 0},
		1649722100: {284, 9, 6, 1, 40, 0},
		0:          {680, 12, 7, 0, 0, 0},
	} {
		if got := Calendar(time.Unix(unix, 0)); got != want {
			t.Errorf("unix %d is %+v, documented %+v", unix, got, want)
		}
	}
	// A day of the game is two hours, and every quarter of a minute comes once.
	start := time.Unix(1750000000, 0)
	seen := map[Moment]bool{}
	for s := range 7200 {
		m := Calendar(start.Add(time.Duration(s) * time.Second))
		seen[m] = true
		if m.Month < 1 || m.Month > 12 || m.Day < 1 || m.Day > 31 || m.Hour > 23 || m.Minute > 59 ||
			m.Quarter > 3 {
			t.Fatalf("second %d: %+v", s, m)
		}
	}
	// The days of a year are those of twelve months of a common year.
	days := map[[2]int]bool{}
	for d := range 365 {
		m := Calendar(start.Add(time.Duration(d) * 2 * time.Hour))
		days[[2]int{m.Month, m.Day}] = true
	}
	if len(days) != 365 || days[[2]int{2, 29}] || !days[[2]int{2, 28}] || !days[[2]int{12, 31}] {
		t.Errorf("a year has %d days", len(days))
	}
	if len(seen) != quartersPerDay {
		t.Errorf("%d different moments in a day, want %d", len(seen), quartersPerDay)
	}
}
