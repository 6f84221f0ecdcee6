package chat

import (
	"testing"
	"time"
)

func TestParseSpan(t *testing.T) {
	for word, want := range map[string]time.Duration{"30m": 30 * time.Minute, "30М": 30 * time.Minute,
		"12ч": 12 * time.Hour, "12H": 12 * time.Hour,
		"7d": 7 * 24 * time.Hour, "7д": 7 * 24 * time.Hour, "5мин": 5 * time.Minute, "навсегда": 0, "FOREVER": 0,
		"36500d": 36500 * 24 * time.Hour} {
		if have, ok := parseSpan(word); !ok || have != want {
			t.Errorf("%s: %v %v, want %v", word, have, ok, want)
		}
	}
	for _, word := range []string{"", "m", "30", "-5m", "0m", "1.5h", "36501d", "99999999999999999999d", "5 m",
		"навсегд"} {
		if have, ok := parseSpan(word); ok {
			t.Errorf("%q was taken for %v", word, have)
		}
	}
}
