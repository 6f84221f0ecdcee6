package game

import (
	"testing"
	"time"
)

func TestTheNextRestart(t *testing.T) {
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 1, day, hour, minute, 0, 0, time.UTC) }
	for _, c := range []struct {
		now  time.Time
		at   time.Duration
		want time.Time
	}{
		{at(5, 4, 50), 5 * time.Hour, at(5, 5, 0)},
		{at(5, 5, 0), 5 * time.Hour, at(6, 5, 0)},
		{at(5, 23, 59), 0, at(6, 0, 0)},
		{at(31, 12, 0), 9*time.Hour + 30*time.Minute, at(32, 9, 30)},
	} {
		if got := nextRestart(c.now, c.at); !got.Equal(c.want) {
			t.Errorf("after %v: %v, expected %v", c.now, got, c.want)
		}
	}
}
