package ops

import (
	"testing"
	"time"
)

func TestLengthsOfTimeAreReadInBothLanguages(t *testing.T) {
	day := 24 * time.Hour
	for text, want := range map[string]time.Duration{
		"200ms": 200 * time.Millisecond, "90s": 90 * time.Second, "30m": 30 * time.Minute, "30м": 30 * time.Minute,
		"30мин": 30 * time.Minute,
		"12h":   12 * time.Hour, "12Ч": 12 * time.Hour, "7d": 7 * day, "7д": 7 * day, "1h30m": 90 * time.Minute,
		"1д12ч": 36 * time.Hour, "36500d": LongestSpan,
	} {
		if got, ok := ParseSpan(text); !ok || got != want {
			t.Errorf("%q is %v, %v; expected %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "30", "m", "-1h", "0m", "1.5h", "soon", "7 d", "36501d", "36500d1s", "1h30",
		"99999999999999d", "1w"} {
		if got, ok := ParseSpan(text); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
}

func TestTheNearestLengthOfTimeIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		"30": "30m", "1,5h": "90m", "1.5ч": "90м", "2w": "14d", "2недели": "14д", "3дня": "3д", "3 days": "3d", "90": "90m",
		"60": "1h", "12hours": "12h", "0": "", "-1h": "", "soon": "", "": "", "1s5": "", "999999d": "", "0,5": "30s", "1,5m": "90s", "2x": "",
	} {
		if got, ok := NearSpan(text); got != want && ok || ok != (want != "") {
			t.Errorf("%q is %q, %v; expected %q", text, got, ok, want)
		}
	}
}

func TestLengthsOfTimeAreWrittenInBothLanguages(t *testing.T) {
	for d, want := range map[time.Duration]Text{
		0: {"0 с", "0 s"}, 400 * time.Millisecond: {"0 с", "0 s"}, 10*time.Second - time.Millisecond: {"10 с", "10 s"},
		10 * time.Minute: {"10 мин", "10 min"}, 90 * time.Minute: {"1 ч 30 мин", "1 h 30 min"},
		24*time.Hour + time.Second: {"24 ч 1 с", "24 h 1 s"}, 50 * time.Hour: {"2 д 2 ч", "2 d 2 h"},
		longestRate: {"366 д", "366 d"},
	} {
		if got := Span(d); got != want {
			t.Errorf("%v is %v, expected %v", d, got, want)
		}
	}
}
